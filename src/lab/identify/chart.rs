//! The recovered kernel over named ones, as a chart.

use super::geometry::Widening;
use super::hypothesis::{Candidate, Hypothesis};
use super::pair::AxisPair;
use super::shape::Shape;
use super::{Dot, Identification};
use crate::plots::{Chart, ChartEntry, ChartSeries, PlotAxis, Reconstruction, SeriesShape};

/// Points of a curve to a unit of distance.
const POINTS: u32 = 64;
const WEIGHT: PlotAxis = PlotAxis { name: "weight", symbol: "w", label: "Weight w(d)" };
const SAMPLES: PlotAxis = PlotAxis { name: "distance", symbol: "d", label: "Distance d from the sample, in samples" };
const PIXELS: PlotAxis =
    PlotAxis { name: "distance", symbol: "d", label: "Distance d from the sample, in pixels of the output" };

impl Identification {
    /// The recovered kernel as dots, over the best hypothesis, those that predict the same, and the next.
    pub fn chart(&self) -> Chart {
        let widening = self.best.hypothesis.widening;
        let is_wide = |one: &&Candidate| one.hypothesis.widening == widening;
        let others = self.equals.iter().chain(&self.runner_up).filter(is_wide);
        let named: Vec<&Candidate> = [&self.best].into_iter().chain(others).take(4).collect();
        let far = self.dots.iter().filter(|dot| dot.weight.abs() > 4e-3).map(|dot| dot.distance.ceil());
        let reach = far.fold(2.0, f64::max);
        let mut entries =
            vec![ChartEntry { label: "recovered".to_owned(), cells: vec!["recovered".to_owned(), String::new()] }];
        let mut series = vec![ChartSeries {
            entry: 0,
            part: String::new(),
            source: "recovered",
            shape: SeriesShape::Dots,
            points: both_sides(&self.dots),
        }];
        for (place, one) in named.iter().enumerate() {
            let label = one.hypothesis.shape.to_string();
            let rms = format!("{:.4}", one.score.rms);
            entries.push(ChartEntry { label: label.clone(), cells: vec![label, rms] });
            let points = self.curve(one.hypothesis, reach);
            // The dots stay above the curves.
            let curve = ChartSeries {
                entry: place + 1,
                part: String::new(),
                source: "named",
                shape: SeriesShape::Line,
                points,
            };
            series.insert(series.len() - 1, curve);
        }
        let values = series.iter().flat_map(|series| &series.points).map(|[_, y]| *y);
        let [least, most] = values.fold([0.0, 1.0], |[least, most]: [f64; 2], y| [least.min(y), most.max(y)]);
        let margin = 0.04 * (most - least);
        Chart {
            title: "Recovered kernel".to_owned(),
            x: if widening == Widening::Kernel { PIXELS } else { SAMPLES },
            y: WEIGHT,
            x_range: [-reach, reach],
            y_range: [if least < 0.0 { least - margin } else { least }, most + margin],
            guides: Vec::new(),
            keys: vec!["kernel", "rms"],
            entries,
            series,
            conclusion: Some(format!("{}.", self.headline())),
        }
    }

    /// Weights of `hypothesis` between −`reach` and `reach`, in the unit of the dots.
    fn curve(&self, hypothesis: Hypothesis, reach: f64) -> Vec<[f64; 2]> {
        let [scale, _] = self.pair.scale;
        let [samples, pixels] = [self.pair.source, self.pair.output].map(crate::image::Size::width);
        let axis = AxisPair { samples, pixels, scale };
        let weight = weight(hypothesis, &axis);
        let count = (reach * f64::from(POINTS)) as i64;
        (-count..=count).map(|step| step as f64 / f64::from(POINTS)).map(|d| [d, weight(d)]).collect()
    }
}

/// The weight of a sample by its distance: with the prefilter, and a Gaussian before it.
fn weight(hypothesis: Hypothesis, axis: &AxisPair) -> Box<dyn Fn(f64) -> f64> {
    let Hypothesis { shape, widening, .. } = hypothesis;
    let axis = *axis;
    match (shape, widening) {
        (Shape::Method { method, prefilter }, Widening::Off) => {
            let response = Reconstruction::of(method, prefilter).impulse();
            Box::new(move |d| response.at(d))
        }
        (Shape::Method { method, prefilter }, Widening::Gaussian) => {
            let response = Reconstruction::of(method, prefilter).impulse();
            let weights = super::field::gaussian(widening.sigma(&axis));
            let radius = (weights.len() / 2) as f64;
            Box::new(move |d| {
                weights.iter().enumerate().map(|(k, weight)| weight * response.at(d + k as f64 - radius)).sum()
            })
        }
        (Shape::Area, _) => Box::new(move |d| shape.weight(&axis, d) / axis.scale),
        (Shape::Method { .. }, Widening::Kernel) | (Shape::Hamming, _) => {
            // Σ w over an axis, the mean over its fractions.
            let sum: f64 = (-8 * 16..8 * 16).map(|k| shape.weight(&axis, f64::from(k) / 16.0)).sum::<f64>() / 16.0;
            Box::new(move |d| shape.weight(&axis, d) / sum)
        }
    }
}

/// The dots with their mirror images, by rising distance.
fn both_sides(dots: &[Dot]) -> Vec<[f64; 2]> {
    let left = dots.iter().rev().filter(|dot| dot.distance > 0.0).map(|dot| [-dot.distance, dot.weight]);
    left.chain(dots.iter().map(|dot| [dot.distance, dot.weight])).collect()
}
