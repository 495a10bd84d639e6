//! What is looked at closely, as a session's file has it:
//!
//! ```toml
//! [inspect]
//! unit = "byte"
//! grid = true
//! pins = [[12.5, 3.0]]
//! line = [[4.0, 6.0], [20.0, 6.0]]
//! region = [0, 0, 31, 15]
//! ```

use toml::{Table, Value};

use super::fields::Fields;
use crate::app::session::inspect::{Inspect, Kept, SWITCHES};
use crate::app::session::unit::{UNITS, Unit};
use crate::arguments::listed;
use crate::image::{Region, Size};
use crate::text::shortened;

/// The table: what is on, and what is there.
pub(in crate::app) fn write(kept: &Kept, unit: Option<Unit>) -> Table {
    let mut table = Table::new();
    let mut put = |key: &str, value: Value| drop(table.insert(key.to_owned(), value));
    if let Some(unit) = unit {
        put("unit", unit.row().name.into());
    }
    SWITCHES.iter().filter(|switch| (switch.get)(kept)).for_each(|switch| put(switch.name, true.into()));
    let places = |places: &[[f64; 2]]| places.iter().map(|place| Value::from(place.to_vec())).collect::<Vec<_>>();
    if !kept.pins.is_empty() {
        put("pins", places(&kept.pins).into());
    }
    if let Some(line) = kept.line {
        put("line", places(&line).into());
    }
    if let Some(Region { left, top, right, bottom }) = kept.region {
        put("region", [left, top, right, bottom].map(i64::from).to_vec().into());
    }
    table
}

/// Reads the table.
///
/// # Errors
/// Where a value is wrong, in one line that names it. An unknown key is logged and left.
pub(in crate::app) fn read(mut fields: Fields) -> Result<(Kept, Option<Unit>), String> {
    let unit = fields.take_text("unit", |name| {
        let names = || listed(UNITS.iter().map(|row| row.name));
        Unit::by_name(name).ok_or_else(|| format!("there is no unit '{}'; there are {}", shortened(name), names()))
    })?;
    let mut kept = Kept::default();
    for switch in &SWITCHES {
        (switch.set)(&mut kept, fields.take(switch.name)?.unwrap_or_default());
    }
    kept.pins = fields.take("pins")?.unwrap_or_default();
    kept.line = fields.take("line")?;
    let is_place = |place: &[f64; 2]| place.iter().all(|number| number.is_finite());
    if kept.pins.len() > Inspect::MOST_PINS {
        let cause = format!("there are at most {}, not {}", Inspect::MOST_PINS, kept.pins.len());
        return Err(fields.wrong("pins", &cause));
    }
    for (key, places) in [("pins", &kept.pins[..]), ("line", kept.line.as_ref().map_or(&[], |line| &line[..]))] {
        if !places.iter().all(is_place) {
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
        kept.region = Some(Region { left, top, right, bottom });
    }
    fields.finish();
    Ok((kept, unit))
}
