//! How a GPU reads the stored values of a grid.

use crate::rows::rows;

/// The properties of a path.
#[derive(Debug)]
pub struct GridPathRow {
    /// The path.
    pub path: GridPath,
    /// Name on the command line.
    pub name: &'static str,
    /// One-line description.
    pub help: &'static str,
}

rows! {
    /// How a GPU reads the stored values of a grid: the three kernels of document 001.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum GridPath {
        /// The fastest exact path: `global`.
        Auto => { name: "auto", help: "the fastest exact path" },
        /// Plain loads. Serves every method in every number of dimensions.
        Global => { name: "global", help: "plain loads" },
        /// Point fetches of a texture. Serves methods of two and four cubic taps in one to three dimensions.
        Fetch => { name: "fetch", help: "exact samples from the texture unit: two or four taps, up to three dimensions" },
        /// Linear fetches of a texture, whose fractions have 8 bits: `linear` by one fetch in one to three dimensions, the cubic
        /// B-spline by 2, 4 and 8 fetches in one to three dimensions and by 32 in four. Points whose taps are not all inside
        /// take the sum of `global`.
        Filtered => {
            name: "filtered",
            help: "the texture unit interpolates, in steps of 1/256: linear up to three dimensions, bspline up to four",
        },
    }

    /// The paths, in the order of the help.
    pub static GRID_PATHS: [GridPathRow { path, .. }];

    impl by_name, Display;
}

impl GridPath {
    /// Whether values agree with the sum in double precision to 2·10⁻⁶.
    pub fn is_exact(self) -> bool {
        match self {
            Self::Filtered => false,
            Self::Auto | Self::Global | Self::Fetch => true,
        }
    }
}
