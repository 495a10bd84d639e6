//! Completion of a typed path: the entries of its folder that begin like its last part.
//!
//! A folder is read on a thread, so that a slow file system does not stop the window.

use std::path::{MAIN_SEPARATOR, Path, PathBuf, is_separator};
use std::sync::mpsc::{Receiver, channel};

/// Maximum number of entries that are read of a folder.
const MOST_ENTRIES: usize = 20_000;

/// An entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PathEntry {
    /// Its name. That of a folder ends in a separator.
    pub(super) name: String,
    /// What it is, the first listed first.
    pub(super) kind: EntryKind,
}

/// Kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EntryKind {
    /// The folder that has this one.
    Parent,
    /// A folder.
    Folder,
    /// A file that the dialog takes.
    Taken,
    /// Another file.
    Other,
}

/// The folder that is listed.
#[derive(Debug)]
struct Listing {
    folder: PathBuf,
    /// Delivers the entries.
    arriving: Option<Receiver<Vec<PathEntry>>>,
    entries: Vec<PathEntry>,
}

/// Entries of the typed path's folder.
#[derive(Debug)]
pub(super) struct PathCompletion {
    /// Whether the dialog takes a file of this name.
    takes: fn(&Path) -> bool,
    listing: Option<Listing>,
}

/// The parts of a typed path: the folder as typed, with its separator, and the beginning of a name.
fn split(typed: &str) -> (&str, &str) {
    let end = typed.rfind(is_separator).map_or(0, |at| at + 1);
    typed.split_at(end)
}

/// The path that `typed` means: `~` is the folder `home` of the user.
fn expanded_in(typed: &str, home: Option<&Path>) -> PathBuf {
    match (typed.strip_prefix('~'), home) {
        (Some(""), Some(home)) => home.to_owned(),
        (Some(rest), Some(home)) if rest.starts_with(is_separator) => home.join(rest.trim_start_matches(is_separator)),
        _ => PathBuf::from(typed),
    }
}

/// The absolute path that was typed or pasted behind another one: `/data/b.png` of `/home/ann//data/b.png`, `~/c.png` of
/// `/home/ann/~/c.png`. `None` if `typed` is one path.
pub(super) fn absolute_part(typed: &str) -> Option<&str> {
    let mut starts =
        typed.char_indices().filter(|(_, letter)| is_separator(*letter)).map(|(at, letter)| at + letter.len_utf8());
    let is_start = |at: &usize| {
        let rest = &typed[*at..];
        // Two separators at the beginning are the server of a network path on Windows.
        *at > 1 && (rest.starts_with('/') || rest.strip_prefix('~').is_some_and(|rest| rest.starts_with(is_separator)))
    };
    starts.rfind(is_start).map(|at| &typed[at..])
}

/// Whether `typed` names a folder. What is typed without one may be the formula of an image.
pub(super) fn names_folder(typed: &str) -> bool {
    !split(typed).0.is_empty()
}

/// The path that `typed` means. `~` is the user's home folder.
pub(super) fn expanded(typed: &str) -> PathBuf {
    expanded_in(typed, std::env::home_dir().as_deref())
}

/// The entries that begin with `part`, regardless of case if none begins with it as typed. Hidden entries are listed only if
/// `part` begins with a dot.
fn matches<'a>(entries: &'a [PathEntry], part: &str) -> Vec<&'a PathEntry> {
    let is_listed = |entry: &&PathEntry| match entry.kind {
        EntryKind::Parent => part.is_empty(),
        _ => part.starts_with('.') || !entry.name.starts_with('.'),
    };
    let listed: Vec<&PathEntry> = entries.iter().filter(is_listed).collect();
    let exact: Vec<_> = listed.iter().copied().filter(|entry| entry.name.starts_with(part)).collect();
    if !exact.is_empty() {
        return exact;
    }
    let lower = part.to_lowercase();
    listed.into_iter().filter(|entry| entry.name.to_lowercase().starts_with(&lower)).collect()
}

/// The longest beginning that all `names` share.
fn common_prefix<'a>(names: &[&'a str]) -> &'a str {
    let Some((first, rest)) = names.split_first() else { return "" };
    let shared = |end: &usize| rest.iter().all(|name| name.starts_with(&first[..*end]));
    let ends = first.char_indices().map(|(at, letter)| at + letter.len_utf8());
    let end = ends.take_while(shared).last().unwrap_or(0);
    &first[..end]
}

fn read(folder: &Path, takes: fn(&Path) -> bool) -> Vec<PathEntry> {
    let entry = |entry: std::fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        // Through links.
        let is_folder = entry.path().is_dir();
        let kind = match is_folder {
            true => EntryKind::Folder,
            false if takes(Path::new(&name)) => EntryKind::Taken,
            false => EntryKind::Other,
        };
        Some(PathEntry { name: if is_folder { format!("{name}{MAIN_SEPARATOR}") } else { name }, kind })
    };
    let read = std::fs::read_dir(folder).into_iter().flatten().flatten().take(MOST_ENTRIES);
    let mut entries: Vec<PathEntry> = read.filter_map(entry).collect();
    let parent = std::path::absolute(folder).is_ok_and(|folder| folder.parent().is_some());
    entries.extend(parent.then(|| PathEntry { name: format!("..{MAIN_SEPARATOR}"), kind: EntryKind::Parent }));
    entries.sort_by(|a, b| a.kind.cmp(&b.kind).then_with(|| natord::compare_ignore_case(&a.name, &b.name)));
    entries
}

impl EntryKind {
    /// Whether it has entries of its own.
    pub(super) fn is_folder(self) -> bool {
        match self {
            Self::Parent | Self::Folder => true,
            Self::Taken | Self::Other => false,
        }
    }
}

impl PathCompletion {
    /// A completion for a dialog that takes files whose names `takes` accepts.
    pub(super) fn new(takes: fn(&Path) -> bool) -> Self {
        Self { takes, listing: None }
    }

    /// Reads the folder of `typed` if it is another one than before, and takes over what was read.
    pub(super) fn follow(&mut self, ctx: &egui::Context, typed: &str) {
        let (folder, _) = split(typed);
        let folder = if folder.is_empty() { PathBuf::from(".") } else { expanded(folder) };
        if self.listing.as_ref().is_none_or(|listing| listing.folder != folder) {
            let (sender, arriving) = channel();
            let (ctx, takes, read_folder) = (ctx.clone(), self.takes, folder.clone());
            std::thread::spawn(move || {
                // The receiver is gone if another folder was typed or the dialog was closed.
                drop(sender.send(read(&read_folder, takes)));
                ctx.request_repaint();
            });
            self.listing = Some(Listing { folder, arriving: Some(arriving), entries: Vec::new() });
        }
        if let Some(listing) = &mut self.listing
            && let Some(entries) = listing.arriving.as_ref().and_then(|arriving| arriving.try_recv().ok())
        {
            (listing.entries, listing.arriving) = (entries, None);
        }
    }

    /// The entries that `typed` begins, folders first, then those that the dialog takes.
    pub(super) fn found(&self, typed: &str) -> Vec<&PathEntry> {
        let entries = self.listing.as_ref().map_or(&[][..], |listing| &listing.entries);
        matches(entries, split(typed).1)
    }

    /// All entries of the folder but hidden ones.
    pub(super) fn all(&self) -> Vec<&PathEntry> {
        let entries = self.listing.as_ref().map_or(&[][..], |listing| &listing.entries);
        matches(entries, "")
    }

    /// Whether the folder is still being read.
    pub(super) fn is_reading(&self) -> bool {
        self.listing.as_ref().is_some_and(|listing| listing.arriving.is_some())
    }

    /// `typed` with the beginning that all found entries share; `None` if that adds nothing.
    pub(super) fn completed(&self, typed: &str) -> Option<String> {
        let found = self.found(typed).into_iter().filter(|entry| entry.kind != EntryKind::Parent);
        let names: Vec<&str> = found.map(|entry| entry.name.as_str()).collect();
        let (folder, part) = split(typed);
        let shared = common_prefix(&names);
        (shared.len() >= part.len() && shared != part).then(|| format!("{folder}{shared}"))
    }
}

/// The folder above that of `typed`, which ends in a separator; `None` if a name is typed behind it.
pub(super) fn parent_of(typed: &str) -> Option<String> {
    let (folder, part) = split(typed);
    let parent = PathEntry { name: String::new(), kind: EntryKind::Parent };
    (part.is_empty() && !folder.is_empty()).then(|| with_entry(typed, &parent))
}

/// The path `typed` with its last part replaced by the name of `entry`. The parent folder is named, not `..` behind its child.
pub(super) fn with_entry(typed: &str, entry: &PathEntry) -> String {
    let (folder, _) = split(typed);
    if entry.kind == EntryKind::Parent {
        let whole = std::path::absolute(expanded(if folder.is_empty() { "." } else { folder }));
        let parent = whole.ok().and_then(|whole| whole.parent().map(|parent| parent.join("").display().to_string()));
        return parent.unwrap_or_else(|| folder.to_owned());
    }
    format!("{folder}{}", entry.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_path_behind_another_one_stands_alone() {
        for (typed, absolute) in [
            ("/home/ann//data/b.png", Some("/data/b.png")),
            ("/home/ann//", Some("/")),
            ("/home/ann/~/c.png", Some("~/c.png")),
            ("pictures//data/x//y", Some("/y")),
            ("/home/ann/b.png", None),
            ("/home/ann/~draft.png", None),
            ("//server/share/b.png", None),
            ("~/c.png", None),
            ("synth:zone-plate:512x512", None),
            ("", None),
        ] {
            assert_eq!(absolute_part(typed), absolute, "{typed}");
        }
    }

    fn entries(names: &[&str]) -> Vec<PathEntry> {
        names.iter().map(|name| PathEntry { name: (*name).to_owned(), kind: EntryKind::Taken }).collect()
    }

    fn completion(names: &[&str]) -> PathCompletion {
        let listing = Listing { folder: PathBuf::from("/a/"), arriving: None, entries: entries(names) };
        PathCompletion { takes: |_| true, listing: Some(listing) }
    }

    #[test]
    fn completion_adds_what_all_entries_share() {
        let names = completion(&["plot-1.png", "plot-22.png", "Picture.png", "größe.png", "größen/"]);
        let completed = |typed: &str| names.completed(typed);
        assert_eq!(completed("/a/pl").as_deref(), Some("/a/plot-"));
        assert_eq!(completed("/a/plot-"), None, "two entries go on differently");
        assert_eq!(completed("/a/plot-2").as_deref(), Some("/a/plot-22.png"));
        assert_eq!(completed("/a/plot-22.png"), None);
        assert_eq!(completed("/a/gr").as_deref(), Some("/a/größe"));
        assert_eq!(completed("/a/größen").as_deref(), Some("/a/größen/"));
        assert_eq!(completed("/a/pic").as_deref(), Some("/a/Picture.png"), "in the case of the entry");
        assert_eq!(completed("/a/x"), None);
    }

    #[test]
    fn hidden_entries_are_found_behind_a_dot_alone() {
        let names = completion(&[".cache/", "a.png"]);
        let found = |typed: &str| names.found(typed).iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>();
        assert_eq!((found("/a/"), found("/a/.")), (vec!["a.png"], vec![".cache/"]));
    }

    #[test]
    fn tilde_is_the_home_folder_at_the_beginning_alone() {
        let home = Some(Path::new("/home/me"));
        for (typed, expected) in
            [("~", "/home/me"), ("~/a.png", "/home/me/a.png"), ("~you/a", "~you/a"), ("/b/~/c", "/b/~/c")]
        {
            assert_eq!(expanded_in(typed, home), Path::new(expected), "{typed}");
        }
        assert_eq!(expanded_in("~/a", None), Path::new("~/a"));
    }

    #[test]
    fn parent_folder_is_listed_and_is_chosen_by_its_own_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("inner");
        std::fs::create_dir(&inner).expect("a folder");
        let listed = read(&inner, |_| true);
        assert_eq!(listed, [PathEntry { name: format!("..{MAIN_SEPARATOR}"), kind: EntryKind::Parent }]);
        let typed = inner.join("").display().to_string();
        assert_eq!(with_entry(&typed, &listed[0]), folder.path().join("").display().to_string());
        let completion = PathCompletion {
            takes: |_| true,
            listing: Some(Listing { folder: inner, arriving: None, entries: listed }),
        };
        assert_eq!(completion.completed(&typed), None, "it is no completion");
        assert!(completion.found(&format!("{typed}a")).is_empty());
        assert!(read(Path::new("/"), |_| true).iter().all(|entry| entry.kind != EntryKind::Parent));
    }

    #[test]
    fn folder_lists_its_parent_then_folders_then_taken_files_then_others_in_natural_order() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["a10.png", "a9.png", "notes.txt"] {
            std::fs::write(folder.path().join(name), "").expect("a file");
        }
        std::fs::create_dir(folder.path().join("images")).expect("a folder");
        let names: Vec<String> = read(folder.path(), |name| name.extension().is_some_and(|end| end == "png"))
            .into_iter()
            .map(|entry| entry.name)
            .collect();
        assert_eq!(
            names,
            [&format!("..{MAIN_SEPARATOR}"), &format!("images{MAIN_SEPARATOR}"), "a9.png", "a10.png", "notes.txt"]
        );
    }
}
