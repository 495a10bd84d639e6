//! Panels as files: a panel alone, all of them as one figure, and the commands that give them again.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::clipboard::{from_rgba, rgba};
use super::figure::{Cell, figure};
use super::sources::Sources;
use crate::app::panels::header::address_text;
use crate::app::session::{Area, Session, WipeLine};
use crate::app::widgets::number::short;
use crate::arguments::command_line;
use crate::backend;
use crate::backend::{Backend, PixelFormat, RenderRequest};
use crate::filter::Stage;
use crate::image::{Channels, Depth, Image, Raster, Size};
use crate::sampling::Sampler;
use crate::view::View;

/// The largest export, in pixels.
const MOST_PIXELS: usize = 1 << 28;

/// `request` at `times` its size: every sample is asked for anew.
///
/// # Errors
/// Where that is larger than a picture may be.
fn enlarged(request: &RenderRequest, times: u32) -> Result<RenderRequest, String> {
    let side = |side: u32| side.checked_mul(times);
    let size = side(request.size.width()).zip(side(request.size.height()));
    let size = size.and_then(|(width, height)| Size::new(width, height).ok()).filter(|size| size.area() <= MOST_PIXELS);
    let view = View::new(request.view.translation(), request.view.scale() / f64::from(times))
        .and_then(|view| view.rotated(request.view.angle_deg()));
    let (Some(size), Ok(view)) = (size, view) else {
        return Err(format!("{times}× is larger than a picture may be"));
    };
    let mut larger = RenderRequest { size, view, ..request.clone() };
    if let Some(other) = &request.subtract {
        larger.subtract = Some(Box::new(enlarged(other, times)?));
    }
    Ok(larger)
}

/// What stands where the focused panel does.
pub(in crate::app) fn focused(session: &Session) -> Area {
    let areas = session.areas();
    let focused = areas.iter().copied().find(|area| area.panel() == session.focused());
    focused.unwrap_or(Area::Panel(session.focused()))
}

/// A picture that is asked of a backend.
struct Wanted {
    /// The panels that it is made of: one, or two that are subtracted.
    panels: Vec<usize>,
    image: Arc<Image>,
    request: RenderRequest,
}

/// The pictures in `area`.
fn wanted(session: &Session, area: Area) -> Vec<Wanted> {
    let of_panel = |index: usize| Wanted {
        panels: vec![index],
        image: Arc::clone(session.image_of(index)),
        request: session.request(index),
    };
    match area {
        Area::Difference(pair) => vec![Wanted {
            panels: pair.to_vec(),
            image: session.difference_image(pair),
            request: session.difference_request(pair),
        }],
        area => area.pictures().into_iter().map(of_panel).collect(),
    }
}

/// The picture in `area` at `times` its size, in 8 bits a channel.
///
/// # Errors
/// Where it is too large, or cannot be drawn.
pub(in crate::app) fn picture(
    backend: &mut dyn Backend,
    session: &Session,
    area: Area,
    times: u32,
) -> Result<Raster, String> {
    let mut render = |Wanted { image, request, .. }: Wanted| {
        let request = enlarged(&request, times)?;
        backend::render(backend, &image, &request, PixelFormat::file(Depth::EIGHT)).map_err(|error| error.to_string())
    };
    let mut rasters = wanted(session, area).into_iter().map(&mut render).collect::<Result<Vec<_>, String>>()?;
    match (rasters.pop(), rasters.pop()) {
        (Some(second), Some(first)) => Ok(wiped([&first, &second], session.line())),
        (Some(only), None) => Ok(only),
        _ => Err("there is no picture".to_owned()),
    }
}

/// The first picture up to the line, the second beyond it; pictures of unlike channels meet in colour.
fn wiped([first, second]: [&Raster; 2], line: WipeLine) -> Raster {
    let size = first.size();
    let length = if line.lies { size.height() } else { size.width() };
    let border = line.first_of_second(length) as usize;
    let width = size.width() as usize;
    let bytes = [first, second].map(rgba);
    let mut joined = Vec::with_capacity(bytes[0].len());
    for pixel in 0..size.area() {
        let place = if line.lies { pixel / width } else { pixel % width };
        joined.extend_from_slice(&bytes[usize::from(place >= border)][4 * pixel..4 * pixel + 4]);
    }
    from_rgba(size, &joined).unwrap_or_else(|| first.clone())
}

/// All that is seen as one picture, each place under its name: `columns` side by side.
///
/// # Errors
/// Where it is too large, or a panel cannot be drawn.
pub(in crate::app) fn whole_figure(
    backend: &mut dyn Backend,
    session: &Session,
    columns: usize,
    times: u32,
) -> Result<Raster, String> {
    let cell = |area: Area| {
        let picture = picture(backend, session, area, times)?;
        let label = match area {
            Area::Panel(index) | Area::Flipped { shows: index, .. } => label(session, index),
            Area::Wipe([first, second]) => format!("{} | {}", label(session, first), label(session, second)),
            Area::Difference([first, second]) => format!("{} − {}", label(session, first), label(session, second)),
        };
        Ok(Cell { label, picture })
    };
    let cells: Vec<Cell> = session.areas().into_iter().map(cell).collect::<Result<_, String>>()?;
    figure(&cells, columns, times, &caption(session))
        .ok_or_else(|| "The figure is larger than a picture may be".to_owned())
}

/// What stands above a panel in a figure: its method, and what is not as usual.
fn label(session: &Session, index: usize) -> String {
    let Sampler { method, address, path, prefilter, antialias, .. } = session.panels()[index].sampler;
    let filters = session.panels()[index].filters_in_force();
    let chain = |stage: Stage| {
        let acting: Vec<String> = filters.chain(stage).active().map(ToString::to_string).collect();
        (!acting.is_empty()).then(|| format!("{} {}", stage.row().name.replace('-', " "), acting.join("; ")))
    };
    let usual = Sampler::default();
    let parts = [
        Some(method.row().title.to_owned()),
        (address != usual.address).then(|| address_text(address).to_lowercase()),
        prefilter.then(|| "prefilter".to_owned()),
        antialias.then(|| "antialias".to_owned()),
        (path != usual.path).then(|| format!("path {path}")),
        chain(Stage::Before),
        chain(Stage::After),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// What stands under a figure: the image, and where it is looked at.
fn caption(session: &Session) -> String {
    let (view, name) = (session.view(), session.image().name());
    let [x, y] = view.translation().map(|number| short(number, 6));
    let angle =
        if view.angle_deg() == 0.0 { String::new() } else { format!(", turned {}°", short(view.angle_deg(), 4)) };
    format!("{name}, translation {x}, {y}, scale {}{angle}", short(view.scale(), 6))
}

/// The commands that give what is seen again, a line a picture.
///
/// # Errors
/// Where an image came from no file.
pub(in crate::app) fn commands(session: &Session, sources: &Sources) -> Result<Vec<String>, String> {
    let command = |Wanted { panels, image, request }: Wanted| {
        let source = |index: usize| {
            let image = session.image_of(index);
            sources.of(image).ok_or_else(|| format!("{} has no file: save it first", image.name()))
        };
        let first = source(panels[0])?;
        // The second is named where its pages follow those of the first.
        let second = panels.get(1).filter(|_| !Arc::ptr_eq(&image, session.image_of(panels[0])));
        let second = second.map(|&index| source(index)).transpose()?;
        let output = PathBuf::from(format!("panel-{}.png", panels[0] + 1));
        Ok(command_line((first, second), &output, &request, Some(Depth::EIGHT)))
    };
    session.areas().into_iter().flat_map(|area| wanted(session, area)).map(command).collect()
}

/// A name for a file of panel `index`'s picture: the image's and the method's.
pub(in crate::app) fn file_name(session: &Session, index: usize) -> String {
    let stem = Path::new(session.image_of(index).name()).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let plain: String = stem.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' }).collect();
    format!("{plain}-{}.png", session.panels()[index].sampler.method)
}

/// Whether a picture of these channels fits a PGM.
pub(in crate::app) fn is_grey(channels: Channels) -> bool {
    channels == Channels::Grey
}
