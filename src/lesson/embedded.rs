//! The lessons of the program.

use super::{Lesson, LessonError};

/// A lesson file inside the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmbeddedLesson {
    /// The name of its file without the ending: `01-interpolation`.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! lessons {
    ($($name:literal),+ $(,)?) => {
        /// The lessons, in their order.
        pub static LESSONS: &[EmbeddedLesson] = &[$(
            EmbeddedLesson { name: $name, text: include_str!(concat!("../../assets/lessons/", $name, ".toml")) }
        ),+];
    };
}

lessons!(
    "01-interpolation",
    "02-nearest-and-linear",
    "03-texture-coordinates",
    "04-bilinear",
    "05-address-modes",
    "06-bspline",
    "07-catmull-rom",
    "08-prefilter",
    "09-nine-bits",
    "10-zooming-out",
    "11-sharpness",
    "12-rotation",
    "13-filters",
    "14-warping",
    "15-cache-locality",
    "16-coordinates",
    "17-questions",
    "18-errata",
);

impl EmbeddedLesson {
    /// The lesson called `name`: its whole name, the part behind its number, or the number.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        let is_called = |lesson: &&Self| {
            let (number, rest) = lesson.name.split_once('-').unwrap_or(("", lesson.name));
            let is_number = !number.is_empty() && number.trim_start_matches('0') == name.trim_start_matches('0');
            lesson.name == name || rest == name || is_number
        };
        LESSONS.iter().find(is_called)
    }

    /// The name that errors give: that of the file in the sources.
    pub fn file(&self) -> String {
        format!("{}.toml", self.name)
    }

    /// Reads the lesson.
    ///
    /// # Errors
    /// [`LessonError`]; none, since a test reads all of them.
    pub fn lesson(&self) -> Result<Lesson, LessonError> {
        Lesson::parse(self.text, &self.file())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lesson_is_found_by_its_name_its_title_part_and_its_number() {
        for name in ["01-interpolation", "interpolation", "1", "01"] {
            assert_eq!(EmbeddedLesson::by_name(name).map(|lesson| lesson.name), Some("01-interpolation"), "{name}");
        }
        for name in ["", "0", "interpol", "-interpolation", "99"] {
            assert_eq!(EmbeddedLesson::by_name(name), None, "{name}");
        }
    }

    #[test]
    fn lessons_stand_in_the_order_of_their_numbers_and_each_file_is_among_them() {
        assert!(LESSONS.is_sorted_by(|a, b| a.name < b.name));
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/lessons");
        let files = std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path());
        let mut stems: Vec<String> = files
            .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
            .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
            .collect();
        stems.sort();
        assert_eq!(LESSONS.iter().map(|lesson| lesson.name).collect::<Vec<_>>(), stems);
    }
}
