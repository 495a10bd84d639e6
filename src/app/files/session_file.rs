//! Session files: images, panels, views, layout and inspection state as TOML.
//!
//! ```toml
//! images = ["/home/ada/leaf.pgm", "synth:zone-plate:512x512"]
//! layout = "grid"
//! link = "absolute"
//! focused = 1
//!
//! [[panel]]
//! image = 1
//! sampler = "method=catmull-rom,address=wrap:mirror"
//! translate = [100.0, 100.0]
//! scale = 0.125
//! filter = ["gaussian=1.5", "negative,off"]
//! ```

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;
use toml::{Table, Value};

use super::fields::{FieldError, Fields, UnknownName};
use super::inspect_table;
use super::sources::{NoSourceError, Sources, absolute};
use super::text_file::{TextFileError, write_text};
use crate::app::session::history::Framing;
use crate::app::session::layout::{PANEL_LAYOUTS, PanelLayout};
use crate::app::session::unit::Unit;
use crate::app::session::{
    COMPARES, Compare, Difference, Gain, KEPT_PLACES, KeptPlace, LINKS, Link, PanelState, Session, SessionState,
    WipeLine,
};
use crate::arguments::{method_text, parse_component, parse_orientation, parse_sampler_in, sampler_text};
use crate::backend::{COLOUR_MAPS, CONTENTS, ColourMap, Content, Display};
use crate::complex;
use crate::filter::{Chain, Filters, STAGES, Step};
use crate::image::{self, Image, OpenError};
use crate::sampling::Sampler;
use crate::text::one_line;
use crate::view::View;
use crate::volume::{Orientation, Plane, open_source};
use crate::warp::Warp;

/// The framings with their names in files.
const FRAMINGS: [(Framing, &str); 3] = [(Framing::Free, "free"), (Framing::Fit, "fit"), (Framing::Snapped, "snapped")];

/// Contents of a session file.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedSession {
    /// Sources of the images.
    pub images: Vec<PathBuf>,
    /// Panels, layout and inspection state.
    pub state: SessionState,
    /// Unit of displayed values; `None` if the file has none.
    pub unit: Option<Unit>,
}

/// A session file with its images opened.
#[derive(Debug)]
pub struct Restored {
    /// The session.
    pub session: Session,
    /// Sources of the images, in the session's order.
    pub sources: Vec<PathBuf>,
    /// Why images cannot be opened. A stand-in is in the place of each: [`Image::missing`].
    pub missing: Vec<OpenError>,
    /// Warnings of the decoders.
    pub warnings: Vec<String>,
    /// Unit of displayed values, which replaces that of the settings; `None` if the file has none.
    pub unit: Option<Unit>,
}

/// The path of an image is not UTF-8, so that no session file can hold it.
#[derive(Clone, PartialEq, Eq, Error)]
#[error("{} is not UTF-8 and cannot be written to a session file", path.display())]
pub struct NotUtf8Error {
    /// The path.
    pub path: PathBuf,
}

/// Why a session file was not saved or opened. The message is one line.
#[derive(Error)]
pub enum SessionFileError {
    /// An image has no source.
    #[error(transparent)]
    NoSource(#[from] NoSourceError),
    /// The path of an image is not UTF-8.
    #[error(transparent)]
    NotUtf8(#[from] NotUtf8Error),
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] TextFileError),
    /// The file has an invalid value.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// The file is empty.
    #[error("{}: contains no session", file.display())]
    Empty {
        /// The session file.
        file: PathBuf,
    },
    /// An image has an invalid name. The error has no source: it is a usage error on the command line only.
    #[error("{}: {cause}", file.display())]
    Image {
        /// The session file.
        file: PathBuf,
        /// The reason, with the image's file.
        cause: OpenError,
    },
    /// A panel shows a page that its image does not have.
    #[error("{}: a panel shows a page that its image does not have", file.display())]
    MissingPage {
        /// The session file.
        file: PathBuf,
    },
}

impl SavedSession {
    /// The contents of a file for `session`, without a unit.
    ///
    /// # Errors
    /// If an image has no source.
    pub(super) fn of(session: &Session, sources: &Sources) -> Result<Self, NoSourceError> {
        let source = |image: &Arc<Image>| sources.of(image).map(Path::to_owned);
        Ok(Self {
            images: session.images().iter().map(source).collect::<Result<_, _>>()?,
            state: session.state(),
            unit: None,
        })
    }

    /// The text of the file.
    ///
    /// # Errors
    /// If the path of an image is not UTF-8.
    pub fn text(&self) -> Result<String, NotUtf8Error> {
        Ok(format!("# A session of lerpscope: lerpscope --session FILE\n{}", self.table()?))
    }

    /// The keys of the file.
    ///
    /// # Errors
    /// If the path of an image is not UTF-8.
    pub(super) fn table(&self) -> Result<Table, NotUtf8Error> {
        let SessionState {
            panels,
            focused,
            maximized,
            layout,
            link,
            kept_place,
            compare,
            second,
            line,
            difference,
            flips_a_second,
            has_crosshair,
            dims_outside,
            inspect,
            identified,
        } = &self.state;
        let name = |path: &PathBuf| path.to_str().map(Value::from).ok_or_else(|| NotUtf8Error { path: path.clone() });
        let images: Vec<Value> = self.images.iter().map(name).collect::<Result<_, _>>()?;
        let mut table = Table::new();
        table.insert("images".to_owned(), images.into());
        table.insert("layout".to_owned(), layout.row().name.into());
        table.insert("link".to_owned(), link.row().name.into());
        table.insert("kept-place".to_owned(), kept_place.row().name.into());
        table.insert("compare".to_owned(), compare.row().name.into());
        if let Some(second) = second {
            table.insert("second".to_owned(), count(second + 1));
        }
        if let Some(identified) = identified {
            table.insert("identified".to_owned(), count(identified + 1));
        }
        table.insert("line".to_owned(), line.share.into());
        table.insert("line-lies".to_owned(), line.is_horizontal.into());
        match difference.gain {
            Gain::Automatic => table.insert("automatic-gain".to_owned(), true.into()),
            Gain::Fixed(log2) => table.insert("gain-log2".to_owned(), count(log2.into())),
        };
        table.insert("absolute".to_owned(), difference.absolute.into());
        for (key, map) in [("signed-map", difference.signed_map), ("absolute-map", difference.absolute_map)] {
            if let Some(map) = map {
                table.insert(key.to_owned(), map.row().name.into());
            }
        }
        table.insert("flips-a-second".to_owned(), (*flips_a_second).into());
        table.insert("ghost-cursor".to_owned(), (*has_crosshair).into());
        table.insert("dim-outside".to_owned(), (*dims_outside).into());
        table.insert("inspect".to_owned(), inspect_table::write(inspect, self.unit).into());
        table.insert("focused".to_owned(), count(focused + 1));
        table.insert("maximized".to_owned(), (*maximized).into());
        table.insert(
            "panel".to_owned(),
            panels.iter().map(|panel| Value::from(panel_table(panel))).collect::<Vec<_>>().into(),
        );
        Ok(table)
    }

    /// Parses `text`, the contents of `file`. Logs and ignores unknown keys.
    ///
    /// # Errors
    /// If the text is not TOML or a value is invalid.
    pub fn parse(text: &str, file: &str) -> Result<Self, FieldError> {
        Self::parse_in(text, file, Path::new(""))
    }

    /// The same; a relative file of a custom kernel is in `folder`.
    ///
    /// # Errors
    /// As [`SavedSession::parse`].
    pub(super) fn parse_in(text: &str, file: &str, folder: &Path) -> Result<Self, FieldError> {
        Self::read(Fields::parse(text, file)?, folder)
    }

    /// The session of a table, whose unknown keys are refused: that of a lesson's step. The folder is that of its files.
    ///
    /// # Errors
    /// The first key that is wrong, or unknown.
    pub fn of_table(table: &Table, folder: &Path) -> Result<Self, String> {
        let fields = Fields::strict(table.clone(), "session");
        let unknown = fields.unknown();
        let saved = Self::read(fields, folder).map_err(|error| error.to_string())?;
        match unknown.borrow().first() {
            Some(problem) => Err(problem.clone()),
            None => Ok(saved),
        }
    }

    /// Reads the keys of a session file.
    fn read(mut fields: Fields, folder: &Path) -> Result<Self, FieldError> {
        let images: Vec<PathBuf> = fields.take("images")?.unwrap_or_default();
        let layout = fields.take_text("layout", |name| {
            PanelLayout::by_name(name)
                .ok_or_else(|| UnknownName::new("layout", name, PANEL_LAYOUTS.iter().map(|row| row.name)))
        })?;
        let link = fields.take_text("link", |name| {
            Link::by_name(name).ok_or_else(|| UnknownName::new("link", name, LINKS.iter().map(|row| row.name)))
        })?;
        let kept_place = fields.take_text("kept-place", |name| {
            KeptPlace::by_name(name)
                .ok_or_else(|| UnknownName::new("kept place", name, KEPT_PLACES.iter().map(|row| row.name)))
        })?;
        let kept_place = kept_place.unwrap_or_default();
        let focused = fields.take::<usize>("focused")?.unwrap_or(1);
        // Sessions of version 0.1 spell it with an s.
        let earlier: Option<bool> = fields.take("maximised")?;
        let maximized = fields.take("maximized")?.or(earlier).unwrap_or_default();
        let compare = fields.take_text("compare", |name| {
            Compare::by_name(name)
                .ok_or_else(|| UnknownName::new("way to compare", name, COMPARES.iter().map(|row| row.name)))
        })?;
        let second = fields.take::<usize>("second")?.map(|number| number.saturating_sub(1));
        let identified = fields.take::<usize>("identified")?.map(|number| number.saturating_sub(1));
        let line = WipeLine {
            share: fields.take("line")?.unwrap_or(0.5),
            is_horizontal: fields.take("line-lies")?.unwrap_or_default(),
        };
        // Earlier versions had fixed gains only.
        let fixed = Gain::Fixed(fields.take("gain-log2")?.unwrap_or_default());
        let is_automatic = fields.take("automatic-gain")?.unwrap_or_default();
        let difference = Difference {
            gain: if is_automatic { Gain::Automatic } else { fixed },
            absolute: fields.take("absolute")?.unwrap_or_default(),
            signed_map: fields.take_text("signed-map", colour_map)?,
            absolute_map: fields.take_text("absolute-map", colour_map)?,
        };
        let flips_a_second = fields.take("flips-a-second")?.unwrap_or(Session::USUAL_FLIPS_A_SECOND);
        let has_crosshair = fields.take("ghost-cursor")?.unwrap_or(true);
        // Earlier versions showed the outside at full strength.
        let dims_outside = fields.take("dim-outside")?.unwrap_or_default();
        let (inspect, unit) = fields.take_table("inspect")?.map(inspect_table::read).transpose()?.unwrap_or_default();
        let panels = fields.take_tables("panel")?;
        if images.is_empty() {
            return Err(fields.wrong("images", &"there is none"));
        }
        if !(1..=Session::MAX_PANELS).contains(&panels.len()) {
            return Err(fields.wrong("panel", &format!("there are 1 to {}, not {}", Session::MAX_PANELS, panels.len())));
        }
        let panels =
            panels.into_iter().map(|panel| read_panel(panel, images.len(), folder)).collect::<Result<_, _>>()?;
        fields.finish();
        let (layout, link, compare) =
            (layout.unwrap_or_default(), link.unwrap_or_default(), compare.unwrap_or_default());
        let focused = focused.saturating_sub(1);
        let state = SessionState {
            panels,
            focused,
            maximized,
            layout,
            link,
            kept_place,
            compare,
            second,
            line,
            difference,
            flips_a_second,
            has_crosshair,
            dims_outside,
            inspect,
            identified,
        };
        Ok(Self { images, state, unit })
    }

    /// The same with the paths of the images relative to the folder of `file`, where they share more than the root.
    #[must_use]
    pub fn relative_to(self, file: &Path) -> Self {
        let file = absolute(file);
        let folder = file.parent().unwrap_or(Path::new(""));
        Self { images: self.images.iter().map(|source| relative(source, folder)).collect(), ..self }
    }

    /// Writes the session to `file`.
    ///
    /// # Errors
    /// As [`SavedSession::text`]; if the file cannot be written.
    pub(super) fn save(&self, file: &Path) -> Result<(), SessionFileError> {
        Ok(write_text(file, &self.text()?)?)
    }
}

impl Restored {
    /// Opens the session file `file` and its images. Relative paths are relative to the folder of the file. Stand-ins take
    /// the places of images that cannot be opened.
    ///
    /// # Errors
    /// If the file cannot be opened, or if the name of an image is invalid.
    pub fn open(file: &Path) -> Result<Self, SessionFileError> {
        let text =
            crate::files::read_text(file).map_err(|cause| TextFileError::Read { file: file.to_owned(), cause })?;
        if text.is_empty() {
            return Err(SessionFileError::Empty { file: file.to_owned() });
        }
        let folder = file.parent().unwrap_or(Path::new(""));
        let saved = SavedSession::parse_in(&text, &file.display().to_string(), folder)?;
        let (mut images, mut sources) = (Vec::new(), Vec::new());
        let (mut missing, mut warnings) = (Vec::new(), Vec::new());
        for (place, source) in saved.images.iter().enumerate() {
            let source = if image::is_file_name(source) { folder.join(source) } else { source.clone() };
            images.push(Arc::new(match open_source(&source) {
                Ok(opened) => {
                    warnings.extend(opened.warnings);
                    opened.image
                }
                Err(cause @ (OpenError::Formula(_) | OpenError::GridFormula(_))) => {
                    return Err(SessionFileError::Image { file: file.to_owned(), cause });
                }
                Err(cause) => {
                    missing.push(cause);
                    stand_in(&source, &saved.state, place)
                }
            }));
            sources.push(absolute(&source));
        }
        let session = Session::restored(images, &saved.state)
            .ok_or_else(|| SessionFileError::MissingPage { file: file.to_owned() })?;
        Ok(Self { session, sources, missing, warnings, unit: saved.unit })
    }
}

/// Largest number of pages of a stand-in.
const MAX_MISSING_PAGES: usize = 1 << 16;

/// Stand-in for the image at `place` that cannot be opened, with the pages that the panels of `state` show.
fn stand_in(source: &Path, state: &SessionState, place: usize) -> Image {
    let shown = state.panels.iter().filter(|panel| panel.image == place).map(|panel| panel.page.saturating_add(1));
    let name = source.file_name().unwrap_or(source.as_os_str()).to_string_lossy();
    Image::missing(one_line(&name), shown.max().unwrap_or(1).min(MAX_MISSING_PAGES))
}

/// `source` relative to `folder` if it is a file from which `folder` shares more than the root; unchanged otherwise. A file
/// beyond the folder is named through `..` only if the system follows the same way: a link may lead elsewhere.
fn relative(source: &Path, folder: &Path) -> PathBuf {
    if !image::is_file_name(source) {
        return source.to_owned();
    }
    if let Ok(inner) = source.strip_prefix(folder) {
        return inner.to_owned();
    }
    let shared = source.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let is_named = |count: usize| folder.components().take(count).any(|part| matches!(part, Component::Normal(_)));
    if !is_named(shared) {
        return source.to_owned();
    }
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    let way: PathBuf = up.chain(source.components().skip(shared)).collect();
    let leads_there = match (folder.join(&way).canonicalize(), source.canonicalize()) {
        (Ok(led), Ok(meant)) => led == meant,
        _ => false,
    };
    if leads_there { way } else { source.to_owned() }
}

fn colour_map(name: &str) -> Result<ColourMap, UnknownName> {
    ColourMap::by_name(name).ok_or_else(|| UnknownName::new("colour map", name, COLOUR_MAPS.iter().map(|row| row.name)))
}

fn count(number: usize) -> Value {
    Value::from(i64::try_from(number).unwrap_or(i64::MAX))
}

fn panel_table(panel: &PanelState) -> Table {
    let mut table = Table::new();
    let mut put = |key: &str, value: Value| drop(table.insert(key.to_owned(), value));
    put("image", count(panel.image + 1));
    put("page", count(panel.page + 1));
    if panel.plane.orientation != Orientation::default() {
        put("plane", panel.plane.orientation.to_string().into());
    }
    if let Some(slice) = panel.plane.slice {
        put("slice", slice.into());
    }
    if panel.plane.time != 0.0 {
        put("time", panel.plane.time.into());
    }
    if panel.component != complex::Component::Magnitude {
        put("component", panel.component.row().name.into());
    }
    // The method is always written, so that a reader of the file sees it.
    let sampler = sampler_text(&panel.sampler, &Sampler::default().with_method(panel.sampler.method));
    let comma = if sampler.is_empty() { "" } else { "," };
    put("sampler", format!("method={}{comma}{sampler}", method_text(panel.sampler.method)).into());
    if panel.content != Content::default() {
        put("content", panel.content.row().name.into());
    }
    put("translate", panel.view.translation().to_vec().into());
    let scales = panel.view.scales();
    put("scale", if panel.view.has_square_pixels() { scales[0].into() } else { scales.to_vec().into() });
    put("rotate", panel.view.angle_deg().into());
    put(
        "framing",
        FRAMINGS.iter().find(|(framing, _)| *framing == panel.framing).map_or("free", |(_, name)| name).into(),
    );
    if !panel.warp.is_none() {
        put("warp", panel.warp.to_string().into());
    }
    for row in &STAGES {
        let Chain(steps) = panel.filters.chain(row.stage);
        if !steps.is_empty() {
            put(row.name, steps.iter().map(|step| Value::from(step.to_string())).collect::<Vec<_>>().into());
        }
    }
    if panel.filters_off {
        put("filters-off", true.into());
    }
    let Display { exposure, offset, gamma, window, colour_map, .. } = &panel.display;
    let usual = Display::default();
    for (key, number, default) in
        [("exposure", *exposure, usual.exposure), ("offset", *offset, usual.offset), ("gamma", *gamma, usual.gamma)]
    {
        if number != default {
            put(key, f64::from(number).into());
        }
    }
    if *window != usual.window {
        put("window", window.map(f64::from).to_vec().into());
    }
    if *colour_map != usual.colour_map {
        put("colour-map", colour_map.row().name.into());
    }
    table
}

fn read_panel(mut fields: Fields, images: usize, folder: &Path) -> Result<PanelState, FieldError> {
    let image: usize = fields.take("image")?.unwrap_or(1);
    if !(1..=images).contains(&image) {
        return Err(fields.wrong("image", &format!("there are 1 to {images}, not {image}")));
    }
    let page: usize = fields.take("page")?.unwrap_or(1);
    if page == 0 {
        return Err(fields.wrong("page", &"pages count from 1"));
    }
    let orientation = fields.take_text("plane", |text| parse_orientation(text, ','))?.unwrap_or_default();
    let slice: Option<f64> = fields.take("slice")?;
    if let Some(slice) = slice.filter(|slice| slice.is_nan() || slice.abs() > Plane::MAX_SLICE) {
        return Err(fields.wrong("slice", &format!("{slice} is not within ±1000000")));
    }
    let time: f64 = fields.take("time")?.unwrap_or(0.0);
    if time.is_nan() || time.abs() > Plane::MAX_TIME {
        return Err(fields.wrong("time", &format!("{time} is not within ±1000000")));
    }
    let plane = Plane { orientation, slice, time };
    let component = fields.take_text("component", parse_component)?.unwrap_or(complex::Component::Magnitude);
    let sampler =
        fields.take_text("sampler", |text| parse_sampler_in(text, Sampler::default(), folder))?.unwrap_or_default();
    let content = fields.take_text("content", |name| {
        Content::by_name(name).ok_or_else(|| UnknownName::new("content", name, CONTENTS.iter().map(|row| row.name)))
    })?;
    let content = content.unwrap_or_default();
    let translation = fields.take("translate")?.unwrap_or([0.0; 2]);
    let view = View::default().translated(translation).map_err(|error| fields.wrong("translate", &error))?;
    let scales =
        if fields.has_list("scale") { fields.take("scale")? } else { fields.take("scale")?.map(|one| [one; 2]) };
    let view = view.scaled(scales.unwrap_or([1.0; 2])).map_err(|error| fields.wrong("scale", &error))?;
    let view = view.rotated(fields.take("rotate")?.unwrap_or(0.0)).map_err(|error| fields.wrong("rotate", &error))?;
    let framing = fields.take_text("framing", |name| {
        let found = FRAMINGS.iter().find(|(_, known)| *known == name);
        found
            .map(|(framing, _)| *framing)
            .ok_or_else(|| UnknownName::new("framing", name, FRAMINGS.iter().map(|(_, name)| *name)))
    })?;
    let warp = fields.take_text("warp", |text| Warp::read(text, folder))?.unwrap_or_default();
    let mut filters = Filters::default();
    for row in &STAGES {
        let texts: Vec<String> = fields.take(row.name)?.unwrap_or_default();
        let steps = texts.iter().map(|text| Step::read(text, folder)).collect::<Result<_, _>>();
        *filters.chain_mut(row.stage) = Chain(steps.map_err(|error| fields.wrong(row.name, &error))?);
    }
    let filters_off = fields.take("filters-off")?.unwrap_or_default();
    let usual = Display::default();
    let display = Display {
        exposure: fields.take("exposure")?.unwrap_or(usual.exposure),
        offset: fields.take("offset")?.unwrap_or(usual.offset),
        gamma: fields.take("gamma")?.unwrap_or(usual.gamma),
        window: fields.take("window")?.unwrap_or(usual.window),
        colour_map: fields.take_text("colour-map", colour_map)?.unwrap_or(usual.colour_map),
        ..usual
    };
    let framing = framing.unwrap_or(Framing::Free);
    fields.finish();
    let (image, page) = (image - 1, page - 1);
    Ok(PanelState {
        image,
        page,
        plane,
        component,
        view,
        framing,
        warp,
        content,
        sampler,
        filters,
        filters_off,
        display,
    })
}
