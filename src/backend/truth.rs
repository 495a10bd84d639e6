//! The true values of a view: those of its page's formula, or of the original that the page was decimated from.

use super::{NoTruth, RenderRequest};
use crate::filter::CancelToken;
use crate::image::{MeanAccuracy, Page, Parallelogram, Size, Truth, mean_over};
use crate::view::ImageFromOutput;

/// Largest distance of a pixel from a sample of the original at which it shows that sample, in samples of the original:
/// positions are rounded.
const ON_SAMPLE: f64 = 1e-6;

/// The true values of one view.
#[derive(Clone, Debug)]
pub(crate) struct TruthView {
    truth: Truth,
    map: ImageFromOutput,
    accuracy: MeanAccuracy,
    /// Area of a pixel along x and y of the image, as a share of the pixel: 1 along an antialiased axis, 0 for values at
    /// points.
    shares: [f64; 2],
    width: usize,
    /// The factors of each column and of each row, of a formula that is a product of them in a view along the axes.
    factors: Option<[Vec<[f64; 2]>; 2]>,
}

impl TruthView {
    /// The truth of `request` of `page`: with antialiasing (s > 1) a formula's means over the areas of the pixels, else its
    /// values at the pixels' positions. If one axis of the image alone is antialiased, the mean is along that axis. Means without
    /// a closed form have this `accuracy`.
    ///
    /// # Errors
    /// [`NoTruth`] for a page without one, for a warped view, and for one that shows an original between its samples.
    pub(crate) fn new(page: &Page, request: &RenderRequest, accuracy: MeanAccuracy) -> Result<Self, NoTruth> {
        let truth = page.truth().ok_or(NoTruth::Samples)?.clone();
        if !request.warp.is_none() {
            return Err(NoTruth::Warped);
        }
        let map = request.view.image_from_output(request.size, page.size());
        if let Truth::Original(original) = &truth {
            let position = |pixel| map.at(pixel).map(|x| original.position(x));
            if request.is_stretched() || !is_on_samples(request.size, position) {
                return Err(NoTruth::BetweenSamples { factor: original.factor() });
            }
        }
        let shares = request.stretches().map(|stretch| f64::from(u8::from(stretch.is_some())));
        Ok(Self { truth, map, accuracy, shares, width: request.size.width() as usize, factors: None })
    }

    /// The same with the factors of all columns and rows of a picture of `size`, where the formula has them: a pixel is a
    /// product then.
    pub(crate) fn with_factors(self, size: Size) -> Self {
        let Truth::Formula(formula) = &self.truth else { return self };
        let [[across, to_right], [to_below, down]] = self.map.steps();
        if to_right != 0.0 || to_below != 0.0 || across < 0.0 || down < 0.0 {
            return self;
        }
        let along = |axis: usize| {
            let side = [across, down][axis] * self.shares[axis];
            let factor = |index: u32| formula.factor(axis, self.map.along(axis, f64::from(index)), side);
            (0..size.sides()[axis]).map(factor).collect::<Option<Vec<_>>>()
        };
        let factors = along(0).zip(along(1)).map(|(columns, rows)| [columns, rows]);
        Self { factors, ..self }
    }

    /// The area of a pixel, as far as the mean is over it.
    fn area(&self, centre: [f64; 2]) -> Parallelogram {
        let [x, y] = self.map.steps();
        let side = |pixel: usize| [x[pixel] * self.shares[0], y[pixel] * self.shares[1]];
        Parallelogram::new(centre, [side(0), side(1)])
    }

    /// Number of values of a pixel.
    pub(crate) fn channels(&self) -> usize {
        self.truth.channels().count()
    }

    /// Fills `out` with the values of whole rows from `row`, channels interleaved. Pixels for which `is_wanted`, given the
    /// row and the column, is false keep their values, as do those after a cancellation.
    pub(crate) fn fill<T>(
        &self,
        (row, out): (usize, &mut [T]),
        is_wanted: impl Fn(usize, usize) -> bool,
        stop: &CancelToken,
        convert: impl Fn(f64) -> T,
    ) {
        for (index, pixel) in out.chunks_exact_mut(self.channels()).enumerate() {
            if stop.is_set() {
                return;
            }
            let (row, column) = (row + index / self.width, index % self.width);
            if !is_wanted(row, column) {
                continue;
            }
            let centre = self.map.at([column as f64, row as f64]);
            match &self.truth {
                Truth::Formula(formula) => {
                    let area = self.area(centre);
                    let means = match &self.factors {
                        Some([columns, rows]) => {
                            let (a, b) = (columns[column], rows[row]);
                            [(0.5 + 0.5 * (a[0] * b[0] - a[1] * b[1])).clamp(0.0, 1.0); 3]
                        }
                        None => formula.means_until(&area, self.accuracy, || stop.is_set()),
                    };
                    pixel.iter_mut().zip(means).for_each(|(value, mean)| *value = convert(mean));
                }
                Truth::Function(function) => {
                    let area = self.area(centre);
                    let value = mean_over(function.as_ref(), &area, self.accuracy, || stop.is_set());
                    pixel.iter_mut().for_each(|channel| *channel = convert(value));
                }
                Truth::Original(original) => {
                    // Beyond its edges the original has the values at them.
                    let raster = original.raster();
                    let [column, row] = [0, 1].map(|axis| {
                        let last = f64::from(raster.size().sides()[axis] - 1);
                        original.position(centre[axis]).round().clamp(0.0, last) as u32
                    });
                    for (channel, value) in pixel.iter_mut().enumerate() {
                        *value = convert(f64::from(raster.number(column, row, channel)));
                    }
                }
            }
        }
    }
}

/// Whether every pixel of `output`, at `position` in the original, is on one of its samples.
fn is_on_samples(output: Size, position: impl Fn([f64; 2]) -> [f64; 2]) -> bool {
    let is_whole = |x: f64| (x - x.round()).abs() <= ON_SAMPLE;
    let first = position([0.0; 2]);
    let steps = [[1.0, 0.0], [0.0, 1.0]].map(|pixel| {
        let next = position(pixel);
        [next[0] - first[0], next[1] - first[1]]
    });
    let [right, bottom] = output.sides().map(|side| f64::from(side - 1));
    // A step that is whole but for rounding adds up over the picture.
    let corners = [[0.0, 0.0], [right, 0.0], [0.0, bottom], [right, bottom]].map(position);
    steps.iter().chain(&corners).flatten().copied().all(is_whole)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::image::{Formula, Synth};
    use crate::sampling::Sampler;
    use crate::view::View;

    /// One pixel may take a millisecond, a row a second.
    #[test]
    fn cancelled_truth_leaves_out_the_rest_of_its_row() {
        let size = Size::new(64, 2).expect("a size");
        let page = Formula::new(Synth::Basilica, size).expect("a formula").page();
        let sampler = Sampler { antialias: true, ..Sampler::default() };
        let request =
            RenderRequest { view: View::new([0.0; 2], 2.0).expect("a view"), sampler, ..RenderRequest::new(size) };
        let view = TruthView::new(&page, &request, MeanAccuracy::PICTURE).expect("a truth").with_factors(size);
        let (stop, asked) = (CancelToken::default(), Cell::new(0));
        let is_wanted = |row, column| {
            asked.set(asked.get() + 1);
            if (row, column) == (1, 5) {
                stop.cancel();
            }
            true
        };
        let mut out = vec![f64::NAN; 128 * view.channels()];
        view.fill((0, &mut out), is_wanted, &stop, |value| value);
        assert_eq!(asked.get(), 64 + 6);
        let filled = out.iter().take_while(|value| !value.is_nan()).count();
        assert!(filled == 70 * view.channels() && out[filled..].iter().all(|value| value.is_nan()), "{filled}");
    }
}
