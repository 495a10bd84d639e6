//! Synthetic sources: formulas, their means, pages, names, and the built-in image.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::f64::consts::PI;

use lerpscope::image::synth::{SYNTHS, SynthError};
use lerpscope::image::{Channels, Formula, Parallelogram, Samples, Size, Synth, embedded, sailboat};

fn formula(synth: Synth, width: u32, height: u32) -> Formula {
    Formula::new(synth, Size::new(width, height).unwrap()).unwrap()
}

fn channels(formula: &Formula) -> std::ops::Range<usize> {
    0..formula.channels().count()
}

#[test]
fn synth_rows_match_the_enum_and_are_found_by_name() {
    let names = SYNTHS.each_ref().map(|row| row.name);
    let expected = [
        "basilica",
        "sailboat",
        "scene",
        "zone-plate",
        "slanted-edge",
        "siemens-star",
        "checkerboard",
        "lines",
        "step-wedge",
        "impulses",
        "gaussian",
        "disc",
        "chirp",
        "text",
        "noise",
    ];
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
                (formula.size(), formula.channels(), Some(&formula))
            );
            let is_coloured = row.synth == Synth::Sailboat;
            assert_eq!(formula.channels(), if is_coloured { Channels::Rgb } else { Channels::Grey });
            for (m, n) in (0..height).flat_map(|n| (0..width).map(move |m| (m, n))) {
                let colour = formula.colour(f64::from(m), f64::from(n));
                assert_eq!(colour[0], formula.value(f64::from(m), f64::from(n)));
                for (channel, value) in colour.into_iter().enumerate().take(formula.channels().count()) {
                    assert_eq!(page.raster().number(m, n, channel), value as f32, "{} at {m}, {n}", row.name);
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
            let colour = formula.colour(x, y);
            // So far out a zone plate or a star has no finite phase; no view reaches it.
            if x.abs().max(y.abs()) < 1e100 {
                let is_in_range = colour.iter().all(|value| (0.0..=1.0).contains(value));
                assert!(is_in_range, "{} at {x}, {y}: {colour:?}", row.name);
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

/// Sum of the values at all integer positions, 8 samples beyond the page.
fn sum_of(formula: &Formula) -> f64 {
    let [width, height] = formula.size().sides().map(|side| side as i32);
    (-8..height + 8).map(|n| (-8..width + 8).map(|m| formula.value(f64::from(m), f64::from(n))).sum::<f64>()).sum()
}

#[test]
fn disc_samples_sum_to_its_area() {
    // Exact areas of squares that cover the plane. The smallest discs are smaller than a sample.
    for (width, height) in [(1, 1), (2, 7), (9, 5), (64, 48), (200, 201)] {
        let radius = 0.375 * f64::from(width.min(height));
        let (sum, area) = (sum_of(&formula(Synth::Disc, width, height)), PI * radius * radius);
        assert!((sum - area).abs() < 1e-11 * area.max(1.0), "{width}×{height}: {sum}, not {area}");
    }
    let disc = formula(Synth::Disc, 64, 64);
    // A square whose one side is cut by the circle of radius 24: the area by its antiderivative.
    let primitive = |u: f64| 0.5 * (u * (576.0 - u * u).sqrt() + 576.0 * (u / 24.0).asin());
    let exact = primitive(0.8) - primitive(-0.2) - 23.5;
    assert!((disc.value(32.3, 32.0 - 24.0) - exact).abs() < 1e-12);
    assert_eq!((disc.value(32.0, 32.0), disc.value(32.0, 32.0 - 24.6)), (1.0, 0.0));
}

#[test]
fn gaussian_equals_its_formula_and_sums_to_its_integral() {
    let gaussian = formula(Synth::Gaussian, 100, 80);
    assert!((gaussian.value(53.0, 36.0) - (-25.0_f64 / 200.0).exp()).abs() < 1e-15);
    // Cut off 4.8 σ from the centre, a Gaussian has lost 5e-6 of its integral.
    assert!((sum_of(&gaussian) / (2.0 * PI * 100.0) - 1.0).abs() < 5e-6);
}

#[test]
fn chirp_equals_its_formula_and_ends_at_nyquist() {
    let chirp = formula(Synth::Chirp, 64, 48);
    for x in [0.0, 3.25, 40.5, 70.0] {
        let value = 0.5 + 0.5 * (PI * x * x / 128.0).cos();
        assert!((chirp.value(x, 7.0) - value).abs() < 1e-12 && chirp.value(x, 7.0) == chirp.value(x, -20.0));
    }
    assert_eq!(chirp.value(0.0, 0.0), 1.0);
    // Samples alternate at the right edge.
    assert!((chirp.value(64.0, 0.0) - chirp.value(63.0, 0.0)).abs() > 0.99);
}

#[test]
fn text_is_a_letter_with_edges_one_sample_wide() {
    // A unit of the drawing is 4 samples.
    let text = formula(Synth::Text, 64, 96);
    let at = |x: f64, y: f64| text.value(32.0 + 4.0 * x, 48.0 + 4.0 * y);
    let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
    let ink = [(-3.0, 0.0), (-3.8, 5.8), (0.0, -5.0), (3.0, -2.5), (0.0, 0.0), (1.5, 3.0), (2.9, 5.8)];
    let paper = [(0.0, -2.5), (-1.0, 3.0), (-3.0, 6.5), (4.5, -2.5), (3.0, -5.5), (0.0, 6.0), (6.0, 6.0), (3.5, 2.0)];
    assert!(ink.iter().all(|(x, y)| near(at(*x, *y), 0.1)), "{:?}", ink.map(|(x, y)| at(x, y)));
    assert!(paper.iter().all(|(x, y)| near(at(*x, *y), 0.9)), "{:?}", paper.map(|(x, y)| at(x, y)));
    // Across the left edge of the stem, the right end of the bowl, and the leg, whose normal is (2, −1)/√5.
    let leg = [1.5 - 2.0 / 5.0_f64.sqrt(), 3.0 + 1.0 / 5.0_f64.sqrt()];
    for (edge, outwards) in
        [([-4.0, 2.0], [-1.0, 0.0]), ([4.0, -2.5], [1.0, 0.0]), (leg, [-0.894_427_191, 0.447_213_595_5])]
    {
        for (samples, value) in [(-0.6, 0.1), (-0.25, 0.3), (0.0, 0.5), (0.25, 0.7), (0.6, 0.9)] {
            let [x, y] = [0, 1].map(|axis| edge[axis] + outwards[axis] * samples / 4.0);
            assert!((at(x, y) - value).abs() < 1e-9, "{edge:?}, {samples} outwards: {}", at(x, y));
        }
    }
}

#[test]
fn noise_equals_its_waves_and_has_no_high_frequencies() {
    let noise = formula(Synth::Noise, 512, 512);
    // An implementation of the same definition in Python.
    for (x, y, value) in [
        (0.0, 0.0, 0.386_226_128_019_344_1),
        (10.5, -3.25, 0.485_994_762_577_778_4),
        (200.0, 100.0, 0.517_659_873_651_094),
    ] {
        assert!((noise.value(x, y) - value).abs() < 1e-12, "{}", noise.value(x, y));
    }
    let (mut inside, mut outside) = (0.0, 0.0);
    for row in 0..16 {
        let line: Vec<f64> = (0..256)
            .map(|m| {
                let window = (PI * f64::from(m) / 256.0).sin().powi(6);
                (noise.value(f64::from(m), f64::from(row) * 13.0) - 0.5) * window
            })
            .collect();
        for frequency in 0..=128 {
            let sum = |wave: fn(f64) -> f64| {
                let terms = line.iter().enumerate();
                terms.map(|(m, v)| v * wave(2.0 * PI * f64::from(frequency) * m as f64 / 256.0)).sum::<f64>()
            };
            let power = sum(f64::cos).powi(2) + sum(f64::sin).powi(2);
            // The window widens a line by 4/256.
            *if frequency <= 256 / 3 + 8 { &mut inside } else { &mut outside } += power;
        }
    }
    assert!(outside < 1e-9 * inside, "{}", outside / inside);
    let values: Vec<f64> = (0..256 * 256).map(|k| noise.value(f64::from(k % 256), f64::from(k / 256)) - 0.5).collect();
    let deviation = (values.iter().map(|v| v * v).sum::<f64>() / values.len() as f64).sqrt();
    assert!((0.055..0.07).contains(&deviation), "{deviation}");
}

#[test]
fn scene_has_the_tones_and_the_spectrum_of_a_photograph_at_every_size() {
    for side in [128, 512] {
        let page = formula(Synth::Scene, side, side).page();
        let value = |m: u32, n: u32| f64::from(page.raster().number(m, n, 0));
        let count = f64::from(side * side);
        let values: Vec<f64> = (0..side * side).map(|k| value(k % side, k / side)).collect();
        let mean = values.iter().sum::<f64>() / count;
        let deviation = (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / count).sqrt();
        assert!((0.4..0.6).contains(&mean) && (0.15..0.25).contains(&deviation), "{side}: {mean}, {deviation}");
        let (least, most) = values.iter().fold((1.0_f64, 0.0_f64), |(least, most), v| (least.min(*v), most.max(*v)));
        assert!(least > 0.0 && least < 0.1 && most > 0.9 && most < 1.0, "{side}: {least} to {most}");
        // Mean squared difference over a distance d: of a spectrum 1/f^a of amplitudes in two dimensions it goes with
        // d^(2a − 2), of white noise with d⁰, of a smooth picture with d².
        let structure = |d: u32| {
            let pairs = (0..side - d).flat_map(|m| (0..side).map(move |n| (m, n)));
            let sum: f64 = pairs.map(|(m, n)| (value(m + d, n) - value(m, n)).powi(2)).sum();
            sum / f64::from((side - d) * side)
        };
        let exponent = (structure(8) / structure(1)).log2() / 3.0;
        assert!((0.2..1.2).contains(&exponent), "{side}: {exponent}");
    }
}

#[test]
fn scene_at_every_size_has_the_same_framing_and_no_finer_detail_than_its_samples() {
    let (small, large) = (formula(Synth::Scene, 256, 256), formula(Synth::Scene, 1024, 1024));
    // Means over the squares of the small one's samples: what differs is detail finer than them.
    let mut squares = 0.0;
    for (m, n) in (0..256).step_by(5).flat_map(|m| (0..256).step_by(5).map(move |n| (m, n))) {
        let of_large =
            (0..16).map(|k| large.value(f64::from(4 * m + k % 4), f64::from(4 * n + k / 4))).sum::<f64>() / 16.0;
        squares += (small.value(f64::from(m) + 0.375, f64::from(n) + 0.375) - of_large).powi(2);
    }
    let rms = (squares / (52.0 * 52.0)).sqrt();
    assert!(rms < 0.05, "{rms}");
}

/// A parallelogram by its centre and its two sides.
#[derive(Clone, Copy, Debug)]
struct Case {
    centre: [f64; 2],
    sides: [[f64; 2]; 2],
}

impl Case {
    /// A rectangle whose first side has the direction `direction`, a unit vector.
    fn rectangle(centre: [f64; 2], [wide, tall]: [f64; 2], [cos, sin]: [f64; 2]) -> Self {
        Self { centre, sides: [[wide * cos, wide * sin], [-tall * sin, tall * cos]] }
    }

    fn area(&self) -> Parallelogram {
        Parallelogram::new(self.centre, self.sides)
    }

    fn longest(&self) -> f64 {
        self.sides.iter().map(|[x, y]| x.hypot(*y)).fold(0.0, f64::max)
    }

    fn is_aligned(&self) -> bool {
        self.is_rectangle() && self.sides.iter().all(|side| side.contains(&0.0))
    }

    fn is_square(&self) -> bool {
        let [first, second] = self.sides.map(|[x, y]| x.hypot(y));
        self.is_rectangle() && (first - second).abs() < 1e-9
    }

    fn is_rectangle(&self) -> bool {
        let [[a, b], [c, d]] = self.sides;
        (a * c + b * d).abs() < 1e-9
    }

    /// `count`² equal parts.
    fn parts(self, count: u32) -> impl Iterator<Item = Self> {
        let Self { centre, sides } = self;
        let sides = sides.map(|side| side.map(|part| part / f64::from(count)));
        let [a, b] = sides;
        (0..count * count).map(move |index| {
            let [u, v] = [index % count, index / count].map(|k| f64::from(k) + 0.5 - f64::from(count) / 2.0);
            Self { centre: [0, 1].map(|axis: usize| centre[axis] + u * a[axis] + v * b[axis]), sides }
        })
    }

    /// Mean of a channel of `formula` at four Gauss points in each of 160² parts.
    fn supersampled(self, formula: &Formula, channel: usize) -> f64 {
        let near = 0.5 / 3.0_f64.sqrt();
        let corners = [[-near, -near], [near, -near], [-near, near], [near, near]];
        let mean_of_part = |part: Self| {
            let ([a, b], [x, y]) = (part.sides, part.centre);
            let value = |[u, v]: [f64; 2]| formula.colour(x + u * a[0] + v * b[0], y + u * a[1] + v * b[1])[channel];
            corners.into_iter().map(value).sum::<f64>() / 4.0
        };
        self.parts(160).map(mean_of_part).sum::<f64>() / f64::from(160 * 160)
    }
}

/// Squares, rectangles and lines along the axes and turned, and sheared ones; small and large, some beyond the page.
fn areas() -> Vec<Case> {
    let mut rng = fastrand::Rng::with_seed(9);
    let mut of_others = fastrand::Rng::with_seed(10);
    let mut areas = Vec::new();
    for side in [0.03, 0.4, 1.0, 2.6, 9.0] {
        for angle in [0.0, 0.0, PI / 2.0, 0.6] {
            let direction = if angle == PI / 2.0 { [0.0, 1.0] } else { [f64::cos(angle), f64::sin(angle)] };
            let centre = [rng.f64() * 80.0 - 8.0, rng.f64() * 64.0 - 8.0];
            areas.push(Case::rectangle(centre, [side; 2], direction));
            for sides in [[side, 0.4 * side], [0.7, side], [side, 0.0], [0.0, side]] {
                areas.push(Case::rectangle([of_others.f64() * 64.0, of_others.f64() * 48.0], sides, direction));
            }
            areas.push(Case { centre, sides: [[side, 0.3 * side], [-0.6 * side, side]] });
        }
    }
    // On the edge of the disc, in the middle of the star, on several lines, and larger than the page.
    for (centre, side) in [([32.3, 6.1], 1.5), ([32.0, 24.3], 1.0), ([12.0, 22.0], 9.0)] {
        for direction in [[1.0, 0.0], [0.8, 0.6]] {
            areas.push(Case::rectangle(centre, [side; 2], direction));
        }
    }
    areas.push(Case::rectangle([30.0, 20.0], [60.0; 2], [1.0, 0.0]));
    areas
}

/// Formulas of a source, and the areas of which their means are looked at: the sailboat also at the size at which its outlines are a sample
/// apart.
fn cases(synth: Synth) -> impl Iterator<Item = (Formula, Case, usize)> {
    let scales: &[u32] = if synth == Synth::Sailboat { &[1, 4] } else { &[1] };
    scales.iter().flat_map(move |&scale| {
        let formula = formula(synth, 64 * scale, 48 * scale);
        areas().into_iter().flat_map(move |area| {
            let centre = area.centre.map(|x| f64::from(scale) * x);
            channels(&formula).map(move |channel| (formula, Case { centre, ..area }, channel))
        })
    })
}

/// Error of the mean as documented, and of the supersampling.
fn errors(formula: &Formula, area: &Case) -> [f64; 2] {
    let quadrature = if area.longest() > 10.0 { 2e-4 } else { 2e-5 };
    match (formula.synth(), area.is_aligned()) {
        // Its outlines are closer than a sample.
        (Synth::Sailboat, _) if formula.size().height() < 192 => [2e-4, 2e-5],
        // It is discontinuous at the Julia set, which few squares of the list meet.
        (Synth::Basilica, _) if !area.is_square() => [2e-3, 2e-5],
        (Synth::ZonePlate | Synth::Gaussian, _) if !area.is_rectangle() => [quadrature, 1e-6],
        (Synth::ZonePlate | Synth::Gaussian | Synth::Noise, _) | (Synth::Chirp, true) => [1e-9, 1e-6],
        (Synth::Chirp, false) => [quadrature, 1e-6],
        (Synth::SlantedEdge, _) | (Synth::Disc, true) => [1e-9, 2e-5],
        (Synth::Disc, false) | (Synth::Basilica | Synth::Sailboat | Synth::Scene | Synth::Text, _) => {
            [quadrature, 2e-5]
        }
        (Synth::Checkerboard | Synth::Lines | Synth::StepWedge | Synth::Impulses, true) => [1e-9, 1e-2],
        (Synth::Checkerboard | Synth::Lines | Synth::StepWedge | Synth::Impulses, false) => [2e-3, 1e-2],
        // The centre of the star is a point of discontinuity.
        (Synth::SiemensStar, _) => [2e-3, 2e-3],
    }
}

#[test]
fn formula_means_equal_dense_supersampling() {
    for (row, (formula, area, channel)) in SYNTHS.iter().flat_map(|row| cases(row.synth).map(move |case| (row, case))) {
        let [stated, sampled] = errors(&formula, &area);
        let (mean, dense) = (formula.mean_of(channel, &area.area()), area.supersampled(&formula, channel));
        assert!((mean - dense).abs() < stated + sampled, "{}: {mean}, not {dense}: {area:?}", row.name);
    }
}

/// A closed form is additive to rounding, whatever the parts' sizes.
#[test]
fn formula_mean_over_an_area_is_the_mean_over_its_parts() {
    for (row, (formula, area, channel)) in SYNTHS.iter().flat_map(|row| cases(row.synth).map(move |case| (row, case))) {
        let [stated, _] = errors(&formula, &area);
        let (mean, parts) = (formula.mean_of(channel, &area.area()), area.parts(3));
        let of_parts = parts.map(|part| formula.mean_of(channel, &part.area())).sum::<f64>() / 9.0;
        assert!((mean - of_parts).abs() < 2.0 * stated, "{}: {mean}, not {of_parts}: {area:?}", row.name);
    }
}

/// An edge that just enters a square is found, whatever its distance from the points of the quadrature.
#[test]
fn mean_across_the_edge_of_a_letter_equals_its_closed_form() {
    let text = formula(Synth::Text, 320, 320);
    // The left edge of the stem is at x = 160 − 4·20, its ends are 120 samples away. Integral of the ramp:
    let ramp = |t: f64| if t < -0.5 { 0.0 } else { (t.min(0.5) + 0.5).powi(2) / 2.0 + (t - 0.5).max(0.0) };
    for side in [0.3, 1.0, 2.6, 7.0] {
        for step in 0..=400 {
            let across = (f64::from(step) / 200.0 - 1.0) * (side / 2.0 + 0.6);
            let (lo, hi) = (across - side / 2.0, across + side / 2.0);
            let exact = 0.9 - 0.8 * (ramp(hi) - ramp(lo)) / side;
            let mean = text.mean(&Parallelogram::square([80.0 + across, 161.3], side));
            assert!((mean - exact).abs() < 2e-5, "{side} at {across}: {mean}, not {exact}");
        }
    }
}

#[test]
fn formula_mean_over_a_point_is_its_value() {
    for row in &SYNTHS {
        let formula = formula(row.synth, 64, 48);
        for Case { centre: [x, y], .. } in areas() {
            for channel in channels(&formula) {
                let mean = formula.mean_of(channel, &Parallelogram::square([x, y], 0.0));
                assert_eq!(mean, formula.colour(x, y)[channel], "{} at {x}, {y}", row.name);
            }
        }
    }
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
fn built_in_sailboat_is_its_rounded_formula_and_leaves_room_for_overshoot() {
    let opened = sailboat().unwrap();
    let page = opened.image.page(0).unwrap();
    let formula = formula(Synth::Sailboat, 256, 192);
    assert_eq!((page.size(), page.channels(), page.formula()), (formula.size(), Channels::Rgb, Some(&formula)));
    let Samples::U8 { values, maxval: 255 } = page.raster().samples() else { panic!("8 bit") };
    let exact = formula.page();
    for (at, value) in values.iter().enumerate() {
        assert_eq!(f32::from(*value), (exact.raster().samples().number(at) * 255.0).round(), "number {at}");
        assert!((24..=241).contains(value), "number {at}: {value}");
    }
}

/// The boat's hull, its sails, the sun, the sky and the sea have their colours, and the name is legible: its strokes are whole samples.
#[test]
fn sailboat_has_its_colours_at_every_size() {
    let [white, red, dark, yellow]: [[f64; 3]; 4] =
        [[0.90, 0.89, 0.85], [0.76, 0.17, 0.13], [0.12, 0.13, 0.18], [0.94, 0.70, 0.20]];
    for size in [1, 2, 5] {
        let formula = formula(Synth::Sailboat, 256 * size, 192 * size);
        let at = |x: f64, y: f64| formula.colour(f64::from(size) * (x + 128.0), f64::from(size) * (y + 96.0));
        let painted = [
            ([-10.0, 12.0], white),
            ([-8.0, 12.0], red),
            ([-5.0, 13.0], white),
            ([0.0, 13.0], white),
            ([5.0, 15.0], white),
            ([-1.0, 0.0], dark),
            ([-6.0, 0.0], white),
            ([4.0, -2.5], red),
            ([18.0, -11.0], yellow),
        ];
        for ([x, y], colour) in painted {
            let found = at(x, y);
            let error = (0..3).map(|channel| (found[channel] - colour[channel]).abs()).fold(0.0, f64::max);
            assert!(error < 1e-12, "{x} {y} at {size}: {found:?}");
        }
        let [[.., sky], [red_of_sea, .., sea]] = [at(0.0, -90.0), at(0.0, 60.0)];
        assert!(sky > 0.7 && sea > 0.4 && red_of_sea < 0.3);
    }
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
    assert!(unknown.contains("“julia”") && unknown.contains("basilica, sailboat, scene, zone-plate"), "{unknown}");
    let large = "synth:lines:16385x16384".parse::<Formula>().unwrap_err().to_string();
    assert_eq!(large, "16385×16384 samples exceed the limit of 268435456");
}
