//! The groups of the list of keys: which lines are in which group, and which are common.

use crate::app::commands::keymap::KeyLine;
use crate::app::commands::pointer::{POINTER_HELP, POINTER_TITLE, PointerHelp};
use crate::app::commands::{Keymap, TOPICS, Topic};

/// Which lines are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Extent {
    /// The essential and the common lines.
    #[default]
    Common,
    /// All lines.
    All,
}

/// What the lines of a group by topic are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GroupTopic {
    /// Pointer input.
    Pointer,
    /// A topic of commands.
    Commands(Topic),
}

/// The topics of the common lines but the essentials, in an order in which the groups side by side in two columns have equal numbers of
/// lines: the columns have no gaps where these begin at one height.
const COMMON_TOPICS: [GroupTopic; 4] = [
    GroupTopic::Pointer,
    GroupTopic::Commands(Topic::View),
    GroupTopic::Commands(Topic::Compare),
    GroupTopic::Commands(Topic::Inspect),
];

/// The topics of all lines, in an order in which four columns are nearly equally high.
const ALL_TOPICS: [GroupTopic; TOPICS.len() + 1] = [
    GroupTopic::Commands(Topic::File),
    GroupTopic::Commands(Topic::Edit),
    GroupTopic::Commands(Topic::Laboratory),
    GroupTopic::Pointer,
    GroupTopic::Commands(Topic::View),
    GroupTopic::Commands(Topic::Panel),
    GroupTopic::Commands(Topic::Compare),
    GroupTopic::Commands(Topic::Lessons),
    GroupTopic::Commands(Topic::Inspect),
    GroupTopic::Commands(Topic::Window),
];

/// The lines that a first visit needs: headings, each with the titles of its lines in order, as many as the groups beside it have. Among all
/// lines they are in the groups of their topics.
const ESSENTIAL: [(&str, &[&str]); 2] = [
    ("Start here", &["Open…", "Move", "Zoom", "Lessons"]),
    ("Change and save", &["Next / previous method", "Undo", "Find…", "Save panel…"]),
];

/// Inputs of the pointer that do what another one of the same device does. They are among all lines alone.
const SECOND_INPUTS: [&str; 1] = ["Middle drag"];

/// Titles of the other lines that are common. A search finds the rest as well.
const COMMON: [&str; 16] = [
    "Zoom to rectangle",
    "Turn",
    "Pin a position",
    "Set black and white",
    "Fit",
    "Zoom to 2× … 9×",
    "Zoom in / out",
    "Previous view",
    "Side by side",
    "Wipe",
    "Difference",
    "Flip to the other panel",
    "Values in pixels",
    "Sample grid",
    "Line profile",
    "Loupe (hold)",
];

/// A group of lines below its heading.
#[derive(Debug)]
pub(super) struct Group {
    /// Its heading.
    pub(super) title: &'static str,
    /// Whether it has the lines that a first visit needs.
    pub(super) is_essential: bool,
    /// Its lines.
    pub(super) lines: Vec<KeyLine>,
}

/// The groups of `extent`, with each line once: of the common lines, with their first keys, the essentials, then the others by topic; of all
/// lines the groups by topic alone.
pub(super) fn groups(keys: &Keymap, extent: Extent) -> Vec<Group> {
    let essentials = match extent {
        Extent::Common => essentials(keys),
        Extent::All => Vec::new(),
    };
    let groups = essentials.into_iter().chain(by_topic(keys, extent)).filter(|group| !group.lines.is_empty());
    let mut groups: Vec<Group> = groups.collect();
    if extent == Extent::Common {
        groups.iter_mut().flat_map(|group| &mut group.lines).for_each(keep_first_keys);
    }
    groups
}

/// The lines of all groups by topic that contain `query` in their title, help or keys, each line once.
pub(super) fn found(keys: &Keymap, query: &str) -> Vec<Group> {
    let query = query.to_lowercase();
    let is_found = |line: &KeyLine| {
        let mut texts = line.keys.iter().flatten().map(String::as_str).chain([line.title, line.help]);
        texts.any(|text| text.to_lowercase().contains(&query))
    };
    let mut groups = by_topic(keys, Extent::All);
    groups.iter_mut().for_each(|group| group.lines.retain(is_found));
    groups.retain(|group| !group.lines.is_empty());
    groups
}

/// Number of the lines of `groups`.
pub(super) fn count(groups: &[Group]) -> usize {
    groups.iter().map(|group| group.lines.len()).sum()
}

/// The groups of pointer input and of the topics; of the common lines without the essentials.
fn by_topic(keys: &Keymap, extent: Extent) -> Vec<Group> {
    let topics: &[GroupTopic] = match extent {
        Extent::Common => &COMMON_TOPICS,
        Extent::All => &ALL_TOPICS,
    };
    let is_shown = |line: &KeyLine| match extent {
        Extent::Common => COMMON.contains(&line.title),
        Extent::All => true,
    };
    let group = |topic: GroupTopic| {
        let (title, mut lines) = match topic {
            GroupTopic::Pointer => (POINTER_TITLE, pointer_lines()),
            GroupTopic::Commands(topic) => (topic.row().title, keys.group(topic.row())),
        };
        lines.retain(is_shown);
        Group { title, is_essential: false, lines }
    };
    topics.iter().copied().map(group).collect()
}

/// The groups of the lines that a first visit needs.
fn essentials(keys: &Keymap) -> Vec<Group> {
    let all: Vec<KeyLine> = by_topic(keys, Extent::All).into_iter().flat_map(|group| group.lines).collect();
    let line = |title: &&str| all.iter().find(|line| line.title == *title).cloned();
    let group = |&(title, lines): &(&'static str, &[&str])| Group {
        title,
        is_essential: true,
        lines: lines.iter().filter_map(line).collect(),
    };
    ESSENTIAL.iter().map(group).collect()
}

/// Keeps the first key of each command of a line. Inputs of a mouse and of a trackpad stay side by side.
fn keep_first_keys(line: &mut KeyLine) {
    if POINTER_HELP.iter().all(|of_pointer| of_pointer.title != line.title) {
        line.keys.iter_mut().for_each(|keys| keys.truncate(1));
    } else {
        line.keys.iter_mut().for_each(|inputs| inputs.retain(|input| !SECOND_INPUTS.contains(&input.as_str())));
    }
}

fn pointer_lines() -> Vec<KeyLine> {
    let line = |line: &PointerHelp| KeyLine {
        title: line.title,
        keys: vec![line.inputs.iter().map(|&input| input.to_owned()).collect()],
        help: line.help,
        command: None,
    };
    POINTER_HELP.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::commands::COMMANDS;

    #[test]
    fn essential_and_common_lines_are_lines_of_commands_or_of_the_pointer_and_in_one_list() {
        assert!(COMMON.iter().all(|title| !essential_titles().contains(title)));
        for title in essential_titles().into_iter().chain(COMMON) {
            let is_line =
                COMMANDS.iter().any(|row| row.line == title) || POINTER_HELP.iter().any(|line| line.title == title);
            assert!(is_line, "{title}");
        }
    }

    fn essential_titles() -> Vec<&'static str> {
        ESSENTIAL.iter().flat_map(|(_, lines)| lines.iter().copied()).collect()
    }

    /// The titles of the groups that are essential, and of all others.
    fn titles(groups: &[Group]) -> [Vec<&'static str>; 2] {
        [true, false].map(|is_essential| {
            let groups = groups.iter().filter(|group| group.is_essential == is_essential);
            groups.flat_map(|group| group.lines.iter().map(|line| line.title)).collect()
        })
    }

    #[test]
    fn essential_lines_are_in_the_essentials_or_in_the_groups_of_their_topics() {
        let keys = Keymap::default();
        let [essentials, others] = titles(&groups(&keys, Extent::Common));
        assert_eq!(essentials, essential_titles());
        assert!(others.iter().all(|title| !essential_titles().contains(title)));
        let all = groups(&keys, Extent::All);
        for (title, topic) in [("Open…", "File"), ("Undo", "Edit"), ("Fit", "View"), ("Difference", "Compare")] {
            let group = all.iter().find(|group| group.title == topic).expect(topic);
            assert!(group.lines.iter().any(|line| line.title == title), "{title} in {topic}");
        }
        let [essentials, others] = titles(&all);
        assert!(essentials.is_empty());
        for title in essential_titles() {
            assert_eq!(others.iter().filter(|other| **other == title).count(), 1, "{title}");
        }
    }

    #[test]
    fn groups_of_common_lines_begin_with_the_essentials_and_those_of_all_have_every_line_once() {
        let keys = Keymap::default();
        let common: Vec<&str> = groups(&keys, Extent::Common).iter().map(|group| group.title).collect();
        assert_eq!(common[..4], ["Start here", "Change and save", POINTER_TITLE, "View"]);
        let all = groups(&keys, Extent::All);
        let lines = TOPICS.iter().map(|row| keys.group(row).len()).sum::<usize>() + POINTER_HELP.len();
        assert_eq!(
            (all.len(), common.len(), count(&all)),
            (TOPICS.len() + 1, ESSENTIAL.len() + COMMON_TOPICS.len(), lines)
        );
        assert_eq!(count(&groups(&keys, Extent::Common)), essential_titles().len() + COMMON.len());
    }

    #[test]
    fn search_finds_each_line_once_whatever_the_extent_that_has_it() {
        let keys = Keymap::default();
        assert_eq!(titles(&found(&keys, "UNDO"))[1].iter().filter(|title| **title == "Undo").count(), 1);
        assert!(titles(&found(&keys, "paste"))[1].contains(&"Paste"), "Paste is not common");
        assert!(titles(&found(&keys, "ctrl+v"))[1].contains(&"Paste"), "keys are searched too");
        assert!(found(&keys, "qqq").is_empty());
        let all = found(&keys, "");
        assert!(all.iter().all(|group| !group.is_essential));
        assert_eq!(count(&all), count(&groups(&keys, Extent::All)));
    }
}
