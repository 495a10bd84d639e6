//! Files of the window: sources of images, sessions, settings, the clipboard and exports.

mod clipboard;
mod documents;
mod drawer;
mod export;
mod fields;
mod figure;
mod folder;
mod inspect_table;
mod loader;
mod notice;
mod one_dimension_table;
mod recovery;
mod session_file;
mod settings;
mod settings_store;
mod side_bar;
mod sources;
mod text_file;
mod watch;

pub(super) use self::documents::{Documents, raster_of};
pub use self::drawer::DrawerHeight;
pub use self::export::ExportError;
pub(super) use self::export::ExportTarget;
pub use self::fields::FieldError;
pub(super) use self::folder::names_picture;
pub(super) use self::loader::{Arrival, LoadError, OpenTarget};
pub(super) use self::notice::{DocumentError, Notice};
pub(super) use self::recovery::{OfferAnswer, RecoveryError};
pub use self::session_file::{NotUtf8Error, Restored, SavedSession, SessionFileError};
pub use self::settings::{AppPaths, NotTomlError, Settings, TextScale, ThemeChoice};
pub(super) use self::settings_store::SettingsStore;
pub use self::side_bar::{SIDE_SECTIONS, SIDE_TABS, SideBar, SideSection, SideSectionRow, SideTab, SideTabRow};
pub use self::sources::NoSourceError;
pub(super) use self::sources::absolute;
pub use self::text_file::TextFileError;
