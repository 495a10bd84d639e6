//! What `bench` measures: every row is there, at any size.

use lerpscope::backend::cuda::testing;
use lerpscope::backend::{BackendError, BenchOptions, Benchmark as _};
use lerpscope::image::Size;
use lerpscope::sampling::METHODS;

use super::cuda;
use crate::cases::size;

#[test]
fn every_row_is_measured_at_odd_sizes() {
    let Some(mut backend) = cuda() else { return };
    // Rows of 70 bytes are padded to 96; to 80 they would be no texture over plain rows.
    let options = BenchOptions { size: size(97, 61), image: size(70, 51), scales: vec![0.125, 1.0], repeats: Some(3) };
    let measured = backend.measure(&options).expect("a device that works");
    assert!(measured.left_out.is_empty(), "{:#?}", measured.left_out);
    for row in &measured.rows {
        assert!(row.repeats == 3 && row.median_us > 0.0, "{row:#?}");
    }
    let has = |what: &str, how: &str, pixels: &str, scale: f64| {
        let is_it = |row: &lerpscope::backend::BenchRow| (&row.what[..], &row.how[..], row.scale) == (what, how, scale);
        assert!(measured.rows.iter().any(|row| is_it(row) && row.pixels.starts_with(pixels)), "{what} {how} {pixels}");
    };
    for scale in options.scales.iter().copied() {
        for row in &METHODS {
            for how in ["auto", "tiled", "points"] {
                has(row.name, how, "grey 8-bit to RGBA8", scale);
            }
        }
        for how in ["plain global loads", "pitch-linear 2-D texture", "tex1Dfetch", "gather", "filtered"] {
            has("catmull-rom", how, "grey 8-bit", scale);
        }
        for method in ["catmull-rom", "bspline", "lanczos3"] {
            for pixels in ["colour 8-bit", "grey 16-bit", "grey float"] {
                has(method, "auto", pixels, scale);
                has(method, "tiled", pixels, scale);
            }
            has(&format!("{method}, at a corner"), "auto", "grey 8-bit", scale);
            has(&format!("{method}, turned 30°"), "auto", "grey 8-bit", scale);
            has(&format!("{method}, antialiased"), "auto", "grey 8-bit", 2.5);
        }
        has("bspline, prefiltered", "tiled", "grey 8-bit", scale);
    }
    for what in ["nearest", "linear", "catmull-rom", "bspline, prefiltered", "lanczos3"] {
        has(what, "oblique plane", "256³ floats to RGBA8", 0.125);
    }
    let errors: Vec<(&str, bool)> = measured.errors.iter().map(|error| (&error.how[..], error.rms < 1e-6)).collect();
    let expected = [("look-up table", false), ("on the fly", false), ("gather", true), ("tiled", true), ("auto", true)];
    assert_eq!(errors, expected);
}

/// One clear error, before anything is measured.
#[test]
fn output_beyond_the_device_is_refused() {
    let Some(mut backend) = cuda() else { return };
    let [width, _] = testing::limits(&backend).expect("a device that works").surface;
    let Ok(wide) = Size::new(width + 1, 4) else { return };
    let refused = backend.measure(&BenchOptions { size: wide, image: size(64, 64), ..BenchOptions::default() });
    assert!(matches!(&refused, Err(BackendError::Limit { what }) if what.starts_with("an output of ")), "{refused:?}");
}
