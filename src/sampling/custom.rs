//! Custom kernels: tables of weights read from CSV files.
//!
//! ```text
//! normalized
//! 0,1
//! 0.5,0.6
//! 1,0
//! ```
//!
//! Each line is a distance d and its weight w, with a comma between. Distances rise from 0, and then w(−d) = w(d), or from
//! a negative one. The kernel runs straight from row to row and is 0 beyond both ends. The word `normalized` in the first
//! line has the weights of a position divided by their sum. Empty lines are skipped.
//!
//! A table is kept until the program ends, once for each file name and content: methods refer to it by a pointer, which
//! makes them `Copy`. A file that is read again without a change takes no more memory.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::path::Path;
use std::ptr;
use std::sync::{Mutex, PoisonError};

use super::condition::MAX_UNSTRETCHED_CONDITION;
use crate::files::{ReadTextError, read_text_up_to};
use crate::text::{number_text, one_line, shortened};

/// A kernel read from a file: a handle to a table that is kept until the program ends. Two are equal if their tables are
/// the same.
#[derive(Clone, Copy)]
pub struct CustomKernel(&'static Table);

/// The numbers of a file.
#[derive(PartialEq)]
struct Table {
    /// The file's absolute name.
    file: String,
    /// The distances, rising, of both sides.
    distances: Vec<f64>,
    /// The weight at each distance.
    weights: Vec<f64>,
    is_normalized: bool,
}

/// Why a file holds no kernel.
#[derive(Clone, PartialEq, thiserror::Error)]
#[error("{file}{}: {cause}", line.map_or(String::new(), |line| format!(", line {line}")))]
pub struct CustomError {
    /// The file, in one line.
    pub file: String,
    /// The line that is wrong, counted from 1; `None` if the file as a whole is.
    pub line: Option<usize>,
    /// What is wrong.
    pub cause: CustomCause,
}

/// What is wrong with a custom kernel.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum CustomCause {
    /// It cannot be opened or read; the system's message.
    #[error("{0}")]
    Unreadable(String),
    /// A folder, a device, a pipe.
    #[error("is no regular file")]
    Kind,
    /// A line that is not two numbers.
    #[error("'{}' is not a distance and a weight, D,W", shortened(.0))]
    Row(String),
    /// A number that is infinite or NaN.
    #[error("{what} must be finite, not {}", number_text(*.value))]
    Finite {
        /// The distance or the weight.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A first distance above 0.
    #[error("the first distance must be 0, or negative, not {}", number_text(*.0))]
    Start(f64),
    /// A distance that is not above the one before.
    #[error("distances must rise: {} is not above {}", number_text(*.distance), number_text(*.previous))]
    Order {
        /// The distance.
        distance: f64,
        /// The one before.
        previous: f64,
    },
    /// A distance further than [`CustomKernel::MAX_RADIUS`].
    #[error("a distance must be between -{max} and {max}, not {}", number_text(*.0), max = CustomKernel::MAX_RADIUS)]
    Radius(f64),
    /// More rows than [`CustomKernel::MAX_ROWS`].
    #[error("there are more than {} rows", CustomKernel::MAX_ROWS)]
    TooManyRows,
    /// Fewer rows than two.
    #[error("a kernel needs at least 2 rows, not {0}")]
    TooFewRows(usize),
    /// A position where the weights sum to nothing, or nearly cancel.
    #[error(
        "its weights cancel at x = m + {}: they sum to {}, their magnitudes to {}",
        number_text(*.fraction), number_text(*.sum), number_text(*.magnitude)
    )]
    Cancel {
        /// The fraction α of the position.
        fraction: f64,
        /// Σw.
        sum: f64,
        /// Σ|w|.
        magnitude: f64,
    },
    /// Weights that are not divided by their sum and are too large.
    #[error(
        "its weights sum to {} in magnitude at x = m + {}, more than {}; 'normalized' in the first line divides by their sum",
        number_text(*.magnitude), number_text(*.fraction), MAX_UNSTRETCHED_CONDITION
    )]
    Sum {
        /// The fraction α of the position.
        fraction: f64,
        /// Σ|w|.
        magnitude: f64,
    },
}

/// Tables that were read so far.
static TABLES: Mutex<Vec<&'static Table>> = Mutex::new(Vec::new());

impl CustomKernel {
    /// The largest distance, in samples.
    pub const MAX_RADIUS: f64 = 32.0;
    /// The largest number of rows.
    pub const MAX_ROWS: usize = 65_536;
    /// The largest file, in bytes: 64 for each row.
    const MAX_BYTES: u64 = 64 * Self::MAX_ROWS as u64;

    /// The kernel in `file`.
    ///
    /// # Errors
    /// If the file cannot be read or holds no kernel; the message names the file and the line.
    pub fn open(file: &Path) -> Result<Self, CustomError> {
        let name = std::path::absolute(file).unwrap_or_else(|_| file.to_owned()).display().to_string();
        let wrong = |cause| CustomError { file: one_line(&name), line: None, cause };
        let unreadable = |error: ReadTextError| wrong(CustomCause::Unreadable(error.to_string()));
        // A pipe would be waited for, a device may never end.
        let metadata = std::fs::metadata(file).map_err(|error| unreadable(error.into()))?;
        if !metadata.is_file() {
            return Err(wrong(CustomCause::Kind));
        }
        let text = read_text_up_to(file, Self::MAX_BYTES).map_err(unreadable)?;
        Self::parse(&text, &name)
    }

    /// The kernel of a file's text; messages and the value's text call the file `name`.
    ///
    /// ```
    /// use lerpscope::sampling::CustomKernel;
    /// let tent = CustomKernel::parse("0,1\n1,0\n", "tent.csv")?;
    /// assert_eq!((tent.weight(-0.25), tent.radius()), (0.75, 1.0));
    /// # Ok::<(), lerpscope::sampling::CustomError>(())
    /// ```
    ///
    /// # Errors
    /// If the text holds no kernel; the message names the file and the line.
    pub fn parse(text: &str, name: &str) -> Result<Self, CustomError> {
        let table = Table::parse(text, name)?;
        table.check().map_err(|cause| CustomError { file: one_line(name), line: None, cause })?;
        let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = tables.iter().find(|kept| ***kept == table) {
            return Ok(Self(kept));
        }
        let kept: &'static Table = Box::leak(Box::new(table));
        tables.push(kept);
        Ok(Self(kept))
    }

    /// The file's absolute name.
    pub fn file(self) -> &'static str {
        &self.0.file
    }

    /// The file's name without its folder.
    pub fn file_name(self) -> &'static str {
        Path::new(self.file()).file_name().and_then(|name| name.to_str()).unwrap_or(self.file())
    }

    /// w(d): on the straight line between the rows around d, 0 beyond the first and the last.
    pub fn weight(self, d: f64) -> f64 {
        self.0.weight(d)
    }

    /// The larger distance of the two ends of the table, in samples.
    pub fn radius(self) -> f64 {
        self.0.radius()
    }

    /// The distances of the rows, rising, of both sides.
    pub fn distances(self) -> Vec<f64> {
        self.0.distances.clone()
    }

    /// Whether the weights of a position are divided by their sum.
    pub fn is_normalized(self) -> bool {
        self.0.is_normalized
    }

    /// Whether whole positions give their sample.
    pub fn interpolates(self) -> bool {
        let at = |k: i32| self.weight(f64::from(k));
        let reach = self.radius().floor() as i32;
        let others_are_zero = (1..=reach).all(|k| at(k) == 0.0 && at(-k) == 0.0);
        others_are_zero && (at(0) == 1.0 || (self.is_normalized() && at(0) > 0.0))
    }
}

impl PartialEq for CustomKernel {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(self.0, other.0)
    }
}

impl Eq for CustomKernel {}

impl Hash for CustomKernel {
    fn hash<H: Hasher>(&self, state: &mut H) {
        ptr::hash(self.0, state);
    }
}

impl fmt::Debug for CustomKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CustomKernel").field(&self.0.file).finish()
    }
}

impl Table {
    fn parse(text: &str, name: &str) -> Result<Self, CustomError> {
        let file = || one_line(name);
        let mut lines = text.strip_prefix('\u{feff}').unwrap_or(text).lines().map(str::trim).enumerate().peekable();
        let is_normalized = lines.next_if(|(_, line)| *line == "normalized").is_some();
        let mut rows: Vec<(f64, f64)> = Vec::new();
        for (index, line) in lines.filter(|(_, line)| !line.is_empty()) {
            let wrong = |cause| CustomError { file: file(), line: Some(index + 1), cause };
            let row = row_of(line, rows.last().map(|&(d, _)| d)).map_err(wrong)?;
            if rows.len() == CustomKernel::MAX_ROWS {
                return Err(wrong(CustomCause::TooManyRows));
            }
            rows.push(row);
        }
        if rows.len() < 2 {
            return Err(CustomError { file: file(), line: None, cause: CustomCause::TooFewRows(rows.len()) });
        }
        if rows[0].0 == 0.0 {
            let mirrored: Vec<(f64, f64)> = rows[1..].iter().rev().map(|&(d, w)| (-d, w)).collect();
            rows.splice(0..0, mirrored);
        }
        let (distances, weights) = rows.into_iter().unzip();
        Ok(Self { file: name.to_owned(), distances, weights, is_normalized })
    }

    fn radius(&self) -> f64 {
        let ends = [self.distances.first(), self.distances.last()];
        ends.into_iter().flatten().fold(0.0, |radius, d| radius.max(d.abs()))
    }

    fn weight(&self, d: f64) -> f64 {
        let after = self.distances.partition_point(|&distance| distance < d);
        match (after.checked_sub(1), self.distances.get(after)) {
            // The weight itself at a row: no rounding makes a sample's own weight other than it is written.
            (_, Some(&distance)) if distance == d => self.weights[after],
            (Some(before), Some(&distance)) => {
                let t = (d - self.distances[before]) / (distance - self.distances[before]);
                self.weights[before] * (1.0 - t) + self.weights[after] * t
            }
            _ => 0.0,
        }
    }

    /// Refuses weights that cancel, and large ones that nothing divides. Between the fractions that are tried, those of the
    /// rows and those just beside, Σw is linear and Σ|w| convex, so their quotient is largest at one of them.
    fn check(&self) -> Result<(), CustomCause> {
        const BESIDE: f64 = 1e-9;
        let reach = self.radius().ceil() as i32;
        let fractions =
            self.distances.iter().flat_map(|d| [0.0, -BESIDE, BESIDE].map(|step| (d + step).rem_euclid(1.0) + 0.0));
        for fraction in fractions {
            let (mut sum, mut magnitude) = (0.0, 0.0);
            for k in -reach..=reach + 1 {
                let weight = self.weight(fraction - f64::from(k));
                sum += weight;
                magnitude += weight.abs();
            }
            if sum <= 0.0 || magnitude > MAX_UNSTRETCHED_CONDITION * sum {
                return Err(CustomCause::Cancel { fraction, sum, magnitude });
            }
            if !self.is_normalized && magnitude > MAX_UNSTRETCHED_CONDITION {
                return Err(CustomCause::Sum { fraction, magnitude });
            }
        }
        Ok(())
    }
}

/// The numbers of a line that follows one of distance `previous`.
fn row_of(line: &str, previous: Option<f64>) -> Result<(f64, f64), CustomCause> {
    let number = |text: &str| text.trim().trim_matches('"').parse::<f64>().ok();
    let numbers = line.split_once(',').and_then(|(d, w)| Some((number(d)?, number(w)?)));
    let (distance, weight) = numbers.ok_or_else(|| CustomCause::Row(line.to_owned()))?;
    if !distance.is_finite() {
        return Err(CustomCause::Finite { what: "a distance", value: distance });
    }
    if !weight.is_finite() {
        return Err(CustomCause::Finite { what: "a weight", value: weight });
    }
    if distance.abs() > CustomKernel::MAX_RADIUS {
        return Err(CustomCause::Radius(distance));
    }
    match previous {
        None if distance > 0.0 => Err(CustomCause::Start(distance)),
        Some(previous) if distance <= previous => Err(CustomCause::Order { distance, previous }),
        _ => Ok((distance, weight)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> String {
        CustomKernel::parse(text, "k.csv").expect_err(text).to_string()
    }

    #[test]
    fn custom_table_of_one_side_is_mirrored_and_of_both_kept() {
        let even = CustomKernel::parse("0,0.75\r\n0.5,0.5\r\n\r\n1.5,0\r\n", "k.csv").expect("a kernel");
        for (d, w) in [(0.0, 0.75), (0.25, 0.625), (-0.5, 0.5), (1.0, 0.25), (-1.0, 0.25), (1.5, 0.0), (1.6, 0.0)] {
            assert_eq!(even.weight(d), w, "{d}");
        }
        let one_sided = CustomKernel::parse("-1,0\n0,1\n0.5,0.5", "k.csv");
        let one_sided = one_sided.map(|kernel| (kernel.weight(-0.75), kernel.weight(0.5), kernel.weight(0.6)));
        assert_eq!(one_sided.expect("a kernel"), (0.25, 0.5, 0.0));
    }

    #[test]
    fn equal_custom_tables_are_stored_once() {
        let read = |text: &str, name: &str| CustomKernel::parse(text, name).expect("a kernel");
        let tent = read("0,1\n1,0", "tent.csv");
        assert_eq!(tent, read("0,1\n1,0\n", "tent.csv"));
        assert_ne!(tent, read("0,1\n1,0\n", "other.csv"));
        assert_ne!(tent, read("normalized\n0,1\n1,0\n", "tent.csv"));
    }

    #[test]
    fn invalid_custom_kernel_is_refused_with_file_and_line() {
        assert_eq!(wrong(""), "k.csv: a kernel needs at least 2 rows, not 0");
        assert_eq!(wrong("normalized\n0,1"), "k.csv: a kernel needs at least 2 rows, not 1");
        assert_eq!(wrong("0,1\nnormalized\n1,0"), "k.csv, line 2: 'normalized' is not a distance and a weight, D,W");
        assert_eq!(wrong("d,w\n0,1"), "k.csv, line 1: 'd,w' is not a distance and a weight, D,W");
        assert_eq!(wrong("0,1\n1"), "k.csv, line 2: '1' is not a distance and a weight, D,W");
        assert_eq!(wrong("0,1,2\n"), "k.csv, line 1: '0,1,2' is not a distance and a weight, D,W");
        assert_eq!(wrong("0,1\n\n1,nan"), "k.csv, line 3: a weight must be finite, not NaN");
        assert_eq!(wrong("0,1\ninf,0"), "k.csv, line 2: a distance must be finite, not inf");
        assert_eq!(wrong("0.1,1\n1,0"), "k.csv, line 1: the first distance must be 0, or negative, not 0.1");
        assert_eq!(wrong("0,1\n1,0\n1,0"), "k.csv, line 3: distances must rise: 1 is not above 1");
        assert_eq!(wrong("0,1\n32.5,0"), "k.csv, line 2: a distance must be between -32 and 32, not 32.5");
        assert_eq!(
            wrong("0,1\n1,0\n2,-1\n3,0"),
            "k.csv: its weights cancel at x = m + 0: they sum to -1, their magnitudes to 3"
        );
        assert!(wrong("0,1\n0.2,0").starts_with("k.csv: its weights cancel at x = m + 0."), "{}", wrong("0,1\n0.2,0"));
        let large = wrong("0,8\n1,8");
        assert!(
            large.starts_with("k.csv: its weights sum to 24 in magnitude at x = m + 0, more than 2.2; "),
            "{large}"
        );
        let rows: String = (0..=65_536).map(|k| format!("{},1\n", f64::from(k) / 65_536.0)).collect();
        assert_eq!(wrong(&rows), "k.csv, line 65537: there are more than 65536 rows");
    }

    #[test]
    fn files_that_are_not_readable_text_are_refused_by_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let refused = |file: &Path| CustomKernel::open(file).expect_err("no kernel").to_string();
        let missing = folder.path().join("missing.csv");
        assert!(refused(&missing).starts_with(&format!("{}: ", missing.display())));
        assert_eq!(refused(folder.path()), format!("{}: is no regular file", folder.path().display()));
        let bytes = folder.path().join("bytes.csv");
        std::fs::write(&bytes, b"\xff\xfe0,1").expect("written");
        assert_eq!(refused(&bytes), format!("{}: is not UTF-8 text", bytes.display()));
        let long = folder.path().join("long.csv");
        std::fs::write(&long, vec![b'\n'; CustomKernel::MAX_BYTES as usize + 1]).expect("written");
        assert_eq!(refused(&long), format!("{}: is longer than 4 MiB", long.display()));
    }
}
