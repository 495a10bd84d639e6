//! Reconstruction filters: everything of a sampler that decides the value between samples.

use crate::sampling::{Method, Prefilter, Sampler, SamplingPath, Taps};

/// What turns samples into values between them: a kernel, perhaps behind a prefilter, perhaps widened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reconstruction {
    /// The kernel.
    pub method: Method,
    /// Whether samples are turned into coefficients first; false for methods without a prefilter.
    pub prefilter: bool,
    /// The sampling path, whose weights may be quantized.
    pub path: SamplingPath,
    /// Factor of the kernel's width under antialiasing.
    pub stretch: Option<f64>,
}

impl Reconstruction {
    /// The filter of `sampler` in a view of `scale` samples per pixel.
    pub fn new(sampler: &Sampler, scale: f64) -> Self {
        Self {
            method: sampler.method,
            prefilter: sampler.uses_coefficients(),
            path: sampler.path,
            stretch: sampler.stretch(scale),
        }
    }

    /// The filter of `method` by the fastest exact path, not widened.
    ///
    /// ```
    /// use lerpscope::plots::Reconstruction;
    /// use lerpscope::sampling::Method;
    /// assert_eq!(Reconstruction::of(Method::BSPLINE, true).label(), "bspline, prefilter");
    /// assert_eq!(Reconstruction::of(Method::Linear, true).label(), "linear");
    /// ```
    pub fn of(method: Method, prefilter: bool) -> Self {
        Self::new(&Sampler { method, prefilter, ..Sampler::default() }, 1.0)
    }

    /// Its name in legends: the method, and what it adds to the method.
    pub fn label(&self) -> String {
        let mut label = self.method.label().into_owned();
        if self.prefilter {
            label.push_str(", prefilter");
        }
        if !self.path.is_exact() {
            label.push_str(&format!(", {}", self.path));
        }
        if let Some(stretch) = self.stretch {
            label.push_str(&format!(", {stretch:.3}× as wide").replace(".000", ""));
        }
        label
    }

    /// Half the width of its kernel, in samples; the prefilter adds to it.
    pub fn radius(&self) -> f64 {
        self.method.kernel().radius * self.stretch.unwrap_or(1.0)
    }

    /// The factor of its width, at least 1.
    pub(super) fn widening(&self) -> f64 {
        self.stretch.unwrap_or(1.0).max(1.0)
    }

    /// The prefilter in effect.
    pub(crate) fn coefficients(&self) -> Option<Prefilter> {
        self.method.kernel().prefilter.filter(|_| self.prefilter)
    }

    /// The weights of a position.
    pub(crate) fn taps(&self) -> Taps {
        let sampler = Sampler { method: self.method, path: self.path, ..Sampler::default() };
        match self.stretch {
            None => Taps::new(&sampler, 1.0),
            // A kernel is widened where the scale is above 1.
            Some(stretch) => Taps::new(&Sampler { antialias: true, blur: stretch / 2.0, ..sampler }, 2.0),
        }
    }

    /// The fractions of a position, in [0, 1), where its weights or a derivative of them jump; rising from 0. A kernel with
    /// more of them than [`MOST_BREAKS`] has 0 alone: such a table is as fine as the steps of integration.
    pub(super) fn breaks(&self) -> Vec<f64> {
        let stretch = self.stretch.unwrap_or(1.0);
        let kinks = self.method.kernel().kinks();
        if kinks.len() > MOST_BREAKS {
            return vec![0.0];
        }
        let mut breaks: Vec<f64> = kinks.iter().map(|kink| (kink * stretch).rem_euclid(1.0)).chain([0.0]).collect();
        breaks.sort_by(f64::total_cmp);
        breaks.dedup_by(|a, b| *a - *b < 1e-9);
        breaks.retain(|fraction| *fraction < 1.0 - 1e-9);
        breaks
    }
}

/// Largest number of kinks of a kernel that are steps of their own.
const MOST_BREAKS: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_are_the_fractions_of_the_kinks() {
        let breaks = |text: &str| Reconstruction::of(text.parse().expect(text), false).breaks();
        assert_eq!(breaks("nearest"), [0.0, 0.5]);
        assert_eq!(breaks("catmull-rom"), [0.0]);
        assert_eq!(breaks("bspline=4"), [0.0, 0.5]);
        assert_eq!(breaks("lanczos=1.25"), [0.0, 0.25, 0.75]);
        let widened = Reconstruction { stretch: Some(1.5), ..Reconstruction::of(Method::Linear, false) };
        assert_eq!(widened.breaks(), [0.0, 0.5]);
    }

    #[test]
    fn label_names_what_differs_from_the_plain_method() {
        let sampler = Sampler { method: Method::BSPLINE, prefilter: true, antialias: true, ..Sampler::default() };
        assert_eq!(Reconstruction::new(&sampler, 0.5).label(), "bspline, prefilter");
        assert_eq!(Reconstruction::new(&sampler, 4.0).label(), "bspline, prefilter, 4× as wide");
        let filtered = Sampler { path: SamplingPath::Filtered, ..Sampler::default() };
        assert_eq!(Reconstruction::new(&filtered, 1.0).label(), "linear, filtered");
        let table = Sampler { path: SamplingPath::FilteredTable, ..filtered.with_method(Method::BSPLINE) };
        assert_eq!(Reconstruction::new(&table, 1.0).label(), "bspline, filtered-table");
    }
}
