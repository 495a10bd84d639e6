//! Tools that work on the panels of a step: their charts, by the same engine as in the window.

use toml::Table;

use super::charts::{figure, numbers};
use super::text;
use crate::backend::{Content, CpuBackend, PreparedCache};
use crate::filter::ExecOptions;
use crate::lab::footprint::{Explained, Footprint, Notation};
use crate::lab::rotations::{RotationReport, RotationTest, USUAL_TURNS};
use crate::lab::texture_error::{ErrorGain, Formats, ShownSteps, Texel, TexelPair, TexelRequest, TextureView};
use crate::lesson::pictures::{Pictures, ScenePanel};
use crate::sampling::Sampler;

/// The chart of the tool called `name`; empty for one that has none in a handout.
pub(super) fn html(
    name: &str,
    inspect: &Table,
    panels: &[ScenePanel],
    pictures: &mut Pictures,
) -> Result<String, String> {
    let interpolated = || panels.iter().find(|panel| panel.request.content != Content::Truth);
    match (name, interpolated()) {
        ("footprint", Some(panel)) => footprint(inspect, panel, pictures),
        ("texture-error", Some(panel)) => texture_error(inspect, &panel.request.sampler),
        ("rotations", Some(panel)) => rotations(inspect, panel, panels, pictures),
        _ => Ok(String::new()),
    }
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
    let map = request.view.image_from_output(request.size, page.size());
    let pixel = map.inverse_at(at).map(|index| index.round() as i64);
    let prepared = PreparedCache::default().get_by(page, request, &ExecOptions::default());
    let prepared = prepared.ok_or("the samples were not prepared")?;
    let footprint = Footprint::new(&prepared, page, request, pixel).map_err(|error| error.to_string())?;
    let notation = Notation::new(f64::from(page.raster().samples().maxval()));
    let explained = Explained { footprint: &footprint, request, page: page.size(), shown: None, notation };
    figure(&footprint.chart(), &explained.to_text())
}

/// What the texture unit returns between two texels, emulated.
fn texture_error(inspect: &Table, sampler: &Sampler) -> Result<String, String> {
    let whole = |key: &str| inspect.get(key)?.as_integer().and_then(|number| u16::try_from(number).ok());
    let steps = whole("texture-error-steps").and_then(ShownSteps::new).unwrap_or_default();
    let gain = whole("texture-error-gain").and_then(ErrorGain::new).unwrap_or_default();
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
