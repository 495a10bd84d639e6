//! `lerpscope lab1d`: values of methods at points of a line of samples.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::chart_output::ChartOutput;
use super::methods::Methods;
use super::plot::{self, PrefilterChoice};
use super::{input, options, stdout};
use crate::arguments::{parse_number, parse_numbers, parse_page, parse_pair, parse_size};
use crate::backend::page_at;
use crate::image::Size;
use crate::lab::one_dimension::{PAGE_AXES, PRESETS, PageAxis, PageLine, Preset, Signal, ValueCurves, ValueTable};
use crate::plots::Reconstruction;
use crate::sampling::{AddressMode, Method};

/// Options of `lab1d`.
#[derive(Args, Debug)]
#[command(after_help = "\
Without options: the 5 samples and 7 points of the tutorial's listing 2, as its listings 4 and 5 print them. The texture
unit counts from the edge of the first texel, so that it is asked for x + 1/2; its fractions are multiples of 1/256. The
manual value is that of a program without a texture, in single precision, with the edge sample beyond both edges.

What wrap makes of them:
  lerpscope lab1d --address wrap
The prefiltered cubic B-spline at two points:
  lerpscope lab1d --samples 0,1,0,0,1/2 --points 1/4,2.5 --methods bspline --prefilter on
Why splines: one polynomial through 11 samples of Runge's function, beside two methods:
  lerpscope lab1d --preset runge --methods linear,bspline --prefilter on --lagrange -o runge.svg
32 samples of a photo's row, for a spreadsheet:
  lerpscope lab1d --image photo.png --through 100,80 --along row --count 32 --csv")]
pub struct Lab1dOptions {
    /// Samples to begin with
    #[arg(long, value_name = "NAME", default_value = "document", value_parser = preset())]
    preset: Preset,
    /// Samples, separated by commas
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, conflicts_with_all = ["preset", "count"])]
    #[arg(value_parser = |text: &str| parse_numbers(text).map(Numbers))]
    samples: Option<Numbers>,
    /// Image whose row or column has the samples; colours count by their luminance
    #[arg(long, value_name = "FILE", conflicts_with_all = ["preset", "samples"])]
    image: Option<PathBuf>,
    /// Position in samples that the row or column goes through
    #[arg(long, value_name = "X,Y", default_value = "0,0", allow_hyphen_values = true, requires = "image")]
    #[arg(value_parser = |text: &str| parse_pair::<f64>(text, ','))]
    through: [f64; 2],
    /// Direction of the line of samples
    #[arg(long, value_name = "LINE", default_value = "row", value_parser = page_axis(), requires = "image")]
    along: PageAxis,
    /// Page of the image, from 1
    #[arg(long, value_name = "N", default_value = "1", allow_hyphen_values = true, value_parser = parse_page)]
    #[arg(requires = "image")]
    page: usize,
    /// Number of samples of a preset or an image [default: the preset's own; 64 of an image]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=Signal::MAX_SAMPLES as i64))]
    count: Option<u8>,
    /// Points x, separated by commas [default: the tutorial's -0.6,-0.1,0.6,1.5,2.1,2.9,4.7]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    #[arg(value_parser = |text: &str| parse_numbers(text).map(Numbers))]
    points: Option<Numbers>,
    /// Methods, separated by commas, with colons in their parameters
    #[arg(long, alias = "method", value_name = "LIST", default_value = "nearest,linear")]
    #[arg(value_parser = Methods::parse)]
    methods: Methods,
    /// Whether B-splines and o-moms have their prefilter
    #[arg(long, value_name = "WHEN", default_value = "off", value_parser = plot::prefilter())]
    prefilter: PrefilterChoice,
    /// Address mode beyond both edges
    #[arg(long, value_name = "MODE", default_value = "clamp", value_parser = options::one_address())]
    address: AddressMode,
    /// Value beyond the edges for address mode border
    #[arg(long, value_name = "V", default_value = "0", allow_hyphen_values = true, value_parser = parse_number::<f64>)]
    border: f64,
    /// Add the polynomial through all samples to the drawing
    #[arg(long, requires = "output")]
    lagrange: bool,
    /// Add the slopes of the curves at the points to the drawing
    #[arg(long, requires = "output")]
    slopes: bool,
    /// Size of the drawing in points; a PNG file has two pixels to a point [default: 960x540]
    #[arg(long, value_name = "WxH", allow_hyphen_values = true, value_parser = parse_size, requires = "output")]
    size: Option<Size>,
    /// Draw the curves into a file instead: .svg, .png or .csv; - prints CSV
    #[arg(short, long, value_name = "OUT", conflicts_with_all = ["json", "csv"])]
    output: Option<PathBuf>,
    /// Print the values as JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print the values as CSV
    #[arg(long)]
    csv: bool,
}

/// Numbers of a list.
#[derive(Clone, Debug)]
struct Numbers(Vec<f64>);

fn preset() -> impl TypedValueParser<Value = Preset> {
    let values = PRESETS.iter().map(|row| PossibleValue::new(row.name).help(row.help));
    PossibleValuesParser::new(values).try_map(|name| Preset::by_name(&name).ok_or("no such preset"))
}

fn page_axis() -> impl TypedValueParser<Value = PageAxis> {
    let values = PAGE_AXES.iter().map(|row| PossibleValue::new(row.name).help(row.help));
    PossibleValuesParser::new(values).try_map(|name| PageAxis::by_name(&name).ok_or("no such direction"))
}

/// Prints the values.
///
/// # Errors
/// Errors of the samples, of the image, of the output file, and of standard output.
pub(super) fn run(options: &Lab1dOptions) -> anyhow::Result<()> {
    if let Some(output) = &options.output {
        return options.draw(output);
    }
    stdout::check()?;
    let (signal, points) = (options.signal()?, options.points());
    let table = ValueTable::new(signal, &options.filters(), points);
    match (options.json, options.csv) {
        (true, _) => stdout::print(&table.to_json()?),
        (false, true) => {
            let csv = table.to_csv()?;
            stdout::write(|out| out.write_all(&csv))
        }
        (false, false) => stdout::print(&table.to_text()),
    }
}

impl Lab1dOptions {
    /// Draws the curves, or prints their points for `-`.
    fn draw(&self, output: &Path) -> anyhow::Result<()> {
        let size = plot::drawing_size(self.size)?;
        let output = ChartOutput::of(output);
        output.check()?;
        let (signal, filters) = (self.signal()?, self.filters());
        let preset = (self.samples.is_none() && self.image.is_none()).then_some(self.preset);
        let curves = ValueCurves {
            signal: &signal,
            filters: &filters,
            points: self.points(),
            has_slopes: self.slopes,
            has_lagrange: self.lagrange,
            preset,
        };
        output.write(&curves.chart(signal.drawn_range()), size)
    }

    /// The points.
    fn points(&self) -> &[f64] {
        self.points.as_ref().map_or(&Preset::POINTS[..], |Numbers(points)| points)
    }

    /// The samples.
    fn signal(&self) -> anyhow::Result<Signal> {
        let count = self.count.map(usize::from);
        let samples = match (&self.samples, &self.image) {
            (Some(Numbers(samples)), _) => samples.clone(),
            (None, Some(file)) => {
                let image = input::read(file)?.image;
                let page = page_at(&image, self.page)?;
                PageLine::through(page, self.along, self.through, count.unwrap_or(Signal::MAX_SAMPLES)).samples
            }
            (None, None) => self.preset.samples(count.unwrap_or(self.preset.row().count)),
        };
        Ok(Signal::new(samples, self.address, self.border)?)
    }

    /// The filters, method by method.
    fn filters(&self) -> Vec<Reconstruction> {
        let of_method = |&method: &Method| {
            let has_prefilter = method.kernel().prefilter.is_some();
            let switches = if has_prefilter { self.prefilter.row().switches } else { &[false] };
            switches.iter().map(move |&prefilter| Reconstruction::of(method, prefilter))
        };
        self.methods.0.iter().flat_map(of_method).collect()
    }
}
