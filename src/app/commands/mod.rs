//! Commands. Menus, keys, tooltips, the palette and the list of keys come from the rows of [`COMMANDS`]. Rows are grouped by
//! topic, one file per topic.

pub(in crate::app) mod choice;
mod chord;
mod command;
mod compare;
mod edit;
mod file;
mod inspect;
mod inspect_command;
pub(in crate::app) mod keymap;
mod laboratory;
mod lesson;
mod lesson_command;
pub(in crate::app) mod menu;
mod menu_state;
pub(in crate::app) mod notice;
pub(in crate::app) mod obstacle;
mod panel;
pub(in crate::app) mod perform;
pub(in crate::app) mod pointer;
mod rows;
pub(in crate::app) mod setting;
pub(in crate::app) mod typed_choice;
mod view;
mod window;
pub(in crate::app) mod window_action;

pub use self::choice::Choice;
pub use self::chord::{Chord, ParseChordError};
pub use self::command::{Command, CommandRow, Menu, Pan, PanStep};
pub use self::inspect_command::InspectCommand;
pub use self::keymap::Keymap;
pub use self::lesson_command::LessonCommand;
pub use self::rows::COMMANDS;
pub use self::setting::Setting;

pub(in crate::app) use self::rows::{TOPICS, Topic};
