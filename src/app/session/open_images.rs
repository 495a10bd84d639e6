//! The list of the open images. It is never empty, and every image has an id.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::image::Image;

/// Identifies an open image for its whole life, independent of its place in the list, also after its file was reloaded or
/// replaced. Ids are unique within the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImageId(u64);

impl ImageId {
    /// An unused id.
    fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// The open images in the order of the list.
#[derive(Clone, Debug)]
pub(super) struct OpenImages {
    images: Vec<Arc<Image>>,
    /// Id of each image.
    ids: Vec<ImageId>,
}

impl OpenImages {
    /// A list of one image.
    pub(super) fn new(image: Arc<Image>) -> Self {
        Self { images: vec![image], ids: vec![ImageId::next()] }
    }

    /// A list of `images`, each with its id in `earlier` if it is there, else with an id of its own. `None` without images.
    pub(super) fn succeeding(earlier: Option<&Self>, images: &[Arc<Image>]) -> Option<Self> {
        let mut ids: Vec<ImageId> = Vec::new();
        for image in images {
            let mut known = earlier.into_iter().flat_map(|earlier| earlier.images.iter().zip(&earlier.ids));
            let known = known.find(|(kept, id)| Arc::ptr_eq(kept, image) && !ids.contains(id));
            ids.push(known.map_or_else(ImageId::next, |(_, id)| *id));
        }
        (!images.is_empty()).then(|| Self { images: images.to_vec(), ids })
    }

    /// The images, at least one.
    pub(super) fn all(&self) -> &[Arc<Image>] {
        &self.images
    }

    /// Their ids.
    pub(super) fn ids(&self) -> &[ImageId] {
        &self.ids
    }

    /// Place of the image with this id; `None` if it was closed or belongs to another session.
    pub(super) fn place(&self, id: ImageId) -> Option<usize> {
        self.ids.iter().position(|known| *known == id)
    }

    /// The image with this id; the first one if it was closed.
    pub(super) fn of(&self, id: ImageId) -> &Arc<Image> {
        &self.images[self.place(id).unwrap_or_default()]
    }

    /// Appends an image.
    pub(super) fn push(&mut self, image: Arc<Image>) -> ImageId {
        let id = ImageId::next();
        self.images.push(image);
        self.ids.push(id);
        id
    }

    /// Puts `image` in the place of another one, with its id. Returns false if there is no such place.
    pub(super) fn replace(&mut self, place: usize, image: Arc<Image>) -> bool {
        let slot = self.images.get_mut(place);
        slot.map(|slot| *slot = image).is_some()
    }

    /// Removes an image. Returns the id of its neighbour, the next image or else the previous one; `None` for the only
    /// image, which stays, and for a closed one.
    pub(super) fn close(&mut self, id: ImageId) -> Option<ImageId> {
        let place = self.place(id).filter(|_| self.images.len() > 1)?;
        self.images.remove(place);
        self.ids.remove(place);
        Some(self.ids[place.min(self.ids.len() - 1)])
    }

    /// Moves an image to `place`, or to the end if the list is shorter. The images between move by one.
    pub(super) fn move_to(&mut self, id: ImageId, place: usize) {
        if let Some(from) = self.place(id) {
            let to = place.min(self.ids.len() - 1);
            let (image, id) = (self.images.remove(from), self.ids.remove(from));
            self.images.insert(to, image);
            self.ids.insert(to, id);
        }
    }
}
