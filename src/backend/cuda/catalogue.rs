//! All kernel entries that some request needs: the list that tests hold against the committed PTX.

use super::abi::output::Output;
use super::abi::sample_kind::SampleKind;
use super::kernels::entry::{Entry, TypedEntry};
use super::render::filters::entries_of;
use crate::filter::FILTERS;
use crate::sampling::{METHODS, Path};

/// Every kernel entry, with the name of the method or filter row that needs it; `None` for entries that all rows share.
pub fn entries() -> Vec<(Option<&'static str>, Entry)> {
    let mut entries = Vec::new();
    for row in &METHODS {
        let (method, kernel) = (row.method, row.method.kernel());
        for colour in [false, true] {
            for kind in SampleKind::ALL {
                for output in Output::ALL.into_iter().filter(|&output| !(colour && output == Output::Grey8)) {
                    entries.push((Some(row.name), TypedEntry::tiled(kind, colour, kernel.taps, output).entry()));
                    let forms = [false, true].into_iter().filter(|_| !colour);
                    let direct = forms.filter_map(|unit| TypedEntry::direct(kind, unit, &kernel, output));
                    entries.extend(direct.map(|entry| (Some(row.name), entry.entry())));
                }
            }
            entries.push((Some(row.name), TypedEntry::points(method, colour).entry()));
            if kernel.paths.contains(&Path::Filtered) {
                entries.push((Some(row.name), TypedEntry::filtered(method, colour).entry()));
            }
        }
        if kernel.taps > 1 {
            entries.push((Some(row.name), TypedEntry::gather(method).entry()));
        }
    }
    for row in &FILTERS {
        entries.extend(entries_of(row.filter).into_iter().map(|entry| (Some(row.name), entry)));
    }
    for colour in [false, true] {
        for kind in SampleKind::ALL {
            entries.push((None, TypedEntry::pass_across(kind, colour).entry()));
            entries.push((None, TypedEntry::memory(kind, colour).entry()));
            entries.push((None, TypedEntry::prefilter(kind, colour).entry()));
        }
        entries.push((None, TypedEntry::pass_down(colour).entry()));
    }
    let others = [
        TypedEntry::filtered_table().entry(),
        TypedEntry::display().entry(),
        TypedEntry::store_plain().entry(),
        TypedEntry::bench_loads().entry(),
        TypedEntry::bench_line().entry(),
        TypedEntry::trap().entry(),
    ];
    entries.extend(others.map(|entry| (None, entry)));
    entries
}
