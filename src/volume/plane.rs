//! Planes through a volume: orientation, position, and the map from a plane's samples to positions in the volume.

use std::fmt;

use crate::image::Size;
use crate::rows::rows;
use crate::text::number_text;

/// The properties of a main plane.
#[derive(Clone, Copy, Debug)]
pub struct MainPlaneRow {
    /// The plane.
    pub plane: MainPlane,
    /// Its name on the command line and in session files.
    pub name: &'static str,
    /// Its name in the window.
    pub title: &'static str,
    /// One-line description.
    pub help: &'static str,
    /// The axis along its normal: 0 for x, 1 for y, 2 for z.
    pub normal: usize,
}

rows! {
    /// A plane along two axes of a volume, by the name that viewers of medical images give it.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum MainPlane {
        /// x and y, at a z.
        #[default]
        Axial => { name: "axial", title: "Axial", help: "x and y, at a z: a slice of the file", normal: 2 },
        /// x and z, at a y.
        Coronal => { name: "coronal", title: "Coronal", help: "x and z, at a y; z runs up", normal: 1 },
        /// y and z, at an x.
        Sagittal => { name: "sagittal", title: "Sagittal", help: "y and z, at an x; z runs up", normal: 0 },
    }

    /// The main planes, in menu order.
    pub static MAIN_PLANES: [MainPlaneRow { plane, .. }];

    impl by_name, Display;
}

/// Orientation of a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Orientation {
    /// Along two axes.
    Main(MainPlane),
    /// The axial plane, tilted about its x axis and then turned about the z axis, in degrees: 90, 0 is the coronal plane.
    Oblique {
        /// Angle about the x axis.
        tilt_deg: f64,
        /// Angle about the z axis.
        turn_deg: f64,
    },
}

impl Orientation {
    /// Largest angle, in degrees.
    pub const MAX_DEG: f64 = 360.0;

    /// Whether it is not along the axes.
    pub fn is_oblique(self) -> bool {
        matches!(self, Self::Oblique { .. })
    }

    /// Tilt and turn in degrees of the same orientation, up to the direction of the axes.
    pub fn angles_deg(self) -> [f64; 2] {
        match self {
            Self::Main(MainPlane::Axial) => [0.0, 0.0],
            Self::Main(MainPlane::Coronal) => [90.0, 0.0],
            Self::Main(MainPlane::Sagittal) => [90.0, 90.0],
            Self::Oblique { tilt_deg, turn_deg } => [tilt_deg, turn_deg],
        }
    }
}

impl Default for Orientation {
    fn default() -> Self {
        Self::Main(MainPlane::Axial)
    }
}

impl fmt::Display for Orientation {
    /// `axial`, `coronal`, `sagittal`, or tilt and turn with a comma between.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Main(plane) => plane.fmt(f),
            Self::Oblique { tilt_deg, turn_deg } => {
                write!(f, "{},{}", number_text(*tilt_deg), number_text(*turn_deg))
            }
        }
    }
}

/// A plane through a volume. A page that is no volume ignores it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Plane {
    /// Its orientation.
    pub orientation: Orientation,
    /// Its position along its normal; `None` is the middle. Of a main plane in samples of the axis, sample k at k; of an
    /// oblique one the distance from the centre of the volume, in units of the closest samples.
    pub slice: Option<f64>,
    /// Position in time of a volume that changes, in samples: its first time is 0. Any other volume ignores it.
    pub time: f64,
}

impl Plane {
    /// Largest distance from the first sample or from the centre.
    pub const MAX_SLICE: f64 = 1e6;
    /// Largest distance from the first time.
    pub const MAX_TIME: f64 = 1e6;
}

/// Number of samples and their distances along x, y and z of a volume, the number of its times, and the direction of its rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VolumeShape {
    /// Number of samples.
    pub size: [u32; 3],
    /// Number of times: 1 of a volume that does not change.
    pub times: u32,
    /// Distance of neighbouring samples, above 0; the ratios count.
    pub spacing: [f64; 3],
    /// Whether y runs up in an axial plane, as in files of medical images, rather than down, as the rows of a picture.
    pub is_y_up: bool,
}

impl VolumeShape {
    /// Least and greatest position of a plane inside the volume.
    pub fn range(&self, orientation: Orientation) -> [f64; 2] {
        match orientation {
            Orientation::Main(plane) => [0.0, f64::from(self.size[plane.row().normal] - 1)],
            Orientation::Oblique { .. } => {
                let [_, _, normal] = self.directions(orientation);
                let reach = self.reach(normal);
                [-reach, reach]
            }
        }
    }

    /// The middle position: of a main plane the sample behind the middle, or in it.
    pub fn middle(&self, orientation: Orientation) -> f64 {
        match orientation {
            Orientation::Main(plane) => f64::from(self.size[plane.row().normal] / 2),
            Orientation::Oblique { .. } => 0.0,
        }
    }

    /// Position of `plane` along its normal.
    pub fn position(&self, plane: &Plane) -> f64 {
        plane.slice.unwrap_or_else(|| self.middle(plane.orientation))
    }

    /// Position of `plane` in time; 0 of a volume that does not change.
    pub fn time(&self, plane: &Plane) -> f64 {
        if self.times > 1 { plane.time } else { 0.0 }
    }

    /// The last time.
    pub fn last_time(&self) -> f64 {
        f64::from(self.times - 1)
    }

    /// Distance of the samples of a plane along its x and y, in units of the closest samples of the volume.
    pub fn steps(&self, orientation: Orientation) -> [f64; 2] {
        let unit = self.unit();
        let [x, y, z] = self.spacing.map(|spacing| spacing / unit);
        match orientation {
            Orientation::Main(MainPlane::Axial) => [x, y],
            Orientation::Main(MainPlane::Coronal) => [x, z],
            Orientation::Main(MainPlane::Sagittal) => [y, z],
            Orientation::Oblique { .. } => [1.0; 2],
        }
    }

    /// The map from the samples of `plane` to positions in the volume.
    ///
    /// ```text
    ///   axial          coronal        sagittal       oblique
    ///   ┌──▶ x         z              z              the axial plane, tilted about its x axis,
    ///   │              ▲              ▲              then turned about z; its samples are as far
    ///   ▼ y            └──▶ x         └──▶ y         apart as the closest samples of the volume
    /// ```
    pub fn frame(&self, plane: &Plane) -> PlaneFrame {
        let last = self.size.map(|len| f64::from(len - 1));
        let position = self.position(plane);
        let down = if self.is_y_up { -1.0 } else { 1.0 };
        let y_origin = if self.is_y_up { last[1] } else { 0.0 };
        let [width, height, depth] = self.size;
        match plane.orientation {
            Orientation::Main(MainPlane::Axial) => PlaneFrame {
                origin: [0.0, y_origin, position],
                across: [1.0, 0.0, 0.0],
                down: [0.0, down, 0.0],
                normal: [0.0, 0.0, 1.0],
                sides: [width, height],
            },
            Orientation::Main(MainPlane::Coronal) => PlaneFrame {
                origin: [0.0, position, last[2]],
                across: [1.0, 0.0, 0.0],
                down: [0.0, 0.0, -1.0],
                normal: [0.0, 1.0, 0.0],
                sides: [width, depth],
            },
            Orientation::Main(MainPlane::Sagittal) => PlaneFrame {
                origin: [position, 0.0, last[2]],
                across: [0.0, 1.0, 0.0],
                down: [0.0, 0.0, -1.0],
                normal: [1.0, 0.0, 0.0],
                sides: [height, depth],
            },
            Orientation::Oblique { .. } => {
                let directions = self.directions(plane.orientation);
                // Two times the reach is a whole number up to rounding for planes along the axes.
                let sides = [0, 1].map(|axis| (2.0 * self.reach(directions[axis]) - 1e-6).ceil().max(0.0) as u32 + 1);
                let half = sides.map(|side| f64::from(side - 1) / 2.0);
                let unit = self.unit();
                let [across, down, normal] =
                    directions.map(|direction| [0, 1, 2].map(|axis| direction[axis] * unit / self.spacing[axis]));
                let origin = [0, 1, 2].map(|axis| {
                    last[axis] / 2.0 - half[0] * across[axis] - half[1] * down[axis] + position * normal[axis]
                });
                PlaneFrame { origin, across, down, normal, sides }
            }
        }
    }

    /// Corners of the part of `plane` inside the volume, which ends half a sample behind its outermost samples: a convex polygon in
    /// positions of the plane; empty if there is none.
    pub fn outline(&self, plane: &Plane) -> Vec<[f64; 2]> {
        let frame = self.frame(plane);
        let [columns, rows] = frame.sides.map(f64::from);
        // More than the volume has beyond its outermost samples.
        let margin = columns + rows;
        let (right, bottom) = (columns + margin, rows + margin);
        let mut corners = vec![[-margin, -margin], [right, -margin], [right, bottom], [-margin, bottom]];
        for axis in 0..3 {
            for (side, edge) in [(1.0, -0.5), (-1.0, f64::from(self.size[axis]) - 0.5)] {
                let inside = |corner: [f64; 2]| side * (frame.at(corner)[axis] - edge);
                let whole = std::mem::take(&mut corners);
                for (index, &to) in whole.iter().enumerate() {
                    let from = whole[(index + whole.len() - 1) % whole.len()];
                    let (before, after) = (inside(from), inside(to));
                    if (before > 0.0) != (after > 0.0) {
                        let part = before / (before - after);
                        corners.push([0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * part));
                    }
                    if after > 0.0 {
                        corners.push(to);
                    }
                }
            }
        }
        corners
    }

    /// Position in `plane` of the point that is nearest to a position in the volume.
    pub fn nearest(&self, plane: &Plane, place: [f64; 3]) -> [f64; 2] {
        let frame = self.frame(plane);
        let product =
            |a: [f64; 3], b: [f64; 3]| (0..3).map(|axis| a[axis] * b[axis] * self.spacing[axis].powi(2)).sum::<f64>();
        let from_origin = [0, 1, 2].map(|axis| place[axis] - frame.origin[axis]);
        [frame.across, frame.down].map(|step| product(from_origin, step) / product(step, step))
    }

    /// Distance of the closest samples.
    fn unit(&self) -> f64 {
        self.spacing.into_iter().fold(f64::INFINITY, f64::min)
    }

    /// Unit vectors along x and y of a plane and along its normal, with y as it runs and distances as they are.
    fn directions(&self, orientation: Orientation) -> [[f64; 3]; 3] {
        let [(tilt_sin, tilt_cos), (turn_sin, turn_cos)] = orientation.angles_deg().map(sin_cos_deg);
        let down = if self.is_y_up { -1.0 } else { 1.0 };
        [
            [turn_cos, down * turn_sin, 0.0],
            [-turn_sin * tilt_cos, down * turn_cos * tilt_cos, -tilt_sin],
            [-turn_sin * tilt_sin, down * turn_cos * tilt_sin, tilt_cos],
        ]
    }

    /// Distance along `direction` from the centre to the farthest corner sample, in units of the closest samples.
    fn reach(&self, direction: [f64; 3]) -> f64 {
        let unit = self.unit();
        (0..3)
            .map(|axis| f64::from(self.size[axis] - 1) / 2.0 * self.spacing[axis] / unit * direction[axis].abs())
            .sum()
    }
}

/// Sine and cosine, exact for multiples of a right angle.
fn sin_cos_deg(angle_deg: f64) -> (f64, f64) {
    let turns = angle_deg.rem_euclid(360.0);
    match turns {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        _ => turns.to_radians().sin_cos(),
    }
}

/// The map from positions in a plane to positions in its volume, both in samples. Sample (m, n) of the plane is at x = m,
/// y = n.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneFrame {
    /// Position of the plane's sample (0, 0): along x, y and z of the volume.
    pub origin: [f64; 3],
    /// Step from a sample of the plane to the next along its x.
    pub across: [f64; 3],
    /// Step from a sample of the plane to the next along its y.
    pub down: [f64; 3],
    /// Step for a position of the plane that is larger by 1.
    pub normal: [f64; 3],
    /// Number of columns and rows.
    pub sides: [u32; 2],
}

impl PlaneFrame {
    /// Position in the volume of a position in the plane.
    pub fn at(&self, [x, y]: [f64; 2]) -> [f64; 3] {
        [0, 1, 2].map(|axis| self.origin[axis] + x * self.across[axis] + y * self.down[axis])
    }

    /// Size of the plane in samples.
    ///
    /// # Panics
    /// Never for the planes of a [`Volume`](super::Volume), whose sides are in range.
    pub fn size(&self) -> Size {
        Size::new(self.sides[0], self.sides[1]).expect("sides of a volume's plane are in range")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: VolumeShape = VolumeShape { size: [5, 7, 9], times: 1, spacing: [1.0; 3], is_y_up: false };

    fn oblique(tilt_deg: f64, turn_deg: f64) -> Orientation {
        Orientation::Oblique { tilt_deg, turn_deg }
    }

    #[test]
    fn main_planes_have_their_axes_and_the_samples_of_the_volume() {
        let frame =
            |plane, slice| SHAPE.frame(&Plane { orientation: Orientation::Main(plane), slice: Some(slice), time: 0.0 });
        assert_eq!(frame(MainPlane::Axial, 2.5).at([1.0, 2.0]), [1.0, 2.0, 2.5]);
        assert_eq!(frame(MainPlane::Coronal, 2.5).at([1.0, 2.0]), [1.0, 2.5, 6.0], "z runs up");
        assert_eq!(frame(MainPlane::Sagittal, 2.5).at([1.0, 2.0]), [2.5, 1.0, 6.0]);
        let up = VolumeShape { is_y_up: true, ..SHAPE };
        assert_eq!(up.frame(&Plane::default()).at([1.0, 2.0]), [1.0, 4.0, 4.0], "y runs up");
        assert_eq!(MAIN_PLANES.each_ref().map(|row| SHAPE.middle(Orientation::Main(row.plane))), [4.0, 3.0, 2.0]);
    }

    #[test]
    fn oblique_planes_at_right_angles_are_the_main_planes() {
        let same = |orientation, plane, slice| {
            let oblique = SHAPE.frame(&Plane { orientation, slice: Some(slice), time: 0.0 });
            let range = SHAPE.range(Orientation::Main(plane));
            let main = Plane {
                orientation: Orientation::Main(plane),
                slice: Some(slice + (range[0] + range[1]) / 2.0),
                time: 0.0,
            };
            assert_eq!(oblique, SHAPE.frame(&main), "{orientation}");
        };
        same(oblique(0.0, 0.0), MainPlane::Axial, 1.25);
        same(oblique(90.0, 0.0), MainPlane::Coronal, -0.5);
        // The normal of the plane that is turned by 90° points along −x.
        let frame = SHAPE.frame(&Plane { orientation: oblique(90.0, 90.0), slice: Some(0.5), time: 0.0 });
        assert_eq!((frame.at([1.0, 2.0]), frame.sides), ([1.5, 1.0, 6.0], [7, 9]));
    }

    #[test]
    fn outline_of_a_plane_is_the_edge_of_the_volume() {
        let outline = |orientation, slice| SHAPE.outline(&Plane { orientation, slice, time: 0.0 });
        let axial = outline(Orientation::default(), None);
        assert_eq!(axial.len(), 4);
        for [x, y] in axial {
            let is_near = |value: f64, ends: [f64; 2]| ends.iter().any(|end| (value - end).abs() < 1e-12);
            assert!(is_near(x, [-0.5, 4.5]) && is_near(y, [-0.5, 6.5]), "{x} {y}");
        }
        let slanted = oblique(50.0, 35.0);
        let corners = outline(slanted, None);
        assert!((3..=6).contains(&corners.len()), "{corners:?}");
        let frame = SHAPE.frame(&Plane { orientation: slanted, slice: None, time: 0.0 });
        for corner in corners {
            let place = frame.at(corner);
            let excess = |axis: usize| {
                (place[axis] - f64::from(SHAPE.size[axis] - 1) / 2.0).abs() - f64::from(SHAPE.size[axis]) / 2.0
            };
            let excess = [0, 1, 2].map(excess);
            // Every corner is on an edge: on two sides of the volume.
            assert!(excess.iter().all(|excess| *excess < 1e-9), "{place:?}");
            assert_eq!(excess.iter().filter(|excess| excess.abs() < 1e-9).count(), 2, "{place:?}");
        }
        assert!(outline(slanted, Some(40.0)).is_empty(), "the plane does not meet the volume");
    }

    #[test]
    fn oblique_plane_has_unit_steps_at_right_angles_around_the_centre_and_holds_every_corner() {
        let shape = VolumeShape { spacing: [0.5, 0.5, 2.0], ..SHAPE };
        let plane = Plane { orientation: oblique(33.0, -21.0), slice: Some(0.75), time: 0.0 };
        let frame = shape.frame(&plane);
        let in_space = |step: [f64; 3]| [0, 1, 2].map(|axis| step[axis] * shape.spacing[axis]);
        let product = |a: [f64; 3], b: [f64; 3]| (0..3).map(|axis| a[axis] * b[axis]).sum::<f64>();
        let vectors = [frame.across, frame.down, frame.normal].map(in_space);
        for (i, a) in vectors.into_iter().enumerate() {
            for (j, b) in vectors.into_iter().enumerate() {
                let expected = if i == j { 0.25 } else { 0.0 };
                assert!((product(a, b) - expected).abs() < 1e-12, "{i} {j}");
            }
        }
        let centre = frame.at(frame.sides.map(|side| f64::from(side - 1) / 2.0));
        for (axis, at) in centre.into_iter().enumerate() {
            let expected = f64::from(SHAPE.size[axis] - 1) / 2.0 + 0.75 * frame.normal[axis];
            assert!((at - expected).abs() < 1e-12);
        }
        for corner in 0..8 {
            let from_origin = in_space([0, 1, 2].map(|axis| {
                let at = if corner >> axis & 1 == 1 { f64::from(SHAPE.size[axis] - 1) } else { 0.0 };
                at - frame.origin[axis]
            }));
            let [x, y] = [frame.across, frame.down].map(|step| product(in_space(step), from_origin) / 0.25);
            assert!((-1.0..=f64::from(frame.sides[0])).contains(&x), "{x}");
            assert!((-1.0..=f64::from(frame.sides[1])).contains(&y), "{y}");
        }
        let [low, high] = shape.range(plane.orientation);
        assert!(low == -high && high > 8.0);
        let place = frame.at([2.25, -1.5]);
        let beside = [0, 1, 2].map(|axis| place[axis] + 3.0 * frame.normal[axis]);
        let [x, y] = shape.nearest(&plane, beside);
        assert!((x - 2.25).abs() < 1e-12 && (y + 1.5).abs() < 1e-12, "{x} {y}");
    }
}
