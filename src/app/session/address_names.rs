//! Address modes as text: the sample index that an axis resolves to, and a mode's names in other libraries.

use super::Session;
use crate::sampling::AddressMode;

/// The index of the sample nearest to `position` on an axis of `length` samples, and the index that the address mode
/// resolves it to.
///
/// ```
/// use lerpscope::app::index_text;
/// use lerpscope::sampling::AddressMode;
/// assert_eq!(index_text(AddressMode::Wrap, -3.2, 5), "−3 → 2");
/// assert_eq!(index_text(AddressMode::Mirror, 5.0, 5), "5 → 4");
/// assert_eq!(index_text(AddressMode::Border, -1.0, 5), "−1 → border");
/// assert_eq!(index_text(AddressMode::Clamp, 2.4, 5), "2");
/// ```
pub fn index_text(address: AddressMode, position: f64, length: u32) -> String {
    let index = (position + 0.5).floor() as i64;
    let minus = |index: i64| index.to_string().replace('-', "−");
    match address.resolve(index, length) {
        Some(inside) if i64::from(inside) == index => minus(index),
        Some(inside) => format!("{} → {inside}", minus(index)),
        None => format!("{} → border", minus(index)),
    }
}

/// The names of an address mode in CUDA, OpenGL, OpenCV and SciPy, one per line.
pub(in crate::app) fn library_names(address: AddressMode) -> String {
    let row = address.row();
    format!("CUDA {}\nOpenGL {}\nOpenCV {}\nSciPy {}", row.cuda, row.opengl, row.opencv, row.scipy)
}

/// The sample indices that the address modes of panel `index` resolve a position to: `["x: i = −3 → 2", "y: j = 7"]`.
pub(in crate::app) fn cursor_text(session: &Session, index: usize, pos_in_image: [f64; 2]) -> [String; 2] {
    let size = session.page_of(index).size();
    let [x, y] = session.panels()[index].sampler.address;
    let column = index_text(x, pos_in_image[0], size.width());
    let row = index_text(y, pos_in_image[1], size.height());
    [format!("x: i = {column}"), format!("y: j = {row}")]
}
