//! The check of a lesson: every number of the texts is computed, every session applies, every task can be done.

use toml::Table;

use super::error::Fault;
use super::figures::Figures;
use super::markdown::{Block, Inline, blocks};
use super::mathml;
use super::model::{Lesson, Step, Task};
use super::pictures::Pictures;
use super::scene;
use super::value::{Proof, Said};
use super::{LessonError, scene::PageSizes};
use crate::image::Size;
use crate::text::shortened;

/// Reads the table of a session file as the window does, and returns it with all keys that the session then has.
///
/// # Errors
/// The first key that is wrong or unknown.
pub type SessionReader<'a> = dyn Fn(&Table) -> Result<Table, String> + 'a;

/// Size of the pictures in which sessions and tasks are tried.
const TRIED_SIDE: u32 = 480;

/// Width of a formula on a line of its own, in em, above which the window's column shows it smaller than 80 %.
#[cfg(feature = "window")]
const WIDEST: f32 = 26.0;

/// What a check found.
#[derive(Debug, Default)]
pub struct Checked {
    /// What is wrong, in the order of the file.
    pub errors: Vec<LessonError>,
    /// What could be better.
    pub warnings: Vec<LessonError>,
    /// Numbers that were computed.
    pub numbers: usize,
    /// Tasks that were done by their solutions.
    pub tasks: usize,
}

/// Checks `lesson`, whose errors name `file`, with images from `pictures`. Without a `reader` sessions are checked as far as
/// renders need them, and tasks are not tried.
pub fn check(lesson: &Lesson, file: &str, pictures: &mut Pictures, reader: Option<&SessionReader<'_>>) -> Checked {
    let (mut faults, mut warnings) = (Vec::new(), Vec::new());
    let mut checked = Checked::default();
    for (number, step) in (1..).zip(&lesson.steps) {
        let mut check = StepCheck {
            step,
            pictures: &mut *pictures,
            faults: Vec::new(),
            warnings: Vec::new(),
            checked: &mut checked,
        };
        check.formulas();
        check.figures();
        if let Some(session) = check.session(reader) {
            check.claims(&session);
            if let Some(reader) = reader {
                step.tasks.iter().enumerate().for_each(|(index, task)| check.task((index + 1, task), &session, reader));
            }
        }
        let placed = |fault: Fault| {
            let place = if fault.place.is_empty() { String::new() } else { format!(": {}", fault.place) };
            Fault { place: format!("step {number}{place}"), ..fault }
        };
        warnings.extend(check.warnings.into_iter().map(placed));
        faults.extend(check.faults.into_iter().map(placed));
    }
    checked.errors = faults.into_iter().map(|fault| fault.in_file(file)).collect();
    checked.warnings = warnings.into_iter().map(|fault| fault.in_file(file)).collect();
    checked
}

struct StepCheck<'a> {
    step: &'a Step,
    pictures: &'a mut Pictures,
    faults: Vec<Fault>,
    warnings: Vec<Fault>,
    checked: &'a mut Checked,
}

impl StepCheck<'_> {
    fn fault(&mut self, line: usize, place: impl Into<String>, cause: impl std::fmt::Display) {
        self.faults.push(Fault::new(line, place, cause));
    }

    /// Every formula is one for the handout, and in the window for the window.
    fn formulas(&mut self) {
        let line = self.step.line;
        for (place, text) in self.step.texts() {
            let (mut wrong, mut wide) = (Vec::new(), Vec::new());
            each_formula(&blocks(text).unwrap_or_default(), &mut |formula, is_display| match mathml::mathml(
                formula, is_display,
            )
            .and_then(|_| fits(formula, is_display))
            {
                Ok(true) => {}
                Ok(false) => {
                    wide.push(format!("formula '{}' is shown smaller than the text: divide it", shortened(formula)));
                }
                Err(cause) => wrong.push(cause),
            });
            wrong.into_iter().for_each(|cause| self.fault(line, place.clone(), cause));
            self.warnings.extend(wide.into_iter().map(|cause| Fault::new(line, place.clone(), cause)));
        }
    }

    /// Every figure is said by a value or plain; every value and every plain passage stands in a text.
    fn figures(&mut self) {
        let step = self.step;
        let texts: Vec<(String, Figures)> =
            step.texts_with_figures().into_iter().map(|(place, text)| (place, Figures::of(text))).collect();
        let said: Vec<&str> = step.claims.iter().map(|claim| claim.says.as_str()).collect();
        for (place, figures) in &texts {
            if let Some(figure) = figures.uncovered(&said, &step.plain) {
                let cause =
                    format!("'{figure}' is not computed: add a [[step.value]] that says it, or name it in plain");
                self.fault(step.line, place.clone(), cause);
            }
        }
        for (number, claim) in (1..).zip(&step.claims) {
            let is_intermediate = claim.name.is_some();
            if !is_intermediate && !texts.iter().any(|(_, figures)| figures.say(&claim.says)) {
                let cause = format!("no text of the step says '{}'", claim.says);
                self.fault(claim.line, format!("value {number}: says"), cause);
            }
        }
        for passage in &step.plain {
            if !texts.iter().any(|(_, figures)| figures.contain(passage)) {
                self.fault(step.line, "plain", format!("no text of the step has '{passage}'"));
            }
        }
    }

    /// The session at the start, which applies at both ends of each parameter, too.
    fn session(&mut self, reader: Option<&SessionReader<'_>>) -> Option<Table> {
        let step = self.step;
        let start = step.start();
        let mut tried = vec![start.clone()];
        for (index, parameter) in step.parameters.iter().enumerate() {
            for end in parameter.range {
                let mut values = start.clone();
                values[index] = end;
                tried.push(values);
            }
        }
        for values in &tried {
            let applied = step.session(values).and_then(|session| self.applied(&session, reader));
            if let Err(cause) = applied {
                self.fault(step.line, "session", cause);
                return None;
            }
        }
        step.session(&start).ok()
    }

    /// Applies a session: its images open, its panels render, the window reads it.
    fn applied(&mut self, session: &Table, reader: Option<&SessionReader<'_>>) -> Result<Table, String> {
        let size = Size::new(TRIED_SIDE, TRIED_SIDE).map_err(|error| error.to_string())?;
        for (number, panel) in (1..).zip(self.pictures.panels(session, size)?) {
            let page = self.pictures.image(&panel.source)?.page(panel.request.page);
            let page = page.ok_or_else(|| format!("panel {number}: page: the image has no such page"))?;
            panel.request.check(page).map_err(|error| format!("panel {number}: {error}"))?;
        }
        let mut placed = session.clone();
        let sizes = self.pictures.sizes(session);
        scene::place_views(&mut placed, size, &mut sizes_of(&sizes))?;
        reader.map_or(Ok(placed.clone()), |reader| reader(&placed))
    }

    /// Every value is what its text says.
    fn claims(&mut self, session: &Table) {
        let step = self.step;
        let mut wrong = Vec::new();
        let mut proof = Proof::new(session, self.pictures);
        for (number, claim) in (1..).zip(&step.claims) {
            let place = format!("value {number}");
            let said = Said::read(&claim.says);
            match (said, proof.value(claim)) {
                (Err(cause), _) | (_, Err(cause)) => wrong.push((claim.line, place, cause)),
                (Ok(said), Ok(value)) if !said.is(value) => {
                    let cause = format!("the text says {}, the computed value is {}", claim.says, said.written(value));
                    wrong.push((claim.line, place, cause));
                }
                (Ok(_), Ok(_)) => self.checked.numbers += 1,
            }
        }
        wrong.into_iter().for_each(|(line, place, cause)| self.fault(line, place, cause));
    }

    /// The task is not done at first, and done by its solution.
    fn task(&mut self, (number, task): (usize, &Task), session: &Table, reader: &SessionReader<'_>) {
        let place = |key: &str| format!("task {number}: {key}");
        let sizes = self.pictures.sizes(session);
        let is_done = |session: &Table, check: &mut Self| {
            let read = check.applied(session, Some(reader))?;
            Ok::<bool, String>(task.is_done(&read, &mut sizes_of(&sizes)))
        };
        match is_done(session, self) {
            Ok(false) => {}
            Ok(true) => return self.fault(task.line, place("done"), "holds before the student does anything"),
            Err(cause) => return self.fault(task.line, place("done"), cause),
        }
        let solved = scene::merged(session.clone(), &task.solution).and_then(|solved| is_done(&solved, self));
        match solved {
            Ok(true) => self.checked.tasks += 1,
            Ok(false) => self.fault(task.line, place("solution"), "does not do the task"),
            Err(cause) => self.fault(task.line, place("solution"), cause),
        }
    }
}

/// Whether the window lays the formula out, within its column.
#[cfg(feature = "window")]
fn fits(formula: &str, is_display: bool) -> Result<bool, String> {
    use super::formula::{Formula, FormulaStyle};
    let style = if is_display { FormulaStyle::Display } else { FormulaStyle::Inline };
    let laid = Formula::new(formula, style).map_err(|error| error.to_string())?;
    Ok(!is_display || laid.width <= WIDEST)
}

/// Without the window nothing lays formulas out.
#[cfg(not(feature = "window"))]
fn fits(_formula: &str, _is_display: bool) -> Result<bool, String> {
    Ok(true)
}

fn sizes_of(sizes: &[Option<Size>]) -> Box<PageSizes<'_>> {
    Box::new(|index| sizes.get(index).copied().flatten())
}

/// Calls `visit` with each formula, and whether it stands on a line of its own.
fn each_formula(blocks: &[Block], visit: &mut dyn FnMut(&str, bool)) {
    for block in blocks {
        match block {
            Block::Paragraph(parts) => {
                for part in parts {
                    if let Inline::Formula(formula) = part {
                        visit(formula, false);
                    }
                }
            }
            Block::Formula(formula) => visit(formula, true),
            Block::List { items, .. } => items.iter().for_each(|item| each_formula(item, visit)),
            Block::Code(_) | Block::Bars(_) => {}
        }
    }
}
