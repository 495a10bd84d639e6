//! Requests as text, both ways: small parsers for what a person types, and the options of `lerpscope render` that give a
//! request back exactly. The command line reads with it, the window logs its frames and copies command lines with it.
//!
//! Numbers are written in the shortest form that reads back as the same number, and may be typed as fractions (`1/8`).
//!
//! In a text of keys with commas between them, as a sampler's, the parameters of a method have colons between them
//! (`method=cubic=0.2:0.4`), and in the file name of a custom kernel commas, percent signs and white space are written as
//! percent and two hexadecimal digits (`%2C`).

mod read;
mod write;

pub use read::{
    parse_address, parse_number, parse_page, parse_pair, parse_panel, parse_sampler, parse_sampler_in, parse_size,
    parse_subtract,
};
#[cfg(feature = "window")]
pub(crate) use write::address_titles;
pub(crate) use write::method_text;
pub use write::{command_line, quoted, render_arguments, sampler_text};

use crate::filter::FilterError;
use crate::image::Size;
use crate::sampling::MethodError;
use crate::text::shortened;
use crate::view::ViewError;

/// Why a text is not what it should be.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum ArgumentError {
    /// Not a number, or not a finite one.
    #[error("'{}' is no number", shortened(.0))]
    Number(String),
    /// Not two numbers.
    #[error("'{}' is not two numbers, FIRST{separator}SECOND", shortened(.text))]
    Pair {
        /// What stands there.
        text: String,
        /// What should stand between the two.
        separator: char,
    },
    /// Not a width and a height.
    #[error("'{}' is no size: WIDTHxHEIGHT, each from 1 to {max}", shortened(.0), max = Size::MAX_SIDE)]
    Size(String),
    /// Not one of the rows.
    #[error("there is no {what} '{}'; there are {names}", shortened(.name))]
    Name {
        /// What kind of row.
        what: &'static str,
        /// The name that was typed.
        name: String,
        /// The names there are.
        names: String,
    },
    /// A page number that is none.
    #[error("'{}' is no page: pages count from 1", shortened(.0))]
    Page(String),
    /// Neither on nor off.
    #[error("{key} is 'on' or 'off', not '{}'", shortened(.value))]
    Switch {
        /// Which key.
        key: String,
        /// What was typed.
        value: String,
    },
    /// A key without a value.
    #[error("{0} needs a value: {0}=…")]
    Value(String),
    /// An unknown key.
    #[error("there is no key '{}'; there are {keys}", shortened(.key))]
    Key {
        /// What was typed.
        key: String,
        /// The keys there are.
        keys: String,
    },
    /// A key that stands twice.
    #[error("{} stands there twice", shortened(.0))]
    Twice(String),
    /// A text that is no method, or a method's parameter out of its range.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// A text that is no filter's.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// Numbers that are no view.
    #[error(transparent)]
    View(#[from] ViewError),
}

/// `a, b and c`.
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.into_iter().collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}
