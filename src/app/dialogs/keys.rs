//! The dialog of key bindings: groups by topic, with keys and pointer input, and a search field.

use egui::style::ScrollStyle;
use egui::{Align2, Frame, Label, Margin, Modal, RichText, Role, Stroke, Ui, WidgetInfo, vec2};

use crate::app::commands::keymap::KeyLine;
use crate::app::commands::pointer::POINTER_HELP;
use crate::app::commands::{Keymap, Topic};
use crate::app::widgets::fit::text_width;
use crate::app::widgets::theme::{Palette, SPACE, text_size};

/// Maximum width of the dialog, in points.
const WIDEST: f32 = 1120.0;
/// Minimum width of a column, in points.
const COLUMN: f32 = 300.0;
/// The topics, the commonest first.
const ORDER: [Topic; 7] =
    [Topic::View, Topic::Panel, Topic::Compare, Topic::Inspect, Topic::File, Topic::Edit, Topic::Window];

/// The dialog.
#[derive(Debug, Default)]
pub(super) struct KeysDialog {
    query: String,
    is_open: bool,
}

/// A group of lines below its heading.
struct Group {
    title: &'static str,
    lines: Vec<KeyLine>,
}

impl KeysDialog {
    /// Draws the dialog. Returns true if it is to be closed.
    pub(super) fn show(&mut self, ui: &Ui) -> bool {
        let frame = Frame::popup(ui.style()).inner_margin(Margin::same(24));
        let window = ui.content_rect().size();
        let modal = Modal::new(egui::Id::unique("keys")).frame(frame).show(ui, |ui| {
            ui.set_width((window.x - 96.0).clamp(160.0, WIDEST));
            ui.heading("Keys");
            ui.add_space(SPACE);
            self.search(ui);
            ui.add_space(2.0 * SPACE);
            let height = (window.y - 224.0).max(120.0);
            ui.spacing_mut().scroll = ScrollStyle { foreground_color: true, ..ScrollStyle::solid() };
            let list = egui::ScrollArea::vertical().auto_shrink([false, true]).max_height(height);
            list.min_scrolled_height(height).show(ui, |ui| columns(ui, self.groups(ui)));
            ui.add_space(3.0 * SPACE);
            ui.vertical_centered(|ui| ui.button("Close").clicked()).inner
        });
        modal.inner || modal.should_close()
    }

    fn search(&mut self, ui: &mut Ui) {
        let name = "Find a key";
        let edit = egui::TextEdit::singleline(&mut self.query)
            .hint_text(name)
            .desired_width(f32::INFINITY)
            .align(Align2::LEFT_CENTER);
        let response = ui.add(edit);
        let query = &self.query;
        response.widget_info(|| {
            let mut info = WidgetInfo::text_edit(true, query, query, name);
            info.label = Some(name.to_owned());
            info
        });
        if !std::mem::replace(&mut self.is_open, true) {
            // The text of the key that opened the dialog is not typed into it.
            response.request_focus();
        }
    }

    /// The groups with the lines that contain the search text in their title, help or keys.
    fn groups(&self, ui: &Ui) -> Vec<Group> {
        let (keys, query) = (Keymap::in_force(ui), self.query.trim().to_lowercase());
        let is_found = |line: &KeyLine| {
            let mut texts = line.keys.iter().map(String::as_str).chain([line.title, line.help]);
            texts.any(|text| text.to_lowercase().contains(&query))
        };
        let group = |topic: Topic| {
            let row = topic.row();
            let mut lines = keys.group(row);
            let pointer = POINTER_HELP.iter().filter(|line| line.topic == row.topic);
            lines.extend(pointer.map(|line| KeyLine {
                title: line.title,
                keys: line.inputs.iter().map(|&input| input.to_owned()).collect(),
                help: line.help,
            }));
            lines.retain(is_found);
            Group { title: row.title, lines }
        };
        ORDER.into_iter().map(group).filter(|group| !group.lines.is_empty()).collect()
    }
}

/// Draws the groups in as many columns as the width permits, at most three.
fn columns(ui: &mut Ui, groups: Vec<Group>) {
    if groups.is_empty() {
        ui.label("No key matches");
        return;
    }
    let gap = 8.0 * SPACE;
    let available = ui.available_width() - 2.0 * SPACE;
    let count = (((available + gap) / (COLUMN + gap)) as usize).clamp(1, 3);
    let width = (available - gap * (count as f32 - 1.0)) / count as f32;
    // A heading is as high as two lines.
    let height = |group: &Group| group.lines.len() + 2;
    let share = groups.iter().map(height).sum::<usize>().div_ceil(count);
    let mut columns: Vec<Vec<Group>> = vec![Vec::new()];
    let mut filled = 0;
    for group in groups {
        let is_full = filled > 0 && filled + height(&group) / 2 > share;
        if is_full && columns.len() < count {
            columns.push(Vec::new());
            filled = 0;
        }
        filled += height(&group);
        if let Some(column) = columns.last_mut() {
            column.push(group);
        }
    }
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = gap;
        for column in columns {
            ui.vertical(|ui| {
                ui.set_width(width);
                ui.spacing_mut().item_spacing = vec2(2.0 * SPACE, 0.5 * SPACE);
                column.iter().for_each(|group| show_group(ui, group));
            });
        }
    });
}

fn show_group(ui: &mut Ui, group: &Group) {
    let palette = Palette::of_ui(ui);
    ui.add_space(SPACE);
    ui.label(RichText::new(group.title).size(text_size::GROUP).color(palette.weak));
    let line = Stroke::new(1.0, palette.line);
    ui.painter().hline(ui.max_rect().x_range(), ui.cursor().top(), line);
    ui.add_space(SPACE);
    for line in &group.lines {
        ui.horizontal(|ui| {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                caps(ui, &line.keys);
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    let title = RichText::new(line.title).size(12.0).color(palette.text);
                    ui.add(Label::new(title).truncate()).on_hover_text(line.help);
                });
            });
        });
    }
    ui.add_space(2.0 * SPACE);
}

/// Draws keys, or pointer input, as caps.
fn caps(ui: &mut Ui, keys: &[String]) {
    let palette = Palette::of_ui(ui);
    let frame = Frame::new().fill(palette.control).stroke(Stroke::new(1.0, palette.line)).corner_radius(4);
    ui.spacing_mut().item_spacing.x = SPACE;
    let all = keys.join(", ");
    for (index, key) in keys.iter().enumerate().rev() {
        frame.inner_margin(Margin::symmetric(5, 1)).show(ui, |ui| {
            let text = RichText::new(key).size(text_size::UNIT).color(palette.text);
            // The cap of one letter is a square.
            let size = vec2(8.0_f32.max(text_width(ui, key, text_size::UNIT)), 16.0);
            let response = ui.add_sized(size, Label::new(text).selectable(false));
            // Assistive technology reads all keys of a line at the first.
            if index == 0 {
                response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &all));
            }
        });
    }
}
