//! Files of the window: images, sessions, settings, the clipboard and exports.

pub(in crate::app) mod clipboard;
pub(in crate::app) mod export;
pub(in crate::app) mod fields;
pub(in crate::app) mod figure;
pub(in crate::app) mod folder;
pub(in crate::app) mod inspect_table;
pub(in crate::app) mod loader;
pub(in crate::app) mod recovery;
pub(in crate::app) mod session_file;
pub(in crate::app) mod settings;
pub(in crate::app) mod sources;
pub(in crate::app) mod watch;
