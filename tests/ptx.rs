//! The committed PTX against the rows and structs that it was made for: needs no GPU.

use std::path::Path;

use lerpscope::backend::cuda::{PTX_FILES, entries, layouts};
use lerpscope::filter::FILTERS;
use lerpscope::sampling::METHODS;

fn text(module: &str) -> &'static str {
    PTX_FILES.iter().find(|file| file.name == module).map(|file| file.text).expect("a committed file")
}

#[test]
fn every_row_has_its_entries() {
    let entries = entries();
    for name in METHODS.iter().map(|row| row.name).chain(FILTERS.iter().map(|row| row.name)) {
        assert!(entries.iter().any(|(row, _)| *row == Some(name)), "{name}");
    }
    for (row, entry) in &entries {
        let found = text(entry.module).contains(&format!(".entry {entry}("));
        assert!(
            found,
            "{row:?} wants {entry} in {}.ptx: add it to its kernel file and run kernels/build.py",
            entry.module
        );
    }
}

#[test]
fn committed_files_are_the_ones_that_are_loaded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/ptx");
    let mut committed: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder of the PTX")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    committed.sort();
    let loaded: Vec<String> = PTX_FILES.iter().map(|file| format!("{}.ptx", file.name)).collect();
    assert_eq!(committed, loaded);
}

/// A file of the kernels' folder.
fn kernel_file(name: &str) -> Vec<u8> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels").join(name);
    std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The checksum of what the PTX of `module` is made of, as `inputs` in kernels/build.py lists it.
fn checksum_of_inputs(module: &str) -> u32 {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels");
    let names = std::fs::read_dir(folder).expect("the folder of the kernels");
    let names = names.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let mut headers: Vec<String> = names.filter(|name| name.ends_with(".cuh")).collect();
    headers.sort();
    let beside = ["compile.c", "options.txt", "requirements.txt"].map(str::to_owned);
    let mut checksum = crc32fast::Hasher::new();
    for name in std::iter::once(format!("{module}.cu")).chain(headers).chain(beside) {
        for part in [name.as_bytes(), b"\0", &kernel_file(&name), b"\0"] {
            checksum.update(part);
        }
    }
    checksum.finalize()
}

#[test]
fn committed_ptx_was_made_of_the_committed_sources_headers_options_and_compiler() {
    let text = String::from_utf8(kernel_file("sources.txt")).expect("text");
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len(), PTX_FILES.len(), "kernels/sources.txt has a line for each PTX");
    for (file, line) in PTX_FILES.iter().zip(lines) {
        let ptx = crc32fast::hash(file.text.as_bytes());
        let expected = format!("{} {:08x} {ptx:08x}", file.name, checksum_of_inputs(file.name));
        assert_eq!(line, expected, "{}.ptx is not of these sources: run kernels/build.py", file.name);
    }
}

#[test]
fn ptx_is_for_every_gpu_since_pascal_and_drivers_since_525() {
    for file in &PTX_FILES {
        assert!(file.text.contains("\n.target sm_60\n"), "{}", file.name);
        assert!(file.text.contains("\n.version 8.0\n"), "{}", file.name);
    }
}

/// The numbers of a `.global .align 4 .b8 name[…] = {…};` of the PTX, as 32-bit words.
fn words(ptx: &str, name: &str) -> Option<Vec<u32>> {
    let from = ptx.find(&format!(" {name}["))?;
    let list = ptx[from..].split_once('{')?.1.split_once('}')?.0;
    let bytes: Vec<u8> = list.split(',').map(|byte| byte.trim().parse().expect("a byte")).collect();
    Some(bytes.as_chunks::<4>().0.iter().map(|&word| u32::from_le_bytes(word)).collect())
}

/// The bytes of an entry's first parameter in its PTX; 0 where it has none.
fn parameter_bytes(ptx: &str, entry: &str) -> Option<usize> {
    let from = ptx.find(&format!(".entry {entry}("))?;
    let list = ptx[from..].split_once('(')?.1.split_once(')')?.0;
    match list.split(',').next().filter(|first| !first.trim().is_empty()) {
        Some(first) => first.split_once('[')?.1.split_once(']')?.0.parse().ok(),
        None => Some(0),
    }
}

#[test]
fn every_entry_takes_the_struct_that_it_is_launched_with() {
    for (_, entry) in entries() {
        let there = parameter_bytes(text(entry.module), &entry.to_string());
        assert_eq!(there, Some(entry.argument_bytes()), "{entry}: bytes of its first parameter in the PTX, then here");
    }
}

#[test]
fn mirrored_structs_agree_by_offset() {
    let ptx = text("layout");
    for layout in layouts() {
        let there = words(ptx, &layout.name).unwrap_or_else(|| panic!("{} is not in kernels/layout.cu", layout.name));
        assert_eq!(there, layout.numbers, "{}: offsets in kernels/arguments.cuh, then here", layout.name);
    }
}
