//! The usual convolution matrices. Convolution mirrors a matrix about its centre: an impulse gives the matrix as it is
//! written, and the gradients below are positive where the image grows along x or y.

use super::Matrix;
use crate::rows::rows;

/// The properties of a usual matrix.
#[derive(Debug)]
pub struct MatrixRow {
    /// The matrix.
    pub matrix: NamedMatrix,
    /// Name on the command line.
    pub name: &'static str,
    /// Name in the window.
    pub title: &'static str,
    /// One-line description of the effect.
    pub help: &'static str,
    /// Number of columns.
    pub columns: u32,
    /// Weights row by row.
    pub weights: &'static [f64],
    /// Whether the weights are divided by their sum.
    pub normalized: bool,
}

rows! {
    /// A usual convolution matrix.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum NamedMatrix {
        /// The image less its Laplacian.
        Sharpen => {
            name: "sharpen",
            title: "Sharpen",
            help: "the image less its Laplacian: steeper edges, more noise",
            columns: 3,
            weights: &[0.0, -1.0, 0.0, -1.0, 5.0, -1.0, 0.0, -1.0, 0.0],
            normalized: false,
        },
        /// Mean of nine samples.
        Box => {
            name: "box",
            title: "Box",
            help: "mean of 3 × 3 samples",
            columns: 3,
            weights: &[1.0; 9],
            normalized: true,
        },
        /// Binomial weights, near a Gaussian.
        Binomial => {
            name: "binomial",
            title: "Binomial",
            help: "binomial weights 1 4 6 4 1 along both axes: near a Gaussian of sigma 1",
            columns: 5,
            weights: &[
                1.0, 4.0, 6.0, 4.0, 1.0, 4.0, 16.0, 24.0, 16.0, 4.0, 6.0, 24.0, 36.0, 24.0, 6.0, 4.0, 16.0, 24.0, 16.0,
                4.0, 1.0, 4.0, 6.0, 4.0, 1.0,
            ],
            normalized: true,
        },
        /// Mean of four samples, an even size.
        Pair => {
            name: "pair",
            title: "Pair (2 × 2)",
            help: "mean of 2 × 2 samples: an even size, which shifts the image by half a sample",
            columns: 2,
            weights: &[1.0; 4],
            normalized: true,
        },
        /// Second derivative along x and y.
        Laplacian => {
            name: "laplacian",
            title: "Laplacian",
            help: "sum of the second derivatives along x and y: 0 in flat areas and on ramps",
            columns: 3,
            weights: &[0.0, 1.0, 0.0, 1.0, -4.0, 1.0, 0.0, 1.0, 0.0],
            normalized: false,
        },
        /// Difference from the eight neighbours.
        Edge => {
            name: "edge",
            title: "Edge",
            help: "8 times the sample less its 8 neighbours: edges and points in every direction",
            columns: 3,
            weights: &[-1.0, -1.0, -1.0, -1.0, 8.0, -1.0, -1.0, -1.0, -1.0],
            normalized: false,
        },
        /// Relief lit from the upper left.
        Emboss => {
            name: "emboss",
            title: "Emboss",
            help: "the image plus its slope along the diagonal: a relief, lit from the upper left",
            columns: 3,
            weights: &[2.0, 1.0, 0.0, 1.0, 1.0, -1.0, 0.0, -1.0, -2.0],
            normalized: false,
        },
        /// Derivative along x, smoothed along y.
        SobelX => {
            name: "sobel-x",
            title: "Sobel x",
            help: "slope along x, smoothed along y: a step from 0 to 1 gives 1",
            columns: 3,
            weights: &[0.25, 0.0, -0.25, 0.5, 0.0, -0.5, 0.25, 0.0, -0.25],
            normalized: false,
        },
        /// Derivative along y, smoothed along x.
        SobelY => {
            name: "sobel-y",
            title: "Sobel y",
            help: "slope along y, smoothed along x: a step from 0 to 1 gives 1",
            columns: 3,
            weights: &[0.25, 0.5, 0.25, 0.0, 0.0, 0.0, -0.25, -0.5, -0.25],
            normalized: false,
        },
        /// The sample itself.
        Identity => {
            name: "identity",
            title: "Identity",
            help: "the sample itself: a start for weights of one's own",
            columns: 3,
            weights: &[0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
            normalized: false,
        },
    }

    /// The usual matrices, in menu order.
    pub static MATRICES: [MatrixRow { matrix, .. }];

    impl by_name, Display;
}

impl NamedMatrix {
    /// The weights.
    pub fn weights(self) -> Matrix {
        Matrix::of_row(self.row())
    }

    /// The weights, and whether they are divided by their sum.
    pub fn normalized_weights(self) -> (Matrix, bool) {
        (self.weights(), self.row().normalized)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Edges, ExecOptions, Filter, Plane, Step};
    use super::*;
    use crate::image::Channels;
    use crate::sampling::AddressMode;

    #[test]
    fn usual_matrices_are_valid_and_no_two_are_the_same() {
        for (index, row) in MATRICES.iter().enumerate() {
            assert_eq!(Matrix::new(row.columns, row.weights), Ok(row.matrix.weights()), "{}", row.name);
            let same = |other: &&MatrixRow| other.matrix.weights() == row.matrix.weights();
            assert!(MATRICES[..index].iter().find(same).is_none(), "{}", row.name);
        }
    }

    /// The weights sum to 1, or to 0 for derivatives, once they are divided.
    #[test]
    fn usual_matrices_keep_flat_areas_or_make_them_zero() {
        for row in &MATRICES {
            let matrix = row.matrix.weights();
            let sum = matrix.sum() / if row.normalized { matrix.divisor() } else { 1.0 };
            let is_derivative = [NamedMatrix::Laplacian, NamedMatrix::Edge, NamedMatrix::SobelX, NamedMatrix::SobelY]
                .contains(&row.matrix);
            assert!((sum - if is_derivative { 0.0 } else { 1.0 }).abs() < 1e-12, "{}: {sum}", row.name);
        }
    }

    #[test]
    fn gradients_of_a_step_that_rises_along_their_axis_are_one() {
        let edges = Edges { address: [AddressMode::Clamp; 2], border: 0.0 };
        for (named, axis) in [(NamedMatrix::SobelX, 0), (NamedMatrix::SobelY, 1)] {
            let values = (0..36).map(|k| if [k % 6, k / 6][axis] >= 3 { 1.0 } else { 0.0 }).collect();
            let plane = Plane { size: [6, 6], first: [0; 2], channels: Channels::Grey, values };
            let mut out = Vec::new();
            let step = Step::default_of(Filter::Convolve).with_matrix(named.weights());
            step.apply(&plane, &edges, &ExecOptions::default(), &mut out);
            assert_eq!((out[2 * 6 + 2], out[3 * 6 + 3], out[0]), (1.0, 1.0, 0.0), "{}", named.row().name);
        }
    }
}
