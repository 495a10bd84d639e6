//! Insets: the finest detail of a whole image, enlarged, beside the image of each panel or in a corner of it. Methods differ there before
//! anyone zooms.

mod placement;

use std::collections::{BTreeMap, HashMap};

use egui::{
    Align2, Color32, CursorIcon, FontId, Painter, Pos2, Rect, Role, Sense, Shape, Stroke, StrokeKind, TextureHandle,
    TextureOptions, Theme, Ui, WidgetInfo, pos2, vec2,
};

use self::placement::{Beside, Placement};
use super::loupe::colour_image;
use super::panel_transform::PanelTransform;
use super::patch::{PictureSizes, view_showing};
use crate::app::render::page_request::PageRequest;
use crate::app::session::{PanelId, Session};
use crate::app::widgets::pixel_rect::PixelRect;
use crate::app::widgets::theme::{Palette, SMALL_RADIUS, SPACE, text_size};
use crate::backend::{self, Backend, PixelFormat, RenderRequest};
use crate::image::{Page, PageId, finest_detail};
use crate::view::View;

/// Width of the outline of an inset, in points.
const OUTLINE: f32 = 2.0;
/// Widths of the outline of a source and of the line on both sides of it, in points.
const SOURCE: f32 = 2.0;
const AROUND: f32 = 1.0;
/// Opacity of the lines around the outlines of a source and of an inset over a corner, and of that around the label.
const AROUND_SOURCE: f32 = 0.9;
const AROUND_INSET: f32 = 0.7;
const AROUND_LABEL: f32 = 0.35;
/// Distance of the label of the magnification from the corner, and its padding, in points.
const LABEL_MARGIN: f32 = SPACE;
const LABEL_PADDING: egui::Vec2 = vec2(SPACE, 1.0);

/// The inset of one panel in this frame.
#[derive(Clone, Debug)]
struct Inset {
    panel: PanelId,
    /// Its place in the window.
    place: PixelRect,
    request: RenderRequest,
    /// The outline of what it shows, in the panel's picture.
    source: [Pos2; 4],
    /// Position of its middle, in samples.
    centre: [f64; 2],
    placement: Placement,
}

/// The finest detail of an image in a window of a size, both in samples.
#[derive(Clone, Copy, Debug)]
struct Detail {
    window: [f64; 2],
    middle: [f64; 2],
}

/// The insets, their textures, and the details that they show.
#[derive(Default)]
pub(in crate::app) struct Insets {
    details: HashMap<PageId, Vec<Detail>>,
    shown: Vec<Inset>,
    textures: BTreeMap<PanelId, (PageRequest, TextureHandle)>,
}

impl Insets {
    /// Places the insets of a frame over the pictures of `transforms`; none unless `are_shown`.
    pub(in crate::app) fn place(&mut self, session: &Session, transforms: &[PanelTransform], are_shown: bool) {
        let are_shown = are_shown && has_several_plain_panels(session);
        let shown = transforms.iter().filter(|_| are_shown).filter_map(|transform| self.inset(session, transform));
        self.shown = shown.collect();
        // What a search found is kept while a panel shows the image.
        let is_open = |page: &PageId| (0..session.panels().len()).any(|index| session.page_of(index).id() == *page);
        self.details.retain(|page, _| is_open(page));
        let is_shown = |panel: &PanelId| self.shown.iter().any(|inset| inset.panel == *panel);
        self.textures.retain(|panel, _| is_shown(panel));
    }

    /// How far fitted images stand off the middle of their panels so that insets are beside them, in pixels.
    pub(in crate::app) fn offsets(session: &Session, pixels_per_point: f32) -> Vec<(PanelId, [f64; 2])> {
        let offset = |index: usize| {
            let Beside { offset_px, .. } = placement_of(session, index, pixels_per_point)?.beside?;
            Some((session.panels()[index].id(), offset_px.map(f64::from)))
        };
        if has_several_plain_panels(session) {
            session.visible().into_iter().filter_map(offset).collect()
        } else {
            Vec::new()
        }
    }

    /// Whether insets are drawn.
    pub(in crate::app) fn are_drawn(&self) -> bool {
        !self.textures.is_empty()
    }

    /// Samples per pixel of the inset of `panel`, where it is drawn.
    pub(in crate::app) fn scale_of(&self, panel: PanelId) -> Option<f64> {
        let inset = self.shown.iter().find(|inset| inset.panel == panel)?;
        self.textures.contains_key(&panel).then(|| inset.request.view.scale())
    }

    /// The rectangle of the inset of `panel`, in points, where it is drawn.
    pub(in crate::app) fn rect_of(&self, panel: PanelId, pixels_per_point: f32) -> Option<Rect> {
        let inset = self.shown.iter().find(|inset| inset.panel == panel)?;
        self.textures.contains_key(&panel).then(|| inset.place.in_points(pixels_per_point))
    }

    /// The inset of the panel of `transform`. `None` if it has none.
    fn inset(&mut self, session: &Session, transform: &PanelTransform) -> Option<Inset> {
        let index = transform.panel;
        let placement = placement_of(session, index, transform.pixels_per_point)?;
        let (panel, page) = (&session.panels()[index], session.page_of(index));
        let side = placement.size;
        let request = session.request(index);
        let view = request.view.centred_at(f64::from(placement.times).recip());
        let sizes = PictureSizes { output: side, page: page.size() };
        let middle = side.sides().map(|side| f64::from(side - 1) / 2.0);
        let [far, wide] = side.sides().map(|side| f64::from(side) - 0.5);
        let corners = [[-0.5, -0.5], [far, -0.5], [far, wide], [-0.5, wide]];
        // The box around what is shown begins at the edge of a sample, and is inside the image.
        let shown = corners.map(|corner| view.image_from_output(side, page.size()).at(corner));
        let ends = [0, 1].map(|axis: usize| {
            shown.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], corner| {
                [least.min(corner[axis]), most.max(corner[axis])]
            })
        });
        // Of a turned view the box has corners that the inset does not show: the detail is in a square within all sides of the inset.
        let (sine, cosine) = request.view.angle_deg().to_radians().sin_cos();
        let window = if request.view.angle_deg() % 90.0 == 0.0 {
            ends.map(|[least, most]| most - least)
        } else {
            let [across, down] = placement.samples();
            [f64::from(across.min(down)) / (sine.abs() + cosine.abs()); 2]
        };
        let detail = self.detail(&page, window);
        let centre = [0, 1].map(|axis: usize| {
            let [least, most] = ends[axis];
            let (half, length) = (0.5 * (most - least), f64::from(page.size().sides()[axis]));
            // The first corner has the least or the greatest position.
            let is_least = shown[0][axis] < 0.5 * (least + most);
            let half = if is_least { half } else { -half };
            let ends = if is_least { [0.0, (length - 2.0 * half).floor()] } else { [(-2.0 * half).ceil(), length] };
            let first = (detail[axis] + 0.5 - half).round().max(ends[0]).min(ends[1]);
            first - 0.5 + half
        });
        let view = view_showing(&view, sizes, middle, centre)?;
        let map = view.image_from_output(side, page.size());
        let source = corners.map(|corner| transform.pos(map.at(corner)));
        let place = placement.place(transform, &page, &source)?;
        let request = RenderRequest { size: side, view, ..request };
        Some(Inset { panel: panel.id(), place, request, source, centre, placement })
    }

    /// The middle of the finest detail of `page` in a window of this size, in samples. The last searches of an image are kept: views that
    /// are not linked have windows of different sizes.
    fn detail(&mut self, page: &Page, window: [f64; 2]) -> [f64; 2] {
        let details = self.details.entry(page.id()).or_default();
        if let Some(detail) = details.iter().find(|detail| detail.window == window) {
            return detail.middle;
        }
        if details.len() == Session::MAX_PANELS {
            details.remove(0);
        }
        let middle = finest_detail(page.raster(), window);
        details.push(Detail { window, middle });
        middle
    }

    /// Renders what is new and paints the insets.
    pub(super) fn paint(
        &mut self,
        ui: &Ui,
        session: &Session,
        backend: &mut dyn Backend,
        transforms: &[PanelTransform],
    ) {
        for inset in &self.shown {
            let Some(index) = session.index_of(inset.panel) else { continue };
            let image = session.image_of(index);
            let is_new =
                self.textures.get(&inset.panel).is_none_or(|(made_for, _)| !made_for.is(image, &inset.request));
            if is_new {
                self.textures.remove(&inset.panel);
                if let Ok(pixels) = backend::render(backend, image, &inset.request, PixelFormat::TEXTURE) {
                    let texture = ui.ctx().load_texture("inset", colour_image(&pixels), TextureOptions::NEAREST);
                    self.textures.insert(inset.panel, (PageRequest::new(image, &inset.request), texture));
                    // Its button is in the next frame.
                    ui.request_repaint();
                }
            }
            let transform = transforms.iter().find(|transform| transform.panel == index);
            if let (Some((_, texture)), Some(transform)) = (self.textures.get(&inset.panel), transform) {
                let painter = ui.painter().with_clip_rect(transform.rect().intersect(ui.clip_rect()));
                let rect = inset.place.in_points(transform.pixels_per_point);
                let is_raised = ui.ctx().read_response(button_id(inset.panel));
                let is_raised = is_raised.is_some_and(|response| response.hovered() || response.has_focus());
                let (palette, theme) = (Palette::of_ui(ui), ui.theme());
                let colour = if is_raised { palette.text } else { palette.panel(index).color };
                let around = [SOURCE + 2.0 * AROUND, SOURCE].into_iter().zip([halo(theme, AROUND_SOURCE), colour]);
                painter.extend(around.map(|stroke| Shape::closed_line(inset.source.to_vec(), Stroke::from(stroke))));
                let whole = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
                painter.image(texture.id(), rect, whole, Color32::WHITE);
                painter.rect_stroke(rect, 0.0, Stroke::new(OUTLINE, colour), StrokeKind::Outside);
                if inset.placement.beside.is_none() {
                    // The picture around it may have the colour of the outline.
                    let around = Stroke::new(AROUND, halo(theme, AROUND_INSET));
                    painter.rect_stroke(rect.expand(OUTLINE), 0.0, around, StrokeKind::Outside);
                }
                label(&painter, rect, inset.placement.times);
            }
        }
    }

    /// The button over the inset of the panel at `index`. Returns the position that is clicked, in samples; that of the middle without a
    /// pointer.
    pub(in crate::app) fn button(&self, ui: &Ui, session: &Session, index: usize) -> Option<[f64; 2]> {
        let (panel, pixels_per_point) = (session.panels()[index].id(), ui.pixels_per_point());
        let rect = self.rect_of(panel, pixels_per_point)?;
        let inset = self.shown.iter().find(|inset| inset.panel == panel)?;
        let response = ui.interact(rect, button_id(panel), Sense::click());
        let ([across, down], times) = (inset.placement.samples(), inset.placement.times);
        let what = format!("Detail of panel {}: {across} × {down} samples at {times}×", index + 1);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &what));
        let tip = format!(
            "The finest detail, {across} × {down} samples at {times}×. A click shows the place in whole panels"
        );
        let response = response.on_hover_cursor(CursorIcon::PointingHand).on_hover_text(tip);
        let position = |at: Pos2| {
            let request = &inset.request;
            let map = request.view.image_from_output(request.size, session.page_of(index).size());
            let [x, y]: [f32; 2] = ((at - rect.min) * pixels_per_point).into();
            map.at([x, y].map(|along| f64::from(along) - 0.5))
        };
        response.clicked().then(|| response.interact_pointer_pos().map_or(inset.centre, position))
    }

    /// The view of the panel at `index`, at the scale of its inset, that shows the inset's position at `pos` in the output pixel `pixel`,
    /// which is at `pos` as well. `None` if `pos` is not over the inset.
    pub(in crate::app) fn view_under(
        &self,
        (session, index): (&Session, usize),
        pos: Pos2,
        pixel: [f64; 2],
        pixels_per_point: f32,
    ) -> Option<View> {
        let panel = session.panels()[index].id();
        let inset = self.shown.iter().find(|inset| inset.panel == panel)?;
        if !self.rect_of(panel, pixels_per_point)?.contains(pos) {
            return None;
        }
        let page = session.page_of(index).size();
        let sizes = PictureSizes { output: session.output(), page };
        let map = inset.request.view.image_from_output(inset.request.size, page);
        view_showing(&inset.request.view, sizes, pixel, map.at(inset.place.pixel_from_points(pos, pixels_per_point)))
    }
}

/// Whether several panels are shown, neither compared nor measured.
fn has_several_plain_panels(session: &Session) -> bool {
    session.has_plain_panels() && session.areas().len() > 1
}

/// The placement of the inset of panel `index`. `None` if methods do not look alike there, or if there is no room.
fn placement_of(session: &Session, index: usize, pixels_per_point: f32) -> Option<Placement> {
    let panel = &session.panels()[index];
    let is_plain = panel.warp.is_none() && session.volume_of(index).is_none();
    if !session.looks_alike_in(index) || !is_plain || session.image_of(index).is_missing() {
        return None;
    }
    Placement::of(session, index, pixels_per_point)
}

fn button_id(panel: PanelId) -> egui::Id {
    egui::Id::unique("inset").with(panel)
}

/// Colour of the line around a coloured outline: dark in the dark theme, light in the light one, where the colours of panels are the opposite.
fn halo(theme: Theme, opacity: f32) -> Color32 {
    let opposite = if theme == Theme::Dark { Color32::BLACK } else { Color32::WHITE };
    opposite.gamma_multiply(opacity)
}

/// Paints the magnification in the lower left corner of an inset.
fn label(painter: &Painter, rect: Rect, times: u32) {
    let galley = painter.layout_no_wrap(format!("{times}×"), FontId::proportional(text_size::UNIT), Color32::WHITE);
    let corner = rect.left_bottom() + vec2(LABEL_MARGIN, -LABEL_MARGIN);
    let plate = Align2::LEFT_BOTTOM.anchor_size(corner, galley.size() + 2.0 * LABEL_PADDING);
    let around = Stroke::new(1.0, Color32::WHITE.gamma_multiply(AROUND_LABEL));
    painter.rect(plate, SMALL_RADIUS, Color32::from_black_alpha(180), around, StrokeKind::Outside);
    painter.galley(plate.min + LABEL_PADDING, galley, Color32::WHITE);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::image::{Channels, Depth, Image, Page, Raster, Samples, Size};
    use crate::test_support::size;

    /// A flat image with stripes of two samples around `centre`.
    fn striped(page: Size, [x, y]: [u32; 2]) -> Arc<Image> {
        let mut raster = Raster::zeros(page, Channels::Grey, Depth::EIGHT);
        if let Samples::U8 { values, .. } = raster.samples_mut() {
            for row in y.saturating_sub(8)..(y + 8).min(page.height()) {
                for column in (x.saturating_sub(8)..(x + 8).min(page.width())).step_by(2) {
                    values[(row * page.width() + column) as usize] = 200;
                }
            }
        }
        Arc::new(Image::new("stripes", vec![Page::new(raster)]).expect("an image"))
    }

    /// The insets of four panels of this size side by side, and the panels' transforms.
    fn placed(session: &mut Session, output: Size, ppp: f32, are_shown: bool) -> (Insets, Vec<PanelTransform>) {
        let offsets = if are_shown { Insets::offsets(session, ppp) } else { Vec::new() };
        session.set_fit_offsets(offsets);
        let place =
            |index: usize| PixelRect { left: 7 + (index as u32 * output.width()) as i32, top: 60, size: output };
        let transforms = (0..4).map(|index| PanelTransform::new(session, index, place(index), ppp)).collect::<Vec<_>>();
        let mut insets = Insets::default();
        insets.place(session, &transforms, are_shown);
        (insets, transforms)
    }

    fn fitted(image: Arc<Image>, output: Size, ppp: f32) -> Session {
        let mut session = Session::new(image);
        session.resize_with_margin(output, (8.0 * ppp).round() as u32);
        session.set_pixels_per_point(f64::from(ppp));
        session
    }

    #[test]
    fn inset_shows_the_detail_inside_the_panel_and_beside_its_source() {
        let mut found = [0; 2];
        for (page, detail) in [
            (size(512, 512), [100, 400]),
            (size(512, 512), [480, 490]),
            (size(900, 700), [450, 350]),
            (size(4000, 600), [3900, 20]),
        ] {
            for (ppp, output) in [(1.0, size(508, 366)), (1.5, size(762, 549)), (2.0, size(1016, 732))] {
                for angle in [0.0, 90.0, 30.0] {
                    let mut session = fitted(striped(page, detail), output, ppp);
                    session.turn_to(angle);
                    let (insets, transforms) = placed(&mut session, output, ppp, true);
                    assert_eq!(insets.shown.len(), 4);
                    for (inset, transform) in insets.shown.iter().zip(&transforms) {
                        let place = inset.place.in_points(ppp);
                        assert!(transform.rect().shrink(8.0).contains_rect(place), "{place:?}");
                        let source = Rect::from_points(&inset.source);
                        assert!(!source.intersects(place), "{source:?} {place:?}");
                        let map = inset.request.view.image_from_output(inset.request.size, page);
                        let sides = inset.request.size.sides();
                        // At right angles the first edges are those of samples, and all of it is of the image.
                        let corner = map.at([-0.5, -0.5]);
                        let is_whole = |position: &f64| ((position + 0.5) - (position + 0.5).round()).abs() < 1e-9;
                        assert!(angle == 30.0 || corner.iter().all(is_whole), "{corner:?}");
                        let [far, wide] = sides.map(|side| f64::from(side) - 0.5);
                        let other = map.at([far, wide]);
                        let is_inside = |axis: usize| {
                            let within = -0.5 - 1e-9..=f64::from(page.sides()[axis]) - 0.5 + 1e-9;
                            [corner, other].iter().all(|corner| within.contains(&corner[axis]))
                        };
                        assert!(angle == 30.0 || (is_inside(0) && is_inside(1)), "{corner:?} {other:?}");
                        // One sample is `times` pixels.
                        let times = inset.placement.times;
                        let step = map.at([f64::from(times) - 0.5, -0.5]);
                        let length = (step[0] - corner[0]).hypot(step[1] - corner[1]);
                        assert!((length - 1.0).abs() < 1e-9, "{length}");
                        assert_eq!(times, (4.0 * ppp).round() as u32);
                        found[usize::from(inset.placement.beside.is_some())] += 1;
                        for (place, at) in inset.source.iter().zip([[0, 0], [1, 0], [1, 1], [0, 1]]) {
                            let shown = map.at([0, 1].map(|axis| f64::from(at[axis] * sides[axis]) - 0.5));
                            let at = transform.pos_in_image(*place);
                            assert!((0..2).all(|axis| (shown[axis] - at[axis]).abs() < 0.02), "{shown:?} {at:?}");
                        }
                        // Stripes, which are up to 8 samples from the detail, are in it.
                        let at = map.inverse_at(detail.map(f64::from));
                        let is_seen = |axis: usize| {
                            let rest = 8.0 * f64::from(times);
                            (-rest..f64::from(sides[axis]) + rest).contains(&at[axis])
                        };
                        assert!(is_seen(0) && is_seen(1), "{at:?} of {sides:?}");
                        let middle = map.at(sides.map(|side| f64::from(side - 1) / 2.0));
                        assert!((0..2).all(|axis| (middle[axis] - inset.centre[axis]).abs() < 1e-9), "{middle:?}");
                    }
                }
            }
        }
        assert!(found.iter().all(|count| *count > 20), "over a corner and beside the image: {found:?}");
    }

    #[test]
    fn inset_is_over_the_corner_with_the_least_contrast() {
        let page = size(900, 700);
        for free in 0..4 {
            let mut raster = Raster::zeros(page, Channels::Grey, Depth::EIGHT);
            if let Samples::U8 { values, .. } = raster.samples_mut() {
                for (place, value) in values.iter_mut().enumerate() {
                    let [x, y] = [place as u32 % 900, place as u32 / 900];
                    let is_detail = x.abs_diff(450) < 12 && y.abs_diff(350) < 12;
                    let corner = usize::from(x >= 450) + 2 * usize::from(y >= 350);
                    let is_at_corner = x.min(899 - x) < 120 && y.min(699 - y) < 120;
                    *value = match (is_detail, is_at_corner && corner != free) {
                        (true, _) => 200 * u8::from(x.is_multiple_of(2)),
                        (false, is_block) => 120 * u8::from(is_block),
                    };
                }
            }
            let image = Arc::new(Image::new("corners", vec![Page::new(raster)]).expect("an image"));
            let output = size(508, 366);
            let mut session = fitted(image, output, 1.0);
            let (insets, transforms) = placed(&mut session, output, 1.0, true);
            assert_eq!(insets.shown.len(), 4);
            for (inset, transform) in insets.shown.iter().zip(&transforms) {
                let by = inset.place.in_points(1.0).center() - transform.rect().center();
                assert_eq!([by.x > 0.0, by.y > 0.0], [free % 2 == 1, free >= 2], "{free}: {by:?}");
                assert!(by.x.abs() > 100.0 && by.y.abs() > 60.0, "{by:?}");
            }
        }
    }

    #[test]
    fn insets_are_over_whole_images_on_which_methods_look_alike_alone() {
        let output = size(508, 366);
        let count = |session: &mut Session, are_shown: bool| placed(session, output, 1.0, are_shown).0.shown.len();
        let image = || striped(size(900, 700), [450, 350]);
        let mut session = fitted(image(), output, 1.0);
        assert_eq!((count(&mut session, true), count(&mut session, false)), (4, 0));
        session.pan_in(2, [5.0, 0.0]);
        assert_eq!(count(&mut session, true), 0, "all panels moved");
        session.fit();
        assert_eq!(count(&mut session, true), 4, "back at the whole image");
        session.show_detail();
        assert_eq!(count(&mut session, true), 0);
        // Enlarged samples, an image too narrow for ten samples, and a panel too small.
        assert_eq!(count(&mut fitted(striped(size(64, 48), [30, 20]), output, 1.0), true), 0);
        assert_eq!(count(&mut fitted(striped(size(900, 9), [450, 4]), output, 1.0), true), 0);
        let small = size(260, 180);
        assert_eq!(placed(&mut fitted(image(), small, 1.0), small, 1.0, true).0.shown.len(), 0);
    }
}
