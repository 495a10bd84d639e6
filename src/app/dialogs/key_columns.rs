//! The columns of the list of keys: which groups each has, where these begin, the width of the columns, and the height of their lines.

use super::key_groups::Group;
use crate::app::widgets::theme::SPACE;

/// Gap between columns, in points.
pub(super) const GAP: f32 = 6.0 * SPACE;
/// Distances of the essentials from the sides, and from the top and the bottom, of the card that they stand on, in points.
pub(super) const CARD_SIDE: f32 = 3.5 * SPACE;
pub(super) const CARD_ENDS: [f32; 2] = [0.5 * SPACE, 2.5 * SPACE];
/// Maximum number of columns of a list that begins with the essentials, and of any other.
const MOST: [usize; 2] = [3, 4];
/// Minimum and maximum width of a column, in points: the way from a title to its keys is short.
const LEAST_WIDTH: f32 = 264.0;
const MOST_WIDTH: f32 = 275.0;
/// Least and greatest height of a line, in points.
const LOWEST: u8 = 19;
pub(super) const HIGHEST: u8 = 33;
/// Height of the lines of a list that scrolls, in points.
const SCROLLED: f32 = 24.0;
/// Height of a heading with the rule below it, and gap below a group, as multiples of a line.
const HEADING: f32 = 1.35;
const GROUP_GAP: f32 = 0.45;

/// Least height of a line in columns whose groups begin at the heights of those beside them, in points.
const LEAST_OF_ROWS: u8 = 24;

/// Heights in a list, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pitch {
    /// Height of a line.
    pub(super) line: f32,
    /// Height of a heading with the rule below it.
    pub(super) heading: f32,
    /// Gap below a group.
    pub(super) gap: f32,
    /// Whether groups begin at the heights of those beside them.
    has_rows: bool,
}

impl Pitch {
    /// Lines that are `line` points high where a point has `scale` pixels. All heights are whole pixels, so that lines have equal
    /// distances on the screen.
    pub(super) fn of(line: f32, scale: f32) -> Self {
        let whole = |points: f32| (points * scale).floor() / scale;
        Self { line: whole(line), heading: whole(HEADING * line), gap: whole(GROUP_GAP * line), has_rows: false }
    }

    /// The same with groups that begin at the heights of those beside them, or without.
    pub(super) fn in_rows(self, has_rows: bool) -> Self {
        Self { has_rows, ..self }
    }

    /// Lines of a list that scrolls.
    pub(super) fn scrolled(scale: f32) -> Self {
        Self::of(SCROLLED, scale)
    }

    /// The highest lines with which the `groups` in `columns` need at most `room` points of height, where possible with groups that begin
    /// at the heights of those beside them; `None` if the lowest need more.
    pub(super) fn that_fits(columns: &Columns, groups: &[Group], (room, scale): (f32, f32)) -> Option<Self> {
        let pitches = |least: u8| (least..=HIGHEST).rev().map(|line| Self::of(line.into(), scale));
        let with_rows = pitches(LEAST_OF_ROWS).map(|pitch| pitch.in_rows(true));
        with_rows.chain(pitches(LOWEST)).find(|pitch| columns.height(groups, *pitch) <= room)
    }

    /// Height of a group without the gap below it.
    pub(super) fn height(self, group: &Group) -> f32 {
        self.heading + self.line * group.lines.len() as f32
    }
}

/// Columns of whole groups.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Columns {
    /// Number of groups of each.
    counts: Vec<usize>,
    /// Width of each, in points.
    pub(super) width: f32,
    /// Whether the essentials have the first column for themselves, on a card.
    pub(super) has_card: bool,
}

impl Columns {
    /// As many columns as `available` points of width permit.
    pub(super) fn of(available: f32, groups: &[Group]) -> Self {
        let most = most_columns(groups);
        let count = (((available + GAP) / (LEAST_WIDTH + GAP)) as usize).clamp(1, most);
        let heights: Vec<f32> = groups.iter().map(|group| HEADING + group.lines.len() as f32 + GROUP_GAP).collect();
        let essentials = essential_groups(groups);
        let has_card = count == most && essentials > 0;
        let counts = if has_card {
            std::iter::once(essentials).chain(balanced(&heights[essentials..], count - 1)).collect()
        } else {
            balanced(&heights, count)
        };
        let width = ((available - card_sides(has_card) - GAP * (count as f32 - 1.0)) / count as f32).floor();
        Self { counts, width, has_card }
    }

    /// Width of all columns with the gaps between them, in points.
    pub(super) fn whole_width(&self) -> f32 {
        let count = self.counts.len() as f32;
        count * self.width + (count - 1.0) * GAP + card_sides(self.has_card)
    }

    /// The `groups` of each column.
    pub(super) fn split<'a>(&self, mut groups: &'a [Group]) -> Vec<&'a [Group]> {
        let column = |count: &usize| {
            let (column, rest) = groups.split_at((*count).min(groups.len()));
            groups = rest;
            column
        };
        self.counts.iter().map(column).collect()
    }

    /// Height of the highest column, in points.
    pub(super) fn height(&self, groups: &[Group], pitch: Pitch) -> f32 {
        let ends = self
            .split(groups)
            .into_iter()
            .zip(self.starts(groups, pitch))
            .filter_map(|(column, starts)| Some(starts.last()? + pitch.height(column.last()?)));
        ends.fold(0.0, f32::max) + if self.has_card { CARD_ENDS[1] } else { 0.0 }
    }

    /// Where the groups of each column begin below the top of the list, in points: each below the one before it or, with rows, where those
    /// beside it do.
    pub(super) fn starts(&self, groups: &[Group], pitch: Pitch) -> Vec<Vec<f32>> {
        let columns = self.split(groups);
        let top = if self.has_card { CARD_ENDS[0] } else { 0.0 };
        let below = |start: f32, group: &Group| start + pitch.height(group) + pitch.gap;
        let packed = |column: &[Group]| {
            column
                .iter()
                .scan(top, |next, group| Some(std::mem::replace(next, below(*next, group))))
                .collect::<Vec<_>>()
        };
        if !pitch.has_rows {
            return columns.into_iter().map(packed).collect();
        }
        let count = columns.iter().map(|column| column.len()).max().unwrap_or_default();
        let rows = (0..count).scan(top, |next, row| {
            let ends = columns.iter().filter_map(|column| Some(below(*next, column.get(row)?)));
            let end = ends.fold(*next, f32::max);
            Some(std::mem::replace(next, end))
        });
        let rows: Vec<f32> = rows.collect();
        columns.into_iter().map(|column| rows[..column.len()].to_vec()).collect()
    }
}

/// Number of the essential groups, which are the first of `groups`.
fn essential_groups(groups: &[Group]) -> usize {
    groups.iter().take_while(|group| group.is_essential).count()
}

/// Maximum number of columns of `groups`.
fn most_columns(groups: &[Group]) -> usize {
    MOST[usize::from(essential_groups(groups) == 0)]
}

/// Maximum width of all columns of `groups` with the gaps between them, in points.
pub(super) fn most_width(groups: &[Group]) -> f32 {
    let count = most_columns(groups) as f32;
    count * MOST_WIDTH + (count - 1.0) * GAP + card_sides(essential_groups(groups) > 0)
}

/// Width that a card adds to its column, in points.
fn card_sides(has_card: bool) -> f32 {
    if has_card { 2.0 * CARD_SIDE } else { 0.0 }
}

/// The number of groups of each column: at most `count` columns, whose groups stay whole and in order, the highest column as
/// low as possible.
fn balanced(heights: &[f32], count: usize) -> Vec<usize> {
    let filled = |limit: f32| {
        let mut columns: Vec<(usize, f32)> = Vec::new();
        for height in heights {
            match columns.last_mut() {
                Some((groups, sum)) if *sum + height <= limit => (*groups, *sum) = (*groups + 1, *sum + height),
                _ => columns.push((1, *height)),
            }
        }
        columns
    };
    // The highest column of the best arrangement is a run of groups.
    let runs = (0..heights.len()).flat_map(|from| (from..heights.len()).map(move |to| from..=to));
    let mut limits: Vec<f32> = runs.map(|run| heights[run].iter().sum()).collect();
    limits.sort_by(f32::total_cmp);
    let columns = limits.into_iter().map(filled).find(|columns| columns.len() <= count).unwrap_or_default();
    columns.into_iter().map(|(groups, _)| groups).collect()
}

#[cfg(test)]
mod tests {
    use super::super::key_groups::{Extent, groups};
    use super::*;
    use crate::app::commands::Keymap;

    #[test]
    fn columns_of_common_lines_and_of_all_have_nearly_equal_heights() {
        let keys = Keymap::default();
        for (extent, first, count, most) in [
            (Extent::Common, &["Start here", "Change and save"][..], 3, 13.0),
            (Extent::All, &["File", "Edit", "Laboratory"], 4, 35.0),
        ] {
            let groups = groups(&keys, extent);
            let columns = Columns::of(4.0 * LEAST_WIDTH + 3.0 * GAP, &groups);
            let split = columns.split(&groups);
            assert_eq!((split.len(), split.iter().map(|column| column.len()).sum::<usize>()), (count, groups.len()));
            assert_eq!(split[0].iter().map(|group| group.title).collect::<Vec<_>>(), first, "{extent:?}");
            let pitch = Pitch::of(20.0, 1.0);
            let height = columns.height(&groups, pitch) / pitch.line;
            assert!(height <= most, "{extent:?}: {height} lines");
        }
    }

    /// The common lines of a window of the usual size.
    #[test]
    fn groups_of_common_lines_begin_at_the_heights_of_those_beside_them() {
        let groups = groups(&Keymap::default(), Extent::Common);
        let columns = Columns::of(900.0, &groups);
        for scale in [1.0, 1.5, 2.0] {
            let pitch = Pitch::that_fits(&columns, &groups, (690.0, scale)).expect("a pitch");
            assert!(pitch.line >= 30.0, "{pitch:?}");
            let starts = columns.starts(&groups, pitch);
            assert!(columns.has_card && starts[0][0] == CARD_ENDS[0], "{starts:?}");
            assert!(starts.iter().all(|column| column.len() == 2 && *column == starts[0]), "{starts:?}");
            let counts: Vec<Vec<usize>> = columns
                .split(&groups)
                .iter()
                .map(|column| column.iter().map(|group| group.lines.len()).collect())
                .collect();
            assert!(counts.iter().all(|column| *column == counts[0]), "no gaps: {counts:?}");
            for (column, starts) in columns.split(&groups).into_iter().zip(&starts) {
                for (pair, start) in column.windows(2).zip(starts.windows(2)) {
                    assert!(start[1] - start[0] >= pitch.height(&pair[0]) + pitch.gap - 1e-3, "{}", pair[0].title);
                }
            }
        }
    }

    #[test]
    fn groups_follow_each_other_or_begin_at_the_heights_of_those_beside_them() {
        let groups = groups(&Keymap::default(), Extent::All);
        let columns = Columns::of(1184.0, &groups);
        let pitch = Pitch::of(20.0, 1.0);
        for (column, starts) in columns.split(&groups).into_iter().zip(columns.starts(&groups, pitch)) {
            for (pair, start) in column.windows(2).zip(starts.windows(2)) {
                assert_eq!(start[1] - start[0], pitch.height(&pair[0]) + pitch.gap, "{}", pair[0].title);
            }
        }
        let in_rows = columns.starts(&groups, pitch.in_rows(true));
        let longest = in_rows.iter().max_by_key(|starts| starts.len()).expect("a column").clone();
        assert!(in_rows.iter().all(|starts| longest.starts_with(starts)), "{in_rows:?}");
        assert!(columns.height(&groups, pitch.in_rows(true)) > columns.height(&groups, pitch));
    }

    #[test]
    fn pitch_is_the_greatest_whole_pixels_that_fit() {
        let groups = groups(&Keymap::default(), Extent::All);
        let columns = Columns::of(1184.0, &groups);
        for scale in [1.0, 1.5, 2.0] {
            for room in [700.0, 711.0, 760.0, 900.0] {
                let pitch = Pitch::that_fits(&columns, &groups, (room, scale)).expect("a pitch");
                assert!(columns.height(&groups, pitch) <= room);
                assert!(columns.height(&groups, Pitch::of(pitch.line + 1.0 + 1.0 / scale, scale)) > room);
                for height in [pitch.line, pitch.heading, pitch.gap] {
                    let pixels = height * scale;
                    assert!((pixels - pixels.round()).abs() < 1e-3, "{pitch:?} at {scale}");
                }
            }
            assert_eq!(Pitch::that_fits(&columns, &groups, (300.0, scale)), None);
        }
    }

    #[test]
    fn width_decides_the_number_of_columns() {
        let groups = groups(&Keymap::default(), Extent::All);
        for (width, count) in [(1184.0, 4), (2000.0, 4), (1000.0, 3), (600.0, 2), (400.0, 1), (100.0, 1)] {
            let columns = Columns::of(width, &groups);
            assert_eq!(columns.split(&groups).len(), count, "{width}");
            assert!(columns.width * count as f32 + GAP * (count as f32 - 1.0) <= width);
        }
    }

    #[test]
    fn columns_hold_whole_groups_in_order_and_the_highest_is_as_low_as_possible() {
        assert_eq!(balanced(&[3.0, 3.0, 4.0, 2.0, 6.0], 3), [2, 2, 1]);
        assert_eq!(balanced(&[9.0, 1.0, 1.0, 1.0], 2), [1, 3]);
        assert_eq!(balanced(&[2.0, 2.0], 4), [1, 1]);
        assert_eq!(balanced(&[5.0, 4.0, 3.0], 1), [3]);
        assert!(balanced(&[], 4).is_empty());
        // Against every arrangement.
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..200 {
            let heights: Vec<f32> = (0..random.usize(1..8)).map(|_| random.u8(1..40).into()).collect();
            let count = random.usize(1..5);
            let highest = |columns: &[usize]| {
                let mut rest = heights.iter();
                columns.iter().map(|groups| rest.by_ref().take(*groups).sum::<f32>()).fold(0.0, f32::max)
            };
            let found = balanced(&heights, count);
            assert_eq!(found.iter().sum::<usize>(), heights.len());
            assert!(found.len() <= count);
            for cuts in 0..1_u32 << (heights.len() - 1) {
                let mut columns = vec![1];
                for group in 1..heights.len() {
                    match cuts >> (group - 1) & 1 {
                        1 => columns.push(1),
                        _ => *columns.last_mut().expect("a column") += 1,
                    }
                }
                assert!(columns.len() > count || highest(&columns) >= highest(&found), "{heights:?} in {count}");
            }
        }
    }
}
