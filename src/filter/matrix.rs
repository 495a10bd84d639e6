//! Convolution matrices: the weights of a step of `convolve`.
//!
//! ```text
//!    0,-1,0            columns from left to right, rows from top to bottom; as text
//!   -1,5,-1            [0,-1,0;-1,5,-1;0,-1,0]
//!    0,-1,0
//! ```
//!
//! A file (CSV) has a row of weights on each line, with a comma, a semicolon, a tab or blanks between them. Weights may be
//! fractions (`1/9`). The word `normalized` in the first line divides the weights by their sum. Empty lines are skipped.
//!
//! A table is kept until the program ends, once for equal contents: steps refer to it by a pointer, which makes them
//! `Copy`.

use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::path::Path;
use std::ptr;
use std::str::FromStr;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::{MATRICES, MatrixRow};
use crate::files::{ReadTextError, read_text_up_to};
use crate::text::{number_text, one_line, shortened};

/// The weights of a convolution, of an odd or an even number of columns and rows: a handle to a table that is kept until
/// the program ends. Two are equal if their weights are the same.
#[derive(Clone, Copy)]
pub struct Matrix(&'static Table);

/// The weights row by row.
#[derive(Debug)]
struct Table {
    size: [u32; 2],
    weights: Vec<f64>,
}

/// Error of a matrix.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum MatrixError {
    /// A file that cannot be read, with the system's message; a name that belongs to no matrix is read as a file's.
    #[error("{file}: {message}; the matrices by name are {}", names())]
    Unreadable {
        /// The file, in one line.
        file: String,
        /// The message.
        message: String,
    },
    /// A text that is neither a matrix nor the name of one, where no file is read.
    #[error("'{}' is no matrix, such as [0,-1,0;-1,5,-1;0,-1,0], and not the name of one: {}", shortened(.0), names())]
    Text(String),
    /// A text that is not a number.
    #[error("a weight must be a number between -{max} and {max}, not '{}'", shortened(.0), max = Matrix::MAX_WEIGHT)]
    Number(String),
    /// A weight out of range.
    #[error("a weight must be between -{max} and {max}, not {}", number_text(*.0), max = Matrix::MAX_WEIGHT)]
    Range(f64),
    /// A number of columns or rows out of range.
    #[error("a matrix has 1 to {max} columns and rows, not {columns} × {rows}", max = Matrix::MAX_SIDE)]
    Size {
        /// Number of columns.
        columns: usize,
        /// Number of rows.
        rows: usize,
    },
    /// Rows of different lengths.
    #[error("row {row} of the matrix has {count} weights, the first row {first}")]
    Ragged {
        /// The row, counted from 1.
        row: usize,
        /// Its number of weights.
        count: usize,
        /// That of the first row.
        first: usize,
    },
}

fn names() -> String {
    MATRICES.iter().map(|row| row.name).collect::<Vec<_>>().join(", ")
}

/// Tables that were made so far.
static TABLES: LazyLock<Mutex<HashSet<&'static Table>>> = LazyLock::new(Mutex::default);

impl Matrix {
    /// Largest number of columns and of rows.
    pub const MAX_SIDE: u32 = 25;
    /// Largest magnitude of a weight.
    pub const MAX_WEIGHT: f64 = 1_000_000.0;
    /// The largest file, in bytes: 64 for each weight.
    const MAX_BYTES: u64 = 64 * (Self::MAX_SIDE * Self::MAX_SIDE) as u64;

    /// The matrix of these weights, row by row, in rows of `columns` weights.
    ///
    /// ```
    /// use lerpscope::filter::Matrix;
    /// let gradient = Matrix::new(2, &[1.0, -1.0])?;
    /// assert_eq!((gradient.size(), gradient.to_string()), ([2, 1], "[1,-1]".to_owned()));
    /// assert!(Matrix::new(2, &[1.0, -1.0, 0.0]).is_err());
    /// # Ok::<(), lerpscope::filter::MatrixError>(())
    /// ```
    ///
    /// # Errors
    /// [`MatrixError`] for a side or a weight out of range, and for a last row that is not complete.
    pub fn new(columns: u32, weights: &[f64]) -> Result<Self, MatrixError> {
        let rows: Vec<&[f64]> = weights.chunks(columns.max(1) as usize).collect();
        Self::of_rows(&rows)
    }

    fn of_rows<R: AsRef<[f64]>>(rows: &[R]) -> Result<Self, MatrixError> {
        let columns = rows.first().map_or(0, |row| row.as_ref().len());
        let sides = 1..=Self::MAX_SIDE as usize;
        if !sides.contains(&columns) || !sides.contains(&rows.len()) {
            return Err(MatrixError::Size { columns, rows: rows.len() });
        }
        let ragged = rows.iter().map(|row| row.as_ref().len()).enumerate().find(|(_, count)| *count != columns);
        if let Some((row, count)) = ragged {
            return Err(MatrixError::Ragged { row: row + 1, count, first: columns });
        }
        let weights: Vec<f64> = rows.iter().flat_map(|row| row.as_ref()).copied().collect();
        let allowed = -Self::MAX_WEIGHT..=Self::MAX_WEIGHT;
        if let Some(&wrong) = weights.iter().find(|weight| !allowed.contains(weight)) {
            return Err(MatrixError::Range(wrong));
        }
        Ok(Self::kept(Table { size: [columns as u32, rows.len() as u32], weights }))
    }

    /// The weights of a row, which are valid.
    pub(super) fn of_row(row: &MatrixRow) -> Self {
        let rows = row.weights.len() as u32 / row.columns;
        Self::kept(Table { size: [row.columns, rows], weights: row.weights.to_vec() })
    }

    /// The handle of a valid table. −0 becomes 0, so that equal weights have equal bits.
    fn kept(mut table: Table) -> Self {
        table.weights.iter_mut().for_each(|weight| *weight += 0.0);
        let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = tables.get(&table) {
            return Self(kept);
        }
        let kept: &'static Table = Box::leak(Box::new(table));
        tables.insert(kept);
        Self(kept)
    }

    /// The matrix in `file`, and whether its weights are to be divided by their sum.
    ///
    /// # Errors
    /// [`MatrixError`] if the file cannot be read or has no matrix.
    pub fn open(file: &Path) -> Result<(Self, bool), MatrixError> {
        let unreadable = |error: ReadTextError| MatrixError::Unreadable {
            file: one_line(&file.display().to_string()),
            message: error.to_string(),
        };
        // A pipe would be waited for, a device may never end.
        let metadata = std::fs::metadata(file).map_err(|error| unreadable(error.into()))?;
        if !metadata.is_file() {
            let file = one_line(&file.display().to_string());
            return Err(MatrixError::Unreadable { file, message: "is no regular file".to_owned() });
        }
        Self::of_csv(&read_text_up_to(file, Self::MAX_BYTES).map_err(unreadable)?)
    }

    /// The matrix of a file's text, and whether its weights are to be divided by their sum.
    ///
    /// # Errors
    /// [`MatrixError`] if the text has no matrix.
    pub fn of_csv(text: &str) -> Result<(Self, bool), MatrixError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut lines = text.lines().map(str::trim).peekable();
        let is_normalized = lines.next_if(|line| line.trim_end_matches([',', ';']) == "normalized").is_some();
        let row = |line: &str| {
            // Blanks separate weights only where nothing else does: "1, 2" is two weights.
            let is_separated = line.contains([',', ';', '\t']);
            let parts =
                line.split(|c: char| if is_separated { matches!(c, ',' | ';' | '\t') } else { c.is_whitespace() });
            parts.filter(|part| is_separated || !part.is_empty()).map(weight_of).collect::<Result<Vec<f64>, _>>()
        };
        let rows = lines.filter(|line| !line.is_empty()).map(row).collect::<Result<Vec<_>, _>>()?;
        Ok((Self::of_rows(&rows)?, is_normalized))
    }

    /// Numbers of columns and rows.
    pub fn size(self) -> [u32; 2] {
        self.0.size
    }

    /// The weights row by row, as they are written: not normalized.
    pub fn weights(self) -> &'static [f64] {
        &self.0.weights
    }

    /// The matrix with another weight at the index, row by row.
    ///
    /// # Errors
    /// [`MatrixError::Range`] for a weight out of range.
    pub fn with_weight(self, index: usize, weight: f64) -> Result<Self, MatrixError> {
        let mut weights = self.0.weights.clone();
        if let Some(changed) = weights.get_mut(index) {
            *changed = weight;
        }
        Self::new(self.0.size[0], &weights)
    }

    /// The matrix of other numbers of columns and rows, each brought into 1 … [`Matrix::MAX_SIDE`]. The middle weight, at
    /// (⌊columns/2⌋, ⌊rows/2⌋), stays in the middle; new weights are 0.
    #[must_use]
    pub fn resized(self, size: [u32; 2]) -> Self {
        let size = size.map(|side| side.clamp(1, Self::MAX_SIDE));
        let shift = [0, 1].map(|axis| (self.0.size[axis] / 2) as usize as i64 - i64::from(size[axis] / 2));
        let old = |column: i64, row: i64| {
            let [column, row] = [column, row].map(|index| u32::try_from(index).ok());
            let [column, row] = [column?, row?];
            let is_inside = column < self.0.size[0] && row < self.0.size[1];
            is_inside.then(|| self.0.weights[(row * self.0.size[0] + column) as usize])
        };
        let places = (0..i64::from(size[1])).flat_map(|row| (0..i64::from(size[0])).map(move |column| (column, row)));
        let weights = places.map(|(column, row)| old(column + shift[0], row + shift[1]).unwrap_or_default()).collect();
        Self::kept(Table { size, weights })
    }

    /// Σw.
    pub fn sum(self) -> f64 {
        self.0.weights.iter().sum()
    }

    /// What normalization divides the weights by: their sum, or 1 for weights that cancel, whose sum is below 10⁻⁶ of
    /// the sum of their magnitudes.
    pub fn divisor(self) -> f64 {
        let magnitude: f64 = self.0.weights.iter().map(|weight| weight.abs()).sum();
        if self.sum().abs() > 1e-6 * magnitude { self.sum() } else { 1.0 }
    }
}

/// A weight: a number, or the quotient of two.
fn weight_of(text: &str) -> Result<f64, MatrixError> {
    let text = text.trim().trim_matches('"');
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let parsed = match text.split_once('/') {
        Some((above, below)) => number(above).zip(number(below)).map(|(above, below)| above / below),
        None => number(text),
    };
    parsed.ok_or_else(|| MatrixError::Number(text.to_owned()))
}

impl FromStr for Matrix {
    type Err = MatrixError;

    /// A matrix in brackets: `[1,2,1;2,4,2;1,2,1]`. Colons may replace commas.
    fn from_str(text: &str) -> Result<Self, MatrixError> {
        let inside = text.trim().strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        let inside = inside.ok_or_else(|| MatrixError::Text(text.to_owned()))?;
        let row = |row: &str| row.split([',', ':']).map(weight_of).collect::<Result<Vec<f64>, _>>();
        Self::of_rows(&inside.split(';').map(row).collect::<Result<Vec<_>, _>>()?)
    }
}

impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.0.weights.chunks(self.0.size[0] as usize);
        let row = |row: &[f64]| row.iter().map(|&weight| number_text(weight)).collect::<Vec<_>>().join(",");
        write!(f, "[{}]", rows.map(row).collect::<Vec<_>>().join(";"))
    }
}

impl fmt::Debug for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl PartialEq for Matrix {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(self.0, other.0)
    }
}

impl Eq for Matrix {}

impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        let bits = |table: &Self| table.weights.iter().map(|weight| weight.to_bits()).collect::<Vec<_>>();
        self.size == other.size && bits(self) == bits(other)
    }
}

impl Eq for Table {}

impl Hash for Table {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.size.hash(state);
        self.weights.iter().for_each(|weight| weight.to_bits().hash(state));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(text: &str) -> Matrix {
        text.parse().expect(text)
    }

    #[test]
    fn equal_matrices_are_stored_once_and_written_as_they_are_read() {
        let text = "[0,-1,0;-1,5,-1;0,-1,0]";
        assert_eq!(matrix(text), matrix(" [ 0:-1:-0; -1,5,-1 ;0,-1,0/3]"));
        assert_ne!(matrix(text), matrix("[0,-1,0;-1,4,-1;0,-1,0]"));
        assert_ne!(matrix("[1,2]"), matrix("[1;2]"));
        for text in [text, "[1]", "[0.1,-1000000]", "[1;2;3;4]", "[1e-40,0.3333333333333333]"] {
            assert_eq!(matrix(text).to_string(), text);
        }
        assert_eq!(matrix("[1/3,2]").weights(), [1.0 / 3.0, 2.0]);
    }

    #[test]
    fn files_have_a_row_a_line_with_any_usual_separator() {
        let expected = matrix("[1,2,1;0,0,0;-1,-2,-1]");
        for text in [
            "1,2,1\n0,0,0\n-1,-2,-1\n",
            "\u{feff}1;2;1\r\n\r\n0;0;0\r\n-1;-2;-1",
            "1\t2\t1\n0\t0\t0\n-1\t-2\t-1",
            "  1 2  1\n0 0 0\n -1 -2 -1",
            "1, 2, 1\n0, 0, 0\n-1, -2, -1",
        ] {
            assert_eq!(Matrix::of_csv(text), Ok((expected, false)), "{text:?}");
        }
        assert_eq!(Matrix::of_csv("normalized\n1,1\n"), Ok((matrix("[1,1]"), true)));
    }

    #[test]
    fn invalid_matrix_is_refused_with_what_is_allowed() {
        let wrong = |text: &str| text.parse::<Matrix>().expect_err(text).to_string();
        assert_eq!(wrong("[1,2;3]"), "row 2 of the matrix has 1 weights, the first row 2");
        assert_eq!(wrong("[1,x]"), "a weight must be a number between -1000000 and 1000000, not 'x'");
        for (weight, shown) in [("1e7", "10000000"), ("NaN", "NaN"), ("-inf", "-inf"), ("1/0", "inf")] {
            let message = format!("a weight must be between -1000000 and 1000000, not {shown}");
            assert_eq!(wrong(&format!("[{weight}]")), message);
        }
        let wide = format!("[{}]", ["1"; 26].join(","));
        assert_eq!(wrong(&wide), "a matrix has 1 to 25 columns and rows, not 26 × 1");
        assert_eq!(Matrix::of_csv("\n"), Err(MatrixError::Size { columns: 0, rows: 0 }));
        assert!(wrong("sharp").starts_with("'sharp' is no matrix, such as [0,-1,0;-1,5,-1;0,-1,0], and not the name"));
        assert!(wrong("[]").starts_with("a weight must be a number"));
    }

    #[test]
    fn unreadable_matrix_file_is_named_and_a_folder_is_no_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let missing = folder.path().join("none.csv");
        let message = Matrix::open(&missing).expect_err("no file").to_string();
        assert!(message.starts_with(&format!("{}: ", missing.display())), "{message}");
        assert!(message.contains("the matrices by name are sharpen, "), "{message}");
        assert!(Matrix::open(folder.path()).expect_err("a folder").to_string().contains("is no regular file"));
        let file = folder.path().join("k.csv");
        std::fs::write(&file, "normalized\n1,1\n").expect("written");
        assert_eq!(Matrix::open(&file), Ok((matrix("[1,1]"), true)));
    }

    #[test]
    fn resized_matrix_keeps_its_middle_and_adds_zeros() {
        let three = matrix("[1,2,3;4,5,6;7,8,9]");
        assert_eq!(three.resized([5, 3]), matrix("[0,1,2,3,0;0,4,5,6,0;0,7,8,9,0]"));
        assert_eq!(three.resized([2, 3]), matrix("[1,2;4,5;7,8]"));
        assert_eq!(three.resized([1, 1]), matrix("[5]"));
        assert_eq!(three.resized([4, 1]), matrix("[0,4,5,6]"));
        assert_eq!(three.resized([0, 99]).size(), [1, Matrix::MAX_SIDE]);
        // The middle weight of every size is that of the others.
        for columns in 1..=7 {
            for rows in 1..=7 {
                let middle = (rows / 2 * columns + columns / 2) as usize;
                assert_eq!(three.resized([columns, rows]).weights()[middle], 5.0, "{columns} × {rows}");
            }
        }
    }

    #[test]
    fn divisor_is_the_sum_unless_the_weights_cancel() {
        assert_eq!(matrix("[1,2,1]").divisor(), 4.0);
        assert_eq!(matrix("[1,-3]").divisor(), -2.0);
        assert_eq!(matrix("[0.1,0.2,-0.3]").divisor(), 1.0);
        assert_eq!(matrix("[0,0]").divisor(), 1.0);
    }
}
