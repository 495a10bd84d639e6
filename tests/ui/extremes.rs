//! Extreme numbers in every field of sessions and settings: refused in one line, or shown. Debug builds panic on
//! overflow.

use std::panic::{AssertUnwindSafe, catch_unwind};

use egui_kittest::Harness;
use lerpscope::app::{Lerpscope, SavedSession, Settings};
use lerpscope::backend::CpuBackend;
use lerpscope::filter::{FILTERS, STAGES};
use lerpscope::image;

use crate::harness::{Window, app, window_of};

/// Extreme floats and integers of TOML.
const EXTREMES: [&str; 16] = [
    "1e308",
    "-1e308",
    "5e-324",
    "-5e-324",
    "nan",
    "-nan",
    "inf",
    "-inf",
    "1e18",
    "-1e18",
    "0",
    "-1",
    "4294967295",
    "16777217",
    "9223372036854775807",
    "-9223372036854775808",
];

/// Numeric fields of a panel, with `{}` for the number.
const PANEL: [&str; 16] = [
    "image = {}",
    "page = {}",
    "translate = [{}, 0.0]",
    "translate = [0.0, {}]",
    "scale = {}",
    "rotate = {}",
    "warp = 'swirl={},{}'",
    "warp = 'grid=[{},0,0,0;0,0,0,{}]'",
    "exposure = {}",
    "offset = {}",
    "gamma = {}",
    "window = [{}, 1.0]",
    "window = [0.0, {}]",
    "sampler = 'border={},address=border'",
    "sampler = 'method=lanczos3,antiring={}'",
    "scale = 1.5\nsampler = 'antialias,method=lanczos3,blur={}'",
];

/// Fields of the session.
const SESSION: [&str; 5] = [
    "focused = {}",
    "second = {}\ncompare = 'wipe'",
    "line = {}\ncompare = 'wipe'",
    "gain-log2 = {}\ncompare = 'difference'",
    "flips-a-second = {}",
];

/// Fields of the overlays.
const INSPECT: [&str; 8] = [
    "pins = [[{}, 0.0], [1.0, {}]]",
    "line = [[{}, 0.0], [3.0, 4.0]]",
    "line = [[0.0, 1.0], [3.0, {}]]",
    "line = [[{}, {}], [{}, {}]]",
    "region = [{}, 0, 4, 4]",
    "region = [0, {}, 4, 4]",
    "region = [0, 0, {}, 4]",
    "region = [0, 0, 4, {}]",
];

/// Session text with one field set: two panels, so that they can be compared, and every overlay on.
fn session_text(top: &str, inspect: &str, panel: &str) -> String {
    let switches = "values = true\ngrid = true\nghosts = true\nclipping = true\nsample-check = true\novershoot = true\nlens = 'isolines'\nhistogram = true\nplots = true\nplot = 'response'\n";
    format!(
        "images = ['builtin:basilica']\n{top}\n[inspect]\n{switches}{inspect}\n[[panel]]\n{panel}\n[[panel]]\nscale = 0.1\n"
    )
}

/// Every session text, with one extreme number each.
fn texts() -> Vec<String> {
    let mut texts = Vec::new();
    for number in EXTREMES {
        let with = |template: &str| template.replace("{}", number);
        texts.extend(SESSION.iter().map(|field| session_text(&with(field), "", "")));
        texts.extend(INSPECT.iter().map(|field| session_text("", &with(field), "scale = 0.02")));
        texts.extend(PANEL.iter().map(|field| session_text("", "", &with(field))));
        for row in &FILTERS {
            for (index, parameter) in row.parameters.iter().enumerate() {
                let stage = STAGES[index % STAGES.len()].name;
                let step = format!("{stage} = ['{}={}={number}']", row.name, parameter.name);
                texts.push(session_text("", "", &step));
            }
        }
    }
    texts
}

/// Window of the built-in image.
fn open() -> Window {
    let builder = Harness::builder().with_size([900.0, 700.0]).with_max_steps(8);
    let mut window = window_of(builder, |ctx| {
        let image = image::embedded().expect("the built-in picture").image;
        Lerpscope::new(ctx, vec![image], Box::new(CpuBackend::new())).expect("an image")
    });
    window.run_ok();
    window
}

#[test]
fn sessions_with_extreme_numbers_open_or_are_refused_in_one_line() {
    let mut window = open();
    let (mut refused, mut shown, mut failed) = (0, 0, Vec::new());
    for text in texts() {
        match SavedSession::parse(&text, "s.toml") {
            Err(problem) => {
                let problem = problem.to_string();
                assert!(problem.starts_with("s.toml: ") && problem.lines().count() == 1, "{problem}");
                refused += 1;
            }
            Ok(saved) => {
                let show = || {
                    let restored = window.state_mut().as_mut().is_some_and(|app| app.restore_state(&saved.state));
                    assert!(restored || saved.state.panels[0].page > 0, "it fits the window's image");
                    window.step();
                    window.step();
                    assert_eq!(app(&window).session().panels().len(), 2);
                };
                if catch_unwind(AssertUnwindSafe(show)).is_err() {
                    failed.push(text);
                    window = open();
                }
                shown += 1;
            }
        }
    }
    assert!(failed.is_empty(), "{} of {shown} sessions panic:\n{}", failed.len(), failed.join("\n"));
    assert!(refused > 200 && shown > 100, "{refused} refused, {shown} shown");
}

#[test]
fn settings_with_extreme_numbers_keep_defaults_and_report_one_line() {
    for number in EXTREMES {
        let (settings, problems) = Settings::parse(&format!("text-scale = {number}"), "s.toml");
        assert_eq!(settings, Settings::default(), "{number}");
        assert!(problems.len() == 1 && problems[0].to_string().lines().count() == 1, "{number}: {problems:?}");
    }
}
