//! What a step marks in its pictures, as a drawing over them: pins, the line that joins them, a region, the profile line.

use std::fmt::Write as _;

use toml::{Table, Value};

use super::charts::numbers;
use super::table;
use crate::lesson::scene::number_of;
use crate::view::ImageFromOutput;

/// Radius of a pin and distance of its number, in pixels.
const RADIUS: f64 = 6.0;
const NUMBER: f64 = 9.0;

/// The marks of a session, in samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Marks {
    pins: Vec<[f64; 2]>,
    /// Whether a line joins the pins.
    are_joined: bool,
    /// Left, top, right and bottom sample.
    region: Option<[f64; 4]>,
    line: Option<[[f64; 2]; 2]>,
}

impl Marks {
    /// The marks of `session`.
    pub(super) fn of(session: &Table) -> Self {
        let Some(inspect) = table(session, "inspect") else { return Self::default() };
        let places = |key: &str| {
            let list = inspect.get(key).and_then(Value::as_array);
            list.into_iter().flatten().filter_map(place).collect::<Vec<_>>()
        };
        Self {
            pins: places("pins"),
            are_joined: inspect.get("pins-joined").and_then(Value::as_bool) == Some(true),
            region: numbers(inspect, "region").and_then(|list| list.try_into().ok()),
            line: places("line").try_into().ok(),
        }
    }

    /// The drawing over a picture; empty without marks.
    pub(super) fn svg(&self, map: &ImageFromOutput) -> String {
        let at = |pos: [f64; 2]| map.inverse_at(pos).map(|place| place + 0.5);
        let mut drawn = String::new();
        if let Some([left, top, right, bottom]) = self.region {
            let corners = [[left, top], [right + 1.0, top], [right + 1.0, bottom + 1.0], [left, bottom + 1.0]];
            let corners = corners.map(|corner| at(corner.map(|place| place - 0.5)));
            push_line(&mut drawn, &corners, "polygon");
        }
        if let Some(ends) = self.line {
            push_line(&mut drawn, &ends.map(at), "polyline");
        }
        let pins: Vec<[f64; 2]> = self.pins.iter().map(|pin| at(*pin)).collect();
        if self.are_joined {
            push_line(&mut drawn, &pins, "polyline");
        }
        for (number, [x, y]) in (1..).zip(&pins) {
            let (right, up) = (x + NUMBER, y - NUMBER);
            let _ = writeln!(drawn, "<circle class=\"pin\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\"/>");
            let _ = writeln!(drawn, "<text class=\"pin-number\" x=\"{right:.1}\" y=\"{up:.1}\">{number}</text>");
        }
        drawn
    }
}

/// A pair of numbers.
pub(super) fn place(value: &Value) -> Option<[f64; 2]> {
    let list: Option<Vec<f64>> = value.as_array()?.iter().map(number_of).collect();
    list?.try_into().ok()
}

/// Adds a line through `points`, dark under light, so that it is seen on any picture.
fn push_line(drawn: &mut String, points: &[[f64; 2]], element: &str) {
    let points: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
    let points = points.join(" ");
    for class in ["under", "over"] {
        let _ = writeln!(drawn, "<{element} class=\"{class}\" points=\"{points}\"/>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::size;
    use crate::view::View;

    #[test]
    fn marks_stand_where_the_picture_shows_their_samples() {
        let map = View::default().image_from_output(size(8, 6), size(8, 6));
        let marks = |text: &str| Marks::of(&text.parse().expect("TOML")).svg(&map);
        assert_eq!(marks("images = []"), "");
        assert_eq!(marks("[inspect]\nhistogram = true"), "");
        let pins = marks("[inspect]\npins = [[2, 3], [4.5, 1]]");
        assert!(
            pins.contains("<circle class=\"pin\" cx=\"2.5\" cy=\"3.5\"")
                && pins.contains("<circle class=\"pin\" cx=\"5.0\" cy=\"1.5\""),
            "{pins}"
        );
        assert!(!pins.contains("polyline") && pins.contains(">2</text>"), "{pins}");
        let joined = marks("[inspect]\npins = [[2, 3], [4.5, 1]]\npins-joined = true");
        assert!(joined.contains("<polyline class=\"over\" points=\"2.5,3.5 5.0,1.5\"/>"), "{joined}");
        let region = marks("[inspect]\nregion = [1, 2, 3, 4]");
        assert!(region.contains("<polygon class=\"under\" points=\"1.0,2.0 4.0,2.0 4.0,5.0 1.0,5.0\"/>"), "{region}");
        let line = marks("[inspect]\nline = [[0, 0], [1, 1.5]]");
        assert!(line.contains("points=\"0.5,0.5 1.5,2.0\""), "{line}");
    }
}
