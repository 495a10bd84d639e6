//! Numbers in lesson files: `0.5`, `3` and `"1/8"`.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Visitor};

use crate::arguments::parse_number;

/// A finite number, which may be written as a quotient in quotation marks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Number(
    /// The number.
    pub f64,
);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneNumber;
        impl Visitor<'_> for OneNumber {
            type Value = Number;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or a quotient in quotation marks such as \"1/8\"")
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Number, E> {
                Ok(Number(number as f64))
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<Number, E> {
                if number.is_finite() {
                    Ok(Number(number))
                } else {
                    Err(E::invalid_value(de::Unexpected::Float(number), &self))
                }
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Number, E> {
                parse_number(text).map(Number).map_err(E::custom)
            }
        }
        deserializer.deserialize_any(OneNumber)
    }
}
