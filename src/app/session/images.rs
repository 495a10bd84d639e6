//! The open images, and which panel shows which. Panels that show the same image change to another image together. A
//! panel's own menu, or a file dropped on the panel, changes that panel alone.

use std::sync::Arc;

use super::Session;
use super::history::{Framing, History};
use super::kept_place::KeptPlace;
use super::link::{Link, aligned};
use super::open_images::ImageId;
use crate::image::{Image, Page, Size};
use crate::view::View;
use crate::volume::Plane;

/// What happens to the views of panels whose page size changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SizeChange {
    /// The whole image is shown: it was opened just now.
    Fit,
    /// The place is kept by [`Session::kept_place`].
    KeepPlace,
}

impl Session {
    /// Id of the focused panel's image.
    pub fn shown_id(&self) -> ImageId {
        self.panels[self.focused].image
    }

    /// Ids of [`Session::images`].
    pub fn image_ids(&self) -> &[ImageId] {
        self.images.ids()
    }

    /// Index in [`Session::images`] of the image with this id; `None` if it was closed or belongs to another session.
    pub fn place_of_image(&self, id: ImageId) -> Option<usize> {
        self.images.place(id)
    }

    /// All open images, in the order of the list.
    pub fn images(&self) -> &[Arc<Image>] {
        self.images.all()
    }

    /// The focused panel's image.
    pub fn image(&self) -> &Arc<Image> {
        self.image_of(self.focused)
    }

    /// The image of panel `index`.
    pub fn image_of(&self, index: usize) -> &Arc<Image> {
        self.images.of(self.panels[index].image)
    }

    /// Index in [`Session::images`] of the image of panel `index`.
    pub fn image_index_of(&self, index: usize) -> usize {
        self.images.place(self.panels[index].image).unwrap_or_default()
    }

    /// Index in [`Session::images`] of the focused panel's image.
    pub fn shown(&self) -> usize {
        self.image_index_of(self.focused)
    }

    /// The image that the focused panel's image replaced last; `None` if it was closed, or before the first change.
    pub fn shown_before(&self) -> Option<ImageId> {
        self.shown_before.filter(|id| *id != self.shown_id() && self.images.place(*id).is_some())
    }

    /// What views keep when their panels change to an image of another size.
    pub fn kept_place(&self) -> KeptPlace {
        self.kept_place
    }

    /// Sets what views keep when their panels change to an image of another size.
    pub fn set_kept_place(&mut self, kept_place: KeptPlace) {
        self.kept_place = kept_place;
    }

    /// Index of the focused panel's page, from 0.
    pub fn page_index(&self) -> usize {
        self.panels[self.focused].page
    }

    /// The focused panel's page.
    pub fn page(&self) -> Arc<Page> {
        self.page_of(self.focused)
    }

    /// Adds `image` to the list without showing it.
    pub fn add(&mut self, image: Arc<Image>) {
        self.images.push(image);
    }

    /// Adds `image` and shows it in every panel that shows the focused panel's image. If all panels change to another
    /// size, they are fitted.
    pub fn open(&mut self, image: Arc<Image>) {
        let id = self.images.push(image);
        self.show_in(self.alike(), (id, 0), SizeChange::Fit);
    }

    /// Adds `image` and shows it in panel `index` alone. An unlinked panel that changes to another size is fitted.
    pub fn open_in(&mut self, index: usize, image: Arc<Image>) {
        let id = self.images.push(image);
        self.show_in(vec![index], (id, 0), SizeChange::Fit);
    }

    /// Replaces the image at index `place`, in every panel that shows it. Views keep their place.
    pub fn replace(&mut self, place: usize, image: Arc<Image>) {
        let before = self.sizes();
        let was_missing = self.images.all().get(place).is_some_and(|old| old.is_missing());
        let last = image.pages().len() - 1;
        if !self.images.replace(place, image) {
            return;
        }
        let id = self.images.ids()[place];
        self.panels.iter_mut().filter(|panel| panel.image == id).for_each(|panel| panel.page = panel.page.min(last));
        // The views of a missing image are those of its file.
        if was_missing {
            return self.reframe();
        }
        self.follow_sizes(&before, SizeChange::KeepPlace);
    }

    /// Shows the image at index `place` in every panel that shows the focused panel's image. Views keep their place.
    pub fn show_image(&mut self, place: usize) {
        if let Some(id) = self.images.ids().get(place).filter(|id| **id != self.shown_id()) {
            self.show_in(self.alike(), (*id, 0), SizeChange::KeepPlace);
        }
    }

    /// Shows the image at index `place` in panel `index` alone.
    pub fn show_image_in(&mut self, index: usize, place: usize) {
        if let (Some(panel), Some(id)) = (self.panels.get(index), self.images.ids().get(place))
            && panel.image != *id
        {
            self.show_in(vec![index], (*id, 0), SizeChange::KeepPlace);
        }
    }

    /// Shows page `page`, from 0, or the last page if there are fewer, in every panel that shows the focused panel's
    /// image.
    pub fn show_page(&mut self, page: usize) {
        self.show_in(self.alike(), (self.shown_id(), page), SizeChange::KeepPlace);
    }

    /// Shows page `page` of its image, or the last page if there are fewer, in panel `index` alone.
    pub fn show_page_in(&mut self, index: usize, page: usize) {
        if let Some(image) = self.panels.get(index).map(|panel| panel.image) {
            self.show_in(vec![index], (image, page), SizeChange::KeepPlace);
        }
    }

    /// Closes an image. Its panels show its neighbour in the list. Returns false for the only image, which stays, and for
    /// an image that is closed already.
    pub fn close_image(&mut self, id: ImageId) -> bool {
        let before = self.sizes();
        let Some(neighbour) = self.images.close(id) else {
            return false;
        };
        for panel in self.panels.iter_mut().filter(|panel| panel.image == id) {
            (panel.image, panel.page) = (neighbour, 0);
        }
        self.follow_sizes(&before, SizeChange::KeepPlace);
        true
    }

    /// Moves an image to index `place` of the list, or to its end.
    pub fn move_image(&mut self, id: ImageId, place: usize) {
        self.images.move_to(id, place);
    }

    /// Indices of the panels that show the focused panel's image.
    fn alike(&self) -> Vec<usize> {
        (0..self.panels.len()).filter(|&index| self.panels[index].image == self.shown_id()).collect()
    }

    fn show_in(&mut self, panels: Vec<usize>, (image, page): (ImageId, usize), change: SizeChange) {
        let (before, was_shown) = (self.sizes(), self.shown_id());
        let last = self.images.of(image).pages().len() - 1;
        let shown: Vec<usize> = panels.into_iter().filter(|&index| index < self.panels.len()).collect();
        let windows: Vec<_> = shown.iter().map(|&index| (index, self.usual_window(index))).collect();
        for &index in &shown {
            if let Some(panel) = self.panels.get_mut(index) {
                if panel.image != image {
                    panel.plane = Plane::default();
                }
                (panel.image, panel.page) = (image, page.min(last));
            }
        }
        if self.shown_id() != was_shown {
            self.shown_before = Some(was_shown);
        }
        self.follow_sizes(&before, change);
        self.follow_window(&windows);
        if change == SizeChange::Fit {
            self.square_samples(&shown);
        }
        // The opening detail is a place in the built-in image.
        self.fit_after_opening();
    }

    /// Page size of each panel.
    pub(super) fn sizes(&self) -> Vec<Size> {
        (0..self.panels.len()).map(|index| self.page_of(index).size()).collect()
    }

    /// Updates the views after page sizes changed from `before`. If all panels show the same samples, changed panels join
    /// the unchanged ones. Otherwise a fitted panel is fitted again, and any other follows `change`.
    pub(super) fn follow_sizes(&mut self, before: &[Size], change: SizeChange) {
        let after = self.sizes();
        let changed: Vec<usize> = (0..after.len()).filter(|&index| after[index] != before[index]).collect();
        if changed.is_empty() {
            return;
        }
        self.finish_animation();
        self.history = History::default();
        let stays = (0..after.len()).find(|index| !changed.contains(index)).filter(|_| self.link == Link::Absolute);
        let fit_area = self.fit_area();
        for index in changed {
            let panel = &mut self.panels[index];
            if let Some(stays) = stays {
                let (view, framing) = (self.panels[stays].view, self.panels[stays].framing);
                (self.panels[index].view, self.panels[index].framing) =
                    (aligned(view, after[stays], after[index]), framing);
            } else if change == SizeChange::Fit {
                (panel.view, panel.framing) = (View::fit(fit_area, after[index]), Framing::Fit);
            } else if panel.framing == Framing::Fit {
                panel.view = panel.view.fitted(fit_area, after[index]);
            } else {
                let kept = self.kept_place.view(panel.view, [before[index], after[index]], fit_area);
                panel.view = kept;
                if panel.framing == Framing::Snapped {
                    (panel.view, panel.framing) = match self.kept_place {
                        KeptPlace::Samples => (kept.snapped(self.output, after[index]), Framing::Snapped),
                        KeptPlace::Share => (kept, Framing::Free),
                    };
                }
            }
        }
        self.reframe();
    }
}

#[cfg(test)]
mod tests {
    use super::super::preferences::Preferences;
    use super::*;
    use crate::image::{Channels, Depth, Raster};
    use crate::test_support::size;

    fn pages(count: usize) -> Arc<Image> {
        let side = size(8, 6);
        let page = || Page::new(Raster::zeros(side, Channels::Grey, Depth::EIGHT));
        Arc::new(Image::new("pages", (0..count).map(|_| page()).collect()).expect("an image"))
    }

    /// Undo may restore a page index that the reloaded image no longer has.
    #[test]
    fn undo_after_a_reload_with_fewer_pages_shows_the_last_page() {
        for left in 1..=4 {
            let mut session = Session::new(pages(4));
            session.show_page_in(1, 3);
            session.show_page_in(2, 1);
            session.note_edits(&Preferences::default(), false);
            session.close_panel(1);
            session.note_edits(&Preferences::default(), false);
            session.arrange(&[crate::sampling::Sampler::default()]);
            session.note_edits(&Preferences::default(), false);
            session.replace(0, pages(left));
            session.note_edits(&Preferences::default(), false);
            for expected in [vec![0, 1, 0], vec![0, 3, 1, 0]] {
                session.undo(&mut Preferences::default()).expect("a step");
                let shown: Vec<usize> = session.panels().iter().map(|panel| panel.page_index()).collect();
                let expected: Vec<usize> = expected.into_iter().map(|page| page.min(left - 1)).collect();
                assert_eq!(shown, expected, "{left} pages are left");
                (0..shown.len()).for_each(|index| assert_eq!(session.page_of(index).size(), session.page().size()));
            }
            while session.redo(&mut Preferences::default()).is_some() {
                assert!(session.panels().iter().all(|panel| panel.page_index() < left));
            }
        }
    }

    /// Image and page are not settings: undo leaves them unchanged.
    #[test]
    fn undone_setting_keeps_the_shown_page() {
        let mut session = Session::new(pages(4));
        session.note_edits(&Preferences::default(), false);
        session.step_method(1);
        session.note_edits(&Preferences::default(), false);
        session.show_page(2);
        session.note_edits(&Preferences::default(), false);
        assert_eq!(session.undo(&mut Preferences::default()).map(|step| step.what), Some("method"));
        assert_eq!(session.panels().iter().map(|panel| panel.page_index()).collect::<Vec<_>>(), [2; 4]);
    }

    #[test]
    fn images_and_pages_are_shown_in_the_panels_asked_for() {
        let mut session = Session::new(pages(4));
        let shown = |session: &Session| -> Vec<(usize, usize)> {
            (0..session.panels().len())
                .map(|index| (session.image_index_of(index), session.panels()[index].page_index()))
                .collect()
        };
        session.open_in(2, pages(2));
        assert_eq!((session.images().len(), shown(&session)), (2, vec![(0, 0), (0, 0), (1, 0), (0, 0)]));
        session.show_page(3);
        session.show_page_in(2, 9);
        assert_eq!(shown(&session), [(0, 3), (0, 3), (1, 1), (0, 3)]);
        session.show_image_in(1, 1);
        session.show_image_in(0, 7);
        assert_eq!(shown(&session), [(0, 3), (1, 0), (1, 1), (0, 3)]);
        session.open(pages(1));
        assert_eq!(shown(&session), [(2, 0), (1, 0), (1, 1), (2, 0)]);
        session.show_image(0);
        assert_eq!((session.shown(), session.page_index()), (0, 0));
        assert_eq!(shown(&session), [(0, 0), (1, 0), (1, 1), (0, 0)]);
    }

    /// Only the panels whose page size changed are fitted.
    #[test]
    fn image_of_another_size_is_fitted_and_other_panels_keep_their_views() {
        let mut session = Session::new(pages(1));
        session.set_link(Link::Off);
        let view = View::new([1.0, 2.0], 0.25).expect("a view");
        (0..4).for_each(|index| session.go_in(index, view, Framing::Free, crate::app::session::history::Change::Jump));
        let size = size(30, 20);
        let page = Page::new(Raster::zeros(size, Channels::Grey, Depth::EIGHT));
        session.open_in(2, Arc::new(Image::new("larger", vec![page]).expect("an image")));
        let framings: Vec<Framing> = session.panels().iter().map(|panel| panel.framing()).collect();
        assert_eq!(framings, [Framing::Free, Framing::Free, Framing::Fit, Framing::Free]);
        assert_eq!(session.view_of(2), View::fit(session.output(), size));
        assert_eq!([0, 1, 3].map(|index| session.view_of(index)), [view; 3]);
    }

    #[test]
    fn closed_image_leaves_its_neighbour_in_its_panels_and_the_only_image_stays() {
        let mut session = Session::new(pages(1));
        session.open(pages(2));
        session.open_in(1, pages(3));
        let ids = session.image_ids().to_vec();
        let shown = |session: &Session| -> Vec<usize> {
            (0..session.panels().len()).map(|index| session.image_of(index).pages().len()).collect()
        };
        assert_eq!(shown(&session), [2, 3, 2, 2]);
        assert!(session.close_image(ids[1]));
        assert_eq!((session.image_ids(), shown(&session)), (&[ids[0], ids[2]][..], vec![3, 3, 3, 3]));
        assert!(!session.close_image(ids[1]), "it is closed already");
        assert!(session.close_image(ids[2]));
        assert_eq!(shown(&session), [1, 1, 1, 1]);
        assert!(!session.close_image(ids[0]), "the only image stays");
        assert_eq!((session.place_of_image(ids[0]), session.place_of_image(ids[2])), (Some(0), None));
    }

    /// A panel that undo restores may show an image that was closed after the step.
    #[test]
    fn undo_after_its_image_was_closed_shows_the_focused_panels_image() {
        let mut session = Session::new(pages(1));
        session.open_in(1, pages(4));
        session.show_page_in(1, 3);
        session.note_edits(&Preferences::default(), false);
        session.close_panel(1);
        session.note_edits(&Preferences::default(), false);
        assert!(session.close_image(session.image_ids()[1]));
        assert_eq!(session.undo(&mut Preferences::default()).map(|step| step.what), Some("panels"));
        assert_eq!((session.panels().len(), session.image_index_of(1), session.panels()[1].page_index()), (4, 0, 0));
    }

    #[test]
    fn moved_images_keep_their_ids_and_panels() {
        let mut session = Session::new(pages(1));
        session.open_in(1, pages(2));
        session.open_in(2, pages(3));
        let [a, b, c] = [0, 1, 2].map(|place| session.image_ids()[place]);
        for (id, place, order) in [(a, 2, [b, c, a]), (a, 0, [a, b, c]), (c, 1, [a, c, b]), (b, 99, [a, c, b])] {
            session.move_image(id, place);
            assert_eq!(session.image_ids(), order);
            let counts = [0, 1, 2, 3].map(|index| session.image_of(index).pages().len());
            assert_eq!(counts, [1, 2, 3, 1]);
        }
    }

    #[test]
    fn image_shown_before_is_the_one_that_was_replaced_last() {
        let mut session = Session::new(pages(1));
        assert_eq!(session.shown_before(), None);
        session.open(pages(2));
        session.open(pages(3));
        let ids = session.image_ids().to_vec();
        for (place, before) in [(0, ids[2]), (2, ids[0]), (0, ids[2])] {
            session.show_image(place);
            assert_eq!(session.shown_before(), Some(before));
        }
        session.close_image(ids[2]);
        assert_eq!(session.shown_before(), None);
    }

    /// The view of a missing image is that of its file.
    #[test]
    fn located_image_keeps_views_and_pages_of_the_session() {
        let mut session = Session::new(Arc::new(Image::missing("gone", 3)));
        let view = View::new([1.5, -2.0], 0.25).expect("a view");
        session.go(view, Framing::Free, crate::app::session::history::Change::Jump);
        session.show_page(2);
        session.replace(0, pages(3));
        assert_eq!((session.view(), session.framing(), session.page_index()), (view, Framing::Free, 2));
        assert!(!session.image().is_missing());
    }
}
