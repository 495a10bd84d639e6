//! Lessons without a screen: the list, the column, walking, tasks, parameters, questions, progress, lessons of the user's own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use eframe::App as _;
use egui::{Color32, Event, Key, Modifiers, PointerButton, Pos2, Rect, Role, Shape};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lerpscope::app::{Lerpscope, SavedSession, SessionState, Unit};
use lerpscope::backend::CpuBackend;
use lerpscope::image::{self, BUILT_IN};
use lerpscope::lesson::{Answer, Lesson, embedded, scene};
use lerpscope::sampling::Method;

use crate::harness::documents::{CTRL_SHIFT, basilica, open, press, type_text};
use crate::harness::dropped::Dropped;
use crate::harness::waiting::wait;
use crate::harness::{Window, app, window_of};

const NONE: Modifiers = Modifiers::NONE;
/// Green of a task that is done, in the dark theme.
const GREEN: Color32 = Color32::from_rgb(0x29, 0xB9, 0x8B);
const ORANGE: Color32 = Color32::from_rgb(0xE6, 0x9F, 0x00);

/// The lesson of the tests, which has every part of a step.
pub(crate) fn walk_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/lessons/walk.toml")
}

/// Drops a file on the window.
fn drop_file(window: &mut Window, file: &Path) {
    window.input_mut().dropped_files.push(Arc::new(Dropped(file.to_owned())));
    window.run_ok();
}

/// A window in which the lesson of the tests runs.
pub(crate) fn walking() -> Window {
    let mut window = basilica();
    drop_file(&mut window, &walk_file());
    rest(&mut window);
    window
}

/// Runs frames until no view moves.
pub(crate) fn rest(window: &mut Window) {
    wait(window, "rest", |window| !app(window).session().is_animating() && app(window).has_settled());
}

pub(crate) fn step(window: &Window) -> usize {
    app(window).lesson().expect("a lesson runs").1
}

fn state(window: &Window) -> SessionState {
    app(window).session().state()
}

pub(crate) fn click(window: &mut Window, role: Role, name: &str) {
    window.get_by_role_and_label(role, name).click();
    window.run_ok();
}

/// A command chosen in the palette.
fn choose(window: &mut Window, title: &str) {
    press(window, CTRL_SHIFT, Key::P);
    type_text(window, title);
    press(window, NONE, Key::Enter);
}

fn heading(window: &Window) -> String {
    window.get_by_role(Role::Heading).accesskit_node().label().expect("a heading")
}

pub(crate) fn drag(window: &mut Window, from: Pos2, to: Pos2) {
    window.hover_at(from);
    window.run_ok();
    for (pos, pressed) in [(from, true), (from.lerp(to, 0.5), true), (to, true), (to, false)] {
        window.event(Event::PointerMoved(pos));
        if pos == from || !pressed {
            let button = PointerButton::Primary;
            window.event(Event::PointerButton { pos, button, pressed, modifiers: NONE });
        }
        window.run_ok();
    }
}

#[test]
fn dropped_lesson_shows_its_first_step_in_a_column_in_place_of_the_side_bar() {
    let mut window = basilica();
    let before = state(&window);
    assert!(window.query_by_role_and_label(Role::Tab, "View tab").is_some());
    drop_file(&mut window, &walk_file());
    assert_eq!(heading(&window), "Enlarged, an image shows its samples");
    let text = window.get_by_label_contains("every position takes the value of the sample").rect();
    assert!(text.width() < 370.0 && text.left() < 40.0, "{text:?}");
    assert!(window.query_by_role_and_label(Role::Tab, "View tab").is_none());
    let session = app(&window).session();
    assert_eq!((session.panels().len(), session.panels()[0].sampler.method), (1, Method::Nearest));
    press(&mut window, NONE, Key::Escape);
    assert!(app(&window).lesson().is_none());
    assert!(window.query_by_role_and_label(Role::Tab, "View tab").is_some());
    assert_eq!(state(&window), before);
}

#[test]
fn region_of_a_step_just_fits_into_the_picture_of_any_size() {
    for size in [[1280.0, 860.0], [900.0, 900.0], [640.0, 440.0]] {
        let builder = Harness::builder().with_size(size).with_max_steps(16);
        let mut window = window_of(builder, |ctx| {
            let image = image::embedded().expect("the built-in picture").image;
            Lerpscope::new(ctx, vec![image], Box::new(CpuBackend::new())).expect("an image")
        });
        window.run_ok();
        drop_file(&mut window, &walk_file());
        rest(&mut window);
        let session = app(&window).session();
        let (output, page) = (session.output(), session.page().size());
        let map = session.view().image_from_output(output, page);
        let edges = [map.at([-0.5; 2]), map.at([output.width(), output.height()].map(|side| f64::from(side) - 0.5))];
        let seen = [edges[0][0], edges[0][1], edges[1][0], edges[1][1]];
        let wanted = [199.5, 239.5, 231.5, 263.5];
        let gap: [f64; 4] = std::array::from_fn(|edge| (wanted[edge] - seen[edge]) * if edge < 2 { 1.0 } else { -1.0 });
        // It lies inside, in the middle, and two of its opposite edges are those of the picture.
        assert!(gap.iter().all(|gap| *gap > -1e-6), "{size:?}: {seen:?}");
        assert!((gap[0] - gap[2]).abs() < 1e-6 && (gap[1] - gap[3]).abs() < 1e-6, "{size:?}: {seen:?}");
        assert!(gap[0] < 1e-6 || gap[1] < 1e-6, "{size:?}: {seen:?}");
    }
}

#[test]
fn arrows_page_keys_home_and_end_walk_while_a_lesson_runs() {
    let mut window = walking();
    for (key, expected) in [
        (Key::ArrowRight, 1),
        (Key::PageDown, 2),
        (Key::PageDown, 2),
        (Key::ArrowLeft, 1),
        (Key::PageUp, 0),
        (Key::PageUp, 0),
        (Key::End, 2),
        (Key::Home, 0),
    ] {
        press(&mut window, NONE, key);
        assert_eq!(step(&window), expected, "{key:?}");
    }
    press(&mut window, NONE, Key::End);
    press(&mut window, NONE, Key::PageDown);
    window.get_by_label_contains("This is the last step");
    // Beside a lesson they do what they do.
    press(&mut window, NONE, Key::Escape);
    let before = app(&window).session().view();
    press(&mut window, NONE, Key::ArrowRight);
    rest(&mut window);
    assert!(app(&window).session().view().translation()[0] > before.translation()[0]);
}

#[test]
fn keys_walk_no_further_while_a_text_is_typed() {
    let mut window = walking();
    press(&mut window, CTRL_SHIFT, Key::P);
    press(&mut window, NONE, Key::PageDown);
    press(&mut window, NONE, Key::ArrowRight);
    assert_eq!(step(&window), 0);
}

#[test]
fn buttons_and_dots_walk_and_the_last_button_ends_the_lesson() {
    let mut window = walking();
    click(&mut window, Role::Button, "Next ›");
    assert_eq!(step(&window), 1);
    click(&mut window, Role::Tab, "Step 3: Both at the size of the screen");
    assert_eq!(step(&window), 2);
    click(&mut window, Role::Button, "‹ Back");
    assert_eq!(step(&window), 1);
    press(&mut window, NONE, Key::End);
    click(&mut window, Role::Button, "Finish");
    assert!(app(&window).lesson().is_none());
}

/// The course goes on without a visit to the list.
#[test]
fn last_step_of_a_lesson_of_the_course_leads_to_the_next_lesson() {
    let mut window = basilica();
    let [first, second] = [&embedded()[0], &embedded()[1]];
    press(&mut window, NONE, Key::F2);
    click(&mut window, Role::Button, &format!("Lesson: {}", first.lesson.title));
    press(&mut window, NONE, Key::End);
    click(&mut window, Role::Button, "Next lesson ›");
    assert_eq!(app(&window).lesson(), Some((second.name, 0)));
    assert_eq!(heading(&window), second.lesson.steps[0].title);
}

/// The lessons of the program and of the tests, as paths or names to open.
fn lessons() -> Vec<(PathBuf, Arc<Lesson>)> {
    let text = std::fs::read_to_string(walk_file()).expect("the lesson");
    let own = (walk_file(), Arc::new(Lesson::parse(&text, "walk.toml").expect("a lesson")));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/lessons");
    let of_program =
        embedded().iter().map(|lesson| (folder.join(format!("{}.toml", lesson.name)), lesson.lesson.clone()));
    std::iter::once(own).chain(of_program).collect()
}

#[test]
fn step_reached_by_a_jump_equals_the_step_reached_by_walking_and_by_going_back() {
    for (file, lesson) in lessons() {
        let mut window = basilica();
        drop_file(&mut window, &file);
        let mut walked = Vec::new();
        for number in 0..lesson.steps.len() {
            assert_eq!(step(&window), number, "{}", lesson.title);
            window.run_ok();
            walked.push(state(&window));
            // What a student changes in a step is gone in the next.
            press(&mut window, NONE, Key::K);
            press(&mut window, NONE, Key::Minus);
            press(&mut window, NONE, Key::PageDown);
        }
        for number in (0..lesson.steps.len()).rev() {
            press(&mut window, NONE, Key::Home);
            let name = format!("Step {}: {}", number + 1, lesson.steps[number].title);
            if window.query_by_role_and_label(Role::Tab, &name).is_none() {
                continue;
            }
            click(&mut window, Role::Tab, &name);
            window.run_ok();
            assert_eq!(state(&window), walked[number], "{}, step {}", lesson.title, number + 1);
        }
        press(&mut window, NONE, Key::End);
        for number in (0..lesson.steps.len() - 1).rev() {
            press(&mut window, NONE, Key::PageUp);
            assert_eq!(state(&window), walked[number], "{}, back to step {}", lesson.title, number + 1);
        }
    }
}

#[test]
fn views_ease_to_the_next_step_unless_motion_is_reduced() {
    for reduced in [false, true] {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir_all(folder.path().join("config")).expect("a folder");
        std::fs::write(folder.path().join("config/settings.toml"), format!("reduced-motion = {reduced}"))
            .expect("settings");
        let mut window = open(vec![PathBuf::from(BUILT_IN)], Some(folder.path()));
        drop_file(&mut window, &walk_file());
        rest(&mut window);
        let from = app(&window).session().shown_view_of(0);
        window.key_press(Key::End);
        window.step();
        let session = app(&window).session();
        assert_eq!(session.is_animating(), !reduced);
        let shown = session.shown_view_of(0);
        assert!(shown != from);
        rest(&mut window);
        // A fitted view ends beside its inset.
        let end = app(&window).session().shown_view_of(0);
        assert_eq!(shown == end, reduced, "it lies between both views");
    }
}

#[test]
fn reset_step_shows_the_step_as_it_was() {
    let mut window = walking();
    press(&mut window, NONE, Key::PageDown);
    rest(&mut window);
    let at_first = state(&window);
    press(&mut window, NONE, Key::K);
    press(&mut window, NONE, Key::Minus);
    press(&mut window, Modifiers::COMMAND, Key::N);
    rest(&mut window);
    assert_ne!(state(&window), at_first);
    click(&mut window, Role::Button, "Reset step");
    rest(&mut window);
    assert_eq!(state(&window), at_first);
    assert!(app(&window).session().undoes().is_none(), "there is nothing to undo");
}

/// Whether a narrow bar of this colour is painted: the edge of a task.
fn has_edge(window: &Window, colour: Color32) -> bool {
    fn has(shape: &Shape, colour: Color32) -> bool {
        match shape {
            Shape::Vec(group) => group.iter().any(|shape| has(shape, colour)),
            Shape::Rect(rect) => rect.fill == colour && rect.rect.width() == 3.0,
            _ => false,
        }
    }
    window.output().shapes.iter().any(|clipped| has(&clipped.shape, colour))
}

#[test]
fn task_turns_green_when_the_student_does_it_and_stays_done() {
    let mut window = walking();
    window.get_by_label("Task 1: Try it");
    assert!(has_edge(&window, ORANGE) && !has_edge(&window, GREEN));
    assert!(window.query_by_label_contains("Linear connects neighbours").is_none());
    click(&mut window, Role::Button, "Show a hint");
    window.get_by_label_contains("The method's name in the header");
    press(&mut window, NONE, Key::K);
    wait(&mut window, "the task", |window| window.query_by_label("Task 1: Done").is_some());
    window.run_ok();
    assert!(has_edge(&window, GREEN) && !has_edge(&window, ORANGE));
    window.get_by_label_contains("Linear connects neighbours");
    assert!(
        app(&window).lesson_progress().of(&walk_file().display().to_string()).is_some_and(|m| m.done.contains(&(0, 0)))
    );
    click(&mut window, Role::Button, "Reset step");
    window.get_by_label("Task 1: Done");
}

/// Every task of the program's lessons is done by its solution in the window.
#[test]
fn every_task_is_done_in_the_window_by_its_solution() {
    for (file, lesson) in lessons() {
        for (number, shown) in lesson.steps.iter().enumerate() {
            for (index, task) in shown.tasks.iter().enumerate() {
                let folder = tempfile::tempdir().expect("a folder");
                let name = format!("{}, step {}, task {}", lesson.title, number + 1, index + 1);
                // The same lesson, whose step shows the solution.
                let text = std::fs::read_to_string(&file).expect("the lesson");
                let mut table: toml::Table = text.parse().expect("TOML");
                let steps = table["step"].as_array_mut().expect("steps");
                let session = shown.session(&shown.start()).expect("a session");
                let session = scene::merged(session, &task.solution).expect("a solution");
                steps[number].as_table_mut().expect("a step").insert("session".to_owned(), session.into());
                let solved = folder.path().join("solved.toml");
                std::fs::write(&solved, table.to_string()).expect("a file");
                let mut window = basilica();
                drop_file(&mut window, &solved);
                for _ in 0..number {
                    press(&mut window, NONE, Key::PageDown);
                }
                let part = (number, index);
                let key = solved.display().to_string();
                wait(&mut window, &name, |window| {
                    app(window).lesson_progress().of(&key).is_some_and(|marks| marks.done.contains(&part))
                });
            }
        }
    }
}

#[test]
fn parameter_changes_the_session_while_it_is_dragged_and_keeps_what_the_student_changed() {
    let mut window = walking();
    press(&mut window, NONE, Key::PageDown);
    rest(&mut window);
    let at = |window: &Window| app(window).session().inspect.state.footprint.at.expect("a footprint")[0];
    assert_eq!(at(&window), 212.25);
    press(&mut window, NONE, Key::K);
    let method = app(&window).session().panels()[0].sampler.method;
    assert_ne!(method, Method::Linear);
    let slider = window.get_by_role_and_label(Role::Slider, "α").rect();
    let [from, to] = [0.25, 0.8].map(|share| Pos2::new(slider.left() + share * slider.width(), slider.center().y));
    drag(&mut window, from, to);
    assert!((at(&window) - 212.8).abs() < 0.04, "{}", at(&window));
    let value = window.query_all_by_label_contains("α = 0.8").map(|node| node.rect().left()).fold(f32::MAX, f32::min);
    assert!(value < 40.0, "the number stands above the slider: {value}");
    assert_eq!(app(&window).session().panels()[0].sampler.method, method);
    assert_eq!(app(&window).session().panels().len(), 2);
}

#[test]
fn parameter_plays_from_end_to_end_and_pauses() {
    let mut window = walking();
    press(&mut window, NONE, Key::PageDown);
    rest(&mut window);
    let at = |window: &Window| app(window).session().inspect.state.footprint.at.expect("a footprint")[0];
    window.get_by_role_and_label(Role::Button, "Play α").click();
    window.step();
    let mut places = Vec::new();
    for _ in 0..60 {
        window.step();
        places.push(at(&window));
    }
    let (least, most) = places.iter().fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(*x), b.max(*x)));
    assert!(least < 212.3 && most > 212.9, "{least} to {most}");
    window.get_by_role_and_label(Role::Button, "Pause α").click();
    window.step();
    window.step();
    let paused = at(&window);
    (0..10).for_each(|_| window.step());
    assert_eq!(at(&window), paused);
}

#[test]
fn choice_says_why_it_is_wrong_and_another_can_be_tried() {
    let mut window = walking();
    press(&mut window, NONE, Key::PageDown);
    rest(&mut window);
    let is_answered = |window: &Window| {
        let name = walk_file().display().to_string();
        app(window).lesson_progress().of(&name).is_some_and(|marks| marks.answered.contains(&(1, 0)))
    };
    click(&mut window, Role::RadioButton, "Both, equally large");
    window.get_by_label("Not quite");
    window.get_by_label_contains("Then the value would be the mean");
    assert!(!is_answered(&window));
    click(&mut window, Role::RadioButton, "Only w_0, that of the sample");
    window.get_by_label("Right");
    window.get_by_label_contains("The line passes through the sample there");
    assert!(is_answered(&window));
}

#[test]
fn open_question_reveals_its_answer() {
    let mut window = walking();
    press(&mut window, NONE, Key::PageDown);
    rest(&mut window);
    assert!(window.query_by_label_contains("all values between theirs appear").is_none());
    click(&mut window, Role::Button, "Show the answer");
    window.get_by_label_contains("all values between theirs appear");
}

#[test]
fn every_question_of_the_program_has_its_choices_or_its_answer() {
    for (file, lesson) in lessons() {
        let mut window = basilica();
        drop_file(&mut window, &file);
        for shown in &lesson.steps {
            for question in &shown.questions {
                let buttons = window.query_all_by_role(Role::RadioButton).count();
                match &question.answer {
                    Answer::Choices(choices) => {
                        assert!(buttons >= choices.len(), "{}: {}", lesson.title, question.text);
                    }
                    Answer::Open(_) => {
                        let shown = window.query_all_by_role_and_label(Role::Button, "Show the answer").count();
                        assert!(shown > 0, "{}: {}", lesson.title, question.text);
                    }
                }
            }
            press(&mut window, NONE, Key::PageDown);
        }
    }
}

#[test]
fn hint_of_the_first_screen_names_the_key_of_the_lessons() {
    let builder = Harness::builder().with_size([1280.0, 860.0]).with_max_steps(16);
    let mut window = window_of(builder, |ctx| {
        let image = image::embedded().expect("the built-in picture").image;
        let mut app = Lerpscope::new(ctx, vec![image], Box::new(CpuBackend::new())).expect("an image");
        app.show_opening();
        app
    });
    window.run_ok();
    window.get_by_role_and_label(Role::Button, "Lessons");
}

#[test]
fn f2_opens_the_list_and_closes_it_and_leaves_a_lesson() {
    let mut window = basilica();
    let before = state(&window);
    press(&mut window, NONE, Key::F2);
    assert_eq!(heading(&window), "Lessons");
    let first = &embedded()[0].lesson;
    let row = format!("Lesson: {}", first.title);
    window.get_by_role_and_label(Role::Button, &row);
    assert_eq!(state(&window), before, "the list leaves the panels as they are");
    press(&mut window, NONE, Key::F2);
    assert!(window.query_by_role(Role::Heading).is_none());
    assert_eq!(state(&window), before);
    press(&mut window, NONE, Key::F2);
    click(&mut window, Role::Button, &row);
    assert_eq!((step(&window), heading(&window)), (0, first.steps[0].title.clone()));
    press(&mut window, NONE, Key::F2);
    assert!(app(&window).lesson().is_none() && window.query_by_role(Role::Heading).is_none());
    assert_eq!(state(&window), before);
}

#[test]
fn every_lesson_is_a_row_of_the_palette_and_of_the_tab_learn() {
    for lesson in embedded() {
        let mut window = basilica();
        // Its title may be a method's, too.
        choose(&mut window, lesson.name);
        assert_eq!(app(&window).lesson(), Some((lesson.name, 0)));
    }
    let mut window = basilica();
    window.get_by_role_and_label(Role::Tab, "Learn tab").click();
    window.run_ok();
    let first = embedded().first().expect("a lesson");
    click(&mut window, Role::Button, &format!("Lesson: {}", first.lesson.title));
    assert_eq!(app(&window).lesson(), Some((first.name, 0)));
}

#[test]
fn progress_is_kept_and_the_lesson_continues_in_another_window() {
    let folder = tempfile::tempdir().expect("a folder");
    let sources = || vec![PathBuf::from(BUILT_IN)];
    let mut window = open(sources(), Some(folder.path()));
    press(&mut window, NONE, Key::F2);
    let lesson = &embedded()[0];
    click(&mut window, Role::Button, &format!("Lesson: {}", lesson.lesson.title));
    press(&mut window, NONE, Key::PageDown);
    window.run_ok();
    let text = std::fs::read_to_string(folder.path().join("config/settings.toml")).expect("settings");
    assert!(text.contains(&format!("[lessons.{}]", lesson.name)) && text.contains("seen = [1, 2]"), "{text}");
    drop(window);
    let mut window = open(sources(), Some(folder.path()));
    press(&mut window, NONE, Key::F2);
    window.get_by_label_contains("Continue at step 2: ").click();
    window.run_ok();
    assert_eq!(app(&window).lesson(), Some((lesson.name, 1)));
    press(&mut window, NONE, Key::End);
    window.run_ok();
    // Once to close the lesson, once to open the list.
    press(&mut window, NONE, Key::F2);
    press(&mut window, NONE, Key::F2);
    window.run_ok();
    window.get_by_label_contains("Next lesson: ").click();
    window.run_ok();
    assert_eq!(app(&window).lesson(), Some((embedded()[1].name, 0)));
    press(&mut window, NONE, Key::Escape);
    choose(&mut window, "Forget progress");
    assert!(app(&window).lesson_progress().is_empty());
    press(&mut window, NONE, Key::F2);
    assert!(window.query_by_label_contains("Continue at step").is_none());
    window.run_ok();
    let text = std::fs::read_to_string(folder.path().join("config/settings.toml")).expect("settings");
    assert!(!text.contains("lessons"), "{text}");
}

/// A lesson with one step of this text, whose panel has this method.
fn own_lesson(text: &str, method: &str) -> String {
    format!(
        "title = 'Own'\nsummary = 'A lesson of a test.'\n[[step]]\ntitle = 'One'\ntext = '{text}'\n[step.session]\npanel = [{{ method = '{method}' }}]\n"
    )
}

#[test]
fn edited_lesson_is_shown_anew_and_an_error_leaves_the_last_good_version() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("own.toml");
    std::fs::write(&file, own_lesson("The first text.", "nearest")).expect("a file");
    let mut window = basilica();
    drop_file(&mut window, &file);
    window.get_by_label_contains("The first text.");
    std::fs::write(&file, own_lesson("The second text.", "mitchell")).expect("a file");
    wait(&mut window, "the second text", |window| window.query_by_label_contains("The second text.").is_some());
    assert_eq!(app(&window).session().panels()[0].sampler.method, Method::MITCHELL);
    std::fs::write(
        &file,
        own_lesson("The third text.", "linear").replace("[step.session]", "colour = 3\n[step.session]"),
    )
    .expect("a file");
    wait(&mut window, "the error", |window| window.query_by_label_contains("own.toml:6").is_some());
    window.get_by_label_contains("colour");
    window.get_by_label_contains("The second text.");
    std::fs::write(&file, own_lesson("The fourth text.", "linear")).expect("a file");
    wait(&mut window, "the fourth text", |window| window.query_by_label_contains("The fourth text.").is_some());
    assert!(window.query_by_label_contains("own.toml:").is_none());
}

#[test]
fn wrong_lesson_that_is_dropped_is_refused_with_file_and_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("wrong.toml");
    std::fs::write(&file, "title = 'A'\nsummary = 'B'\nstep = 3\n").expect("a file");
    let mut window = basilica();
    drop_file(&mut window, &file);
    window.get_by_label_contains("wrong.toml:3");
    assert!(app(&window).lesson().is_none());
}

#[test]
fn step_with_a_wrong_session_says_so_in_the_column_and_keeps_the_panels() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("own.toml");
    let text =
        own_lesson("Text.", "nearest") + "[[step]]\ntitle = 'Two'\ntext = 'More.'\n[step.session]\nlayout = 'heap'\n";
    std::fs::write(&file, text).expect("a file");
    let mut window = basilica();
    drop_file(&mut window, &file);
    let before = state(&window);
    press(&mut window, NONE, Key::PageDown);
    window.get_by_label_contains("step 2: session: layout: there is no layout 'heap'");
    assert_eq!((step(&window), state(&window)), (0, before));
}

#[test]
fn folder_of_lessons_is_listed_with_the_errors_of_its_files() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("10.toml", own_lesson("Ten.", "linear")), ("2.toml", own_lesson("Two.", "nearest"))] {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    std::fs::write(folder.path().join("3.toml"), "title = 3").expect("a file");
    let mut window = basilica();
    drop_file(&mut window, folder.path());
    assert_eq!(heading(&window), "Lessons");
    window.get_by_label_contains("3.toml:1");
    let rows: Vec<Rect> =
        window.query_all_by_role_and_label(Role::Button, "Lesson: Own").map(|row| row.rect()).collect();
    assert_eq!(rows.len(), 2);
    let first = if rows[0].top() < rows[1].top() { rows[0] } else { rows[1] };
    window.hover_at(first.center());
    for pressed in [true, false] {
        let (pos, button) = (first.center(), PointerButton::Primary);
        window.event(Event::PointerButton { pos, button, pressed, modifiers: NONE });
    }
    window.run_ok();
    window.get_by_label_contains("Two.");
}

#[test]
fn open_lesson_reads_the_file_that_is_typed() {
    let mut window = basilica();
    choose(&mut window, "Open lesson");
    press(&mut window, Modifiers::COMMAND, Key::A);
    type_text(&mut window, &walk_file().display().to_string());
    press(&mut window, NONE, Key::Enter);
    assert_eq!(heading(&window), "Enlarged, an image shows its samples");
}

#[test]
fn copied_step_shows_the_same_when_it_is_a_lesson() {
    let mut window = basilica();
    for (modifiers, key) in [(NONE, Key::Num8), (NONE, Key::G), (NONE, Key::K), (NONE, Key::A), (NONE, Key::F4)] {
        press(&mut window, modifiers, key);
    }
    rest(&mut window);
    let step_text = app(&window).lesson_step().expect("a step");
    assert!(step_text.contains("[[step]]") && step_text.contains("region = "), "{step_text}");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("copied.toml");
    std::fs::write(&file, format!("title = 'A'\nsummary = 'B'\n{step_text}")).expect("a file");
    let before = state(&window);
    drop_file(&mut window, &file);
    rest(&mut window);
    let shown = state(&window);
    let samplers = |state: &SessionState| state.panels.iter().map(|panel| panel.sampler).collect::<Vec<_>>();
    assert_eq!(samplers(&shown), samplers(&before));
    assert_eq!(shown.inspect, before.inspect);
    assert_eq!((shown.layout, shown.link), (before.layout, before.link));
    // The window has another size beside the column: the same samples are seen.
    let centre = |state: &SessionState| {
        let view = state.panels[0].view;
        view.translation().map(|translation| translation - 0.5 * view.scale())
    };
    let (a, b) = (centre(&before), centre(&shown));
    assert!((a[0] - b[0]).abs() < 0.01 && (a[1] - b[1]).abs() < 0.01, "{a:?} {b:?}");
}

#[test]
fn unit_of_a_lesson_is_not_the_users_and_is_not_written_to_the_settings() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("own.toml");
    std::fs::write(&file, own_lesson("Text.", "nearest") + "inspect = { unit = 'hex' }\n").expect("a file");
    let mut window = open(vec![PathBuf::from(BUILT_IN)], Some(folder.path()));
    let own = app(&window).preferences().unit;
    drop_file(&mut window, &file);
    assert_eq!(app(&window).preferences().unit, Unit::Hex);
    window.run_ok();
    let written = || {
        let text = std::fs::read_to_string(folder.path().join("config/settings.toml")).expect("settings");
        text.parse::<toml::Table>().expect("TOML")["unit"].as_str().map(str::to_owned)
    };
    assert_eq!(written().as_deref(), Some(own.row().name));
    press(&mut window, NONE, Key::Escape);
    assert_eq!(app(&window).preferences().unit, own);
    window.run_ok();
    assert_eq!(written().as_deref(), Some(own.row().name));
}

#[test]
fn session_that_is_kept_for_recovery_is_the_users_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(vec![PathBuf::from(BUILT_IN)], Some(folder.path()));
    press(&mut window, NONE, Key::K);
    let own = state(&window);
    drop_file(&mut window, &walk_file());
    press(&mut window, NONE, Key::PageDown);
    rest(&mut window);
    // The window ends without being asked to close.
    window.state_mut().as_mut().expect("the app").on_exit(None);
    let files = std::fs::read_dir(folder.path().join("data/recovery")).expect("the recovery sessions");
    let files = files.map(|entry| entry.expect("an entry").path());
    let file = files.into_iter().find(|file| file.extension().is_some_and(|end| end == "toml")).expect("a session");
    let text = std::fs::read_to_string(file).expect("a session");
    assert_eq!(SavedSession::parse(&text, "s.toml").expect("a session").state, own);
}

#[test]
fn presentation_shows_the_column_and_the_tools_without_bars() {
    let mut window = walking();
    press(&mut window, NONE, Key::PageDown);
    rest(&mut window);
    let body = |window: &Window| window.get_by_role(Role::Heading).rect().height();
    let before = body(&window);
    press(&mut window, NONE, Key::F11);
    rest(&mut window);
    assert!(window.query_by_label("Menu").is_none(), "there is no toolbar");
    assert_eq!(heading(&window), "A point between two samples");
    window.get_by_role_and_label(Role::Button, "Close Footprint");
    // What tasks and texts speak of: the menus of the headers, the line of the pointer's values, the line profile.
    window.get_by_label("Panel 1 menu");
    window.get_by_label_contains("Point at a picture to read its values");
    press(&mut window, NONE, Key::L);
    window.get_by_label_contains("Drag a line over a picture");
    press(&mut window, NONE, Key::L);
    // Tasks are done by fields of the side bar.
    assert!(window.query_by_role_and_label(Role::Tab, "Inspect tab").is_none());
    press(&mut window, Modifiers::COMMAND, Key::B);
    window.get_by_role_and_label(Role::Tab, "Inspect tab").click();
    rest(&mut window);
    press(&mut window, Modifiers::COMMAND, Key::B);
    assert!(window.query_by_role_and_label(Role::Tab, "Inspect tab").is_none());
    assert!(window.ctx.zoom_factor() == 1.5 && body(&window) > 0.9 * before);
    press(&mut window, NONE, Key::PageDown);
    assert_eq!(step(&window), 2);
    press(&mut window, NONE, Key::Escape);
    assert!(app(&window).lesson().is_some(), "the presentation ends first");
    press(&mut window, NONE, Key::Escape);
    assert!(app(&window).lesson().is_none());
}

#[test]
fn source_of_a_step_is_said_when_it_is_asked_for() {
    let mut window = walking();
    assert!(window.query_by_role_and_label(Role::Button, "Source").is_none(), "the first step has none");
    press(&mut window, NONE, Key::PageDown);
    assert!(window.query_by_label_contains("a book on interpolation").is_none());
    click(&mut window, Role::Button, "Source");
    window.get_by_label_contains("Source: a book on interpolation");
    click(&mut window, Role::Button, "Source");
    assert!(window.query_by_label_contains("a book on interpolation").is_none());
}

/// The weights are those of the position that the step names, not of the pixel next to it. The source is not of the lesson.
#[test]
fn footprint_of_a_lesson_is_at_its_position_without_the_source() {
    let mut window = walking();
    press(&mut window, NONE, Key::PageDown);
    rest(&mut window);
    let header = window.get_by_label_contains("pixel (");
    let header = header.accesskit_node();
    let text = header.label().or_else(|| header.value()).expect("a text");
    assert!(text.contains("m = 212, α = 0.25"), "{text}");
    for end in [".rs:", ".cu:", ".cuh:"] {
        assert!(window.query_by_label_contains(end).is_none(), "{end}");
    }
}

#[test]
fn side_bar_can_be_shown_beside_a_lesson_and_the_users_choice_remains() {
    let mut window = walking();
    press(&mut window, Modifiers::COMMAND, Key::B);
    assert!(window.query_by_role_and_label(Role::Tab, "View tab").is_some());
    press(&mut window, NONE, Key::Escape);
    assert!(window.query_by_role_and_label(Role::Tab, "View tab").is_some());
    press(&mut window, Modifiers::COMMAND, Key::B);
    drop_file(&mut window, &walk_file());
    press(&mut window, NONE, Key::Escape);
    assert!(window.query_by_role_and_label(Role::Tab, "View tab").is_none(), "it was hidden before");
}

#[test]
fn lessons_of_the_program_draw_at_two_sizes() {
    for size in [[1280.0, 860.0], [640.0, 440.0]] {
        for (file, lesson) in lessons() {
            let builder = Harness::builder().with_size(size).with_max_steps(16);
            let mut window = window_of(builder, |ctx| {
                let image = image::embedded().expect("the built-in picture").image;
                Lerpscope::new(ctx, vec![image], Box::new(CpuBackend::new())).expect("an image")
            });
            window.run_ok();
            drop_file(&mut window, &file);
            for (number, shown) in lesson.steps.iter().enumerate() {
                let name = format!("{}, step {}, {size:?}", lesson.title, number + 1);
                assert_eq!((step(&window), heading(&window)), (number, shown.title.clone()), "{name}");
                wait(&mut window, &name, |window| app(window).has_settled());
                let refused = (0..app(&window).session().panels().len())
                    .filter_map(|index| app(&window).picture(index)?.refusal().map(ToString::to_string));
                assert_eq!(refused.collect::<Vec<_>>(), [""; 0], "{name}");
                let next = if number + 1 == lesson.steps.len() { "Finish" } else { "Next ›" };
                let next = window.get_by_role_and_label(Role::Button, next).rect();
                let inside = Rect::from_min_size(Pos2::ZERO, egui::vec2(size[0], size[1]));
                assert!(inside.contains_rect(next), "{name}: {next:?}");
                press(&mut window, NONE, Key::PageDown);
            }
        }
    }
}

/// A window of this size in which the lesson of the program with this name runs.
pub(crate) fn lesson_at(size: [f32; 2], name: &str) -> Window {
    let builder = Harness::builder().with_size(size).with_max_steps(16);
    let mut window = window_of(builder, |ctx| {
        let image = image::embedded().expect("the built-in picture").image;
        Lerpscope::new(ctx, vec![image], Box::new(CpuBackend::new())).expect("an image")
    });
    window.run_ok();
    let (file, _) = lessons().into_iter().find(|(file, _)| file.ends_with(name)).expect("the lesson");
    drop_file(&mut window, &file);
    rest(&mut window);
    window
}

/// Height of the drawer: from its button *Close* to the bottom.
fn drawer_height(window: &Window, tool: &str, bottom: f32) -> f32 {
    bottom - window.get_by_role_and_label(Role::Button, &format!("Close {tool}")).rect().top()
}

#[test]
fn drawer_of_a_lesson_leaves_its_plot_readable_and_the_users_own_height_as_it_was() {
    let size = [1280.0, 860.0];
    let mut window = lesson_at(size, "01-interpolation.toml");
    press(&mut window, NONE, Key::PageDown);
    press(&mut window, NONE, Key::PageDown);
    rest(&mut window);
    assert!(drawer_height(&window, "1-D laboratory", size[1]) > 300.0);
    press(&mut window, NONE, Key::Escape);
    rest(&mut window);
    choose(&mut window, "1-D laboratory");
    rest(&mut window);
    let own = drawer_height(&window, "1-D laboratory", size[1]);
    assert!(own < 260.0, "{own}");
}

#[test]
fn question_below_the_fold_is_named_and_a_click_shows_it() {
    let mut window = lesson_at([900.0, 480.0], "07-catmull-rom.toml");
    press(&mut window, NONE, Key::PageDown);
    rest(&mut window);
    let first = "Every kernel whose weights add up to one";
    let next = |window: &Window| window.get_by_role_and_label(Role::Button, "Next ›").rect();
    assert!(window.get_by_role_and_label(Role::RadioButton, first).rect().top() > next(&window).top());
    click(&mut window, Role::Button, "Question below");
    rest(&mut window);
    assert!(window.query_by_role_and_label(Role::Button, "Question below").is_none());
    let last = window.get_by_role_and_label(Role::RadioButton, "One that is never negative").rect();
    assert!(last.bottom() < next(&window).top(), "{last:?}");
}

#[test]
fn negative_value_of_a_parameter_has_a_true_minus() {
    let mut window = lesson_at([1280.0, 860.0], "05-address-modes.toml");
    press(&mut window, NONE, Key::PageDown);
    rest(&mut window);
    assert!(window.query_by_label("x = −1.5").is_some());
}

#[test]
fn region_of_a_turned_view_is_turned_about_its_middle() {
    let mut window = lesson_at([1280.0, 860.0], "01-interpolation.toml");
    press(&mut window, NONE, Key::End);
    rest(&mut window);
    let session = app(&window).session();
    let (view, output) = (session.view(), session.output());
    assert_eq!(view.angle_deg(), 20.0);
    let middle = [output.width(), output.height()].map(|side| 0.5 * f64::from(side) - 0.5);
    let [x, y] = view.image_from_output(output, session.page().size()).at(middle);
    assert!((x - 263.5).abs() < 1e-6 && (y - 257.5).abs() < 1e-6, "{x}, {y}");
}

/// Whether all of `text` is above the line of buttons.
fn is_in_sight(window: &Window, text: &str) -> bool {
    let back = window.get_by_role_and_label(Role::Button, "‹ Back").rect();
    window.query_all_by_label_contains(text).any(|node| node.rect().bottom() < back.top())
}

#[test]
fn reason_of_a_choice_comes_into_sight_and_so_do_a_hint_and_an_answer() {
    let mut window = lesson_at([900.0, 480.0], "07-catmull-rom.toml");
    press(&mut window, NONE, Key::PageDown);
    rest(&mut window);
    click(&mut window, Role::Button, "Question below");
    rest(&mut window);
    click(&mut window, Role::RadioButton, "One that is never negative");
    wait(&mut window, "the reason", |window| is_in_sight(window, "The B-spline is never negative"));
    press(&mut window, NONE, Key::PageUp);
    rest(&mut window);
    click(&mut window, Role::Button, "Task below");
    rest(&mut window);
    click(&mut window, Role::Button, "Show a hint");
    wait(&mut window, "the hint", |window| is_in_sight(window, "Linear and nearest do"));
    let mut window = lesson_at([900.0, 480.0], "01-interpolation.toml");
    press(&mut window, NONE, Key::End);
    rest(&mut window);
    click(&mut window, Role::Button, "Question below");
    rest(&mut window);
    window.get_all_by_role_and_label(Role::Button, "Show the answer").next().expect("a button").click();
    window.run_ok();
    wait(&mut window, "the answer", |window| is_in_sight(window, "Working out the values of a function"));
}

#[test]
fn panels_of_repeated_rotation_show_their_turned_pictures_in_a_lesson() {
    let mut window = lesson_at([1280.0, 860.0], "12-rotation.toml");
    press(&mut window, NONE, Key::PageDown);
    let caption = "2 Linear: after 15 of 15 turns: 18.6 dB";
    wait(&mut window, "the turns", |window| window.query_by_label_contains(caption).is_some());
    let plot = window.get_by_label_contains("Repeated rotation: 4 methods").rect();
    assert!(window.get_by_label_contains(caption).rect().bottom() < plot.top(), "it is in the panel");
    // The plot has the drawer to itself.
    assert!(plot.width() > 800.0, "{plot:?}");
}

#[test]
fn joined_pins_have_a_line_from_each_to_the_next() {
    fn lines(shape: &Shape) -> usize {
        match shape {
            Shape::Vec(group) => group.iter().map(lines).sum(),
            Shape::LineSegment { stroke, .. } => usize::from(stroke.color == Color32::from_rgb(255, 190, 60)),
            _ => 0,
        }
    }
    let count = |window: &Window| window.output().shapes.iter().map(|clipped| lines(&clipped.shape)).sum::<usize>();
    let mut window = lesson_at([1280.0, 860.0], "15-cache-locality.toml");
    assert_eq!((state(&window).inspect.pins.len(), count(&window)), (4, 0));
    (0..4).for_each(|_| press(&mut window, NONE, Key::PageDown));
    rest(&mut window);
    assert_eq!((state(&window).inspect.pins.len(), count(&window)), (16, 15));
}

#[test]
fn bars_of_a_text_are_read_with_their_numbers() {
    let mut window = lesson_at([1280.0, 860.0], "15-cache-locality.toml");
    (0..8).for_each(|_| press(&mut window, NONE, Key::PageDown));
    rest(&mut window);
    window.get_by_label_contains("8 × 8: 82 µs; 16 × 8: 43 µs");
}
