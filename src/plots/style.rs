//! Colours and dashes of curves, the same on paper as in the light theme of the window.

/// Dash of a curve, lengths in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Dash {
    /// A line.
    Solid,
    /// Dashes, half as far apart as they are long.
    Dashed {
        /// Length of a dash.
        length: f32,
    },
    /// Dots.
    Dotted {
        /// Distance from dot to dot.
        spacing: f32,
    },
}

/// Colours `0xRRGGBB` of the curves on a light ground, told apart by colour-blind viewers (after Okabe and Ito 2008).
/// They repeat.
pub const CURVE_COLOURS: [u32; 9] =
    [0x00_72_B2, 0xA8_65_00, 0x00_78_5A, 0xA8_45_7F, 0x7A_6A_00, 0xB5_42_1B, 0x5A_45_C9, 0x56_60_6E, 0x00_70_7A];

/// Dashes of the curves. They repeat.
pub const CURVE_DASHES: [Dash; 4] =
    [Dash::Solid, Dash::Dashed { length: 8.0 }, Dash::Dotted { spacing: 4.0 }, Dash::Dashed { length: 14.0 }];
