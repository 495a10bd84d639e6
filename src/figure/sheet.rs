//! The sheet of a figure: its layout, drawn.

use std::path::Path;

use ab_glyph::{Font, FontRef, PxScale, PxScaleFont, ScaleFont as _, point};

use super::FigureBar;
use super::label::{Letter, letters};
use crate::image::{Channels, FileFormat, Raster, Samples, Size};

/// One picture and its label.
#[derive(Debug)]
pub(crate) struct FigureCell {
    /// The label; see [`letters`].
    pub(crate) label: String,
    /// The picture, with 8 bits per channel.
    pub(crate) picture: Raster,
    /// Quadrilaterals drawn as frames over the picture, by corners in its pixels; pixel (0, 0) is around the origin.
    pub(crate) frames: Vec<[[f64; 2]; 4]>,
    /// What stands at its right end.
    pub(crate) bar: Option<FigureBar>,
}

/// Lengths in pixels at 1× size.
const MARGIN: usize = 16;
const GAP: usize = 12;
const LABEL: usize = 24;
const CAPTION: usize = 28;
const LETTERS: f32 = 16.0;
const SMALL_LETTERS: f32 = 13.0;
/// Radius of a dot, the gap behind it, and the height of the middle of digits over the baseline, relative to the size of the letters.
const DOT_RADIUS: f32 = 0.26;
const DOT_GAP: f32 = 0.28;
const DIGIT_MIDDLE: f32 = 0.27;
/// Distance of a bar from its picture, width of its colours, distance of its texts from them, and their width.
const BAR_GAP: usize = 10;
const BAR: usize = 14;
const TICK_GAP: usize = 5;
const TICK: usize = 56;
/// Background, and colour of labels, caption and frames.
const PAPER: u8 = 255;
const INK: u8 = 24;
/// Half the widths of the dark line of a frame and of the light one around it, in pixels at 1× size.
const FRAME: f64 = 0.75;
const AROUND_FRAME: f64 = 1.75;

/// A grey or RGB sheet: rows from the top, `channels` bytes per pixel.
struct Sheet {
    width: usize,
    height: usize,
    channels: usize,
    bytes: Vec<u8>,
}

/// A figure of pictures of one size.
#[derive(Debug)]
pub(crate) struct Figure {
    /// The picture left of the others, at their top.
    pub(crate) whole: Option<FigureCell>,
    /// The pictures in rows.
    pub(crate) cells: Vec<FigureCell>,
    /// Their columns.
    pub(crate) columns: usize,
    /// The text below them.
    pub(crate) caption: String,
    /// Factor of lengths and letters.
    pub(crate) times: u32,
    /// Whether labels have their dots, which are of a colour: see [`Figure::has_dots`].
    pub(crate) has_dots: bool,
}

impl Figure {
    /// Whether a figure in `file` has the dots of its labels: a PGM file holds no colour.
    pub(crate) fn has_dots(file: &Path) -> bool {
        FileFormat::from_path(file) != Some(FileFormat::Pgm)
    }

    /// Draws the pictures in rows, with the caption below. The sheet is grey if all pictures are. `None` if there is no picture or the sheet
    /// is too large.
    pub(crate) fn sheet(&self) -> Option<Raster> {
        let Self { whole, cells, columns, caption, times, has_dots } = self;
        let first = cells.first()?.picture.size();
        let in_rows = (*columns).clamp(1, cells.len());
        let rows = cells.len().div_ceil(in_rows);
        let beside = usize::from(whole.is_some());
        let columns = in_rows + beside;
        let times = *times as usize;
        let [margin, gap, label, under] = [MARGIN, GAP, LABEL, CAPTION].map(|length| length * times);
        let has_bar = cells.iter().chain(whole).any(|cell| cell.bar.is_some());
        let beside_picture = if has_bar { (BAR_GAP + BAR + TICK_GAP + TICK) * times } else { 0 };
        let (picture_width, cell_height) = (first.width() as usize, first.height() as usize + label);
        let cell_width = picture_width + beside_picture;
        let width = 2 * margin + columns * cell_width + (columns - 1) * gap;
        let height = margin + rows * cell_height + (rows - 1) * gap + under + margin / 2;
        let has_colours = |bar: FigureBar| bar.colours().iter().any(|[red, green, blue]| red != green || green != blue);
        let label_of = |cell: &FigureCell| letters(&cell.label, *has_dots);
        let is_grey = cells.iter().chain(whole).all(|cell| {
            !cell.picture.channels().has_colour()
                && !cell.bar.is_some_and(has_colours)
                && !label_of(cell).iter().any(|letter| matches!(letter, Letter::Dot(_)))
        });
        let channels = if is_grey { 1 } else { 3 };
        let size = Size::new(u32::try_from(width).ok()?, u32::try_from(height).ok()?).ok()?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(width * height * channels).ok()?;
        bytes.resize(width * height * channels, PAPER);
        let mut sheet = Sheet { width, height, channels, bytes };
        let in_rows = cells.iter().enumerate().map(|(index, cell)| ([beside + index % in_rows, index / in_rows], cell));
        for ([column, row], cell) in whole.iter().map(|cell| ([0, 0], cell)).chain(in_rows) {
            let left = margin + column * (cell_width + gap);
            let top = margin + row * (cell_height + gap);
            sheet.write([left, top], LETTERS * times as f32, cell_width, label_of(cell));
            sheet.paste([left, top + label], &cell.picture);
            if let Some(bar) = cell.bar {
                let left = left + picture_width + BAR_GAP * times;
                sheet.bar([left, top + label], (first.height() as usize, times), bar);
            }
            for (half_width, colour) in [(AROUND_FRAME, PAPER), (FRAME, INK)] {
                for frame in &cell.frames {
                    sheet.frame([left, top + label], cell.picture.size(), frame, (half_width * times as f64, colour));
                }
            }
        }
        let below = height - margin / 2 - under + under / 3;
        sheet.write([margin, below], SMALL_LETTERS * times as f32, width - 2 * margin, letters(caption, false));
        let channels = if is_grey { Channels::Grey } else { Channels::Rgb };
        Raster::new(size, channels, Samples::U8 { values: sheet.bytes, maxval: 255 }).ok()
    }
}

impl Sheet {
    /// Draws `bar` of this height with its top left corner at `[left, top]`.
    fn bar(&mut self, [left, top]: [usize; 2], (height, times): (usize, usize), bar: FigureBar) {
        let colours = bar.colours();
        let Some(last) = colours.len().checked_sub(1) else { return };
        let span = height.saturating_sub(1).max(1);
        for row in 0..height {
            let colour = colours[(last * (span - row.min(span)) + span / 2) / span];
            for column in left..left + BAR * times {
                let at = ((top + row) * self.width + column) * self.channels;
                self.bytes[at..at + self.channels].copy_from_slice(&colour[..self.channels]);
            }
        }
        let height_px = SMALL_LETTERS * times as f32;
        let text_left = left + (BAR + TICK_GAP) * times;
        for (share, text) in bar.ticks() {
            // The texts at the ends stay beside the bar.
            let line = height_px.ceil() as usize;
            let middle = ((1.0 - share) * span as f64).round() as usize;
            let below = top + middle.saturating_sub(line / 2).min(height.saturating_sub(line));
            self.write([text_left, below], height_px, TICK * times, letters(&text, false));
        }
    }

    /// Draws `picture` over the background with its top left corner at `[left, top]`.
    fn paste(&mut self, [left, top]: [usize; 2], picture: &Raster) {
        let (size, channels) = (picture.size(), picture.channels());
        let colours = if channels.has_colour() { 3 } else { 1 };
        for row in 0..size.height() {
            for column in 0..size.width() {
                let alpha = match channels.has_alpha() {
                    true => picture.number(column, row, channels.count() - 1) / 255.0,
                    false => 1.0,
                };
                let at = ((top + row as usize) * self.width + left + column as usize) * self.channels;
                for channel in 0..self.channels {
                    let number = picture.number(column, row, channel.min(colours - 1));
                    self.bytes[at + channel] = (number * alpha + f32::from(PAPER) * (1.0 - alpha)).round() as u8;
                }
            }
        }
    }

    /// Draws the edges of a quadrilateral over the picture of size `size` at `[left, top]`, as far as they are inside it.
    fn frame(&mut self, [left, top]: [usize; 2], size: Size, corners: &[[f64; 2]; 4], (half_width, colour): (f64, u8)) {
        for (index, from) in corners.iter().enumerate() {
            let to = corners[(index + 1) % corners.len()];
            let range = |axis: usize, length: u32| {
                let (least, most) = (from[axis].min(to[axis]) - half_width, from[axis].max(to[axis]) + half_width);
                // Saturating casts: an edge far outside has no pixel.
                least.ceil().max(0.0) as u32..(most.floor() + 1.0).clamp(0.0, f64::from(length)) as u32
            };
            let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
            let length = dx.hypot(dy);
            for row in range(1, size.height()) {
                for column in range(0, size.width()) {
                    let [x, y] = [f64::from(column) - from[0], f64::from(row) - from[1]];
                    let across = if length > 0.0 { (x * dy - y * dx).abs() / length } else { x.hypot(y) };
                    if across <= half_width {
                        let at = ((top + row as usize) * self.width + left + column as usize) * self.channels;
                        self.bytes[at..at + self.channels].fill(colour);
                    }
                }
            }
        }
    }

    /// Draws one line of text with its top left corner at `[left, top]`. Text wider than `width` pixels ends in an ellipsis.
    fn write(&mut self, [left, top]: [usize; 2], height_px: f32, width: usize, text: Vec<Letter>) {
        // The font of the window.
        let Ok(font) = FontRef::try_from_slice(ttf_noto_sans::REGULAR) else {
            return;
        };
        let scaled = font.as_scaled(PxScale::from(height_px));
        let (mut x, baseline) = (left as f32, top as f32 + scaled.ascent());
        let mut before = None;
        for letter in fitted(&scaled, width as f32, text) {
            let id = match letter {
                Letter::Glyph(letter) => scaled.glyph_id(letter),
                Letter::Dot(colour) => {
                    let radius = DOT_RADIUS * height_px;
                    self.dot([x + radius, baseline - DIGIT_MIDDLE * height_px], radius, colour);
                    x += advance(&scaled, letter);
                    before = None;
                    continue;
                }
            };
            x += before.map_or(0.0, |before| scaled.kern(before, id));
            let glyph = id.with_scale_and_position(scaled.scale(), point(x, baseline));
            if let Some(outline) = font.outline_glyph(glyph) {
                let corner = outline.px_bounds().min;
                outline.draw(|column, row, coverage| {
                    let at = [corner.x as i64 + i64::from(column), corner.y as i64 + i64::from(row)];
                    self.ink(at, coverage, [INK; 3]);
                });
            }
            x += advance(&scaled, letter);
            before = Some(id);
        }
    }

    /// Draws a disc around `centre`, a position whose integers are corners of pixels.
    fn dot(&mut self, [x, y]: [f32; 2], radius: f32, colour: [u8; 3]) {
        let range = |middle: f32| (middle - radius - 1.0).floor() as i64..=(middle + radius + 1.0).ceil() as i64;
        for row in range(y) {
            for column in range(x) {
                let distance = (column as f32 + 0.5 - x).hypot(row as f32 + 0.5 - y);
                self.ink([column, row], radius + 0.5 - distance, colour);
            }
        }
    }

    fn ink(&mut self, [column, row]: [i64; 2], coverage: f32, colour: [u8; 3]) {
        let (Ok(column), Ok(row)) = (usize::try_from(column), usize::try_from(row)) else {
            return;
        };
        if column < self.width && row < self.height {
            let at = (row * self.width + column) * self.channels;
            for (byte, ink) in self.bytes[at..at + self.channels].iter_mut().zip(colour) {
                *byte =
                    (f32::from(*byte) + (f32::from(ink) - f32::from(*byte)) * coverage.clamp(0.0, 1.0)).round() as u8;
            }
        }
    }
}

/// Distance from the beginning of a letter to that of the next, in pixels.
fn advance<F: Font>(font: &PxScaleFont<F>, letter: Letter) -> f32 {
    match letter {
        Letter::Glyph(letter) => font.h_advance(font.glyph_id(letter)),
        Letter::Dot(_) => (2.0 * DOT_RADIUS + DOT_GAP) * font.scale().y,
    }
}

/// `text`, shortened with an ellipsis to `max_width` pixels.
fn fitted<F: Font>(font: &PxScaleFont<F>, max_width: f32, text: Vec<Letter>) -> Vec<Letter> {
    let width = |text: &[Letter]| text.iter().map(|letter| advance(font, *letter)).sum::<f32>();
    if width(&text) <= max_width {
        return text;
    }
    let mut kept = text;
    loop {
        let end = kept.iter().rposition(|letter| *letter != Letter::Glyph(' ')).map_or(0, |last| last + 1);
        let short = [&kept[..end], &[Letter::Glyph('…')]].concat();
        if kept.is_empty() || width(&short) <= max_width {
            return short;
        }
        kept.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::super::label::curve_colour;
    use super::*;
    use crate::backend::ColourMap;
    use crate::image::Depth;
    use crate::test_support::size;

    fn cells(channels: Channels) -> Vec<FigureCell> {
        let size = size(60, 40);
        let names = ["Nearest", "a name that is much too long for its picture", "c"];
        let cell = |label: &str| FigureCell {
            label: label.to_owned(),
            picture: Raster::zeros(size, channels, Depth::EIGHT),
            frames: Vec::new(),
            bar: None,
        };
        names.map(cell).into()
    }

    fn in_rows(cells: Vec<FigureCell>, columns: usize) -> Figure {
        Figure { whole: None, cells, columns, caption: "caption".to_owned(), times: 1, has_dots: true }
    }

    #[test]
    fn figure_shows_whole_pictures_below_their_labels() {
        for times in [1, 2] {
            let sheet = Figure { times, ..in_rows(cells(Channels::Grey), 2) }.sheet().expect("a figure");
            assert_eq!(sheet.channels(), Channels::Grey);
            let black = |sheet: &Raster, [left, top]: [u32; 2]| {
                (0..40).all(|row| (0..60).all(|column| sheet.number(left + column, top + row, 0) == 0.0))
            };
            let (margin, label, gap) = (16 * times, 24 * times, 12 * times);
            assert!(black(&sheet, [margin, margin + label]));
            assert!(black(&sheet, [margin + 60 + gap, margin + label]));
            assert!(black(&sheet, [margin, margin + 2 * label + 40 + gap]));
            let inked = (0..label).flat_map(|row| (0..60).map(move |column| (column, row)));
            let inked = inked.filter(|&(column, row)| sheet.number(margin + column, margin + row, 0) < 128.0).count();
            assert!(inked > 40, "{inked} dark pixels");
            // A label is no wider than its picture.
            let beyond = (0..label).all(|row| sheet.number(margin + 60 + gap / 2, margin + row, 0) == 255.0);
            assert!(beyond);
        }
    }

    #[test]
    fn figure_is_rgb_if_one_picture_has_colour() {
        let mut cells = cells(Channels::Grey);
        cells[1].picture = Raster::zeros(cells[1].picture.size(), Channels::Rgba, Depth::EIGHT);
        let sheet = in_rows(cells, 3).sheet().expect("a figure");
        assert_eq!(sheet.channels(), Channels::Rgb);
        assert_eq!(sheet.number(16 + 60 + 12 + 5, 16 + 24 + 5, 1), 255.0, "transparent pixels show the background");
        assert!(in_rows(Vec::new(), 1).sheet().is_none());
    }

    #[test]
    fn label_with_a_dot_makes_the_sheet_rgb_unless_the_file_has_no_colour() {
        let labels = ["●1  Nearest", "●2  Linear | ●3  Cubic", "no dot"];
        let mut cells = cells(Channels::Grey);
        cells.iter_mut().zip(labels).for_each(|(cell, label)| cell.label = label.to_owned());
        cells.iter_mut().for_each(|cell| cell.picture = Raster::zeros(size(300, 40), Channels::Grey, Depth::EIGHT));
        let figure = in_rows(cells, 1);
        let sheet = figure.sheet().expect("a figure");
        assert_eq!(sheet.channels(), Channels::Rgb);
        let is_near = |found: [f32; 3], colour: [u8; 3]| found == colour.map(f32::from);
        let count = |row: u32, colour: [u8; 3]| {
            let top = 16 + row * (24 + 40 + 12);
            let places = (top..top + 24).flat_map(|y| (16..316).map(move |x| (x, y)));
            places.filter(|&(x, y)| is_near([0, 1, 2].map(|channel| sheet.number(x, y, channel)), colour)).count()
        };
        let [first, second, third] = [0, 1, 2].map(curve_colour);
        let found = [0, 1, 2].map(|row| [first, second, third].map(|colour| count(row, colour)));
        // A disc of radius 4.16 pixels has an area of 54; those at its rim are mixed.
        let whole = |pixels: usize| (30..=54).contains(&pixels);
        assert!(whole(found[0][0]) && whole(found[1][1]) && whole(found[1][2]), "{found:?}");
        assert_eq!([found[0][1], found[0][2], found[1][0]], [0; 3]);
        assert_eq!(found[2], [0; 3]);
        let grey = Figure { has_dots: Figure::has_dots("a.pgm".as_ref()), ..figure }.sheet().expect("a figure");
        assert_eq!(grey.channels(), Channels::Grey);
        assert!(Figure::has_dots("a.png".as_ref()) && Figure::has_dots("-".as_ref()));
    }

    #[test]
    fn whole_picture_is_left_of_the_others_with_its_frame() {
        let mut cells = in_rows(cells(Channels::Grey), 2);
        let without = cells.sheet().expect("a figure").size();
        let grey = Raster::new(size(60, 40), Channels::Grey, Samples::U8 { values: vec![100; 2400], maxval: 255 });
        let grey = grey.expect("one byte a pixel");
        // The lower edge is outside the picture.
        let frame = [[10.0, 20.0], [30.0, 20.0], [30.0, 70.0], [10.0, 70.0]];
        cells.whole = Some(FigureCell { label: "Whole".to_owned(), picture: grey, frames: vec![frame], bar: None });
        let sheet = cells.sheet().expect("a figure");
        assert_eq!(sheet.size().sides(), [without.width() + 60 + 12, without.height()]);
        let at = |x: u32, y: u32| sheet.number(16 + x, 16 + 24 + y, 0);
        for (place, expected) in [
            ([20, 20], INK),
            ([20, 21], PAPER),
            ([20, 19], PAPER),
            ([20, 23], 100),
            ([20, 17], 100),
            ([10, 39], INK),
            ([30, 39], INK),
            ([20, 39], 100),
            ([50, 30], 100),
        ] {
            assert_eq!(at(place[0], place[1]), f32::from(expected), "{place:?}");
        }
        assert_eq!(sheet.number(16 + 60 + 12 + 5, 16 + 24 + 5, 0), 0.0, "the first panel");
    }

    #[test]
    fn bar_of_a_picture_is_at_its_right_with_the_upper_end_above() {
        for times in [1, 2] {
            let bar = FigureBar { colour_map: ColourMap::OrangeBlackBlue, range: [-51.0, 51.0] };
            let mut cell = cells(Channels::Grey).remove(2);
            cell.bar = Some(bar);
            let sheet = Figure { times, ..in_rows(vec![cell], 1) }.sheet().expect("a figure");
            assert_eq!(sheet.channels(), Channels::Rgb);
            assert_eq!(sheet.size().width(), 2 * 16 * times + 60 + (10 + 14 + 5 + 56) * times);
            let (left, top) = (16 * times + 60 + 10 * times, (16 + 24) * times);
            let at = |row: u32| [0, 1, 2].map(|channel| sheet.number(left + 3, top + row, channel));
            let ends =
                [bar.colours().last(), bar.colours().first()].map(|colour| colour.expect("a colour").map(f32::from));
            assert_eq!([at(0), at(39)], ends);
            assert!(at(0)[2] > 200.0 && at(39)[0] > 200.0 && at(20).iter().all(|byte| *byte < 40.0), "{:?}", at(20));
            let inked = |rows: std::ops::Range<u32>| {
                let pixels = rows.flat_map(|row| (0..56 * times).map(move |column| (column, row)));
                let number = |(column, row): (u32, u32)| sheet.number(left + (14 + 5) * times + column, top + row, 0);
                pixels.filter(|place| number(*place) < 128.0).count()
            };
            assert!(inked(0..13) > 5 && inked(27..40) > 5, "the values of the ends");
        }
    }
}
