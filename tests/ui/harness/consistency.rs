//! Invariants of the window after every frame.

use std::collections::BTreeSet;

use egui::Shape;
use lerpscope::app::PictureError;
use lerpscope::backend::BackendError;

use crate::harness::{Window, app};

/// Asserts the invariants: panel ids and widget ids are unique, and all references to panels and pages are valid.
/// Panics of the render thread are errors in their panels.
pub(crate) fn assert_consistent(window: &Window) {
    let session = app(window).session();
    let count = session.panels().len();
    let ids: BTreeSet<_> = session.panels().iter().map(|panel| panel.id()).collect();
    assert_eq!(ids.len(), count, "panels share an id");
    assert!(session.focused() < count, "panel {} of {count} has the focus", session.focused());
    let areas = session.areas();
    assert!(!areas.is_empty(), "nothing is seen");
    let named = areas.iter().flat_map(|area| [vec![area.panel(), area.seen()], area.pictures()].concat());
    let named: Vec<usize> = named.chain(session.visible()).chain(session.pair().into_iter().flatten()).collect();
    assert!(named.iter().all(|panel| *panel < count), "{named:?} of {count} panels in {areas:?}");
    for panel in session.panels() {
        let place = session.place_of_image(panel.image_id()).expect("a panel's image is open");
        let image = &session.images()[place];
        assert!(panel.page_index() < image.pages().len(), "a panel's page is there");
    }
    for refusal in (0..count).filter_map(|panel| app(window).picture(panel)?.refusal()) {
        assert!(!matches!(refusal, PictureError::Backend(BackendError::Device { .. })), "{refusal}");
    }
    for shape in &window.output().shapes {
        assert_no_clash(&shape.shape);
    }
}

/// egui paints a message over widgets that share an id.
fn assert_no_clash(shape: &Shape) {
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(assert_no_clash),
        Shape::Text(text) => {
            let text = text.galley.text();
            let is_clash = ["First use of", "Second use of", "Double use of"].iter().any(|part| text.contains(part));
            assert!(!is_clash, "{text}");
        }
        _ => {}
    }
}
