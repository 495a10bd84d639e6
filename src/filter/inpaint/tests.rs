//! Tests of what must hold of inpainting with no oracle.

use super::*;
use crate::filter::{ExecOptions, Step};
use crate::sampling::AddressMode;

fn plane(size: [u32; 2], channels: Channels, value: impl Fn(u32, u32, usize) -> f32) -> Plane {
    let places = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| (x, y)));
    let values = places.flat_map(|(x, y)| (0..channels.count()).map(|c| value(x, y, c)).collect::<Vec<_>>()).collect();
    Plane { size, first: [0; 2], channels, values }
}

fn filled(text: &str, plane: &Plane, address: AddressMode) -> Vec<f32> {
    let edges = Edges { address: [address; 2], border: 0.25 };
    let mut out = Vec::new();
    text.parse::<Step>().expect(text).apply(plane, &edges, &ExecOptions::default(), &mut out);
    out
}

/// `plane` with NaN wherever the rectangle is, so that nothing of it can be read.
fn damaged(plane: &Plane, [left, top, columns, rows]: [u32; 4]) -> Plane {
    let count = plane.channels.count();
    let mut damaged = plane.clone();
    for (index, value) in damaged.values.iter_mut().enumerate() {
        let [x, y] = [index / count % plane.size[0] as usize, index / count / plane.size[0] as usize].map(|k| k as u32);
        if (left..left + columns).contains(&x) && (top..top + rows).contains(&y) {
            *value = f32::NAN;
        }
    }
    damaged
}

const KINDS: [&str; 2] = ["normalized-convolution", "membrane"];

#[test]
fn constant_is_given_back_to_the_bit_by_both_kinds_wherever_the_hole_is() {
    for channels in [Channels::Grey, Channels::Rgb, Channels::Rgba] {
        let plane = plane([40, 30], channels, |_, _, c| [0.3, 0.7, 0.123_456, 1.0][c]);
        for hole in [[5, 6, 20, 17], [0, 0, 9, 30], [39, 29, 1, 1], [0, 0, 40, 29]] {
            for kind in KINDS {
                for address in [AddressMode::Clamp, AddressMode::Wrap, AddressMode::Mirror] {
                    let [x, y, w, h] = hole;
                    let text = format!("inpaint=[{x},{y},{w},{h}],{kind}");
                    assert_eq!(filled(&text, &damaged(&plane, hole), address), plane.values, "{text} {address:?}");
                }
            }
        }
    }
}

#[test]
fn ramp_is_given_back_to_the_bit_by_the_membrane() {
    let ramp = plane([64, 48], Channels::Rgb, |x, y, c| (3 * x + 2 * y + 40 * c as u32) as f32 / 512.0);
    for hole in [[10, 9, 31, 24], [1, 1, 62, 46], [30, 30, 1, 1], [20, 3, 2, 40]] {
        let [x, y, w, h] = hole;
        let text = format!("inpaint=[{x},{y},{w},{h}],membrane");
        assert_eq!(filled(&text, &damaged(&ramp, hole), AddressMode::Clamp), ramp.values, "{text}");
    }
    // Normalized convolution is a local mean, which is flat in the middle of a hole in a ramp.
    let hole = [10, 9, 31, 24];
    let mean = filled("inpaint=[10,9,31,24]", &damaged(&ramp, hole), AddressMode::Clamp);
    assert_ne!(mean, ramp.values);
}

#[test]
fn filled_values_are_within_the_range_of_the_known_ones() {
    let noise = plane([50, 50], Channels::Grey, |x, y, _| ((x * 73 + y * 151 + x * y * 37) % 256) as f32 / 255.0);
    for kind in KINDS {
        for value in filled(&format!("inpaint=[3,3,44,40],{kind}"), &noise, AddressMode::Mirror) {
            assert!((0.0..=1.0).contains(&value), "{kind}: {value}");
        }
    }
}

#[test]
fn neighbours_beyond_an_edge_follow_the_address_modes() {
    let step = plane([8, 1], Channels::Grey, |x, _, _| if x < 4 { 0.0 } else { 1.0 });
    let at = |address| filled("inpaint=[0,0,1,1],membrane", &step, address)[0];
    // Neighbours along y are the sample itself, or the constant 0.25 under border.
    assert_eq!(at(AddressMode::Clamp), 0.0);
    assert_eq!(at(AddressMode::Mirror), 0.0);
    assert_eq!(at(AddressMode::Wrap), 0.5);
    assert_eq!(at(AddressMode::Border), 0.1875);
    // Both ends at once: under wrap the hole goes through the edge.
    let ends = plane([9, 1], Channels::Grey, |x, _, _| if x == 4 { 0.75 } else { f32::NAN });
    assert!(filled("inpaint=[0,0,9,1],membrane", &ends, AddressMode::Wrap).iter().all(|&value| value == 0.0));
    assert_eq!(
        filled("inpaint=[5,0,4,1],membrane", &plane([9, 1], Channels::Grey, |x, _, _| x as f32), AddressMode::Wrap)
            [5..],
        [3.2, 2.4, 1.6, 0.8].map(|v: f32| v)
    );
}

#[test]
fn alpha_fills_straight_colours_and_makes_them_opaque() {
    let channels = Channels::GreyAlpha;
    // A hole between a half-transparent 0.4 and an opaque 0.8.
    let plane = plane([3, 1], channels, |x, _, c| [[0.2, 0.5], [0.0, 0.0], [0.8, 1.0]][x as usize][c]);
    let membrane = filled("inpaint=alpha,membrane", &plane, AddressMode::Clamp);
    assert_eq!(membrane, [0.2, 0.5, 0.6, 1.0, 0.8, 1.0]);
    let premultiplied = filled("inpaint=[1,0,1,1],membrane", &plane, AddressMode::Clamp);
    assert_eq!(premultiplied, [0.2, 0.5, 0.5, 0.75, 0.8, 1.0]);
    let opaque = self::plane([3, 1], Channels::Grey, |x, _, _| x as f32);
    assert_eq!(filled("inpaint=alpha", &opaque, AddressMode::Clamp), opaque.values, "there is no alpha");
}

#[test]
fn holes_without_a_known_sample_become_zero_and_unknown_samples_stay() {
    let even = plane([6, 5], Channels::Grey, |_, _, _| 0.5);
    for kind in KINDS {
        let text = format!("inpaint=[0,0,6,5],{kind}");
        assert!(filled(&text, &even, AddressMode::Clamp).iter().all(|&value| value == 0.0), "{kind}");
        assert!(filled(&text, &even, AddressMode::Border).iter().all(|&value| value == 0.25), "{kind}: the constant");
    }
    // An infinite sample beside the hole bounds nothing and is not changed.
    let odd = plane([5, 1], Channels::Grey, |x, _, _| [f32::INFINITY, 9.0, 9.0, 0.25, 1.0][x as usize]);
    let membrane = filled("inpaint=[1,0,2,1],membrane", &odd, AddressMode::Clamp);
    assert_eq!(membrane, [f32::INFINITY, 0.25, 0.25, 0.25, 1.0]);
}

#[test]
fn tint_is_orange_in_colours_and_white_in_grey() {
    let colour = plane([3, 1], Channels::Rgb, |_, _, _| 0.5);
    let tinted = filled("inpaint=[1,0,1,1],membrane,tint=0.5", &colour, AddressMode::Clamp);
    assert_eq!(tinted, [0.5, 0.5, 0.5, 0.75, 0.5, 0.25, 0.5, 0.5, 0.5]);
    let grey = plane([3, 1], Channels::Grey, |_, _, _| 0.5);
    assert_eq!(filled("inpaint=[1,0,1,1],tint=1", &grey, AddressMode::Clamp), [0.5, 1.0, 0.5]);
}

#[test]
fn hole_wider_than_the_window_is_filled_by_a_doubled_sigma() {
    let ends = plane([41, 1], Channels::Grey, |x, _, _| if x < 20 { 0.0 } else { 1.0 });
    let out = filled("inpaint=[1,0,39,1],sigma=0.5", &ends, AddressMode::Clamp);
    assert_eq!((out[1], out[20], out[39]), (0.0, 0.5, 1.0));
    assert!(out.is_sorted(), "{out:?}");
}

#[test]
fn places_of_a_part_of_an_image_are_those_of_the_image() {
    let whole = plane([30, 30], Channels::Grey, |x, y, _| ((x * x + y) % 7) as f32);
    let part = Plane {
        first: [10, 12],
        ..plane([12, 10], Channels::Grey, |x, y, _| whole.values[((y + 12) * 30 + x + 10) as usize])
    };
    let text = "inpaint=[14,15,3,4],membrane";
    let [of_whole, of_part] = [&whole, &part].map(|plane| filled(text, plane, AddressMode::Clamp));
    for (y, x) in (0..10).flat_map(|y| (0..12).map(move |x| (y, x))) {
        assert_eq!(of_part[y * 12 + x], of_whole[(y + 12) * 30 + x + 10]);
    }
}
