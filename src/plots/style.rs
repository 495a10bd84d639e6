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

/// Colours `0xRRGGBB` of the curves on a light ground, told apart by colour-blind viewers: chosen by their distances in OKLab through
/// Machado's simulation (2009). They repeat.
pub const CURVE_COLOURS: [u32; 9] =
    [0x45_69_F2, 0xC3_52_00, 0x00_84_31, 0x94_29_8D, 0xE1_0F_69, 0xA5_00_0F, 0x5A_2F_C8, 0x1E_22_29, 0x13_7C_A9];

/// Dashes of the curves. They repeat.
pub const CURVE_DASHES: [Dash; 4] =
    [Dash::Solid, Dash::Dashed { length: 8.0 }, Dash::Dotted { spacing: 4.0 }, Dash::Dashed { length: 14.0 }];
