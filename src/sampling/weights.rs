//! Weight functions w(d) of the kernel families, in double precision. d = x − k is the distance from sample k to the
//! position x, in samples. All but a custom table are even functions of d.

use std::f64::consts::PI;

use super::parameters::SplineDegree;

/// The box: 1 on [−½, ½), else 0. Exactly one sample of a position has d in that interval: ⌊x + ½⌋.
pub(super) fn box_weight(d: f64) -> f64 {
    if (-0.5..0.5).contains(&d) { 1.0 } else { 0.0 }
}

/// The triangle: 1 − |d| within radius 1.
pub(super) fn triangle_weight(d: f64) -> f64 {
    (1.0 - d.abs()).max(0.0)
}

/// The two-parameter cubic of Mitchell and Netravali (1988), equation 8, radius 2.
///
/// The outer piece is factored as t²·((B/6 + C)·t − C) with t = 2 − |d|. It is exactly B/6 at |d| = 1 and exactly 0 at
/// |d| = 2.
pub(super) fn cubic_weight(d: f64, b: f64, c: f64) -> f64 {
    let d = d.abs();
    if d < 1.0 {
        (1.0 - b / 3.0) + d * d * ((2.0 * b + c - 3.0) + (2.0 - 1.5 * b - c) * d)
    } else if d < 2.0 {
        let t = 2.0 - d;
        t * t * (b / 6.0 * t + c * (t - 1.0))
    } else {
        0.0
    }
}

/// The Hermite cubic 2·|d|³ − 3·d² + 1, radius 1.
pub(super) fn hermite_weight(d: f64) -> f64 {
    let d = d.abs();
    if d < 1.0 { 1.0 + d * d * (2.0 * d - 3.0) } else { 0.0 }
}

/// The centred B-spline βₙ(d), radius (n + 1)/2: Unser, Aldroubi, Eden (1993), part I, equation 2.2, written out by pieces.
pub(super) fn bspline_weight(d: f64, degree: SplineDegree) -> f64 {
    let d = d.abs();
    let square = d * d;
    match degree {
        SplineDegree::Quadratic if d < 0.5 => 0.75 - square,
        SplineDegree::Quadratic if d < 1.5 => (1.5 - d).powi(2) / 2.0,
        SplineDegree::Cubic if d < 1.0 => 2.0 / 3.0 - square * (2.0 - d) / 2.0,
        SplineDegree::Cubic if d < 2.0 => (2.0 - d).powi(3) / 6.0,
        SplineDegree::Quartic if d < 0.5 => 115.0 / 192.0 + square * (square / 4.0 - 0.625),
        SplineDegree::Quartic if d < 1.5 => 55.0 / 96.0 + d * (5.0 / 24.0 + d * (-1.25 + d * (5.0 / 6.0 - d / 6.0))),
        SplineDegree::Quartic if d < 2.5 => (2.5 - d).powi(4) / 24.0,
        SplineDegree::Quintic if d < 1.0 => 0.55 + square * (-0.5 + square * (0.25 - d / 12.0)),
        SplineDegree::Quintic if d < 2.0 => 0.425 + d * (0.625 + d * (-1.75 + d * (1.25 + d * (-0.375 + d / 24.0)))),
        SplineDegree::Quintic if d < 3.0 => (3.0 - d).powi(5) / 120.0,
        SplineDegree::Quadratic | SplineDegree::Cubic | SplineDegree::Quartic | SplineDegree::Quintic => 0.0,
    }
}

/// The cubic O-MOMS β₃(d) + β₃″(d)/42, radius 2: Blu, Thévenaz, Unser (2001), table I. Continuous, with creases at whole d.
pub(super) fn o_moms_weight(d: f64) -> f64 {
    let d = d.abs();
    let second_derivative = if d < 1.0 { 3.0 * d - 2.0 } else { (2.0 - d).max(0.0) };
    bspline_weight(d, SplineDegree::Cubic) + second_derivative / 42.0
}

/// sinc(d)·sinc(d/a) within a, where sinc(x) = sin(πx)/(πx). Exactly 0 at whole d ≠ 0, so that whole positions give
/// their sample.
pub(super) fn lanczos_weight(d: f64, a: f64) -> f64 {
    let d = d.abs();
    if d == 0.0 {
        1.0
    } else if d >= a || d.fract() == 0.0 {
        0.0
    } else {
        let t = PI * d;
        a * t.sin() * (t / a).sin() / (t * t)
    }
}

/// [`lanczos_weight`] at distances that decrease by equal steps. The angles of its two sines do so as well: their sines and cosines
/// follow from those before by the formulas of sums, within 10⁻¹² of the definition in 1000 steps.
pub(super) struct LanczosAngles {
    a: f64,
    /// Sine and cosine of πd and of πd/a, for the next distance d.
    angles: [[f64; 2]; 2],
    /// Those of the steps of both angles.
    steps: [[f64; 2]; 2],
}

impl LanczosAngles {
    /// From distance `d` on.
    pub(super) fn new(d: f64, step: f64, a: f64) -> Self {
        let of = |d: f64| [PI * d, PI * d / a].map(|angle| <[f64; 2]>::from(angle.sin_cos()));
        Self { a, angles: of(d), steps: of(step) }
    }

    /// The weight at `d`, the next distance.
    pub(super) fn next_weight(&mut self, d: f64) -> f64 {
        let t = PI * d;
        let weight = if d.abs() < 1.0 / 64.0 {
            // A quotient of small numbers would enlarge the errors of the sines.
            lanczos_weight(d, self.a)
        } else if d.abs() >= self.a {
            0.0
        } else {
            self.a * self.angles[0][0] * self.angles[1][0] / (t * t)
        };
        for ([sine, cosine], [of_step, cosine_of_step]) in self.angles.iter_mut().zip(self.steps) {
            let next = *sine * cosine_of_step - *cosine * of_step;
            *cosine = *cosine * cosine_of_step + *sine * of_step;
            *sine = next;
        }
        weight
    }
}

/// exp(−d²/2σ²) for |d| ≤ 4σ, else 0. It jumps by e⁻⁸ = 3.4·10⁻⁴ at |d| = 4σ.
pub(super) fn gaussian_weight(d: f64, sigma: f64) -> f64 {
    if d.abs() <= 4.0 * sigma { (-d * d / (2.0 * sigma * sigma)).exp() } else { 0.0 }
}
