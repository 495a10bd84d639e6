//! The keymap: which keys call which command.
//!
//! The keymap in force is data of the egui context, so that tooltips and menus reach it without a parameter.

use std::sync::Arc;

use egui::{Context, Event, Id, InputState, Key, Modifiers};

use super::chord::Chord;
use super::command::{Command, CommandRow};
use super::pointer::POINTER_HELP;
use super::rows::{COMMANDS, TopicRow};
use crate::text::shortened;

/// Ids of version 0.1 in settings, and what they are now.
const EARLIER_IDS: [(&str, &str); 1] = [("maximise", "maximize")];

/// There is no command of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no command '{}'", shortened(.0))]
pub struct UnknownCommand(String);

/// What decides which command a key calls.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct KeySituation {
    /// A control other than a picture has the keyboard's focus.
    pub(in crate::app) control_has_focus: bool,
    /// A lesson runs.
    pub(in crate::app) runs_lesson: bool,
}

/// A line of the list of keys.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) struct KeyLine {
    /// Title of its commands.
    pub(in crate::app) title: &'static str,
    /// The keys of each command as text, in the order of the title: `K` and `Shift+K` of *Next / previous method*.
    pub(in crate::app) keys: Vec<Vec<String>>,
    /// Help of the first.
    pub(in crate::app) help: &'static str,
    /// Its command; `None` for several commands and for pointer input.
    pub(in crate::app) command: Option<Command>,
}

/// A key that two commands have. The one assigned last keeps it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{chord}' is taken from '{}', which had it too", shortened(loser))]
pub(in crate::app) struct KeyConflict {
    chord: Chord,
    /// The command that keeps the key.
    pub(in crate::app) id: String,
    loser: String,
}

/// The keys of each command, in the order of [`COMMANDS`].
#[derive(Clone, Debug, PartialEq)]
pub struct Keymap(Vec<Vec<Chord>>);

impl Default for Keymap {
    fn default() -> Self {
        Self(COMMANDS.iter().map(|row| row.keys.to_vec()).collect())
    }
}

impl Keymap {
    /// Makes this the keymap in force of `ctx`.
    pub(in crate::app) fn install(&self, ctx: &Context) {
        let keymap = Arc::new(self.clone());
        ctx.data_mut(|data| data.insert_temp(Id::NULL, keymap));
    }

    /// The keymap in force of `ctx`: the one installed last, or the default.
    pub(in crate::app) fn in_force(ctx: &Context) -> Arc<Self> {
        ctx.data(|data| data.get_temp(Id::NULL)).unwrap_or_default()
    }

    /// Assigns `chords` to the command with this `id`, in place of its keys. Other commands lose them.
    ///
    /// # Errors
    /// If there is no such command.
    pub fn change(&mut self, id: &str, chords: Vec<Chord>) -> Result<(), UnknownCommand> {
        let id = EARLIER_IDS.iter().find(|(earlier, _)| *earlier == id).map_or(id, |(_, id)| id);
        let index = COMMANDS.iter().position(|row| row.id == id).ok_or_else(|| UnknownCommand(id.to_owned()))?;
        let rivals = COMMANDS.iter().zip(&mut self.0).filter(|(row, _)| is_at_one_time(row, &COMMANDS[index]));
        rivals.for_each(|(_, others)| others.retain(|chord| !chords.contains(chord)));
        self.0[index] = chords;
        Ok(())
    }

    /// For each of the commands `ids` whose keys were assigned, in order: its chords that another of them has too, or that
    /// a command outside of `ids` has by default. The other command's id follows.
    pub(in crate::app) fn conflicts(assigned: &[(String, Vec<Chord>)]) -> Vec<KeyConflict> {
        let mut found = Vec::new();
        for (index, (id, chords)) in assigned.iter().enumerate() {
            let own = COMMANDS.iter().find(|row| row.id == id);
            for &chord in chords {
                let is_rival = |other: &str| {
                    COMMANDS.iter().any(|row| row.id == other && own.is_none_or(|own| is_at_one_time(row, own)))
                };
                let earlier =
                    assigned[..index].iter().filter(|(other, others)| others.contains(&chord) && is_rival(other));
                let by_default =
                    COMMANDS.iter().filter(|row| row.keys.contains(&chord) && row.id != id && is_rival(row.id));
                let by_default = by_default.filter(|row| assigned.iter().all(|(other, _)| other != row.id));
                let others = earlier.map(|(other, _)| other.clone()).chain(by_default.map(|row| row.id.to_owned()));
                found.extend(others.map(|loser| KeyConflict { chord, id: id.clone(), loser }));
            }
        }
        found
    }

    /// The keys of `command`.
    pub fn of(&self, command: Command) -> &[Chord] {
        COMMANDS.iter().position(|row| row.command == command).map_or(&[], |index| &self.0[index])
    }

    /// The first key of `command` as text; empty if it has none.
    pub(in crate::app) fn key_text(&self, command: Command) -> String {
        self.of(command).first().map(Chord::text).unwrap_or_default()
    }

    /// Tooltip of `command`: its help and its first key.
    pub(in crate::app) fn tooltip(&self, command: Command) -> String {
        let help = command.row().map_or("", |row| row.help);
        let key = self.key_text(command);
        if key.is_empty() { help.to_owned() } else { format!("{help}  ({key})") }
    }

    /// Whether a key of `command` with Ctrl is pressed in this frame. Keys without Ctrl may be text of the focused field.
    pub(in crate::app) fn is_called_with_ctrl(&self, ctx: &Context, command: Command) -> bool {
        let is_called = |event: &Event| {
            let pressed = chord_of(event).filter(|(_, modifiers)| modifiers.command);
            pressed.is_some_and(|(key, modifiers)| self.of(command).iter().any(|chord| chord.matches(key, modifiers)))
        };
        ctx.input(|input| input.events.iter().any(is_called))
    }

    /// The commands that this frame's key events call. A text that is being edited takes all keys
    /// but those that move between regions; a focused control other
    /// than a picture takes arrows and the space bar.
    pub(in crate::app) fn pressed(&self, ctx: &Context, situation: KeySituation) -> Vec<Command> {
        let KeySituation { control_has_focus, runs_lesson } = situation;
        let edits_text = ctx.text_edit_focused();
        let is_free = |command: &Command| !edits_text || matches!(command, Command::FocusRegion(_));
        ctx.input(|input| {
            let calls = |event: &Event| {
                let (key, modifiers) = chord_of(event)?;
                let is_repeat = matches!(event, Event::Key { repeat: true, .. });
                let is_taken = |chord: &Chord| control_has_focus && (chord.is_arrow() || key == Key::Space);
                let is_called = |chord: &Chord| chord.matches(key, modifiers) && !is_taken(chord) && !chord.is_tapped();
                self.called_by(runs_lesson, is_called).filter(|command| !is_repeat || command.repeats())
            };
            input.events.iter().filter_map(calls).filter(is_free).collect()
        })
    }

    /// The command that a tap of the space bar calls.
    pub(in crate::app) fn tapped(&self) -> Option<Command> {
        self.called_by(false, Chord::is_tapped)
    }

    /// Whether a key of `command` is held, with its modifiers and no others.
    pub(in crate::app) fn is_held(&self, input: &InputState, command: Command) -> bool {
        self.of(command).iter().any(|chord| chord.is_held(input))
    }

    /// The command with a key that `is_called`. A lesson that runs takes its own keys first; the others do nothing then.
    fn called_by(&self, runs_lesson: bool, is_called: impl Fn(&Chord) -> bool) -> Option<Command> {
        let called = |of_lesson: bool| {
            let rows = COMMANDS.iter().zip(&self.0).filter(|(row, _)| row.command.is_of_running_lesson() == of_lesson);
            rows.into_iter().find(|(_, chords)| chords.iter().any(&is_called)).map(|(row, _)| row.command)
        };
        runs_lesson.then(|| called(true)).flatten().or_else(|| called(false))
    }

    /// Lines of a group of the list of keys: titles with their keys. Consecutive rows with the same title are one line.
    pub(in crate::app) fn group(&self, topic: &TopicRow) -> Vec<KeyLine> {
        let rows: Vec<&'static CommandRow> =
            topic.commands.iter().filter(|row| !self.of(row.command).is_empty()).collect();
        let line = |rows: &[&'static CommandRow]| {
            let of_row = |row: &&'static CommandRow| self.of(row.command).iter().map(Chord::text).collect();
            let keys: Vec<Vec<String>> = rows.iter().map(of_row).collect();
            // More commands than there are directions are a range: `2 … 9`.
            let keys = match &keys[..] {
                [first, .., last] if keys.len() > 4 => vec![vec![format!("{} … {}", first[0], last[0])]],
                _ => keys,
            };
            let command = Some(rows[0].command).filter(|_| rows.len() == 1);
            KeyLine { title: rows[0].line, keys, help: rows[0].help, command }
        };
        rows.chunk_by(|a, b| a.line == b.line).map(line).collect()
    }

    /// Rows that have keys, with their keys.
    fn rows(&self) -> Vec<(&'static CommandRow, &[Chord])> {
        COMMANDS.iter().zip(&self.0).filter(|(_, keys)| !keys.is_empty()).map(|(row, keys)| (row, &keys[..])).collect()
    }

    /// Lines of the table of keys: the texts of the keys, and the help. Consecutive rows with the same help are one line.
    fn lines(&self) -> Vec<(Vec<String>, &'static str)> {
        let join = |rows: &[(&'static CommandRow, &[Chord])]| {
            let chords: Vec<&Chord> = rows.iter().flat_map(|(_, keys)| keys.iter()).collect();
            (key_texts(&chords), rows[0].0.help)
        };
        self.rows().chunk_by(|a, b| a.0.help == b.0.help).map(join).collect()
    }
}

/// Whether keys call both commands at the same times: both while a lesson runs, or both always.
fn is_at_one_time(one: &CommandRow, other: &CommandRow) -> bool {
    one.command.is_of_running_lesson() == other.command.is_of_running_lesson()
}

/// Tables of the default keys and of pointer input, in Markdown.
pub fn bindings_table() -> String {
    let keys = Keymap::default().lines();
    let row = |help: &str, input: &str| format!("| {help} | {input} |\n");
    let code = |keys: &[String]| keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
    let keys: String = keys.iter().map(|(keys, help)| row(help, &code(keys))).collect();
    let pointer: String = POINTER_HELP.iter().map(|line| row(line.help, &line.inputs.join(", "))).collect();
    format!(
        "| what it does | keys |\n|---|---|\n{keys}\n| what it does | mouse, trackpad, touch |\n|---|---|\n{pointer}"
    )
}

/// Key and modifiers of an event. The window library reports the clipboard's keys as events of their own.
fn chord_of(event: &Event) -> Option<(Key, Modifiers)> {
    match *event {
        Event::Key { key, pressed: true, modifiers, .. } => Some((key, modifiers)),
        Event::Copy => Some((Key::C, Modifiers::COMMAND)),
        Event::Cut => Some((Key::X, Modifiers::COMMAND)),
        Event::Paste(_) | Event::PasteImage(_) => Some((Key::V, Modifiers::COMMAND)),
        _ => None,
    }
}

/// Texts of keys: `K` and `Shift+K`; of more than four keys a range, `2 … 9`; of arrows with the same modifiers one text,
/// `Shift+← →`, and of page keys, `Ctrl+PgDn PgUp`.
fn key_texts(chords: &[&Chord]) -> Vec<String> {
    let [first, .., last] = chords else {
        return chords.iter().map(|chord| chord.text()).collect();
    };
    if chords.len() > 4 {
        return vec![format!("{} … {}", first.text(), last.text())];
    }
    match direction_keys(chords) {
        Some((held, arrows)) => vec![format!("{held}{}", arrows.join(" "))],
        None => chords.iter().map(|chord| chord.text()).collect(),
    }
}

/// The modifiers of keys of directions, and the keys; `None` unless all chords are such keys with the same modifiers.
fn direction_keys(chords: &[&Chord]) -> Option<(String, Vec<&'static str>)> {
    let arrows: Vec<_> = chords.iter().map(|chord| chord.direction()).collect::<Option<_>>()?;
    let held = arrows.first()?.0.clone();
    let has_same = arrows.iter().all(|(other, _)| *other == held);
    has_same.then(|| (held, arrows.into_iter().map(|(_, arrow)| arrow).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_join_keys_with_the_same_help() {
        let lines = Keymap::default().lines();
        let keys = |help: &str| lines.iter().find(|(_, text)| text.starts_with(help)).expect(help).0.clone();
        assert_eq!(keys("Shows a sample as 2"), ["2 … 9"]);
        assert_eq!(keys("Moves by one sample"), ["Shift+← → ↑ ↓"]);
        assert_eq!(keys("Changes the focused panel's method"), ["K", "Shift+K"]);
        assert_eq!(keys("Moves the wipe line"), [",", "."]);
        assert_eq!(keys("Shows the next or the previous page"), ["Ctrl+PgDn PgUp"]);
        assert_eq!(keys("Moves the focus to another panel"), ["Ctrl+Tab", "Ctrl+Shift+Tab"]);
    }

    #[test]
    fn line_of_the_list_has_the_keys_of_each_of_its_commands() {
        let keys = Keymap::default();
        let of_line = |title: &str| {
            let lines = crate::app::commands::TOPICS.iter().flat_map(|topic| keys.group(topic));
            let line = lines.into_iter().find(|line| line.title == title).expect(title);
            line.keys.iter().map(|keys| keys.join(" or ")).collect::<Vec<_>>().join(" / ")
        };
        assert_eq!(of_line("Move by one sample"), "Shift+← / Shift+→ / Shift+↑ / Shift+↓");
        assert_eq!(of_line("Next / previous page"), "Ctrl+PgDn / Ctrl+PgUp");
        assert_eq!(of_line("Next / previous method"), "K / Shift+K");
        assert_eq!(of_line("Step on / back"), "→ or PgDn / ← or PgUp");
        assert_eq!(of_line("Zoom in / out"), "+ or = / −");
        assert_eq!(of_line("Zoom to 2× … 9×"), "2 … 9");
        assert_eq!(of_line("Fit"), "F or 0");
    }

    /// Of a title with a slash, the parts are commands with keys of their own, in this order.
    #[test]
    fn titles_of_lines_name_as_many_commands_as_they_have_keys_of() {
        let keys = Keymap::default();
        for line in crate::app::commands::TOPICS.iter().flat_map(|topic| keys.group(topic)) {
            let directions = line.title.starts_with("Move by");
            let parts = if directions { 4 } else { 1 + line.title.matches(" / ").count() };
            assert_eq!(line.keys.len(), parts, "{}: {:?}", line.title, line.keys);
        }
    }

    #[test]
    fn line_of_one_command_has_its_title_in_the_menus() {
        for row in COMMANDS {
            let sharing = COMMANDS.iter().filter(|other| other.line == row.line).count();
            assert!(sharing > 1 || row.line == row.title, "{}: {}", row.title, row.line);
        }
    }

    #[test]
    fn changed_key_is_taken_from_the_command_that_had_it() {
        let mut keys = Keymap::default();
        let k: Chord = "K".parse().expect("a chord");
        keys.change("fit", vec![k]).expect("a command");
        assert_eq!(keys.of(Command::Fit), [k]);
        assert!(keys.of(Command::NextMethod).is_empty());
        assert_eq!(keys.change("nonsense", Vec::new()), Err(UnknownCommand("nonsense".to_owned())));
    }

    #[test]
    fn command_is_found_by_its_id_of_version_0_1() {
        let mut keys = Keymap::default();
        let k: Chord = "Shift+M".parse().expect("a chord");
        keys.change("maximise", vec![k]).expect("a command");
        assert_eq!(keys.of(Command::Maximize), [k]);
        assert!(EARLIER_IDS.iter().all(|(_, id)| COMMANDS.iter().any(|row| row.id == *id)));
    }

    #[test]
    fn default_keys_are_written_and_parsed_back_equal() {
        for row in COMMANDS {
            for chord in row.keys {
                assert_eq!(chord.to_string().parse::<Chord>(), Ok(*chord), "{chord}");
            }
        }
        assert!("Ctrl+".parse::<Chord>().is_err() && "Alt+K".parse::<Chord>().is_err());
    }

    /// Two windows of one process, as in tests, have keymaps of their own.
    #[test]
    fn keymaps_belong_to_their_context() {
        let (one, other) = (Context::default(), Context::default());
        let mut keys = Keymap::default();
        keys.change("fit", vec!["Ctrl+J".parse().expect("a chord")]).expect("a command");
        keys.install(&one);
        assert_eq!(*Keymap::in_force(&one), keys);
        assert_eq!(*Keymap::in_force(&other), Keymap::default());
        assert_eq!(Keymap::in_force(&one).key_text(Command::Fit), "Ctrl+J");
        assert_eq!(Keymap::in_force(&one).tooltip(Command::Fit), "Shows the whole image  (Ctrl+J)");
    }
}
