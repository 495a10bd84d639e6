//! Formulas: pictures of their outlines at the pixels of the screen, kept by the egui context.

use std::sync::Arc;

use egui::emath::GuiRounding as _;
use egui::{
    Color32, ColorImage, Context, FontId, Galley, Id, Painter, Pos2, Rect, TextureHandle, TextureOptions, Vec2, pos2,
    vec2,
};

use crate::app::widgets::fit::baseline;
use crate::lesson::formula::{Formula, FormulaPixels, FormulaStyle};

/// Size of an em of a formula, as a multiple of the text's font size: the small letters of both are of one height.
const EM: f32 = 1.12;

/// A formula at a size.
#[derive(Clone, Debug)]
pub(super) struct LaidFormula {
    source: String,
    drawn: Drawn,
}

#[derive(Clone, Debug)]
enum Drawn {
    Picture(Arc<FormulaPicture>),
    /// The source: it is not LaTeX.
    Source(Arc<Galley>),
}

/// The pixels of a formula as a texture.
struct FormulaPicture {
    texture: TextureHandle,
    /// Size, in points.
    size: Vec2,
    /// Height above the baseline, in points.
    ascent: f32,
}

impl std::fmt::Debug for FormulaPicture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FormulaPicture").field("size", &self.size).finish_non_exhaustive()
    }
}

impl LaidFormula {
    /// A formula in a line of text of this font size.
    pub(super) fn inline(painter: &Painter, source: &str, size: f32) -> Self {
        Self::new(painter, source, FormulaStyle::Inline, size)
    }

    /// A formula on a line of its own.
    pub(super) fn display(painter: &Painter, source: &str, size: f32) -> Self {
        Self::new(painter, source, FormulaStyle::Display, size)
    }

    fn new(painter: &Painter, source: &str, style: FormulaStyle, size: f32) -> Self {
        let drawn = picture(painter.ctx(), source, style, EM * size).map_or_else(
            || Drawn::Source(painter.layout_no_wrap(source.to_owned(), FontId::monospace(size), Color32::PLACEHOLDER)),
            Drawn::Picture,
        );
        Self { source: source.to_owned(), drawn }
    }

    /// Its LaTeX.
    pub(super) fn plain(&self) -> &str {
        &self.source
    }

    /// Its size, in points.
    pub(super) fn size(&self) -> Vec2 {
        match &self.drawn {
            Drawn::Picture(picture) => picture.size,
            Drawn::Source(galley) => galley.size(),
        }
    }

    /// Its height above the baseline, in points.
    pub(super) fn ascent(&self) -> f32 {
        match &self.drawn {
            Drawn::Picture(picture) => picture.ascent,
            Drawn::Source(galley) => baseline(galley),
        }
    }

    /// Paints it in `colour` with its corner at `corner`.
    pub(super) fn paint(&self, painter: &Painter, corner: Pos2, colour: Color32) {
        let corner = corner.round_to_pixels(painter.pixels_per_point());
        match &self.drawn {
            Drawn::Picture(picture) => {
                let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
                painter.image(picture.texture.id(), Rect::from_min_size(corner, picture.size), whole, colour);
            }
            Drawn::Source(galley) => painter.galley(corner, Arc::clone(galley), colour),
        }
    }
}

/// The picture of a formula with `em` points to an em. `None` if it is not LaTeX.
fn picture(ctx: &Context, source: &str, style: FormulaStyle, em: f32) -> Option<Arc<FormulaPicture>> {
    let ppp = ctx.pixels_per_point();
    let em_px = em * ppp;
    let id = Id::unique(("lesson formula", source, style, em_px.to_bits()));
    if let Some(kept) = ctx.data(|data| data.get_temp::<Option<Arc<FormulaPicture>>>(id)) {
        return kept;
    }
    let made = Formula::new(source, style).ok().map(|formula| {
        let FormulaPixels { size, baseline, coverage } = formula.pixels(em_px);
        let pixels = coverage.into_iter().map(|share| Color32::from_rgba_premultiplied(share, share, share, share));
        let image = ColorImage::new(size, pixels.collect());
        let texture = ctx.load_texture("formula", image, TextureOptions::NEAREST);
        let points = vec2(size[0] as f32, size[1] as f32) / ppp;
        Arc::new(FormulaPicture { texture, size: points, ascent: baseline as f32 / ppp })
    });
    ctx.data_mut(|data| data.insert_temp(id, made.clone()));
    made
}
