//! Commands of the inspection tools.

use super::menu_state::MenuState;
use super::notice::CommandNotice;
use crate::app::session::Session;
use crate::app::session::inspect::{Inspect, Tool};
use crate::app::session::preferences::Preferences;

/// A command of the inspection tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
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
    /// Takes up the profile tool, or puts it away with its line.
    Profile,
    /// Enlarges the neighbourhood of the cursor while its key is held.
    Loupe,
    /// Shows or hides the tint and the labels outside the image.
    Ghosts,
    /// Pins the position under the cursor.
    Pin,
    /// Removes all pins.
    ClearPins,
    /// Counts the whole image in the histogram.
    ClearRegion,
    /// Marks pixels beyond black and white, or not.
    Clipping,
    /// Sets the display window to the range of the visible values.
    Normalize,
    /// Changes the exposure by a quarter of a stop: brighter (`true`) or darker.
    Exposure(bool),
    /// Resets the display mapping.
    ResetShow,
}

/// Change of the exposure by one command, in stops.
const EXPOSURE_STEP: f32 = 0.25;

/// Performs `ask`. [`Ask::Normalize`] needs a backend and [`Ask::Loupe`] a held key; both do nothing here.
pub(super) fn perform(session: &mut Session, preferences: &mut Preferences, ask: Ask) -> Option<CommandNotice> {
    let inspect = &mut session.inspect;
    let state = &mut inspect.state;
    match ask {
        Ask::Values => state.has_values = !state.has_values,
        Ask::Unit => {
            preferences.unit = preferences.unit.next();
            return Some(CommandNotice::Unit(preferences.unit));
        }
        Ask::Grid => state.has_grid = !state.has_grid,
        Ask::Histogram => state.has_histogram = !state.has_histogram,
        Ask::LogHistogram => (state.is_log, state.has_histogram) = (!state.is_log, true),
        Ask::Profile if inspect.tool == Tool::Profile => drop(inspect.leave()),
        Ask::Profile => inspect.tool = Tool::Profile,
        Ask::Ghosts => state.has_ghosts = !state.has_ghosts,
        Ask::Clipping => state.marks_clipping = !state.marks_clipping,
        Ask::Pin => match inspect.cursor {
            None => return Some(CommandNotice::NothingToPin),
            Some(cursor) => {
                if !inspect.pin(cursor) {
                    return Some(CommandNotice::PinLimit);
                }
            }
        },
        Ask::ClearPins => state.pins.clear(),
        Ask::ClearRegion => state.region = None,
        Ask::Exposure(is_more) => session.expose(if is_more { EXPOSURE_STEP } else { -EXPOSURE_STEP }),
        Ask::ResetShow => session.reset_display(),
        Ask::Loupe | Ask::Normalize => {}
    }
    None
}

/// Menu state of `ask`.
pub(super) fn menu_state(inspect: &Inspect, ask: Ask) -> MenuState {
    let state = &inspect.state;
    match ask {
        Ask::Values => MenuState::chosen(state.has_values),
        Ask::Grid => MenuState::chosen(state.has_grid),
        Ask::Histogram => MenuState::chosen(state.has_histogram),
        Ask::LogHistogram => MenuState::chosen(state.has_histogram && state.is_log),
        Ask::Profile => MenuState::chosen(inspect.tool == Tool::Profile),
        Ask::Ghosts => MenuState::chosen(state.has_ghosts),
        Ask::Clipping => MenuState::chosen(state.marks_clipping),
        Ask::Loupe => MenuState::possible(false),
        Ask::Pin => MenuState::possible(inspect.cursor.is_some()),
        Ask::ClearPins => MenuState::possible(!state.pins.is_empty()),
        Ask::ClearRegion => MenuState::possible(state.region.is_some()),
        Ask::Unit | Ask::Normalize | Ask::Exposure(_) | Ask::ResetShow => MenuState::default(),
    }
}

/// Whether a held key repeats `ask`.
pub(super) fn repeats(ask: Ask) -> bool {
    match ask {
        Ask::Exposure(_) => true,
        Ask::Values
        | Ask::Unit
        | Ask::Grid
        | Ask::Histogram
        | Ask::LogHistogram
        | Ask::Profile
        | Ask::Loupe
        | Ask::Ghosts
        | Ask::Pin
        | Ask::ClearPins
        | Ask::ClearRegion
        | Ask::Clipping
        | Ask::Normalize
        | Ask::ResetShow => false,
    }
}
