//! Every method against its definition: weights by distance, samples by the address mode, summed over all axes.

use lerpscope::grid::{Components, Grid, GridSampler, MAX_DIMENSIONS};
use lerpscope::sampling::{ADDRESS_MODES, AddressMode, Method};

use super::{TOLERANCE, double_grid, random_points, samples, single_grid};

const METHODS: [&str; 20] = [
    "nearest",
    "linear",
    "hermite",
    "bspline",
    "catmull-rom",
    "mitchell",
    "cubic=0.2,0.4",
    "keys=-0.75",
    "bspline=2",
    "bspline=4",
    "bspline=5",
    "o-moms",
    "lanczos=1",
    "lanczos=1.3",
    "lanczos=2.5",
    "lanczos2",
    "lanczos3",
    "lanczos=8",
    "gaussian=0.5",
    "gaussian=2",
];

/// The sum over the axes from `axis` on, of the samples from `from` on.
fn sum(values: &[f64], shape: &[usize], point: &[f64], sampler: &GridSampler, axis: usize, from: Option<usize>) -> f64 {
    if axis == shape.len() {
        return from.map_or(sampler.border[0], |index| values[index]);
    }
    let kernel = sampler.method.kernel();
    let mut weights = vec![0.0; kernel.taps];
    kernel.weights_at(point[axis], &mut weights);
    let first = kernel.first_sample(point[axis]) as i64;
    let address = sampler.address[axis % sampler.address.len()];
    let term = |(k, weight): (i64, &f64)| {
        let place = address.resolve(first + k, shape[axis] as u32).zip(from);
        let from = place.map(|(place, from)| from * shape[axis] + place as usize);
        weight * sum(values, shape, point, sampler, axis + 1, from)
    };
    (0..).zip(&weights).map(term).sum()
}

#[test]
fn values_are_those_of_the_definition_for_every_method_and_address_mode() {
    for text in METHODS {
        let method: Method = text.parse().expect("a method");
        for address in ADDRESS_MODES.iter().map(|row| row.address) {
            let sampler = GridSampler { border: [0.4, 0.0], ..GridSampler::of_method(method).with_address(address) };
            // Short axes are shorter than the kernels.
            for shape in [&[1][..], &[2], &[23], &[3, 11], &[5, 2, 9]] {
                if method.kernel().taps.pow(shape.len() as u32) > 5000 {
                    continue;
                }
                let mut points = random_points(shape, 24, 7);
                points.extend(shape.iter().map(|&side| (side - 1) as f64));
                points.extend(shape.iter().map(|_| -1.0));
                let double =
                    double_grid(shape).interpolator(&sampler).expect("served").sample(&points).expect("points");
                let single =
                    single_grid(shape).interpolator(&sampler).expect("served").sample(&points).expect("points");
                for ((point, double), single) in points.chunks_exact(shape.len()).zip(double).zip(single) {
                    let expected = sum(&samples(shape), shape, point, &sampler, 0, Some(0));
                    assert!(
                        (double - expected).abs() < 1e-12,
                        "{text} {address} {shape:?} {point:?}: {double} {expected}"
                    );
                    let error = (f64::from(single) - expected).abs();
                    assert!(error < TOLERANCE, "{text} {address} {shape:?} {point:?}: {single} {expected}");
                }
            }
        }
    }
}

#[test]
fn every_dimension_has_the_definitions_values_with_an_address_mode_for_each_axis() {
    let shape = [4, 3, 5, 2, 3, 4];
    let address = [
        AddressMode::Clamp,
        AddressMode::Border,
        AddressMode::Wrap,
        AddressMode::Mirror,
        AddressMode::Border,
        AddressMode::Wrap,
    ];
    for text in ["nearest", "linear", "bspline=2", "catmull-rom", "lanczos3", "bspline=4"] {
        let method: Method = text.parse().expect("a method");
        for dimensions in 1..=MAX_DIMENSIONS {
            if method.kernel().taps.pow(dimensions as u32) > 5000 {
                continue;
            }
            let shape = &shape[..dimensions];
            let sampler = GridSampler {
                address: address[..dimensions].to_vec(),
                border: [0.7, 0.0],
                ..GridSampler::of_method(method)
            };
            let points = random_points(shape, 20, 11);
            let single = single_grid(shape).interpolator(&sampler).expect("served").sample(&points).expect("points");
            for (point, single) in points.chunks_exact(dimensions).zip(single) {
                let expected = sum(&samples(shape), shape, point, &sampler, 0, Some(0));
                assert!((f64::from(single) - expected).abs() < TOLERANCE, "{text} {shape:?} {point:?}");
            }
        }
    }
}

#[test]
fn complex_values_are_those_of_their_components() {
    let methods = ["nearest", "linear", "bspline=2", "bspline", "bspline=5", "lanczos4"];
    for (text, prefilter) in methods.iter().flat_map(|text| [(text, false), (text, true)]) {
        for address in ADDRESS_MODES.iter().map(|row| row.address) {
            for shape in [&[9][..], &[4, 7], &[3, 5, 4], &[3, 2, 4, 3], &[2, 3, 2, 3, 2]] {
                let values = samples(shape);
                let parts = [values.clone(), values.iter().rev().map(|value| 1.0 - value * value).collect::<Vec<_>>()];
                let pairs = parts[0].iter().zip(&parts[1]).flat_map(|(re, im)| [*re, *im]).collect();
                let method = text.parse().expect("a method");
                let border = [0.3, -0.2];
                let of =
                    |border| GridSampler { border, prefilter, ..GridSampler::of_method(method).with_address(address) };
                let points = random_points(shape, 100, 3);
                let grid = Grid::new(shape, Components::Complex, pairs).expect("a grid");
                let complex = grid.interpolator(&of(border)).expect("served").sample(&points).expect("points");
                for (component, part) in parts.into_iter().enumerate() {
                    let grid = Grid::new(shape, Components::Real, part).expect("a grid");
                    let real = grid.interpolator(&of([border[component], 0.0])).expect("served");
                    let real = real.sample(&points).expect("points");
                    let found = complex.iter().skip(component).step_by(2);
                    for (found, expected) in found.zip(&real) {
                        assert!((found - expected).abs() < 1e-13, "{text} {address} {shape:?}: {found} {expected}");
                    }
                }
            }
        }
    }
}
