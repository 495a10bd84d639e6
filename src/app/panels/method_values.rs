//! The kernel values in the method menu: forms with parameters, which are edited live, and custom kernels from files.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use egui::{Id, RichText, TextEdit, Ui};

use crate::app::session::{PanelId, SetMethod as _};
use crate::app::widgets::limits::Limits;
use crate::app::widgets::menu_item::{menu_item, open_submenu};
use crate::app::widgets::number::{NumberField, add_number};
use crate::app::widgets::theme::Palette;
use crate::sampling::{CustomKernel, FormParameters, METHOD_FORMS, Method, MethodForm, MethodParameter, Sampler};

/// Steps of the pointer from one end of a parameter's range to the other.
const STEPS_OF_RANGE: f64 = 400.0;

/// The file field of a panel's method menu.
#[derive(Clone, Default)]
struct FileField {
    /// The typed name.
    text: String,
    /// Why the last file is not a kernel.
    problem: Option<String>,
    /// The answer of the desktop's dialog: `Some(None)` while it is open.
    answer: Arc<Mutex<Option<Option<PathBuf>>>>,
}

impl FileField {
    fn id(panel: PanelId) -> Id {
        Id::unique(("custom kernel", panel))
    }

    fn of(ui: &Ui, panel: PanelId) -> Self {
        ui.data(|data| data.get_temp(Self::id(panel))).unwrap_or_default()
    }

    fn keep(self, ui: &Ui, panel: PanelId) {
        ui.data_mut(|data| data.insert_temp(Self::id(panel), self));
    }

    /// Reads the kernel in `file`; the problem is kept if there is none.
    fn open(&mut self, file: &Path, sampler: &mut Sampler) {
        self.text = file.display().to_string();
        match CustomKernel::open(file) {
            Ok(kernel) => {
                self.problem = None;
                sampler.set_method(Method::Custom(kernel));
            }
            Err(error) => {
                log::warn!("{error}");
                self.problem = Some(error.to_string());
            }
        }
    }

    /// Opens the desktop's dialog on a thread of its own; one at a time.
    fn ask(&self, ui: &Ui) {
        let mut answer = self.answer.lock().unwrap_or_else(PoisonError::into_inner);
        if answer.is_some() {
            return;
        }
        *answer = Some(None);
        let dialog = rfd::AsyncFileDialog::new().set_title("Open a custom kernel").add_filter("CSV", &["csv", "txt"]);
        let (file, place, ctx) = (dialog.pick_file(), Arc::clone(&self.answer), ui.ctx().clone());
        std::thread::spawn(move || {
            let file = pollster::block_on(file).map(|file| file.path().to_owned());
            let mut answer = place.lock().unwrap_or_else(PoisonError::into_inner);
            *answer = file.map(Some);
            ctx.request_repaint();
        });
    }
}

/// Takes the file that the desktop's dialog answered with for `panel`, if one has arrived.
pub(super) fn take_file(ui: &Ui, panel: PanelId, sampler: &mut Sampler) {
    let Some(mut field) = ui.data(|data| data.get_temp::<FileField>(FileField::id(panel))) else { return };
    let file = {
        let mut answer = field.answer.lock().unwrap_or_else(PoisonError::into_inner);
        match answer.take() {
            Some(Some(file)) => file,
            waiting => {
                *answer = waiting;
                return;
            }
        }
    };
    field.open(&file, sampler);
    field.keep(ui, panel);
}

/// The entries of the method menu behind the named methods.
pub(super) fn show(ui: &mut Ui, panel: PanelId, sampler: &mut Sampler) {
    ui.separator();
    ui.label(RichText::new("Kernel values").small().color(Palette::of_ui(ui).weak));
    for form in &METHOD_FORMS {
        let is_chosen = sampler.method.row().is_none() && sampler.method.form().name == form.name;
        let entry = match form.parameters {
            FormParameters::Numbers([], _) => {
                let choice = ui.add(menu_item(is_chosen, form.title));
                if choice.clicked()
                    && let Ok(method) = form.method(&[])
                {
                    sampler.set_method(method);
                    ui.close();
                }
                choice
            }
            FormParameters::Numbers(parameters, _) => {
                open_submenu(ui, form.title, |ui| numbers(ui, form, parameters, sampler))
            }
            FormParameters::File => open_submenu(ui, form.title, |ui| file(ui, panel, sampler)),
        };
        entry.on_hover_text(form.help);
    }
}

/// The fields of `form`. The panel follows them; the first entry takes the numbers as they stand.
fn numbers(ui: &mut Ui, form: &MethodForm, parameters: &[MethodParameter], sampler: &mut Sampler) {
    ui.set_min_width(160.0);
    let defaults = || parameters.iter().map(|parameter| parameter.default).collect();
    let mut numbers: Vec<f64> = form.numbers_of(sampler.method).unwrap_or_else(defaults);
    let mut is_changed = false;
    for (parameter, number) in parameters.iter().zip(&mut numbers) {
        let (least, largest) = parameter.range;
        let speed = (largest - least) / STEPS_OF_RANGE * if parameter.is_whole { 4.0 } else { 1.0 };
        let limits = Limits::of(parameter.range, parameter.is_whole);
        ui.horizontal(|ui| {
            let name = ui.label(parameter.name);
            let wanted = NumberField { name: parameter.name, help: "", unit: "", speed, limits };
            let field = add_number(ui, number, &wanted, |drag| drag);
            is_changed |= field.labelled_by(name.id).on_hover_text(parameter.range_text()).changed();
        });
    }
    if let Ok(method) = form.method(&numbers) {
        let is_chosen = sampler.method == method;
        if ui.add(menu_item(is_chosen, method.title())).clicked() || (is_changed && !is_chosen) {
            sampler.set_method(method);
        }
    }
}

/// The fields of a custom kernel: its file by name, or by the desktop's dialog.
fn file(ui: &mut Ui, panel: PanelId, sampler: &mut Sampler) {
    ui.set_min_width(260.0);
    let mut field = FileField::of(ui, panel);
    if let (Method::Custom(kernel), true) = (sampler.method, field.text.is_empty()) {
        field.text = kernel.file().to_owned();
    }
    let name =
        ui.add(TextEdit::singleline(&mut field.text).hint_text("File of D,W lines").desired_width(f32::INFINITY));
    if name.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter)) {
        let file = PathBuf::from(field.text.trim());
        field.open(&file, sampler);
    }
    if ui.button("Choose a file…").clicked() {
        field.ask(ui);
    }
    if let Some(problem) = &field.problem {
        ui.label(RichText::new(problem).small().color(Palette::of_ui(ui).error));
    }
    field.keep(ui, panel);
}
