//! A lesson as values.

use toml::Table;

use super::value::Claim;

/// A lesson: steps of text, each with a state of the window.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// Its name, and a sentence for lists.
    pub title: String,
    /// One sentence: what it teaches.
    pub summary: String,
    /// The sections of the source documents that it teaches.
    pub documents: Vec<String>,
    /// The steps, at least one.
    pub steps: Vec<Step>,
}

/// A step of a lesson: one idea.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Its line in the file, from 1.
    pub line: usize,
    /// One line.
    pub title: String,
    /// The text, in Markdown: [`blocks`](super::markdown::blocks).
    pub text: String,
    /// Where the step is from, in Markdown: a note in small under the text.
    pub source: Option<String>,
    /// Time in which the view eases from the step before, in seconds; 0 jumps.
    pub seconds: f64,
    /// The change of the window, in keys of a session file.
    pub patch: Table,
    /// The whole state of the window: the patches of all steps up to this one, merged. Formulas of [`Step::parameters`] stand
    /// in it as texts; [`Step::session`] gives them values.
    pub scene: Table,
    /// Sliders.
    pub parameters: Vec<Parameter>,
    /// What the student does.
    pub tasks: Vec<Task>,
    /// What the student answers.
    pub questions: Vec<Question>,
    /// Numbers of the texts, with their computation.
    pub claims: Vec<Claim>,
    /// Passages of the texts whose figures need no proof.
    pub plain: Vec<String>,
}

/// A number that the student changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name in formulas of the session.
    pub name: String,
    /// The text before the number: `α`.
    pub label: String,
    /// Least and greatest value.
    pub range: [f64; 2],
    /// The value at first, in the range.
    pub start: f64,
    /// Distance of two values; 0 for any value.
    pub step: f64,
    /// Time from the least value to the greatest when it plays, in seconds; `None` if it does not play.
    pub seconds: Option<f64>,
}

/// Something to do, which the program recognizes.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Its line in the file, from 1.
    pub line: usize,
    /// What to do, in Markdown.
    pub text: String,
    /// Help, in Markdown.
    pub hint: Option<String>,
    /// The condition, in keys of a session file: [`Task::is_done`].
    pub done: Table,
    /// A change of the session, in keys of a session file, which does the task.
    pub solution: Table,
    /// The solution in words, in Markdown.
    pub answer: Option<String>,
}

/// Something to answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Its line in the file, from 1.
    pub line: usize,
    /// The question, in Markdown.
    pub text: String,
    /// How it is answered.
    pub answer: Answer,
}

/// How a question is answered.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// By a choice; at least two, of which at least one is right.
    Choices(Vec<Choice>),
    /// In the student's mind; this text, in Markdown, is revealed.
    Open(String),
}

/// A choice of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The choice, in Markdown.
    pub text: String,
    /// Whether it is a right answer.
    pub is_right: bool,
    /// Why it is right or wrong, in Markdown.
    pub reason: String,
}

impl Step {
    /// All texts that a student reads, with the place of each in the step: `text`, `task 1: hint`.
    pub fn texts(&self) -> Vec<(String, &str)> {
        let mut texts = vec![("text".to_owned(), self.text.as_str())];
        texts.extend(self.source.iter().map(|source| ("source".to_owned(), source.as_str())));
        for (number, task) in (1..).zip(&self.tasks) {
            let parts = [("text", Some(&task.text)), ("hint", task.hint.as_ref()), ("answer", task.answer.as_ref())];
            texts.extend(
                parts.into_iter().filter_map(|(key, text)| Some((format!("task {number}: {key}"), text?.as_str()))),
            );
        }
        for (number, question) in (1..).zip(&self.questions) {
            texts.push((format!("question {number}: text"), &question.text));
            match &question.answer {
                Answer::Open(answer) => texts.push((format!("question {number}: answer"), answer)),
                Answer::Choices(choices) => {
                    for (choice, Choice { text, reason, .. }) in (1..).zip(choices) {
                        texts.push((format!("question {number}: choice {choice}: text"), text));
                        texts.push((format!("question {number}: choice {choice}: reason"), reason));
                    }
                }
            }
        }
        texts
    }

    /// The texts whose figures are proved: all but the source, which cites.
    pub(super) fn texts_with_figures(&self) -> Vec<(String, &str)> {
        let mut texts = self.texts();
        texts.retain(|(place, _)| place != "source");
        texts
    }

    /// The note on where the step is from, in Markdown.
    pub fn source_note(&self) -> Option<String> {
        self.source.as_ref().map(|source| format!("Source: {source}"))
    }

    /// The start values of the parameters, in their order.
    pub fn start(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.start).collect()
    }
}
