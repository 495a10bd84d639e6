//! The groups of the list of keys: which lines are in which group, and which are common.

use egui::Ui;

use crate::app::commands::keymap::KeyLine;
use crate::app::commands::pointer::{POINTER_HELP, POINTER_TITLE, PointerHelp};
use crate::app::commands::{Keymap, TOPICS, Topic};

/// What a group lists.
#[derive(Clone, Copy, Debug)]
enum GroupKind {
    /// What a first visit needs, of all groups.
    Essential,
    /// The commands of a topic.
    Topic(Topic),
    /// Pointer input.
    Pointer,
}

/// The groups of the common lines, in menu order, and those of all lines, in an order in which four columns are nearly equally high.
const ORDERS: [[GroupKind; TOPICS.len() + 2]; 2] = [
    [
        GroupKind::Essential,
        GroupKind::Pointer,
        GroupKind::Topic(Topic::File),
        GroupKind::Topic(Topic::Edit),
        GroupKind::Topic(Topic::View),
        GroupKind::Topic(Topic::Panel),
        GroupKind::Topic(Topic::Compare),
        GroupKind::Topic(Topic::Inspect),
        GroupKind::Topic(Topic::Laboratory),
        GroupKind::Topic(Topic::Lessons),
        GroupKind::Topic(Topic::Window),
    ],
    [
        GroupKind::Essential,
        GroupKind::Pointer,
        GroupKind::Topic(Topic::Edit),
        GroupKind::Topic(Topic::View),
        GroupKind::Topic(Topic::Panel),
        GroupKind::Topic(Topic::Inspect),
        GroupKind::Topic(Topic::File),
        GroupKind::Topic(Topic::Compare),
        GroupKind::Topic(Topic::Laboratory),
        GroupKind::Topic(Topic::Lessons),
        GroupKind::Topic(Topic::Window),
    ],
];

/// Heading of the group of the lines that a first visit needs.
pub(super) const ESSENTIAL_TITLE: &str = "Essentials";
/// Titles of its lines, in order. They are in no other group.
const ESSENTIAL: [&str; 13] = [
    "Open…",
    "Move",
    "Zoom",
    "Fit",
    "Values in pixels",
    "Next / previous method",
    "Add panel",
    "Side by side",
    "Wipe",
    "Difference",
    "Plots",
    "Undo",
    "Find…",
];

/// Titles of the other lines that are common. A search finds the rest as well.
const COMMON: [&str; 44] = [
    "Fit or 1:1",
    "Zoom to rectangle",
    "Turn",
    "Pin a position",
    "Set black and white",
    "Redo",
    "Copy picture",
    "Copy as command line",
    "1:1",
    "2× to 9×",
    "Zoom in / out",
    "Previous view",
    "Move by a tenth of the panel",
    "Turn upright",
    "Next address mode",
    "Texture unit or exact",
    "Prefilter",
    "Maximize panel",
    "Close panel",
    "Add filter…",
    "Lessons",
    "Step on / back",
    "Sample grid",
    "Line profile",
    "Histogram",
    "Loupe (hold)",
    "Next unit of values",
    "Normalize",
    "Save panel…",
    "Save figure…",
    "Next / previous image",
    "Reload",
    "Flip to the other panel",
    "Flicker",
    "Swap pair",
    "Less / more gain",
    "Footprint",
    "1-D laboratory",
    "Kernel designer",
    "Keys",
    "Side bar",
    "Pictures only",
    "Presentation",
    "Close or cancel",
];

/// A group of lines below its heading.
pub(super) struct Group {
    /// Its heading.
    pub(super) title: &'static str,
    /// Its lines.
    pub(super) lines: Vec<KeyLine>,
}

/// The groups with the lines that contain `query` in their title, help or keys; the common ones, or all.
pub(super) fn groups(ui: &Ui, query: &str, has_all: bool) -> Vec<Group> {
    let (keys, query) = (Keymap::in_force(ui), query.to_lowercase());
    let is_found = |line: &KeyLine| {
        let mut texts = line.keys.iter().flatten().map(String::as_str).chain([line.title, line.help]);
        texts.any(|text| text.to_lowercase().contains(&query))
    };
    let is_shown = |line: &KeyLine| has_all || ESSENTIAL.contains(&line.title) || COMMON.contains(&line.title);
    let group = |kind: GroupKind| {
        let (title, lines) = match kind {
            GroupKind::Essential => (ESSENTIAL_TITLE, essential_lines(&keys)),
            GroupKind::Topic(topic) => (topic.row().title, others(keys.group(topic.row()))),
            GroupKind::Pointer => (POINTER_TITLE, others(pointer_lines())),
        };
        Group { title, lines: lines.into_iter().filter(|line| is_shown(line) && is_found(line)).collect() }
    };
    ORDERS[usize::from(has_all)].into_iter().map(group).filter(|group| !group.lines.is_empty()).collect()
}

/// The lines of the group of essentials.
fn essential_lines(keys: &Keymap) -> Vec<KeyLine> {
    let of_topics = TOPICS.iter().flat_map(|row| keys.group(row));
    let mut lines: Vec<KeyLine> = pointer_lines().into_iter().chain(of_topics).collect();
    lines.retain(|line| ESSENTIAL.contains(&line.title));
    lines.sort_by_key(|line| ESSENTIAL.iter().position(|title| *title == line.title));
    lines
}

/// `lines` without those of the group of essentials.
fn others(mut lines: Vec<KeyLine>) -> Vec<KeyLine> {
    lines.retain(|line| !ESSENTIAL.contains(&line.title));
    lines
}

fn pointer_lines() -> Vec<KeyLine> {
    let line = |line: &PointerHelp| KeyLine {
        title: line.title,
        keys: vec![line.inputs.iter().map(|&input| input.to_owned()).collect()],
        help: line.help,
    };
    POINTER_HELP.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::commands::COMMANDS;

    #[test]
    fn essential_and_common_lines_are_lines_of_commands_or_of_the_pointer_and_in_one_list() {
        assert!(COMMON.iter().all(|title| !ESSENTIAL.contains(title)));
        for title in ESSENTIAL.into_iter().chain(COMMON) {
            let is_line =
                COMMANDS.iter().any(|row| row.line == title) || POINTER_HELP.iter().any(|line| line.title == title);
            assert!(is_line, "{title}");
        }
    }
}
