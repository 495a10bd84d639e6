//! Synthetic sources: formulas, pages, names, and the built-in image.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::f64::consts::PI;

use lerpscope::image::synth::{SYNTHS, SynthError};
use lerpscope::image::{Channels, Formula, Samples, Size, Synth, embedded};

fn formula(synth: Synth, width: u32, height: u32) -> Formula {
    Formula::new(synth, Size::new(width, height).unwrap()).unwrap()
}

#[test]
fn synth_rows_match_the_enum_and_are_found_by_name() {
    let names = SYNTHS.each_ref().map(|row| row.name);
    let expected =
        ["basilica", "zone-plate", "slanted-edge", "siemens-star", "checkerboard", "lines", "step-wedge", "impulses"];
    assert_eq!(names, expected);
    for row in &SYNTHS {
        assert_eq!(row.synth.row().synth, row.synth);
        assert_eq!(Synth::by_name(row.name), Some(row.synth));
        assert!(!row.help.is_empty() && !row.help.contains('\n'));
    }
    assert_eq!(Synth::by_name("Basilica"), None);
}

#[test]
fn formula_samples_are_the_values_at_integer_positions() {
    for row in &SYNTHS {
        for (width, height) in [(1, 1), (1, 9), (33, 2), (64, 48)] {
            let formula = formula(row.synth, width, height);
            let page = formula.page();
            assert_eq!(
                (page.size(), page.channels(), page.formula()),
                (formula.size(), Channels::Grey, Some(&formula))
            );
            for n in 0..height {
                for m in 0..width {
                    let value = formula.value(f64::from(m), f64::from(n)) as f32;
                    assert_eq!(page.raster().number(m, n, 0), value, "{} at {m}, {n}", row.name);
                }
            }
        }
    }
}

#[test]
fn formula_values_are_in_range_everywhere() {
    let mut rng = fastrand::Rng::with_seed(7);
    for row in &SYNTHS {
        let formula = formula(row.synth, 100, 80);
        let far = [0.0, -0.5, 1e9, -1e9, 1e300, f64::MIN_POSITIVE, 50.0, 40.0, 25.0];
        let pairs = far.iter().flat_map(|x| far.iter().map(move |y| (*x, *y)));
        let random: Vec<_> = (0..20_000).map(|_| (rng.f64() * 300.0 - 100.0, rng.f64() * 300.0 - 100.0)).collect();
        for (x, y) in pairs.chain(random) {
            let value = formula.value(x, y);
            // So far out a zone plate or a star has no finite phase; no view reaches it.
            if x.abs().max(y.abs()) < 1e100 {
                assert!((0.0..=1.0).contains(&value), "{} at {x}, {y}: {value}", row.name);
            }
        }
    }
}

#[test]
fn zone_plate_equals_its_formula() {
    let formula = formula(Synth::ZonePlate, 64, 48);
    for (x, y) in [(32.0, 24.0), (0.25, 7.5), (-3.0, 60.0)] {
        let phase: f64 = PI * ((x - 32.0_f64).powi(2) + (y - 24.0_f64).powi(2)) / 64.0;
        assert!((formula.value(x, y) - (0.5 + 0.5 * phase.cos())).abs() < 1e-12);
    }
    // Nyquist at the left edge: samples nearly alternate there.
    assert!((formula.value(0.0, 24.0) - formula.value(1.0, 24.0)).abs() > 0.99);
}

#[test]
fn slanted_edge_is_a_one_sample_ramp_at_five_degrees() {
    let formula = formula(Synth::SlantedEdge, 100, 100);
    assert!((formula.value(50.0, 50.0) - 0.5).abs() < 1e-12);
    let (sin, cos) = 5.0_f64.to_radians().sin_cos();
    for along in [-40.0, 0.0, 33.0] {
        for (across, expected) in [(-0.6, 0.2), (-0.5, 0.2), (-0.25, 0.35), (0.0, 0.5), (0.25, 0.65), (0.7, 0.8)] {
            let value = formula.value(50.0 + across * cos - along * sin, 50.0 + across * sin + along * cos);
            assert!((value - expected).abs() < 1e-9, "{across} across: {value}");
        }
    }
}

#[test]
fn siemens_star_has_36_cycles() {
    let formula = formula(Synth::SiemensStar, 200, 200);
    let around = |step: u32| {
        let angle = 2.0 * PI * f64::from(step) / 7200.0;
        formula.value(100.0 + 80.0 * angle.cos(), 100.0 + 80.0 * angle.sin()) > 0.5
    };
    let rises = (0..7200).filter(|step| !around(*step) && around(*step + 1)).count();
    assert_eq!(rises, 36);
    assert_eq!(formula.value(100.0, 100.0), 0.5);
}

#[test]
fn flat_charts_equal_their_description() {
    let samples = |synth| {
        let formula = formula(synth, 64, 64);
        move |m: u32, n: u32| formula.value(f64::from(m), f64::from(n))
    };
    let checkerboard = samples(Synth::Checkerboard);
    let impulses = samples(Synth::Impulses);
    let lines = samples(Synth::Lines);
    for n in 0..64 {
        for m in 0..64 {
            assert_eq!(checkerboard(m, n), f64::from((m / 8 + n / 8) % 2));
            assert_eq!(impulses(m, n), f64::from(m % 16 == 8 && n % 16 == 8));
            let line = match (m < 32, n < 32) {
                (true, true) => m % 2 == 0,
                (false, true) => n % 2 == 0,
                (true, false) => m % 8 == 0,
                (false, false) => n % 8 == 0,
            };
            assert_eq!(lines(m, n), f64::from(line));
        }
    }
    // Between samples a flat piece has the value of the nearest sample.
    for row in [Synth::Checkerboard, Synth::Impulses, Synth::Lines, Synth::StepWedge] {
        let formula = formula(row, 64, 64);
        for (x, y) in [(7.49, 8.5), (7.5, 23.49), (-0.5, 15.5), (31.5, 31.49), (40.2, 39.8)] {
            assert_eq!(formula.value(x, y), formula.value((x + 0.5_f64).floor(), (y + 0.5_f64).floor()));
        }
    }
    let wedge = formula(Synth::StepWedge, 110, 3);
    for m in 0..110 {
        assert_eq!(wedge.value(f64::from(m), 1.0), f64::from(m / 10) / 10.0);
    }
    assert_eq!((wedge.value(-50.0, 0.0), wedge.value(500.0, 0.0)), (0.0, 1.0));
}

#[test]
fn basilica_is_continuous_except_at_the_julia_set() {
    let formula = formula(Synth::Basilica, 512, 512);
    let step = 1e-4;
    let mut largest = 0.0_f64;
    let mut rng = fastrand::Rng::with_seed(8);
    for _ in 0..200_000 {
        let (x, y) = (rng.f64() * 512.0, rng.f64() * 512.0);
        let here = formula.value(x, y);
        let jump = (formula.value(x + step, y) - here).abs().max((formula.value(x, y + step) - here).abs());
        largest = largest.max(jump);
    }
    // No step is visible in 8 bit where the iteration count changes.
    assert!(largest < 1.0 / 255.0, "{largest}");
}

#[test]
fn basilica_at_every_size_has_the_same_framing() {
    let (small, wide) = (formula(Synth::Basilica, 128, 128), formula(Synth::Basilica, 512, 256));
    for (x, y) in [(10.0, 20.0), (64.0, 64.0), (100.25, 90.5)] {
        assert_eq!(small.value(x, y), wide.value(x * 4.0, 128.0 + (y - 64.0) * 4.0));
    }
}

#[test]
fn built_in_image_is_the_rounded_formula() {
    let opened = embedded().unwrap();
    let page = opened.image.page(0).unwrap();
    let Samples::U8 { values, maxval: 255 } = page.raster().samples() else { panic!("8 bit") };
    let exact = formula(Synth::Basilica, 512, 512).page();
    // Logarithms and cosines may differ in the last bit between systems' libraries: a value at the border between two
    // steps may round either way.
    let mut off = 0;
    for (at, value) in values.iter().enumerate() {
        let expected = (exact.raster().samples().number(at) * 255.0).round();
        let difference = (f32::from(*value) - expected).abs();
        assert!(difference <= 1.0, "sample {at}");
        off += usize::from(difference > 0.0);
    }
    assert!(off <= 16, "{off} samples differ");
}

#[test]
fn figure_18_detail_has_contrast() {
    let opened = embedded().unwrap();
    let raster = opened.image.page(0).unwrap().raster();
    let detail: Vec<f64> =
        (324..388).flat_map(|n| (324..388).map(move |m| f64::from(raster.number(m, n, 0)) / 255.0)).collect();
    let count = detail.len() as f64;
    let mean = detail.iter().sum::<f64>() / count;
    let deviation = (detail.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt();
    assert!(deviation >= 0.1, "{deviation}");
}

#[test]
fn formula_texts_are_parsed_or_refused_in_one_line() {
    for text in ["synth:zone-plate:640x480", "synth:impulses:1x1", "synth:basilica:16384x16384"] {
        assert_eq!(text.parse::<Formula>().unwrap().to_string(), text);
    }
    assert_eq!("synth:lines:3×2".parse::<Formula>(), "synth:lines:3x2".parse());
    for text in ["", "basilica:1x1", "synth:", "synth:basilica", "synth", "file.pgm"] {
        assert_eq!(text.parse::<Formula>(), Err(SynthError::Form(text.to_owned())));
    }
    for size in ["", "x", "3", "0x1", "1x0", "-1x1", "1x1x1", "1.5x1", "16777217x1", "99999999999x1", "1x1 "] {
        let error = format!("synth:lines:{size}").parse::<Formula>().unwrap_err();
        assert!(matches!(error, SynthError::Size(_)), "{error}");
    }
    let unknown = "synth:julia:1x1".parse::<Formula>().unwrap_err().to_string();
    assert!(unknown.contains("“julia”") && unknown.contains("basilica, zone-plate"), "{unknown}");
    let large = "synth:lines:16385x16384".parse::<Formula>().unwrap_err().to_string();
    assert_eq!(large, "16385×16384 samples exceed the limit of 268435456");
}
