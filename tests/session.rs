//! Sessions: round trips through files, and copied commands that render their panels byte for byte.

#[path = "ui/harness/dropped.rs"]
mod dropped;
#[path = "session/exports.rs"]
mod exports;
#[path = "session/files.rs"]
mod files;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use egui::Key;
use egui_kittest::Harness;
use lerpscope::app::{
    CURVE_SETS, Compare, DRAWER_TOOLS, Difference, FootprintState, Framing, Gain, InspectState, KEPT_PLACES, KeptPlace,
    LINE_TABS, Lerpscope, LineState, Link, PairsState, PanelLayout, PanelState, QUALITY_SETS, RepeatedRotation,
    Restored, SavedSession, Session, SessionState, TextureErrorState, UNITS, WipeLine,
};
use lerpscope::backend::{COLOUR_MAPS, CONTENTS, ColourMap, Content, CpuBackend, Display, RenderRequest};
use lerpscope::complex::Component;
use lerpscope::filter::{Chain, FILTERS, Filters, Mask, Matrix, Step};
use lerpscope::image::{self, BUILT_IN, Channels, Image, Raster, Region, Samples, Size};
use lerpscope::lab::field::LENSES;
use lerpscope::lab::footprint::STEPS;
use lerpscope::lab::one_dimension::{BASIS_LAYOUTS, PRESETS};
use lerpscope::lab::pairs::PAIR_MEASURES;
use lerpscope::lab::texture_error::{ErrorGain, ShownSteps, TEXEL_PAIRS, TEXTURE_VIEWS};
use lerpscope::plots::PLOT_KINDS;
use lerpscope::sampling::{ADDRESS_MODES, METHODS, SAMPLING_PATHS, Sampler};
use lerpscope::view::View;
use lerpscope::volume::{Orientation, Plane};
use lerpscope::warp::{WARPS, Warp};

use dropped::Dropped;

const PROGRAM: &str = env!("CARGO_BIN_EXE_lerpscope");

fn write(folder: &Path, name: &str, channels: Channels, maxval: u16) -> PathBuf {
    let size = Size::new(37, 29).expect("a size");
    let mut random = fastrand::Rng::with_seed(7);
    let count = size.area() * channels.count();
    let samples = match u8::try_from(maxval) {
        Ok(maxval) => Samples::U8 { values: (0..count).map(|_| random.u8(..=maxval)).collect(), maxval },
        Err(_) => Samples::U16 { values: (0..count).map(|_| random.u16(..=maxval)).collect(), maxval },
    };
    let file = folder.join(name);
    image::save(&file, &Raster::new(size, channels, samples).expect("a raster")).expect("a file");
    file
}

/// Images of every kind, in files whose names need quoting in a shell.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let pages = folder.join("two $pages.pgm");
    std::fs::write(&pages, "P2 3 2 15\n1 2 3 4 5 6\nP2 5 4 99\n9 8 7 6 5 4 3 2 1 0 9 8 7 6 5 4 3 2 1 99\n")
        .expect("a file");
    vec![
        PathBuf::from(BUILT_IN),
        PathBuf::from("synth:siemens-star:64x48"),
        write(folder, "it's grey.pgm", Channels::Grey, 100),
        write(folder, "colour & more.ppm", Channels::Rgb, 255),
        write(folder, "-deep;.png", Channels::Rgba, 65535),
        write(folder, "grey alpha.png", Channels::GreyAlpha, 255),
        pages,
    ]
}

fn open(source: &Path) -> Image {
    image::open_source(source).expect("an image").image
}

/// Kernels with parameters, beside the named methods.
const VALUES: [&str; 7] = [
    "cubic=0.2,0.4",
    "hermite",
    "bspline=5",
    "o-moms",
    "lanczos=2.5",
    "gaussian=0.8",
    "custom=tests/data/kernels/one-sided.csv",
];

fn random_sampler(random: &mut fastrand::Rng) -> Sampler {
    Sampler {
        method: match random.usize(..METHODS.len() + VALUES.len()) {
            index if index < METHODS.len() => METHODS[index].method,
            index => VALUES[index - METHODS.len()].parse().expect("a method"),
        },
        address: [(); 2].map(|()| ADDRESS_MODES[random.usize(..ADDRESS_MODES.len())].address),
        border: random.f32() * 2.0 - 0.5,
        path: SAMPLING_PATHS[random.usize(..SAMPLING_PATHS.len())].path,
        prefilter: random.bool(),
        antialias: random.bool(),
        blur: 0.5 + random.f64(),
        antiringing: if random.bool() { random.f64() } else { 0.0 },
    }
}

/// Up to three steps of any filter, with windows small enough for a slow machine.
fn random_chain(random: &mut fastrand::Rng) -> Chain {
    let step = |random: &mut fastrand::Rng| {
        let row = &FILTERS[random.usize(..FILTERS.len())];
        let mut step = Step::default_of(row.filter).switched(random.u8(..4) > 0);
        for (index, parameter) in row.parameters.iter().enumerate() {
            let (low, high) = (parameter.range.0, parameter.range.1.min(8.0));
            let value = low + (high - low) * random.f64();
            if random.bool() {
                step.set(index, if parameter.whole { value.round() } else { value }).expect("in its range");
            }
        }
        let weights = [random.f64(), -random.f64(), 1.0, 0.25, random.f64(), 3.0];
        let matrix = Matrix::new(random.u32(1..=3), &weights).expect("a matrix");
        let [x, y, columns, rows] = [random.u32(..9), random.u32(..9), random.u32(1..9), random.u32(1..9)];
        let region = Region { left: x, top: y, right: x + columns, bottom: y + rows };
        if random.bool() { step.with_matrix(matrix).with_mask(Mask::of_region(region)) } else { step }
    };
    Chain((0..random.usize(..=3)).map(|_| step(random)).collect())
}

fn random_filters(random: &mut fastrand::Rng) -> Filters {
    let mut chain = || if random.bool() { Chain::default() } else { random_chain(random) };
    Filters { before: chain(), after: chain() }
}

fn random_panel(random: &mut fastrand::Rng, images: &[Arc<Image>]) -> PanelState {
    loop {
        let image = random.usize(..images.len());
        let page = random.usize(..images[image].pages().len());
        let angle_deg = if random.bool() { 0.0 } else { random.f64() * 360.0 - 180.0 };
        let translation = [(); 2].map(|()| (random.f64() - 0.5) * 60.0);
        let view = View::new(translation, (random.f64() * 8.0 - 5.0).exp2()).and_then(|view| view.rotated(angle_deg));
        let display = Display {
            exposure: if random.bool() { 0.0 } else { random.f32() * 4.0 - 2.0 },
            offset: if random.bool() { 0.0 } else { random.f32() - 0.5 },
            gamma: if random.bool() { 1.0 } else { 0.5 + random.f32() * 2.0 },
            window: if random.bool() { [0.0, 1.0] } else { [random.f32() * 0.5, 0.5 + random.f32()] },
            colour_map: COLOUR_MAPS[random.usize(..COLOUR_MAPS.len())].colour_map,
            ..Display::default()
        };
        let framing = [Framing::Free, Framing::Free, Framing::Fit, Framing::Snapped][random.usize(..4)];
        let has_truth = images[image].pages()[page].truth().is_some();
        let content = CONTENTS[random.usize(..4) / 3].content;
        let content = if has_truth { content } else { Content::Interpolation };
        let mut sampler = random_sampler(random);
        // The means of the basilica over pixels take minutes.
        sampler.antialias &= content == Content::Interpolation;
        let panel = PanelState {
            image,
            page,
            plane: Plane::default(),
            component: Component::Magnitude,
            view: view.expect("a view"),
            framing,
            warp: if random.bool() { Warp::None } else { Warp::default_of(WARPS[random.usize(..WARPS.len())].kind) },
            content,
            sampler,
            filters: random_filters(random),
            filters_off: random.u8(..8) == 0,
            display,
        };
        let request = RenderRequest {
            view: panel.view,
            warp: panel.warp.clone(),
            sampler: panel.sampler,
            page,
            filters: panel.filters.clone(),
            display: panel.display,
            ..RenderRequest::new(Size::new(400, 300).expect("a size"))
        };
        if request.check(&images[image].pages()[page]).is_ok() {
            return panel;
        }
    }
}

fn random_state(random: &mut fastrand::Rng, images: &[Arc<Image>]) -> SessionState {
    let panels: Vec<_> = (0..random.usize(1..=9)).map(|_| random_panel(random, images)).collect();
    let compare = [Compare::SideBySide, Compare::Wipe, Compare::Difference][random.usize(..5).saturating_sub(2)];
    let compare = if panels.len() > 1 { compare } else { Compare::SideBySide };
    let second = random.bool().then(|| random.usize(..panels.len()));
    let has_usual_address = panels.iter().all(|panel| panel.sampler.address == Sampler::default().address);
    SessionState {
        dims_outside: has_usual_address && random.bool(),
        focused: random.usize(..panels.len()),
        panels,
        maximized: random.u8(..8) == 0,
        layout: if random.bool() { PanelLayout::Grid } else { PanelLayout::Row },
        link: [Link::Absolute, Link::Relative, Link::Off][random.usize(..3)],
        kept_place: KEPT_PLACES[random.usize(..KEPT_PLACES.len())].kept_place,
        compare,
        second,
        line: WipeLine { share: random.f64(), is_horizontal: random.bool() },
        difference: Difference {
            gain: if random.bool() { Gain::Automatic } else { Gain::Fixed(random.u8(..=Gain::MAX_LOG2)) },
            absolute: random.bool(),
            signed_map: random.bool().then_some(ColourMap::BlueRed),
            absolute_map: random.bool().then_some(ColourMap::Viridis),
        },
        flips_a_second: random.f64() * 15.5 + 0.5,
        has_crosshair: random.bool(),
        inspect: random_inspect(random),
        identified: random.bool().then(|| random.usize(..images.len())),
    }
}

fn random_inspect(random: &mut fastrand::Rng) -> InspectState {
    let mut place = || [(); 2].map(|()| (random.f64() - 0.5) * 300.0);
    let (line, pins, at) = ([place(), place()], vec![place(), place(), place()], place());
    let [left, top] = [random.u32(..40), random.u32(..40)];
    let region = Region { left, top, right: left + random.u32(..9), bottom: top + random.u32(..9) };
    InspectState {
        has_values: random.bool(),
        has_grid: random.bool(),
        shows_outside: random.bool(),
        marks_clipping: random.bool(),
        checks_samples: random.bool(),
        marks_overshoot: random.bool(),
        lens: random.bool().then(|| LENSES[random.usize(..LENSES.len())].lens),
        has_histogram: random.bool(),
        has_metrics: random.bool(),
        is_log: random.bool(),
        is_alone: random.bool(),
        drawer: random.bool().then(|| DRAWER_TOOLS[random.usize(..DRAWER_TOOLS.len())].tool),
        plot: PLOT_KINDS[random.usize(..PLOT_KINDS.len())].kind,
        one_dimension: random_line(random),
        footprint: FootprintState {
            at: random.bool().then_some(at),
            step: STEPS[random.usize(..STEPS.len())].step,
            channel: random.bool().then(|| random.usize(..4)),
        },
        rotation: RepeatedRotation::new(random.u32(2..120), random.u32(..120)),
        quality: QUALITY_SETS[random.usize(..QUALITY_SETS.len())].set,
        pairs: PairsState {
            factor: PairsState::FACTORS[random.usize(..PairsState::FACTORS.len())],
            measure: PAIR_MEASURES[random.usize(..PAIR_MEASURES.len())].measure,
            is_sorted: random.bool(),
        },
        texture_error: TextureErrorState {
            view: TEXTURE_VIEWS[random.usize(..TEXTURE_VIEWS.len())].view,
            gain: ErrorGain::new(random.u16(1..=4096)).expect("a gain"),
            steps: ShownSteps::new(8 << random.u16(0..6)).expect("a choice"),
            texels: TEXEL_PAIRS[random.usize(..TEXEL_PAIRS.len())].pair,
        },
        region: random.bool().then_some(region),
        line: random.bool().then_some(line),
        pins: if random.bool() { pins } else { Vec::new() },
        joins_pins: random.bool(),
    }
}

fn random_line(random: &mut fastrand::Rng) -> LineState {
    let mut line = LineState::default();
    if random.bool() {
        line.take_preset(PRESETS[random.usize(..PRESETS.len())].preset);
        line.set_count(random.usize(1..20));
    }
    if random.bool() {
        line.set_sample(0, random.f64() - 0.5);
        line.set_point(2, random.f64());
    }
    line.set_address(ADDRESS_MODES[random.usize(..ADDRESS_MODES.len())].address);
    line.signal.border = random.f64();
    line.tab = LINE_TABS[random.usize(..LINE_TABS.len())].tab;
    line.curves = CURVE_SETS[random.usize(..CURVE_SETS.len())].curves;
    line.has_lagrange = random.bool();
    line.has_slopes = random.bool();
    line.basis = BASIS_LAYOUTS[random.usize(..BASIS_LAYOUTS.len())].layout;
    line.set_degree(random.usize(..12));
    line.set_place(random.f64());
    line
}

/// Window of `size` points with the session `restored`.
fn window(mut restored: Restored, size: [f32; 2]) -> Harness<'static, Option<Lerpscope>> {
    // The errors of panels change no picture, and those of a reduced basilica take minutes.
    restored.session.inspect.state.has_metrics = false;
    let mut restored = Some(restored);
    let mut window = Harness::builder().with_size(size).with_max_steps(16).build_ui_state(
        move |ui, app: &mut Option<Lerpscope>| {
            let app = app.get_or_insert_with(|| {
                let images = vec![image::embedded().expect("the built-in picture").image];
                let mut app = Lerpscope::new(ui.ctx(), images, Box::new(CpuBackend::new())).expect("an image");
                app.restore(restored.take().expect("the app is made once"));
                app
            });
            app.show(ui);
        },
        None,
    );
    window.run_ok();
    while !window.state().as_ref().expect("the app").has_settled() {
        std::thread::sleep(Duration::from_millis(2));
        window.run_ok();
    }
    window
}

fn rgba(raster: &Raster) -> Vec<u8> {
    let samples = raster.samples();
    let Samples::U8 { values, maxval: 255 } = samples else { panic!("not 8 bit: {:?}", raster.depth()) };
    let four = |pixel: &[u8]| match *pixel {
        [grey] => [grey, grey, grey, 255],
        [grey, alpha] => [grey, grey, grey, alpha],
        [red, green, blue] => [red, green, blue, 255],
        [red, green, blue, alpha] => [red, green, blue, alpha],
        _ => panic!("no pixel"),
    };
    values.chunks_exact(raster.channels().count()).flat_map(four).collect()
}

#[test]
fn copied_commands_of_random_sessions_render_the_panels_byte_for_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    let sources = sources(folder.path());
    let images: Vec<_> = sources.iter().map(|source| Arc::new(open(source))).collect();
    let mut random = fastrand::Rng::with_seed(4);
    let path = format!("{}:/usr/bin:/bin", Path::new(PROGRAM).parent().expect("a folder").display());
    let run = |command: &str, place: &Path| {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(place).env("PATH", &path).output().expect("a shell")
    };
    let (mut sessions, mut pictures, mut differences, mut of_two, mut filtered, mut figures) = (0, 0, 0, 0, 0, 0);
    // Until each kind was seen.
    while sessions < 30 || (sessions < 120 && (differences == 0 || of_two == 0)) {
        let state = random_state(&mut random, &images);
        let session = Session::restored(images.clone(), &state).expect("a session");
        let restored =
            Restored { session, sources: sources.clone(), missing: Vec::new(), warnings: Vec::new(), unit: None };
        // Every pixel is rendered twice: the smallest window with a side bar.
        let window = window(restored, [960.0, 640.0]);
        let app = window.state().as_ref().expect("the app");
        let (figure, commands): (Vec<String>, Vec<String>) = app
            .command_lines()
            .expect("commands")
            .into_iter()
            .partition(|command| command.starts_with("lerpscope figure "));
        let mut is_whole = true;
        sessions += 1;
        let place = folder.path().join(format!("session {sessions}"));
        std::fs::create_dir(&place).expect("a folder");
        for command in commands {
            let index: usize = command
                .split("panel-")
                .nth(1)
                .and_then(|rest| rest.split('.').next())
                .expect("a number")
                .parse()
                .expect("a number");
            let picture = if state.compare == Compare::Difference {
                app.difference()
            } else {
                app.picture(index - 1).expect("a picture")
            };
            let output = run(&command, &place);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            is_whole &= output.status.success();
            if let Some(why) = picture.refusal() {
                assert!(!output.status.success() && said.contains(&why.to_string()), "{command}\n{said}\n{why}");
                continue;
            }
            assert!(output.status.success(), "{command}\n{said}");
            let rendered = image::open(&place.join(format!("panel-{index}.png"))).expect("a picture").image;
            let rendered = rendered.pages()[0].raster();
            assert_eq!(rendered.size(), picture.pixels().size(), "{command}");
            assert!(rgba(rendered) == rgba(picture.pixels()), "{command}");
            pictures += 1;
            filtered += usize::from(command.contains("--filter"));
            differences += usize::from(state.compare == Compare::Difference);
            of_two += usize::from(command.contains("--behind"));
        }
        for command in figure.iter().filter(|_| is_whole) {
            let output = run(command, &place);
            assert!(output.status.success(), "{command}\n{}", String::from_utf8_lossy(&output.stderr));
            figures += 1;
        }
    }
    assert!(pictures > 40 && differences > 0, "{pictures} pictures, {differences} differences");
    assert!(of_two > 0, "no difference of two images");
    assert!(figures > 5, "{figures} figures");
    assert!(filtered > 10, "{filtered} filtered pictures");
}

/// A lesson changes panels, views, tools and the unit; the user's own session has what it had, with its undo.
#[test]
fn random_session_is_equal_after_a_lesson_was_walked_and_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let sources = sources(folder.path());
    let images: Vec<_> = sources.iter().map(|source| Arc::new(open(source))).collect();
    let lesson = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/lessons/walk.toml");
    let mut random = fastrand::Rng::with_seed(9);
    for number in 0..12 {
        let state = random_state(&mut random, &images);
        let session = Session::restored(images.clone(), &state).expect("a session");
        let unit = Some(UNITS[random.usize(..UNITS.len())].unit);
        let restored = Restored { session, sources: sources.clone(), missing: Vec::new(), warnings: Vec::new(), unit };
        let mut window = window(restored, [900.0, 700.0]);
        let facts = |window: &Harness<'static, Option<Lerpscope>>| {
            let app = window.state().as_ref().expect("the app");
            let session = app.session();
            let pages: Vec<_> = session.images().iter().map(|image| image.pages()[0].id()).collect();
            let ids: Vec<_> = session.panels().iter().map(|panel| panel.id()).collect();
            let past = (session.undoes(), session.redoes(), session.can_go_back());
            (session.state(), pages, ids, past, app.preferences().unit)
        };
        let press = |window: &mut Harness<'static, Option<Lerpscope>>, key| {
            window.key_press(key);
            window.run_ok();
        };
        // Something to undo, and something undone.
        [Key::I, Key::I, Key::M].into_iter().for_each(|key| press(&mut window, key));
        window.key_press_modifiers(egui::Modifiers::COMMAND, Key::Z);
        window.run_ok();
        let before = facts(&window);
        assert!(before.3.0.is_some() && before.3.1.is_some(), "session {number}: {:?}", before.3);
        window.input_mut().dropped_files.push(Arc::new(Dropped(lesson.clone())));
        window.run_ok();
        assert!(window.state().as_ref().expect("the app").lesson().is_some());
        for _ in 0..random.usize(..4) {
            let keys = [Key::PageDown, Key::End, Key::PageUp, Key::K, Key::U, Key::V, Key::Num3, Key::A];
            press(&mut window, keys[random.usize(..keys.len())]);
        }
        // Toasts and the lesson.
        press(&mut window, Key::Escape);
        assert!(window.state().as_ref().expect("the app").lesson().is_none());
        assert_eq!(facts(&window), before, "session {number}");
    }
}

#[test]
fn session_written_to_a_file_is_read_back_equal() {
    let folder = tempfile::tempdir().expect("a folder");
    let sources = sources(folder.path());
    let images: Vec<_> = sources.iter().map(|source| Arc::new(open(source))).collect();
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..200 {
        let unit = random.bool().then(|| UNITS[random.usize(..UNITS.len())].unit);
        let saved = SavedSession { images: sources.clone(), state: random_state(&mut random, &images), unit };
        let text = saved.text().expect("a text");
        assert_eq!(SavedSession::parse(&text, "s.toml").as_ref(), Ok(&saved), "{text}");
    }
    let state = random_state(&mut random, &images);
    let file = folder.path().join("s.toml");
    std::fs::write(&file, SavedSession { images: sources, state: state.clone(), unit: None }.text().expect("a text"))
        .expect("a file");
    let restored = Restored::open(&file).expect("a session");
    assert_eq!(restored.session.state(), state);
    assert_eq!(restored.session.images().len(), images.len());
}

#[test]
fn session_with_wrong_values_is_refused_by_key_and_unknown_keys_are_ignored() {
    let wrong = |text: &str| SavedSession::parse(text, "s.toml").expect_err(text).to_string();
    let good = "images = ['builtin:basilica']\nfuture = 1\n[inspect]\nnew-too = 2\ngrid = true\n[[panel]]\nscale = 0.5\nalso-new = 'x'\n";
    let saved = SavedSession::parse(good, "s.toml").expect("a session");
    assert_eq!(saved.state.panels[0].view.scale(), 0.5);
    assert!(saved.state.inspect.has_grid && !saved.state.inspect.has_values && saved.state.has_crosshair);
    for (text, said) in [
        ("images = []\n[[panel]]", "s.toml: images: there is none"),
        ("images = ['a']", "s.toml: panel: there are 1 to 9, not 0"),
        ("images = ['a']\nlayout = 'heap'\n[[panel]]", "s.toml: layout: there is no layout 'heap'; there are "),
        ("images = ['a']\n[[panel]]\n[[panel]]\nimage = 2", "s.toml: panel 2: image: there are 1 to 1, not 2"),
        ("images = ['a']\n[[panel]]\nscale = 0.0", "s.toml: panel 1: scale: "),
        ("images = ['a']\n[[panel]]\nsampler = 'method=sinc'", "s.toml: panel 1: sampler: there is no method 'sinc'"),
        (
            "images = ['a']\n[inspect]\nunit = 'ell'\n[[panel]]",
            "s.toml: inspect: unit: there is no unit 'ell'; there are ",
        ),
        ("images = ['a']\n[inspect]\ngrid = 3\n[[panel]]", "s.toml: inspect: grid: "),
        ("images = ['a']\n[inspect]\npins = [[1.0]]\n[[panel]]", "s.toml: inspect: pins: "),
        ("images = ['a']\n[inspect]\nline = [[0.0, 1.0], [nan, 2.0]]\n[[panel]]", "s.toml: inspect: line: a place is "),
        ("images = ['a']\n[inspect]\nregion = [5, 0, 4, 9]\n[[panel]]", "s.toml: inspect: region: left, top, "),
        ("images = 7", "s.toml: images: "),
        ("images = [", "s.toml: line 1: "),
    ] {
        let problem = wrong(text);
        assert!(problem.starts_with(said) && !problem.contains('\n'), "{text:?}: {problem}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("s.toml");
    let refused = |why: &str| Restored::open(&file).expect_err(why).to_string();
    assert!(refused("no file").contains("s.toml"));
    std::fs::write(&file, format!("# {}", "x".repeat(1 << 20))).expect("a file");
    assert_eq!(refused("too long"), format!("{}: is longer than 1 MiB", file.display()));
    std::fs::write(&file, "images = ['missing.pgm']\n[[panel]]").expect("a file");
    let missing = Restored::open(&file).expect("a session without its image");
    assert!(missing.session.image().is_missing() && missing.missing.len() == 1);
    assert!(missing.missing[0].to_string().contains("missing.pgm: does not exist"));
    std::fs::write(&file, "images = ['synth:moon:3x3']\n[[panel]]").expect("a file");
    assert!(refused("no formula").contains("moon"));
    std::fs::write(&file, "images = ['builtin:basilica']\n[[panel]]\npage = 3").expect("a file");
    assert!(refused("no page").contains("s.toml"));
}

/// Every session key with a long text as its value, and long texts as keys.
#[test]
fn long_session_values_in_error_messages_are_cut() {
    let good = "images = ['builtin:basilica']\nlayout = 'grid'\nlink = 'absolute'\ncompare = 'off'\nline = 0.5\n\
                line-lies = false\ngain-log2 = 1\nabsolute = true\nsigned-map = 'grey'\nghost-cursor = true\n\
                focused = 1\nmaximized = false\n[inspect]\nunit = 'file'\ngrid = true\npins = [[1.0, 2.0]]\n\
                region = [0, 0, 1, 1]\n[[panel]]\nimage = 1\npage = 1\nsampler = 'blur=1'\n\
                translate = [0.0, 0.0]\nscale = 1.0\nrotate = 0.0\nframing = 'free'\nfilter = ['negative']\n\
                filters-off = false\nexposure = 0.0\nwindow = [0.0, 1.0]\ncolour-map = 'grey'\n";
    let mut cut = 0;
    for long in ["x".repeat(10_000), "x ".repeat(5_000), "x'".repeat(5_000), "x\\\"".repeat(5_000)] {
        let quoted = format!("\"{long}\"");
        let mut texts =
            vec![format!("{long} ="), format!("{quoted} = 1\n{quoted} = 2"), format!("layout = {quoted}{quoted}")];
        for (index, line) in good.lines().enumerate() {
            let Some((key, value)) = line.split_once(" = ") else { continue };
            let replaced = |value: &str| {
                let lines = good.lines().enumerate();
                let line = |(at, line): (usize, &str)| {
                    if at == index { format!("{key} = {value}\n") } else { format!("{line}\n") }
                };
                lines.map(line).collect::<String>()
            };
            texts.extend([
                replaced(&quoted),
                replaced(&format!("[{quoted}]")),
                replaced(&format!("{{ {quoted} = {value} }}")),
            ]);
            texts.push(replaced(&format!("\"method={long}\"")));
        }
        for text in texts {
            let Err(problem) = SavedSession::parse(&text, "s.toml").map_err(|error| error.to_string()) else {
                continue;
            };
            assert!(problem.chars().count() <= 500 && problem.starts_with("s.toml: "), "{problem:.300}");
            for run in ["x".repeat(41), "x ".repeat(21), "x'".repeat(21)] {
                assert!(!problem.contains(&run), "{problem:.300}");
            }
            cut += usize::from(problem.contains('…'));
        }
    }
    assert!(cut > 40, "{cut}");
}
