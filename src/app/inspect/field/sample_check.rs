//! The sample check in a panel: a mark on every sample, or on blocks of samples where these are small.

use egui::{Align2, Color32, FontId, Painter, Rect, Vec2, vec2};

use super::super::cells::VALUE_SIDE;
use super::super::panel_transform::PanelTransform;
use super::caption::Caption;
use super::marks::{Mark, SIDE, Sprites};
use crate::app::session::Session;
use crate::app::widgets::theme::text_size;
use crate::image::Region;
use crate::lab::field::{SampleBlock, SampleCheck, SampleCheckRequest};
use crate::text::short;

/// Least distance of two marks, in points.
const SPACING: f32 = 24.0;
/// Side of a sample from which on an error is written beside its mark, in points.
const ERROR_SIDE: f32 = 54.0;

/// What is compared in a panel: the visible samples, in blocks whose marks do not touch.
pub(super) fn request(session: &Session, transform: &PanelTransform) -> Option<SampleCheckRequest> {
    let [least, greatest] = transform.shown();
    let region = Region::between(least, greatest, session.page_of(transform.panel).size())?;
    let shown = session.request(transform.panel);
    let (page, plane, sampler, before) = (shown.page, shown.plane, shown.sampler, shown.filters.before);
    let component = shown.component;
    Some(SampleCheckRequest { page, plane, component, sampler, before, region, block: block(transform.sample_side()) })
}

/// Side of a block for samples with sides of `side` points: a power of two. Every sample has a mark from the side on at which
/// marks do not touch.
fn block(side: f32) -> u32 {
    let samples = if side >= SIDE { 1.0 } else { (SPACING / side).ceil() };
    if samples <= 1.0 { 1 } else { (samples as u32).min(1 << 24).next_power_of_two() }
}

/// The sample that carries the mark of a block: the one with the largest error, or where all are kept the one before the middle.
fn marked(block: &SampleBlock) -> [f64; 2] {
    if block.wrong > 0 { block.worst.at.map(f64::from) } else { block.middle.map(f64::floor) }
}

/// Paints the marks, and errors where there is room.
pub(super) fn paint(
    painter: &Painter,
    session: &Session,
    (check, sprites): (&SampleCheck, &Sprites),
    transform: &PanelTransform,
) {
    let writes_values = session.inspect.state.has_values && transform.sample_side() >= VALUE_SIDE;
    // The value of a sample is in its middle.
    let aside = if writes_values { vec2(0.0, -0.34 * transform.sample_side()) } else { Vec2::ZERO };
    let room = transform.rect().expand(SIDE);
    let seen = |block: &&SampleBlock| room.contains(transform.pos(marked(block)));
    let marks = check.blocks.iter().filter(seen).map(|block| {
        let share = block.wrong as f32 / block.count.max(1) as f32;
        let (mark, size) = if block.wrong == 0 { (Mark::Kept, 1.0) } else { (Mark::Wrong, 0.7 + 0.3 * share) };
        (mark, transform.pos(marked(block)) + aside, size)
    });
    sprites.paint(painter, marks);
    if transform.sample_side() < ERROR_SIDE {
        return;
    }
    let is_one = |block: &&SampleBlock| block.count == 1 && block.wrong == 1;
    for block in check.blocks.iter().filter(seen).filter(is_one) {
        let below = transform.pos(marked(block)) + aside + vec2(0.0, 0.5 * SIDE);
        write(painter, below, &signed(block.worst.error(), 2));
    }
}

/// Draws an error on a dark chip, centred below a point.
fn write(painter: &Painter, top: egui::Pos2, text: &str) {
    let galley = painter.layout_no_wrap(text.to_owned(), FontId::monospace(text_size::UNIT - 1.0), Color32::WHITE);
    let place: Rect = Align2::CENTER_TOP.anchor_size(top, galley.size());
    painter.rect_filled(place.expand2(vec2(2.0, 0.0)), 3.0, Color32::from_black_alpha(190));
    painter.galley(place.min, galley, Color32::WHITE);
}

/// An error with its sign: `+0.0123`, `−4.1e-4`.
fn signed(error: f32, digits: i32) -> String {
    let sign = if error < 0.0 { "−" } else { "+" };
    format!("{sign}{}", rounded(error.abs(), digits))
}

/// A magnitude with three digits; small and large ones have two and an exponent.
pub(super) fn magnitude_text(magnitude: f32) -> String {
    rounded(magnitude, 3)
}

fn rounded(magnitude: f32, digits: i32) -> String {
    let is_plain = magnitude == 0.0 || !magnitude.is_finite() || (1e-3..1e6).contains(&magnitude);
    if is_plain { short(f64::from(magnitude), digits) } else { format!("{magnitude:.1e}") }
}

/// What the check counts.
pub(super) fn caption(check: &SampleCheck) -> Caption {
    let SampleCheck { count, kept, largest, .. } = check;
    let error = magnitude_text(largest.magnitude());
    let [column, row] = largest.at;
    // Samples of a block share its mark.
    let marks = match check.blocks.iter().map(|block| block.count).max() {
        Some(shared) if shared > 1 => {
            format!("\nUp to {shared} samples share a mark: it is on the one with the largest error")
        }
        _ => String::new(),
    };
    Caption {
        title: "Sample check",
        texts: vec![
            format!("{kept} of {count} samples kept, largest error {error}"),
            format!("{kept} of {count} kept, error ≤ {error}"),
            format!("{kept} of {count} kept"),
        ],
        help: format!(
            "f(k) = s[k] at {kept} of the {count} visible samples, to 1e-5; 1 is maxval{marks}\nThe largest difference is {} at sample ({column}, {row}), channel {}: {} becomes {}\nA kernel that is 1 at its sample and 0 at the others keeps samples; a B-spline needs its prefilter",
            signed(largest.error(), 3),
            largest.channel + 1,
            short(f64::from(largest.sample), 5),
            short(f64::from(largest.value), 5),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::field::SampleDifference;

    #[test]
    fn blocks_are_powers_of_two_whose_marks_do_not_touch() {
        for side in [0.01_f32, 0.3, 1.0, 4.0, 7.5, 14.9, 15.0, 90.0] {
            let block = block(side);
            assert!(block.is_power_of_two() && block as f32 * side >= SIDE, "{side}: {block}");
            assert!(block == 1 || (block / 2) as f32 * side < SPACING, "{side}: {block} is the least");
            assert_eq!(block == 1, side >= SIDE, "{side}: {block}");
        }
    }

    #[test]
    fn mark_of_a_block_is_on_one_of_its_samples() {
        let sample = |at| SampleDifference { at, channel: 0, sample: 0.5, value: 0.5 };
        for block in [1_u32, 2, 4, 8] {
            let first = [3 * block, 5 * block];
            let middle = first.map(|from| f64::from(from) + (f64::from(block) - 1.0) / 2.0);
            let of_wrong = |wrong, at| SampleBlock { middle, count: block * block, wrong, worst: sample(at) };
            let [x, y] = marked(&of_wrong(0, first));
            assert!(x.fract() == 0.0 && y.fract() == 0.0, "{x}, {y}");
            assert!((0..block).map(f64::from).any(|k| x == f64::from(first[0]) + k), "{x} of {first:?}");
            let worst = first.map(|from| from + block - 1);
            assert_eq!(marked(&of_wrong(1, worst)), worst.map(f64::from));
        }
    }

    #[test]
    fn errors_have_a_sign_and_three_digits() {
        assert_eq!([0.25, -0.012345, -4.14e-4].map(|error| signed(error, 3)), ["+0.25", "−0.0123", "−4.1e-4"]);
        assert_eq!([-0.012345, -0.0058, 9e-6].map(|error| signed(error, 2)), ["−0.012", "−0.0058", "+9.0e-6"]);
        assert_eq!([0.0, f32::INFINITY].map(magnitude_text), ["0", "inf"]);
    }
}
