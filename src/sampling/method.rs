//! Interpolation methods as rows: a name, a kernel w(d) and how far it reaches. Menus, command line, plots, CUDA entry
//! names, tests and benches walk [`METHODS`].
//!
//! A kernel is a function of d = x − k, the distance from sample k to the position x, in samples. The value at x is
//! Σ f[k]·w(x − k) over the samples within reach, divided by Σ w(x − k) where the row is [`MethodRow::normalized`]; in
//! two dimensions the weights multiply, axis by axis. Methods give weights and know nothing of what an index outside the
//! image means: that is the address mode's matter ([`crate::sampling::Address`]).

use std::f64::consts::PI;

use super::Path;

/// Which interpolation kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// The sample at ⌊x + ½⌋.
    Nearest,
    /// A straight line between neighbours.
    Linear,
    /// Cubic B-spline.
    BSpline,
    /// Catmull-Rom cubic.
    CatmullRom,
    /// Mitchell-Netravali cubic, B = C = ⅓.
    Mitchell,
    /// Lanczos, a = 2.
    Lanczos2,
    /// Lanczos, a = 3.
    Lanczos3,
    /// Lanczos, a = 4.
    Lanczos4,
}

/// All that is known of a method.
#[derive(Debug)]
pub struct MethodRow {
    /// Which one.
    pub method: Method,
    /// Its name on the command line and in files.
    pub name: &'static str,
    /// What else it answers to.
    pub aliases: &'static [&'static str],
    /// Its name for people.
    pub title: &'static str,
    /// One line on what it does to a picture.
    pub help: &'static str,
    /// Where w becomes zero, in samples.
    pub radius: f64,
    /// How many samples of one axis a position reads: those from ⌊x⌋ − taps/2 + 1 on, or ⌊x + ½⌋ alone.
    pub taps: usize,
    /// w(d).
    pub kernel: fn(f64) -> f64,
    /// Whether the weights of a position are divided by their sum.
    pub normalized: bool,
    /// The least stretch (scale × blur) of an antialiased view. From there on Σ|w| / Σw ≤ [`MethodRow::MAX_CONDITION`] at every
    /// position; below it a kernel with negative lobes has positions where the weights sum to 0. 0 where no weight is
    /// negative, since such weights never cancel.
    pub min_stretch: f64,
    /// Whether `f(k) = s[k]` without a prefilter.
    pub interpolates: bool,
    /// The sampling paths that serve it.
    pub paths: &'static [Path],
}

const EVERY_PATH: &[Path] = &[Path::Auto, Path::Filtered, Path::Lookup, Path::Tiled];
const EXACT_PATHS: &[Path] = &[Path::Auto, Path::Lookup, Path::Tiled];

/// The methods, in the order of menus.
pub static METHODS: [MethodRow; 8] = [
    MethodRow {
        method: Method::Nearest,
        name: "nearest",
        aliases: &["nerp"],
        title: "Nearest (nerp)",
        help: "repeats the nearest sample: hard squares",
        radius: 0.5,
        taps: 1,
        kernel: box_kernel,
        normalized: false,
        min_stretch: 0.0,
        interpolates: true,
        paths: EVERY_PATH,
    },
    MethodRow {
        method: Method::Linear,
        name: "linear",
        aliases: &["lerp"],
        title: "Linear (lerp)",
        help: "straight lines between samples: continuous, with creases",
        radius: 1.0,
        taps: 2,
        kernel: triangle_kernel,
        normalized: false,
        min_stretch: 0.0,
        interpolates: true,
        paths: EVERY_PATH,
    },
    MethodRow {
        method: Method::BSpline,
        name: "bspline",
        aliases: &["bicubic"],
        title: "Cubic B-spline (bicubic)",
        help: "the smoothest cubic: blurs, unless the prefilter makes it pass through the samples",
        radius: 2.0,
        taps: 4,
        kernel: bspline_kernel,
        normalized: false,
        min_stretch: 0.0,
        interpolates: false,
        paths: EVERY_PATH,
    },
    MethodRow {
        method: Method::CatmullRom,
        name: "catmull-rom",
        aliases: &["catrom"],
        title: "Catmull-Rom",
        help: "a cubic through the samples: sharp, overshoots a little at edges",
        radius: 2.0,
        taps: 4,
        kernel: catmull_rom_kernel,
        normalized: false,
        min_stretch: 0.52,
        interpolates: true,
        paths: EVERY_PATH,
    },
    MethodRow {
        method: Method::Mitchell,
        name: "mitchell",
        aliases: &["mitchell-netravali"],
        title: "Mitchell-Netravali",
        help: "a cubic halfway between blur and ringing (B = C = 1/3)",
        radius: 2.0,
        taps: 4,
        kernel: mitchell_kernel,
        normalized: false,
        min_stretch: 0.46,
        interpolates: false,
        paths: EXACT_PATHS,
    },
    MethodRow {
        method: Method::Lanczos2,
        name: "lanczos2",
        aliases: &[],
        title: "Lanczos 2",
        help: "windowed sinc over 4 samples: close to Catmull-Rom",
        radius: 2.0,
        taps: 4,
        kernel: |d| lanczos_kernel(d, 2.0),
        normalized: true,
        min_stretch: 0.52,
        interpolates: true,
        paths: EXACT_PATHS,
    },
    MethodRow {
        method: Method::Lanczos3,
        name: "lanczos3",
        aliases: &["lanczos"],
        title: "Lanczos 3",
        help: "windowed sinc over 6 samples: sharp, rings at edges",
        radius: 3.0,
        taps: 6,
        kernel: |d| lanczos_kernel(d, 3.0),
        normalized: true,
        min_stretch: 0.53,
        interpolates: true,
        paths: EXACT_PATHS,
    },
    MethodRow {
        method: Method::Lanczos4,
        name: "lanczos4",
        aliases: &[],
        title: "Lanczos 4",
        help: "windowed sinc over 8 samples: sharpest, rings widest",
        radius: 4.0,
        taps: 8,
        kernel: |d| lanczos_kernel(d, 4.0),
        normalized: true,
        min_stretch: 0.53,
        interpolates: true,
        paths: EXACT_PATHS,
    },
];

/// The most samples of one axis that any method reads where nothing is widened.
pub const MAX_TAPS: usize = 8;

impl Method {
    /// This method's row.
    pub fn row(self) -> &'static MethodRow {
        &METHODS[self as usize]
    }

    /// The method of this name or alias.
    ///
    /// ```
    /// use lerpscope::sampling::Method;
    /// assert_eq!(Method::by_name("bicubic"), Some(Method::BSpline));
    /// assert_eq!(Method::by_name("cubic"), None);
    /// ```
    pub fn by_name(name: &str) -> Option<Self> {
        METHODS.iter().find(|row| row.name == name || row.aliases.contains(&name)).map(|row| row.method)
    }
}

impl std::fmt::Display for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.row().name)
    }
}

impl MethodRow {
    /// The largest Σ|w| / Σw of an antialiased position. Rounding errors of a value grow with its square in two dimensions;
    /// single precision keeps them below 2·10⁻⁶ up to here.
    pub const MAX_CONDITION: f64 = 2.1;

    /// The first sample that a position reads.
    pub fn first_sample(&self, x: f64) -> f64 {
        if self.taps == 1 { (x + 0.5).floor() } else { x.floor() - (self.taps / 2) as f64 + 1.0 }
    }

    /// Writes the weights of the `taps` samples from [`MethodRow::first_sample`] on, for position `x`.
    ///
    /// # Panics
    /// Where `weights` is shorter than `taps`.
    pub fn weigh(&self, x: f64, weights: &mut [f64]) {
        let first = self.first_sample(x);
        let weights = &mut weights[..self.taps];
        for (k, weight) in weights.iter_mut().enumerate() {
            *weight = (self.kernel)(x - (first + k as f64));
        }
        if self.normalized {
            let sum: f64 = weights.iter().sum();
            weights.iter_mut().for_each(|weight| *weight /= sum);
        }
    }
}

/// 1 on [−½, ½): with d = x − k exactly one sample has it, the one at ⌊x + ½⌋.
fn box_kernel(d: f64) -> f64 {
    if (-0.5..0.5).contains(&d) { 1.0 } else { 0.0 }
}

/// 1 − |d|.
fn triangle_kernel(d: f64) -> f64 {
    (1.0 - d.abs()).max(0.0)
}

/// β³(d): Ruijters, ter Haar Romeny, Suetens (2008), section 4; 2/3 − d²(2 − |d|)/2 within 1, (2 − |d|)³/6 within 2.
fn bspline_kernel(d: f64) -> f64 {
    let d = d.abs();
    if d < 1.0 {
        2.0 / 3.0 - d * d * (2.0 - d) / 2.0
    } else if d < 2.0 {
        (2.0 - d).powi(3) / 6.0
    } else {
        0.0
    }
}

/// Keys's cubic with a = −½ (Keys 1981), which is Catmull-Rom.
fn catmull_rom_kernel(d: f64) -> f64 {
    let d = d.abs();
    if d < 1.0 {
        1.0 + d * d * (1.5 * d - 2.5)
    } else if d < 2.0 {
        2.0 + d * (-4.0 + d * (2.5 - 0.5 * d))
    } else {
        0.0
    }
}

/// Mitchell and Netravali (1988), equation 8, with B = C = 1/3.
fn mitchell_kernel(d: f64) -> f64 {
    let d = d.abs();
    if d < 1.0 {
        (7.0 * d * d * d - 12.0 * d * d + 16.0 / 3.0) / 6.0
    } else if d < 2.0 {
        (-7.0 / 3.0 * d * d * d + 12.0 * d * d - 20.0 * d + 32.0 / 3.0) / 6.0
    } else {
        0.0
    }
}

/// sinc(d)·sinc(d/a) within a, where sinc(x) = sin(πx)/(πx). Exactly 0 at whole d ≠ 0, so that whole positions return
/// their sample.
fn lanczos_kernel(d: f64, a: f64) -> f64 {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_enum() {
        for row in &METHODS {
            assert_eq!(row.method.row().name, row.name);
            assert!(row.taps <= MAX_TAPS);
        }
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = METHODS.iter().flat_map(|row| row.aliases.iter().chain([&row.name])).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn every_kernel_is_even_ends_at_its_radius_and_interpolates_as_its_row_says() {
        for row in &METHODS {
            assert_eq!((row.kernel)(row.radius), 0.0, "{}", row.name);
            assert_eq!((row.kernel)(row.radius + 0.3), 0.0, "{}", row.name);
            for i in 1..100 {
                let d = f64::from(i) / 99.5 * row.radius;
                assert!(((row.kernel)(d) - (row.kernel)(-d)).abs() < 1e-15, "{} at {d}", row.name);
            }
            let at_samples = (row.kernel)(0.0) == 1.0 && (1..4).all(|k| (row.kernel)(f64::from(k)) == 0.0);
            assert_eq!(at_samples, row.interpolates, "{}", row.name);
        }
    }

    #[test]
    fn weights_sum_to_one() {
        let mut weights = [0.0; MAX_TAPS];
        for row in &METHODS {
            for i in -50..=50 {
                let x = f64::from(i) * 0.073;
                row.weigh(x, &mut weights);
                let sum: f64 = weights[..row.taps].iter().sum();
                assert!((sum - 1.0).abs() < 1e-12, "{} at {x}: {sum}", row.name);
            }
        }
    }

    /// Σw and Σ|w| of the samples around `x` under a kernel stretched by `stretch`.
    fn sums(row: &MethodRow, x: f64, stretch: f64) -> (f64, f64) {
        let reach = (row.radius * stretch).ceil() as i32 + 1;
        let weights = (-reach..=reach + 1).map(|k| (row.kernel)((x - f64::from(k)) / stretch));
        weights.fold((0.0, 0.0), |(sum, magnitude), weight| (sum + weight, magnitude + weight.abs()))
    }

    #[test]
    fn weights_cancel_nowhere_from_the_least_stretch_on_and_somewhere_below_it() {
        for row in &METHODS {
            let condition = |stretch: f64| {
                let sums = (0..512).map(|phase| sums(row, f64::from(phase) / 512.0, stretch));
                sums.filter(|&(_, magnitude)| magnitude > 0.0).fold(0.0, |worst: f64, (sum, magnitude)| {
                    worst.max(if sum > 0.0 { magnitude / sum } else { f64::INFINITY })
                })
            };
            for step in 0..1000 {
                let stretch = row.min_stretch.max(0.01) + f64::from(step) * 0.004;
                let worst = condition(stretch);
                assert!(worst <= MethodRow::MAX_CONDITION, "{} stretched by {stretch}: {worst}", row.name);
            }
            if row.min_stretch > 0.0 {
                let worst = condition(row.min_stretch - 0.03);
                assert!(worst > MethodRow::MAX_CONDITION, "{}: {worst} below the least stretch", row.name);
            }
        }
    }

    /// The polynomials of the source documents, written out, against the kernels.
    #[test]
    fn cubic_weights_are_the_documents_polynomials() {
        let mut weights = [0.0; MAX_TAPS];
        for i in 0..64 {
            let a = f64::from(i) / 64.0;
            Method::BSpline.row().weigh(10.0 + a, &mut weights);
            let bspline = [
                (1.0 - a).powi(3) / 6.0,
                2.0 / 3.0 - a * a * (2.0 - a) / 2.0,
                2.0 / 3.0 - (1.0 - a).powi(2) * (1.0 + a) / 2.0,
                a.powi(3) / 6.0,
            ];
            for k in 0..4 {
                assert!((weights[k] - bspline[k]).abs() < 1e-14, "bspline w{k}({a})");
            }
            Method::CatmullRom.row().weigh(-3.0 + a, &mut weights);
            let catmull_rom = [
                a * (-0.5 + a * (1.0 - 0.5 * a)),
                1.0 + a * a * (-2.5 + 1.5 * a),
                a * (0.5 + a * (2.0 - 1.5 * a)),
                a * a * (-0.5 + 0.5 * a),
            ];
            for k in 0..4 {
                assert!((weights[k] - catmull_rom[k]).abs() < 1e-14, "catmull-rom w{k}({a})");
            }
        }
    }
}
