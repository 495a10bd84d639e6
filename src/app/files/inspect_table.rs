//! The `[inspect]` table of a session file:
//!
//! ```toml
//! [inspect]
//! unit = "byte"
//! grid = true
//! pins = [[12.5, 3.0]]
//! line = [[4.0, 6.0], [20.0, 6.0]]
//! region = [0, 0, 31, 15]
//! footprint = [12.25, 3.5]
//! footprint-step = "weights"
//! ```

use toml::{Table, Value};

use super::fields::{FieldError, Fields, UnknownName};
use super::one_dimension_table;
use crate::app::session::footprint::FootprintState;
use crate::app::session::inspect::{
    DRAWER_TOOLS, DrawerTool, INSPECT_SWITCHES, Inspect, InspectState, PairsState, QUALITY_SETS, QualitySet,
    RepeatedRotation,
};
use crate::app::session::texture_error::TextureErrorState;
use crate::app::session::unit::{UNITS, Unit};
use crate::arguments::listed;
use crate::image::{Region, Size};
use crate::lab::field::{LENSES, Lens};
use crate::lab::footprint::{STEPS, StepKind};
use crate::lab::pairs::{PAIR_MEASURES, PairMeasure};
use crate::lab::texture_error::{ErrorGain, ShownSteps, TEXEL_PAIRS, TEXTURE_VIEWS, TexelPair, TextureView};
use crate::plots::{PLOT_KINDS, PlotKind};

/// Number of channels of an image, at most.
const MOST_CHANNELS: usize = 4;

/// The table of `state` and `unit`. A switch that is off and an empty value have no key.
pub(super) fn write(state: &InspectState, unit: Option<Unit>) -> Table {
    let mut table = Table::new();
    let mut put = |key: &str, value: Value| drop(table.insert(key.to_owned(), value));
    if let Some(unit) = unit {
        put("unit", unit.row().name.into());
    }
    if let Some(tool) = state.drawer {
        put("drawer", tool.row().name.into());
    }
    if let Some(lens) = state.lens {
        put("lens", lens.row().name.into());
    }
    if state.plot != PlotKind::default() {
        put("plot", state.plot.row().name.into());
    }
    let FootprintState { at, step, channel } = state.footprint;
    if let Some(at) = at {
        put("footprint", at.to_vec().into());
    }
    if step != StepKind::default() {
        put("footprint-step", step.row().name.into());
    }
    if let Some(channel) = channel {
        put("footprint-channel", (channel as i64).into());
    }
    if state.rotation != RepeatedRotation::default() {
        put("rotation", vec![i64::from(state.rotation.turns()), i64::from(state.rotation.shown())].into());
    }
    if state.quality != QualitySet::default() {
        put("quality", state.quality.row().name.into());
    }
    let PairsState { factor, measure, is_sorted } = state.pairs;
    if factor != PairsState::default().factor {
        put("pairs-factor", i64::from(factor).into());
    }
    if measure != PairMeasure::default() {
        put("pairs-measure", measure.row().name.into());
    }
    if is_sorted {
        put("pairs-sorted", true.into());
    }
    let TextureErrorState { view, gain, steps, texels } = state.texture_error;
    if view != TextureView::default() {
        put("texture-error", view.row().name.into());
    }
    if gain != ErrorGain::default() {
        put("texture-error-gain", i64::from(gain.get()).into());
    }
    if steps != ShownSteps::default() {
        put("texture-error-steps", i64::from(steps.get()).into());
    }
    if texels != TexelPair::default() {
        put("texture-error-texels", texels.row().name.into());
    }
    INSPECT_SWITCHES.iter().filter(|switch| (switch.get)(state)).for_each(|switch| put(switch.name, true.into()));
    let points = |points: &[[f64; 2]]| points.iter().map(|point| Value::from(point.to_vec())).collect::<Vec<_>>();
    if !state.pins.is_empty() {
        put("pins", points(&state.pins).into());
    }
    if let Some(line) = state.line {
        put("line", points(&line).into());
    }
    if let Some(line) = one_dimension_table::write(&state.one_dimension) {
        put("one-dimension", line.into());
    }
    if let Some(Region { left, top, right, bottom }) = state.region {
        put("region", [left, top, right, bottom].map(i64::from).to_vec().into());
    }
    table
}

/// Reads the table. Logs and ignores unknown keys.
///
/// # Errors
/// If a value is invalid.
pub(super) fn read(mut fields: Fields) -> Result<(InspectState, Option<Unit>), FieldError> {
    let unit = fields.take_text("unit", |name| {
        Unit::by_name(name).ok_or_else(|| UnknownName::new("unit", name, UNITS.iter().map(|row| row.name)))
    })?;
    let mut state = InspectState::default();
    for switch in &INSPECT_SWITCHES {
        (switch.set)(&mut state, fields.take(switch.name)?.unwrap_or_default());
    }
    // Sessions of version 0.1 have a switch for the plots, the only tool.
    let has_plots: bool = fields.take("plots")?.unwrap_or_default();
    let tool = fields.take_text("drawer", |name| {
        DrawerTool::by_name(name).ok_or_else(|| UnknownName::new("tool", name, DRAWER_TOOLS.iter().map(|row| row.name)))
    })?;
    state.drawer = tool.or(has_plots.then_some(DrawerTool::Plots));
    state.lens = fields.take_text("lens", |name| {
        Lens::by_name(name).ok_or_else(|| UnknownName::new("lens", name, LENSES.iter().map(|row| row.name)))
    })?;
    let kind = fields.take_text("plot", |name| {
        PlotKind::by_name(name).ok_or_else(|| UnknownName::new("plot", name, PLOT_KINDS.iter().map(|row| row.name)))
    })?;
    state.plot = kind.unwrap_or_default();
    let line = fields.take_table("one-dimension")?.map(one_dimension_table::read).transpose()?;
    state.one_dimension = line.unwrap_or_default();
    let at: Option<[f64; 2]> = fields.take("footprint")?;
    let step = fields.take_text("footprint-step", |name| {
        StepKind::by_name(name).ok_or_else(|| UnknownName::new("step", name, STEPS.iter().map(|row| row.name)))
    })?;
    let channel: Option<usize> = fields.take("footprint-channel")?;
    if channel.is_some_and(|channel| channel >= MOST_CHANNELS) {
        return Err(fields.wrong("footprint-channel", &"channels are counted from 0 to 3"));
    }
    state.footprint = FootprintState { at, step: step.unwrap_or_default(), channel };
    if let Some([turns, shown]) = fields.take::<[u32; 2]>("rotation")? {
        state.rotation = RepeatedRotation::new(turns, shown);
        if (state.rotation.turns(), state.rotation.shown()) != (turns, shown) {
            let (least, most) = RepeatedRotation::TURNS;
            let cause = format!("a number of turns from {least} to {most}, and the shown one of them");
            return Err(fields.wrong("rotation", &cause));
        }
    }
    let quality = fields.take_text("quality", |name| {
        QualitySet::by_name(name).ok_or_else(|| UnknownName::new("set", name, QUALITY_SETS.iter().map(|row| row.name)))
    })?;
    state.quality = quality.unwrap_or_default();
    state.pairs = pairs(&mut fields)?;
    state.texture_error = read_texture_error(&mut fields)?;
    state.pins = fields.take("pins")?.unwrap_or_default();
    state.line = fields.take("line")?;
    let is_finite = |point: &[f64; 2]| point.iter().all(|number| number.is_finite());
    if state.pins.len() > Inspect::MAX_PINS {
        let cause = format!("there are at most {}, not {}", Inspect::MAX_PINS, state.pins.len());
        return Err(fields.wrong("pins", &cause));
    }
    let line = state.line.as_ref().map_or(&[][..], |line| &line[..]);
    for (key, points) in [("pins", &state.pins[..]), ("line", line), ("footprint", state.footprint.at.as_slice())] {
        if !points.iter().all(is_finite) {
            return Err(fields.wrong(key, &"a place is two finite numbers"));
        }
    }
    if let Some([left, top, right, bottom]) = fields.take::<[u32; 4]>("region")? {
        if left > right || top > bottom {
            return Err(fields.wrong("region", &"left, top, right and bottom stand in this order"));
        }
        if right.max(bottom) >= Size::MAX_SIDE {
            let cause = format!("right and bottom are below {}, the most samples along a side", Size::MAX_SIDE);
            return Err(fields.wrong("region", &cause));
        }
        state.region = Some(Region { left, top, right, bottom });
    }
    fields.finish();
    Ok((state, unit))
}

/// Reads the keys of the tool *Resize pairs*.
fn pairs(fields: &mut Fields) -> Result<PairsState, FieldError> {
    let usual = PairsState::default();
    let factor = fields.take("pairs-factor")?.unwrap_or(usual.factor);
    if !PairsState::FACTORS.contains(&factor) {
        let cause = format!(
            "it is one of {}",
            listed(PairsState::FACTORS.map(|factor| factor.to_string()).iter().map(String::as_str))
        );
        return Err(fields.wrong("pairs-factor", &cause));
    }
    let measure = fields.take_text("pairs-measure", |name| {
        let unknown = || UnknownName::new("measure", name, PAIR_MEASURES.iter().map(|row| row.name));
        PairMeasure::by_name(name).ok_or_else(unknown)
    })?;
    let is_sorted = fields.take("pairs-sorted")?.unwrap_or_default();
    Ok(PairsState { factor, measure: measure.unwrap_or_default(), is_sorted })
}

/// The keys of the tool *Texture unit's error*.
fn read_texture_error(fields: &mut Fields) -> Result<TextureErrorState, FieldError> {
    let view = fields.take_text("texture-error", |name| {
        let names = TEXTURE_VIEWS.iter().map(|row| row.name);
        TextureView::by_name(name).ok_or_else(|| UnknownName::new("view", name, names))
    })?;
    let number: Option<u16> = fields.take("texture-error-gain")?;
    let gain = number.map(ErrorGain::new);
    if gain == Some(None) {
        let (least, most) = ErrorGain::RANGE;
        return Err(fields.wrong("texture-error-gain", &format!("a gain from {least} to {most}")));
    }
    let steps = fields.take::<u16>("texture-error-steps")?.map(ShownSteps::new);
    if steps == Some(None) {
        let choices = ShownSteps::CHOICES.map(|steps| steps.to_string()).join(", ");
        return Err(fields.wrong("texture-error-steps", &format!("one of {choices}")));
    }
    let texels = fields.take_text("texture-error-texels", |name| {
        let names = TEXEL_PAIRS.iter().map(|row| row.name);
        TexelPair::by_name(name).ok_or_else(|| UnknownName::new("pair of texels", name, names))
    })?;
    Ok(TextureErrorState {
        view: view.unwrap_or_default(),
        gain: gain.flatten().unwrap_or_default(),
        steps: steps.flatten().unwrap_or_default(),
        texels: texels.unwrap_or_default(),
    })
}
