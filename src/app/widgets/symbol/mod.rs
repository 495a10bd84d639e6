//! Icons of the interface, and their buttons. The icons are drawn by this crate: lines, arcs and dots on a grid of 24 units, which
//! egui gets as glyphs of its font atlas.

mod drawing;
mod glyph;

use egui::{Atom, Button, Color32, FontId, Pos2, Response, Role, Stroke, Ui, Vec2, WidgetInfo, vec2};

use self::drawing::{Part, circle};
use super::theme::{HIT_SIZE, Palette, text_size};
use crate::rows::rows;

/// Width of the caret of a menu, in points.
pub(in crate::app) const CARET_WIDTH: f32 = 12.0;

/// Description of an icon.
#[derive(Debug)]
pub(in crate::app) struct SymbolRow {
    /// The icon.
    symbol: Symbol,
    /// The character that stands for it in texts, from the Private Use Area.
    letter: char,
    /// Its drawing.
    parts: &'static [Part],
}

rows! {
    /// An icon.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(in crate::app) enum Symbol {
        /// Side bar.
        SideBar => { letter: '\u{e001}', parts: &[
            Part::Line(&[[4.5, 4.5], [19.5, 4.5], [19.5, 19.5], [4.5, 19.5], [4.5, 4.5]]),
            Part::Line(&[[15.0, 4.5], [15.0, 19.5]]),
        ] },
        /// Help.
        Help => { letter: '\u{e002}', parts: &[
            circle(9.0),
            Part::Arc { center: [12.0, 9.75], radius: 2.75, from: -180.0, sweep: 235.0 },
            Part::Line(&[[13.6, 12.0], [12.0, 13.3], [12.0, 13.8]]),
            Part::Dot { center: [12.0, 16.5], radius: 1.2 },
        ] },
        /// Previous.
        Previous => { letter: '\u{e003}', parts: &[Part::Line(&[[14.25, 7.25], [9.5, 12.0], [14.25, 16.75]])] },
        /// Next, a folded section.
        Next => { letter: '\u{e004}', parts: &[Part::Line(&[[9.75, 7.25], [14.5, 12.0], [9.75, 16.75]])] },
        /// What something becomes.
        Becomes => { letter: '\u{e075}', parts: &[
            Part::Line(&[[4.5, 12.0], [19.0, 12.0]]),
            Part::Line(&[[13.5, 6.5], [19.0, 12.0], [13.5, 17.5]]),
        ] },
        /// Less.
        Minus => { letter: '\u{e005}', parts: &[Part::Line(&[[6.0, 12.0], [18.0, 12.0]])] },
        /// More, to add.
        Plus => { letter: '\u{e006}', parts: &[
            Part::Line(&[[6.0, 12.0], [18.0, 12.0]]),
            Part::Line(&[[12.0, 6.0], [12.0, 18.0]]),
        ] },
        /// To remove, to close.
        Close => { letter: '\u{e007}', parts: &[
            Part::Line(&[[6.75, 6.75], [17.25, 17.25]]),
            Part::Line(&[[17.25, 6.75], [6.75, 17.25]]),
        ] },
        /// An open section, a menu.
        Down => { letter: '\u{e008}', parts: &[Part::Line(&[[7.25, 9.75], [12.0, 14.5], [16.75, 9.75]])] },
        /// A folder.
        Folder => { letter: '\u{e070}', parts: &[
            Part::Line(&[[3.5, 18.5], [3.5, 5.5], [9.0, 5.5], [11.5, 8.0], [20.5, 8.0], [20.5, 18.5], [3.5, 18.5]]),
        ] },
        /// A picture: hills in a frame.
        Picture => { letter: '\u{e071}', parts: &[
            Part::Line(&[[3.5, 5.5], [20.5, 5.5], [20.5, 18.5], [3.5, 18.5], [3.5, 5.5]]),
            Part::Line(&[[4.0, 17.0], [9.0, 11.5], [13.0, 15.5], [15.5, 13.0], [20.0, 17.0]]),
            Part::Dot { center: [15.8, 9.2], radius: 1.2 },
        ] },
        /// A file that is no picture.
        Document => { letter: '\u{e072}', parts: &[
            Part::Line(&[[6.0, 3.5], [14.0, 3.5], [18.5, 8.0], [18.5, 20.5], [6.0, 20.5], [6.0, 3.5]]),
            Part::Line(&[[14.0, 3.5], [14.0, 8.0], [18.5, 8.0]]),
        ] },
        /// Up.
        Up => { letter: '\u{e009}', parts: &[Part::Line(&[[7.25, 14.25], [12.0, 9.5], [16.75, 14.25]])] },
        /// The menus of the menu bar.
        Menus => { letter: '\u{e083}', parts: &[
            Part::Line(&[[4.0, 6.5], [20.0, 6.5]]),
            Part::Line(&[[4.0, 12.0], [20.0, 12.0]]),
            Part::Line(&[[4.0, 17.5], [20.0, 17.5]]),
        ] },
        /// A menu of other actions.
        More => { letter: '\u{e00a}', parts: &[
            Part::Dot { center: [6.0, 12.0], radius: 1.8 },
            Part::Dot { center: [12.0, 12.0], radius: 1.8 },
            Part::Dot { center: [18.0, 12.0], radius: 1.8 },
        ] },
        /// Values written into pixels: 1, 2, 3.
        Values => { letter: '\u{e00b}', parts: &[
            Part::Line(&[[3.0, 8.7], [4.5, 7.5], [4.5, 16.5]]),
            Part::Arc { center: [10.5, 9.75], radius: 2.25, from: -180.0, sweep: 220.0 },
            Part::Line(&[[12.2, 11.2], [8.25, 16.5], [12.75, 16.5]]),
            Part::Arc { center: [18.0, 9.6], radius: 2.1, from: -150.0, sweep: 240.0 },
            Part::Arc { center: [18.0, 14.2], radius: 2.4, from: -90.0, sweep: 240.0 },
        ] },
        /// Pixel grid.
        Grid => { letter: '\u{e00c}', parts: &[
            Part::Line(&[[3.0, 3.0], [21.0, 3.0], [21.0, 21.0], [3.0, 21.0], [3.0, 3.0]]),
            Part::Line(&[[9.0, 3.0], [9.0, 21.0]]),
            Part::Line(&[[15.0, 3.0], [15.0, 21.0]]),
            Part::Line(&[[3.0, 9.0], [21.0, 9.0]]),
            Part::Line(&[[3.0, 15.0], [21.0, 15.0]]),
        ] },
        /// Ghosts outside of the picture.
        Ghosts => { letter: '\u{e00d}', parts: &[
            Part::Line(&[[12.0, 1.5], [12.0, 22.5]]),
            Part::Line(&[[7.5, 4.5], [3.0, 4.5], [3.0, 19.5], [7.5, 19.5]]),
            Part::Dot { center: [16.5, 4.5], radius: 1.1 },
            Part::Dot { center: [21.0, 4.5], radius: 1.1 },
            Part::Dot { center: [21.0, 9.5], radius: 1.1 },
            Part::Dot { center: [21.0, 14.5], radius: 1.1 },
            Part::Dot { center: [21.0, 19.5], radius: 1.1 },
            Part::Dot { center: [16.5, 19.5], radius: 1.1 },
        ] },
        /// Clipped values.
        Clipping => { letter: '\u{e00e}', parts: &[
            Part::Line(&[[12.0, 4.0], [21.0, 19.5], [3.0, 19.5], [12.0, 4.0]]),
            Part::Line(&[[12.0, 10.0], [12.0, 13.0]]),
            Part::Dot { center: [12.0, 16.3], radius: 1.15 },
        ] },
        /// Samples that are kept, and one that is not.
        SampleCheck => { letter: '\u{e040}', parts: &[
            Part::Dot { center: [6.0, 6.0], radius: 2.4 },
            Part::Dot { center: [18.0, 6.0], radius: 2.4 },
            Part::Dot { center: [6.0, 18.0], radius: 2.4 },
            Part::Line(&[[15.0, 15.0], [21.0, 21.0]]),
            Part::Line(&[[21.0, 15.0], [15.0, 21.0]]),
        ] },
        /// A curve beyond a line.
        Overshoot => { letter: '\u{e041}', parts: &[
            Part::Line(&[[3.0, 8.5], [21.0, 8.5]]),
            Part::Line(&[[3.0, 19.0], [7.5, 19.0], [10.5, 6.5], [12.5, 4.5], [14.5, 6.5], [16.5, 10.0], [18.5, 8.5], [21.0, 8.5]]),
        ] },
        /// Isolines of a hill.
        Lens => { letter: '\u{e042}', parts: &[
            Part::Arc { center: [12.0, 12.0], radius: 9.0, from: -200.0, sweep: 300.0 },
            Part::Arc { center: [12.8, 11.2], radius: 5.5, from: -230.0, sweep: 310.0 },
            Part::Arc { center: [13.4, 10.6], radius: 2.2, from: 0.0, sweep: 360.0 },
        ] },
        /// Histogram.
        Histogram => { letter: '\u{e00f}', parts: &[
            Part::Bar(&[[6.0, 18.0], [6.0, 14.0]]),
            Part::Bar(&[[12.0, 18.0], [12.0, 6.0]]),
            Part::Bar(&[[18.0, 18.0], [18.0, 11.0]]),
        ] },
        /// Line profile.
        Profile => { letter: '\u{e010}', parts: &[
            Part::Line(&[[3.0, 16.5], [9.0, 10.5], [13.5, 15.0], [21.0, 7.5]]),
        ] },
        /// To swap two things.
        Swap => { letter: '\u{e018}', parts: &[
            Part::Line(&[[4.5, 7.5], [19.5, 7.5]]),
            Part::Line(&[[15.75, 3.75], [19.5, 7.5], [15.75, 11.25]]),
            Part::Line(&[[4.5, 16.5], [19.5, 16.5]]),
            Part::Line(&[[8.25, 12.75], [4.5, 16.5], [8.25, 20.25]]),
        ] },
        /// To search: a magnifier.
        Search => { letter: '\u{e021}', parts: &[
            Part::Arc { center: [10.5, 10.5], radius: 6.0, from: -180.0, sweep: 360.0 },
            Part::Line(&[[15.0, 15.0], [19.5, 19.5]]),
        ] },
        /// Two parts side by side.
        Columns => { letter: '\u{e019}', parts: &[
            Part::Line(&[[4.5, 4.5], [19.5, 4.5], [19.5, 19.5], [4.5, 19.5], [4.5, 4.5]]),
            Part::Line(&[[12.0, 4.5], [12.0, 19.5]]),
        ] },
        /// Two parts one above the other.
        Rows => { letter: '\u{e01a}', parts: &[
            Part::Line(&[[4.5, 4.5], [19.5, 4.5], [19.5, 19.5], [4.5, 19.5], [4.5, 4.5]]),
            Part::Line(&[[4.5, 12.0], [19.5, 12.0]]),
        ] },
        /// Four parts side by side.
        Panels => { letter: '\u{e080}', parts: &[
            Part::Line(&[[4.5, 4.5], [19.5, 4.5], [19.5, 19.5], [4.5, 19.5], [4.5, 4.5]]),
            Part::Line(&[[12.0, 4.5], [12.0, 19.5]]),
            Part::Line(&[[4.5, 12.0], [19.5, 12.0]]),
        ] },
        /// One part over another: a line with a handle.
        Wipe => { letter: '\u{e081}', parts: &[
            Part::Line(&[[9.0, 4.5], [4.5, 4.5], [4.5, 19.5], [9.0, 19.5]]),
            Part::Line(&[[15.0, 4.5], [19.5, 4.5], [19.5, 19.5], [15.0, 19.5]]),
            Part::Line(&[[12.0, 3.0], [12.0, 21.0]]),
            Part::Dot { center: [12.0, 12.0], radius: 2.6 },
        ] },
        /// A difference: plus and minus.
        Difference => { letter: '\u{e082}', parts: &[
            Part::Line(&[[12.0, 4.0], [12.0, 14.0]]),
            Part::Line(&[[7.0, 9.0], [17.0, 9.0]]),
            Part::Line(&[[7.0, 19.0], [17.0, 19.0]]),
        ] },
        /// Errors against the truth: a bull's eye.
        Metrics => { letter: '\u{e030}', parts: &[
            circle(9.0),
            circle(4.5),
            Part::Dot { center: [12.0, 12.0], radius: 1.4 },
        ] },
        /// Done.
        Check => { letter: '\u{e050}', parts: &[Part::Line(&[[5.0, 12.5], [10.0, 17.5], [19.0, 7.0]])] },
        /// To begin again: an arrow round.
        Reset => { letter: '\u{e053}', parts: &[
            Part::Arc { center: [12.0, 12.5], radius: 7.5, from: -60.0, sweep: 290.0 },
            Part::Line(&[[15.5, 2.0], [15.75, 6.0], [11.5, 6.75]]),
        ] },
        /// Where something is from: an i.
        Info => { letter: '\u{e054}', parts: &[
            circle(9.0),
            Part::Line(&[[12.0, 11.0], [12.0, 16.5]]),
            Part::Dot { center: [12.0, 7.75], radius: 1.2 },
        ] },
        /// To play.
        Play => { letter: '\u{e051}', parts: &[
            Part::Line(&[[8.25, 5.25], [18.0, 12.0], [8.25, 18.75], [8.25, 5.25]]),
        ] },
        /// To stop for a while.
        Pause => { letter: '\u{e052}', parts: &[
            Part::Line(&[[8.25, 6.0], [8.25, 18.0]]),
            Part::Line(&[[15.75, 6.0], [15.75, 18.0]]),
        ] },
    }

    /// The icons.
    static SYMBOLS: [SymbolRow { symbol, .. }];
}

/// Makes egui draw the icons.
pub(in crate::app) fn install(ctx: &egui::Context) {
    ctx.add_glyph_rasterizer(glyph::rasterizer());
}

impl Symbol {
    /// Paints the icon around `center`.
    pub(in crate::app) fn paint(self, ui: &Ui, center: Pos2, color: Color32) {
        let font = FontId::proportional(text_size::ICON);
        let galley = ui.painter().layout_no_wrap(self.row().letter.to_string(), font, color);
        // The middle of the drawing, not of the row of text, is at `center`.
        ui.painter().galley(center - galley.mesh_bounds.center().to_vec2(), galley, color);
    }

    /// The caret of a menu behind a text: the icon of an open section without the empty edges of its square.
    pub(in crate::app) fn caret(color: Color32) -> Atom<'static> {
        Atom::paint(vec2(CARET_WIDTH, text_size::ICON), move |ui, args| {
            Self::Down.paint(ui, args.rect.center(), color);
        })
    }

    /// The icon as a part of a button, in `color` or else in the colour of the button's text.
    pub(in crate::app) fn atom(self, color: Option<Color32>) -> Atom<'static> {
        Atom::paint(Vec2::splat(text_size::ICON), move |ui, args| {
            self.paint(ui, args.rect.center(), color.unwrap_or(args.fallback_text_color));
        })
    }
}

/// What an icon's button is called and does.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct SymbolButton<'a> {
    /// The icon.
    pub(in crate::app) symbol: Symbol,
    /// Name for assistive technology.
    pub(in crate::app) name: &'a str,
    /// Tooltip.
    pub(in crate::app) tip: &'a str,
}

impl SymbolButton<'_> {
    /// Width in `ui`, in points.
    pub(in crate::app) fn width(ui: &Ui) -> f32 {
        // The padding of a button contains its outline, which this one lacks.
        let padding = ui.spacing().button_padding.x - ui.visuals().widgets.inactive.bg_stroke.width;
        HIT_SIZE.max(text_size::ICON + 2.0 * padding)
    }

    /// Draws the button. It has no frame unless hovered, and a neutral fill while it `is_chosen`.
    pub(in crate::app) fn show(self, ui: &mut Ui, is_chosen: bool) -> Response {
        let palette = Palette::of_ui(ui);
        let (fill, colour) =
            if is_chosen { (palette.active, Some(palette.text)) } else { (Color32::TRANSPARENT, None) };
        let button =
            Button::new(self.symbol.atom(colour)).fill(fill).stroke(Stroke::NONE).min_size(Vec2::splat(HIT_SIZE));
        let response = ui.add(button).on_hover_text(self.tip);
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_chosen, self.name));
        response
    }
}
