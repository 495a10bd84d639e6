//! Tests of the maps of warps and of their texts.

use super::*;
use crate::test_support::size;
use crate::view::View;

fn warp(text: &str) -> Warp {
    text.parse().expect(text)
}

fn map(text: &str) -> WarpedMap {
    let (output, image) = (size(100, 80), size(64, 48));
    let view = View::new([3.0, -2.0], 0.5).and_then(|view| view.rotated(20.0)).expect("a view");
    WarpedMap::new(view.image_from_output(output, image), &warp(text), image)
}

const TEXTS: [&str; 8] = [
    "none",
    "lens=0.6,0.8",
    "lens=-1,1.5",
    "swirl=200,0.9",
    "swirl=-30,4",
    "perspective=0.1,0.05,0.8,0.2,1,0.9,-0.1,1.1",
    "grid=[0,0,0.1,0.05,0,0;0.02,-0.1,0,0,0,0.2]",
    "grid",
];

#[test]
fn warp_written_as_text_is_parsed_back_equal() {
    for text in TEXTS {
        let parsed = warp(text);
        assert_eq!(warp(&parsed.to_string()), parsed);
        assert_eq!(warp(&parsed.to_string().replace(',', ":")), parsed);
    }
    assert_eq!(warp("lens=1/4").to_string(), "lens=0.25,1");
    assert_eq!(warp("swirl").to_string(), "swirl=90,1");
    assert_eq!(warp("grid=[0,0,0.5,-0;0,0,0,0]").to_string(), "grid=[0,0,0.5,0;0,0,0,0]");
    for row in &WARPS {
        assert_eq!(Warp::default_of(row.kind).kind(), row.kind);
        assert_eq!(warp(row.name), Warp::default_of(row.kind));
    }
}

#[test]
fn invalid_text_is_refused_with_what_is_allowed() {
    let wrong = |text: &str| text.parse::<Warp>().expect_err(text).to_string();
    assert_eq!(wrong("fish"), "there is no warp 'fish'; there are none, lens, swirl, perspective, grid");
    assert_eq!(wrong("lens=1"), "warp 'lens': strength must be between -1 and 0.9, not 1");
    assert_eq!(wrong("lens=NaN"), "warp 'lens': 'NaN' is not a number");
    assert_eq!(wrong("lens=0.1,1,2"), "warp 'lens' takes 1 to 2 numbers, not 3");
    assert_eq!(wrong("none=1"), "warp 'none' takes no numbers, not 1");
    assert_eq!(wrong("perspective=0,0,1,0,1,1,0"), "warp 'perspective' takes 8 numbers, not 7");
    let convex = "warp 'perspective': the four corners, clockwise from the upper left, must make a convex quadrilateral within ±10";
    for corners in ["0,0,0,1,1,1,1,0", "0,0,1,0,0.4,0.4,0,1", "0,0,11,0,11,1,0,1", "0,0,0,0,1,1,0,1"] {
        assert_eq!(wrong(&format!("perspective={corners}")), convex);
    }
    assert_eq!(wrong("grid=g.csv"), "warp 'grid': 'g.csv' is no lattice such as [0,0,0.1,0;0,0,0,0]");
    assert!(wrong("grid=[0,0,0;0,0,0]").starts_with("warp 'grid': row 1 of the lattice has 3 numbers;"));
    assert!(wrong("grid=[0,0;0,0]").starts_with("warp 'grid': a lattice has 2 to 16 columns and rows"));
    assert_eq!(wrong("grid=[0,0,3,0;0,0,0,0]"), "warp 'grid': a displacement must be between -2 and 2, not 3");
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("g.csv"), "0,0,0.1,0\r\n\r\n0,0,0,0\n").expect("written");
    assert_eq!(Warp::read("grid=g.csv", folder.path()), Ok(warp("grid=[0,0,0.1,0;0,0,0,0]")));
    let missing = Warp::read("grid=none.csv", folder.path()).expect_err("no file").to_string();
    assert!(missing.starts_with("warp 'grid': ") && missing.contains("none.csv: "), "{missing}");
}

#[test]
fn warps_without_effect_leave_every_place() {
    let plain = map("none");
    for text in ["lens=0", "swirl=0", "perspective", "grid", "grid=[0,0,0,0;0,0,0,0]"] {
        let warped = map(text);
        for (i, j) in (0..100).step_by(7).flat_map(|i| (0..80).step_by(7).map(move |j| (i, j))) {
            let at = [f64::from(i), f64::from(j)];
            let (a, b) = (plain.at(at), warped.at(at));
            assert!((a[0] - b[0]).abs() < 1e-12 && (a[1] - b[1]).abs() < 1e-12, "{text}: {a:?} {b:?}");
            let [x, y] = warped.local_scale(at);
            assert!((x - 0.5).abs() < 1e-12 && (y - 0.5).abs() < 1e-12, "{text}: {x} {y}");
        }
    }
}

#[test]
fn lens_enlarges_the_middle_and_swirl_turns_it() {
    let middle = [31.5, 23.5];
    let lens = map("lens=0.6,0.5");
    assert_eq!(lens.position(middle), middle);
    let [x, y] = lens.position([middle[0] + 0.01, middle[1]]);
    assert!((x - middle[0] - 0.004).abs() < 1e-8 && y == middle[1], "{x}");
    // From half of half the shorter side on nothing moves.
    assert_eq!(lens.position([middle[0] + 12.0, middle[1]]), [middle[0] + 12.0, middle[1]]);
    assert_eq!(lens.position([60.0, 2.0]), [60.0, 2.0]);
    let swirl = map("swirl=90,1");
    let [x, y] = swirl.position([middle[0] + 0.01, middle[1]]);
    assert!((x - middle[0]).abs() < 1e-6 && (y - middle[1] - 0.01).abs() < 1e-6, "{x} {y}");
    // As the view's angle: 90° reads the sample below the middle for the one right of it.
    let turned = View::default().rotated(90.0).expect("a view").image_from_output(size(64, 48), size(64, 48));
    let [from, to] = [turned.at([32.0, 24.0]), turned.at([33.0, 24.0])];
    assert_eq!([to[0] - from[0], to[1] - from[1]], [0.0, 1.0]);
}

#[test]
fn perspective_shows_the_corners_of_the_picture_at_its_own() {
    let quad = [[0.1, 0.05], [0.8, 0.2], [1.0, 0.9], [-0.1, 1.1]];
    let map = map("perspective=0.1,0.05,0.8,0.2,1,0.9,-0.1,1.1");
    let corners = [[-0.5, -0.5], [63.5, -0.5], [63.5, 47.5], [-0.5, 47.5]];
    for (place, corner) in quad.into_iter().zip(corners) {
        let [x, y] = map.position([place[0] * 64.0 - 0.5, place[1] * 48.0 - 0.5]);
        assert!((x - corner[0]).abs() < 1e-9 && (y - corner[1]).abs() < 1e-9, "{x} {y}");
    }
    // Beyond the horizon positions are far away, and numbers.
    for place in [[1e6, -1e6], [-1e9, 1e9], [1e9, 0.0]] {
        let [x, y] = map.position(place);
        assert!(x.abs() <= 1.7e7 && y.abs() <= 1.7e7, "{x} {y}");
    }
}

#[test]
fn equal_displacements_move_the_picture_and_handles_follow_the_hand() {
    let moved = map("grid=[0.25,0.5,0.25,0.5;0.25,0.5,0.25,0.5]");
    for place in [[0.0, 0.0], [31.0, 9.0], [-500.0, 900.0]] {
        let [x, y] = moved.position(place);
        assert!((x - place[0] + 16.0).abs() < 1e-9 && (y - place[1] + 24.0).abs() < 1e-9, "{x} {y}");
    }
    let grid = warp("grid");
    let pulled = grid.with_handle(5, [0.5, 0.4]).expect("a handle");
    let [x, y] = pulled.handles()[5];
    assert!((x - 0.5).abs() < 1e-7 && (y - 0.4).abs() < 1e-7);
    assert_eq!(pulled.handles()[6], grid.handles()[6]);
    assert_eq!(grid.with_handle(16, [0.0, 0.0]), None);
    // The spline has 4/9 of the displacement at the handle itself.
    let Warp::Grid(lattice) = &pulled else { panic!("a grid") };
    let [x, _] = lattice.shift_at([1.0, 1.0]);
    assert!((x - 4.0 / 9.0 * (0.5 - 1.0 / 3.0)).abs() < 1e-7, "{x}");
    assert_eq!(warp("perspective").with_handle(2, [0.1, 0.1]), None, "it would not be convex");
    assert_eq!(warp("lens").with_handle(0, [0.1, 0.1]), None);
    assert!(warp("lens").handles().is_empty());
}

#[test]
fn local_scale_is_that_of_a_small_square() {
    for text in TEXTS {
        let map = map(text);
        for at in [[50.0, 40.0], [13.0, 57.0], [80.5, 20.25]] {
            let [x, y] = map.local_scale(at);
            // Richardson's derivative from differences over a quarter and an eighth of a pixel.
            let slope = |axis: usize, along: usize| {
                let over = |h: f64| {
                    let (mut before, mut after) = (at, at);
                    before[along] -= h;
                    after[along] += h;
                    (map.at(after)[axis] - map.at(before)[axis]) / (2.0 * h)
                };
                (4.0 * over(0.125) - over(0.25)) / 3.0
            };
            let exact = [0, 1].map(|axis| slope(axis, 0).hypot(slope(axis, 1)));
            assert!((x - exact[0]).abs() < 0.01 * exact[0], "{text}: {x} {}", exact[0]);
            assert!((y - exact[1]).abs() < 0.01 * exact[1], "{text}: {y} {}", exact[1]);
        }
    }
}
