//! Sessions as TOML: images, panels, views, layout, what is looked at closely.
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

use std::path::{Path, PathBuf};
use std::sync::Arc;

use toml::{Table, Value};

use super::fields::Fields;
use super::inspect_table;
use super::settings::{read_text, write_text};
use super::sources::{Sources, absolute};
use crate::app::session::history::Framing;
use crate::app::session::layout::{LAYOUTS, Layout};
use crate::app::session::unit::Unit;
use crate::app::session::{COMPARES, Compare, Difference, LINKS, Link, PanelState, Session, State, WipeLine};
use crate::arguments::{listed, parse_sampler, sampler_text};
use crate::backend::{COLOUR_MAPS, ColourMap, Display};
use crate::filter::{Chain, Filters, STAGES, Step};
use crate::image;
use crate::image::Image;
use crate::sampling::Sampler;
use crate::text::shortened;
use crate::view::View;

/// Names of framings.
const FRAMINGS: [(Framing, &str); 3] = [(Framing::Free, "free"), (Framing::Fit, "fit"), (Framing::Snapped, "snapped")];

/// A session as a file has it.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedSession {
    /// What its images are opened from.
    pub images: Vec<PathBuf>,
    /// Its panels.
    pub state: State,
    /// Unit of displayed values when it was saved; `None` if the file leaves that to the settings.
    pub unit: Option<Unit>,
}

/// A session whose images are open again.
#[derive(Debug)]
pub struct Restored {
    /// The session.
    pub session: Session,
    /// What its images were opened from.
    pub sources: Vec<PathBuf>,
    /// What their decoders had to mend.
    pub warnings: Vec<String>,
    /// Unit of displayed values, to be taken over by the settings; `None` if the file has none.
    pub unit: Option<Unit>,
}

impl SavedSession {
    /// What a file is to keep of `session`.
    ///
    /// # Errors
    /// Where an image came from no file and so cannot be opened again; the line names it.
    pub(in crate::app) fn of(session: &Session, sources: &Sources) -> Result<Self, String> {
        let source = |image: &Arc<Image>| {
            sources
                .of(image)
                .map(Path::to_owned)
                .ok_or_else(|| format!("{} has no file to be opened from again", image.name()))
        };
        Ok(Self {
            images: session.images().iter().map(source).collect::<Result<_, _>>()?,
            state: session.state(),
            unit: None,
        })
    }

    /// The file's text.
    ///
    /// # Errors
    /// Where an image's name is no text that a file can hold.
    pub fn text(&self) -> Result<String, String> {
        let State {
            panels,
            focused,
            maximised,
            layout,
            link,
            compare,
            second,
            line,
            difference,
            flips_a_second,
            has_ghost,
            inspect,
        } = &self.state;
        let name = |path: &PathBuf| {
            path.to_str().map(Value::from).ok_or_else(|| format!("{} is no UTF-8 and cannot be kept", path.display()))
        };
        let images: Vec<Value> = self.images.iter().map(name).collect::<Result<_, _>>()?;
        let mut table = Table::new();
        table.insert("images".to_owned(), images.into());
        table.insert("layout".to_owned(), layout.name().into());
        table.insert("link".to_owned(), link.row().name.into());
        table.insert("compare".to_owned(), compare.row().name.into());
        if let Some(second) = second {
            table.insert("second".to_owned(), count(second + 1));
        }
        table.insert("line".to_owned(), line.share.into());
        table.insert("line-lies".to_owned(), line.lies.into());
        table.insert("gain-log2".to_owned(), count(difference.gain_log2.into()));
        table.insert("absolute".to_owned(), difference.absolute.into());
        table.insert("signed-map".to_owned(), difference.signed_map.row().name.into());
        table.insert("absolute-map".to_owned(), difference.absolute_map.row().name.into());
        table.insert("flips-a-second".to_owned(), (*flips_a_second).into());
        table.insert("ghost-cursor".to_owned(), (*has_ghost).into());
        table.insert("inspect".to_owned(), inspect_table::write(inspect, self.unit).into());
        table.insert("focused".to_owned(), count(focused + 1));
        table.insert("maximised".to_owned(), (*maximised).into());
        table.insert(
            "panel".to_owned(),
            panels.iter().map(|panel| Value::from(panel_table(panel))).collect::<Vec<_>>().into(),
        );
        Ok(format!("# A session of lerpscope: lerpscope --session FILE\n{table}"))
    }

    /// Reads a file's text; messages call it `file`.
    ///
    /// # Errors
    /// Where a value is wrong, in one line that names file and key. An unknown key is logged and left.
    pub fn parse(text: &str, file: &str) -> Result<Self, String> {
        let mut fields = Fields::parse(text, file)?;
        let images: Vec<PathBuf> = fields.take("images")?.unwrap_or_default();
        let layout = fields.take_text("layout", |name| {
            Layout::by_name(name).ok_or_else(|| unknown("layout", name, LAYOUTS.iter().map(|(_, name)| *name)))
        })?;
        let link = fields.take_text("link", |name| {
            Link::by_name(name).ok_or_else(|| unknown("link", name, LINKS.iter().map(|row| row.name)))
        })?;
        let focused = fields.take::<usize>("focused")?.unwrap_or(1);
        let maximised = fields.take("maximised")?.unwrap_or_default();
        let compare = fields.take_text("compare", |name| {
            Compare::by_name(name).ok_or_else(|| unknown("way to compare", name, COMPARES.iter().map(|row| row.name)))
        })?;
        let second = fields.take::<usize>("second")?.map(|number| number.saturating_sub(1));
        let line = WipeLine {
            share: fields.take("line")?.unwrap_or(0.5),
            lies: fields.take("line-lies")?.unwrap_or_default(),
        };
        let difference = Difference {
            gain_log2: fields.take("gain-log2")?.unwrap_or_default(),
            absolute: fields.take("absolute")?.unwrap_or_default(),
            signed_map: fields.take_text("signed-map", colour_map)?.unwrap_or(ColourMap::BlueRed),
            absolute_map: fields.take_text("absolute-map", colour_map)?.unwrap_or(ColourMap::Inferno),
        };
        let flips_a_second = fields.take("flips-a-second")?.unwrap_or(Session::USUAL_FLIPS_A_SECOND);
        let has_ghost = fields.take("ghost-cursor")?.unwrap_or(true);
        let (inspect, unit) = fields.take_table("inspect")?.map(inspect_table::read).transpose()?.unwrap_or_default();
        let panels = fields.take_tables("panel")?;
        if images.is_empty() {
            return Err(fields.wrong("images", &"there is none"));
        }
        if !(1..=Session::MOST_PANELS).contains(&panels.len()) {
            return Err(
                fields.wrong("panel", &format!("there are 1 to {}, not {}", Session::MOST_PANELS, panels.len()))
            );
        }
        let panels = panels.into_iter().map(|panel| read_panel(panel, images.len())).collect::<Result<_, _>>()?;
        fields.finish();
        let (layout, link, compare) =
            (layout.unwrap_or_default(), link.unwrap_or_default(), compare.unwrap_or_default());
        let focused = focused.saturating_sub(1);
        let state = State {
            panels,
            focused,
            maximised,
            layout,
            link,
            compare,
            second,
            line,
            difference,
            flips_a_second,
            has_ghost,
            inspect,
        };
        Ok(Self { images, state, unit })
    }

    /// Writes it as `file`.
    ///
    /// # Errors
    /// Where that fails, in one line.
    pub(in crate::app) fn save(&self, file: &Path) -> Result<(), String> {
        write_text(file, &self.text()?)
    }
}

impl Restored {
    /// Opens the session that is saved as `file`, and its images. A relative name is relative to the file's folder.
    ///
    /// # Errors
    /// Where the file or one of the images cannot be opened, in one line.
    pub fn open(file: &Path) -> Result<Self, String> {
        let text = read_text(file)?;
        let name = file.display().to_string();
        if text.is_empty() {
            return Err(format!("{name}: there is no session in it"));
        }
        let saved = SavedSession::parse(&text, &name)?;
        let folder = file.parent().unwrap_or(Path::new(""));
        let (mut images, mut sources, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
        for source in &saved.images {
            let source = if image::is_file_name(source) { folder.join(source) } else { source.clone() };
            let opened = image::open_source(&source).map_err(|error| format!("{name}: {error}"))?;
            images.push(Arc::new(opened.image));
            sources.push(absolute(&source));
            warnings.extend(opened.warnings);
        }
        let session = Session::restored(images, &saved.state);
        let session = session.ok_or_else(|| format!("{name}: a panel shows a page that its image has not"))?;
        Ok(Self { session, sources, warnings, unit: saved.unit })
    }
}

fn unknown<'a>(what: &str, name: &str, names: impl Iterator<Item = &'a str>) -> String {
    format!("there is no {what} '{}'; there are {}", shortened(name), listed(names))
}

fn colour_map(name: &str) -> Result<ColourMap, String> {
    ColourMap::by_name(name).ok_or_else(|| unknown("colour map", name, COLOUR_MAPS.iter().map(|row| row.name)))
}

fn count(number: usize) -> Value {
    Value::from(i64::try_from(number).unwrap_or(i64::MAX))
}

fn panel_table(panel: &PanelState) -> Table {
    let mut table = Table::new();
    let mut put = |key: &str, value: Value| drop(table.insert(key.to_owned(), value));
    put("image", count(panel.image + 1));
    put("page", count(panel.page + 1));
    // The method always, so that a person sees it.
    let sampler = sampler_text(&panel.sampler, &Sampler::default().with_method(panel.sampler.method));
    let comma = if sampler.is_empty() { "" } else { "," };
    put("sampler", format!("method={}{comma}{sampler}", panel.sampler.method).into());
    put("translate", panel.view.translation().to_vec().into());
    put("scale", panel.view.scale().into());
    put("rotate", panel.view.angle_deg().into());
    put(
        "framing",
        FRAMINGS.iter().find(|(framing, _)| *framing == panel.framing).map_or("free", |(_, name)| name).into(),
    );
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

fn read_panel(mut fields: Fields, images: usize) -> Result<PanelState, String> {
    let image: usize = fields.take("image")?.unwrap_or(1);
    if !(1..=images).contains(&image) {
        return Err(fields.wrong("image", &format!("there are 1 to {images}, not {image}")));
    }
    let page: usize = fields.take("page")?.unwrap_or(1);
    if page == 0 {
        return Err(fields.wrong("page", &"pages count from 1"));
    }
    let sampler = fields.take_text("sampler", |text| parse_sampler(text, Sampler::default()))?.unwrap_or_default();
    let view = View::new(fields.take("translate")?.unwrap_or([0.0; 2]), fields.take("scale")?.unwrap_or(1.0))
        .map_err(|error| fields.wrong("scale", &error))?;
    let view = view.rotated(fields.take("rotate")?.unwrap_or(0.0)).map_err(|error| fields.wrong("rotate", &error))?;
    let framing = fields.take_text("framing", |name| {
        let found = FRAMINGS.iter().find(|(_, known)| *known == name);
        found
            .map(|(framing, _)| *framing)
            .ok_or_else(|| unknown("framing", name, FRAMINGS.iter().map(|(_, name)| *name)))
    })?;
    let mut filters = Filters::default();
    for row in &STAGES {
        let texts: Vec<String> = fields.take(row.name)?.unwrap_or_default();
        let steps = texts.iter().map(|text| text.parse::<Step>()).collect::<Result<_, _>>();
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
    Ok(PanelState { image: image - 1, page: page - 1, view, framing, sampler, filters, filters_off, display })
}
