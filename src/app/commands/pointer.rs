//! Pointer input over pictures, as help text. The list of keys and README show it beside the commands.

/// Pointer input and its effect.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct PointerHelp {
    /// The input: a drag, a click or the wheel.
    pub(in crate::app) input: &'static str,
    /// Its effect, one line.
    pub(in crate::app) help: &'static str,
}

const fn help(input: &'static str, help: &'static str) -> PointerHelp {
    PointerHelp { input, help }
}

/// All pointer input.
pub(in crate::app) const POINTER_HELP: [PointerHelp; 10] = [
    help("Drag, middle drag", "Moves the image"),
    help("Wheel, pinch", "Zooms about the cursor"),
    help("Two-finger scroll", "Moves the image"),
    help("Shift+wheel", "Moves sideways"),
    help("Double click", "Whole image, or 100 %"),
    help("Ctrl+drag", "Zooms to a rectangle"),
    help("Ctrl+click", "Pins a position and lists its values"),
    help("Shift+drag", "Selects the region of the histogram"),
    help("Right drag", "Width (across) and level (up) of the display window"),
    help("Drop a file", "Opens it in that panel, or beside the panels in all"),
];
