//! Warps as text: `lens=0.3,0.8`, `swirl=90`, `perspective=0,0,1,0,1,1,0,1`, `grid=[0,0,0.1,0;0,0,0,0]`, `none`. Colons may
//! replace commas. Where files are read, `grid=FILE` reads a CSV file; text that is written has the displacements themselves.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::{Lattice, LatticeError, Quad, WARPS, Warp, WarpKind};
use crate::text::{number_text, shortened};

/// Error of a warp's text.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum WarpError {
    /// Unknown kind.
    #[error("there is no warp '{}'; there are {}", shortened(.0), names())]
    Name(String),
    /// A text that is no number.
    #[error("warp '{kind}': '{}' is not a number", shortened(.text))]
    Number {
        /// The kind.
        kind: WarpKind,
        /// The text given.
        text: String,
    },
    /// Another number of numbers.
    #[error("warp '{kind}' takes {}, not {given}", counts(*.kind))]
    Count {
        /// The kind.
        kind: WarpKind,
        /// Number of numbers given.
        given: usize,
    },
    /// A number out of range.
    #[error("warp '{kind}': {name} must be between {} and {}, not {}", .range.0, .range.1, number_text(*.value))]
    Range {
        /// The kind.
        kind: WarpKind,
        /// The parameter.
        name: &'static str,
        /// Smallest and largest value.
        range: (f64, f64),
        /// The number given.
        value: f64,
    },
    /// Corners that are not those of a picture in perspective.
    #[error(
        "warp 'perspective': the four corners, clockwise from the upper left, must make a convex quadrilateral within ±{reach}",
        reach = Quad::REACH
    )]
    Corners,
    /// A lattice that cannot be used.
    #[error("warp 'grid': {0}")]
    Lattice(#[from] LatticeError),
}

fn names() -> String {
    WARPS.iter().map(|row| row.name).collect::<Vec<_>>().join(", ")
}

fn counts(kind: WarpKind) -> String {
    match kind {
        WarpKind::None => "no numbers".to_owned(),
        WarpKind::Perspective => "8 numbers".to_owned(),
        WarpKind::Lens | WarpKind::Swirl | WarpKind::Grid => format!("1 to {} numbers", kind.row().parameters.len()),
    }
}

impl Warp {
    /// The warp of `text`, where `grid=FILE` reads a file, relative to `folder`.
    ///
    /// # Errors
    /// [`WarpError`] as in parsing, and for a file without a lattice.
    pub fn read(text: &str, folder: &Path) -> Result<Self, WarpError> {
        parse(text, Some(folder))
    }
}

impl FromStr for Warp {
    type Err = WarpError;

    /// Reads no file: [`Warp::read`] does.
    fn from_str(text: &str) -> Result<Self, WarpError> {
        parse(text, None)
    }
}

fn parse(text: &str, folder: Option<&Path>) -> Result<Warp, WarpError> {
    let (name, rest) = text.split_once('=').map_or((text, None), |(name, rest)| (name, Some(rest.trim())));
    let kind = WarpKind::by_name(name.trim()).ok_or_else(|| WarpError::Name(name.trim().to_owned()))?;
    if let (WarpKind::Grid, Some(rest)) = (kind, rest) {
        return Ok(Warp::Grid(lattice(rest, folder)?));
    }
    let number = |part: &str| {
        let part = part.trim();
        let wrong = || WarpError::Number { kind, text: part.to_owned() };
        let parsed = match part.split_once('/') {
            Some((above, below)) => above.trim().parse::<f64>().and_then(|a| Ok(a / below.trim().parse::<f64>()?)),
            None => part.parse(),
        };
        parsed.ok().filter(|number: &f64| number.is_finite()).ok_or_else(wrong)
    };
    let numbers: Vec<f64> = rest.map_or(Ok(Vec::new()), |rest| rest.split([',', ':']).map(number).collect())?;
    let count = WarpError::Count { kind, given: numbers.len() };
    if kind == WarpKind::Perspective {
        if rest.is_none() {
            return Ok(Warp::default_of(kind));
        }
        let (corners, odd) = numbers.as_chunks::<2>();
        let corners: [[f64; 2]; 4] = corners.try_into().map_err(|_| count.clone())?;
        let quad = if odd.is_empty() { Quad::new(corners).ok_or(WarpError::Corners) } else { Err(count) };
        return quad.map(Warp::Perspective);
    }
    let rows = kind.row().parameters;
    if numbers.len() > rows.len() {
        return Err(count);
    }
    for (row, &value) in rows.iter().zip(&numbers) {
        if !(row.range.0..=row.range.1).contains(&value) {
            return Err(WarpError::Range { kind, name: row.name, range: row.range, value });
        }
    }
    // −0 and 0 compare equal as requests.
    Ok(Warp::default_of(kind).with_parameters(&numbers.iter().map(|value| value + 0.0).collect::<Vec<_>>()))
}

fn lattice(text: &str, folder: Option<&Path>) -> Result<Lattice, LatticeError> {
    match (text.strip_prefix('[').and_then(|text| text.strip_suffix(']')), folder) {
        (Some(inside), _) => Lattice::of_lines(inside.split(';')),
        (None, Some(folder)) if !text.is_empty() => Lattice::open(&folder.join(text)),
        (None, _) => Err(LatticeError::Text(text.to_owned())),
    }
}

impl fmt::Display for Warp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn list<T: Copy + fmt::Display + fmt::LowerExp>(numbers: &[T]) -> String {
            numbers.iter().map(|value| number_text(*value)).collect::<Vec<_>>().join(",")
        }
        f.write_str(self.kind().row().name)?;
        match self {
            Self::None => Ok(()),
            Self::Lens { .. } | Self::Swirl { .. } => write!(f, "={}", list(&self.parameters())),
            Self::Perspective(quad) => write!(f, "={}", list(quad.corners().as_flattened())),
            Self::Grid(lattice) => {
                let rows = lattice.shifts().chunks(lattice.size()[0] as usize);
                let rows: Vec<String> = rows.map(|row| list(row.as_flattened())).collect();
                write!(f, "=[{}]", rows.join(";"))
            }
        }
    }
}
