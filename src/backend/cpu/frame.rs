//! The pixels of one request: what computes its values, and how they become numbers of the output.

use super::aligned::{Direct, FixedArithmetic, FixedPoint, SumsOfFloats};
use super::finish::{Finish, Rows};
use super::instructions::Instructions;
use super::selected::Selected;
use super::{BUFFERS, Plan, interpolation};
use crate::filter::ExecOptions;
use crate::image::Raster;

/// The values of a request and their mapping.
pub(super) struct Frame {
    /// The values.
    pub(super) first: Plan,
    /// The values that are subtracted.
    pub(super) second: Option<Plan>,
    pub(super) finish: Finish,
    /// Values of a pixel.
    pub(super) channels: usize,
}

/// How the numbers of a frame are made: by the first that serves it.
enum Numbers<'a> {
    /// Copied.
    Selected(Selected<'a>),
    /// In fixed-point arithmetic.
    FixedPoint(FixedPoint<'a>),
    /// From floats, without a buffer of them.
    Direct(Direct<'a>),
    /// From floats in bands.
    InBands,
}

/// The arithmetic of a view without rotation. Views of one request that differ by their positions alone have equal pixels where
/// the samples and weights of columns and rows are equal, and the arithmetic is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Arithmetic {
    Selected,
    FixedPoint(FixedArithmetic),
    Floats(SumsOfFloats),
}

impl Frame {
    /// Fills `out`, which has the request's size.
    pub(super) fn write(&self, out: &mut Raster, work: &ExecOptions, instructions: Instructions) {
        let work = if matches!(self.first, Plan::Filtered(_)) {
            work.stage("mapping")
        } else {
            interpolation(work, &self.first)
        };
        match self.numbers(out, instructions) {
            Numbers::Selected(selected) => selected.write(out, &work),
            Numbers::FixedPoint(fixed_point) => fixed_point.write(out, &work),
            Numbers::Direct(direct) => direct.write(out, &work),
            Numbers::InBands => self.write_in_bands(out, &work),
        }
    }

    /// The arithmetic of the numbers of `out`; `None` unless the view is one without rotation by a kernel of a few samples, and
    /// nothing but the display mapping follows.
    pub(super) fn arithmetic(&self, out: &Raster, instructions: Instructions) -> Option<Arithmetic> {
        let (Plan::Aligned(aligned, None), None) = (&self.first, &self.second) else { return None };
        let floats = aligned.sums_of_floats(&self.finish)?;
        Some(match self.numbers(out, instructions) {
            Numbers::Selected(_) => Arithmetic::Selected,
            Numbers::FixedPoint(fixed_point) => Arithmetic::FixedPoint(fixed_point.arithmetic()),
            Numbers::Direct(_) | Numbers::InBands => Arithmetic::Floats(floats),
        })
    }

    fn numbers(&self, out: &Raster, instructions: Instructions) -> Numbers<'_> {
        let (Plan::Aligned(aligned, None), None) = (&self.first, &self.second) else { return Numbers::InBands };
        if let Some(selected) = Selected::new(aligned, &self.finish, out, instructions) {
            return Numbers::Selected(selected);
        }
        if let Some(fixed_point) = FixedPoint::new(aligned, &self.finish, out) {
            return Numbers::FixedPoint(fixed_point);
        }
        Direct::new(aligned, &self.finish).map_or(Numbers::InBands, Numbers::Direct)
    }

    fn write_in_bands(&self, out: &mut Raster, work: &ExecOptions) {
        let values_a_row = out.size().width() as usize * self.channels;
        self.finish.run_in_bands(out, work, |from, rows, write| {
            BUFFERS.with_borrow_mut(|buffers| {
                let [a, b, scratch] = buffers;
                a.resize(rows * values_a_row, 0.0);
                self.first.render(from, a, scratch);
                if let Some(second) = &self.second {
                    b.resize(rows * values_a_row, 0.0);
                    second.render(from, b, scratch);
                }
                write(Rows { values: a, subtract: self.second.is_some().then_some(&mut b[..]) });
            });
        });
    }
}
