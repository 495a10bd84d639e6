//! The values of the panels along the line of a step, as a chart.

use toml::{Table, Value};

use super::charts::figure;
use super::figures::title;
use super::marks::place;
use super::table;
use crate::backend::{CpuBackend, Display, PixelFormat, RenderRequest, render};
use crate::filter::LUMINANCE;
use crate::image::{Depth, Page, Raster, Size};
use crate::lesson::pictures::{Pictures, ScenePanel};
use crate::plots::{Chart, ChartEntry, ChartSeries, PlotAxis, SeriesShape};

/// Number of values along the line.
const VALUES: u32 = 481;
/// Margin above and below the curves, as a share of their range.
const MARGIN: f64 = 0.08;
/// Least range of the values that the chart shows.
const LEAST_SPAN: f64 = 0.05;

/// The chart of the line of `session`; empty without one.
pub(super) fn html(session: &Table, panels: &[ScenePanel], pictures: &mut Pictures) -> Result<String, String> {
    let ends = table(session, "inspect").and_then(|inspect| inspect.get("line")).and_then(Value::as_array);
    let ends: Option<Vec<[f64; 2]>> = ends.and_then(|ends| ends.iter().map(place).collect());
    let Some([from, to]) = ends.and_then(|ends| <[[f64; 2]; 2]>::try_from(ends).ok()) else {
        return Ok(String::new());
    };
    let length = (to[0] - from[0]).hypot(to[1] - from[1]);
    if length <= 0.0 {
        return Ok(String::new());
    }
    let mut chart = Chart {
        title: "Values along the line".to_owned(),
        x: PlotAxis { name: "distance", symbol: "x", label: "Distance along the line, in samples" },
        y: PlotAxis { name: "value", symbol: "f", label: "Value" },
        x_range: [0.0, length],
        y_range: [0.0, 1.0],
        guides: Vec::new(),
        keys: vec!["panel"],
        entries: Vec::new(),
        series: Vec::new(),
        conclusion: None,
    };
    for (entry, panel) in panels.iter().enumerate() {
        let image = pictures.image(&panel.source)?;
        let page = image.page(panel.request.page).ok_or("page: there is no such page")?;
        let request = along(&panel.request, page, [from, to])?;
        let values = render(&mut CpuBackend::new(), image, &request, PixelFormat::file(Depth::Float));
        let values = values.map_err(|error| error.to_string())?;
        let step = length / f64::from(VALUES - 1);
        let points = (0..VALUES).map(|index| [f64::from(index) * step, number(&values, index)]).collect();
        let label =
            if panels.len() > 1 { format!("{} {}", entry + 1, title(&panel.request)) } else { title(&panel.request) };
        chart.entries.push(ChartEntry { cells: vec![label.clone()], label });
        let (part, source, shape) = (String::new(), "computed", SeriesShape::Line);
        chart.series.push(ChartSeries { entry, part, source, shape, points });
        let points = if entry == 0 { on_row(page, [from, to]) } else { Vec::new() };
        if !points.is_empty() {
            let (part, source, shape) = (String::new(), "samples", SeriesShape::Dots);
            chart.series.push(ChartSeries { entry, part, source, shape, points });
        }
    }
    let values = || chart.series.iter().flat_map(|series| &series.points).map(|[_, value]| *value);
    let [least, most] = [values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max)];
    let margin = MARGIN * (most - least).max(LEAST_SPAN);
    chart.y_range = [least - margin, most + margin];
    figure(&chart, "")
}

/// A row of [`VALUES`] pixels from one end of the line to the other, by the method and the filters of `request`.
fn along(request: &RenderRequest, page: &Page, [from, to]: [[f64; 2]; 2]) -> Result<RenderRequest, String> {
    let size = Size::new(VALUES, 1).map_err(|error| error.to_string())?;
    let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    let scale = dx.hypot(dy) / f64::from(VALUES - 1);
    let view = request.view.scaled([scale; 2]).and_then(|view| view.rotated(dy.atan2(dx).to_degrees()));
    let view = view.and_then(|view| view.translated([0.0; 2])).map_err(|error| error.to_string())?;
    let [x, y] = view.image_from_output(size, page.size()).at([0.0; 2]);
    let view = view.translated([from[0] - x, from[1] - y]).map_err(|error| error.to_string())?;
    Ok(RenderRequest { view, size, display: Display::default(), ..request.clone() })
}

/// The samples of a grey page on a line that runs to the right along one of its rows; none on any other line.
fn on_row(page: &Page, [[left, row], [right, end]]: [[f64; 2]; 2]) -> Vec<[f64; 2]> {
    let [width, height] = page.size().sides().map(f64::from);
    let is_row = row == end && row.fract() == 0.0 && (0.0..height).contains(&row) && left < right;
    if !is_row || page.channels().count() > 1 {
        return Vec::new();
    }
    let raster = page.raster();
    let maxval = f64::from(raster.samples().maxval());
    let columns = left.ceil().max(0.0) as u32..=right.floor().min(width - 1.0).max(0.0) as u32;
    let value = |column: u32| f64::from(raster.number(column, row as u32, 0)) / maxval;
    columns.map(|column| [f64::from(column) - left, value(column)]).collect()
}

/// The value of a pixel; of colours the luminance.
fn number(values: &Raster, column: u32) -> f64 {
    let channel = |channel: usize| f64::from(values.number(column, 0, channel));
    if values.channels().has_colour() {
        LUMINANCE.iter().enumerate().map(|(index, weight)| weight * channel(index)).sum()
    } else {
        channel(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Channels, Image, Samples};
    use crate::sampling::{Method, Sampler};
    use crate::test_support::size;

    #[test]
    fn samples_of_a_row_are_on_its_line_alone() {
        let samples = Samples::U8 { values: vec![0, 51, 102, 255, 0, 0], maxval: u8::MAX };
        let page = Page::new(Raster::new(size(3, 2), Channels::Grey, samples).expect("a raster"));
        assert_eq!(on_row(&page, [[0.5, 0.0], [5.0, 0.0]]), [[0.5, 0.2], [1.5, 0.4]]);
        assert_eq!(on_row(&page, [[0.0, 1.0], [0.5, 1.0]]), [[0.0, 1.0]]);
        for other in [[[0.0, 0.5], [2.0, 0.5]], [[0.0, 0.0], [2.0, 1.0]], [[2.0, 0.0], [0.0, 0.0]]] {
            assert_eq!(on_row(&page, other), [[0.0; 2]; 0]);
        }
    }

    #[test]
    fn values_run_from_one_end_of_the_line_to_the_other() {
        let ramp: Vec<f32> = (0..64).map(|index| (index % 8) as f32 / 8.0 + (index / 8) as f32 / 64.0).collect();
        let raster = Raster::new(size(8, 8), Channels::Grey, Samples::F32(ramp)).expect("a raster");
        let image = Image::of_page("ramp", Page::new(raster));
        let request =
            RenderRequest { sampler: Sampler::default().with_method(Method::Linear), ..RenderRequest::new(size(4, 4)) };
        let value = |[x, y]: [f64; 2]| x / 8.0 + y / 64.0;
        for ends in [[[1.0, 2.0], [6.0, 2.0]], [[1.0, 2.0], [5.5, 6.25]], [[6.0, 5.0], [2.0, 1.0]]] {
            let row = along(&request, &image.pages()[0], ends).expect("a row");
            let values = render(&mut CpuBackend::new(), &image, &row, PixelFormat::file(Depth::Float)).expect("values");
            for (index, share) in [(0, 0.0), (240, 0.5), (480, 1.0)] {
                let at = [0, 1].map(|axis: usize| ends[0][axis] + share * (ends[1][axis] - ends[0][axis]));
                let found = number(&values, index);
                assert!((found - value(at)).abs() < 1e-5, "{ends:?} {share}: {found} {}", value(at));
            }
        }
    }
}
