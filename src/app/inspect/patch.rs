//! Requests for small pictures around a position.

use crate::backend::{Display, RenderRequest};
use crate::image::Size;
use crate::view::View;

/// Sizes of a picture and of the page that it shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct PictureSizes {
    pub(super) output: Size,
    pub(super) page: Size,
}

/// `request` for a picture of `side` × `side` pixels whose middle pixel shows `pos_in_image` exactly. For an even side
/// the middle pixel is right of and below the centre.
pub(super) fn centred_on(
    request: &RenderRequest,
    page: Size,
    pos_in_image: [f64; 2],
    side: u32,
) -> Option<RenderRequest> {
    let size = Size::new(side, side).ok()?;
    let middle = f64::from(side / 2);
    let view = view_showing(&request.view, PictureSizes { output: size, page }, [middle; 2], pos_in_image)?;
    Some(RenderRequest { size, view, ..request.clone() })
}

/// `view`, moved so that the output position `pixel` shows `pos_in_image`. `None` if that view is invalid.
pub(super) fn view_showing(view: &View, sizes: PictureSizes, pixel: [f64; 2], pos_in_image: [f64; 2]) -> Option<View> {
    let untranslated = view.translated([0.0; 2]).ok()?;
    let shown = untranslated.image_from_output(sizes.output, sizes.page).at(pixel);
    untranslated.translated([pos_in_image[0] - shown[0], pos_in_image[1] - shown[1]]).ok()
}

/// `request` without subtraction and display mapping.
pub(super) fn unmapped(request: &RenderRequest) -> RenderRequest {
    RenderRequest { subtract: None, display: Display::default(), ..request.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::size;

    #[test]
    fn middle_pixel_shows_the_position() {
        let page = size(61, 40);
        let view = View::new([3.0, -7.5], 0.3).and_then(|view| view.rotated(35.0)).expect("a view");
        let request = RenderRequest { view, ..RenderRequest::new(size(100, 90)) };
        for side in [1, 8, 15] {
            let asked = centred_on(&request, page, [12.25, 30.5], side).expect("a request");
            let middle = f64::from(side / 2);
            let shown = asked.view.image_from_output(asked.size, page).at([middle; 2]);
            assert!((shown[0] - 12.25).abs() < 1e-9 && (shown[1] - 30.5).abs() < 1e-9, "{shown:?}");
        }
    }
}
