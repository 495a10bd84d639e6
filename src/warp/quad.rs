//! The four places of a picture's corners in perspective.

/// A convex quadrilateral, clockwise as seen from the upper left corner: the places of a picture's corners, in parts of its
/// width and height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quad([[f64; 2]; 4]);

impl Default for Quad {
    /// The picture's own corners.
    fn default() -> Self {
        Self([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    }
}

impl Quad {
    /// Largest distance of a corner's coordinate from 0.
    pub const REACH: f64 = 10.0;
    /// Smallest cross product of two neighbouring sides.
    const LEAST_TURN: f64 = 1e-3;

    /// The quadrilateral of these corners; `None` if it is not convex and clockwise, or a corner is out of reach.
    pub fn new(corners: [[f64; 2]; 4]) -> Option<Self> {
        let is_near = |value: f64| value.abs() <= Self::REACH;
        let turns = |k: usize| {
            let [a, b, c] = [0, 1, 2].map(|next| corners[(k + next) % 4]);
            (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) >= Self::LEAST_TURN
        };
        let is_valid = corners.iter().flatten().all(|&value| is_near(value)) && (0..4).all(turns);
        is_valid.then(|| Self(corners.map(|corner| corner.map(|value| value + 0.0))))
    }

    /// The corners, clockwise from the upper left.
    pub fn corners(&self) -> [[f64; 2]; 4] {
        self.0
    }

    /// The same with one corner moved; `None` if it is no corner or the result is not convex.
    pub fn with_corner(&self, index: usize, place: [f64; 2]) -> Option<Self> {
        let mut corners = self.0;
        *corners.get_mut(index)? = place;
        Self::new(corners)
    }

    /// The homography from parts of the picture to the quadrilateral, row by row: (x, y, 1) ↦ H·(x, y, 1).
    ///
    /// Heckbert, "Fundamentals of texture mapping and image warping" (1989), section 2.2.3.
    fn homography(&self) -> [f64; 9] {
        let [a, b, c, d] = self.0;
        let sum = [0, 1].map(|axis| a[axis] - b[axis] + c[axis] - d[axis]);
        let (one, two) = ([b[0] - c[0], b[1] - c[1]], [d[0] - c[0], d[1] - c[1]]);
        let determinant = one[0] * two[1] - one[1] * two[0];
        let g = (sum[0] * two[1] - sum[1] * two[0]) / determinant;
        let h = (one[0] * sum[1] - one[1] * sum[0]) / determinant;
        [
            b[0] - a[0] + g * b[0],
            d[0] - a[0] + h * d[0],
            a[0],
            b[1] - a[1] + g * b[1],
            d[1] - a[1] + h * d[1],
            a[1],
            g,
            h,
            1.0,
        ]
    }

    /// The inverse homography, from places to parts of the picture, row by row. Its third row is positive within the
    /// quadrilateral.
    pub(super) fn inverse(&self) -> [f64; 9] {
        let [a, b, c, d, e, f, g, h, i] = self.homography();
        // The adjugate: positive multiples are the same homography.
        let adjugate = [
            e * i - f * h,
            c * h - b * i,
            b * f - c * e,
            f * g - d * i,
            a * i - c * g,
            c * d - a * f,
            d * h - e * g,
            b * g - a * h,
            a * e - b * d,
        ];
        let middle = [0, 1].map(|axis| self.0.iter().map(|corner| corner[axis]).sum::<f64>() / 4.0);
        let weight = adjugate[6] * middle[0] + adjugate[7] * middle[1] + adjugate[8];
        adjugate.map(|value| value / weight)
    }
}
