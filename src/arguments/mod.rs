//! Requests as text: parsers of typed values, and the options of `lerpscope render` that reproduce a request exactly. Used
//! by the command line, by session files, and by the window for its log and for copied command lines.
//!
//! Numbers are written in the shortest form that parses to the same number. They may be typed as fractions (`1/8`).
//!
//! A sampler's text is a list of keys separated by commas. Inside it the parameters of a method are separated by colons
//! (`method=cubic=0.2:0.4`), and commas, percent signs and white space in the file name of a custom kernel are written as
//! a percent sign and two hexadecimal digits (`%2C`).

mod numbers;
mod panel_spec;
mod read;
mod write;

pub use numbers::{parse_number, parse_numbers, parse_page, parse_pair, parse_scales, parse_size};
pub use panel_spec::PanelSpec;
pub use read::{
    parse_address, parse_component, parse_methods, parse_orientation, parse_panel, parse_sampler, parse_sampler_in,
    parse_slice, parse_subtract, parse_time,
};
#[cfg(feature = "cli")]
pub(crate) use write::scales_text;
#[cfg(feature = "window")]
pub(crate) use write::{address_text, address_titles, method_text, quoted_path};
pub use write::{command_line, quoted, render_arguments, sampler_text};

use crate::filter::FilterError;
use crate::image::Size;
use crate::sampling::MethodError;
use crate::text::shortened;
use crate::view::ViewError;
use crate::warp::WarpError;

/// Error of a parser.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum ArgumentError {
    /// Not a number, or not a finite one.
    #[error("'{}' is no number", shortened(.0))]
    Number(String),
    /// Not two numbers.
    #[error("'{}' is not two numbers, FIRST{separator}SECOND", shortened(.text))]
    Pair {
        /// The text.
        text: String,
        /// The separator.
        separator: char,
    },
    /// Not a scale, or not two.
    #[error("'{}' is no scale: S, or X{separator}Y for each axis", shortened(.text))]
    Scales {
        /// The text.
        text: String,
        /// The separator.
        separator: char,
    },
    /// Not a width and a height.
    #[error("'{}' is no size: WIDTHxHEIGHT, each from 1 to {max}", shortened(.0), max = Size::MAX_SIDE)]
    Size(String),
    /// An unknown name.
    #[error("there is no {what} '{}'; there are {names}", shortened(.name))]
    Name {
        /// Kind of the name.
        what: &'static str,
        /// The name.
        name: String,
        /// The known names.
        names: String,
    },
    /// Neither the name of a plane nor two angles.
    #[error("'{}' is no plane: {names}, or TILT{separator}TURN in degrees, each within ±360", shortened(.text))]
    Plane {
        /// The text.
        text: String,
        /// The names of the main planes.
        names: String,
        /// The separator.
        separator: char,
    },
    /// Neither a position nor the middle.
    #[error("'{}' is no slice: a number of samples within ±1000000, or middle", shortened(.0))]
    Slice(String),
    /// Not a time.
    #[error("'{}' is no time: a number of samples within ±1000000", shortened(.0))]
    Time(String),
    /// Not a page number.
    #[error("'{}' is no page: pages count from 1", shortened(.0))]
    Page(String),
    /// A switch that is neither on nor off.
    #[error("{key} is 'on' or 'off', not '{}'", shortened(.value))]
    Switch {
        /// The key.
        key: String,
        /// The value.
        value: String,
    },
    /// A key without a value.
    #[error("{0} needs a value: {0}=…")]
    Value(String),
    /// An unknown key.
    #[error("there is no key '{}'; there are {keys}", shortened(.key))]
    Key {
        /// The key.
        key: String,
        /// The known keys.
        keys: String,
    },
    /// A repeated key.
    #[error("{} stands there twice", shortened(.0))]
    Twice(String),
    /// An unknown method, a parameter out of its range, or an unusable file of a custom kernel.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// An invalid filter.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// A view out of range.
    #[error(transparent)]
    View(#[from] ViewError),
    /// An invalid warp.
    #[error(transparent)]
    Warp(#[from] WarpError),
}

/// `a, b and c`.
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.into_iter().collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}
