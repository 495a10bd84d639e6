//! Marks on samples as a drawing: the weights of a position, and whether samples are kept.

use std::fmt::Write as _;

use crate::lab::field::SampleCheck;
use crate::lab::footprint::{Footprint, Notation};
use crate::view::ImageFromOutput;

/// Least distance of two marks of samples, in pixels.
pub(super) const MARK_SPACING: f64 = 18.0;
/// Radius of a mark, in pixels.
const MARK: f64 = 6.0;
/// Least sides of a sample, in pixels, for discs and for their numbers.
const DISC_SIDE: f64 = 12.0;
const NUMBER_SIDE: f64 = 56.0;
/// Radius of the disc of weight 1, in sides of a sample.
const UNIT_RADIUS: f64 = 0.45;
/// A weight that is not drawn.
const NO_WEIGHT: f64 = 5e-5;

/// The position as a ring, a disc on each of its samples whose area is the weight, and a cross on each fetch. A disc outside the
/// image is open, and a line leads to the sample that is read instead.
pub(super) fn discs(footprint: &Footprint, map: &ImageFromOutput) -> String {
    let at = |pos: [f64; 2]| map.inverse_at(pos).map(|place| place + 0.5);
    let [x, y] = map.steps();
    let side = 1.0 / x[0].hypot(y[0]).max(x[1].hypot(y[1]));
    let mut drawn = String::new();
    let [columns, rows] = &footprint.axes;
    if side >= DISC_SIDE {
        for row in &rows.taps {
            for column in &columns.taps {
                let weight = column.weight * row.weight;
                if weight.abs() < NO_WEIGHT {
                    continue;
                }
                let [x, y] = at([column.index as f64, row.index as f64]);
                let sign = if weight > 0.0 { "plus" } else { "minus" };
                let read = column.resolved.zip(row.resolved);
                let is_own = read == Some((column.index, row.index));
                if let Some((column, row)) = read.filter(|_| !is_own) {
                    let [x2, y2] = at([column as f64, row as f64]);
                    let _ = writeln!(drawn, "<path class=\"link\" d=\"M{x:.1} {y:.1}L{x2:.1} {y2:.1}\"/>");
                }
                let radius = (UNIT_RADIUS * side * weight.abs().sqrt().min(1.0)).max(1.5);
                let open = if is_own { "" } else { " open" };
                let _ = writeln!(
                    drawn,
                    "<circle class=\"disc {sign}{open}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"/>"
                );
                if side >= NUMBER_SIDE {
                    let (weight, below) = (Notation::short_weight(weight), y + 0.42 * side);
                    let _ = writeln!(drawn, "<text class=\"weight\" x=\"{x:.1}\" y=\"{below:.1}\">{weight}</text>");
                }
            }
        }
    }
    for row in &rows.fetches {
        for column in &columns.fetches {
            let [x, y] = at([column.position, row.position]);
            push_cross(&mut drawn, [x, y], ["under", "fetch"]);
        }
    }
    let [x, y] = at(footprint.position);
    for class in ["under", "ring"] {
        let _ = writeln!(drawn, "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"7\"/>");
    }
    drawn
}

/// A dot on each block of samples that are kept, a cross on each that has one that is not.
pub(super) fn sample_marks(check: &SampleCheck, map: &ImageFromOutput) -> String {
    let mut drawn = String::new();
    for block in &check.blocks {
        let is_kept = block.wrong == 0;
        let place = if is_kept { block.middle.map(f64::floor) } else { block.worst.at.map(f64::from) };
        let [x, y] = map.inverse_at(place).map(|place| place + 0.5);
        if is_kept {
            let _ = writeln!(drawn, "<circle class=\"kept\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\"/>", 0.7 * MARK);
        } else {
            push_cross(&mut drawn, [x, y], ["rim", "missed"]);
        }
    }
    drawn
}

/// Adds a cross in these classes, the lower one first.
fn push_cross(drawn: &mut String, [x, y]: [f64; 2], classes: [&str; 2]) {
    let [left, right, top, bottom] = [x - MARK, x + MARK, y - MARK, y + MARK];
    for class in classes {
        let _ = writeln!(
            drawn,
            "<path class=\"{class}\" d=\"M{left:.1} {top:.1}L{right:.1} {bottom:.1}M{right:.1} {top:.1}L{left:.1} {bottom:.1}\"/>"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{CpuBackend, PreparedCache, RenderRequest};
    use crate::filter::ExecOptions;
    use crate::image::{Image, Page, Region};
    use crate::lab::field::SampleCheckRequest;
    use crate::sampling::{Method, Sampler};
    use crate::test_support::size;
    use crate::view::View;
    use crate::volume::Plane;

    fn impulse() -> Image {
        let mut values = vec![0.0; 25];
        values[12] = 1.0;
        let samples = crate::image::Samples::F32(values);
        let raster = crate::image::Raster::new(size(5, 5), crate::image::Channels::Grey, samples);
        Image::of_page("impulse", Page::new(raster.expect("a raster")))
    }

    /// Five samples a side, 40 pixels each.
    fn request(method: Method) -> RenderRequest {
        let view = View::default().scaled([1.0 / 40.0; 2]).and_then(|view| view.translated([-39.0 / 80.0; 2]));
        let sampler = Sampler::default().with_method(method);
        RenderRequest { view: view.expect("a view"), sampler, ..RenderRequest::new(size(200, 200)) }
    }

    #[test]
    fn discs_have_areas_of_weights_and_open_ones_lead_to_the_sample_read() {
        let image = impulse();
        let draw = |method: Method, at: [f64; 2]| {
            let (request, page) = (request(method), &image.pages()[0]);
            let prepared = PreparedCache::default().get_by(page, &request, &ExecOptions::default()).expect("samples");
            let footprint = Footprint::at(&prepared, page, &request, at).expect("a footprint");
            discs(&footprint, &request.view.image_from_output(request.size, page.size()))
        };
        let linear = draw(Method::Linear, [1.25, 2.0]);
        let radius = |weight: f64| format!("r=\"{:.1}\"", 0.45 * 40.0 * weight.sqrt());
        assert_eq!(linear.matches("class=\"disc plus\"").count(), 2, "{linear}");
        assert!(linear.contains(&radius(0.75)) && linear.contains(&radius(0.25)), "{linear}");
        let edge = draw(Method::CATMULL_ROM, [0.5, 2.0]);
        assert_eq!((edge.matches("minus open").count(), edge.matches("class=\"link\"").count()), (1, 1), "{edge}");
        assert_eq!(edge.matches("class=\"disc").count(), 4, "{edge}");
    }

    #[test]
    fn kept_samples_have_dots_and_missed_ones_crosses() {
        let image = impulse();
        let marks = |method: Method| {
            let request = request(method);
            let asked = SampleCheckRequest {
                page: 0,
                plane: Plane::default(),
                component: request.component,
                sampler: request.sampler,
                before: request.filters.before.clone(),
                region: Region::whole(size(5, 5)),
                block: 1,
            };
            let check = SampleCheck::new(&image, &asked, &mut CpuBackend::new()).expect("checked");
            let drawn = sample_marks(&check, &request.view.image_from_output(request.size, size(5, 5)));
            ["kept", "missed"].map(|class| drawn.matches(&format!("class=\"{class}\"")).count())
        };
        assert_eq!(marks(Method::Linear), [25, 0]);
        // The B-spline spreads the white sample over its eight neighbours.
        assert_eq!(marks(Method::BSPLINE), [16, 9]);
    }
}
