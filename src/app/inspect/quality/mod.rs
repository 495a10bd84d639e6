//! Errors of the panels against the truth of their pages, measured by a thread while the view moves.
//!
//! Each frame says what the visible panels show. The thread measures what is not measured yet, the panel whose measurement is
//! the oldest first; a newer request of a panel replaces its older one.

mod measurer;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use self::measurer::Measurer;
use super::panel_thread::{Measured, PanelThread};
use crate::app::session::{PanelId, Session};
use crate::backend::{Content, Display, NoTruth, RenderRequest, RequestError};
use crate::image::{PageId, Truth};
use crate::measure::MeasureError;
use crate::quality::Metrics;
use crate::text::short;

/// Renders of a panel whose median time is shown.
const TIMES: usize = 9;

/// Errors of a panel and the number of compared pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::app) struct PanelMetrics {
    /// The errors.
    pub(in crate::app) metrics: Metrics,
    /// Number of compared pixels: those between the samples.
    pub(in crate::app) counted: usize,
}

/// What is known about the quality of a panel.
#[derive(Clone, Debug)]
pub(in crate::app) enum PanelQuality {
    /// It shows the truth.
    IsTruth,
    /// It is being measured for the first time.
    Pending,
    /// Its errors.
    Measured(PanelMetrics),
    /// Its errors of a moment ago: the view has moved, or the panel has changed, and is being measured anew.
    Outdated(PanelMetrics),
    /// It has no truth, or no pixel between the samples, or it cannot be rendered.
    Unknown(MeasureError),
}

/// A panel in the comparison of quality and cost.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) struct QualityRow {
    /// The panel.
    pub(in crate::app) panel: PanelId,
    /// Its errors.
    pub(in crate::app) metrics: Metrics,
    /// Median time of its last renders in the window.
    pub(in crate::app) took: Duration,
}

/// The measurements of the panels.
#[derive(Debug, Default)]
pub(in crate::app) struct QualityMeter {
    thread: Option<PanelThread<Measurer>>,
    measured: BTreeMap<PanelId, Measured<Measurer>>,
    /// Times of each panel's last renders, the newest last.
    times: BTreeMap<PanelId, VecDeque<Duration>>,
}

/// What is measured of a panel.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct QualityKey {
    panel: PanelId,
    page: PageId,
    /// The values without the display mapping.
    request: RenderRequest,
}

impl QualityKey {
    /// The key of panel `index`.
    fn new(session: &Session, index: usize) -> Self {
        let request = RenderRequest { subtract: None, display: Display::default(), ..session.request(index) };
        Self { panel: session.panels()[index].id(), page: session.page_of(index).id(), request }
    }
}

impl QualityMeter {
    /// Has the visible panels measured, if that is switched on. Returns whether there are new measurements.
    pub(in crate::app) fn update(&mut self, session: &Session, ctx: &egui::Context) -> bool {
        if !session.inspect.state.has_metrics {
            // Without a thread nothing is measured.
            *self = Self::default();
            return false;
        }
        let interpolates = |index: &usize| session.panels()[*index].content == Content::Interpolation;
        let has_truth = |index: &usize| session.no_truth(*index).is_none();
        let wanted = session.visible().into_iter().filter(|index| interpolates(index) && has_truth(index));
        let wanted: Vec<(QualityKey, _)> =
            wanted.map(|index| (QualityKey::new(session, index), session.image_of(index).clone())).collect();
        let is_open = |panel: &PanelId, _: &mut _| session.panel(*panel).is_some();
        self.measured.retain(|panel, _| session.panel(*panel).is_some());
        self.times.retain(is_open);
        let thread = self.thread.get_or_insert_with(|| PanelThread::new(ctx.clone()));
        let arrived = thread.take();
        let has_news = !arrived.is_empty();
        for measured in arrived {
            self.measured.insert(measured.key.panel, measured);
        }
        let mut missing: Vec<_> = wanted
            .into_iter()
            .filter(|(key, _)| self.measured.get(&key.panel).is_none_or(|measured| measured.key != *key))
            .collect();
        // No panel waits forever while the view moves.
        missing.sort_by_key(|(key, _)| self.measured.get(&key.panel).map(|measured| measured.at));
        thread.want(missing);
        has_news
    }

    /// Notes the time of the last render of `panel`, which may be the one that was noted last.
    pub(in crate::app) fn note_time(&mut self, panel: PanelId, took: Duration) {
        let times = self.times.entry(panel).or_default();
        if times.back() != Some(&took) {
            times.push_back(took);
            if times.len() > TIMES {
                times.pop_front();
            }
        }
    }

    /// Median of the times of `panel`; zero before its first render.
    fn time_of(&self, panel: PanelId) -> Duration {
        let mut times: Vec<Duration> = self.times.get(&panel).into_iter().flatten().copied().collect();
        times.sort();
        times.get(times.len() / 2).copied().unwrap_or_default()
    }

    /// Whether nothing is being measured.
    pub(in crate::app) fn is_idle(&self) -> bool {
        self.thread.as_ref().is_none_or(PanelThread::is_idle)
    }

    /// The quality of panel `index`; `None` where it is not measured.
    pub(in crate::app) fn of(&self, session: &Session, index: usize) -> Option<PanelQuality> {
        if !session.inspect.state.has_metrics {
            return None;
        }
        let panel = &session.panels()[index];
        if let Some(why) = session.no_truth(index) {
            return Some(PanelQuality::Unknown(unknown(why)));
        }
        if panel.content == Content::Truth {
            return Some(PanelQuality::IsTruth);
        }
        let measured = self.measured.get(&panel.id());
        let measured = measured.filter(|measured| measured.key.page == session.page_of(index).id());
        let is_current = |key: &QualityKey| *key == QualityKey::new(session, index);
        Some(measured.map_or(PanelQuality::Pending, |measured| match &measured.found {
            Ok(metrics) if is_current(&measured.key) => PanelQuality::Measured(*metrics),
            Ok(metrics) => PanelQuality::Outdated(*metrics),
            Err(error) => PanelQuality::Unknown(error.clone()),
        }))
    }

    /// The visible panels with their errors and times, by falling PSNR.
    pub(in crate::app) fn rows(&self, session: &Session) -> Vec<QualityRow> {
        let row = |index: usize| {
            let panel = session.panels()[index].id();
            let (PanelQuality::Measured(PanelMetrics { metrics, .. })
            | PanelQuality::Outdated(PanelMetrics { metrics, .. })) = self.of(session, index)?
            else {
                return None;
            };
            Some(QualityRow { panel, metrics, took: self.time_of(panel) })
        };
        let mut rows: Vec<QualityRow> = session.visible().into_iter().filter_map(row).collect();
        rows.sort_by(|a, b| b.metrics.psnr_db.total_cmp(&a.metrics.psnr_db));
        rows
    }
}

/// The error of a page without a truth.
fn unknown(why: NoTruth) -> MeasureError {
    MeasureError::Backend(RequestError::from(why).into())
}

/// What the truth of panel `index` is, in words.
fn truth_text(session: &Session, index: usize) -> &'static str {
    match (session.page_of(index).truth(), session.request(index).is_stretched()) {
        (Some(Truth::Formula(_) | Truth::Function(_)), false) => "the formula at each pixel",
        (Some(Truth::Formula(_) | Truth::Function(_)), true) => "the formula's mean over each pixel",
        (Some(Truth::Original(_)), _) => "the original",
        (None, _) => "nothing",
    }
}

/// A PSNR with one decimal, without its unit.
pub(in crate::app) fn psnr_text(psnr_db: f64) -> String {
    if psnr_db.is_infinite() { "∞".to_owned() } else { format!("{psnr_db:.1}") }
}

/// All errors of panel `index`, one per line, with what they are errors against.
pub(in crate::app) fn metrics_text(session: &Session, index: usize, measured: &PanelMetrics) -> String {
    let PanelMetrics { metrics: Metrics { psnr_db, rms, max, ssim }, counted } = *measured;
    let psnr = if psnr_db.is_infinite() { "∞".to_owned() } else { format!("{psnr_db:.2}") };
    let ssim = ssim.map_or_else(|| "– (no window of 7 × 7 pixels)".to_owned(), |ssim| format!("{ssim:.6}"));
    let [rms, max] = [rms, max].map(|error| short(error, 4));
    let truth = truth_text(session, index);
    format!(
        "PSNR {psnr} dB\nRMS {rms}\nMaximum {max}\nSSIM {ssim}\nAgainst {truth}, over {counted} pixels between the samples; peak 1"
    )
}
