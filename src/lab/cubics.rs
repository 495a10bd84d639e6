//! The plane of Mitchell and Netravali's cubics: points with names, and what a kernel does to edges, detail and ramps.
//!
//! ```text
//!   C
//!   1 ┤ a = −1
//!     │ a = −¾            rings
//!   ½ ┤ Catmull-Rom ·
//!     │        ·  Mitchell
//!     │ blocks       ·          blurs
//!   0 ┼ Hermite ────────── · B-spline    B
//!     0                    1             B + 2C = 1: Keys' line
//! ```
//!
//! Mitchell and Netravali (1988) divided the plane by eye. Here three numbers divide it ([`CubicTraits`]).

use crate::rows::rows;
use crate::sampling::Method;

/// The properties of a cubic with a name.
#[derive(Debug)]
pub struct NamedCubicRow {
    /// The cubic.
    pub cubic: NamedCubic,
    /// Its name.
    pub title: &'static str,
    /// B.
    pub b: f64,
    /// C.
    pub c: f64,
    /// Where it is found.
    pub help: &'static str,
}

rows! {
    /// A cubic with a name.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum NamedCubic {
        /// B = 0, C = ½.
        CatmullRom => { title: "Catmull-Rom", b: 0.0, c: 0.5, help: "Keys' cubic of a = −0.5: Pillow's and MATLAB's bicubic" },
        /// B = 0, C = ¾.
        OpenCv => { title: "OpenCV", b: 0.0, c: 0.75, help: "Keys' cubic of a = −0.75: OpenCV's and PyTorch's bicubic" },
        /// B = C = ⅓.
        Mitchell => {
            title: "Mitchell",
            b: 1.0 / 3.0,
            c: 1.0 / 3.0,
            help: "Mitchell and Netravali's compromise, and ImageMagick's filter for enlarging",
        },
        /// B = 1, C = 0.
        BSpline => { title: "B-spline", b: 1.0, c: 0.0, help: "The cubic B-spline: no weight is negative" },
        /// B = C = 0.
        Hermite => { title: "Hermite", b: 0.0, c: 0.0, help: "Reads two samples; its slope is 0 at each of them" },
        /// The cubic of least error on images that vary slowly.
        Robidoux => {
            title: "Robidoux",
            b: 0.378_215_755_093_998_7,
            c: 0.310_892_122_453_000_7,
            help: "ImageMagick's cubic for distortions, close to Mitchell's",
        },
        /// A sharper one.
        RobidouxSharp => {
            title: "Robidoux sharp",
            b: 0.262_014_512_399_014_2,
            c: 0.368_992_743_800_492_9,
            help: "ImageMagick's sharper cubic for distortions",
        },
        /// B = 0, C = 1.
        Keys1 => { title: "a = −1", b: 0.0, c: 1.0, help: "Keys' cubic with the slope of the sinc at 1" },
    }

    /// The cubics with names, the most usual first.
    pub static NAMED_CUBICS: [NamedCubicRow { cubic, .. }];
}

impl NamedCubic {
    /// Its method.
    pub fn method(self) -> Method {
        let NamedCubicRow { b, c, .. } = self.row();
        Method::cubic(*b, *c).unwrap_or(Method::CATMULL_ROM)
    }
}

/// What a cubic does to pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubicTraits {
    /// How far the values across an edge from 0 to 1 fall below 0.
    pub overshoot: f64,
    /// Magnitude of the frequency response at a quarter of a cycle per sample: what is kept of half the sharpest detail.
    pub kept: f64,
    /// Largest error of a ramp of slope 1, in samples: 0 on Keys' line.
    pub ramp_error: f64,
}

/// The part of the plane that a cubic lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CubicRegion {
    /// Edges swing by more than 8 %.
    Rings,
    /// Less than 70 % is kept of detail of 4 samples.
    Blurs,
    /// A ramp becomes stairs: its error is above 0.08 samples.
    Blocks,
    /// None of these.
    Balanced,
}

/// Range of B and of C that a drawing of the plane shows.
pub const PLANE_RANGE: [f64; 2] = [-0.25, 1.25];

/// Largest overshoot, least kept magnitude, largest error of a ramp of a balanced cubic.
const MOST_OVERSHOOT: f64 = 0.08;
const LEAST_KEPT: f64 = 0.7;
const MOST_RAMP_ERROR: f64 = 0.08;
/// Fractions at which traits are computed.
const STEPS: i32 = 32;

impl CubicTraits {
    /// The traits of the cubic of B and C; `None` where they are out of the method's range.
    pub fn of([b, c]: [f64; 2]) -> Option<Self> {
        let kernel = Method::cubic(b, c).ok()?.kernel();
        let (mut overshoot, mut ramp_error) = (0.0_f64, 0.0_f64);
        for step in 0..=2 * STEPS {
            let x = f64::from(step) / f64::from(STEPS) - 1.0;
            // Samples are 0 up to 0, and 1 from 1 on.
            let edge: f64 = (1..=4).map(|k| kernel.weight(x - f64::from(k))).sum();
            let ramp: f64 = (-4..=4).map(|k| f64::from(k) * kernel.weight(x - f64::from(k))).sum();
            overshoot = overshoot.max(-edge);
            ramp_error = ramp_error.max((ramp - x).abs());
        }
        // Simpson's rule over [0, 2], exact to 10⁻⁷: the integrand is smooth but for a kink at an end of a step.
        let count = 4 * STEPS;
        let width = 2.0 / f64::from(count);
        let part = |step: i32| {
            let d = f64::from(step) * width;
            let factor = match step {
                0 => 1.0,
                step if step == count => 1.0,
                step if step % 2 == 1 => 4.0,
                _ => 2.0,
            };
            factor * kernel.weight(d) * (std::f64::consts::FRAC_PI_2 * d).cos()
        };
        let kept = 2.0 * (0..=count).map(part).sum::<f64>() * width / 3.0;
        Some(Self { overshoot, kept: kept.abs(), ramp_error })
    }

    /// The part of the plane; the strongest fault counts.
    pub fn region(&self) -> CubicRegion {
        let faults = [
            (CubicRegion::Rings, self.overshoot / MOST_OVERSHOOT),
            (CubicRegion::Blurs, (1.0 - self.kept) / (1.0 - LEAST_KEPT)),
            (CubicRegion::Blocks, self.ramp_error / MOST_RAMP_ERROR),
        ];
        let worst = faults.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        worst.filter(|(_, size)| *size > 1.0).map_or(CubicRegion::Balanced, |(region, _)| region)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_cubics_of_methods_with_names_are_those_methods() {
        assert_eq!(NamedCubic::CatmullRom.method(), Method::CATMULL_ROM);
        assert_eq!(NamedCubic::Mitchell.method(), Method::MITCHELL);
        assert_eq!(NamedCubic::BSpline.method(), Method::BSPLINE);
        assert_eq!(NamedCubic::Hermite.method(), Method::Hermite);
        assert_eq!(NamedCubic::OpenCv.method(), Method::keys(-0.75).expect("in range"));
        for row in &NAMED_CUBICS {
            let equal = NAMED_CUBICS.iter().filter(|other| (other.b, other.c) == (row.b, row.c));
            assert_eq!(equal.count(), 1, "{}", row.title);
        }
    }

    #[test]
    fn traits_are_the_closed_forms() {
        // The B-spline's response is sinc⁴; 2√2/π is sinc(¼) … to the fourth.
        let spline = CubicTraits::of([1.0, 0.0]).expect("in range");
        let sinc = (std::f64::consts::FRAC_PI_4).sin() / std::f64::consts::FRAC_PI_4;
        assert!((spline.kept - sinc.powi(4)).abs() < 1e-6, "{spline:?}");
        assert!(spline.overshoot == 0.0 && spline.ramp_error < 1e-12, "{spline:?}");
        // Catmull-Rom's outer piece −½·t²·(1 − t) … is least at t = 2/3: −2/27.
        let keys = CubicTraits::of([0.0, 0.5]).expect("in range");
        assert!((keys.overshoot - 2.0 / 27.0).abs() < 1e-3 && keys.ramp_error < 1e-12, "{keys:?}");
        // Hermite's ramp: 3α² − 2α³ − α is largest at α = ½ ± √3/6, where it is √3/18.
        let hermite = CubicTraits::of([0.0, 0.0]).expect("in range");
        assert!((hermite.ramp_error - 3.0_f64.sqrt() / 18.0).abs() < 1e-3, "{hermite:?}");
        assert_eq!(CubicTraits::of([5.0, 0.0]), None);
    }

    #[test]
    fn regions_have_the_cubics_that_show_their_faults() {
        let region = |b: f64, c: f64| CubicTraits::of([b, c]).expect("in range").region();
        assert_eq!([region(1.0 / 3.0, 1.0 / 3.0), region(0.0, 0.5)], [CubicRegion::Balanced; 2]);
        assert_eq!([region(0.0, 0.75), region(0.0, 1.0)], [CubicRegion::Rings; 2]);
        assert_eq!([region(1.0, 0.0), region(1.2, 0.0)], [CubicRegion::Blurs; 2]);
        assert_eq!(region(0.0, 0.0), CubicRegion::Blocks);
    }
}
