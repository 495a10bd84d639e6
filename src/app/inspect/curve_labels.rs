//! Places of labels on curves: each stands on its own curve where the other curves are far away.

/// Least distance of the middle of a label from the other curves, from the edges of the plot and from the line of the value 0, and of the middles
/// of two labels, in points.
const CLEAR: f64 = 4.5;
const EDGE: f64 = 6.0;
const FROM_ZERO: f64 = 9.0;
const APART: f64 = 12.0;
/// Least distance of a label from the left edge, in points.
const LEFT: f64 = 22.0;
/// Least distance of a label from the corners of its own curve, in points, and the cosine of the angle between two parts at a corner.
const FROM_CORNER: f64 = 8.0;
const CORNER_COSINE: f64 = 0.7;
/// Distance from other curves beyond which a place is no better, and the distance for which a label stands on a level part of its curve rather
/// than on an upright one, in points.
const FAR: f64 = 24.0;
const FOR_LEVEL: f64 = 16.0;
/// The distance for which a label stands higher above or lower below the line of the value 0, up to a share of the plot's height, in points.
const FOR_HEIGHT: f64 = 8.0;
const HIGH: f64 = 0.4;
/// Number of places on a curve that are looked at, and of the parts of another curve from which their distances are measured.
const PLACES: usize = 64;

/// A point of a plot, in points from its upper left.
pub(super) type Point = [f64; 2];

/// A place on each of `curves`, whose points are inside a plot of `size`, both in points; `None` without a free one. Labels of earlier curves
/// come first; curves that are near others everywhere, as two that are alike are, come last, and are near one another. None is at the height
/// `zero`, where all curves end.
pub(super) fn label_places(curves: &[Vec<Point>], size: [f64; 2], zero: f64) -> Vec<Option<Point>> {
    let reduced: Vec<Vec<Point>> = curves.iter().map(|curve| spaced(curve)).collect();
    let mut placed: Vec<Option<Point>> = vec![None; curves.len()];
    for is_last in [false, true] {
        let without: Vec<bool> = placed.iter().map(Option::is_none).collect();
        for index in (0..curves.len()).filter(|index| without[*index]) {
            let is_other = |other: &usize| *other != index && !(is_last && without[*other]);
            let others: Vec<&Vec<Point>> = (0..curves.len()).filter(is_other).map(|other| &reduced[other]).collect();
            let taken: Vec<Point> = placed.iter().flatten().copied().collect();
            placed[index] = best_place((&curves[index], &reduced[index]), &others, &taken, (size, zero));
        }
    }
    placed
}

/// The best place on a curve, given with all its points and with those at equal distances, beside `others` and labels that are `taken`.
fn best_place(
    (whole, curve): (&[Point], &[Point]),
    others: &[&Vec<Point>],
    taken: &[Point],
    (size, zero): ([f64; 2], f64),
) -> Option<Point> {
    let corners = corners_of(whole);
    let is_free = |place: &Point| {
        let is_inside = place[0] >= LEFT && (0..2).all(|axis| (EDGE..=size[axis] - EDGE).contains(&place[axis]));
        is_inside
            && corners.iter().all(|corner| distance(*corner, *place) >= FROM_CORNER)
            && (place[1] - zero).abs() >= FROM_ZERO
            && taken.iter().all(|label| distance(*label, *place) >= APART)
    };
    let clearance = |place: &Point| {
        let parts = others.iter().flat_map(|curve| curve.windows(2));
        parts.map(|part| from_segment(*place, part[0], part[1])).fold(FAR, f64::min)
    };
    let places = curve.windows(2).map(|part| (part[0], levelness(part[0], part[1])));
    let scored = places.filter_map(|(place, levelness)| {
        let clearance = is_free(&place).then(|| clearance(&place)).filter(|clearance| *clearance >= CLEAR)?;
        let height = ((place[1] - zero).abs() / (HIGH * size[1])).min(1.0);
        Some((clearance + FOR_LEVEL * levelness + FOR_HEIGHT * height, place))
    });
    let better = |best: (f64, Point), other: (f64, Point)| if other.0 > best.0 { other } else { best };
    scored.reduce(better).map(|(_, place)| place)
}

/// The points at which a curve turns sharply, as a step does.
fn corners_of(curve: &[Point]) -> Vec<Point> {
    let mut distinct = curve.to_vec();
    distinct.dedup();
    let is_corner = |points: &&[Point]| {
        let [first, second] = [0, 1].map(|part| [0, 1].map(|axis: usize| points[part + 1][axis] - points[part][axis]));
        let lengths = first[0].hypot(first[1]) * second[0].hypot(second[1]);
        first[0] * second[0] + first[1] * second[1] < CORNER_COSINE * lengths
    };
    distinct.windows(3).filter(is_corner).map(|points| points[1]).collect()
}

/// Points of a curve at equal distances along it.
fn spaced(curve: &[Point]) -> Vec<Point> {
    let length: f64 = curve.windows(2).map(|part| distance(part[0], part[1])).sum();
    let step = length / PLACES as f64;
    let (mut found, mut walked) = (Vec::new(), 0.0);
    for part in curve.windows(2) {
        let along = distance(part[0], part[1]);
        while step > 0.0 && found.len() as f64 * step <= walked + along {
            let share = ((found.len() as f64 * step - walked) / along.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
            found.push([0, 1].map(|axis: usize| part[0][axis] + share * (part[1][axis] - part[0][axis])));
        }
        walked += along;
    }
    found
}

/// Cosine of the angle of a part of a curve with the level: 0 of an upright one.
fn levelness(first: Point, second: Point) -> f64 {
    let length = distance(first, second);
    if length > 0.0 { (second[0] - first[0]).abs() / length } else { 0.0 }
}

fn distance(first: Point, second: Point) -> f64 {
    (first[0] - second[0]).hypot(first[1] - second[1])
}

/// Distance of `place` from the segment between two points.
fn from_segment(place: Point, first: Point, second: Point) -> f64 {
    let along = [0, 1].map(|axis: usize| second[axis] - first[axis]);
    let from = [0, 1].map(|axis: usize| place[axis] - first[axis]);
    let length = along[0] * along[0] + along[1] * along[1];
    let share = if length > 0.0 { ((from[0] * along[0] + from[1] * along[1]) / length).clamp(0.0, 1.0) } else { 0.0 };
    distance(place, [0, 1].map(|axis: usize| first[axis] + share * along[axis]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `count` points from the left to the right of a plot of 200 × 80.
    fn curve(height: impl Fn(f64) -> f64) -> Vec<Point> {
        (0..=200).map(f64::from).map(|x| [x, height(x)]).collect()
    }

    /// A tent from the line of the value 0 to the top: the foot of a side is as far from other curves as its upper part.
    #[test]
    fn label_of_a_lone_slope_stands_high() {
        let tent = curve(|x| 180.0 - 1.6 * (100.0 - (x - 100.0).abs()));
        let places = label_places(&[tent], [200.0, 200.0], 180.0);
        let [_, y] = places[0].expect("a place");
        assert!(180.0 - y >= HIGH * 200.0 - 2.0, "{y}");
    }

    #[test]
    fn label_stands_on_its_curve_where_the_others_are_far() {
        // They meet at the left, and are 40 points apart at the right.
        let curves = [curve(|_| 40.0), curve(|x| 40.0 + 0.1 * x), curve(|x| 40.0 - 0.1 * x)];
        let places = label_places(&curves, [200.0, 80.0], 90.0);
        for (index, (place, curve)) in places.iter().zip(&curves).enumerate() {
            let place = place.expect("a place");
            assert!(curve.windows(2).any(|part| from_segment(place, part[0], part[1]) < 1e-9), "{index}: {place:?}");
            assert!(place[0] > 80.0 && place[0] <= 194.0, "{index}: {place:?}");
            for other in (0..3).filter(|other| *other != index) {
                let distances = curves[other].windows(2).map(|part| from_segment(place, part[0], part[1]));
                assert!(distances.fold(f64::INFINITY, f64::min) >= CLEAR - 0.5, "{index} and {other}");
            }
        }
    }

    #[test]
    fn labels_are_apart_also_on_curves_that_are_alike() {
        let size = [200.0, 80.0];
        let alike = label_places(&[curve(|_| 40.0), curve(|_| 42.0), curve(|_| 70.0)], size, 90.0);
        let [Some(first), Some(second), Some(third)] = alike[..] else { panic!("{alike:?}") };
        assert_eq!([first[1], second[1], third[1]], [40.0, 42.0, 70.0]);
        assert!(distance(first, second) >= APART, "{alike:?}");
        let crossing = label_places(&[curve(|x| 10.0 + 0.3 * x), curve(|x| 70.0 - 0.3 * x)], size, 90.0);
        let [Some(first), Some(second)] = crossing[..] else { panic!("{crossing:?}") };
        assert!(distance(first, second) >= APART);
        assert_eq!(label_places(&[curve(|_| 79.0)], size, 90.0), [None], "at the edge of the plot");
        assert_eq!(label_places(&[curve(|_| 60.0)], size, 60.0), [None], "at the value 0");
        assert_eq!(label_places(&[Vec::new()], size, 90.0), [None]);
        assert!(label_places(&[], size, 90.0).is_empty());
    }

    #[test]
    fn label_of_a_step_stands_beside_its_corners() {
        let step = vec![[0.0, 70.0], [60.0, 70.0], [60.0, 10.0], [140.0, 10.0], [140.0, 70.0], [200.0, 70.0]];
        let [Some(place), _] = label_places(&[step.clone(), curve(|_| 66.0)], [200.0, 80.0], 70.0)[..] else {
            panic!("no place")
        };
        assert_eq!(corners_of(&step), step[1..5]);
        assert!(step[1..5].iter().all(|corner| distance(*corner, place) >= FROM_CORNER), "{place:?}");
        assert!(corners_of(&curve(|x| 40.0 + 30.0 * (x / 20.0).sin())).is_empty());
    }

    #[test]
    fn points_of_a_curve_have_equal_distances_also_along_steps() {
        let step = [[0.0, 10.0], [50.0, 10.0], [50.0, 60.0], [100.0, 60.0]];
        let places = spaced(&step);
        assert!(places.len() >= PLACES, "{}", places.len());
        for pair in places.windows(2) {
            assert!((distance(pair[0], pair[1]) - 150.0 / PLACES as f64).abs() < 1.0, "{pair:?}");
        }
        assert!(places.iter().any(|place| place[0] == 50.0 && place[1] > 20.0 && place[1] < 50.0));
    }
}
