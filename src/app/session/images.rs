//! The open images, and which panel shows which. Panels that show the same image change to another image together. A
//! panel's own menu, or a file dropped on the panel, changes that panel alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Session;
use super::history::{Framing, History};
use super::link::{Link, aligned};
use crate::image::{Image, Page, Size};

/// Identifies a session within the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SessionId(u64);

impl SessionId {
    /// An unused id.
    pub(super) fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// Identifies an open image, also after its file was reloaded or replaced. A session appends and replaces images but
/// never removes one, so an image's index is constant within its session. The id includes the session, since another
/// session may be shown when a file arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImageId {
    session: SessionId,
    place: usize,
}

impl Session {
    /// Id of the focused panel's image.
    pub fn shown_id(&self) -> ImageId {
        ImageId { session: self.id, place: self.shown() }
    }

    /// Index in [`Session::images`] of the image with this id; `None` if it belongs to another session.
    pub fn place_of_image(&self, id: ImageId) -> Option<usize> {
        (id.session == self.id && id.place < self.images.len()).then_some(id.place)
    }

    /// All open images, in the order in which they were opened.
    pub fn images(&self) -> &[Arc<Image>] {
        &self.images
    }

    /// The focused panel's image.
    pub fn image(&self) -> &Arc<Image> {
        self.image_of(self.focused)
    }

    /// The image of panel `index`.
    pub fn image_of(&self, index: usize) -> &Arc<Image> {
        &self.images[self.panels[index].image]
    }

    /// Index in [`Session::images`] of the focused panel's image.
    pub fn shown(&self) -> usize {
        self.panels[self.focused].image
    }

    /// Index of the focused panel's page, from 0.
    pub fn page_index(&self) -> usize {
        self.panels[self.focused].page
    }

    /// The focused panel's page.
    pub fn page(&self) -> &Arc<Page> {
        self.page_of(self.focused)
    }

    /// The page of panel `index`.
    pub fn page_of(&self, index: usize) -> &Arc<Page> {
        &self.image_of(index).pages()[self.panels[index].page]
    }

    /// Adds `image` and shows it in every panel that shows the focused panel's image.
    pub fn open(&mut self, image: Arc<Image>) {
        self.images.push(image);
        self.show_image(self.images.len() - 1);
    }

    /// Adds `image` and shows it in panel `index` alone.
    pub fn open_in(&mut self, index: usize, image: Arc<Image>) {
        self.images.push(image);
        self.show_image_in(index, self.images.len() - 1);
    }

    /// Replaces the image at index `place`, in every panel that shows it.
    pub fn replace(&mut self, place: usize, image: Arc<Image>) {
        if place >= self.images.len() {
            return;
        }
        let before = self.sizes();
        let last = image.pages().len() - 1;
        self.images[place] = image;
        self.panels.iter_mut().filter(|panel| panel.image == place).for_each(|panel| panel.page = panel.page.min(last));
        self.follow_sizes(&before);
    }

    /// Shows the image at index `place` in every panel that shows the focused panel's image. Views change only if the
    /// image has another size.
    pub fn show_image(&mut self, place: usize) {
        if place != self.shown() {
            self.show_in(self.alike(), place, 0);
        }
    }

    /// Shows the image at index `place` in panel `index` alone.
    pub fn show_image_in(&mut self, index: usize, place: usize) {
        if self.panels.get(index).is_some_and(|panel| panel.image != place) {
            self.show_in(vec![index], place, 0);
        }
    }

    /// Shows page `page`, from 0, or the last page if there are fewer, in every panel that shows the focused panel's
    /// image.
    pub fn show_page(&mut self, page: usize) {
        self.show_in(self.alike(), self.shown(), page);
    }

    /// Shows page `page` of its image, or the last page if there are fewer, in panel `index` alone.
    pub fn show_page_in(&mut self, index: usize, page: usize) {
        if let Some(image) = self.panels.get(index).map(|panel| panel.image) {
            self.show_in(vec![index], image, page);
        }
    }

    /// Indices of the panels that show the focused panel's image.
    fn alike(&self) -> Vec<usize> {
        (0..self.panels.len()).filter(|&index| self.panels[index].image == self.shown()).collect()
    }

    fn show_in(&mut self, panels: Vec<usize>, image: usize, page: usize) {
        let Some(last) = self.images.get(image).map(|image| image.pages().len() - 1) else {
            return;
        };
        let before = self.sizes();
        for index in panels {
            if let Some(panel) = self.panels.get_mut(index) {
                (panel.image, panel.page) = (image, page.min(last));
            }
        }
        self.follow_sizes(&before);
        // The opening detail is a place in the built-in image.
        if self.end_opening() {
            self.fit();
        }
    }

    /// Page size of each panel.
    pub(super) fn sizes(&self) -> Vec<Size> {
        (0..self.panels.len()).map(|index| self.page_of(index).size()).collect()
    }

    /// Updates the views after page sizes changed from `before`. If every size changed, all panels are fitted.
    /// Otherwise changed panels join the unchanged ones if they are linked, and are fitted if not.
    fn follow_sizes(&mut self, before: &[Size]) {
        let after = self.sizes();
        let changed: Vec<usize> = (0..after.len()).filter(|&index| after[index] != before[index]).collect();
        if changed.is_empty() {
            return;
        }
        self.finish_animation();
        self.history = History::default();
        let stays = (0..after.len()).find(|index| !changed.contains(index));
        match stays.filter(|_| self.link == Link::Absolute) {
            Some(stays) => {
                let (view, framing) = (self.panels[stays].view, self.panels[stays].framing);
                for index in changed {
                    self.panels[index].view = aligned(view, after[stays], after[index]);
                    self.panels[index].framing = framing;
                }
            }
            None => changed.into_iter().for_each(|index| self.panels[index].framing = Framing::Fit),
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
        assert_eq!(session.undo(&mut Preferences::default()), Some("method"));
        assert_eq!(session.panels().iter().map(|panel| panel.page_index()).collect::<Vec<_>>(), [2; 4]);
    }

    #[test]
    fn images_and_pages_are_shown_in_the_panels_asked_for() {
        let mut session = Session::new(pages(4));
        let shown = |session: &Session| -> Vec<(usize, usize)> {
            session.panels().iter().map(|panel| (panel.image_index(), panel.page_index())).collect()
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
        let view = crate::view::View::new([1.0, 2.0], 0.25).expect("a view");
        (0..4).for_each(|index| session.go_in(index, view, Framing::Free, crate::app::session::history::Change::Jump));
        let size = size(30, 20);
        let page = Page::new(Raster::zeros(size, Channels::Grey, Depth::EIGHT));
        session.open_in(2, Arc::new(Image::new("larger", vec![page]).expect("an image")));
        let framings: Vec<Framing> = session.panels().iter().map(|panel| panel.framing()).collect();
        assert_eq!(framings, [Framing::Free, Framing::Free, Framing::Fit, Framing::Free]);
        assert_eq!(session.view_of(2), crate::view::View::fit(session.output(), size));
        assert_eq!([0, 1, 3].map(|index| session.view_of(index)), [view; 3]);
    }
}
