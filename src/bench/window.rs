//! Report of `bench --window`: times of frames of the window while the view is panned.

use std::fmt::Write as _;
use std::time::Duration;

use serde::Serialize;
use sysinfo::{ProcessRefreshKind, ProcessesToUpdate, System, get_current_pid};

/// Times of the frames of one scene. The time of a frame is the time from its begin to that of the next one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FrameTimes {
    /// The tool that is open, as its command is called; `panels alone` for none.
    pub scene: String,
    /// Number of frames.
    pub frames: usize,
    /// Median time of a frame in milliseconds.
    pub median_ms: f64,
    /// Time in milliseconds that 99 of 100 frames do not exceed.
    pub p99_ms: f64,
    /// Share of the frames that showed a picture of an earlier view in a panel.
    pub late: f64,
}

impl FrameTimes {
    /// Median and 99th percentile of `times`, of which `late` are late frames.
    pub fn of(scene: String, mut times: Vec<Duration>, late: usize) -> Self {
        times.sort_unstable();
        let frames = times.len();
        let ms = |share: f64| {
            let at = (share * frames as f64).ceil() as usize;
            times.get(at.clamp(1, frames.max(1)) - 1).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
        };
        Self { scene, frames, median_ms: ms(0.5), p99_ms: ms(0.99), late: late as f64 / frames.max(1) as f64 }
    }
}

/// What was measured of one window.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WindowTimes {
    /// The scenes; the first is of the panels alone.
    pub scenes: Vec<FrameTimes>,
    /// The processor's time while nothing happens, as a share of one core; `None` where it is not known.
    pub at_rest: Option<f64>,
}

/// The time that the processor's cores spent on this process so far, in steps of the system's (10 ms on Linux); `None` where the system
/// does not tell.
pub fn processor_time() -> Option<Duration> {
    let pid = get_current_pid().ok()?;
    let mut system = System::new().ok()?;
    let cpu = ProcessRefreshKind::nothing().with_cpu();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[pid]), false, cpu);
    Some(Duration::from_millis(system.process(pid)?.accumulated_cpu_time()))
}

/// All scenes of one window.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WindowBenchReport {
    /// Device, and number of threads of the CPU.
    pub device: String,
    /// The image.
    pub source: String,
    /// Samples per pixel.
    pub scale: f64,
    /// The scenes; the first is of the panels alone.
    pub rows: Vec<FrameTimes>,
    /// The processor's time while nothing happens, as a share of one core; `None` where it is not known.
    pub at_rest: Option<f64>,
}

impl WindowBenchReport {
    /// Report as JSON: one object with an array `rows`.
    ///
    /// # Errors
    /// None in practice: every value is a number or a text.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// Report as a text table, with each median over that of the panels alone.
    pub fn to_table(&self) -> String {
        let mut table = format!(
            "{}; frames of a window of 1920×1080 points, {} panned at s = {}\n",
            self.device, self.source, self.scale
        );
        let _ = writeln!(
            table,
            "{:<28} {:>7} {:>11} {:>14} {:>7} {:>6}",
            "scene", "frames", "median, ms", "99 of 100, ms", "ratio", "late"
        );
        let alone = self.rows.first().map_or(f64::NAN, |row| row.median_ms);
        for FrameTimes { scene, frames, median_ms, p99_ms, late } in &self.rows {
            let (ratio, late) = (median_ms / alone, 100.0 * late);
            let _ =
                writeln!(table, "{scene:<28} {frames:>7} {median_ms:>11.2} {p99_ms:>14.2} {ratio:>7.2} {late:>5.0}%");
        }
        if let Some(share) = self.at_rest {
            let _ = writeln!(table, "at rest: {:.1}% of one core", 100.0 * share);
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_and_percentile_are_times_of_frames() {
        let times = (1..=200).rev().map(Duration::from_millis).collect();
        let found = FrameTimes::of("plots".to_owned(), times, 50);
        assert_eq!((found.frames, found.median_ms, found.p99_ms, found.late), (200, 100.0, 198.0, 0.25));
        assert_eq!(FrameTimes::of(String::new(), vec![Duration::from_millis(7)], 0).p99_ms, 7.0);
    }

    #[test]
    fn table_has_the_ratio_to_the_panels_alone() {
        let row = |scene: &str, ms: u64| FrameTimes::of(scene.to_owned(), vec![Duration::from_millis(ms)], 0);
        let rows = vec![row("panels alone", 4), row("Plots", 6)];
        let report = WindowBenchReport {
            device: "CPU".to_owned(),
            source: "a.pgm".to_owned(),
            scale: 0.125,
            rows,
            at_rest: Some(0.004),
        };
        let table = report.to_table();
        assert!(table.lines().any(|line| line.starts_with("Plots ") && line.contains(" 1.50 ")), "{table}");
        assert!(table.ends_with("at rest: 0.4% of one core\n"), "{table}");
        assert!(report.to_json().expect("JSON").contains("\"median_ms\": 6.0"));
    }

    #[test]
    fn work_takes_time_of_the_processor() {
        let before = processor_time().expect("a time");
        let start = std::time::Instant::now();
        // Steps of 10 ms: more than one of them.
        while processor_time().is_some_and(|now| now < before + Duration::from_millis(20)) {
            assert!(start.elapsed() < Duration::from_secs(60), "no time passes");
        }
    }
}
