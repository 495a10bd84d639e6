//! Errors of a picture against its truth.

use rayon::prelude::*;

use super::Counted;
use super::plane::Plane;
use super::ssim::ssim;
use crate::image::{Channels, Raster, Size};

/// Errors over the counted pixels and their colour channels, in double precision, of values that are not clamped. The peak
/// is 1. Alpha is not compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metrics {
    /// Peak signal-to-noise ratio, −20·log₁₀(rms), in dB; infinite where all values are equal.
    pub psnr_db: f64,
    /// Root of the mean squared error.
    pub rms: f64,
    /// Largest absolute error.
    pub max: f64,
    /// Mean structural similarity, of scikit-image's `structural_similarity(…, data_range=1)`: uniform windows of 7 × 7
    /// pixels, K₁ = 0.01, K₂ = 0.03, sample covariances, the mean over the channels. `None` if no window has all its
    /// pixels counted.
    pub ssim: Option<f64>,
}

/// Reason why two rasters are not compared.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
pub enum CompareError {
    /// Sizes or channels differ.
    #[error("a picture of {0}, {1:?}, is not compared with one of {2}, {3:?}")]
    Shape(Size, Channels, Size, Channels),
    /// No pixel counts.
    #[error("no pixel of the view lies between the samples of the image")]
    NothingCounted,
}

/// Compares `picture` with `truth`.
///
/// # Errors
/// [`CompareError`] for other sizes or channels, and for no counted pixel.
pub fn compare(picture: &Raster, truth: &Raster, counted: &Counted) -> Result<Metrics, CompareError> {
    let (size, channels) = (truth.size(), truth.channels());
    if (picture.size(), picture.channels()) != (size, channels) || counted.size() != size {
        return Err(CompareError::Shape(picture.size(), picture.channels(), size, channels));
    }
    if counted.count() == 0 {
        return Err(CompareError::NothingCounted);
    }
    let colours = channels.opaque().count();
    let planes: Vec<[Plane<'_>; 2]> =
        (0..colours).map(|channel| [picture, truth].map(|raster| Plane { raster, channel })).collect();
    // Sums of rows are added in order, so that a result does not depend on the number of threads.
    let rows: Vec<(f64, f64)> = (0..size.height() as usize)
        .into_par_iter()
        .map(|row| {
            let (mut squares, mut max) = (0.0, 0.0_f64);
            let pixels = counted.row(row).iter().enumerate().filter(|(_, is_counted)| **is_counted);
            for (column, _) in pixels {
                for [picture, truth] in &planes {
                    let error = picture.value(column, row) - truth.value(column, row);
                    squares += error * error;
                    max = if error.is_nan() { f64::NAN } else { max.max(error.abs()) };
                }
            }
            (squares, max)
        })
        .collect();
    let mean_square = rows.iter().map(|row| row.0).sum::<f64>() / (counted.count() * colours) as f64;
    let larger = |max: f64, (_, row): &(f64, f64)| if row.is_nan() { *row } else { max.max(*row) };
    let similarities: Option<Vec<f64>> =
        planes.iter().map(|[picture, truth]| ssim(*picture, *truth, counted)).collect();
    Ok(Metrics {
        psnr_db: -10.0 * mean_square.log10(),
        rms: mean_square.sqrt(),
        max: rows.iter().fold(0.0, larger),
        ssim: similarities.map(|values| values.iter().sum::<f64>() / values.len() as f64),
    })
}
