//! Gradients and Hessians of B-splines against differences in double precision.

use lerpscope::grid::{Components, Grid, GridAxis, GridError, GridSampler};
use lerpscope::sampling::{ADDRESS_MODES, Method};

use super::{double_grid, random_points, samples, single_grid};

const DEGREES: [&str; 4] = ["bspline=2", "bspline=3", "bspline=4", "bspline=5"];

/// The points moved by `h` along `axis`.
fn moved(points: &[f64], dimensions: usize, axis: usize, h: f64) -> Vec<f64> {
    points.iter().enumerate().map(|(k, &x)| if k % dimensions == axis { x + h } else { x }).collect()
}

/// Whether all coordinates are further than `distance` from the places where pieces of a spline join: the halves of the
/// integers hold both kinds.
fn is_smooth_around(point: &[f64], distance: f64) -> bool {
    point.iter().all(|x| (2.0 * x - (2.0 * x).round()).abs() > 2.0 * distance)
}

#[test]
fn gradients_and_hessians_are_the_differences_of_values_and_of_gradients() {
    let h = 1e-4;
    for (text, address) in DEGREES.iter().flat_map(|text| ADDRESS_MODES.iter().map(move |row| (*text, row.address))) {
        for shape in [&[9][..], &[2], &[6, 5], &[3, 4, 5], &[3, 2, 4, 3]] {
            let method: Method = text.parse().expect("a method");
            let sampler = GridSampler { border: [0.4, 0.0], ..GridSampler::of_method(method).with_address(address) };
            let dimensions = shape.len();
            // One axis is scaled, so that derivatives are per unit of the coordinate.
            let grid = double_grid(shape).with_axis(0, GridAxis::Scaled { origin: 1.0, step: -2.0 }).expect("an axis");
            let interpolator = grid.interpolator(&sampler.prefiltered()).expect("served");
            let points = random_points(shape, 40, 5);
            let gradients = interpolator.gradients(&points).expect("a B-spline");
            let hessians = interpolator.hessians(&points).expect("a B-spline");
            assert_eq!([gradients.len(), hessians.len()], [40 * dimensions, 40 * dimensions * dimensions]);
            for axis in 0..dimensions {
                let [below, above] = [-h, h].map(|h| moved(&points, dimensions, axis, h));
                let [low, high] = [&below, &above].map(|points| interpolator.sample(points).expect("points"));
                let [falls, rises] = [&below, &above].map(|points| interpolator.gradients(points).expect("points"));
                for (k, point) in points.chunks_exact(dimensions).enumerate() {
                    let mut in_samples = point.to_vec();
                    in_samples[0] = (in_samples[0] - 1.0) / -2.0;
                    if !is_smooth_around(&in_samples, h) {
                        continue;
                    }
                    let slope = (high[k] - low[k]) / (2.0 * h);
                    let found = gradients[k * dimensions + axis];
                    assert!((found - slope).abs() < 1e-5, "{text} {address} {shape:?} {point:?}: {found} {slope}");
                    for other in 0..dimensions {
                        let at = k * dimensions + other;
                        let bend = (rises[at] - falls[at]) / (2.0 * h);
                        let found = hessians[at * dimensions + axis];
                        assert!((found - bend).abs() < 1e-4, "{text} {address} {shape:?} {point:?}: {found} {bend}");
                    }
                }
            }
        }
    }
}

#[test]
fn single_precision_and_complex_derivatives_are_those_of_double_precision() {
    let shape = [6, 5, 7];
    let sampler = GridSampler::of_method(Method::BSPLINE).prefiltered();
    let points = random_points(&shape, 200, 9);
    let (double, single) = (double_grid(&shape), single_grid(&shape));
    let twice = samples(&shape).into_iter().flat_map(|value| [value, -2.0 * value]).collect();
    let complex = Grid::new(&shape, Components::Complex, twice).expect("a grid");
    let double = double.interpolator(&sampler).expect("served");
    let single = single.interpolator(&sampler).expect("served");
    let complex = complex.interpolator(&sampler).expect("served");
    let all = [
        (double.gradients(&points), single.gradients(&points), complex.gradients(&points)),
        (double.hessians(&points), single.hessians(&points), complex.hessians(&points)),
    ];
    for (double, single, complex) in all {
        let (double, single, complex) = (double.expect("one"), single.expect("one"), complex.expect("one"));
        for ((double, single), complex) in double.iter().zip(single).zip(complex.as_chunks::<2>().0) {
            // Weights of derivatives sum to 2 and to 4 in magnitude along an axis.
            assert!((f64::from(single) - double).abs() < 2e-5, "{single} {double}");
            assert!((complex[0] - double).abs() < 1e-12 && (complex[1] + 2.0 * double).abs() < 1e-12, "{complex:?}");
        }
    }
}

#[test]
fn gradient_between_unequal_knots_is_the_difference_of_values() {
    let h = 1e-5;
    let knots = vec![0.0, 0.7, 2.0, 2.4, 4.0, 5.5];
    let grid = double_grid(&[6, 5]).with_axis(0, GridAxis::Unequal(knots)).expect("knots");
    let interpolator = grid.interpolator(&GridSampler::of_method(Method::BSPLINE).prefiltered()).expect("served");
    let points: Vec<f64> = (0..40).flat_map(|k| [0.01 + 0.137 * f64::from(k), 0.3 + 0.09 * f64::from(k)]).collect();
    let gradients = interpolator.gradients(&points).expect("a B-spline");
    for axis in 0..2 {
        let [low, high] = [-h, h].map(|h| interpolator.sample(&moved(&points, 2, axis, h)).expect("points"));
        for k in 0..40 {
            let slope = (high[k] - low[k]) / (2.0 * h);
            assert!((gradients[2 * k + axis] - slope).abs() < 1e-6, "point {k}, axis {axis}");
        }
    }
}

#[test]
fn methods_without_derivatives_are_refused_by_name() {
    let grid = double_grid(&[4, 4]);
    for text in ["nearest", "linear", "catmull-rom", "o-moms", "lanczos3"] {
        let method: Method = text.parse().expect("a method");
        let interpolator = grid.interpolator(&GridSampler::of_method(method)).expect("served");
        assert_eq!(interpolator.gradients(&[1.0, 2.0]).expect_err("no gradient"), GridError::Derivatives(method));
        assert_eq!(interpolator.hessians(&[1.0, 2.0]).expect_err("no Hessian"), GridError::Derivatives(method));
    }
}
