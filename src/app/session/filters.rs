//! Filter chains of the focused panel.

use super::Session;
use crate::filter::{Filter, Filters, Mask, Stage, Step};
use crate::image::Region;

/// A filter step with places or matrices in brackets as a name: `inpaint membrane,2` for `inpaint=[84,108,88,10],membrane,2`,
/// `gaussian 1.5` for `gaussian=1.5`.
pub(in crate::app) fn short_step(step: &str) -> String {
    let (mut text, mut depth) = (String::new(), 0);
    for letter in step.chars() {
        match letter {
            '[' => depth += 1,
            ']' => depth -= 1,
            '=' => text.push(' '),
            ',' if text.ends_with(' ') => {}
            letter if depth == 0 => text.push(letter),
            _ => {}
        }
    }
    text.trim_end().to_owned()
}

impl Session {
    /// Appends a filter with default parameters to a chain of the focused panel and enables its filters.
    pub(in crate::app) fn add_filter(&mut self, stage: Stage, filter: Filter) {
        self.add_step(stage, Step::default_of(filter));
    }

    /// Appends a step to a chain of the focused panel and enables its filters.
    pub(in crate::app) fn add_step(&mut self, stage: Stage, step: Step) {
        let panel = self.focused_panel();
        panel.filters.chain_mut(stage).0.push(step);
        panel.filters_off = false;
    }

    /// Has the samples of `region` inpainted in the panel at `index`, which gets the focus: by the last enabled step that
    /// inpaints, or a new one.
    pub(in crate::app) fn inpaint(&mut self, index: usize, region: Region) {
        self.focus(index);
        let mask = Mask::of_region(region);
        let steps = &mut self.focused_panel().filters.before.0;
        match steps.iter_mut().rev().find(|step| step.enabled && step.mask().is_some()) {
            Some(step) => *step = step.with_mask(mask),
            None => self.add_step(Stage::Before, Step::default_of(Filter::Inpaint).with_mask(mask)),
        }
    }

    /// Disables or enables all filters of the focused panel.
    pub(in crate::app) fn toggle_filters(&mut self) {
        let panel = self.focused_panel();
        panel.filters_off = !panel.filters_off && !panel.filters.is_empty();
    }

    /// Removes all filters of the focused panel.
    pub(in crate::app) fn reset_filters(&mut self) {
        let panel = self.focused_panel();
        (panel.filters, panel.filters_off) = (Filters::default(), false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_of_filters_have_no_brackets() {
        let texts = [
            "gaussian=1.5",
            "median",
            "inpaint=[84,108,88,10],membrane,2,1",
            "convolve=[1,1;1,1],1",
            "convolve=emboss",
        ];
        let expected = ["gaussian 1.5", "median", "inpaint membrane,2,1", "convolve 1", "convolve emboss"];
        assert_eq!(texts.map(short_step), expected);
    }
}
