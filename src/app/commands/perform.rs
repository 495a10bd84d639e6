//! What the commands do to a session.

use super::{Command, CommandRow, Step};
use crate::app::inspect::Ask;
use crate::app::session::history::{Change, Framing};
use crate::app::session::{Compare, Difference, Session, WipeLine};
use crate::sampling::{Method, Path, Sampler};
use crate::view::View;

/// What a command asks of the window, where the session alone cannot do it.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) enum Wish {
    /// Choose a file.
    Open,
    /// Close the window.
    Quit,
    /// Fill the screen for an audience, or not.
    Present,
    /// Show pictures only, or everything.
    ToggleChrome,
    /// The next of system, light, dark.
    NextTheme,
    /// Show or hide the keys.
    Help,
    /// Close what is open.
    Leave,
    /// What files, the clipboard and lists over the panels have to do with.
    Desk(Command),
    /// Open the race.
    Race,
    /// Black and white at the ends of what is seen.
    Normalize,
    /// Say why a command did nothing.
    Say(String),
}

/// A little zoom.
const FINE_ZOOM: f64 = 1.02;

/// Does `command`, or says what the window has to do.
pub(in crate::app) fn perform(session: &mut Session, command: Command) -> Option<Wish> {
    match command {
        Command::Open => return Some(Wish::Open),
        Command::OpenRecent
        | Command::Reload
        | Command::NextFile
        | Command::PreviousFile
        | Command::Paste
        | Command::SavePanel
        | Command::SaveFigure
        | Command::CopyPicture
        | Command::CopyCommands
        | Command::OpenSession
        | Command::SaveSession
        | Command::AddFilter
        | Command::Palette
        | Command::Settings
        | Command::Timing => return Some(Wish::Desk(command)),
        Command::Quit => return Some(Wish::Quit),
        Command::Present => return Some(Wish::Present),
        Command::ToggleChrome => return Some(Wish::ToggleChrome),
        Command::NextTheme => return Some(Wish::NextTheme),
        Command::Help => return Some(Wish::Help),
        Command::Leave => return Some(Wish::Leave),
        Command::Race => return Some(Wish::Race),
        Command::TogglePath => return toggle_path(session),
        Command::TogglePrefilter => return toggle_prefilter(session),
        Command::NextImage => session.show_image((session.shown() + 1) % session.images().len()),
        Command::PreviousImage => {
            let count = session.images().len();
            session.show_image((session.shown() + count - 1) % count);
        }
        Command::NextPage => session.show_page(session.page_index() + 1),
        Command::PreviousPage => session.show_page(session.page_index().saturating_sub(1)),
        Command::ZoomIn => {
            let scale = next_scale_in(session.view().scale());
            session.show_at(scale, session.middle(), Change::Zoom);
        }
        Command::ZoomOut => {
            let scale = next_scale_out(session.view().scale());
            session.show_at(scale, session.middle(), Change::Zoom);
        }
        Command::ZoomInFine => zoom(session, FINE_ZOOM),
        Command::ZoomOutFine => zoom(session, 1.0 / FINE_ZOOM),
        Command::Fit => session.fit(),
        Command::Times(n) => session.show_at(1.0 / f64::from(n), session.middle(), Change::Jump),
        Command::Back => session.back(),
        Command::Pan(step, axis, forwards) => pan(session, step, axis, if forwards { 1.0 } else { -1.0 }),
        Command::NextPanel => session.step_focus(1),
        Command::PreviousPanel => session.step_focus(-1),
        Command::AddPanel if !session.add_panel() => {
            return Some(Wish::Say(format!("there are {} panels, and no more fit", Session::MOST_PANELS)));
        }
        Command::ClosePanel if !session.close_panel(session.focused()) => {
            return Some(Wish::Say("the last panel stays open".to_owned()));
        }
        Command::AddPanel | Command::ClosePanel => {}
        Command::SwapNext => session.step_panel(1),
        Command::SwapPrevious => session.step_panel(-1),
        Command::Undo => return session.undo().map(|what| Wish::Say(format!("Undone: {what}"))),
        Command::Redo => return session.redo().map(|what| Wish::Say(format!("Redone: {what}"))),
        Command::Arrange(arrangement) => arrangement.show(session),
        Command::NextLink => {
            session.set_link(session.link().next());
            return Some(Wish::Say(session.link().row().help.to_owned()));
        }
        Command::Link(link) => session.set_link(link),
        Command::SideBySide
        | Command::Wipe
        | Command::TurnWipe
        | Command::MoveWipe(_)
        | Command::Difference
        | Command::ToggleAbsolute
        | Command::MoreGain
        | Command::LessGain
        | Command::NextDifferenceMap
        | Command::ExchangePair
        | Command::Flip
        | Command::Flicker
        | Command::ToggleGhost => return compare(session, command),
        Command::Inspect(Ask::Normalize) => return Some(Wish::Normalize),
        Command::Inspect(ask) => return crate::app::inspect::perform(session, ask).map(Wish::Say),
        Command::ToggleFilters => crate::app::bars::filter_cards::toggle(session),
        Command::ResetFilters => crate::app::bars::filter_cards::reset(session),
        Command::NextLayout => session.next_layout(),
        Command::Maximise => session.toggle_maximised(),
        Command::NextMethod => session.step_method(1),
        Command::PreviousMethod => session.step_method(-1),
        Command::NextAddress => session.step_address(&[0, 1]),
        Command::NextAddressX => session.step_address(&[0]),
        Command::NextAddressY => session.step_address(&[1]),
    }
    None
}

/// Whether `command` can do anything now.
pub(in crate::app) fn is_possible(session: &Session, command: Command) -> bool {
    match command {
        Command::NextImage | Command::PreviousImage => session.images().len() > 1,
        Command::NextPage => session.page_index() + 1 < session.image().pages().len(),
        Command::PreviousPage => session.page_index() > 0,
        Command::Back => session.can_go_back(),
        Command::TogglePrefilter => session.panels()[session.focused()].sampler.method == Method::BSpline,
        Command::TogglePath => other_path(session).is_ok(),
        Command::Inspect(Ask::Loupe) => false,
        Command::Inspect(Ask::Pin) => session.inspect.cursor.is_some(),
        Command::Inspect(Ask::ClearPins) => !session.inspect.kept.pins.is_empty(),
        Command::Inspect(Ask::ClearRegion) => session.inspect.kept.region.is_some(),
        Command::ToggleFilters | Command::ResetFilters => !session.panels()[session.focused()].filters.is_empty(),
        Command::AddPanel => session.panels().len() < Session::MOST_PANELS,
        Command::ClosePanel | Command::SwapNext | Command::SwapPrevious => session.panels().len() > 1,
        Command::Undo => session.undoes().is_some(),
        Command::Redo => session.redoes().is_some(),
        Command::Wipe | Command::Difference | Command::ExchangePair | Command::Flip | Command::Flicker => {
            session.pair().is_some()
        }
        Command::TurnWipe => session.compare() == Compare::Wipe,
        Command::LessGain | Command::MoreGain => session.compare() == Compare::Difference || session.flickers(),
        Command::ToggleAbsolute | Command::NextDifferenceMap => session.compare() == Compare::Difference,
        _ => true,
    }
}

/// What a menu calls the command of `row`, with what it acts on where that is not always the same.
pub(in crate::app) fn title(session: &Session, row: &CommandRow) -> String {
    let what = match row.command {
        Command::Undo => session.undoes(),
        Command::Redo => session.redoes(),
        _ => None,
    };
    what.map_or_else(|| row.title.to_owned(), |what| format!("{}: {what}", row.title))
}

/// Whether `command` stands for what is chosen now.
pub(in crate::app) fn is_chosen(session: &Session, command: Command) -> bool {
    match command {
        Command::Inspect(ask) => crate::app::inspect::is_on(&session.inspect, ask),
        Command::Link(link) => session.link() == link,
        Command::ToggleFilters => session.panels()[session.focused()].filters_off,
        Command::Maximise => session.is_maximised(),
        Command::SideBySide => session.compare() == Compare::SideBySide,
        Command::Wipe => session.compare() == Compare::Wipe,
        Command::Difference => session.compare() == Compare::Difference,
        Command::ToggleAbsolute => session.difference().absolute,
        Command::Flicker => session.flickers(),
        Command::ToggleGhost => session.has_ghost(),
        Command::TogglePrefilter => session.panels()[session.focused()].sampler.prefilter,
        _ => false,
    }
}

/// One step of the wipe's line by key.
const WIPE_STEP: f64 = 1.0 / 32.0;

/// The commands that hold panels against each other.
fn compare(session: &mut Session, command: Command) -> Option<Wish> {
    let needs_two = || Some(Wish::Say("there is but one panel; add another to compare it with".to_owned()));
    let (line, difference) = (session.line(), session.difference());
    match command {
        Command::SideBySide => session.set_compare(Compare::SideBySide),
        Command::ToggleGhost => session.toggle_ghost(),
        Command::TurnWipe => session.set_line(WipeLine { lies: !line.lies, ..line }),
        Command::MoveWipe(on) => {
            let step = if on { WIPE_STEP } else { -WIPE_STEP };
            session.set_line(WipeLine { share: line.share + step, ..line });
        }
        Command::ToggleAbsolute => {
            session.set_difference(Difference { absolute: !difference.absolute, ..difference });
        }
        Command::MoreGain if session.flickers() => return set_rate(session, 2.0),
        Command::LessGain if session.flickers() => return set_rate(session, 0.5),
        Command::MoreGain => {
            session.set_difference(Difference { gain_log2: difference.gain_log2 + 1, ..difference });
        }
        Command::LessGain => {
            session.set_difference(Difference { gain_log2: difference.gain_log2.saturating_sub(1), ..difference });
        }
        Command::NextDifferenceMap => session.set_difference(difference.with_next_map()),
        _ if session.pair().is_none() => return needs_two(),
        Command::Wipe => session.set_compare(Compare::Wipe),
        Command::Difference => session.set_compare(Compare::Difference),
        Command::ExchangePair => session.exchange_pair(),
        Command::Flip if session.compare() != Compare::SideBySide => session.exchange_pair(),
        Command::Flip => session.flip(),
        Command::Flicker => session.toggle_flicker(),
        _ => {}
    }
    None
}

fn set_rate(session: &mut Session, factor: f64) -> Option<Wish> {
    session.set_flips_a_second(session.flips_a_second() * factor);
    Some(Wish::Say(format!("{} flips a second", session.flips_a_second())))
}

fn zoom(session: &mut Session, factor: f64) {
    let view = session.view();
    let to = view.zoomed_about(session.middle(), view.scale() / factor, session.output());
    session.ease_in(session.focused(), to, Framing::Free, Change::Zoom);
}

fn pan(session: &mut Session, step: Step, axis: usize, sign: f64) {
    let samples = match step {
        Step::Tenth => {
            let sides = [session.output().width(), session.output().height()];
            let mut by_px = [0.0; 2];
            by_px[axis] = -sign * (f64::from(sides[axis]) / 10.0).round();
            return session.pan(by_px);
        }
        Step::Sample => 1.0,
        Step::Sixteenth => 1.0 / 16.0,
    };
    let view = session.view();
    let mut translation = view.translation();
    translation[axis] += sign * samples;
    if let Ok(to) = View::new(translation, view.scale()).and_then(|to| to.rotated(view.angle_deg())) {
        session.ease_in(session.focused(), to, Framing::Free, Change::Pan);
    }
}

fn toggle_path(session: &mut Session) -> Option<Wish> {
    match other_path(session) {
        Ok(path) => {
            session.focused_panel().sampler.path = path;
            None
        }
        Err(why) => Some(Wish::Say(why)),
    }
}

/// The texture unit's path where the focused panel has an exact one, and the exact one where not.
fn other_path(session: &Session) -> Result<Path, String> {
    let index = session.focused();
    let sampler = session.panels()[index].sampler;
    if sampler.path == Path::Filtered {
        return Ok(Path::Auto);
    }
    let refusal = session.refusal(index, Sampler { path: Path::Filtered, ..sampler });
    refusal.map_or(Ok(Path::Filtered), |error| Err(error.to_string()))
}

fn toggle_prefilter(session: &mut Session) -> Option<Wish> {
    let sampler = &mut session.focused_panel().sampler;
    if sampler.method != Method::BSpline {
        return Some(Wish::Say("the prefilter is for the cubic B-spline alone".to_owned()));
    }
    sampler.prefilter = !sampler.prefilter;
    None
}

/// The round scales: whole numbers of samples a pixel, of pixels a sample, 1, 1.5 and 2, 3, 4, 6, 8, 12, 16 and on.
fn round_scales() -> impl Iterator<Item = f64> {
    let outwards = (0..=10).flat_map(|power| [1.0, 1.5].map(|step| step * f64::from(power).exp2()));
    let inwards = (0..=12).flat_map(|power| [1.0, 1.5].map(|step| 1.0 / (step * f64::from(power).exp2())));
    outwards.chain(inwards).filter(|scale| (View::ZOOM_SCALES.0..=View::ZOOM_SCALES.1).contains(scale))
}

/// How much two scales may differ and still be the same.
const SAME: f64 = 1e-9;

fn next_scale_in(scale: f64) -> f64 {
    round_scales().filter(|&round| round < scale * (1.0 - SAME)).fold(View::ZOOM_SCALES.0, f64::max)
}

fn next_scale_out(scale: f64) -> f64 {
    round_scales().filter(|&round| round > scale * (1.0 + SAME)).fold(View::ZOOM_SCALES.1, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snap_steps_are_the_round_ones() {
        let zooms = |mut scale: f64, count: usize, next: fn(f64) -> f64| -> Vec<f64> {
            let mut step = || {
                scale = next(scale);
                scale
            };
            (0..count).map(|_| step()).collect()
        };
        let inwards: Vec<f64> = zooms(4.1, 9, next_scale_in).iter().map(|scale| (1e6 / scale).round() / 1e6).collect();
        assert_eq!(inwards, [0.25, 0.333_333, 0.5, 0.666_667, 1.0, 1.5, 2.0, 3.0, 4.0]);
        assert_eq!(zooms(1.0, 5, next_scale_out), [1.5, 2.0, 3.0, 4.0, 6.0]);
        assert_eq!(next_scale_in(View::ZOOM_SCALES.0), View::ZOOM_SCALES.0);
        assert_eq!(next_scale_out(View::ZOOM_SCALES.1), View::ZOOM_SCALES.1);
    }
}
