//! The fuzz targets on the committed corpus, and on thousands of reproducible mutations of it. `tests/fuzz/run`
//! continues with libFuzzer.

#[path = "fuzz/targets/mod.rs"]
mod targets;

use std::path::Path;

use targets::TARGETS;

/// Words inserted by mutations: keywords of the grammars, and numbers at the limits of their ranges.
const WORDS: [&str; 39] = [
    "P5\n",
    "P7\n",
    "255",
    "65536",
    "-1",
    "1e308",
    "5e-324",
    "nan",
    "inf",
    "1/0",
    "0x10",
    "=",
    ",",
    ":",
    ";",
    "#",
    "\n",
    "\u{1b}[31m",
    "\u{11}",
    "[[panel]]\n",
    "[keys]\n",
    "scale = ",
    "filter=",
    "gaussian=",
    "cubic=",
    "lanczos=",
    "bspline=",
    "method=custom=",
    "tests/data/kernels/tent.csv",
    "Ctrl+",
    "synth:",
    "99999999999999999999",
    "\"",
    "\0",
    "'fortran_order': True",
    "(2, 3)",
    "<c8",
    "|u1",
    "n+1\0",
];

/// Files of a target, sorted by name.
fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(name);
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("a file's bytes")).collect()
}

/// One to four changes: a bit, a byte, a word, a part removed or repeated, the end of another file.
fn mutate(random: &mut fastrand::Rng, bytes: &mut Vec<u8>, other: &[u8]) {
    for _ in 0..random.usize(1..=4) {
        let place = random.usize(..=bytes.len());
        let piece = place..(place + random.usize(..=8)).min(bytes.len());
        match random.u8(..7) {
            0 if place < bytes.len() => bytes[place] ^= 1 << random.u8(..8),
            1 if place < bytes.len() => bytes[place] = random.u8(..),
            2 => bytes.insert(place, random.u8(..)),
            3 => drop(bytes.drain(piece)),
            4 => {
                let word = WORDS[random.usize(..WORDS.len())];
                bytes.splice(place..place, word.bytes());
            }
            5 => {
                let copy = bytes[piece].to_vec();
                bytes.splice(place..place, copy);
            }
            _ => {
                bytes.truncate(place);
                bytes.extend_from_slice(&other[random.usize(..=other.len())..]);
            }
        }
    }
}

/// Runs the target `name` on its corpus and on `mutations` of it.
fn replay(name: &str, mutations: usize) {
    let (_, target) = TARGETS.iter().find(|(known, _)| *known == name).expect("a target");
    let corpus = corpus(name);
    assert!(corpus.len() >= 6, "{name}: {} files", corpus.len());
    corpus.iter().for_each(|bytes| target(bytes));
    let mut random = fastrand::Rng::with_seed(9);
    for _ in 0..mutations {
        let mut bytes = corpus[random.usize(..corpus.len())].clone();
        let other = &corpus[random.usize(..corpus.len())];
        mutate(&mut random, &mut bytes, other);
        if std::panic::catch_unwind(|| target(&bytes)).is_err() {
            panic!("{name} fails on {:?}", String::from_utf8_lossy(&bytes));
        }
    }
}

#[test]
fn fuzz_targets_each_have_a_corpus_and_a_test() {
    let folders =
        std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus")).expect("the corpus");
    let mut folders: Vec<_> = folders.map(|folder| folder.expect("a folder").file_name()).collect();
    folders.sort();
    let mut names: Vec<_> = TARGETS.iter().map(|(name, _)| std::ffi::OsString::from(name)).collect();
    names.sort();
    assert_eq!(folders, names);
    let this = include_str!("fuzz_corpus.rs");
    assert!(TARGETS.iter().all(|(name, _)| this.contains(&format!("replay(\"{name}\", "))));
}

#[test]
fn mutated_pnm_files_decode_or_are_refused() {
    replay("pnm", 20_000);
}

#[test]
fn mutated_arrays_open_or_are_refused() {
    replay("npy", 20_000);
}

#[test]
fn mutated_volumes_open_or_are_refused() {
    replay("nifti", 20_000);
}

#[test]
fn mutated_session_files_parse_or_are_refused() {
    replay("session", 3_000);
}

#[test]
fn mutated_settings_files_parse_or_are_refused() {
    replay("settings", 4_000);
}

#[test]
fn mutated_specs_parse_or_are_refused() {
    replay("spec", 10_000);
}

#[test]
fn images_with_random_options_render_or_are_refused() {
    replay("pixels", 4_000);
}
