//! README's examples work as they stand.

use std::path::Path;

const README: &str = include_str!("../README.md");

#[test]
fn every_command_of_the_examples_succeeds() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let assets = folder.path().join("assets");
    std::fs::create_dir(&assets).expect("a folder");
    let basilica = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/basilica.pgm");
    std::fs::copy(basilica, assets.join("basilica.pgm")).expect("the picture");
    let examples = README.split("```sh\n").skip(1).filter_map(|block| block.split("```").next());
    let commands: Vec<_> = examples.flat_map(str::lines).filter_map(|line| line.strip_prefix("lerpscope ")).collect();
    assert!(commands.len() > 5);
    for command in commands {
        assert_cmd::Command::new(env!("CARGO_BIN_EXE_lerpscope"))
            .current_dir(folder.path())
            .args(command.split_whitespace())
            .assert()
            .success()
            .stderr("");
    }
}

/// The loop of commands, as a shell runs it.
#[test]
fn the_loop_makes_its_fifteen_pictures() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let assets = folder.path().join("assets");
    std::fs::create_dir(&assets).expect("a folder");
    let basilica = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/basilica.pgm");
    std::fs::copy(basilica, assets.join("basilica.pgm")).expect("the picture");
    let script = README.split("```sh\n").find(|block| block.starts_with("while")).expect("the loop");
    let script = script.split("```").next().expect("its end");
    let program = Path::new(env!("CARGO_BIN_EXE_lerpscope")).parent().expect("its folder");
    let mut path = program.as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    assert_cmd::Command::new("sh")
        .args(["-e", "-c", script])
        .env("PATH", path)
        .current_dir(folder.path())
        .assert()
        .success()
        .stderr("");
    // And the folder of assets.
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 7 + 8 + 1);
}

#[test]
fn every_row_is_named() {
    use lerpscope::filter::FILTERS;
    use lerpscope::sampling::{ADDRESSES, METHODS, PATHS};
    let methods = METHODS.iter().flat_map(|row| row.aliases.iter().chain([&row.name]));
    let names = methods.copied().chain(ADDRESSES.iter().map(|row| row.name)).chain(PATHS.iter().map(|row| row.name));
    let names = names.chain(FILTERS.iter().map(|row| row.name));
    for name in names {
        assert!(README.contains(&format!("`{name}`")), "{name}");
    }
    for row in &ADDRESSES {
        for name in [format!("`BORDER_{}`", row.opencv), format!("`GL_{}`", row.opengl), format!("`{}`", row.scipy)] {
            assert!(README.contains(&name), "{name}");
        }
    }
}

#[test]
fn the_bindings_are_the_rows() {
    let begin = README.find("-->\n").expect("a mark before the bindings") + 4;
    let end = README.find("<!-- end of bindings -->").expect("a mark behind the bindings");
    let table = lerpscope::app::bindings_table();
    if std::env::var_os("LERPSCOPE_WRITE_README").is_some_and(|value| value == "1") {
        let text = format!("{}{table}{}", &README[..begin], &README[end..]);
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
        std::fs::write(file, text).expect("README is written");
    } else {
        let hint = "LERPSCOPE_WRITE_README=1 cargo test --test readme writes the table anew";
        assert_eq!(&README[begin..end], table, "{hint}");
    }
}
