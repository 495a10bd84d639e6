//! Views without rotation: a horizontal pass over the rows of the image that are read, and a vertical one.
//!
//! When zoomed in, many output rows share few rows of the image, so the first pass is cheap; the second is a multiply-add over
//! whole rows. When zoomed out, the vertical pass comes first. Kernels of few samples (`separable`) are written straight as numbers
//! of the output where nothing is mapped; others (`wide`) become values in single precision. 8-bit pictures of 8-bit samples need no
//! floats (`fixed_point`).

mod axes;
mod columns;
mod dots;
mod fixed_point;
mod lattice;
mod line;
mod separable;
mod vertical;
mod wide;

use std::sync::Arc;

pub(super) use self::axes::Axes;
#[cfg(feature = "cli")]
use self::axes::MAX_STRETCHED_TAPS;
#[cfg(feature = "cli")]
use self::columns::WINDOW;
pub(super) use self::fixed_point::{FixedArithmetic, FixedPoint};
pub(super) use self::lattice::Lattice;
use self::separable::Separable;
pub(super) use self::separable::SumsOfFloats;
use self::wide::Wide;
use super::finish::{Finish, Pixels};
use super::instructions::Instructions;
use super::{band_rows, with_samples};
use crate::backend::RenderRequest;
use crate::backend::prepared::Prepared;
use crate::filter::ExecOptions;
use crate::image::Raster;
use crate::sampling::SamplingPath;
use crate::view::ImageFromOutput;

/// Weights and values of one request.
pub(super) struct Aligned {
    pub(super) prepared: Arc<Prepared>,
    passes: Passes,
    /// The border's constant, in the image's numbers.
    pub(super) border: f32,
    /// Whether the weights of every row sum to 1.
    rows_sum_to_one: bool,
    /// Whether the request allows pixels of fixed-point arithmetic.
    serves_fixed_point: bool,
}

enum Passes {
    Separable(Separable),
    Wide(Wide),
}

/// How the horizontal pass of a stretched kernel sums columns.
#[cfg(feature = "cli")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StretchedColumns {
    /// In blocks, whose samples fit into a few registers.
    Near,
    /// Each by itself.
    Far,
}

/// The horizontal pass of `request` for an image of as many `channels` of finite values; `None` unless it is a view without rotation
/// whose kernel is stretched along both axes and goes down the columns first.
#[cfg(feature = "cli")]
pub(crate) fn stretched_columns(request: &RenderRequest, channels: usize) -> Option<StretchedColumns> {
    let taps = request.taps();
    let is_served = taps.iter().all(|taps| taps.narrow().is_none() && taps.most() <= MAX_STRETCHED_TAPS);
    if !is_served || !request.view.is_axis_aligned() {
        return None;
    }
    // Eight values are the least block.
    let columns = 8_usize.div_ceil(channels);
    let [across, _] = request.view.scales();
    let samples = ((columns - 1) as f64 * across).ceil() as usize + taps[0].most();
    Some(if samples * channels > WINDOW { StretchedColumns::Far } else { StretchedColumns::Near })
}

impl Aligned {
    pub(super) fn new(
        prepared: Arc<Prepared>,
        request: &RenderRequest,
        map: &ImageFromOutput,
        axes: &mut Axes,
        instructions: Instructions,
    ) -> Self {
        let [_, down] = request.taps();
        let border = request.sampler.border * f32::from(prepared.maxval());
        let passes = match Separable::new(&prepared, request, map, border, axes, instructions) {
            Some(separable) => Passes::Separable(separable),
            None => Passes::Wide(Wide::new(&prepared, request, map, border, axes, instructions)),
        };
        Self {
            passes,
            border,
            rows_sum_to_one: down.sum_to_one(),
            serves_fixed_point: request.sampler.path == SamplingPath::Auto,
            prepared,
        }
    }

    /// Stored indices of the samples of the columns and of the rows, if each pixel is one sample.
    pub(super) fn selection(&self) -> Option<[Vec<u32>; 2]> {
        match &self.passes {
            Passes::Separable(separable) => separable.selection(),
            Passes::Wide(wide) => wide.selection(),
        }
    }

    /// Samples and weights of the columns and rows; `None` for a kernel of many samples, whose sums depend on the bands of rows.
    pub(super) fn lattice(&self) -> Option<Lattice> {
        match &self.passes {
            Passes::Separable(separable) => Some(Lattice::new(separable.shared_passes())),
            Passes::Wide(_) => None,
        }
    }

    /// How floats are added up to the values that `finish` maps; `None` as for [`Aligned::lattice`].
    pub(super) fn sums_of_floats(&self, finish: &Finish) -> Option<SumsOfFloats> {
        match &self.passes {
            Passes::Separable(separable) => Some(separable.sums_of_floats(finish.pixels() == Some(Pixels::Opaque))),
            Passes::Wide(_) => None,
        }
    }

    /// Fills `out` with the values of the rows from `from`.
    pub(super) fn render(&self, from: usize, out: &mut [f32], scratch: &mut Vec<f32>) {
        match &self.passes {
            Passes::Separable(separable) => separable.fill(Pixels::Kept, from, 1.0, out),
            Passes::Wide(wide) => wide.render(&self.prepared, from, out, scratch),
        }
    }
}

/// A view whose values are written as they are, without a buffer of them.
pub(super) struct Direct<'a> {
    separable: &'a Separable,
    pixels: Pixels,
}

impl<'a> Direct<'a> {
    /// For the pixels of `aligned`; `None` if they are mapped, or the kernel is wide.
    pub(super) fn new(aligned: &'a Aligned, finish: &Finish) -> Option<Self> {
        let Passes::Separable(separable) = &aligned.passes else { return None };
        let pixels = finish.pixels()?;
        let is_served = pixels != Pixels::Opaque || aligned.rows_sum_to_one;
        is_served.then_some(Self { separable, pixels })
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
                |(), from, band| self.separable.fill(self.pixels, from, maxval, band),
            );
        });
    }
}
