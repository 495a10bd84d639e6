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
    [0x20_2E_CD, 0xA3_28_00, 0x00_6C_49, 0x78_1C_8E, 0x90_71_17, 0xC7_3C_7A, 0x7A_52_E6, 0x4E_46_58, 0x12_77_AA];

/// Dashes of the curves. They repeat.
pub const CURVE_DASHES: [Dash; 4] =
    [Dash::Solid, Dash::Dashed { length: 8.0 }, Dash::Dotted { spacing: 4.0 }, Dash::Dashed { length: 14.0 }];
