//! Times of the start and of the end of the window, for `--times`: one line on standard output each.
//!
//! ```text
//! first-picture-ms 212.4        the first picture of a panel is presented, whichever backend rendered it
//! first-cuda-picture-ms 540.9   the first picture rendered by CUDA is presented
//! all-cuda-pictures-ms 575.2    every visible picture is rendered by CUDA and presented
//! close-ms 38.1                 from the request to close until the window is gone
//! ```
//!
//! The first three count from the start of the process, which Linux knows to 10 ms. A frame is presented when the next one
//! begins: the exchange of buffers is over then.

use std::io::Write;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The moment of the request to close.
pub(in crate::app) type CloseRequest = Arc<OnceLock<Instant>>;

/// A goal of the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    FirstPicture,
    FirstCudaPicture,
    AllCudaPictures,
}

impl Goal {
    const ALL: [Self; 3] = [Self::FirstPicture, Self::FirstCudaPicture, Self::AllCudaPictures];

    fn name(self) -> &'static str {
        match self {
            Self::FirstPicture => "first-picture-ms",
            Self::FirstCudaPicture => "first-cuda-picture-ms",
            Self::AllCudaPictures => "all-cuda-pictures-ms",
        }
    }

    fn is_reached(self, drawn: DrawnPictures) -> bool {
        match self {
            Self::FirstPicture => drawn.count > 0,
            Self::FirstCudaPicture => drawn.by_cuda > 0,
            Self::AllCudaPictures => drawn.by_cuda > 0 && drawn.by_cuda == drawn.areas,
        }
    }
}

/// What a frame drew.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DrawnPictures {
    /// Pictures that are visible.
    pub(super) areas: usize,
    /// Those of them that have pixels.
    pub(super) count: usize,
    /// Those of them that CUDA rendered.
    pub(super) by_cuda: usize,
}

/// The goals that were reached so far.
#[derive(Debug)]
pub(super) struct StartTimes {
    /// A moment, and how old the process was then.
    base: (Instant, Duration),
    open: Vec<Goal>,
    /// Reached by the last frame, which is not presented yet.
    drawn: Vec<Goal>,
}

impl StartTimes {
    pub(super) fn new() -> Self {
        Self { base: (Instant::now(), process_age()), open: Goal::ALL.to_vec(), drawn: Vec::new() }
    }

    /// Notes that the last frame is presented: prints the goals that it reached.
    pub(super) fn begin_frame(&mut self) {
        let age = self.base.1 + self.base.0.elapsed();
        self.drawn.drain(..).for_each(|goal| print(goal.name(), age));
    }

    /// Notes what a frame drew; returns whether another frame is needed to learn that it is presented.
    pub(super) fn end_frame(&mut self, drawn: DrawnPictures) -> bool {
        let reached = self.open.extract_if(.., |goal| goal.is_reached(drawn));
        self.drawn.extend(reached);
        !self.drawn.is_empty()
    }
}

/// Prints how long the window took to close, from the request on.
pub(in crate::app) fn print_close(request: &CloseRequest) {
    if let Some(requested) = request.get() {
        print("close-ms", requested.elapsed());
    }
}

/// A closed standard output ends no window.
fn print(name: &str, time: Duration) {
    let _ = writeln!(std::io::stdout(), "{name} {:.1}", time.as_secs_f64() * 1e3);
}

/// How long the process has lived. Zero where the system does not say.
fn process_age() -> Duration {
    #[cfg(target_os = "linux")]
    {
        let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
        let now = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
        let now = Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap_or(0));
        age_in(&stat, rustix::param::clock_ticks_per_second(), now).unwrap_or_default()
    }
    #[cfg(not(target_os = "linux"))]
    Duration::ZERO
}

/// The age of the process that `stat`, a line of /proc/PID/stat, is of; `now` counts from the start of the system.
#[cfg(target_os = "linux")]
fn age_in(stat: &str, ticks_a_second: u64, now: Duration) -> Option<Duration> {
    // The name of the program, in brackets, may contain spaces and brackets. The time of the start is the 20th field
    // behind it.
    let ticks: u64 = stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()?;
    now.checked_sub(Duration::from_secs_f64(ticks as f64 / ticks_a_second as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_reached_once_in_the_frame_after_their_pictures() {
        let mut times = StartTimes::new();
        let drawn = |areas, count, by_cuda| DrawnPictures { areas, count, by_cuda };
        assert!(!times.end_frame(drawn(4, 0, 0)), "nothing is drawn yet");
        assert!(times.end_frame(drawn(4, 4, 0)));
        assert_eq!(times.drawn, [Goal::FirstPicture]);
        times.begin_frame();
        assert!(times.drawn.is_empty() && !times.end_frame(drawn(4, 4, 0)));
        assert!(times.end_frame(drawn(4, 4, 1)));
        assert_eq!(times.drawn, [Goal::FirstCudaPicture]);
        times.begin_frame();
        assert!(times.end_frame(drawn(4, 4, 4)));
        assert_eq!(times.drawn, [Goal::AllCudaPictures]);
        times.begin_frame();
        assert!(!times.end_frame(drawn(4, 4, 4)), "each goal is reported once");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn process_age_is_the_time_since_the_start_in_stat() {
        let stat = "42 (a) b) S 1 42 42 0 -1 0 0 0 0 0 1 2 3 4 20 0 1 0 5000 100 200";
        assert_eq!(age_in(stat, 100, Duration::from_secs(53)), Some(Duration::from_secs(3)));
        assert_eq!(age_in("42 (a)", 100, Duration::from_secs(53)), None);
        let age = process_age();
        assert!(age > Duration::ZERO && age < Duration::from_secs(3600), "{age:?}");
    }
}
