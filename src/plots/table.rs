//! The numbers of a plot as CSV: one line for each point.

use super::Plot;

/// The table of `plot`, with a line of names: method, prefilter, curve, source (computed or measured), and the two axes.
///
/// # Errors
/// None in practice: the table is in memory.
pub(super) fn csv(plot: &Plot) -> Result<Vec<u8>, csv::Error> {
    let row = plot.kind.row();
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(["filter", "method", "prefilter", "curve", "source", row.x.name, row.y.name])?;
    for curve in &plot.curves {
        let filter = &plot.filters[curve.filter];
        let (label, method, prefilter) = (filter.label(), filter.method.to_string(), filter.prefilter.to_string());
        let source = if curve.is_measured { "measured" } else { "computed" };
        for point in &curve.points {
            let [x, y] = point.map(|number| to_billionth(number).to_string());
            csv.write_record([&label, &method, &prefilter, &curve.part, source, &x, &y])?;
        }
    }
    Ok(csv.into_inner().map_err(csv::IntoInnerError::into_error)?)
}

/// `number` with at most nine digits behind the point; −0 is 0.
fn to_billionth(number: f64) -> f64 {
    (number * 1e9).round() / 1e9 + 0.0
}
