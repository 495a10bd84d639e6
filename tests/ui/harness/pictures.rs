//! Pictures of a window without a screen.

use lerpscope::backend::{self, CpuBackend, PixelFormat};

use crate::harness::{Window, app};

/// Asserts that every picture is the backend's for its request.
pub(crate) fn assert_pictures(window: &Window) {
    let session = app(window).session();
    for index in session.visible() {
        let (image, request) = (session.image_of(index), session.request(index));
        let expected = backend::render(&mut CpuBackend::new(), image, &request, PixelFormat::TEXTURE);
        let picture = app(window).picture(index).expect("a picture");
        assert!(picture.pixels() == &expected.expect("a picture"), "panel {index}");
    }
}

/// Why the picture of panel `index` is not rendered.
pub(crate) fn refusal(window: &Window, index: usize) -> Option<String> {
    app(window).picture(index)?.refusal().map(ToString::to_string)
}
