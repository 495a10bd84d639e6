//! The plane of B and C: regions, Keys' line, cubics with names, and the point that is dragged.

use egui::epaint::Mesh;
use egui::{
    Align2, Color32, CursorIcon, EventFilter, FontId, Key, Modifiers, Pos2, Rect, Response, Role, Sense, Shape, Stroke,
    Ui, Vec2, WidgetInfo, pos2, vec2,
};

use crate::app::widgets::theme::{Palette, RADIUS, text_size};
use crate::lab::cubics::{CubicRegion, CubicTraits, NAMED_CUBICS, NamedCubic, PLANE_RANGE as RANGE};

/// Cells along a side of the plane that are coloured by their region.
const CELLS: usize = 60;
/// Distances, in points, at which a drag takes a named cubic, and Keys' line.
const SNAP_TO_POINT: f32 = 7.0;
const SNAP_TO_LINE: f32 = 4.0;
/// Steps of an arrow key, and with Shift.
const STEP: f64 = 0.01;
const COARSE_STEP: f64 = 0.1;
/// Room for the letters of the axes, in points.
const AXES: Vec2 = vec2(24.0, 14.0);
/// Height of the plane from which on all cubics are named, in points. Below, the points close to Mitchell's are not.
const ALL_NAMES: f32 = 200.0;

/// The regions of the plane's cells, computed once.
#[derive(Debug, Default)]
pub(super) struct Plane {
    regions: Vec<CubicRegion>,
}

/// What is drawn.
#[derive(Clone, Copy)]
pub(super) struct PlaneInput {
    /// B and C of the kernel; `None` for one that is no cubic.
    pub(super) at: Option<[f64; 2]>,
    /// Colour of its panel.
    pub(super) colour: Color32,
}

impl Plane {
    /// Draws the plane into `rect`. Returns B and C where the pointer or a key moved them.
    pub(super) fn show(&mut self, ui: &mut Ui, rect: Rect, input: PlaneInput) -> Option<[f64; 2]> {
        let response = ui.interact(rect, ui.scope_id().with("cubic plane"), Sense::click_and_drag());
        let map = PlaneMap { area: Rect::from_min_max(rect.min + vec2(AXES.x, 0.0), rect.max - vec2(0.0, AXES.y)) };
        // A narrow drawer leaves no room for it.
        if !map.area.is_positive() {
            return None;
        }
        self.paint(ui, &map, input);
        let name = match input.at {
            Some([b, c]) => format!("Plane of cubics: B {b:.3}, C {c:.3}"),
            None => "Plane of cubics: no cubic".to_owned(),
        };
        response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, &name));
        let moved = pointed(ui, &response, &map).or_else(|| stepped(ui, &response, input.at));
        tip(response, &map);
        moved.filter(|moved| Some(*moved) != input.at)
    }

    fn paint(&mut self, ui: &Ui, map: &PlaneMap, input: PlaneInput) {
        let palette = Palette::of_ui(ui);
        let painter = ui.painter().with_clip_rect(map.area.expand2(AXES));
        painter.rect_filled(map.area, RADIUS, palette.field);
        painter.add(Shape::mesh(self.mesh(map, &palette)));
        let inside = painter.with_clip_rect(map.area);
        let line = |from: [f64; 2], to: [f64; 2], stroke: Stroke| {
            inside.line_segment([map.pos(from), map.pos(to)], stroke);
        };
        let axis = Stroke::new(1.0, palette.weak.gamma_multiply(0.5));
        line([0.0, RANGE[0]], [0.0, RANGE[1]], axis);
        line([RANGE[0], 0.0], [RANGE[1], 0.0], axis);
        let keys = [[RANGE[0], (1.0 - RANGE[0]) / 2.0], [RANGE[1], (1.0 - RANGE[1]) / 2.0]].map(|point| map.pos(point));
        inside.extend(Shape::dashed_line(&keys, Stroke::new(1.2, palette.accent), 5.0, 4.0));
        let font = FontId::proportional(text_size::UNIT);
        let keys_label = map.pos([0.66, 0.17]) + vec2(3.0, -2.0);
        inside.text(keys_label, Align2::LEFT_BOTTOM, "B + 2C = 1", font.clone(), palette.accent);
        for (region, at) in
            [("rings", [-0.13, 0.85]), ("blurs", [1.13, 0.17]), ("blocks", [0.85, 0.9]), ("balanced", [0.8, 0.45])]
        {
            inside.text(map.pos(at), Align2::CENTER_CENTER, region, font.clone(), palette.text);
        }
        for row in &NAMED_CUBICS {
            let at = map.pos([row.b, row.c]);
            inside.circle(at, 3.0, palette.surface, Stroke::new(1.3, palette.weak));
            let (align, offset) = match row.cubic {
                NamedCubic::Robidoux | NamedCubic::RobidouxSharp if map.area.height() < ALL_NAMES => continue,
                NamedCubic::Robidoux => (Align2::LEFT_TOP, vec2(5.0, 0.0)),
                NamedCubic::RobidouxSharp => (Align2::LEFT_BOTTOM, vec2(4.0, -3.0)),
                NamedCubic::Mitchell => (Align2::RIGHT_TOP, vec2(-4.0, 1.0)),
                NamedCubic::BSpline => (Align2::CENTER_TOP, vec2(0.0, 5.0)),
                NamedCubic::Hermite => (Align2::LEFT_TOP, vec2(4.0, 3.0)),
                NamedCubic::CatmullRom | NamedCubic::OpenCv | NamedCubic::Keys1 => {
                    (Align2::LEFT_BOTTOM, vec2(5.0, -1.0))
                }
            };
            inside.text(at + offset, align, row.title, font.clone(), palette.weak);
        }
        if let Some(point) = input.at {
            // Outside of the shown range the point stays at the edge.
            let at = map.area.clamp(map.pos(point));
            painter.circle(at, 6.0, input.colour, Stroke::new(2.0, palette.text));
        }
        let letter = |at: Pos2, align: Align2, text: &str| {
            painter.text(at, align, text, font.clone(), palette.weak);
        };
        for number in [0.0, 0.5, 1.0] {
            let text = number.to_string();
            letter(pos2(map.pos([number, 0.0]).x, map.area.bottom() + 1.0), Align2::CENTER_TOP, &text);
            letter(pos2(map.area.left() - 3.0, map.pos([0.0, number]).y), Align2::RIGHT_CENTER, &text);
        }
        letter(map.area.right_bottom() + vec2(0.0, 1.0), Align2::RIGHT_TOP, "B");
        letter(map.area.left_top() + vec2(-3.0, 0.0), Align2::RIGHT_TOP, "C");
    }

    /// The cells in the colours of their regions.
    fn mesh(&mut self, map: &PlaneMap, palette: &Palette) -> Mesh {
        if self.regions.is_empty() {
            let middle = |cell: usize| RANGE[0] + (RANGE[1] - RANGE[0]) * (cell as f64 + 0.5) / CELLS as f64;
            let region =
                |[b, c]: [f64; 2]| CubicTraits::of([b, c]).map_or(CubicRegion::Rings, |traits| traits.region());
            self.regions =
                (0..CELLS * CELLS).map(|cell| region([middle(cell % CELLS), middle(cell / CELLS)])).collect();
        }
        let mut mesh = Mesh::default();
        let at = |cell: usize| RANGE[0] + (RANGE[1] - RANGE[0]) * cell as f64 / CELLS as f64;
        for (cell, region) in self.regions.iter().enumerate() {
            let fill = match region {
                CubicRegion::Balanced => palette.accent.gamma_multiply(0.30),
                CubicRegion::Rings => palette.error.gamma_multiply(0.30),
                CubicRegion::Blurs => palette.text.gamma_multiply(0.07),
                CubicRegion::Blocks => palette.text.gamma_multiply(0.16),
            };
            let (column, row) = (cell % CELLS, cell / CELLS);
            let corners = [map.pos([at(column), at(row + 1)]), map.pos([at(column + 1), at(row)])];
            mesh.add_colored_rect(Rect::from_two_pos(corners[0], corners[1]), fill);
        }
        mesh
    }
}

/// Where B and C are on the screen: B runs right, C runs up.
struct PlaneMap {
    area: Rect,
}

impl PlaneMap {
    fn pos(&self, [b, c]: [f64; 2]) -> Pos2 {
        let share = |value: f64| ((value - RANGE[0]) / (RANGE[1] - RANGE[0])) as f32;
        pos2(self.area.left() + self.area.width() * share(b), self.area.bottom() - self.area.height() * share(c))
    }

    fn cubic(&self, pos: Pos2) -> [f64; 2] {
        let value = |share: f32| RANGE[0] + (RANGE[1] - RANGE[0]) * f64::from(share.clamp(0.0, 1.0));
        let hundredth = |value: f64| (value * 100.0).round() / 100.0;
        let b = value((pos.x - self.area.left()) / self.area.width());
        let c = value((self.area.bottom() - pos.y) / self.area.height());
        [b, c].map(hundredth)
    }

    /// The named cubic near `pos`.
    fn named(&self, pos: Pos2) -> Option<NamedCubic> {
        let distance = |row: &crate::lab::cubics::NamedCubicRow| self.pos([row.b, row.c]).distance(pos);
        let near = NAMED_CUBICS.iter().map(|row| (distance(row), row.cubic)).filter(|(far, _)| *far <= SNAP_TO_POINT);
        near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, cubic)| cubic)
    }

    /// B and C at `pos`: a named cubic near it, a point of Keys' line, or the place to a hundredth.
    fn snapped(&self, pos: Pos2) -> [f64; 2] {
        if let Some(named) = self.named(pos) {
            return [named.row().b, named.row().c];
        }
        let [b, c] = self.cubic(pos);
        // B = 1 − 2C to a hundredth of C.
        let on_line = |c: f64| [1.0 - 2.0 * c, c];
        // The foot of the perpendicular from (B, C) to the line.
        let foot = on_line(((c + 2.0 * (1.0 - b)) / 5.0 * 100.0).round() / 100.0);
        if self.pos(foot).distance(pos) <= SNAP_TO_LINE { foot } else { [b, c] }
    }
}

/// Where a press or a drag puts the point.
fn pointed(ui: &Ui, response: &Response, map: &PlaneMap) -> Option<[f64; 2]> {
    if response.is_pointer_button_down_on() {
        response.request_focus();
        ui.set_cursor_icon(CursorIcon::Grabbing);
    }
    let pos = response.interact_pointer_pos().filter(|_| response.is_pointer_button_down_on())?;
    Some(map.snapped(pos))
}

/// Where arrow keys put the point.
fn stepped(ui: &Ui, response: &Response, at: Option<[f64; 2]>) -> Option<[f64; 2]> {
    if !response.has_focus() {
        return None;
    }
    let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let [b, c] = at?;
    let (along_b, along_c) = ui.input_mut(|input| {
        let mut steps = |key: Key| {
            // The pattern without modifiers takes keys with Shift as well.
            let coarse = input.count_and_consume_key(Modifiers::SHIFT, key) as f64 * COARSE_STEP;
            coarse + input.count_and_consume_key(Modifiers::NONE, key) as f64 * STEP
        };
        (steps(Key::ArrowRight) - steps(Key::ArrowLeft), steps(Key::ArrowUp) - steps(Key::ArrowDown))
    });
    // To a millionth: sums of hundredths stay hundredths.
    let moved = |value: f64, by: f64| if by == 0.0 { value } else { ((value + by) * 1e6).round() / 1e6 };
    Some([moved(b, along_b), moved(c, along_c)])
}

/// What is under the pointer.
fn tip(response: Response, map: &PlaneMap) {
    let Some(pos) = response.hover_pos() else { return };
    let text = match map.named(pos) {
        Some(named) => format!("{}: {}", named.row().title, named.row().help),
        None => {
            let region = CubicTraits::of(map.cubic(pos)).map(|traits| traits.region());
            let says = match region {
                Some(CubicRegion::Rings) => "Edges swing by more than 8 %",
                Some(CubicRegion::Blurs) => "Less than 70 % is kept of detail of 4 samples",
                Some(CubicRegion::Blocks) => "A ramp becomes stairs: off Keys' line straight lines are not kept",
                Some(CubicRegion::Balanced) | None => {
                    "Little ringing, little blur, few stairs: what Mitchell and Netravali looked for by eye"
                }
            };
            says.to_owned()
        }
    };
    response.on_hover_text_at_pointer(text);
}
