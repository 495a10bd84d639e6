//! Bytes of a PNM file in order: a small window for headers; rasters are read directly into their memory.

use std::io::{self, Read};

use bytemuck::Pod;

/// Bytes read at once for headers; a longer header doubles the window.
const WINDOW: usize = 1 << 14;
/// Growth of a raster, in bytes, for a stream of unknown length.
const GROWTH: usize = 1 << 20;

/// Reader with a window of bytes that are read but not consumed.
pub(super) struct Source<'a> {
    reader: &'a mut dyn Read,
    /// Bytes left in `reader`, if known.
    behind: Option<u64>,
    window: Vec<u8>,
    /// First unconsumed byte of `window`.
    start: usize,
    is_at_end: bool,
}

impl<'a> Source<'a> {
    /// Source of the bytes of `reader`, `len` bytes if known.
    pub(super) fn new(reader: &'a mut dyn Read, len: Option<u64>) -> Self {
        Self { reader, behind: len, window: Vec::new(), start: 0, is_at_end: false }
    }

    /// Unconsumed bytes of the window.
    pub(super) fn window(&self) -> &[u8] {
        &self.window[self.start..]
    }

    /// Whether the reader has no bytes beyond the window.
    pub(super) fn is_at_end(&self) -> bool {
        self.is_at_end
    }

    /// Total bytes left, if known.
    pub(super) fn left(&self) -> Option<u64> {
        let at_hand = self.window().len() as u64;
        if self.is_at_end { Some(at_hand) } else { self.behind.map(|behind| behind.saturating_add(at_hand)) }
    }

    /// Consumes `count` bytes of the window.
    pub(super) fn skip(&mut self, count: usize) {
        self.start += count;
    }

    /// Reads until the window has twice its length, or to the end.
    ///
    /// # Errors
    /// Errors of the reader.
    pub(super) fn widen(&mut self) -> io::Result<()> {
        let more = self.window().len().max(WINDOW);
        self.read_window(more as u64)
    }

    /// Reads all remaining bytes into the window.
    ///
    /// # Errors
    /// Errors of the reader.
    pub(super) fn widen_to_end(&mut self) -> io::Result<()> {
        if let Some(behind) = self.behind.and_then(|behind| usize::try_from(behind).ok()) {
            self.window.reserve_exact(behind);
        }
        self.read_window(u64::MAX)
    }

    fn read_window(&mut self, count: u64) -> io::Result<()> {
        if self.is_at_end {
            return Ok(());
        }
        self.window.drain(..self.start);
        self.start = 0;
        let read = (&mut *self.reader).take(count).read_to_end(&mut self.window)? as u64;
        self.is_at_end |= read < count;
        self.behind = self.behind.map(|behind| behind.saturating_sub(read));
        Ok(())
    }

    /// Takes the next `count` numbers by their bytes, or as many as there are. Memory is allocated at once if the
    /// length shows that they exist, otherwise as they arrive.
    ///
    /// # Errors
    /// Errors of the reader.
    pub(super) fn take_numbers<T: Pod>(&mut self, count: usize) -> io::Result<Taken<T>> {
        let bytes_wanted = count as u64 * size_of::<T>() as u64;
        let is_known = self.left().is_some_and(|left| left >= bytes_wanted);
        let mut values: Vec<T> = if is_known { bytemuck::zeroed_vec(count) } else { Vec::new() };
        let mut filled = 0;
        loop {
            if !is_known {
                let more = (filled / size_of::<T>() + GROWTH / size_of::<T>()).min(count);
                values.resize(more, T::zeroed());
            }
            let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut values);
            let wanted = bytes.len() - filled;
            let read = self.fill(&mut bytes[filled..])?;
            filled += read;
            if read < wanted || filled as u64 == bytes_wanted {
                break;
            }
        }
        if !is_known {
            values.shrink_to_fit();
        }
        Ok(Taken { values, bytes: filled as u64 })
    }

    /// Fills `out` from the window, then from the reader; returns the number of bytes.
    fn fill(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let at_hand = self.window().len().min(out.len());
        out[..at_hand].copy_from_slice(&self.window()[..at_hand]);
        self.start += at_hand;
        let mut filled = at_hand;
        while filled < out.len() && !self.is_at_end {
            match self.reader.read(&mut out[filled..]) {
                Ok(0) => self.is_at_end = true,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let read = (filled - at_hand) as u64;
        self.behind = self.behind.map(|behind| behind.saturating_sub(read));
        Ok(filled)
    }
}

/// Numbers taken from a source.
pub(super) struct Taken<T> {
    /// The numbers; missing ones are 0.
    pub(super) values: Vec<T>,
    /// Number of bytes found.
    pub(super) bytes: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reader of a few bytes at a time, as a pipe.
    struct Dripping<'a>(&'a [u8]);

    impl Read for Dripping<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let count = out.len().min(self.0.len()).min(7);
            out[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    #[test]
    fn numbers_from_window_and_reader_are_equal_and_counted() {
        let bytes: Vec<u8> = (0..3 * GROWTH + 11).map(|k| (k % 251) as u8).collect();
        for len in [Some(bytes.len() as u64), None] {
            for widened in [false, true] {
                let mut reader = Dripping(&bytes);
                let mut source = Source::new(&mut reader, len);
                if widened {
                    source.widen().expect("it reads");
                    source.skip(5);
                } else {
                    assert_eq!(source.take_numbers::<u8>(5).expect("it reads").values, &bytes[..5]);
                }
                let words = source.take_numbers::<u16>(GROWTH).expect("it reads");
                assert_eq!(words.bytes as usize, 2 * GROWTH);
                assert_eq!(bytemuck::cast_slice::<u16, u8>(&words.values), &bytes[5..][..2 * GROWTH]);
                let rest = source.take_numbers::<u8>(10 * GROWTH).expect("it reads");
                assert_eq!((rest.bytes as usize, source.left()), (GROWTH + 6, Some(0)));
                assert_eq!(&rest.values[..GROWTH + 6], &bytes[5 + 2 * GROWTH..]);
                assert!(rest.values.len() <= 2 * GROWTH, "memory is not taken for what a header promises");
            }
        }
    }

    #[test]
    fn window_widens_to_the_end_of_the_source() {
        let bytes = vec![7; 9 * WINDOW / 2];
        let mut reader = Dripping(&bytes);
        let mut source = Source::new(&mut reader, None);
        let mut lens = Vec::new();
        while !source.is_at_end() {
            source.widen().expect("it reads");
            lens.push(source.window().len());
        }
        assert_eq!(lens, [WINDOW, 2 * WINDOW, 4 * WINDOW, 9 * WINDOW / 2]);
        source.skip(3);
        source.widen_to_end().expect("it reads");
        assert_eq!(source.window().len(), 9 * WINDOW / 2 - 3);
    }
}
