//! Goals of the figures on a GPU, as claims of documents 002 and 003.

use std::fmt::Write as _;

use serde::Serialize;

use super::device::GridDeviceRow;

/// Least number of times by which document 003's GPU column at 64⁴ points of 64⁴ samples exceeds the total time.
const OVER_DOCUMENT: f64 = 50.0;
/// Largest time of a tricubic slice over that of the trilinear one. Document 002 has 1.37 on its card.
const SLICE: f64 = 1.4;
/// Tricubic values a second at random points, and the share of an eighth of the trilinear rate, of which the greater counts: eight
/// fetches take the time of eight.
const RANDOM: (f64, f64) = (20e9, 0.8);

/// A figure with its goal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GridGoal {
    /// What the figure is.
    pub figure: String,
    /// The figure.
    pub found: f64,
    /// The goal.
    pub goal: f64,
    /// Whether the figure may be at most the goal; else it is at least the goal.
    pub is_most: bool,
}

impl GridGoal {
    /// Whether the figure has reached its goal.
    pub fn is_met(&self) -> bool {
        if self.is_most { self.found <= self.goal } else { self.found >= self.goal }
    }

    /// Goals of rows of document 003's table 1: the exact form is quicker than its GPU, and than our CPU. Rows without the
    /// document's times have none.
    pub(super) fn of_document(row: &GridDeviceRow) -> Vec<Self> {
        let Some([_, gpu_ms]) = row.document_ms else { return Vec::new() };
        let what = format!("{} grid, {} points, {}", row.grid, row.points, row.form);
        let ratio = |figure: &str, over: f64, goal: f64| Self {
            figure: format!("{what}: {figure} over total"),
            found: over / row.total_ms,
            goal,
            is_most: false,
        };
        let over_cpu = ratio("CPU", row.cpu_ms, 1.0);
        // The claim is of the largest row.
        let is_largest = row.is_largest_of_document;
        let over_document = is_largest.then(|| ratio("document 003's GPU", gpu_ms, OVER_DOCUMENT));
        over_document.into_iter().chain([over_cpu]).collect()
    }

    /// Goal of a slice by the quickest trilinear and the quickest tricubic form.
    pub(super) fn of_slice(linear: &GridDeviceRow, cubic: &GridDeviceRow) -> Self {
        Self {
            figure: format!("slice, kernel: tricubic ({}) over trilinear ({})", cubic.form, linear.form),
            found: cubic.kernel_ms / linear.kernel_ms,
            goal: SLICE,
            is_most: true,
        }
    }

    /// Goal of random points by the quickest forms, in 10⁹ points a second.
    pub(super) fn of_random(linear: &GridDeviceRow, cubic: &GridDeviceRow) -> Self {
        let (least, share) = RANDOM;
        Self {
            figure: format!("random points, kernel: tricubic ({}), 10^9 pts/s", cubic.form),
            found: cubic.points_a_second * 1e-9,
            goal: least.max(share * linear.points_a_second / 8.0) * 1e-9,
            is_most: false,
        }
    }
}

/// The goals as a table, with `met` or `missed`.
pub(super) fn table_of(goals: &[GridGoal]) -> String {
    let mut table = format!("{:<72} {:>9} {:>10}\n", "figure", "found", "goal");
    for goal in goals {
        let bound = format!("{} {:.4}", if goal.is_most { "≤" } else { "≥" }, goal.goal);
        let word = if goal.is_met() { "met" } else { "missed" };
        let _ = writeln!(table, "{:<72} {:>9.3} {:>10} {word}", goal.figure, goal.found, bound);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(form: &str, kernel_ms: f64, total_ms: f64) -> GridDeviceRow {
        GridDeviceRow {
            method: "bspline, prefilter".to_owned(),
            grid: "64^4".to_owned(),
            points: "64^4 random".to_owned(),
            form: form.to_owned(),
            load_ms: 1.0,
            kernel_ms,
            total_ms,
            points_a_second: 4e6 / kernel_ms * 1e3,
            cpu_ms: 8.0,
            largest_difference: 0.0,
            document_ms: Some([5000.0, 1000.0]),
            is_largest_of_document: true,
        }
    }

    #[test]
    fn goals_are_met_on_their_side_of_the_figure_alone() {
        let (linear, slow, quick) = (row("filtered", 1.0, 2.0), row("global", 1.5, 25.0), row("table", 1.25, 4.0));
        let slices = [GridGoal::of_slice(&linear, &slow), GridGoal::of_slice(&linear, &quick)];
        assert_eq!(slices.each_ref().map(GridGoal::is_met), [false, true]);
        let document =
            [&slow, &quick].map(|row| GridGoal::of_document(row).iter().map(GridGoal::is_met).collect::<Vec<_>>());
        assert_eq!(document, [vec![false, false], vec![true, true]]);
        let smaller = GridDeviceRow { is_largest_of_document: false, ..slow.clone() };
        assert_eq!(GridGoal::of_document(&smaller).len(), 1);
        assert_eq!(GridGoal::of_document(&GridDeviceRow { document_ms: None, ..smaller }), []);
        // 4·10⁹ points a second at 1 ms: below 20·10⁹; a trilinear rate of 400·10⁹ asks for 40·10⁹.
        assert_eq!(GridGoal::of_random(&linear, &quick).goal, 20.0);
        let rate = |linear_ms, cubic_ms| GridGoal::of_random(&row("a", linear_ms, 1.0), &row("b", cubic_ms, 1.0));
        assert_eq!((rate(0.01, 0.15).goal, rate(0.01, 0.15).is_met(), rate(0.01, 0.09).is_met()), (40.0, false, true));
        let table = table_of(&slices);
        let words: Vec<_> = table.lines().skip(1).map(|line| line.rsplit(' ').next()).collect();
        assert_eq!(words, [Some("missed"), Some("met")], "{table}");
    }
}
