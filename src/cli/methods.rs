//! Option `--methods`, and the options of sampling that all methods of a list have in common.

use clap::Args;

use super::errors::Usage;
use super::failure::say;
use super::options;
use crate::arguments::{ArgumentError, listed, parse_address, parse_methods, parse_number};
use crate::sampling::{AddressMode, Method, Sampler, SamplingPath};

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

/// Options of sampling for all methods of a list.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct CommonSampling {
    #[arg(long, value_name = "MODE[:MODE]", default_value = "clamp", help = options::address_help(), value_parser = parse_address)]
    address: [AddressMode; 2],
    /// Value outside the image for address mode border (0 is black, 1 is white)
    #[arg(long, value_name = "V", default_value = "0", allow_hyphen_values = true, value_parser = parse_number::<f32>)]
    border: f32,
    /// Sampling path: auto is exact, filtered has the texture unit's weights; methods that it does not serve are left out
    #[arg(long, value_name = "PATH", default_value = "auto", value_parser = options::path())]
    pub(super) path: SamplingPath,
}

impl CommonSampling {
    /// `sampler` with these options.
    pub(super) fn of(self, sampler: Sampler) -> Sampler {
        let Self { address, border, path } = self;
        Sampler { address, border, path, ..sampler }
    }
}
