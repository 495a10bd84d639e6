//! A panel is itself everywhere: its number, its colour and a name that says what differs from the other panels.

use egui::{Color32, Key, Modifiers, Role, Shape, Theme};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use lerpscope::app::{DrawerTool, Lerpscope, SessionState};
use lerpscope::backend::CpuBackend;
use lerpscope::image;
use lerpscope::sampling::{AddressMode, Method, Sampler, SamplingPath};

use crate::harness::{Window, app, window_of};

/// The colours of panels 1 and 2 in each theme.
const COLOURS: [(Theme, [Color32; 2]); 2] = [
    (Theme::Dark, [Color32::from_rgb(0x56, 0xB4, 0xE9), Color32::from_rgb(0xE6, 0x9F, 0x00)]),
    (Theme::Light, [Color32::from_rgb(0x45, 0x69, 0xF2), Color32::from_rgb(0xC3, 0x52, 0x00)]),
];

fn open(samplers: Vec<Sampler>, theme: Theme) -> Window {
    let builder = Harness::builder().with_size([1280.0, 1800.0]).with_theme(theme).with_max_steps(64);
    let mut window = window_of(builder, move |ctx| {
        let images = vec![image::embedded().expect("the embedded image").image];
        let mut app = Lerpscope::new(ctx, images, Box::new(CpuBackend::new())).expect("an image");
        app.arrange(&samplers);
        app
    });
    // The settings follow the system.
    window.input_mut().system_theme = Some(theme);
    window.run();
    window
}

/// The B-spline without and with its prefilter.
fn pair() -> Vec<Sampler> {
    let sampler = Sampler { antialias: true, ..Sampler::default().with_method(Method::BSPLINE) };
    vec![sampler, Sampler { prefilter: true, ..sampler }]
}

const NAMES: [&str; 2] = ["1 Cubic B-spline · no prefilter", "2 Cubic B-spline · prefiltered"];

fn change(window: &mut Window, change: impl FnOnce(&mut SessionState)) {
    let mut state = app(window).session().state();
    change(&mut state);
    assert!(window.state_mut().as_mut().expect("the app").restore_state(&state));
    window.run();
    window.run();
}

/// Number of labels with the names of both panels.
fn named(window: &Window) -> [usize; 2] {
    NAMES.map(|name| window.query_all_by_label(name).count())
}

/// Number of dots in these colours.
fn dots(window: &Window, colours: [Color32; 2]) -> [usize; 2] {
    let count = |colour: Color32| {
        let is_dot = |shape: &Shape| matches!(shape, Shape::Circle(circle) if circle.fill == colour);
        window.output().shapes.iter().filter(|clipped| is_dot(&clipped.shape)).count()
    };
    colours.map(count)
}

#[test]
fn panels_of_one_method_have_names_and_colours_in_profile_pins_and_timing() {
    for (theme, colours) in COLOURS {
        let mut window = open(pair(), theme);
        window.get_by_role_and_label(Role::Image, "Panel 1: Cubic B-spline (bicubic) · no prefilter");
        window.get_by_role_and_label(Role::Image, "Panel 2: Cubic B-spline (bicubic) · prefiltered");
        assert_eq!((named(&window), dots(&window, colours)), ([0; 2], [2; 2]), "headers and kernels");
        change(&mut window, |state| state.inspect.line = Some([[100.0, 100.0], [200.0, 140.0]]));
        assert_eq!((named(&window), dots(&window, colours)), ([1; 2], [3; 2]), "the legend of the profile");
        change(&mut window, |state| state.inspect.pins = vec![[100.0, 100.0]]);
        assert_eq!((named(&window), dots(&window, colours)), ([2; 2], [4; 2]), "the pins");
        window.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::T);
        window.run_steps(4);
        assert_eq!((named(&window), dots(&window, colours)), ([3; 2], [5; 2]), "the timing");
    }
}

/// Not the accent: that marks the focus of the keyboard.
#[test]
fn line_over_the_header_of_the_focused_panel_has_its_colour() {
    for (theme, colours) in COLOURS {
        let mut window = open(pair(), theme);
        let lines = |window: &Window| {
            colours.map(|colour| {
                let is_line = |shape: &Shape| match shape {
                    Shape::Rect(shape) => {
                        shape.fill == colour && shape.rect.height() <= 2.5 && shape.rect.width() > 200.0
                    }
                    _ => false,
                };
                window.output().shapes.iter().filter(|clipped| is_line(&clipped.shape)).count()
            })
        };
        assert_eq!(lines(&window), [1, 0], "{theme:?}");
        window.key_press_modifiers(Modifiers::COMMAND, Key::Tab);
        window.run();
        assert_eq!(lines(&window), [0, 1], "{theme:?}");
    }
}

#[test]
fn status_line_has_the_numbers_and_names_of_its_values() {
    let mut window = open(pair(), Theme::Dark);
    let pos = window.get_by_label("Panel 1: Cubic B-spline (bicubic) · no prefilter").rect().center();
    window.hover_at(pos);
    window.run();
    for name in NAMES {
        // The status line is at the bottom of the window.
        let mut found = window.query_all_by_label_contains(name).filter(|node| node.rect().top() > 1750.0);
        assert!(found.next().is_some(), "{name}");
    }
    assert_eq!(dots(&window, COLOURS[0].1), [3; 2], "headers, kernels and the status line");
}

#[test]
fn legend_of_the_plots_has_the_names_and_colours_of_panels() {
    for (theme, colours) in COLOURS {
        let mut window = open(pair(), theme);
        change(&mut window, |state| state.inspect.drawer = Some(DrawerTool::Plots));
        assert_eq!((named(&window), dots(&window, colours)), ([1; 2], [3; 2]), "{theme:?}");
    }
}

#[test]
fn plates_of_a_comparison_have_the_colours_of_their_panels() {
    let mut window = open(pair(), Theme::Light);
    let plates = COLOURS[0].1;
    assert_eq!(dots(&window, plates), [0; 2]);
    window.key_press(Key::W);
    window.run();
    assert_eq!(dots(&window, plates), [1; 2], "a wipe");
    window.key_press(Key::Escape);
    window.run();
    window.key_press_modifiers(Modifiers::SHIFT, Key::Space);
    window.run_steps(4);
    assert_eq!(dots(&window, plates).iter().sum::<usize>(), 1, "a flicker shows one panel");
}

/// What is drawn of each panel outside its picture, headers, pins and the legend of the profile, follows panels that close and
/// return in the same frame.
#[test]
fn pins_and_profile_have_the_open_panels_after_every_change_of_panels() {
    let marks = |window: &Window| -> Vec<usize> {
        // The curve of panel 3 is of dots.
        let palette = [0x56_B4_E9_u32, 0xE6_9F_00, 0xE0_8B_BE, 0xF0_E4_42];
        let colour = |rgb: u32| Color32::from_rgb((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8);
        let counts = palette.map(|rgb| dots(window, [colour(rgb); 2])[0]);
        counts.into_iter().collect()
    };
    let samplers: Vec<Sampler> = [Method::Nearest, Method::Linear, Method::BSPLINE, Method::CATMULL_ROM]
        .map(|method| Sampler::default().with_method(method))
        .to_vec();
    let mut window = open(samplers, Theme::Dark);
    change(&mut window, |state| {
        state.inspect.line = Some([[100.0, 100.0], [200.0, 140.0]]);
        state.inspect.pins = vec![[100.0, 100.0]];
    });
    assert_eq!(marks(&window), [4, 4, 4, 0], "header, kernel, legend and pin");
    let keys = [
        (Modifiers::COMMAND, Key::W, 3),
        (Modifiers::COMMAND, Key::N, 4),
        (Modifiers::COMMAND, Key::N, 5),
        (Modifiers::COMMAND, Key::Z, 4),
        (Modifiers::COMMAND, Key::Z, 3),
        (Modifiers::COMMAND, Key::W, 2),
        (Modifiers::COMMAND, Key::Z, 3),
        (Modifiers::COMMAND, Key::W, 2),
        (Modifiers::COMMAND, Key::W, 1),
    ];
    for (modifiers, key, panels) in keys {
        window.key_press_modifiers(modifiers, key);
        window.run_steps(2);
        let expected: Vec<usize> = [0, 1, 3, 4].map(|index| if index < panels { 4 } else { 0 }).to_vec();
        assert_eq!(marks(&window), expected, "{panels} panels after {key:?}");
    }
}

#[test]
fn header_has_chips_of_unusual_properties_only() {
    let usual = Sampler { antialias: true, ..Sampler::default().with_method(Method::CATMULL_ROM) };
    let chips = |window: &Window| -> Vec<&str> {
        let all = [
            "clamp",
            "mirror × clamp",
            "prefiltered",
            "no prefilter",
            "texture unit",
            "exact, texture reads",
            "exact",
            "Prefilter",
        ];
        all.into_iter().filter(|name| window.query_all_by_role_and_label(Role::Button, name).next().is_some()).collect()
    };
    let window = open(vec![usual, usual.with_method(Method::Linear)], Theme::Dark);
    assert_eq!(chips(&window), Vec::<&str>::new());
    let address = [AddressMode::Mirror, AddressMode::Clamp];
    let other = Sampler { address, path: SamplingPath::Lookup, ..usual.with_method(Method::Linear) };
    assert_eq!(chips(&open(vec![usual, other], Theme::Dark)), ["mirror × clamp", "exact, texture reads"]);
    // What tells two panels of one method apart is said of both.
    let other = Sampler { address, ..usual };
    assert_eq!(chips(&open(vec![usual, other], Theme::Dark)), ["clamp", "mirror × clamp"]);
}

#[test]
fn chip_of_the_prefilter_switches_it_and_chip_of_the_address_mode_is_a_menu() {
    let sampler = Sampler { prefilter: true, address: [AddressMode::Wrap; 2], ..Sampler::default() };
    let mut window = open(vec![sampler.with_method(Method::BSPLINE)], Theme::Dark);
    window.get_by_role_and_label(Role::Button, "prefiltered").click();
    window.run();
    assert!(!app(&window).session().panels()[0].sampler.prefilter);
    assert!(window.query_by_label("prefiltered").is_none());
    window.get_by_role_and_label(Role::Button, "wrap").click();
    window.run();
    window.get_by_label("Mirror along y").click();
    window.run();
    assert_eq!(app(&window).session().panels()[0].sampler.address, [AddressMode::Wrap, AddressMode::Mirror]);
}
