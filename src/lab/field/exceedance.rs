//! Shares of values beyond a magnitude, as a curve.

/// Bins for a magnitude of 1.
const BINS_A_UNIT: f32 = 1024.0;
/// Largest number of bins; the last one has all larger magnitudes.
const MAX_BINS: usize = 4096;

/// Counts of values by their magnitude.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exceedance {
    count: u64,
    bins: Vec<u64>,
}

impl Exceedance {
    /// Counts a value of this magnitude; of 0, it is within any bound. A magnitude that is not a number counts as the
    /// largest.
    pub fn add(&mut self, magnitude: f32) {
        self.count += 1;
        if magnitude == 0.0 {
            return;
        }
        let bin = if magnitude.is_nan() { f32::INFINITY } else { (magnitude * BINS_A_UNIT).ceil() - 1.0 };
        let bin = (bin as usize).min(MAX_BINS - 1);
        if bin >= self.bins.len() {
            self.bins.resize(bin + 1, 0);
        }
        self.bins[bin] += 1;
    }

    /// The curve: the share of the values whose magnitude exceeds x, at x = 0, 1/1024 … up to the first x that none exceeds.
    pub fn points(&self) -> Vec<[f64; 2]> {
        let mut beyond: u64 = self.bins.iter().sum();
        let share = |beyond: u64| if self.count == 0 { 0.0 } else { beyond as f64 / self.count as f64 };
        let mut points = vec![[0.0, share(beyond)]];
        for (bin, values) in self.bins.iter().enumerate() {
            beyond -= values;
            points.push([(bin + 1) as f64 / f64::from(BINS_A_UNIT), share(beyond)]);
        }
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curve_falls_from_the_share_of_all_differences_to_zero() {
        let mut exceedance = Exceedance::default();
        [0.0, 0.0, 0.5 / 1024.0, 1.0 / 1024.0, 2.5 / 1024.0].into_iter().for_each(|value| exceedance.add(value));
        let at = |place: f64| place / 1024.0;
        assert_eq!(exceedance.points(), [[0.0, 0.6], [at(1.0), 0.2], [at(2.0), 0.2], [at(3.0), 0.0]]);
        assert_eq!(Exceedance::default().points(), [[0.0, 0.0]]);
        exceedance.add(f32::NAN);
        assert_eq!(exceedance.points().len(), MAX_BINS + 1, "no number is the largest magnitude");
    }
}
