//! Session files: every changed field is restored, and image names are relative to the file.

use lerpscope::app::{
    AppPaths, Coordinates, CurveSet, DrawerTool, FootprintState, LineTab, PairsState, Preferences, QualitySet,
    RepeatedRotation, SampleSource, TextureErrorState, Unit, WheelDevice,
};
use lerpscope::filter::{STAGES, Stage};
use lerpscope::lab::field::Lens;
use lerpscope::lab::footprint::StepKind;
use lerpscope::lab::one_dimension::{BasisLayout, Signal};
use lerpscope::lab::pairs::PairMeasure;
use lerpscope::lab::texture_error::{ErrorGain, ShownSteps, TexelPair, TextureView};
use lerpscope::plots::PlotKind;
use lerpscope::sampling::{AddressMode, Method};
use toml::Table;

use super::*;

/// A panel with every field changed from the default of a file.
fn unusual_panel() -> PanelState {
    PanelState {
        image: 6,
        page: 1,
        plane: Plane {
            orientation: Orientation::Oblique { tilt_deg: 30.0, turn_deg: -12.5 },
            slice: Some(2.25),
            time: 1.5,
        },
        component: Component::Phase,
        view: View::new([1.5, -2.25], 0.75).and_then(|view| view.rotated(-90.0)).expect("a view"),
        framing: Framing::Snapped,
        warp: "grid=[0,0,0.125,-0.5;0.1,0,0,0]".parse().expect("a warp"),
        content: Content::Truth,
        sampler: Sampler {
            method: Method::CATMULL_ROM,
            address: [AddressMode::Wrap, AddressMode::Mirror],
            border: 0.625,
            path: lerpscope::sampling::SamplingPath::Lookup,
            prefilter: true,
            antialias: true,
            blur: 1.75,
            antiringing: 0.625,
        },
        filters: Filters {
            before: "gaussian=1.5;negative".parse().expect("a chain"),
            after: "median=2".parse().expect("a chain"),
        },
        filters_off: true,
        display: Display {
            exposure: 0.5,
            offset: -0.25,
            gamma: 2.2,
            window: [0.125, 0.875],
            colour_map: ColourMap::Inferno,
            ..Display::default()
        },
    }
}

fn unusual_state() -> SessionState {
    SessionState {
        panels: vec![unusual_panel(), unusual_panel()],
        focused: 1,
        maximized: true,
        layout: PanelLayout::Row,
        link: Link::Relative,
        kept_place: KeptPlace::Share,
        compare: Compare::Wipe,
        second: Some(0),
        line: WipeLine { share: 0.25, is_horizontal: true },
        difference: Difference {
            gain: Gain::Automatic,
            absolute: true,
            signed_map: Some(ColourMap::Viridis),
            absolute_map: Some(ColourMap::Turbo),
        },
        flips_a_second: 8.0,
        has_crosshair: false,
        dims_outside: true,
        identified: Some(1),
        inspect: InspectState {
            has_values: true,
            has_grid: true,
            shows_outside: true,
            marks_clipping: true,
            checks_samples: true,
            marks_overshoot: true,
            lens: Some(Lens::Gradient),
            has_histogram: false,
            has_metrics: true,
            is_log: true,
            is_alone: true,
            drawer: Some(DrawerTool::Plots),
            plot: PlotKind::Response,
            one_dimension: unusual_line(),
            footprint: FootprintState { at: Some([7.25, -1.5]), step: StepKind::Rows, channel: Some(2) },
            rotation: RepeatedRotation::new(36, 9),
            quality: QualitySet::Named,
            pairs: PairsState { factor: 6, measure: PairMeasure::Ssim, is_sorted: true },
            texture_error: TextureErrorState {
                view: TextureView::TableOne,
                gain: ErrorGain::new(4096).expect("a gain"),
                steps: ShownSteps::new(64).expect("a choice"),
                texels: TexelPair::Whole,
            },
            region: Some(Region { left: 1, top: 2, right: 3, bottom: 4 }),
            line: Some([[0.5, 1.0], [2.0, 3.5]]),
            pins: vec![[4.5, 5.0]],
            joins_pins: true,
        },
    }
}

fn unusual_line() -> LineState {
    LineState {
        signal: Signal::new(vec![0.5, -1.0, 0.25], AddressMode::Wrap, 0.75).expect("a line"),
        source: SampleSource::Image("row 3, samples 7 to 9".to_owned()),
        points: vec![0.25, -2.5],
        tab: LineTab::Prefilter,
        curves: CurveSet::Named,
        has_lagrange: true,
        has_slopes: true,
        basis: BasisLayout::Overlaid,
        degree: 5,
        place: -1.25,
    }
}

/// Asserts that each field of two values differs. A new field of the type that is missing here is a compile error.
macro_rules! assert_each_differs {
    ($type:ident { $($field:ident),* $(,)? } of $a:expr, $b:expr) => {{
        let $type { $($field),* } = $a;
        let other = &$b;
        $(assert_ne!($field, &other.$field, concat!(stringify!($type), "'s ", stringify!($field)));)*
    }};
}

/// State of a file with an image and a panel only.
fn usual_state() -> SessionState {
    SavedSession::parse("images = ['builtin:basilica']\n[[panel]]\n", "s.toml").expect("a session").state
}

#[test]
fn session_with_every_field_changed_is_read_back_equal() {
    let (state, usual) = (unusual_state(), usual_state());
    assert_each_differs!(SessionState {
        panels, focused, maximized, layout, link, kept_place, compare, second, line, difference, flips_a_second,
        has_crosshair, dims_outside, inspect, identified,
    } of &state, &usual);
    assert_each_differs!(WipeLine { share, is_horizontal } of &state.line, &usual.line);
    assert_each_differs!(Difference { gain, absolute, signed_map, absolute_map } of &state.difference, &usual.difference);
    assert_each_differs!(InspectState {
        has_values, has_grid, shows_outside, marks_clipping, checks_samples, marks_overshoot, lens, has_histogram,
        has_metrics, is_log, is_alone, drawer, plot, one_dimension, footprint, rotation, pairs, quality,
        texture_error, region, line, pins, joins_pins,
    } of &state.inspect, &usual.inspect);
    assert_each_differs!(TextureErrorState {
        view, gain, steps, texels,
    } of &state.inspect.texture_error, &usual.inspect.texture_error);
    assert_each_differs!(LineState {
        signal, source, points, tab, curves, has_lagrange, has_slopes, basis, degree, place,
    } of &state.inspect.one_dimension, &usual.inspect.one_dimension);
    assert_each_differs!(PairsState { factor, measure, is_sorted } of &state.inspect.pairs, &usual.inspect.pairs);
    for panel in &state.panels {
        let (other, sampler) = (&usual.panels[0], &panel.sampler);
        assert_each_differs!(PanelState {
            image, page, plane, component, view, framing, warp, content, sampler, filters, filters_off, display,
        } of panel, other);
        assert_each_differs!(Sampler { method, address, border, path, prefilter, antialias, blur, antiringing } of sampler, other.sampler);
        assert_each_differs!(Filters { before, after } of &panel.filters, other.filters);
        // A panel keeps the sign of its values: `absolute` belongs to the comparison.
        let Display { exposure, offset, gamma, window, colour_map, absolute: _ } = &panel.display;
        let plain = &other.display;
        assert!(*exposure != plain.exposure && *offset != plain.offset && *gamma != plain.gamma);
        assert!(*window != plain.window && *colour_map != plain.colour_map);
        assert!((0..2).all(|axis| sampler.address[axis] != other.sampler.address[axis]));
        assert!((0..2).all(|axis| panel.view.translation()[axis] != other.view.translation()[axis]));
        assert!(panel.view.scale() != other.view.scale() && panel.view.angle_deg() != other.view.angle_deg());
    }

    let folder = tempfile::tempdir().expect("a folder");
    let saved = SavedSession { images: sources(folder.path()), state, unit: Some(UNITS[UNITS.len() - 1].unit) };
    let text = saved.text().expect("a text");
    assert_eq!(SavedSession::parse(&text, "s.toml").as_ref(), Ok(&saved), "{text}");
    let file = folder.path().join("s.toml");
    std::fs::write(&file, &text).expect("a file");
    assert_eq!(Restored::open(&file).expect("a session").session.state(), saved.state);
}

#[test]
fn scales_of_both_axes_are_kept_as_a_pair_and_wrong_ones_are_refused() {
    let text = |scale: &str, framing: &str| {
        format!("images = ['builtin:basilica']\n[[panel]]\nscale = {scale}\nrotate = 90.0\nframing = '{framing}'\n")
    };
    let saved = SavedSession::parse(&text("[0.25, 0.1]", "free"), "s.toml").expect("a session");
    assert_eq!(saved.state.panels[0].view.scales(), [0.25, 0.1]);
    let written = saved.text().expect("a text");
    assert!(written.contains("scale = [0.25, 0.1]"), "{written}");
    assert_eq!(SavedSession::parse(&written, "s.toml"), Ok(saved));
    let square = SavedSession::parse(&text("[0.5, 0.5]", "free"), "s.toml").expect("a session");
    assert!(square.text().expect("a text").contains("scale = 0.5\n"), "one number for square pixels");
    for (scale, cause) in [
        ("[1.0, 0.0]", "s.toml: panel 1: scale: scale 0 is not between"),
        ("[1.0, 2000.0]", "scales 1 and 2000 differ by more than a factor of 1024"),
        ("[1.0]", "s.toml: panel 1: scale: "),
        ("'wide'", "s.toml: panel 1: scale: "),
    ] {
        let error = SavedSession::parse(&text(scale, "free"), "s.toml").expect_err(scale).to_string();
        assert!(error.contains(cause) && !error.contains('\n'), "{scale}: {error}");
    }
    // A fitted view keeps the ratio.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("s.toml");
    std::fs::write(&file, text("[0.25, 0.1]", "fit")).expect("a file");
    let view = Restored::open(&file).expect("a session").session.view();
    assert!((view.ratio() - 0.4).abs() < 1e-12, "{view:?}");
}

/// A kernel's file is named as the images are: relative to the session's file, and kept by its absolute name.
#[test]
fn a_relative_custom_kernel_is_read_from_the_sessions_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, coded) in [("kernel.csv", "kernel.csv"), ("my, 100%.csv", "my%2C%20100%25.csv")] {
        std::fs::write(folder.path().join(name), "0,1\n1,0\n").expect("a kernel");
        let text = format!("images = ['builtin:basilica']\n[[panel]]\nsampler = 'method=custom={coded},blur=2'\n");
        let file = folder.path().join("s.toml");
        std::fs::write(&file, text).expect("a session");
        let state = Restored::open(&file).expect("a session").session.state();
        let sampler = state.panels[0].sampler;
        assert_eq!(sampler.method.to_string(), format!("custom={}", folder.path().join(name).display()));
        assert_eq!(sampler.blur, 2.0);
        let saved = SavedSession { images: vec!["builtin:basilica".into()], state, unit: None };
        let again = SavedSession::parse(&saved.text().expect("a text"), "s.toml").expect("read from anywhere");
        assert_eq!(again.state.panels[0].sampler, sampler);
    }
    let file = folder.path().join("s.toml");
    std::fs::write(&file, "images = ['builtin:basilica']\n[[panel]]\nsampler = 'method=custom=gone.csv'\n")
        .expect("a session");
    let problem = Restored::open(&file).expect_err("no kernel");
    let named = format!("s.toml: panel 1: sampler: {}: ", folder.path().join("gone.csv").display());
    assert!(problem.to_string().contains(&named), "{problem}");
}

/// A window whose settings file has this text, which shows the session of the file `session`.
fn window_of_session(folder: &Path, settings: &str, session: &str) -> Harness<'static, Option<Lerpscope>> {
    let places = AppPaths {
        settings: folder.join("settings.toml"),
        session: folder.join("last.toml"),
        pasted: folder.join("pasted"),
    };
    std::fs::write(&places.settings, settings).expect("settings");
    let file = folder.join("s.toml");
    std::fs::write(&file, session).expect("a session");
    let mut window = Harness::builder().with_size([900.0, 700.0]).with_max_steps(16).build_ui_state(
        move |ui, app: &mut Option<Lerpscope>| {
            let app = app.get_or_insert_with(|| {
                let images = vec![image::embedded().expect("the built-in picture").image];
                let mut app = Lerpscope::new(ui.ctx(), images, Box::new(CpuBackend::new())).expect("an image");
                app.remember_at(ui.ctx(), places.clone());
                app.restore(Restored::open(&file).expect("a session"));
                app
            });
            app.show(ui);
        },
        None,
    );
    window.run_ok();
    window
}

/// The unit is a preference. A session file of today or of an earlier version sets it, and the settings file keeps it;
/// the other preferences stay as they are.
#[test]
fn session_with_a_unit_sets_the_preference_and_without_one_leaves_it() {
    let settings = "wheel = 'trackpad'\nunit = 'hex'\ncoordinates = 'texel'\nreduced-motion = true\n";
    for (inspect, unit) in
        [("", Unit::Hex), ("[inspect]\ngrid = true\n", Unit::Hex), ("[inspect]\nunit = 'byte'\n", Unit::Byte)]
    {
        let folder = tempfile::tempdir().expect("a folder");
        let session = format!("images = ['builtin:basilica']\n{inspect}[[panel]]\n");
        let window = window_of_session(folder.path(), settings, &session);
        let coordinates = Coordinates::Texel;
        let preferences = Preferences {
            wheel: WheelDevice::Trackpad,
            unit,
            coordinates,
            reduced_motion: true,
            ..Preferences::default()
        };
        assert_eq!(*window.state().as_ref().expect("the app").preferences(), preferences, "{inspect:?}");
        let kept = std::fs::read_to_string(folder.path().join("settings.toml")).expect("settings");
        assert_eq!(kept.parse::<Table>().expect("TOML")["unit"].as_str(), Some(unit.row().name), "{kept}");
    }
}

/// Sessions of version 0.1 have the state of a maximized panel under another spelling, and no key for a hidden histogram.
#[test]
fn session_of_version_0_1_has_its_maximized_panel_and_no_histogram() {
    for (lines, is_maximized) in [("", false), ("maximised = true", true), ("maximized = true", true)] {
        let text = format!("images = ['builtin:basilica']\n{lines}\n[inspect]\ngrid = true\n[[panel]]\n");
        let saved = SavedSession::parse(&text, "s.toml").expect("a session");
        assert_eq!((saved.state.maximized, saved.state.inspect.has_histogram), (is_maximized, false), "{lines}");
    }
}

/// The plots, once the only tool of the drawer, have a switch in sessions of earlier versions.
#[test]
fn session_file_names_the_open_tool_or_switches_the_plots_on() {
    for (lines, drawer) in [
        ("", None),
        ("plots = true", Some(DrawerTool::Plots)),
        ("plots = false", None),
        ("drawer = 'plots'", Some(DrawerTool::Plots)),
    ] {
        let text = format!("images = ['builtin:basilica']\n[inspect]\n{lines}\n[[panel]]\n");
        let saved = SavedSession::parse(&text, "s.toml").expect("a session");
        assert_eq!(saved.state.inspect.drawer, drawer, "{lines}");
    }
    let text = "images = ['builtin:basilica']\n[inspect]\ndrawer = 'plot'\n[[panel]]\n";
    let error = SavedSession::parse(text, "s.toml").expect_err("no such tool").to_string();
    assert!(error.contains("plots"), "{error}");
}

/// Sessions of earlier versions have fixed gains, gain 1 if they name none.
#[test]
fn session_file_has_a_fixed_gain_unless_it_is_said_to_be_automatic() {
    for (line, gain) in [
        ("", Gain::Fixed(0)),
        ("gain-log2 = 3", Gain::Fixed(3)),
        ("automatic-gain = false", Gain::Fixed(0)),
        ("automatic-gain = true", Gain::Automatic),
        ("gain-log2 = 3\nautomatic-gain = true", Gain::Automatic),
    ] {
        let text = format!("images = ['builtin:basilica']\n{line}\n[[panel]]\n");
        let saved = SavedSession::parse(&text, "s.toml").expect("a session");
        assert_eq!(saved.state.difference.gain, gain, "{line}");
    }
}

/// Every key of the file stands for something: without it another session is read.
#[test]
fn session_file_without_a_key_differs_for_every_key() {
    let saved = SavedSession { images: vec![PathBuf::from(BUILT_IN); 7], state: unusual_state(), unit: None };
    let table: Table = saved.text().expect("a text").parse().expect("TOML");
    let without = |path: &[&str], key: &str| {
        let mut table = table.clone();
        let mut inner = &mut table;
        for step in path {
            let value = inner.get_mut(*step).expect("a key");
            inner = match value {
                toml::Value::Array(list) => list[0].as_table_mut().expect("a table"),
                value => value.as_table_mut().expect("a table"),
            };
        }
        inner.remove(key).expect("a key");
        SavedSession::parse(&table.to_string(), "s.toml")
    };
    let keys = |table: &Table| table.keys().cloned().collect::<Vec<_>>();
    let inspect = table["inspect"].as_table().expect("a table");
    let panel = table["panel"][0].as_table().expect("a table");
    let stages: Vec<&str> = STAGES.iter().map(|row| row.name).collect();
    assert!(stages.iter().all(|name| panel.contains_key(*name)), "{panel}");
    for (path, keys) in [(&[][..], keys(&table)), (&["inspect"], keys(inspect)), (&["panel"], keys(panel))] {
        for key in keys {
            assert_ne!(without(path, &key).as_ref(), Ok(&saved), "{path:?} {key}");
        }
    }
    assert_eq!(saved.state.panels[0].filters.chain(Stage::After).0.len(), 1);
}

fn write_grey(file: &Path, value: u8) {
    let size = Size::new(4, 3).expect("a size");
    let samples = Samples::U8 { values: vec![value; size.area()], maxval: 255 };
    image::save(file, &Raster::new(size, Channels::Grey, samples).expect("a raster")).expect("a file");
}

/// A folder with a session in `deep/s.toml`, with images beside and above it.
fn folder_of_a_session() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir_all(folder.path().join("deep/er")).expect("folders");
    for (name, value) in [("deep/beside.pgm", 1), ("deep/er/below.pgm", 2), ("above.pgm", 3)] {
        write_grey(&folder.path().join(name), value);
    }
    let absolute = folder.path().join("absolute.pgm");
    write_grey(&absolute, 4);
    let names = format!("['beside.pgm', 'er/below.pgm', '../above.pgm', '{}', '{BUILT_IN}']", absolute.display());
    std::fs::write(folder.path().join("deep/s.toml"), format!("images = {names}\n[[panel]]\n")).expect("a file");
    folder
}

#[test]
fn session_images_are_found_relative_to_its_file() {
    let folder = folder_of_a_session();
    let restored = Restored::open(&folder.path().join("deep/s.toml")).expect("a session");
    let values: Vec<f32> =
        restored.session.images()[..4].iter().map(|image| image.pages()[0].raster().number(0, 0, 0)).collect();
    assert_eq!(values, [1.0, 2.0, 3.0, 4.0]);
    for source in &restored.sources[..4] {
        assert!(source.is_absolute() && source.exists(), "{}", source.display());
    }
    assert_eq!(restored.sources[4], Path::new(BUILT_IN));
}

/// The program runs in another folder, where files of the same names are not images. Without a display it fails after
/// opening the session.
#[test]
fn session_opened_from_another_folder_finds_its_images() {
    let folder = folder_of_a_session();
    let elsewhere = folder.path().join("elsewhere");
    std::fs::create_dir_all(elsewhere.join("er")).expect("folders");
    for name in ["beside.pgm", "er/below.pgm"] {
        std::fs::write(elsewhere.join(name), "no picture").expect("a file");
    }
    let open = |session: &str| {
        let mut program = Command::new(PROGRAM);
        program.args(["--session", session]).current_dir(&elsewhere);
        for display in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
            program.env_remove(display);
        }
        String::from_utf8(program.output().expect("the program starts").stderr).expect("text")
    };
    assert!(open("../deep/s.toml").contains("no display"), "{}", open("../deep/s.toml"));
    std::fs::copy(folder.path().join("deep/s.toml"), elsewhere.join("s.toml")).expect("a file");
    assert!(open("s.toml").contains("beside.pgm"), "{}", open("s.toml"));
}
