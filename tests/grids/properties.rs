//! What holds for every grid: samples come back, axes may be scaled, order and threads change nothing, errors are said.

use std::sync::Arc;

use lerpscope::filter::{CancelToken, ExecOptions, WorkProgress};
use lerpscope::grid::{Components, Grid, GridAxis, GridError, GridSampler, Volume, VolumeFormula};
use lerpscope::sampling::{ADDRESS_MODES, AddressMode, Method};

use super::{TOLERANCE, double_grid, random_points, samples, single_grid};

/// All positions of samples.
fn positions(shape: &[usize]) -> Vec<f64> {
    let count: usize = shape.iter().product();
    let place = |index: usize| {
        let mut rest = index;
        let mut point: Vec<f64> = shape
            .iter()
            .rev()
            .map(|&side| {
                let place = rest % side;
                rest /= side;
                place as f64
            })
            .collect();
        point.reverse();
        point
    };
    (0..count).flat_map(place).collect()
}

#[test]
fn interpolating_methods_give_every_sample_back_in_every_dimension() {
    let methods = ["nearest", "linear", "catmull-rom", "lanczos3", "bspline=2", "bspline", "bspline=5", "o-moms"];
    for text in methods {
        let method: Method = text.parse().expect("a method");
        for shape in [&[7][..], &[5, 3], &[4, 3, 5], &[3, 4, 2, 3], &[2, 3, 2, 3, 2], &[2, 1, 2, 3, 2, 2]] {
            if method.kernel().taps.pow(shape.len() as u32) > 5000 {
                continue;
            }
            for address in ADDRESS_MODES.iter().map(|row| row.address) {
                let grid = double_grid(shape);
                let sampler = GridSampler::of_method(method).prefiltered().with_address(address);
                let found = grid.interpolator(&sampler).expect("served").sample(&positions(shape)).expect("points");
                for (found, sample) in found.iter().zip(samples(shape)) {
                    assert!((found - sample).abs() < 1e-12, "{text} {address} {shape:?}: {found} {sample}");
                }
            }
        }
    }
}

#[test]
fn scaled_and_unequal_axes_are_those_of_samples_at_the_same_places() {
    let shape = [5, 6, 4];
    let points = random_points(&shape, 300, 21);
    let scaled: Vec<f64> =
        points.iter().enumerate().map(|(k, x)| if k % 3 == 1 { 3.0 - 0.25 * x } else { *x }).collect();
    let axis = GridAxis::Scaled { origin: 3.0, step: -0.25 };
    for method in [Method::Linear, Method::BSPLINE, Method::LANCZOS3] {
        let sampler = GridSampler::of_method(method).prefiltered().with_address(AddressMode::Mirror);
        let plain = double_grid(&shape);
        let plain = plain.interpolator(&sampler).expect("served").sample(&points).expect("points");
        let grid = double_grid(&shape).with_axis(1, axis.clone()).expect("an axis");
        let found = grid.interpolator(&sampler).expect("served").sample(&scaled).expect("points");
        assert!(plain.iter().zip(&found).all(|(a, b)| (a - b).abs() < 1e-12), "{method}");
    }
    let even = GridAxis::Unequal((0..5).map(f64::from).collect());
    for method in [Method::Nearest, Method::Linear] {
        let sampler = GridSampler::of_method(method);
        let plain = double_grid(&shape);
        let plain = plain.interpolator(&sampler).expect("served").sample(&points).expect("points");
        let grid = double_grid(&shape).with_axis(0, even.clone()).expect("an axis");
        let found = grid.interpolator(&sampler).expect("served").sample(&points).expect("points");
        assert!(plain.iter().zip(&found).all(|(a, b)| (a - b).abs() < 1e-12), "{method}");
    }
}

/// A grid whose points are sorted into bricks where they are many.
#[test]
fn many_points_have_the_values_of_few_in_the_callers_order() {
    let grid = VolumeFormula::new(Volume::MarschnerLobb, [164, 160, 170]).expect("in range").grid();
    for (method, address) in [(Method::BSPLINE, AddressMode::Mirror), (Method::CATMULL_ROM, AddressMode::Wrap)] {
        let sampler = GridSampler::of_method(method).prefiltered().with_address(address);
        let interpolator = grid.interpolator(&sampler).expect("served");
        let mut points = random_points(grid.shape(), 60_000, 2);
        points[30] = f64::NAN;
        let all = interpolator.sample(&points).expect("points");
        let few: Vec<f32> =
            points.chunks(3 * 100).flat_map(|points| interpolator.sample(points).expect("points")).collect();
        assert!(all[10].is_nan() && all.iter().filter(|value| value.is_nan()).count() == 1);
        assert!(all.iter().zip(&few).all(|(a, b)| a.to_bits() == b.to_bits()), "{method}");
        let one = rayon_pool(1).install(|| interpolator.sample(&points).expect("points"));
        assert!(all.iter().zip(&one).all(|(a, b)| a.to_bits() == b.to_bits()), "{method}");
        // Points in single precision are the same points.
        let rounded: Vec<f32> = points.iter().map(|&x| x as f32).collect();
        let doubled: Vec<f64> = rounded.iter().map(|&x| f64::from(x)).collect();
        let [a, b] = [interpolator.sample(&rounded), interpolator.sample(&doubled)].map(|found| found.expect("points"));
        assert!(a.iter().zip(&b).all(|(a, b)| a.to_bits() == b.to_bits()), "{method}");
    }
}

fn rayon_pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
}

#[test]
fn points_far_away_and_without_a_number_are_served() {
    for method in [Method::Nearest, Method::Linear, Method::BSPLINE, Method::LANCZOS3] {
        for row in &ADDRESS_MODES {
            let sampler =
                GridSampler { border: [0.25, 0.0], ..GridSampler::of_method(method).with_address(row.address) };
            let grid = single_grid(&[6]);
            let interpolator = grid.interpolator(&sampler.prefiltered()).expect("served");
            let points = [1e300, -1e300, 1e15, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
            let found = interpolator.sample(&points).expect("points");
            let samples: Vec<f32> = samples(&[6]).into_iter().map(|value| value as f32).collect();
            let is_near = |value: f32, other: f32| (value - other).abs() < TOLERANCE as f32;
            assert!(found[5].is_nan(), "{method} {}", row.name);
            assert!(found[..3].iter().all(|value| value.is_finite()), "{method} {}: {found:?}", row.name);
            match row.address {
                AddressMode::Clamp => {
                    let edges = [samples[5], samples[0], samples[5], samples[5], samples[0]];
                    assert!(found.iter().zip(edges).all(|(a, b)| is_near(*a, b)), "{method}: {found:?}");
                }
                AddressMode::Border => {
                    assert!(found[..5].iter().all(|value| is_near(*value, 0.25)), "{method}: {found:?}");
                }
                AddressMode::Wrap | AddressMode::Mirror => {
                    assert!(found[3].is_nan() && found[4].is_nan(), "{method}: {found:?}");
                }
            }
        }
    }
}

#[test]
fn grids_samplers_and_points_that_do_not_fit_are_refused() {
    let real = |shape: &[usize], count: usize| Grid::new(shape, Components::Real, vec![0.0_f32; count]);
    assert_eq!(real(&[], 1).expect_err("no axis"), GridError::Dimensions(0));
    assert_eq!(real(&[1; 7], 1).expect_err("seven axes"), GridError::Dimensions(7));
    assert_eq!(real(&[3, 0], 0).expect_err("no sample"), GridError::Len { axis: 1, len: 0 });
    let error = Grid::new(&[2, 3], Components::Complex, vec![0.0_f64; 6]).expect_err("half of them");
    assert_eq!(error.to_string(), "a grid of 2×3 has 12 values, not 6");
    real(&[1 << 30; 6], 1).expect_err("too many");
    let grid = real(&[4, 3], 12).expect("a grid");
    let with = |axis, relation| grid.clone().with_axis(axis, relation).expect_err("a wrong axis");
    assert_eq!(with(2, GridAxis::Samples), GridError::Axis { axis: 2, dimensions: 2 });
    assert!(matches!(with(0, GridAxis::Scaled { origin: 0.0, step: 0.0 }), GridError::Scale { axis: 0, .. }));
    assert!(matches!(with(0, GridAxis::Scaled { origin: f64::NAN, step: 1.0 }), GridError::Scale { .. }));
    assert!(matches!(with(1, GridAxis::Unequal(vec![0.0; 4])), GridError::KnotCount { axis: 1, len: 3, found: 4 }));
    assert!(matches!(with(1, GridAxis::Unequal(vec![0.0, 2.0, 2.0])), GridError::KnotOrder { knot: 2, .. }));
    assert!(matches!(with(1, GridAxis::Unequal(vec![f64::NAN, 1.0, 2.0])), GridError::KnotOrder { knot: 0, .. }));
    let sampler = |count| GridSampler { address: vec![AddressMode::Wrap; count], ..GridSampler::default() };
    assert_eq!(
        grid.interpolator(&sampler(3)).expect_err("three modes"),
        GridError::Addresses { found: 3, dimensions: 2 }
    );
    let border = GridSampler { border: [0.0, f64::INFINITY], ..GridSampler::default() };
    assert_eq!(grid.interpolator(&border).expect_err("an endless border"), GridError::Border(f64::INFINITY));
    let interpolator = grid.interpolator(&sampler(2)).expect("served");
    assert_eq!(
        interpolator.sample(&[0.0; 5]).expect_err("two and a half points"),
        GridError::Points { found: 5, dimensions: 2 }
    );
    assert!(interpolator.sample(&[0.0_f32; 0]).expect("no point").is_empty());
    let unequal = grid.clone().with_axis(1, GridAxis::Unequal(vec![0.0, 1.0, 3.0])).expect("knots");
    let refused = |sampler: GridSampler| unequal.interpolator(&sampler).expect_err("refused").to_string();
    let text = refused(GridSampler::of_method(Method::BSPLINE));
    assert_eq!(
        text,
        "axis 1 is unequal: 'nearest', 'linear' and 'bspline' with the prefilter serve it, 'bspline' without it does not"
    );
    let text = refused(GridSampler::of_method(Method::LANCZOS3));
    assert!(text.ends_with("'lanczos3' does not"), "{text}");
    let text = refused(GridSampler::default().with_address(AddressMode::Wrap));
    assert_eq!(text, "axis 1 is unequal: address mode 'clamp' serves it, 'wrap' does not");
}

#[test]
fn cancelled_work_says_so_and_progress_reaches_its_end() {
    let progress = Arc::new(WorkProgress::default());
    let work = ExecOptions { progress: Some(Arc::clone(&progress)), ..ExecOptions::default() };
    let grid = single_grid(&[9, 8, 7]);
    let sampler = GridSampler::of_method(Method::BSPLINE).prefiltered();
    let interpolator = grid.interpolator_with(&sampler, &work).expect("served");
    assert_eq!(progress.now().map(|stage| stage.name), Some("prefilter"));
    let points = random_points(&[9, 8, 7], 50_000, 1);
    let mut out = vec![0.0; 50_000];
    interpolator.sample_into(&points, &mut out, &work).expect("not cancelled");
    assert_eq!(progress.now().map(|stage| (stage.name, stage.share)), Some(("sampling", 1.0)));
    let stop = CancelToken::default();
    stop.cancel();
    let work = ExecOptions { stop, ..ExecOptions::default() };
    assert_eq!(interpolator.sample_into(&points, &mut out, &work), Err(GridError::Cancelled));
    assert_eq!(grid.interpolator_with(&sampler, &work).expect_err("cancelled"), GridError::Cancelled);
}
