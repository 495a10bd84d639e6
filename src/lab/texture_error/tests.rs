//! Numbers of the views, by hand and against definitions.

use std::sync::Arc;

use super::*;
use crate::backend::CpuBackend;
use crate::filter::ExecOptions;
use crate::image::{Channels, Depth, Formula, Page, Raster, Samples, Synth};
use crate::sampling::{METHODS, Method, Sampler, SamplingPath, TEXTURE_FORMATS, TextureFormat};
use crate::test_support::size;

fn texel(method: Method, prefilter: bool) -> Texel {
    let sampler = Sampler { method, prefilter, ..Sampler::default() };
    Texel::measure(TexelRequest::of(&sampler), &mut CpuBackend::new()).expect("a row of samples")
}

#[test]
fn linear_staircase_has_257_values_a_256th_apart_with_jumps_at_odd_512ths() {
    let texel = texel(Method::Linear, false);
    let [curve] = &texel.curves[..] else { panic!("{:?}", texel.curves) };
    assert_eq!((curve.path, curve.points.len()), (SamplingPath::Filtered, 4096));
    let levels = curve.levels();
    assert_eq!(levels, (0..=256).map(|k| f64::from(k) / 256.0).collect::<Vec<_>>());
    for [x, value] in &curve.points {
        // By hand: place (i + ½)/4096, of which 16 make a step; the first step is half as wide.
        let by_hand = ((x * 512.0 + 1.0) / 2.0).floor() / 256.0;
        assert_eq!(*value, by_hand, "at {x}");
    }
    for ([x, value], place) in texel.exact.iter().zip(0..) {
        assert_eq!(*x, (f64::from(place) + 0.5) / 4096.0);
        assert!((value - x).abs() < 1e-12, "the exact value is the fraction itself");
    }
    // Half a step at a jump. A sawtooth's RMS is its height over √12.
    let [rms, max] = texel.rms_and_max(curve);
    assert!((max - 1.0 / 512.0).abs() < 1e-12, "{max}");
    assert!((rms - 1.0 / 256.0 / 12.0_f64.sqrt()).abs() < 1e-5, "{rms}");
}

#[test]
fn error_at_gain_is_the_sawtooth_times_the_gain() {
    let texel = texel(Method::Linear, false);
    let points = |gain| {
        let gain = ErrorGain::new(gain).expect("a gain");
        texel.error(gain, ShownSteps::default()).series[0].points.clone()
    };
    for (place, ([x, one], [_, many])) in points(1).into_iter().zip(points(512)).enumerate() {
        // At a jump from the left, then from the right: half a step below and above.
        let is_jump = x > 0.001 && x < 0.999;
        let by_hand = match place % 2 {
            _ if !is_jump => (x * 256.0).round() / 256.0 - x,
            1 => -1.0 / 512.0,
            _ => 1.0 / 512.0,
        };
        assert!(!is_jump || (x * 512.0 - 1.0) % 2.0 == 0.0, "{x} is no odd 512th");
        assert!((one - by_hand).abs() < 1e-12 && many == 512.0 * one, "{x}: {one} {many}");
    }
    assert_eq!(
        [0, 1, 4096, 4097].map(|gain| ErrorGain::new(gain).map(ErrorGain::get)),
        [None, Some(1), Some(4096), None]
    );
}

#[test]
fn paths_of_a_texel_are_those_of_the_texture_unit() {
    for row in &METHODS {
        let texel = texel(row.method, false);
        let served = row.method.kernel().paths.iter().filter(|path| !path.is_exact()).count();
        let expected = if served == 0 { Method::Linear } else { row.method };
        assert_eq!((texel.request.method(), texel.curves.len()), (expected, served.max(1)), "{}", row.name);
        assert_eq!(texel.origin, Origin::Emulation);
        let [_, max] = texel.rms_and_max(&texel.curves[0]);
        assert!(max < 3.0 / 512.0, "{}: {max}", row.name);
        assert_eq!(max < 1e-7, row.method == Method::Nearest, "{}: {max}", row.name);
    }
    let smooth = TexelRequest::of(&Sampler { prefilter: true, ..Sampler::default().with_method(Method::BSPLINE) });
    assert_eq!(smooth.label(), "bspline, prefilter");
    assert_eq!(TexelRequest::of(&Sampler { prefilter: true, ..Sampler::default() }).label(), "linear");
}

#[test]
fn bspline_between_alternating_texels_has_the_errors_of_its_two_fetches() {
    let texel = texel(Method::BSPLINE, false);
    for curve in &texel.curves {
        for ([x, error], place) in texel.errors(curve).into_iter().zip(0..) {
            // Document 002, equation 5: samples 1, 0, 1, 0 from m − 1 on.
            let a = (f64::from(place) + 0.5) / 4096.0;
            let w = [(1.0 - a).powi(3) / 6.0, 2.0 / 3.0 - a * a * (2.0 - a) / 2.0, 0.0, a.powi(3) / 6.0];
            let (g0, h0) = (w[0] + w[1], w[1] / (w[0] + w[1]));
            let (g1, h1) = (1.0 - g0, w[3] / (1.0 - g0));
            let rounded = |h: f64| (256.0 * h).round() / 256.0;
            let by_hand = g0 * (h0 - rounded(h0)) + g1 * (h1 - rounded(h1));
            let bound = match curve.path {
                // Where a fraction is on a step it may be rounded to either side.
                SamplingPath::Filtered => 1e-6,
                _ => 1.0 / 256.0,
            };
            let is_step = [h0, h1].iter().any(|h| ((256.0 * h).fract() - 0.5).abs() < 1e-6);
            assert!(is_step || (error - by_hand).abs() < bound, "{} at {x}: {error} {by_hand}", curve.path);
        }
    }
    let [filtered, table] = [0, 1].map(|place| texel.rms_and_max(&texel.curves[place]));
    assert_eq!([0, 1].map(|place| texel.curves[place].path), [SamplingPath::Filtered, SamplingPath::FilteredTable]);
    assert!(table[0] > 0.9 * filtered[0] && table[0] < 1.2 * filtered[0], "{table:?} {filtered:?}");
}

#[test]
fn formats_between_the_documents_texels_show_what_each_texture_holds() {
    let formats = Formats::measure(TexelPair::Document, &mut CpuBackend::new()).expect("three rows");
    let [eight, sixteen, float] = &formats.curves[..] else { panic!("{formats:?}") };
    assert_eq!((eight.upper, eight.levels()), (0.0, vec![0.0]), "1/65535 is less than half of 1/255");
    assert_eq!(eight.is_rounded(), None);
    assert_eq!(eight.sentence(), "8-bit: 0 twice, since 1/65535 is below its last bit");
    // As an H200 returns them: two values of 16 bits, the jump in the middle, and all steps of floats.
    assert_eq!((sixteen.levels(), sixteen.is_rounded()), (vec![0.0, f64::from(1.0_f32 / 65535.0)], Some(true)));
    let jump = sixteen.points.iter().position(|[_, value]| *value > 0.0);
    assert_eq!(jump, Some(4096 * 4080 / 8192), "from α = 128/256 on");
    assert_eq!((float.levels().len(), float.is_rounded()), (257, Some(false)));
    assert_eq!(sixteen.sentence(), "16-bit: 2 values, rounded to 1/65535");
    assert_eq!(float.sentence(), "float: 257 values, not rounded");
    for curve in [sixteen, float] {
        assert_eq!(curve.upper, 1.0 / 65535.0);
        assert!(curve.distance_from_emulation() < 1e-6, "{}", curve.distance_from_emulation());
    }
    let chart = formats.chart(ShownSteps::new(256).expect("all steps"));
    assert_eq!(chart.series.iter().map(|series| series.source).collect::<Vec<_>>(), ["emulated"; 3]);
    let last = chart.series[1].points.last().expect("a point");
    assert!((last[1] - 1.0).abs() < 1e-6, "values are in units of 1/65535: {last:?}");
}

/// The rows of the formats say what the CPU backend renders.
#[test]
fn emulation_of_every_format_is_rounded_as_its_row_says() {
    for pair in TEXEL_PAIRS.iter().map(|row| row.pair) {
        let formats = Formats::measure(pair, &mut CpuBackend::new()).expect("three rows");
        for curve in &formats.curves {
            let row = curve.format.row();
            assert!(curve.distance_from_emulation() < 1e-6, "{} {pair}: {}", row.name, curve.distance_from_emulation());
            if curve.upper > 0.0 {
                assert_eq!(curve.is_rounded(), Some(row.is_rounded), "{} {pair}", row.name);
            }
        }
    }
}

#[test]
fn rounding_of_fetches_is_recognized() {
    let steps =
        |count: f64| (0..=512).map(move |k| [f64::from(k) / 512.0, (f64::from(k) / 512.0 * count).round() / count]);
    let curve = |format, points: Vec<[f64; 2]>| FormatCurve { format, asked: 1.0, upper: 1.0, points };
    let rounded = curve(TextureFormat::Eight, steps(65535.0).collect());
    assert_eq!(rounded.is_rounded(), Some(true));
    assert_eq!(rounded.sentence(), "8-bit: 513 values, rounded to 1/65535");
    assert_eq!(curve(TextureFormat::Eight, steps(256.0).collect()).is_rounded(), Some(false));
    let equal = FormatCurve { upper: 0.0, ..rounded };
    assert_eq!(equal.is_rounded(), None);
}

#[test]
fn texels_are_rounded_to_the_formats_last_bit() {
    let texels = |value| TEXTURE_FORMATS.each_ref().map(|row| row.format.texel(value));
    assert_eq!(texels(1.0 / 65535.0), [0.0, 1.0 / 65535.0, 1.0 / 65535.0]);
    assert_eq!(texels(0.5), [128.0 / 255.0, 32768.0 / 65535.0, 0.5]);
    assert_eq!(texels(1.5), [1.0, 1.0, 1.5]);
}

fn picture(name: &str, page: Page) -> Picture {
    Picture { name: name.to_owned(), page: Arc::new(page) }
}

fn table(pictures: &[Picture]) -> TableOne {
    TableOne::measure(pictures, &mut CpuBackend::new(), &ExecOptions::default()).expect("a table")
}

/// The values of `page` at `contrast`, about ½.
fn at_contrast(page: &Page, contrast: f32) -> Page {
    let raster = page.raster();
    let maxval = f32::from(raster.samples().maxval());
    let values = (0..raster.samples().len()).map(|k| 0.5 + contrast * (raster.samples().number(k) / maxval - 0.5));
    Page::new(Raster::new(raster.size(), raster.channels(), Samples::F32(values.collect())).expect("a raster"))
}

#[test]
fn rms_of_table_one_goes_with_the_contrast_of_the_picture() {
    let page = Formula::new(Synth::Noise, size(256, 256)).expect("a formula").page();
    let table = table(&[picture("whole", at_contrast(&page, 1.0)), picture("eighth", at_contrast(&page, 0.125))]);
    assert_eq!(table.rows.len(), 4);
    for (place, (path, _)) in DOCUMENT_TABLE.into_iter().enumerate() {
        let [whole, eighth] = [&table.rows[place], &table.rows[place + 2]];
        assert_eq!(whole.path, path);
        assert!((whole.contrast / eighth.contrast - 8.0).abs() < 1e-3, "{} {}", whole.contrast, eighth.contrast);
        // Single precision adds some 1e-8.
        assert!((whole.rms / eighth.rms - 8.0).abs() < 0.01, "{} {}", whole.rms, eighth.rms);
        assert!(whole.max > whole.rms && whole.rms > 1e-5, "{whole:?}");
    }
    let ratio = table.rows[0].rms / table.rows[1].rms;
    assert!((0.98..1.1).contains(&ratio), "the table is no better than the weights on the fly: {ratio}");
}

#[test]
fn contrast_is_the_rms_of_neighbouring_differences() {
    // A checkerboard of 0 and 1: every neighbour differs by 1. Ramps of 1/100 and 2/100: √((1 + 4)/2)/100.
    let of = |value: fn(usize, usize) -> f32| {
        let values = (0..40 * 40).map(|k| value(k % 40, k / 40)).collect();
        let raster = Raster::new(size(40, 40), Channels::Grey, Samples::F32(values)).expect("a raster");
        table(&[picture("made", Page::new(raster))]).rows[0].contrast
    };
    assert!((of(|x, y| ((x + y) % 2) as f32) - 1.0).abs() < 1e-12);
    assert!((of(|x, y| x as f32 / 100.0 + y as f32 / 50.0) - 2.5e-4_f64.sqrt()).abs() < 1e-5);
}

#[test]
fn table_one_has_rows_for_colour_alpha_and_single_samples() {
    for channels in [Channels::Rgb, Channels::Rgba, Channels::GreyAlpha] {
        let mut raster = Raster::zeros(size(24, 18), channels, Depth::EIGHT);
        if let Samples::U8 { values, .. } = raster.samples_mut() {
            values.iter_mut().enumerate().for_each(|(k, value)| *value = (k * 37 % 256) as u8);
        }
        let table = table(&[picture("colour", Page::new(raster))]);
        assert!(table.rows.iter().all(|row| row.rms > 1e-5 && row.rms < row.max && row.max < 0.02), "{table:?}");
    }
    let one = table(&[picture("one", Page::new(Raster::zeros(size(1, 1), Channels::Grey, Depth::EIGHT)))]);
    assert!(one.rows.iter().all(|row| row.rms < 1e-7 && row.contrast == 0.0 && row.rms_by_contrast().is_none()));
    assert!(one.chart().y_range[1] > 9.0);
}

#[test]
fn photograph_and_noise_are_beside_the_documents_numbers() {
    let basilica = crate::image::open_source(crate::image::BUILT_IN.as_ref()).expect("the built-in image").image;
    let photograph = Picture { name: "basilica".to_owned(), page: Arc::clone(&basilica.pages()[0]) };
    let table = table(&[photograph, Picture::noise().expect("a formula")]);
    let text = table.to_table();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2 + 4 + 2, "{text}");
    assert!(lines[6].contains("9.390e-5") && lines[7].contains("8.580e-5"), "{text}");
    let csv = String::from_utf8(table.to_csv().expect("CSV")).expect("text");
    assert_eq!(csv.lines().next(), Some("picture,path,source,rms,max,contrast"));
    assert_eq!(csv.lines().last(), Some("document 002,filtered,document,0.0000858,,"));
    let chart = table.chart();
    assert!(chart.series.iter().all(|series| series.points.is_sorted_by(|a, b| a[0] <= b[0])));
    assert_eq!(chart.sources_of_dots(), ["emulated"]);
}

#[test]
fn staircase_has_vertical_jumps_and_shows_the_asked_steps() {
    let texel = texel(Method::Linear, false);
    let steps = |count| ShownSteps::new(count).expect("a choice");
    let chart = texel.staircase(steps(256));
    assert_eq!((chart.x_range, chart.entries.len()), ([0.0, 1.0], 2));
    assert!(chart.y_range[0] < 0.0 && chart.y_range[1] > 1.0);
    let [exact, filtered] = &chart.series[..] else { panic!("{:?}", chart.series) };
    // Two ends of each of 257 steps.
    assert_eq!((exact.points.len(), filtered.points.len()), (4096, 514));
    for pair in filtered.points[1..513].chunks(2) {
        assert!(pair[0][0] == pair[1][0] && pair[1][1] - pair[0][1] == 1.0 / 256.0, "{pair:?}");
    }
    assert_eq!(chart.conclusion.as_deref(), Some("filtered: 257 values, at most 1.95·10⁻³ from exact, RMS 1.13·10⁻³"));
    let part = texel.staircase(steps(16));
    assert_eq!(part.x_range, [0.5 - 1.0 / 32.0, 0.5 + 1.0 / 32.0]);
    let height = part.y_range[1] - part.y_range[0];
    assert!((16.0 / 256.0..20.0 / 256.0).contains(&height), "16 steps and a margin: {height}");
    assert_eq!([0, 7, 12, 512].map(ShownSteps::new), [None; 4]);
}

#[test]
fn curves_without_steps_keep_every_point() {
    let smooth: Vec<[f64; 2]> = (0..50).map(|k| [f64::from(k), f64::from(k * k)]).collect();
    assert_eq!(row::corners(&smooth), smooth);
    let step = [[0.0, 1.0], [1.0, 1.0], [2.0, 1.0], [3.0, 4.0], [4.0, 4.0], [5.0, 6.0]];
    assert_eq!(row::corners(&step), [[0.0, 1.0], [2.5, 1.0], [2.5, 4.0], [4.0, 4.0], [5.0, 6.0]]);
}
