//! The curves of a step: what the drawer of the window draws with the same session, as SVG.

use std::fmt::Write as _;

use toml::{Table, Value};

use super::html::escaped;
use super::{profile, table, text, tools};
use crate::backend::Content;
use crate::filter::Chain;
use crate::image::Size;
use crate::lab::one_dimension::{
    BasisLayout, GrownSpline, ImpulseSum, Preset, Signal, ValueCurves, ValueTable, basis_chart, prefilter_chart,
    prefilter_of, splines_chart,
};
use crate::lesson::pictures::{Pictures, ScenePanel};
use crate::lesson::scene::number_of;
use crate::plots::{Chart, FilterChain, Plot, PlotCurve, PlotFormat, PlotKind, Reconstruction};
use crate::sampling::{AddressMode, METHODS};

/// Size of a drawing, in points.
const SIZE: [u32; 2] = [720, 330];

/// The chart of the tool that `session` has open; empty for a tool without one.
pub(super) fn html(session: &Table, panels: &[ScenePanel], pictures: &mut Pictures) -> Result<String, String> {
    let inspect = table(session, "inspect").cloned().unwrap_or_default();
    let filters = filters(panels);
    match text(&inspect, "drawer") {
        Some("plots") => {
            let kind = text(&inspect, "plot").and_then(PlotKind::by_name).unwrap_or_default();
            let plot = if kind == PlotKind::Filters { chains(panels)? } else { Plot::new(kind, &filters, &[]) };
            let mut chart = plot.chart();
            if kind == PlotKind::Response {
                chart.narrow_to_lesson();
            }
            figure(&chart, "")
        }
        Some("lab1d") => {
            let line = table(&inspect, "one-dimension").cloned().unwrap_or_default();
            let first = interpolating(panels).next();
            let chain = first.map(|panel| panel.request.filters.before.clone()).unwrap_or_default();
            line_figure(&line, &filters, &chain)
        }
        Some(name) => tools::html(name, session, panels, pictures),
        None => profile::html(session, panels, pictures),
    }
}

/// The methods of the panels, each once.
fn filters(panels: &[ScenePanel]) -> Vec<Reconstruction> {
    let mut filters: Vec<Reconstruction> = Vec::new();
    for ScenePanel { request, .. } in interpolating(panels) {
        let filter = Reconstruction::new(&request.sampler, request.view.scale());
        if !filters.contains(&filter) {
            filters.push(filter);
        }
    }
    filters
}

/// The panels that do not show the truth.
fn interpolating(panels: &[ScenePanel]) -> impl Iterator<Item = &ScenePanel> {
    panels.iter().filter(|panel| panel.request.content != Content::Truth)
}

/// The plot of the panels' filters with the interpolation between them.
fn chains(panels: &[ScenePanel]) -> Result<Plot, String> {
    let (mut filters, mut curves) = (Vec::new(), Vec::new());
    for ScenePanel { request, .. } in interpolating(panels) {
        let of_panel = FilterChain::of(request).curves(None).map_err(|error| error.to_string())?;
        curves.extend(of_panel.into_iter().map(|curve| PlotCurve { filter: filters.len(), ..curve }));
        filters.push(Reconstruction::new(&request.sampler, request.view.scale()));
    }
    Ok(Plot::of_curves(PlotKind::Filters, filters, curves))
}

/// The list of numbers at `key`.
pub(super) fn numbers(table: &Table, key: &str) -> Option<Vec<f64>> {
    table.get(key)?.as_array()?.iter().map(number_of).collect()
}

fn line_figure(line: &Table, panels: &[Reconstruction], chain: &Chain) -> Result<String, String> {
    let preset = text(line, "preset").and_then(Preset::by_name);
    let own = numbers(line, "samples");
    let usual = preset.unwrap_or_default();
    let samples = own.clone().unwrap_or_else(|| usual.samples(usual.row().count));
    let address = text(line, "address").and_then(AddressMode::by_name).unwrap_or(AddressMode::Clamp);
    let border = line.get("border").and_then(number_of).unwrap_or(0.0);
    let signal = Signal::new(samples, address, border).map_err(|error| error.to_string())?;
    let points = numbers(line, "points").unwrap_or_else(|| Preset::POINTS.to_vec());
    let named: Vec<Reconstruction> = METHODS.iter().map(|row| Reconstruction::of(row.method, true)).collect();
    let filters = if text(line, "curves") == Some("named") { &named } else { panels };
    let range = signal.drawn_range();
    let first = filters.first().copied().unwrap_or_else(|| Reconstruction::of(METHODS[0].method, false));
    match text(line, "tab") {
        Some("basis") => {
            let layout = text(line, "basis").and_then(BasisLayout::by_name).unwrap_or_default();
            figure(&basis_chart(&signal, &first, layout, range), "")
        }
        Some("splines") => {
            let degree = line.get("degree").and_then(Value::as_integer).and_then(|degree| usize::try_from(degree).ok());
            let place = line.get("place").and_then(number_of).unwrap_or(0.0);
            figure(&splines_chart(degree.unwrap_or(3).min(GrownSpline::MAX_DEGREE), place), "")
        }
        Some("impulses") => figure(&ImpulseSum::new(&signal, chain, range).chart(range), ""),
        Some("prefilter") => figure(&prefilter_chart(&signal, prefilter_of(first.method).0, range), ""),
        _ => {
            let curves = ValueCurves {
                signal: &signal,
                filters,
                points: &points,
                has_slopes: line.get("slopes").and_then(Value::as_bool) == Some(true),
                has_lagrange: line.get("lagrange").and_then(Value::as_bool) == Some(true),
                preset: if own.is_none() { Some(usual) } else { None },
            };
            let values = ValueTable::new(signal.clone(), filters, &points).to_text();
            figure(&curves.chart(range), &values)
        }
    }
}

/// A chart, with its numbers in a folded table.
pub(super) fn figure(chart: &Chart, numbers: &str) -> Result<String, String> {
    let size = Size::new(SIZE[0], SIZE[1]).map_err(|error| error.to_string())?;
    let svg = chart.to_bytes(PlotFormat::Svg, size).map_err(|error| error.to_string())?;
    let svg = String::from_utf8(svg).map_err(|error| error.to_string())?;
    // The root element alone, named for readers that do not see it.
    let start = svg.find("<svg").unwrap_or(0);
    let title = escaped(&chart.title);
    let named = svg[start..].replacen("<svg", &format!("<svg role=\"img\" aria-label=\"{title}\""), 1);
    let mut html = format!("<figure class=\"chart\">\n{}\n", named.trim_end());
    if !numbers.is_empty() {
        let _ = write!(html, "<details>\n<summary>Numbers</summary>\n<pre>{}</pre>\n</details>\n", escaped(numbers));
    }
    Ok(html + "</figure>\n")
}
