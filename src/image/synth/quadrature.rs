//! Integration by quadrature, for formulas whose integral has no closed form.

use std::array;

use super::Parallelogram;

/// Nodes in (0, 1) of Gauss and Legendre's rule of 8 points, and their weights; the other four are at −node.
const NODES: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_47),
    (0.960_289_856_497_536_2, 0.101_228_536_290_376_26),
];

/// Integral of `f` from `lo` to `hi` by 8 points: exact for polynomials of degree 15.
pub(super) fn integral(lo: f64, hi: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (middle, half) = (f64::midpoint(lo, hi), (hi - lo) / 2.0);
    NODES.iter().map(|(node, weight)| weight * (f(middle - half * node) + f(middle + half * node))).sum::<f64>() * half
}

/// Largest number of halvings of a cell.
const DEPTH: u32 = 6;

/// How finely an area is divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MeanAccuracy {
    /// Largest side of a cell at the start, in samples: cells of a coarser grid could miss the structure of a chart.
    cell: f64,
    /// Largest number of cells at the start, along a side.
    most_cells: f64,
    /// Change of the whole mean by halving a cell below which the cell is not halved again.
    tolerance: f64,
    /// Smallest number of halvings of a cell: at a step, one halving may leave a wrong mean unchanged.
    least_halvings: u32,
}

impl MeanAccuracy {
    /// The error is at most 2·10⁻⁵ where the function is continuous (2·10⁻⁴ for sides of more than 10 samples) and 2·10⁻³
    /// where it has steps, for sides of up to 64 samples and structure no finer than a sample.
    pub(crate) const FINE: Self = Self { cell: 0.5, most_cells: 16.0, tolerance: 1e-6, least_halvings: 2 };

    /// For pixels of 8 bits, whose step is 4·10⁻³, with 4 to 20 times fewer values than [`MeanAccuracy::FINE`]. The root mean square
    /// of the errors is at most 10⁻³ where the function is continuous and 2·10⁻³ where it has steps.
    pub(crate) const PICTURE: Self = Self { cell: 1.5, most_cells: 8.0, tolerance: 1e-4, least_halvings: 1 };
}

/// Means over `area` of the `N` values of `f`: cells by Simpson's rule, halved where that changes one of the means. Cells have points at
/// their corners, so that an edge which enters a cell is never missed.
pub(in crate::image) fn means<const N: usize>(
    f: impl Fn([f64; 2]) -> [f64; N],
    area: &Parallelogram,
    accuracy: MeanAccuracy,
) -> [f64; N] {
    let [first, second] = area.lengths();
    let cells = (first.max(second) / accuracy.cell).ceil().clamp(1.0, accuracy.most_cells);
    let adaptive = Adaptive {
        f: |place| f(area.at(place)),
        enough: accuracy.tolerance * cells * cells,
        least_halvings: accuracy.least_halvings,
    };
    let half = 1.0 / cells;
    let mut sums = [0.0; N];
    for row in 0..cells as u32 {
        for column in 0..cells as u32 {
            let centre = [column, row].map(|index| (2.0 * f64::from(index) + 1.0) * half - 1.0);
            let values =
                [-1.0, 0.0, 1.0].map(|dv| [-1.0, 0.0, 1.0].map(|du| adaptive.at(centre, [du * half, dv * half])));
            add(&mut sums, adaptive.refined(&Cell { centre, half, values }, simpson(&values), DEPTH));
        }
    }
    sums.map(|sum| sum / (cells * cells))
}

fn add<const N: usize>(sums: &mut [f64; N], values: [f64; N]) {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
}

/// A square cell in units of half a side of the parallelogram, with the values at its corners, the middles of its sides and its
/// centre, row by row.
struct Cell<const N: usize> {
    centre: [f64; 2],
    half: f64,
    values: [[[f64; N]; 3]; 3],
}

/// Means of a cell by Simpson's rule along both axes.
fn simpson<const N: usize>(values: &[[[f64; N]; 3]; 3]) -> [f64; N] {
    array::from_fn(|value| {
        let [top, middle, bottom] =
            values.map(|[left, middle, right]| left[value] + 4.0 * middle[value] + right[value]);
        (top + 4.0 * middle + bottom) / 36.0
    })
}

struct Adaptive<F> {
    f: F,
    /// Change of a start cell's mean that is small enough.
    enough: f64,
    least_halvings: u32,
}

impl<F: Fn([f64; 2]) -> [f64; N], const N: usize> Adaptive<F> {
    fn at(&self, [u, v]: [f64; 2], [du, dv]: [f64; 2]) -> [f64; N] {
        (self.f)([u + du, v + dv])
    }

    /// Means over `cell`, of which `coarse` are estimates, with at most `depth` halvings.
    fn refined(&self, cell: &Cell<N>, coarse: [f64; N], depth: u32) -> [f64; N] {
        let Cell { centre, half, ref values } = *cell;
        // The values at 5 × 5 points, of which every second is known.
        let grid: [[[f64; N]; 5]; 5] = array::from_fn(|row| {
            array::from_fn(|column| {
                if row % 2 == 0 && column % 2 == 0 {
                    return values[row / 2][column / 2];
                }
                self.at(centre, [column, row].map(|index| (index as f64 / 2.0 - 1.0) * half))
            })
        });
        let quarters = [[0, 0], [2, 0], [0, 2], [2, 2]].map(|[left, top]| {
            let values = array::from_fn(|row| array::from_fn(|column| grid[top + row][left + column]));
            let centre = [0, 1].map(|axis| centre[axis] + ([left, top][axis] as f64 - 1.0) * half / 2.0);
            Cell { centre, half: half / 2.0, values }
        });
        let of_quarters = quarters.each_ref().map(|quarter| simpson(&quarter.values));
        let means: [f64; N] = array::from_fn(|value| of_quarters.iter().map(|means| means[value]).sum::<f64>() / 4.0);
        let share = 4.0_f64.powi(depth as i32 - DEPTH as i32);
        let halvings = DEPTH - depth + 1;
        let is_settled = || means.iter().zip(coarse).all(|(mean, coarse)| (mean - coarse).abs() * share <= self.enough);
        if depth <= 1 || (halvings >= self.least_halvings && is_settled()) {
            return means;
        }
        let mut sums = [0.0; N];
        for (quarter, means) in quarters.iter().zip(of_quarters) {
            add(&mut sums, self.refined(quarter, means, depth - 1));
        }
        sums.map(|sum| sum / 4.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Formula, SYNTHS, Size, Synth};
    use super::*;

    #[test]
    fn eight_points_integrate_a_polynomial_of_degree_15_exactly() {
        let value = integral(-0.5, 2.0, |x| x.powi(15) - 3.0 * x.powi(8) + 1.0);
        let exact = |x: f64| x.powi(16) / 16.0 - x.powi(9) / 3.0 + x;
        assert!((value - (exact(2.0) - exact(-0.5))).abs() < 1e-10, "{value}");
    }

    #[test]
    fn mean_over_a_turned_square_equals_its_closed_form() {
        let (sin, cos) = 0.4_f64.sin_cos();
        let square = Parallelogram::new([3.0, -2.0], [[5.0 * cos, 5.0 * sin], [-5.0 * sin, 5.0 * cos]]);
        let mean = |f: fn([f64; 2]) -> f64| means(|at| [f(at)], &square, MeanAccuracy::FINE)[0];
        // A linear function has the value of the centre; x² adds side²/12.
        assert!((mean(|[x, y]| 2.0 * x - y) - 8.0).abs() < 1e-12);
        assert!((mean(|[x, _]| x * x) - (9.0 + 25.0 / 12.0)).abs() < 1e-12);
        // A half-plane through the centre covers half of a square at any angle; through a corner's tip, almost none.
        assert!((mean(|[x, _]| f64::from(x > 3.0)) - 0.5).abs() < 2e-3);
        let wave = mean(|[x, y]| (x + 2.0 * y).cos());
        let sinc = |t: f64| t.sin() / t;
        let exact = (3.0_f64 - 4.0).cos() * sinc(2.5 * (cos + 2.0 * sin)) * sinc(2.5 * (2.0 * cos - sin));
        assert!((wave - exact).abs() < 2e-5, "{wave} {exact}");
    }

    /// The fine means are themselves compared with supersampling in tests/synth.rs.
    #[test]
    fn means_of_a_picture_have_the_stated_error_over_every_formula() {
        for row in &SYNTHS {
            let formula = Formula::new(row.synth, Size::new(96, 64).expect("a size")).expect("a formula");
            for side in [1.1, 2.1, 5.0, 12.0, 30.0] {
                let mut rng = fastrand::Rng::with_seed(3);
                let count = 80;
                let squares = (0..count).map(|_| {
                    let (sin, cos) = (6.0 * rng.f64()).sin_cos();
                    let centre = [96.0 * rng.f64(), 64.0 * rng.f64()];
                    Parallelogram::new(centre, [[side * cos, side * sin], [-side * sin, side * cos]])
                });
                let error = |square| {
                    let [quick, fine] = [MeanAccuracy::PICTURE, MeanAccuracy::FINE]
                        .map(|accuracy| formula.means_until(&square, accuracy, || false)[0]);
                    (quick - fine).powi(2)
                };
                let rms = (squares.map(error).sum::<f64>() / f64::from(count)).sqrt();
                let has_steps = matches!(
                    row.synth,
                    Synth::Checkerboard | Synth::Lines | Synth::StepWedge | Synth::Impulses | Synth::SiemensStar
                );
                let stated = if has_steps { 2e-3 } else { 1e-3 };
                assert!(rms <= stated, "{} over {side} samples: {rms}", row.name);
            }
        }
    }
}
