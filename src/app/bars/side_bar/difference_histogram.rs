//! The histogram of a difference: logarithms of the counts of the view's values over the range of the colours, each bin in its
//! colour. Most differences are near 0, and on a linear scale no other bin would be seen.

use egui::emath::GuiRounding as _;
use egui::{
    Align2, Color32, FontId, Mesh, Rect, Role, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo, pos2, remap_clamp,
    vec2,
};

use crate::app::inspect::Overlays;
use crate::app::render::difference_counts::DifferenceBin;
use crate::app::session::Session;
use crate::app::session::unit::Unit;
use crate::app::widgets::fit::left_below;
use crate::app::widgets::theme::{Palette, SMALL_RADIUS, SPACE, text_size};
use crate::backend::ColourMap;
use crate::text::{short, signed, signed_end};

/// Height of the plot, and its part above the highest bin, in points.
const HEIGHT: f32 = 96.0;
const ABOVE: f32 = 2.0 * SPACE;
/// Length of the mark of 0 below the plot, in points.
const TICK: f32 = 3.0;
/// Width of the bins beyond the scale, and their distance from those within, in points.
const BEYOND_WIDTH: f32 = 6.0;
const BEYOND_GAP: f32 = 2.0;
/// Opacity of the counts of the last view while the view moves.
const MOVING: f32 = 0.4;

/// Draws the histogram of the difference of `pair`.
pub(super) fn show(ui: &mut Ui, session: &Session, pair: [usize; 2], (unit, overlays): (Unit, &Overlays)) {
    let palette = Palette::of_ui(ui);
    let one = unit.of_difference().one(session.page_of(pair[0]).maxval());
    let (range, font) = (session.difference_range(), FontId::proportional(text_size::UNIT));
    let label_height = ui.fonts_mut(|fonts| fonts.row_height(&font)) + SPACE;
    let size = vec2(ui.available_width(), HEIGHT + label_height);
    let (place, response) = ui.allocate_exact_size(size, Sense::hover());
    let rect = place.with_max_y(place.top() + HEIGHT);
    ui.painter().rect_filled(rect, SMALL_RADIUS, palette.field);
    let scale = BinScale { rect: rect.shrink(1.0), range };
    let text = |value: f64| signed(value * one, range[0]);
    let [low, high] = range.map(text);
    response.widget_info(|| {
        WidgetInfo::labeled(Role::Image, true, format!("Histogram of the difference from {low} to {high}"))
    });
    let meter = &overlays.difference;
    let pixel = ui.pixels_per_point().recip();
    let zero = scale.x_of(0.0).round_to_pixel_center(ui.pixels_per_point());
    let is_signed = range[0] < 0.0;
    if is_signed {
        // In front of it are the bins.
        ui.painter().vline(zero, rect.top()..=rect.bottom() + TICK, Stroke::new(pixel, palette.weak));
    }
    if let Some(measure) = meter.last_measured() {
        let hovered = response.hover_pos().filter(|pos| rect.contains(*pos));
        let at = |bin: &DifferenceBin| hovered.is_some_and(|pos| scale.across(bin).contains(pos.x));
        let hovered = measure.bins(session.gain()).find(at);
        if let Some(bin) = hovered {
            ui.painter().rect_filled(Rect::from_x_y_ranges(scale.across(&bin), rect.y_range()), 0.0, palette.hovered);
        }
        let opacity = if meter.measured().is_some() { 1.0 } else { MOVING };
        let colours = Colours { map: session.difference_map(pair), outline: palette.faint, opacity };
        counts(ui, scale, colours, || measure.bins(session.gain()));
        if let Some(bin) = hovered {
            let share = f64::from(bin.count) / f64::from(measure.shown_count().max(1));
            response.on_hover_text_at_pointer(about(&bin, share, text));
        }
    }
    ui.painter().rect_stroke(rect, SMALL_RADIUS, Stroke::new(1.0, palette.line), StrokeKind::Inside);
    let label = |x: f32, text: String| {
        let galley = ui.painter().layout_no_wrap(text, font.clone(), palette.weak);
        let left = left_below(rect.x_range(), x, galley.size().x);
        ui.painter().galley(pos2(left, rect.bottom() + SPACE), galley, palette.weak);
    };
    let [left, right] = scale.ends().map(|end| end.round_to_pixel_center(ui.pixels_per_point()));
    for end in [left, right] {
        ui.painter().vline(end, rect.bottom()..=rect.bottom() + TICK, Stroke::new(pixel, palette.weak));
    }
    let [low, high] = range.map(|end| signed_end(end * one, range[0]));
    label(left, low);
    if is_signed {
        label(zero, text(0.0));
    }
    label(right, high);
    let corner = rect.left_top() + vec2(SPACE, 1.0);
    ui.painter().text(corner, Align2::LEFT_TOP, "log count", font.clone(), palette.weak);
}

/// Colours of the bins.
#[derive(Clone, Copy)]
struct Colours {
    map: ColourMap,
    /// Around all bins: those near 0 have the colour of what is behind them.
    outline: Color32,
    opacity: f32,
}

/// Positions of values, with the bins beyond the scale at its ends.
#[derive(Clone, Copy)]
struct BinScale {
    rect: Rect,
    /// The values at the ends of the scale.
    range: [f64; 2],
}

impl BinScale {
    /// The left and the right end of the scale. An absolute one has nothing below.
    fn ends(self) -> [f32; 2] {
        let beyond = BEYOND_WIDTH + BEYOND_GAP;
        let below = if self.range[0] < 0.0 { beyond } else { 0.0 };
        [self.rect.left() + below, self.rect.right() - beyond]
    }

    fn x_of(self, value: f64) -> f32 {
        let [left, right] = self.ends();
        let share = ((value - self.range[0]) / (self.range[1] - self.range[0])) as f32;
        left + share * (right - left)
    }

    /// The horizontal place of `bin`.
    fn across(self, bin: &DifferenceBin) -> egui::Rangef {
        let [low, high] = bin.range;
        match (low.is_finite(), high.is_finite()) {
            (false, _) => (self.rect.left()..=self.rect.left() + BEYOND_WIDTH).into(),
            (_, false) => (self.rect.right() - BEYOND_WIDTH..=self.rect.right()).into(),
            (true, true) => (self.x_of(low)..=self.x_of(high)).into(),
        }
    }
}

/// Draws the counts of `bins` as bars on a logarithmic scale.
fn counts<I: Iterator<Item = DifferenceBin>>(ui: &Ui, scale: BinScale, colours: Colours, bins: impl Fn() -> I) {
    let ppp = ui.pixels_per_point();
    let widest = bins().filter(|bin| !bin.is_beyond()).map(|bin| bin.range[1] - bin.range[0]).fold(0.0, f64::max);
    // A bin that is half as wide is as high as one with twice its count.
    let height = |bin: &DifferenceBin| {
        let share = if bin.is_beyond() { 1.0 } else { (bin.range[1] - bin.range[0]) / widest };
        (f64::from(bin.count) / share).ln_1p()
    };
    let most = bins().map(|bin| height(&bin)).fold(0.0, f64::max);
    let pixel = ppp.recip();
    let room = scale.rect.height() - ABOVE;
    let bar = |bin: &DifferenceBin| {
        let across = scale.across(bin);
        let top = scale.rect.bottom() - ((height(bin) / most) as f32 * room).max(pixel);
        let corners = [pos2(across.min, top), pos2(across.max, scale.rect.bottom())];
        let [top, bottom] = corners.map(|corner| corner.round_to_pixels(ppp));
        Rect::from_min_max(top, bottom)
    };
    // One mesh: single rectangles have soft edges, which show as seams. The outlines are behind all bars.
    let mut bars = Mesh::default();
    for bin in bins().filter(|bin| bin.count > 0) {
        let bar = bar(&bin);
        let outline = Rect::from_min_max(bar.min - vec2(pixel, pixel), bar.max + vec2(pixel, 0.0));
        bars.add_colored_rect(outline.intersect(scale.rect), colours.outline.gamma_multiply(colours.opacity));
    }
    for bin in bins().filter(|bin| bin.count > 0) {
        let [low, high] = bin.range.map(|end| end.clamp(scale.range[0], scale.range[1]));
        let shown = remap_clamp(0.5 * (low + high), scale.range[0]..=scale.range[1], 0.0..=1.0);
        let [red, green, blue] = colours.map.colour(shown as f32).map(|value| (value * 255.0).round() as u8);
        bars.add_colored_rect(bar(&bin), Color32::from_rgb(red, green, blue).gamma_multiply(colours.opacity));
    }
    ui.painter().add(Shape::mesh(bars));
}

/// The values of `bin`, its share of all and the scale of the counts.
fn about(bin: &DifferenceBin, share: f64, text: impl Fn(f64) -> String) -> String {
    let [low, high] = bin.range;
    let values = match (low.is_finite(), high.is_finite()) {
        (false, _) => format!("Below {}", text(high)),
        (_, false) => format!("Above {}", text(low)),
        (true, true) => format!("{} … {}", text(low), text(high)),
    };
    format!("{values}: {} % of the values\nHeights are logarithms of the counts", short(100.0 * share, 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_bin_has_its_range_and_its_share() {
        let text = |value: f64| signed(255.0 * value, -1.0);
        let about = |range: [f64; 2]| about(&DifferenceBin { range, count: 3 }, 0.012_345, text);
        let heights = "of the values\nHeights are logarithms of the counts";
        assert_eq!(about([-0.1, 0.1]), format!("−25.5 … +25.5: 1.23 % {heights}"));
        assert_eq!(about([f64::NEG_INFINITY, -0.5]), format!("Below −127.5: 1.23 % {heights}"));
        assert_eq!(about([0.5, f64::INFINITY]), format!("Above +127.5: 1.23 % {heights}"));
    }

    #[test]
    fn bins_lie_beside_each_other_within_the_place() {
        let rect = Rect::from_min_max(pos2(10.0, 0.0), pos2(210.0, 50.0));
        let across = |low: f64, range: [f64; 2]| {
            let found = BinScale { rect, range: [low, 0.5] }.across(&DifferenceBin { range, count: 1 });
            [found.min, found.max]
        };
        let [below, above] = [[f64::NEG_INFINITY, -0.5], [0.5, f64::INFINITY]];
        assert_eq!([across(-0.5, below), across(-0.5, above)], [[10.0, 16.0], [204.0, 210.0]]);
        assert_eq!(across(-0.5, [-0.5, 0.5]), [18.0, 202.0]);
        assert_eq!(across(-0.5, [0.0, 0.25]), [110.0, 156.0]);
        assert_eq!(across(0.0, [0.0, 0.5]), [10.0, 202.0]);
    }
}
