//! The images of lessons, each opened once, and their panels as requests.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::scene::{self, image_of, number_of};
use crate::arguments::{listed, parse_component, parse_sampler_in};
use crate::backend::{COLOUR_MAPS, CONTENTS, ColourMap, Content, Display, RenderRequest};
use crate::filter::{Chain, Filters, STAGES, Step};
use crate::image::{self, Image, Page, Size};
use crate::sampling::Sampler;
use crate::view::View;
use crate::volume::open_source;
use crate::warp::Warp;

/// Images by their sources. Files are relative to a folder.
#[derive(Debug)]
pub struct Pictures {
    folder: PathBuf,
    open: HashMap<PathBuf, Image>,
}

/// A panel of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenePanel {
    /// The source of its image, as the session has it.
    pub source: PathBuf,
    /// What it shows.
    pub request: RenderRequest,
}

impl Pictures {
    /// No images yet; files are those of `folder`.
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), open: HashMap::new() }
    }

    /// The folder of the files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The image of `source`.
    ///
    /// # Errors
    /// Why it cannot be opened, with its name.
    pub fn image(&mut self, source: &Path) -> Result<&Image, String> {
        if !self.open.contains_key(source) {
            let path = if image::is_file_name(source) { self.folder.join(source) } else { source.to_owned() };
            let opened = open_source(&path).map_err(|error| error.to_string())?;
            self.open.insert(source.to_owned(), opened.image);
        }
        self.open.get(source).ok_or_else(|| format!("{} is not open", source.display()))
    }

    /// The first page of `source`.
    ///
    /// # Errors
    /// As [`Pictures::image`].
    pub fn page(&mut self, source: &Path) -> Result<&Page, String> {
        let image = self.image(source)?;
        image.pages().first().map(AsRef::as_ref).ok_or_else(|| format!("{} has no page", source.display()))
    }

    /// Sizes of the first pages of the images that `session` names; an image that cannot be opened has none.
    pub fn sizes(&mut self, session: &Table) -> Vec<Option<Size>> {
        sources(session).iter().map(|source| self.page(source).ok().map(Page::size)).collect()
    }

    /// The panels of `session` in pictures of `size` pixels.
    ///
    /// # Errors
    /// The panel and the key that are wrong.
    pub fn panels(&mut self, session: &Table, size: Size) -> Result<Vec<ScenePanel>, String> {
        let sources = sources(session);
        for source in &sources {
            self.image(source)?;
        }
        let sizes = self.sizes(session);
        let mut placed = session.clone();
        scene::place_views(&mut placed, size, &mut |index| sizes.get(index).copied().flatten())?;
        let panels = scene::tables(placed.get("panel")).unwrap_or_default();
        let one = |(number, panel): (usize, Table)| {
            let source = sources.get(image_of(&panel)).ok_or("image: there is no such image".to_owned());
            let panel = source.and_then(|source| {
                let request = self.request(&panel, size)?;
                Ok(ScenePanel { source: source.clone(), request })
            });
            panel.map_err(|cause| format!("panel {number}: {cause}"))
        };
        (1..).zip(panels).map(one).collect()
    }

    fn request(&self, panel: &Table, size: Size) -> Result<RenderRequest, String> {
        let text = |key: &str| panel.get(key).and_then(Value::as_str);
        let number = |key: &str| panel.get(key).and_then(number_of);
        let numbers = |key: &str| -> Option<Vec<f64>> { panel.get(key)?.as_array()?.iter().map(number_of).collect() };
        let pair = |key: &str, usual: [f64; 2]| -> Result<[f64; 2], String> {
            numbers(key).map_or(Ok(usual), |list| list.try_into().map_err(|_| format!("{key}: is two numbers")))
        };
        let sampler = parse_sampler_in(text("sampler").unwrap_or_default(), Sampler::default(), &self.folder)
            .map_err(|error| format!("sampler: {error}"))?;
        let content = text("content").map_or(Ok(Content::default()), |name| {
            let known = || listed(CONTENTS.iter().map(|row| row.name));
            Content::by_name(name).ok_or_else(|| format!("content: there is no '{name}'; there are {}", known()))
        })?;
        let translate = pair("translate", [0.0; 2])?;
        let scales = scene::scales_of(panel).map_err(|error| format!("scale: {error}"))?.unwrap_or([1.0; 2]);
        let view = View::default()
            .translated(translate)
            .and_then(|view| view.scaled(scales)?.rotated(number("rotate").unwrap_or(0.0)))
            .map_err(|error| format!("view: {error}"))?;
        let warp = text("warp").map_or(Ok(Warp::default()), |text| Warp::read(text, &self.folder));
        let warp = warp.map_err(|error| format!("warp: {error}"))?;
        let mut filters = Filters::default();
        for row in &STAGES {
            let steps = panel.get(row.name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            let steps: Result<Vec<Step>, _> =
                steps.iter().filter_map(Value::as_str).map(|text| Step::read(text, &self.folder)).collect();
            *filters.chain_mut(row.stage) = Chain(steps.map_err(|error| format!("{}: {error}", row.name))?);
        }
        if panel.get("filters-off").and_then(Value::as_bool) == Some(true) {
            filters = filters.switched_off();
        }
        let colour_map = text("colour-map").map_or(Ok(None), |name| {
            let known = || listed(COLOUR_MAPS.iter().map(|row| row.name));
            let found = ColourMap::by_name(name).map(Some);
            found.ok_or_else(|| format!("colour-map: there is no '{name}'; there are {}", known()))
        })?;
        let usual = Display::default();
        let display = Display {
            exposure: number("exposure").map_or(usual.exposure, |number| number as f32),
            offset: number("offset").map_or(usual.offset, |number| number as f32),
            gamma: number("gamma").map_or(usual.gamma, |number| number as f32),
            window: pair("window", usual.window.map(f64::from))?.map(|number| number as f32),
            colour_map: colour_map.unwrap_or(usual.colour_map),
            ..usual
        };
        let usual = RenderRequest::new(size);
        let component = text("component").map_or(Ok(usual.component), parse_component);
        let component = component.map_err(|error| format!("component: {error}"))?;
        let page = number("page").map_or(0, |page| (page as usize).saturating_sub(1));
        Ok(RenderRequest { view, warp, content, sampler, page, component, filters, display, ..usual })
    }
}

/// The sources of a session's images.
pub(super) fn sources(session: &Table) -> Vec<PathBuf> {
    let images = session.get("images").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    images.iter().filter_map(Value::as_str).map(PathBuf::from).collect()
}
