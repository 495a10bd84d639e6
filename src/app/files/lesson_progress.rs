//! What the user has seen and done in the lessons, as the settings keep it:
//!
//! ```toml
//! lesson = "bilinear"
//!
//! [lessons.bilinear]
//! step = 3
//! seen = [1, 2, 3]
//! done = ["2.1"]
//! answered = ["3.1"]
//! ```

use std::collections::{BTreeMap, BTreeSet};

use toml_edit::{Array, DocumentMut, Item, Table, value};

use super::fields::{FieldError, Fields};

/// Largest number of steps, tasks and questions that are kept.
const MOST_STEPS: usize = 1000;

/// A task or a question: the index of its step and its index there, from 0.
pub type StepPart = (usize, usize);

/// What was seen and done in one lesson.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LessonMarks {
    /// Index of the step that was shown last, from 0.
    pub step: usize,
    /// Indices of the steps that were shown.
    pub seen: BTreeSet<usize>,
    /// The tasks that were done.
    pub done: BTreeSet<StepPart>,
    /// The questions that were answered rightly, or whose answer was revealed.
    pub answered: BTreeSet<StepPart>,
}

/// What was seen and done in all lessons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LessonProgress {
    /// Name of the lesson that was left last; `None` before the first one.
    pub last: Option<String>,
    by_lesson: BTreeMap<String, LessonMarks>,
}

impl LessonProgress {
    /// The marks of the lesson `name`; `None` before it was begun.
    pub fn of(&self, name: &str) -> Option<&LessonMarks> {
        self.by_lesson.get(name)
    }

    /// The marks of the lesson `name`, to be changed.
    pub(in crate::app) fn of_mut(&mut self, name: &str) -> &mut LessonMarks {
        self.by_lesson.entry(name.to_owned()).or_default()
    }

    /// Whether nothing was seen.
    pub fn is_empty(&self) -> bool {
        self.by_lesson.is_empty()
    }

    /// Takes the keys `lesson` and `lessons` of a settings file.
    ///
    /// # Errors
    /// If a value is invalid.
    pub(super) fn take(fields: &mut Fields) -> Result<Self, FieldError> {
        let last = fields.take("lesson")?;
        let mut by_lesson = BTreeMap::new();
        if let Some(mut lessons) = fields.take_table("lessons")? {
            for name in lessons.keys() {
                if let Some(marks) = lessons.take_table(&name)? {
                    by_lesson.insert(name, read_marks(marks)?);
                }
            }
        }
        Ok(Self { last, by_lesson })
    }

    /// Writes the keys into `document`, in place of those that it has.
    pub(super) fn write(&self, document: &mut DocumentMut) {
        match &self.last {
            Some(last) => document["lesson"] = value(last.as_str()),
            None => drop(document.remove("lesson")),
        }
        let mut lessons = Table::new();
        lessons.set_implicit(true);
        for (name, LessonMarks { step, seen, done, answered }) in &self.by_lesson {
            let parts = |parts: &BTreeSet<StepPart>| {
                parts.iter().map(|(step, part)| format!("{}.{}", step + 1, part + 1)).collect::<Array>()
            };
            let number = |step: usize| i64::try_from(step + 1).unwrap_or(i64::MAX);
            let mut marks = Table::new();
            marks["step"] = value(number(*step));
            marks["seen"] = value(seen.iter().map(|step| number(*step)).collect::<Array>());
            for (key, parts) in [("done", parts(done)), ("answered", parts(answered))] {
                if !parts.is_empty() {
                    marks[key] = value(parts);
                }
            }
            lessons[name.as_str()] = Item::Table(marks);
        }
        match lessons.is_empty() {
            true => drop(document.remove("lessons")),
            false => document["lessons"] = Item::Table(lessons),
        }
    }
}

fn read_marks(mut marks: Fields) -> Result<LessonMarks, FieldError> {
    let index = |number: usize| (1..=MOST_STEPS).contains(&number).then(|| number - 1);
    let step: Option<usize> = marks.take("step")?;
    let step = step.map_or(Some(0), index).ok_or_else(|| marks.wrong("step", &"steps count from 1"))?;
    let seen: Vec<usize> = marks.take("seen")?.unwrap_or_default();
    let seen: Option<BTreeSet<usize>> = seen.into_iter().map(index).collect();
    let seen = seen.ok_or_else(|| marks.wrong("seen", &"steps count from 1"))?;
    let mut parts = |key: &str| {
        let texts: Vec<String> = marks.take(key)?.unwrap_or_default();
        let part = |text: &String| {
            let (step, part) = text.split_once('.')?;
            Some((index(step.parse().ok()?)?, index(part.parse().ok()?)?))
        };
        let parts: Option<BTreeSet<StepPart>> = texts.iter().map(part).collect();
        parts.ok_or_else(|| marks.wrong(key, &"a step and a number in it, such as 3.1"))
    };
    let (done, answered) = (parts("done")?, parts("answered")?);
    marks.finish();
    Ok(LessonMarks { step, seen, done, answered })
}
