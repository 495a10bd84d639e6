//! The footprint of a pixel: its samples and weights over the pictures, its sum with numbers in the drawer, and beside it
//! the source of the kernel.

mod arithmetic;
mod drawing;
mod inset;
mod samples;
mod source_view;

use egui::scroll_area::ScrollBarVisibility;
use egui::{
    Align, Color32, Context, EventFilter, Id, Key, Label, Layout, Modifiers, RichText, ScrollArea, Sense, Ui,
    UiBuilder, vec2,
};

use self::drawing::Drawing;
use self::samples::{Found, Samples};
use self::source_view::SourceView;
use super::tool::{BUTTONS, Tool, ToolInput, tab, teach};
use crate::app::commands::Command;
use crate::app::inspect::PanelTransform;
use crate::app::session::{PanelName, Session};
use crate::app::widgets::panel_mark::{self, DOT_WIDTH, paint_dot};
use crate::app::widgets::symbol::{Symbol, SymbolButton};
use crate::app::widgets::theme::{Palette, SPACE, text_size};
use crate::backend::{BackendKind, RenderRequest, device_kernel};
use crate::lab::footprint::{Excerpt, Explained, Footprint, Notation, STEPS, Shown, StepKind};
use crate::plots::Chart;

/// Smallest and largest width of the source, in points, and its part of the drawer.
const SOURCE: [f32; 2] = [260.0, 460.0];
const SOURCE_SHARE: f32 = 0.34;
const SOURCE_SHARE_WITH_INSET: f32 = 0.3;
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
            notation: Notation::new(input.unit.one(maxval)),
        };
        let state = session.inspect.state.footprint;
        let step = if state.step.is_of(&footprint) { state.step } else { StepKind::Weights };
        let kernel = device_kernel(&page, &request);
        let excerpt = Excerpt::of_step(step, kernel, &footprint, &request);

        let area = ui.available_rect_before_wrap();
        let mut left = area;
        let mut source_share = SOURCE_SHARE;
        let [across, down] = request.view.scales();
        let side_in_points = (1.0 / across.max(down)) as f32 / ui.pixels_per_point();
        if side_in_points < drawing::NUMBER_SIDE && area.width() >= LEAST_WITH_SOURCE {
            source_share = SOURCE_SHARE_WITH_INSET;
            let side = area.height().min(0.3 * area.width());
            let mut ui = ui.new_child(UiBuilder::new().max_rect(area.with_max_x(area.left() + side)));
            inset::show(&mut ui, &footprint, &request.display, side);
            left.min.x += side + 3.0 * SPACE;
        }
        let has_source = area.width() >= LEAST_WITH_SOURCE && !session.is_of_lesson();
        if let Some(excerpt) = excerpt.filter(|_| has_source) {
            let width = (source_share * area.width()).clamp(SOURCE[0], SOURCE[1]);
            let mut ui = ui.new_child(UiBuilder::new().max_rect(area.with_min_x(area.right() - width)));
            self.source.show(&mut ui, excerpt, kernel);
            left.max.x -= width + 3.0 * SPACE;
        }
        let mut place = ui.new_child(UiBuilder::new().max_rect(left));
        arithmetic::show(&mut place, &explained, step, state.channel);
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
                colours: drawing::colours(&Palette::of(egui::Theme::Dark)),
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

/// Says what the dots of the samples are: from right to left, since the layout is.
fn key_of_dots(ui: &mut Ui, colours: [Color32; 2]) {
    let palette = Palette::of_ui(ui);
    let tip = "The area of a dot is the weight of its sample, its colour the sign";
    ui.add_space(SPACE);
    for (colour, text) in colours.into_iter().zip(["added", "subtracted"]).rev() {
        let text = RichText::new(text).size(text_size::UNIT).color(palette.weak);
        ui.add(Label::new(text).selectable(false)).on_hover_text(tip);
        let (place, _) = ui.allocate_exact_size(vec2(DOT_WIDTH, text_size::UNIT), Sense::hover());
        paint_dot(ui.painter(), place.center(), colour);
    }
    ui.add_space(SPACE);
}

/// Draws the panel's name, the buttons that move the pixel, the position, and the choice of a channel.
fn controls(ui: &mut Ui, session: &mut Session, found: Option<&OfPanel>) {
    let palette = Palette::of_ui(ui);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = SPACE;
        let name: PanelName = session.panel_name(session.focused());
        panel_mark::dot(ui, name.index);
        ui.add(Label::new(RichText::new(name.numbered()).size(text_size::VALUE).color(palette.text)));
        ui.add_space(SPACE);
        for (symbol, name, tip, _, by) in MOVES {
            if (SymbolButton { symbol, name, tip }).show(ui, false).clicked() {
                session.move_footprint(by);
            }
        }
        let Some(OfPanel { footprint, .. }) = found else { return };
        let [i, j] = footprint.pixel.map(|index| Notation::plain(index as f64));
        let place = format!("pixel ({i}, {j}): {}", footprint.header());
        let place = Label::new(RichText::new(place).size(text_size::VALUE).color(palette.text)).truncate();
        let names = footprint.channels.names();
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if names.len() > 1 {
                let channel = &mut session.inspect.state.footprint.channel;
                for (index, name) in names.iter().enumerate().rev() {
                    let letter = name.get(..1).unwrap_or(name).to_uppercase();
                    if tab(ui, &letter, &format!("Channel {}", name.to_lowercase()), *channel == Some(index)).clicked()
                    {
                        *channel = Some(index);
                    }
                }
                if tab(ui, "All", "All channels", channel.is_none()).clicked() {
                    *channel = None;
                }
            } else if !session.is_of_lesson() {
                // A lesson's tasks say so, and its numbers need the room.
                let hint = RichText::new("Click a pixel to choose it").size(text_size::UNIT).color(palette.weak);
                ui.add(Label::new(hint).selectable(false));
            }
            key_of_dots(ui, drawing::colours(&palette));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(place).on_hover_text("Click a pixel of a picture, without dragging, to choose it")
            });
        });
    });
}
