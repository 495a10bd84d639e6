//! Modules loaded before they are needed, by a thread of their own: while its window opens, a program has better to do than
//! to wait for a compiler.
//!
//! On an H200 whose driver had compiled none of them before, `tiled_u8` took 2.3 s to load, `direct_u8` 1.7 s and `passes`
//! 0.9 s; the driver keeps what it compiled, and then all of them take a few milliseconds. Whoever needs a module that is
//! being loaded waits for it; one that does not load is tried again when it is needed, and the error told there.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use super::modules::{Modules, PTX_FILES};
use crate::backend::cuda::abi::sample_kind::SampleKind;
use crate::image::{Channels, Page, Samples};

/// The thread, until it has loaded all modules or is given up.
#[derive(Debug)]
pub(crate) struct Loading {
    is_unwanted: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Loading {
    /// Loads the modules that pictures of `page` need first, then the others.
    pub(crate) fn start(modules: Arc<Modules>, page: &Page) -> Self {
        let is_unwanted = Arc::new(AtomicBool::new(false));
        let (names, is_over) = (order(page), Arc::clone(&is_unwanted));
        let load = move || {
            for name in names {
                if is_over.load(Ordering::Relaxed) {
                    return;
                }
                if let Err(fault) = modules.get(name) {
                    log::info!("{}", fault.what);
                }
            }
        };
        let thread = std::thread::Builder::new().name("modules".to_owned()).spawn(load);
        Self { is_unwanted, thread: thread.inspect_err(|error| log::info!("no thread loads modules: {error}")).ok() }
    }

    /// Has the thread end after the module that it is at, and does not wait for that.
    pub(crate) fn give_up(&self) {
        self.is_unwanted.store(true, Ordering::Relaxed);
    }
}

impl Drop for Loading {
    fn drop(&mut self) {
        self.give_up();
        if let Some(thread) = self.thread.take() {
            // The driver must not be gone while the thread is in it. One that panicked has ended too.
            let _ = thread.join();
        }
    }
}

/// The modules in the order in which a window on `page` is likely to need them.
fn order(page: &Page) -> Vec<&'static str> {
    let kind = match page.raster().samples() {
        Samples::U8 { .. } => SampleKind::U8,
        Samples::U16 { .. } => SampleKind::U16,
        Samples::F32(_) => SampleKind::F32,
    };
    let of_kind = |stem: &str| format!("{stem}_{}", kind.name());
    let mut first = vec![of_kind("tiled"), "passes".to_owned(), "prefilter".to_owned(), "filtered".to_owned()];
    if page.channels() == Channels::Grey {
        first.insert(0, of_kind("direct"));
    }
    first.extend(["lookup", "display"].map(str::to_owned));
    let rank = |name: &str| first.iter().position(|wanted| wanted == name).unwrap_or(first.len());
    // What only measurements and tests use is not for a window.
    let shown = PTX_FILES.iter().map(|file| file.name).filter(|name| !["bench", "layout"].contains(name));
    let mut names: Vec<&'static str> = shown.collect();
    names.sort_by_key(|name| rank(name));
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Depth, Raster, Size};

    #[test]
    fn every_module_is_loaded_once_those_of_the_image_first() {
        let size = Size::new(2, 2).expect("a size");
        let names = |channels, depth| order(&Page::new(Raster::zeros(size, channels, depth)));
        let grey = names(Channels::Grey, Depth::EIGHT);
        assert_eq!(grey[..3], ["direct_u8", "tiled_u8", "passes"]);
        assert_eq!(names(Channels::Rgb, Depth::SIXTEEN)[..2], ["tiled_u16", "passes"]);
        assert_eq!(names(Channels::Grey, Depth::Float)[..2], ["tiled_f32", "passes"]);
        let mut sorted = grey;
        sorted.sort_unstable();
        let all: Vec<&str> = PTX_FILES.iter().map(|file| file.name).collect();
        assert!(all.iter().all(|name| sorted.contains(name) != ["bench", "layout"].contains(name)));
        assert_eq!(sorted.len() + 2, all.len());
    }
}
