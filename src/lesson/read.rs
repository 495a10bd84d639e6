//! From the text of a lesson file to a [`Lesson`]. Unknown keys are refused by name.

use serde::Deserialize;
use toml::{Spanned, Table};

use super::error::Fault;
use super::model::{Answer, Choice, Lesson, Parameter, Question, Step, Task};
use super::number::Number;
use super::scene::{self, Formulas};
use super::value::RawClaim;
use super::{LessonError, condition, markdown};
use crate::text::foreign_message;

/// The version of the format that this program reads.
pub const LESSON_FORMAT: u32 = 1;
/// Time in which a view eases, in seconds, where the step has none.
const USUAL_SECONDS: f64 = 0.6;
/// Greatest time of a step or of a parameter, in seconds.
const MOST_SECONDS: f64 = 600.0;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawLesson {
    #[serde(rename = "format")]
    _format: Option<u32>,
    title: Spanned<String>,
    summary: Spanned<String>,
    #[serde(default)]
    documents: Vec<String>,
    #[serde(rename = "step", default)]
    steps: Vec<Spanned<RawStep>>,
}

/// The version alone, read before the keys: a newer format may have others.
#[derive(Deserialize)]
struct RawFormat {
    format: Option<Spanned<u32>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawStep {
    title: Spanned<String>,
    text: Spanned<String>,
    source: Option<String>,
    seconds: Option<Spanned<Number>>,
    #[serde(default)]
    session: Table,
    #[serde(rename = "parameter", default)]
    parameters: Vec<Spanned<RawParameter>>,
    #[serde(rename = "task", default)]
    tasks: Vec<Spanned<RawTask>>,
    #[serde(rename = "question", default)]
    questions: Vec<Spanned<RawQuestion>>,
    #[serde(rename = "value", default)]
    values: Vec<Spanned<RawClaim>>,
    #[serde(default)]
    plain: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawParameter {
    name: String,
    label: String,
    range: [Number; 2],
    start: Number,
    step: Option<Number>,
    seconds: Option<Number>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawTask {
    text: String,
    hint: Option<String>,
    done: Table,
    solution: Table,
    answer: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawQuestion {
    text: String,
    #[serde(rename = "choice", default)]
    choices: Vec<RawChoice>,
    answer: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawChoice {
    text: String,
    #[serde(default)]
    right: bool,
    reason: String,
}

impl Lesson {
    /// Reads `text`, the contents of `file`, which errors name.
    ///
    /// # Errors
    /// [`LessonError`]: the text is not TOML, a key is unknown or missing, a value is wrong, the format is newer.
    pub fn parse(text: &str, file: &str) -> Result<Self, LessonError> {
        Lines(text).lesson().map_err(|fault| fault.in_file(file))
    }
}

/// The text, for the lines of its bytes.
struct Lines<'a>(&'a str);

impl Lines<'_> {
    /// Line of the byte `at`, from 1.
    fn line(&self, at: usize) -> usize {
        self.0.as_bytes()[..at.min(self.0.len())].iter().filter(|byte| **byte == b'\n').count() + 1
    }

    fn line_of<T>(&self, spanned: &Spanned<T>) -> usize {
        self.line(spanned.span().start)
    }

    /// An error of the TOML reader, with the key of its line.
    fn toml(&self, error: &toml::de::Error) -> Fault {
        let line = error.span().map_or(1, |span| self.line(span.start));
        let key = self.0.lines().nth(line - 1).and_then(|text| text.split_once('=')).map_or("", |(key, _)| key.trim());
        let is_key = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
        Fault::new(line, if is_key { key } else { "" }, foreign_message(error.message()))
    }

    fn lesson(&self) -> Result<Lesson, Fault> {
        let format: RawFormat = toml::from_str(self.0).map_err(|error| self.toml(&error))?;
        if let Some(format) = format.format
            && *format.get_ref() != LESSON_FORMAT
        {
            let cause = format!("this program reads format {LESSON_FORMAT}, not {}", format.get_ref());
            return Err(Fault::new(self.line_of(&format), "format", cause));
        }
        let raw: RawLesson = toml::from_str(self.0).map_err(|error| self.toml(&error))?;
        let title = self.one_line(&raw.title, "title")?;
        let summary = self.one_line(&raw.summary, "summary")?;
        if raw.steps.is_empty() {
            return Err(Fault::new(1, "step", "there is none"));
        }
        let mut steps: Vec<Step> = Vec::with_capacity(raw.steps.len());
        for (number, step) in (1..).zip(raw.steps) {
            let base = match steps.last() {
                Some(last) => last.session(&last.start()).map_err(|cause| Fault::new(last.line, "session", cause))?,
                None => scene::first(),
            };
            let place = format!("step {number}");
            let step = self.step(step, base).map_err(|fault| {
                let inner = fault.place;
                Fault { place: if inner.is_empty() { place } else { format!("{place}: {inner}") }, ..fault }
            })?;
            steps.push(step);
        }
        Ok(Lesson { title, summary, documents: raw.documents, steps })
    }

    fn one_line(&self, text: &Spanned<String>, place: &str) -> Result<String, Fault> {
        let inner = text.get_ref().trim();
        if inner.is_empty() || inner.contains('\n') {
            return Err(Fault::new(self.line_of(text), place, "is one line of text"));
        }
        Ok(inner.to_owned())
    }

    fn step(&self, step: Spanned<RawStep>, base: Table) -> Result<Step, Fault> {
        let line = self.line_of(&step);
        let raw = step.into_inner();
        let title = self.one_line(&raw.title, "title")?;
        let text_line = self.line_of(&raw.text);
        let seconds = match &raw.seconds {
            None => USUAL_SECONDS,
            Some(seconds) => {
                seconds_of(*seconds.get_ref()).map_err(|cause| Fault::new(self.line_of(seconds), "seconds", cause))?
            }
        };
        let mut parameters: Vec<Parameter> = Vec::new();
        for (number, parameter) in (1..).zip(raw.parameters) {
            let at = self.line_of(&parameter);
            let wrong = |cause: String| Fault::new(at, format!("parameter {number}"), cause);
            let parameter = parameter.into_inner().checked().map_err(wrong)?;
            if parameters.iter().any(|other| other.name == parameter.name) {
                return Err(wrong(format!("name: there is another '{}'", parameter.name)));
            }
            parameters.push(parameter);
        }
        let scene = scene::merged(base, &raw.session).map_err(|cause| Fault::new(line, "session", cause))?;
        let formulas = Formulas::of(&parameters, &parameters.iter().map(|p| p.start).collect::<Vec<_>>());
        let start = formulas.resolved(&scene).map_err(|cause| Fault::new(line, "session", cause))?;
        let mut tasks = Vec::new();
        for (number, task) in (1..).zip(raw.tasks) {
            let line = self.line_of(&task);
            let RawTask { text, hint, done, solution, answer } = task.into_inner();
            let wrong =
                |key: &str, cause: &dyn std::fmt::Display| Fault::new(line, format!("task {number}: {key}"), cause);
            condition::check(&done).map_err(|cause| wrong("done", &cause))?;
            scene::merged(start.clone(), &solution).map_err(|cause| wrong("solution", &cause))?;
            tasks.push(Task { line, text, hint, done, solution, answer });
        }
        let mut questions = Vec::new();
        for (number, question) in (1..).zip(raw.questions) {
            let line = self.line_of(&question);
            let question = question.into_inner().checked(line);
            questions.push(question.map_err(|cause| Fault::new(line, format!("question {number}"), cause))?);
        }
        let mut claims = Vec::new();
        for (number, value) in (1..).zip(raw.values) {
            let line = self.line_of(&value);
            let claim = value.into_inner().checked(line);
            claims.push(claim.map_err(|cause| Fault::new(line, format!("value {number}"), cause))?);
        }
        let text = raw.text.into_inner();
        let step = Step {
            line,
            title,
            text,
            source: raw.source,
            seconds,
            patch: raw.session,
            scene,
            parameters,
            tasks,
            questions,
            claims,
            plain: raw.plain,
        };
        for (place, text) in step.texts() {
            let at = if place == "text" { text_line } else { line };
            markdown::blocks(text).map_err(|cause| Fault::new(at, place, cause))?;
        }
        Ok(step)
    }
}

fn seconds_of(Number(seconds): Number) -> Result<f64, String> {
    if (0.0..=MOST_SECONDS).contains(&seconds) {
        Ok(seconds)
    } else {
        Err(format!("is a time from 0 to {MOST_SECONDS} seconds"))
    }
}

impl RawParameter {
    fn checked(self) -> Result<Parameter, String> {
        let Self { name, label, range: [Number(from), Number(to)], start: Number(start), step, seconds } = self;
        let is_name = name.chars().all(char::is_alphabetic) && !name.is_empty();
        if !is_name {
            return Err(format!("name: '{}' is not made of letters", crate::text::shortened(&name)));
        }
        if from >= to {
            return Err("range: the first number is the smaller one".to_owned());
        }
        if !(from..=to).contains(&start) {
            return Err("start: lies outside the range".to_owned());
        }
        let Number(step) = step.unwrap_or_default();
        if !(0.0..=to - from).contains(&step) {
            return Err("step: is a distance within the range".to_owned());
        }
        let seconds = seconds.map(seconds_of).transpose().map_err(|cause| format!("seconds: {cause}"))?;
        if seconds == Some(0.0) {
            return Err("seconds: is above 0".to_owned());
        }
        Ok(Parameter { name, label, range: [from, to], start, step, seconds })
    }
}

impl RawQuestion {
    fn checked(self, line: usize) -> Result<Question, String> {
        let Self { text, choices, answer } = self;
        let answer = match answer {
            Some(_) if !choices.is_empty() => return Err("answer: the question has choices".to_owned()),
            Some(answer) => Answer::Open(answer),
            None if choices.len() < 2 => return Err("choice: there are at least two, or an answer".to_owned()),
            None if choices.iter().all(|choice| !choice.right) => return Err("choice: none is right".to_owned()),
            None => Answer::Choices(
                choices
                    .into_iter()
                    .map(|RawChoice { text, right, reason }| Choice { text, is_right: right, reason })
                    .collect(),
            ),
        };
        Ok(Question { line, text, answer })
    }
}
