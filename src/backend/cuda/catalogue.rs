//! All kernel entries that some request needs: the list that tests hold against the committed PTX.

use std::collections::HashSet;

use super::abi::arguments::MAX_CUBIC_TAPS;
use super::abi::output::Output;
use super::abi::sample_kind::SampleKind;
use super::kernels::entry::{Entry, TypedEntry};
use super::plan::Fetches;
use super::plan::direct::{Direct, DirectWeights};
use super::plan::slices::{CURVE_TAPS, SliceWeights};
use super::plan::weight_polynomials::{TAPS, WeightForm};
use super::render::filter_kernels::entries_of;
use crate::filter::FILTERS;

/// Every kernel entry, with the name of the filter row that needs it; `None` for entries of interpolation, since no method has
/// one of its own.
pub fn entries() -> Vec<(Option<&'static str>, Entry)> {
    let mut entries: Vec<_> = interpolation_entries().into_iter().map(|entry| (None, entry)).collect();
    for row in &FILTERS {
        entries.extend(entries_of(row.filter).into_iter().map(|entry| (Some(row.name), entry)));
    }
    for colour in [false, true] {
        for kind in SampleKind::ALL {
            entries.push((None, TypedEntry::pass_vertical(kind, colour).entry()));
            entries.push((None, TypedEntry::memory(kind, colour).entry()));
            entries.push((None, TypedEntry::warped(kind, colour).entry()));
            for is_cascade in [false, true] {
                entries.push((None, TypedEntry::prefilter(kind, colour, is_cascade).entry()));
            }
        }
        entries.push((None, TypedEntry::pass_horizontal(colour).entry()));
    }
    let others = [
        TypedEntry::display().entry(),
        TypedEntry::store_plain().entry(),
        TypedEntry::bench_loads().entry(),
        TypedEntry::bench_line().entry(),
        TypedEntry::gaussian_transposed().entry(),
        TypedEntry::grid_prefilter().entry(),
        TypedEntry::grid_table().entry(),
        TypedEntry::grid_wide().entry(),
        TypedEntry::slice_warped().entry(),
        TypedEntry::trap().entry(),
    ];
    entries.extend(others.map(|entry| (None, entry)));
    let cubics = (1..=MAX_CUBIC_TAPS).map(SliceWeights::Cubics);
    let slices = cubics.chain(CURVE_TAPS.map(SliceWeights::Curves)).chain([SliceWeights::Any]);
    entries.extend(slices.map(|weights| (None, TypedEntry::slice(weights).entry())));
    entries.extend(grid_entries().into_iter().map(|entry| (None, entry)));
    entries
}

/// The entries that evaluate weights by the fraction of a position: by taps and form, each once.
fn interpolation_entries() -> Vec<Entry> {
    let mut entries = Vec::new();
    for colour in [false, true] {
        for taps in TAPS {
            for kind in SampleKind::ALL {
                for output in Output::ALL.into_iter().filter(|&output| !(colour && output == Output::Grey8)) {
                    entries.push(TypedEntry::tiled(kind, colour, taps, output).entry());
                    let columns = [false, true].map(|unit| TypedEntry::columns(kind, colour, unit, taps, output));
                    entries.extend(columns.into_iter().flatten().map(TypedEntry::entry));
                    if !colour {
                        entries.extend(direct_entries(kind, taps, output));
                    }
                }
            }
            for form in WeightForm::of_taps(taps) {
                entries.push(TypedEntry::points(form, taps, colour).entry());
                if taps > 1 && !colour {
                    entries.push(TypedEntry::gather(form, taps).entry());
                }
            }
        }
        entries.extend(Fetches::ALL.map(|fetches| TypedEntry::filtered(fetches, colour).entry()));
        entries.push(TypedEntry::filtered_table(colour).entry());
    }
    let mut known = HashSet::new();
    entries.retain(|entry| known.insert(*entry));
    entries
}

/// The entries that sample grids.
fn grid_entries() -> Vec<Entry> {
    let mut entries = Vec::new();
    for complex in [false, true] {
        entries.push(TypedEntry::grid_any(complex).entry());
        for dimensions in 1..=4 {
            entries.extend([2, 4].map(|taps| TypedEntry::grid_values(complex, dimensions, taps).entry()));
            entries.push(TypedEntry::grid_pairs(complex, dimensions).entry());
        }
        for dimensions in 1..=3 {
            entries.extend([2, 4].map(|taps| TypedEntry::grid_points(complex, dimensions, taps).entry()));
            entries.push(TypedEntry::grid_linear(complex, dimensions).entry());
        }
    }
    entries
}

/// The entries of `direct` for this number of taps.
fn direct_entries(kind: SampleKind, taps: usize, output: Output) -> Vec<Entry> {
    let mut entries = Vec::new();
    for form in WeightForm::of_taps(taps) {
        for unit in [false, true] {
            let direct = DirectWeights::of(form).map(|weights| Direct { weights, unit, rows_a_warp: 0 });
            let entry = direct.and_then(|direct| TypedEntry::direct(kind, direct, taps, output));
            entries.extend(entry.map(TypedEntry::entry));
        }
    }
    entries
}
