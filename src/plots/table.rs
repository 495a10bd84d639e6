//! The numbers of a chart as CSV: one line for each point.

use super::chart::Chart;

/// The table of `chart`, with a line of names: the columns of its entries, series, source, and the two axes.
///
/// # Errors
/// None in practice: the table is in memory.
pub(super) fn csv(chart: &Chart) -> Result<Vec<u8>, csv::Error> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(chart.keys.iter().copied().chain(["curve", "source", chart.x.name, chart.y.name]))?;
    for series in &chart.series {
        let cells = &chart.entries[series.entry].cells;
        for point in &series.points {
            let [x, y] = point.map(|number| to_billionth(number).to_string());
            let own = [series.part.as_str(), series.source, &x, &y];
            csv.write_record(cells.iter().map(String::as_str).chain(own))?;
        }
    }
    Ok(csv.into_inner().map_err(csv::IntoInnerError::into_error)?)
}

/// `number` with at most nine digits behind the point; −0 is 0.
fn to_billionth(number: f64) -> f64 {
    (number * 1e9).round() / 1e9 + 0.0
}
