//! The desktop's clipboard, where there is one.

use std::borrow::Cow;
use std::path::PathBuf;

use crate::image::{Channels, Raster, Samples};

/// The connection to the clipboard; on some systems what was copied lives as long as it does.
#[derive(Default)]
pub(in crate::app) struct Clipboard {
    open: Option<arboard::Clipboard>,
}

impl std::fmt::Debug for Clipboard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Clipboard").field("is_open", &self.open.is_some()).finish()
    }
}

/// What the clipboard had.
#[derive(Debug)]
pub(in crate::app) enum Pasted {
    /// A picture.
    Picture(Raster),
    /// The name of a file, or of a formula.
    File(PathBuf),
}

impl Clipboard {
    fn open(&mut self) -> Result<&mut arboard::Clipboard, String> {
        if self.open.is_none() {
            let opened = arboard::Clipboard::new().map_err(|error| format!("The clipboard cannot be used: {error}"))?;
            self.open = Some(opened);
        }
        self.open.as_mut().ok_or_else(|| "The clipboard cannot be used".to_owned())
    }

    /// Copies `text`.
    ///
    /// # Errors
    /// Where there is no clipboard, in one line.
    pub(in crate::app) fn copy_text(&mut self, text: &str) -> Result<(), String> {
        self.open()?.set_text(text).map_err(|error| format!("Nothing was copied: {error}"))
    }

    /// Copies a picture of 8 bits a channel.
    ///
    /// # Errors
    /// Where there is no clipboard, in one line.
    pub(in crate::app) fn copy_picture(&mut self, raster: &Raster) -> Result<(), String> {
        let (width, height) = (raster.size().width() as usize, raster.size().height() as usize);
        let bytes = Cow::Owned(rgba(raster));
        let picture = arboard::ImageData { width, height, bytes };
        self.open()?.set_image(picture).map_err(|error| format!("Nothing was copied: {error}"))
    }

    /// What there is to paste.
    ///
    /// # Errors
    /// Where there is no clipboard, or neither a picture nor a file's name on it.
    pub(in crate::app) fn paste(&mut self) -> Result<Pasted, String> {
        let clipboard = self.open()?;
        if let Ok(files) = clipboard.get().file_list()
            && let Some(file) = files.into_iter().next()
        {
            return Ok(Pasted::File(file));
        }
        if let Ok(picture) = clipboard.get_image() {
            let (width, height) = (u32::try_from(picture.width).ok(), u32::try_from(picture.height).ok());
            let size = width.zip(height).and_then(|(width, height)| crate::image::Size::new(width, height).ok());
            return size
                .and_then(|size| from_rgba(size, &picture.bytes))
                .map(Pasted::Picture)
                .ok_or_else(|| "The clipboard's picture has no pixels".to_owned());
        }
        let text = clipboard.get_text().unwrap_or_default();
        file_name(&text)
            .map(Pasted::File)
            .ok_or_else(|| "The clipboard has neither a picture nor a file's name".to_owned())
    }
}

/// The file that a text names: its only line, as a path or an address.
fn file_name(text: &str) -> Option<PathBuf> {
    let line = text.trim().trim_matches(|quote| quote == '"' || quote == '\'');
    if line.is_empty() || line.contains('\n') {
        return None;
    }
    let path = PathBuf::from(line.strip_prefix("file://").unwrap_or(line));
    (path.exists() || !crate::image::is_file_name(&path)).then_some(path)
}

/// Four bytes a pixel.
pub(in crate::app) fn rgba(raster: &Raster) -> Vec<u8> {
    let (size, channels) = (raster.size(), raster.channels());
    let maxval = f32::from(raster.samples().maxval());
    let byte = |number: f32| (number / maxval * 255.0).round().clamp(0.0, 255.0) as u8;
    let mut bytes = Vec::with_capacity(4 * size.area());
    for pixel in 0..size.area() {
        let at = |channel: usize| byte(raster.samples().number(pixel * channels.count() + channel));
        bytes.extend(match channels {
            Channels::Grey => [at(0), at(0), at(0), 255],
            Channels::GreyAlpha => [at(0), at(0), at(0), at(1)],
            Channels::Rgb => [at(0), at(1), at(2), 255],
            Channels::Rgba => [at(0), at(1), at(2), at(3)],
        });
    }
    bytes
}

/// A picture of four bytes a pixel in as few channels as say the same.
pub(in crate::app) fn from_rgba(size: crate::image::Size, bytes: &[u8]) -> Option<Raster> {
    let is_grey = bytes.chunks_exact(4).all(|pixel| pixel[0] == pixel[1] && pixel[1] == pixel[2]);
    let is_opaque = bytes.chunks_exact(4).all(|pixel| pixel[3] == 255);
    let (channels, kept): (_, &[usize]) = match (is_grey, is_opaque) {
        (true, true) => (Channels::Grey, &[0]),
        (true, false) => (Channels::GreyAlpha, &[0, 3]),
        (false, true) => (Channels::Rgb, &[0, 1, 2]),
        (false, false) => (Channels::Rgba, &[0, 1, 2, 3]),
    };
    let values = bytes.chunks_exact(4).flat_map(|pixel| kept.iter().map(|&channel| pixel[channel])).collect();
    Raster::new(size, channels, Samples::U8 { values, maxval: 255 }).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::Size;

    #[test]
    fn pictures_go_to_four_bytes_and_back() {
        let size = Size::new(2, 1).expect("a size");
        for bytes in [[7, 7, 7, 255, 9, 9, 9, 255], [7, 7, 7, 1, 9, 9, 9, 255], [1, 2, 3, 255, 4, 5, 6, 255]] {
            assert_eq!(rgba(&from_rgba(size, &bytes).expect("a raster")), bytes);
        }
        assert_eq!(
            from_rgba(size, &[7, 7, 7, 255, 9, 9, 9, 255]).map(|raster| raster.channels()),
            Some(Channels::Grey)
        );
        assert!(from_rgba(size, &[0; 4]).is_none());
    }

    #[test]
    fn a_text_is_a_files_name_where_there_is_such_a_file() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let name = file.path().to_str().expect("a name");
        assert_eq!(file_name(&format!(" '{name}'\n")), Some(file.path().to_owned()));
        assert_eq!(file_name(&format!("file://{name}")), Some(file.path().to_owned()));
        assert!(file_name("no such file").is_none() && file_name("").is_none());
    }
}
