//! Tools that work on the panels of a step: their charts, by the same engine as in the window.

use toml::Table;

use super::charts::{figure, numbers};
use super::{plane, table, text};
use crate::backend::{Content, CpuBackend, Display, PreparedCache, RenderRequest};
use crate::filter::{ExecOptions, Filters};
use crate::lab::designer::designed_chart;
use crate::lab::footprint::{Explained, Footprint, Notation};
use crate::lab::identify::{Scale, identify};
use crate::lab::pairs::{self, PairMeasure, PairRequest, UpKernel};
use crate::lab::rotations::{RotationReport, RotationTest, USUAL_TURNS};
use crate::lab::texture_error::{ErrorGain, Formats, ShownSteps, Texel, TexelPair, TexelRequest, TextureView};
use crate::lesson::pictures::{Pictures, ScenePanel, sources};
use crate::measure::{self, Subject};
use crate::sampling::{METHODS, Method, Sampler};

/// The chart of the tool called `name` that `session` has open; empty for one that has nothing to show.
pub(super) fn html(
    name: &str,
    session: &Table,
    panels: &[ScenePanel],
    pictures: &mut Pictures,
) -> Result<String, String> {
    let inspect = &table(session, "inspect").cloned().unwrap_or_default();
    let interpolates = |panel: &&ScenePanel| panel.request.content != Content::Truth;
    let focused = whole(session, "focused").and_then(|number| panels.get(usize::from(number).checked_sub(1)?));
    let focused = focused.filter(interpolates).or_else(|| panels.iter().find(interpolates));
    match (name, focused) {
        ("footprint", Some(panel)) => footprint(inspect, panel, pictures),
        ("texture-error", Some(panel)) => texture_error(inspect, &panel.request.sampler),
        ("rotations", Some(panel)) => rotations(inspect, panel, panels, pictures),
        ("designer", Some(panel)) => {
            let curve = figure(&designed_chart(&panel.request.sampler), "")?;
            Ok(curve + &plane::html(panel.request.sampler.method))
        }
        ("quality", Some(panel)) => quality(inspect, panel, panels, pictures),
        ("pairs", Some(panel)) => pairs(inspect, panel, pictures),
        ("identify", Some(panel)) => identified(session, panel, pictures),
        _ => Ok(String::new()),
    }
}

/// The whole number at `key`.
fn whole(table: &Table, key: &str) -> Option<u16> {
    table.get(key)?.as_integer().and_then(|number| u16::try_from(number).ok())
}

/// The weights of the explained pixel, with its arithmetic.
fn footprint(
    inspect: &Table,
    ScenePanel { source, request }: &ScenePanel,
    pictures: &mut Pictures,
) -> Result<String, String> {
    let at: Option<[f64; 2]> = numbers(inspect, "footprint").and_then(|list| list.try_into().ok());
    let Some(at) = at else { return Ok(String::new()) };
    let image = pictures.image(source)?;
    let page = image.page(request.page).ok_or("page: there is no such page")?;
    let prepared = PreparedCache::default().get_by(page, request, &ExecOptions::default());
    let prepared = prepared.ok_or("the samples were not prepared")?;
    let footprint = Footprint::at(&prepared, page, request, at).map_err(|error| error.to_string())?;
    let notation = Notation::new(f64::from(page.maxval()));
    let explained = Explained { footprint: &footprint, request, page: page.size(), shown: None, notation };
    figure(&footprint.chart(), &explained.to_text())
}

/// What the texture unit returns between two texels, emulated.
fn texture_error(inspect: &Table, sampler: &Sampler) -> Result<String, String> {
    let steps = whole(inspect, "texture-error-steps").and_then(ShownSteps::new).unwrap_or_default();
    let gain = whole(inspect, "texture-error-gain").and_then(ErrorGain::new).unwrap_or_default();
    let view = text(inspect, "texture-error").and_then(TextureView::by_name).unwrap_or_default();
    let backend = &mut CpuBackend::new();
    let texel = |backend: &mut CpuBackend| {
        Texel::measure(TexelRequest::of(sampler), backend).map_err(|error| error.to_string())
    };
    match view {
        TextureView::Staircase => figure(&texel(backend)?.staircase(steps), ""),
        TextureView::Error => figure(&texel(backend)?.error(gain, steps), ""),
        TextureView::Formats => {
            let pair = text(inspect, "texture-error-texels").and_then(TexelPair::by_name).unwrap_or_default();
            let formats = Formats::measure(pair, backend).map_err(|error| error.to_string())?;
            figure(&formats.chart(steps), "")
        }
        TextureView::TableOne => Ok(String::new()),
    }
}

/// The errors of the panels' methods over the turns of repeated rotation.
fn rotations(
    inspect: &Table,
    ScenePanel { source, request }: &ScenePanel,
    panels: &[ScenePanel],
    pictures: &mut Pictures,
) -> Result<String, String> {
    let turns = numbers(inspect, "rotation").and_then(|list| list.first().map(|turns| *turns as u32));
    let mut samplers: Vec<Sampler> = Vec::new();
    for panel in panels.iter().filter(|panel| panel.request.content != Content::Truth && panel.source == *source) {
        if !samplers.contains(&panel.request.sampler) {
            samplers.push(panel.request.sampler);
        }
    }
    let image = pictures.image(source)?;
    let page = image.page(request.page).ok_or("page: there is no such page")?;
    let test = RotationTest::new(page, turns.unwrap_or(USUAL_TURNS), None).map_err(|error| error.to_string())?;
    let mut report = RotationReport::new(&test, &samplers);
    let work = ExecOptions::default();
    test.run(&mut CpuBackend::new(), &samplers, &work, &mut |turned| report.push(&turned))
        .map_err(|error| error.to_string())?;
    figure(&report.chart(), &report.to_table(&test, image.name()))
}

/// The errors of the panels' methods, or of all methods, against the truth, over the time of a render on this machine.
fn quality(
    inspect: &Table,
    ScenePanel { source, request }: &ScenePanel,
    panels: &[ScenePanel],
    pictures: &mut Pictures,
) -> Result<String, String> {
    let plain = RenderRequest {
        display: Display::default(),
        filters: Filters::default(),
        content: Content::Interpolation,
        ..request.clone()
    };
    let requests = if text(inspect, "quality") == Some("named") {
        let served = METHODS.iter().map(|row| row.method);
        let served: Vec<Method> = served.filter(|method| method.kernel().paths.contains(&plain.sampler.path)).collect();
        measure::requests(&plain, &served)
    } else {
        let is_measured =
            |panel: &&ScenePanel| panel.request.content == Content::Interpolation && panel.source == *source;
        let of_panel = |panel: &ScenePanel| RenderRequest { sampler: panel.request.sampler, ..plain.clone() };
        panels.iter().filter(is_measured).map(of_panel).collect()
    };
    let subject = Subject { image: pictures.image(source)?.clone(), request: plain };
    let report = measure::run(&mut CpuBackend::new(), &subject, &requests, &ExecOptions::default());
    let report = report.map_err(|error| error.to_string())?;
    figure(&report.chart(&subject), &report.to_table(&subject))
}

/// What pairs of kernels lose, one reducing and one enlarging.
fn pairs(
    inspect: &Table,
    ScenePanel { source, request }: &ScenePanel,
    pictures: &mut Pictures,
) -> Result<String, String> {
    const USUAL_FACTOR: u16 = 2;
    let measure = text(inspect, "pairs-measure").and_then(PairMeasure::by_name).unwrap_or_default();
    let factor = whole(inspect, "pairs-factor").unwrap_or(USUAL_FACTOR);
    let downs: Vec<Method> = METHODS.iter().map(|row| row.method).collect();
    let asked = PairRequest { factor: factor.into(), ups: UpKernel::all(&downs), downs };
    let page = pictures.image(source)?.page(request.page).ok_or("page: there is no such page")?;
    let matrix = pairs::measure(page, &asked, &ExecOptions::default()).map_err(|error| error.to_string())?;
    let is_sorted = inspect.get("pairs-sorted").and_then(toml::Value::as_bool) == Some(true);
    let matrix = if is_sorted { matrix.sorted(measure) } else { matrix };
    figure(&matrix.chart(measure), &matrix.to_table(measure))
}

/// The kernel that made the first other image of the session from the panel's.
fn identified(
    session: &Table,
    ScenePanel { source, .. }: &ScenePanel,
    pictures: &mut Pictures,
) -> Result<String, String> {
    let Some(output) = sources(session).into_iter().find(|other| other != source) else { return Ok(String::new()) };
    let [made_from, made] = [source, &output].map(|path| pictures.image(path).map(|image| image.pages()[0].clone()));
    let (made_from, made) = (made_from?, made?);
    let found = identify(&made_from, &made, Scale::FromSizes, &ExecOptions::default());
    let found = found.map_err(|error| error.to_string())?;
    figure(&found.chart(), &found.to_text())
}
