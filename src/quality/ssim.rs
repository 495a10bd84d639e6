//! Structural similarity (Wang, Bovik, Sheikh, Simoncelli, “Image Quality Assessment: From Error Visibility to Structural
//! Similarity”, 2004) with scikit-image's defaults: uniform windows, sample covariances, windows inside the picture only.
//!
//! The sums over a window run: down the columns a row is added and one subtracted, then along the row a column. A pixel
//! costs the same for every window size.

use std::array;

use rayon::prelude::*;

use super::Counted;
use super::plane::Plane;

/// Side of a window, in pixels.
const SIDE: usize = 7;
/// Number of pixels of a window.
const PIXELS: f64 = (SIDE * SIDE) as f64;
/// (K₁·L)² with K₁ = 0.01 and the data range L = 1.
const C1: f64 = 0.01 * 0.01;
/// (K₂·L)² with K₂ = 0.03.
const C2: f64 = 0.03 * 0.03;
/// Rows of windows of one task: the first window of a task sums up all its rows.
const BAND: usize = 64;

/// Mean similarity over all windows whose pixels are all counted; `None` if there is none.
pub(super) fn ssim(picture: Plane<'_>, truth: Plane<'_>, counted: &Counted) -> Option<f64> {
    let [width, height] = counted.size().sides().map(|side| side as usize);
    if width < SIDE || height < SIDE {
        return None;
    }
    let tops = height - SIDE + 1;
    let bands: Vec<(f64, usize)> = (0..tops.div_ceil(BAND))
        .into_par_iter()
        .map(|band| {
            let tops = band * BAND..((band + 1) * BAND).min(tops);
            let mut columns = vec![Sums::default(); width];
            let add_row = |columns: &mut [Sums], row: usize, sign: f64| {
                for (column, (sums, &is_counted)) in columns.iter_mut().zip(counted.row(row)).enumerate() {
                    if is_counted {
                        sums.add(&Sums::of(picture.value(column, row), truth.value(column, row)), sign);
                    }
                }
            };
            (tops.start..tops.start + SIDE - 1).for_each(|row| add_row(&mut columns, row, 1.0));
            let (mut total, mut windows) = (0.0, 0);
            for top in tops {
                add_row(&mut columns, top + SIDE - 1, 1.0);
                for similarity in similarities(&columns) {
                    total += similarity;
                    windows += 1;
                }
                add_row(&mut columns, top, -1.0);
            }
            (total, windows)
        })
        .collect();
    let (total, windows) = bands.iter().fold((0.0, 0), |sum, band| (sum.0 + band.0, sum.1 + band.1));
    (windows > 0).then(|| total / windows as f64)
}

/// Similarities of a row of windows, from the sums of their columns.
fn similarities(columns: &[Sums]) -> impl Iterator<Item = f64> {
    let mut window = Sums::default();
    columns[..SIDE - 1].iter().for_each(|column| window.add(column, 1.0));
    let ends = columns[SIDE - 1..].iter().zip(columns);
    ends.filter_map(move |(last, first)| {
        window.add(last, 1.0);
        let similarity = window.similarity();
        window.add(first, -1.0);
        similarity
    })
}

/// Sums over pixels: their number, then a, b, a², b² and a·b of the two values.
#[derive(Clone, Copy, Default)]
struct Sums([f64; 6]);

impl Sums {
    fn of(a: f64, b: f64) -> Self {
        Self([1.0, a, b, a * a, b * b, a * b])
    }

    fn add(&mut self, other: &Self, sign: f64) {
        self.0 = array::from_fn(|index| self.0[index] + sign * other.0[index]);
    }

    /// The similarity in a window, if all its pixels are counted.
    fn similarity(&self) -> Option<f64> {
        let [count, a, b, aa, bb, ab] = self.0;
        if count != PIXELS {
            return None;
        }
        let (mean_a, mean_b) = (a / PIXELS, b / PIXELS);
        let covariance = |sum: f64, product: f64| (sum / PIXELS - product) * PIXELS / (PIXELS - 1.0);
        let [var_a, var_b] = [covariance(aa, mean_a * mean_a), covariance(bb, mean_b * mean_b)];
        let covariance = covariance(ab, mean_a * mean_b);
        let above = (2.0 * mean_a * mean_b + C1) * (2.0 * covariance + C2);
        let below = (mean_a * mean_a + mean_b * mean_b + C1) * (var_a + var_b + C2);
        Some(above / below)
    }
}
