//! `lesson`: the list, the check, a lesson to begin with, handouts.

use base64::Engine as _;
use lerpscope::lesson::LESSONS;
use scraper::{Html, Selector};

use super::{fail, folder, succeed};

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("text")
}

#[test]
fn list_has_a_line_for_each_lesson() {
    let list = text(succeed(folder().path(), &["lesson", "list"]));
    assert_eq!(list.lines().count(), LESSONS.len());
    for (line, lesson) in list.lines().zip(LESSONS) {
        assert!(line.starts_with(lesson.name) && line.contains(&lesson.lesson().expect("a lesson").title), "{line}");
    }
}

#[test]
fn new_lesson_passes_the_check_and_a_wrong_number_in_it_does_not() {
    let folder = folder();
    succeed(folder.path(), &["lesson", "new", "mine.toml"]);
    let said = fail(folder.path(), &["lesson", "new", "mine.toml"], 2);
    assert!(said.contains("mine.toml: exists already"), "{said}");
    let said = text(succeed(folder.path(), &["lesson", "check", "mine.toml", "2"]));
    assert!(said.starts_with("mine.toml: 2 steps, 2 numbers computed, 1 task solved\n02-nearest"), "{said}");
    let path = folder.path().join("mine.toml");
    let wrong = std::fs::read_to_string(&path).expect("the lesson").replace("0.12", "0.14");
    std::fs::write(&path, wrong).expect("a file");
    let output = super::run(folder.path(), &["lesson", "check", "mine.toml"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(output.stderr);
    assert!(said.starts_with("lerpscope: mine.toml:30: step 1: value 1: the text says 0.14, the computed"), "{said}");
    assert!(
        said.lines().last().is_some_and(|line| line.starts_with("lerpscope: ") && line.ends_with(" in lessons")),
        "{said}"
    );
    let said = fail(folder.path(), &["lesson", "check", "missing.toml"], 1);
    assert!(said.contains("missing.toml: "), "{said}");
}

/// The command under a picture makes the same file.
#[test]
fn command_under_a_picture_of_a_handout_renders_that_picture() {
    let folder = folder();
    let select = |selector: &str| Selector::parse(selector).expect("a selector");
    // Methods, lenses and differences.
    for lesson in ["nearest-and-linear", "bilinear", "nine-bits"] {
        succeed(folder.path(), &["lesson", "export", lesson, "-o", "handout.html"]);
        let page = std::fs::read_to_string(folder.path().join("handout.html")).expect("a page");
        let page = Html::parse_document(&page);
        for figure in page.select(&select("figure:has(img)")) {
            let image =
                figure.select(&select("img")).next().and_then(|image| image.value().attr("src")).expect("a picture");
            let png = image.strip_prefix("data:image/png;base64,").expect("a PNG");
            let png = base64::engine::general_purpose::STANDARD.decode(png).expect("base64");
            let command: String = figure.select(&select("code.command")).flat_map(|code| code.text()).collect();
            let words: Vec<&str> = command.split(' ').collect();
            assert_eq!(words[0], "lerpscope");
            succeed(folder.path(), &words[1..]);
            let output = words.iter().position(|word| *word == "-o").map(|at| words[at + 1]).expect("an output");
            assert_eq!(std::fs::read(folder.path().join(output)).expect("the file"), png, "{command}");
        }
    }
    let said = fail(folder.path(), &["lesson", "export", "1", "-o", "handout.pdf"], 2);
    assert!(said.contains("handout.pdf: a handout is a file with the ending .html"), "{said}");
    let said = fail(folder.path(), &["lesson", "export", "-o", "handout.html"], 2);
    assert!(said.contains("<LESSON>"), "{said}");
}

#[test]
fn all_lessons_are_exported_with_an_index() {
    let folder = folder();
    succeed(folder.path(), &["lesson", "export", "--all", "-o", "handouts"]);
    let names = LESSONS.iter().map(|lesson| format!("{}.html", lesson.name)).chain(["index.html".to_owned()]);
    for name in names {
        assert!(folder.path().join("handouts").join(&name).is_file(), "{name}");
    }
}

#[cfg(feature = "window")]
#[test]
fn lesson_with_an_unknown_name_is_a_wrong_use_and_a_missing_file_is_not() {
    let folder = folder();
    let said = fail(folder.path(), &["--lesson", "unknown"], 2);
    assert!(said.contains("--lesson: there is no lesson and no file 'unknown': lerpscope lesson list names"), "{said}");
    let said = fail(folder.path(), &["--lesson", "missing.toml"], 1);
    assert!(said.contains("'missing.toml'"), "{said}");
}
