//! Tests of the comparison.

use super::*;
use crate::app::session::difference::{Gain, Ground, UsualMap};
use crate::backend::{COLOUR_MAPS, ColourMap};
use crate::image::{Channels, Depth, Page, Raster};
use crate::test_support::size;

/// The first panel is bluer, in the dark theme.
const DARK: UsualMap = UsualMap { ground: Ground::Dark, is_first_bluer: true };

fn session() -> Session {
    let size = size(8, 6);
    let page = Page::new(Raster::zeros(size, Channels::Grey, Depth::EIGHT));
    let mut session = Session::new(Arc::new(Image::new("zeros", vec![page]).expect("an image")));
    session.tick(10.0);
    session
}

#[test]
fn next_colour_map_cycles_and_keeps_the_map_of_the_other_kind() {
    for absolute in [false, true] {
        let start = Difference { absolute, ..session().difference() };
        let mut difference = start;
        let mut seen = Vec::new();
        for _ in &COLOUR_MAPS {
            difference = difference.with_next_map(DARK);
            let chosen = if absolute { difference.absolute_map } else { difference.signed_map };
            assert_eq!(Some(difference.map(DARK)), chosen);
            seen.push(difference.map(DARK));
        }
        assert!(COLOUR_MAPS.iter().all(|row| seen.contains(&row.colour_map)), "{seen:?}");
        // The map of the theme has become a chosen one.
        assert_eq!(difference, start.with_map(Some(start.map(DARK))));
    }
}

/// No difference is dark in the dark theme and light in the light one, unless another map was chosen.
#[test]
fn map_of_no_difference_has_the_lightness_of_the_ground() {
    let mut session = session();
    for (ground, absolute) in
        [Ground::Dark, Ground::Light].into_iter().flat_map(|ground| [(ground, false), (ground, true)])
    {
        session.set_ground(ground);
        session.set_difference(Difference { absolute, ..session.difference() });
        let display = session.difference_request([0, 1]).display;
        let [red, green, blue] = display.colour_map.colour(if absolute { 0.0 } else { 0.5 });
        let lightness = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        match ground {
            Ground::Dark => assert!(lightness < 0.1, "{display:?}"),
            Ground::Light => assert!(lightness > 0.9, "{display:?}"),
        }
    }
    let chosen = session.difference().with_map(Some(ColourMap::Viridis));
    let usual = |ground: Ground| UsualMap { ground, ..DARK };
    assert_eq!([Ground::Dark, Ground::Light].map(|ground| chosen.map(usual(ground))), [ColourMap::Viridis; 2]);
}

/// Where a panel is larger the difference has the hue of its own colour, in either order.
#[test]
fn sign_of_a_difference_has_the_hue_of_the_larger_panel() {
    let mut session = session();
    while session.add_panel() {}
    for ground in [Ground::Dark, Ground::Light] {
        session.set_ground(ground);
        for (pair, is_blue) in [([0, 1], true), ([1, 0], false), ([1, 2], false), ([2, 1], true), ([4, 6], false)] {
            let map = session.difference_request(pair).display.colour_map;
            let [red, _, blue] = map.colour(1.0);
            assert_eq!(blue > red, is_blue, "{pair:?}: {map:?}");
            let [red, _, blue] = map.colour(0.0);
            assert_eq!(blue < red, is_blue, "{pair:?}: {map:?}");
        }
    }
}

/// The gain is an exposure. A signed difference spans −1 … 1 of its colour map, an absolute one 0 … 1.
#[test]
fn difference_display_has_the_gain_and_the_window_of_its_kind() {
    let mut session = session();
    for (absolute, window) in [(false, [-1.0, 1.0]), (true, [0.0, 1.0])] {
        let difference = Difference { gain: Gain::Fixed(3), absolute, ..session.difference() };
        session.set_difference(difference);
        let request = session.difference_request([0, 1]);
        assert_eq!((request.display.exposure, request.display.window), (3.0, window));
        assert_eq!((request.display.absolute, request.display.colour_map), (absolute, difference.map(DARK)));
        assert_eq!(request.sampler, session.request(0).sampler);
        let second = request.subtract.expect("a request to subtract");
        // The panels' own display mappings have no effect on the difference.
        session.panel_mut(1).expect("a panel").display.exposure = 1.5;
        assert_eq!(*second, RenderRequest { display: Display::default(), ..session.request(1) });
        assert_eq!(session.difference_request([0, 1]).subtract, Some(second));
    }
}

#[test]
fn flicker_flips_at_its_rate_and_returns_the_time_to_the_next_flip() {
    let mut session = session();
    assert_eq!(session.tick_flicker(), None);
    session.toggle_flicker();
    let flipped = PanelArea::Flipped { place: 0, shows: 1 };
    for (at_s, left_s, area) in [
        (10.0, 0.5, PanelArea::Panel(0)),
        (10.375, 0.125, PanelArea::Panel(0)),
        (10.5, 0.5, flipped),
        (10.75, 0.25, flipped),
        (11.25, 0.5, PanelArea::Panel(0)),
    ] {
        session.tick(at_s);
        assert_eq!((session.tick_flicker(), session.areas()[0]), (Some(left_s), area), "at {at_s} s");
    }
    for (rate, expected) in [(4.0, 4.0), (99.0, 16.0), (0.0, 0.5), (f64::NAN, 0.5)] {
        session.set_flips_a_second(rate);
        assert_eq!(session.flips_a_second(), expected);
    }
    session.toggle_flicker();
    assert_eq!((session.tick_flicker(), session.flickers()), (None, false));
}

#[test]
fn wipe_line_is_clamped_to_the_picture_and_rounded_to_pixels() {
    let mut session = session();
    for (share, kept) in [(0.25, 0.25), (-3.0, 0.0), (7.0, 1.0), (f64::NAN, 0.5)] {
        session.set_line(WipeLine { share, is_horizontal: true });
        assert_eq!(session.line(), WipeLine { share: kept, is_horizontal: true });
    }
    let first = |share: f64| WipeLine { share, is_horizontal: false }.first_of_second(10);
    assert_eq!([0.0, 0.24, 0.25, 0.26, 0.5, 1.0, 2.0].map(first), [0, 2, 3, 3, 5, 10, 10]);
}

#[test]
fn areas_and_visible_panels_are_those_of_the_comparison() {
    let mut session = session();
    session.focus(1);
    assert_eq!(session.pair(), Some([1, 2]));
    session.set_second(0);
    for (compare, areas, visible) in [
        (Compare::SideBySide, (0..4).map(PanelArea::Panel).collect::<Vec<_>>(), vec![0, 1, 2, 3]),
        (Compare::Wipe, vec![PanelArea::Wipe([1, 0])], vec![0, 1]),
        (Compare::Difference, vec![PanelArea::Difference([1, 0])], vec![0, 1]),
    ] {
        session.set_compare(compare);
        assert_eq!((session.areas(), session.visible()), (areas, visible));
    }
    session.set_compare(Compare::SideBySide);
    session.toggle_maximized();
    assert_eq!((session.areas(), session.visible()), (vec![PanelArea::Panel(1)], vec![1]));
}

/// The second image's pages follow the first one's.
#[test]
fn difference_of_two_images_uses_the_pages_of_its_panels() {
    let size = size(8, 6);
    let page = || Page::new(Raster::zeros(size, Channels::Grey, Depth::EIGHT));
    let image = |count: usize| Arc::new(Image::new("pages", (0..count).map(|_| page()).collect()).expect("an image"));
    let mut session = Session::new(image(3));
    session.open_in(1, image(2));
    session.show_page_in(0, 2);
    session.show_page_in(1, 1);
    let request = session.difference_request([0, 1]);
    let other = request.subtract.expect("a request to subtract");
    let pages = session.difference_image([0, 1]);
    assert_eq!((request.page, other.page, pages.pages().len()), (2, 3 + 1, 5));
    assert_eq!(pages.pages()[other.page].id(), session.page_of(1).id());
    assert_eq!(session.image_of(2).pages().len(), 3, "one panel alone shows the new image");
    // A difference of one image uses its pages as they are.
    session.show_image_in(1, 0);
    session.show_page_in(1, 1);
    let other = session.difference_request([0, 1]).subtract.expect("a request to subtract");
    assert_eq!((other.page, session.difference_image([0, 1]).pages().len()), (1, 3));
}

#[test]
fn crosshair_is_toggled() {
    let mut session = session();
    let states = [(); 3].map(|()| {
        session.toggle_crosshair();
        session.has_crosshair()
    });
    assert_eq!(states, [false, true, false]);
}

#[test]
fn flipped_area_acts_on_its_panel_and_shows_the_other() {
    let areas = [
        PanelArea::Panel(3),
        PanelArea::Flipped { place: 1, shows: 2 },
        PanelArea::Wipe([3, 1]),
        PanelArea::Difference([2, 0]),
    ];
    assert_eq!(areas.map(PanelArea::panel), [3, 1, 3, 2]);
    assert_eq!(areas.map(PanelArea::seen), [3, 2, 3, 2]);
    assert_eq!(areas.map(|area| area.pictures()), [vec![3], vec![2], vec![3, 1], Vec::new()]);
}
