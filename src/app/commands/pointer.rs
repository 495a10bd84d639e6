//! Pointer input over pictures, as help text. The list of keys and docs/keys.md show it beside the commands.

/// Title of the group of the list of keys.
pub(in crate::app) const POINTER_TITLE: &str = "Mouse and trackpad";

/// Pointer input and its effect.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct PointerHelp {
    /// The inputs with this effect: drags, clicks, the wheel. One text for each key cap.
    pub(in crate::app) inputs: &'static [&'static str],
    /// Title of its effect.
    pub(in crate::app) title: &'static str,
    /// Its effect, one line.
    pub(in crate::app) help: &'static str,
}

const fn help(inputs: &'static [&'static str], title: &'static str, help: &'static str) -> PointerHelp {
    PointerHelp { inputs, title, help }
}

/// All pointer input.
pub(in crate::app) const POINTER_HELP: [PointerHelp; 14] = [
    help(&["Drag", "Middle drag", "Two fingers"], "Move", "Moves the image"),
    help(&["Wheel", "Pinch"], "Zoom", "Zooms about the cursor"),
    help(&["Shift+Wheel"], "Move sideways", "Moves sideways"),
    help(&["Alt+Wheel"], "Step through a volume", "Moves the plane of a volume along its normal"),
    help(&["Alt+Shift+Wheel"], "Move through time", "Moves through the times of a volume that changes"),
    help(
        &["Click"],
        "Move planes to a point",
        "Where panels show several planes of a volume: moves the others through the point",
    ),
    help(&["Double click"], "Fit or 1:1", "Whole image, or one sample a pixel"),
    help(&["Ctrl+Drag"], "Zoom to rectangle", "Zooms to a rectangle"),
    help(
        &["Ctrl+Shift+Drag", "Rotate"],
        "Turn",
        "Turns about the point where the drag began; with Alt in steps of 15°",
    ),
    help(&["Ctrl+Click"], "Pin a position", "Pins a position and lists its values"),
    help(&["Shift+Drag"], "Region for the histogram", "Selects the region of the histogram"),
    help(
        &["Right click"],
        "Panel menu",
        "Opens the menu of the panel: how it reads the image, and what is done with its picture",
    ),
    help(&["Right drag"], "Set black and white", "Width (across) and level (up) of the display window"),
    help(&["Drop a file"], "Open a file", "Opens it in that panel, or beside the panels in all"),
];
