//! From a file's bytes to the pixels of a small view. The first [`OPTIONS`] bytes select the view, the sampler, the
//! filters and the display mapping; the rest is the file.

use lerpscope::backend::{
    COLOUR_MAPS, Content, CpuBackend, Display, PixelFormat, ReferenceBackend, RenderRequest, render,
};
use lerpscope::complex::Component;
use lerpscope::filter::{Chain, FILTERS, Filters, Step};
use lerpscope::image::{self, Depth, FileFormat, Image, Raster, Samples, Size};
use lerpscope::sampling::{ADDRESS_MODES, METHODS, SAMPLING_PATHS, Sampler};
use lerpscope::view::View;
use lerpscope::volume::Plane;
use lerpscope::warp::{WARPS, Warp};

use super::check_message;
use super::pnm::check_round_trip;

/// Bytes before the file.
pub(crate) const OPTIONS: usize = 48;
/// Larger images take longer and cover nothing more.
const MAX_AREA: usize = 1 << 14;
/// Error bound of exact paths, for samples in 0 … 1 and premultiplied colours.
const TOLERANCE: f32 = 2e-6;

/// Opens an image and renders a view of it.
pub(crate) fn pixels(bytes: &[u8]) {
    let (options, file) = bytes.split_at(bytes.len().min(OPTIONS));
    let opened = match image::read("a picture", file) {
        Ok(opened) => opened,
        Err(error) => return check_message(&error.to_string()),
    };
    opened.warnings.iter().for_each(|warning| check_message(warning));
    if opened.image.pages().iter().any(|page| page.size().area() > MAX_AREA) {
        return;
    }
    let mut options = Options(options);
    let Some(request) = options.request() else { return };
    let depth = [Depth::EIGHT, Depth::SIXTEEN, Depth::Float][options.choice(3)];
    match render(&mut CpuBackend::new(), &opened.image, &request, PixelFormat::file(depth)) {
        Ok(raster) => check_raster(&opened.image, &request, &raster),
        Err(error) => check_message(&error.to_string()),
    }
}

/// Checks the result's type, its round trip through a file, and its values where their error is bounded.
fn check_raster(image: &Image, request: &RenderRequest, raster: &Raster) {
    let page = image.page(request.page).expect("a page that was rendered");
    assert_eq!((raster.size(), raster.channels()), (request.size, request.channels(page.channels())));
    if raster.depth() != Depth::Float {
        check_round_trip(raster);
        let mut png = Vec::new();
        image::write(&mut png, FileFormat::Png, raster).expect("PNG holds 8 and 16 bits");
        let read = image::read("out.png", &png).expect("a PNG file").image;
        assert_eq!(read.pages()[0].raster(), raster);
        return;
    }
    // The reference reads every sample of a wide kernel's square.
    let is_narrow = request.view.scale() * request.sampler.blur <= 8.0;
    let is_promised = is_narrow
        && !request.filters.is_active()
        && request.display == Display::default()
        && request.sampler.path.is_exact()
        && (0.0..=1.0).contains(&request.sampler.border)
        && !matches!(page.raster().samples(), Samples::F32(_));
    if is_promised {
        let format = PixelFormat::file(Depth::Float);
        let exact = render(&mut ReferenceBackend::default(), image, request, format).expect("served as the CPU does");
        let error = premultiplied(raster).zip(premultiplied(&exact)).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(error <= TOLERANCE, "off by {error:e}: {request:?}");
    }
}

/// Values as floats, colours times alpha.
fn premultiplied(raster: &Raster) -> impl Iterator<Item = f32> + '_ {
    let Samples::F32(values) = raster.samples() else { panic!("{:?} are no floats", raster.depth()) };
    let (count, has_alpha) = (raster.channels().count(), raster.channels().has_alpha());
    values.iter().enumerate().map(move |(index, &value)| {
        let is_alpha = index % count == count - 1;
        if has_alpha && !is_alpha { value * values[index - index % count + count - 1] } else { value }
    })
}

/// The selecting bytes, followed by zeros.
struct Options<'a>(&'a [u8]);

impl Options<'_> {
    fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().map_or((0, &[][..]), |(first, rest)| (*first, rest));
        self.0 = rest;
        first
    }

    fn choice(&mut self, count: usize) -> usize {
        usize::from(self.byte()) % count
    }

    fn switch(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    /// Usually a multiple of 1/16 near `usual`; for some bytes any single-precision number.
    fn number(&mut self, usual: f64) -> f64 {
        match self.byte() {
            255 => f64::from(f32::from_bits(u32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()]))),
            byte => usual + f64::from(byte as i8) / 16.0,
        }
    }

    /// Request with possibly invalid numbers; `None` if they form no view.
    fn request(&mut self) -> Option<RenderRequest> {
        let method = METHODS[self.choice(METHODS.len())].method;
        let address = [(); 2].map(|()| ADDRESS_MODES[self.choice(ADDRESS_MODES.len())].address);
        let path = SAMPLING_PATHS[self.choice(SAMPLING_PATHS.len())].path;
        let [prefilter, antialias, turns, maps] = [(); 4].map(|()| self.switch());
        let size = Size::new(1 + self.choice(8) as u32, 1 + self.choice(8) as u32).ok()?;
        let page = self.choice(4) / 3;
        let scale = self.number(0.0).abs();
        let translation = [self.number(0.0), self.number(0.0)];
        let angle_deg = if turns { self.number(0.0) * 16.0 } else { 0.0 };
        let view = View::new(translation, scale).and_then(|view| view.rotated(angle_deg));
        let view = view.map_err(|error| check_message(&error.to_string())).ok()?;
        let blur = self.number(1.0);
        let antiringing = self.number(0.0);
        let border = self.number(0.0) as f32;
        let sampler = Sampler { method, address, border, path, prefilter, antialias, blur, antiringing };
        let filters = Filters { before: self.chain(), after: self.chain() };
        let display = if maps { self.display() } else { Display::default() };
        let warp = self.warp();
        Some(RenderRequest {
            size,
            view,
            warp,
            content: Content::Interpolation,
            sampler,
            page,
            plane: Plane::default(),
            component: Component::default(),
            filters,
            subtract: None,
            display,
        })
    }

    /// Usually none; else one of any kind, with a handle moved.
    fn warp(&mut self) -> Warp {
        let kind = WARPS[self.choice(4 * WARPS.len()).saturating_sub(3 * WARPS.len())].kind;
        let warp = Warp::default_of(kind);
        let numbers: Vec<f64> = warp.parameters().iter().map(|usual| self.number(*usual)).collect();
        let handle = self.choice(16);
        let moved = warp.with_handle(handle, [self.number(0.0), self.number(0.0)]);
        moved.unwrap_or_else(|| warp.with_parameters(&numbers))
    }

    /// Up to two filters with one parameter each.
    fn chain(&mut self) -> Chain {
        let count = self.choice(6).saturating_sub(3);
        let steps = (0..count).map(|_| {
            let row = &FILTERS[self.choice(FILTERS.len())];
            let mut step = Step::default_of(row.filter);
            if !row.parameters.is_empty() {
                let index = self.choice(row.parameters.len());
                let value = self.number(row.parameters[index].default);
                if let Err(error) = step.set(index, value) {
                    check_message(&error.to_string());
                }
            }
            step
        });
        Chain(steps.collect())
    }

    fn display(&mut self) -> Display {
        Display {
            exposure: self.number(0.0) as f32,
            offset: self.number(0.0) as f32,
            gamma: self.number(1.0) as f32,
            window: [self.number(0.0) as f32, self.number(1.0) as f32],
            colour_map: COLOUR_MAPS[self.choice(COLOUR_MAPS.len())].colour_map,
            absolute: self.switch(),
        }
    }
}
