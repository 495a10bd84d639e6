//! Conventions of displayed positions.

use crate::rows::rows;

/// Description of a convention.
#[derive(Debug)]
pub struct CoordinatesRow {
    /// The convention.
    pub coordinates: Coordinates,
    /// Its name in settings files.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// One sentence: where samples and the image's edges are.
    pub help: &'static str,
    /// The letters of both axes.
    pub letters: [&'static str; 2],
}

rows! {
    /// Convention of displayed positions. Positions inside the program are those of samples.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Coordinates {
        /// Sample m at x = m.
        #[default]
        Sample => {
            name: "sample",
            title: "Sample coordinates",
            help: "Sample m is at x = m; the image runs from −½ to N − ½",
            letters: ["x", "y"],
        },
        /// Sample m at x = m + ½, as a texture unit has it.
        Texel => {
            name: "texel",
            title: "Texel coordinates",
            help: "Sample m is at m + ½; the image runs from 0 to N, as a texture unit counts without normalized coordinates",
            letters: ["x + ½", "y + ½"],
        },
        /// Texel coordinates divided by the number of samples.
        Normalized => {
            name: "normalized",
            title: "Normalized coordinates",
            help: "Sample m is at (m + ½)/N; the image runs from 0 to 1, as a texture unit counts with normalized coordinates",
            letters: ["u", "v"],
        },
    }

    /// The conventions, in the order of menus.
    pub static COORDINATES: [CoordinatesRow { coordinates, .. }];

    impl by_name;
}

impl Coordinates {
    /// The position `sample` of an axis of `length` samples in this convention.
    ///
    /// ```
    /// use lerpscope::app::Coordinates;
    /// assert_eq!(Coordinates::Sample.of_sample(3.0, 8), 3.0);
    /// assert_eq!(Coordinates::Texel.of_sample(3.0, 8), 3.5);
    /// assert_eq!(Coordinates::Normalized.of_sample(3.0, 8), 3.5 / 8.0);
    /// ```
    pub fn of_sample(self, sample: f64, length: u32) -> f64 {
        match self {
            Self::Sample => sample,
            Self::Texel => sample + 0.5,
            Self::Normalized => (sample + 0.5) / f64::from(length),
        }
    }

    /// Letter and position along `axis` (0: x, 1: y): `x 12.25`, `u 0.24902`.
    pub(in crate::app) fn text(self, axis: usize, sample: f64, length: u32) -> String {
        let position = self.of_sample(sample, length);
        let number = match self {
            Self::Sample | Self::Texel => format!("{position:.2}"),
            Self::Normalized => format!("{position:.5}"),
        };
        format!("{} {number}", self.row().letters[axis]).replace('-', "−")
    }

    /// The widest usual text along `axis` of `length` samples, for the width of its place.
    pub(in crate::app) fn widest(self, axis: usize, length: u32) -> String {
        let number = match self {
            Self::Sample | Self::Texel => format!("−{length}.00"),
            Self::Normalized => "−0.00000".to_owned(),
        };
        format!("{} {number}", self.row().letters[axis])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_of_the_image_are_where_each_convention_says() {
        for (coordinates, edges) in [
            (Coordinates::Sample, [-0.5, 7.5]),
            (Coordinates::Texel, [0.0, 8.0]),
            (Coordinates::Normalized, [0.0, 1.0]),
        ] {
            assert_eq!([-0.5, 7.5].map(|edge| coordinates.of_sample(edge, 8)), edges, "{coordinates:?}");
        }
    }
}
