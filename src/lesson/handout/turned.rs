//! The pictures of repeated rotation, which a step with that tool shows in the place of its panels' own.

use std::fmt::Write as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use toml::Table;

use super::charts::numbers;
use super::figures::title;
use super::html::escaped;
use super::{table, text};
use crate::arguments::quoted;
use crate::backend::{Content, CpuBackend, PixelFormat, RenderRequest, render};
use crate::filter::ExecOptions;
use crate::image::{self, Depth, FileFormat, Image, Page, Raster, Size};
use crate::lab::rotations::{RotationTest, USUAL_TURNS};
use crate::lesson::pictures::{Pictures, ScenePanel};
use crate::sampling::{Method, Sampler};
use crate::view::View;

/// Side of a picture, in pixels.
const SIDE: u32 = 384;

/// The number of turns, and the turn on show, of a `session` that has the tool open.
pub(super) fn turns(session: &Table) -> Option<[u32; 2]> {
    let inspect = table(session, "inspect").filter(|inspect| text(inspect, "drawer") == Some("rotations"))?;
    let rotation = numbers(inspect, "rotation").unwrap_or_default();
    let turns = rotation.first().map_or(USUAL_TURNS, |turns| *turns as u32);
    Some([turns, rotation.get(1).map_or(turns, |shown| *shown as u32)])
}

/// A picture of each panel's method after turn `shown` of `turns`, with the error there.
pub(super) fn html([turns, shown]: [u32; 2], panels: &[ScenePanel], pictures: &mut Pictures) -> Result<String, String> {
    let panels: Vec<&ScenePanel> =
        panels.iter().filter(|panel| panel.request.content == Content::Interpolation).collect();
    let Some(ScenePanel { source, request }) = panels.first() else { return Ok(String::new()) };
    let page = pictures.image(source)?.page(request.page).ok_or("page: there is no such page")?.clone();
    let test = RotationTest::new(&page, turns, None).map_err(|error| error.to_string())?;
    let samplers: Vec<Sampler> = panels.iter().map(|panel| panel.request.sampler).collect();
    let mut found = vec![(test.original().clone(), "the original".to_owned()); samplers.len()];
    let mut keep = |turned: crate::lab::rotations::Turned<'_>| {
        if turned.turn == shown {
            let psnr = turned.metrics.psnr_db;
            let error = if psnr.is_finite() { format!("{psnr:.1} dB") } else { "exact".to_owned() };
            found[turned.sampler] = (turned.picture.clone(), format!("after {shown} of {turns} turns: {error}"));
        }
    };
    test.run(&mut CpuBackend::new(), &samplers, &ExecOptions::default(), &mut keep)
        .map_err(|error| error.to_string())?;
    let columns = if panels.len() == 3 { 3 } else { 2 };
    let mut html = format!("<div class=\"pictures columns-{columns}\" style=\"--side: {SIDE}px\">\n");
    for (number, (panel, (raster, error))) in (1..).zip(panels.iter().zip(found)) {
        let title = title(&panel.request);
        let label = format!("{number} · {title}, {error}");
        push(&mut html, &label, &enlarged(raster)?, &command(&panel.source, panel, turns));
    }
    Ok(html + "</div>\n")
}

/// The values as a PNG of [`SIDE`] pixels, each sample as a square.
fn enlarged(values: Raster) -> Result<Vec<u8>, String> {
    let size = Size::new(SIDE, SIDE).map_err(|error| error.to_string())?;
    let image = Image::of_page("turned", Page::new(values));
    let view = View::fit(size, image.pages()[0].size());
    let sampler = Sampler::default().with_method(Method::Nearest);
    let request = RenderRequest { view, sampler, ..RenderRequest::new(size) };
    let raster = render(&mut CpuBackend::new(), &image, &request, PixelFormat::file(Depth::EIGHT));
    let mut png = Vec::new();
    let raster = raster.map_err(|error| error.to_string())?;
    image::write(&mut png, FileFormat::Png, &raster).map_err(|error| error.to_string())?;
    Ok(png)
}

/// The command that lists the errors of a panel's method.
fn command(source: &Path, panel: &ScenePanel, turns: u32) -> String {
    let source = quoted(&source.display().to_string());
    let method = quoted(&panel.request.sampler.method.to_string().replace(',', ":"));
    format!("lerpscope rotations {source} --turns {turns} --methods {method}")
}

fn push(html: &mut String, label: &str, png: &[u8], command: &str) {
    let (label, data) = (escaped(label), STANDARD.encode(png));
    let _ = write!(
        html,
        "<figure>\n<img src=\"data:image/png;base64,{data}\" width=\"{SIDE}\" height=\"{SIDE}\" alt=\"{label}\">\n\
         <figcaption><span class=\"label\">{label}</span> <code class=\"command\">{}</code></figcaption>\n</figure>\n",
        escaped(command)
    );
}
