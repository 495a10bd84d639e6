//! Exports of random sessions: panel, wipe, difference and figure, at the shown and larger sizes, against `lerpscope
//! render` on the session's copied commands.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use egui::{Event, Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use lerpscope::app::PanelArea;

use super::*;

/// How long a picture may take.
const PATIENCE: Duration = Duration::from_secs(60);

type Window = Harness<'static, Option<Lerpscope>>;

const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

/// Saves by the dialog of `key`, at `times` the shown size.
fn save(window: &mut Window, key: (Modifiers, Key), times: u32, file: &Path) -> Raster {
    let press = |window: &mut Window, (modifiers, key): (Modifiers, Key)| {
        window.key_press_modifiers(modifiers, key);
        window.run_ok();
    };
    // An automatic gain is that of the whole view once it is measured.
    settle(window);
    press(window, key);
    if times > 1 {
        window.get_by_label(&format!("{times}×")).click();
        window.run_ok();
        window.get_by_role_and_label(egui::Role::TextInput, "File").focus();
        window.run_ok();
    }
    press(window, (Modifiers::COMMAND, Key::A));
    window.event(Event::Text(file.to_str().expect("a name").to_owned()));
    window.run_ok();
    window.get_by_role_and_label(egui::Role::Button, "Save").click();
    // A slow picture is rendered behind the window. A file that is there was closed by its frame.
    let start = Instant::now();
    while !file.exists() {
        assert!(start.elapsed() < PATIENCE, "{} was not saved", file.display());
        window.run_ok();
        std::thread::sleep(Duration::from_millis(2));
    }
    window.run_ok();
    picture(file)
}

/// Runs frames until all that was asked for is shown.
fn settle(window: &mut Window) {
    let start = Instant::now();
    let mut settled = 0;
    while settled < 3 {
        assert!(start.elapsed() < PATIENCE, "something never comes");
        window.run_ok();
        settled = if window.state().as_ref().is_some_and(Lerpscope::has_settled) { settled + 1 } else { 0 };
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn picture(file: &Path) -> Raster {
    image::open(file).expect("a picture").image.pages()[0].raster().clone()
}

/// Replaces the text between `before` and the next space, comma or quote.
fn replaced(command: &str, before: &str, change: impl Fn(&str) -> String) -> Option<String> {
    let from = command.find(before)? + before.len();
    let length = command[from..].find([' ', ',', '\'']).unwrap_or(command.len() - from);
    Some(format!("{}{}{}", &command[..from], change(&command[from..from + length]), &command[from + length..]))
}

/// Command of the same image at `times` its size: as many times the pixels, with the scale divided; other options stay.
fn enlarged(command: &str, times: u32) -> String {
    let size = |size: &str| {
        let (width, height) = size.split_once('x').expect("a size");
        let side = |side: &str| side.parse::<u32>().expect("a side") * times;
        format!("{}x{}", side(width), side(height))
    };
    let scale = |scale: &str| format!("{}", scale.parse::<f64>().expect("a scale") / f64::from(times));
    let command = replaced(command, " --size ", size).expect("a size");
    let command = replaced(&command, " --scale ", scale)
        .unwrap_or_else(|| format!("{command} --scale {}", 1.0 / f64::from(times)));
    match command.find(" --subtract ") {
        // The subtracted request names its scale if it differs.
        Some(from) => {
            let (head, tail) = command.split_at(from);
            format!("{head}{}", replaced(tail, "scale=", scale).unwrap_or_else(|| tail.to_owned()))
        }
        None => command,
    }
}

/// Runs a command of the program in `folder`.
fn shell(command: &str, folder: &Path) {
    let programs = Path::new(PROGRAM).parent().expect("a folder").display().to_string();
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(folder).env("PATH", format!("{programs}:/usr/bin:/bin"));
    let output = shell.output().expect("a shell");
    assert!(output.status.success(), "{command}\n{}", String::from_utf8_lossy(&output.stderr));
}

/// Images rendered by the session's commands, by the panel in their file names, at `times` the shown size.
fn rendered(app: &Lerpscope, times: u32, folder: &Path) -> BTreeMap<usize, Raster> {
    let folder = folder.join(format!("at {times}"));
    std::fs::create_dir_all(&folder).expect("a folder");
    let render = |command: String| {
        let number = command.split("panel-").nth(1).and_then(|rest| rest.split('.').next()).expect("a number");
        let index: usize = number.parse().expect("a number");
        let command = if times == 1 { command.clone() } else { enlarged(&command, times) };
        shell(&command, &folder);
        (index - 1, picture(&folder.join(format!("panel-{index}.png"))))
    };
    let renders = app.command_lines().expect("commands").into_iter().filter(|command| !is_figure(command));
    renders.map(render).collect()
}

fn is_figure(command: &str) -> bool {
    command.starts_with("lerpscope figure ")
}

/// The figure that the session's commands make at `times` the shown size; `None` of one panel alone.
fn figure_of_commands(app: &Lerpscope, times: u32, folder: &Path) -> Option<Raster> {
    let file = folder.join(format!("made at {times}.png"));
    let commands = app.figure_command_lines(&file, times).expect("commands");
    commands.last().filter(|command| is_figure(command))?;
    commands.iter().for_each(|command| shell(command, folder));
    Some(picture(&file))
}

/// RGBA bytes of `area`: one panel, or two with the wipe line between them.
fn expected(pictures: &BTreeMap<usize, Raster>, area: PanelArea, line: WipeLine) -> (Size, Vec<u8>) {
    let shown = match area {
        PanelArea::Wipe(pair) => pair.map(|index| &pictures[&index]),
        area => [&pictures[&area.seen()]; 2],
    };
    let size = shown[0].size();
    let length = f64::from(if line.is_horizontal { size.height() } else { size.width() });
    // The first column, or row, of the second panel.
    let border = (line.share * length).round() as usize;
    let bytes = shown.map(rgba);
    let width = size.width() as usize;
    let of = |pixel: usize| {
        let place = if line.is_horizontal { pixel / width } else { pixel % width };
        bytes[usize::from(place >= border)][4 * pixel..4 * pixel + 4].to_vec()
    };
    (size, (0..size.area()).flat_map(of).collect())
}

/// A random session that fits the window; most views are rotated, many by quarters.
fn drawable(random: &mut fastrand::Rng, images: &[Arc<Image>], compare: Compare) -> SessionState {
    loop {
        let mut state = random_state(random, images);
        state.panels.truncate(3);
        state.focused = state.focused.min(state.panels.len() - 1);
        state.second = state.second.map(|second| second.min(state.panels.len() - 1));
        if state.panels.len() == 1 && compare != Compare::SideBySide {
            continue;
        }
        state.compare = compare;
        // The drawer would leave panels of a few pixels in the small window.
        state.inspect.drawer = None;
        for panel in &mut state.panels {
            let angle = [-90.0, 90.0, 180.0, 33.5, -120.25, panel.view.angle_deg()][random.usize(..6)];
            panel.view = panel.view.rotated(angle).expect("an angle");
        }
        let session = Session::restored(images.to_vec(), &state).expect("a session");
        // A window that fits its pictures gives linked views the angle of the focused panel.
        let angle_deg = session.view().angle_deg();
        let is_drawn = |image: &Image, request: &RenderRequest| {
            let page = image.page(request.page).expect("a page");
            let linked = RenderRequest { view: request.view.rotated(angle_deg).expect("an angle"), ..request.clone() };
            let other = request.subtract.as_ref();
            let is_alike = other.is_none_or(|other| {
                let page_of_other = image.page(other.page).expect("a page");
                other.check(page_of_other).is_ok() && page_of_other.channels() == page.channels()
            });
            is_alike && request.check(page).is_ok() && linked.check(page).is_ok()
        };
        let drawn = session.areas().into_iter().all(|area| match area {
            PanelArea::Difference(pair) => is_drawn(&session.difference_image(pair), &session.difference_request(pair)),
            area => area.pictures().iter().all(|index| is_drawn(session.image_of(*index), &session.request(*index))),
        });
        if drawn {
            return state;
        }
    }
}

#[test]
fn exports_of_random_sessions_equal_render_at_every_size() {
    let folder = tempfile::tempdir().expect("a folder");
    let sources = sources(folder.path());
    let images: Vec<_> = sources.iter().map(|source| Arc::new(open(source))).collect();
    let mut random = fastrand::Rng::with_seed(8);
    let compares = [Compare::SideBySide, Compare::Wipe, Compare::Difference];
    let (mut turned, mut figures) = (0, 0);
    for number in 0..6 {
        let state = drawable(&mut random, &images, compares[number % 3]);
        let session = Session::restored(images.clone(), &state).expect("a session");
        let restored =
            Restored { session, sources: sources.clone(), missing: Vec::new(), warnings: Vec::new(), unit: None };
        let mut window = window(restored, [640.0, 460.0]);
        let place = folder.path().join(format!("session {number}"));
        std::fs::create_dir(&place).expect("a folder");
        let app = |window: &Window| -> (PanelArea, Vec<PanelArea>) {
            let session = window.state().as_ref().expect("the app").session();
            let areas = session.areas();
            let focused = areas.iter().copied().find(|area| area.panel() == session.focused());
            (focused.expect("the focused panel is seen"), areas)
        };
        let (focused, areas) = app(&window);
        turned += usize::from(state.panels[focused.panel()].view.angle_deg() != 0.0);
        for times in [1, 2] {
            let pictures = rendered(window.state().as_ref().expect("the app"), times, &place);
            let (size, bytes) = expected(&pictures, focused, state.line);
            let what = format!("session {number} ({focused:?}) at {times}×");
            let saved =
                save(&mut window, (Modifiers::COMMAND, Key::S), times, &place.join(format!("saved {times}.png")));
            assert_eq!(saved.size(), size, "{what}");
            assert!(rgba(&saved) == bytes, "{what} is not what render writes");
            if times == 1 + u32::from(number % 2 == 1) {
                let figure = save(&mut window, (CTRL_SHIFT, Key::S), times, &place.join("figure.png"));
                let cells: Vec<_> = areas.iter().map(|area| expected(&pictures, *area, state.line)).collect();
                let has_bar = areas.iter().any(|area| matches!(area, PanelArea::Difference(_)));
                assert_figure((&figure, has_bar), &cells, times, &what);
                let made = figure_of_commands(window.state().as_ref().expect("the app"), times, &place);
                figures += usize::from(made.is_some());
                assert!(made.is_none_or(|made| made == figure), "{what}: not the figure that its commands make");
            }
        }
    }
    assert!(figures >= 4, "{figures} figures were made by commands");
    assert!(turned >= 3, "{turned} saved views were turned");
}

/// Layout of a figure, row by row from the top left: margin 16 pixels, 12 between panels, 24 above each for its title, 85 at the right of
/// each with a colour bar, all times `times`; transparent pixels are on white.
fn assert_figure((figure, has_bar): (&Raster, bool), cells: &[(Size, Vec<u8>)], times: u32, what: &str) {
    let (width, height) = (cells[0].0.width(), cells[0].0.height());
    let cell = width + if has_bar { 85 * times } else { 0 };
    let columns = (figure.size().width() - 32 * times + 12 * times) / (cell + 12 * times);
    assert_eq!(figure.size().width(), 32 * times + columns * cell + (columns - 1) * 12 * times, "{what}");
    assert!((1..=cells.len() as u32).contains(&columns), "{what}: {columns} columns");
    let colours = figure.channels().count();
    assert!(!figure.channels().has_alpha());
    for (index, (_, bytes)) in cells.iter().enumerate() {
        let (column, row) = (index as u32 % columns, index as u32 / columns);
        let left = 16 * times + column * (cell + 12 * times);
        let top = 16 * times + 24 * times + row * (height + 24 * times + 12 * times);
        for (pixel, bytes) in bytes.chunks_exact(4).enumerate() {
            let (x, y) = (left + pixel as u32 % width, top + pixel as u32 / width);
            let alpha = f64::from(bytes[3]) / 255.0;
            for (channel, byte) in bytes[..colours].iter().enumerate() {
                let paper = f64::from(*byte) * alpha + 255.0 * (1.0 - alpha);
                let found = f64::from(figure.number(x, y, channel));
                let tolerance = if bytes[3] == 255 { 0.0 } else { 0.5 + 1e-3 };
                assert!((found - paper).abs() <= tolerance, "{what}: picture {index}, pixel {pixel}: {found}, {paper}");
            }
        }
    }
}
