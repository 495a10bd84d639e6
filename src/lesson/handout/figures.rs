//! The pictures of a step: its panels as `lerpscope render` makes them, with the command of each.

use std::fmt::Write as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use toml::Table;

use super::html::escaped;
use super::marks::Marks;
use crate::arguments::command_line;
use crate::backend::{Content, CpuBackend, PixelFormat, render};
use crate::image::{self, Depth, FileFormat, Size};
use crate::lesson::pictures::{Pictures, ScenePanel};
use crate::lesson::scene;

/// The pictures of one step.
pub(super) struct Figures<'a> {
    /// Name of the lesson, for the names of files in commands.
    pub(super) name: &'a str,
    /// Number of the step.
    pub(super) step: usize,
    pub(super) pictures: &'a mut Pictures,
}

/// Width and height of one of `count` pictures, in pixels, and the number of columns.
fn layout(count: usize) -> ([u32; 2], usize) {
    match count {
        0 | 1 => ([960, 540], 1),
        2 => ([600, 450], 2),
        3 | 4 => ([480, 360], 2),
        _ => ([320, 240], 3),
    }
}

impl Figures<'_> {
    /// The panels of `session` in pictures of the handout's size.
    pub(super) fn panels(&mut self, session: &Table) -> Result<Vec<ScenePanel>, String> {
        let count = scene::tables(session.get("panel")).unwrap_or_default().len();
        let ([width, height], _) = layout(count);
        let size = Size::new(width, height).map_err(|error| error.to_string())?;
        self.pictures.panels(session, size)
    }

    /// The figures of `panels`.
    pub(super) fn html(&mut self, panels: &[ScenePanel], marks: &Marks) -> Result<String, String> {
        let (_, columns) = layout(panels.len());
        let mut html = format!("<div class=\"pictures columns-{columns}\">\n");
        for (number, panel) in (1..).zip(panels) {
            let pushed = self.push(&mut html, (number, panels.len()), panel, marks);
            pushed.map_err(|cause| format!("panel {number}: {cause}"))?;
        }
        Ok(html + "</div>\n")
    }

    fn push(
        &mut self,
        html: &mut String,
        (number, count): (usize, usize),
        ScenePanel { source, request }: &ScenePanel,
        marks: &Marks,
    ) -> Result<(), String> {
        let image = self.pictures.image(source)?;
        let raster = render(&mut CpuBackend::new(), image, request, PixelFormat::file(Depth::EIGHT))
            .map_err(|error| error.to_string())?;
        let mut png = Vec::new();
        image::write(&mut png, FileFormat::Png, &raster).map_err(|error| error.to_string())?;
        let part = if count > 1 { format!("-{number}") } else { String::new() };
        let file = format!("{}-step{}{part}.png", self.name, self.step);
        // Of an image of bytes the command writes bytes anyway; the truth of a formula is written as floats.
        let is_of_bytes =
            image.page(request.page).is_some_and(|page| page.depth() == Depth::EIGHT) && !request.has_truth();
        let depth = (!is_of_bytes).then_some(Depth::EIGHT);
        let command = command_line((source, None), Path::new(&file), request, depth);
        let title = title(request);
        let alt = format!("{} by {title}", source.display());
        let [width, height] = request.size.sides();
        let page = image.page(request.page).ok_or("page: there is no such page")?;
        let map = request.view.image_from_output(request.size, page.size());
        let drawn = marks.svg(request.size, &map);
        let _ = write!(
            html,
            "<figure>\n<div class=\"picture\"><img src=\"data:image/png;base64,{}\" width=\"{width}\" \
             height=\"{height}\" alt=\"{}\">\n{drawn}</div>\n",
            STANDARD.encode(&png),
            escaped(&alt)
        );
        let label = if count > 1 { format!("{number} · {title}") } else { title };
        let _ = write!(
            html,
            "<figcaption><span class=\"label\">{}</span> <code class=\"command\">{}</code></figcaption>\n</figure>\n",
            escaped(&label),
            escaped(&command)
        );
        Ok(())
    }
}

/// What a panel shows, in words: its method and what differs from the usual.
pub(super) fn title(request: &crate::backend::RenderRequest) -> String {
    if request.content == Content::Truth {
        return "Truth".to_owned();
    }
    let sampler = &request.sampler;
    let mut parts = vec![sampler.method.title().into_owned()];
    if sampler.uses_coefficients() {
        parts.push("prefilter".to_owned());
    }
    let [x, y] = sampler.address;
    if x != y {
        parts.push(format!("{x} × {y}"));
    } else if x != crate::sampling::AddressMode::Clamp {
        parts.push(x.to_string());
    }
    if !sampler.path.is_exact() {
        parts.push(sampler.path.to_string());
    }
    if request.is_stretched() {
        parts.push("antialias".to_owned());
    }
    parts.extend(request.all_filters().filter(|step| step.enabled).map(ToString::to_string));
    parts.join(", ")
}
