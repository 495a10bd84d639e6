//! Reference backend: every value in double precision, directly from the definitions, one pixel and one sample after
//! the other, without tables or separable passes; coefficients by the prefilter's impulse response rather than by
//! recursion. Slow. Other backends are tested against it.

use std::sync::Arc;

use rayon::prelude::*;

use super::prepared::edges;
use super::request::{RequestError, of_parts};
use super::{
    Backend, BackendError, BackendKind, Benchmark, Content, GlWriter, PixelFormat, RenderRequest, RenderTimer,
    TruthView, Waker, fit_raster, page_of, page_to_subtract,
};
use crate::complex::Derived;
use crate::filter::ExecOptions;
use crate::filter::reference::ExactPlane;
use crate::grid::GridError;
use crate::image::{Image, MeanAccuracy, Page, Raster, Samples, Size};
use crate::sampling::{AddressMode, AxisFetches, MainLobes, Prefilter, Sampler, Taps, TextureFormat};
use crate::volume::ObliquePlane;
use crate::warp::Warp;

/// The reference as a backend. It ignores the sampling path, except `filtered` and `filtered-table`, whose fixed-point
/// weights and rounded fetches it uses.
#[derive(Debug, Default)]
pub struct ReferenceBackend {
    work: ExecOptions,
}

impl Backend for ReferenceBackend {
    fn kind(&self) -> BackendKind {
        BackendKind::Reference
    }

    fn description(&self) -> String {
        "double precision, one sample at a time".to_owned()
    }

    fn render(
        &mut self,
        image: &Image,
        request: &RenderRequest,
        format: PixelFormat,
        out: &mut Raster,
    ) -> Result<(), BackendError> {
        let page = page_of(image, request)?;
        let values: Vec<f32> = values_by(image, request, &self.work)?.iter().map(|&v| v as f32).collect();
        let channels = format.channels(request.channels(page.channels()));
        fit_raster(out, request, channels, format.depth);
        let natural = if request.subtract.is_some() { page.channels().opaque() } else { page.channels() };
        super::cpu::finish_values(&values, natural, &request.display, out);
        Ok(())
    }

    fn is_slow(&mut self, _image: &Image, _request: &RenderRequest) -> bool {
        true
    }

    fn set_exec_options(&mut self, work: ExecOptions) {
        self.work = work;
    }

    fn is_ready(&mut self, _image: &Image, _request: &RenderRequest) -> bool {
        true
    }

    fn set_waker(&mut self, _waker: Waker) {}

    fn timer(&mut self) -> Option<&mut dyn RenderTimer> {
        None
    }

    fn gl(&mut self) -> Option<&mut dyn GlWriter> {
        None
    }

    fn benchmark(&mut self) -> Option<&mut dyn Benchmark> {
        None
    }
}

/// Values of all pixels before the display mapping, channels interleaved, alpha straight; a difference has no alpha.
///
/// # Errors
/// [`RequestError`] for a request that cannot be served.
///
/// # Panics
/// If the coefficients of a volume exceed the memory.
pub fn values(image: &Image, request: &RenderRequest) -> Result<Vec<f64>, RequestError> {
    match values_by(image, request, &ExecOptions::default()) {
        Ok(values) => Ok(values),
        Err(BackendError::Request(error)) => Err(error),
        // Without a device and a stop nothing else fails, but for coefficients of a volume beyond the memory.
        Err(error) => panic!("{error}"),
    }
}

/// The same, by `work`.
fn values_by(image: &Image, request: &RenderRequest, work: &ExecOptions) -> Result<Vec<f64>, BackendError> {
    let page = page_of(image, request)?;
    request.check(&page)?;
    let mut values = filtered(&page, request, work)?;
    if let Some(other) = &request.subtract {
        let subtracted = filtered(&page_to_subtract(image, &page, other)?, other, work)?;
        let (channels, kept) = (page.channels().count(), page.channels().opaque().count());
        values = values
            .chunks_exact(channels)
            .zip(subtracted.chunks_exact(channels))
            .flat_map(|(a, b)| a[..kept].iter().zip(&b[..kept]).map(|(a, b)| a - b))
            .collect();
    }
    Ok(values)
}

/// Values of the view after the filters, alpha straight. The view is interpolated with the filters' margin.
fn filtered(page: &Arc<Page>, request: &RenderRequest, work: &ExecOptions) -> Result<Vec<f64>, BackendError> {
    let around = request.around_view()?;
    let channels = page.channels();
    let work = &work.stage("interpolation");
    let values = match request.content {
        Content::Interpolation => match (Derived::of(page), ObliquePlane::of(page)) {
            (Some(derived), _) => {
                let request = of_parts(&around);
                let [real, imaginary] = derived.parts().each_ref().map(|part| interpolated(part, &request, work));
                derived.values([&real, &imaginary], |value| value)
            }
            (None, Some(oblique)) => {
                let map = around.map(page.size());
                let values = oblique.exact_values(&around.sampler, around.size, |pixel| map.at(pixel), work);
                values.map_err(|error| match error {
                    GridError::Memory(error) => BackendError::HostMemory(error),
                    _ => BackendError::Cancelled,
                })?
            }
            (None, None) => interpolated(page, &around, work),
        },
        Content::Truth => true_values(
            &TruthView::new(page, &around, MeanAccuracy::FINE).map_err(RequestError::from)?,
            around.size,
            work,
        ),
    };
    if work.stop.is_set() {
        return Err(BackendError::Cancelled);
    }
    let first = around.first_pixel(page.size());
    let plane = ExactPlane { size: around.size.sides(), first, channels, values };
    let plane = plane.filtered(&request.filters.after, &edges(&request.sampler));
    let reach = request.filters.after.reach() as usize;
    let (width, count) = (request.size.width() as usize, channels.count());
    let rows = plane.values.chunks_exact(around.size.width() as usize * count);
    let inside = rows.skip(reach).take(request.size.height() as usize);
    let mut values: Vec<f64> = inside.flat_map(|row| &row[reach * count..][..width * count]).copied().collect();
    values.chunks_exact_mut(count).for_each(|pixel| straighten(pixel, channels.has_alpha()));
    Ok(values)
}

/// Values of the view before the filters after the interpolation, premultiplied.
fn interpolated(page: &Arc<Page>, request: &RenderRequest, work: &ExecOptions) -> Vec<f64> {
    let (channels, size) = (page.channels().count(), request.size);
    let source = Source::new(page, request);
    let taps = request.taps();
    let map = request.map(page.size());
    let bounds = request.sampler.is_antiringed().then(|| {
        let sampler = Sampler { prefilter: false, ..request.sampler };
        let samples = Source::new(page, &RenderRequest { sampler, ..request.clone() });
        (samples, request.sampler.antiringing)
    });
    let mut values = vec![0.0; size.area() * channels];
    let stride = size.width() as usize * channels;
    let scratch = || ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()], MainLobes::new(&request.sampler));
    work.row_by_row().for_bands((&mut values, stride), 1, scratch, |(weights, stored, lobes), row, out| {
        for (pixel_index, pixel) in out.chunks_exact_mut(channels).enumerate() {
            let [column, row] = [pixel_index % size.width() as usize, row + pixel_index / size.width() as usize];
            let [x, y] = map.at([column as f64, row as f64]);
            let local_scale = match request.warp {
                Warp::None => request.view.scales(),
                _ => request.local_scale(&map, [column as f64, row as f64]),
            };
            let fetches = taps[0].fetches_at(x).zip(taps[1].fetches_at(y));
            if let (Some(steps), Some(fetches)) = (source.steps, fetches) {
                source.fetch([taps[0].first_sample(x), taps[1].first_sample(y)], fetches, steps, pixel);
            } else {
                let [across, down] = local_scale.map(|scale| Taps::new(&request.sampler, scale));
                let first = [across.weights_at(x, &mut weights[0]), down.weights_at(y, &mut weights[1])];
                for axis in [0, 1] {
                    let positions = (0..weights[axis].len() as i64).map(|k| first[axis] + k);
                    source.resolve(axis, positions, &mut stored[axis]);
                }
                for (&wy, &row) in weights[1].iter().zip(&stored[1]) {
                    for (&wx, &column) in weights[0].iter().zip(&stored[0]) {
                        source.add(wx * wy, [column, row], pixel);
                    }
                }
            }
            if let Some((samples, strength)) = &bounds {
                let [across, down] = lobes.along(local_scale);
                for (axis, [first, last]) in [across.samples_at(x), down.samples_at(y)].into_iter().enumerate() {
                    samples.resolve(axis, first..=last, &mut stored[axis]);
                }
                for (channel, value) in pixel.iter_mut().enumerate() {
                    let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
                    for &row in &stored[1] {
                        for &column in &stored[0] {
                            let sample = samples.number([column, row], channel);
                            (least, greatest) = (least.min(sample), greatest.max(sample));
                        }
                    }
                    if !value.is_nan() {
                        *value += strength * (value.max(least).min(greatest) - *value);
                    }
                }
            }
        }
    });
    values
}

/// True values of a view of `size`.
fn true_values(truth: &TruthView, size: Size, work: &ExecOptions) -> Vec<f64> {
    let mut values = vec![0.0; size.area() * truth.channels()];
    let stride = size.width() as usize * truth.channels();
    work.row_by_row().for_bands(
        (&mut values, stride),
        1,
        || (),
        |(), row, out| truth.fill((row, out), |_, _| true, &work.stop, |value| value),
    );
    values
}

/// Divides premultiplied colours by alpha.
fn straighten(pixel: &mut [f64], has_alpha: bool) {
    if let (true, Some((&mut alpha, colours))) = (has_alpha, pixel.split_last_mut()) {
        colours.iter_mut().for_each(|colour| *colour = if alpha == 0.0 { 0.0 } else { *colour / alpha });
    }
}

/// Samples or coefficients on the infinite lattice.
struct Source {
    width: u32,
    height: u32,
    channels: usize,
    address: [AddressMode; 2],
    border: f64,
    samples: Vec<f64>,
    coefficients: Option<Box<Source>>,
    /// Places around the image on which coefficients are kept: as many as they take to become constant.
    margin: i64,
    /// Steps of a number to which a fetch of the texture unit is rounded, and the number of 1; of integers that nothing
    /// changes before the interpolation.
    steps: Option<[f64; 2]>,
}

impl Source {
    /// Writes the channels of a pixel by `fetches` along x and y, whose first taps are at `first`.
    fn fetch(
        &self,
        first: [i64; 2],
        fetches: (AxisFetches, AxisFetches),
        [steps, maxval]: [f64; 2],
        pixel: &mut [f64],
    ) {
        let [across, down] = [self.width, self.height];
        let stored = |axis: usize, tap: usize, len: u32| self.address[axis].resolve(first[axis] + tap as i64, len);
        for (channel, value) in pixel.iter_mut().enumerate() {
            let sample = |m: usize, n: usize| {
                let place = [stored(0, m, across), stored(1, n, down)].map(|place| place.map(|place| place as usize));
                // The file's own number, which the division by maxval has left with an error.
                self.at(place).map(|numbers| (numbers[channel] * maxval).round())
            };
            *value = fetches.0.rounded_value(&fetches.1, [steps, self.border * maxval], sample) / maxval;
        }
    }

    fn new(page: &Page, request: &RenderRequest) -> Self {
        let sampler: &Sampler = &request.sampler;
        let raster = page.raster();
        let maxval = f64::from(raster.samples().maxval());
        let channels = page.channels().count();
        let mut samples: Vec<f64> = match raster.samples() {
            Samples::U8 { values, .. } => values.iter().map(|&v| f64::from(v) / maxval).collect(),
            Samples::U16 { values, .. } => values.iter().map(|&v| f64::from(v) / maxval).collect(),
            Samples::F32(values) => values.iter().map(|&v| f64::from(v)).collect(),
        };
        if page.channels().has_alpha() {
            for pixel in samples.chunks_exact_mut(channels) {
                let alpha = pixel[channels - 1];
                pixel[..channels - 1].iter_mut().for_each(|colour| *colour *= alpha);
            }
        }
        let plane = ExactPlane { size: page.size().sides(), first: [0; 2], channels: page.channels(), values: samples };
        let samples = plane.filtered(&request.filters.before, &edges(sampler)).values;
        let source = Self {
            width: page.size().width(),
            height: page.size().height(),
            channels,
            address: sampler.address,
            border: f64::from(sampler.border),
            samples,
            coefficients: None,
            margin: 0,
            steps: texture_format(page, request).fetch_steps().map(|steps| [steps, maxval]),
        };
        match sampler.coefficients() {
            Some(prefilter) => source.prefiltered(prefilter),
            None => source,
        }
    }

    /// The columns (axis 0) or rows of samples, or of coefficients, at integer positions, after the address mode; `None` is the border.
    fn resolve(&self, axis: usize, positions: impl Iterator<Item = i64>, stored: &mut Vec<Option<usize>>) {
        let len = [self.width, self.height][axis];
        stored.clear();
        stored.extend(positions.map(|k| match &self.coefficients {
            Some(kept) => Some(match self.address[axis] {
                // The coefficients are constant beyond their margin.
                AddressMode::Clamp | AddressMode::Border => {
                    (k + kept.margin).clamp(0, i64::from([kept.width, kept.height][axis]) - 1) as usize
                }
                AddressMode::Wrap | AddressMode::Mirror => {
                    (self.address[axis].resolve(k, len).map_or(0, i64::from) + kept.margin) as usize
                }
            }),
            None => self.address[axis].resolve(k, len).map(|k| k as usize),
        }));
    }

    /// Samples or coefficients at a column and a row, one for each channel; `None` for the border.
    fn at(&self, place: [Option<usize>; 2]) -> Option<&[f64]> {
        let source = self.coefficients.as_deref().unwrap_or(self);
        let [Some(column), Some(row)] = place else { return None };
        let start = (row * source.width as usize + column) * self.channels;
        Some(&source.samples[start..start + self.channels])
    }

    /// The sample or coefficient of a channel at a column and a row.
    fn number(&self, place: [Option<usize>; 2], channel: usize) -> f64 {
        self.at(place).map_or(self.border, |numbers| numbers[channel])
    }

    /// Adds `weight` times the samples or coefficients at a column and a row to the sums of all channels.
    fn add(&self, weight: f64, place: [Option<usize>; 2], sums: &mut [f64]) {
        let numbers = self.at(place);
        for (channel, sum) in sums.iter_mut().enumerate() {
            *sum += weight * numbers.map_or(self.border, |numbers| numbers[channel]);
        }
    }

    /// Coefficients on the image and a margin around it: the infinite signal convolved, axis by axis, with the
    /// prefilter's impulse response.
    fn prefiltered(self, prefilter: Prefilter) -> Self {
        // |z|^k is below 10⁻¹⁸ there.
        let margin = i64::from(prefilter.warm_up());
        let response = impulse_response(prefilter);
        let reach = response.len() as i64 / 2;
        let width = self.width as usize + 2 * margin as usize;
        let height = self.height as usize + 2 * margin as usize;
        let channels = self.channels;
        // Rows first, for all rows that the columns need.
        let tall = height as i64 + 2 * reach;
        let mut rows = vec![0.0; width * tall as usize * channels];
        let [mut columns, mut lines] = [Vec::new(), Vec::new()];
        self.resolve(0, -margin - reach..width as i64 - margin + reach, &mut columns);
        self.resolve(1, -margin - reach..height as i64 - margin + reach, &mut lines);
        rows.par_chunks_exact_mut(width * channels).zip(&lines).for_each(|(out, &row)| {
            for (first, pixel) in out.chunks_exact_mut(channels).enumerate() {
                for (&h, &column) in response.iter().zip(&columns[first..]) {
                    self.add(h, [column, row], pixel);
                }
            }
        });
        let stride = width * channels;
        let mut samples = vec![0.0; stride * height];
        samples.par_chunks_exact_mut(stride).enumerate().for_each(|(row, out)| {
            for (k, h) in response.iter().enumerate() {
                let from = &rows[(row + k) * stride..][..stride];
                out.iter_mut().zip(from).for_each(|(sum, value)| *sum += h * value);
            }
        });
        let kept = Self { width: width as u32, height: height as u32, samples, coefficients: None, margin, ..self };
        Self { width: self.width, height: self.height, samples: Vec::new(), coefficients: Some(Box::new(kept)), ..self }
    }
}

/// The format of the texture that `request` reads: floats for what is computed before the interpolation.
fn texture_format(page: &Page, request: &RenderRequest) -> TextureFormat {
    let is_computed =
        page.channels().has_alpha() || request.filters.before.is_active() || request.sampler.uses_coefficients();
    match page.raster().samples() {
        _ if is_computed => TextureFormat::Float,
        Samples::U8 { .. } => TextureFormat::Eight,
        Samples::U16 { .. } => TextureFormat::Sixteen,
        Samples::F32(_) => TextureFormat::Float,
    }
}

/// A prefilter's impulse response at −reach … reach: (1 − z)/(1 + z)·z^|k| for each pole z, convolved with one another.
fn impulse_response(prefilter: Prefilter) -> Vec<f64> {
    let reach = 5 * prefilter.warm_up() as i32 / 4;
    let distances = -reach..=reach;
    let of_pole = |z: f64, k: i32| (1.0 - z) / (1.0 + z) * z.powi(k.abs());
    let mut response: Vec<f64> = distances.clone().map(|k| if k == 0 { 1.0 } else { 0.0 }).collect();
    for &z in prefilter.poles() {
        let before = response.clone();
        for (place, k) in response.iter_mut().zip(distances.clone()) {
            *place = before.iter().zip(distances.clone()).map(|(h, n)| h * of_pole(z, k - n)).sum();
        }
    }
    response
}
