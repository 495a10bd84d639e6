//! Kernels written out from their published formulas, for tests that hold the crate's weights against them. Nothing here
//! is shared with the crate.

use std::f64::consts::PI;

/// Calls `$callback!` with `$arguments`, then the name and the text of each method that the suites walk: all named rows,
/// and values of every form.
macro_rules! with_methods {
    ($callback:ident!($($arguments:tt)*)) => {
        $callback! {
            $($arguments)*
            nearest = "nearest",
            linear = "linear",
            bspline = "bspline",
            catmull_rom = "catmull-rom",
            mitchell = "mitchell",
            lanczos2 = "lanczos2",
            lanczos3 = "lanczos3",
            lanczos4 = "lanczos4",
            cubic_of_blur_and_ringing = "cubic=0.2,0.4",
            cubic_beyond_the_usual = "cubic=-0.5,1.25",
            keys_as_opencv = "keys=-0.75",
            hermite = "hermite",
            bspline_of_degree_0 = "bspline=0",
            bspline_of_degree_1 = "bspline=1",
            bspline_of_degree_2 = "bspline=2",
            bspline_of_degree_3 = "bspline=3",
            bspline_of_degree_4 = "bspline=4",
            bspline_of_degree_5 = "bspline=5",
            o_moms = "o-moms",
            lanczos_1 = "lanczos=1",
            lanczos_2_and_a_half = "lanczos=2.5",
            lanczos_8 = "lanczos=8",
            gaussian_narrow = "gaussian=0.3",
            gaussian_1 = "gaussian=1",
            gaussian_8 = "gaussian=8",
            custom_even = "custom=tests/data/kernels/tent.csv",
            custom_one_sided = "custom=tests/data/kernels/one-sided.csv",
            custom_normalized = "custom=tests/data/kernels/wide.csv",
            custom_ringing = "custom=tests/data/kernels/ringing.csv",
        }
    };
}

macro_rules! texts {
    ($($name:ident = $text:literal,)*) => {
        /// The texts of the methods that the suites walk; the named rows first.
        pub(crate) const METHOD_TEXTS: [&str; [$($text),*].len()] = [$($text),*];
    };
}
with_methods!(texts!());

/// How many of [`METHOD_TEXTS`] are names.
pub(crate) const NAMED: usize = 8;

/// A kernel by its definition.
pub(crate) struct Definition {
    /// w(d) = 0 beyond.
    pub(crate) radius: f64,
    /// Whether the weights of a position are divided by their sum.
    pub(crate) is_normalized: bool,
    reads: Reads,
    weight: Box<dyn Fn(f64) -> f64>,
}

/// Which samples a position reads.
enum Reads {
    /// Those at most a radius away.
    Support,
    /// n + 1 from ⌊x⌋ − (n − 1)/2 for odd n, from ⌊x + ½⌋ − n/2 for even n.
    Spline(i64),
}

impl Definition {
    /// The kernel of a method's text.
    pub(crate) fn of(text: &str) -> Self {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let numbers: Vec<f64> = value.split(',').filter_map(|number| number.parse().ok()).collect();
        match (name, numbers.as_slice()) {
            ("nearest", _) => Self::spline(0),
            ("linear", _) => Self::spline(1),
            ("bspline", &[degree]) => Self::spline(degree as i64),
            ("bspline", _) => Self::spline(3),
            ("catmull-rom", _) => Self::cubic(0.0, 0.5),
            ("mitchell", _) => Self::cubic(1.0 / 3.0, 1.0 / 3.0),
            ("cubic", &[b, c]) => Self::cubic(b, c),
            ("keys", &[a]) => Self::cubic(0.0, -a),
            ("hermite", _) => Self::new(1.0, false, |d| if d.abs() < 1.0 { hermite(d.abs()) } else { 0.0 }),
            ("o-moms", _) => Self::new(2.0, false, o_moms),
            ("lanczos", &[a]) => Self::lanczos(a),
            ("lanczos2", _) => Self::lanczos(2.0),
            ("lanczos3", _) => Self::lanczos(3.0),
            ("lanczos4", _) => Self::lanczos(4.0),
            ("gaussian", &[sigma]) => Self::new(4.0 * sigma, true, move |d| {
                if d.abs() <= 4.0 * sigma { (-0.5 * (d / sigma).powi(2)).exp() } else { 0.0 }
            }),
            ("custom", _) => {
                Self::table(&std::fs::read_to_string(value).unwrap_or_else(|why| panic!("{value}: {why}")))
            }
            _ => panic!("there is no definition of {text} here"),
        }
    }

    fn new(radius: f64, is_normalized: bool, weight: impl Fn(f64) -> f64 + 'static) -> Self {
        Self { radius, is_normalized, reads: Reads::Support, weight: Box::new(weight) }
    }

    fn spline(degree: i64) -> Self {
        let radius = (degree as f64 + 1.0) / 2.0;
        Self { reads: Reads::Spline(degree), ..Self::new(radius, false, move |d| bspline(degree, d)) }
    }

    /// Mitchell and Netravali (1988), equation 8, as printed.
    fn cubic(b: f64, c: f64) -> Self {
        let weight = move |d: f64| {
            let x = d.abs();
            let sixfold = if x < 1.0 {
                (12.0 - 9.0 * b - 6.0 * c) * x.powi(3) + (-18.0 + 12.0 * b + 6.0 * c) * x.powi(2) + (6.0 - 2.0 * b)
            } else if x < 2.0 {
                (-b - 6.0 * c) * x.powi(3)
                    + (6.0 * b + 30.0 * c) * x.powi(2)
                    + (-12.0 * b - 48.0 * c) * x
                    + (8.0 * b + 24.0 * c)
            } else {
                0.0
            };
            sixfold / 6.0
        };
        Self::new(2.0, false, weight)
    }

    fn lanczos(a: f64) -> Self {
        Self::new(a, true, move |d| if d.abs() < a { sinc(d) * sinc(d / a) } else { 0.0 })
    }

    /// Straight lines through the rows of a file.
    fn table(text: &str) -> Self {
        let is_normalized = text.starts_with("normalized");
        let number = |text: &str| text.parse::<f64>().expect("a number");
        let lines = text.lines().filter_map(|line| line.split_once(','));
        let rows: Vec<(f64, f64)> = lines.map(|(d, w)| (number(d), number(w))).collect();
        let is_even = rows[0].0 == 0.0;
        let radius = rows.iter().map(|(d, _)| d.abs()).fold(0.0, f64::max);
        let weight = move |d: f64| {
            let d = if is_even { d.abs() } else { d };
            let on = |pair: &[(f64, f64)]| {
                let [(from, a), (to, b)] = [pair[0], pair[1]];
                (from..=to).contains(&d).then(|| a + (b - a) * (d - from) / (to - from))
            };
            rows.windows(2).find_map(on).unwrap_or(0.0)
        };
        Self::new(radius, is_normalized, weight)
    }

    /// w(d).
    pub(crate) fn weight(&self, d: f64) -> f64 {
        (self.weight)(d)
    }

    /// The samples that position `x` reads with their weights.
    pub(crate) fn taps(&self, x: f64) -> Vec<(i64, f64)> {
        let samples = match self.reads {
            Reads::Support => (x - self.radius).ceil() as i64..=(x + self.radius).floor() as i64,
            Reads::Spline(degree) => {
                let first = if degree % 2 == 1 {
                    x.floor() as i64 - (degree - 1) / 2
                } else {
                    (x + 0.5).floor() as i64 - degree / 2
                };
                first..=first + degree
            }
        };
        let taps: Vec<(i64, f64)> = samples.map(|k| (k, self.weight(x - k as f64))).collect();
        self.divided(taps)
    }

    /// The same where the kernel is stretched: divided by the sum whatever the kernel; the nearest sample alone where none
    /// has a weight.
    pub(crate) fn stretched_taps(&self, x: f64, stretch: f64) -> Vec<(i64, f64)> {
        let reach = self.radius * stretch + 1.0;
        let samples = (x - reach).floor() as i64..=(x + reach).ceil() as i64;
        let taps: Vec<(i64, f64)> = samples.map(|k| (k, self.weight((x - k as f64) / stretch))).collect();
        if taps.iter().map(|(_, weight)| weight.abs()).sum::<f64>() < 1e-9 {
            return vec![((x + 0.5).floor() as i64, 1.0)];
        }
        divided(taps)
    }

    fn divided(&self, taps: Vec<(i64, f64)>) -> Vec<(i64, f64)> {
        if self.is_normalized { divided(taps) } else { taps }
    }
}

fn divided(taps: Vec<(i64, f64)>) -> Vec<(i64, f64)> {
    let sum: f64 = taps.iter().map(|(_, weight)| weight).sum();
    taps.into_iter().map(|(k, weight)| (k, weight / sum)).collect()
}

/// sin(πd)/(πd).
fn sinc(d: f64) -> f64 {
    if d == 0.0 { 1.0 } else { (PI * d).sin() / (PI * d) }
}

fn hermite(d: f64) -> f64 {
    2.0 * d.powi(3) - 3.0 * d.powi(2) + 1.0
}

/// The B-spline by its recursion: βₙ(d) = ((h + d)·βₙ₋₁(d + ½) + (h − d)·βₙ₋₁(d − ½))/n with h = (n + 1)/2, from the box,
/// which holds its left end.
fn bspline(degree: i64, d: f64) -> f64 {
    if degree == 0 {
        return if (-0.5..0.5).contains(&d) { 1.0 } else { 0.0 };
    }
    let half = (degree as f64 + 1.0) / 2.0;
    ((half + d) * bspline(degree - 1, d + 0.5) + (half - d) * bspline(degree - 1, d - 0.5)) / degree as f64
}

/// β₃(d) + β₃″(d)/42, the second derivative as the second difference of β₁.
fn o_moms(d: f64) -> f64 {
    let second = bspline(1, d + 1.0) - 2.0 * bspline(1, d) + bspline(1, d - 1.0);
    bspline(3, d) + second / 42.0
}
