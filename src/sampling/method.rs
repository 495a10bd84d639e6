//! Interpolation methods as values. A [`Method`] is a kernel family with its parameters: `Copy`, comparable, and a key of
//! hash maps. [`METHODS`] has the named ones, the shorthands of menus, files and the command line;
//! [`METHOD_FORMS`](super::METHOD_FORMS) has the forms that take parameters.
//!
//! A method gives weights ([`Method::kernel`]) and knows nothing of indices outside the image: those belong to the address
//! mode ([`crate::sampling::AddressMode`]).

use std::borrow::Cow;
use std::fmt;

use super::custom::CustomKernel;
use super::parameters::{Real, SplineDegree};
use crate::text::number_text;

/// An interpolation kernel. Equal values have equal weights at every distance.
///
/// The constructors ([`Method::cubic`], [`Method::lanczos`], …) check ranges and give each kernel one value: the cubic of
/// B = 1, C = 0 is [`Method::BSPLINE`], the B-spline of degree 1 is [`Method::Linear`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// The sample at ⌊x + ½⌋.
    Nearest,
    /// Linear interpolation between two samples.
    Linear,
    /// Mitchell and Netravali's two-parameter cubic, radius 2.
    Cubic {
        /// B: 0 interpolates if the kernel is Keys', 1 (with C = 0) is the cubic B-spline.
        b: Real,
        /// C: the negative lobe, −a of Keys' cubic where B = 0.
        c: Real,
    },
    /// The Hermite cubic, radius 1.
    Hermite,
    /// The B-spline of degree 2 to 5.
    BSpline(SplineDegree),
    /// The cubic O-MOMS, radius 2.
    OMoms,
    /// A sinc windowed by a wider sinc, normalized, radius a.
    Lanczos {
        /// The radius in samples.
        a: Real,
    },
    /// A Gaussian cut off at 4σ, normalized.
    Gaussian {
        /// The standard deviation in samples.
        sigma: Real,
    },
    /// A table of weights read from a file.
    Custom(CustomKernel),
}

/// A named method: a shorthand of a value.
#[derive(Debug)]
pub struct MethodRow {
    /// The value.
    pub method: Method,
    /// Its name on the command line and in files.
    pub name: &'static str,
    /// Other names that are read.
    pub aliases: &'static [&'static str],
    /// Its name in menus.
    pub title: &'static str,
    /// Its name where there is little room.
    pub short: &'static str,
    /// One line on its effect on an image.
    pub help: &'static str,
    /// How enlarged pictures look, in a few words, and in one or two.
    pub looks: [&'static str; 2],
}

/// The named methods, in the order of menus.
pub static METHODS: [MethodRow; 8] = [
    MethodRow {
        method: Method::Nearest,
        name: "nearest",
        aliases: &["nerp"],
        title: "Nearest (nerp)",
        short: "Nearest",
        help: "repeats the nearest sample: hard squares",
        looks: ["hard squares", "hard squares"],
    },
    MethodRow {
        method: Method::Linear,
        name: "linear",
        aliases: &["lerp"],
        title: "Linear (lerp)",
        short: "Linear",
        help: "straight lines between samples: continuous, with creases",
        looks: ["soft, with creases", "soft"],
    },
    MethodRow {
        method: Method::BSPLINE,
        name: "bspline",
        aliases: &["bicubic"],
        title: "Cubic B-spline (bicubic)",
        short: "B-spline",
        help: "the smoothest cubic: blurs, unless the prefilter makes it pass through the samples",
        looks: ["blurred, changes the samples", "blurred"],
    },
    MethodRow {
        method: Method::CATMULL_ROM,
        name: "catmull-rom",
        aliases: &["catrom"],
        title: "Catmull-Rom",
        short: "Catmull",
        help: "a cubic through the samples: sharp, overshoots a little at edges",
        looks: ["sharp, overshoots a little", "sharp"],
    },
    MethodRow {
        method: Method::MITCHELL,
        name: "mitchell",
        aliases: &["mitchell-netravali"],
        title: "Mitchell-Netravali",
        short: "Mitchell",
        help: "a cubic halfway between blur and ringing (B = C = 1/3)",
        looks: ["between blur and ringing", "balanced"],
    },
    MethodRow {
        method: Method::LANCZOS2,
        name: "lanczos2",
        aliases: &[],
        title: "Lanczos 2",
        short: "Lanczos 2",
        help: "windowed sinc over 4 samples: close to Catmull-Rom",
        looks: ["close to Catmull-Rom", "sharp, thin halo"],
    },
    MethodRow {
        method: Method::LANCZOS3,
        name: "lanczos3",
        aliases: &["lanczos"],
        title: "Lanczos 3",
        short: "Lanczos 3",
        help: "windowed sinc over 6 samples: sharp, rings at edges",
        looks: ["sharp, rings at edges", "sharp, rings"],
    },
    MethodRow {
        method: Method::LANCZOS4,
        name: "lanczos4",
        aliases: &[],
        title: "Lanczos 4",
        short: "Lanczos 4",
        help: "windowed sinc over 8 samples: sharp, rings widest",
        looks: ["sharpest, rings widest", "wide rings"],
    },
];

impl Method {
    /// The cubic B-spline, B = 1, C = 0.
    pub const BSPLINE: Self = Self::BSpline(SplineDegree::Cubic);
    /// The Catmull-Rom cubic, B = 0, C = ½.
    pub const CATMULL_ROM: Self = Self::Cubic { b: Real::new(0.0), c: Real::new(0.5) };
    /// The Mitchell-Netravali cubic, B = C = ⅓.
    pub const MITCHELL: Self = Self::Cubic { b: Real::new(1.0 / 3.0), c: Real::new(1.0 / 3.0) };
    /// Lanczos, a = 2.
    pub const LANCZOS2: Self = Self::Lanczos { a: Real::new(2.0) };
    /// Lanczos, a = 3.
    pub const LANCZOS3: Self = Self::Lanczos { a: Real::new(3.0) };
    /// Lanczos, a = 4.
    pub const LANCZOS4: Self = Self::Lanczos { a: Real::new(4.0) };

    /// Its place among [`METHODS`], if it has a name.
    pub fn position(self) -> Option<usize> {
        METHODS.iter().position(|row| row.method == self)
    }

    /// The row of this value, if it has a name.
    pub fn row(self) -> Option<&'static MethodRow> {
        self.position().map(|place| &METHODS[place])
    }

    /// The method of this name or alias. Forms with parameters are read by [`str::parse`].
    ///
    /// ```
    /// use lerpscope::sampling::Method;
    /// assert_eq!(Method::by_name("bicubic"), Some(Method::BSPLINE));
    /// assert_eq!(Method::by_name("cubic"), None);
    /// ```
    pub fn by_name(name: &str) -> Option<Self> {
        METHODS.iter().find(|row| row.name == name || row.aliases.contains(&name)).map(|row| row.method)
    }

    /// Its name in menus and headers: the row's title, else the value; of a custom kernel the file's name without its
    /// folder.
    pub fn title(self) -> Cow<'static, str> {
        match (self.row(), self) {
            (Some(row), _) => row.title.into(),
            (None, Self::Custom(kernel)) => format!("custom={}", kernel.file_name()).into(),
            (None, method) => method.to_string().into(),
        }
    }

    /// Its shortest name: the row's, else its title.
    pub fn label(self) -> Cow<'static, str> {
        self.row().map_or_else(|| self.title(), |row| row.name.into())
    }

    /// One line on its effect on an image.
    pub fn help(self) -> &'static str {
        self.row().map_or_else(|| self.form().help, |row| row.help)
    }
}

/// The shorthand of a named value, else the form with its parameters: `catmull-rom`, `cubic=0.2,0.4`. It reads back as the
/// same value.
impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(row) = self.row() {
            return f.write_str(row.name);
        }
        match self {
            Self::Cubic { b, c } => write!(f, "cubic={},{}", number_text(b.get()), number_text(c.get())),
            Self::Hermite => f.write_str("hermite"),
            Self::BSpline(degree) => write!(f, "bspline={}", *degree as u8),
            Self::OMoms => f.write_str("o-moms"),
            Self::Lanczos { a } => write!(f, "lanczos={}", number_text(a.get())),
            Self::Gaussian { sigma } => write!(f, "gaussian={}", number_text(sigma.get())),
            Self::Custom(kernel) => write!(f, "custom={}", kernel.file()),
            // Both have rows.
            Self::Nearest => f.write_str("nearest"),
            Self::Linear => f.write_str("linear"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_distinct_values_and_names() {
        let mut names: Vec<_> = METHODS.iter().flat_map(|row| row.aliases.iter().chain([&row.name])).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
        for row in &METHODS {
            assert_eq!(row.method.row().map(|found| found.name), Some(row.name));
            assert_eq!(Method::by_name(row.name), Some(row.method));
            assert_eq!((row.method.to_string(), row.method.title().into_owned()), (row.name.into(), row.title.into()));
        }
    }

    #[test]
    fn negative_zero_equals_zero() {
        assert_eq!(Real::new(-0.0), Real::new(0.0));
        assert_ne!(Real::new(0.1 + 0.2), Real::new(0.3));
    }
}
