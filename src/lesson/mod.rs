//! Lessons: steps of text, each with a state of the window. `docs/lessons.md` describes the files.
//!
//! A [`Lesson`] is read from TOML ([`Lesson::parse`]). [`Step::session`] is the state of the window at a step, as a session
//! file; [`Task::is_done`] compares a session with a task; [`check`](mod@check) computes every number of the texts.

pub mod check;
mod condition;
mod embedded;
mod error;
mod figures;
#[cfg(feature = "window")]
pub mod formula;
pub mod handout;
mod library;
pub mod markdown;
pub mod mathml;
mod model;
mod number;
mod pictures;
mod read;
pub mod scene;
pub mod value;

pub use check::{Checked, SessionReader, check};
pub use condition::session_defaults;
pub use embedded::{EmbeddedLesson, LESSONS};
pub use error::LessonError;
pub use library::{Embedded, embedded};
pub use model::{Answer, Choice, Lesson, Parameter, Question, Step, Task};
pub use number::Number;
pub use pictures::{Pictures, ScenePanel};
pub use read::LESSON_FORMAT;
