//! The one-dimensional laboratory: document 000's figures 5, 7 and 11 to 13, its listings 1 to 5, and what is behind them.
//!
//! A [`Signal`] is a row of samples with an address mode. An [`Interpolant`] is one method over it: its value at a position,
//! and the part of each sample in that value. A [`ValueTable`] compares, at given positions, what the texture unit returns,
//! what a program without a texture computes, and the exact value.
//!
//! Sample m is at x = m. The texture unit counts from the edge of the first texel, so that it is asked for x + ½
//! (document 000, equation 7): listings 4 and 5 print x as the argument and pass x + ½.

mod charts;
mod grown_spline;
mod impulses;
mod interpolant;
mod lagrange;
mod page_line;
mod preset;
mod signal;
mod value_table;

pub use charts::{
    BASIS_LAYOUTS, BasisBand, BasisLayout, BasisLayoutRow, ValueCurves, basis_bands, basis_chart, prefilter_chart,
    prefilter_of, splines_chart,
};
pub use grown_spline::GrownSpline;
pub use impulses::ImpulseSum;
pub use interpolant::Interpolant;
pub use lagrange::Lagrange;
pub use page_line::{PAGE_AXES, PageAxis, PageAxisRow, PageLine};
pub use preset::{PRESETS, Preset, PresetRow};
pub use signal::{Signal, SignalError};
pub use value_table::{ValueRow, ValueTable};
