//! State of the 1-D laboratory: samples, points, what is drawn.

use crate::lab::one_dimension::{BasisLayout, GrownSpline, PageLine, Preset, Signal};
use crate::rows::rows;
use crate::sampling::AddressMode;

/// Description of a tab.
#[derive(Debug)]
pub struct LineTabRow {
    /// The tab.
    pub tab: LineTab,
    /// Its name in session files.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// A sentence that teaches what it shows.
    pub help: &'static str,
}

rows! {
    /// A view of the 1-D laboratory.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum LineTab {
        /// Curves through or near the samples, with a table at points.
        #[default]
        Values => {
            name: "values",
            title: "Values",
            help: "A method turns samples into a curve: drag a sample, and see how far its influence reaches",
        },
        /// c\[k\]·w(x − k), whose sum is the curve.
        Basis => {
            name: "basis",
            title: "Basis",
            help: "Each sample scales one copy of the kernel; the copies add up to the curve",
        },
        /// β_n from the box.
        Splines => {
            name: "splines",
            title: "B-splines",
            help: "The mean of β over a unit interval is the next β: from a box to a triangle, to ever smoother bells",
        },
        /// Shifted impulses, whose responses add up to the filtered samples.
        Impulses => {
            name: "impulses",
            title: "Sum",
            help: "Samples are a sum of shifted impulses: a linear filter answers each with its impulse response, and the answers add up",
        },
        /// The recursions that make coefficients.
        Prefilter => {
            name: "prefilter",
            title: "Prefilter",
            help: "A B-spline smooths; one recursion forwards and one backwards sharpen the samples so that the curve meets them",
        },
    }

    /// The tabs, in their order.
    pub static LINE_TABS: [LineTabRow { tab, .. }];

    impl by_name, Display;
}

/// Description of a set of curves.
#[derive(Debug)]
pub struct CurveSetRow {
    /// The set.
    pub curves: CurveSet,
    /// Its name in session files.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its title where there is little room.
    pub short: &'static str,
    /// What it is.
    pub help: &'static str,
}

rows! {
    /// Whose curves are drawn.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum CurveSet {
        /// Of the visible panels.
        #[default]
        Panels => {
            name: "panels",
            title: "Panels",
            short: "Panels",
            help: "The methods of the visible panels, in the panels' colours",
        },
        /// Of all named methods.
        Named => {
            name: "named",
            title: "All methods",
            short: "All",
            help: "Every named method, B-splines with their prefilter",
        },
    }

    /// The sets.
    pub static CURVE_SETS: [CurveSetRow { curves, .. }];

    impl by_name, Display;
}

/// Where samples come from.
#[derive(Clone, Debug, PartialEq)]
pub enum SampleSource {
    /// A preset, unchanged.
    Preset(Preset),
    /// A row or a column of an image, by its label.
    Image(String),
    /// Changed by hand.
    Own,
}

/// State of the 1-D laboratory that a session file stores and undo restores.
#[derive(Clone, Debug, PartialEq)]
pub struct LineState {
    /// The samples.
    pub signal: Signal,
    /// Where they come from.
    pub source: SampleSource,
    /// Positions whose values the table lists; at most [`LineState::MAX_POINTS`].
    pub points: Vec<f64>,
    /// The view.
    pub tab: LineTab,
    /// Whose curves are drawn.
    pub curves: CurveSet,
    /// Draws the polynomial through all samples.
    pub has_lagrange: bool,
    /// Draws the slopes of the curves at the points.
    pub has_slopes: bool,
    /// How the copies of the kernel are drawn.
    pub basis: BasisLayout,
    /// Degree of the grown B-spline, at most [`GrownSpline::MAX_DEGREE`].
    pub degree: usize,
    /// Place of the interval that the box covers in the view of B-splines.
    pub place: f64,
}

impl Default for LineState {
    /// Listing 2 of document 000; the cubic B-spline.
    fn default() -> Self {
        let preset = Preset::default();
        Self {
            signal: preset.signal(preset.row().count),
            source: SampleSource::Preset(preset),
            points: Preset::POINTS.to_vec(),
            tab: LineTab::default(),
            curves: CurveSet::default(),
            has_lagrange: false,
            has_slopes: false,
            basis: BasisLayout::default(),
            degree: 3,
            place: 0.5,
        }
    }
}

impl LineState {
    /// Largest number of points.
    pub const MAX_POINTS: usize = 16;

    /// Greatest distance of [`LineState::place`] from 0, of the largest degree.
    pub const MAX_PLACE: f64 = 6.0;

    /// The range of points and of what is drawn.
    pub fn range(&self) -> [f64; 2] {
        self.signal.drawn_range()
    }

    /// Sets sample `index`. A value beyond [`Signal::MAX_VALUE`] changes nothing.
    pub fn set_sample(&mut self, index: usize, value: f64) {
        let mut samples = self.signal.samples().to_vec();
        if samples.get(index).is_none_or(|sample| *sample == value) {
            return;
        }
        samples[index] = value;
        self.replace(samples, SampleSource::Own);
    }

    /// Changes the number of samples: of a preset to that preset's samples, of others by the edge sample.
    pub fn set_count(&mut self, count: usize) {
        let count = count.clamp(1, Signal::MAX_SAMPLES);
        let samples = self.signal.samples();
        if count == samples.len() {
            return;
        }
        if let SampleSource::Preset(preset) = self.source {
            return self.replace(preset.samples(count), SampleSource::Preset(preset));
        }
        let resized = (0..count).map(|k| samples[k.min(samples.len() - 1)]).collect();
        self.replace(resized, SampleSource::Own);
    }

    /// Takes the samples of `preset`, of the document's with its points.
    pub fn take_preset(&mut self, preset: Preset) {
        if preset == Preset::Document {
            self.points = Preset::POINTS.to_vec();
        }
        self.replace(preset.samples(preset.row().count), SampleSource::Preset(preset));
    }

    /// Takes the samples of a row or a column of an image.
    pub fn take_line(&mut self, line: PageLine) {
        let label = line.label();
        self.replace(line.samples, SampleSource::Image(label));
    }

    /// Replaces the samples. Points beyond the new range come into it.
    fn replace(&mut self, samples: Vec<f64>, source: SampleSource) {
        if let Ok(signal) = Signal::new(samples, self.signal.address, self.signal.border) {
            (self.signal, self.source) = (signal, source);
            let [from, to] = self.range();
            self.points.iter_mut().for_each(|x| *x = x.clamp(from, to));
        }
    }

    /// Sets the address mode.
    pub fn set_address(&mut self, address: AddressMode) {
        self.signal.address = address;
    }

    /// Sets the samples beyond the edges under [`AddressMode::Border`].
    pub fn set_border(&mut self, border: f64) {
        if (-Signal::MAX_VALUE..=Signal::MAX_VALUE).contains(&border) {
            self.signal.border = border;
        }
    }

    /// Moves point `index` to `x`, within the range.
    pub fn set_point(&mut self, index: usize, x: f64) {
        let [from, to] = self.range();
        if let Some(point) = self.points.get_mut(index).filter(|_| x.is_finite()) {
            *point = x.clamp(from, to);
        }
    }

    /// Adds a point in the middle of the widest gap between points and the outermost samples. Returns `false` if there are
    /// [`LineState::MAX_POINTS`] already.
    pub fn add_point(&mut self) -> bool {
        if self.points.len() >= Self::MAX_POINTS {
            return false;
        }
        let mut places: Vec<f64> = self.points.iter().copied().chain([0.0, self.signal.last()]).collect();
        places.sort_by(f64::total_cmp);
        let widest = places.windows(2).max_by(|a, b| (a[1] - a[0]).total_cmp(&(b[1] - b[0])));
        let middle = widest.map_or(0.0, |gap| f64::midpoint(gap[0], gap[1]));
        self.points.push((middle * 100.0).round() / 100.0);
        true
    }

    /// Removes the last point.
    pub fn remove_point(&mut self) {
        self.points.pop();
    }

    /// Sets the degree of the grown B-spline. An interval beyond the reach of the new degree comes into it.
    pub fn set_degree(&mut self, degree: usize) {
        self.degree = degree.min(GrownSpline::MAX_DEGREE);
        self.set_place(self.place);
    }

    /// Greatest distance of the interval of the view of B-splines from 0: half a sample beyond the support.
    pub fn reach(&self) -> f64 {
        self.degree as f64 / 2.0 + 1.0
    }

    /// Moves the interval of the view of B-splines, to within its reach.
    pub fn set_place(&mut self, place: f64) {
        if place.is_finite() {
            let reach = self.reach();
            self.place = place.clamp(-reach, reach);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::one_dimension::PageAxis;

    #[test]
    fn changed_sample_is_no_preset_any_more() {
        let mut line = LineState::default();
        line.set_sample(2, 0.4);
        assert_eq!(line, LineState::default(), "the value that it has");
        line.set_sample(2, 0.9);
        assert_eq!((line.signal.samples()[2], &line.source), (0.9, &SampleSource::Own));
        line.set_sample(9, 0.5);
        line.set_sample(1, f64::NAN);
        assert_eq!(line.signal.samples(), [0.0, 0.2, 0.9, 0.6, 0.8]);
    }

    #[test]
    fn interval_stays_within_the_reach_of_every_degree() {
        let mut line = LineState::default();
        line.set_degree(9);
        line.set_place(100.0);
        assert_eq!(line.place, 5.5);
        line.set_degree(2);
        assert_eq!(line.place, 2.0);
        line.set_degree(0);
        line.set_place(-3.0);
        assert_eq!(line.place, -1.0);
    }

    #[test]
    fn equal_count_changes_nothing() {
        let mut line = LineState::default();
        line.take_line(PageLine {
            axis: PageAxis::Row,
            index: 3,
            first: 7,
            samples: vec![0.1, 0.2],
            is_luminance: false,
        });
        let before = line.clone();
        line.set_count(2);
        assert_eq!(line, before, "its samples are still those of the image");
    }

    #[test]
    fn count_of_a_preset_keeps_the_preset_and_of_others_the_samples() {
        let mut line = LineState::default();
        line.take_preset(Preset::Runge);
        line.set_count(5);
        assert_eq!(line.signal.samples(), Preset::Runge.samples(5));
        assert_eq!(line.source, SampleSource::Preset(Preset::Runge));
        line.set_sample(4, 0.5);
        line.set_count(7);
        assert_eq!(line.signal.samples()[3..], [Preset::Runge.samples(5)[3], 0.5, 0.5, 0.5]);
        line.set_count(0);
        assert_eq!(line.signal.len(), 1);
        line.set_count(1000);
        assert_eq!(line.signal.len(), 64);
    }

    #[test]
    fn points_stay_within_the_range_and_their_number() {
        let mut line = LineState::default();
        line.set_point(0, -99.0);
        assert_eq!(line.points[0], -3.0);
        line.set_point(6, 99.0);
        assert_eq!(line.points[6], 7.0);
        line.take_preset(Preset::Impulse);
        line.set_point(6, 11.0);
        line.set_count(2);
        assert_eq!(line.points[6], 4.0, "in the range of two samples");
        let count = line.points.len();
        assert!((count..LineState::MAX_POINTS).all(|_| line.add_point()) && !line.add_point());
        assert_eq!(line.points.len(), LineState::MAX_POINTS);
        (0..20).for_each(|_| line.remove_point());
        assert!(line.points.is_empty());
        assert!(line.add_point() && line.points == [0.5], "between both samples");
    }

    #[test]
    fn documents_preset_brings_its_points() {
        let mut line = LineState { points: Vec::new(), ..LineState::default() };
        line.take_preset(Preset::Step);
        assert!(line.points.is_empty());
        line.take_preset(Preset::Document);
        assert_eq!(line.points, Preset::POINTS);
    }
}
