//! Why a command can do nothing now. Menus disable such a command; its key says why.

use std::sync::Arc;

use super::command::Command;
use super::inspect_command::{InspectCommand, is_chosen};
use super::lesson_command;
use super::notice::CommandNotice;
use crate::app::session::inspect::Inspect;
use crate::app::session::panel_sets::PanelSet;
use crate::app::session::{Compare, Gain, Session};
use crate::backend::{Content, RequestError};
use crate::image::{Channels, Image, Page};
use crate::sampling::{Sampler, SamplingPath};

/// Whether the pages of `image` are slices: two or more, grey and equal in size.
fn has_slices(image: &Image) -> bool {
    let pages = image.pages();
    let is_slice = |page: &Arc<Page>| page.channels() == Channels::Grey && page.size() == pages[0].size();
    pages.len() > 1 && pages.iter().all(is_slice)
}

/// Why `command` can do nothing now; `None` if it has an effect, or if only the window knows.
pub(in crate::app) fn obstacle(session: &Session, command: Command) -> Option<CommandNotice> {
    let unless = |is_possible: bool, notice: CommandNotice| (!is_possible).then_some(notice);
    let panel = &session.panels()[session.focused()];
    let focused_name = || session.panel_name(session.focused()).numbered();
    let has_two = session.panels().len() > 1;
    let is_difference = session.compare() == Compare::Difference;
    match command {
        Command::NextImage | Command::PreviousImage => unless(session.images().len() > 1, CommandNotice::OnlyImage),
        Command::CloseImage => unless(session.images().len() > 1, CommandNotice::LastImage),
        Command::MoveImage(false) => unless(session.shown() > 0, CommandNotice::AtEndOfList),
        Command::MoveImage(true) => unless(session.shown() + 1 < session.images().len(), CommandNotice::AtEndOfList),
        Command::AlternateImage => unless(session.shown_before().is_some(), CommandNotice::NoImageBefore),
        Command::PagesAsVolume => unless(has_slices(session.image()), CommandNotice::NoSlices),
        Command::LocateImage => unless(session.image().is_missing(), CommandNotice::NotMissing),
        Command::NextPage | Command::PreviousPage if session.volume_of(session.focused()).is_some() => {
            let forwards = command == Command::NextPage;
            unless(session.can_step_slice(session.focused(), forwards), CommandNotice::NoFurtherSlice)
        }
        Command::NextTime | Command::PreviousTime if !session.has_times(session.focused()) => {
            Some(CommandNotice::NoTimes)
        }
        Command::NextTime | Command::PreviousTime => {
            let forwards = command == Command::NextTime;
            unless(session.can_step_time(session.focused(), forwards), CommandNotice::NoFurtherTime)
        }
        Command::NextPage => {
            unless(session.page_index() + 1 < session.image().pages().len(), CommandNotice::NoFurtherPage)
        }
        Command::PreviousPage => unless(session.page_index() > 0, CommandNotice::NoFurtherPage),
        Command::Back => unless(session.can_go_back(), CommandNotice::NoEarlierView),
        Command::ReturnToImage => {
            unless(session.is_off_image(session.focused()), CommandNotice::NotLost(focused_name()))
        }
        Command::Upright => unless(session.view().angle_deg() != 0.0, CommandNotice::NotTurned(focused_name())),
        Command::SquarePixels => {
            unless(!session.view().has_square_pixels(), CommandNotice::NotStretched(focused_name()))
        }
        Command::Undo => unless(session.undoes().is_some(), CommandNotice::NothingToUndo),
        Command::Redo => unless(session.redoes().is_some(), CommandNotice::NothingToRedo),
        Command::ToggleTruth if panel.content == Content::Truth => None,
        Command::ToggleTruth | Command::Arrange(PanelSet::Truth) => {
            session.no_truth(session.focused()).map(CommandNotice::from)
        }
        Command::Arrange(PanelSet::ThreePlanes) => {
            unless(session.volume_of(session.focused()).is_some(), CommandNotice::NoVolume)
        }
        Command::NextAddress | Command::NextAddressX | Command::NextAddressY => {
            unless(panel.content == Content::Interpolation, CommandNotice::ShowsTruth)
        }
        Command::TogglePrefilter | Command::TogglePath if panel.content == Content::Truth => {
            Some(CommandNotice::ShowsTruth)
        }
        Command::TogglePrefilter => {
            unless(panel.sampler.method.kernel().prefilter.is_some(), CommandNotice::NoPrefilter)
        }
        Command::TogglePath => other_path(session).err().map(CommandNotice::from),
        Command::ToggleFilters | Command::ResetFilters => {
            unless(!panel.filters.is_empty(), CommandNotice::NoFilters(focused_name()))
        }
        Command::AddPanel | Command::DuplicatePanel => {
            unless(session.panels().len() < Session::MAX_PANELS, CommandNotice::PanelLimit)
        }
        Command::ClosePanel => unless(has_two, CommandNotice::LastPanel),
        Command::ShareSettings if has_two => unless(!session.shares_settings(), CommandNotice::SettingsShared),
        Command::ShareSettings
        | Command::SwapNext
        | Command::SwapPrevious
        | Command::NextPanel
        | Command::PreviousPanel => unless(has_two, CommandNotice::OnlyPanel),
        Command::Maximize => unless(has_two || session.is_maximized(), CommandNotice::OnlyPanel),
        Command::Wipe | Command::Difference | Command::ExchangePair | Command::Flip | Command::Flicker => {
            unless(session.pair().is_some(), CommandNotice::NeedsTwoPanels)
        }
        Command::TurnWipe | Command::MoveWipe(_) if session.compare() != Compare::Wipe => Some(CommandNotice::NoWipe),
        Command::LessGain | Command::MoreGain if !is_difference && !session.flickers() => {
            Some(CommandNotice::NoDifference)
        }
        Command::ZoomIn
        | Command::ZoomOut
        | Command::ZoomInFine
        | Command::ZoomOutFine
        | Command::MoveWipe(_)
        | Command::LessGain
        | Command::MoreGain
        | Command::Inspect(InspectCommand::Exposure(_)) => end_of_range(session, command),
        Command::ToggleAbsolute | Command::ToggleAutomaticGain | Command::NextDifferenceMap => {
            unless(is_difference, CommandNotice::NoDifference)
        }
        Command::Inspect(ask) if shows_samples(ask) && !panel.warp.is_none() && !is_chosen(&session.inspect, ask) => {
            Some(CommandNotice::Warped)
        }
        Command::Inspect(ask) => of_inspection(&session.inspect, ask),
        Command::Lesson(ask) => lesson_command::obstacle(session, ask),
        Command::SavePlot => {
            let state = &session.inspect.state;
            unless(state.drawer.is_some() || state.line.is_some(), CommandNotice::NoPlots)
        }
        Command::Choose(choice) => choice.obstacle(session),
        Command::FindImage
        | Command::TestPictures
        | Command::KeepPlace(_)
        | Command::Open
        | Command::OpenRecent
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
        | Command::Palette
        | Command::Settings
        | Command::Timing
        | Command::BlockSweep
        | Command::Quit
        | Command::TurnWipe
        | Command::Fit
        | Command::ShowDetail
        | Command::Times(_)
        | Command::Pan(_)
        | Command::Turn(_)
        | Command::Arrange(
            PanelSet::Four
            | PanelSet::AddressModes
            | PanelSet::AddressPairs
            | PanelSet::BorderFigures
            | PanelSet::PixelCentres
            | PanelSet::FilteredExact
            | PanelSet::Prefilter
            | PanelSet::AllMethods,
        )
        | Command::NextLink
        | Command::Link(_)
        | Command::SideBySide
        | Command::ToggleCrosshair
        | Command::NextLayout
        | Command::NextMethod
        | Command::PreviousMethod
        | Command::AddFilter
        | Command::ToggleChrome
        | Command::ToggleSideBar
        | Command::Present
        | Command::NextTheme
        | Command::FocusRegion(_)
        | Command::Help
        | Command::Leave => None,
    }
}

/// The end of the range that `command` cannot go beyond; `None` if it has room, or if it raises and lowers nothing.
fn end_of_range(session: &Session, command: Command) -> Option<CommandNotice> {
    let ends = |ends: bool, name, is_maximum| ends.then_some(CommandNotice::AtEndOfRange(name, is_maximum));
    let gain = session.difference().gain;
    let view = session.view();
    let keeps_scale = |factor: f64| {
        let to = view.zoomed_about(session.middle(), view.scale() * factor, session.output());
        (to.scale() / view.scale() - 1.0).abs() < 1e-9
    };
    match command {
        Command::ZoomIn | Command::ZoomInFine => ends(keeps_scale(0.5), "The magnification", true),
        Command::ZoomOut | Command::ZoomOutFine => ends(keeps_scale(2.0), "The magnification", false),
        Command::MoveWipe(true) => ends(session.line().share >= 1.0, "The place of the wipe's line", true),
        Command::MoveWipe(false) => ends(session.line().share <= 0.0, "The place of the wipe's line", false),
        Command::MoreGain if !session.flickers() => ends(gain == Gain::Fixed(Gain::MAX_LOG2), "The gain", true),
        Command::LessGain if !session.flickers() => ends(gain == Gain::Fixed(0), "The gain", false),
        Command::Inspect(InspectCommand::Exposure(is_more)) => {
            ends(!session.can_expose(is_more), "The exposure", is_more)
        }
        _ => None,
    }
}

/// Whether `command` shows something at the places of samples, which only a picture without a warp has.
fn shows_samples(command: InspectCommand) -> bool {
    match command {
        InspectCommand::Values
        | InspectCommand::Grid
        | InspectCommand::Outside
        | InspectCommand::SampleCheck
        | InspectCommand::Overshoot
        | InspectCommand::Lens(_)
        | InspectCommand::NextLens => true,
        InspectCommand::Unit
        | InspectCommand::Histogram
        | InspectCommand::LogHistogram
        | InspectCommand::Metrics
        | InspectCommand::Profile
        | InspectCommand::Inpaint
        | InspectCommand::Drawer(_)
        | InspectCommand::Loupe
        | InspectCommand::Insets
        | InspectCommand::Hint
        | InspectCommand::Pin
        | InspectCommand::ClearPins
        | InspectCommand::ClearRegion
        | InspectCommand::Clipping
        | InspectCommand::Normalize
        | InspectCommand::Exposure(_)
        | InspectCommand::ResetShow => false,
    }
}

/// The texture unit's path if the focused panel has an exact one, else the exact one.
///
/// # Errors
/// If the texture unit's path does not serve the focused panel.
pub(super) fn other_path(session: &Session) -> Result<SamplingPath, RequestError> {
    let index = session.focused();
    let sampler = session.panels()[index].sampler;
    if !sampler.path.is_exact() {
        return Ok(SamplingPath::Auto);
    }
    let refusal = session.refusal(index, Sampler { path: SamplingPath::Filtered, ..sampler });
    refusal.map_or(Ok(SamplingPath::Filtered), Err)
}

fn of_inspection(inspect: &Inspect, command: InspectCommand) -> Option<CommandNotice> {
    let unless = |is_possible: bool, notice: CommandNotice| (!is_possible).then_some(notice);
    let state = &inspect.state;
    match command {
        InspectCommand::Pin if inspect.cursor.is_none() => Some(CommandNotice::NothingToPin),
        InspectCommand::Pin => unless(state.pins.len() < Inspect::MAX_PINS, CommandNotice::PinLimit),
        InspectCommand::Loupe => unless(inspect.cursor.is_some(), CommandNotice::NothingToEnlarge),
        InspectCommand::ClearPins => unless(!state.pins.is_empty(), CommandNotice::NoPins),
        InspectCommand::ClearRegion => unless(state.region.is_some(), CommandNotice::NoRegion),
        InspectCommand::Values
        | InspectCommand::Insets
        | InspectCommand::Hint
        | InspectCommand::Unit
        | InspectCommand::Grid
        | InspectCommand::Histogram
        | InspectCommand::LogHistogram
        | InspectCommand::Metrics
        | InspectCommand::Profile
        | InspectCommand::Inpaint
        | InspectCommand::Drawer(_)
        | InspectCommand::Outside
        | InspectCommand::Clipping
        | InspectCommand::SampleCheck
        | InspectCommand::Overshoot
        | InspectCommand::Lens(_)
        | InspectCommand::NextLens
        | InspectCommand::Normalize
        | InspectCommand::Exposure(_)
        | InspectCommand::ResetShow => None,
    }
}
