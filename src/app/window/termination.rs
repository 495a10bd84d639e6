//! Signals: SIGTERM, SIGINT and SIGHUP close the window as its close button does.

use std::fmt;

/// A signal closed the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Terminated {
    signal: i32,
}

impl fmt::Display for Terminated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ended by signal {}", self.signal)
    }
}

impl Terminated {
    /// Ends the process by the signal, so that its parent sees the reason. Returns the exit code for the signal if the process
    /// does not end.
    pub fn end_process(self) -> u8 {
        #[cfg(unix)]
        crate::files::end_by_signal(self.signal);
        u8::try_from(128 + self.signal).unwrap_or(1)
    }
}

#[cfg(unix)]
pub(in crate::app) use self::watch::Termination;

#[cfg(unix)]
mod watch {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicI32, Ordering};
    use std::time::{Duration, Instant};

    use signal_hook::iterator::{Handle, Signals};

    use super::Terminated;
    use crate::{files, signals};

    /// Time for the window to close before the signal ends the process.
    const PATIENCE: Duration = Duration::from_secs(10);

    /// Handles signals until it is dropped.
    #[derive(Debug)]
    pub(in crate::app) struct Termination {
        /// The first signal; 0 for none.
        signal: Arc<AtomicI32>,
        handle: Handle,
    }

    impl Termination {
        /// Handles SIGTERM, SIGINT and SIGHUP, except those that the parent process ignores (`nohup`). The first signal calls
        /// `save` and closes the window of `ctx`. A second signal, or a window that does not close in time, ends the process.
        ///
        /// # Errors
        /// If the system refuses the handlers.
        pub(in crate::app) fn watch(ctx: egui::Context, save: impl Fn() + Send + 'static) -> std::io::Result<Self> {
            Self::watch_for(PATIENCE, ctx, save)
        }

        /// As [`Termination::watch`], where a window has this time to close.
        pub(super) fn watch_for(
            patience: Duration,
            ctx: egui::Context,
            save: impl Fn() + Send + 'static,
        ) -> std::io::Result<Self> {
            let mut signals = Signals::new(signals::ending())?;
            let (handle, signal) = (signals.handle(), Arc::new(AtomicI32::new(0)));
            let first = Arc::clone(&signal);
            let follow = move || {
                for signal in signals.forever() {
                    if first.swap(signal, Ordering::AcqRel) != 0 {
                        files::end_by_signal(signal);
                    }
                    // A window that hangs cannot save by itself.
                    save();
                    ctx.send_viewport_cmd(egui::ViewportCommand::Close);
                    let ctx = ctx.clone();
                    std::thread::spawn(move || end_after(patience, signal, &ctx));
                }
            };
            std::thread::Builder::new().name("signals".to_owned()).spawn(follow)?;
            Ok(Self { signal, handle })
        }

        /// The signal that closed the window; `None` without one.
        pub(in crate::app) fn terminated(&self) -> Option<Terminated> {
            let signal = self.signal.load(Ordering::Acquire);
            (signal != 0).then_some(Terminated { signal })
        }
    }

    impl Drop for Termination {
        fn drop(&mut self) {
            self.handle.close();
        }
    }

    /// Ends the process by `signal` if it still runs after `time`. Requests frames until then: a hidden window draws none by
    /// itself, but closes only in a frame.
    fn end_after(time: Duration, signal: i32, ctx: &egui::Context) {
        let start = Instant::now();
        while start.elapsed() < time {
            ctx.request_repaint();
            std::thread::sleep(Duration::from_millis(200));
        }
        files::end_by_signal(signal);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::{self, BufRead as _, BufReader, Write as _};
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::{Command, Stdio};
    use std::time::Duration;

    use super::Termination;

    /// Set in the child process, whose window never closes.
    const IS_CHILD: &str = "LERPSCOPE_TEST_TERMINATION";

    fn say(line: &str) {
        let mut out = io::stdout().lock();
        writeln!(out, "\n{line}").and_then(|()| out.flush()).expect("a reader");
    }

    #[test]
    fn first_signal_saves_the_session_of_a_hanging_window_and_the_second_ends_the_process() {
        if std::env::var_os(IS_CHILD).is_some() {
            // The first signal alone never ends the process.
            let (context, patience) = (egui::Context::default(), Duration::MAX);
            let _watching = Termination::watch_for(patience, context, || say("saved")).expect("handlers");
            say("watching");
            std::thread::sleep(Duration::from_secs(60));
            return;
        }
        let test = "app::window::termination::tests::\
                    first_signal_saves_the_session_of_a_hanging_window_and_the_second_ends_the_process";
        let mut command = Command::new(std::env::current_exe().expect("the test's program"));
        let child = command.args(["--exact", test, "--nocapture"]).env(IS_CHILD, "").stdout(Stdio::piped());
        let mut child = child.stderr(Stdio::null()).spawn().expect("the second process");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
        for said in ["watching", "saved"] {
            assert!(lines.any(|line| line == said), "{said} is not said");
            let kill = Command::new("kill").args(["-s", "TERM", &child.id().to_string()]).status();
            assert!(kill.expect("kill").success());
        }
        lines.for_each(drop);
        assert_eq!(child.wait().expect("its end").signal(), Some(15));
    }
}
