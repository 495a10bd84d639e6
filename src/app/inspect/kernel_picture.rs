//! Small pictures of kernels: the weight of a sample by its distance, as a line without axes. All have the same ranges.

use egui::{Color32, Painter, Pos2, Rect, Stroke, Vec2, pos2, vec2};

use super::kernel_curves::chart_of;
use crate::plots::Reconstruction;
use crate::sampling::{Method, Sampler};

/// Size, and width of the line, in points.
pub(in crate::app) const SIZE: Vec2 = vec2(92.0, 20.0);
const LINE: f32 = 1.5;
/// Ranges of the distances, in samples, and of the weights.
const RANGES: [[f32; 2]; 2] = [[-4.0, 4.0], [-0.3, 1.05]];
/// Least distance of two points of the line, as a share of the width and of the height: less than a pixel at 2×.
const LEAST_DISTANCE: f32 = 1.0 / 160.0;

/// The picture of a kernel in a square of side 1, whose y axis points down.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) struct KernelPicture {
    /// The weights, from one end of the kernel to the other.
    line: Vec<Pos2>,
    /// Height of the weight 0.
    zero: f32,
}

impl KernelPicture {
    /// The picture of the kernel of `method`, which has the weight 0 beyond its radius.
    pub(in crate::app) fn of(method: Method) -> Self {
        let filter = Reconstruction::new(&Sampler { method, ..Sampler::default() }, 1.0);
        let [[left, right], [bottom, top]] = RANGES;
        let place = |[x, y]: [f64; 2]| pos2((x as f32 - left) / (right - left), (top - y as f32) / (top - bottom));
        let zero = place([0.0; 2]).y;
        let mut line: Vec<Pos2> =
            chart_of(&[filter]).series.iter().flat_map(|series| series.points.iter().copied().map(place)).collect();
        line.retain(|pos| (0.0..=1.0).contains(&pos.x));
        let [from, to] = [line.first(), line.last()].map(|end| end.map_or(0.5, |end| end.x));
        // Its length is the support: what lies beyond has no weight.
        line.insert(0, pos2(from, zero));
        line.push(pos2(to, zero));
        let end = line.len() - 1;
        let mut last = line[0];
        let mut kept = vec![last];
        for (place, pos) in line.into_iter().enumerate().skip(1) {
            if place == end || (pos - last).abs().max_elem() >= LEAST_DISTANCE {
                kept.push(pos);
                last = pos;
            }
        }
        Self { line: kept, zero }
    }

    /// Paints it at `corner`, its upper left one, with the line of weights and that of the weight 0 in these colours.
    pub(in crate::app) fn paint(&self, painter: &Painter, corner: Pos2, [weights, zero]: [Color32; 2]) {
        let place = Rect::from_min_size(corner, SIZE);
        let at = |pos: Pos2| place.min + pos.to_vec2() * SIZE;
        painter.hline(place.x_range(), at(pos2(0.0, self.zero)).y, Stroke::new(1.0, zero));
        painter.line(self.line.iter().map(|pos| at(*pos)).collect(), Stroke::new(LINE, weights));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::METHODS;

    /// Each is in its square as wide as its support, as high as its weight 1, or its greatest one, and no two are alike.
    #[test]
    fn pictures_of_kernels_span_their_square_and_differ() {
        let pictures: Vec<_> = METHODS.iter().map(|row| KernelPicture::of(row.method)).collect();
        for (KernelPicture { line, zero }, row) in pictures.iter().zip(&METHODS) {
            let radius = row.method.kernel().radius as f32 / RANGES[0][1];
            let ends = [line[0].x, line[line.len() - 1].x].map(|x| 2.0 * x - 1.0);
            assert!(
                ends.iter().zip([-radius, radius]).all(|(end, at)| (end - at).abs() < 0.02),
                "{}: {ends:?}",
                row.name
            );
            assert!(
                line.iter().all(|pos| (0.0..=1.0).contains(&pos.y)) && line.is_sorted_by(|a, b| a.x <= b.x),
                "{}",
                row.name
            );
            let highest = line.iter().map(|pos| pos.y).fold(1.0, f32::min);
            let weight = (zero - highest) * (RANGES[1][1] - RANGES[1][0]);
            let at_0 = row.method.kernel().weight(0.0) as f32;
            assert!((weight - at_0).abs() < 0.02, "{}: {weight} {at_0}", row.name);
            // Only kernels that sharpen have weights below 0.
            let lowest = line.iter().map(|pos| pos.y).fold(0.0, f32::max);
            let is_positive = matches!(row.name, "nearest" | "linear" | "bspline");
            assert_eq!(lowest > zero + 0.01, !is_positive, "{}", row.name);
        }
        for (place, KernelPicture { line, .. }) in pictures.iter().enumerate() {
            assert!(pictures[..place].iter().all(|other| other.line != *line));
        }
    }
}
