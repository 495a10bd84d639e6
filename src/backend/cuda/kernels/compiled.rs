//! Compiled kernels: the modules that kernels/build.py makes, compressed in the program.
//!
//! The PTX of a module is one text an entry, since the driver compiles all entries of a text before any can be launched. A
//! cubin is machine code and needs no compilation, so it holds all entries of its module.

use std::io::{Error, ErrorKind, Read, Result};

use lzma_rust2::XzReader;

/// A group of entries that differ in their output alone.
#[derive(Debug)]
pub struct Module {
    /// The name of its files in kernels/compiled.
    pub name: &'static str,
    /// The names of its kernels.
    pub entries: &'static [&'static str],
    /// Whether its kernels are launched with dynamic shared memory.
    pub shares: bool,
    /// The PTX of each entry, one NUL-terminated text after the other, as an xz stream.
    ptx: &'static [u8],
    /// The cubins as xz streams, each with the major compute capability that it runs on.
    cubins: &'static [(i32, &'static [u8])],
}

/// Every module, sorted by name.
pub static MODULES: &[Module] = include!("../../../../kernels/compiled/modules.rs");

impl Module {
    /// The module that contains `entry`, and the position of the entry in it.
    pub fn of_entry(entry: &str) -> Option<(&'static Self, usize)> {
        MODULES.iter().find_map(|module| Some((module, module.entries.iter().position(|name| *name == entry)?)))
    }

    /// The PTX of the entry at `position`.
    ///
    /// # Errors
    /// If there is no text at this position.
    pub fn ptx(&self, position: usize) -> Result<String> {
        let texts = decompressed(self.ptx)?;
        let text = texts.split(|&byte| byte == 0).nth(position).filter(|text| !text.is_empty());
        let text = text.ok_or_else(|| Error::new(ErrorKind::InvalidData, "the entry has no PTX"))?;
        String::from_utf8(text.to_vec()).map_err(|error| Error::new(ErrorKind::InvalidData, error))
    }

    /// The major compute capabilities that have a cubin of this module.
    pub fn cubin_majors(&self) -> impl Iterator<Item = i32> {
        self.cubins.iter().map(|(major, _)| *major)
    }

    /// The cubin for a device of this major compute capability; `None` if there is none.
    ///
    /// # Errors
    /// If the stream is damaged.
    pub fn cubin(&self, major: i32) -> Option<Result<Vec<u8>>> {
        self.cubins.iter().find(|(of, _)| *of == major).map(|(_, data)| decompressed(data))
    }
}

fn decompressed(data: &[u8]) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    XzReader::new(data, false).read_to_end(&mut bytes)?;
    Ok(bytes)
}
