//! The committed PTX against the rows and structs that it was made for: needs no GPU.

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
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/ptx");
    let mut committed: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder of the PTX")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    committed.sort();
    let loaded: Vec<String> = PTX_FILES.iter().map(|file| format!("{}.ptx", file.name)).collect();
    assert_eq!(committed, loaded);
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
