//! The samples under a picture as a drawing: lines between them, their values, the edge of the image.

use std::fmt::Write as _;

use crate::image::{Page, Raster, Size};
use crate::sampling::Sampler;
use crate::view::ImageFromOutput;

/// Least sides of a sample, in pixels, for lines and for values.
const GRID_SIDE: f64 = 6.0;
const VALUE_SIDE: f64 = 34.0;
/// Largest and smallest size of a value's letters, in pixels.
const LETTERS: [f64; 2] = [10.0, 22.0];
/// Width of a figure in sizes of its font.
const FIGURE: f64 = 0.62;

/// The samples that a picture shows.
pub(super) struct Cells<'a> {
    pub(super) page: &'a Page,
    pub(super) sampler: &'a Sampler,
    /// Size of the picture.
    pub(super) size: Size,
    pub(super) map: &'a ImageFromOutput,
}

impl Cells<'_> {
    /// Place of a position of the image in the drawing, whose pixels have their middles at one half.
    fn at(&self, pos_in_image: [f64; 2]) -> [f64; 2] {
        self.map.inverse_at(pos_in_image).map(|place| place + 0.5)
    }

    /// Least and greatest position that the picture shows, along x and along y.
    fn span(&self) -> [[f64; 2]; 2] {
        let [right, bottom] = self.size.sides().map(|side| f64::from(side) - 0.5);
        let corners = [[-0.5, -0.5], [right, -0.5], [-0.5, bottom], [right, bottom]].map(|corner| self.map.at(corner));
        [0, 1].map(|axis: usize| {
            let places = corners.map(|corner| corner[axis]);
            [places.into_iter().fold(f64::INFINITY, f64::min), places.into_iter().fold(f64::NEG_INFINITY, f64::max)]
        })
    }

    /// The shorter side of a sample, in pixels.
    fn side(&self) -> f64 {
        let [x, y] = self.map.steps();
        1.0 / x[0].hypot(y[0]).max(x[1].hypot(y[1]))
    }

    /// Lines between the samples, where these are large enough.
    pub(super) fn grid(&self) -> String {
        let mut drawn = String::new();
        if self.side() < GRID_SIDE {
            return drawn;
        }
        let span = self.span();
        for axis in [0, 1] {
            let [first, last] = [(span[axis][0] + 0.5).ceil(), (span[axis][1] + 0.5).floor()];
            for line in first as i64..=last as i64 {
                let end = |other: f64| {
                    let mut place = [other; 2];
                    place[axis] = line as f64 - 0.5;
                    self.at(place)
                };
                let [[x1, y1], [x2, y2]] = span[1 - axis].map(end);
                let _ = writeln!(drawn, "<path class=\"grid\" d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\"/>");
            }
        }
        drawn
    }

    /// The value of each sample in its middle, where there is room: from 0 to 255, or from 0 to 1. `shown` has the greys below.
    pub(super) fn values(&self, is_in_bytes: bool, shown: &Raster) -> String {
        let mut drawn = String::new();
        let side = self.side();
        if side < VALUE_SIDE {
            return drawn;
        }
        let [columns, rows] = self.span().map(|[from, to]| (from + 0.25).ceil() as i64..=(to - 0.25).floor() as i64);
        for row in rows {
            for column in columns.clone() {
                let Some(value) = self.value([column, row]) else { continue };
                let text = if is_in_bytes { format!("{:.0}", 255.0 * value) } else { short(value) };
                let size = (0.8 * side / (FIGURE * text.chars().count().max(3) as f64)).clamp(LETTERS[0], LETTERS[1]);
                let [x, y] = self.at([column as f64, row as f64]);
                let [width, height] = self.size.sides();
                let pixel = [(x.max(0.0) as u32).min(width - 1), (y.max(0.0) as u32).min(height - 1)];
                let class = if shown.number(pixel[0], pixel[1], 0) > 127.0 { "dark" } else { "light" };
                let _ = writeln!(
                    drawn,
                    "<text class=\"value {class}\" x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size:.1}\">{text}</text>"
                );
            }
        }
        drawn
    }

    /// The sample at `index`, or what the address mode reads there; 1 is maxval. `None` for pictures of several channels.
    fn value(&self, index: [i64; 2]) -> Option<f64> {
        let raster = self.page.raster();
        if raster.channels().count() > 1 {
            return None;
        }
        let [x, y] = self.sampler.address;
        let inside = (x.resolve(index[0], self.page.size().width()), y.resolve(index[1], self.page.size().height()));
        Some(match inside {
            (Some(column), Some(row)) => {
                f64::from(raster.number(column, row, 0)) / f64::from(raster.samples().maxval())
            }
            _ => f64::from(self.sampler.border),
        })
    }

    /// A tint over what lies outside the image, and its edge.
    pub(super) fn outside(&self) -> String {
        let [right, bottom] = self.page.size().sides().map(|side| f64::from(side) - 0.5);
        let corners = [[-0.5, -0.5], [right, -0.5], [right, bottom], [-0.5, bottom]].map(|corner| self.at(corner));
        let path: Vec<String> = corners.iter().map(|[x, y]| format!("{x:.1} {y:.1}")).collect();
        let path = path.join("L");
        let [width, height] = self.size.sides();
        format!(
            "<path class=\"outside\" d=\"M0 0H{width}V{height}H0ZM{path}Z\"/>\n<path class=\"edge\" d=\"M{path}Z\"/>\n"
        )
    }
}

/// `value` with at most four decimals, and a minus sign.
fn short(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.replace('-', "−") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{CpuBackend, PixelFormat, RenderRequest, render};
    use crate::image::{Channels, Depth, Image, Samples};
    use crate::sampling::AddressMode;
    use crate::test_support::size;
    use crate::view::View;

    /// Two samples a row, seen with half a sample around them.
    fn drawn(draw: impl Fn(&Cells<'_>, &Raster) -> String) -> String {
        let samples = Samples::U8 { values: vec![0, 255, 51, 102], maxval: u8::MAX };
        let image =
            Image::of_page("two", Page::new(Raster::new(size(2, 2), Channels::Grey, samples).expect("a raster")));
        let page = &image.pages()[0];
        let view = View::default().scaled([1.0 / 40.0; 2]).and_then(|view| view.translated([-39.0 / 80.0; 2]));
        let request = RenderRequest { view: view.expect("a view"), ..RenderRequest::new(size(120, 120)) };
        let shown = render(&mut CpuBackend::new(), &image, &request, PixelFormat::file(Depth::EIGHT)).expect("bytes");
        let map = request.view.image_from_output(request.size, page.size());
        let mut sampler = request.sampler;
        sampler.address = [AddressMode::Border; 2];
        draw(&Cells { page, sampler: &sampler, size: request.size, map: &map }, &shown)
    }

    #[test]
    fn lines_stand_between_samples_and_values_in_their_middles() {
        let grid = drawn(|cells, _| cells.grid());
        for line in ["M20.0 0.0L20.0 120.0", "M60.0 0.0L60.0 120.0", "M0.0 100.0L120.0 100.0"] {
            assert!(grid.contains(line), "{line}: {grid}");
        }
        assert_eq!(grid.lines().count(), 6);
        let values = drawn(|cells, shown| cells.values(false, shown));
        let texts =
            ["light\" x=\"40.0\" y=\"40.0\" font-size=\"17.2\">0<", "x=\"40.0\" y=\"80.0\" font-size=\"17.2\">0.2<"];
        assert!(texts.iter().all(|text| values.contains(text)), "{values}");
        assert!(values.contains("dark\" x=\"80.0\" y=\"40.0\"") && values.lines().count() == 4, "{values}");
        let bytes = drawn(|cells, shown| cells.values(true, shown));
        assert!(bytes.contains(">255<") && bytes.contains(">102<"), "{bytes}");
    }

    #[test]
    fn tint_lies_around_the_image() {
        let outside = drawn(|cells, _| cells.outside());
        assert!(outside.contains("M0 0H120V120H0ZM20.0 20.0L100.0 20.0L100.0 100.0L20.0 100.0Z"), "{outside}");
    }
}
