//! The weights of a footprint as a chart: the kernel, and on it a stem for each tap.

use super::{AxisFootprint, Footprint};
use crate::plots::{Chart, ChartEntry, ChartSeries, PlotAxis, SeriesShape};

/// Points of the kernel's curve.
const STEPS: i32 = 512;
/// Free space above and below the weights, as a part of their range.
const MARGIN: f64 = 0.06;

const WEIGHT: PlotAxis = PlotAxis { name: "weight", symbol: "w", label: "Weight" };

impl Footprint {
    /// The weights along x and along y by the distance d from the sample to the position, with the kernel through those of
    /// an exact path.
    pub fn chart(&self) -> Chart {
        let stems = |axis: &AxisFootprint| {
            let mut points: Vec<[f64; 2]> =
                axis.taps.iter().map(|tap| [axis.position - tap.index as f64, tap.weight]).collect();
            points.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
            points
        };
        let series =
            |entry, shape, points| ChartSeries { entry, part: String::new(), source: "computed", shape, points };
        let series = vec![
            series(0, SeriesShape::Line, self.kernel_curve()),
            series(1, SeriesShape::Stems, stems(&self.axes[0])),
            series(2, SeriesShape::Stems, stems(&self.axes[1])),
        ];
        let points = || series.iter().flat_map(|series| &series.points);
        let reach = points().map(|[d, _]| d.abs()).fold(1.0, f64::max);
        let (least, most) =
            points().fold((0.0, 0.0), |(least, most): (f64, f64), [_, w]| (least.min(*w), most.max(*w)));
        let margin = MARGIN * (most - least);
        let [i, j] = self.pixel;
        let [x, y] = self.position;
        let entry = |axis: &str, label: String| ChartEntry { label, cells: vec![axis.to_owned()] };
        Chart {
            title: format!("Weights of pixel ({i}, {j})"),
            x: PlotAxis::DISTANCE,
            y: WEIGHT,
            x_range: [-reach, reach],
            y_range: [if least < 0.0 { least - margin } else { 0.0 }, most + margin],
            guides: Vec::new(),
            keys: vec!["axis"],
            entries: vec![
                entry("kernel", format!("Kernel of {}", self.sampler.method.title())),
                entry("x", format!("Along x, at {x:.4}")),
                entry("y", format!("Along y, at {y:.4}")),
            ],
            series,
            conclusion: None,
        }
    }

    /// w(d/stretch) with the factor that the weights along x have.
    fn kernel_curve(&self) -> Vec<[f64; 2]> {
        let kernel = self.sampler.method.kernel();
        let axis = &self.axes[0];
        let stretch = axis.stretch.unwrap_or(1.0);
        let weight = |d: f64| kernel.weight(d / stretch);
        let factor = if kernel.normalized || axis.stretch.is_some() {
            let sum: f64 = axis.taps.iter().map(|tap| weight(axis.position - tap.index as f64)).sum();
            if sum == 0.0 { 1.0 } else { sum.recip() }
        } else {
            1.0
        };
        let reach = kernel.radius * stretch;
        let at = |step: i32| reach * (2.0 * f64::from(step) / f64::from(STEPS) - 1.0);
        (0..=STEPS).map(|step| [at(step), factor * weight(at(step))]).collect()
    }
}
