//! The state of the window at a step, as the table of a session file: patches are merged, formulas of parameters get their
//! values, regions become views.

use std::fmt::Write as _;

use exmex::prelude::*;
use toml::{Table, Value};

use super::model::{Parameter, Step};
use crate::image::Size;
use crate::text::{number_text, shortened};

/// A value that takes its key away.
const NONE: &str = "none";
/// Longest formula, in bytes.
const MAX_FORMULA: usize = 200;
/// Deepest nesting of tables and lists in a patch.
const MAX_DEPTH: usize = 16;

/// The state before the first step: the built-in image, fitted, in one panel.
pub fn first() -> Table {
    let panel =
        Table::from_iter([("sampler".to_owned(), "method=linear".into()), ("framing".to_owned(), "fit".into())]);
    Table::from_iter([
        ("images".to_owned(), vec![Value::from("builtin:basilica")].into()),
        ("panel".to_owned(), vec![Value::from(panel)].into()),
    ])
}

/// `base` with `patch`: tables are merged, `panel` entry by entry, `every-panel` into each, and `"none"` takes a key away.
///
/// # Errors
/// What is wrong with the patch, with its key.
pub fn merged(mut base: Table, patch: &Table) -> Result<Table, String> {
    if depth(patch.values()) > MAX_DEPTH {
        return Err(format!("tables are nested more than {MAX_DEPTH} deep"));
    }
    for (key, value) in patch {
        match (key.as_str(), value) {
            ("panel", Value::Array(entries)) => {
                let panels = tables(base.get("panel")).unwrap_or_default();
                let mut merged = Vec::with_capacity(entries.len());
                for (index, entry) in entries.iter().enumerate() {
                    let Value::Table(entry) = entry else {
                        return Err(format!("panel: entry {} is a {}, not a table", index + 1, entry.type_str()));
                    };
                    let old = panels.get(index).or(panels.last()).cloned().unwrap_or_default();
                    merged.push(Value::Table(merged_panel(old, entry)));
                }
                if merged.is_empty() {
                    return Err("panel: there is at least one".to_owned());
                }
                base.insert(key.clone(), merged.into());
            }
            ("every-panel", Value::Table(_)) => {}
            ("panel" | "every-panel", _) => return Err(format!("{key}: is {}", shape(key))),
            _ => {
                if let Some(absent) = absent(Some(&base), key, value) {
                    return Err(format!("{absent} = \"none\" takes nothing away: the key is not there"));
                }
                merge_key(&mut base, key, value);
            }
        }
    }
    if let Some(Value::Table(every)) = patch.get("every-panel") {
        let panels = tables(base.get("panel")).unwrap_or_default();
        let panels: Vec<Value> = panels.into_iter().map(|panel| merged_panel(panel, every).into()).collect();
        base.insert("panel".to_owned(), panels.into());
    }
    Ok(base)
}

fn shape(key: &str) -> &'static str {
    if key == "panel" { "a list of tables, one for each panel" } else { "a table" }
}

/// The tables of a list.
pub(super) fn tables(list: Option<&Value>) -> Option<Vec<Table>> {
    list?.as_array()?.iter().map(|entry| entry.as_table().cloned()).collect()
}

fn depth<'a>(values: impl Iterator<Item = &'a Value>) -> usize {
    let below = |value: &Value| match value {
        Value::Table(table) => 1 + depth(table.values()),
        Value::Array(list) => 1 + depth(list.iter()),
        _ => 0,
    };
    values.map(below).max().unwrap_or(0)
}

/// The first key that `"none"` would take away but that is not there.
fn absent(base: Option<&Table>, key: &str, value: &Value) -> Option<String> {
    let old = base.and_then(|base| base.get(key));
    match value {
        Value::String(text) if text == NONE && old.is_none() => Some(key.to_owned()),
        Value::Table(table) => {
            let old = old.and_then(Value::as_table);
            let inner = table.iter().find_map(|(key, value)| absent(old, key, value));
            inner.map(|inner| format!("{key}.{inner}"))
        }
        _ => None,
    }
}

fn merge_key(base: &mut Table, key: &str, value: &Value) {
    match (base.get_mut(key), value) {
        (_, Value::String(text)) if text == NONE => drop(base.remove(key)),
        (Some(Value::Table(old)), Value::Table(new)) => {
            // The samples of a preset stand for those of the step before.
            if key == "one-dimension" && new.contains_key("preset") {
                ["samples", "image"].iter().for_each(|key| drop(old.remove(*key)));
            }
            new.iter().for_each(|(key, value)| merge_key(old, key, value));
        }
        (_, Value::Table(new)) => {
            let mut table = Table::new();
            new.iter().for_each(|(key, value)| merge_key(&mut table, key, value));
            base.insert(key.to_owned(), table.into());
        }
        _ => drop(base.insert(key.to_owned(), value.clone())),
    }
}

fn merged_panel(mut panel: Table, patch: &Table) -> Table {
    const VIEW: [&str; 3] = ["translate", "scale", "framing"];
    if patch.contains_key("region") {
        VIEW.iter().for_each(|key| drop(panel.remove(*key)));
    }
    if VIEW.iter().any(|key| patch.contains_key(*key)) {
        panel.remove("region");
        if !patch.contains_key("framing") {
            panel.remove("framing");
        }
    }
    for (key, value) in patch {
        match (key.as_str(), value) {
            ("method", Value::String(method)) => {
                let sampler = panel.get("sampler").and_then(Value::as_str).unwrap_or_default();
                let others = sampler.split(',').filter(|part| !part.is_empty() && !part.starts_with("method="));
                let method = format!("method={}", method.replace(',', ":"));
                let text = [method.as_str()].into_iter().chain(others).collect::<Vec<_>>().join(",");
                panel.insert("sampler".to_owned(), text.into());
            }
            _ => merge_key(&mut panel, key, value),
        }
    }
    panel
}

/// Values of the parameters of a step, for the formulas in its session.
#[derive(Debug)]
pub(super) struct Formulas<'a>(Vec<(&'a str, f64)>);

impl<'a> Formulas<'a> {
    pub(super) fn of(parameters: &'a [Parameter], values: &[f64]) -> Self {
        let values = parameters
            .iter()
            .enumerate()
            .map(|(index, parameter)| (parameter.name.as_str(), values.get(index).copied().unwrap_or(parameter.start)));
        Self(values.collect())
    }

    /// The table with the values of its formulas.
    pub(super) fn resolved(&self, table: &Table) -> Result<Table, String> {
        let one = |(key, value): (&String, &Value)| {
            let value = self.value(value).map_err(|cause| format!("{key}: {cause}"))?;
            Ok((key.clone(), value))
        };
        table.iter().map(one).collect()
    }

    fn value(&self, value: &Value) -> Result<Value, String> {
        match value {
            Value::String(text) => self.text(text),
            Value::Array(list) => Ok(list.iter().map(|value| self.value(value)).collect::<Result<Vec<_>, _>>()?.into()),
            Value::Table(table) => Ok(self.resolved(table)?.into()),
            Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) => Ok(value.clone()),
        }
    }

    /// A text that is one formula becomes a number. Formulas inside a text become the text of their numbers.
    fn text(&self, text: &str) -> Result<Value, String> {
        let (mut out, mut rest) = (String::new(), text);
        while let Some((before, behind)) = rest.split_once('{') {
            let Some((formula, behind)) = behind.split_once('}') else {
                return Err(format!("'{}' has a brace without its other half", shortened(text)));
            };
            let number = evaluated(formula, &self.0)?;
            if before.is_empty() && behind.is_empty() && out.is_empty() {
                let is_whole = number.fract() == 0.0 && number.abs() < 1e15;
                return Ok(if is_whole { Value::Integer(number as i64) } else { Value::Float(number) });
            }
            let _ = write!(out, "{before}{}", number_text(number));
            rest = behind;
        }
        Ok(Value::String(out + rest))
    }
}

/// The value of an arithmetic formula with these names.
pub(super) fn evaluated(formula: &str, names: &[(&str, f64)]) -> Result<f64, String> {
    let wrong = |cause: &str| format!("formula '{}': {cause}", shortened(formula));
    if formula.len() > MAX_FORMULA {
        return Err(wrong(&format!("is longer than {MAX_FORMULA} bytes")));
    }
    if formula.chars().any(|c| !c.is_ascii() || c.is_control()) {
        return Err(wrong("has characters that are not in ASCII"));
    }
    let parsed = exmex::parse::<f64>(formula).map_err(|_| wrong("is no arithmetic"))?;
    let mut values = Vec::new();
    for name in parsed.var_names() {
        let value = names.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
        values.push(value.ok_or_else(|| wrong(&format!("there is no '{}'", shortened(name))))?);
    }
    let number = parsed.eval(&values).map_err(|_| wrong("is no arithmetic"))?;
    if number.is_finite() { Ok(number) } else { Err(wrong("has no finite value")) }
}

impl Step {
    /// The whole session at these values of the parameters, as the table of a session file but for the key `region` of
    /// panels, which [`place_views`] replaces. A missing value is that of the start.
    ///
    /// # Errors
    /// A formula without a finite value.
    pub fn session(&self, values: &[f64]) -> Result<Table, String> {
        Formulas::of(&self.parameters, values).resolved(&self.scene)
    }
}

/// Sizes of the first pages of a session's images, from index 0.
pub type PageSizes<'a> = dyn FnMut(usize) -> Option<Size> + 'a;

/// Replaces `region` of each panel by `translate` and `scale`, and adds them to a fitted panel, for pictures of `output`
/// pixels.
///
/// # Errors
/// A region that is not four numbers, left and top first.
pub fn place_views(session: &mut Table, output: Size, sizes: &mut PageSizes<'_>) -> Result<(), String> {
    let Some(Value::Array(panels)) = session.get_mut("panel") else { return Ok(()) };
    for (number, panel) in (1..).zip(panels) {
        let Value::Table(panel) = panel else { continue };
        let Some(size) = sizes(image_of(panel)) else { continue };
        let region = panel.remove("region");
        let is_fitted = panel.get("framing").and_then(Value::as_str) == Some("fit");
        let region = match region {
            Some(region) => {
                let wrong =
                    || format!("panel {number}: region: is [left, top, right, bottom], in samples, the smaller first");
                let numbers: Vec<f64> = region.as_array().ok_or_else(wrong)?.iter().filter_map(number_of).collect();
                let region: [f64; 4] = numbers.try_into().map_err(|_| wrong())?;
                if !is_region(region) {
                    return Err(wrong());
                }
                region
            }
            None if is_fitted => {
                let [width, height] = size.sides().map(f64::from);
                [0.0, 0.0, width - 1.0, height - 1.0]
            }
            None => continue,
        };
        let [left, top, right, bottom] = region;
        let [width, height] = output.sides().map(f64::from);
        // The ratio of the scales stays.
        let ratio = scales_of(panel)?.map_or(1.0, |[x, y]| y / x);
        let scale = ((right - left + 1.0) / width).max((bottom - top + 1.0) / height / ratio);
        let [across, down] = [scale, scale * ratio];
        // The middle of a picture is half a pixel before output position W/2.
        let [columns, rows] = size.sides().map(f64::from);
        let angle = panel.get("rotate").and_then(number_of).unwrap_or(0.0).to_radians();
        let half = [across * (angle.cos() - angle.sin()), down * (angle.sin() + angle.cos())].map(|part| 0.5 * part);
        let translate = [0.5 * (left + right - columns) + half[0], 0.5 * (top + bottom - rows) + half[1]];
        panel.insert("translate".to_owned(), translate.to_vec().into());
        let scales = if ratio == 1.0 { scale.into() } else { vec![across, down].into() };
        panel.insert("scale".to_owned(), scales);
    }
    Ok(())
}

/// Whether `left`, `top`, `right` and `bottom` are the edges of a region, in samples. Each sample reaches half a sample beyond its
/// position: `right` = `left` − 0.9 is a tenth of a sample.
pub fn is_region([left, top, right, bottom]: [f64; 4]) -> bool {
    let is_span = |from: f64, to: f64| from.is_finite() && to.is_finite() && to - from + 1.0 > 0.0;
    is_span(left, right) && is_span(top, bottom)
}

/// Index of a panel's image.
pub(super) fn image_of(panel: &Table) -> usize {
    let number = panel.get("image").and_then(Value::as_integer).and_then(|number| usize::try_from(number).ok());
    number.unwrap_or(1).saturating_sub(1)
}

/// The scales of a panel along x and y: one number for both, or two. `None` if it has none.
///
/// # Errors
/// If the value is neither.
pub(super) fn scales_of(panel: &Table) -> Result<Option<[f64; 2]>, String> {
    let scales = |value: &Value| match value {
        Value::Array(pair) => pair.iter().map(number_of).collect::<Option<Vec<_>>>()?.try_into().ok(),
        value => number_of(value).map(|scale| [scale; 2]),
    };
    let wrong = || "scale: is a number, or two of x and y".to_owned();
    panel.get("scale").map(|value| scales(value).ok_or_else(wrong)).transpose()
}

/// The number of a value, whole or not.
pub(super) fn number_of(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::size;

    fn table(text: &str) -> Table {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn panel(session: &Table, number: usize) -> Table {
        tables(session.get("panel")).expect("panels")[number - 1].clone()
    }

    fn merge(base: &str, patch: &str) -> Result<Table, String> {
        merged(table(base), &table(patch))
    }

    #[test]
    fn tables_are_merged_and_other_values_replaced() {
        let found =
            merge("link = 'off'\n[inspect]\ngrid = true\npins = [[1, 2]]", "[inspect]\nvalues = true\npins = []");
        assert_eq!(found, Ok(table("link = 'off'\n[inspect]\ngrid = true\nvalues = true\npins = []")));
    }

    #[test]
    fn none_takes_a_key_away_and_is_refused_where_there_is_none() {
        assert_eq!(merge("[inspect]\ngrid = true", "inspect.grid = 'none'"), Ok(table("[inspect]")));
        let cause = merge("[inspect]\ngrid = true", "inspect.grd = 'none'").expect_err("no such key");
        assert!(cause.starts_with("inspect.grd = "), "{cause}");
    }

    #[test]
    fn panels_are_merged_by_their_place_and_a_new_one_is_a_copy_of_the_last() {
        let base = "panel = [{ sampler = 'method=nearest', scale = 0.5 }, { sampler = 'method=linear,address=wrap', scale = 0.25 }]";
        let found = merge(base, "panel = [{}, { method = 'cubic=0,1' }, { scale = 1 }]").expect("merged");
        assert_eq!(panel(&found, 1), table("sampler = 'method=nearest'\nscale = 0.5"));
        assert_eq!(panel(&found, 2), table("sampler = 'method=cubic=0:1,address=wrap'\nscale = 0.25"));
        assert_eq!(panel(&found, 3), table("sampler = 'method=linear,address=wrap'\nscale = 1"));
        let fewer = merge(base, "panel = [{}]\nevery-panel = { rotate = 5 }").expect("merged");
        assert_eq!(fewer, table("panel = [{ sampler = 'method=nearest', scale = 0.5, rotate = 5 }]"));
        assert!(merge(base, "panel = []").is_err() && merge(base, "panel = 3").is_err());
    }

    #[test]
    fn region_takes_the_place_of_a_view_and_a_view_that_of_a_region() {
        let base = "panel = [{ translate = [1, 2], scale = 0.5, framing = 'fit' }]";
        let with_region = merge(base, "panel = [{ region = [0, 0, 3, 3] }]").expect("merged");
        assert_eq!(panel(&with_region, 1), table("region = [0, 0, 3, 3]"));
        let with_view = merged(with_region, &table("panel = [{ scale = 2 }]")).expect("merged");
        assert_eq!(panel(&with_view, 1), table("scale = 2"));
    }

    /// The pixels at both ends of the tighter axis show the edges of the samples at both ends of the region.
    #[test]
    fn region_just_fits_into_the_picture() {
        let mut session = table("panel = [{ region = [10, 20, 13, 21] }]");
        let (output, image) = (size(80, 80), size(64, 48));
        place_views(&mut session, output, &mut |_| Some(image)).expect("placed");
        let placed = panel(&session, 1);
        let translate: Vec<f64> = placed["translate"].as_array().expect("two").iter().filter_map(number_of).collect();
        let view = crate::view::View::new([translate[0], translate[1]], number_of(&placed["scale"]).expect("a scale"));
        let map = view.expect("a view").image_from_output(output, image);
        let (first, last) = (map.at([-0.5, -0.5]), map.at([79.5, 79.5]));
        let is_near = |found: f64, wanted: f64| (found - wanted).abs() < 1e-12;
        assert!(is_near(first[0], 9.5) && is_near(last[0], 13.5), "{first:?} {last:?}");
        assert!(is_near(0.5 * (first[1] + last[1]), 20.5), "{first:?} {last:?}");
        // A sample reaches half a sample beyond its position: this is a tenth of one.
        let mut session = table("panel = [{ region = [7.95, 4.5, 7.05, 3.51] }]");
        place_views(&mut session, output, &mut |_| Some(image)).expect("placed");
        assert!(is_near(number_of(&panel(&session, 1)["scale"]).expect("a scale"), 0.1 / 80.0), "{session:?}");
        for wrong in ["[3, 0, 1, 1]", "[1, 0, 0, 1]", "[0, 1]", "'all'", "[0, 0, nan, 1]"] {
            let mut session = table(&format!("panel = [{{ region = {wrong} }}]"));
            assert!(place_views(&mut session, output, &mut |_| Some(image)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn region_of_a_turned_view_has_its_middle_in_the_middle_of_the_picture() {
        let mut session = table("panel = [{ region = [10, 20, 13, 21], rotate = 30 }]");
        let (output, image) = (size(80, 60), size(64, 48));
        place_views(&mut session, output, &mut |_| Some(image)).expect("placed");
        let placed = panel(&session, 1);
        let translate: Vec<f64> = placed["translate"].as_array().expect("two").iter().filter_map(number_of).collect();
        let view = crate::view::View::new([translate[0], translate[1]], number_of(&placed["scale"]).expect("a scale"));
        let view = view.and_then(|view| view.rotated(30.0)).expect("a view");
        let [x, y] = view.image_from_output(output, image).at([39.5, 29.5]);
        assert!((x - 11.5).abs() < 1e-12 && (y - 20.5).abs() < 1e-12, "{x}, {y}");
    }

    #[test]
    fn formula_alone_becomes_a_number_and_one_in_a_text_its_digits() {
        let parameters = [Parameter {
            name: "a".to_owned(),
            label: "α".to_owned(),
            range: [0.0, 1.0],
            start: 0.25,
            step: 0.0,
            seconds: None,
        }];
        let formulas = Formulas::of(&parameters, &[0.5]);
        let resolve = |text: &str| formulas.resolved(&table(text));
        assert_eq!(
            resolve("x = ['{12 + a}', 3]\ny = 'cubic={a}:{2*a}'"),
            Ok(table("x = [12.5, 3]\ny = 'cubic=0.5:1'"))
        );
        assert_eq!(Formulas::of(&parameters, &[]).resolved(&table("x = '{a}'")), Ok(table("x = 0.25")), "the start");
        for wrong in ["{b}", "{1/(a-0.5)}", "{a", "{}", "{a +}", "{α}"] {
            assert!(resolve(&format!("x = '{wrong}'")).is_err(), "{wrong}");
        }
    }
}
