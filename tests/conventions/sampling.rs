//! Methods and address modes: weights and indices by their definitions.

use lerpscope::backend::{PixelFormat, RenderRequest};
use lerpscope::image::{Channels, Depth, Samples};
use lerpscope::sampling::{ADDRESS_MODES, AddressMode, Axis, AxisTable, METHODS, Method, Sampler, Taps};
use lerpscope::view::View;

use super::kernels::{Definition, METHOD_TEXTS};
use super::{image, numbers, rendered, size};

/// sin(πd)/(πd).
fn sinc(d: f64) -> f64 {
    if d == 0.0 { 1.0 } else { (std::f64::consts::PI * d).sin() / (std::f64::consts::PI * d) }
}

/// Samples and weights at x = m + α by the definition: the first sample's offset from m, and the weights.
fn weights(method: Method, alpha: f64) -> (i64, Vec<f64>) {
    let b = 1.0 - alpha;
    let lanczos = |a: i64| {
        let raw: Vec<f64> = (1 - a..=a).map(|k| alpha - k as f64).map(|d| sinc(d) * sinc(d / a as f64)).collect();
        let sum: f64 = raw.iter().sum();
        (1 - a, raw.iter().map(|weight| weight / sum).collect())
    };
    // Mitchell and Netravali, B = C = 1/3.
    let mitchell = |d: f64| {
        let d = d.abs();
        if d < 1.0 {
            (7.0 * d.powi(3) - 12.0 * d * d + 16.0 / 3.0) / 6.0
        } else {
            (-7.0 / 3.0 * d.powi(3) + 12.0 * d * d - 20.0 * d + 32.0 / 3.0) / 6.0
        }
    };
    match method {
        Method::Nearest => (if alpha >= 0.5 { 1 } else { 0 }, vec![1.0]),
        Method::Linear => (0, vec![b, alpha]),
        Method::BSPLINE => (
            -1,
            vec![
                b.powi(3) / 6.0,
                2.0 / 3.0 - alpha * alpha * (2.0 - alpha) / 2.0,
                2.0 / 3.0 - b * b * (1.0 + alpha) / 2.0,
                alpha.powi(3) / 6.0,
            ],
        ),
        Method::CATMULL_ROM => (
            -1,
            vec![
                alpha * (-0.5 + alpha * (1.0 - 0.5 * alpha)),
                1.0 + alpha * alpha * (-2.5 + 1.5 * alpha),
                alpha * (0.5 + alpha * (2.0 - 1.5 * alpha)),
                alpha * alpha * (-0.5 + 0.5 * alpha),
            ],
        ),
        Method::MITCHELL => (-1, (-1..=2).map(|k| mitchell(alpha - f64::from(k))).collect()),
        Method::LANCZOS2 => lanczos(2),
        Method::LANCZOS3 => lanczos(3),
        Method::LANCZOS4 => lanczos(4),
        other => {
            // A sample in the middle of what a position reads is m itself.
            let taps = Definition::of(&other.to_string()).taps(1000.0 + alpha);
            (taps[0].0 - 1000, taps.into_iter().map(|(_, weight)| weight).collect())
        }
    }
}

/// Sample at an index outside, by the mode's pattern (`cba|abcd|dcb`); `None` is the border's constant.
fn resolved(address: AddressMode, index: i64, len: i64) -> Option<usize> {
    let place = match address {
        AddressMode::Clamp => index.clamp(0, len - 1),
        AddressMode::Border if !(0..len).contains(&index) => return None,
        AddressMode::Border => index,
        AddressMode::Wrap => index.rem_euclid(len),
        AddressMode::Mirror => {
            let place = index.rem_euclid(2 * len);
            if place < len { place } else { 2 * len - 1 - place }
        }
    };
    usize::try_from(place).ok()
}

#[test]
fn values_between_samples_equal_the_definition_for_every_method_and_address_mode() {
    let mut random = fastrand::Rng::with_seed(51);
    let (len, border) = (6_u32, 0.375_f32);
    let samples: Vec<f32> = (0..len).map(|_| random.f32()).collect();
    let image = image(size(len, 1), Channels::Grey, Samples::F32(samples.clone()));
    let mut compared = 0;
    for text in METHOD_TEXTS {
        let method: Method = text.parse().expect(text);
        for mode in &ADDRESS_MODES {
            for _ in 0..8 {
                let (scale, shift) = (0.2 + random.f64() * 0.7, random.f64() * 10.0 - 5.0);
                let view = View::new([shift, 0.0], scale).expect("a view");
                let address = [mode.address, AddressMode::Clamp];
                let sampler = Sampler { address, border, ..Sampler::default().with_method(method) };
                let request = RenderRequest { view, sampler, ..RenderRequest::new(size(40, 1)) };
                let out = numbers(&rendered(&image, &request, PixelFormat::file(Depth::Float)));
                for (i, found) in out.into_iter().enumerate() {
                    let x = (i as f64 - 20.0) * scale + f64::from(len) / 2.0 + shift;
                    let (first, taps) = weights(method, x - x.floor());
                    // Along y there is one row: its value counts as often as the weights say in all.
                    let y = 0.5 - 0.5 * scale;
                    let along_y: f64 = weights(method, y - y.floor()).1.iter().sum();
                    let value = |index: i64| {
                        let place = resolved(address[0], index, i64::from(len));
                        f64::from(place.map_or(border, |place| samples[place]))
                    };
                    let at = x.floor() as i64 + first;
                    let expected: f64 =
                        taps.iter().zip(at..).map(|(weight, index)| along_y * weight * value(index)).sum();
                    let off = (f64::from(found) - expected).abs();
                    assert!(off < 2e-6, "{text} {:?} at {x}: {found}, not {expected}", address[0]);
                    compared += 1;
                }
            }
        }
    }
    assert_eq!(compared, METHOD_TEXTS.len() * ADDRESS_MODES.len() * 8 * 40);
}

/// A stretched kernel narrower than the sample distance: the nearest sample, ⌊x + ½⌋, not the previous one.
#[test]
fn kernel_narrower_than_a_sample_gives_the_nearest_sample() {
    let samples = vec![0.1_f32, 0.9, 0.3, 0.7, 0.2, 0.6];
    let image = image(size(6, 1), Channels::Grey, Samples::F32(samples.clone()));
    for shift in [-0.4, -0.2, 0.2, 0.4] {
        // Every second sample, with the same fraction at each pixel: x = 2i + ½ + shift.
        let view = View::new([shift + 0.5, 0.0], 2.0).expect("a view");
        let sampler = Sampler { antialias: true, blur: 0.01, ..Sampler::default() };
        let request = RenderRequest { view, sampler, ..RenderRequest::new(size(3, 1)) };
        let out = numbers(&rendered(&image, &request, PixelFormat::file(Depth::Float)));
        for (i, found) in out.into_iter().enumerate() {
            let x = (i as f64 - 1.5) * 2.0 + 3.0 + shift + 0.5;
            let nearest = (x + 0.5).floor() as usize;
            assert_eq!(found, samples[nearest.min(5)], "x = {x}");
        }
    }
}

/// Declared bound on the samples of each output pixel, against its table.
#[test]
fn taps_read_no_more_samples_than_declared() {
    let output = size(33, 1);
    for row in &METHODS {
        for (antialias, scale) in [(false, 0.37), (true, 2.3), (true, 7.9)] {
            let sampler = Sampler { antialias, ..Sampler::default().with_method(row.method) };
            let taps = Taps::new(&sampler, scale);
            let map = View::new([0.3, 0.0], scale).expect("a view").image_from_output(output, size(400, 1));
            let table = AxisTable::new(&taps, Axis { len: 400, halo: 0, address: AddressMode::Wrap }, &map, 0, 33);
            let counts: Vec<usize> = (0..table.len()).map(|entry| table.entry(entry).0.len()).collect();
            let most = counts.iter().copied().max().expect("an entry");
            assert_eq!((table.len(), table.most()), (33, most), "{}", row.name);
            // The support is 2·radius·s wide, ± one sample; the bound allows one more.
            assert!(most <= taps.most() && taps.most() <= most + 2, "{}: {most} of {}", row.name, taps.most());
            assert_eq!(taps.narrow().is_none(), antialias);
        }
    }
}

#[test]
fn weights_equal_their_definitions_at_every_distance() {
    let mut random = fastrand::Rng::with_seed(52);
    for text in METHOD_TEXTS {
        let (kernel, definition) = (text.parse::<Method>().expect(text).kernel(), Definition::of(text));
        let same = (kernel.radius, kernel.normalized) == (definition.radius, definition.is_normalized);
        assert!(same, "{text}");
        let halves = (-80..=80).map(|k| f64::from(k) / 2.0);
        let between = (0..2000).map(|_| (random.f64() - 0.5) * 2.2 * kernel.radius);
        for d in halves.chain(between) {
            let (found, expected) = (kernel.weight(d), definition.weight(d));
            assert!((found - expected).abs() < 1e-14, "{text} at {d}: {found}, not {expected}");
        }
    }
}

/// The samples that `taps` covers, weighted, against the samples that the definition reads: degree n reads n + 1 of them,
/// an even one around ⌊x + ½⌋. Halfway positions are among them.
#[test]
fn splines_read_the_samples_of_their_definition() {
    for degree in 0..=5 {
        let text = format!("bspline={degree}");
        let (kernel, definition) = (text.parse::<Method>().expect("a method").kernel(), Definition::of(&text));
        for step in -256..=256 {
            let x = f64::from(step) / 64.0;
            let mut weights = vec![0.0; kernel.taps];
            kernel.weights_at(x, &mut weights);
            let first = kernel.first_sample(x) as i64;
            let found = |sample: i64| usize::try_from(sample - first).ok().and_then(|k| weights.get(k)).copied();
            let taps = definition.taps(x);
            assert_eq!(taps.len(), degree + 1);
            for &(sample, weight) in &taps {
                let found = found(sample).unwrap_or(0.0);
                assert!((found - weight).abs() < 1e-15, "{text} at {x}, sample {sample}: {found}, not {weight}");
            }
            let beyond = (first..first + kernel.taps as i64).filter(|k| taps.iter().all(|(sample, _)| sample != k));
            assert!(beyond.clone().all(|sample| found(sample) == Some(0.0)), "{text} at {x}");
        }
    }
}

#[test]
fn prefilter_applies_to_splines_and_o_moms_only_and_has_a_halo() {
    for text in METHOD_TEXTS {
        let method: Method = text.parse().expect(text);
        for prefilter in [false, true] {
            let address = [AddressMode::Clamp, AddressMode::Wrap];
            let sampler = Sampler { prefilter, address, ..Sampler::default().with_method(method) };
            let has_one = ["bspline", "bspline=2", "bspline=3", "bspline=4", "bspline=5", "o-moms"].contains(&text);
            let uses = prefilter && has_one;
            assert_eq!(sampler.uses_coefficients(), uses, "{text} {prefilter}");
            // Coefficients wrap and mirror as samples do; under clamp and border there are coefficients beyond the
            // edges.
            assert_eq!((sampler.halo(0) > 0, sampler.halo(1)), (uses, 0), "{text} {prefilter}");
        }
    }
}
