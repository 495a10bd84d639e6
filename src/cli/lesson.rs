//! `lerpscope lesson`: lists, checks, begins and exports lessons.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Subcommand};
use toml::Table;

use super::errors::Usage;
use super::{failure, stdout};
use crate::app::SavedSession;
use crate::files;
use crate::lesson::handout::{Titled, index};
use crate::lesson::{Checked, EmbeddedLesson, LESSONS, Lesson, Pictures, check};

/// Options of `lesson`.
#[derive(Args, Debug)]
#[command(after_help = "\
A lesson is a TOML file; docs/lessons.md describes it. A lesson of the program is named by its name, or by its number.

A lesson of one's own, and what is wrong with it:
  lerpscope lesson new mine.toml
  lerpscope lesson check mine.toml
The handout of a lesson, and all of them:
  lerpscope lesson export nearest-and-linear -o handout.html
  lerpscope lesson export --all -o handouts")]
pub struct LessonOptions {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the lessons of the program
    List,
    /// Compute every number of lessons, apply every step, solve every task
    Check {
        /// Lesson files, or names of lessons of the program
        #[arg(value_name = "LESSON", required = true)]
        lessons: Vec<PathBuf>,
    },
    /// Write a lesson to begin with, which is complete and passes the check
    New {
        /// The file; an existing one stays
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Write handouts: pages of HTML that need no other file
    Export {
        /// Lesson file, or name of a lesson of the program
        #[arg(value_name = "LESSON", required_unless_present = "all", conflicts_with = "all")]
        lesson: Option<PathBuf>,
        /// Export all lessons of the program, with an index
        #[arg(long)]
        all: bool,
        /// The page, .html; with --all the folder of the pages
        #[arg(short, long, value_name = "OUT")]
        output: PathBuf,
    },
}

/// The lesson to begin with.
const TEMPLATE: &str = include_str!("../../assets/lesson-template.toml");

/// Runs the action.
///
/// # Errors
/// Errors of the files, of the lessons, and of standard output.
pub(super) fn run(options: &LessonOptions) -> anyhow::Result<()> {
    match &options.action {
        Action::List => list(),
        Action::Check { lessons } => check_all(lessons),
        Action::New { file } => begin(file),
        Action::Export { lesson: Some(lesson), output, .. } => export(lesson, output),
        Action::Export { lesson: None, output, .. } => export_all(output),
    }
}

fn list() -> anyhow::Result<()> {
    let width = LESSONS.iter().map(|lesson| lesson.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for embedded in LESSONS {
        let lesson = embedded.lesson()?;
        let _ = writeln!(text, "{:<width$}  {:>2} steps  {}", embedded.name, lesson.steps.len(), lesson.title);
    }
    stdout::print(&text)
}

/// A lesson with where it is from.
struct Source {
    lesson: Lesson,
    /// The name that errors give.
    file: String,
    /// The folder of its images.
    folder: PathBuf,
}

impl Source {
    /// The lesson of the program called `name`, or the lesson in this file.
    fn open(name: &Path) -> anyhow::Result<Self> {
        let embedded = name.to_str().filter(|_| !name.exists()).and_then(EmbeddedLesson::by_name);
        if let Some(embedded) = embedded {
            return Ok(Self { lesson: embedded.lesson()?, file: embedded.file(), folder: PathBuf::new() });
        }
        let file = name.display().to_string();
        let text = files::read_text(name).with_context(|| file.clone())?;
        let folder = name.parent().unwrap_or(Path::new("")).to_owned();
        Ok(Self { lesson: Lesson::parse(&text, &file)?, file, folder })
    }
}

fn check_all(lessons: &[PathBuf]) -> anyhow::Result<()> {
    stdout::check()?;
    let mut wrong = 0;
    for name in lessons {
        let Source { lesson, file, folder } = match Source::open(name) {
            Ok(source) => source,
            Err(error) if lessons.len() > 1 => {
                failure::report(&error);
                wrong += 1;
                continue;
            }
            Err(error) => return Err(error),
        };
        let reader = |table: &Table| window_table(table, &folder);
        let Checked { errors, warnings, numbers, tasks } =
            check(&lesson, &file, &mut Pictures::new(&folder), Some(&reader));
        if errors.is_empty() {
            let steps = counted(lesson.steps.len(), "step");
            let (numbers, tasks) = (counted(numbers, "number"), counted(tasks, "task"));
            stdout::print(&format!("{file}: {steps}, {numbers} computed, {tasks} solved\n"))?;
        }
        for warning in &warnings {
            failure::say(&format!("warning: {warning}"));
        }
        for error in &errors {
            failure::say(&error.to_string());
        }
        wrong += errors.len();
    }
    if wrong > 0 {
        anyhow::bail!("{} in lessons", counted(wrong, "error"));
    }
    Ok(())
}

/// `1 task`, `2 tasks`.
fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The table of a session file as the window reads it, with all keys that it then has.
fn window_table(table: &Table, folder: &Path) -> Result<Table, String> {
    let saved = SavedSession::of_table(table, folder)?;
    let text = saved.text().map_err(|error| error.to_string())?;
    text.parse().map_err(|error: toml::de::Error| error.to_string())
}

fn begin(file: &Path) -> anyhow::Result<()> {
    if file.exists() {
        return Err(Usage(format!("{}: exists already", file.display())).into());
    }
    files::write(file, |out| out.write_all(TEMPLATE.as_bytes())).with_context(|| file.display().to_string())?;
    stdout::print(&format!("{}: edit it, then run: lerpscope lesson check {}\n", file.display(), file.display()))
}

fn export(name: &Path, output: &Path) -> anyhow::Result<()> {
    let is_html = output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("html"));
    if !is_html {
        return Err(Usage(format!("{}: a handout is a file with the ending .html", output.display())).into());
    }
    let Source { lesson, file, folder } = Source::open(name)?;
    let stem = Path::new(&file).file_stem().map_or_else(|| "lesson".into(), |stem| stem.to_string_lossy());
    let page = Titled { name: &stem, lesson: &lesson }.handout(&mut Pictures::new(&folder)).context(file.clone())?;
    write(output, &page)
}

fn export_all(folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let lessons: Vec<(&str, Lesson)> =
        LESSONS.iter().map(|embedded| Ok((embedded.name, embedded.lesson()?))).collect::<anyhow::Result<_>>()?;
    let titled: Vec<Titled<'_>> = lessons.iter().map(|(name, lesson)| Titled { name, lesson }).collect();
    let mut pictures = Pictures::new(Path::new(""));
    for titled in &titled {
        let page = titled.handout(&mut pictures).context(titled.name.to_owned())?;
        write(&folder.join(titled.file()), &page)?;
    }
    write(&folder.join("index.html"), &index(&titled))
}

fn write(file: &Path, page: &str) -> anyhow::Result<()> {
    files::write(file, |out| out.write_all(page.as_bytes())).with_context(|| file.display().to_string())
}
