//! What fits into a header of a given width: the longest name, what stands beside it, and chips.

use egui::Ui;

use super::chips::{Chip, chip_width, more_width};
use super::{BUTTON_PADDING, CARET_GAP};
use crate::app::panels::Headers;
use crate::app::session::PanelMethod;
use crate::app::widgets::fit::{count_that_fit, first_that_fits};
use crate::app::widgets::line_text::{LaidOutText, LineText};
use crate::app::widgets::symbol::{CARET_WIDTH, SymbolButton};
use crate::app::widgets::theme::SPACE;

/// What stands beside a name in a header. A narrower header lacks the panel's menu first, then the caret: with two buttons the
/// caret tells them apart, with one there is nothing else to click.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::app) enum BesideName {
    /// The caret of the menu of methods, and the button of the panel's menu.
    #[default]
    CaretAndMenu,
    /// The caret. The items of the panel's menu are in the menu of methods.
    Caret,
    /// Nothing: the name is the button of one menu with all items.
    Nothing,
}

impl BesideName {
    /// Width in points.
    fn width(self, ui: &Ui) -> f32 {
        let caret = CARET_GAP + CARET_WIDTH;
        match self {
            Self::CaretAndMenu => caret + SymbolButton::width(ui),
            Self::Caret => caret,
            Self::Nothing => 0.0,
        }
    }
}

/// The chips of a header.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeaderChips<'a> {
    /// All of them.
    pub(super) chips: &'a [Chip],
    /// How many of the first tell the panel from the others.
    pub(super) told: usize,
}

impl HeaderChips<'_> {
    /// Width of those that tell the panel from the others, in points.
    pub(super) fn telling_width(&self, ui: &Ui) -> f32 {
        self.chips[..self.told].iter().map(|chip| SPACE + chip_width(ui, chip)).sum()
    }

    /// Width of those that not all panels have, in points.
    pub(super) fn own_width(&self, ui: &Ui) -> f32 {
        self.chips.iter().filter(|chip| !chip.is_of_all).map(|chip| SPACE + chip_width(ui, chip)).sum()
    }

    /// The width of those that tell the panel from the others; of a header that has other chips of its own, at least that of the chip that
    /// counts them.
    pub(super) fn counted_width(&self, ui: &Ui) -> f32 {
        let counted = if self.chips.iter().any(|chip| !chip.is_of_all) { more_width(ui) } else { 0.0 };
        self.telling_width(ui).max(counted)
    }
}

/// Layout of a header of a given width.
pub(super) struct Fit {
    /// The longest name of the method that fits; the shortest one with an ellipsis if none does.
    pub(super) name: LaidOutText,
    /// What is beside it.
    pub(super) beside: BesideName,
    /// The most that this header has room for, where the other headers have it, too.
    pub(super) most: BesideName,
    /// Number of chips that fit.
    pub(super) chips: usize,
    /// How many of the others a chip in their place counts; 0 without that chip.
    pub(super) counted: usize,
}

impl Fit {
    /// The layout for `room` points with at most what `of_all`, all headers, have room for beside their names: they are alike.
    /// The name is shorter so that the panel's own chips have room, or the chip that counts them. Less stands beside it so that the chips
    /// that tell the panel from the others have room.
    pub(super) fn new(
        ui: &Ui,
        method: PanelMethod,
        (headers, of_all): (Headers, BesideName),
        of_header: HeaderChips<'_>,
        room: f32,
    ) -> Self {
        use BesideName::{Caret, CaretAndMenu, Nothing};
        let [_, title, label] = method.names();
        let forms: &[(&String, BesideName)] = match headers {
            Headers::Controls => {
                &[(&title, CaretAndMenu), (&label, CaretAndMenu), (&title, Caret), (&label, Caret), (&label, Nothing)]
            }
            Headers::Names | Headers::Hidden => &[(&title, Nothing), (&label, Nothing)],
        };
        let widths: Vec<f32> = forms.iter().map(|(name, beside)| name_width(ui, name) + beside.width(ui)).collect();
        let HeaderChips { chips, told } = of_header;
        let wide: Vec<f32> = chips.iter().map(|chip| SPACE + chip_width(ui, chip)).collect();
        let (telling, own) = (of_header.telling_width(ui), of_header.own_width(ui));
        // Chips that tell nothing apart take the place of letters of the name, not of buttons.
        let with_buttons = (0..forms.len()).filter(|place| forms[*place].1 == forms[0].1).map(|place| widths[place]);
        let least_with_buttons = with_buttons.fold(f32::INFINITY, f32::min);
        let beside_buttons = [own, of_header.counted_width(ui)].into_iter();
        let of_chips = beside_buttons.map(|chips| (chips, least_with_buttons));
        let of_chips = of_chips.chain([(telling, widths.iter().copied().fold(f32::INFINITY, f32::min))]);
        let of_chips = of_chips.into_iter().find(|(chips, name)| name + chips <= room);
        let room_of_name = room - of_chips.map_or(0.0, |(chips, _)| chips);
        let fitting = first_that_fits(room_of_name, &widths);
        let most = forms[fitting].1;
        let is_of_all = |place: &usize| forms[*place].1 >= of_all && widths[*place] <= room_of_name;
        let chosen = (fitting..forms.len()).find(is_of_all).unwrap_or(forms.len() - 1);
        let (name, beside) = forms[chosen];
        let (for_chips, more) = (room - widths[chosen], more_width(ui));
        let told = if telling <= for_chips { told } else { 0 };
        let has_chips = beside != Nothing || headers != Headers::Controls || told > 0;
        let chips = if has_chips { count_that_fit(for_chips, &wide, more).max(told) } else { 0 };
        let has_room_to_count = has_chips && wide[..chips].iter().sum::<f32>() + more <= for_chips;
        let counted = if has_room_to_count { wide.len() - chips } else { 0 };
        let name = LineText::medium(name).within(ui.painter(), room - beside.width(ui) - 2.0 * BUTTON_PADDING);
        Self { name, beside, most, chips, counted }
    }

    /// Width of the shortest name.
    pub(super) fn name_alone(ui: &Ui, method: PanelMethod) -> f32 {
        let [_, _, label] = method.names();
        name_width(ui, &label)
    }

    /// Width of the longest name, its caret and the button of the panel's menu.
    pub(super) fn whole_width(ui: &Ui, method: PanelMethod) -> f32 {
        let [_, title, _] = method.names();
        name_width(ui, &title) + BesideName::CaretAndMenu.width(ui)
    }

    /// Width of the shortest name, its caret and the button of the panel's menu.
    pub(super) fn least_width(ui: &Ui, method: PanelMethod) -> f32 {
        Self::name_alone(ui, method) + BesideName::CaretAndMenu.width(ui)
    }
}

/// Width of the button of a name without a caret, in points.
pub(super) fn name_width(ui: &Ui, name: &str) -> f32 {
    LineText::medium(name).width(ui.painter()) + 2.0 * BUTTON_PADDING
}
