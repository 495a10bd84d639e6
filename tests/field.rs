//! The interpolated field against oracles: `tests/golden/field.txt`, made by SciPy (`make_field.py`), and values by hand.

use lerpscope::backend::RenderRequest;
use lerpscope::filter::{Chain, ExecOptions, Filters};
use lerpscope::image::{Channels, Image, Page, Raster, Samples, Size};
use lerpscope::lab::field::{Overshoot, SampleDifference, SampleReport};
use lerpscope::sampling::{AddressMode, Method, Sampler};
use lerpscope::view::View;

const GOLDEN: &str = include_str!("golden/field.txt");

fn size(width: u32, height: u32) -> Size {
    Size::new(width, height).expect("a size")
}

fn image(size: Size, channels: Channels, samples: Samples) -> Image {
    Image::of_page("test", Page::new(Raster::new(size, channels, samples).expect("a raster")))
}

/// The numbers of `make_field.py`.
fn pattern(width: u32, height: u32) -> Image {
    let number = |x: u32, y: u32| ((x * 73 + y * 151 + x * y * 37 + 11) % 256) as u8;
    let values = (0..height).flat_map(|y| (0..width).map(move |x| number(x, y))).collect();
    image(size(width, height), Channels::Grey, Samples::U8 { values, maxval: 255 })
}

/// The comparison of every sample.
fn compared(image: &Image, sampler: Sampler) -> (SampleReport, Vec<SampleDifference>) {
    let mut all = Vec::new();
    let mut visit = |sample: SampleDifference| all.push(sample);
    let report = SampleReport::new(image, (0, &Chain::default()), sampler, &ExecOptions::default(), &mut visit);
    (report.expect("a report"), all)
}

#[test]
fn spline_with_its_prefilter_keeps_samples_and_without_smooths_them_as_scipy_does() {
    let (mut cases, mut lines) = (0, GOLDEN.lines().filter(|line| !line.starts_with('#')));
    while let Some(line) = lines.next() {
        let words: Vec<&str> = line.split(' ').collect();
        let ["samples", method, address, prefilter, width, height] = words[..] else { continue };
        let values: Vec<f64> =
            lines.next().expect("values").split(' ').map(|value| value.parse().expect("a number")).collect();
        let sampler = Sampler {
            address: [AddressMode::by_name(address).expect("an address mode"); 2],
            prefilter: prefilter == "on",
            ..Sampler::default().with_method(method.parse().expect("a method"))
        };
        let image = pattern(width.parse().expect("a width"), height.parse().expect("a height"));
        let (report, all) = compared(&image, sampler);
        assert_eq!((all.len(), report.count), (values.len(), values.len() as u64), "{line}");
        let mut kept = 0;
        for (found, value) in all.iter().zip(&values) {
            assert!((f64::from(found.value) - value).abs() < 2e-6, "{line}: {found:?}, {value}");
            kept += u64::from((value - f64::from(found.sample)).abs() <= 1e-5);
        }
        assert_eq!(report.kept, kept, "{line}");
        assert_eq!(report.kept == report.count, prefilter == "on", "{line}");
        cases += 1;
    }
    assert_eq!(cases, 4 * 4 * 2 * 2);
}

#[test]
fn impulse_through_the_cubic_spline_has_the_error_of_its_weights_in_each_channel() {
    for channels in [Channels::Grey, Channels::Rgb] {
        let count = channels.count();
        let mut values = vec![0.0_f32; 81 * count];
        // The last channel alone has the impulse.
        values[(4 * 9 + 4) * count + count - 1] = 1.0;
        let (report, all) = compared(
            &image(size(9, 9), channels, Samples::F32(values)),
            Sampler::default().with_method(Method::BSPLINE),
        );
        // f = 4/9 at the impulse, 1/9 beside it, 1/36 at the corners.
        assert_eq!((report.count, report.kept), (81, 72), "{channels:?}");
        assert_eq!((report.largest.at, report.largest.channel), ([4, 4], count - 1));
        assert!((report.largest.magnitude() - 5.0 / 9.0).abs() < 1e-6, "{:?}", report.largest);
        let error = |x: usize, y: usize| all[y * 9 + x].error();
        assert!((error(3, 4) - 1.0 / 9.0).abs() < 1e-6 && (error(5, 5) - 1.0 / 36.0).abs() < 1e-6);
    }
}

#[test]
fn curve_of_errors_begins_with_the_share_of_samples_that_are_not_kept() {
    let mut values = vec![0.0_f32; 81];
    values[40] = 1.0;
    let image = image(size(9, 9), Channels::Grey, Samples::F32(values));
    let reports =
        [Method::BSPLINE, Method::CATMULL_ROM].map(|method| compared(&image, Sampler::default().with_method(method)).0);
    let chart = SampleReport::chart(&reports);
    let [spline, keeping] = &chart.series[..] else { panic!("{chart:?}") };
    assert_eq!((spline.points[0], keeping.points[..] == [[0.0, 0.0]]), ([0.0, 9.0 / 81.0], true));
    let at = |error: f64| spline.points.iter().find(|point| point[0] >= error).expect("a point")[1];
    // Above 1/36 there are 5 samples, above 1/9 the impulse alone, above 5/9 none.
    assert_eq!([at(0.03), at(0.12), at(0.5556)], [5.0 / 81.0, 1.0 / 81.0, 0.0]);
    assert_eq!(SampleReport::conclusion(&reports), "All samples are kept by catmull-rom.");
}

/// A step from 0 to 1 between columns 7 and 8 of 16, in the last channel alone; the others are 0.5.
fn step(channels: Channels) -> Image {
    let count = channels.count();
    let value = |place: usize| {
        let edge = f32::from(u8::from(place / count % 16 >= 8));
        if place % count + 1 == count { edge } else { 0.5 }
    };
    image(size(16, 4), channels, Samples::F32((0..16 * 4 * count).map(value).collect()))
}

/// The overshoot across the step, 60 pixels to a sample.
fn overshoot(channels: Channels, sampler: Sampler) -> Overshoot {
    let view = View::new([0.0, -2.0 + 0.5 / 60.0], 1.0 / 60.0).expect("a view");
    let request = RenderRequest { view, sampler, ..RenderRequest::new(size(600, 1)) };
    Overshoot::of(&step(channels), &request, &ExecOptions::default()).expect("a measurement")
}

/// Catmull-Rom leaves 0 … 1 by 2/27 at a third of a sample from the edge's samples, on one side between 6 and 7, on the other
/// between 8 and 9; Keys' −¾ by 1/9.
#[test]
fn step_overshoots_by_the_values_of_the_weights_and_half_an_antiringing_leaves_half() {
    for channels in [Channels::Grey, Channels::Rgb] {
        for (text, beyond) in [("catmull-rom", 2.0 / 27.0), ("keys=-0.75", 1.0 / 9.0)] {
            let sampler = Sampler::default().with_method(text.parse().expect("a method"));
            let found = overshoot(channels, sampler);
            let [over, under] = &found.sides;
            assert!((over.largest - beyond).abs() < 1e-6 && (under.largest - beyond).abs() < 1e-6, "{text}: {found:?}");
            // x(i) = 8 + (i − 300)/60: 8⅓ is pixel 320, 6⅔ is pixel 220.
            assert_eq!((over.at, under.at), ([320, 0], [220, 0]), "{text}");
            // The 59 pixels between two samples each; those at the ends are within the tolerance or on a sample.
            assert!((55..=59).contains(&over.pixels) && over.pixels == under.pixels, "{text}: {found:?}");
            let half = overshoot(channels, Sampler { antiringing: 0.5, ..sampler });
            assert!((half.sides[0].largest - 0.5 * beyond).abs() < 1e-6, "{text}: {half:?}");
            let none = overshoot(channels, Sampler { antiringing: 1.0, ..sampler });
            assert_eq!(none.sides.each_ref().map(|side| side.pixels), [0, 0], "{text}");
        }
        for text in ["nearest", "linear", "hermite", "bspline", "gaussian=1"] {
            let found = overshoot(channels, Sampler::default().with_method(text.parse().expect("a method")));
            assert_eq!(found.sides.each_ref().map(|side| side.pixels), [0, 0], "{text}");
        }
    }
}

#[test]
fn filters_of_pixels_do_not_count_as_overshoot_and_those_of_samples_do() {
    let view = View::new([0.0, -2.0 + 0.5 / 60.0], 1.0 / 60.0).expect("a view");
    let plain = RenderRequest { view, ..RenderRequest::new(size(600, 1)) };
    let largest = |filters: Filters| {
        let request = RenderRequest { filters, ..plain.clone() };
        let request = RenderRequest { sampler: request.sampler.with_method(Method::CATMULL_ROM), ..request };
        let found = Overshoot::of(&step(Channels::Grey), &request, &ExecOptions::default());
        found.expect("a measurement").sides[0].largest
    };
    let chain = |text: &str| text.parse::<Chain>().expect("a chain");
    let none = largest(Filters::default());
    assert_eq!(largest(Filters { after: chain("gaussian=4"), ..Filters::default() }), none);
    assert!(largest(Filters { before: chain("gaussian=1"), ..Filters::default() }) < 0.5 * none);
}
