//! Views without rotation: a horizontal pass over the rows of the image that are read, and a vertical one.
//!
//! When zoomed in, many output rows share few rows of the image, so the first pass is cheap; the second is a multiply-add over
//! whole rows. When zoomed out, the vertical pass comes first (`reduced`). Kernels of few samples (`narrow`, `reduced`) are written
//! straight as numbers of the output where nothing is mapped; others (`wide`) become values in single precision.

mod columns;
mod line;
mod narrow;
mod reduced;
mod vertical;
mod wide;

use std::sync::{Arc, OnceLock};

use self::columns::MAX_TAPS;
use self::narrow::Narrow;
use self::reduced::Reduced;
use self::wide::Wide;
use super::finish::{Finish, Number};
use super::instructions::Instructions;
use super::{band_rows, with_samples};
use crate::backend::RenderRequest;
use crate::backend::prepared::{Numbers, Prepared};
use crate::filter::ExecOptions;
use crate::image::Raster;
use crate::sampling::AxisWeights;
use crate::view::ImageFromOutput;

/// Weights and values of one request.
pub(super) struct Aligned {
    pub(super) prepared: Arc<Prepared>,
    passes: Passes,
    /// The border's constant, in the image's numbers.
    pub(super) border: f32,
    /// Whether the weights of every row sum to 1.
    rows_sum_to_one: bool,
    instructions: Instructions,
}

enum Passes {
    /// Weights of columns and rows, and the passes into values.
    Few(Order, [AxisWeights; 2], OnceLock<Option<Numbered>>),
    Wide(Wide),
}

/// The pass that comes first.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Order {
    Horizontal,
    Vertical,
}

/// Passes whose results are numbers of any type.
enum Numbered {
    Narrow(Narrow),
    Reduced(Reduced),
}

impl Numbered {
    /// Fills `out` with the rows from `from`, as numbers up to `maxval`.
    fn fill<T: Number>(&self, prepared: &Prepared, from: usize, maxval: f32, out: &mut [T]) {
        match self {
            Self::Narrow(narrow) => narrow.fill(prepared, from, maxval, out),
            Self::Reduced(reduced) => reduced.fill(prepared, from, maxval, out),
        }
    }
}

impl Aligned {
    pub(super) fn new(
        prepared: Arc<Prepared>,
        request: &RenderRequest,
        map: &ImageFromOutput,
        instructions: Instructions,
    ) -> Self {
        let [across, down] = request.taps();
        let border = request.sampler.border * f32::from(prepared.maxval());
        let is_integer = !matches!(prepared.numbers(), Numbers::F32(_));
        let sides = [request.size.width(), request.size.height()];
        let axes = [(across, 0), (down, 1)];
        let narrow = || -> Option<[AxisWeights; 2]> {
            let [columns, rows] = axes.map(|(taps, which)| {
                taps.narrow().filter(|&taps| taps <= MAX_TAPS)?;
                let weights = AxisWeights::new(&taps, map, which, sides[which])?;
                // Floats may be infinite or NaN, whose products with a weight of 0 count.
                Some(if is_integer { weights.without_zero_weights() } else { weights })
            });
            Some([columns?, rows?])
        };
        let reduced = || -> Option<[AxisWeights; 2]> {
            // Blocks weigh samples beyond the support by 0.
            if !is_integer && !prepared.is_finite() {
                return None;
            }
            let [columns, rows] =
                axes.map(|(taps, which)| AxisWeights::stretched(&taps, map, which, sides[which], reduced::MAX_TAPS));
            let weights = [columns?, rows?];
            Reduced::new(weights.each_ref(), &prepared, prepared.channels().count(), border, instructions)?;
            Some(weights)
        };
        let passes = if let Some(weights) = narrow() {
            Passes::Few(Order::Horizontal, weights, OnceLock::new())
        } else if let Some(weights) = reduced() {
            Passes::Few(Order::Vertical, weights, OnceLock::new())
        } else {
            Passes::Wide(Wide::new(&prepared, request, map, border, instructions))
        };
        Self { passes, border, rows_sum_to_one: down.sum_to_one(), instructions, prepared }
    }

    /// Stored indices of the samples of the columns and of the rows, if each pixel is one sample.
    pub(super) fn selection(&self) -> Option<[Vec<u32>; 2]> {
        match &self.passes {
            Passes::Few(_, [columns, rows], _) if columns.is_selection() && rows.is_selection() => {
                let [x, y] = self.prepared.axes();
                Some(
                    [(x, columns), (y, rows)]
                        .map(|(axis, weights)| weights.first.iter().map(|&sample| axis.stored(sample)).collect()),
                )
            }
            Passes::Few(..) => None,
            Passes::Wide(wide) => wide.selection(),
        }
    }

    /// Fills `out` with the values of the rows from `from`.
    pub(super) fn render(&self, from: usize, out: &mut [f32], scratch: &mut Vec<f32>) {
        match &self.passes {
            Passes::Few(_, _, values) => {
                let channels = self.prepared.channels().count();
                if let Some(passes) = values.get_or_init(|| self.numbered(channels)) {
                    passes.fill(&self.prepared, from, 1.0, out);
                }
            }
            Passes::Wide(wide) => wide.render(&self.prepared, from, out, scratch),
        }
    }

    /// Both passes into numbers of `channels`.
    fn numbered(&self, channels: usize) -> Option<Numbered> {
        let Passes::Few(order, weights, _) = &self.passes else { return None };
        let (weights, border) = (weights.each_ref(), self.border);
        match order {
            Order::Horizontal => {
                Narrow::new(weights, &self.prepared, channels, border, self.instructions).map(Numbered::Narrow)
            }
            Order::Vertical => {
                Reduced::new(weights, &self.prepared, channels, border, self.instructions).map(Numbered::Reduced)
            }
        }
    }
}

/// A view whose values are written as they are, without a buffer of them.
pub(super) struct Direct<'a> {
    prepared: &'a Prepared,
    passes: Numbered,
}

impl<'a> Direct<'a> {
    /// For the pixels of `aligned` in the format of `out`; `None` if they are mapped, or the kernel is wide.
    pub(super) fn new(aligned: &'a Aligned, finish: &Finish, out: &Raster) -> Option<Self> {
        let prepared = &*aligned.prepared;
        let adds_opacity = out.channels() != prepared.channels();
        let keeps_numbers = finish.keeps_numbers() && (aligned.rows_sum_to_one || !adds_opacity);
        let passes = if keeps_numbers { aligned.numbered(out.channels().count()) } else { None };
        passes.map(|passes| Self { prepared, passes })
    }

    /// Fills `out`, band by band.
    pub(super) fn write(&self, out: &mut Raster, work: &ExecOptions) {
        let stride = out.size().width() as usize * out.channels().count();
        let rows = band_rows(out.size().height() as usize, 1);
        with_samples!(out.samples_mut(), |values, maxval| {
            work.for_bands(
                (values, stride),
                rows,
                || (),
                |(), from, band| self.passes.fill(self.prepared, from, maxval, band),
            );
        });
    }
}
