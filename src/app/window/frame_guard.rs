//! Remedies for frames that panic.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::app::session::{Session, SessionState};
use crate::image::Image;

/// Response to a failed frame, the mildest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum Remedy {
    /// Reset everything beside the session: pictures, tools, dialogs.
    ResetTools,
    /// Also restore the session of the last good frame.
    RestoreSession,
    /// Close the window.
    Close,
}

/// Tracks which frames succeed. Failures of consecutive frames get stronger remedies; many failures in a short time close the
/// window.
#[derive(Debug, Default)]
pub(in crate::app) struct FrameGuard {
    last_good: Option<GoodFrame>,
    consecutive: usize,
    recent: Vec<Instant>,
    is_closed: bool,
}

/// The session of a good frame.
#[derive(Debug)]
struct GoodFrame {
    images: Vec<Arc<Image>>,
    state: SessionState,
}

impl GoodFrame {
    fn of(session: &Session) -> Self {
        Self { images: session.images().to_vec(), state: session.state() }
    }

    fn is_of(&self, session: &Session) -> bool {
        let same = |(one, other): (&Arc<Image>, &Arc<Image>)| Arc::ptr_eq(one, other);
        self.images.len() == session.images().len()
            && self.images.iter().zip(session.images()).all(same)
            && self.state == session.state()
    }
}

impl FrameGuard {
    /// Remedies for failures of consecutive frames; the last one applies to all further failures.
    const REMEDIES: [Remedy; 3] = [Remedy::ResetTools, Remedy::RestoreSession, Remedy::Close];
    /// Number of failures within [`Self::RECENT`] that closes the window.
    const MAX_RECENT: usize = 10;
    const RECENT: Duration = Duration::from_secs(10);

    /// Records a good frame. Returns true if its session differs from that of the last one.
    pub(in crate::app) fn note_success(&mut self, session: &Session) -> bool {
        self.consecutive = 0;
        let is_same = self.last_good.as_ref().is_some_and(|frame| frame.is_of(session));
        if !is_same {
            self.last_good = Some(GoodFrame::of(session));
        }
        !is_same
    }

    /// Records a failed frame. Returns the remedy.
    pub(in crate::app) fn note_failure(&mut self, now: Instant) -> Remedy {
        self.recent.retain(|time| now.duration_since(*time) < Self::RECENT);
        self.recent.push(now);
        let remedy = Self::REMEDIES[self.consecutive.min(Self::REMEDIES.len() - 1)];
        self.consecutive += 1;
        let remedy = if self.recent.len() >= Self::MAX_RECENT { Remedy::Close } else { remedy };
        self.is_closed |= remedy == Remedy::Close;
        remedy
    }

    /// Closes the window for another reason: no frame is drawn any more.
    pub(in crate::app) fn close(&mut self) {
        self.is_closed = true;
    }

    /// Whether the window is closed: no frame is drawn any more.
    pub(in crate::app) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// The session of the last good frame; `None` if there was none.
    pub(in crate::app) fn last_good(&self) -> Option<Session> {
        let GoodFrame { images, state } = self.last_good.as_ref()?;
        Session::restored(images.clone(), state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image;

    fn session() -> Session {
        Session::new(Arc::new(image::embedded().expect("the embedded image").image))
    }

    #[test]
    fn consecutive_failures_get_stronger_remedies_until_a_success() {
        let (mut guard, session, now) = (FrameGuard::default(), session(), Instant::now());
        let fail = |guard: &mut FrameGuard| guard.note_failure(now);
        assert_eq!([fail(&mut guard), fail(&mut guard)], [Remedy::ResetTools, Remedy::RestoreSession]);
        assert!(guard.note_success(&session) && !guard.note_success(&session));
        assert_eq!([fail(&mut guard), fail(&mut guard)], [Remedy::ResetTools, Remedy::RestoreSession]);
        assert!(!guard.is_closed());
        assert_eq!(fail(&mut guard), Remedy::Close);
        assert!(guard.is_closed());
    }

    #[test]
    fn many_failures_in_a_short_time_close_the_window_despite_successes() {
        let (session, start) = (session(), Instant::now());
        for (pause, closes) in [(Duration::from_millis(500), true), (Duration::from_secs(2), false)] {
            let mut guard = FrameGuard::default();
            for count in 0..30 {
                guard.note_failure(start + pause * count);
                guard.note_success(&session);
            }
            assert_eq!(guard.is_closed(), closes, "{pause:?}");
        }
    }

    #[test]
    fn last_good_session_is_that_of_the_last_success() {
        let (mut guard, mut session) = (FrameGuard::default(), session());
        assert!(guard.last_good().is_none());
        session.add_panel();
        guard.note_success(&session);
        let state = session.state();
        session.add_panel();
        assert_eq!(guard.last_good().expect("a session").state(), state);
        assert!(guard.note_success(&session), "another panel is a change");
        assert_ne!(guard.last_good().expect("a session").state(), state);
    }
}
