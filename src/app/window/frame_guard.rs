//! What the window does about frames that panic.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::app::session::{Session, State};
use crate::image::Image;

/// How a failed frame is answered, the mildest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum Remedy {
    /// What the window keeps beside the session is made anew: pictures, tools, dialogs.
    ResetTools,
    /// The session goes back to the last frame that succeeded, too.
    RestoreSession,
    /// The window closes.
    Close,
}

/// Follows whether frames succeed. Failures in consecutive frames are answered by the next stronger remedy; so is a window
/// that fails again and again.
#[derive(Debug, Default)]
pub(in crate::app) struct FrameGuard {
    last_good: Option<Snapshot>,
    consecutive: usize,
    recent: Vec<Instant>,
    is_closed: bool,
}

/// What a frame showed.
#[derive(Debug)]
struct Snapshot {
    images: Vec<Arc<Image>>,
    state: State,
}

impl Snapshot {
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
    /// Remedies for failures in consecutive frames; the last one is for all that follow.
    const REMEDIES: [Remedy; 3] = [Remedy::ResetTools, Remedy::RestoreSession, Remedy::Close];
    /// Failures within [`Self::RECENT`] that close the window.
    const MAX_RECENT: usize = 10;
    const RECENT: Duration = Duration::from_secs(10);

    /// Notes that a frame succeeded; true where it shows something else than the last one that did.
    pub(in crate::app) fn note_success(&mut self, session: &Session) -> bool {
        self.consecutive = 0;
        let is_same = self.last_good.as_ref().is_some_and(|snapshot| snapshot.is_of(session));
        if !is_same {
            self.last_good = Some(Snapshot::of(session));
        }
        !is_same
    }

    /// Notes that a frame failed, and says what is to be done about it.
    pub(in crate::app) fn note_failure(&mut self, now: Instant) -> Remedy {
        self.recent.retain(|time| now.duration_since(*time) < Self::RECENT);
        self.recent.push(now);
        let remedy = Self::REMEDIES[self.consecutive.min(Self::REMEDIES.len() - 1)];
        self.consecutive += 1;
        let remedy = if self.recent.len() >= Self::MAX_RECENT { Remedy::Close } else { remedy };
        self.is_closed |= remedy == Remedy::Close;
        remedy
    }

    /// Closes the window for a reason of its own: what it shows is not drawn any more.
    pub(in crate::app) fn close(&mut self) {
        self.is_closed = true;
    }

    /// Whether a failure closes the window: no frame is tried again.
    pub(in crate::app) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// The session of the last frame that succeeded; `None` where none did.
    pub(in crate::app) fn last_good(&self) -> Option<Session> {
        let Snapshot { images, state } = self.last_good.as_ref()?;
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
    fn consecutive_failures_are_answered_by_stronger_remedies_and_a_success_begins_anew() {
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
    fn failures_with_successes_between_them_close_the_window_where_they_are_many_in_a_short_time() {
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
    fn the_last_good_session_has_what_the_last_success_showed() {
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
