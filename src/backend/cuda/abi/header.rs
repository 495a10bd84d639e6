//! The text of kernels/arguments.cuh, for the test that compares it with the committed file and for writing it:
//!
//! ```sh
//! LERPSCOPE_WRITE_HEADER=1 cargo test --lib argument_header
//! python3 kernels/build.py
//! ```

use super::arguments::{
    ConvolutionArguments, DisplayArguments, FilterArguments, GaussianArguments, KernelCurve, Map, MemoryArguments,
    PassArguments, PassTable, PixelArguments, Plane, PointArguments, PointStep, PrefilterArguments, Target,
    TiledArguments, WeightCurves,
};
use super::grid_arguments::{
    GridArguments, GridAxisArguments, GridFetchArguments, GridPrefilterArguments, GridWeights,
};
use super::output::Output;
use super::slice_arguments::{SliceArguments, WarpedSliceArguments};
use super::warp_arguments::{WarpArguments, WarpedArguments};
use crate::filter::{FILTERS, NOISE_KINDS};
use crate::sampling::ADDRESS_MODES;
use crate::warp::WARPS;

const BEGINNING: &str = "\
// Written from src/backend/cuda/abi/arguments.rs by: LERPSCOPE_WRITE_HEADER=1 cargo test --lib argument_header
//
// Spaces: an output pixel (i, j) of the request; an image position (x, y), in samples, where sample (m, n) lies at x = m,
// y = n; a stored index, which counts the values that a plane holds (samples, or coefficients with their halo).
#pragma once
";

fn header() -> String {
    let addresses: Vec<_> = ADDRESS_MODES.iter().map(|row| (row.name, row.address as i32)).collect();
    let outputs = Output::ALL.map(|output| (output.name(), output as i32));
    let filters: Vec<_> =
        FILTERS.iter().filter(|row| row.filter.is_point()).map(|row| (row.name, row.filter as i32)).collect();
    let noises: Vec<_> = NOISE_KINDS.iter().zip(0..).map(|(choice, number)| (choice.name, number)).collect();
    let parts = [
        BEGINNING.to_owned(),
        enum_text("// Address modes.", "AddressMode", "", &addresses),
        enum_text(
            "// What a kernel writes: one byte a pixel to a surface, four bytes a pixel to a surface, or single-precision values \
             to memory.",
            "Output",
            "OUTPUT_",
            &outputs,
        ),
        Map::header_text(),
        Plane::header_text(),
        Target::header_text(),
        WeightCurves::header_text(),
        KernelCurve::header_text(),
        TiledArguments::header_text(),
        PixelArguments::header_text(),
        MemoryArguments::header_text(),
        PassTable::header_text(),
        PassArguments::header_text(),
        FilterArguments::header_text(),
        GaussianArguments::header_text(),
        ConvolutionArguments::header_text(),
        enum_text("// Filters that map every pixel by itself.", "PointFilter", "POINT_", &filters),
        enum_text("// Kinds of noise.", "NoiseKind", "NOISE_", &noises),
        PointStep::header_text(),
        PointArguments::header_text(),
        PrefilterArguments::header_text(),
        DisplayArguments::header_text(),
    ];
    parts.join("\n")
}

const WARP_BEGINNING: &str = "\
// Written from src/backend/cuda/abi/warp_arguments.rs by: LERPSCOPE_WRITE_HEADER=1 cargo test --lib argument_header
#pragma once
#include \"arguments.cuh\"
";

/// The arguments of warps, which only their kernels include.
fn warp_header() -> String {
    let warps: Vec<_> = WARPS.iter().map(|row| (row.name, row.kind as i32)).collect();
    let kinds = enum_text("// Kinds of warps.", "WarpKind", "WARP_", &warps);
    [WARP_BEGINNING.to_owned(), kinds, WarpArguments::header_text(), WarpedArguments::header_text()].join("\n")
}

const GRID_BEGINNING: &str = "\
// Written from src/backend/cuda/abi/grid_arguments.rs by: LERPSCOPE_WRITE_HEADER=1 cargo test --lib argument_header
#pragma once
#include \"arguments.cuh\"
";

/// The arguments of grids, which only their kernels include.
fn grid_header() -> String {
    let weights = GridWeights::NAMED.map(|(name, weights)| (name, weights as i32));
    let parts = [
        GRID_BEGINNING.to_owned(),
        enum_text("// How weights follow from a position.", "GridWeights", "GRID_", &weights),
        GridAxisArguments::header_text(),
        GridArguments::header_text(),
        GridFetchArguments::header_text(),
        GridPrefilterArguments::header_text(),
    ];
    parts.join("\n")
}

const SLICE_BEGINNING: &str = "\
// Written from src/backend/cuda/abi/slice_arguments.rs by: LERPSCOPE_WRITE_HEADER=1 cargo test --lib argument_header
#pragma once
#include \"grid_arguments.cuh\"
#include \"warp_arguments.cuh\"
";

/// The arguments of oblique planes, which only their kernels include.
fn slice_header() -> String {
    [SLICE_BEGINNING.to_owned(), SliceArguments::header_text(), WarpedSliceArguments::header_text()].join("\n")
}

/// An enum of the values that both sides number.
fn enum_text(comment: &str, name: &str, prefix: &str, values: &[(&str, i32)]) -> String {
    let mut text = format!("{comment}\nenum {name} : int {{\n");
    for (value, number) in values {
        text += &format!("    {prefix}{} = {number},\n", value.to_uppercase().replace('-', "_"));
    }
    text + "};\n"
}

#[test]
fn argument_headers_are_the_texts_of_the_rust_structs() {
    let kernels = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels");
    let headers = [
        ("arguments.cuh", header()),
        ("warp_arguments.cuh", warp_header()),
        ("grid_arguments.cuh", grid_header()),
        ("slice_arguments.cuh", slice_header()),
    ];
    for (name, written) in headers {
        let file = kernels.join(name);
        if std::env::var_os("LERPSCOPE_WRITE_HEADER").is_some_and(|value| value == "1") {
            std::fs::write(file, written).expect("the header is written");
        } else {
            let text = std::fs::read_to_string(file).expect("the header");
            let hint = "LERPSCOPE_WRITE_HEADER=1 cargo test --lib argument_header writes the headers anew";
            assert!(text == written, "kernels/{name} differs from src/backend/cuda/abi: {hint}");
        }
    }
}
