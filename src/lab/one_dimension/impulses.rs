//! Convolution as a sum: a signal is a sum of shifted impulses, and a linear filter's result the sum of their responses (figure 3
//! of document 004).

use super::Signal;
use super::charts::{X, empty, entry, push, span};
use crate::filter::{Chain, ExecOptions, Plane};
use crate::image::Channels;
use crate::plots::{Chart, ChartSeries, SeriesShape};
use crate::sampling::{AddressMode, Edges};

/// Largest distance over which an impulse responds, in samples.
const MOST_REACH: u32 = 64;
/// Difference of the sum and the filtered samples above which a chain is not linear, relative to the largest value.
const LINEAR: f64 = 1e-4;

/// A signal, the filters of images that act on it, and what follows.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpulseSum {
    /// h\[−r\] … h\[r\]: the response to a single 1, less that to zeros.
    pub response: Vec<f64>,
    /// k and s\[k\] of the samples that are drawn, those beyond the edges included.
    pub samples: Vec<(i64, f64)>,
    /// The filtered samples at the same places.
    pub filtered: Vec<f64>,
    /// The sums of the responses at the same places.
    pub sums: Vec<f64>,
}

impl ImpulseSum {
    /// Filters `signal` by `chain` as a line of a picture whose rows are all alike, from `range[0]` to `range[1]`.
    pub fn new(signal: &Signal, chain: &Chain, range: [f64; 2]) -> Self {
        let reach = i64::from(chain.reach().min(MOST_REACH));
        let [from, to] = [range[0].ceil() as i64, range[1].floor() as i64];
        let impulse = |height: f64| filtered_line(chain, -2 * reach..=2 * reach, |k| if k == 0 { height } else { 0.0 });
        let difference: Vec<f64> =
            impulse(1.0).iter().zip(impulse(0.0)).map(|(with, without)| with - without).collect();
        let response = difference[reach as usize..=3 * reach as usize].to_vec();
        let line = filtered_line(chain, from - reach..=to + reach, |k| signal.sample(k));
        let filtered = line[reach as usize..line.len() - reach as usize].to_vec();
        let sum = |n: i64| (n - reach..=n + reach).map(|k| signal.sample(k) * response[(n - k + reach) as usize]).sum();
        let sums = (from..=to).map(sum).collect();
        let samples = (from..=to).map(|k| (k, signal.sample(k))).collect();
        Self { response, samples, filtered, sums }
    }

    /// Half the width of the response, in samples.
    fn reach(&self) -> i64 {
        self.response.len() as i64 / 2
    }

    /// Largest difference of the sum and the filtered samples.
    pub fn error(&self) -> f64 {
        self.sums.iter().zip(&self.filtered).map(|(sum, filtered)| (sum - filtered).abs()).fold(0.0, f64::max)
    }

    /// Whether the filtered samples are the sum of the responses.
    pub fn is_linear(&self) -> bool {
        let largest = self.filtered.iter().chain(&self.sums).map(|value| value.abs()).fold(1e-3, f64::max);
        self.error() <= LINEAR * largest
    }

    /// The impulses as stems, a line for the response to each, their sum, and the filtered samples as dots.
    pub fn chart(&self, range: [f64; 2]) -> Chart {
        let mut chart = empty("A sum of shifted impulses", X, range);
        chart.keys = vec!["curve of"];
        let impulses = entry(&mut chart, "impulses s[k]·δ[n − k]");
        let stems = self.samples.iter().map(|(k, sample)| [*k as f64, *sample]).collect();
        push(&mut chart, impulses, "samples", SeriesShape::Stems, stems);
        let responses = entry(&mut chart, "responses s[k]·h[n − k]");
        for (k, sample) in self.samples.iter().filter(|(_, sample)| *sample != 0.0) {
            let first = k - self.reach();
            // A line from 0 to 0, so that an impulse that stays an impulse is seen.
            let ends = [[(first - 1) as f64, 0.0], [(k + self.reach() + 1) as f64, 0.0]];
            let inside = (first..).zip(&self.response).map(|(n, weight)| [n as f64, sample * weight]);
            let points = ends[..1].iter().copied().chain(inside).chain(ends[1..].iter().copied()).collect();
            let part = format!("k = {k}");
            chart.series.push(ChartSeries {
                entry: responses,
                part,
                source: "computed",
                shape: SeriesShape::Line,
                points,
            });
        }
        let places = || self.samples.iter().map(|(k, _)| *k as f64);
        let sum = entry(&mut chart, "their sum");
        let points = places().zip(&self.sums).map(|(x, y)| [x, *y]).collect();
        push(&mut chart, sum, "computed", SeriesShape::Line, points);
        let filtered = entry(&mut chart, "filtered samples");
        let points = places().zip(&self.filtered).map(|(x, y)| [x, *y]).collect();
        push(&mut chart, filtered, "filtered", SeriesShape::Dots, points);
        let ys: Vec<f64> = chart.series.iter().flat_map(|series| &series.points).map(|[_, y]| *y).collect();
        chart.y_range = span(ys.into_iter().chain([0.0]));
        chart.conclusion = Some(self.conclusion());
        chart
    }

    fn conclusion(&self) -> String {
        if !self.is_linear() {
            return format!(
                "The filters are not linear: the sum of the responses misses the filtered samples by up to {:.3}.",
                self.error()
            );
        }
        if self.reach() == 0 && self.response == [1.0] {
            return "Without a filter each impulse is its own response. Add a filter of the samples to the focused panel."
                .to_owned();
        }
        "The filters are linear: the responses to the impulses add up to the filtered samples.".to_owned()
    }
}

/// The values of `chain` over a line of `places`, with rows that are all alike.
fn filtered_line(chain: &Chain, places: std::ops::RangeInclusive<i64>, sample: impl Fn(i64) -> f64) -> Vec<f64> {
    let values: Vec<f32> = places.map(|k| sample(k) as f32).collect();
    let plane = Plane { size: [values.len() as u32, 1], first: [0; 2], channels: Channels::Grey, values };
    let edges = Edges { address: [AddressMode::Clamp; 2], border: 0.0 };
    let filtered = chain.apply(plane, &edges, &ExecOptions::default());
    // Nobody cancels it.
    filtered.map(|plane| plane.values.into_iter().map(f64::from).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::one_dimension::Preset;

    fn sum_of(chain: &str, preset: Preset) -> ImpulseSum {
        let signal = preset.signal(preset.row().count);
        ImpulseSum::new(&signal, &chain.parse().expect(chain), signal.drawn_range())
    }

    #[test]
    fn responses_of_linear_filters_add_up_to_the_filtered_samples() {
        for chain in ["none", "gaussian=1", "gaussian=2;convolve=sharpen", "brightness=0.3", "convolve=[1,2,3]"] {
            for preset in [Preset::Document, Preset::Step, Preset::Ramp, Preset::Runge] {
                let sum = sum_of(chain, preset);
                assert!(sum.is_linear(), "{chain}: {}", sum.error());
                assert_eq!(sum.sums.len(), sum.samples.len());
            }
        }
    }

    #[test]
    fn filters_that_are_not_linear_are_told_from_their_sum() {
        for chain in ["median=1", "bilateral=2,0.1", "gamma=2.2", "negative"] {
            let sum = sum_of(chain, Preset::Document);
            assert!(!sum.is_linear(), "{chain}");
            assert!(sum.chart([-3.0, 7.0]).conclusion.is_some_and(|text| text.contains("not linear")), "{chain}");
        }
    }

    #[test]
    fn response_is_that_of_a_picture_with_equal_rows() {
        // The columns of the matrix are added up.
        let response = sum_of("convolve=[1,0,2;0,3,0;1,0,2]", Preset::Impulse).response;
        let mut found = response.clone();
        found.sort_by(f64::total_cmp);
        assert_eq!((response.len(), found), (3, vec![2.0, 3.0, 4.0]));
        assert_eq!(sum_of("none", Preset::Impulse).response, [1.0]);
    }

    #[test]
    fn chart_has_a_response_for_each_sample_that_is_not_zero() {
        let chart = sum_of("gaussian=1", Preset::Document).chart([-3.0, 7.0]);
        // Samples 1/5 to 4/5, and three more of 4/5 beyond the right edge; those beyond the left one are 0.
        let lines = chart.series.iter().filter(|series| series.entry == 1).count();
        assert_eq!((lines, chart.entries.len()), (7, 4));
    }
}
