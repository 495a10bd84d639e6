//! Options of a [`RenderRequest`](crate::backend::RenderRequest), with possible values from the rows.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args, Command};

use crate::arguments::{
    ArgumentError, listed, parse_address, parse_number, parse_orientation, parse_page, parse_pair, parse_scales,
    parse_size, parse_slice, parse_time,
};
use crate::backend::{BACKENDS, BackendRow, COLOUR_MAPS, ColourMap, Content};
use crate::complex::{self, COMPONENTS, Component};
use crate::filter::{Chain, FilterError, Filters, Step};
use crate::image::{Depth, Page, Size};
use crate::resize::{PIXEL_CENTRES, PixelCentres};
use crate::sampling::{
    ADDRESS_MODES, AddressMode, METHOD_FORMS, METHODS, Method, SAMPLING_PATHS, Sampler, SamplingPath,
};
use crate::view::{View, ViewError};
use crate::volume::{self, MAIN_PLANES, Orientation, Plane};
use crate::warp::{Warp, WarpError};

/// Options of the view.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "View")]
pub struct ViewOptions {
    /// Translation of the view in samples
    #[arg(long, value_name = "X,Y", default_value = "0,0", allow_hyphen_values = true)]
    #[arg(value_parser = |text: &str| parse_pair::<f64>(text, ','))]
    translate: [f64; 2],
    /// Scale in samples per output pixel: 1/8 zooms in, 2 zooms out; X,Y is one for each axis of the image
    #[arg(long, value_name = "X[,Y]", default_value = "1", allow_hyphen_values = true)]
    #[arg(value_parser = |text: &str| parse_scales(text, ','))]
    scale: [f64; 2],
    /// Angle of the view, counter-clockwise
    #[arg(long, value_name = "DEGREES", default_value = "0", allow_hyphen_values = true)]
    #[arg(value_parser = parse_number::<f64>)]
    rotate: f64,
    /// Warp of the picture, after the view: lens=0.5,1 swirl=90,1 perspective=x,y,x,y,x,y,x,y grid=FILE none
    #[arg(long, value_name = "WARP", default_value = "none", allow_hyphen_values = true, value_parser = read_warp)]
    pub(super) warp: Warp,
    /// Size of the output in pixels [default: the image's]
    #[arg(long, value_name = "WxH", allow_hyphen_values = true, value_parser = parse_size)]
    pub(super) size: Option<Size>,
    /// Show the whole image in --size, as a resize does: where the centres of its pixels lie
    #[arg(long, value_name = "CENTRES", requires = "size", conflicts_with_all = ["translate", "scale", "rotate"])]
    #[arg(value_parser = pixel_centres())]
    fit: Option<PixelCentres>,
    /// Page of the file, from 1
    #[arg(long, value_name = "N", default_value = "1", allow_hyphen_values = true, value_parser = parse_page)]
    pub(super) page: usize,
    #[arg(long, value_name = "PLANE", default_value = "axial", allow_hyphen_values = true, help = plane_help())]
    #[arg(value_parser = |text: &str| parse_orientation(text, ','))]
    plane: Orientation,
    /// Position of the plane of a volume along its normal, in samples from 0, also between them; of an oblique plane from the
    /// centre
    #[arg(long, value_name = "Z", default_value = "middle", allow_hyphen_values = true, value_parser = slice_position)]
    slice: SlicePosition,
    /// Position in time of a volume that changes, in samples from 0, also between them
    #[arg(long, value_name = "T", default_value = "0", allow_hyphen_values = true, value_parser = parse_time)]
    time: f64,
    /// What of complex numbers is shown, computed after their real and imaginary parts are interpolated
    #[arg(long, value_name = "COMPONENT", default_value = "real", value_parser = component())]
    pub(super) component: Component,
}

/// Help of the planes.
fn plane_help() -> String {
    let names = listed(MAIN_PLANES.iter().map(|row| row.name));
    format!(
        "Plane of a volume: {names}, or TILT,TURN: the axial plane tilted about its x axis, then turned about z, in degrees"
    )
}

fn slice_position(text: &str) -> Result<SlicePosition, ArgumentError> {
    parse_slice(text).map(SlicePosition)
}

/// Value of --slice; `None` is the middle.
#[derive(Clone, Copy, Debug)]
struct SlicePosition(Option<f64>);

impl ViewOptions {
    /// The plane of a volume.
    pub(super) fn plane(&self) -> Plane {
        Plane { orientation: self.plane, slice: self.slice.0, time: self.time }
    }

    /// What is shown of a page: of a volume its plane, of complex numbers their component.
    pub(super) fn shown(&self, page: &Arc<Page>, sampler: &Sampler) -> Arc<Page> {
        complex::resolved(&volume::resolved(page, &self.plane(), sampler), self.component)
    }

    /// The view of a page of size `page`.
    ///
    /// # Errors
    /// [`ViewError`] for a number out of range.
    pub fn view(&self, page: Size) -> Result<View, ViewError> {
        match (self.fit, self.size) {
            (Some(centres), Some(size)) => centres.resized(page, size),
            _ => View::default().translated(self.translate)?.scaled(self.scale)?.rotated(self.rotate),
        }
    }
}

/// The conventions of pixel centres.
fn pixel_centres() -> impl TypedValueParser<Value = PixelCentres> {
    let values = PIXEL_CENTRES.iter().map(|row| PossibleValue::new(row.name).help(row.help));
    PossibleValuesParser::new(values).try_map(|name| PixelCentres::by_name(&name).ok_or("no such convention"))
}

/// The components of complex numbers.
fn component() -> impl TypedValueParser<Value = Component> {
    let values = COMPONENTS.iter().map(|row| PossibleValue::new(row.name).help(row.help));
    PossibleValuesParser::new(values).try_map(|name| Component::by_name(&name).ok_or("no such component"))
}

/// A warp; the file of a lattice is relative to the working directory.
fn read_warp(text: &str) -> Result<Warp, WarpError> {
    Warp::read(text, Path::new(""))
}

/// Options of the sampler.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Sampling")]
pub struct SamplerOptions {
    /// Interpolation method: a name, or a kernel with its parameters; truth: the values of the image's formula
    #[arg(long, value_name = "METHOD", default_value = "linear", value_parser = MethodParser { has_truth: true })]
    method: MethodValue,
    #[arg(long, value_name = "MODE[:MODE]", default_value = "clamp", help = address_help(), value_parser = parse_address)]
    address: [AddressMode; 2],
    /// Value outside the image for address mode border (0 is black, 1 is white)
    #[arg(long, value_name = "V", default_value = "0", allow_hyphen_values = true, value_parser = parse_number::<f32>)]
    border: f32,
    /// Sampling path
    #[arg(long, value_name = "PATH", default_value = "auto", value_parser = path())]
    path: SamplingPath,
    /// Prefilter: B-splines and o-moms pass through the samples
    #[arg(long)]
    prefilter: bool,
    /// Widen the kernel by the scale when zoomed out
    #[arg(long)]
    antialias: bool,
    /// Widen the kernel by a further factor, with --antialias
    #[arg(long, value_name = "B", default_value = "1", allow_hyphen_values = true, value_parser = parse_number::<f64>)]
    blur: f64,
    /// Antiringing: draw values into the range of their kernel's main lobe, by this part of their distance from it
    #[arg(long, value_name = "A", default_value = "0", allow_hyphen_values = true, value_parser = parse_number::<f64>)]
    antiring: f64,
}

impl SamplerOptions {
    /// The sampler.
    pub fn sampler(&self) -> Sampler {
        let Self { method, address, border, path, prefilter, antialias, blur, antiring: antiringing } = *self;
        let method = match method {
            MethodValue::Method(method) => method,
            MethodValue::Truth => Sampler::default().method,
        };
        Sampler { method, address, border, path, prefilter, antialias, blur, antiringing }
    }

    /// What the values are.
    pub fn content(&self) -> Content {
        match self.method {
            MethodValue::Method(_) => Content::Interpolation,
            MethodValue::Truth => Content::Truth,
        }
    }
}

/// Options of the filters.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Filters")]
pub struct FilterOptions {
    /// Filter of the image before the interpolation, such as gaussian=1.5; may be repeated ('lerpscope filters' lists
    /// them)
    #[arg(long, value_name = "STEP", allow_hyphen_values = true, value_parser = read_step)]
    filter: Vec<Step>,
    /// Filter of the output's pixels after the interpolation; as --filter
    #[arg(long, value_name = "STEP", allow_hyphen_values = true, value_parser = read_step)]
    filter_after: Vec<Step>,
}

/// A step; the file of a matrix is relative to the working directory.
fn read_step(text: &str) -> Result<Step, FilterError> {
    Step::read(text, Path::new(""))
}

impl FilterOptions {
    /// The two chains.
    pub fn filters(&self) -> Filters {
        Filters { before: Chain(self.filter.clone()), after: Chain(self.filter_after.clone()) }
    }
}

/// Options of the display mapping.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Display")]
pub struct DisplayOptions {
    /// Multiply values by 2^STOPS
    #[arg(long, value_name = "STOPS", default_value = "0", allow_hyphen_values = true)]
    #[arg(value_parser = parse_number::<f32>)]
    pub(super) exposure: f32,
    /// Add to values, after the exposure
    #[arg(long, value_name = "V", default_value = "0", allow_hyphen_values = true, value_parser = parse_number::<f32>)]
    pub(super) offset: f32,
    /// Raise values to 1/G, after the window
    #[arg(long, value_name = "G", default_value = "1", allow_hyphen_values = true, value_parser = parse_number::<f32>)]
    pub(super) gamma: f32,
    /// Values mapped to black and white
    #[arg(long, value_name = "LO,HI", default_value = "0,1", allow_hyphen_values = true)]
    #[arg(value_parser = |text: &str| parse_pair::<f32>(text, ','))]
    pub(super) window: [f32; 2],
    /// Colour map of grey values, and of the luminance of colours
    #[arg(long, alias = "color-map", value_name = "NAME", default_value = "grey", value_parser = colour_map())]
    pub(super) colour_map: ColourMap,
    /// Drop the sign of values, after --subtract and before the rest
    #[arg(long)]
    pub(super) absolute: bool,
    /// Subtract the same view with changed options: method=…,path=…,address=…; others stay
    #[arg(long, value_name = "SPEC", allow_hyphen_values = true)]
    pub(super) subtract: Option<String>,
}

/// Help of the address modes.
pub(super) fn address_help() -> String {
    let names = listed(ADDRESS_MODES.iter().map(|row| row.name));
    format!("Address mode outside the image: {names}; X:Y sets one for each axis")
}

/// Value of --method.
#[derive(Clone, Copy, Debug)]
enum MethodValue {
    Method(Method),
    Truth,
}

/// Reads a method. Help lists the names and the forms with parameters.
#[derive(Clone)]
struct MethodParser {
    /// Whether the truth is a value.
    has_truth: bool,
}

impl TypedValueParser for MethodParser {
    type Value = MethodValue;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<MethodValue, clap::Error> {
        if self.has_truth && value == Content::Truth.row().name {
            return Ok(MethodValue::Truth);
        }
        let method = (str::parse::<Method>).parse_ref(command, arg, value)?;
        Ok(MethodValue::Method(method))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = METHODS.iter().map(|row| PossibleValue::new(row.name).aliases(row.aliases).help(row.help));
        let forms = METHOD_FORMS.iter().map(|form| PossibleValue::new(form.usage).help(form.help));
        let truth = Content::Truth.row();
        let truth = self.has_truth.then(|| PossibleValue::new(truth.name).help(truth.help));
        Some(Box::new(names.chain(forms).chain(truth)))
    }
}

/// A method alone, without the truth.
pub(super) fn method() -> impl TypedValueParser<Value = Method> {
    MethodParser { has_truth: false }.try_map(|value| match value {
        MethodValue::Method(method) => Ok(method),
        MethodValue::Truth => Err("a grid has no formula"),
    })
}

pub(super) fn path() -> impl TypedValueParser<Value = SamplingPath> {
    let values = SAMPLING_PATHS.iter().map(|row| PossibleValue::new(row.name).help(row.help));
    PossibleValuesParser::new(values).try_map(|name| SamplingPath::by_name(&name).ok_or("no such path"))
}

/// One address mode.
pub(super) fn one_address() -> impl TypedValueParser<Value = AddressMode> {
    let values = ADDRESS_MODES.iter().map(|row| PossibleValue::new(row.name).help(row.help));
    PossibleValuesParser::new(values).try_map(|name| AddressMode::by_name(&name).ok_or("no such address mode"))
}

fn colour_map() -> impl TypedValueParser<Value = ColourMap> {
    let values = COLOUR_MAPS.iter().map(|row| PossibleValue::new(row.name).help(row.title));
    PossibleValuesParser::new(values).try_map(|name| ColourMap::by_name(&name).ok_or("no such colour map"))
}

/// Names of the backends, and `auto`.
pub(super) fn backend() -> PossibleValuesParser {
    backends(|_| true)
}

/// The same, without backends too slow for a window or a benchmark.
pub(super) fn interactive_backend() -> PossibleValuesParser {
    backends(|row| row.is_interactive)
}

fn backends(is_offered: impl Fn(&BackendRow) -> bool) -> PossibleValuesParser {
    let rows = BACKENDS.iter().filter(|row| is_offered(row));
    let rows = rows.map(|row| PossibleValue::new(row.name).help(row.title));
    let auto = PossibleValue::new("auto").help("the fastest available");
    PossibleValuesParser::new(std::iter::once(auto).chain(rows))
}

/// Names of depths.
const DEPTHS: [(&str, Depth, &str); 3] = [
    ("8", Depth::EIGHT, "integers 0 to 255"),
    ("16", Depth::SIXTEEN, "integers 0 to 65535"),
    ("float", Depth::Float, "single precision, in a NumPy .npy file"),
];

pub(super) fn depth() -> impl TypedValueParser<Value = Depth> {
    let values = DEPTHS.iter().map(|(name, _, help)| PossibleValue::new(*name).help(*help));
    PossibleValuesParser::new(values).try_map(|name| {
        DEPTHS.iter().find(|(known, ..)| *known == name).map(|(_, depth, _)| *depth).ok_or("no such depth")
    })
}
