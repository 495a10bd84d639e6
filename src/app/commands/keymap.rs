//! The keys in force: the rows' own, as far as a settings file does not change them.
//!
//! Menus, tooltips, the overlay and what reads the keyboard all ask here. The keys belong to the thread that draws the
//! window, so that a tooltip need not be handed them through every control.

use std::cell::RefCell;

use egui::{Event, InputState, Key, Modifiers};

use super::{COMMANDS, Chord, Command, CommandRow};
use crate::app::dialogs::keys::HANDS;
use crate::text::shortened;

/// What stands between keys; a comma that is a key is not to be read as one between two.
const BETWEEN: &str = ", ";
const BESIDE_COMMA: &str = " and ";

thread_local! {
    static IN_FORCE: RefCell<Keymap> = RefCell::default();
}

/// Which keys call which command, in the order of [`COMMANDS`].
#[derive(Clone, Debug, PartialEq)]
pub struct Keymap(Vec<Vec<Chord>>);

impl Default for Keymap {
    fn default() -> Self {
        Self(COMMANDS.iter().map(|row| row.keys.to_vec()).collect())
    }
}

impl Keymap {
    /// Lets `chords` alone call the command whose row has this `id`; a command that had one of them loses it.
    ///
    /// # Errors
    /// Where there is no such command.
    pub fn change(&mut self, id: &str, chords: Vec<Chord>) -> Result<(), String> {
        let place = COMMANDS
            .iter()
            .position(|row| row.id == id)
            .ok_or_else(|| format!("there is no command '{}'", shortened(id)))?;
        self.0.iter_mut().for_each(|others| others.retain(|chord| !chords.contains(chord)));
        self.0[place] = chords;
        Ok(())
    }

    /// The keys of `command`.
    pub fn of(&self, command: Command) -> &[Chord] {
        COMMANDS.iter().position(|row| row.command == command).map_or(&[], |place| &self.0[place])
    }

    /// Makes these the keys in force on this thread.
    pub(in crate::app) fn install(&self) {
        IN_FORCE.with_borrow_mut(|keys| keys.clone_from(self));
    }

    fn called_by(&self, is_called: impl Fn(&Chord) -> bool) -> Option<Command> {
        let place = self.0.iter().position(|chords| chords.iter().any(&is_called))?;
        Some(COMMANDS[place].command)
    }

    /// Each row that has keys, with them.
    fn rows(&self) -> Vec<(&'static CommandRow, &[Chord])> {
        COMMANDS.iter().zip(&self.0).filter(|(_, keys)| !keys.is_empty()).map(|(row, keys)| (row, &keys[..])).collect()
    }

    /// The keys and what they do, as people read it: rows in a row with the same help are one line.
    pub fn lines(&self) -> Vec<(String, &'static str)> {
        let join = |rows: &[(&'static CommandRow, &[Chord])]| {
            let chords: Vec<&Chord> = rows.iter().flat_map(|(_, keys)| keys.iter()).collect();
            (keys_text(&chords), rows[0].0.help)
        };
        self.rows().chunk_by(|a, b| a.0.help == b.0.help).map(join).collect()
    }
}

/// Asks the keys in force.
pub(in crate::app) fn in_force<R>(ask: impl FnOnce(&Keymap) -> R) -> R {
    IN_FORCE.with_borrow(|keys| ask(keys))
}

/// What keys and hands do, as a table for README.
pub fn bindings_table() -> String {
    let keys = Keymap::default().lines();
    let row = |what: &str, by: &str| format!("| {what} | {by} |\n");
    let code = |keys: &str| {
        let between = if keys.contains(BESIDE_COMMA) { BESIDE_COMMA } else { BETWEEN };
        keys.split(between).map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ")
    };
    let keys: String = keys.iter().map(|(keys, help)| row(help, &code(keys))).collect();
    let hands: String = HANDS.iter().map(|(by, what)| row(what, by)).collect();
    format!("| what it does | keys |\n|---|---|\n{keys}\n| what it does | mouse, trackpad, touch |\n|---|---|\n{hands}")
}

/// The commands that this frame's keys call. Keys belong to a text while one is edited; arrows belong to the keyboard's
/// focus while a control other than a picture has it.
pub(in crate::app) fn pressed(ctx: &egui::Context, control_has_focus: bool) -> Vec<Command> {
    if ctx.text_edit_focused() {
        return Vec::new();
    }
    ctx.input(|input| {
        let calls = |event: &Event| {
            let (key, modifiers) = chord_of(event)?;
            let is_held = matches!(event, Event::Key { repeat: true, .. });
            let is_taken = |chord: &Chord| control_has_focus && (chord.is_arrow() || key == Key::Space);
            let calls = |chord: &Chord| chord.matches(key, modifiers) && !is_taken(chord) && !chord.is_tapped();
            in_force(|keys| keys.called_by(calls)).filter(|command| !is_held || command.repeats())
        };
        input.events.iter().filter_map(calls).collect()
    })
}

/// The command that a tap of the space bar calls, if one does.
pub(in crate::app) fn tapped() -> Option<Command> {
    in_force(|keys| keys.called_by(Chord::is_tapped))
}

/// Whether a key of `command` is held down, with what belongs to it and nothing else.
pub(in crate::app) fn is_held(input: &InputState, command: Command) -> bool {
    in_force(|keys| keys.of(command).iter().any(|chord| chord.is_held(input)))
}

/// The key of an event. The window library turns the clipboard's keys into events of their own.
fn chord_of(event: &Event) -> Option<(Key, Modifiers)> {
    match *event {
        Event::Key { key, pressed: true, modifiers, .. } => Some((key, modifiers)),
        Event::Copy => Some((Key::C, Modifiers::COMMAND)),
        Event::Cut => Some((Key::X, Modifiers::COMMAND)),
        Event::Paste(_) | Event::PasteImage(_) => Some((Key::V, Modifiers::COMMAND)),
        _ => None,
    }
}

fn keys_text(chords: &[&Chord]) -> String {
    let [first, .., last] = chords else {
        return chords.first().map(|chord| chord.text()).unwrap_or_default();
    };
    if chords.len() > 4 {
        return format!("{} … {}", first.text(), last.text());
    }
    if chords.iter().all(|chord| chord.is_arrow() && chord.held_text() == first.held_text()) {
        let names: Vec<_> = chords.iter().map(|chord| chord.key_name()).collect();
        return format!("{}{}", first.held_text(), names.join(" "));
    }
    let texts: Vec<_> = chords.iter().map(|chord| chord.text()).collect();
    texts.join(if texts.iter().any(|text| text.ends_with(',')) { BESIDE_COMMA } else { BETWEEN })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_join_what_belongs_together() {
        let lines = Keymap::default().lines();
        let keys = |help: &str| lines.iter().find(|(_, text)| text.starts_with(help)).map(|(keys, _)| keys.as_str());
        assert_eq!(keys("Shows a sample as 2"), Some("2 … 9"));
        assert_eq!(keys("Moves by one sample"), Some("Shift+← → ↑ ↓"));
        assert_eq!(keys("Changes the focused panel's method"), Some("K, Shift+K"));
        assert_eq!(keys("Moves the wipe line"), Some(", and ."));
    }

    #[test]
    fn a_changed_key_leaves_the_command_that_had_it() {
        let mut keys = Keymap::default();
        let k: Chord = "K".parse().expect("a chord");
        keys.change("fit", vec![k]).expect("a command");
        assert_eq!(keys.of(Command::Fit), [k]);
        assert!(keys.of(Command::NextMethod).is_empty());
        assert!(keys.change("nonsense", Vec::new()).is_err());
    }

    #[test]
    fn every_default_key_reads_back() {
        for row in COMMANDS {
            for chord in row.keys {
                assert_eq!(chord.to_string().parse::<Chord>(), Ok(*chord), "{chord}");
            }
        }
        assert!("Ctrl+".parse::<Chord>().is_err() && "Alt+K".parse::<Chord>().is_err());
    }
}
