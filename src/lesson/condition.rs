//! Whether a session does a task: a table in keys of a session file is compared with the session's.

use std::path::Path;
use std::sync::OnceLock;

use toml::{Table, Value};

use super::model::Task;
use super::scene::{PageSizes, image_of, number_of, scales_of, tables};
use crate::arguments::{listed, parse_sampler};
use crate::filter::Step;
use crate::sampling::{Method, Sampler};
use crate::text::shortened;

/// Keys of a table that is a condition rather than a table of a session.
const CONDITION_KEYS: [&str; 7] = ["near", "within", "from", "to", "any", "not", "has"];
/// What a session has where its file has no key: a file leaves these values out.
const DEFAULTS: &str = r#"
[panel]
content = "interpolation"
filter = []
filter-after = []
filters-off = false
exposure = 0
offset = 0
gamma = 1
window = [0, 1]
colour-map = "grey"
plane = "axial"
time = 0
component = "magnitude"

[inspect]
plot = "kernel"
footprint-step = "position"
rotation = [15, 15]
quality = "panels"
pairs-factor = 2
pairs-measure = "psnr"
texture-error = "staircase"
texture-error-gain = 256
texture-error-steps = 16
texture-error-texels = "document"

[inspect.one-dimension]
preset = "document"
samples = [0, 0.2, 0.4, 0.6, 0.8]
points = [-0.6, -0.1, 0.6, 1.5, 2.1, 2.9, 4.7]
address = "clamp"
border = 0
tab = "values"
curves = "panels"
basis = "stacked"
degree = 3
place = 0.5
"#;

/// The defaults of a session as a table: `inspect`, and `panel`, those of each panel.
pub fn session_defaults() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| DEFAULTS.parse().unwrap_or_default())
}

/// Adds the keys of `defaults` that `found` lacks.
fn complete(found: &mut Table, defaults: &Table) {
    let has_own_samples = found.contains_key("samples");
    for (key, default) in defaults {
        match (found.get_mut(key), default) {
            (Some(Value::Table(found)), Value::Table(defaults)) => complete(found, defaults),
            (Some(_), _) => {}
            // Samples without the name of a preset are those of none.
            (None, _) if key == "preset" && has_own_samples => {}
            (None, _) => drop(found.insert(key.clone(), default.clone())),
        }
    }
}

/// Tolerance of equal numbers.
const EQUAL: f64 = 1e-9;

impl Task {
    /// Whether `session` does the task. It is the table of a session file with all keys that a session has; `sizes` gives
    /// the sizes of its images.
    pub fn is_done(&self, session: &Table, sizes: &mut PageSizes<'_>) -> bool {
        holds_table(&self.done, &facts(session, sizes))
    }
}

/// Checks that the conditions of a task are complete.
///
/// # Errors
/// The condition that is not, with its key.
pub(super) fn check(done: &Table) -> Result<(), String> {
    if done.is_empty() {
        return Err("there is no condition".to_owned());
    }
    done.iter().try_for_each(|(key, value)| check_value(key, value, 0).map_err(|cause| format!("{key}: {cause}")))
}

fn check_value(key: &str, value: &Value, depth: usize) -> Result<(), String> {
    if depth > 16 {
        return Err("is nested too deep".to_owned());
    }
    let is_method = |value: &Value| match value.as_str() {
        Some(name) if key == "method" => name.parse::<Method>().map(drop).map_err(|error| error.to_string()),
        _ => Ok(()),
    };
    match value {
        Value::Table(table) if is_condition(table) => {
            let has = |key: &str| table.contains_key(key);
            let unknown = table.keys().find(|key| !CONDITION_KEYS.contains(&key.as_str()));
            if let Some(unknown) = unknown {
                return Err(format!(
                    "there is no condition '{}'; there are {}",
                    shortened(unknown),
                    listed(CONDITION_KEYS)
                ));
            }
            let forms = [has("near") || has("within"), has("from") || has("to"), has("any"), has("not"), has("has")];
            if forms.iter().filter(|is_there| **is_there).count() != 1 {
                return Err("has two conditions; one stands alone".to_owned());
            }
            if has("near") != has("within") {
                return Err("near stands beside within".to_owned());
            }
            match table.get("any") {
                Some(Value::Array(list)) => list.iter().try_for_each(is_method)?,
                Some(_) => return Err("any: is a list".to_owned()),
                None => {}
            }
            let wrong = ["within", "from", "to"]
                .into_iter()
                .find(|key| table.get(*key).is_some_and(|value| number_of(value).is_none()));
            if let Some(key) = wrong {
                return Err(format!("{key}: is a number"));
            }
            table.get("not").map_or(Ok(()), is_method)
        }
        Value::Table(table) => table
            .iter()
            .try_for_each(|(key, value)| check_value(key, value, depth + 1).map_err(|cause| format!("{key}: {cause}"))),
        Value::Array(list) => list.iter().try_for_each(|value| check_value(key, value, depth + 1)),
        _ => is_method(value),
    }
}

fn is_condition(table: &Table) -> bool {
    table.keys().any(|key| CONDITION_KEYS.contains(&key.as_str()))
}

/// The table of a session file with what follows from it: `panels`, the number of panels, and the parts of each panel's
/// sampler as keys of the panel.
fn facts(session: &Table, sizes: &mut PageSizes<'_>) -> Table {
    let mut facts = session.clone();
    let default = |key: &str| session_defaults().get(key).and_then(Value::as_table).cloned().unwrap_or_default();
    if let Value::Table(inspect) = facts.entry("inspect").or_insert_with(|| Table::new().into()) {
        complete(inspect, &default("inspect"));
    }
    let of_panel = default("panel");
    let images = session.get("images").and_then(Value::as_array).cloned().unwrap_or_default();
    let mut panels = tables(session.get("panel")).unwrap_or_default();
    for panel in &mut panels {
        complete(panel, &of_panel);
        let image = image_of(panel);
        if let Some(source) = images.get(image) {
            panel.insert("source".to_owned(), source.clone());
        }
        let text = panel.get("sampler").and_then(Value::as_str).unwrap_or_default();
        if let Ok(sampler) = parse_sampler(text, Sampler::default()) {
            panel.extend(sampler_facts(&sampler));
        }
        let numbers = |list: &Value| -> Option<[f64; 2]> {
            list.as_array()?.iter().map(number_of).collect::<Option<Vec<_>>>()?.try_into().ok()
        };
        if let (Some(size), Some([x, y])) = (sizes(image), panel.get("translate").and_then(numbers)) {
            let [across, down] = scales_of(panel).ok().flatten().unwrap_or([1.0; 2]);
            let [width, height] = size.sides().map(f64::from);
            let centre = vec![0.5 * (width - across) + x, 0.5 * (height - down) + y];
            panel.insert("centre".to_owned(), centre.into());
        }
    }
    facts.insert("panels".to_owned(), (panels.len() as i64).into());
    facts.insert("panel".to_owned(), panels.into_iter().map(Value::from).collect::<Vec<_>>().into());
    facts
}

fn sampler_facts(sampler: &Sampler) -> impl Iterator<Item = (String, Value)> + use<> {
    let kernel = sampler.method.kernel();
    let [x, y] = sampler.address;
    let address = if x == y { x.to_string() } else { format!("{x}:{y}") };
    let interpolates = kernel.interpolates || sampler.uses_coefficients();
    let facts: [(&str, Value); 10] = [
        ("method", sampler.method.to_string().into()),
        ("address", address.into()),
        ("border", f64::from(sampler.border).into()),
        ("path", sampler.path.to_string().into()),
        ("prefilter", sampler.uses_coefficients().into()),
        ("antialias", sampler.antialias.into()),
        ("blur", sampler.blur.into()),
        ("antiring", sampler.antiringing.into()),
        ("interpolates", interpolates.into()),
        ("samples", (kernel.taps as i64).into()),
    ];
    facts.into_iter().map(|(key, value)| (key.to_owned(), value))
}

fn holds_table(wanted: &Table, found: &Table) -> bool {
    wanted.iter().all(|(key, wanted)| match key.as_str() {
        "any-panel" => {
            let panels = tables(found.get("panel")).unwrap_or_default();
            panels.into_iter().any(|panel| holds("panel", wanted, Some(&panel.into())))
        }
        "focused-panel" => {
            let index = found.get("focused").and_then(Value::as_integer).unwrap_or(1);
            let panels = tables(found.get("panel")).unwrap_or_default();
            let panel = usize::try_from(index).ok().and_then(|index| panels.into_iter().nth(index.saturating_sub(1)));
            panel.is_some_and(|panel| holds("panel", wanted, Some(&panel.into())))
        }
        _ => holds(key, wanted, found.get(key)),
    })
}

fn holds(key: &str, wanted: &Value, found: Option<&Value>) -> bool {
    match wanted {
        Value::Table(table) if is_condition(table) => holds_condition(key, table, found),
        Value::Table(table) => match found {
            Some(Value::Table(found)) => holds_table(table, found),
            Some(_) => false,
            None => holds_table(table, &Table::new()),
        },
        Value::Array(list) => found.and_then(Value::as_array).is_some_and(|found| {
            // The panels of a task are the first ones; other lists have one length.
            (key == "panel" || list.len() == found.len())
                && list.len() <= found.len()
                && list.iter().zip(found).all(|(wanted, found)| holds(key, wanted, Some(found)))
        }),
        _ => equal(key, wanted, found),
    }
}

fn equal(key: &str, wanted: &Value, found: Option<&Value>) -> bool {
    let Some(found) = found else { return wanted.as_bool() == Some(false) };
    match (number_of(wanted), number_of(found)) {
        (Some(a), Some(b)) => (a - b).abs() <= EQUAL * a.abs().max(1.0),
        _ if key == "method" => {
            let method = |value: &Value| value.as_str().and_then(|name| name.parse::<Method>().ok());
            method(wanted).is_some() && method(wanted) == method(found)
        }
        _ if key == "sampler" => {
            let sampler = |value: &Value| parse_sampler(value.as_str()?, Sampler::default()).ok();
            sampler(wanted).is_some() && sampler(wanted) == sampler(found)
        }
        _ if FILTER_KEYS.contains(&key) => step(wanted).is_some() && step(wanted) == step(found),
        _ => wanted == found,
    }
}

/// Keys of a panel's filters.
const FILTER_KEYS: [&str; 2] = ["filter", "filter-after"];

/// The filter of a text, whose parameters may be left out where they have their defaults.
fn step(text: &Value) -> Option<Step> {
    Step::read(text.as_str()?, Path::new("")).ok()
}

fn holds_condition(key: &str, condition: &Table, found: Option<&Value>) -> bool {
    let number = |key: &str| condition.get(key).and_then(number_of);
    if let (Some(near), Some(within)) = (condition.get("near"), number("within")) {
        let is_near = |a: &Value, b: &Value| match (number_of(a), number_of(b)) {
            (Some(a), Some(b)) => (a - b).abs() <= within,
            _ => false,
        };
        return match (near, found) {
            (Value::Array(near), Some(Value::Array(found))) => {
                near.len() == found.len() && near.iter().zip(found).all(|(a, b)| is_near(a, b))
            }
            (near, Some(found)) => is_near(near, found),
            (_, None) => false,
        };
    }
    if let Some(list) = condition.get("any").and_then(Value::as_array) {
        return list.iter().any(|wanted| equal(key, wanted, found));
    }
    if let Some(other) = condition.get("not") {
        return !equal(key, other, found);
    }
    if let Some(start) = condition.get("has").and_then(Value::as_str) {
        let entries = found.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let wanted = condition.get("has").filter(|_| FILTER_KEYS.contains(&key)).and_then(step);
        return entries.iter().any(|entry| {
            let is_on = |text: &str| !text.ends_with(",off");
            let begins = entry.as_str().is_some_and(|text| text.starts_with(start) && is_on(text));
            begins || wanted.as_ref().is_some_and(|wanted| step(entry).as_ref() == Some(wanted))
        });
    }
    let found = found.and_then(number_of);
    found.is_some_and(|found| {
        number("from").is_none_or(|from| found >= from) && number("to").is_none_or(|to| found <= to)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::Size;
    use crate::test_support::size;

    const SESSION: &str = "images = ['a.pgm', 'b.pgm']\nfocused = 2\nlink = 'off'\n\
        panel = [{ image = 1, sampler = 'method=linear', translate = [0, 0], scale = 0.5, filter = ['gaussian=2', 'median=1,off'] }, \
        { image = 2, sampler = 'method=bspline,prefilter,address=wrap:mirror', translate = [4, 0], scale = 1 }]\n\
        [inspect]\ngrid = true\nfootprint = [12.25, 3.5]";

    fn is_done(done: &str) -> bool {
        let table = |text: &str| text.parse::<Table>().unwrap_or_else(|error| panic!("{text}: {error}"));
        let done = table(done);
        check(&done).unwrap_or_else(|cause| panic!("{done}: {cause}"));
        let task = Task { line: 1, text: String::new(), hint: None, done, solution: Table::new(), answer: None };
        task.is_done(&table(SESSION), &mut |_: usize| -> Option<Size> { Some(size(64, 32)) })
    }

    #[test]
    fn condition_holds_for_equal_values_and_those_that_follow_from_a_panel() {
        for done in [
            "link = 'off'",
            "panels = 2",
            "inspect.grid = true",
            "inspect.values = false",
            "panel = [{ method = 'lerp' }]",
            "panel = [{}, { method = 'cubic=1,0', prefilter = true, interpolates = true, samples = 4 }]",
            "panel = [{}, { address = 'wrap:mirror', path = 'auto', source = 'b.pgm' }]",
            "focused-panel = { method = 'bspline' }",
            "any-panel = { method = { not = 'bspline' }, interpolates = true }",
            "panel = [{ scale = { from = 0.1, to = 0.5 } }]",
            "panel = [{ centre = { near = [32, 16], within = 0.3 } }]",
            "panel = [{}, { centre = { near = [35.5, 15.5], within = 0.001 } }]",
            "panel = [{ filter = { has = 'gaussian' } }]",
            "panel = [{ method = { any = ['nearest', 'linear'] } }]",
            "inspect.footprint = { near = [12, 3.4], within = 0.3 }",
            "inspect.footprint = [12.25, 3.5]",
            // Defaults, which a session file leaves out.
            "inspect.one-dimension = { preset = 'document', degree = 3, tab = 'values' }",
            "panel = [{ gamma = 1, exposure = { from = 0, to = 0 }, content = 'interpolation' }, { filter = [] }]",
            // Equal values, written otherwise.
            "panel = [{ sampler = 'method=lerp,address=clamp', filter = ['gaussian=2.0', 'median,off'] }]",
            "panel = [{ filter = { has = 'gaussian=2.0' } }]",
        ] {
            assert!(is_done(done), "{done}");
        }
    }

    #[test]
    fn condition_fails_for_other_values_and_for_missing_keys() {
        for done in [
            "link = 'absolute'",
            "panels = 3",
            "inspect.grid = false",
            "inspect.values = true",
            "panel = [{}, {}, {}]",
            "panel = [{ method = 'bspline' }]",
            "panel = [{}, { method = { not = 'cubic=1,0' } }]",
            "focused-panel = { method = 'linear' }",
            "any-panel = { method = 'linear', image = 2 }",
            "panel = [{ scale = { from = 0.6 } }]",
            "panel = [{ rotate = { from = 0 } }]",
            "panel = [{ centre = { near = [32, 16], within = 0.1 } }]",
            "panel = [{ filter = { has = 'median' } }]",
            "panel = [{ filter = ['gaussian=2'] }]",
            "inspect.footprint = { near = [12, 3.4], within = 0.2 }",
            "inspect.pins = { near = 1, within = 9 }",
            "inspect.one-dimension.degree = 2",
            "panel = [{ gamma = 2 }]",
            "panel = [{ filter = [] }]",
            "panel = [{ sampler = 'method=lerp,address=wrap' }]",
            "panel = [{ filter = { has = 'gaussian=3' } }]",
        ] {
            assert!(!is_done(done), "{done}");
        }
    }

    #[test]
    fn incomplete_condition_is_refused() {
        for done in [
            "",
            "scale = { near = 1 }",
            "scale = { within = 1 }",
            "scale = { near = 1, within = 'much' }",
            "scale = { from = 1, not = 2 }",
            "scale = { from = 'a' }",
            "scale = { to = 1, frm = 0 }",
            "panel = [{ method = { any = 'linear' } }]",
            "panel = [{ method = 'linaer' }]",
            "panel = [{ method = { any = ['linear', 'cubc'] } }]",
        ] {
            let table: Table = done.parse().unwrap_or_else(|error| panic!("{done}: {error}"));
            assert!(check(&table).is_err(), "{done}");
        }
    }
}
