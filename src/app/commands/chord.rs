//! Keys with modifiers: matching, display and parsing.

use std::fmt;
use std::str::FromStr;

use egui::{InputState, Key, Modifiers};

use crate::text::shortened;

/// A key with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chord {
    key: Key,
    modifiers: Modifiers,
}

pub(super) const fn key(key: Key) -> Chord {
    Chord { key, modifiers: Modifiers::NONE }
}

pub(super) const fn shift(key: Key) -> Chord {
    Chord { key, modifiers: Modifiers::SHIFT }
}

pub(super) const fn ctrl(key: Key) -> Chord {
    Chord { key, modifiers: Modifiers::COMMAND }
}

pub(super) const fn ctrl_shift(key: Key) -> Chord {
    Chord { key, modifiers: Modifiers::COMMAND.plus(Modifiers::SHIFT) }
}

impl Chord {
    /// Whether a key event is this chord. For `+` and `?`, which need Shift on some keyboards, Shift is ignored. Chords
    /// with Alt never match, since they belong to window managers.
    pub fn matches(&self, key: Key, held: Modifiers) -> bool {
        let shifted_anyway = matches!(self.key, Key::Plus | Key::Questionmark);
        key == self.key
            && !held.alt
            && held.command == self.modifiers.command
            && (shifted_anyway || held.shift == self.modifiers.shift)
    }

    /// Whether the chord is held.
    pub(in crate::app) fn is_held(&self, input: &InputState) -> bool {
        input.key_down(self.key) && self.matches(self.key, input.modifiers)
    }

    /// Whether it is an arrow key. A focused control takes arrow keys.
    pub fn is_arrow(&self) -> bool {
        matches!(self.key, Key::ArrowLeft | Key::ArrowRight | Key::ArrowUp | Key::ArrowDown)
    }

    /// Whether it calls its command by a tap: the space bar, which starts a drag if held.
    pub fn is_tapped(&self) -> bool {
        self.key == Key::Space && self.modifiers.is_none()
    }

    /// As shown in menus: `Ctrl+Shift+A`.
    pub fn text(&self) -> String {
        format!("{}{}", self.held_text(), self.key_name())
    }

    /// The modifiers as shown in menus: `Ctrl+Shift+`.
    pub fn held_text(&self) -> String {
        let command = if cfg!(target_os = "macos") { "Cmd+" } else { "Ctrl+" };
        let held = [(self.modifiers.command, command), (self.modifiers.shift, "Shift+")];
        held.iter().filter(|(held, _)| *held).map(|(_, name)| *name).collect()
    }

    /// The modifiers of a key of a direction, an arrow or a page key, as shown in menus, and the key: (`Ctrl+`, `PgDn`). `None` for
    /// other keys.
    pub(super) fn direction(&self) -> Option<(String, &'static str)> {
        let is_page = matches!(self.key, Key::PageUp | Key::PageDown);
        (self.is_arrow() || is_page).then(|| (self.held_text(), self.key_name()))
    }

    /// The key as shown in menus.
    pub fn key_name(&self) -> &'static str {
        match self.key {
            Key::ArrowLeft => "←",
            Key::ArrowRight => "→",
            Key::ArrowUp => "↑",
            Key::ArrowDown => "↓",
            Key::Questionmark => "?",
            Key::Escape => "Esc",
            Key::Backtick => "Backtick",
            Key::PageUp => "PgUp",
            Key::PageDown => "PgDn",
            key => key.symbol_or_name(),
        }
    }
}

impl fmt::Display for Chord {
    /// As written in settings files, with key names that every keyboard can type.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let held = [(self.modifiers.command, "Ctrl+"), (self.modifiers.shift, "Shift+")];
        let held: String = held.iter().filter(|(held, _)| *held).map(|(_, name)| *name).collect();
        write!(f, "{held}{}", self.key.name())
    }
}

/// A text is not a key with modifiers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{}' is no key; Ctrl+Shift+P is one", shortened(.0))]
pub struct ParseChordError(String);

impl FromStr for Chord {
    type Err = ParseChordError;

    /// Parses `Ctrl+Shift+P`, `PageUp`, `?`. Ctrl is Cmd on macOS.
    fn from_str(text: &str) -> Result<Self, ParseChordError> {
        let (mut rest, mut modifiers) = (text.trim(), Modifiers::NONE);
        let held = [("ctrl+", Modifiers::COMMAND), ("cmd+", Modifiers::COMMAND), ("shift+", Modifiers::SHIFT)];
        while let Some((name, modifier)) =
            held.iter().find(|(name, _)| rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name)))
        {
            modifiers = modifiers.plus(*modifier);
            rest = &rest[name.len()..];
        }
        let single = (rest.chars().count() == 1).then(|| rest.to_uppercase());
        let key = single.as_deref().and_then(Key::from_name).or_else(|| Key::from_name(rest));
        let key = key.ok_or_else(|| ParseChordError(text.to_owned()))?;
        Ok(Self { key, modifiers })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keyboards send `?` and `+` with or without Shift, depending on their layout.
    #[test]
    fn question_mark_and_plus_match_with_and_without_shift() {
        for typed in [Key::Plus, Key::Questionmark] {
            for (held, is_it) in [
                (Modifiers::NONE, true),
                (Modifiers::SHIFT, true),
                (Modifiers::COMMAND, false),
                (Modifiers::ALT, false),
                (Modifiers::SHIFT.plus(Modifiers::ALT), false),
            ] {
                assert_eq!(key(typed).matches(typed, held), is_it, "{typed:?} with {held:?}");
            }
            assert!(ctrl(typed).matches(typed, Modifiers::COMMAND.plus(Modifiers::SHIFT)), "{typed:?}");
        }
    }

    #[test]
    fn other_keys_match_with_exact_modifiers() {
        let command_shift = Modifiers::COMMAND.plus(Modifiers::SHIFT);
        assert!(shift(Key::K).matches(Key::K, Modifiers::SHIFT));
        assert!(!key(Key::K).matches(Key::K, Modifiers::SHIFT));
        assert!(!key(Key::K).matches(Key::K, Modifiers::ALT));
        assert!(key(Key::Plus).matches(Key::Plus, Modifiers::SHIFT));
        assert!(ctrl_shift(Key::A).matches(Key::A, command_shift));
        assert_eq!(ctrl_shift(Key::A).text(), "Ctrl+Shift+A");
    }
}
