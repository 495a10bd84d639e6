//! Effects of commands on a session.

use super::command::{Command, Pan, PanStep, QuarterTurn};
use super::inspect_command::{self, InspectCommand};
use super::notice::CommandNotice;
use super::obstacle::{obstacle, other_path};
use super::window_action::{DialogAction, FileAction, WindowAction};
use crate::app::session::history::{Change, Framing};
use crate::app::session::preferences::Preferences;
use crate::app::session::{Compare, Difference, Gain, Session, WipeLine};
use crate::view::View;

/// Factor of a fine zoom.
const FINE_ZOOM: f64 = 1.02;
/// Step of the wipe line by key, as a fraction of the picture.
const WIPE_STEP: f64 = 1.0 / 32.0;
/// Relative difference below which two scales are the same.
const SAME_SCALE: f64 = 1e-9;

/// Performs `command` on the session. Returns the action that is left to the window: for a command that can do nothing now,
/// the reason.
pub(in crate::app) fn perform(
    session: &mut Session,
    preferences: &mut Preferences,
    command: Command,
) -> Option<WindowAction> {
    if let Some(notice) = obstacle(session, command) {
        return Some(WindowAction::Notice(notice));
    }
    match command {
        Command::Open => return Some(WindowAction::ChooseImage),
        Command::OpenRecent => return Some(WindowAction::Dialog(DialogAction::RecentFiles)),
        Command::PagesAsVolume => return Some(WindowAction::File(FileAction::PagesAsVolume)),
        Command::Reload => return Some(WindowAction::File(FileAction::Reload)),
        Command::NextFile => return Some(WindowAction::File(FileAction::NextFile)),
        Command::PreviousFile => return Some(WindowAction::File(FileAction::PreviousFile)),
        Command::Paste => return Some(WindowAction::File(FileAction::Paste)),
        Command::SavePanel => return Some(WindowAction::Dialog(DialogAction::SavePanel)),
        Command::SaveFigure => return Some(WindowAction::Dialog(DialogAction::SaveFigure)),
        Command::SavePlot => return Some(WindowAction::Dialog(DialogAction::SavePlot)),
        Command::CopyPicture => return Some(WindowAction::File(FileAction::CopyPicture)),
        Command::CopyCommands => return Some(WindowAction::File(FileAction::CopyCommands)),
        Command::OpenSession => return Some(WindowAction::Dialog(DialogAction::OpenSession)),
        Command::SaveSession => return Some(WindowAction::Dialog(DialogAction::SaveSession)),
        Command::AddFilter => return Some(WindowAction::Dialog(DialogAction::Filters)),
        Command::FindImage => return Some(WindowAction::Dialog(DialogAction::Images)),
        Command::TestPictures => return Some(WindowAction::Dialog(DialogAction::TestPictures)),
        Command::Palette => return Some(WindowAction::Dialog(DialogAction::Palette)),
        Command::Settings => return Some(WindowAction::Dialog(DialogAction::Settings)),
        Command::Timing => return Some(WindowAction::ToggleTiming),
        Command::Quit => return Some(WindowAction::Quit),
        Command::Present => return Some(WindowAction::TogglePresentation),
        Command::ToggleChrome => return Some(WindowAction::ToggleChrome),
        Command::ToggleSideBar => return Some(WindowAction::ToggleSideBar),
        Command::NextTheme => return Some(WindowAction::NextTheme),
        Command::Help => return Some(WindowAction::Dialog(DialogAction::Keys)),
        Command::Leave => return Some(WindowAction::Leave),
        Command::BlockSweep => return Some(WindowAction::OpenBlockSweep),
        Command::Inspect(InspectCommand::Normalize) => return Some(WindowAction::Normalize),
        Command::FocusRegion(forwards) => return Some(WindowAction::FocusRegion(forwards)),
        Command::Choose(choice) => return choice.set(session, preferences),
        Command::ToggleTruth => session.toggle_truth(),
        Command::TogglePath => toggle_path(session),
        Command::TogglePrefilter => {
            let sampler = &mut session.focused_panel().sampler;
            sampler.prefilter = !sampler.prefilter;
        }
        Command::Lesson(ask) => return Some(WindowAction::Lesson(ask)),
        Command::Inspect(ask) => return inspect_command::perform(session, preferences, ask).map(WindowAction::Notice),
        Command::NextImage => session.show_image((session.shown() + 1) % session.images().len()),
        Command::PreviousImage => {
            let count = session.images().len();
            session.show_image((session.shown() + count - 1) % count);
        }
        Command::AlternateImage => {
            let place = session.shown_before().and_then(|id| session.place_of_image(id));
            place.into_iter().for_each(|place| session.show_image(place));
        }
        Command::CloseImage => drop(session.close_image(session.shown_id())),
        Command::MoveImage(forwards) => {
            let place = session.shown();
            session.move_image(session.shown_id(), if forwards { place + 1 } else { place.saturating_sub(1) });
        }
        Command::LocateImage => return Some(WindowAction::Dialog(DialogAction::LocateImage(session.shown_id()))),
        Command::KeepPlace(kept_place) => session.set_kept_place(kept_place),
        Command::NextPage | Command::PreviousPage if session.volume_of(session.focused()).is_some() => {
            session.step_slice(session.focused(), if command == Command::NextPage { 1.0 } else { -1.0 });
        }
        Command::NextTime => session.step_time(session.focused(), 1.0),
        Command::PreviousTime => session.step_time(session.focused(), -1.0),
        Command::NextPage => session.show_page(session.page_index() + 1),
        Command::PreviousPage => session.show_page(session.page_index().saturating_sub(1)),
        Command::ZoomIn => {
            let scale = next_scale_in(session.view().scale());
            session.animate(preferences, |session| session.show_at(scale, session.middle(), Change::Zoom));
        }
        Command::ZoomOut => {
            let scale = next_scale_out(session.view().scale());
            session.animate(preferences, |session| session.show_at(scale, session.middle(), Change::Zoom));
        }
        Command::ZoomInFine => session.animate(preferences, |session| zoom(session, FINE_ZOOM)),
        Command::ZoomOutFine => session.animate(preferences, |session| zoom(session, 1.0 / FINE_ZOOM)),
        Command::Fit => session.animate(preferences, Session::fit),
        Command::Times(n) => session.animate(preferences, |session| {
            session.show_at(1.0 / f64::from(n), session.middle(), Change::Jump);
        }),
        Command::ShowDetail => session.animate(preferences, Session::show_detail),
        Command::Back => session.animate(preferences, Session::back),
        Command::ReturnToImage => session.animate(preferences, |session| session.return_to_image(session.focused())),
        Command::Upright => session.animate(preferences, |session| session.turn_to(0.0)),
        Command::SquarePixels => session.animate(preferences, |session| session.stretch_to(1.0)),
        Command::Turn(QuarterTurn::Left) => session.animate(preferences, |session| session.turn_by(90.0)),
        Command::Turn(QuarterTurn::Right) => session.animate(preferences, |session| session.turn_by(-90.0)),
        Command::Pan(by) => session.animate(preferences, |session| pan(session, by)),
        Command::NextPanel => session.step_focus(1),
        Command::PreviousPanel => session.step_focus(-1),
        Command::AddPanel => drop(session.add_panel()),
        Command::DuplicatePanel => drop(session.duplicate_panel()),
        Command::ClosePanel => drop(session.close_panel(session.focused())),
        Command::ShareSettings => session.share_settings(),
        Command::SwapNext => session.step_panel(1),
        Command::SwapPrevious => session.step_panel(-1),
        Command::Undo => {
            return session.undo(preferences).map(|step| WindowAction::Notice(CommandNotice::Undone(step)));
        }
        Command::Redo => {
            return session.redo(preferences).map(|step| WindowAction::Notice(CommandNotice::Redone(step)));
        }
        Command::Arrange(panel_set) => panel_set.show(session),
        Command::NextLink => {
            session.set_link(session.link().next());
            return Some(WindowAction::Notice(CommandNotice::Link(session.link())));
        }
        Command::Link(link) => session.set_link(link),
        Command::SideBySide => session.set_compare(Compare::SideBySide),
        Command::Wipe => session.set_compare(Compare::Wipe),
        Command::Difference => session.set_compare(Compare::Difference),
        Command::ExchangePair => session.exchange_pair(),
        Command::Flicker => session.toggle_flicker(),
        Command::Flip => flip(session),
        Command::TurnWipe => {
            let line = session.line();
            session.set_line(WipeLine { is_horizontal: !line.is_horizontal, ..line });
        }
        Command::MoveWipe(forwards) => {
            let line = session.line();
            let step = if forwards { WIPE_STEP } else { -WIPE_STEP };
            session.set_line(WipeLine { share: line.share + step, ..line });
        }
        Command::ToggleAbsolute => {
            let difference = session.difference();
            session.set_difference(Difference { absolute: !difference.absolute, ..difference });
        }
        Command::ToggleAutomaticGain => {
            let (difference, gain_log2) = (session.difference(), session.gain_log2());
            let gain = match difference.gain {
                Gain::Automatic => Gain::Fixed(gain_log2),
                Gain::Fixed(_) => Gain::Automatic,
            };
            session.set_difference(Difference { gain, ..difference });
        }
        Command::MoreGain => return change_gain(session, GainChange::Double).map(WindowAction::Notice),
        Command::LessGain => return change_gain(session, GainChange::Halve).map(WindowAction::Notice),
        Command::NextDifferenceMap => {
            let pair = session.pair();
            pair.into_iter().for_each(|pair| {
                session.set_difference(session.difference().with_next_map(session.usual_map(pair)));
            });
        }
        Command::ToggleCrosshair => session.toggle_crosshair(),
        Command::ToggleFilters => session.toggle_filters(),
        Command::ResetFilters => session.reset_filters(),
        Command::NextLayout => session.next_layout(),
        Command::Maximize => session.toggle_maximized(),
        Command::NextMethod => session.step_method(1),
        Command::PreviousMethod => session.step_method(-1),
        Command::NextAddress => session.step_address(&[0, 1]),
        Command::NextAddressX => session.step_address(&[0]),
        Command::NextAddressY => session.step_address(&[1]),
    }
    None
}

/// Shows the other panel of the pair in the focused panel's area; in a wipe or a difference swaps their roles.
fn flip(session: &mut Session) {
    match session.compare() {
        Compare::SideBySide => session.flip(),
        Compare::Wipe | Compare::Difference => session.exchange_pair(),
    }
}

/// Change of the difference's gain or of the flicker rate.
#[derive(Clone, Copy, Debug)]
enum GainChange {
    Double,
    Halve,
}

/// Changes the flicker rate while panels flicker, else the difference's gain, which is fixed from then on.
fn change_gain(session: &mut Session, change: GainChange) -> Option<CommandNotice> {
    if session.flickers() {
        let rate = session.flips_a_second();
        session.set_flips_a_second(match change {
            GainChange::Double => rate * 2.0,
            GainChange::Halve => rate / 2.0,
        });
        return Some(CommandNotice::FlickerRate(session.flips_a_second()));
    }
    let gain_log2 = match change {
        GainChange::Double => session.gain_log2().saturating_add(1),
        // The next power of two below an automatic gain between two of them.
        GainChange::Halve if session.gain().log2().fract() != 0.0 => session.gain_log2(),
        GainChange::Halve => session.gain_log2().saturating_sub(1),
    };
    session.set_difference(Difference { gain: Gain::Fixed(gain_log2), ..session.difference() });
    None
}

fn zoom(session: &mut Session, factor: f64) {
    let view = session.view();
    let to = view.zoomed_about(session.middle(), view.scale() / factor, session.output());
    session.go(to, Framing::Free, Change::Zoom);
}

fn pan(session: &mut Session, Pan { step, axis, forwards }: Pan) {
    let sign = if forwards { 1.0 } else { -1.0 };
    let samples = match step {
        PanStep::Tenth => {
            let sides = [session.output().width(), session.output().height()];
            let mut by_px = [0.0; 2];
            by_px[axis] = -sign * (f64::from(sides[axis]) / 10.0).round();
            return session.pan(by_px);
        }
        PanStep::Sample => 1.0,
        PanStep::Sixteenth => 1.0 / 16.0,
    };
    let view = session.view();
    let mut translation = view.translation();
    translation[axis] += sign * samples;
    if let Ok(to) = view.translated(translation) {
        session.go(to, Framing::Free, Change::Pan);
    }
}

fn toggle_path(session: &mut Session) {
    if let Ok(path) = other_path(session) {
        session.focused_panel().sampler.path = path;
    }
}

/// Round scales: 1 and 1.5 times a power of two, in samples a pixel or in pixels a sample.
fn round_scales() -> impl Iterator<Item = f64> {
    let outwards = (0..=10).flat_map(|power| [1.0, 1.5].map(|step| step * f64::from(power).exp2()));
    let inwards = (0..=12).flat_map(|power| [1.0, 1.5].map(|step| 1.0 / (step * f64::from(power).exp2())));
    outwards.chain(inwards).filter(|scale| (View::ZOOM_SCALES.0..=View::ZOOM_SCALES.1).contains(scale))
}

fn next_scale_in(scale: f64) -> f64 {
    round_scales().filter(|&round| round < scale * (1.0 - SAME_SCALE)).fold(View::ZOOM_SCALES.0, f64::max)
}

fn next_scale_out(scale: f64) -> f64 {
    round_scales().filter(|&round| round > scale * (1.0 + SAME_SCALE)).fold(View::ZOOM_SCALES.1, f64::min)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::image::{Channels, Depth, Image, Page, Raster};
    use crate::sampling::Sampler;
    use crate::test_support::size;

    #[test]
    fn zoom_steps_are_round_scales() {
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

    fn session(panels: usize) -> Session {
        let page = Page::new(Raster::zeros(size(8, 6), Channels::Grey, Depth::EIGHT));
        let mut session = Session::new(Arc::new(Image::new("zeros", vec![page]).expect("an image")));
        session.arrange(&vec![Sampler::default(); panels]);
        session
    }

    #[test]
    fn commands_that_cannot_act_return_the_reason_and_change_nothing() {
        let compare = CommandNotice::NeedsTwoPanels;
        let first = session(4).panel_name(0).numbered();
        for (panels, command, reason) in [
            (1, Command::ClosePanel, CommandNotice::LastPanel),
            (Session::MAX_PANELS, Command::AddPanel, CommandNotice::PanelLimit),
            (Session::MAX_PANELS, Command::DuplicatePanel, CommandNotice::PanelLimit),
            (1, Command::Wipe, compare.clone()),
            (1, Command::Difference, compare.clone()),
            (1, Command::ExchangePair, compare.clone()),
            (1, Command::Flip, compare.clone()),
            (1, Command::Flicker, compare),
            (1, Command::NextPanel, CommandNotice::OnlyPanel),
            (4, Command::NextImage, CommandNotice::OnlyImage),
            (4, Command::NextPage, CommandNotice::NoFurtherPage),
            (4, Command::Undo, CommandNotice::NothingToUndo),
            (4, Command::Back, CommandNotice::NoEarlierView),
            (4, Command::ReturnToImage, CommandNotice::NotLost(first.clone())),
            (4, Command::Upright, CommandNotice::NotTurned(first.clone())),
            (4, Command::SquarePixels, CommandNotice::NotStretched(first.clone())),
            (4, Command::TurnWipe, CommandNotice::NoWipe),
            (4, Command::MoveWipe(true), CommandNotice::NoWipe),
            (4, Command::ToggleAbsolute, CommandNotice::NoDifference),
            (4, Command::ToggleAutomaticGain, CommandNotice::NoDifference),
            (4, Command::ToggleFilters, CommandNotice::NoFilters(first)),
            (4, Command::Inspect(InspectCommand::ClearPins), CommandNotice::NoPins),
            (4, Command::TogglePrefilter, CommandNotice::NoPrefilter),
            (4, Command::Inspect(InspectCommand::Pin), CommandNotice::NothingToPin),
        ] {
            let (mut session, mut preferences) = (session(panels), Preferences::default());
            let before = session.state();
            let action = perform(&mut session, &mut preferences, command);
            assert_eq!(action, Some(WindowAction::Notice(reason)), "{command:?}");
            assert_eq!((session.state(), preferences), (before, Preferences::default()), "{command:?}");
            assert!(!session.flickers(), "{command:?}");
        }
    }

    /// Every command that raises or lowers a quantity comes to an end, which it says, and then changes nothing.
    #[test]
    fn commands_at_the_end_of_a_range_say_so_and_change_nothing() {
        let exposure = |is_more| Command::Inspect(InspectCommand::Exposure(is_more));
        for (compare, command, name, is_maximum) in [
            (Compare::SideBySide, Command::ZoomIn, "The magnification", true),
            (Compare::SideBySide, Command::ZoomOut, "The magnification", false),
            (Compare::SideBySide, Command::ZoomInFine, "The magnification", true),
            (Compare::SideBySide, Command::ZoomOutFine, "The magnification", false),
            (Compare::Wipe, Command::MoveWipe(true), "The place of the wipe's line", true),
            (Compare::Wipe, Command::MoveWipe(false), "The place of the wipe's line", false),
            (Compare::Difference, Command::MoreGain, "The gain", true),
            (Compare::Difference, Command::LessGain, "The gain", false),
            (Compare::SideBySide, exposure(true), "The exposure", true),
            (Compare::SideBySide, exposure(false), "The exposure", false),
        ] {
            let (mut session, mut preferences) = (session(2), Preferences::default());
            preferences.reduced_motion = true;
            session.set_compare(compare);
            let end = Some(WindowAction::Notice(CommandNotice::AtEndOfRange(name, is_maximum)));
            let mut steps = 0;
            loop {
                let before = session.state();
                let action = perform(&mut session, &mut preferences, command);
                if action == end {
                    assert_eq!(session.state(), before, "{command:?}");
                    break;
                }
                assert_eq!(action, None, "{command:?}");
                assert_ne!(session.state(), before, "{command:?} has an effect before it");
                steps += 1;
                assert!(steps < 1000, "{command:?} has an end");
            }
            assert!(steps > 0, "{command:?}");
        }
    }

    #[test]
    fn gain_commands_change_the_flicker_rate_while_panels_flicker() {
        let (mut session, mut preferences) = (session(2), Preferences::default());
        let mut notice = |session: &mut Session, command| perform(session, &mut preferences, command);
        let not_shown = Some(WindowAction::Notice(CommandNotice::NoDifference));
        assert_eq!(notice(&mut session, Command::MoreGain), not_shown);
        session.set_compare(Compare::Difference);
        assert_eq!(notice(&mut session, Command::MoreGain), None);
        assert_eq!((session.difference().gain, session.flips_a_second()), (Gain::Fixed(1), 2.0));
        session.set_compare(Compare::SideBySide);
        session.toggle_flicker();
        let rate = |rate| Some(WindowAction::Notice(CommandNotice::FlickerRate(rate)));
        assert_eq!(notice(&mut session, Command::MoreGain), rate(4.0));
        assert_eq!(notice(&mut session, Command::LessGain), rate(2.0));
        assert_eq!(session.difference().gain, Gain::Fixed(1));
    }

    #[test]
    fn gain_steps_fix_the_automatic_gain_and_its_command_switches_between_both() {
        let (mut session, mut preferences) = (session(2), Preferences::default());
        session.set_compare(Compare::Difference);
        session.settle_gain(&Gain::automatic().map(|gain| f64::from(u8::from(gain * 0.1 > 1.0))));
        for (command, gain, gain_log2) in [
            (Command::MoreGain, Gain::Fixed(4), 4),
            (Command::ToggleAutomaticGain, Gain::Automatic, 3),
            // An automatic gain of 10 is between 8 and 16.
            (Command::LessGain, Gain::Fixed(3), 3),
            (Command::LessGain, Gain::Fixed(2), 2),
            (Command::ToggleAutomaticGain, Gain::Automatic, 3),
            (Command::ToggleAutomaticGain, Gain::Fixed(3), 3),
        ] {
            assert_eq!(perform(&mut session, &mut preferences, command), None);
            assert_eq!((session.difference().gain, session.gain_log2()), (gain, gain_log2), "{command:?}");
        }
    }
}
