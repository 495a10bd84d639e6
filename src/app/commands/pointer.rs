//! Pointer input over pictures, as help text. The list of keys and README show it beside the commands.

use super::rows::Topic;

/// Pointer input and its effect.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct PointerHelp {
    /// Its group of the list of keys.
    pub(in crate::app) topic: Topic,
    /// The inputs with this effect: drags, clicks, the wheel.
    pub(in crate::app) inputs: &'static [&'static str],
    /// Its effect, one line.
    pub(in crate::app) help: &'static str,
}

const fn help(topic: Topic, inputs: &'static [&'static str], help: &'static str) -> PointerHelp {
    PointerHelp { topic, inputs, help }
}

/// All pointer input.
pub(in crate::app) const POINTER_HELP: [PointerHelp; 9] = [
    help(Topic::View, &["Drag", "middle drag", "two-finger scroll"], "Moves the image"),
    help(Topic::View, &["Wheel", "pinch"], "Zooms about the cursor"),
    help(Topic::View, &["Shift+wheel"], "Moves sideways"),
    help(Topic::View, &["Double click"], "Whole image, or 100 %"),
    help(Topic::View, &["Ctrl+drag"], "Zooms to a rectangle"),
    help(Topic::Inspect, &["Ctrl+click"], "Pins a position and lists its values"),
    help(Topic::Inspect, &["Shift+drag"], "Selects the region of the histogram"),
    help(Topic::Inspect, &["Right drag"], "Width (across) and level (up) of the display window"),
    help(Topic::File, &["Drop a file"], "Opens it in that panel, or beside the panels in all"),
];
