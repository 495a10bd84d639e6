//! Lattices of handles: displacements with a uniform cubic B-spline between them (free-form deformation: Sederberg and Parry 1986;
//! Rueckert and others, "Nonrigid registration using free-form deformations", 1999).
//!
//! ```text
//!    0,0,0.1,0;        a row of handles: dx, dy of each from left to right, rows from top to bottom
//!    0,0,0,0.05        as text [0,0,0.1,0;0,0,0,0.05]: 2 × 2 handles
//! ```

use std::path::Path;
use std::sync::Arc;

use crate::files::{ReadTextError, read_text_up_to};
use crate::text::{number_text, one_line, shortened};

/// The handles of a lattice: displacements in parts of the picture's width and height, row by row, in single precision, so that
/// all of them are arguments of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Lattice {
    /// Numbers of columns and rows.
    size: [u32; 2],
    shifts: Arc<[[f32; 2]]>,
}

/// Error of a lattice.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum LatticeError {
    /// A file that cannot be read, with the system's message.
    #[error("{file}: {message}")]
    Unreadable {
        /// The file, in one line.
        file: String,
        /// The message.
        message: String,
    },
    /// A text that is no lattice, where no file is read.
    #[error("'{}' is no lattice such as [0,0,0.1,0;0,0,0,0]", shortened(.0))]
    Text(String),
    /// A text that is not a number.
    #[error("a displacement must be a number between -{max} and {max}, not '{}'", shortened(.0), max = Lattice::REACH)]
    Number(String),
    /// A displacement out of range.
    #[error("a displacement must be between -{max} and {max}, not {}", number_text(*.0), max = Lattice::REACH)]
    Range(f64),
    /// A number of columns or rows out of range.
    #[error(
        "a lattice has 2 to {max} columns and rows of handles, dx and dy of each, not {columns} × {rows}",
        max = Lattice::MAX_SIDE
    )]
    Size {
        /// Number of columns.
        columns: usize,
        /// Number of rows.
        rows: usize,
    },
    /// Rows of different lengths, or half a displacement.
    #[error(
        "row {row} of the lattice has {count} numbers; every row has the same even number, dx and dy of each handle"
    )]
    Ragged {
        /// The row, counted from 1.
        row: usize,
        /// Its number of numbers.
        count: usize,
    },
}

impl Default for Lattice {
    /// 4 × 4 handles without displacement.
    fn default() -> Self {
        Self { size: [4, 4], shifts: vec![[0.0; 2]; 16].into() }
    }
}

impl Lattice {
    /// Largest number of columns and of rows.
    pub const MAX_SIDE: u32 = 16;
    /// Largest displacement along an axis, in parts of the picture.
    pub const REACH: f64 = 2.0;
    /// The largest file, in bytes: 64 for each number.
    const MAX_BYTES: u64 = 128 * (Self::MAX_SIDE * Self::MAX_SIDE) as u64;

    /// Numbers of columns and rows.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// The displacements, row by row.
    pub fn shifts(&self) -> &[[f32; 2]] {
        &self.shifts
    }

    /// A lattice of rows of numbers, dx and dy in turn.
    ///
    /// # Errors
    /// [`LatticeError`] for sides and numbers out of range.
    pub fn of_rows(rows: &[Vec<f64>]) -> Result<Self, LatticeError> {
        let count = rows.first().map_or(0, Vec::len);
        let ragged = rows.iter().map(Vec::len).enumerate().find(|&(_, len)| len != count || len % 2 != 0);
        if let Some((row, count)) = ragged {
            return Err(LatticeError::Ragged { row: row + 1, count });
        }
        let (columns, sides) = (count / 2, 2..=Self::MAX_SIDE as usize);
        if !sides.contains(&columns) || !sides.contains(&rows.len()) {
            return Err(LatticeError::Size { columns, rows: rows.len() });
        }
        let allowed = -Self::REACH..=Self::REACH;
        if let Some(&wrong) = rows.iter().flatten().find(|number| !allowed.contains(number)) {
            return Err(LatticeError::Range(wrong));
        }
        let shifts = rows.iter().flat_map(|row| row.as_chunks::<2>().0).map(|shift| shift.map(single)).collect();
        Ok(Self { size: [columns as u32, rows.len() as u32], shifts })
    }

    /// The lattice in `file`: CSV with a row of handles on each line.
    ///
    /// # Errors
    /// [`LatticeError`] if the file cannot be read or has no lattice.
    pub fn open(file: &Path) -> Result<Self, LatticeError> {
        let unreadable = |error: ReadTextError| LatticeError::Unreadable {
            file: one_line(&file.display().to_string()),
            message: error.to_string(),
        };
        // A pipe would be waited for, a device may never end.
        let metadata = std::fs::metadata(file).map_err(|error| unreadable(error.into()))?;
        if !metadata.is_file() {
            let file = one_line(&file.display().to_string());
            return Err(LatticeError::Unreadable { file, message: "is no regular file".to_owned() });
        }
        let text = read_text_up_to(file, Self::MAX_BYTES).map_err(unreadable)?;
        Self::of_lines(text.strip_prefix('\u{feff}').unwrap_or(&text).lines())
    }

    /// The lattice of rows of text.
    pub(super) fn of_lines<'a>(lines: impl Iterator<Item = &'a str>) -> Result<Self, LatticeError> {
        let number = |part: &str| {
            let part = part.trim();
            part.parse::<f64>().map_err(|_| LatticeError::Number(part.to_owned()))
        };
        let row = |line: &str| line.split([',', ':', '\t']).map(number).collect::<Result<Vec<f64>, _>>();
        let lines = lines.map(str::trim).filter(|line| !line.is_empty());
        Self::of_rows(&lines.map(row).collect::<Result<Vec<_>, _>>()?)
    }

    /// The same deformation with other numbers of handles, brought into range: each new displacement is that of the spline at
    /// its place.
    #[must_use]
    pub fn resized(&self, size: [u32; 2]) -> Self {
        let size = size.map(|side| side.clamp(2, Self::MAX_SIDE));
        let place =
            |index: u32, axis: usize| f64::from(index) / f64::from(size[axis] - 1) * f64::from(self.size[axis] - 1);
        let shifts = (0..size[1]).flat_map(|row| (0..size[0]).map(move |column| [column, row]));
        let shifts = shifts.map(|[column, row]| {
            self.shift_at([place(column, 0), place(row, 1)]).map(|value| single(value.clamp(-Self::REACH, Self::REACH)))
        });
        Self { size, shifts: shifts.collect() }
    }

    /// As many handles without displacement.
    #[must_use]
    pub fn without_shifts(&self) -> Self {
        Self { size: self.size, shifts: vec![[0.0; 2]; self.shifts.len()].into() }
    }

    /// The place of a handle without displacement, in parts of the picture.
    fn home(&self, index: usize) -> [f64; 2] {
        let columns = self.size[0] as usize;
        [(index % columns) as f64 / f64::from(self.size[0] - 1), (index / columns) as f64 / f64::from(self.size[1] - 1)]
    }

    /// The places of the displaced handles, in parts of the picture, row by row.
    pub fn handles(&self) -> Vec<[f64; 2]> {
        let place = |(index, shift): (usize, &[f32; 2])| {
            let [x, y] = self.home(index);
            [x + f64::from(shift[0]), y + f64::from(shift[1])]
        };
        self.shifts.iter().enumerate().map(place).collect()
    }

    /// The same with one handle moved to a place, its displacement brought into range; `None` if there is no such handle.
    pub fn with_handle(&self, index: usize, place: [f64; 2]) -> Option<Self> {
        let mut shifts = self.shifts.to_vec();
        let home = self.home(index.min(shifts.len() - 1));
        let moved = [0, 1].map(|axis| single((place[axis] - home[axis]).clamp(-Self::REACH, Self::REACH)));
        *shifts.get_mut(index)? = moved;
        moved.iter().all(|value| value.is_finite()).then(|| Self { size: self.size, shifts: shifts.into() })
    }

    /// The displacement at a place in units of the lattice, where handle (i, j) stands at (i, j).
    pub(super) fn shift_at(&self, [u, v]: [f64; 2]) -> [f64; 2] {
        let (left, across) = spline_weights(u, self.size[0]);
        let (top, down) = spline_weights(v, self.size[1]);
        let inside = |index: i64, axis: usize| index.clamp(0, i64::from(self.size[axis]) - 1) as usize;
        let mut shift = [0.0; 2];
        for (n, wy) in down.into_iter().enumerate() {
            let row = inside(top + n as i64, 1) * self.size[0] as usize;
            let mut line = [0.0; 2];
            for (m, wx) in across.into_iter().enumerate() {
                let [x, y] = self.shifts[row + inside(left + m as i64, 0)].map(f64::from);
                line = [line[0] + wx * x, line[1] + wx * y];
            }
            shift = [shift[0] + wy * line[0], shift[1] + wy * line[1]];
        }
        shift
    }
}

/// A displacement in single precision; −0 becomes 0, so that equal lattices have equal text.
fn single(value: f64) -> f32 {
    value as f32 + 0.0
}

/// The first handle and the weights of the cubic B-spline at `u`, which is brought within two handles of the lattice: beyond, the
/// handles at the rim are all that count.
fn spline_weights(u: f64, count: u32) -> (i64, [f64; 4]) {
    let u = u.clamp(-2.0, f64::from(count) + 1.0);
    let whole = u.floor();
    let a = u - whole;
    let b = 1.0 - a;
    let weights =
        [b * b * b / 6.0, 2.0 / 3.0 - a * a * (2.0 - a) / 2.0, 2.0 / 3.0 - b * b * (2.0 - b) / 2.0, a * a * a / 6.0];
    (whole as i64 - 1, weights)
}
