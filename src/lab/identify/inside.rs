//! The pixels of a pair that no edge reaches, and what hypotheses predict of them.

use rayon::prelude::*;

use super::edges::EdgeRule;
use super::field::{Content, Field};
use super::geometry::Convention;
use super::hypothesis::Hypothesis;
use super::pair::{AxisPair, IdentifyError, Pair};
use super::passes::Passes;
use super::predict::{AxisModel, Grid, Rows, predict, reach};

/// Least number of pixels that no edge reaches.
const LEAST_PIXELS: usize = 64;
/// Most columns, and most rows, of the pixels that hypotheses predict.
const MOST_SIDE: usize = 96;
/// Samples that these pixels cover, at least and at most.
const SAMPLES: [f64; 2] = [64.0, 512.0];
/// The pixels that hypotheses predict, none of them reached by an edge.
pub(super) struct Inside<'a> {
    pub(super) pair: &'a Pair,
    pub(super) grid: Grid,
    pub(super) conventions: Vec<Convention>,
}

impl<'a> Inside<'a> {
    /// The pixels of `pair`.
    ///
    /// # Errors
    /// [`IdentifyError::NearEdges`] if edges reach too many.
    pub(super) fn new(pair: &'a Pair) -> Result<Self, IdentifyError> {
        let whole = [Convention::Centres, Convention::Corners, Convention::TopLeft, Convention::Middle];
        let part = [Convention::Middle, Convention::Centres, Convention::TopLeft];
        let conventions: &[Convention] = if pair.is_whole { &whole } else { &part };
        let mut lists: [Vec<u32>; 2] = Default::default();
        for (needs, more) in [(4.0, 4.0), (3.0, 2.0), (2.0, 1.0)] {
            for (list, axis) in lists.iter_mut().zip(&pair.axes) {
                let margin = needs * axis.scale.max(1.0) + more;
                let is_inside = |pixel: &u32| {
                    conventions.iter().all(|convention| {
                        let x = convention.position(axis, f64::from(*pixel));
                        (margin..=f64::from(axis.samples) - 1.0 - margin).contains(&x)
                    })
                };
                *list = (0..axis.pixels).filter(is_inside).collect();
            }
            if lists[0].len() * lists[1].len() >= LEAST_PIXELS {
                break;
            }
        }
        for (list, axis) in lists.iter_mut().zip(&pair.axes) {
            // In the middle between two samples rounding errors choose the nearest.
            let is_tie = |pixel: &u32| {
                let x = Convention::Centres.position(axis, f64::from(*pixel));
                (x - x.floor() - 0.5).abs() < 1e-9
            };
            if list.iter().filter(|pixel| is_tie(pixel)).count() * 4 < list.len() {
                list.retain(|pixel| !is_tie(pixel));
            }
        }
        let inside = lists[0].len() * lists[1].len();
        if inside < LEAST_PIXELS {
            return Err(IdentifyError::NearEdges { inside, output: pair.facts.output, needed: LEAST_PIXELS });
        }
        let [columns, rows] = windows(pair, &lists);
        let grid = Grid::new(pair, columns, rows);
        let mut distinct: Vec<Convention> = Vec::new();
        for &convention in conventions {
            let is_same = |other: &Convention| {
                [(&pair.axes[0], &grid.columns), (&pair.axes[1], &grid.rows)].iter().all(|(axis, pixels)| {
                    let at = |convention: Convention, pixel: u32| convention.position(axis, f64::from(pixel));
                    pixels.iter().all(|&pixel| (at(convention, pixel) - at(*other, pixel)).abs() < 1e-9)
                })
            };
            if !distinct.iter().any(is_same) {
                distinct.push(convention);
            }
        }
        Ok(Self { pair, grid, conventions: distinct })
    }

    /// Residuals of `hypothesis`.
    pub(super) fn residuals(&self, hypothesis: Hypothesis) -> Vec<f64> {
        self.grid.residuals(self.pair, &self.predicted(hypothesis, [0.0; 2]))
    }

    /// The prediction of `hypothesis`, with positions moved by `shifts` samples along x and y.
    pub(super) fn predicted(&self, hypothesis: Hypothesis, shifts: [f64; 2]) -> Vec<f64> {
        self.passed(hypothesis, shifts, Passes::EXACT)
    }

    /// The same with something between the passes.
    pub(super) fn passed(&self, hypothesis: Hypothesis, shifts: [f64; 2], passes: Passes) -> Vec<f64> {
        let [columns, rows] = [0, 1].map(|axis| {
            let model = AxisModel { shift: shifts[axis], ..self.model(hypothesis, axis) };
            model.rows(hypothesis.shape, self.pixels(axis))
        });
        predict(&self.field(hypothesis, &columns, &rows), &columns, &rows, passes)
    }

    /// Axis `axis` of `hypothesis`.
    pub(super) fn model(&self, hypothesis: Hypothesis, axis: usize) -> AxisModel<'_> {
        let Hypothesis { convention, widening, .. } = hypothesis;
        let axis: &AxisPair = &self.pair.axes[axis];
        AxisModel { axis, convention, widening, edge: EdgeRule::Mirror, shift: 0.0 }
    }

    /// The columns, or rows, that are predicted.
    pub(super) fn pixels(&self, axis: usize) -> &[u32] {
        if axis == 0 { &self.grid.columns } else { &self.grid.rows }
    }

    /// The source, as far as `columns` and `rows` read it.
    pub(super) fn field(&self, hypothesis: Hypothesis, columns: &Rows, rows: &Rows) -> Field {
        let content = Content { shape: hypothesis.shape, widening: hypothesis.widening, edge: EdgeRule::Mirror };
        Field::new(&self.pair.source, &self.pair.axes, content, reach(columns, rows))
    }
}

/// Columns and rows of the pixels with the largest differences, of those in `lists`.
fn windows(pair: &Pair, lists: &[Vec<u32>; 2]) -> [Vec<u32>; 2] {
    let sides = [0, 1].map(|axis| {
        let scale = pair.axes[axis].scale;
        let most = (SAMPLES[1] / scale).clamp(24.0, MOST_SIDE as f64);
        let wanted = most.max(SAMPLES[0] / scale);
        lists[axis].len().min(wanted.ceil() as usize)
    });
    let starts = [0, 1].map(|axis| {
        let free = lists[axis].len() - sides[axis];
        if free == 0 { vec![0] } else { (0..=4).map(|k| k * free / 4).collect::<Vec<_>>() }
    });
    let places: Vec<[usize; 2]> = starts[1].iter().flat_map(|&y| starts[0].iter().map(move |&x| [x, y])).collect();
    let output = &pair.output;
    let contrast = |[x, y]: &[usize; 2]| {
        let (columns, rows) = (&lists[0][*x..*x + sides[0]], &lists[1][*y..*y + sides[1]]);
        let at = |column: u32, row: u32| f64::from(output.values[row as usize * output.width + column as usize]);
        let of_row = |&row: &u32| -> f64 {
            columns.iter().map(|&x| (at(x, row) - at(x - 1, row)).powi(2) + (at(x, row) - at(x, row - 1)).powi(2)).sum()
        };
        rows.iter().map(of_row).sum::<f64>()
    };
    let contrasts: Vec<f64> = places.par_iter().map(contrast).collect();
    let best = (0..places.len()).max_by(|&a, &b| contrasts[a].total_cmp(&contrasts[b])).unwrap_or(0);
    [0, 1].map(|axis| picks(&lists[axis][places[best][axis]..][..sides[axis]], MOST_SIDE))
}

/// At most `most` of `pixels`, at irregular distances, so that all phases are among them.
pub(super) fn picks(pixels: &[u32], most: usize) -> Vec<u32> {
    /// The golden ratio: its multiples are spread evenly.
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    if pixels.len() <= most {
        return pixels.to_vec();
    }
    let each = pixels.len() as f64 / most as f64;
    (0..most).map(|k| pixels[((k as f64 + (k as f64 * GOLDEN).fract()) * each) as usize]).collect()
}
