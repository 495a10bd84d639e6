//! The lessons of the program, read once.

use std::sync::{Arc, OnceLock};

use super::{EmbeddedLesson, LESSONS, Lesson};

/// A lesson of the program.
#[derive(Clone, Debug)]
pub struct Embedded {
    /// Its name: that of its file without the ending.
    pub name: &'static str,
    /// The lesson.
    pub lesson: Arc<Lesson>,
}

/// The lessons of the program, in the order of the course. Those that cannot be read, which a test refuses, are left out.
pub fn embedded() -> &'static [Embedded] {
    static EMBEDDED: OnceLock<Vec<Embedded>> = OnceLock::new();
    EMBEDDED.get_or_init(|| {
        let read = |lesson: &EmbeddedLesson| {
            let name = lesson.name;
            Some(Embedded { name, lesson: Arc::new(lesson.lesson().ok()?) })
        };
        LESSONS.iter().filter_map(read).collect()
    })
}
