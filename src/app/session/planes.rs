//! Planes of volumes: which one each panel shows, and how it moves.

use std::sync::Arc;

use super::Session;
use super::images::SizeChange;
use super::link::Link;
use crate::complex;
use crate::grid::VolumeFormula;
use crate::image::{Image, Page};
use crate::sampling::Sampler;
use crate::volume::{Orientation, Plane, Volume, VolumeShape, resolved};

impl Session {
    /// The volume of panel `index`; `None` if its image is none.
    pub fn volume_of(&self, index: usize) -> Option<Arc<Volume>> {
        Volume::of(self.base_page_of(index))
    }

    /// Plane of panel `index`, which counts if it shows a volume.
    pub fn plane_of(&self, index: usize) -> Plane {
        self.panels[index].plane
    }

    /// Shows the volume of a formula in the focused panel, opened unless it is open.
    pub(super) fn show_volume(&mut self, name: &str) {
        let focused = self.focused;
        if let Some(place) = self.images().iter().position(|image| image.name() == name) {
            return self.show_image_in(focused, place);
        }
        let volume = name.parse::<VolumeFormula>().ok().map(|formula| Volume::of_formula(&formula));
        if let Some(Ok(volume)) = volume {
            self.open_in(focused, Arc::new(Image::of_page(name, volume.into_page())));
        }
    }

    /// The page of the image of panel `index`: of a volume, its middle slice.
    pub(super) fn base_page_of(&self, index: usize) -> &Arc<Page> {
        &self.image_of(index).pages()[self.panels[index].page]
    }

    /// The page of panel `index`: of a volume, its plane, as the panel's method interpolates it along the normal and in time; of
    /// complex numbers, its component.
    pub fn page_of(&self, index: usize) -> Arc<Page> {
        let page = resolved(self.base_page_of(index), &self.panels[index].plane, &self.sampler_of(index));
        complex::resolved(&page, self.component_of(index))
    }

    /// The sampler that the pictures of panel `index` are rendered with. An oblique plane is not antialiased.
    pub(super) fn sampler_of(&self, index: usize) -> Sampler {
        self.on_plane(index, self.shown_sampler(index))
    }

    /// `sampler` as the plane of panel `index` takes it.
    pub(super) fn on_plane(&self, index: usize, sampler: Sampler) -> Sampler {
        let is_oblique = self.panels[index].plane.orientation.is_oblique() && self.volume_of(index).is_some();
        Sampler { antialias: sampler.antialias && !is_oblique, ..sampler }
    }

    /// Indices of the panels that follow the plane of panel `index`: those of the same image, unless panels are not linked.
    fn on_plane_of(&self, index: usize) -> Vec<usize> {
        match self.link {
            Link::Off => vec![index],
            Link::Absolute | Link::Relative => {
                let image = self.panels[index].image;
                (0..self.panels.len()).filter(|&other| self.panels[other].image == image).collect()
            }
        }
    }

    /// Sets the plane of panel `index` and of those that follow it. A plane of another orientation is fitted, with its samples
    /// as wide and as high as they are in the volume. Panels without a volume stay.
    pub fn set_plane(&mut self, index: usize, plane: Plane) {
        let Some(volume) = self.panels.get(index).and_then(|_| self.volume_of(index)) else { return };
        let shape = *volume.shape();
        let plane = limited(&shape, plane);
        let before = self.sizes();
        let turned = shape.steps(self.panels[index].plane.orientation) != shape.steps(plane.orientation);
        let is_new = !is_alike(self.panels[index].plane.orientation, plane.orientation);
        let followers = self.on_plane_of(index);
        for &follower in &followers {
            self.panels[follower].plane = plane;
        }
        self.follow_sizes(&before, if is_new { SizeChange::Fit } else { SizeChange::KeepPlace });
        if turned {
            self.square_samples(&followers);
        }
    }

    /// Sets the plane of panel `index` alone; its view is fitted. A picture ignores its plane.
    pub(super) fn set_plane_in(&mut self, index: usize, plane: Plane) {
        let before = self.sizes();
        let plane = self.volume_of(index).map_or(plane, |volume| limited(volume.shape(), plane));
        self.panels[index].plane = plane;
        self.follow_sizes(&before, SizeChange::Fit);
        self.square_samples(&[index]);
    }

    /// Moves the plane of panel `index` along its normal by `by` samples, within the volume.
    pub fn step_slice(&mut self, index: usize, by: f64) {
        let Some(volume) = self.volume_of(index) else { return };
        let plane = self.panels[index].plane;
        let [least, greatest] = volume.shape().range(plane.orientation);
        let position = (volume.shape().position(&plane) + by).clamp(least, greatest);
        self.set_plane(index, Plane { slice: Some(position), ..plane });
    }

    /// Whether the plane of panel `index` can move along its normal, forwards or back.
    pub fn can_step_slice(&self, index: usize, forwards: bool) -> bool {
        self.volume_of(index).is_some_and(|volume| {
            let plane = self.panels[index].plane;
            let [least, greatest] = volume.shape().range(plane.orientation);
            let position = volume.shape().position(&plane);
            if forwards { position < greatest } else { position > least }
        })
    }

    /// Whether panel `index` shows a volume that changes with time.
    pub fn has_times(&self, index: usize) -> bool {
        self.volume_of(index).is_some_and(|volume| volume.shape().times > 1)
    }

    /// Moves panel `index`, and those that follow its plane, by `by` samples in time, within the times.
    pub fn step_time(&mut self, index: usize, by: f64) {
        let plane = self.plane_of(index);
        self.set_plane(index, Plane { time: plane.time + by, ..plane });
    }

    /// Whether panel `index` can move in time, forwards or back.
    pub fn can_step_time(&self, index: usize, forwards: bool) -> bool {
        self.volume_of(index).is_some_and(|volume| {
            let time = self.plane_of(index).time;
            if forwards { time < volume.shape().last_time() } else { time > 0.0 }
        })
    }

    /// Position in the volume of a position in the plane of panel `index`, along x, y and z in samples; `None` without a
    /// volume.
    pub fn place_in_volume(&self, index: usize, pos_in_image: [f64; 2]) -> Option<[f64; 3]> {
        Some(self.volume_of(index)?.shape().frame(&self.panels[index].plane).at(pos_in_image))
    }

    /// Corners of the part inside the volume of the oblique plane of panel `index`, in positions of the plane; `None` for any other
    /// image.
    pub fn oblique_outline(&self, index: usize) -> Option<Vec<[f64; 2]>> {
        let plane = self.panels[index].plane;
        let volume = self.volume_of(index).filter(|_| plane.orientation.is_oblique())?;
        Some(volume.shape().outline(&plane))
    }

    /// The position in the plane of panel `to` that is nearest to a position in that of panel `from`, if both show the same
    /// volume; of other images the position itself.
    pub fn position_in_other(&self, (from, to): (usize, usize), pos_in_image: [f64; 2]) -> [f64; 2] {
        let planes = [from, to].map(|index| self.panels[index].plane);
        if self.panels[from].image != self.panels[to].image || planes[0] == planes[1] {
            return pos_in_image;
        }
        match self.volume_of(to) {
            Some(volume) => volume.shape().nearest(&planes[1], volume.shape().frame(&planes[0]).at(pos_in_image)),
            None => pos_in_image,
        }
    }

    /// Moves the main planes of other orientations, of the panels that show the same volume, through a position in the plane of
    /// panel `index`.
    pub fn show_place_in_others(&mut self, index: usize, pos_in_image: [f64; 2]) {
        let (Some(place), Some(volume)) = (self.place_in_volume(index, pos_in_image), self.volume_of(index)) else {
            return;
        };
        let (image, own) = (self.panels[index].image, self.panels[index].plane.orientation);
        for other in (0..self.panels.len()).filter(|&other| other != index) {
            let panel = &mut self.panels[other];
            if let Orientation::Main(main) = panel.plane.orientation
                && panel.image == image
                && panel.plane.orientation != own
            {
                let slice = Some(place[main.row().normal]);
                panel.plane = limited(volume.shape(), Plane { slice, ..panel.plane });
            }
        }
    }

    /// Gives panels the pixels whose sides are as long as the samples of their planes.
    pub(super) fn square_samples(&mut self, panels: &[usize]) {
        let mut is_changed = false;
        for &index in panels {
            let Some(volume) = self.volume_of(index) else { continue };
            let [across, down] = volume.shape().steps(self.panels[index].plane.orientation);
            let view = self.panels[index].view;
            if let Ok(scaled) = view.scaled([view.scale(), view.scale() * across / down]) {
                is_changed |= scaled != view;
                self.panels[index].view = scaled;
            }
        }
        if is_changed {
            self.reframe();
        }
    }
}

/// Whether two orientations differ by angles at most.
fn is_alike(first: Orientation, second: Orientation) -> bool {
    first == second || (first.is_oblique() && second.is_oblique())
}

/// `plane` with its position inside the volume, and its time within the times.
fn limited(shape: &VolumeShape, plane: Plane) -> Plane {
    let [least, greatest] = shape.range(plane.orientation);
    let (slice, time) =
        (plane.slice.map(|slice| slice.clamp(least, greatest)), plane.time.clamp(0.0, shape.last_time()));
    Plane { slice, time, ..plane }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::session::history::Framing;
    use crate::app::session::preferences::Preferences;
    use crate::grid::{Components, Grid};
    use crate::sampling::Method;
    use crate::test_support::size;
    use crate::volume::MainPlane;

    /// A volume of 8 × 6 × 4 samples, which are `spacing` apart.
    fn session(spacing: [f64; 3]) -> Session {
        let values = (0..192).map(|k| k as f32 / 192.0).collect();
        let grid = Grid::new(&[4, 6, 8], Components::Real, values).expect("a grid");
        let page = Volume::new(grid, spacing, false).expect("a volume").into_page();
        let mut session = Session::new(Arc::new(Image::of_page("volume", page)));
        session.resize(size(300, 300));
        session
    }

    fn main(plane: MainPlane, slice: f64) -> Plane {
        Plane { orientation: Orientation::Main(plane), slice: Some(slice), time: 0.0 }
    }

    #[test]
    fn plane_is_that_of_all_linked_panels_and_of_one_panel_where_they_are_not_linked() {
        let mut session = session([1.0; 3]);
        session.set_plane(2, main(MainPlane::Sagittal, 3.5));
        assert!((0..4).all(|index| session.plane_of(index) == main(MainPlane::Sagittal, 3.5)));
        assert_eq!((session.page().size().sides(), session.framing()), ([6, 4], Framing::Fit));
        session.set_link(Link::Off);
        session.set_plane(1, main(MainPlane::Axial, 99.0));
        assert_eq!(session.plane_of(1), main(MainPlane::Axial, 3.0), "it stays inside the volume");
        assert_eq!(session.plane_of(0), main(MainPlane::Sagittal, 3.5));
        assert_eq!([0, 1].map(|index| session.page_of(index).size().sides()), [[6, 4], [8, 6]]);
    }

    #[test]
    fn volume_with_values_beyond_white_has_its_range_as_display_window_while_it_is_shown() {
        let values = (0..8).map(|k| 100.0 * k as f32 - 50.0).collect();
        let grid = Grid::new(&[2, 2, 2], Components::Real, values).expect("a grid");
        let page = Volume::new(grid, [1.0; 3], true).expect("a volume").into_page();
        let dense = Arc::new(Image::of_page("dense", page));
        let windows = |session: &Session| [0, 1].map(|index| session.panels()[index].display.window);
        assert_eq!(windows(&Session::new(Arc::clone(&dense))), [[-50.0, 650.0]; 2]);
        let mut session = session([1.0; 3]);
        assert_eq!(windows(&session), [[0.0, 1.0]; 2]);
        session.open_in(1, dense);
        assert_eq!(windows(&session), [[0.0, 1.0], [-50.0, 650.0]]);
        session.show_image_in(1, 0);
        assert_eq!(windows(&session), [[0.0, 1.0]; 2]);
    }

    /// The requests of panels name the plane; what they resolve to follows the panel's method along the normal.
    #[test]
    fn page_of_a_panel_is_its_plane_by_its_method() {
        let mut session = session([1.0; 3]);
        session.set_plane(0, main(MainPlane::Axial, 1.25));
        assert_eq!(session.request(1).plane, main(MainPlane::Axial, 1.25));
        let corner = |index: usize| session.page_of(index).raster().number(0, 0, 0);
        assert_eq!([corner(0), corner(1)], [48.0 / 192.0, 60.0 / 192.0], "nearest and linear");
    }

    #[test]
    fn samples_are_shown_as_far_apart_as_they_are() {
        let mut session = session([1.0, 1.0, 2.5]);
        assert!(session.view().has_square_pixels());
        session.set_plane(0, main(MainPlane::Coronal, 2.0));
        assert!((session.view().ratio() - 1.0 / 2.5).abs() < 1e-12, "{:?}", session.view().scales());
        session.set_plane(0, main(MainPlane::Coronal, 3.0));
        assert!((session.view().ratio() - 1.0 / 2.5).abs() < 1e-12);
        session.set_plane(0, main(MainPlane::Axial, 2.0));
        assert!(session.view().has_square_pixels());
    }

    #[test]
    fn oblique_plane_is_rendered_without_antialiasing_and_keeps_the_panels_switch() {
        let mut session = session([1.0; 3]);
        assert!(session.request(0).sampler.antialias);
        let oblique = Orientation::Oblique { tilt_deg: 20.0, turn_deg: 10.0 };
        session.set_plane(0, Plane { orientation: oblique, slice: None, time: 0.0 });
        assert!(!session.request(0).sampler.antialias && session.panels()[0].sampler.antialias);
        assert_eq!(session.refusal(0, session.panels()[0].sampler.with_method(Method::BSPLINE)), None);
    }

    #[test]
    fn steps_move_the_plane_within_the_volume_and_undo_reverts_them() {
        let mut session = session([1.0; 3]);
        let mut preferences = Preferences::default();
        session.note_edits(&preferences, false);
        session.step_slice(0, 0.5);
        assert_eq!(session.plane_of(0), main(MainPlane::Axial, 2.5));
        assert!(session.can_step_slice(0, true));
        session.step_slice(0, 5.0);
        assert!(!session.can_step_slice(0, true) && session.can_step_slice(0, false));
        session.note_edits(&preferences, false);
        assert_eq!(session.undo(&mut preferences).map(|step| step.what), Some("plane"));
        assert_eq!(session.plane_of(0), Plane::default());
    }

    #[test]
    fn places_are_mapped_between_planes_of_one_volume() {
        let mut session = session([1.0; 3]);
        session.set_link(Link::Off);
        session.set_plane(1, main(MainPlane::Coronal, 2.0));
        session.set_plane(2, main(MainPlane::Sagittal, 5.0));
        assert_eq!(session.place_in_volume(1, [3.0, 0.5]), Some([3.0, 2.0, 2.5]));
        assert_eq!(session.position_in_other((1, 0), [3.0, 0.5]), [3.0, 2.0]);
        assert_eq!(session.position_in_other((0, 3), [3.0, 0.5]), [3.0, 0.5], "the same plane");
        session.show_place_in_others(1, [3.0, 0.5]);
        assert_eq!(
            [0, 1, 2, 3].map(|index| session.plane_of(index).slice),
            [Some(2.5), Some(2.0), Some(3.0), Some(2.5)]
        );
    }

    #[test]
    fn panel_that_changes_to_another_image_begins_with_its_middle_slice() {
        let mut session = session([1.0; 3]);
        session.set_plane(0, main(MainPlane::Coronal, 2.0));
        session.open_in(0, Arc::clone(&session.images()[0].clone()));
        assert_eq!((session.plane_of(0), session.plane_of(1)), (Plane::default(), main(MainPlane::Coronal, 2.0)));
    }
}
