//! Images with alpha on the real screen: half-transparent pixels over both shades of the checkerboard, and a
//! difference, which is opaque.

use std::path::{Path, PathBuf};

use lerpscope::image::{self, Channels, Raster, Samples, Size};

use super::live_window::{LiveWindow, Shown, has_programs, turn};

/// The checkerboard: squares of 8 points from the image's corner, the first one light.
const LIGHT: f64 = 0.80;
const DARK: f64 = 0.66;

/// Image of random colours with alpha in four bands: 0, ¼, ¾, 1.
fn picture(folder: &Path) -> PathBuf {
    let size = Size::new(61, 48).expect("a size");
    let mut random = fastrand::Rng::with_seed(17);
    let alpha = |place: usize| [0, 64, 191, 255][place / 61 / 12];
    let pixel = |place: usize| [random.u8(..), random.u8(..), random.u8(..), alpha(place)];
    let values = (0..size.area()).flat_map(pixel).collect();
    let file = folder.join("alpha.png");
    let raster = Raster::new(size, Channels::Rgba, Samples::U8 { values, maxval: 255 }).expect("a raster");
    image::save(&file, &raster).expect("a file");
    file
}

/// Largest difference of the screen from the formula: OpenGL blends and rounds in single precision.
const ROUNDING: f64 = 0.5 + 0.01;

/// Compares a panel on the screen with its image over the checkerboard; returns the numbers of half-transparent pixels
/// over light and dark squares.
fn compare_over_checkerboard(live: &LiveWindow, screen: &Raster, shown: &Shown) -> [usize; 2] {
    let picture = live.rendered_with_alpha(shown);
    let picture = picture.pages()[0].raster();
    assert_eq!(picture.channels(), Channels::Rgba);
    let mut half_transparent = [0; 2];
    for (row, column) in (0..picture.size().height()).flat_map(|y| (0..picture.size().width()).map(move |x| (y, x))) {
        let is_dark = (column / 8 + row / 8) % 2 == 1;
        let behind = if is_dark { DARK } else { LIGHT };
        let number = |channel: usize| f64::from(picture.number(column, row, channel));
        let alpha = number(3) / 255.0;
        half_transparent[usize::from(is_dark)] += usize::from(alpha > 0.1 && alpha < 0.9);
        for channel in 0..3 {
            let expected = 255.0 * behind * (1.0 - alpha) + number(channel) * alpha;
            let found = f64::from(screen.number(shown.corner[0] + column, shown.corner[1] + row, channel));
            assert!((found - expected).abs() <= ROUNDING, "({column}, {row}) of {shown:?}: {found}, not {expected}");
        }
    }
    half_transparent
}

#[test]
fn alpha_is_blended_over_the_checkerboard_and_a_difference_is_opaque() {
    if !has_programs() {
        return;
    }
    let _turn = turn();
    let folder = tempfile::tempdir().expect("a folder");
    let file = picture(folder.path());
    let live = LiveWindow::open(file.to_str().expect("a name"), "1");
    live.xdotool(&["mousemove", "850", "3"]);
    live.settle();
    let screen = live.screenshot();
    for (panel, shown) in live.shown() {
        let [light, dark] = compare_over_checkerboard(&live, screen.pages()[0].raster(), &shown);
        assert!(light > 10_000 && dark > 10_000, "panel {panel}: {light} pixels over light, {dark} over dark squares");
    }
    // `render` writes a difference without alpha: the screen shows nothing of the checkerboard.
    live.xdotool(&["mousemove", "200", "300", "key", "d"]);
    live.wait_for(|live| live.last("difference").is_some());
    live.xdotool(&["mousemove", "850", "3"]);
    live.settle();
    let shown = live.last("difference").expect("it is seen");
    live.compare_part(&live.screenshot(), &shown, &|_, _| true, "the difference of pictures with alpha");
}
