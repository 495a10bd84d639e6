//! Grids against SciPy's numbers (tests/golden/grids.txt, made by make_grids.py beside it).

use lerpscope::grid::{GridAxis, GridSampler};
use lerpscope::sampling::AddressMode;

use super::{TOLERANCE, double_grid, single_grid};

/// Number of points of a case.
const POINTS: usize = 16;

struct Case {
    is_equal: bool,
    sampler: GridSampler,
    shape: Vec<usize>,
    values: Vec<f64>,
}

fn cases() -> Vec<Case> {
    let mut lines = include_str!("../golden/grids.txt").lines().filter(|line| !line.starts_with('#'));
    let mut cases = Vec::new();
    while let Some(head) = lines.next() {
        let words: Vec<&str> = head.split(' ').collect();
        let sampler = GridSampler {
            method: words[2].parse().expect("a method"),
            address: vec![AddressMode::by_name(words[3]).expect("an address mode")],
            prefilter: words[4] == "on",
            border: [words[5].parse().expect("a number"), 0.0],
        };
        let shape = words[6].split('x').map(|side| side.parse().expect("a side")).collect();
        let values = lines.next().expect("numbers").split(' ').map(|v| v.parse().expect("a number")).collect();
        cases.push(Case { is_equal: words[1] == "equal", sampler, shape, values });
    }
    cases
}

/// The same points as `points` in make_grids.py.
fn points(shape: &[usize]) -> Vec<f64> {
    let mut state = 12345_u64;
    let mut points = Vec::new();
    for _ in 0..POINTS - 4 {
        for &side in shape {
            state = (state * 1_103_515_245 + 12345) % (1 << 31);
            points.push(-(side as f64) - 0.3 + state as f64 / f64::from(1_u32 << 31) * 3.0 * side as f64);
        }
    }
    points.extend(shape.iter().map(|_| 0.0));
    points.extend(shape.iter().map(|&side| side as f64 - 1.0));
    points.extend(shape.iter().map(|_| -0.5));
    points.extend(shape.iter().map(|&side| side as f64 - 0.5));
    points
}

/// The same knots as `coordinates` there.
fn knots(axis: usize, side: usize) -> Vec<f64> {
    let (offset, axis) = (10.0 * axis as f64, axis as f64);
    (0..side).map(|k| offset + k as f64 + 0.35 * (2.3 * k as f64 + axis).sin()).collect()
}

/// Points between the first and the last knot.
fn points_inside(shape: &[usize]) -> Vec<f64> {
    let place = |(index, at): (usize, &f64)| {
        let axis = index % shape.len();
        let (side, knots) = (shape[axis] as f64, knots(axis, shape[axis]));
        let (first, last) = (knots[0], knots[knots.len() - 1]);
        (first + (last - first) * ((at + side) / (3.0 * side))).clamp(first, last)
    };
    points(shape).iter().enumerate().map(place).collect()
}

#[test]
fn golden_file_holds_every_combination() {
    let cases = cases();
    assert_eq!(cases.iter().filter(|case| case.is_equal).count(), 8 * 4 * 4);
    assert_eq!(cases.len(), 8 * 4 * 4 + 7 + 6);
    assert!(cases.iter().all(|case| case.values.len() == POINTS));
    let dimensions: std::collections::BTreeSet<usize> = cases.iter().map(|case| case.shape.len()).collect();
    assert!(dimensions.into_iter().eq(1..=5));
}

#[test]
fn equal_axes_have_scipys_values_in_both_precisions() {
    for Case { sampler, shape, values, .. } in cases().into_iter().filter(|case| case.is_equal) {
        let points = points(&shape);
        let double = double_grid(&shape).interpolator(&sampler).expect("served").sample(&points).expect("points");
        let single = single_grid(&shape).interpolator(&sampler).expect("served").sample(&points).expect("points");
        for ((expected, double), single) in values.iter().zip(double).zip(single) {
            let errors = [(double - expected).abs(), (f64::from(single) - expected).abs()];
            assert!(errors[0] < 1e-7, "{sampler:?} {shape:?}: {double} is not {expected}");
            assert!(errors[1] < TOLERANCE, "{sampler:?} {shape:?}: {single} is not {expected}");
        }
    }
}

#[test]
fn unequal_axes_have_the_values_of_scipys_splines() {
    for Case { sampler, shape, values, .. } in cases().into_iter().filter(|case| !case.is_equal) {
        let (mut double, mut single) = (double_grid(&shape), single_grid(&shape));
        for (axis, &side) in shape.iter().enumerate() {
            double = double.with_axis(axis, GridAxis::Unequal(knots(axis, side))).expect("rising knots");
            single = single.with_axis(axis, GridAxis::Unequal(knots(axis, side))).expect("rising knots");
        }
        let points = points_inside(&shape);
        let double = double.interpolator(&sampler).expect("served").sample(&points).expect("points");
        let single = single.interpolator(&sampler).expect("served").sample(&points).expect("points");
        for ((expected, double), single) in values.iter().zip(double).zip(single) {
            assert!((double - expected).abs() < 2e-9, "{sampler:?} {shape:?}: {double} is not {expected}");
            assert!((f64::from(single) - expected).abs() < TOLERANCE, "{sampler:?} {shape:?}: {single}, {expected}");
        }
    }
}
