//! Arrangement of panels in the window, in whole physical pixels. All pictures have the same size, so that one view shows
//! the same samples in each.

use crate::app::widgets::pixel_rect::PixelRect;
use crate::image::Size;
use crate::rows::rows;

/// Description of an arrangement of panels.
#[derive(Debug)]
pub struct PanelLayoutRow {
    /// The arrangement.
    pub layout: PanelLayout,
    /// Its name in session files and on the command line.
    pub name: &'static str,
}

rows! {
    /// Arrangement of panels in the window.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum PanelLayout {
        /// Rows and columns that show a whole image as large as possible: 2 × 2 for four square ones. Arrangements with narrow or low
        /// pictures come last.
        #[default]
        Grid => { name: "grid" },
        /// One row.
        Row => { name: "row" },
    }

    /// The arrangements of panels, in the order in which a command selects them.
    pub static PANEL_LAYOUTS: [PanelLayoutRow { layout, .. }];

    impl by_name;
}

/// Edges of an area of the window, in physical pixels.
#[derive(Clone, Copy, Debug)]
pub struct PixelBounds {
    /// Left edge.
    pub left: i32,
    /// Top edge.
    pub top: i32,
    /// Right edge.
    pub right: i32,
    /// Bottom edge.
    pub bottom: i32,
}

/// Distances of an arrangement, in physical pixels, and the shape of what it shows.
#[derive(Clone, Copy, Debug)]
pub struct Spacing {
    /// Gap between panels that stand side by side. A header stands on the picture above it.
    pub gap_px: i32,
    /// Height of the headers.
    pub header_px: i32,
    /// Width and height that pictures in a grid have at least, where an arrangement has room for them.
    pub readable_px: [i32; 2],
    /// Heights of a picture at which a grid over a drawer leaves its columns, and from which on it has them again.
    pub kept_px: [i32; 2],
    /// Width and height of the image that a grid shows as large as possible, in any unit.
    pub image: [u32; 2],
}

/// Ratio of the sides of an image beyond which a grid is arranged as for this ratio: the panels of a strip are no strips.
const MOST_OBLONG: f64 = 2.0;

impl Spacing {
    /// The scale at which a picture of `width` × `height` pixels shows the whole image, in thousandths of a pixel for its mean side.
    fn fitted(&self, [width, height]: [i32; 2]) -> i64 {
        let [columns, rows] = self.image.map(|side| f64::from(side.max(1)));
        let stretch = (columns / rows).clamp(MOST_OBLONG.recip(), MOST_OBLONG).sqrt();
        (1e3 * (f64::from(width) / stretch).min(f64::from(height) * stretch)) as i64
    }
}

/// Placement of a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PanelPlacement {
    /// Top left corner of its header, which is as wide as the picture with its bar.
    pub header: [i32; 2],
    /// Its picture.
    pub picture: PixelRect,
    /// The colour bar to the right of the picture of a difference.
    pub bar: Option<PixelRect>,
}

/// Columns of a grid while drawers open and close under it and a hint above it.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::app) struct GridColumns {
    /// The columns are others than those of the grid without a drawer, since its pictures would be too low.
    are_others: bool,
}

impl GridColumns {
    /// Placements of `count` panels within `bounds`, which are `whole` without a drawer and a hint. A grid has the columns that it
    /// has there, unless its pictures would be too low; see [`Spacing::kept_px`].
    pub(in crate::app) fn placements(
        &mut self,
        layout: PanelLayout,
        count: usize,
        (bounds, whole): (PixelBounds, PixelBounds),
        spacing: Spacing,
    ) -> Vec<PanelPlacement> {
        let kept = layout.columns(count, whole, spacing);
        let [_, height] = sides([kept, count], bounds, spacing);
        self.are_others = whole.bottom > bounds.bottom && height < spacing.kept_px[usize::from(self.are_others)];
        let columns = if self.are_others { layout.columns(count, bounds, spacing) } else { kept };
        placements_in([columns, count], bounds, spacing)
    }
}

impl PanelLayout {
    /// Placements of `count` panels within `bounds`; empty if these are too small for a picture. Pixels left over by
    /// division widen gaps and headers, each by one.
    pub fn placements(self, count: usize, bounds: PixelBounds, spacing: Spacing) -> Vec<PanelPlacement> {
        placements_in([self.columns(count, bounds, spacing), count], bounds, spacing)
    }

    /// Number of columns of `count` panels within `bounds`.
    fn columns(self, count: usize, bounds: PixelBounds, spacing: Spacing) -> usize {
        match self {
            // Among equals the arrangement with the fewest empty cells.
            Self::Grid => (1..=count)
                .max_by_key(|&columns| {
                    let [width, height] = sides([columns, count], bounds, spacing);
                    let is_readable = width >= spacing.readable_px[0] && height >= spacing.readable_px[1];
                    let empty = (columns - count % columns) as i32 % columns as i32;
                    (is_readable, spacing.fitted([width, height]), -empty)
                })
                .unwrap_or(1),
            Self::Row => count.max(1),
        }
    }
}

/// Length of each of `parts` with gaps of `gap` pixels between them within `room`.
fn share(room: i32, parts: usize, gap: i32) -> i32 {
    (room - gap * (parts as i32 - 1)) / parts as i32
}

/// Width and height of the pictures of `count` panels in `columns`.
fn sides([columns, count]: [usize; 2], bounds: PixelBounds, spacing: Spacing) -> [i32; 2] {
    let rows = count.div_ceil(columns).max(1);
    let width = share(bounds.right - bounds.left, columns, spacing.gap_px);
    [width, share(bounds.bottom - bounds.top, rows, 0) - spacing.header_px]
}

/// Placements of `count` panels in `columns`.
fn placements_in([columns, count]: [usize; 2], bounds: PixelBounds, spacing: Spacing) -> Vec<PanelPlacement> {
    let PixelBounds { left, top, right, bottom } = bounds;
    let [width, height] = sides([columns, count], bounds, spacing);
    let side = |length: i32| u32::try_from(length).unwrap_or(0);
    let Ok(size) = Size::new(side(width), side(height)) else {
        return Vec::new();
    };
    // Start of the part `index` of `parts` within `room`.
    let start = |index: usize, (parts, room): (usize, i32), gap: i32| {
        let (index, gaps) = (index as i32, parts as i32 - 1);
        let part = share(room, parts, gap) + gap;
        let left_over = room + gap - parts as i32 * part;
        index * part + if gaps > 0 { index * left_over / gaps } else { 0 }
    };
    let rows = (count.div_ceil(columns), bottom - top);
    let picture_top = |row: usize| top + start(row, rows, 0) + spacing.header_px;
    let place = |index: usize| {
        let left = left + start(index % columns, (columns, right - left), spacing.gap_px);
        let row = index / columns;
        // A pixel that is left over makes the header higher.
        let header_top = if row == 0 { top } else { picture_top(row - 1) + height };
        PanelPlacement {
            header: [left, header_top],
            picture: PixelRect { left, top: picture_top(row), size },
            bar: None,
        }
    };
    (0..count).map(place).collect()
}

impl PanelPlacement {
    /// This placement with a bar of `width_px` to its right.
    #[must_use]
    pub fn with_bar(self, width_px: u32) -> Self {
        let PixelRect { left, top, size } = self.picture;
        let bar = Size::new(width_px, size.height()).ok();
        let bar = bar.map(|bar| PixelRect { left: left + size.width() as i32, top, size: bar });
        Self { bar, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::size;

    const SPACING: Spacing =
        Spacing { gap_px: 2, header_px: 30, readable_px: [200, 120], kept_px: [160, 184], image: [512, 512] };

    fn bounds([left, top, right, bottom]: [i32; 4]) -> PixelBounds {
        PixelBounds { left, top, right, bottom }
    }

    #[test]
    fn four_panels_in_a_grid_are_two_by_two_and_of_one_size() {
        let places = PanelLayout::Grid.placements(4, bounds([10, 20, 1013, 725]), SPACING);
        let size = size(500, 322);
        assert!(places.iter().all(|place| place.picture.size == size), "{places:?}");
        assert_eq!(places[0].picture, PixelRect { left: 10, top: 50, size });
        assert_eq!(places[3].picture, PixelRect { left: 513, top: 403, size });
        assert_eq!(places[3].header, [513, 372], "it stands on the picture above it");
    }

    #[test]
    fn panels_reach_all_edges_of_the_bounds_and_gaps_differ_by_one_pixel_at_most() {
        for (count, width) in (1..=9).flat_map(|count| (900..930).map(move |width| (count, width))) {
            let places = PanelLayout::Row.placements(count, bounds([3, 5, 3 + width, 305]), SPACING);
            let last = places.last().expect("panels").picture;
            let left_over = if count == 1 { 0 } else { 3 + width - far_corner(&last)[0] };
            assert_eq!((places[0].picture.left, left_over, far_corner(&last)[1]), (3, 0, 305), "{count} in {width}");
            let gaps = places.windows(2).map(|pair| pair[1].picture.left - far_corner(&pair[0].picture)[0]);
            assert!(gaps.clone().all(|gap| gap == 2 || gap == 3), "{count} in {width}: {:?}", gaps.collect::<Vec<_>>());
        }
    }

    #[test]
    fn placements_of_any_count_are_inside_and_disjoint() {
        for (count, layout) in (1..=9).flat_map(|count| [(count, PanelLayout::Grid), (count, PanelLayout::Row)]) {
            let places = layout.placements(count, bounds([0, 0, 1280, 800]), SPACING);
            assert_eq!(places.len(), count);
            for (index, a) in places.iter().enumerate() {
                let [right, bottom] = far_corner(&a.picture);
                assert!(a.header[0] >= 0 && a.header[1] >= 0 && right <= 1280 && bottom <= 800);
                for b in &places[index + 1..] {
                    assert!(right < b.header[0] || bottom <= b.header[1], "{a:?} {b:?}");
                }
            }
        }
    }

    fn far_corner(rect: &PixelRect) -> [i32; 2] {
        [rect.left + rect.size.width() as i32, rect.top + rect.size.height() as i32]
    }

    #[test]
    fn grid_columns_follow_the_aspect_ratio_of_the_bounds() {
        let columns = |count: usize, room: [i32; 2]| {
            let places = PanelLayout::Grid.placements(count, bounds([0, 0, room[0], room[1]]), SPACING);
            places.iter().filter(|place| place.header[1] == 0).count()
        };
        let in_window: Vec<usize> = (1..=9).map(|count| columns(count, [1000, 760])).collect();
        assert_eq!(in_window, [1, 2, 2, 2, 3, 3, 4, 4, 3]);
        assert_eq!((columns(2, [500, 1200]), columns(4, [1900, 450]), columns(3, [1900, 700])), (1, 4, 3));
    }

    #[test]
    fn grid_columns_show_the_image_as_large_as_possible() {
        let columns = |count: usize, room: [i32; 2], image: [u32; 2]| {
            let spacing = Spacing { image, ..SPACING };
            let places = PanelLayout::Grid.placements(count, bounds([0, 0, room[0], room[1]]), spacing);
            places.iter().filter(|place| place.header[1] == 0).count()
        };
        let eight = [[512, 512], [768, 512], [512, 768]].map(|image| columns(8, [1000, 760], image));
        assert_eq!(eight, [4, 3, 4]);
        // Nine panels of the smallest window have no empty cell where that costs nothing.
        assert_eq!([[512, 512], [768, 512]].map(|image| columns(9, [640, 376], image)), [5, 3]);
        // A strip is arranged as an image of ratio 2 is.
        assert_eq!(columns(4, [1000, 760], [1, 20_000]), columns(4, [1000, 760], [1, 2]));
        assert_eq!(columns(4, [1000, 760], [20_000, 1]), columns(4, [1000, 760], [2, 1]));
        // More panels never show the image larger.
        for image in [[512, 512], [768, 512], [1, 3]] {
            let spacing = Spacing { image, ..SPACING };
            let scale = |count: usize| {
                let place = PanelLayout::Grid.placements(count, bounds([0, 0, 1170, 800]), spacing)[0];
                spacing.fitted(place.picture.size.sides().map(|side| side as i32))
            };
            assert!((1..9).all(|count| scale(count) >= scale(count + 1)), "{image:?}");
        }
    }

    #[test]
    fn four_panels_of_the_smallest_window_are_two_by_two_and_not_four_strips() {
        for room in [[640, 356], [640, 376], [700, 356], [790, 356]] {
            let places = PanelLayout::Grid.placements(4, bounds([0, 0, room[0], room[1]]), SPACING);
            let columns = places.iter().filter(|place| place.header[1] == 0).count();
            assert_eq!(columns, 2, "{room:?}: {:?}", places[0].picture.size);
        }
        // Where no arrangement is readable the pictures are as large as possible.
        let places = PanelLayout::Grid.placements(9, bounds([0, 0, 640, 300]), SPACING);
        assert_eq!(places.len(), 9);
    }

    #[test]
    fn grid_over_a_drawer_keeps_its_columns_until_pictures_are_low_and_returns_to_them_later() {
        let mut grid = GridColumns::default();
        let mut columns = |bottom: i32| {
            let places = grid.placements(
                PanelLayout::Grid,
                4,
                (bounds([0, 0, 1300, bottom]), bounds([0, 0, 1300, 900])),
                SPACING,
            );
            places.iter().filter(|place| place.header[1] == 0).count()
        };
        // Two rows of pictures that are 160 and 184 pixels high end at 380 and at 428.
        let found = [900, 500, 380, 379, 410, 427, 428, 410, 380].map(&mut columns);
        assert_eq!(found, [2, 2, 2, 4, 4, 4, 2, 2, 2]);
    }

    #[test]
    fn bounds_too_small_for_a_picture_have_no_placements() {
        assert!(PanelLayout::Grid.placements(4, bounds([0, 0, 40, 30]), SPACING).is_empty());
    }
}
