//! `lerpscope render`: one view of an image to a file.

use std::path::PathBuf;

use clap::Args;

use super::errors::Usage;
use super::input;
use super::options::{self, DisplayOptions, FilterOptions, SamplerOptions, ViewOptions};
use super::output::Output;
use super::progress::watched;
use crate::arguments::{ArgumentError, parse_subtract};
use crate::backend::{
    self, AUTO, Backend, BackendError, BackendKind, CpuBackend, Display, Estimate, FallbackBackend, PixelFormat,
    RenderRequest, output_demand, page_at,
};
use crate::image::{Depth, Size};
use crate::memory::Memory;
use crate::sampling::MethodError;

/// Options of `render`.
#[derive(Args, Debug)]
#[command(after_help = "\
Zoom in 8 times, smoothly:
  lerpscope render in.pgm -o out.pgm --method bspline --translate 100,100 --scale 1/8
The texture unit's own error, 1024 times enlarged about a middle grey:
  lerpscope render in.pgm -o out.png --method bspline --scale 1/8 --path filtered \\
    --subtract path=auto --exposure 10 --offset 0.5
Twice as large, with the centres of the corner pixels on the corner samples:
  lerpscope render in.png -o out.png --size 1023x1023 --fit align-corners
What one picture has more than another, about a middle grey:
  lerpscope render a.pgm --behind b.pgm -o out.png --subtract page=2 --offset 0.5
A slice between two slices of a volume, interpolated in all three axes, and an oblique one:
  lerpscope render head.nii.gz -o out.npy --plane coronal --slice 60.5 --method bspline --prefilter
  lerpscope render synth:marschner-lobb:64x64x64 -o out.npy --plane 40,15 --method bspline --prefilter
Without noise but with its edges, then lighter in the middle:
  lerpscope render in.png -o out.png --filter bilateral=3,0.1 --filter gamma=1/2")]
pub struct RenderOptions {
    /// Image: a file, - for standard input, synth:NAME:WxH, builtin:basilica, or builtin:sailboat; a volume: .nii, .nii.gz, .npy,
    /// synth:NAME:WxHxD[xT]; complex numbers: .npy, synth:vortex:WxH
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Second image, with its pages after those of IN: --subtract page=N can name them
    #[arg(long, value_name = "FILE")]
    behind: Option<PathBuf>,
    /// Output file, in the format of its extension; - writes PGM to standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Number type of the output [default: as in the image]
    #[arg(long, value_name = "DEPTH", value_parser = options::depth())]
    depth: Option<Depth>,
    /// Backend
    #[arg(long, value_name = "BACKEND", default_value = "auto", value_parser = options::backend())]
    backend: String,
    #[command(flatten)]
    view: ViewOptions,
    #[command(flatten)]
    sampler: SamplerOptions,
    #[command(flatten)]
    filters: FilterOptions,
    #[command(flatten)]
    display: DisplayOptions,
}

impl RenderOptions {
    /// Request for a page of size `page`.
    ///
    /// # Errors
    /// [`ArgumentError`] for a number out of range, and for a wrong text of --subtract.
    pub fn request(&self, page: Size) -> Result<RenderRequest, ArgumentError> {
        let Self { view, sampler, filters, display, .. } = self;
        RequestOptions { view, sampler, filters, display }.request(page)
    }
}

/// The options of a request.
#[derive(Clone, Copy)]
pub(super) struct RequestOptions<'a> {
    /// The view.
    pub(super) view: &'a ViewOptions,
    /// The sampler.
    pub(super) sampler: &'a SamplerOptions,
    /// The filters.
    pub(super) filters: &'a FilterOptions,
    /// The display mapping.
    pub(super) display: &'a DisplayOptions,
}

impl RequestOptions<'_> {
    /// Request for a page of size `page`.
    ///
    /// # Errors
    /// [`ArgumentError`] for a number out of range, and for a wrong text of --subtract.
    pub(super) fn request(&self, page: Size) -> Result<RenderRequest, ArgumentError> {
        let DisplayOptions { exposure, offset, gamma, window, colour_map, absolute, subtract } = self.display;
        let (exposure, offset, gamma, window) = (*exposure, *offset, *gamma, *window);
        let (colour_map, absolute) = (*colour_map, *absolute);
        let mut request = RenderRequest {
            size: self.view.size.unwrap_or(page),
            view: self.view.view(page)?,
            warp: self.view.warp.clone(),
            content: self.sampler.content(),
            sampler: self.sampler.sampler(),
            page: self.view.page,
            plane: self.view.plane(),
            component: self.view.component,
            filters: self.filters.filters(),
            subtract: None,
            display: Display { exposure, offset, gamma, window, colour_map, absolute },
        };
        if let Some(text) = subtract {
            request.subtract = Some(Box::new(parse_subtract(text, &request)?));
        }
        Ok(request)
    }
}

/// The error of [`RequestOptions::request`] for people. Errors in the text of --subtract are distinguished from those of
/// other options, which clap has reported.
pub(super) fn explained(error: ArgumentError) -> anyhow::Error {
    match error {
        ArgumentError::View(error) => anyhow::Error::new(Usage(error.to_string())),
        ArgumentError::Method(MethodError::Custom(error)) => anyhow::Error::new(error),
        error => anyhow::Error::new(Usage(format!("--subtract: {error}"))),
    }
}

/// Runs the command.
///
/// # Errors
/// Errors of the image, the request, the backend and the output.
pub(super) fn run(options: &RenderOptions) -> anyhow::Result<()> {
    let output = Output::new(&options.output)?;
    let mut image = input::read(&options.input)?.image;
    if let Some(behind) = &options.behind {
        image = image.followed_by(&input::read(behind)?.image);
    }
    let page = page_at(&image, options.view.page)?;
    let page = &options.view.shown(page, &options.sampler.sampler());
    let request = options.request(page.size()).map_err(explained)?;
    let depth = output.depth(options.depth, page.depth());
    let channels = request.channels(page.channels());
    output.check(channels, depth)?;
    // Before the backend is opened, which may take a second.
    Memory::Machine.check(&output_demand(request.size, channels, depth))?;
    let mut backend = open(&options.backend, || Estimate::new(page, &request, rayon::current_num_threads()))?;
    let raster = watched(|work| {
        backend.set_exec_options(work);
        Ok(backend::render(backend.as_mut(), &image, &request, PixelFormat::file(depth))?)
    })?;
    output.write(&raster)
}

/// Opens the backend of this name; for [`AUTO`] the one that is estimated to finish first, with the CPU behind a device.
pub(super) fn open(name: &str, estimate: impl FnOnce() -> Estimate) -> Result<Box<dyn Backend>, BackendError> {
    if name != AUTO {
        return backend::open(name);
    }
    let estimate = estimate();
    log::info!("--backend auto: {}: {estimate}", estimate.faster());
    match estimate.faster() {
        BackendKind::Cuda => Ok(Box::new(FallbackBackend::new(backend::open(AUTO)?))),
        BackendKind::Cpu | BackendKind::Reference => Ok(Box::new(CpuBackend::new())),
    }
}

#[cfg(test)]
mod tests {
    use clap::{Args, Command, FromArgMatches};

    use super::*;
    use crate::arguments::render_arguments;
    use crate::backend::{COLOUR_MAPS, Content};
    use crate::complex::{COMPONENTS, Component};
    use crate::filter::{Chain, FILTERS, Filters, Mask, Matrix, Step};
    use crate::image::Region;
    use crate::sampling::{ADDRESS_MODES, METHODS, SAMPLING_PATHS, Sampler};
    use crate::test_support::size;
    use crate::view::View;
    use crate::volume::{MAIN_PLANES, Orientation, Plane};
    use crate::warp::{Warp, WarpKind};

    fn parse(arguments: &[String]) -> RenderOptions {
        let all = ["render", "in.pgm", "-o", "out.pgm"].into_iter().chain(arguments.iter().map(String::as_str));
        let matches = RenderOptions::augment_args(Command::new("render")).try_get_matches_from(all);
        let matches = matches.unwrap_or_else(|error| panic!("{arguments:?}: {error}"));
        RenderOptions::from_arg_matches(&matches).expect("options")
    }

    fn page() -> Size {
        size(640, 480)
    }

    /// The default value in half of the cases.
    fn maybe<T>(random: &mut fastrand::Rng, usual: T, value: impl FnOnce(&mut fastrand::Rng) -> T) -> T {
        if random.bool() { usual } else { value(random) }
    }

    fn number(random: &mut fastrand::Rng) -> f64 {
        (random.f64() - 0.5) * f64::from(random.i32(-20..20)).exp2()
    }

    fn random_sampler(random: &mut fastrand::Rng) -> Sampler {
        let usual = Sampler::default();
        Sampler {
            method: METHODS[random.usize(..METHODS.len())].method,
            address: [(); 2].map(|()| ADDRESS_MODES[random.usize(..ADDRESS_MODES.len())].address),
            border: maybe(random, usual.border, |random| f32::from_bits(random.u32(..0x7f80_0000))),
            path: SAMPLING_PATHS[random.usize(..SAMPLING_PATHS.len())].path,
            prefilter: random.bool(),
            antialias: random.bool(),
            blur: maybe(random, usual.blur, fastrand::Rng::f64),
            antiringing: maybe(random, usual.antiringing, fastrand::Rng::f64),
        }
    }

    fn random_view(random: &mut fastrand::Rng) -> View {
        let translation = maybe(random, [0.0; 2], |random| [number(random), number(random)]);
        let scale = maybe(random, 1.0, |random| f64::from(random.i32(-19..19)).exp2() * (1.0 + random.f64()));
        let angle_deg = maybe(random, 0.0, |random| random.f64() * 720.0 - 360.0);
        let ratio = maybe(random, 1.0, |random| (random.f64() * 2.0 - 1.0).exp2());
        let view =
            View::new(translation, scale).and_then(|view| view.scaled([scale, scale * ratio])?.rotated(angle_deg));
        view.expect("a view")
    }

    fn random_step(random: &mut fastrand::Rng) -> Step {
        let row = &FILTERS[random.usize(..FILTERS.len())];
        let mut step = Step::default_of(row.filter);
        for (index, parameter) in row.parameters.iter().enumerate() {
            let (low, high) = parameter.range;
            let value = low + (high - low) * random.f64();
            let value = if parameter.whole { value.round() } else { value };
            step.set(index, maybe(random, parameter.default, |_| value)).expect("in its range");
        }
        step.enabled = random.u8(..4) > 0;
        let matrix = Matrix::new(2, &[number(random).clamp(-9.0, 9.0), 0.5, -1.0 / 3.0, 1e-7]).expect("a matrix");
        let mask = Mask::of_region(Region { left: 3, top: 0, right: 17, bottom: 2 });
        maybe(random, step, |_| step.with_matrix(matrix).with_mask(mask))
    }

    fn random_filters(random: &mut fastrand::Rng) -> Filters {
        let mut chain =
            || maybe(random, Chain::default(), |random| Chain((0..3).map(|_| random_step(random)).collect()));
        Filters { before: chain(), after: chain() }
    }

    /// The sampler of a request of this content: the truth has no method.
    fn of_content(content: Content, sampler: Sampler) -> Sampler {
        match content {
            Content::Interpolation => sampler,
            Content::Truth => sampler.with_method(Sampler::default().method),
        }
    }

    fn random_warp(random: &mut fastrand::Rng) -> Warp {
        let mut number = |low: f64, high: f64| low + (high - low) * random.f64();
        let numbers = [number(-0.9, 0.9), number(0.1, 4.0), number(-0.2, 0.2), number(-0.2, 0.2)];
        let kinds = [WarpKind::Lens, WarpKind::Swirl, WarpKind::Perspective, WarpKind::Grid];
        let warp = Warp::default_of(kinds[random.usize(..kinds.len())]).with_parameters(&numbers[..2]);
        let place = warp.handles().get(2).map(|place| [place[0] + numbers[2], place[1] + numbers[3]]);
        place.and_then(|place| warp.with_handle(2, place)).unwrap_or(warp)
    }

    fn random_plane(random: &mut fastrand::Rng) -> Plane {
        let orientation = match MAIN_PLANES.get(random.usize(..4)) {
            Some(row) => Orientation::Main(row.plane),
            None => Orientation::Oblique { tilt_deg: random.f64() * 360.0, turn_deg: -random.f64() },
        };
        let slice = maybe(random, None, |random| Some(number(random)));
        Plane { orientation, slice, time: maybe(random, 0.0, number) }
    }

    fn random_component(random: &mut fastrand::Rng) -> Component {
        COMPONENTS[random.usize(..COMPONENTS.len())].component
    }

    fn random_request(random: &mut fastrand::Rng) -> RenderRequest {
        let identity = Display::default();
        RenderRequest {
            size: size(random.u32(1..5000), random.u32(1..5000)),
            view: random_view(random),
            warp: maybe(random, Warp::None, random_warp),
            content: maybe(random, Content::Interpolation, |_| Content::Truth),
            sampler: maybe(random, Sampler::default(), random_sampler),
            page: maybe(random, 0, |random| random.usize(..100)),
            plane: maybe(random, Plane::default(), random_plane),
            component: random_component(random),
            filters: maybe(random, Filters::default(), random_filters),
            subtract: None,
            display: Display {
                exposure: maybe(random, identity.exposure, |random| number(random) as f32),
                offset: maybe(random, identity.offset, |random| number(random) as f32),
                gamma: maybe(random, identity.gamma, fastrand::Rng::f32),
                window: maybe(random, identity.window, |random| [random.f32(), -random.f32()]),
                colour_map: COLOUR_MAPS[random.usize(..COLOUR_MAPS.len())].colour_map,
                absolute: random.bool(),
            },
        }
    }

    #[test]
    fn request_written_as_arguments_is_parsed_back_equal() {
        let mut random = fastrand::Rng::with_seed(2);
        for _ in 0..2000 {
            let mut request = random_request(&mut random);
            request.sampler = of_content(request.content, request.sampler);
            if random.bool() {
                let mut other = RenderRequest { display: Display::default(), ..request.clone() };
                other.sampler = maybe(&mut random, other.sampler, random_sampler);
                other.view = maybe(&mut random, other.view, random_view);
                other.warp = maybe(&mut random, other.warp, random_warp);
                other.page = maybe(&mut random, other.page, |random| random.usize(..100));
                other.plane = maybe(&mut random, other.plane, random_plane);
                other.component = random_component(&mut random);
                other.filters = maybe(&mut random, other.filters, random_filters);
                other.content = maybe(&mut random, Content::Interpolation, |_| Content::Truth);
                other.sampler = of_content(other.content, other.sampler);
                request.subtract = Some(Box::new(other));
            }
            let arguments = render_arguments(&request);
            assert_eq!(parse(&arguments).request(page()).as_ref(), Ok(&request), "{arguments:?}");
        }
    }

    #[test]
    fn default_request_is_the_identity_of_the_image_size() {
        let request = RenderRequest::new(page());
        assert_eq!(parse(&[]).request(page()).as_ref(), Ok(&request));
        assert_eq!(render_arguments(&request), ["--size", "640x480"]);
    }
}
