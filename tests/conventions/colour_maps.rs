//! The colour maps against the published ones (golden/make_colour_maps.py): their order, their ends, the steps of the table.

use lerpscope::backend::{COLOUR_MAPS, COLOUR_STEPS, ColourMap, Display, PixelFormat, RenderRequest};
use lerpscope::image::{Channels, Depth, Samples};

use super::{image, numbers, rendered, size};

const PUBLISHED: &str = include_str!("../golden/colour_maps.txt");

/// How far a map may lie from the published one in each of red, green and blue, at the steps compared: measured, and rounded
/// up. The crate's maps are smooth curves near the published tables: splines that pass by the published colours between their
/// ends (viridis, inferno, blue-red), and polynomials that miss most at the dark end (cividis, turbo). A map that is reversed
/// or another one is off by 0.3 and more.
fn tolerance(map: ColourMap) -> f32 {
    match map {
        ColourMap::Grey => 0.0,
        ColourMap::Viridis => 0.065,
        ColourMap::Inferno => 0.05,
        ColourMap::Cividis => 0.055,
        ColourMap::Turbo => 0.13,
        ColourMap::BlueRed => 0.02,
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
    assert_eq!(compared, 18 * (COLOUR_MAPS.len() - 1), "every map but grey");
}

/// Steps of a table are as far apart as the values: value k/1023 is step k, and so is what rounds to it.
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

/// Diverging: negative differences blue, positive ones red, none at all nearly white.
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
