//! Timing overlay: a graph of frame times with their median, the kernel time of each panel, the backend.

use std::collections::VecDeque;
use std::time::Duration;

use egui::{Align2, FontId, Rect, Ui};

use crate::app::widgets::panel_mark;
use crate::app::widgets::theme::{Palette, SPACE, text_size};

/// Number of frames in the graph, and of those that the median is of.
const FRAMES: usize = 120;
const KEPT: usize = 600;
/// Height of the graph, in points and in milliseconds.
const HEIGHT: f32 = 56.0;
const TOP_MS: f64 = 33.3;
/// Duration of a frame at 60 Hz, in milliseconds.
const SIXTY_MS: f64 = 1000.0 / 60.0;

/// Durations of the last frames.
#[derive(Debug, Default)]
pub(in crate::app) struct Timing {
    frames: VecDeque<FrameTime>,
}

/// Durations of one frame.
#[derive(Clone, Copy, Debug)]
struct FrameTime {
    whole: Duration,
    rendering: Duration,
}

/// Text of the overlay below the graph.
#[derive(Debug)]
pub(in crate::app) struct TimingFacts {
    /// Description of the backend.
    pub(in crate::app) backend: String,
    /// How pictures reach the screen, with the time of a copy.
    pub(in crate::app) way: String,
    /// The pictures.
    pub(in crate::app) pictures: Vec<PictureTime>,
}

/// Time of one picture.
#[derive(Debug)]
pub(in crate::app) struct PictureTime {
    /// Index of its panel; of a difference that of the first.
    pub(in crate::app) index: usize,
    /// Its name.
    pub(in crate::app) name: String,
    /// Kernel time; `None` if it is unknown.
    pub(in crate::app) took: Option<Duration>,
}

impl Timing {
    /// Records a frame: its duration, and the part of it that rendered pictures.
    pub(in crate::app) fn note(&mut self, whole: Duration, rendering: Duration) {
        self.frames.push_back(FrameTime { whole, rendering });
        if self.frames.len() > KEPT {
            self.frames.pop_front();
        }
    }

    /// Median and 99th percentile of the kept frames, in milliseconds: half of the frames, and 99 of 100, took as long at most.
    fn quantiles_ms(&self) -> [f64; 2] {
        let mut sorted: Vec<f64> = self.frames.iter().map(|frame| milliseconds(frame.whole)).collect();
        sorted.sort_by(f64::total_cmp);
        [0.5, 0.99].map(|share| {
            let rank = (share * sorted.len() as f64).ceil() as usize;
            sorted.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
        })
    }

    /// Draws the overlay in the upper right corner of `within`.
    pub(in crate::app) fn show(&self, ui: &Ui, within: Rect, facts: &TimingFacts) {
        let corner = within.right_top() + egui::vec2(-3.0 * SPACE, 3.0 * SPACE);
        egui::Area::new(egui::Id::unique("timing"))
            .order(egui::Order::Middle)
            .interactable(false)
            .pivot(Align2::RIGHT_TOP)
            .fixed_pos(corner)
            .show(ui, |ui| {
                egui::Frame::popup(ui.style()).inner_margin(12).show(ui, |ui| {
                    ui.set_width(260.0);
                    self.contents(ui, facts);
                });
            });
    }

    fn contents(&self, ui: &mut Ui, facts: &TimingFacts) {
        let palette = Palette::of_ui(ui);
        let last = self.frames.back().map_or(0.0, |frame| milliseconds(frame.whole));
        let slowest = self.frames.iter().map(|frame| milliseconds(frame.whole)).fold(0.0, f64::max);
        line(ui, "Frame", &format!("{last:.2} ms, slowest {slowest:.2}"));
        let [median, most] = self.quantiles_ms();
        line(ui, &format!("Of {}", self.frames.len()), &format!("median {median:.2} ms, 99 % {most:.2}"));
        let (rect, response) = ui.allocate_exact_size(egui::vec2(260.0, HEIGHT), egui::Sense::hover());
        response.widget_info(|| {
            let text = format!("The last {} frames, the last {last:.2} ms", self.frames.len().min(FRAMES));
            egui::WidgetInfo::labeled(egui::Role::Image, true, text)
        });
        let painter = ui.painter_at(rect);
        painter.rect_filled(rect, 2.0, palette.ground.lerp_to_gamma(palette.surface, 0.6));
        let height = |ms: f64| ((ms / TOP_MS).min(1.0) * f64::from(HEIGHT)) as f32;
        let width = rect.width() / FRAMES as f32;
        for (place, frame) in self.frames.iter().rev().take(FRAMES).enumerate() {
            let right = rect.right() - place as f32 * width;
            let bar = |ms: f64, colour| {
                let top = rect.bottom() - height(ms).max(0.5);
                let bar = Rect::from_min_max(egui::pos2(right - width + 0.5, top), egui::pos2(right, rect.bottom()));
                painter.rect_filled(bar, 0.0, colour);
            };
            bar(milliseconds(frame.whole), palette.weak.gamma_multiply(0.6));
            bar(milliseconds(frame.rendering), palette.accent);
        }
        let sixty = rect.bottom() - height(SIXTY_MS);
        painter.hline(rect.x_range(), sixty, egui::Stroke::new(1.0, palette.line));
        let at = egui::pos2(rect.left() + SPACE, sixty);
        painter.text(at, Align2::LEFT_BOTTOM, "16.7 ms", FontId::proportional(text_size::UNIT), palette.weak);
        ui.label(egui::RichText::new("■ rendering, part of the frame").size(text_size::UNIT).color(palette.accent));
        ui.add_space(SPACE);
        for PictureTime { index, name, took } in &facts.pictures {
            let time = took.map_or("–".to_owned(), |took| format!("{:.0} µs", took.as_secs_f64() * 1e6));
            ui.horizontal(|ui| {
                panel_mark::dot(ui, *index);
                line(ui, name, &time);
            });
        }
        line(ui, "Backend", &facts.backend);
        line(ui, "To the screen", &facts.way);
    }
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

/// A line with a name on the left and a value on the right.
fn line(ui: &mut Ui, name: &str, value: &str) {
    let palette = Palette::of_ui(ui);
    ui.horizontal(|ui| {
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.label(egui::RichText::new(value).monospace().color(palette.text));
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                ui.add(
                    egui::Label::new(egui::RichText::new(name).size(text_size::VALUE).color(palette.weak)).truncate(),
                );
            });
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timing_keeps_only_the_last_frames() {
        let mut timing = Timing::default();
        (0..500).for_each(|number| timing.note(Duration::from_millis(number), Duration::ZERO));
        assert_eq!(timing.frames.len(), 500);
        (500..1000).for_each(|number| timing.note(Duration::from_millis(number), Duration::ZERO));
        assert_eq!(timing.frames.len(), KEPT);
        assert_eq!(timing.frames.front().map(|frame| frame.whole), Some(Duration::from_millis(400)));
        assert_eq!(timing.frames.back().map(|frame| frame.whole), Some(Duration::from_millis(999)));
    }

    #[test]
    fn median_and_99th_percentile_are_the_least_times_that_enough_frames_took_at_most() {
        let mut timing = Timing::default();
        assert_eq!(timing.quantiles_ms(), [0.0, 0.0]);
        // In no order: 1 … 200 ms.
        (0..200_u64).for_each(|place| timing.note(Duration::from_millis(place * 77 % 200 + 1), Duration::ZERO));
        assert_eq!(timing.quantiles_ms(), [100.0, 198.0]);
    }
}
