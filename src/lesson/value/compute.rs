//! The numbers of a step by the engine.

use std::path::Path;

use toml::Table;

use super::{
    AddressOf, Channel, Claim, DifferenceMeasure, DifferenceOf, ErrorMeasure, FetchOf, KeptOf, LineBy, LineOf,
    MeasureOf, PixelOf, PixelUnit, PoleOf, Quantity, ResponseOf, RotationsOf, SampleOf, StatisticKind, StatisticOf,
    SumPart, WeightSumOf,
};
use crate::backend::{CpuBackend, PixelFormat, RenderRequest, render};
use crate::filter::{Chain, ExecOptions, LUMINANCE};
use crate::image::{Depth, Page, Raster, Size};
use crate::lab::field::SampleReport;
use crate::lab::one_dimension::{Interpolant, Signal};
use crate::lab::rotations::{RotationReport, RotationTest};
use crate::lesson::Number;
use crate::lesson::pictures::{Pictures, ScenePanel};
use crate::lesson::scene::evaluated;
use crate::plots::Reconstruction;
use crate::quality::{Counted, Metrics, compare, truth};
use crate::sampling::{Method, Sampler, SamplingPath, Taps, fixed_point_fraction};
use crate::view::View;

/// Side of a picture of a panel, unless the value says otherwise.
const USUAL_SIDE: u32 = 512;
/// Largest side of a picture of a panel.
const MAX_SIDE: u32 = 2048;

/// Computes the values of a step, one after the other.
#[derive(Debug)]
pub struct Proof<'a> {
    session: &'a Table,
    pictures: &'a mut Pictures,
    backend: CpuBackend,
    /// Names of values, with the values.
    known: Vec<(String, f64)>,
}

impl<'a> Proof<'a> {
    /// Values of a step whose session is `session`, at the start of its parameters.
    pub fn new(session: &'a Table, pictures: &'a mut Pictures) -> Self {
        Self { session, pictures, backend: CpuBackend::new(), known: Vec::new() }
    }

    /// The value of `claim`. A later expression may have its name.
    ///
    /// # Errors
    /// Why there is none.
    pub fn value(&mut self, claim: &Claim) -> Result<f64, String> {
        let value = self.quantity(&claim.quantity)?;
        if let Some(name) = &claim.name {
            self.known.push((name.clone(), value));
        }
        Ok(value)
    }

    fn quantity(&mut self, quantity: &Quantity) -> Result<f64, String> {
        match quantity {
            Quantity::Expression(formula) => {
                let names: Vec<(&str, f64)> = self.known.iter().map(|(name, value)| (name.as_str(), *value)).collect();
                evaluated(formula, &names)
            }
            Quantity::Line(line) => value_on_line(line),
            Quantity::Weight(of) => {
                let weights = weights(of.method, of.path, of.alpha)?;
                let missing = || format!("w: {} reads {} samples, numbered from 0", of.method, weights.len());
                weights.get(of.w).copied().ok_or_else(missing)
            }
            Quantity::WeightSum(of) => weight_sum(of),
            Quantity::Kernel(of) => Ok(of.method.kernel().weight(of.d.0)),
            Quantity::Reads(of) if !(1..=4).contains(&of.axes) => Err("axes: is 1 to 4".to_owned()),
            Quantity::Reads(of) => Ok((of.method.kernel().taps as f64).powi(of.axes.cast_signed())),
            Quantity::Fetch(of) => fetch_fraction(of),
            Quantity::FixedPoint(Number(fraction)) => Ok(fixed_point_fraction(*fraction)),
            Quantity::Pole(of) => pole(of),
            Quantity::Address(of) => address(of),
            Quantity::Response(of) => Ok(response(of)),
            Quantity::Sample(of) => self.sample(of),
            Quantity::Pixel(of) => self.pixel(of),
            Quantity::Difference(of) => self.difference(of),
            Quantity::Statistic(of) => self.statistic(of),
            Quantity::Measure(of) => self.measured(of),
            Quantity::Rotations(of) => self.turned(of),
            Quantity::Kept(of) => self.kept(of),
        }
    }

    fn sample(&mut self, of: &SampleOf) -> Result<f64, String> {
        let SampleOf { image, at: [column, row], channel, unit } = of;
        let page = self.pictures.page(image)?;
        let raster = page.raster();
        if *column >= raster.size().width() || *row >= raster.size().height() {
            return Err(format!("at: the image has {} samples", raster.size()));
        }
        let maxval = match raster.depth() {
            Depth::Integer { maxval } => f64::from(maxval.get()),
            Depth::Float => 1.0,
        };
        value_at(raster, [*column, *row], *channel).map(|value| in_unit(value / maxval, *unit))
    }

    fn pixel(&mut self, of: &PixelOf) -> Result<f64, String> {
        let one = Size::new(1, 1).map_err(|error| error.to_string())?;
        let ScenePanel { source, request } = self.panel(of.panel, one)?;
        let page = self.pictures.image(&source)?.page(request.page).ok_or("page: there is no such page")?;
        let untranslated = request.view.translated([0.0; 2]).map_err(|error| error.to_string())?;
        let [x, y] = untranslated.image_from_output(one, page.size()).at([0.0; 2]);
        let view = untranslated.translated([of.at[0].0 - x, of.at[1].0 - y]).map_err(|error| error.to_string())?;
        let raster = self.rendered(&source, &RenderRequest { view, ..request })?;
        value_at(&raster, [0, 0], of.channel).map(|value| in_unit(value, of.unit))
    }

    fn panel(&mut self, number: usize, size: Size) -> Result<ScenePanel, String> {
        let panels = self.pictures.panels(self.session, size)?;
        let count = panels.len();
        let index = number.checked_sub(1);
        let panel = index.and_then(|index| panels.into_iter().nth(index));
        panel.ok_or_else(|| format!("panel: the step has panels 1 to {count}, not {number}"))
    }

    fn rendered(&mut self, source: &Path, request: &RenderRequest) -> Result<Raster, String> {
        let image = self.pictures.image(source)?;
        render(&mut self.backend, image, request, PixelFormat::file(Depth::Float)).map_err(|error| error.to_string())
    }

    fn difference(&mut self, of: &DifferenceOf) -> Result<f64, String> {
        let size = picture_size(of.size)?;
        let mut rasters = Vec::with_capacity(2);
        let mut bytes = Vec::with_capacity(2);
        for number in of.panels {
            let ScenePanel { source, request } = self.panel(number, size)?;
            rasters.push(self.rendered(&source, &request)?);
            let image = self.pictures.image(&source)?;
            let byte = render(&mut self.backend, image, &request, PixelFormat::file(Depth::EIGHT));
            bytes.push(byte.map_err(|error| error.to_string())?);
        }
        let metrics = compare(&rasters[0], &rasters[1], &Counted::all(size)).map_err(|error| error.to_string())?;
        Ok(match of.of {
            DifferenceMeasure::Rms => metrics.rms,
            DifferenceMeasure::Max => metrics.max,
            DifferenceMeasure::Psnr => metrics.psnr_db,
            DifferenceMeasure::Bytes => {
                let [a, b] = [&bytes[0], &bytes[1]].map(Raster::samples);
                let unequal = (0..a.len()).filter(|&index| a.number(index) != b.number(index)).count();
                unequal as f64 / a.len() as f64
            }
        })
    }

    fn statistic(&mut self, of: &StatisticOf) -> Result<f64, String> {
        let size = picture_size(of.size)?;
        let ScenePanel { source, request } = self.panel(of.panel, size)?;
        let raster = self.rendered(&source, &request)?;
        let mut values = Vec::with_capacity(size.area());
        for row in 0..size.height() {
            for column in 0..size.width() {
                values.push(value_at(&raster, [column, row], of.channel)?);
            }
        }
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let value = match of.of {
            StatisticKind::Mean => mean,
            StatisticKind::Least => values.iter().copied().fold(f64::INFINITY, f64::min),
            StatisticKind::Greatest => values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            StatisticKind::Deviation => {
                let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
                (squares / values.len() as f64).sqrt()
            }
        };
        Ok(in_unit(value, of.unit))
    }

    fn measured(&mut self, of: &MeasureOf) -> Result<f64, String> {
        let sampler = Sampler {
            prefilter: of.prefilter,
            antialias: of.antialias,
            path: of.path,
            ..Sampler::default().with_method(of.method)
        };
        let view = View::new(of.translate.map(|Number(number)| number), of.scale.0);
        let view = view.and_then(|view| view.rotated(of.rotate.0)).map_err(|error| error.to_string())?;
        let image = self.pictures.image(&of.image)?;
        let page: &Page = image.pages().first().ok_or("image: has no page")?;
        let size = of.size.map_or(Ok(page.size()), |size| picture_size(Some(size)))?;
        let request = RenderRequest { view, sampler, ..RenderRequest::new(size) };
        let counted = Counted::between_samples(&request, page.size());
        let exact = truth(page, &request, &counted, &ExecOptions::default()).map_err(|error| error.to_string())?;
        let picture = render(&mut self.backend, image, &request, PixelFormat::file(Depth::Float));
        let picture = picture.map_err(|error| error.to_string())?;
        let metrics = compare(&picture, &exact, &counted).map_err(|error| error.to_string())?;
        measure_of(&metrics, of.of)
    }

    fn turned(&mut self, of: &RotationsOf) -> Result<f64, String> {
        let image = self.pictures.image(&of.image)?;
        let page = image.pages().first().ok_or("image: has no page")?;
        let test = RotationTest::new(page, of.turns, None).map_err(|error| error.to_string())?;
        let samplers = [Sampler { prefilter: of.prefilter, ..Sampler::default().with_method(of.method) }];
        let mut report = RotationReport::new(&test, &samplers);
        let ran = test.run(&mut self.backend, &samplers, &ExecOptions::default(), &mut |turned| report.push(&turned));
        ran.map_err(|error| error.to_string())?;
        let row = report.metrics(0, of.turns).ok_or("turns: the last one was not computed")?;
        measure_of(&row.metrics, of.of)
    }

    fn kept(&mut self, of: &KeptOf) -> Result<f64, String> {
        let image = self.pictures.image(&of.image)?;
        let sampler = Sampler { prefilter: of.prefilter, ..Sampler::default().with_method(of.method) };
        let report = SampleReport::new(image, (0, &Chain::default()), sampler, &ExecOptions::default(), &mut |_| {});
        let report = report.map_err(|error| error.to_string())?;
        Ok(report.kept as f64 / report.count as f64)
    }
}

fn picture_size(size: Option<[u32; 2]>) -> Result<Size, String> {
    let [width, height] = size.unwrap_or([USUAL_SIDE; 2]);
    if width.max(height) > MAX_SIDE {
        return Err(format!("size: a side is at most {MAX_SIDE} pixels"));
    }
    Size::new(width, height).map_err(|error| format!("size: {error}"))
}

/// A number of a raster; without a channel its luminance.
fn value_at(raster: &Raster, [column, row]: [u32; 2], channel: Channel) -> Result<f64, String> {
    let channels = raster.channels();
    let number = |channel: usize| f64::from(raster.number(column, row, channel));
    match channel {
        Some(channel) if channel < channels.count() => Ok(number(channel)),
        Some(channel) => Err(format!("channel: there are 0 to {}, not {channel}", channels.count() - 1)),
        None if channels.has_colour() => Ok(LUMINANCE.iter().enumerate().map(|(c, weight)| weight * number(c)).sum()),
        None => Ok(number(0)),
    }
}

fn in_unit(value: f64, unit: PixelUnit) -> f64 {
    match unit {
        PixelUnit::One => value,
        PixelUnit::Byte => 255.0 * value,
    }
}

fn measure_of(metrics: &Metrics, of: ErrorMeasure) -> Result<f64, String> {
    match of {
        ErrorMeasure::Psnr => Ok(metrics.psnr_db),
        ErrorMeasure::Rms => Ok(metrics.rms),
        ErrorMeasure::Max => Ok(metrics.max),
        ErrorMeasure::Ssim => metrics.ssim.ok_or_else(|| "of: the picture is too small for ssim".to_owned()),
    }
}

fn value_on_line(of: &LineOf) -> Result<f64, String> {
    let samples = of.samples.iter().map(|Number(sample)| *sample).collect();
    let signal = Signal::new(samples, of.address, of.border.0).map_err(|error| format!("samples: {error}"))?;
    let filter = Reconstruction::of(of.method, of.prefilter);
    let interpolant = match of.by {
        LineBy::Exact => Interpolant::exact(&signal, &filter),
        LineBy::Manual => Interpolant::manual(&signal, &filter),
        LineBy::Texture => Interpolant::texture(&signal, &filter)
            .ok_or_else(|| format!("by: the texture unit does not serve {}", of.method))?,
    };
    Ok(interpolant.at(of.at.0))
}

fn weights(method: Method, path: SamplingPath, Number(alpha): Number) -> Result<Vec<f64>, String> {
    if !(0.0..=1.0).contains(&alpha) {
        return Err("alpha: is 0 to 1".to_owned());
    }
    if !method.kernel().paths.contains(&path) {
        return Err(format!("path: '{path}' does not serve {method}"));
    }
    let mut weights = Vec::new();
    // The weights at the next sample are those of 1 itself, not of the interval behind it.
    let alpha = if alpha == 1.0 { 1.0 - f64::EPSILON } else { alpha };
    Taps::new(&Sampler { path, ..Sampler::default().with_method(method) }, 1.0).weights_at(alpha, &mut weights);
    Ok(weights)
}

fn weight_sum(of: &WeightSumOf) -> Result<f64, String> {
    let weights = weights(of.method, of.path, of.alpha)?;
    let part = |weight: &f64| match of.of {
        SumPart::All => *weight,
        SumPart::Positive => weight.max(0.0),
        SumPart::Negative => weight.min(0.0),
        SumPart::Absolute => weight.abs(),
    };
    Ok(weights.iter().map(part).sum())
}

fn fetch_fraction(of: &FetchOf) -> Result<f64, String> {
    let weights = weights(of.method, SamplingPath::Auto, of.alpha)?;
    let pair = weights.get(2 * of.pair..2 * of.pair + 2);
    let pair = pair.ok_or_else(|| format!("pair: {} has {} pairs, numbered from 0", of.method, weights.len() / 2))?;
    Ok(pair[1] / (pair[0] + pair[1]))
}

fn pole(of: &PoleOf) -> Result<f64, String> {
    let prefilter = of.method.kernel().prefilter.ok_or_else(|| format!("method: {} has no prefilter", of.method))?;
    let poles = prefilter.poles();
    let index = usize::try_from(of.number).ok().and_then(|number| number.checked_sub(1));
    let pole = index.and_then(|index| poles.get(index)).copied();
    pole.ok_or_else(|| format!("number: there are 1 to {}", poles.len()))
}

fn address(of: &AddressOf) -> Result<f64, String> {
    if of.count == 0 {
        return Err("count: is at least 1".to_owned());
    }
    let index = of.mode.resolve(i64::from(of.index), of.count);
    index.map(f64::from).ok_or_else(|| format!("mode: {} reads no sample at {}", of.mode, of.index))
}

fn response(of: &ResponseOf) -> f64 {
    let spectrum = Reconstruction::of(of.method, of.prefilter).spectrum(&[of.frequency.0]);
    let magnitude = spectrum.first().map_or(0.0, |[re, im]| re.hypot(*im));
    if of.decibels { 20.0 * magnitude.log10() } else { magnitude }
}
