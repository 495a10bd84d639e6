//! Grids on the GPU against double precision on the CPU. Without a GPU each test says that it is skipped; with
//! `LERPSCOPE_REQUIRE_CUDA=1` it fails instead.

use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use lerpscope::backend::{BackendError, CudaGrids, GridVariant};
use lerpscope::filter::{CancelToken, ExecOptions, WorkProgress};
use lerpscope::grid::{Components, Grid, GridAxis, GridError, GridPath, GridSampler};
use lerpscope::sampling::{ADDRESS_MODES, AddressMode, Method};

use super::fixed_point::Stored;
use super::skip::skip;
use super::{TOLERANCE, random_points, samples};

/// The one device that all tests share, one test at a time.
fn cuda() -> Option<MutexGuard<'static, CudaGrids>> {
    static DEVICE: LazyLock<Result<Mutex<CudaGrids>, BackendError>> =
        LazyLock::new(|| CudaGrids::open().map(Mutex::new));
    match &*DEVICE {
        // A test that failed leaves a device that works.
        Ok(device) => Some(device.lock().unwrap_or_else(PoisonError::into_inner)),
        Err(error) => {
            skip(Some("LERPSCOPE_REQUIRE_CUDA"), &error.to_string());
            None
        }
    }
}

const SHAPES: [&[usize]; 9] =
    [&[1], &[2], &[117], &[40, 37], &[3, 50], &[9, 21, 18], &[6, 5, 20, 4], &[3, 4, 2, 5, 3], &[2, 3, 2, 1, 2, 3]];

/// A complex grid whose imaginary part is the real part backwards, or the real part alone.
fn grids(shape: &[usize], components: Components) -> (Grid<f32>, Grid<f64>) {
    let real = samples(shape);
    let values: Vec<f64> = match components {
        Components::Real => real,
        Components::Complex => real.iter().zip(real.iter().rev()).flat_map(|(a, b)| [*a, *b]).collect(),
    };
    let single: Vec<f32> = values.iter().map(|&value| value as f32).collect();
    // Double precision starts from the same samples.
    let double = single.iter().map(|&value| f64::from(value)).collect();
    (Grid::new(shape, components, single).expect("a grid"), Grid::new(shape, components, double).expect("a grid"))
}

/// Points around the grid that single precision holds: on samples, halfway, at both ends, anywhere.
fn points(shape: &[usize], count: usize, seed: u64) -> Vec<f32> {
    let mut points: Vec<f32> = random_points(shape, count, seed).iter().map(|&x| x as f32).collect();
    for (k, point) in points.chunks_exact_mut(shape.len()).enumerate().take(40) {
        match k % 4 {
            0 => point.iter_mut().for_each(|x| *x = x.round()),
            1 => point.iter_mut().for_each(|x| *x = x.floor() + 0.5),
            2 => point.iter_mut().zip(shape).for_each(|(x, &side)| *x = side as f32 - 1.0),
            _ => point.iter_mut().for_each(|x| *x = -1e-6),
        }
    }
    points
}

fn samplers(text: &str) -> Vec<GridSampler> {
    let plain = GridSampler::of_method(text.parse::<Method>().expect("a method"));
    let mut samplers = Vec::new();
    for row in &ADDRESS_MODES {
        let sampler = GridSampler { border: [0.25, -0.5], ..plain.clone().with_address(row.address) };
        samplers.extend(sampler.clone().prefiltered().coefficients().is_some().then(|| sampler.clone().prefiltered()));
        samplers.push(sampler);
    }
    samplers
}

/// Largest difference, and whether NaN is in the same places.
fn difference(found: &[f32], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let pairs = found.iter().zip(expected);
    pairs.fold(0.0, |largest: f64, (&a, &b)| match (a.is_nan(), b.is_nan()) {
        (true, true) => largest,
        (false, false) => largest.max((f64::from(a) - b).abs()),
        _ => f64::INFINITY,
    })
}

/// Compares `text` in every number of dimensions, by every exact path that serves it.
fn conform(text: &str) {
    let Some(mut device) = cuda() else { return };
    let work = ExecOptions::default();
    let taps = text.parse::<Method>().expect("a method").kernel().taps;
    for shape in SHAPES.into_iter().filter(|shape| (taps as f64).powi(shape.len() as i32) < 1e5) {
        for components in [Components::Real, Components::Complex] {
            let (single, double) = grids(shape, components);
            let mut points = points(shape, 300, 5);
            points[7 * shape.len()] = f32::NAN;
            points[8 * shape.len()] = f32::INFINITY;
            points[9 * shape.len()] = -1e20;
            let exact: Vec<f64> = points.iter().map(|&x| f64::from(x)).collect();
            for sampler in samplers(text) {
                let interpolator = double.interpolator(&sampler).expect("served");
                let expected = interpolator.sample(&exact).expect("points");
                // In six dimensions coefficients of splines may be hundreds of times as large as samples: single precision
                // itself costs more there. The GPU may be off by as much as the CPU, beside what holds below.
                let mut bound = TOLERANCE;
                if shape.len() == 6 {
                    let on_cpu = single.interpolator(&sampler).expect("served").sample(&points).expect("points");
                    bound += difference(&on_cpu, &expected);
                }
                for path in [GridPath::Auto, GridPath::Global, GridPath::Fetch] {
                    let resident = match device.load(&single, &sampler, path, &work) {
                        Ok(resident) => resident,
                        Err(BackendError::Grid(GridError::Path { .. })) if path == GridPath::Fetch => continue,
                        Err(error) => panic!("{text} {shape:?} {path}: {error}"),
                    };
                    let found = device.sample(&resident, &points[..]).expect("points");
                    let error = difference(&found, &expected);
                    assert!(error < bound, "{sampler:?} {shape:?} {components:?} {path}, single: {error:e}");
                    let found = device.sample(&resident, &exact[..]).expect("points");
                    let error = difference(&found, &expected);
                    assert!(error < bound, "{sampler:?} {shape:?} {components:?} {path}, double: {error:e}");
                }
            }
        }
    }
}

macro_rules! conform {
    ($($name:ident: $text:literal),+ $(,)?) => { $(
        #[test]
        fn $name() {
            conform($text);
        }
    )+ };
}

conform! {
    nearest_agrees: "nearest",
    linear_agrees: "linear",
    hermite_agrees: "hermite",
    quadratic_bspline_agrees: "bspline=2",
    cubic_bspline_agrees: "bspline",
    quartic_bspline_agrees: "bspline=4",
    quintic_bspline_agrees: "bspline=5",
    o_moms_agrees: "o-moms",
    catmull_rom_agrees: "catmull-rom",
    free_cubic_agrees: "cubic=0.2,0.4",
    lanczos3_agrees: "lanczos3",
    lanczos_of_a_fraction_agrees: "lanczos=2.5",
    gaussian_agrees: "gaussian=0.7",
    wide_gaussian_agrees: "gaussian=8",
}

#[test]
fn scaled_axes_and_modes_of_their_own_agree() {
    let Some(mut device) = cuda() else { return };
    let shape = [9, 21, 18];
    let (single, double) = grids(&shape, Components::Real);
    let axis = GridAxis::Scaled { origin: 3.0, step: -0.25 };
    let single = single.with_axis(1, axis.clone()).expect("an axis");
    let double = double.with_axis(1, axis).expect("an axis");
    let points: Vec<f64> = points(&shape, 3000, 9).iter().map(|&x| f64::from(x)).collect();
    let address = vec![AddressMode::Mirror, AddressMode::Border, AddressMode::Wrap];
    for method in [Method::Linear, Method::BSPLINE, Method::LANCZOS3] {
        let sampler = GridSampler {
            address: address.clone(),
            border: [0.7, 0.0],
            ..GridSampler::of_method(method).prefiltered()
        };
        let expected = double.interpolator(&sampler).expect("served").sample(&points).expect("points");
        let resident =
            device.load(&single, &sampler, GridPath::Auto, &ExecOptions::default()).expect("a grid that is served");
        let found = device.sample(&resident, &points[..]).expect("points");
        let error = difference(&found, &expected);
        assert!(error < TOLERANCE, "{method}: {error:e}");
    }
}

/// Values of the components of `grid` between which linear fetches interpolate.
fn stored(grid: &Grid<f64>, sampler: &GridSampler) -> Vec<Stored> {
    let components = grid.components().count();
    let part = |component: usize| {
        let values: Vec<f64> = grid.values().iter().skip(component).step_by(components).copied().collect();
        Stored::new(&values, grid.shape(), sampler, sampler.border[component])
    };
    (0..components).map(part).collect()
}

/// The largest error of `found`; each is checked against the bound of its point and component.
fn largest_within(
    found: &[f32],
    expected: &[f64],
    bound: impl Fn(usize, usize) -> f64,
    (components, what): (usize, &str),
) -> f64 {
    assert_eq!(found.len(), expected.len());
    let mut largest = 0.0_f64;
    for (index, (&value, &expected)) in found.iter().zip(expected).enumerate() {
        assert_eq!(value.is_nan(), expected.is_nan(), "{what}, value {index}");
        let error = (f64::from(value) - expected).abs();
        let bound = bound(index / components, index % components) + TOLERANCE;
        assert!(error.is_nan() || error <= bound, "{what}, value {index}: {error:e} > {bound:e}");
        largest = largest.max(error);
    }
    largest
}

/// Fractions of the texture unit have 8 bits; the bound is derived in `fixed_point`.
fn stay_within_the_fixed_point_bound(method: Method, prefilter: bool, shapes: &[&[usize]]) {
    let Some(mut device) = cuda() else { return };
    let work = ExecOptions::default();
    for (&shape, components) in
        shapes.iter().flat_map(|shape| [(shape, Components::Real), (shape, Components::Complex)])
    {
        let (single, double) = grids(shape, components);
        let mut points = points(shape, 5000, 3);
        points[70 * shape.len()] = f32::NAN;
        let exact: Vec<f64> = points.iter().map(|&x| f64::from(x)).collect();
        for row in &ADDRESS_MODES {
            let plain = GridSampler::of_method(method).with_address(row.address);
            let sampler = GridSampler { prefilter, border: [0.25, -0.5], ..plain };
            let expected = double.interpolator(&sampler).expect("served").sample(&exact).expect("points");
            let stored = stored(&double, &sampler);
            let bound = |point: usize, component: usize| {
                let point = &exact[point * shape.len()..][..shape.len()];
                if point.iter().all(|x| x.is_finite()) { stored[component].bound(point) } else { 0.0 }
            };
            let resident = device.load(&single, &sampler, GridPath::Filtered, &work).expect("served");
            let found = device.sample(&resident, &points[..]).expect("points");
            let what = format!("{sampler:?} {shape:?} {components:?}");
            let error = largest_within(&found, &expected, bound, (components.count(), &what));
            assert!(error > 10.0 * TOLERANCE, "{what}: exact by the texture unit: {error:e}");
        }
    }
}

#[test]
fn linear_fetches_stay_within_the_fixed_point_bound() {
    stay_within_the_fixed_point_bound(Method::Linear, false, &[&[117], &[40, 37], &[19, 21, 18]]);
}

#[test]
fn cubic_bspline_by_fetches_stays_within_the_fixed_point_bound() {
    stay_within_the_fixed_point_bound(Method::BSPLINE, false, &[&[117], &[40, 37], &[19, 21, 18], &[9, 8, 20, 14]]);
}

#[test]
fn prefiltered_cubic_bspline_by_fetches_stays_within_the_fixed_point_bound_of_its_coefficients() {
    stay_within_the_fixed_point_bound(Method::BSPLINE, true, &[&[117], &[40, 37], &[19, 21, 18], &[9, 8, 20, 14]]);
}

#[test]
fn tricubic_values_by_the_weight_table_stay_within_their_bound() {
    let Some(mut device) = cuda() else { return };
    let shape = [19, 21, 18];
    let (single, double) = grids(&shape, Components::Real);
    let points = points(&shape, 3000, 4);
    let exact: Vec<f64> = points.iter().map(|&x| f64::from(x)).collect();
    for prefilter in [false, true] {
        let sampler = GridSampler { prefilter, ..GridSampler::of_method(Method::BSPLINE) };
        let expected = double.interpolator(&sampler).expect("served").sample(&exact).expect("points");
        let stored = stored(&double, &sampler);
        let bound = |point: usize, _: usize| stored[0].bound_by_table(&exact[3 * point..][..3]);
        let resident =
            device.load_variant(&single, &sampler, GridVariant::Table, &ExecOptions::default()).expect("served");
        let found = device.sample(&resident, &points[..]).expect("points");
        let error = largest_within(&found, &expected, bound, (1, &format!("{sampler:?}")));
        assert!(error > 10.0 * TOLERANCE, "exact by a table: {error:e}");
    }
}

/// The ends of the stored values of a grid that exceeds the caches, by each path that serves it: points of the last samples along
/// every axis, on the last sample, and beyond it.
#[test]
fn far_end_of_a_grid_of_64_to_the_4_has_the_values_of_the_cpu() {
    let Some(mut device) = cuda() else { return };
    let work = ExecOptions::default();
    let shape = [64; 4];
    let (single, double) = grids(&shape, Components::Real);
    let mut random = fastrand::Rng::with_seed(64);
    let mut points: Vec<f32> = (0..4 * 2000).map(|_| 61.0 + 4.0 * random.f32()).collect();
    points[..4].fill(63.0);
    points[4..8].fill(63.5);
    let exact: Vec<f64> = points.iter().map(|&x| f64::from(x)).collect();
    let spline = GridSampler::of_method(Method::BSPLINE).prefiltered();
    let samplers = [
        spline.clone().with_address(AddressMode::Clamp),
        spline.with_address(AddressMode::Wrap),
        GridSampler::of_method(Method::Linear).with_address(AddressMode::Border),
        GridSampler::of_method(Method::LANCZOS3).with_address(AddressMode::Mirror),
    ];
    for sampler in samplers {
        let expected = double.interpolator(&sampler).expect("served").sample(&exact).expect("points");
        let resident = device.load(&single, &sampler, GridPath::Auto, &work).expect("served");
        let error = difference(&device.sample(&resident, &points[..]).expect("points"), &expected);
        assert!(error < TOLERANCE, "{sampler:?}: {error:e}");
        if sampler.method == Method::BSPLINE {
            let stored = stored(&double, &sampler);
            let bound = |point: usize, _: usize| stored[0].bound(&exact[4 * point..][..4]);
            let resident = device.load(&single, &sampler, GridPath::Filtered, &work).expect("served");
            let found = device.sample(&resident, &points[..]).expect("points");
            largest_within(&found, &expected, bound, (1, &format!("{sampler:?} by fetches")));
        }
    }
}

#[test]
fn forms_of_the_bench_have_the_values_of_the_paths() {
    let Some(mut device) = cuda() else { return };
    let work = ExecOptions::default();
    let shape = [40, 37];
    let (single, double) = grids(&shape, Components::Complex);
    let points = points(&shape, 3000, 4);
    let exact: Vec<f64> = points.iter().map(|&x| f64::from(x)).collect();
    let sampler = GridSampler::default();
    let expected = double.interpolator(&sampler).expect("served").sample(&exact).expect("points");
    let variants =
        [GridVariant::WideLoads, GridVariant::PitchedFetch, GridVariant::PitchedFiltered, GridVariant::MappedHost];
    let stored = stored(&double, &sampler);
    for variant in variants {
        let resident = device.load_variant(&single, &sampler, variant, &work).expect("served");
        let found = device.sample(&resident, &points[..]).expect("points");
        let bound = |point: usize, component: usize| match variant {
            GridVariant::PitchedFiltered => stored[component].bound(&exact[2 * point..][..2]),
            _ => 0.0,
        };
        largest_within(&found, &expected, bound, (2, &format!("{variant:?}")));
    }
}

/// More points than three parts: each stream is used again.
#[test]
fn streamed_points_have_the_values_of_few_in_the_callers_order() {
    let Some(mut device) = cuda() else { return };
    let shape = [40, 37];
    let (single, _) = grids(&shape, Components::Real);
    let sampler = GridSampler::of_method(Method::BSPLINE).prefiltered().with_address(AddressMode::Mirror);
    let progress = Arc::new(WorkProgress::default());
    let work = ExecOptions { progress: Some(Arc::clone(&progress)), ..ExecOptions::default() };
    let resident = device.load(&single, &sampler, GridPath::Auto, &work).expect("served");
    let points: Vec<f32> = random_points(&shape, 1_500_001, 6).iter().map(|&x| x as f32).collect();
    let mut all = vec![0.0; 1_500_001];
    device.sample_into(&resident, &points[..], &mut all, &work).expect("points");
    assert_eq!(progress.now().map(|stage| (stage.name, stage.share)), Some(("sampling", 1.0)));
    let few: Vec<f32> =
        points.chunks(2 * 100_000).flat_map(|points| device.sample(&resident, points).expect("points")).collect();
    assert!(all.iter().zip(&few).all(|(a, b)| a.to_bits() == b.to_bits()));
    let interpolator = single.interpolator(&sampler).expect("served");
    let expected: Vec<f64> = interpolator.sample(&points).expect("points").into_iter().map(f64::from).collect();
    assert!(difference(&all, &expected) < TOLERANCE);
    let stop = CancelToken::default();
    stop.cancel();
    let work = ExecOptions { stop, ..ExecOptions::default() };
    let cancelled = device.sample_into(&resident, &points[..], &mut all, &work).expect_err("cancelled");
    assert!(matches!(cancelled, BackendError::Grid(GridError::Cancelled)));
    assert!(device.sample(&resident, &points[..0]).expect("no point").is_empty());
}

#[test]
fn what_the_gpu_does_not_serve_is_refused() {
    let Some(mut device) = cuda() else { return };
    let work = ExecOptions::default();
    let (grid, _) = grids(&[4, 3], Components::Real);
    let mut refused = |grid: &Grid<f32>, sampler: &GridSampler, path| {
        device.load(grid, sampler, path, &work).expect_err("refused").to_string()
    };
    let unequal = grid.clone().with_axis(1, GridAxis::Unequal(vec![0.0, 1.0, 3.0])).expect("knots");
    assert_eq!(
        refused(&unequal, &GridSampler::default(), GridPath::Auto),
        "axis 1 is unequal: backend 'cuda' serves equal axes, 'cpu' serves both"
    );
    assert_eq!(
        refused(&grid, &GridSampler::of_method(Method::LANCZOS3), GridPath::Filtered),
        "path 'filtered' does not serve 'lanczos3' in 2 dimensions; 'global' serves all"
    );
    let (long, _) = grids(&[40_000], Components::Real);
    let text = refused(&long, &GridSampler::default(), GridPath::Filtered);
    assert_eq!(text, "a texture of 40000 values is more than the device can hold");
    let resident = device.load(&grid, &GridSampler::default(), GridPath::Auto, &work).expect("served");
    let error = device.sample(&resident, &[0.0_f32; 5][..]).expect_err("two and a half points");
    assert!(matches!(error, BackendError::Grid(GridError::Points { found: 5, dimensions: 2 })));
}
