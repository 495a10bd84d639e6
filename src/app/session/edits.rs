//! Undo and redo of what a person sets. A step is the session before a change and after it, so that nothing has to know how
//! to take back what it does, and what comes back is the same to the last bit.
//!
//! Where panels look, and at which of the open images, is no setting: views have a history of their own. A step brings
//! them back where it changed them itself, by closing a panel or linking all; elsewhere they stay as they are now.

use std::collections::VecDeque;

use super::Session;
use super::compare::{Compare, Comparison};
use super::layout::Layout;
use super::link::Link;
use super::panels::{Panel, PanelId};
use crate::app::inspect::Kept;
use crate::image::Size;

/// The session at a moment, but for its images and what only goes on.
#[derive(Clone, Debug, PartialEq)]
struct Moment {
    panels: Vec<Panel>,
    /// The sizes of the panels' pages, and of a picture, which views follow.
    sizes: Vec<Size>,
    output: Size,
    focused: usize,
    maximised: bool,
    layout: Layout,
    link: Link,
    comparison: Comparison,
    kept: Kept,
}

/// A part of what a person sets.
struct Part {
    /// What it is called where it is undone.
    name: &'static str,
    /// Whether it differs between two moments.
    differs: fn(&Moment, &Moment) -> bool,
}

const fn part(name: &'static str, differs: fn(&Moment, &Moment) -> bool) -> Part {
    Part { name, differs }
}

/// All that can be undone; a step is called by the first that it changes.
static PARTS: [Part; 25] = [
    part("panels", |a, b| !a.panels.iter().map(|panel| panel.id).eq(b.panels.iter().map(|panel| panel.id))),
    part("method", |a, b| differs(a, b, |a, b| a.sampler.method != b.sampler.method)),
    part("sampling path", |a, b| differs(a, b, |a, b| a.sampler.path != b.sampler.path)),
    part("address mode", |a, b| differs(a, b, |a, b| a.sampler.address != b.sampler.address)),
    part("border", |a, b| differs(a, b, |a, b| a.sampler.border != b.sampler.border)),
    part("prefilter", |a, b| differs(a, b, |a, b| a.sampler.prefilter != b.sampler.prefilter)),
    part("antialias", |a, b| differs(a, b, |a, b| a.sampler.antialias != b.sampler.antialias)),
    part("blur", |a, b| differs(a, b, |a, b| a.sampler.blur != b.sampler.blur)),
    part("filters", |a, b| differs(a, b, |a, b| a.filters != b.filters)),
    part("filters off", |a, b| differs(a, b, |a, b| a.filters_off != b.filters_off)),
    part("display", |a, b| differs(a, b, |a, b| a.display != b.display)),
    part("layout", |a, b| a.layout != b.layout),
    part("link", |a, b| a.link != b.link),
    part("comparison", |a, b| a.comparison.compare != b.comparison.compare || pair(a) != pair(b)),
    part("wipe line", |a, b| a.comparison.line != b.comparison.line),
    part("difference", |a, b| a.comparison.difference != b.comparison.difference),
    part("flicker rate", |a, b| a.comparison.flips_a_second != b.comparison.flips_a_second),
    part("cursor in every panel", |a, b| a.comparison.has_ghost != b.comparison.has_ghost),
    part("unit", |a, b| a.kept.unit != b.kept.unit),
    part("pins", |a, b| a.kept.pins != b.kept.pins),
    part("line profile", |a, b| a.kept.line != b.kept.line),
    part("region", |a, b| a.kept.region != b.kept.region),
    part("histogram", |a, b| (a.kept.has_histogram, a.kept.is_log) != (b.kept.has_histogram, b.kept.is_log)),
    part("focused panel alone", |a, b| a.kept.is_alone != b.kept.is_alone),
    part("overlay", |a, b| a.kept != b.kept),
];

/// Whether a panel differs so from the one that stands at the same place.
fn differs(a: &Moment, b: &Moment, is_other: fn(&Panel, &Panel) -> bool) -> bool {
    a.panels.iter().zip(&b.panels).any(|(a, b)| is_other(a, b))
}

/// The two that are compared; side by side the focus goes where it likes.
fn pair(moment: &Moment) -> Option<(usize, Option<PanelId>)> {
    let Comparison { compare, second, .. } = moment.comparison;
    (compare != Compare::SideBySide).then_some((moment.focused, second))
}

/// What of all that differs between two moments, if anything does.
fn changed(before: &Moment, after: &Moment) -> Option<&'static str> {
    PARTS.iter().find(|part| (part.differs)(before, after)).map(|part| part.name)
}

#[derive(Debug)]
struct Step {
    what: &'static str,
    before: Moment,
    after: Moment,
}

/// A change that goes on: all that is set until it ends is one step.
#[derive(Debug)]
struct Burst {
    before: Moment,
    /// Whether the last step is of it; there is none while all is as it was before.
    has_step: bool,
}

/// The steps of a session, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Edits {
    steps: VecDeque<Step>,
    /// How many of them are done; those behind are undone and wait to be redone.
    done: usize,
    /// What was noted last.
    last: Option<Moment>,
    burst: Option<Burst>,
}

impl Edits {
    /// Steps kept.
    const STEPS: usize = 256;

    /// Notes how the session is `now`; what is changed in it goes on or is a step by itself.
    fn note(&mut self, now: Moment, goes_on: bool) {
        if let Some(before) = self.last.replace(now.clone())
            && changed(&before, &now).is_some()
        {
            let burst = self.burst.take();
            if burst.as_ref().is_some_and(|burst| burst.has_step) {
                self.steps.pop_back();
                self.done = self.steps.len();
            }
            let before = burst.map_or(before, |burst| burst.before);
            let has_step = self.take(before.clone(), now);
            self.burst = Some(Burst { before, has_step });
        }
        if !goes_on {
            self.burst = None;
        }
    }

    /// Takes a step, where it changes anything.
    fn take(&mut self, before: Moment, after: Moment) -> bool {
        let what = changed(&before, &after);
        if let Some(what) = what {
            self.steps.truncate(self.done);
            if self.steps.len() == Self::STEPS {
                self.steps.pop_front();
            }
            self.steps.push_back(Step { what, before, after });
            self.done = self.steps.len();
        }
        what.is_some()
    }
}

impl Session {
    /// Notes what was set since the last call, as a step that can be undone. While `goes_on` (a button is held down, a key
    /// repeats) all that is set is one step.
    pub fn note_edits(&mut self, goes_on: bool) {
        let now = self.moment();
        self.edits.note(now, goes_on);
    }

    /// What would be undone, if anything.
    pub fn undoes(&self) -> Option<&'static str> {
        let place = self.edits.done.checked_sub(1)?;
        self.edits.steps.get(place).map(|step| step.what)
    }

    /// What would be redone, if anything.
    pub fn redoes(&self) -> Option<&'static str> {
        self.edits.steps.get(self.edits.done).map(|step| step.what)
    }

    /// Takes the last step back; what it was, if there is one.
    pub fn undo(&mut self) -> Option<&'static str> {
        self.note_edits(false);
        let what = self.undoes()?;
        self.edits.done -= 1;
        let Step { before, after, .. } = &self.edits.steps[self.edits.done];
        let (to, from) = (before.clone(), after.clone());
        self.go_to(to, &from);
        Some(what)
    }

    /// Does the last step again that was undone; what it was, if there is one.
    pub fn redo(&mut self) -> Option<&'static str> {
        self.note_edits(false);
        let what = self.redoes()?;
        let Step { before, after, .. } = &self.edits.steps[self.edits.done];
        let (to, from) = (after.clone(), before.clone());
        self.edits.done += 1;
        self.go_to(to, &from);
        Some(what)
    }

    fn moment(&self) -> Moment {
        Moment {
            panels: self.panels.clone(),
            sizes: self.sizes(),
            output: self.output,
            focused: self.focused,
            maximised: self.maximised,
            layout: self.layout,
            link: self.link,
            comparison: self.comparison.clone(),
            kept: self.inspect.kept.clone(),
        }
    }

    /// Sets everything as it was at the moment `to`, the other end of a step from `from`.
    fn go_to(&mut self, to: Moment, from: &Moment) {
        self.arrive();
        let of = |panels: &[Panel], id: PanelId| panels.iter().find(|panel| panel.id == id).cloned();
        let look = |panel: &Panel| (panel.view, panel.framing);
        let shows = |panel: &Panel| (panel.image, panel.page);
        let (mut panels, mut moved) = (to.panels.clone(), None);
        for (index, panel) in panels.iter_mut().enumerate() {
            let (Some(was), Some(is)) = (of(&from.panels, panel.id), of(&self.panels, panel.id)) else { continue };
            if look(&was) == look(panel) {
                if look(&is) != look(panel) && (moved.is_none() || index == to.focused) {
                    moved = Some(index);
                }
                (panel.view, panel.framing) = look(&is);
            }
            if shows(&was) == shows(panel) {
                (panel.image, panel.page) = shows(&is);
            }
        }
        for panel in &mut panels {
            panel.page = panel.page.min(self.images[panel.image].pages().len() - 1);
        }
        let was_compared = (self.compare(), self.pair());
        let (flipped, flips_at_s) = (self.comparison.flipped, self.comparison.flips_at_s);
        let has_same_panels = to.panels.len() == self.panels.len();
        (self.panels, self.focused, self.maximised) = (panels, to.focused, to.maximised);
        (self.layout, self.link) = (to.layout, to.link);
        self.comparison = Comparison { flipped, flips_at_s, ..to.comparison };
        self.inspect.kept = to.kept;
        self.inspect.hold = None;
        if !has_same_panels || was_compared != (self.compare(), self.pair()) {
            self.stop_flicker();
        }
        if let Some(moved) = moved {
            // Panels that come back join those that looked elsewhere meanwhile.
            self.lead(moved, self.view_of(moved));
        }
        if self.output != to.output || self.sizes() != to.sizes {
            self.reframe();
        }
        self.edits.last = Some(self.moment());
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use super::*;
    use crate::app::session::history::{Change, Framing};
    use crate::app::session::layout::LAYOUTS;
    use crate::app::session::{COMPARES, Difference, LINKS, WipeLine};
    use crate::app::{ARRANGEMENTS, UNITS};
    use crate::backend::COLOUR_MAPS;
    use crate::filter::{FILTERS, STAGES, Step};
    use crate::image::{Channels, Depth, Image, Page, Raster, Region};
    use crate::sampling::{ADDRESSES, METHODS, PATHS};
    use crate::view::View;

    fn size(width: u32, height: u32) -> Size {
        Size::new(width, height).expect("a size")
    }

    fn zeros(side: Size) -> Arc<Image> {
        let page = Page::new(Raster::zeros(side, Channels::Grey, Depth::EIGHT));
        Arc::new(Image::new(side.to_string(), vec![page]).expect("an image"))
    }

    /// Two images of different sizes, whose samples no double holds exactly in the middle of the other's.
    fn session() -> Session {
        let mut session = Session::new(zeros(size(512, 512)));
        session.inspect.is_still = true;
        session.resize(size(500, 400));
        session.open_in(1, zeros(size(333, 217)));
        session.note_edits(false);
        session
    }

    fn pick<'a, T>(random: &mut fastrand::Rng, of: &'a [T]) -> &'a T {
        &of[random.usize(..of.len())]
    }

    /// Sets something, or perhaps nothing.
    fn edit(session: &mut Session, random: &mut fastrand::Rng) {
        let count = session.panels().len();
        let (one, other) = (random.usize(..count), random.usize(..count));
        let panel = session.focused_panel();
        match random.u8(..28) {
            0 => panel.sampler.method = pick(random, &METHODS).method,
            1 => panel.sampler.path = pick(random, &PATHS).path,
            2 => panel.sampler.address[random.usize(..2)] = pick(random, &ADDRESSES).address,
            3 => panel.sampler.border = random.f32(),
            4 => panel.sampler.prefilter = random.bool(),
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
            15 => pick(random, &ARRANGEMENTS).arrangement.show(session),
            16 => session.set_layout(pick(random, &LAYOUTS).0),
            17 => session.set_link(pick(random, &LINKS).link),
            18 => session.set_compare(pick(random, &COMPARES).compare),
            19 => session.set_second(one),
            20 => session.exchange_pair(),
            21 => session.set_line(WipeLine { share: random.f64(), lies: random.bool() }),
            22 => {
                let gain_log2 = random.u8(..12);
                session.set_difference(Difference { gain_log2, ..session.difference() });
            }
            23 => session.set_flips_a_second(*pick(random, &[0.5, 1.0, 4.0])),
            24 => session.toggle_ghost(),
            25 => drop(session.inspect.pin([random.f64(), 3.0])),
            26 => session.inspect.kept.unit = pick(random, &UNITS).unit,
            _ => {
                let kept = &mut session.inspect.kept;
                match random.u8(..5) {
                    0 => kept.line = Some([[1.0, 2.0], [random.f64(), 4.0]]),
                    1 => kept.region = Region::between([1.0; 2], [9.0, 40.0 * random.f64()], size(64, 64)),
                    2 => kept.is_log = !kept.is_log,
                    3 => kept.is_alone = !kept.is_alone,
                    _ => kept.has_grid = !kept.has_grid,
                }
            }
        }
    }

    /// Looks elsewhere, which is no setting.
    fn look(session: &mut Session, random: &mut fastrand::Rng) {
        let index = random.usize(..session.panels().len());
        if random.bool() {
            let view = View::new([100.0 * random.f64(), -random.f64()], 0.1 + random.f64()).expect("a view");
            session.go_in(index, view, Framing::Free, Change::Jump);
        } else {
            session.fit_in(index);
        }
    }

    /// A moment without what is no setting.
    fn settings(session: &Session) -> Moment {
        let mut moment = session.moment();
        for panel in &mut moment.panels {
            (panel.view, panel.framing) = (View::new([0.0; 2], 1.0).expect("a view"), Framing::Free);
        }
        moment
    }

    type Act = fn(&mut Session, &mut fastrand::Rng);

    /// Sets at random, doing `between` in between, and walks all steps back and forth: `of` is each time what it was. The
    /// names of the steps.
    fn walk_back_and_forth(between: Act, of: fn(&Session) -> Moment) -> BTreeSet<&'static str> {
        let acts: [Act; 2] = [|session, random| session.focus(random.usize(..9)), edit];
        let mut names = BTreeSet::new();
        for seed in 0..20 {
            let mut random = fastrand::Rng::with_seed(seed);
            let (mut session, mut ends) = (session(), Vec::new());
            for act in acts.into_iter().cycle().take(300) {
                between(&mut session, &mut random);
                session.note_edits(false);
                let (before, done) = (of(&session), session.edits.done);
                act(&mut session, &mut random);
                session.note_edits(false);
                assert!(session.edits.done <= done + 1, "at most one step of one edit");
                if session.edits.done > done {
                    ends.push([before, of(&session)]);
                }
            }
            assert!((100..Edits::STEPS).contains(&ends.len()), "{} steps", ends.len());
            for _ in 0..2 {
                for [before, _] in ends.iter().rev() {
                    names.extend(session.undo());
                    assert!(of(&session) == *before, "seed {seed}");
                }
                assert_eq!((session.undo(), session.undoes()), (None, None));
                for [_, after] in &ends {
                    assert!(session.redo().is_some());
                    assert!(of(&session) == *after, "seed {seed}");
                }
                assert_eq!((session.redo(), session.redoes()), (None, None));
            }
        }
        names
    }

    #[test]
    fn all_that_is_set_comes_back_step_by_step_to_the_last_bit() {
        let names = walk_back_and_forth(|_, _| {}, Session::moment);
        let all: BTreeSet<_> = PARTS.iter().map(|part| part.name).collect();
        assert_eq!(names, all, "every part is undone by its name");
    }

    /// A session is saved and opened again as [`crate::app::session::State`]; its panels get new ids.
    #[test]
    fn all_that_can_be_undone_comes_back_from_a_saved_state() {
        for seed in 0..20 {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut session = session();
            for _ in 0..60 {
                session.focus(random.usize(..9));
                edit(&mut session, &mut random);
                let restored = Session::restored(session.images().to_vec(), &session.state()).expect("a session");
                let (was, mut is) = (session.moment(), restored.moment());
                assert_eq!((is.panels.len(), is.focused, is.maximised), (was.panels.len(), was.focused, was.maximised));
                is.comparison.second = restored.chosen_second().map(|index| was.panels[index].id);
                for (panel, before) in is.panels.iter_mut().zip(&was.panels) {
                    panel.id = before.id;
                }
                assert_eq!(changed(&was, &is), None, "seed {seed}");
            }
        }
    }

    /// Panels that looked elsewhere since a step follow the focused one where it is among them, else the first of them.
    #[test]
    fn linking_again_shows_what_the_focused_panel_looks_at_since() {
        let views = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]].map(|at| View::new(at, 0.5).expect("a view"));
        for (focused, expected) in [(0, 0), (1, 1), (2, 2), (3, 0)] {
            let mut session = Session::new(zeros(size(64, 64)));
            session.inspect.is_still = true;
            session.set_link(Link::Off);
            session.focus(focused);
            session.note_edits(false);
            session.set_link(Link::Absolute);
            session.note_edits(false);
            assert_eq!(session.undo(), Some("link"));
            for (index, view) in views.into_iter().enumerate() {
                session.go_in(index, view, Framing::Free, Change::Jump);
            }
            assert_eq!(session.redo(), Some("link"));
            for index in 0..session.panels().len() {
                assert_eq!(session.view_of(index), views[expected], "panel {index}, focused {focused}");
            }
        }
    }

    #[test]
    fn looking_elsewhere_is_no_step_and_changes_none() {
        walk_back_and_forth(look, settings);
        let mut session = session();
        session.step_method(1);
        session.note_edits(false);
        session.fit_in(2);
        session.show_at(0.125, session.middle(), Change::Jump);
        let view = session.view();
        assert_eq!(session.undo(), Some("method"));
        assert_eq!((session.view(), session.undo()), (view, None));
    }

    #[test]
    fn views_that_a_step_changed_come_back_with_it_and_panels_join_those_that_moved_on() {
        let mut session = session();
        session.set_link(Link::Off);
        session.go_in(2, View::new([40.0, 2.0], 0.5).expect("a view"), Framing::Free, Change::Jump);
        session.note_edits(false);
        let apart: Vec<View> = session.panels.iter().map(Panel::view).collect();
        session.set_link(Link::Absolute);
        assert_ne!(session.view_of(2), apart[2]);
        assert_eq!(session.undo(), Some("link"));
        assert_eq!(session.panels.iter().map(Panel::view).collect::<Vec<_>>(), apart);
        session.redo();
        session.close_panel(2);
        session.note_edits(false);
        let view = View::new([7.0, 8.0], 0.25).expect("a view");
        session.go_in(0, view, Framing::Free, Change::Jump);
        assert_eq!(session.undo(), Some("panels"));
        let [zero, two] = [0, 2].map(|index| session.view_of(index).image_from_output(session.output, size(512, 512)));
        assert_eq!((zero.at([3.0, 4.0]), session.view_of(0)), (two.at([3.0, 4.0]), view));
    }

    #[test]
    fn what_is_held_is_one_step_and_none_where_it_ends_as_it_began() {
        let mut session = session();
        session.step_method(1);
        session.note_edits(false);
        let drag = |session: &mut Session, values: &[f32]| {
            for value in values {
                session.focused_panel().sampler.border = *value;
                session.note_edits(true);
            }
            session.note_edits(false);
        };
        drag(&mut session, &[0.1, 0.2, 0.3]);
        drag(&mut session, &[0.4, 0.5]);
        drag(&mut session, &[0.6, 0.5, 0.7, 0.5]);
        let border = |session: &Session| session.panels[0].sampler.border;
        assert_eq!((session.undo(), border(&session)), (Some("border"), 0.3));
        assert_eq!((session.undo(), border(&session)), (Some("border"), 0.0));
        assert_eq!(session.undo(), Some("method"));
        session.redo();
        assert_eq!(session.redoes(), Some("border"));
        session.toggle_ghost();
        session.note_edits(false);
        assert_eq!((session.redo(), session.undoes()), (None, Some("cursor in every panel")));
    }

    #[test]
    fn the_oldest_steps_are_forgotten() {
        let mut session = session();
        for number in 0..Edits::STEPS + 10 {
            session.focused_panel().sampler.border = number as f32 + 1.0;
            session.note_edits(false);
        }
        assert_eq!(std::iter::from_fn(|| session.undo()).count(), Edits::STEPS);
        assert_eq!(session.panels[0].sampler.border, 10.0);
    }
}
