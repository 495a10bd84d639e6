//! Commands of the inspection tools.

use super::notice::CommandNotice;
use crate::app::session::Session;
use crate::app::session::inspect::{DrawerTool, Inspect, Tool};
use crate::app::session::preferences::Preferences;
use crate::lab::field::{LENSES, Lens};

/// A command of the inspection tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InspectCommand {
    /// Shows or hides values in large pixels.
    Values,
    /// Selects the next unit.
    Unit,
    /// Shows or hides the sample grid.
    Grid,
    /// Shows or hides the histogram.
    Histogram,
    /// Switches the histogram's count axis between linear and logarithmic.
    LogHistogram,
    /// Shows or hides the errors of the panels against the truth.
    Metrics,
    /// Takes up the profile tool, or puts it away with its line.
    Profile,
    /// Takes up the tool that draws a rectangle to be inpainted, or puts it away.
    Inpaint,
    /// Opens a tool of the laboratory in the drawer, or closes it.
    Drawer(DrawerTool),
    /// Enlarges the neighbourhood of the cursor while its key is held.
    Loupe,
    /// Shows or hides the tint and the labels outside the image.
    Outside,
    /// Shows or hides the insets with the finest detail.
    Insets,
    /// Shows or hides the hint over the panels.
    Hint,
    /// Pins the position under the cursor.
    Pin,
    /// Removes all pins.
    ClearPins,
    /// Counts the whole image in the histogram.
    ClearRegion,
    /// Marks pixels beyond black and white, or not.
    Clipping,
    /// Marks samples that the interpolation passes through, and others, or not.
    SampleCheck,
    /// Marks pixels beyond the range of their samples, or not.
    Overshoot,
    /// Shows a lens, or the values again.
    Lens(Lens),
    /// Shows the next lens; after the last one, the values.
    NextLens,
    /// Sets the display window to the range of the visible values.
    Normalize,
    /// Changes the exposure by a quarter of a stop: brighter (`true`) or darker.
    Exposure(bool),
    /// Resets the display mapping.
    ResetShow,
}

/// Change of the exposure by one command, in stops.
const EXPOSURE_STEP: f32 = 0.25;

/// Performs `command`. [`InspectCommand::Normalize`] needs a backend and [`InspectCommand::Loupe`] a held key; both do nothing here.
pub(super) fn perform(
    session: &mut Session,
    preferences: &mut Preferences,
    command: InspectCommand,
) -> Option<CommandNotice> {
    let inspect = &mut session.inspect;
    let state = &mut inspect.state;
    match command {
        InspectCommand::Values => state.has_values = !state.has_values,
        InspectCommand::Unit => {
            preferences.unit = preferences.unit.next();
            return Some(CommandNotice::Unit(preferences.unit));
        }
        InspectCommand::Grid => state.has_grid = !state.has_grid,
        InspectCommand::Histogram => state.has_histogram = !state.has_histogram,
        InspectCommand::LogHistogram => (state.is_log, state.has_histogram) = (!state.is_log, true),
        InspectCommand::Metrics => state.has_metrics = !state.has_metrics,
        InspectCommand::Profile if inspect.tool == Tool::Profile => drop(inspect.leave()),
        InspectCommand::Profile => inspect.tool = Tool::Profile,
        InspectCommand::Inpaint if inspect.tool == Tool::Inpaint => inspect.tool = Tool::Hand,
        InspectCommand::Inpaint => {
            inspect.tool = Tool::Inpaint;
            return Some(CommandNotice::DrawHole);
        }
        InspectCommand::Drawer(tool) => {
            state.drawer = Some(tool).filter(|_| state.drawer != Some(tool));
            if state.drawer == Some(DrawerTool::Footprint) {
                session.place_footprint();
            }
        }
        InspectCommand::Outside => state.shows_outside = !state.shows_outside,
        InspectCommand::Insets => {
            preferences.has_insets = !preferences.has_insets;
            return Some(CommandNotice::Insets(preferences.has_insets));
        }
        InspectCommand::Hint => {
            preferences.has_hint = !preferences.has_hint;
            return Some(CommandNotice::Hint(preferences.has_hint));
        }
        InspectCommand::Clipping => state.marks_clipping = !state.marks_clipping,
        InspectCommand::SampleCheck => state.checks_samples = !state.checks_samples,
        InspectCommand::Overshoot => state.marks_overshoot = !state.marks_overshoot,
        InspectCommand::Lens(lens) => state.lens = Some(lens).filter(|_| state.lens != Some(lens)),
        InspectCommand::NextLens => {
            let next = state.lens.map_or(0, |lens| lens as usize + 1);
            state.lens = LENSES.get(next).map(|row| row.lens);
        }
        InspectCommand::Pin => match inspect.cursor {
            None => return Some(CommandNotice::NothingToPin),
            Some(cursor) => {
                if !inspect.pin(cursor) {
                    return Some(CommandNotice::PinLimit);
                }
            }
        },
        InspectCommand::ClearPins => state.pins.clear(),
        InspectCommand::ClearRegion => state.region = None,
        InspectCommand::Exposure(is_more) => session.expose(if is_more { EXPOSURE_STEP } else { -EXPOSURE_STEP }),
        InspectCommand::ResetShow => session.reset_display(),
        InspectCommand::Loupe | InspectCommand::Normalize => {}
    }
    None
}

/// Whether `command` stands for what is shown.
pub(super) fn is_chosen(inspect: &Inspect, command: InspectCommand) -> bool {
    let state = &inspect.state;
    match command {
        InspectCommand::Values => state.has_values,
        InspectCommand::Grid => state.has_grid,
        InspectCommand::Histogram => state.has_histogram,
        InspectCommand::LogHistogram => state.has_histogram && state.is_log,
        InspectCommand::Metrics => state.has_metrics,
        InspectCommand::Profile => inspect.tool == Tool::Profile,
        InspectCommand::Inpaint => inspect.tool == Tool::Inpaint,
        InspectCommand::Drawer(tool) => state.drawer == Some(tool),
        InspectCommand::Outside => state.shows_outside,
        InspectCommand::Clipping => state.marks_clipping,
        InspectCommand::SampleCheck => state.checks_samples,
        InspectCommand::Overshoot => state.marks_overshoot,
        InspectCommand::Lens(lens) => state.lens == Some(lens),
        InspectCommand::NextLens => state.lens.is_some(),
        InspectCommand::Loupe
        | InspectCommand::Insets
        | InspectCommand::Hint
        | InspectCommand::Pin
        | InspectCommand::ClearPins
        | InspectCommand::ClearRegion
        | InspectCommand::Unit
        | InspectCommand::Normalize
        | InspectCommand::Exposure(_)
        | InspectCommand::ResetShow => false,
    }
}

/// Whether a held key repeats `command`.
pub(super) fn repeats(command: InspectCommand) -> bool {
    match command {
        InspectCommand::Exposure(_) => true,
        InspectCommand::Values
        | InspectCommand::Unit
        | InspectCommand::Grid
        | InspectCommand::Histogram
        | InspectCommand::LogHistogram
        | InspectCommand::Metrics
        | InspectCommand::Profile
        | InspectCommand::Inpaint
        | InspectCommand::Drawer(_)
        | InspectCommand::Loupe
        | InspectCommand::Outside
        | InspectCommand::Insets
        | InspectCommand::Hint
        | InspectCommand::Pin
        | InspectCommand::ClearPins
        | InspectCommand::ClearRegion
        | InspectCommand::Clipping
        | InspectCommand::SampleCheck
        | InspectCommand::Overshoot
        | InspectCommand::Lens(_)
        | InspectCommand::NextLens
        | InspectCommand::Normalize
        | InspectCommand::ResetShow => false,
    }
}
