//! The floor plan of `src/app`: imports between its rooms run downwards.

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms from the bottom up. Rooms of one floor do not import each other.
const FLOORS: [&[&str]; 8] = [
    &["widgets"],
    &["session"],
    &["render", "commands", "input"],
    &["inspect", "files"],
    &["lab", "learn"],
    &["bars"],
    &["panels", "dialogs"],
    &["window"],
];

fn floor(room: &str) -> Option<usize> {
    FLOORS.iter().position(|rooms| rooms.contains(&room))
}

/// All Rust files below `folder`.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| path.is_dir());
    let rust = files.into_iter().filter(|file| file.extension().is_some_and(|extension| extension == "rs"));
    rust.chain(folders.iter().flat_map(|folder| sources(folder))).collect()
}

/// The code of a file without comments, blanks and unit tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or(""));
    lines.flat_map(str::chars).filter(|c| !c.is_whitespace()).collect()
}

/// The names that follow `path` in `code`: one, or those of a group in braces.
fn names_after(code: &str, path: &str) -> Vec<String> {
    let name = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut names = Vec::new();
    for (at, _) in code.match_indices(path) {
        // `super::super::` ends in `super::`, which names another module.
        if code[..at].ends_with("super::") {
            continue;
        }
        let rest = &code[at + path.len()..];
        match rest.strip_prefix('{') {
            None => names.push(name(rest)),
            Some(group) => {
                let (mut depth, mut start) = (0, 0);
                for (end, c) in group.char_indices() {
                    match c {
                        '{' => depth += 1,
                        '}' | ',' if depth == 0 => {
                            names.push(name(&group[start..end]));
                            start = end + 1;
                            if c == '}' {
                                break;
                            }
                        }
                        '}' => depth -= 1,
                        _ => {}
                    }
                }
            }
        }
    }
    names
}

#[test]
fn names_after_a_path_are_those_of_its_groups_and_not_of_deeper_modules() {
    let text = code(
        "use crate::app::{bars::{status, toolbar}, files}; // crate::app::window\nuse super::super::dialogs::Toasts;",
    );
    assert_eq!(names_after(&text, "crate::app::"), ["bars", "files"]);
    assert_eq!(names_after(&text, "super::super::"), ["dialogs"]);
    assert!(names_after(&text, "super::").iter().all(|name| name == "super"));
}

#[test]
fn imports_between_rooms_of_the_application_run_downwards() {
    let app = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/app");
    let mut wrong = Vec::new();
    let mut count = 0;
    for entry in fs::read_dir(&app).expect("the folder").map(|entry| entry.expect("an entry").path()) {
        if !entry.is_dir() || sources(&entry).is_empty() {
            continue;
        }
        let room = entry.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        let own = floor(&room).unwrap_or_else(|| panic!("src/app/{room} has no floor"));
        for file in sources(&entry) {
            let inside = file.strip_prefix(&entry).expect("a file of the room");
            let depth = inside.components().count() - usize::from(inside.ends_with("mod.rs"));
            let text = code(&fs::read_to_string(&file).expect("text"));
            let relative = "super::".repeat(depth + 1);
            let names = names_after(&text, "crate::app::").into_iter().chain(names_after(&text, &relative));
            for name in names.filter(|name| *name != room) {
                count += 1;
                match floor(&name) {
                    Some(other) if other < own => {}
                    _ => wrong.push(format!("{}: {name}", file.display())),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "these import from their own floor or above:\n{}", wrong.join("\n"));
    assert!(count > 100, "{count} imports");
}

/// Text has the sizes of `widgets/theme`: no other file names a size as a number.
#[test]
fn sizes_of_text_are_those_of_the_theme() {
    let app = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/app");
    let mut wrong = Vec::new();
    for file in sources(&app).into_iter().filter(|file| !file.starts_with(app.join("widgets/theme"))) {
        let text = code(&fs::read_to_string(&file).expect("text"));
        for path in ["FontId::proportional(", "FontId::monospace(", ".size(", "medium("] {
            let is_number = |at: &usize| text[*at + path.len()..].starts_with(|c: char| c.is_ascii_digit());
            if text.match_indices(path).any(|(at, _)| is_number(&at)) {
                wrong.push(format!("{}: {path}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "sizes in numbers:\n{}", wrong.join("\n"));
}
