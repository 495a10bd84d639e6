//! What a step shows over its panels' pictures or in their place: lenses, the overshoot, values, marks of samples, weights.

use std::fmt::Write as _;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use toml::{Table, Value};

use super::charts::numbers;
use super::{cells, table, taps, text};
use crate::backend::{Content, CpuBackend, PixelFormat, PreparedCache, RenderRequest, render};
use crate::filter::ExecOptions;
use crate::image::{self, Channels, Depth, FileFormat, Image, Page, Raster, Region, Samples};
use crate::lab::field::{
    Field, Lens, LensPicture, Overshoot, SampleCheck, SampleCheckRequest, Side, distance, slope_range,
};
use crate::lab::footprint::Footprint;
use crate::quality::{Counted, compare, truth};
use crate::view::ImageFromOutput;

/// Distance from the range at which a mark of the overshoot is opaque, and the opacity of the smallest one.
const FULL: f32 = 0.05;
const LEAST_OPACITY: f32 = 0.55;

/// Something that a step shows beside the values of its panels.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Overlay {
    Values,
    Grid,
    Outside,
    SampleCheck,
    Overshoot,
    /// The error against the truth, in the label.
    Metrics,
    Lens(Lens),
    /// The weights at a position, in samples.
    Footprint([f64; 2]),
}

/// The overlays of a session.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Overlays {
    shown: Vec<Overlay>,
    /// Values are written from 0 to 255.
    is_in_bytes: bool,
}

/// A panel's picture.
pub(super) struct Painted {
    /// Its pixels.
    pub(super) raster: Raster,
    /// The drawing over them; empty without one.
    pub(super) drawn: String,
    /// What its label adds: the lens, the counts, the error.
    pub(super) notes: Vec<String>,
}

impl Overlays {
    /// The overlays of `session`.
    pub(super) fn of(session: &Table) -> Self {
        let Some(inspect) = table(session, "inspect") else { return Self::default() };
        let mut shown = Vec::new();
        for (key, overlay) in [
            ("overshoot", Overlay::Overshoot),
            ("ghosts", Overlay::Outside),
            ("grid", Overlay::Grid),
            ("sample-check", Overlay::SampleCheck),
            ("values", Overlay::Values),
            ("metrics", Overlay::Metrics),
        ] {
            if inspect.get(key).and_then(Value::as_bool) == Some(true) {
                shown.push(overlay);
            }
        }
        let position = numbers(inspect, "footprint").filter(|_| text(inspect, "drawer") == Some("footprint"));
        // Values stand over the discs.
        let first = position.and_then(|at| at.try_into().ok()).map(Overlay::Footprint);
        shown.splice(..0, first);
        shown.extend(text(inspect, "lens").and_then(Lens::by_name).map(Overlay::Lens));
        Self { shown, is_in_bytes: text(inspect, "unit") == Some("byte") }
    }

    /// The lens, which takes the place of the values.
    pub(super) fn lens(&self) -> Option<Lens> {
        self.shown.iter().find_map(|overlay| match overlay {
            Overlay::Lens(lens) => Some(*lens),
            _ => None,
        })
    }

    /// The picture of `request`, which reads `image`.
    pub(super) fn painted(&self, image: &Image, request: &RenderRequest) -> Result<Painted, String> {
        let page = image.page(request.page).ok_or("page: there is no such page")?;
        let map = request.view.image_from_output(request.size, page.size());
        let backend = &mut CpuBackend::new();
        let rendered = render(backend, image, request, PixelFormat::file(Depth::EIGHT));
        let raster = rendered.map_err(|error| error.to_string())?;
        let mut painted = Painted { raster, drawn: String::new(), notes: Vec::new() };
        let is_interpolated = request.content == Content::Interpolation;
        for overlay in &self.shown {
            let cells = cells::Cells { page, sampler: &request.sampler, size: request.size, map: &map };
            match overlay {
                Overlay::Outside => painted.drawn.push_str(&cells.outside()),
                Overlay::Grid => painted.drawn.push_str(&cells.grid()),
                Overlay::Values => painted.drawn.push_str(&cells.values(self.is_in_bytes, &painted.raster)),
                Overlay::Lens(lens) => {
                    let field = Field::new(image, request, backend).map_err(|error| error.to_string())?;
                    painted.raster = LensPicture::new(*lens, &field, slope_range(page), 1.0).over_values(&field);
                    painted.notes.push(lens.row().title.to_lowercase());
                }
                Overlay::Footprint(position) if is_interpolated => {
                    painted.drawn.push_str(&footprint(page, request, *position, &map)?);
                }
                Overlay::SampleCheck if is_interpolated => painted.check_samples(image, request, &map)?,
                Overlay::Overshoot if is_interpolated => painted.mark_overshoot(image, request)?,
                Overlay::Metrics if is_interpolated => painted.notes.extend(error(page, image, request)),
                Overlay::Footprint(_) | Overlay::SampleCheck | Overlay::Overshoot | Overlay::Metrics => {}
            }
        }
        Ok(painted)
    }
}

impl Painted {
    /// A mark on every sample of the view: whether the interpolation keeps it.
    fn check_samples(&mut self, image: &Image, request: &RenderRequest, map: &ImageFromOutput) -> Result<(), String> {
        let page = image.page(request.page).ok_or("page: there is no such page")?;
        let [width, height] = request.size.sides().map(f64::from);
        let Some(region) = Region::between(map.at([0.0; 2]), map.at([width - 1.0, height - 1.0]), page.size()) else {
            return Ok(());
        };
        let side = 1.0 / request.view.scale();
        let asked = SampleCheckRequest {
            page: request.page,
            plane: request.plane,
            component: request.component,
            sampler: request.sampler,
            before: request.filters.before.clone(),
            region,
            block: (taps::MARK_SPACING / side).ceil().max(1.0) as u32,
        };
        let check = SampleCheck::new(image, &asked, &mut CpuBackend::new()).map_err(|error| error.to_string())?;
        self.drawn.push_str(&taps::sample_marks(&check, map));
        self.notes.push(format!("{} of {} samples kept", check.kept, check.count));
        Ok(())
    }

    /// Tints the pixels beyond the range of their samples: orange above, blue below.
    fn mark_overshoot(&mut self, image: &Image, request: &RenderRequest) -> Result<(), String> {
        let found = Overshoot::new(image, Overshoot::request(request), &mut CpuBackend::new());
        let (overshoot, difference) = found.map_err(|error| error.to_string())?;
        let [over, under] = &overshoot.sides;
        if over.pixels + under.pixels == 0 {
            self.notes.push("no overshoot".to_owned());
            return Ok(());
        }
        let size = difference.size();
        let mut values = Vec::with_capacity(4 * size.area());
        for row in 0..size.height() {
            for column in 0..size.width() {
                let beyond = distance(&difference, column, row);
                let share = (beyond.abs() / FULL).min(1.0);
                let opacity = if beyond == 0.0 { 0.0 } else { LEAST_OPACITY + (1.0 - LEAST_OPACITY) * share };
                values.extend(colour(if beyond > 0.0 { Side::Over } else { Side::Under }));
                values.push((255.0 * opacity).round() as u8);
            }
        }
        let samples = Samples::U8 { values, maxval: u8::MAX };
        let tint = Raster::new(size, Channels::Rgba, samples).map_err(|error| error.to_string())?;
        let mut png = Vec::new();
        image::write(&mut png, FileFormat::Png, &tint).map_err(|error| error.to_string())?;
        let [width, height] = size.sides();
        let _ = writeln!(
            self.drawn,
            "<image class=\"overshoot\" width=\"{width}\" height=\"{height}\" href=\"data:image/png;base64,{}\"/>",
            STANDARD.encode(&png)
        );
        let share = 100.0 * (over.pixels + under.pixels) as f64 / overshoot.pixels.max(1) as f64;
        let [over, under] = [over.largest, under.largest];
        self.notes.push(format!("overshoot of {share:.1} %: orange +{over:.3}, blue −{under:.3}"));
        Ok(())
    }
}

/// Colour of the overshoot of a side, as in the window.
fn colour(side: Side) -> [u8; 3] {
    match side {
        Side::Over => [238, 119, 0],
        Side::Under => [0, 96, 190],
    }
}

/// The weights at `position` as discs; empty where the view has none.
fn footprint(
    page: &Arc<Page>,
    request: &RenderRequest,
    position: [f64; 2],
    map: &ImageFromOutput,
) -> Result<String, String> {
    let prepared = PreparedCache::default().get_by(page, request, &ExecOptions::default());
    let prepared = prepared.ok_or("the samples were not prepared")?;
    let found = Footprint::at(&prepared, page, request, position);
    Ok(found.map_or_else(|_| String::new(), |footprint| taps::discs(&footprint, map)))
}

/// The PSNR of the view; `None` without a truth.
fn error(page: &Page, image: &Image, request: &RenderRequest) -> Option<String> {
    let counted = Counted::between_samples(request, page.size());
    let exact = truth(page, request, &counted, &ExecOptions::default()).ok()?;
    let values = render(&mut CpuBackend::new(), image, request, PixelFormat::file(Depth::Float)).ok()?;
    let psnr = compare(&values, &exact, &counted).ok()?.psnr_db;
    Some(if psnr.is_finite() { format!("{psnr:.1} dB") } else { "exact".to_owned() })
}
