//! README and `docs/`: tables are written from the rows, examples work as they stand, links lead somewhere.
//!
//! `LERPSCOPE_WRITE_README=1 cargo test --test readme` writes every table anew.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use lerpscope::app::{self, COMMANDS, LINKS, PANEL_SETS, SavedSession, Settings, UNITS};
use lerpscope::backend::COLOUR_MAPS;
use lerpscope::complex::{COMPLEX_SOURCES, COMPONENTS};
use lerpscope::filter::{FILTERS, FilterRow, MATRICES, MatrixRow, ParameterRow};
use lerpscope::grid::VOLUMES;
use lerpscope::image;
use lerpscope::image::synth::SYNTHS;
use lerpscope::sampling::{
    ADDRESS_MODES, FormParameters, METHOD_FORMS, METHODS, MethodForm, MethodParameter, SAMPLING_PATHS,
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_lerpscope");

/// A table of a page: the page, the name in its mark, and the text.
type Table = (&'static str, &'static str, fn() -> String);

const TABLES: [Table; 17] = [
    ("docs/keys.md", "bindings", app::bindings_table),
    ("docs/keys.md", "commands", commands),
    ("docs/window.md", "arrangements", || table("set | panels", PANEL_SETS.iter().map(|row| [row.title, row.help]))),
    ("docs/window.md", "links", || table("link | panels", LINKS.iter().map(|row| [row.title, row.help]))),
    ("docs/files.md", "synths", || {
        table("name | image", SYNTHS.iter().map(|row| [code(row.name), row.help.to_owned()]))
    }),
    ("docs/files.md", "volumes", || {
        table("name | volume", VOLUMES.iter().map(|row| [code(row.name), row.help.to_owned()]))
    }),
    ("docs/files.md", "complex", || {
        table("name | image", COMPLEX_SOURCES.iter().map(|row| [code(row.name), row.help.to_owned()]))
    }),
    ("docs/window.md", "components", || {
        table("component | values", COMPONENTS.iter().map(|row| [row.title.to_owned(), row.help.to_owned()]))
    }),
    ("docs/files.md", "units", || {
        table("unit | values", UNITS.iter().map(|row| [code(row.name), row.title.to_owned()]))
    }),
    ("docs/filters.md", "filters", filters),
    ("docs/filters.md", "matrices", matrices),
    ("docs/numbers.md", "methods", methods),
    ("docs/numbers.md", "method-forms", method_forms),
    ("docs/numbers.md", "addresses", addresses),
    ("docs/numbers.md", "paths", || {
        table("name | samples", SAMPLING_PATHS.iter().map(|row| [code(row.name), row.help.to_owned()]))
    }),
    ("docs/numbers.md", "colour-maps", || {
        table("name | colours", COLOUR_MAPS.iter().map(|row| [code(row.name), row.title.to_owned()]))
    }),
    ("docs/command-line.md", "help", help),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(page: &str) -> String {
    std::fs::read_to_string(root().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// Every page of the documentation, by its path from the root.
fn pages() -> Vec<String> {
    let mut pages = vec!["README.md".to_owned(), "CONTRIBUTING.md".to_owned(), "benches/README.md".to_owned()];
    for entry in std::fs::read_dir(root().join("docs")).expect("the folder docs") {
        let name = entry.expect("an entry").file_name().into_string().expect("a name in UTF-8");
        if name.ends_with(".md") {
            pages.push(format!("docs/{name}"));
        }
    }
    pages
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

/// A Markdown table. The columns of `head` are separated as in a row.
fn table<const N: usize, T: ToString>(head: &str, rows: impl Iterator<Item = [T; N]>) -> String {
    let mut text = format!("| {head} |\n|{}\n", "---|".repeat(N));
    for row in rows {
        let cells: Vec<_> = row.iter().map(|cell| cell.to_string().replace('|', "\\|")).collect();
        writeln!(text, "| {} |", cells.join(" | ")).expect("a string takes any text");
    }
    text
}

fn commands() -> String {
    table("id | command", COMMANDS.iter().map(|row| [code(row.id), row.title.to_owned()]))
}

fn filters() -> String {
    let parameter = |filter: &FilterRow, index: usize| {
        let (row, default): (&ParameterRow, _) = (&filter.parameters[index], filter.default_text(index));
        format!("{} (default {default}): {}, {}", code(row.name), row.help, row.range_text())
    };
    let parameters =
        |row: &FilterRow| (0..row.parameters.len()).map(|index| parameter(row, index)).collect::<Vec<_>>().join("<br>");
    table(
        "name | filter | parameters",
        FILTERS.iter().map(|row| [code(row.name), row.help.to_owned(), parameters(row)]),
    )
}

fn matrices() -> String {
    let row = |row: &MatrixRow| {
        let (matrix, is_normalized) = row.matrix.normalized_weights();
        let normalized = if is_normalized { ", normalized" } else { "" };
        [code(row.name), format!("{}{normalized}", code(&matrix.to_string())), row.help.to_owned()]
    };
    table("name | matrix | result", MATRICES.iter().map(row))
}

fn methods() -> String {
    let yes = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
    let stretch = |least: f64| if least == 0.0 { String::new() } else { least.to_string() };
    let row = |row: &lerpscope::sampling::MethodRow| {
        let aliases: Vec<_> = row.aliases.iter().map(|alias| code(alias)).collect();
        [
            code(row.name),
            aliases.join(", "),
            row.method.kernel().taps.to_string(),
            yes(row.method.kernel().interpolates),
            stretch(row.method.kernel().min_stretch()),
            row.help.to_owned(),
        ]
    };
    table("name | also | samples per axis | interpolates | least scale × blur | image", METHODS.iter().map(row))
}

fn method_forms() -> String {
    let ranges = |form: &MethodForm| match form.parameters {
        FormParameters::Numbers(parameters, _) => {
            let range = |parameter: &MethodParameter| format!("{} {}", code(parameter.name), parameter.range_text());
            parameters.iter().map(range).collect::<Vec<_>>().join("<br>")
        }
        FormParameters::File => String::new(),
    };
    table(
        "value | parameters | kernel",
        METHOD_FORMS.iter().map(|form| [code(form.usage), ranges(form), form.help.to_owned()]),
    )
}

fn addresses() -> String {
    let row = |row: &lerpscope::sampling::AddressModeRow| {
        [row.name, row.picture, row.scipy, &format!("BORDER_{}", row.opencv), &format!("GL_{}", row.opengl), row.cuda]
            .map(code)
    };
    table("name | samples | SciPy | OpenCV | OpenGL | CUDA", ADDRESS_MODES.iter().map(row))
}

/// `--help` of the program and of each command, 100 columns wide.
fn help() -> String {
    let mut text = String::new();
    for command in
        ["", "render", "figure", "synth", "info", "filters", "bench", "measure", "plot", "lab1d", "sample", "notices"]
    {
        let mut program = assert_cmd::Command::new(PROGRAM);
        let arguments = command.split_whitespace().chain(["--help"]);
        let assert = program.args(arguments).env("COLUMNS", "100").assert().success().stderr("");
        let printed = String::from_utf8(assert.get_output().stdout.clone()).expect("text");
        let title = format!("lerpscope {command}");
        let printed: Vec<_> = printed.lines().map(str::trim_end).collect();
        write!(text, "### {}\n\n```text\n{}\n```\n\n", title.trim_end(), printed.join("\n").trim_end())
            .expect("a string takes any text");
    }
    text.truncate(text.trim_end().len());
    text + "\n"
}

/// `page`'s text with `table` between the mark `name` and the next end, and what stood there.
fn replaced(page: &str, name: &str, table: &str) -> (String, String) {
    let text = read(page);
    let mark = format!("<!-- rows: {name} -->\n");
    let begin = text.find(&mark).unwrap_or_else(|| panic!("{page} has no mark {mark}")) + mark.len();
    let length = text[begin..].find("<!-- end of rows -->").unwrap_or_else(|| panic!("{page}: {name} has no end"));
    (format!("{}{table}{}", &text[..begin], &text[begin + length..]), text[begin..begin + length].to_owned())
}

#[test]
fn tables_of_the_documentation_equal_the_rows() {
    let writes = std::env::var_os("LERPSCOPE_WRITE_README").is_some_and(|value| value == "1");
    for (page, name, rows) in TABLES {
        let (text, found) = replaced(page, name, &rows());
        if writes {
            std::fs::write(root().join(page), text).expect("the page is written");
        } else {
            let hint = "LERPSCOPE_WRITE_README=1 cargo test --test readme writes the tables anew";
            assert_eq!(found, rows(), "{page}, {name}: {hint}");
        }
    }
    for page in pages() {
        let marks = read(&page).matches("<!-- rows: ").count();
        assert_eq!(
            marks,
            TABLES.iter().filter(|(of, ..)| *of == page).count(),
            "{page} has a mark that no table fills"
        );
    }
}

/// Formulas are written by hand: every method and filter has a row of its own.
#[test]
fn formula_tables_name_every_method_and_filter() {
    let rows = METHODS.iter().map(|row| ("docs/numbers.md", "## Methods", row.name));
    let rows = rows.chain(METHOD_FORMS.iter().map(|form| ("docs/numbers.md", "## Methods", form.usage)));
    for (page, heading, name) in rows.chain(FILTERS.iter().map(|row| ("docs/filters.md", "# Filters", row.name))) {
        let text = read(page);
        let section =
            text.split_once(heading).expect("the heading").1.split_once("<!-- end of rows -->").expect("rows").1;
        let has_row = section.lines().any(|line| {
            line.starts_with("| `") && line.split(" | ").next().is_some_and(|cell| cell.contains(&code(name)))
        });
        assert!(has_row, "{page}: {name} has no formula");
    }
}

/// A temporary folder with `assets/basilica.pgm`, where the examples run.
fn folder_of_examples() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let assets = folder.path().join("assets");
    std::fs::create_dir(&assets).expect("a folder");
    std::fs::copy(root().join("assets/basilica.pgm"), assets.join("basilica.pgm")).expect("the image");
    std::fs::write(folder.path().join("points.csv"), "10,20.5,30\n31.25,31.5,31.75\n").expect("points");
    folder
}

/// The text of every block of `page` in `language`.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let text = read(page);
    let fence = format!("```{language}\n");
    let blocks = text.split(&fence).skip(1).filter_map(|block| block.split("```").next());
    blocks.map(str::to_owned).collect()
}

#[test]
fn example_commands_succeed_without_a_message() {
    let folder = folder_of_examples();
    let mut count = 0;
    for block in pages().iter().flat_map(|page| blocks(page, "sh")) {
        for command in block.lines().filter_map(|line| line.strip_prefix("lerpscope ")) {
            let mut program = assert_cmd::Command::new(PROGRAM);
            program.current_dir(folder.path()).args(command.split_whitespace()).assert().success().stderr("");
            count += 1;
        }
    }
    assert!(count > 9, "{count} commands");
}

#[test]
fn loop_of_the_exercise_writes_its_fifteen_images() {
    let folder = folder_of_examples();
    let scripts = blocks("docs/filters.md", "sh");
    let script = scripts.iter().find(|block| block.starts_with("while")).expect("the loop");
    let mut path = Path::new(PROGRAM).parent().expect("its folder").as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut shell = assert_cmd::Command::new("sh");
    shell.args(["-e", "-c", script]).env("PATH", path).current_dir(folder.path()).assert().success().stderr("");
    // And the folder of assets and the points.
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 7 + 8 + 2);
}

/// The keys of a TOML text with their tables: `panel.sampler`.
fn keys(text: &str) -> BTreeSet<String> {
    fn collect(value: &toml::Value, path: &str, found: &mut BTreeSet<String>) {
        match value {
            toml::Value::Table(table) => {
                for (key, value) in table {
                    collect(value, format!("{path}.{key}").trim_start_matches('.'), found);
                }
            }
            toml::Value::Array(values) if values.iter().any(toml::Value::is_table) => {
                values.iter().for_each(|value| collect(value, path, found));
            }
            _ => drop(found.insert(path.to_owned())),
        }
    }
    let mut found = BTreeSet::new();
    collect(&toml::Value::Table(text.parse().expect("TOML")), "", &mut found);
    found
}

#[test]
fn session_of_the_example_has_every_key_that_a_session_file_has() {
    let [_, example] = &blocks("docs/files.md", "toml")[..] else { panic!("docs/files.md has two blocks of TOML") };
    let saved = SavedSession::parse(example, "docs/files.md").expect("a session");
    assert_eq!(keys(&saved.text().expect("its text")), keys(example));
}

#[test]
fn settings_of_the_example_have_every_key_that_a_settings_file_has() {
    let [example, _] = &blocks("docs/files.md", "toml")[..] else { panic!("docs/files.md has two blocks of TOML") };
    let (settings, problems) = Settings::parse(example, "docs/files.md");
    assert!(problems.is_empty(), "{problems:?}");
    let written = keys(&settings.written_into("").expect("its text"));
    let named: BTreeSet<_> = keys(example).into_iter().filter(|key| !key.starts_with("keys.")).collect();
    assert_eq!(written, named);
}

/// A heading's anchor, as GitHub makes it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn links_lead_to_files_and_headings_that_exist() {
    let mut count = 0;
    for page in pages() {
        let text = read(&page);
        let folder = root().join(&page).parent().expect("a folder").to_owned();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if target.starts_with("http") {
                continue;
            }
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let file: PathBuf = if file.is_empty() { root().join(&page) } else { folder.join(file) };
            assert!(file.exists(), "{page}: {target}");
            if !heading.is_empty() {
                let text = std::fs::read_to_string(&file).expect("a page");
                let mut anchors =
                    text.lines().filter(|line| line.starts_with('#')).map(|line| anchor(line.trim_start_matches('#')));
                assert!(anchors.any(|anchor| anchor == heading), "{page}: {target}");
            }
            count += 1;
        }
    }
    assert!(count > 15, "{count} links");
}

/// Pictures of the window are taken anew together, in a window of its first size.
#[test]
fn pictures_of_the_readme_have_one_size() {
    let text = read("README.md");
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let pictures: Vec<&str> = targets.filter(|target| target.ends_with(".png")).collect();
    assert!(pictures.len() >= 6, "{pictures:?}");
    for picture in pictures {
        let opened = image::open(&root().join(picture)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(opened.image.pages()[0].size().sides(), [1280, 860], "{picture}");
    }
}

#[test]
fn changelog_has_no_line_twice() {
    let text = read("CHANGELOG.md");
    let mut seen = BTreeSet::new();
    for line in text.lines().filter(|line| line.starts_with("- ")) {
        assert!(seen.insert(line), "{line}");
    }
    assert!(seen.len() > 100, "{} entries", seen.len());
}
