use std::collections::BTreeSet;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use super::snapshot::{SETTINGS, changed};
use super::*;
use crate::app::session::history::{Change, Framing};
use crate::app::session::inspect::{DRAWER_TOOLS, PairsState, QUALITY_SETS, RepeatedRotation};
use crate::app::session::layout::PANEL_LAYOUTS;
use crate::app::session::link::Link;
use crate::app::session::panel_sets::PANEL_SETS;
use crate::app::session::unit::UNITS;
use crate::app::session::{COMPARES, Difference, Gain, KEPT_PLACES, LINKS, WipeLine};
use crate::backend::COLOUR_MAPS;
use crate::complex::COMPONENTS;
use crate::filter::{FILTERS, STAGES, Step};
use crate::image::{Channels, Depth, Image, Page, Raster, Region, Size};
use crate::lab::field::Lens;
use crate::lab::texture_error::ErrorGain;
use crate::plots::PLOT_KINDS;
use crate::sampling::{ADDRESS_MODES, METHODS, SAMPLING_PATHS};
use crate::test_support::size;
use crate::view::View;
use crate::warp::{WARPS, Warp};

fn zeros(side: Size) -> Arc<Image> {
    let page = Page::new(Raster::zeros(side, Channels::Grey, Depth::EIGHT));
    Arc::new(Image::new(side.to_string(), vec![page]).expect("an image"))
}

/// A session with the preferences that its undo stack covers.
struct Edited {
    session: Session,
    preferences: Preferences,
}

impl Edited {
    fn new(session: Session) -> Self {
        let mut edited = Self { session, preferences: Preferences::default() };
        edited.note();
        edited
    }

    fn note(&mut self) {
        self.session.note_edits(&self.preferences, false);
    }

    fn undo(&mut self) -> Option<&'static str> {
        self.session.undo(&mut self.preferences).map(|step| step.what)
    }

    fn redo(&mut self) -> Option<&'static str> {
        self.session.redo(&mut self.preferences).map(|step| step.what)
    }

    fn snapshot(&self) -> Snapshot {
        self.session.snapshot(&self.preferences)
    }
}

impl Deref for Edited {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.session
    }
}

impl DerefMut for Edited {
    fn deref_mut(&mut self) -> &mut Session {
        &mut self.session
    }
}

/// A session of two images. The centre of each has no exact position in the other.
fn edited() -> Edited {
    let mut session = Session::new(zeros(size(512, 512)));
    session.resize(size(500, 400));
    session.open_in(1, zeros(size(333, 217)));
    Edited::new(session)
}

fn pick<'a, T>(random: &mut fastrand::Rng, of: &'a [T]) -> &'a T {
    &of[random.usize(..of.len())]
}

/// Changes a random setting, possibly to its current value.
fn edit(edited: &mut Edited, random: &mut fastrand::Rng) {
    let session = &mut edited.session;
    let count = session.panels().len();
    let (one, other) = (random.usize(..count), random.usize(..count));
    let panel = session.focused_panel();
    match random.u8(..32) {
        0 => panel.sampler.method = pick(random, &METHODS).method,
        1 => panel.sampler.path = pick(random, &SAMPLING_PATHS).path,
        2 => panel.sampler.address[random.usize(..2)] = pick(random, &ADDRESS_MODES).address,
        3 => panel.sampler.border = random.f32(),
        4 => panel.sampler.prefilter = random.bool(),
        31 if random.u8(..4) == 0 => panel.component = pick(random, &COMPONENTS).component,
        31 if random.bool() => panel.plane.time = random.f64(),
        31 => panel.plane.slice = Some(random.f64()),
        30 => panel.warp = Warp::default_of(pick(random, &WARPS).kind),
        5 => panel.sampler.antialias = random.bool(),
        6 => panel.sampler.blur = 0.5 + random.f64(),
        7 => {
            let step = Step::default_of(pick(random, &FILTERS).filter);
            panel.filters.chain_mut(pick(random, &STAGES).stage).0.push(step);
        }
        8 => drop(panel.filters.chain_mut(pick(random, &STAGES).stage).0.pop()),
        9 => panel.filters_off = random.bool(),
        10 => panel.display.exposure = random.f32(),
        11 => panel.display.colour_map = pick(random, &COLOUR_MAPS).colour_map,
        12 => drop(session.add_panel()),
        13 => drop(session.close_panel(one)),
        14 => session.swap_panels(one, other),
        15 => pick(random, &PANEL_SETS).panel_set.show(session),
        16 => session.set_layout(pick(random, &PANEL_LAYOUTS).layout),
        17 => session.set_link(pick(random, &LINKS).link),
        18 => session.set_compare(pick(random, &COMPARES).compare),
        19 => session.set_second(one),
        20 => session.exchange_pair(),
        21 => session.set_line(WipeLine { share: random.f64(), is_horizontal: random.bool() }),
        22 => {
            let gain = *pick(random, &[Gain::Automatic, Gain::Fixed(0), Gain::Fixed(3), Gain::Fixed(11)]);
            session.set_difference(Difference { gain, ..session.difference() });
        }
        23 => session.set_flips_a_second(*pick(random, &[0.5, 1.0, 4.0])),
        24 => session.toggle_crosshair(),
        25 => drop(session.inspect.pin([random.f64(), 3.0])),
        26 => session.set_kept_place(pick(random, &KEPT_PLACES).kept_place),
        28 => panel.sampler.antiringing = random.f64(),
        27 => edited.preferences.unit = pick(random, &UNITS).unit,
        _ => {
            let state = &mut session.inspect.state;
            match random.u8(..13) {
                0 => state.line = Some([[1.0, 2.0], [random.f64(), 4.0]]),
                1 => state.region = Region::between([1.0; 2], [9.0, 40.0 * random.f64()], size(64, 64)),
                2 => state.is_log = !state.is_log,
                3 => state.is_alone = !state.is_alone,
                4 => {
                    state.drawer = random.bool().then(|| pick(random, &DRAWER_TOOLS).tool);
                    state.plot = pick(random, &PLOT_KINDS).kind;
                }
                5 => state.one_dimension.set_sample(random.usize(..5), random.f64()),
                6 => state.footprint.at = Some([random.f64(), 2.0]),
                7 => state.rotation = RepeatedRotation::new(random.u32(2..40), random.u32(..40)),
                8 => state.pairs.factor = *pick(random, &PairsState::FACTORS),
                9 => state.quality = pick(random, &QUALITY_SETS).set,
                10 => state.texture_error.gain = ErrorGain::new(random.u16(1..4096)).expect("a gain"),
                11 => state.lens = random.bool().then_some(Lens::Relief),
                _ => state.has_grid = !state.has_grid,
            }
        }
    }
}

/// Changes a view, which is not a setting.
fn look(edited: &mut Edited, random: &mut fastrand::Rng) {
    let session = &mut edited.session;
    let index = random.usize(..session.panels().len());
    if random.bool() {
        let view = View::new([100.0 * random.f64(), -random.f64()], 0.1 + random.f64()).expect("a view");
        session.go_in(index, view, Framing::Free, Change::Jump);
    } else {
        session.fit_in(index);
    }
}

/// A snapshot with all views equal.
fn settings(edited: &Edited) -> Snapshot {
    let mut snapshot = edited.snapshot();
    for panel in &mut snapshot.panels {
        (panel.view, panel.framing) = (View::new([0.0; 2], 1.0).expect("a view"), Framing::Free);
    }
    snapshot
}

type Act = fn(&mut Edited, &mut fastrand::Rng);

/// Applies random changes, with `between` before each, then undoes and redoes all steps twice. `of` must return the
/// same value each time. Returns the names of the steps.
fn walk_back_and_forth(between: Act, of: fn(&Edited) -> Snapshot) -> BTreeSet<&'static str> {
    let acts: [Act; 2] = [|edited, random| edited.session.focus(random.usize(..9)), edit];
    let mut names = BTreeSet::new();
    for seed in 0..40 {
        let mut random = fastrand::Rng::with_seed(seed);
        let (mut edited, mut ends) = (edited(), Vec::new());
        for act in acts.into_iter().cycle().take(300) {
            between(&mut edited, &mut random);
            edited.note();
            let (before, done) = (of(&edited), edited.session.undo_stack.done());
            act(&mut edited, &mut random);
            edited.note();
            assert!(edited.session.undo_stack.done() <= done + 1, "at most one step of one edit");
            if edited.session.undo_stack.done() > done {
                ends.push([before, of(&edited)]);
            }
        }
        assert!((100..UndoStack::STEPS).contains(&ends.len()), "{} steps", ends.len());
        for _ in 0..2 {
            for [before, _] in ends.iter().rev() {
                names.extend(edited.undo());
                assert!(of(&edited) == *before, "seed {seed}");
            }
            assert_eq!((edited.undo(), edited.session.undoes()), (None, None));
            for [_, after] in &ends {
                assert!(edited.redo().is_some());
                assert!(of(&edited) == *after, "seed {seed}");
            }
            assert_eq!((edited.redo(), edited.session.redoes()), (None, None));
        }
    }
    names
}

#[test]
fn undone_and_redone_settings_equal_the_earlier_ones_bit_for_bit() {
    let names = walk_back_and_forth(|_, _| {}, Edited::snapshot);
    let all: BTreeSet<_> = SETTINGS.iter().map(|setting| setting.name).collect();
    assert_eq!(names, all, "every setting is undone by its name");
}

/// A restored session has new panel ids; everything else that undo covers is equal.
#[test]
fn session_restored_from_its_state_equals_it_in_every_undoable_setting() {
    for seed in 0..20 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut edited = edited();
        for _ in 0..60 {
            edited.focus(random.usize(..9));
            edit(&mut edited, &mut random);
            let restored = Session::restored(edited.images().to_vec(), &edited.state()).expect("a session");
            let (mut was, mut is) = (edited.snapshot(), restored.snapshot(&edited.preferences));
            assert_eq!((is.panels.len(), is.focused, is.maximized), (was.panels.len(), was.focused, was.maximized));
            // A closed panel is not the second any more.
            was.comparison.second = edited.chosen_second().map(|index| was.panels[index].id);
            is.comparison.second = restored.chosen_second().map(|index| was.panels[index].id);
            for (panel, before) in is.panels.iter_mut().zip(&was.panels) {
                panel.id = before.id;
            }
            assert_eq!(changed(&was, &is), None, "seed {seed}");
        }
    }
}

/// Panels that were moved after the undone step follow the focused panel if it was moved too, else the first of them.
#[test]
fn redone_link_shows_the_view_of_the_focused_panel() {
    let views = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]].map(|at| View::new(at, 0.5).expect("a view"));
    for (focused, expected) in [(0, 0), (1, 1), (2, 2), (3, 0)] {
        let mut edited = Edited::new(Session::new(zeros(size(64, 64))));
        edited.set_link(Link::Off);
        edited.focus(focused);
        edited.note();
        edited.set_link(Link::Absolute);
        edited.note();
        assert_eq!(edited.undo(), Some("link"));
        for (index, view) in views.into_iter().enumerate() {
            edited.go_in(index, view, Framing::Free, Change::Jump);
        }
        assert_eq!(edited.redo(), Some("link"));
        for index in 0..edited.panels().len() {
            assert_eq!(edited.view_of(index), views[expected], "panel {index}, focused {focused}");
        }
    }
}

#[test]
fn view_changes_are_no_steps_and_are_kept_by_undo() {
    walk_back_and_forth(look, settings);
    let mut edited = edited();
    edited.step_method(1);
    edited.note();
    edited.fit_in(2);
    let middle = edited.middle();
    edited.show_at(0.125, middle, Change::Jump);
    let view = edited.view();
    assert_eq!(edited.undo(), Some("method"));
    assert_eq!((edited.view(), edited.undo()), (view, None));
}

#[test]
fn undo_restores_views_that_the_step_changed_and_panels_join_those_moved_since() {
    let mut edited = edited();
    edited.set_link(Link::Off);
    edited.go_in(2, View::new([40.0, 2.0], 0.5).expect("a view"), Framing::Free, Change::Jump);
    edited.note();
    let apart: Vec<View> = edited.panels.iter().map(Panel::view).collect();
    edited.set_link(Link::Absolute);
    assert_ne!(edited.view_of(2), apart[2]);
    assert_eq!(edited.undo(), Some("link"));
    assert_eq!(edited.panels.iter().map(Panel::view).collect::<Vec<_>>(), apart);
    edited.redo();
    edited.close_panel(2);
    edited.note();
    let view = View::new([7.0, 8.0], 0.25).expect("a view");
    edited.go_in(0, view, Framing::Free, Change::Jump);
    assert_eq!(edited.undo(), Some("panels"));
    let [zero, two] = [0, 2].map(|index| edited.view_of(index).image_from_output(edited.output, size(512, 512)));
    assert_eq!((zero.at([3.0, 4.0]), edited.view_of(0)), (two.at([3.0, 4.0]), view));
}

#[test]
fn held_changes_are_one_step_and_no_step_if_they_end_as_they_began() {
    let mut edited = edited();
    edited.step_method(1);
    edited.note();
    let drag = |edited: &mut Edited, values: &[f32]| {
        for value in values {
            edited.focused_panel().sampler.border = *value;
            edited.session.note_edits(&edited.preferences, true);
        }
        edited.note();
    };
    drag(&mut edited, &[0.1, 0.2, 0.3]);
    drag(&mut edited, &[0.4, 0.5]);
    drag(&mut edited, &[0.6, 0.5, 0.7, 0.5]);
    let border = |edited: &Edited| edited.panels[0].sampler.border;
    assert_eq!((edited.undo(), border(&edited)), (Some("border"), 0.3));
    assert_eq!((edited.undo(), border(&edited)), (Some("border"), 0.0));
    assert_eq!(edited.undo(), Some("method"));
    edited.redo();
    assert_eq!(edited.redoes(), Some("border"));
    edited.toggle_crosshair();
    edited.note();
    assert_eq!((edited.redo(), edited.undoes()), (None, Some("cursor in every panel")));
}

#[test]
fn stack_keeps_the_newest_steps() {
    let mut edited = edited();
    for number in 0..UndoStack::STEPS + 10 {
        edited.focused_panel().sampler.border = number as f32 + 1.0;
        edited.note();
    }
    assert_eq!(std::iter::from_fn(|| edited.undo()).count(), UndoStack::STEPS);
    assert_eq!(edited.panels[0].sampler.border, 10.0);
}

#[test]
fn undone_step_says_the_panel_whose_setting_it_changed() {
    let mut edited = edited();
    let undone = |edited: &mut Edited| {
        edited.note();
        let step = edited.session.undo(&mut edited.preferences).expect("a step");
        let again = edited.session.redo(&mut edited.preferences).expect("a step");
        [step.to_string(), again.to_string()]
    };
    edited.panel_mut(1).expect("a panel").sampler.method = crate::sampling::Method::LANCZOS3;
    assert_eq!(undone(&mut edited), ["method of 2 Lanczos 3 · 333×217"; 2]);
    for index in [0, 2] {
        edited.panel_mut(index).expect("a panel").sampler.border = 0.5;
    }
    assert_eq!(undone(&mut edited), ["border of 2 panels"; 2]);
    for index in 0..4 {
        edited.panel_mut(index).expect("a panel").display.gamma = 2.0;
    }
    assert_eq!(undone(&mut edited), ["display of all panels"; 2]);
    edited.set_link(Link::Off);
    assert_eq!(undone(&mut edited), ["link"; 2]);
}
