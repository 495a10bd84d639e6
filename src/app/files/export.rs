//! Exports: a panel as a picture, all panels as a figure, and the commands that render them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::sources::{NoSourceError, Sources};
use crate::app::render::difference::{DifferenceMeasure, measure_of};
use crate::app::session::{PanelArea, PanelMethod, Session};
use crate::arguments::{command_line, quoted, quoted_path};
use crate::backend::{self, Backend, BackendError, Content, PixelFormat, RenderRequest};
use crate::figure::{Figure, FigureBar, FigureCell, numbered, wiped};
use crate::image::{Channels, Depth, Image, Raster, Size};
use crate::sampling::{Sampler, SamplingPath};
use crate::text::short;
use crate::view::View;
use crate::warp::Warp;

/// Maximum size of an exported picture, in pixels.
const MAX_PIXELS: usize = 1 << 28;

/// The file of an export, and its size relative to the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::app) struct ExportTarget {
    /// The file.
    pub(in crate::app) file: PathBuf,
    /// Pixels of the file per pixel on the screen, along each axis.
    pub(in crate::app) times: u32,
    /// Whether a figure has the whole image beside the panels, with frames around what they show.
    pub(in crate::app) has_whole: bool,
}

/// Why a picture, a figure or a command was not made.
#[derive(Error)]
pub enum ExportError {
    /// The enlarged picture has too many pixels.
    #[error("{times}× is larger than a picture may be")]
    PictureTooLarge {
        /// The enlargement.
        times: u32,
    },
    /// The figure has too many pixels.
    #[error("The figure is larger than a picture may be")]
    FigureTooLarge,
    /// No panel is shown.
    #[error("There is no picture")]
    NoPicture,
    /// The format of the file holds neither colour nor alpha.
    #[error("{}: a PGM is grey, and this has colour or alpha; .png holds it", file.display())]
    NotGrey {
        /// The file.
        file: PathBuf,
    },
    /// The backend failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// An image has no source, so that no command can name it.
    #[error(transparent)]
    NoSource(#[from] NoSourceError),
}

/// `request` at `times` its size. The picture is interpolated anew, not magnified.
///
/// # Errors
/// If the picture has more than [`MAX_PIXELS`].
fn enlarged(request: &RenderRequest, times: u32) -> Result<RenderRequest, ExportError> {
    let side = |side: u32| side.checked_mul(times);
    let size = side(request.size.width()).zip(side(request.size.height()));
    let size = size.and_then(|(width, height)| Size::new(width, height).ok()).filter(|size| size.area() <= MAX_PIXELS);
    let view = request.view.scaled(request.view.scales().map(|scale| scale / f64::from(times)));
    let (Some(size), Ok(view)) = (size, view) else {
        return Err(ExportError::PictureTooLarge { times });
    };
    let mut larger = RenderRequest { size, view, ..request.clone() };
    if let Some(other) = &request.subtract {
        larger.subtract = Some(Box::new(enlarged(other, times)?));
    }
    Ok(larger)
}

/// The area of the focused panel.
pub(super) fn focused(session: &Session) -> PanelArea {
    let areas = session.areas();
    let focused = areas.iter().copied().find(|area| area.panel() == session.focused());
    focused.unwrap_or(PanelArea::Panel(session.focused()))
}

/// A picture to render.
struct ExportPart {
    /// The panels that it is made of: one, or two whose difference it shows.
    panels: Vec<usize>,
    image: Arc<Image>,
    request: RenderRequest,
}

/// The pictures in `area`.
fn parts(session: &Session, area: PanelArea) -> Vec<ExportPart> {
    let of_panel = |index: usize| ExportPart {
        panels: vec![index],
        image: Arc::clone(session.image_of(index)),
        request: session.own_request(index),
    };
    match area {
        PanelArea::Difference(pair) => vec![ExportPart {
            panels: pair.to_vec(),
            image: session.difference_image(pair),
            request: session.difference_request(pair),
        }],
        area => area.pictures().into_iter().map(of_panel).collect(),
    }
}

/// The picture in `area` at `times` its size, with 8 bits per channel.
///
/// # Errors
/// If the picture is too large or the backend fails.
pub(super) fn picture(
    backend: &mut dyn Backend,
    session: &Session,
    area: PanelArea,
    times: u32,
) -> Result<Raster, ExportError> {
    let mut render = |ExportPart { image, request, .. }: ExportPart| {
        let request = enlarged(&request, times)?;
        Ok(backend::render(backend, &image, &request, PixelFormat::file(Depth::EIGHT))?)
    };
    let mut rasters = parts(session, area).into_iter().map(&mut render).collect::<Result<Vec<_>, ExportError>>()?;
    match (rasters.pop(), rasters.pop()) {
        (Some(second), Some(first)) => Ok(wiped([&first, &second], session.line())),
        (Some(only), None) => Ok(only),
        (None, _) => Err(ExportError::NoPicture),
    }
}

/// A figure of all visible panels, each with its label, in rows of `columns`.
///
/// # Errors
/// If the figure is too large or the backend fails.
pub(super) fn whole_figure(
    backend: &mut dyn Backend,
    session: &Session,
    columns: usize,
    target: &ExportTarget,
) -> Result<Raster, ExportError> {
    let times = target.times;
    let cell = |area: PanelArea| {
        let picture = picture(backend, session, area, times)?;
        let bar = difference_in(area).map(|pair| difference_bar(session, pair));
        Ok(FigureCell { label: label(session, area), picture, frames: Vec::new(), bar })
    };
    let cells: Vec<FigureCell> = session.areas().into_iter().map(cell).collect::<Result<_, ExportError>>()?;
    let whole = target.has_whole.then(|| whole_image(backend, session, times)).transpose()?;
    let pair = session.areas().into_iter().find_map(difference_in);
    let measured = match pair.map(|pair| measure_of(session, pair, backend)) {
        // The figure begins again once they are rendered: it is not written without them.
        Some(Err(BackendError::Cancelled)) => return Err(BackendError::Cancelled.into()),
        // The pictures tell the difference without its numbers.
        None | Some(Err(_)) => None,
        Some(Ok(measured)) => measured,
    };
    let caption = caption(session, measured.as_ref());
    let has_dots = Figure::has_dots(&target.file);
    Figure { whole, cells, columns, caption, times, has_dots }.sheet().ok_or(ExportError::FigureTooLarge)
}

/// The panels whose difference `area` shows.
fn difference_in(area: PanelArea) -> Option<[usize; 2]> {
    match area {
        PanelArea::Difference(pair) => Some(pair),
        PanelArea::Panel(_) | PanelArea::Flipped { .. } | PanelArea::Wipe(_) => None,
    }
}

/// Label of `area` in a figure. A panel that stands alone needs no number.
fn label(session: &Session, area: PanelArea) -> String {
    let label = |index: usize| match session.panels().len() {
        1 => session.figure_label(index),
        _ => numbered(index, &session.figure_label(index)),
    };
    match area {
        PanelArea::Panel(index) | PanelArea::Flipped { shows: index, .. } => label(index),
        PanelArea::Wipe([first, second]) => format!("{} | {}", label(first), label(second)),
        PanelArea::Difference([first, second]) => format!("{} − {}", label(first), label(second)),
    }
}

/// The focused panel's whole image at `times` the size of a panel, antialiased, with its filters and its display. Frames are
/// around what the visible panels of this image show.
fn whole_image(backend: &mut dyn Backend, session: &Session, times: u32) -> Result<FigureCell, ExportError> {
    let focused = session.focused();
    let (image, page) = (session.image_of(focused), session.page_of(focused));
    let seen = session.own_request(focused);
    let sampler = Sampler { antialias: true, path: SamplingPath::Auto, ..seen.sampler };
    let whole = View::fit(seen.size, page.size());
    let request = RenderRequest { view: whole, sampler, warp: Warp::None, subtract: None, ..seen };
    let request = enlarged(&request, times)?;
    let picture = backend::render(backend, image, &request, PixelFormat::file(Depth::EIGHT))?;
    let map = request.view.image_from_output(request.size, page.size());
    let mut frames: Vec<[[f64; 2]; 4]> = Vec::new();
    for index in session.visible() {
        let panel = session.own_request(index);
        if session.page_of(index).id() == page.id() {
            let shown = panel.view.image_from_output(panel.size, page.size());
            let [width, height] = panel.size.sides().map(|side| f64::from(side) - 0.5);
            let corners = [[-0.5, -0.5], [width, -0.5], [width, height], [-0.5, height]];
            let frame = corners.map(|corner| map.inverse_at(shown.at(corner)));
            if !frames.contains(&frame) {
                frames.push(frame);
            }
        }
    }
    Ok(FigureCell { label: "Whole image".to_owned(), picture, frames, bar: None })
}

/// The colours of the difference of `pair`, with the values at their ends in the file's numbers.
fn difference_bar(session: &Session, pair: [usize; 2]) -> FigureBar {
    let maxval = f64::from(session.page_of(pair[0]).maxval());
    let range = session.difference_range().map(|value| value * maxval);
    FigureBar { colour_map: session.difference_map(pair), range }
}

/// Caption of a figure: name of the image, magnification and centre of the view, and of a difference the gain, the unit of its bar, RMS and maximum if
/// they are `measured`.
fn caption(session: &Session, measured: Option<&DifferenceMeasure>) -> String {
    let pair = session.areas().into_iter().find_map(difference_in);
    let gain = pair.map_or_else(String::new, |pair| {
        let maxval = f64::from(session.page_of(pair[0]).maxval());
        let unit = if maxval == 1.0 { "where white is 1".to_owned() } else { format!("in levels of {maxval}") };
        let measured = measured.map_or_else(String::new, |measured| {
            let [rms, max] = [measured.rms, measured.max].map(|value| short(value * maxval, 4));
            format!(", RMS {rms}, max {max}")
        });
        format!(", gain {}×, {unit}{measured}", short(session.gain(), 4))
    });
    let (view, name) = (session.view(), session.image().name());
    let number = |number: f64, digits: i32| short(number, digits).replace('-', "−");
    let [x, y] = session.middle_of_view().map(|position| number(position, 6));
    let angle =
        if view.angle_deg() == 0.0 { String::new() } else { format!(", turned {}°", number(view.angle_deg(), 4)) };
    let [across, down] = view.scales().map(|scale| format!("{}×", short(scale.recip(), 6)));
    let zoom = if view.has_square_pixels() { across } else { format!("{across}, {down}") };
    format!("{name} at {zoom}{angle}, centre {x}, {y}{gain}")
}

/// The figure that copied commands make.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct FigureCopy<'a> {
    /// Panels in a row.
    pub(in crate::app) columns: usize,
    /// The difference on show, if it is known.
    pub(in crate::app) measured: Option<&'a DifferenceMeasure>,
    /// Pixels of the pictures per pixel on the screen, along each axis.
    pub(in crate::app) times: u32,
    /// The file of the figure.
    pub(in crate::app) file: &'a Path,
}

/// The commands that render what is shown, one per picture; of more than one panel, then the command that makes their figure of the pictures.
///
/// # Errors
/// If an image has no source, or if a picture is too large.
pub(super) fn commands(
    session: &Session,
    sources: &Sources,
    copy: &FigureCopy<'_>,
) -> Result<Vec<String>, ExportError> {
    let command = |ExportPart { panels, image, request }: ExportPart| {
        let first = sources.of(session.image_of(panels[0]))?;
        // The second image is named if its pages follow those of the first.
        let second = panels.get(1).filter(|_| !Arc::ptr_eq(&image, session.image_of(panels[0])));
        let second = second.map(|&index| sources.of(session.image_of(index))).transpose()?;
        let request = enlarged(&request, copy.times)?;
        Ok(command_line((first, second), &panel_file(panels[0]), &request, Some(Depth::EIGHT)))
    };
    let renders = session.areas().into_iter().flat_map(|area| parts(session, area)).map(command);
    renders.chain(figure_command(session, copy).map(Ok)).collect()
}

/// The file that the command of panel `index` writes.
fn panel_file(index: usize) -> PathBuf {
    PathBuf::from(format!("panel-{}.png", index + 1))
}

/// The command that makes the figure of the pictures that the other commands write; `None` of one panel alone.
fn figure_command(session: &Session, copy: &FigureCopy<'_>) -> Option<String> {
    let FigureCopy { columns, measured, times, file } = *copy;
    let areas = session.areas();
    if let [PanelArea::Panel(_) | PanelArea::Flipped { .. }] = areas[..] {
        return None;
    }
    let parts = areas.iter().flat_map(|area| parts(session, *area));
    let pictures = parts.map(|part| panel_file(part.panels[0]).display().to_string());
    let mut words: Vec<String> = ["lerpscope", "figure"].map(str::to_owned).into_iter().chain(pictures).collect();
    let mut option = |name: &str, value: &str| words.extend([format!("--{name}"), quoted(value)]);
    areas.iter().for_each(|area| option("label", &label(session, *area)));
    if areas.len() > 1 {
        option("columns", &columns.to_string());
    }
    if let [PanelArea::Wipe(_)] = areas[..] {
        option("wipe", &session.line().to_string());
    }
    if let Some(pair) = areas.iter().copied().find_map(difference_in) {
        option("bar", &difference_bar(session, pair).to_string());
    }
    option("caption", &caption(session, measured));
    if times > 1 {
        option("times", &times.to_string());
    }
    words.extend(["-o".to_owned(), quoted_path(file)]);
    Some(words.join(" "))
}

/// Default file name for the picture of panel `index`: names of the image and the method.
pub(super) fn file_name(session: &Session, index: usize) -> String {
    let stem = Path::new(session.image_of(index).name()).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let plain: String = stem.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' }).collect();
    let method = match session.panels()[index].method() {
        PanelMethod::Method(method) => method.to_string(),
        PanelMethod::Truth => Content::Truth.row().name.to_owned(),
    };
    format!("{plain}-{method}.png")
}

/// Whether a PGM file can hold a picture with these channels.
pub(super) fn is_grey(channels: Channels) -> bool {
    channels == Channels::Grey
}
