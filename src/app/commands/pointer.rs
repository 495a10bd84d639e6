//! Pointer input over pictures, as help text. The list of keys and README show it beside the commands.

use super::rows::Topic;

/// Pointer input and its effect.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct PointerHelp {
    /// Its group of the list of keys.
    pub(in crate::app) topic: Topic,
    /// The inputs with this effect: drags, clicks, the wheel.
    pub(in crate::app) inputs: &'static [&'static str],
    /// Title of its effect.
    pub(in crate::app) title: &'static str,
    /// Its effect, one line.
    pub(in crate::app) help: &'static str,
}

const fn help(topic: Topic, inputs: &'static [&'static str], title: &'static str, help: &'static str) -> PointerHelp {
    PointerHelp { topic, inputs, title, help }
}

/// All pointer input.
pub(in crate::app) const POINTER_HELP: [PointerHelp; 9] = [
    help(Topic::View, &["Drag", "middle drag", "two-finger scroll"], "Move", "Moves the image"),
    help(Topic::View, &["Wheel", "pinch"], "Zoom", "Zooms about the cursor"),
    help(Topic::View, &["Shift+wheel"], "Move sideways", "Moves sideways"),
    help(Topic::View, &["Double click"], "Fit, or 100 %", "Whole image, or 100 %"),
    help(Topic::View, &["Ctrl+drag"], "Zoom to rectangle", "Zooms to a rectangle"),
    help(Topic::Inspect, &["Ctrl+click"], "Pin", "Pins a position and lists its values"),
    help(Topic::Inspect, &["Shift+drag"], "Region of histogram", "Selects the region of the histogram"),
    help(Topic::Inspect, &["Right drag"], "Black and white", "Width (across) and level (up) of the display window"),
    help(Topic::File, &["Drop a file"], "Open", "Opens it in that panel, or beside the panels in all"),
];
