//! The colour maps against published tables (golden/make_colour_maps.py): order, ends, steps.

use lerpscope::backend::{COLOUR_MAPS, COLOUR_STEPS, ColourMap, Display, PixelFormat, RenderRequest};
use lerpscope::image::{Channels, Depth, Samples};

use super::{image, numbers, rendered, size};

const PUBLISHED: &str = include_str!("../golden/colour_maps.txt");

/// Largest difference of a map from its published table in red, green or blue, measured at the compared steps and
/// rounded up. The crate's maps are smooth curves near the tables: splines that approximate the colours between the
/// ends (viridis, inferno, blue-red) and polynomials that deviate most at the dark end (cividis, turbo). A reversed or
/// different map is off by 0.3 and more.
fn tolerance(map: ColourMap) -> f32 {
    match map {
        ColourMap::Grey => 0.0,
        ColourMap::Viridis => 0.065,
        ColourMap::Inferno => 0.05,
        ColourMap::Cividis => 0.055,
        ColourMap::Turbo => 0.13,
        ColourMap::BlueRed => 0.02,
        ColourMap::BlueWhiteOrange
        | ColourMap::BlueBlackOrange
        | ColourMap::OrangeWhiteBlue
        | ColourMap::OrangeBlackBlue
        | ColourMap::WhiteRed => {
            unreachable!("maps of this program have no published table")
        }
    }
}

fn published() -> impl Iterator<Item = (ColourMap, f32, [f32; 3])> {
    PUBLISHED.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut words = line.split(' ');
        let map = ColourMap::by_name(words.next().expect("a name")).expect("a colour map");
        let mut number = || words.next().and_then(|word| word.parse::<f32>().ok()).expect("a number");
        (map, number() / 255.0, [number(), number(), number()])
    })
}

#[test]
fn colour_maps_agree_with_published_tables() {
    let mut compared = 0;
    for (map, value, expected) in published() {
        let found = map.colour(value);
        for channel in 0..3 {
            let off = (found[channel] - expected[channel]).abs();
            assert!(off <= tolerance(map), "{} at {value}: {found:?}, published {expected:?}", map.row().name);
        }
        compared += 1;
    }
    assert_eq!(compared, 18 * (COLOUR_MAPS.len() - 6), "every map but grey and those of this program");
}

/// Values of opposite sign have the same luminance, which moves away from that of 0, and the sign is the hue.
#[test]
fn maps_between_blue_and_orange_are_equally_light_at_opposite_values() {
    let linear = |value: f32| if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) };
    for (map, middle, towards) in [(ColourMap::BlueBlackOrange, 0.003, 1.0), (ColourMap::BlueWhiteOrange, 0.956, -1.0)]
    {
        let luminance = |at: f32| {
            let [red, green, blue] = map.colour(at).map(linear);
            0.2126 * red + 0.7152 * green + 0.0722 * blue
        };
        let mut last = luminance(0.5);
        assert!((last - middle).abs() < 0.002, "{last}");
        for step in 1..=50 {
            let [low, high] = [0.5 - step as f32 / 100.0, 0.5 + step as f32 / 100.0].map(luminance);
            assert!((low - high).abs() < 0.03, "{step}: {low}, {high}");
            assert!(towards * (low - last) > 0.0, "{step}: {low} after {last}");
            last = low;
        }
        for at in [0.0, 0.25] {
            let ([red, _, blue], [other_red, _, other_blue]) = (map.colour(at), map.colour(1.0 - at));
            assert!(blue - red > 0.4 && other_red - other_blue > 0.4, "{} at {at}", map.row().name);
        }
    }
}

#[test]
fn maps_from_orange_to_blue_have_the_colours_of_opposite_values() {
    for (map, opposite) in [
        (ColourMap::OrangeWhiteBlue, ColourMap::BlueWhiteOrange),
        (ColourMap::OrangeBlackBlue, ColourMap::BlueBlackOrange),
    ] {
        for step in 0..COLOUR_STEPS {
            assert_eq!(map.table()[step], opposite.table()[COLOUR_STEPS - 1 - step], "{step}");
        }
    }
}

#[test]
fn white_red_is_the_upper_half_of_blue_red() {
    for step in 0..=20 {
        let value = step as f32 / 20.0;
        let (found, expected) = (ColourMap::WhiteRed.colour(value), ColourMap::BlueRed.colour(0.5 + value / 2.0));
        for channel in 0..3 {
            assert!((found[channel] - expected[channel]).abs() < 2e-3, "{value}: {found:?}, {expected:?}");
        }
    }
}

/// Table steps are equidistant: value k/1023 is step k, and so are the values that round to it.
#[test]
fn colour_of_a_value_is_the_nearest_table_step() {
    assert_eq!(COLOUR_STEPS, 1024);
    for row in &COLOUR_MAPS {
        let table = row.colour_map.table();
        assert_eq!(table.len(), COLOUR_STEPS);
        for (step, colour) in table.iter().enumerate() {
            for off in [-0.4, 0.0, 0.4] {
                assert_eq!(row.colour_map.colour((step as f32 + off) / 1023.0), *colour, "{} {step}", row.name);
            }
        }
        for (value, end) in
            [(-7.0, table[0]), (f32::NEG_INFINITY, table[0]), (8.0, table[1023]), (f32::INFINITY, table[1023])]
        {
            assert_eq!(row.colour_map.colour(value), end, "{} at {value}", row.name);
        }
    }
}

#[test]
fn grey_map_is_the_identity_and_sequential_maps_rise_in_lightness() {
    for step in 0..=1023_u16 {
        let value = f32::from(step) / 1023.0;
        assert_eq!(ColourMap::Grey.colour(value), [value; 3]);
    }
    // Luminance of Rec. 709.
    let light = |[r, g, b]: [f32; 3]| 0.2126 * r + 0.7152 * g + 0.0722 * b;
    for map in [ColourMap::Viridis, ColourMap::Inferno, ColourMap::Cividis] {
        let lights: Vec<f32> = (0..=32).map(|step| light(map.colour(step as f32 / 32.0))).collect();
        assert!(lights.is_sorted_by(|a, b| a < b), "{}: {lights:?}", map.row().name);
    }
}

/// Diverging map: negative differences are blue, positive ones red, 0 is nearly white.
#[test]
fn diverging_map_of_negative_values_is_blue_and_of_positive_ones_red() {
    let values = vec![-0.9_f32, 0.0, 0.9];
    let image = image(size(3, 1), Channels::Grey, Samples::F32(values));
    let display = Display { colour_map: ColourMap::BlueRed, window: [-1.0, 1.0], ..Display::default() };
    let request = RenderRequest { display, ..RenderRequest::new(size(3, 1)) };
    let out = numbers(&rendered(&image, &request, PixelFormat::file(Depth::Float)));
    let [blue, white, red] = [0, 3, 6].map(|at| [out[at], out[at + 1], out[at + 2]]);
    assert!(blue[2] > blue[0] + 0.3, "{blue:?}");
    assert!(red[0] > red[2] + 0.3, "{red:?}");
    assert!(white.iter().all(|part| *part > 0.9), "{white:?}");
}
