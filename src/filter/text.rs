//! Steps and chains as text: parsing of `--filter`, and the output of “copy as command line”.
//!
//! A step is a filter's name, then its parameters in the row's order or by name: `negative`, `gaussian=1.5`,
//! `bilateral=3,0.1`,
//! `bilateral=3,0.1,threshold=0.5`. Missing parameters have their defaults; a last `off` disables the step. Numbers may be
//! fractions (`1/8`). Colons may replace commas, for texts in which commas separate other things (`bilateral=3:0.1`). A
//! chain is steps separated by semicolons, or `none`.
//!
//! The first value of `convolve` is its matrix: `[0,-1,0;-1,5,-1;0,-1,0]`, the name of a usual one (`box`, which is also
//! normalized), or where files are read the name of a file (without commas, colons and semicolons). Text that is written has
//! the weights themselves.
//!
//! The first value of `inpaint` is its mask: `alpha`, a rectangle `[x,y,w,h]` (as four whole numbers it needs no brackets), or where
//! files are read the name of a picture, in which `%2C` stands for a comma, `%3A` for a colon and `%3B` for a semicolon.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::step::Operand;
use super::{Chain, Filter, FilterError, Mask, Matrix, MatrixError, NamedMatrix, ParameterRow, Step};

impl FromStr for Step {
    type Err = FilterError;

    /// Reads no file: [`Step::read`] does.
    fn from_str(text: &str) -> Result<Self, FilterError> {
        parse_step(text, None)
    }
}

impl Step {
    /// The step of `text`, where `convolve=FILE` and `inpaint=FILE` read a file, relative to `folder`. The step has the file's
    /// contents and does not depend on the file further on; only the text of a mask does.
    ///
    /// # Errors
    /// [`FilterError`] as in parsing, and for a file without a matrix or a picture.
    pub fn read(text: &str, folder: &Path) -> Result<Self, FilterError> {
        parse_step(text, Some(folder))
    }
}

/// The step of `text`. Files are relative to `folder`, and refused without one.
fn parse_step(text: &str, folder: Option<&Path>) -> Result<Step, FilterError> {
    let (name, rest) = text.split_once('=').map_or((text, None), |(name, rest)| (name, Some(rest)));
    let (name, off_alone) = match name.trim().split_once([',', ':']) {
        Some((name, tail)) if rest.is_none() && tail.trim() == "off" => (name, true),
        _ => (name.trim(), false),
    };
    let filter = Filter::by_name(name).ok_or_else(|| FilterError::Name { name: name.to_owned() })?;
    let mut step = Step::default_of(filter);
    step.enabled = !off_alone;
    let mut rest = rest.map(str::trim);
    if let Some(text) = rest {
        let rows = filter.row().parameters;
        match step.operand() {
            Operand::None => {}
            Operand::Matrix(_) => {
                let (matrix, numbers) = split_operand(text, rows);
                if let Some(matrix) = matrix {
                    let weights =
                        parse_matrix(matrix, folder).map_err(|error| FilterError::Matrix { filter, error })?;
                    step = step.with_normalized(weights);
                }
                rest = numbers;
            }
            Operand::Mask(_) => {
                let (mask, numbers) = match split_rectangle(text) {
                    Some((rectangle, numbers)) => (Some(rectangle), numbers),
                    None => split_operand(text, rows),
                };
                if let Some(mask) = mask {
                    // A rectangle may have lost its brackets.
                    let bare = mask.starts_with(|c: char| c.is_ascii_digit()) && mask.contains([',', ':']);
                    let mask = if bare { Mask::read(&format!("[{mask}]"), folder) } else { Mask::read(mask, folder) };
                    step = step.with_mask(mask.map_err(|error| FilterError::Mask { filter, error })?);
                }
                rest = numbers;
            }
        }
    }
    let mut parts: Vec<&str> = rest.map_or(Vec::new(), |rest| rest.split([',', ':']).map(str::trim).collect());
    if parts.last() == Some(&"off") {
        step.enabled = false;
        parts.pop();
    }
    let rows = filter.row().parameters;
    let mut given = Vec::new();
    for (place, part) in parts.iter().enumerate() {
        let (index, value) = match part.split_once('=') {
            Some((name, value)) => {
                let name = name.trim();
                let index = rows.iter().position(|row| row.name == name);
                (index.ok_or_else(|| FilterError::Parameter { filter, name: name.to_owned() })?, value.trim())
            }
            None => (place, *part),
        };
        let row = rows.get(index).ok_or(FilterError::Count { filter, given: parts.len() })?;
        given.push((index, number(filter, row, value)?));
    }
    // In the order of the rows: a parameter that follows another one is set after it.
    given.sort_by_key(|(index, _)| *index);
    for (index, value) in given {
        step.set(index, value)?;
    }
    Ok(step)
}

/// Four whole numbers at the start of `text`, if there are as many, and the numbers behind them.
fn split_rectangle(text: &str) -> Option<(&str, Option<&str>)> {
    let is_whole = |part: &str| !part.trim().is_empty() && part.trim().bytes().all(|byte| byte.is_ascii_digit());
    let mut ends = text.match_indices([',', ':']).map(|(at, _)| at).chain([text.len()]);
    let end = ends.nth(3)?;
    let rest = text.get(end + 1..).map(str::trim);
    text[..end].split([',', ':']).all(is_whole).then_some((&text[..end], rest))
}

/// The text of a matrix or a mask at the start of `text`, if there is one, and the numbers behind it.
fn split_operand<'a>(text: &'a str, rows: &[ParameterRow]) -> (Option<&'a str>, Option<&'a str>) {
    let end = if text.starts_with('[') { text.find(']').map_or(text.len(), |end| end + 1) } else { 0 };
    let separator = text[end..].find([',', ':']).map(|at| end + at);
    let (first, numbers) = match separator {
        Some(at) => (text[..at].trim(), Some(text[at + 1..].trim())),
        None => (text, None),
    };
    let is_parameter = first.split_once('=').is_some_and(|(name, _)| rows.iter().any(|row| row.name == name.trim()));
    if is_parameter || first == "off" { (None, Some(text)) } else { (Some(first), numbers) }
}

/// A matrix in brackets, the name of a usual one, or a file's in `folder`.
fn parse_matrix(text: &str, folder: Option<&Path>) -> Result<(Matrix, bool), MatrixError> {
    if text.starts_with('[') {
        return Ok((text.parse()?, false));
    }
    match (NamedMatrix::by_name(text), folder) {
        (Some(named), _) => Ok(named.normalized_weights()),
        (None, Some(folder)) => Matrix::open(&folder.join(text)),
        (None, None) => Err(MatrixError::Text(text.to_owned())),
    }
}

/// A number, the quotient of two, or the name of a value that has one.
fn number(filter: Filter, row: &ParameterRow, text: &str) -> Result<f64, FilterError> {
    let refused = || FilterError::Number { filter, name: row.name, range: row.range_text(), text: text.to_owned() };
    if !row.choices.is_empty() {
        let named = row.choices.iter().position(|choice| choice.name == text).ok_or_else(refused)?;
        return Ok(named as f64);
    }
    let parsed = match text.split_once('/') {
        Some((above, below)) => above.trim().parse::<f64>().and_then(|a| Ok(a / below.trim().parse::<f64>()?)),
        None => text.parse(),
    };
    parsed.map_err(|_| refused())
}

impl fmt::Display for Step {
    /// Writes every parameter up to the last that differs from its usual value, and the matrix or the mask before them if it or
    /// one of them does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.filter().row().name)?;
        let rows = self.filter().row().parameters;
        let values = self.parameters();
        let changed = (0..values.len()).rfind(|&index| values[index] != self.usual_value(index));
        let mut separator = '=';
        let is_changed = changed.is_some() || self.operand() != Self::default_of(self.filter()).operand();
        match self.operand() {
            Operand::Matrix(matrix) if is_changed => write!(f, "={matrix}")?,
            Operand::Mask(mask) if is_changed => write!(f, "={mask}")?,
            Operand::None | Operand::Matrix(_) | Operand::Mask(_) => {}
        }
        if is_changed && self.operand() != Operand::None {
            separator = ',';
        }
        for (value, row) in self.parameters().iter().zip(rows).take(changed.map_or(0, |last| last + 1)) {
            write!(f, "{separator}{}", row.value_text(*value))?;
            separator = ',';
        }
        if self.enabled { Ok(()) } else { f.write_str(",off") }
    }
}

impl FromStr for Chain {
    type Err = FilterError;

    /// Reads no file: [`Chain::read`] does.
    fn from_str(text: &str) -> Result<Self, FilterError> {
        parse_chain(text, None)
    }
}

impl Chain {
    /// The chain of `text`, where `convolve=FILE` and `inpaint=FILE` read a file, relative to `folder`.
    ///
    /// # Errors
    /// As of [`Step::read`].
    pub fn read(text: &str, folder: &Path) -> Result<Self, FilterError> {
        parse_chain(text, Some(folder))
    }
}

fn parse_chain(text: &str, folder: Option<&Path>) -> Result<Chain, FilterError> {
    if text.trim() == "none" {
        return Ok(Chain::default());
    }
    // A semicolon within brackets separates the rows of a matrix.
    let mut is_inside = false;
    let steps = text.split(|c: char| {
        is_inside = (is_inside || c == '[') && c != ']';
        c == ';' && !is_inside
    });
    steps.map(|step| parse_step(step, folder)).collect::<Result<_, _>>().map(Chain)
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("none");
        }
        for (index, step) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { ";" };
            write!(f, "{separator}{step}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FILTERS, MATRICES, MaskRectangle};
    use super::*;

    fn random_step(random: &mut fastrand::Rng) -> Step {
        let row = &FILTERS[random.usize(..FILTERS.len())];
        let mut step = Step::default_of(row.filter);
        for (index, parameter) in row.parameters.iter().enumerate() {
            let (low, high) = parameter.range;
            let value = low + (high - low) * random.f64();
            if random.bool() {
                step.set(index, if parameter.whole { value.round() } else { value }).expect("in its range");
            }
        }
        step.enabled = random.bool();
        if random.bool() {
            let size = [random.u32(1..=4), random.u32(1..=4)];
            let weights: Vec<f64> = (0..size[0] * size[1]).map(|_| 8.0 * random.f64() - 4.0).collect();
            step = step.with_matrix(Matrix::new(size[0], &weights).expect("a matrix"));
            let parts = [random.u32(..9), random.u32(..9), random.u32(1..9), random.u32(1..9)];
            step = step.with_mask(Mask::Rectangle(MaskRectangle::of_parts(parts).expect("a rectangle")));
        }
        step
    }

    #[test]
    fn chain_written_as_text_is_parsed_back_equal() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..2000 {
            let chain = Chain((0..random.usize(..4)).map(|_| random_step(&mut random)).collect());
            let text = chain.to_string();
            assert_eq!(text.parse().as_ref(), Ok(&chain), "{text}");
            assert_eq!(text.replace(',', ":").parse().as_ref(), Ok(&chain), "{text}");
        }
    }

    #[test]
    fn step_texts_are_parsed_as_documented() {
        let parameters = |text: &str| text.parse::<Step>().expect(text).parameters().to_vec();
        assert_eq!(parameters("gamma=2.2"), [2.2]);
        assert_eq!(parameters("gaussian=1/2"), [0.5, 0.5, 0.0]);
        assert_eq!(parameters("gaussian=2,0"), [2.0, 0.0, 0.0]);
        assert_eq!(parameters("gaussian=radius=3"), [2.0, 2.0, 3.0]);
        assert_eq!(parameters("gaussian=sigma-y=2,sigma=3"), [3.0, 2.0, 0.0], "a sigma along y that is given stays");
        let written = |text: &str| text.parse::<Step>().expect(text).to_string();
        assert_eq!(written("gaussian=1.5,1.5"), "gaussian=1.5");
        assert_eq!(written("gaussian=1.5,1.5,4"), "gaussian=1.5,1.5,4");
        assert_eq!(written("gaussian=2,2"), "gaussian");
        assert_eq!(parameters("negative"), Vec::<f64>::new());
        assert_eq!(parameters("brightness=colour=0"), [1.0, 0.0]);
        assert_eq!(parameters("bilateral=3, 0.1"), [3.0, 0.1, 0.0, 0.0, 0.0]);
        assert_eq!(parameters("bilateral=threshold=0.5,show=share"), [3.0, 0.1, 0.0, 0.5, 1.0]);
        assert!(!"negative,off".parse::<Step>().expect("a step").enabled);
        assert!(!"gaussian=3,off".parse::<Step>().expect("a step").enabled);
        assert_eq!(parameters("noise=salt-and-pepper,seed=7"), [2.0, 0.05, 7.0]);
        assert_eq!("noise=kind=uniform,1/4".parse::<Step>().expect("a step").to_string(), "noise=uniform,0.25");
        assert_eq!("bilateral=3,0.1".parse::<Step>().expect("a step").to_string(), "bilateral");
    }

    #[test]
    fn matrix_is_given_by_weights_by_name_or_by_file() {
        let step = |text: &str| text.parse::<Step>().expect(text);
        assert_eq!(step("convolve").to_string(), "convolve");
        assert_eq!(step("convolve=sharpen"), step("convolve"));
        assert_eq!(step("convolve=[1:2;3:4]:1:off"), step("convolve=[1,2;3,4],normalized=1,off"));
        assert_eq!(step("convolve=[ 1, 2 ; 3, 4 ] , x=-1").to_string(), "convolve=[1,2;3,4],0,-1");
        assert_eq!(step("convolve=x=2").to_string(), "convolve=[0,-1,0;-1,5,-1;0,-1,0],0,2");
        assert_eq!(step("convolve=box").to_string(), "convolve=[1,1,1;1,1,1;1,1,1],1");
        assert_eq!(step("convolve=box,0").to_string(), "convolve=[1,1,1;1,1,1;1,1,1]");
        assert!(!step("convolve,off").enabled && !step("convolve=off").enabled && !step("convolve=edge,off").enabled);
        for row in &MATRICES {
            let named = step(&format!("convolve={}", row.name));
            assert_eq!(
                (named.matrix(), named.parameters()[0]),
                (Some(row.matrix.weights()), f64::from(row.normalized))
            );
        }
        let chain: Chain = "convolve=[1;2];negative;convolve=[1,2;3,4],1".parse().expect("a chain");
        assert_eq!((chain.0.len(), chain.to_string().as_str()), (3, "convolve=[1;2];negative;convolve=[1,2;3,4],1"));
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("k.csv"), "normalized\n1,2\n3,4\n").expect("written");
        let read = |text: &str| Step::read(text, folder.path());
        assert_eq!(read("convolve=k.csv").as_ref(), Ok(&step("convolve=[1,2;3,4],1")));
        assert_eq!(read("convolve=k.csv,0,x=1"), Ok(step("convolve=[1,2;3,4],x=1")));
        assert_eq!(read("convolve=box"), Ok(step("convolve=box")));
        assert_eq!(
            Chain::read("sobel;convolve=k.csv", folder.path()),
            Ok("sobel;convolve=[1,2;3,4],1".parse().expect("a chain"))
        );
        let missing = read("convolve=none.csv").expect_err("no file").to_string();
        let file = folder.path().join("none.csv");
        assert!(missing.starts_with(&format!("filter 'convolve': {}: ", file.display())), "{missing}");
    }

    #[test]
    fn invalid_matrix_text_is_refused_by_what_is_wrong() {
        let wrong = |text: &str| text.parse::<Step>().expect_err(text).to_string();
        let none = "is no matrix, such as [0,-1,0;-1,5,-1;0,-1,0], and not the name of one: sharpen,";
        for text in ["k.csv", "[1,2", "[1,2]3", "", "3"] {
            let message = wrong(&format!("convolve={text}"));
            assert!(message.starts_with(&format!("filter 'convolve': '{text}' {none}")), "{message}");
        }
        assert_eq!(wrong("convolve=[1,2;3]"), "filter 'convolve': row 2 of the matrix has 1 weights, the first row 2");
        assert_eq!(wrong("convolve=box,2"), "filter 'convolve': normalized must be 0 or 1, not 2");
        assert_eq!(
            wrong("convolve=box,y=17"),
            "filter 'convolve': y must be a whole number between -16 and 16 samples, not 17"
        );
        assert_eq!(wrong("convolve=box,1,0,0,0"), "filter 'convolve' takes at most 3 parameters, not 4");
    }

    #[test]
    fn mask_is_alpha_a_rectangle_or_a_file() {
        let step = |text: &str| text.parse::<Step>().expect(text);
        assert_eq!(step("inpaint").mask(), Some(Mask::Alpha));
        assert_eq!(step("inpaint=alpha,membrane").to_string(), "inpaint=alpha,membrane");
        assert_eq!(step("inpaint=[1:2:3:4]:membrane:off"), step("inpaint=1,2,3,4,kind=membrane,off"));
        assert_eq!(step("inpaint=1:2:3:4").to_string(), "inpaint=[1,2,3,4]");
        assert_eq!(step("inpaint= 1 , 2, 3,4 , membrane,3,0.5").to_string(), "inpaint=[1,2,3,4],membrane,3,0.5");
        assert_eq!(step("inpaint=tint=0.5").to_string(), "inpaint=alpha,normalized-convolution,2,0.5");
        assert!(!step("inpaint,off").enabled && !step("inpaint=off").enabled && !step("inpaint=alpha,off").enabled);
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("m.pgm"), "P2 2 1 1 0 1\n").expect("written");
        let read = Step::read("inpaint=m.pgm,membrane", folder.path()).expect("a mask");
        let text = read.to_string();
        assert!(text.ends_with("m.pgm,membrane"), "{text}");
        assert_eq!(Chain::read(&format!("{text};negative"), Path::new("")).map(|chain| chain.0[0]), Ok(read));
    }

    #[test]
    fn invalid_mask_text_is_refused_by_what_is_wrong() {
        let wrong = |text: &str| text.parse::<Step>().expect_err(text).to_string();
        assert_eq!(
            wrong("inpaint=m.pgm"),
            "filter 'inpaint': 'm.pgm' is no mask: alpha, a rectangle such as [10,20,64,32], or a picture's file"
        );
        assert!(wrong("inpaint=1,2,0,4").ends_with("up to 16777216 samples, not '[1,2,0,4]'"));
        assert!(wrong("inpaint=[1,2,3],membrane").ends_with("up to 16777216 samples, not '[1,2,3]'"));
        assert_eq!(
            wrong("inpaint=alpha,smooth"),
            "filter 'inpaint': kind must be normalized-convolution or membrane, not 'smooth'"
        );
        let missing = Step::read("inpaint=none.png", Path::new("nowhere")).expect_err("no file").to_string();
        assert!(missing.starts_with("filter 'inpaint': ") && missing.contains("none.png: "), "{missing}");
    }

    #[test]
    fn invalid_step_text_is_refused_with_the_allowed_values() {
        let wrong = |text: &str| text.parse::<Step>().expect_err(text).to_string();
        let sigma = "filter 'gaussian': sigma must be between 0.01 and 64 samples, not";
        for (value, shown) in
            [("0", "0"), ("-1", "-1"), ("NaN", "NaN"), ("64.5", "64.5"), ("inf", "inf"), ("1/0", "inf")]
        {
            assert_eq!(wrong(&format!("gaussian={value}")), format!("{sigma} {shown}"));
        }
        assert_eq!(wrong("gaussian=wide"), format!("{sigma} 'wide'"));
        assert_eq!(wrong("gaussian="), format!("{sigma} ''"));
        assert_eq!(wrong("median=1,2"), "filter 'median' takes 1 parameter, not 2");
        assert_eq!(wrong("gaussian=1,2,3,4"), "filter 'gaussian' takes at most 3 parameters, not 4");
        assert_eq!(wrong("gaussian=1,-2"), "filter 'gaussian': sigma-y must be between 0 and 64 samples, not -2");
        assert_eq!(wrong("negative=1"), "filter 'negative' takes no parameters, not 1");
        assert_eq!(
            wrong("median=1.5"),
            "filter 'median': radius must be a whole number between 1 and 16 samples, not 1.5"
        );
        assert_eq!(
            wrong("bilateral=3,0.1,33"),
            "filter 'bilateral': radius must be a whole number between 0 and 32 samples, not 33"
        );
        assert_eq!(
            wrong("gaussian=amount=3"),
            "filter 'gaussian' has no parameter 'amount'; it has sigma, sigma-y, radius"
        );
        for kind in ["pink", "0"] {
            let allowed = "filter 'noise': kind must be white, uniform or salt-and-pepper, not";
            assert_eq!(wrong(&format!("noise={kind}")), format!("{allowed} '{kind}'"));
        }
        assert!(wrong("blur=3").starts_with("there is no filter 'blur'; there are gamma, negative,"));
        assert!(wrong("").starts_with("there is no filter ''"));
    }
}
