//! An unusable GPU: the driver's library has none of the driver's functions.
#![cfg(all(target_os = "linux", feature = "cuda"))]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::{BASILICA, folder};

/// A library that this process has loaded.
fn some_library() -> PathBuf {
    let maps = std::fs::read_to_string("/proc/self/maps").expect("this process's files");
    let path =
        maps.lines().find_map(|line| line.find("/").map(|at| &line[at..]).filter(|path| path.contains("/libgcc_s")));
    path.expect("libgcc").into()
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lerpscope"));
    command.current_dir(folder).env("LD_LIBRARY_PATH", folder).env_remove("RUST_LOG").args(arguments);
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").output().expect("it runs")
}

/// With `auto`, only `info` gives the reason.
#[test]
fn unusable_gpu_is_reported_by_info_and_by_name_and_auto_renders_silently() {
    let folder = folder();
    let library = some_library();
    for name in ["libcuda.so", "libcuda.so.1"] {
        std::fs::copy(&library, folder.path().join(name)).expect("room");
    }
    let info = String::from_utf8(run(folder.path(), &["info"]).stdout).expect("text");
    assert!(info.contains("cuda: cannot be used: the GPU's driver fails"), "{info}");
    for command in [&["render", BASILICA, "-o", "out.pgm"][..], &["info", BASILICA]] {
        let output = run(folder.path(), command);
        assert_eq!((output.status.code(), &*String::from_utf8_lossy(&output.stderr)), (Some(0), ""), "{command:?}");
    }
    let output = run(folder.path(), &["render", BASILICA, "-o", "out.pgm", "--backend", "cuda"]);
    let line = String::from_utf8(output.stderr).expect("text");
    assert!(output.status.code() == Some(1) && line.lines().count() == 1, "{line}");
    assert!(line.starts_with("lerpscope: ") && line.contains("the GPU's driver fails"), "{line}");
}
