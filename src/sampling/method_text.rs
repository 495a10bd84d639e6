//! Methods as text, both ways: a named row (`catmull-rom`), or a form with its parameters (`cubic=0.2,0.4`). Numbers may be
//! fractions (`1/3`). Where commas already separate something else, colons stand for them (`cubic=0.2:0.4`).

use std::path::Path;
use std::str::FromStr;

use super::custom::{CustomError, CustomKernel};
use super::method::{METHODS, Method};
use super::parameters::{Real, SplineDegree};
use crate::text::{number_text, shortened};

/// A form of a method's text that takes parameters or names a kernel without a row.
#[derive(Debug)]
pub struct MethodForm {
    /// What stands before the equals sign.
    pub name: &'static str,
    /// The whole form, as help shows it: `cubic=B,C`.
    pub usage: &'static str,
    /// Its name in menus.
    pub title: &'static str,
    /// Its name up to the parameters, which follow it: `Lanczos with a radius of`.
    pub phrase: &'static str,
    /// One line on the kernel.
    pub help: &'static str,
    /// What follows the equals sign.
    pub parameters: FormParameters,
}

/// What a form takes.
#[derive(Clone, Copy, Debug)]
pub enum FormParameters {
    /// Numbers within their ranges, and the method that they make.
    Numbers(&'static [MethodParameter], fn(&[f64]) -> Method),
    /// The name of a file with a table of weights.
    File,
}

/// A number that a form takes.
#[derive(Debug)]
pub struct MethodParameter {
    /// Its name.
    pub name: &'static str,
    /// Its least and its largest value.
    pub range: (f64, f64),
    /// The value that editors start from.
    pub default: f64,
    /// Whether it is a whole number.
    pub is_whole: bool,
}

const fn real(name: &'static str, range: (f64, f64), default: f64) -> MethodParameter {
    MethodParameter { name, range, default, is_whole: false }
}

/// The forms, in the order of menus.
pub static METHOD_FORMS: [MethodForm; 8] = [
    MethodForm {
        name: "cubic",
        usage: "cubic=B,C",
        title: "Cubic (B, C)",
        phrase: "Cubic with B and C of",
        help: "Mitchell and Netravali's cubic: B blurs, C rings",
        parameters: FormParameters::Numbers(&[real("B", (-1.0, 2.0), 0.2), real("C", (-1.0, 2.0), 0.4)], |numbers| {
            cubic_of(numbers[0], numbers[1])
        }),
    },
    MethodForm {
        name: "keys",
        usage: "keys=a",
        title: "Keys (a)",
        phrase: "Keys with a slope of",
        help: "Keys' cubic through the samples: a = -1/2 is Catmull-Rom, -3/4 is OpenCV's bicubic",
        parameters: FormParameters::Numbers(&[real("a", (-2.0, 1.0), -0.75)], |numbers| cubic_of(0.0, -numbers[0])),
    },
    MethodForm {
        name: "hermite",
        usage: "hermite",
        title: "Hermite",
        phrase: "Hermite",
        help: "a cubic between two samples: flat at each sample, no overshoot",
        parameters: FormParameters::Numbers(&[], |_| Method::Hermite),
    },
    MethodForm {
        name: "bspline",
        usage: "bspline=n",
        title: "B-spline (degree n)",
        phrase: "B-spline of degree",
        help: "the B-spline of degree 0 to 5: blurs from degree 2 on, unless the prefilter is on",
        parameters: FormParameters::Numbers(
            &[MethodParameter { name: "n", range: (0.0, 5.0), default: 5.0, is_whole: true }],
            |numbers| match numbers[0] as u8 {
                0 => Method::Nearest,
                1 => Method::Linear,
                2 => Method::BSpline(SplineDegree::Quadratic),
                3 => Method::BSpline(SplineDegree::Cubic),
                4 => Method::BSpline(SplineDegree::Quartic),
                _ => Method::BSpline(SplineDegree::Quintic),
            },
        ),
    },
    MethodForm {
        name: "o-moms",
        usage: "o-moms",
        title: "O-MOMS (cubic)",
        phrase: "O-MOMS (cubic)",
        help: "the cubic of least approximation error over four samples, with the prefilter on",
        parameters: FormParameters::Numbers(&[], |_| Method::OMoms),
    },
    MethodForm {
        name: "lanczos",
        usage: "lanczos=a",
        title: "Lanczos (a)",
        phrase: "Lanczos with a radius of",
        help: "windowed sinc with a radius of 1 to 8 samples",
        parameters: FormParameters::Numbers(&[real("a", (1.0, 8.0), 2.5)], |numbers| Method::Lanczos {
            a: Real::new(numbers[0]),
        }),
    },
    MethodForm {
        name: "gaussian",
        usage: "gaussian=sigma",
        title: "Gaussian (sigma)",
        phrase: "Gaussian with a sigma of",
        help: "a Gaussian of sigma samples, cut off at 4 sigma: smooth, blurs",
        parameters: FormParameters::Numbers(&[real("sigma", (0.3, 8.0), 1.0)], |numbers| Method::Gaussian {
            sigma: Real::new(numbers[0]),
        }),
    },
    MethodForm {
        name: "custom",
        usage: "custom=FILE",
        title: "Custom (file)",
        phrase: "Custom from the file",
        help: "straight lines through a table of d,w read from a CSV file",
        parameters: FormParameters::File,
    },
];

/// The cubic of B and C by its one value.
fn cubic_of(b: f64, c: f64) -> Method {
    match (b, c) {
        (1.0, 0.0) => Method::BSPLINE,
        (0.0, 0.0) => Method::Hermite,
        _ => Method::Cubic { b: Real::new(b), c: Real::new(c) },
    }
}

/// Why a text, or numbers, are not a method.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum MethodError {
    /// Neither a name nor a form.
    #[error("there is no method '{}'; there are {}", shortened(.name), method_usages())]
    Name {
        /// The text.
        name: String,
    },
    /// Another number of parameters.
    #[error("method '{name}' is {usage}: it takes {}, not {given}", count_text(*.count))]
    Count {
        /// The form.
        name: &'static str,
        /// The form with its parameters.
        usage: &'static str,
        /// How many it takes.
        count: usize,
        /// How many there are.
        given: usize,
    },
    /// A parameter out of its range, or not a number.
    #[error("method '{form}': {name} must be {range}, not {value}")]
    Range {
        /// The form.
        form: &'static str,
        /// The parameter.
        name: &'static str,
        /// Its range in words.
        range: String,
        /// The value or text given.
        value: String,
    },
    /// A custom kernel's file that cannot be used.
    #[error(transparent)]
    Custom(#[from] CustomError),
}

fn count_text(count: usize) -> String {
    match count {
        0 => "no parameters".to_owned(),
        1 => "1 parameter".to_owned(),
        count => format!("{count} parameters"),
    }
}

/// Every name and every form, as a list.
pub(crate) fn method_usages() -> String {
    let usages = METHOD_FORMS.iter().map(|form| form.usage);
    let all: Vec<&str> = METHODS.iter().map(|row| row.name).chain(usages).collect();
    match all.split_last() {
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

impl MethodParameter {
    /// Its range in words: `between 1 and 8`.
    pub fn range_text(&self) -> String {
        let whole = if self.is_whole { "a whole number " } else { "" };
        format!("{whole}between {} and {}", self.range.0, self.range.1)
    }
}

impl MethodForm {
    /// Whether it has parameters that are numbers.
    pub fn takes_numbers(&self) -> bool {
        matches!(self.parameters, FormParameters::Numbers([_, ..], _))
    }

    /// Whether it has no parameters.
    pub fn takes_none(&self) -> bool {
        matches!(self.parameters, FormParameters::Numbers([], _))
    }

    /// The form of this name.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        METHOD_FORMS.iter().find(|form| form.name == name)
    }

    /// The method of these numbers.
    ///
    /// # Errors
    /// If there are too many or too few, or one is out of its range; and if the form takes a file.
    pub fn method(&self, numbers: &[f64]) -> Result<Method, MethodError> {
        let count = |count| MethodError::Count { name: self.name, usage: self.usage, count, given: numbers.len() };
        let FormParameters::Numbers(parameters, make) = self.parameters else { return Err(count(1)) };
        if numbers.len() != parameters.len() {
            return Err(count(parameters.len()));
        }
        for (parameter, &number) in parameters.iter().zip(numbers) {
            let (least, largest) = parameter.range;
            let is_in_range = (least..=largest).contains(&number) && !(parameter.is_whole && number.fract() != 0.0);
            if !is_in_range {
                return Err(self.out_of_range(parameter, number_text(number)));
            }
        }
        Ok(make(numbers))
    }

    /// The numbers of this form that make `method`; `None` if none do.
    pub fn numbers_of(&self, method: Method) -> Option<Vec<f64>> {
        let of_cubics = match method {
            Method::Cubic { c, .. } => vec![vec![-c.get()]],
            Method::Hermite => vec![vec![0.0, 0.0], vec![0.0]],
            Method::BSPLINE => vec![vec![1.0, 0.0]],
            _ => Vec::new(),
        };
        let mut candidates = of_cubics.into_iter().chain([method.numbers()]);
        candidates.find(|numbers| self.method(numbers) == Ok(method))
    }

    fn out_of_range(&self, parameter: &MethodParameter, value: String) -> MethodError {
        MethodError::Range { form: self.name, name: parameter.name, range: parameter.range_text(), value }
    }

    /// The numbers of `text`, one for each parameter.
    fn numbers(&self, text: Option<&str>) -> Result<Vec<f64>, MethodError> {
        let FormParameters::Numbers(parameters, _) = self.parameters else { return Ok(Vec::new()) };
        let parts: Vec<&str> = text.map_or(Vec::new(), |text| text.split([',', ':']).map(str::trim).collect());
        if parts.len() != parameters.len() {
            let count = parameters.len();
            return Err(MethodError::Count { name: self.name, usage: self.usage, count, given: parts.len() });
        }
        let numbers = parts.iter().zip(parameters).map(|(part, parameter)| {
            number(part).ok_or_else(|| self.out_of_range(parameter, format!("'{}'", shortened(part))))
        });
        numbers.collect()
    }
}

/// A number, or the quotient of two.
fn number(text: &str) -> Option<f64> {
    match text.split_once('/') {
        Some((above, below)) => Some(above.trim().parse::<f64>().ok()? / below.trim().parse::<f64>().ok()?),
        None => text.parse().ok(),
    }
}

impl Method {
    /// Mitchell and Netravali's cubic; B and C between −1 and 2.
    ///
    /// ```
    /// use lerpscope::sampling::Method;
    /// assert_eq!(Method::cubic(0.0, 0.5), Ok(Method::CATMULL_ROM));
    /// assert_eq!(Method::cubic(1.0, 0.0), Ok(Method::BSPLINE));
    /// ```
    ///
    /// # Errors
    /// If a parameter is out of its range.
    pub fn cubic(b: f64, c: f64) -> Result<Self, MethodError> {
        METHOD_FORMS[0].method(&[b, c])
    }

    /// Keys' cubic, `cubic(0, -a)`; a between −2 and 1.
    ///
    /// # Errors
    /// If a is out of its range.
    pub fn keys(a: f64) -> Result<Self, MethodError> {
        METHOD_FORMS[1].method(&[a])
    }

    /// The B-spline of degree 0 to 5; degree 0 is [`Method::Nearest`], degree 1 [`Method::Linear`].
    ///
    /// # Errors
    /// If the degree is larger.
    pub fn bspline(degree: u32) -> Result<Self, MethodError> {
        METHOD_FORMS[3].method(&[f64::from(degree)])
    }

    /// Lanczos; a between 1 and 8.
    ///
    /// # Errors
    /// If a is out of its range.
    pub fn lanczos(a: f64) -> Result<Self, MethodError> {
        METHOD_FORMS[5].method(&[a])
    }

    /// The Gaussian of a standard deviation between 0.3 and 8 samples.
    ///
    /// # Errors
    /// If sigma is out of its range.
    pub fn gaussian(sigma: f64) -> Result<Self, MethodError> {
        METHOD_FORMS[6].method(&[sigma])
    }

    /// The form that its text has without a row; of a cubic `cubic`.
    pub fn form(self) -> &'static MethodForm {
        &METHOD_FORMS[match self {
            Self::Cubic { .. } => 0,
            Self::Hermite => 2,
            Self::Nearest | Self::Linear | Self::BSpline(_) => 3,
            Self::OMoms => 4,
            Self::Lanczos { .. } => 5,
            Self::Gaussian { .. } => 6,
            Self::Custom(_) => 7,
        }]
    }

    /// The parameters of [`Method::form`]; none of a custom kernel.
    pub fn numbers(self) -> Vec<f64> {
        match self {
            Self::Nearest => vec![0.0],
            Self::Linear => vec![1.0],
            Self::Cubic { b, c } => vec![b.get(), c.get()],
            Self::BSpline(degree) => vec![f64::from(degree as u8)],
            Self::Lanczos { a } => vec![a.get()],
            Self::Gaussian { sigma } => vec![sigma.get()],
            Self::Hermite | Self::OMoms | Self::Custom(_) => Vec::new(),
        }
    }

    /// The method of `text`: a name, an alias, or a form. A relative file of a custom kernel is in `folder`.
    ///
    /// # Errors
    /// If the text is no method, a parameter is out of its range, or the file holds no kernel.
    pub fn read(text: &str, folder: &Path) -> Result<Self, MethodError> {
        let text = text.trim();
        if let Some(method) = Self::by_name(text) {
            return Ok(method);
        }
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name.trim(), Some(value)));
        let form = MethodForm::by_name(name).ok_or_else(|| MethodError::Name { name: text.to_owned() })?;
        match (form.parameters, value) {
            (FormParameters::Numbers(..), value) => form.method(&form.numbers(value)?),
            (FormParameters::File, Some(file)) if !file.trim().is_empty() => {
                Ok(Self::Custom(CustomKernel::open(&folder.join(file))?))
            }
            (FormParameters::File, _) => {
                Err(MethodError::Count { name: form.name, usage: form.usage, count: 1, given: 0 })
            }
        }
    }
}

impl FromStr for Method {
    type Err = MethodError;

    /// As [`Method::read`], files relative to the working folder.
    fn from_str(text: &str) -> Result<Self, MethodError> {
        Self::read(text, Path::new(""))
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples_of_methods;
    use super::*;

    fn wrong(text: &str) -> String {
        text.parse::<Method>().expect_err(text).to_string()
    }

    #[test]
    fn methods_written_as_text_are_parsed_back_equal() {
        let mut random = fastrand::Rng::with_seed(11);
        let mut between = |least: f64, largest: f64| least + (largest - least) * random.f64();
        let mut methods = samples_of_methods();
        for _ in 0..2000 {
            methods.push(Method::cubic(between(-1.0, 2.0), between(-1.0, 2.0)).expect("in range"));
            methods.push(Method::keys(between(-2.0, 1.0)).expect("in range"));
            methods.push(Method::lanczos(between(1.0, 8.0)).expect("in range"));
            methods.push(Method::gaussian(between(0.3, 8.0)).expect("in range"));
        }
        for method in methods {
            let text = method.to_string();
            assert_eq!(text.parse(), Ok(method), "{text}");
            if !matches!(method, Method::Custom(_)) {
                assert_eq!(text.replace(',', ":").parse(), Ok(method), "{text}");
            }
            let made = method.form().method(&method.numbers()).ok();
            assert_eq!(made, (!matches!(method, Method::Custom(_))).then_some(method));
            for form in &METHOD_FORMS {
                if let Some(numbers) = form.numbers_of(method) {
                    assert_eq!(form.method(&numbers), Ok(method), "{text} as {}", form.usage);
                }
            }
        }
    }

    #[test]
    fn named_rows_are_values_of_the_forms() {
        for (form, name) in [
            ("bspline=0", "nearest"),
            ("bspline=1", "linear"),
            ("bspline=3", "bspline"),
            ("cubic=1,0", "bspline"),
            ("cubic=0,1/2", "catmull-rom"),
            ("keys=-0.5", "catmull-rom"),
            ("cubic=1/3, 1/3", "mitchell"),
            ("lanczos=2", "lanczos2"),
            ("lanczos=3", "lanczos3"),
            ("lanczos=4", "lanczos4"),
            ("cubic=0,0", "hermite"),
            ("keys=0", "hermite"),
            ("cubic=-0,0.75", "cubic=0,0.75"),
            ("keys=-0.75", "cubic=0,0.75"),
            (" bspline = 2 ", "bspline=2"),
        ] {
            assert_eq!(form.parse::<Method>().expect(form).to_string(), name, "{form}");
        }
    }

    #[test]
    fn forms_give_the_numbers_of_the_values_that_they_make() {
        let numbers = |form: &str, text: &str| {
            let form = MethodForm::by_name(form).expect("a form");
            form.numbers_of(text.parse().expect("a method"))
        };
        assert_eq!(numbers("cubic", "bspline"), Some(vec![1.0, 0.0]));
        assert_eq!(numbers("cubic", "hermite"), Some(vec![0.0, 0.0]));
        assert_eq!(numbers("cubic", "catmull-rom"), Some(vec![0.0, 0.5]));
        assert_eq!(numbers("keys", "catmull-rom"), Some(vec![-0.5]));
        assert_eq!(numbers("keys", "mitchell"), None);
        assert_eq!(numbers("bspline", "bspline"), Some(vec![3.0]));
        assert_eq!(numbers("bspline", "linear"), Some(vec![1.0]));
        assert_eq!(numbers("lanczos", "lanczos3"), Some(vec![3.0]));
        assert_eq!(numbers("hermite", "hermite"), Some(vec![]));
        assert_eq!(numbers("gaussian", "lanczos3"), None);
    }

    #[test]
    fn wrong_text_is_named_with_the_allowed_range() {
        assert_eq!(wrong("lanczos=0.5"), "method 'lanczos': a must be between 1 and 8, not 0.5");
        assert_eq!(wrong("lanczos=NaN"), "method 'lanczos': a must be between 1 and 8, not NaN");
        assert_eq!(wrong("gaussian=0.29"), "method 'gaussian': sigma must be between 0.3 and 8, not 0.29");
        assert_eq!(wrong("gaussian=inf"), "method 'gaussian': sigma must be between 0.3 and 8, not inf");
        assert_eq!(wrong("gaussian=1/0"), "method 'gaussian': sigma must be between 0.3 and 8, not inf");
        assert_eq!(wrong("bspline=6"), "method 'bspline': n must be a whole number between 0 and 5, not 6");
        assert_eq!(wrong("bspline=2.5"), "method 'bspline': n must be a whole number between 0 and 5, not 2.5");
        assert_eq!(wrong("cubic=0,x"), "method 'cubic': C must be between -1 and 2, not 'x'");
        assert_eq!(wrong("keys=-3"), "method 'keys': a must be between -2 and 1, not -3");
        assert_eq!(wrong("cubic=1"), "method 'cubic' is cubic=B,C: it takes 2 parameters, not 1");
        assert_eq!(wrong("cubic"), "method 'cubic' is cubic=B,C: it takes 2 parameters, not 0");
        assert_eq!(wrong("hermite=1"), "method 'hermite' is hermite: it takes no parameters, not 1");
        assert_eq!(wrong("custom="), "method 'custom' is custom=FILE: it takes 1 parameter, not 0");
        let unknown = wrong("sinc");
        assert!(unknown.starts_with("there is no method 'sinc'; there are nearest, linear, bspline, "), "{unknown}");
        assert!(unknown.ends_with(", gaussian=sigma and custom=FILE"), "{unknown}");
        assert!(wrong("sinc=3").starts_with("there is no method 'sinc=3'; "));
    }
}
