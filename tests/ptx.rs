//! The committed kernels against their sources, rows and argument structs. Needs no GPU and no compiler.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lerpscope::backend::cuda::{MODULES, Module, entries};
use lerpscope::filter::{FILTERS, Filter};
use lerpscope::sampling::METHODS;
use sha2::{Digest, Sha256};

/// The PTX of an entry.
fn text(entry: &str) -> String {
    let (module, position) = Module::of_entry(entry).unwrap_or_else(|| panic!("{entry} is in no module"));
    module.ptx(position).unwrap_or_else(|error| panic!("{entry}: {error}"))
}

#[test]
fn every_entry_of_the_catalogue_is_in_its_module_and_every_filter_has_one() {
    let entries = entries();
    // The host inpaints.
    for name in FILTERS.iter().filter(|row| row.filter != Filter::Inpaint).map(|row| row.name) {
        assert!(entries.iter().any(|(row, _)| *row == Some(name)), "{name}");
    }
    for (row, entry) in &entries {
        let name = entry.to_string();
        assert!(Module::of_entry(&name).is_some(), "{row:?} needs {name}: add it to the table in kernels/build.py");
        let found = text(&name).contains(&format!(".entry {name}("));
        assert!(found, "the PTX of {name} has another entry");
    }
}

/// Methods are data: entries are named by taps, samples and forms of weights. `linear` is such a form as well.
#[test]
fn no_entry_has_the_name_of_a_method() {
    let stems: Vec<String> =
        METHODS.iter().map(|row| row.name.replace('-', "_")).filter(|name| name != "linear").collect();
    for entry in MODULES.iter().flat_map(|module| module.entries) {
        assert_eq!(stems.iter().find(|stem| entry.contains(stem.as_str())), None, "{entry}");
    }
}

#[test]
fn compiled_entries_are_all_launched_by_some_request() {
    let used: BTreeSet<String> = entries().iter().map(|(_, entry)| entry.to_string()).collect();
    for entry in MODULES.iter().flat_map(|module| module.entries) {
        assert!(used.contains(*entry), "nothing launches {entry}: remove it from the table in kernels/build.py");
    }
}

/// The folder of the kernels.
fn kernels() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels")
}

/// The SHA-256 of a file in the folder of the kernels, as hexadecimal digits.
fn hash_of(name: &str) -> String {
    let data = std::fs::read(kernels().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    Sha256::digest(data).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The names of the files in a folder of the kernels that end in one of `endings`.
fn files(folder: &str, endings: &[&str]) -> BTreeSet<String> {
    let entries = std::fs::read_dir(kernels().join(folder)).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    names.filter(|name| endings.iter().any(|ending| name.ends_with(ending))).collect()
}

#[test]
fn manifest_names_every_input_and_output_by_its_hash() {
    let manifest = std::fs::read_to_string(kernels().join("compiled/MANIFEST")).expect("a manifest");
    let (mut inputs, mut outputs) = (BTreeSet::new(), BTreeSet::new());
    for line in manifest.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (hash, name) = match words[..] {
            [hash, name] => {
                inputs.insert(name.to_owned());
                (hash, name)
            }
            [_, hash, name] => {
                outputs.insert(name.trim_start_matches("compiled/").to_owned());
                (hash, name)
            }
            _ => panic!("{line}"),
        };
        assert_eq!(hash, hash_of(name), "{name} has changed: run kernels/build.py");
    }
    let mut expected = files(".", &[".cu", ".cuh"]);
    expected.extend(["build.py", "options.txt", "requirements.txt"].map(str::to_owned));
    assert_eq!(inputs, expected, "the manifest names other inputs: run kernels/build.py");
    assert_eq!(outputs, files("compiled", &[".xz"]), "the manifest names other modules: run kernels/build.py");
}

#[test]
fn program_contains_every_committed_module() {
    let mut embedded = BTreeSet::new();
    for module in MODULES {
        embedded.insert(format!("{}.ptx.xz", module.name));
        embedded.extend(module.cubin_majors().map(|major| {
            let minor = if major == 7 { 5 } else { 0 };
            format!("{}.sm_{major}{minor}.xz", module.name)
        }));
    }
    assert_eq!(embedded, files("compiled", &[".xz"]));
}

#[test]
fn ptx_is_for_every_gpu_since_pascal_and_drivers_since_525() {
    for entry in MODULES.iter().flat_map(|module| module.entries) {
        let text = text(entry);
        assert!(text.contains("\n.target sm_60\n"), "{entry}");
        assert!(text.contains("\n.version 8.0\n"), "{entry}");
    }
}

#[test]
fn cubin_is_machine_code_of_its_major_version_with_every_entry() {
    let (mut count, mut majors) = (0, BTreeSet::new());
    for module in MODULES {
        for major in module.cubin_majors() {
            let cubin = module.cubin(major).expect("a cubin").expect("a whole stream");
            assert_eq!(&cubin[..4], b"\x7fELF", "{} for {major}", module.name);
            // e_flags of the ELF header: the lowest byte is the compute capability.
            assert_eq!(i32::from(cubin[48]) / 10, major, "{} for {major}", module.name);
            for entry in module.entries {
                let section = format!(".text.{entry}\0");
                let found = cubin.windows(section.len()).any(|bytes| bytes == section.as_bytes());
                assert!(found, "{entry} for {major}");
            }
            majors.insert(major);
            count += 1;
        }
    }
    assert!(count > 50 && majors.into_iter().eq([7, 8, 9]), "{count} cubins");
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
fn entries_take_the_struct_of_their_launch() {
    for (_, entry) in entries() {
        let there = parameter_bytes(&text(&entry.to_string()), &entry.to_string());
        assert_eq!(there, Some(entry.argument_bytes()), "{entry}: bytes of its first parameter in the PTX, then here");
    }
}
