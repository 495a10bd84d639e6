//! The offer of a session that an earlier window left behind.

use std::path::PathBuf;
use std::time::Duration;

use super::slot::Slot;

/// Visibility of the offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OfferState {
    /// The offer is shown.
    Shown,
    /// The images of the session are being opened.
    Opening,
    /// This window hides the offer; a later window shows it again.
    Postponed,
}

/// The answer to an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum OfferAnswer {
    /// Restore the session.
    Restore,
    /// Remove the session.
    Discard,
    /// Hide the offer until the next window.
    Postpone,
}

/// Result of an attempt to restore the offered session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RestoreResult {
    /// The session was not opened.
    Failed,
    /// The session is shown, but not yet in this window's recovery file.
    Shown,
    /// The session is shown and in this window's recovery file.
    Saved,
}

/// Sessions that earlier windows left behind. The newest one is offered.
#[derive(Debug)]
pub(in crate::app) struct Offer {
    /// The sessions, the newest first. Their locks are held, so that no other window offers them.
    slots: Vec<Slot>,
    state: OfferState,
}

impl Offer {
    /// Offers the first of `slots`.
    pub(super) fn new(slots: Vec<Slot>) -> Self {
        Self { slots, state: OfferState::Shown }
    }

    /// Time since the offered session was saved; `None` if no offer is shown.
    pub(in crate::app) fn age(&self) -> Option<Duration> {
        let slot = self.slots.first().filter(|_| self.state == OfferState::Shown)?;
        Some(slot.saved_at().and_then(|saved_at| saved_at.elapsed().ok()).unwrap_or_default())
    }

    /// Answers the offer. Returns the session file to restore; the caller opens it, then calls
    /// [`Recovery::end_restore`](super::Recovery::end_restore).
    pub(in crate::app) fn answer(&mut self, answer: OfferAnswer) -> Option<PathBuf> {
        let slot = self.slots.first()?;
        match answer {
            OfferAnswer::Restore => {
                self.state = OfferState::Opening;
                Some(slot.session_file())
            }
            OfferAnswer::Discard => {
                self.slots.remove(0).remove();
                None
            }
            OfferAnswer::Postpone => {
                self.state = OfferState::Postponed;
                None
            }
        }
    }

    /// Hides the offer for the lifetime of this window. Returns false if none was shown.
    pub(in crate::app) fn postpone(&mut self) -> bool {
        let is_shown = self.state == OfferState::Shown && !self.slots.is_empty();
        if is_shown {
            self.state = OfferState::Postponed;
        }
        is_shown
    }

    /// Whether the offered session is being opened.
    pub(in crate::app) fn is_opening(&self) -> bool {
        self.state == OfferState::Opening
    }

    /// Ends the opening of the offered session. Its files are removed once this window's own hold the same session. A
    /// session that was not opened is offered again.
    pub(super) fn end_opening(&mut self, result: RestoreResult) {
        self.state = match result {
            RestoreResult::Failed => OfferState::Shown,
            RestoreResult::Shown | RestoreResult::Saved => OfferState::Postponed,
        };
        if result == RestoreResult::Saved && !self.slots.is_empty() {
            self.slots.remove(0).remove();
        }
    }

    /// The sessions, the newest first.
    #[cfg(test)]
    pub(super) fn slots(&self) -> &[Slot] {
        &self.slots
    }
}
