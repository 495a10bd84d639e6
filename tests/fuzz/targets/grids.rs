//! Files of grids: an opened one has as many samples as its bytes can fill, and values between them.

use lerpscope::grid::{self, AnyGrid, Grid, GridSampler, Number};

use super::check_message;

/// Largest expansion of Deflate.
const EXPANSION: usize = 1032;

/// Opens `bytes` as an NPY array.
pub(crate) fn npy(bytes: &[u8]) {
    check("array.npy", bytes, bytes.len());
}

/// Opens `bytes` as a NIfTI-1 volume, compressed or not.
pub(crate) fn nifti(bytes: &[u8]) {
    if bytes.starts_with(&[0x1f, 0x8b]) {
        check("volume.nii.gz", bytes, bytes.len().saturating_mul(EXPANSION));
    } else {
        check("volume.nii", bytes, bytes.len());
    }
}

/// Opens `bytes` as the file `name`, which holds at most `most` bytes.
fn check(name: &str, bytes: &[u8], most: usize) {
    let opened = match grid::read(name, bytes) {
        Ok(opened) => opened,
        Err(error) => {
            let message = error.to_string();
            assert!(message.starts_with(name), "{message}");
            return check_message(&message);
        }
    };
    let dimensions = opened.grid.shape().len();
    if let Some(spacing) = opened.spacing {
        assert_eq!(spacing.len(), dimensions);
    }
    if let Some(body) = opened.body {
        let mut directions = body.axes.map(|axis| axis.direction);
        directions.sort_unstable();
        assert_eq!(directions, [0, 1, 2], "the axes of the body, in some order");
    }
    match opened.grid {
        AnyGrid::Single(grid) => check_values(&grid, most),
        AnyGrid::Double(grid) => check_values(&grid, most),
    }
}

/// The first and the last sample come back.
fn check_values<T: Number>(grid: &Grid<T>, most: usize) {
    let values = grid.values();
    let samples: usize = grid.shape().iter().product();
    assert_eq!(samples * grid.components().count(), values.len());
    assert!(values.len() <= most, "{} numbers from {most} bytes", values.len());
    let last: Vec<f64> = grid.shape().iter().map(|&side| (side - 1) as f64).collect();
    let points: Vec<f64> = last.iter().map(|_| 0.0).chain(last.iter().copied()).collect();
    let sampler = GridSampler::of_method(lerpscope::sampling::Method::Nearest);
    let found = grid.interpolator(&sampler).expect("'nearest' serves every grid").sample(&points).expect("two points");
    let count = grid.components().count();
    let ends = values[..count].iter().chain(&values[values.len() - count..]);
    // A number that is none equals none.
    assert!(found.iter().zip(ends).all(|(a, b)| a == b || (*a).into().is_nan() && (*b).into().is_nan()), "{found:?}");
}
