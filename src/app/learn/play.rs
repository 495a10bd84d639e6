//! The lesson that runs: its step, the values of its parameters, and what was answered.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use toml::Table;

use super::shelf::LessonId;
use crate::app::files::{LessonMarks, StepPart};
use crate::app::session::SessionState;
use crate::app::session::lesson::LessonPlace;
use crate::lesson::markdown::{Block, blocks};
use crate::lesson::{Answer, Lesson, Step};

/// The texts of a step, parsed.
#[derive(Debug, Default)]
pub(super) struct StepTexts {
    pub(super) text: Vec<Block>,
    pub(super) source: Option<Vec<Block>>,
    pub(super) tasks: Vec<TaskTexts>,
    pub(super) questions: Vec<QuestionTexts>,
}

/// The texts of a task.
#[derive(Debug)]
pub(super) struct TaskTexts {
    pub(super) text: Vec<Block>,
    pub(super) hint: Option<Vec<Block>>,
    pub(super) answer: Option<Vec<Block>>,
}

/// The texts of a question.
#[derive(Debug)]
pub(super) struct QuestionTexts {
    pub(super) text: Vec<Block>,
    pub(super) answer: AnswerTexts,
}

/// The texts of a question's answer.
#[derive(Debug)]
pub(super) enum AnswerTexts {
    /// The choices.
    Choices(Vec<ChoiceTexts>),
    /// The answer, which is revealed.
    Open(Vec<Block>),
}

/// The texts of a choice.
#[derive(Debug)]
pub(super) struct ChoiceTexts {
    pub(super) text: Vec<Block>,
    pub(super) reason: Vec<Block>,
    pub(super) is_right: bool,
}

impl StepTexts {
    fn of(step: &Step) -> Self {
        // A lesson is read only if all of its texts have blocks.
        let blocks = |text: &str| blocks(text).unwrap_or_default();
        let optional = |text: &Option<String>| text.as_deref().map(blocks);
        let task = |task: &crate::lesson::Task| TaskTexts {
            text: blocks(&task.text),
            hint: optional(&task.hint),
            answer: optional(&task.answer),
        };
        let choice = |choice: &crate::lesson::Choice| ChoiceTexts {
            text: blocks(&choice.text),
            reason: blocks(&choice.reason),
            is_right: choice.is_right,
        };
        let answer = |answer: &Answer| match answer {
            Answer::Choices(choices) => AnswerTexts::Choices(choices.iter().map(choice).collect()),
            Answer::Open(answer) => AnswerTexts::Open(blocks(answer)),
        };
        let question = |question: &crate::lesson::Question| QuestionTexts {
            text: blocks(&question.text),
            answer: answer(&question.answer),
        };
        Self {
            text: blocks(&step.text),
            source: step.source_note().as_deref().map(blocks),
            tasks: step.tasks.iter().map(task).collect(),
            questions: step.questions.iter().map(question).collect(),
        }
    }
}

/// A part of a step below its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepRest {
    /// The tasks.
    Tasks,
    /// The questions.
    Questions,
    /// What else stands there: the end of the text, parameters.
    Other,
}

/// A text that appeared: the column scrolls to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum Revealed {
    /// The answer of a task, which is done now.
    Task(StepPart),
    /// The hint of a task.
    Hint(StepPart),
    /// The reason of a choice.
    Reason(StepPart, usize),
    /// The answer of an open question.
    Answer(StepPart),
}

/// A parameter that plays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Playing {
    /// Index of the parameter.
    pub(super) parameter: usize,
    /// Whether its value rises.
    pub(super) rises: bool,
}

/// The lesson that runs.
#[derive(Debug)]
pub(in crate::app) struct Play {
    /// The lesson.
    pub(in crate::app) id: LessonId,
    /// The name under which its progress is kept.
    pub(in crate::app) name: String,
    lesson: Arc<Lesson>,
    step: usize,
    /// Values of the step's parameters.
    values: Vec<f64>,
    /// The keys of the step's session at these values.
    pub(super) table: Table,
    pub(super) texts: StepTexts,
    pub(super) playing: Option<Playing>,
    /// Whether it is said where the step is from.
    pub(super) shows_source: bool,
    /// The choices that were clicked, by question.
    pub(super) clicked: BTreeMap<StepPart, BTreeSet<usize>>,
    /// The hints that are shown, by task.
    pub(super) hints: BTreeSet<StepPart>,
    /// The session that the tasks were checked for last.
    checked: Option<SessionState>,
    /// Whether the column scrolls to its top: the step was entered.
    pub(super) scrolls_up: bool,
    /// The part that the column scrolls to: it was asked for.
    pub(super) scrolls_to: Option<StepRest>,
    /// The text that appeared last.
    pub(in crate::app) revealed: Option<Revealed>,
    /// Why the step was not shown.
    pub(super) problem: Option<String>,
}

impl Play {
    /// The lesson with this id and progress name, before its first step is entered.
    pub(in crate::app) fn new(id: LessonId, name: String, lesson: Arc<Lesson>) -> Self {
        Self {
            id,
            name,
            lesson,
            step: 0,
            values: Vec::new(),
            table: Table::new(),
            texts: StepTexts::default(),
            playing: None,
            shows_source: false,
            clicked: BTreeMap::new(),
            hints: BTreeSet::new(),
            checked: None,
            scrolls_up: true,
            scrolls_to: None,
            revealed: None,
            problem: None,
        }
    }

    /// The lesson.
    pub(in crate::app) fn lesson(&self) -> &Arc<Lesson> {
        &self.lesson
    }

    /// Index of the step, from 0.
    pub(in crate::app) fn step(&self) -> usize {
        self.step
    }

    /// Values of the step's parameters, in their order.
    pub(in crate::app) fn values(&self) -> &[f64] {
        &self.values
    }

    /// The current step.
    pub(super) fn current(&self) -> &Step {
        &self.lesson.steps[self.step]
    }

    /// Whether something of `part` is left to do: a task, or a question without an answer.
    pub(super) fn is_open(&self, part: StepRest, marks: Option<&LessonMarks>) -> bool {
        let Some(marks) = marks else { return true };
        let step = self.current();
        match part {
            StepRest::Tasks => (0..step.tasks.len()).any(|task| !marks.done.contains(&(self.step, task))),
            StepRest::Questions => {
                (0..step.questions.len()).any(|question| !marks.answered.contains(&(self.step, question)))
            }
            StepRest::Other => true,
        }
    }

    /// The place of step `step` in the lesson, or of the last one if there are fewer.
    pub(in crate::app) fn place(&self, step: usize) -> LessonPlace {
        let count = self.lesson.steps.len();
        LessonPlace { step: step.min(count - 1), count }
    }

    /// Enters the step at `place`, whose session has the keys `table`.
    pub(in crate::app) fn enter(&mut self, place: LessonPlace, table: Table) {
        self.step = place.step;
        self.values = self.current().start();
        self.table = table;
        self.texts = StepTexts::of(self.current());
        self.playing = None;
        self.shows_source = false;
        self.checked = None;
        self.scrolls_up = true;
        self.scrolls_to = None;
        self.revealed = None;
        self.problem = None;
    }

    /// Takes another version of the lesson.
    pub(in crate::app) fn replace(&mut self, lesson: Arc<Lesson>) {
        self.lesson = lesson;
        self.step = self.step.min(self.lesson.steps.len() - 1);
        self.playing = None;
        self.clicked.clear();
        self.hints.clear();
    }

    /// Keeps `why` the step is not shown.
    pub(in crate::app) fn note_problem(&mut self, why: impl std::fmt::Display) {
        self.problem = Some(why.to_string());
    }

    /// The keys of the step's session at other `values` of its parameters, and those at the present values.
    ///
    /// # Errors
    /// A formula without a finite value.
    pub(in crate::app) fn tables_at(&self, values: &[f64]) -> Result<[Table; 2], String> {
        Ok([self.table.clone(), self.current().session(values)?])
    }

    /// Takes over `values` of the parameters, with the keys of the step's session at them.
    pub(in crate::app) fn take_values(&mut self, values: Vec<f64>, table: Table) {
        (self.values, self.table) = (values, table);
    }

    /// The values of the parameters `dt_s` seconds on, if one plays: it goes from one end of its range to the other and back.
    pub(in crate::app) fn played(&mut self, dt_s: f64) -> Option<Vec<f64>> {
        let Playing { parameter: index, rises } = self.playing?;
        let parameter = self.lesson.steps[self.step].parameters.get(index)?;
        let [from, to] = parameter.range;
        let by = (to - from) / parameter.seconds? * dt_s;
        let mut values = self.values.clone();
        let value = values.get_mut(index)?;
        *value += if rises { by } else { -by };
        if *value >= to || *value <= from {
            self.playing = Some(Playing { parameter: index, rises: *value <= from });
        }
        *value = value.clamp(from, to);
        Some(values)
    }

    /// The tasks that `is_done` holds for, of those that `marks` does not have yet. They are asked for once for each state of
    /// the session.
    pub(in crate::app) fn newly_done(
        &mut self,
        state: &SessionState,
        marks: Option<&LessonMarks>,
        is_done: impl FnOnce(&[(usize, &crate::lesson::Task)]) -> Vec<usize>,
    ) -> Vec<StepPart> {
        let step = &self.lesson.steps[self.step];
        let is_open = |(index, _): &(usize, &crate::lesson::Task)| {
            marks.is_none_or(|marks| !marks.done.contains(&(self.step, *index)))
        };
        let open: Vec<_> = step.tasks.iter().enumerate().filter(is_open).collect();
        if open.is_empty() || self.checked.as_ref() == Some(state) {
            return Vec::new();
        }
        self.checked = Some(state.clone());
        is_done(&open).into_iter().map(|index| (self.step, index)).collect()
    }
}
