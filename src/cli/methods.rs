//! Option `--methods`.

use super::errors::Usage;
use super::failure::say;
use crate::arguments::{ArgumentError, listed, parse_methods};
use crate::sampling::{Method, SamplingPath};

/// Methods of a list.
#[derive(Clone, Debug)]
pub(super) struct Methods(pub(super) Vec<Method>);

impl Methods {
    /// Parses the value of `--methods`.
    ///
    /// # Errors
    /// Those of [`parse_methods`].
    pub(super) fn parse(text: &str) -> Result<Self, ArgumentError> {
        parse_methods(text).map(Self)
    }

    /// The methods that `path` serves; the others are named on standard error.
    pub(super) fn served(&self, path: SamplingPath) -> Result<Vec<Method>, Usage> {
        let is_served = |method: &Method| method.kernel().paths.contains(&path);
        let (served, others): (Vec<Method>, Vec<Method>) = self.0.iter().copied().partition(is_served);
        let others: Vec<String> = others.iter().map(ToString::to_string).collect();
        let others = listed(others.iter().map(String::as_str));
        if served.is_empty() {
            return Err(Usage(format!("path '{path}' does not serve {others}")));
        }
        if !others.is_empty() {
            say(&format!("path '{path}' does not serve {others}: left out"));
        }
        Ok(served)
    }
}
