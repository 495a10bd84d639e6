//! The system clipboard, opened at its first use.

use std::borrow::Cow;
use std::path::PathBuf;

use thiserror::Error;

use crate::image::{Raster, Size, from_rgba, rgba};

/// Connection to the clipboard. On X11 and Wayland the copied data is lost when the connection is dropped.
#[derive(Default)]
pub(super) struct Clipboard {
    connection: Option<arboard::Clipboard>,
}

impl std::fmt::Debug for Clipboard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Clipboard").field("is_open", &self.connection.is_some()).finish()
    }
}

/// Contents of the clipboard.
#[derive(Debug)]
pub(super) enum Pasted {
    /// A picture.
    Picture(Raster),
    /// The path of a file, or the name of a built-in or synthetic image.
    File(PathBuf),
}

/// Why the clipboard was not read or written.
#[derive(Debug, Error)]
pub(in crate::app) enum ClipboardError {
    /// There is no clipboard.
    #[error("The clipboard cannot be used: {0}")]
    Unavailable(#[source] arboard::Error),
    /// The data was not accepted.
    #[error("Nothing was copied: {0}")]
    Copy(#[source] arboard::Error),
    /// The picture in the clipboard has no pixels.
    #[error("The picture in the clipboard has no pixels")]
    EmptyPicture,
    /// The clipboard holds neither a picture nor a file name.
    #[error("The clipboard has neither a picture nor a file name")]
    NothingToPaste,
}

impl Clipboard {
    fn open(&mut self) -> Result<&mut arboard::Clipboard, ClipboardError> {
        match &mut self.connection {
            Some(connection) => Ok(connection),
            closed => Ok(closed.insert(arboard::Clipboard::new().map_err(ClipboardError::Unavailable)?)),
        }
    }

    /// Copies `text`.
    ///
    /// # Errors
    /// If there is no clipboard, or it does not accept the text.
    pub(super) fn copy_text(&mut self, text: &str) -> Result<(), ClipboardError> {
        self.open()?.set_text(text).map_err(ClipboardError::Copy)
    }

    /// Copies a picture as 8-bit RGBA.
    ///
    /// # Errors
    /// If there is no clipboard, or it does not accept the picture.
    pub(super) fn copy_picture(&mut self, raster: &Raster) -> Result<(), ClipboardError> {
        let (width, height) = (raster.size().width() as usize, raster.size().height() as usize);
        let bytes = Cow::Owned(rgba(raster));
        let picture = arboard::ImageData { width, height, bytes };
        self.open()?.set_image(picture).map_err(ClipboardError::Copy)
    }

    /// The contents of the clipboard: the first of a list of files, else a picture, else a text that names a file.
    ///
    /// # Errors
    /// If there is no clipboard, or it holds none of these.
    pub(super) fn paste(&mut self) -> Result<Pasted, ClipboardError> {
        let clipboard = self.open()?;
        if let Ok(files) = clipboard.get().file_list()
            && let Some(file) = files.into_iter().next()
        {
            return Ok(Pasted::File(file));
        }
        if let Ok(picture) = clipboard.get_image() {
            let (width, height) = (u32::try_from(picture.width).ok(), u32::try_from(picture.height).ok());
            let size = width.zip(height).and_then(|(width, height)| Size::new(width, height).ok());
            let raster = size.and_then(|size| from_rgba(size, &picture.bytes));
            return raster.map(Pasted::Picture).ok_or(ClipboardError::EmptyPicture);
        }
        let text = clipboard.get_text().unwrap_or_default();
        file_name(&text).map(Pasted::File).ok_or(ClipboardError::NothingToPaste)
    }
}

/// The file that a text of one line names, as a path or as a `file://` address.
fn file_name(text: &str) -> Option<PathBuf> {
    let line = text.trim().trim_matches(|quote| quote == '"' || quote == '\'');
    if line.is_empty() || line.contains('\n') {
        return None;
    }
    let path = PathBuf::from(line.strip_prefix("file://").unwrap_or(line));
    (path.exists() || !crate::image::is_file_name(&path)).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pasted_text_is_a_file_name_only_if_the_file_exists() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let name = file.path().to_str().expect("a name");
        assert_eq!(file_name(&format!(" '{name}'\n")), Some(file.path().to_owned()));
        assert_eq!(file_name(&format!("file://{name}")), Some(file.path().to_owned()));
        assert!(file_name("no such file").is_none() && file_name("").is_none());
    }
}
