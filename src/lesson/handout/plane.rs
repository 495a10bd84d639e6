//! The plane of cubics under the designer's kernel, as SVG: regions, Keys' line, cubics with names, and the kernel's own point.

use std::fmt::Write as _;

use crate::lab::cubics::{CubicRegion, CubicTraits, NAMED_CUBICS, NamedCubic, PLANE_RANGE};
use crate::sampling::Method;

/// Side of the plane, and room for numbers at the left of it and below, in pixels.
const SIDE: f64 = 360.0;
const LEFT: f64 = 34.0;
const BELOW: f64 = 36.0;
/// Room above and at the right, in pixels.
const ROOM: f64 = 8.0;
/// Cells along a side that are filled by their region.
const CELLS: u32 = 60;
/// Radius of the kernel's point, in pixels.
const RADIUS: f64 = 7.0;

/// The plane with the point of `method`; empty for a method that is no cubic.
pub(super) fn html(method: Method) -> String {
    let Some([b, c]) =
        Method::CATMULL_ROM.form().numbers_of(method).and_then(|numbers| <[f64; 2]>::try_from(numbers).ok())
    else {
        return String::new();
    };
    let (width, height) = (LEFT + SIDE + ROOM, ROOM + SIDE + BELOW);
    let mut svg = format!(
        "<figure class=\"plane\">\n<svg role=\"img\" aria-label=\"Plane of cubics: B {b:.3}, C {c:.3}\" \
         viewBox=\"0 0 {width} {height}\">\n"
    );
    push_regions(&mut svg);
    push_lines(&mut svg);
    for row in &NAMED_CUBICS {
        let [x, y] = at([row.b, row.c]);
        let [dx, dy, anchor] = match row.cubic {
            NamedCubic::Mitchell => ["-7", "14", "end"],
            NamedCubic::BSpline => ["0", "19", "middle"],
            NamedCubic::Hermite | NamedCubic::Robidoux => ["7", "14", "start"],
            NamedCubic::RobidouxSharp | NamedCubic::CatmullRom | NamedCubic::OpenCv | NamedCubic::Keys1 => {
                ["7", "-6", "start"]
            }
        };
        let _ = writeln!(svg, "<circle class=\"named\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"/>");
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" dx=\"{dx}\" dy=\"{dy}\" text-anchor=\"{anchor}\">{}</text>",
            row.title
        );
    }
    // Outside of the shown range the point stays at the edge.
    let [x, y] = at([b, c].map(|number| number.clamp(PLANE_RANGE[0], PLANE_RANGE[1])));
    let _ = writeln!(svg, "<circle class=\"chosen\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\"/>");
    let _ = write!(
        svg,
        "</svg>\n<figcaption><span class=\"label\">Plane of cubics. The filled point is the kernel: B = {b:.3}, C = {c:.3}\
         </span></figcaption>\n</figure>\n"
    );
    svg
}

/// Place of B and C in the drawing: B runs right, C runs up.
fn at([b, c]: [f64; 2]) -> [f64; 2] {
    let share = |value: f64| (value - PLANE_RANGE[0]) / (PLANE_RANGE[1] - PLANE_RANGE[0]);
    [LEFT + SIDE * share(b), ROOM + SIDE * (1.0 - share(c))]
}

/// The cells of a row with equal regions as one rectangle, and the names of the regions.
fn push_regions(svg: &mut String) {
    let step = (PLANE_RANGE[1] - PLANE_RANGE[0]) / f64::from(CELLS);
    let edge = |cell: u32| PLANE_RANGE[0] + step * f64::from(cell);
    let region = |column: u32, row: u32| {
        let middle = [column, row].map(|cell| edge(cell) + 0.5 * step);
        CubicTraits::of(middle).map_or(CubicRegion::Rings, |traits| traits.region())
    };
    for row in 0..CELLS {
        let mut start = 0;
        while start < CELLS {
            let here = region(start, row);
            let end = (start..CELLS).find(|&column| region(column, row) != here).unwrap_or(CELLS);
            let class = match here {
                CubicRegion::Rings => "rings",
                CubicRegion::Blurs => "blurs",
                CubicRegion::Blocks => "blocks",
                CubicRegion::Balanced => "balanced",
            };
            let ([left, top], [right, bottom]) = (at([edge(start), edge(row + 1)]), at([edge(end), edge(row)]));
            let (width, height) = (right - left, bottom - top);
            let _ = writeln!(
                svg,
                "<rect class=\"{class}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
            );
            start = end;
        }
    }
    for (name, place) in
        [("rings", [-0.13, 0.85]), ("blurs", [1.13, 0.17]), ("blocks", [0.85, 0.9]), ("balanced", [0.8, 0.45])]
    {
        let [x, y] = at(place);
        let _ = writeln!(svg, "<text class=\"region\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{name}</text>");
    }
}

/// The axes with their numbers, and Keys' line.
fn push_lines(svg: &mut String) {
    let [low, high] = PLANE_RANGE;
    let keys = [low, high].map(|b| [b, (1.0 - b) / 2.0]);
    for (class, ends) in [("axis", [[0.0, low], [0.0, high]]), ("axis", [[low, 0.0], [high, 0.0]]), ("keys", keys)] {
        let [[x1, y1], [x2, y2]] = ends.map(at);
        let _ = writeln!(svg, "<path class=\"{class}\" d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\"/>");
    }
    let [x, y] = at([0.68, 0.19]);
    let _ = writeln!(svg, "<text class=\"of-keys\" x=\"{x:.1}\" y=\"{y:.1}\">B + 2C = 1</text>");
    let (left, bottom) = (LEFT - 5.0, ROOM + SIDE + 15.0);
    for number in [0.0, 0.5, 1.0] {
        let [x, y] = at([number; 2]);
        let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{bottom:.1}\" text-anchor=\"middle\">{number}</text>");
        let _ = writeln!(svg, "<text x=\"{left:.1}\" y=\"{:.1}\" text-anchor=\"end\">{number}</text>", y + 4.0);
    }
    let (right, top) = (LEFT + SIDE, ROOM + 12.0);
    let _ = writeln!(svg, "<text x=\"{right:.1}\" y=\"{bottom:.1}\" text-anchor=\"end\">B</text>");
    let _ = writeln!(svg, "<text x=\"{left:.1}\" y=\"{top:.1}\" text-anchor=\"end\">C</text>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plane_has_the_named_cubics_and_the_point_of_the_kernel() {
        let svg = html(Method::cubic(0.5, 0.25).expect("a cubic"));
        assert_eq!(svg.matches("class=\"named\"").count(), NAMED_CUBICS.len());
        // Half of the range along B, a third along C: the range is that from −¼ to 1¼.
        assert!(svg.contains("class=\"chosen\" cx=\"214.0\" cy=\"248.0\""), "{svg}");
        // Keys' line leaves the range at its sides.
        assert!(svg.contains("class=\"keys\" d=\"M34.0 158.0L394.0 338.0\""), "{svg}");
        assert!(svg.contains("B = 0.500, C = 0.250"));
        let shares: f64 = svg
            .split("<rect ")
            .skip(1)
            .filter_map(|rect| rect.split(" width=\"").nth(1)?.split('"').next()?.parse::<f64>().ok())
            .sum();
        assert!((shares - SIDE * f64::from(CELLS)).abs() < 30.0, "the regions fill the plane: {shares}");
        let far = html(Method::cubic(1.5, 0.0).expect("a cubic"));
        assert!(far.contains("class=\"chosen\" cx=\"394.0\""), "a point out of the range is at the edge");
        assert_eq!(html(Method::LANCZOS3), "");
    }
}
