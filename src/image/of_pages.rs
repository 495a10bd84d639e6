//! Pages of a picture as a volume: `volume:SOURCE` has those of SOURCE as slices, the first at z = 0.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Prefix of the name of such a volume.
pub(super) const OF_PAGES: &str = "volume:";

/// SOURCE of `volume:SOURCE`; `None` for another source.
///
/// ```
/// use std::path::Path;
/// use lerpscope::image::{pages_of, volume_of};
/// let volume = volume_of(Path::new("stack.pgm"));
/// assert_eq!(volume, Path::new("volume:stack.pgm"));
/// assert_eq!(pages_of(&volume), Some(Path::new("stack.pgm")));
/// ```
pub fn pages_of(source: &Path) -> Option<&Path> {
    source.to_str()?.strip_prefix(OF_PAGES).map(Path::new)
}

/// The source of the volume whose slices are the pages of `source`.
pub fn volume_of(source: &Path) -> PathBuf {
    let mut name = OsString::from(OF_PAGES);
    name.push(source);
    name.into()
}
