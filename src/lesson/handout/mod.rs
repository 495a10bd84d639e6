//! Handouts: a lesson as one HTML page that needs no other file, for printing and for reading without the program.
//!
//! Formulas are MathML, pictures are rendered as `lerpscope render` does and embedded as PNG, curves are SVG. Answers are
//! folded.

mod cells;
mod charts;
mod figures;
mod html;
mod marks;
mod overlays;
mod plane;
mod profile;
mod taps;
mod tools;
mod turned;

use std::fmt::Write as _;
use std::path::PathBuf;

use thiserror::Error;
use toml::Table;

use self::figures::Figures;
use self::html::{Html, escaped};
use self::marks::Marks;
use self::overlays::Overlays;
use super::model::{Answer, Lesson, Question, Step, Task};
use super::pictures::{Pictures, ScenePanel};

/// Style of the page, on screen and on paper.
const STYLE: &str = include_str!("handout.css");

/// A handout cannot be made. The message is one line.
#[derive(Clone, PartialEq, Eq, Error)]
#[error("step {step}: {cause}")]
pub struct HandoutError {
    step: usize,
    cause: String,
}

/// A lesson for a handout.
#[derive(Clone, Copy, Debug)]
pub struct Titled<'a> {
    /// Name of the lesson's file, without folder and ending.
    pub name: &'a str,
    /// The lesson.
    pub lesson: &'a Lesson,
}

/// What a page showed last, and in which step.
struct Shown<T> {
    step: usize,
    what: T,
}

impl<T: PartialEq> Shown<T> {
    /// The step that shows `what` already. Otherwise `what` is shown in step `number` from now on.
    fn again(last: &mut Option<Self>, number: usize, what: T) -> Option<usize> {
        match last {
            Some(last) if last.what == what => Some(last.step),
            _ => {
                *last = Some(Self { step: number, what });
                None
            }
        }
    }
}

/// What the pictures of a step are made of.
#[derive(Clone, PartialEq)]
struct Pictured {
    panels: Vec<ScenePanel>,
    /// The turns of repeated rotation, whose pictures take the place of the panels' own.
    turned: Option<[u32; 2]>,
    overlays: Overlays,
    marks: Marks,
}

impl Pictured {
    fn html(&self, figures: &mut Figures<'_>) -> Result<String, String> {
        match self.turned {
            Some(turns) => turned::html(turns, &self.panels, figures.pictures),
            None => figures.html(&self.panels, &self.overlays, &self.marks),
        }
    }
}

impl Titled<'_> {
    /// The page of the lesson, with images from `pictures`.
    ///
    /// # Errors
    /// A step whose session has no picture: an image that cannot be opened, a key that is wrong.
    pub fn handout(self, pictures: &mut Pictures) -> Result<String, HandoutError> {
        let Self { name, lesson } = self;
        let mut body = String::new();
        let _ = write!(
            body,
            "<header>\n<p class=\"above\">Lerpscope · {}</p>\n<h1>{}</h1>\n<p class=\"summary\">{}</p>\n</header>\n",
            escaped(&self.kicker()),
            escaped(&lesson.title),
            escaped(&lesson.summary)
        );
        let mut pictured: Option<Shown<Pictured>> = None;
        let mut drawn: Option<Shown<String>> = None;
        for (number, step) in (1..).zip(&lesson.steps) {
            let wrong = |cause: String| HandoutError { step: number, cause };
            let session = step.session(&step.start()).map_err(wrong)?;
            let mut figures = Figures { name, step: number, pictures: &mut *pictures };
            let panels = figures.panels(&session).map_err(wrong)?;
            let (turned, overlays) = (turned::turns(&session), Overlays::of(&session));
            let now = Pictured { panels, turned, overlays, marks: Marks::of(&session) };
            let same_picture = Shown::again(&mut pictured, number, now.clone());
            let picture = match same_picture {
                Some(_) => String::new(),
                None => now.html(&mut figures).map_err(wrong)?,
            };
            let mut chart = charts::html(&session, &now.panels, figures.pictures).map_err(wrong)?;
            let has_chart = !chart.is_empty();
            let same_chart = if has_chart { Shown::again(&mut drawn, number, chart.clone()) } else { None };
            if same_chart.is_some() {
                chart.clear();
            }
            push_step(&mut body, (number, step), &(same(same_picture, same_chart) + &picture + &chart));
        }
        let _ = write!(body, "<footer>\n{}", sources(&lesson.documents));
        let _ = writeln!(
            body,
            "<p>Every number of this page was computed by the program: <code>lerpscope lesson check {}</code>. \
             The lesson itself, with its pictures alive: <code>lerpscope</code>, then the key F2.</p>\n</footer>",
            escaped(name)
        );
        Ok(page(&lesson.title, &body))
    }

    /// `Lesson 2`, for a name with a number.
    fn kicker(self) -> String {
        let number = self.name.split('-').next().and_then(|number| number.parse::<u32>().ok());
        number.map_or_else(|| "Lesson".to_owned(), |number| format!("Lesson {number}"))
    }

    /// Name of the page's file.
    pub fn file(self) -> PathBuf {
        PathBuf::from(format!("{}.html", self.name))
    }
}

/// The page that lists the handouts of `lessons`, which lie beside it.
pub fn index(lessons: &[Titled<'_>]) -> String {
    let mut body =
        String::from("<header>\n<p class=\"above\">Lerpscope</p>\n<h1>Lessons</h1>\n</header>\n<ol class=\"index\">\n");
    for titled in lessons {
        let _ = writeln!(
            body,
            "<li><a href=\"{}\">{}</a><br>{}</li>",
            escaped(&titled.file().display().to_string()),
            escaped(&titled.lesson.title),
            escaped(&titled.lesson.summary)
        );
    }
    body.push_str("</ol>\n");
    page("Lessons", &body)
}

/// The note that sends the reader to the steps that show the same.
fn same(picture: Option<usize>, chart: Option<usize>) -> String {
    let note = match (picture, chart) {
        (None, None) => return String::new(),
        (Some(picture), Some(chart)) if picture == chart => format!("Picture and chart are those of step {picture}."),
        (Some(picture), Some(chart)) => {
            format!("The picture is that of step {picture}, the chart that of step {chart}.")
        }
        (Some(picture), None) => format!("The picture is that of step {picture}."),
        (None, Some(chart)) => format!("The chart is that of step {chart}."),
    };
    format!("<p class=\"same\">{note}</p>\n")
}

fn page(title: &str, body: &str) -> String {
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )
}

fn sources(documents: &[String]) -> String {
    if documents.is_empty() {
        return String::new();
    }
    let list: Vec<_> = documents.iter().map(|document| escaped(document)).collect();
    format!("<p>Sections of the source documents: {}.</p>\n", list.join("; "))
}

fn push_step(body: &mut String, (number, step): (usize, &Step), figures: &str) {
    let title = escaped(&step.title);
    let _ = write!(body, "<section>\n<h2><span class=\"number\">{number}</span> {title}</h2>\n");
    body.push_str(&Html::of(&step.text));
    if let Some(source) = step.source_note() {
        let _ = writeln!(body, "<div class=\"source\">{}</div>", Html::of(&source));
    }
    body.push_str(figures);
    for task in &step.tasks {
        push_task(body, task);
    }
    for question in &step.questions {
        push_question(body, question);
    }
    body.push_str("</section>\n");
}

fn push_task(body: &mut String, task: &Task) {
    let _ = write!(body, "<div class=\"task\">\n<h3>Exercise</h3>\n{}", Html::of(&task.text));
    for (name, text) in [("Hint", &task.hint), ("Solution", &task.answer)] {
        if let Some(text) = text {
            let _ = write!(body, "<details>\n<summary>{name}</summary>\n{}</details>\n", Html::of(text));
        }
    }
    body.push_str("</div>\n");
}

fn push_question(body: &mut String, question: &Question) {
    let _ = write!(body, "<div class=\"question\">\n<h3>Question</h3>\n{}", Html::of(&question.text));
    let answer = match &question.answer {
        Answer::Open(answer) => Html::of(answer),
        Answer::Choices(choices) => {
            body.push_str("<ol class=\"choices\">\n");
            let mut answer = String::from("<ol class=\"choices\">\n");
            for choice in choices {
                let _ = writeln!(body, "<li>{}</li>", Html::of(&choice.text));
                let (class, verdict) = if choice.is_right { ("right", "Right.") } else { ("wrong", "No.") };
                let reason = Html::of(&choice.reason);
                let _ = writeln!(answer, "<li class=\"{class}\"><strong>{verdict}</strong> {reason}</li>");
            }
            body.push_str("</ol>\n");
            answer + "</ol>\n"
        }
    };
    let _ = write!(body, "<details>\n<summary>Answer</summary>\n{answer}</details>\n</div>\n");
}

/// The table at `key`.
fn table<'a>(session: &'a Table, key: &str) -> Option<&'a Table> {
    session.get(key)?.as_table()
}

/// The text at `key`.
fn text<'a>(session: &'a Table, key: &str) -> Option<&'a str> {
    session.get(key)?.as_str()
}
