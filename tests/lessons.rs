//! The lessons of the program: each number is computed, each step applies, each task can be done, each handout is valid HTML.
//! What is wrong with a lesson is said with its file, line and field.

use std::path::Path;

use base64::Engine as _;
use lerpscope::app::SavedSession;
use lerpscope::image::{self, Size};
use lerpscope::lesson::formula::{Formula, FormulaStyle};
use lerpscope::lesson::handout::{Titled, index};
use lerpscope::lesson::markdown::{Block, Inline, blocks};
use lerpscope::lesson::mathml::mathml;
use lerpscope::lesson::{Checked, LESSONS, Lesson, Pictures, Step, check, session_defaults};
use scraper::{Html, Selector};
use toml::Table;

const TEMPLATE: &str = include_str!("../assets/lesson-template.toml");

/// The session as the window reads it, with all keys.
fn as_in_the_window(table: &Table) -> Result<Table, String> {
    let saved = SavedSession::of_table(table, Path::new(""))?;
    let text = saved.text().map_err(|error| error.to_string())?;
    text.parse().map_err(|error: toml::de::Error| error.to_string())
}

fn checked(text: &str) -> Checked {
    let lesson = Lesson::parse(text, "lesson.toml").unwrap_or_else(|error| panic!("{error}"));
    check(&lesson, "lesson.toml", &mut Pictures::new(Path::new("")), Some(&as_in_the_window))
}

/// The first error of a lesson: of its text, or of the check.
fn error_of(text: &str) -> String {
    match Lesson::parse(text, "lesson.toml") {
        Err(error) => error.to_string(),
        Ok(_) => checked(text).errors.first().map(ToString::to_string).unwrap_or_default(),
    }
}

#[test]
fn lessons_pass_the_check_with_all_numbers_computed_and_all_tasks_solved() {
    let templates = [("template", TEMPLATE)].into_iter();
    for (name, text) in templates.chain(LESSONS.iter().map(|lesson| (lesson.name, lesson.text))) {
        let lesson = Lesson::parse(text, name).unwrap_or_else(|error| panic!("{error}"));
        let Checked { errors, warnings, numbers, tasks } = checked(text);
        assert!(errors.is_empty() && warnings.is_empty(), "{name}: {errors:?} {warnings:?}");
        assert_eq!(numbers, lesson.steps.iter().map(|step| step.claims.len()).sum::<usize>(), "{name}");
        assert_eq!(tasks, lesson.steps.iter().map(|step| step.tasks.len()).sum::<usize>(), "{name}");
        assert!(!lesson.documents.is_empty() && lesson.steps.len() > 1, "{name}");
    }
}

/// The page for teachers: its example is the lesson to begin with, and every example of a value is one.
#[test]
fn examples_of_the_documentation_are_lessons_and_values() {
    let page = include_str!("../docs/lessons.md");
    let example = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    assert_eq!(example, Some(TEMPLATE));
    let rows = page.split("| key | value | example |").nth(1).expect("the table of values");
    let mut count = 0;
    for row in rows.lines().skip(2).take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [key, _, example] = cells[..] else { panic!("three cells: {row}") };
        let (key, example) = (key.trim_matches('`'), example.trim_matches('`'));
        assert!(example.starts_with(&format!("{key} = ")), "{row}");
        let text = format!(
            "title = 'a'\nsummary = 'b'\n[[step]]\ntitle = 'c'\ntext = 'd'\n[[step.value]]\nname = 'v'\nsays = '99999'\n{example}\n"
        );
        let error = error_of(&text);
        assert!(error.contains("the text says 99999, the computed value is "), "{example}: {error}");
        count += 1;
    }
    assert_eq!(count, 18);
}

/// The lesson to begin with, changed in one place.
#[test]
fn error_names_the_file_the_line_and_the_field() {
    let cases = [
        ("title = \"Two weights\"", "titel = \"Two weights\"", ["lesson.toml:", ": titel: unknown field `titel`"]),
        ("title = \"Two weights\"", "title = 3", ["lesson.toml:", ": title: invalid type: integer `3`"]),
        ("title = \"Two weights\"", "title = \"Two\\nweights\"", ["step 2: title: ", "is one line"]),
        ("it is **0.12**.", "it is **0.13**.", ["step 1: text: '0.13' is not computed", "plain"]),
        ("says = \"0.12\"", "says = \"0.120\"", ["step 1: text: '0.12' is not computed", "value"]),
        (
            "method = \"linear\", at = 0.6",
            "method = \"nearest\", at = 0.6",
            ["step 1: value 1: the text says 0.12, ", "the computed value is 0.200"],
        ),
        ("method = \"linear\", at = 0.6", "method = \"liner\", at = 0.6", [": line: ", "there is no method 'liner'"]),
        (
            "expression = \"0.12 / (0.2 - 0)\"",
            "expression = \"0.12 / (0.2 - a)\"",
            ["step 1: value 2: ", "there is no 'a'"],
        ),
        ("expression = \"0.12 / (0.2 - 0)\"", "pole = { method = \"linear\" }", ["step 1: value 2: ", "no prefilter"]),
        ("points = [\"{x}\"]", "points = [\"{y}\"]", ["step 1: session: ", "formula 'y': there is no 'y'"]),
        ("drawer = \"lab1d\"", "drawr = \"lab1d\"", ["step 1: session: ", "unknown key 'drawr'"]),
        ("drawer = \"lab1d\"", "drawer = \"lab2d\"", ["step 1: session: ", "there is no tool 'lab2d'"]),
        ("region = [250", "region = [950", ["step 1: session: ", "region: "]),
        ("\"builtin:basilica\"", "\"missing.pgm\"", ["step 1: session: missing.pgm: ", "does not exist"]),
        ("start = 0.6", "start = 5", ["step 1: parameter 1: start: ", "outside the range"]),
        ("range = [0, 4]", "range = [0, 40]", ["step 1: session: ", "points"]),
        (
            "done = { panel = [{ method = \"nearest\" }] }",
            "done = { panels = 1 }",
            ["step 2: task 1: done: holds before", ""],
        ),
        (
            "done = { panel = [{ method = \"nearest\" }] }",
            "done = { panels = 4 }",
            ["step 2: task 1: solution: does not do the task", ""],
        ),
        ("right = true\n", "", ["step 2: question 1: choice: none is right", ""]),
        ("\\lfloor x", "\\lfloor x}", ["step 2: text: a dollar sign begins no formula", ""]),
        ("\\lfloor x", "\\lflor x", ["step 2: text: formula '", ""]),
        ("This is **linear", "# This is **linear", ["step 2: text: a heading has no form", ""]),
        ("title = \"Weights of two", "format = 2\ntitle = \"Weights of two", ["lesson.toml:", "reads format 1, not 2"]),
        ("[[step.parameter]]", "[[step.parameters]]", ["lesson.toml:", "unknown field `parameters`"]),
    ];
    for (from, to, expected) in cases {
        assert!(TEMPLATE.contains(from), "{from}");
        let error = error_of(&TEMPLATE.replacen(from, to, 1));
        assert!(expected.iter().all(|part| error.contains(part)), "{to}: {error}");
        assert!(error.starts_with("lesson.toml:") && !error.contains('\n'), "{error}");
    }
    let line = |text: &str| error_of(text).split(':').nth(1).and_then(|line| line.parse::<usize>().ok());
    let place = TEMPLATE.lines().position(|line| line.starts_with("title = \"Two weights\"")).expect("the line") + 1;
    assert_eq!(line(&TEMPLATE.replacen("title = \"Two weights\"", "titel = \"Two weights\"", 1)), Some(place));
}

/// What conditions take as the defaults of a session is what the window leaves out of its file.
#[test]
fn defaults_of_conditions_are_the_values_that_a_session_file_leaves_out() {
    let base: Table = "images = ['synth:disc:8x8']\npanel = [{}]\n[inspect]".parse().expect("TOML");
    let written = as_in_the_window(&base).expect("a session");
    let with = |table: &mut Table, key: &str, value: &toml::Value| drop(table.insert(key.to_owned(), value.clone()));
    let mut count = 0;
    for (key, value) in session_defaults()["panel"].as_table().expect("a table") {
        let mut panel = Table::new();
        with(&mut panel, key, value);
        let mut session = base.clone();
        with(&mut session, "panel", &vec![toml::Value::from(panel)].into());
        assert_eq!(as_in_the_window(&session).as_ref(), Ok(&written), "{key}");
        count += 1;
    }
    for (key, value) in session_defaults()["inspect"].as_table().expect("a table") {
        let parts = match value {
            toml::Value::Table(inner) => inner.iter().map(|(name, value)| (Some(name), value)).collect(),
            _ => vec![(None, value)],
        };
        for (inner, value) in parts {
            let mut inspect = Table::new();
            match inner {
                Some(name) => with(&mut inspect, key, &Table::from_iter([(name.clone(), value.clone())]).into()),
                None => with(&mut inspect, key, value),
            }
            let mut session = base.clone();
            with(&mut session, "inspect", &inspect.into());
            let found = as_in_the_window(&session).unwrap_or_else(|error| panic!("{key} {inner:?}: {error}"));
            // Samples without the name of their preset are somebody's own.
            if inner.is_none_or(|name| name != "samples") {
                assert_eq!(found, written, "{key} {inner:?}");
            }
            count += 1;
        }
    }
    assert_eq!(count, 12 + 10 + 10);
}

/// A source cites: its figures need no proof, and it stands in the handout as a note.
#[test]
fn source_of_a_step_needs_no_proof_and_is_a_note_of_the_handout() {
    let cited =
        TEMPLATE.replacen("\n[step.session]", "\nsource = \"a book of 1962, **figure 7**\"\n\n[step.session]", 1);
    let Checked { errors, .. } = checked(&cited);
    assert!(errors.is_empty(), "{errors:?}");
    let lesson = Lesson::parse(&cited, "lesson.toml").expect("a lesson");
    let text = Titled { name: "cited", lesson: &lesson }.handout(&mut Pictures::new(Path::new(""))).expect("a page");
    let page = Html::parse_document(&text);
    let notes: Vec<String> = select(&page, "section div.source").iter().map(|note| note.text().collect()).collect();
    assert_eq!(notes.iter().map(|note| note.trim()).collect::<Vec<_>>(), ["Source: a book of 1962, figure 7"]);
    let error = error_of(&cited.replacen("**figure 7**", "$3", 1));
    assert!(error.contains("step 1: source: a dollar sign"), "{error}");
}

/// The window gives linked panels one view. The handout shows each panel's own.
#[test]
fn linked_panels_of_an_image_have_one_view() {
    let mut pictures = Pictures::new(Path::new(""));
    let size = Size::new(480, 360).expect("a size");
    for embedded in LESSONS {
        let lesson = embedded.lesson().expect("a lesson");
        for (number, step) in (1..).zip(&lesson.steps) {
            let session = step.session(&step.start()).expect("a session");
            if session.get("link").and_then(toml::Value::as_str) == Some("off") {
                continue;
            }
            let panels = pictures.panels(&session, size).expect("panels");
            let view =
                |source: &Path| panels.iter().find(|panel| panel.source == source).map(|panel| panel.request.view);
            for panel in &panels {
                assert_eq!(Some(panel.request.view), view(&panel.source), "{}, step {number}", embedded.name);
            }
        }
    }
}

/// A student has none of the documents: texts name them in notes on the source, or not at all.
#[test]
fn lessons_stand_alone_and_name_documents_in_notes_only() {
    for embedded in LESSONS.iter().filter(|embedded| embedded.name != "18-errata") {
        let lesson = embedded.lesson().expect("a lesson");
        for (number, step) in (1..).zip(&lesson.steps) {
            let mut texts = step.texts();
            texts.retain(|(place, _)| place != "source");
            texts.push(("title".to_owned(), &step.title));
            for (place, text) in texts {
                let text = text.to_lowercase();
                assert!(!text.contains("document 0"), "{}, step {number}, {place}: {text}", embedded.name);
            }
        }
    }
}

#[test]
fn wide_formula_is_a_warning() {
    let wide = TEMPLATE.replacen("f_{m+1}, \\qquad", "f_{m+1} + a_1 b_1 + a_2 b_2 + a_3 b_3 + a_4 b_4, \\qquad", 1);
    let Checked { errors, warnings, .. } = checked(&wide);
    assert!(errors.is_empty(), "{errors:?}");
    assert!(warnings.len() == 1 && warnings[0].to_string().contains("step 2: text: formula '"), "{warnings:?}");
}

#[test]
fn step_keeps_what_the_steps_before_it_set_with_their_parameters_at_the_start() {
    let lesson = Lesson::parse(TEMPLATE, "lesson.toml").expect("a lesson");
    let session = |step: &Step, values: &[f64]| step.session(values).expect("a session");
    let points = |session: &Table| session["inspect"]["one-dimension"]["points"].clone();
    assert_eq!(points(&session(&lesson.steps[0], &[2.5])), toml::Value::from(vec![2.5]));
    assert_eq!(points(&session(&lesson.steps[1], &[])), toml::Value::from(vec![0.6]));
    assert_eq!(session(&lesson.steps[1], &[])["images"], lesson.steps[0].patch["images"]);
}

fn select<'a>(page: &'a Html, selector: &str) -> Vec<scraper::ElementRef<'a>> {
    page.select(&Selector::parse(selector).expect("a selector")).collect()
}

#[test]
fn handouts_are_valid_html_with_pictures_commands_and_folded_answers() {
    let mut pictures = Pictures::new(Path::new(""));
    for embedded in LESSONS {
        let lesson = embedded.lesson().expect("a lesson");
        let titled = Titled { name: embedded.name, lesson: &lesson };
        let text = titled.handout(&mut pictures).unwrap_or_else(|error| panic!("{}: {error}", embedded.name));
        let page = Html::parse_document(&text);
        assert!(page.errors.is_empty(), "{}: {:?}", embedded.name, page.errors);
        assert_eq!(select(&page, "h1")[0].text().collect::<String>(), lesson.title);
        assert_eq!(select(&page, "section").len(), lesson.steps.len());
        let images = select(&page, "figure img");
        assert!(!images.is_empty() && images.len() == select(&page, "figcaption code.command").len());
        for image in images {
            let source = image.value().attr("src").expect("a source");
            let png = source.strip_prefix("data:image/png;base64,").expect("an embedded PNG");
            let png = base64::engine::general_purpose::STANDARD.decode(png).expect("base64");
            let opened = image::read("figure.png", &png).expect("a PNG").image;
            let size = |name: &str| image.value().attr(name).and_then(|side| side.parse::<u32>().ok());
            assert_eq!(opened.pages()[0].size().sides().map(Some), ["width", "height"].map(size));
            assert!(image.value().attr("alt").is_some_and(|alt| !alt.is_empty()));
        }
        let tasks: usize = lesson.steps.iter().map(|step| step.tasks.len()).sum();
        let questions: usize = lesson.steps.iter().map(|step| step.questions.len()).sum();
        assert_eq!(
            (select(&page, "div.task").len(), select(&page, "div.question > details").len()),
            (tasks, questions)
        );
        assert!(select(&page, "details[open]").is_empty(), "answers are folded");
        assert_eq!(select(&page, "[src]:not([src^='data:']), link, script").len(), 0, "one page needs no other file");
        assert_eq!(select(&page, "math").len(), formulas(&lesson).len(), "{}", embedded.name);
        assert!(select(&page, "merror").is_empty());
    }
    let lessons: Vec<(&str, Lesson)> =
        LESSONS.iter().map(|embedded| (embedded.name, embedded.lesson().expect("a lesson"))).collect();
    let titled: Vec<Titled<'_>> = lessons.iter().map(|(name, lesson)| Titled { name, lesson }).collect();
    let page = Html::parse_document(&index(&titled));
    assert!(page.errors.is_empty(), "{:?}", page.errors);
    let links: Vec<_> = select(&page, "li a").iter().filter_map(|link| link.value().attr("href")).collect();
    assert_eq!(links, titled.iter().map(|titled| format!("{}.html", titled.name)).collect::<Vec<_>>());
}

/// A lesson of one step with these keys of `[step.session]`.
fn lesson_showing(session: &str) -> Lesson {
    let text = format!("title = 'a'\nsummary = 'b'\n[[step]]\ntitle = 'c'\ntext = 'd'\n[step.session]\n{session}\n");
    Lesson::parse(&text, "lesson.toml").unwrap_or_else(|error| panic!("{error}"))
}

/// What the window paints over a picture, or in its place, the handout has as a drawing over it, or in its place.
#[test]
fn handout_has_the_overlays_that_a_step_shows() {
    let panel = "images = ['synth:disc:8x8']\npanel = [{ method = 'catmull-rom', region = [1, 1, 6, 6] }]\n";
    let edge = "images = ['synth:disc:8x8']\npanel = [{ method = 'catmull-rom', region = [-2, -2, 3, 3] }]\n";
    let missed = "images = ['synth:disc:8x8']\npanel = [{ method = 'bspline', region = [1, 1, 6, 6] }]\n";
    let unit =
        "images = ['synth:disc:8x8']\npanel = [{ sampler = 'method=bspline,path=filtered', region = [1, 1, 6, 6] }]\n";
    let two = "images = ['synth:disc:8x8']\ncompare = 'difference'\npanel = [{ method = 'linear' }, { method = 'nearest' }]\n";
    let cases = [
        (panel, "values = true", ".marks .value", ""),
        (panel, "grid = true", ".marks .grid", ""),
        (edge, "ghosts = true", ".marks .outside", ""),
        (panel, "sample-check = true", ".marks .kept", "samples kept"),
        (missed, "sample-check = true", ".marks .missed", "samples kept"),
        (panel, "overshoot = true", ".marks image.overshoot[href^='data:image/png']", "overshoot of "),
        (panel, "drawer = 'footprint'\nfootprint = [3.3, 2.4]", ".marks .disc.plus", ""),
        (panel, "drawer = 'footprint'\nfootprint = [3.3, 2.4]", ".marks .disc.minus", ""),
        (edge, "drawer = 'footprint'\nfootprint = [0.3, 2.4]", ".marks .link", ""),
        (unit, "drawer = 'footprint'\nfootprint = [3.3, 2.4]", ".marks .fetch", ""),
        (panel, "pins = [[2, 3]]", ".marks .pin", ""),
        (panel, "metrics = true", "img", " dB"),
        (panel, "lens = 'relief'", "img", "relief"),
        (two, "metrics = true", "img", "Linear (lerp) minus Nearest"),
    ];
    let phase = "images = ['synth:vortex:8x8']\npanel = [{ component = 'phase' }]";
    let handout = Titled { name: "phase", lesson: &lesson_showing(phase) }.handout(&mut Pictures::new(Path::new("")));
    assert!(handout.is_ok_and(|page| page.contains("--component phase")), "the part that the panel shows");
    for (panels, keys, selector, label) in cases {
        let lesson = lesson_showing(&format!("{panels}[step.session.inspect]\n{keys}"));
        let checked = check(&lesson, "lesson.toml", &mut Pictures::new(Path::new("")), Some(&as_in_the_window));
        assert!(checked.errors.is_empty(), "{keys}: {:?}", checked.errors);
        let text = Titled { name: "overlay", lesson: &lesson }.handout(&mut Pictures::new(Path::new("")));
        let page = Html::parse_document(&text.unwrap_or_else(|error| panic!("{keys}: {error}")));
        assert!(page.errors.is_empty(), "{keys}: {:?}", page.errors);
        assert_eq!(select(&page, "figure:has(img)").len(), 1, "{keys}");
        assert!(!select(&page, &format!("figure {selector}")).is_empty(), "{keys}: {selector}");
        let said: String = select(&page, "figcaption .label").iter().flat_map(|label| label.text()).collect();
        assert!(said.contains(label), "{keys}: {said}");
    }
}

#[test]
fn handout_has_the_curves_of_the_tool_that_a_step_opens() {
    let panels =
        "images = ['synth:disc:32x32', 'synth:disc:16x16']\npanel = [{ method = 'bspline' }, { method = 'linear' }]\n";
    let tools = [
        ("drawer = 'plots'", "Kernel"),
        ("drawer = 'plots'\nplot = 'fractions'", "Fractions"),
        ("drawer = 'lab1d'", "Values between samples"),
        ("drawer = 'lab1d'\n[inspect.one-dimension]\ntab = 'basis'", "Basis"),
        ("drawer = 'lab1d'\n[inspect.one-dimension]\ntab = 'splines'\ndegree = 2", ""),
        ("drawer = 'lab1d'\n[inspect.one-dimension]\ntab = 'prefilter'", ""),
        ("drawer = 'footprint'\nfootprint = [12.25, 3.5]", "Weights of pixel"),
        ("drawer = 'texture-error'", ""),
        ("drawer = 'texture-error'\ntexture-error = 'formats'", ""),
        ("drawer = 'rotations'\nrotation = [4, 4]", ""),
        ("drawer = 'designer'", "Kernel"),
        ("drawer = 'quality'", "Quality"),
        ("drawer = 'quality'\nquality = 'named'", "Quality"),
        ("drawer = 'pairs'\npairs-factor = 4\npairs-measure = 'ssim'\npairs-sorted = true", "SSIM"),
        ("drawer = 'identify'", ""),
        ("line = [[2, 3], [12.5, 7]]", "Values along the line"),
    ];
    for (keys, title) in tools {
        let lesson = lesson_showing(&format!(
            "{panels}[step.session.inspect]\n{}",
            keys.replace("[inspect.", "[step.session.inspect.")
        ));
        let checked = check(&lesson, "lesson.toml", &mut Pictures::new(Path::new("")), Some(&as_in_the_window));
        assert!(checked.errors.is_empty(), "{keys}: {:?}", checked.errors);
        let text = Titled { name: "tool", lesson: &lesson }.handout(&mut Pictures::new(Path::new("")));
        let page = Html::parse_document(&text.unwrap_or_else(|error| panic!("{keys}: {error}")));
        assert!(page.errors.is_empty(), "{keys}: {:?}", page.errors);
        let charts = select(&page, "figure.chart > svg[role='img']");
        assert_eq!(charts.len(), 1, "{keys}");
        assert!(charts[0].value().attr("aria-label").is_some_and(|label| label.starts_with(title)), "{keys}");
        assert!(
            !select(&page, "figure.chart > svg polyline, figure.chart > svg path, figure.chart > svg line").is_empty()
        );
    }
    let designed = |method: &str| {
        let lesson = lesson_showing(&format!(
            "images = ['synth:disc:32x32']\npanel = [{{ method = '{method}' }}]\ninspect = {{ drawer = 'designer' }}"
        ));
        let text =
            Titled { name: "plane", lesson: &lesson }.handout(&mut Pictures::new(Path::new(""))).expect("a page");
        let page = Html::parse_document(&text);
        assert!(page.errors.is_empty(), "{method}: {:?}", page.errors);
        let planes = select(&page, "figure.plane > svg[role='img']");
        planes.first().and_then(|plane| plane.value().attr("aria-label").map(str::to_owned))
    };
    assert_eq!(designed("cubic=0.2,0.6").as_deref(), Some("Plane of cubics: B 0.200, C 0.600"));
    assert_eq!(designed("lanczos3"), None);
    let lesson = lesson_showing(&format!("{panels}inspect = {{ drawer = 'plots', plot = 'response' }}"));
    let text = Titled { name: "response", lesson: &lesson }.handout(&mut Pictures::new(Path::new(""))).expect("a page");
    let said: Vec<String> =
        select(&Html::parse_document(&text), "figure.chart text").iter().map(|text| text.text().collect()).collect();
    for label in ["0", "¼", "½, Nyquist", "1"] {
        assert!(said.iter().any(|text| text.trim() == label), "{label}: {said:?}");
    }
    // The same tool a second time refers to the first.
    let mut lesson = lesson_showing(&format!("{panels}inspect.drawer = 'plots'"));
    lesson.steps.push(lesson.steps[0].clone());
    let text = Titled { name: "twice", lesson: &lesson }.handout(&mut Pictures::new(Path::new(""))).expect("a page");
    let page = Html::parse_document(&text);
    assert_eq!((select(&page, "figure.chart").len(), select(&page, "figure img").len()), (1, 2));
    let notes: Vec<String> = select(&page, "p.same").iter().map(|note| note.text().collect()).collect();
    assert_eq!(notes, ["Picture and chart are those of step 1."]);
    let text = Titled { name: "none", lesson: &lesson_showing(panels) }.handout(&mut Pictures::new(Path::new("")));
    assert!(select(&Html::parse_document(&text.expect("a page")), "figure.chart").is_empty());
}

/// The panels' own pictures are the original.
#[test]
fn handout_of_repeated_rotation_has_the_turned_pictures_with_their_errors() {
    let panels = "images = ['synth:text:64x64']\npanel = [{ method = 'linear' }, { method = 'nearest' }]\n";
    let handout = |rotation: &str| {
        let lesson = lesson_showing(&format!("{panels}inspect = {{ drawer = 'rotations', rotation = {rotation} }}"));
        let text = Titled { name: "turned", lesson: &lesson }.handout(&mut Pictures::new(Path::new("")));
        let page = Html::parse_document(&text.expect("a page"));
        assert!(page.errors.is_empty(), "{:?}", page.errors);
        let said = |selector: &str| {
            select(&page, selector).iter().map(|part| part.text().collect::<String>()).collect::<Vec<_>>()
        };
        let sources: Vec<String> = select(&page, "figure img")
            .iter()
            .filter_map(|image| image.value().attr("src").map(str::to_owned))
            .collect();
        (said("span.label"), said("code.command"), sources)
    };
    let (labels, commands, last) = handout("[15, 15]");
    let expected =
        ["1 · Linear (lerp), after 15 of 15 turns: 18.6 dB", "2 · Nearest (nerp), after 15 of 15 turns: 12.5 dB"];
    assert_eq!(labels, expected);
    assert_eq!(commands[0], "lerpscope rotations synth:text:64x64 --turns 15 --methods linear");
    let (labels, _, first) = handout("[15, 0]");
    assert_eq!(labels, ["1 · Linear (lerp), the original", "2 · Nearest (nerp), the original"]);
    assert!(first[0] == first[1] && last[0] != last[1] && last[0] != first[0]);
}

#[test]
fn handout_has_the_marks_of_a_step_over_its_pictures() {
    let text = |keys: &str| {
        let lesson = lesson_showing(&format!("images = ['synth:disc:32x32']\npanel = [{{}}]\ninspect = {{ {keys} }}"));
        Titled { name: "marks", lesson: &lesson }.handout(&mut Pictures::new(Path::new(""))).expect("a page")
    };
    let count = |keys: &str, selector: &str| {
        let page = Html::parse_document(&text(keys));
        assert!(page.errors.is_empty(), "{:?}", page.errors);
        select(&page, selector).len()
    };
    assert_eq!(count("histogram = true", "svg.marks"), 0);
    assert_eq!(count("pins = [[1, 2], [3, 4], [5, 6]]", "div.picture > svg.marks circle"), 3);
    assert_eq!(count("pins = [[1, 2], [3, 4]], pins-joined = true", "svg.marks polyline.over"), 1);
    assert_eq!(count("region = [2, 2, 9, 9]", "svg.marks polygon.over"), 1);
    assert_eq!(count("line = [[2, 2], [9, 9]]", "svg.marks polyline.over"), 1);
}

/// The formulas of a lesson, and whether each stands on a line of its own.
fn formulas(lesson: &Lesson) -> Vec<(String, bool)> {
    fn collect(blocks: &[Block], found: &mut Vec<(String, bool)>) {
        for block in blocks {
            match block {
                Block::Paragraph(parts) => found.extend(parts.iter().filter_map(|part| match part {
                    Inline::Formula(formula) => Some((formula.clone(), false)),
                    Inline::Text { .. } | Inline::Code(_) => None,
                })),
                Block::Formula(formula) => found.push((formula.clone(), true)),
                Block::List { items, .. } => items.iter().for_each(|item| collect(item, found)),
                Block::Code(_) | Block::Bars(_) => {}
            }
        }
    }
    let mut found = Vec::new();
    for (_, text) in lesson.steps.iter().flat_map(Step::texts) {
        collect(&blocks(text).expect("Markdown"), &mut found);
    }
    found
}

/// A text with bytes, words or lines removed, doubled or replaced.
fn mutated(text: &str, random: &mut fastrand::Rng) -> String {
    let mut text = text.to_owned();
    for _ in 0..random.usize(1..4) {
        let cut = |random: &mut fastrand::Rng, text: &str| {
            let mut at = random.usize(..=text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let (a, b) = (cut(random, &text), cut(random, &text));
        let (start, end) = (a.min(b), a.max(b).min(a.min(b) + 40));
        let end = (end..=text.len()).find(|&end| text.is_char_boundary(end)).unwrap_or(text.len());
        const PIECES: [&str; 18] = [
            "", "\"", "{", "}", "[", "]", "=", "\n", "0", "-1e400", "nan", "\\", "$", "$$", "none", "{x}", "\u{0}", "é",
        ];
        let piece = match random.usize(..3) {
            0 => PIECES[random.usize(..PIECES.len())].to_owned(),
            1 => text[start..end].repeat(2),
            _ => String::new(),
        };
        text.replace_range(start..end, &piece);
    }
    text
}

#[test]
fn mutated_lessons_are_read_or_refused_in_one_line_and_never_panic() {
    let mut random = fastrand::Rng::with_seed(13);
    let texts: Vec<&str> = LESSONS.iter().map(|lesson| lesson.text).chain([TEMPLATE]).collect();
    let (mut read, mut refused) = (0, 0);
    for round in 0..3000 {
        let text = mutated(texts[round % texts.len()], &mut random);
        match Lesson::parse(&text, "mutated.toml") {
            Err(error) => {
                refused += 1;
                let said = error.to_string();
                assert!(said.starts_with("mutated.toml:") && said.lines().count() == 1, "{said}");
            }
            Ok(lesson) => {
                read += 1;
                for step in &lesson.steps {
                    let session = step.session(&step.start());
                    for task in &step.tasks {
                        let session = session.as_ref().expect("formulas are checked when the lesson is read");
                        task.is_done(session, &mut |_| None);
                    }
                }
                if round % 10 == 0 {
                    for (formula, is_display) in formulas(&lesson) {
                        let _ = (mathml(&formula, is_display), Formula::new(&formula, FormulaStyle::Inline));
                    }
                }
            }
        }
    }
    assert!(read > 200 && refused > 200, "{read} read, {refused} refused");
}
