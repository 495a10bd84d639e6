//! The footprint of a pixel: its samples and weights over the pictures, its sum with numbers in the drawer, and beside it
//! the source of the kernel.

mod arithmetic;
mod broken_lines;
mod drawing;
mod inset;
mod samples;
mod source_view;

use egui::scroll_area::ScrollBarVisibility;
use egui::{
    Align, Context, EventFilter, Id, Key, Label, Layout, Modifiers, Rect, RichText, ScrollArea, Sense, Stroke,
    StrokeKind, Ui, UiBuilder, vec2,
};

use self::drawing::{Disc, Drawing};
use self::samples::{Found, Samples};
use self::source_view::SourceView;
use super::tool::{BUTTONS, Tool, ToolInput, tab, teach};
use crate::app::commands::Command;
use crate::app::inspect::PanelTransform;
use crate::app::session::{PanelName, Session};
use crate::app::widgets::panel_mark;
use crate::app::widgets::symbol::{Symbol, SymbolButton};
use crate::app::widgets::theme::{HIT_SIZE, Palette, RADIUS, SPACE, text_size};
use crate::backend::{BackendKind, RenderRequest, device_kernel};
use crate::lab::footprint::{Excerpt, Explained, Footprint, Notation, STEPS, Shown, StepKind};
use crate::plots::Chart;

/// Smallest width of the source and its largest part of the drawer, in points. It has all that the sum leaves.
const LEAST_SOURCE: f32 = 300.0;
const MOST_SOURCE_SHARE: f32 = 0.6;
/// The largest part of the drawer's width that the enlarged samples take.
const INSET_SHARE: f32 = 0.3;
/// Radius of the discs that say what colours mean, in points.
const KEY_RADIUS: f32 = 5.0;
/// Width beside the buttons from which on there is a key of the discs, in points: that of the key and of some of the position.
const LEAST_FOR_KEY: f32 = 240.0;
/// Width of the drawer from which on the source is shown, in points.
const LEAST_WITH_SOURCE: f32 = 640.0;

/// The buttons that move the pixel: icon, name, tooltip, distance in pixels.
const MOVES: [(Symbol, &str, &str, Key, [i64; 2]); 4] = [
    (
        Symbol::Previous,
        "Pixel to the left",
        "One output pixel to the left (Shift+← in the drawer)",
        Key::ArrowLeft,
        [-1, 0],
    ),
    (
        Symbol::Next,
        "Pixel to the right",
        "One output pixel to the right (Shift+→ in the drawer)",
        Key::ArrowRight,
        [1, 0],
    ),
    (Symbol::Up, "Pixel above", "One output pixel up (Shift+↑ in the drawer)", Key::ArrowUp, [0, -1]),
    (Symbol::Down, "Pixel below", "One output pixel down (Shift+↓ in the drawer)", Key::ArrowDown, [0, 1]),
];

/// The tool.
#[derive(Debug, Default)]
pub(super) struct FootprintTool {
    samples: Samples,
    source: SourceView,
    /// The tabs of the last frame.
    tabs: Vec<(StepKind, Id)>,
    /// The step whose tab came into sight last.
    shown_step: Option<StepKind>,
    /// Width of the sum in the last frame, in points.
    sum_width: f32,
}

/// The footprint of a panel with its request.
struct OfPanel {
    request: RenderRequest,
    footprint: Footprint,
}

/// Why a panel has no footprint, for people.
enum Missing {
    /// A hint or a progress.
    Weak(String),
    /// A failure.
    Error(String),
}

impl Tool for FootprintTool {
    fn tabs(&mut self, ui: &mut Ui, input: &mut ToolInput<'_>) {
        let is_filtered = !input.session.request(input.session.focused()).sampler.path.is_exact();
        let state = input.session.inspect.state.footprint;
        let rows = || STEPS.iter().filter(|row| row.step != StepKind::Fetches || is_filtered);
        self.tabs.clear();
        // The open tab comes into sight where there is no room for all.
        let is_new = self.shown_step.replace(state.step) != Some(state.step);
        let room = (ui.available_width() - BUTTONS).max(0.0);
        let area = ScrollArea::horizontal().id_salt("steps").max_width(room);
        area.scroll_bar_visibility(ScrollBarVisibility::AlwaysHidden).show(ui, |ui| {
            for row in rows() {
                let response = tab(ui, row.title, &format!("Step {}", row.title), state.step == row.step);
                if response.clicked() {
                    input.session.inspect.state.footprint.step = row.step;
                }
                if is_new && state.step == row.step {
                    response.scroll_to_me(None);
                }
                self.tabs.push((row.step, response.id));
                teach(response, row.title, row.help);
            }
        });
    }

    fn contents(&mut self, ui: &mut Ui, input: &mut ToolInput<'_>) -> Vec<Command> {
        self.samples.begin_frame();
        self.read_keys(ui, input.session);
        let index = input.session.focused();
        let found = self.find(ui.ctx(), input.session, index);
        controls(ui, input.session, found.as_ref().ok());
        let OfPanel { request, footprint } = match found {
            Ok(found) => found,
            Err(missing) => {
                show_missing(ui, &missing);
                return Vec::new();
            }
        };
        let session = &*input.session;
        let page = session.page_of(index);
        let maxval = page.maxval();
        let shown = Shown::new((&footprint.total, None), footprint.channels, &request.display, u8::MAX.into());
        let explained = Explained {
            footprint: &footprint,
            request: &request,
            page: page.size(),
            shown: request.shows_sums().then_some(&shown),
            notation: Notation::new(input.unit.one(maxval)).finer(),
        };
        let state = session.inspect.state.footprint;
        let step = if state.step.is_of(&footprint) { state.step } else { StepKind::Weights };
        let kernel = device_kernel(&page, &request);
        let excerpt = Excerpt::of_step(step, kernel, &footprint, &request);

        let area = ui.available_rect_before_wrap();
        let mut left = area;
        let [across, down] = request.view.scales();
        let side_in_points = (1.0 / across.max(down)) as f32 / ui.pixels_per_point();
        if side_in_points < drawing::NUMBER_SIDE && area.width() >= LEAST_WITH_SOURCE {
            let side = area.height().min(INSET_SHARE * area.width());
            let mut ui = ui.new_child(UiBuilder::new().max_rect(area.with_max_x(area.left() + side)));
            inset::show(&mut ui, &footprint, &request.display, side);
            left.min.x += side + 3.0 * SPACE;
        }
        let has_source = area.width() >= LEAST_WITH_SOURCE && !session.is_of_lesson();
        if let Some(excerpt) = excerpt.filter(|_| has_source) {
            let most = (MOST_SOURCE_SHARE * area.width()).max(LEAST_SOURCE);
            let width = (left.width() - self.sum_width - 4.0 * SPACE).clamp(LEAST_SOURCE, most);
            let mut ui = ui.new_child(UiBuilder::new().max_rect(area.with_min_x(area.right() - width)));
            self.source.show(&mut ui, excerpt, kernel);
            left.max.x -= width + 4.0 * SPACE;
        }
        let mut place = ui.new_child(UiBuilder::new().max_rect(left));
        let sum_width = arithmetic::show(&mut place, &explained, step, state.channel);
        if std::mem::replace(&mut self.sum_width, sum_width) != sum_width {
            // The source takes the rest in the next frame.
            ui.request_repaint();
        }
        ui.allocate_rect(area, Sense::hover());
        Vec::new()
    }

    fn file_stem(&self, _session: &Session) -> String {
        "footprint".to_owned()
    }

    fn chart(&mut self, ctx: &Context, session: &Session, _backend: BackendKind) -> Result<Chart, String> {
        match self.find(ctx, session, session.focused()) {
            Ok(found) => Ok(found.footprint.chart()),
            Err(Missing::Weak(reason) | Missing::Error(reason)) => Err(reason),
        }
    }

    fn is_idle(&self) -> bool {
        self.samples.is_idle()
    }

    fn rest(&mut self) {
        self.samples.rest();
    }

    fn over_pictures(&mut self, ui: &Ui, session: &Session, transforms: &[PanelTransform]) {
        for transform in transforms {
            let Ok(found) = self.find(ui.ctx(), session, transform.panel) else { continue };
            let painter = ui.painter().with_clip_rect(transform.rect().intersect(ui.clip_rect()));
            let drawing = Drawing {
                footprint: &found.footprint,
                pos: &|position| transform.pos(position),
                side: transform.sample_side(),
                full_weight: 1.0,
                has_values: session.inspect.state.has_values,
            };
            drawing.paint(&painter);
        }
    }
}

impl FootprintTool {
    /// While the drawer has the focus, arrow keys walk through the steps, and with Shift they move the pixel.
    fn read_keys(&self, ui: &Ui, session: &mut Session) {
        let drawer = ui.clip_rect();
        let is_inside = |id: &Id| ui.read_response(*id).is_some_and(|own| drawer.contains(own.rect.center()));
        let Some(focused) = ui.memory(|memory| memory.focused()).filter(is_inside) else { return };
        let arrows = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(focused, arrows));
        let is_pressed = |held, key| ui.input_mut(|input| input.consume_key(held, key));
        for (.., key, by) in MOVES {
            if is_pressed(Modifiers::SHIFT, key) {
                session.move_footprint(by);
            }
        }
        let by = i32::from(is_pressed(Modifiers::NONE, Key::ArrowRight))
            - i32::from(is_pressed(Modifiers::NONE, Key::ArrowLeft));
        let step = &mut session.inspect.state.footprint.step;
        let at = self.tabs.iter().position(|(own, _)| own == step).unwrap_or(0) as i32;
        let last = self.tabs.len() as i32 - 1;
        if by == 0 || last < 0 {
            return;
        }
        let (next, tab) = self.tabs[(at + by).clamp(0, last) as usize];
        *step = next;
        if self.tabs.iter().any(|(_, id)| *id == focused) {
            ui.memory_mut(|memory| memory.request_focus(tab));
        }
        // The tabs are drawn already.
        ui.request_repaint();
    }

    /// The footprint of panel `index`.
    fn find(&mut self, ctx: &Context, session: &Session, index: usize) -> Result<OfPanel, Missing> {
        let Some(pixel) = session.footprint_pixel(index) else {
            return Err(Missing::Weak("Click a pixel of a picture".to_owned()));
        };
        if session.image_of(index).is_missing() {
            return Err(Missing::Error("The image is missing".to_owned()));
        }
        let (page, request) = (session.page_of(index), session.request(index));
        request.check(&page).map_err(|error| Missing::Error(error.to_string()))?;
        let prepared = match self.samples.find(ctx, &page, &request) {
            Found::Ready(prepared) => prepared,
            Found::Pending(text) => return Err(Missing::Weak(text)),
            Found::Failed(text) => return Err(Missing::Error(text)),
        };
        // A lesson places the position itself, not a pixel near it.
        let placed = session.inspect.state.footprint.at.filter(|_| session.is_of_lesson());
        let footprint = match placed {
            Some(position) => Footprint::at(&prepared, &page, &request, position),
            None => Footprint::new(&prepared, &page, &request, pixel),
        };
        match footprint {
            Ok(footprint) => Ok(OfPanel { request, footprint }),
            Err(why) => Err(Missing::Weak(format!("No footprint: {why}"))),
        }
    }
}

fn show_missing(ui: &mut Ui, missing: &Missing) {
    let palette = Palette::of_ui(ui);
    let (text, colour) = match missing {
        Missing::Weak(text) => (text, palette.weak),
        Missing::Error(text) => (text, palette.error),
    };
    ui.add(Label::new(RichText::new(text).color(colour)).wrap());
}

/// Says what the discs of the samples are: from right to left, since the layout is.
fn key_of_discs(ui: &mut Ui) {
    let palette = Palette::of_ui(ui);
    let tip = "The area of a disc is in proportion to the weight of its sample, its colour is the sign";
    for (weight, text) in [(-1.0, "subtracted"), (1.0, "added")] {
        let text = RichText::new(text).size(text_size::UNIT).color(palette.weak);
        ui.add(Label::new(text).selectable(false)).on_hover_text(tip);
        let (place, _) = ui.allocate_exact_size(vec2(2.0 * KEY_RADIUS + 2.0, text_size::UNIT), Sense::hover());
        Disc { weight, radius: KEY_RADIUS, opacity: 1.0, has_sign: true }.paint(ui.painter(), place.center());
        ui.add_space(SPACE);
    }
}

/// The buttons that move the pixel, as one group.
fn moves(ui: &mut Ui, session: &mut Session) {
    let palette = Palette::of_ui(ui);
    ui.spacing_mut().item_spacing.x = 0.0;
    let mut group = Rect::NOTHING;
    for (symbol, name, tip, _, by) in MOVES {
        let response = SymbolButton { symbol, name, tip }.show(ui, false);
        group |= response.rect;
        if response.clicked() {
            session.move_footprint(by);
        }
    }
    ui.painter().rect_stroke(group, RADIUS, Stroke::new(1.0, palette.line), StrokeKind::Inside);
    ui.spacing_mut().item_spacing.x = SPACE;
}

/// The chosen pixel, and of the steps behind the fractions what the weights follow from. A lesson speaks of all of it at every step.
fn place(session: &Session, footprint: &Footprint) -> String {
    let [i, j] = footprint.pixel.map(|index| Notation::plain(index as f64));
    if session.is_of_lesson() {
        return format!("pixel ({i}, {j}): {}", footprint.header());
    }
    let step = session.inspect.state.footprint.step;
    if matches!(step, StepKind::Position | StepKind::Fraction) {
        return format!("pixel ({i}, {j})");
    }
    let [x, y] = &footprint.axes;
    match (x.taps.as_slice(), y.taps.as_slice()) {
        ([column], [row]) => format!("pixel ({i}, {j}): nearest sample ({}, {})", column.index, row.index),
        _ => {
            format!("pixel ({i}, {j}): α = {}, β = {}", Notation::position(x.fraction), Notation::position(y.fraction))
        }
    }
}

/// Draws the panel's name, the buttons that move the pixel, the position, and the choice of a channel.
fn controls(ui: &mut Ui, session: &mut Session, found: Option<&OfPanel>) {
    let palette = Palette::of_ui(ui);
    ui.horizontal(|ui| {
        ui.set_min_height(HIT_SIZE);
        ui.spacing_mut().item_spacing.x = SPACE;
        let name: PanelName = session.panel_name(session.focused());
        panel_mark::dot(ui, name.index);
        ui.add(Label::new(RichText::new(name.numbered()).size(text_size::VALUE).color(palette.text)));
        ui.add_space(SPACE);
        moves(ui, session);
        ui.add_space(2.0 * SPACE);
        let Some(OfPanel { footprint, .. }) = found else { return };
        let place = RichText::new(place(session, footprint)).size(text_size::VALUE).color(palette.text);
        let place = Label::new(place).truncate();
        let names = footprint.channels.names();
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if names.len() > 1 {
                channels(ui, session, names);
                ui.add_space(3.0 * SPACE);
            }
            if ui.available_width() >= LEAST_FOR_KEY {
                key_of_discs(ui);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(place).on_hover_text("Click a pixel of a picture, without dragging, to choose it");
                // A lesson's tasks say so, and its numbers need the room.
                if !session.is_of_lesson() {
                    ui.add_space(5.0 * SPACE);
                    let hint = RichText::new("Click a pixel to choose it").size(text_size::UNIT).color(palette.faint);
                    ui.add(Label::new(hint).selectable(false).truncate());
                }
            });
        });
    });
}

/// The choice of a channel: from right to left, since the layout is.
fn channels(ui: &mut Ui, session: &mut Session, names: &[&str]) {
    let channel = &mut session.inspect.state.footprint.channel;
    for (index, name) in names.iter().enumerate().rev() {
        let letter = name.get(..1).unwrap_or(name).to_uppercase();
        if tab(ui, &letter, &format!("Channel {}", name.to_lowercase()), *channel == Some(index)).clicked() {
            *channel = Some(index);
        }
    }
    if tab(ui, "All", "All channels", channel.is_none()).clicked() {
        *channel = None;
    }
}
