//! The prefilter's recursions over one line in double precision, with the result of each.

use super::address::AddressMode;
use super::prefilter::{Line, Prefilter, run_anticausal, run_causal};

/// The two recursions of one pole over a line of samples that its address mode extends to infinity.
#[derive(Clone, Debug, PartialEq)]
pub struct PrefilterPasses {
    /// The pole z.
    pub pole: f64,
    /// What goes in: the samples, or the result of the pole before. The first value is that of sample −margin.
    pub input: Vec<f64>,
    /// c⁺\[k\] = input\[k\] + z·c⁺\[k−1\], for the same k.
    pub causal: Vec<f64>,
    /// c\[k\] = z·(c\[k+1\] − gain·c⁺\[k\]), gain = (1 − z)(1 − 1/z), for the same k.
    pub anticausal: Vec<f64>,
}

impl Prefilter {
    /// The recursions of each pole over `samples` and `margin` further samples on either side, by the code that filters
    /// planes, without its rounding to single precision. The last result holds the coefficients.
    ///
    /// ```
    /// use lerpscope::sampling::{AddressMode, Method};
    /// let prefilter = Method::BSPLINE.kernel().prefilter.expect("a pole");
    /// let passes = prefilter.passes(&[0.0, 0.0, 1.0, 0.0, 0.0], AddressMode::Border, 0.0, 20);
    /// let c = &passes[0].anticausal[20..25];
    /// // The cubic B-spline is 2/3 at its sample and 1/6 at its neighbours: the sum gives the sample back.
    /// assert!((c[1] / 6.0 + c[2] * 2.0 / 3.0 + c[3] / 6.0 - 1.0).abs() < 1e-15);
    /// ```
    ///
    /// # Panics
    /// If there is no sample.
    pub fn passes(&self, samples: &[f64], address: AddressMode, border: f64, margin: u32) -> Vec<PrefilterPasses> {
        assert!(!samples.is_empty(), "a line has a sample");
        let extended = Line::with_margin(*self, samples.len() as u32, address, margin);
        let mut line: Vec<[f64; 1]> =
            extended.source.iter().map(|source| [source.map_or(border, |k| samples[k as usize])]).collect();
        let kept = |line: &[[f64; 1]]| extended.kept(line).as_flattened().to_vec();
        let pass = |&pole: &f64| {
            let input = kept(&line);
            run_causal(&mut line, pole);
            let causal = kept(&line);
            run_anticausal(&mut line, pole);
            PrefilterPasses { pole, input, causal, anticausal: kept(&line) }
        };
        self.poles().iter().map(pass).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ADDRESS_MODES, Edges, Method};
    use super::*;

    fn prefilters() -> Vec<Prefilter> {
        let methods = ["bspline=2", "bspline", "bspline=4", "bspline=5", "o-moms"];
        methods.map(|text| text.parse::<Method>().expect(text).kernel().prefilter.expect("a prefilter")).to_vec()
    }

    #[test]
    fn last_pass_has_the_coefficients_of_planes_to_single_precision() {
        let samples: Vec<f64> = (0..11).map(|k| f64::from(k * 37 % 11) / 11.0).collect();
        let singles: Vec<f32> = samples.iter().map(|&sample| sample as f32).collect();
        for prefilter in prefilters() {
            for address in ADDRESS_MODES.iter().map(|row| row.address) {
                let edges = Edges { address: [address, AddressMode::Wrap], border: 0.25 };
                let plane = prefilter.coefficients(&singles, [11, 1], 1, &edges);
                let passes = prefilter.passes(&samples, address, 0.25, prefilter.halo(address));
                let line = &passes.last().expect("a pole").anticausal;
                assert_eq!(line.len(), plane.values.len());
                for (k, (exact, single)) in line.iter().zip(&plane.values).enumerate() {
                    assert!((exact - f64::from(*single)).abs() < 1e-6, "{prefilter:?} {address} at {k}");
                }
            }
        }
    }

    #[test]
    fn passes_follow_their_recursions() {
        let samples = [0.3, 0.9, 0.1, 0.6];
        for prefilter in prefilters() {
            for address in ADDRESS_MODES.iter().map(|row| row.address) {
                let passes = prefilter.passes(&samples, address, 0.4, 5);
                assert_eq!(passes.len(), prefilter.poles().len());
                for pass in &passes {
                    let PrefilterPasses { pole, input, causal, anticausal } = pass;
                    for k in 1..input.len() {
                        let forwards = input[k] + pole * causal[k - 1];
                        let backwards = pole * (anticausal[k] - Prefilter::gain(*pole) * causal[k - 1]);
                        assert!((forwards - causal[k]).abs() < 1e-14, "{prefilter:?} {address} at {k}");
                        assert!((backwards - anticausal[k - 1]).abs() < 1e-13, "{prefilter:?} {address} at {k}");
                    }
                }
                assert_eq!(passes[0].input[5..9], samples);
            }
        }
    }

    /// The recursions start so far away that a constant comes out as it went in.
    #[test]
    fn constant_stays_a_constant() {
        for prefilter in prefilters() {
            let passes = prefilter.passes(&[0.7; 3], AddressMode::Clamp, 0.0, 4);
            let line = &passes.last().expect("a pole").anticausal;
            assert!(line.iter().all(|c| (c - 0.7).abs() < 1e-14), "{line:?}");
        }
    }
}
