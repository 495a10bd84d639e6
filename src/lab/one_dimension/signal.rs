//! Samples along a line.

use crate::sampling::AddressMode;

/// Samples at x = 0, 1, … and how they go on beyond both edges.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    samples: Vec<f64>,
    /// The address mode, of both sides.
    pub address: AddressMode,
    /// The samples beyond the edges under [`AddressMode::Border`].
    pub border: f64,
}

/// Reason why numbers are no samples.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignalError {
    /// There are none, or too many.
    #[error("{0} samples: a line has 1 to {max} of them", max = Signal::MAX_SAMPLES)]
    Count(usize),
    /// A number is infinite, not a number, or too large.
    #[error("sample {0} is not between -{max} and {max}", max = Signal::MAX_VALUE)]
    Value(usize),
}

impl Signal {
    /// The largest number of samples. The weights of the polynomial through them are below 10¹⁹.
    pub const MAX_SAMPLES: usize = 64;
    /// The largest absolute value of a sample.
    pub const MAX_VALUE: f64 = 1e6;

    /// A line of `samples`.
    ///
    /// # Errors
    /// [`SignalError`] if there are none or more than [`Signal::MAX_SAMPLES`], or if one is beyond [`Signal::MAX_VALUE`].
    pub fn new(samples: Vec<f64>, address: AddressMode, border: f64) -> Result<Self, SignalError> {
        if !(1..=Self::MAX_SAMPLES).contains(&samples.len()) {
            return Err(SignalError::Count(samples.len()));
        }
        let is_wrong = |sample: &f64| !(-Self::MAX_VALUE..=Self::MAX_VALUE).contains(sample);
        match samples.iter().position(is_wrong) {
            Some(index) => Err(SignalError::Value(index)),
            None => Ok(Self { samples, address, border }),
        }
    }

    /// The same samples with another address mode.
    #[must_use]
    pub fn with_address(&self, address: AddressMode) -> Self {
        Self { address, ..self.clone() }
    }

    /// The samples.
    pub fn samples(&self) -> &[f64] {
        &self.samples
    }

    /// Number of samples.
    pub fn len(&self) -> u32 {
        self.samples.len() as u32
    }

    /// Always false: a line has a sample.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// The sample at any whole place, by the address mode.
    ///
    /// ```
    /// use lerpscope::lab::one_dimension::Signal;
    /// use lerpscope::sampling::AddressMode;
    /// let signal = Signal::new(vec![0.1, 0.2, 0.3], AddressMode::Mirror, 0.0)?;
    /// assert_eq!([-2, -1, 0, 2, 3].map(|k| signal.sample(k)), [0.2, 0.1, 0.1, 0.3, 0.3]);
    /// # Ok::<(), lerpscope::lab::one_dimension::SignalError>(())
    /// ```
    pub fn sample(&self, index: i64) -> f64 {
        self.address.resolve(index, self.len()).map_or(self.border, |k| self.samples[k as usize])
    }

    /// Samples beyond each edge that a chart shows.
    pub const BEYOND: f64 = 3.0;

    /// Range of positions that a chart shows.
    pub fn drawn_range(&self) -> [f64; 2] {
        [-Self::BEYOND, self.last() + Self::BEYOND]
    }

    /// x of the last sample.
    pub fn last(&self) -> f64 {
        f64::from(self.len()) - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(samples: Vec<f64>) -> String {
        Signal::new(samples, AddressMode::Clamp, 0.0).expect_err("no line").to_string()
    }

    #[test]
    fn numbers_that_are_no_line_are_refused_in_a_sentence() {
        assert_eq!(refused(Vec::new()), "0 samples: a line has 1 to 64 of them");
        assert_eq!(refused(vec![0.0; 65]), "65 samples: a line has 1 to 64 of them");
        assert_eq!(refused(vec![0.0, f64::NAN]), "sample 1 is not between -1000000 and 1000000");
        assert_eq!(refused(vec![-2e6]), "sample 0 is not between -1000000 and 1000000");
        assert!(Signal::new(vec![1e6; 64], AddressMode::Wrap, 0.0).is_ok());
    }

    #[test]
    fn samples_beyond_both_edges_follow_the_address_mode() {
        let beyond = |address: AddressMode| {
            let signal = Signal::new(vec![1.0, 2.0, 3.0], address, 9.0).expect("a line");
            [-2, -1, 3, 4].map(|k| signal.sample(k))
        };
        assert_eq!(beyond(AddressMode::Clamp), [1.0, 1.0, 3.0, 3.0]);
        assert_eq!(beyond(AddressMode::Border), [9.0; 4]);
        assert_eq!(beyond(AddressMode::Wrap), [2.0, 3.0, 1.0, 2.0]);
        assert_eq!(beyond(AddressMode::Mirror), [2.0, 1.0, 3.0, 2.0]);
    }
}
