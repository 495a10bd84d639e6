//! Tests of repeated rotations: exact cases, the published ordering, and the published mean-square error of one turn.

use super::*;
use crate::backend::CpuBackend;
use crate::image::{Formula, Samples, Synth};
use crate::test_support::size;

fn samplers() -> Vec<Sampler> {
    let sampler = |method, prefilter| Sampler { prefilter, ..Sampler::default().with_method(method) };
    vec![
        sampler(Method::Nearest, false),
        sampler(Method::Linear, false),
        sampler(Method::CATMULL_ROM, false),
        sampler(Method::BSPLINE, true),
    ]
}

fn report(test: &RotationTest, samplers: &[Sampler]) -> RotationReport {
    let mut report = RotationReport::new(test, samplers);
    let mut backend = CpuBackend::new();
    test.run(&mut backend, samplers, &ExecOptions::default(), &mut |turned| report.push(&turned)).expect("turns");
    report
}

fn formula(synth: Synth, side: u32) -> Arc<Page> {
    Arc::new(Formula::new(synth, size(side, side)).expect("a formula").page())
}

/// A page of the values `value(x, y)` about its centre.
fn page_of(side: u32, value: impl Fn(f64, f64) -> f64) -> Arc<Page> {
    let half = f64::from(side - 1) / 2.0;
    let at = |index: u32| f64::from(index) - half;
    let values = (0..side * side).map(|index| value(at(index % side), at(index / side)) as f32).collect();
    Arc::new(Page::new(Raster::new(size(side, side), Channels::Grey, Samples::F32(values)).expect("a raster")))
}

/// Nearest is worst, linear blurs, Keys' cubic is better, and the prefiltered cubic B-spline is best: Thévenaz, Blu and
/// Unser 2000, 15 turns of 24°.
#[test]
fn fifteen_turns_rank_the_methods_as_published() {
    for synth in [Synth::ZonePlate, Synth::SiemensStar, Synth::Noise, Synth::Text] {
        let test = RotationTest::new(&formula(synth, 192), USUAL_TURNS, None).expect("a test");
        let report = report(&test, &samplers());
        let ranking: Vec<usize> = report.ranking().iter().map(|(sampler, _)| *sampler).collect();
        assert_eq!(ranking, [3, 2, 1, 0], "{synth:?}");
        assert_eq!(report.rows.len(), 4 * 15);
        // The error grows from the first turn to the last.
        for sampler in 1..4 {
            let rms = |turn| report.metrics(sampler, turn).map_or(f64::NAN, |row| row.metrics.rms);
            assert!(rms(15) > rms(1), "{synth:?}: {} and {}", rms(1), rms(15));
        }
        assert!(report.chart().conclusion.is_some_and(|text| text.contains("bspline, prefiltered")));
    }
}

/// Samples fall on samples.
#[test]
fn quarter_turns_are_exact_for_interpolating_methods() {
    let test = RotationTest::new(&formula(Synth::ZonePlate, 33), 4, None).expect("a test");
    let report = report(&test, &samplers());
    for row in &report.rows {
        assert_eq!(row.reference, Reference::Samples);
        // The prefilter and its inverse round in single precision.
        let most = if row.sampler == 3 { 2e-6 * f64::from(row.turn) } else { 0.0 };
        assert!(row.metrics.max <= most, "{row:?}");
    }
}

#[test]
fn references_are_samples_at_quarters_the_formula_elsewhere_and_one_turn_without_a_formula() {
    let of = |page: &Arc<Page>| {
        let test = RotationTest::new(page, 8, None).expect("a test");
        let report = report(&test, &[Sampler::default()]);
        report.rows.iter().map(|row| row.reference).collect::<Vec<_>>()
    };
    let alternating = |other| [other, Reference::Samples].repeat(4);
    assert_eq!(of(&formula(Synth::Gaussian, 32)), alternating(Reference::Formula));
    assert_eq!(of(&page_of(32, |x, y| 0.01 * (x + y))), alternating(Reference::OneTurn));
}

/// A plane of values is a polynomial of degree 1: every method but nearest reproduces it, and a rotation turns it by the
/// angle, so that it checks the direction and the centre of the turns.
#[test]
fn turned_plane_of_values_has_the_gradient_turned_by_the_angle() {
    let slope = 0.003;
    let test = RotationTest::new(&page_of(64, |x, _| slope * x), 10, None).expect("a test");
    let work = ExecOptions::default();
    let linear = [Sampler::default().with_method(Method::Linear)];
    test.run(&mut CpuBackend::new(), &linear, &work, &mut |turned| {
        let (sin, cos) = test.angle_deg(turned.turn).to_radians().sin_cos();
        for (column, row) in [(32, 32), (20, 41), (45, 30)] {
            let (p, q) = (f64::from(column) - 31.5, f64::from(row) - 31.5);
            let expected = slope * (p * cos - q * sin);
            let value = f64::from(turned.picture.number(column, row, 0));
            assert!((value - expected).abs() < 1e-6, "turn {}: {value}, not {expected}", turned.turn);
        }
    })
    .expect("turns");
}

/// Value of the Fourier transform of β_n at the angular frequency `omega`.
fn spline_transform(degree: i32, omega: f64) -> f64 {
    let half = omega / 2.0;
    if half == 0.0 { 1.0 } else { (half.sin() / half).powi(degree + 1) }
}

/// φ̂(ω) of the cardinal spline of a degree, and the sum of its squares at all ω + 2πk.
fn cardinal(degree: i32, omega: f64) -> (f64, f64) {
    let turn = std::f64::consts::TAU;
    let at = |k: i32| spline_transform(degree, omega + turn * f64::from(k));
    // Nearest is the box itself; β_1 interpolates; β_3 is divided by the transform of its samples.
    let samples = match degree {
        0 | 1 => 1.0,
        _ => (2.0 + omega.cos()) / 3.0,
    };
    let squares: f64 = (-2000..=2000).map(|k| (at(k) / samples).powi(2)).sum();
    (at(0) / samples, squares)
}

/// Mean-square error of one turn of a plane wave of amplitude 1. Its positions are spread evenly between the samples, so it is
/// the error kernel of Blu and Unser, "Quantitative Fourier analysis of approximation techniques", IEEE Transactions on
/// Signal Processing 47 (1999), of the separable kernel: (1 − 2·φ̂(ω_x)·φ̂(ω_y) + A(ω_x)·A(ω_y)) / 2.
fn mean_square(degree: i32, [x, y]: [f64; 2]) -> f64 {
    let ((fx, ax), (fy, ay)) = (cardinal(degree, x), cardinal(degree, y));
    (1.0 - 2.0 * fx * fy + ax * ay) / 2.0
}

/// Degrees 0, 1 and 3: the mean-square error follows the published kernel, and falls by 2^(2(n+1)) with half the frequency.
#[test]
fn mean_square_error_of_a_turn_is_the_published_one_for_degrees_0_1_and_3() {
    let samplers = samplers();
    for (degree, sampler) in [(0, samplers[0]), (1, samplers[1]), (3, samplers[3])] {
        let mut squares = Vec::new();
        for scale in [1.0, 0.5] {
            let wave = [0.9 * scale, 0.53 * scale];
            let page = page_of(256, |x, y| (wave[0] * x + wave[1] * y + 0.4).cos());
            let test = RotationTest::new(&page, 17, None).expect("a test");
            // The truth is known: the wave at the turned positions.
            let request = test.request(sampler, 1);
            let image = Image::of_page("wave", Page::new(page.raster().clone()));
            let turned = backend::render(&mut CpuBackend::new(), &image, &request, PixelFormat::file(Depth::Float));
            let (turned, map) = (turned.expect("a render"), request.view.image_from_output(test.size(), test.size()));
            let (mut sum, mut count) = (0.0, 0.0);
            for index in 0..256 * 256_u32 {
                let (column, row) = (index % 256, index / 256);
                if test.counted.row(row as usize)[column as usize] {
                    let [x, y] = map.at([f64::from(column), f64::from(row)]).map(|at| at - 127.5);
                    let exact = (wave[0] * x + wave[1] * y + 0.4).cos();
                    sum += (f64::from(turned.number(column, row, 0)) - exact).powi(2);
                    count += 1.0;
                }
            }
            let (measured, published) = (sum / count, mean_square(degree, wave));
            assert!((measured / published - 1.0).abs() < 0.03, "degree {degree}: {measured}, not {published}");
            squares.push(measured);
        }
        let falls = (squares[0] / squares[1]).log2();
        let order = f64::from(2 * (degree + 1));
        assert!((falls - order).abs() < 0.35 * f64::from(degree.max(1)), "degree {degree}: 2^{falls}, not 2^{order}");
    }
}

#[test]
fn test_of_wrong_turns_or_a_small_image_is_refused_and_a_cancelled_one_ends() {
    let page = page_of(15, |x, _| x);
    let error = RotationTest::new(&page, 4, None).expect_err("too small").to_string();
    assert_eq!(error, "an image of 15×15 is too small to be turned: 16 samples a side are the least");
    let page = page_of(64, |x, _| x);
    assert!(matches!(RotationTest::new(&page, 1, None), Err(RotationError::Turns(1))));
    let test = RotationTest::new(&page, 4, Some(32)).expect("a test");
    assert_eq!(test.size(), size(32, 32));
    let work = ExecOptions::default();
    work.stop.cancel();
    let result = test.run(&mut CpuBackend::new(), &samplers(), &work, &mut |_| {});
    assert!(matches!(result, Err(RotationError::Backend(BackendError::Cancelled))));
}
