//! Header of a comparison: the names of both panels, each a menu of all panels, and the controls of the comparison. In a
//! narrow header the names are shortened, and the least important controls move into a menu.

use egui::containers::menu::MenuButton;
use egui::{Align, Atom, Button, Color32, Layout, Rect, Role, Sense, Stroke, Ui, WidgetInfo, vec2};

use super::compare_controls::{Control, GAP, symbol_button};
use super::header::{BUTTON_PADDING, CARET_GAP, DOT_INSET, NAME_GAP, NUMBER_GAP};
use crate::app::bars::menus::command_items;
use crate::app::commands::Command;
use crate::app::session::{PanelArea, Session};
use crate::app::widgets::fit::first_that_fits;
use crate::app::widgets::line_text::{LaidOutText, LineText, Weight};
use crate::app::widgets::menu_item::menu_item;
use crate::app::widgets::panel_mark;
use crate::app::widgets::symbol::{CARET_WIDTH, Symbol, SymbolButton};
use crate::app::widgets::theme::{HIT_SIZE, Palette, SPACE, text_size};

/// Least gap between the names and the controls, in points.
const CONTROLS_GAP: f32 = 2.0 * SPACE;
/// Gaps before and after the sign between the names, in points: as much of the header is empty on both sides, since buttons have
/// empty edges.
const SIGN_GAPS: [f32; 2] = [2.0 * SPACE, 3.5 * SPACE];
/// Gap between the second name and the control that exchanges the names, in points.
const EXCHANGE_GAP: f32 = 0.5 * SPACE;
/// Number of forms of a name. The further forms of the header have the shortest names.
const NAME_FORMS: usize = 3;
/// The form without the carets of menus, and the one that lacks the dots too.
const NO_CARETS: usize = NAME_FORMS;
const NO_DOTS: usize = NAME_FORMS + 1;

/// What the header of a comparison has.
#[derive(Clone, Copy, Debug)]
struct Contents<'a> {
    /// Indices of the compared panels.
    pair: [usize; 2],
    /// Text between both names, which are menus; `None` where they are no menus.
    between: Option<&'a str>,
    /// The controls, in order of importance.
    controls: &'a [Control],
    /// The command of the button that ends the comparison.
    leave: Command,
}

/// What fits into a header.
struct Fit<'a> {
    /// Index of the names' form.
    form: usize,
    /// The controls with room, and those in the menu.
    shown: &'a [Control],
    folded: &'a [Control],
}

impl<'a> Contents<'a> {
    /// What fits into the room of `ui`.
    fn fit(&self, ui: &Ui, session: &Session) -> Fit<'a> {
        let icon = SymbolButton::width(ui);
        let (room, menu) = (ui.available_width() - icon - CONTROLS_GAP, GAP + icon);
        let width = |form: usize| {
            let name = |index: usize| EndName::new(ui, session, (index, form)).width() + 2.0 * BUTTON_PADDING;
            let dots = if form < NO_DOTS { 2.0 * (panel_mark::DOT_WIDTH + NUMBER_GAP) } else { 0.0 };
            let has_carets = form < NO_CARETS && self.between.is_some();
            let carets = if has_carets { 2.0 * (CARET_GAP + CARET_WIDTH) } else { 0.0 };
            let between = sign(self.between.unwrap_or_default()).width(ui.painter());
            let gaps = DOT_INSET + SIGN_GAPS.into_iter().sum::<f32>();
            dots + carets + self.pair.into_iter().map(name).sum::<f32>() + gaps + between
        };
        let widths = [0, 1, 2, NO_CARETS, NO_DOTS].map(width);
        let row_width = |controls: &[Control]| {
            let exchange = if controls.contains(&Control::Exchange) { EXCHANGE_GAP + icon } else { 0.0 };
            Control::row_width(ui, controls) + exchange
        };
        // The gain is always shown: a difference is not readable without it.
        let gain = if self.controls.first() == Some(&Control::Gain) { row_width(&[Control::Gain]) } else { 0.0 };
        let form = first_that_fits(room - menu - gain, &widths);
        let fits = |count: &usize| {
            let menu = if *count == self.controls.len() { 0.0 } else { menu };
            row_width(&self.controls[..*count]) + menu <= room - widths[form]
        };
        let count = (0..=self.controls.len()).rev().find(fits).unwrap_or(0);
        let (shown, folded) = self.controls.split_at(count);
        Fit { form, shown, folded }
    }
}

/// Draws the header of `area`. Commands are pushed onto `asked`.
pub(super) fn show(ui: &mut Ui, session: &mut Session, area: PanelArea, asked: &mut Vec<Command>) {
    // Each part has its own gap.
    ui.spacing_mut().item_spacing.x = 0.0;
    ui.spacing_mut().button_padding.x = BUTTON_PADDING;
    let mut contents = Contents {
        pair: session.pair().unwrap_or([area.panel(), area.seen()]),
        between: None,
        controls: Control::OF_WIPE,
        leave: Command::SideBySide,
    };
    match area {
        PanelArea::Panel(_) | PanelArea::Flipped { .. } => {
            let flickers = session.flickers();
            contents.controls = if flickers { Control::OF_FLICKER } else { &[] };
            contents.leave = if flickers { Command::Flicker } else { Command::Flip };
            let fit = contents.fit(ui, session);
            flipped_names(ui, session, (contents, fit.form), area.seen());
            show_controls(ui, session, &contents, &fit, asked);
        }
        PanelArea::Wipe(_) => {
            contents.between = Some("|");
            two(ui, session, &contents, asked);
        }
        PanelArea::Difference(_) => {
            contents.between = Some("minus");
            contents.controls = Control::OF_DIFFERENCE;
            two(ui, session, &contents, asked);
        }
    }
}

/// Whether the picture in `area` is exchanged with that of another panel, so that its header names both.
pub(super) fn is_flipping(session: &Session, area: PanelArea) -> bool {
    match area {
        PanelArea::Flipped { .. } => true,
        PanelArea::Panel(panel) => session.flickers() && session.pair().is_some_and(|[first, _]| first == panel),
        PanelArea::Wipe(_) | PanelArea::Difference(_) => false,
    }
}

/// Draws the names of both panels of a flip, always in the same places. The one that is not `shown` is faint.
fn flipped_names(ui: &mut Ui, session: &Session, (contents, form): (Contents<'_>, usize), shown: usize) {
    for (index, gap) in contents.pair.into_iter().zip([DOT_INSET, 4.0 * SPACE]) {
        let is_shown = index == shown;
        ui.add_space(gap);
        ui.scope(|ui| {
            ui.set_opacity(if is_shown { 1.0 } else { 0.45 });
            if form < NO_DOTS {
                panel_mark::dot(ui, index);
                ui.add_space(NUMBER_GAP);
            }
            let palette = Palette::of_ui(ui);
            let name = EndName::new(ui, session, (index, form));
            let size = vec2(name.width().min(ui.available_width()), HIT_SIZE);
            let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
            name.paint(ui, rect, [palette.weak, if is_shown { palette.text } else { palette.weak }]);
            let text = end_text(session, index, form);
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
        });
    }
}

/// Draws both names as menus, and the controls.
fn two(ui: &mut Ui, session: &mut Session, contents: &Contents<'_>, asked: &mut Vec<Command>) {
    let fit = contents.fit(ui, session);
    ends(ui, session, (contents.pair, fit.form), contents.between.unwrap_or_default());
    if fit.shown.contains(&Control::Exchange) {
        ui.add_space(EXCHANGE_GAP);
        Control::Exchange.show(ui, session, asked);
    }
    show_controls(ui, session, contents, &fit, asked);
}

/// Draws the controls that fit, a menu of the rest, and the button that ends the comparison.
fn show_controls(ui: &mut Ui, session: &mut Session, contents: &Contents<'_>, fit: &Fit<'_>, asked: &mut Vec<Command>) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        // Each control has its own gap.
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.spacing_mut().interact_size.y = HIT_SIZE;
        asked.extend(symbol_button(ui, Symbol::Close, contents.leave));
        if fit.folded.iter().any(|control| !control.commands().is_empty()) {
            ui.add_space(GAP);
            let icon = Symbol::More.atom(Some(Palette::of_ui(ui).weak));
            let button = Button::new(icon).stroke(Stroke::NONE).min_size(vec2(HIT_SIZE, HIT_SIZE));
            let button = button.frame_when_inactive(false);
            let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
                for control in fit.folded {
                    asked.extend(command_items(ui, session, control.commands()));
                }
            });
            response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Comparison menu"));
            if !egui::Popup::is_any_open(&response.ctx) {
                response.on_hover_text("What else there is to set, for which there is no room here");
            }
        }
        let mut right = None;
        for control in Control::drawn(fit.shown) {
            ui.add_space(control.gap(right.replace(control)));
            control.show(ui, session, asked);
        }
    });
}

/// Draws the names of both panels, each a menu.
fn ends(ui: &mut Ui, session: &mut Session, ([first, second], form): ([usize; 2], usize), between: &str) {
    let has_dots = form < NO_DOTS;
    if has_dots {
        ui.add_space(DOT_INSET);
        panel_mark::dot(ui, first);
        ui.add_space(NUMBER_GAP - BUTTON_PADDING);
    }
    if let Some(chosen) = panel_menu(ui, session, (first, form), "First") {
        let kept = if chosen == second { first } else { second };
        session.focus(chosen);
        session.set_second(kept);
    }
    ui.add_space(SIGN_GAPS[0]);
    show_sign(ui, between);
    ui.add_space(SIGN_GAPS[1]);
    if has_dots {
        panel_mark::dot(ui, second);
        ui.add_space(NUMBER_GAP - BUTTON_PADDING);
    }
    if let Some(chosen) = panel_menu(ui, session, (second, form), "Second") {
        if chosen == first {
            session.exchange_pair();
        } else {
            session.set_second(chosen);
        }
    }
}

/// Number and name of a panel. `form` selects its length among the forms of its name; beyond them it is the shortest one.
fn end_text(session: &Session, index: usize, form: usize) -> String {
    let mark = if session.panels()[index].filters_in_force().is_active() { "  ƒ" } else { "" };
    format!("{}{mark}", session.panel_name(index).forms()[form.min(NAME_FORMS - 1)])
}

/// Draws what stands between both names, with its ink in the middle of the header: a word or a sign.
fn show_sign(ui: &mut Ui, between: &str) {
    let text = sign(between);
    let (rect, response) = ui.allocate_exact_size(vec2(text.width(ui.painter()), HIT_SIZE), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, between));
    let line = text.within(ui.painter(), f32::INFINITY);
    line.paint_centred(ui.painter(), rect, Palette::of_ui(ui).weak);
}

/// What stands between both names: a word of body text, or a large sign.
fn sign(between: &str) -> LineText<'_> {
    match between.chars().all(char::is_alphabetic) {
        true => LineText::regular(between, text_size::BODY),
        false => LineText { text: between, size: text_size::TITLE, weight: Weight::Medium },
    }
}

/// The text of [`end_text`] in two parts: the number, and the name in medium weight.
struct EndName {
    number: LaidOutText,
    name: LaidOutText,
}

impl EndName {
    fn new(ui: &Ui, session: &Session, (index, form): (usize, usize)) -> Self {
        let text = end_text(session, index, form);
        let (number, name) = text.split_at((index + 1).to_string().len());
        let whole = |text: LineText<'_>| text.within(ui.painter(), f32::INFINITY);
        let number = whole(LineText::regular(number, text_size::BODY));
        Self { number, name: whole(LineText::medium(name.trim_start())) }
    }

    /// Distance of the name behind the start, in points: as in the header of one panel.
    fn name_start(&self) -> f32 {
        self.number.width() + NAME_GAP + BUTTON_PADDING
    }

    fn width(&self) -> f32 {
        self.name_start() + self.name.width()
    }

    /// Paints the number and the name into `rect`, each in its colour.
    fn paint(&self, ui: &Ui, rect: Rect, [number, name]: [Color32; 2]) {
        let painter = ui.painter_at(rect);
        self.number.paint(&painter, rect.left_center(), number);
        self.name.paint(&painter, rect.left_center() + vec2(self.name_start(), 0.0), name);
    }

    /// As a part of a button.
    fn atom(self, colours: [Color32; 2]) -> Atom<'static> {
        Atom::paint(vec2(self.width(), text_size::ICON), move |ui, args| {
            self.paint(ui, args.rect.expand2(vec2(0.0, SPACE)), colours);
        })
    }
}

/// Draws a menu of the panels, titled by the shown one. Returns the panel that was clicked.
fn panel_menu(ui: &mut Ui, session: &Session, (shown, form): (usize, usize), role: &str) -> Option<usize> {
    let palette = Palette::of_ui(ui);
    let name = EndName::new(ui, session, (shown, form)).atom([palette.weak, palette.text]);
    let button = if form < NO_CARETS {
        Button::new((name, Symbol::caret(palette.weak))).gap(CARET_GAP)
    } else {
        Button::new(name)
    };
    let (response, chosen) = MenuButton::from_button(button.frame_when_inactive(false)).ui(ui, |ui| {
        let mut chosen = None;
        for index in 0..session.panels().len() {
            let item = menu_item(index == shown, (panel_mark::atom(ui, index), end_text(session, index, 0)));
            if ui.add(item).clicked() {
                chosen = Some(index);
                ui.close();
            }
        }
        chosen
    });
    let title = end_text(session, shown, 0);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{role} panel: {title}")));
    if !egui::Popup::is_any_open(&response.ctx) {
        response.on_hover_text(format!("{title}\nWhich panel is compared"));
    }
    chosen.and_then(|chosen| chosen.inner)
}
