//! Orientation of NIfTI-1 files: which axis of the array runs along which direction of the body.
//!
//! The affine maps indices i, j, k to positions x, y, z: to the right, to the front and to the head. It is the sform, else the qform,
//! else the distances of samples with i to the left, as nibabel reads it. The orthogonal matrix nearest to its directions gives each
//! axis of the array the direction that it is closest to, the clearest axis first (nibabel's `io_orientation`).

use nifti::NiftiHeader;

/// An axis of an array: the direction of the body that it is closest to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyAxis {
    /// 0 for x, to the right; 1 for y, to the front; 2 for z, to the head.
    pub direction: usize,
    /// Whether it runs the other way: to the left, to the back, to the feet.
    pub is_reversed: bool,
}

/// How the first three axes of an array lie in the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyFrame {
    /// The directions of i, j and k.
    pub axes: [BodyAxis; 3],
    /// Distances of neighbouring samples along i, j and k: those of the header's own numbers, or of the affine where it differs by more
    /// than rounding.
    pub spacing: [f64; 3],
}

impl BodyFrame {
    /// The frame of a header; axes along x, y, z for an affine that is no map of three axes.
    pub(super) fn of_header(header: &NiftiHeader) -> Self {
        let axes = of_directions(directions(header)).unwrap_or(BodyAxis::ALONG);
        Self { axes, spacing: spacing(header) }
    }
}

impl BodyAxis {
    /// The axes i, j, k of an array that lie along x, y, z.
    pub const ALONG: [Self; 3] = [Self::along(0), Self::along(1), Self::along(2)];

    const fn along(direction: usize) -> Self {
        Self { direction, is_reversed: false }
    }

    /// `R`, `A`, `S` or, reversed, `L`, `P`, `I`.
    pub fn letter(self) -> char {
        [['R', 'L'], ['A', 'P'], ['S', 'I']][self.direction][usize::from(self.is_reversed)]
    }
}

fn spacing(header: &NiftiHeader) -> [f64; 3] {
    const ROUNDING: f64 = 1e-3;
    let lengths = lengths(&directions(header));
    [0, 1, 2].map(|axis| {
        let (own, length) = (f64::from(header.pixdim[axis + 1]).abs(), lengths[axis]);
        let is_used = length.is_finite() && length > 0.0 && (length - own).abs() > ROUNDING * own;
        if is_used { length } else { own }
    })
}

/// Lengths of the columns.
fn lengths(affine: &[[f64; 3]; 3]) -> [f64; 3] {
    [0, 1, 2].map(|axis| affine.iter().map(|row| row[axis] * row[axis]).sum::<f64>().sqrt())
}

/// Rows x, y, z of the affine's columns i, j, k.
fn directions(header: &NiftiHeader) -> [[f64; 3]; 3] {
    if header.sform_code > 0 {
        return [header.srow_x, header.srow_y, header.srow_z].map(|row| [0, 1, 2].map(|axis| f64::from(row[axis])));
    }
    let steps = [1, 2, 3].map(|axis| f64::from(header.pixdim[axis]));
    if header.qform_code > 0 {
        let [b, c, d] = [header.quatern_b, header.quatern_c, header.quatern_d].map(f64::from);
        let a = (1.0 - b * b - c * c - d * d).max(0.0).sqrt();
        let sign = if header.pixdim[0] < 0.0 { -1.0 } else { 1.0 };
        let rotation = [
            [a * a + b * b - c * c - d * d, 2.0 * (b * c - a * d), 2.0 * (b * d + a * c)],
            [2.0 * (b * c + a * d), a * a + c * c - b * b - d * d, 2.0 * (c * d - a * b)],
            [2.0 * (b * d - a * c), 2.0 * (c * d + a * b), a * a + d * d - b * b - c * c],
        ];
        let scales = [steps[0], steps[1], sign * steps[2]];
        return rotation.map(|row| [0, 1, 2].map(|axis| row[axis] * scales[axis]));
    }
    [[-steps[0], 0.0, 0.0], [0.0, steps[1], 0.0], [0.0, 0.0, steps[2]]]
}

/// The axes of an affine; `None` for one with a column of 0, in a plane, or with numbers that are not finite.
fn of_directions(affine: [[f64; 3]; 3]) -> Option<[BodyAxis; 3]> {
    let lengths = lengths(&affine);
    let unit = affine.map(|row| [0, 1, 2].map(|axis| row[axis] / lengths[axis]));
    let nearest = orthogonal(unit)?;
    let clearness = |axis: usize| nearest.iter().map(|row| row[axis].abs()).fold(0.0, f64::max);
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| clearness(b).total_cmp(&clearness(a)));
    let mut found = BodyAxis::ALONG;
    let mut is_taken = [false; 3];
    for axis in order {
        let free = (0..3).filter(|&direction| !is_taken[direction]);
        // Of equal ones the first.
        let direction = free.fold(None, |best: Option<usize>, direction| match best {
            Some(best) if nearest[best][axis].abs() >= nearest[direction][axis].abs() => Some(best),
            _ => Some(direction),
        })?;
        is_taken[direction] = true;
        found[axis] = BodyAxis { direction, is_reversed: nearest[direction][axis] < 0.0 };
    }
    Some(found)
}

/// The orthogonal matrix nearest to `matrix`, by Newton's iteration R ← (R + R⁻ᵀ)/2; `None` for a singular one.
fn orthogonal(mut matrix: [[f64; 3]; 3]) -> Option<[[f64; 3]; 3]> {
    /// It converges quadratically, after as many steps as halve the greatest singular value.
    const STEPS: usize = 64;
    const LEAST_DETERMINANT: f64 = 1e-9;
    for _ in 0..STEPS {
        // The matrix of cofactors is the determinant times the transposed inverse.
        let cofactor = |row: usize, column: usize| {
            let at = |down: usize, across: usize| matrix[(row + down) % 3][(column + across) % 3];
            at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1)
        };
        let cofactors = [0, 1, 2].map(|row| [0, 1, 2].map(|column| cofactor(row, column)));
        let determinant: f64 = (0..3).map(|column| matrix[0][column] * cofactors[0][column]).sum();
        if determinant.is_nan() || determinant.abs() < LEAST_DETERMINANT {
            return None;
        }
        matrix = [0, 1, 2].map(|row| {
            [0, 1, 2].map(|column| f64::midpoint(matrix[row][column], cofactors[row][column] / determinant))
        });
    }
    Some(matrix)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(affine: [[f64; 3]; 3]) -> Option<String> {
        of_directions(affine).map(|axes| axes.into_iter().map(BodyAxis::letter).collect())
    }

    #[test]
    fn axes_have_the_letters_of_their_directions() {
        let identity = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert_eq!(letters(identity).as_deref(), Some("RAS"));
        assert_eq!(letters([[0.0, 0.0, -2.0], [-1.0, 0.0, 0.0], [0.0, 3.0, 0.0]]).as_deref(), Some("PSL"));
        // Sheared: the second column is nearer to x than to y, which the first one takes.
        assert_eq!(letters([[1.0, 0.8, 0.0], [0.0, 0.6, 0.0], [0.0, 0.0, 1.0]]).as_deref(), Some("RAS"));
    }

    #[test]
    fn affine_that_is_no_map_of_three_axes_has_no_orientation() {
        assert_eq!(letters([[0.0; 3]; 3]), None);
        assert_eq!(letters([[1.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]), None);
        assert_eq!(letters([[f64::NAN, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), None);
    }
}
