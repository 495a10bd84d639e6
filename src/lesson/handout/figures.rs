//! The pictures of a step: its panels as `lerpscope render` makes them, or the difference of two, with the command of each.

use std::fmt::Write as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use toml::Table;

use super::html::escaped;
use super::marks::Marks;
use super::overlays::{Overlays, Painted};
use super::text;
use crate::arguments::command_line;
use crate::backend::{ColourMap, Content, CpuBackend, Display, PixelFormat, RenderRequest, render};
use crate::image::{self, Depth, FileFormat, Raster, Size};
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
        3 => ([400, 360], 3),
        4 => ([480, 360], 2),
        _ => ([320, 240], 3),
    }
}

impl Figures<'_> {
    /// The panels of `session` in pictures of the handout's size. A difference is one picture.
    pub(super) fn panels(&mut self, session: &Table) -> Result<Vec<ScenePanel>, String> {
        let count = scene::tables(session.get("panel")).unwrap_or_default().len();
        let sized = |count: usize| {
            let ([width, height], _) = layout(count);
            Size::new(width, height).map_err(|error| error.to_string())
        };
        if text(session, "compare") == Some("difference") && count > 1 {
            let panels = self.pictures.panels(session, sized(1)?)?;
            if let Some(difference) = self.difference(session, &panels)? {
                return Ok(vec![difference]);
            }
        }
        self.pictures.panels(session, sized(count)?)
    }

    /// The focused panel minus the second one, else that of the truth, else the next one; its largest magnitude is at the ends of the
    /// colours. `None` for panels of different images.
    fn difference(&mut self, session: &Table, panels: &[ScenePanel]) -> Result<Option<ScenePanel>, String> {
        let number = |key: &str| {
            let number = session.get(key)?.as_integer().and_then(|number| usize::try_from(number).ok())?;
            number.checked_sub(1).filter(|index| *index < panels.len())
        };
        let first = number("focused").unwrap_or(0);
        let is_truth = |index: &usize| panels[*index].request.content == Content::Truth && *index != first;
        let second = number("second").filter(|second| *second != first);
        let second = second.or_else(|| (0..panels.len()).find(is_truth)).unwrap_or((first + 1) % panels.len());
        let [first, second] = [&panels[first], &panels[second]];
        if first.source != second.source {
            return Ok(None);
        }
        let subtract = Some(Box::new(RenderRequest { display: Display::default(), ..second.request.clone() }));
        let values = RenderRequest { subtract, display: Display::default(), ..first.request.clone() };
        let image = self.pictures.image(&first.source)?;
        let raster = render(&mut CpuBackend::new(), image, &values, PixelFormat::file(Depth::Float));
        let exposure = -greatest(&raster.map_err(|error| error.to_string())?).log2();
        let (window, colour_map) = ([-1.0, 1.0], ColourMap::BlueWhiteOrange);
        let display = Display { exposure, window, colour_map, ..Display::default() };
        Ok(Some(ScenePanel { source: first.source.clone(), request: RenderRequest { display, ..values } }))
    }

    /// The figures of `panels`.
    pub(super) fn html(&mut self, panels: &[ScenePanel], overlays: &Overlays, marks: &Marks) -> Result<String, String> {
        let ([width, _], columns) = layout(panels.len());
        let mut html = format!("<div class=\"pictures columns-{columns}\" style=\"--side: {width}px\">\n");
        for (number, panel) in (1..).zip(panels) {
            let pushed = self.push(&mut html, (number, panels.len()), panel, (overlays, marks));
            pushed.map_err(|cause| format!("panel {number}: {cause}"))?;
        }
        Ok(html + "</div>\n")
    }

    fn push(
        &mut self,
        html: &mut String,
        (number, count): (usize, usize),
        ScenePanel { source, request }: &ScenePanel,
        (overlays, marks): (&Overlays, &Marks),
    ) -> Result<(), String> {
        let image = self.pictures.image(source)?;
        let Painted { raster, drawn, notes } = overlays.painted(image, request)?;
        let mut png = Vec::new();
        image::write(&mut png, FileFormat::Png, &raster).map_err(|error| error.to_string())?;
        let part = if count > 1 { format!("-{number}") } else { String::new() };
        let file = format!("{}-step{}{part}.png", self.name, self.step);
        let page = image.page(request.page).ok_or("page: there is no such page")?;
        // Of an image of bytes the command writes bytes anyway; the truth of a formula is written as floats.
        let is_of_bytes = page.depth() == Depth::EIGHT && !request.has_truth();
        let depth = (!is_of_bytes && overlays.lens().is_none()).then_some(Depth::EIGHT);
        let command = command_line((source, None), Path::new(&file), request, depth);
        let command = match overlays.lens() {
            // Its options are those of `render`.
            Some(lens) => command.replacen("lerpscope render", &format!("lerpscope lens {lens}"), 1),
            None => command,
        };
        let title = title(request);
        let alt = format!("{} by {title}", source.display());
        let [width, height] = request.size.sides();
        let map = request.view.image_from_output(request.size, page.size());
        let drawn = drawn + &marks.svg(&map);
        let drawn = if drawn.is_empty() {
            drawn
        } else {
            format!("<svg class=\"marks\" viewBox=\"0 0 {width} {height}\" aria-hidden=\"true\">\n{drawn}</svg>\n")
        };
        let _ = write!(
            html,
            "<figure>\n<div class=\"picture\"><img src=\"data:image/png;base64,{}\" width=\"{width}\" \
             height=\"{height}\" alt=\"{}\">\n{drawn}</div>\n",
            STANDARD.encode(&png),
            escaped(&alt)
        );
        let label = if count > 1 { format!("{number} · {title}") } else { title };
        let label = [vec![label], notes].concat().join(" · ");
        let _ = write!(
            html,
            "<figcaption><span class=\"label\">{}</span> <code class=\"command\">{}</code></figcaption>\n</figure>\n",
            escaped(&label),
            escaped(&command)
        );
        Ok(())
    }
}

/// The greatest magnitude of a difference, at least that of a float that differs in its last digit.
fn greatest(difference: &Raster) -> f32 {
    let samples = difference.samples();
    (0..samples.len()).map(|index| samples.number(index).abs()).filter(|number| number.is_finite()).fold(1e-7, f32::max)
}

/// What a panel shows, in words: its method and what differs from the usual.
pub(super) fn title(request: &RenderRequest) -> String {
    if let Some(other) = &request.subtract {
        let minuend = RenderRequest { subtract: None, ..request.clone() };
        let largest = (-request.display.exposure).exp2();
        let largest = if largest < 0.001 { format!("{largest:.1e}") } else { format!("{largest:.3}") };
        return format!("{} minus {}, ±{largest} at the ends of the colours", title(&minuend), title(other));
    }
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
