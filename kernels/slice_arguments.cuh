// Written from src/backend/cuda/abi/slice_arguments.rs by: LERPSCOPE_WRITE_HEADER=1 cargo test --lib argument_header
#pragma once
#include "grid_arguments.cuh"
#include "warp_arguments.cuh"

// A view of an oblique plane of a volume.
struct SliceArguments {
    // The volume, without points and results.
    GridArguments grid;
    // Weights of kernels that are compiled for them; else those of the volume count.
    WeightCurves curves;
    // From output pixels to positions in the plane.
    Map map;
    Target target;
    // Position of the plane's sample (0, 0) along z, y and x of the volume.
    double origin[3];
    // Step from a sample of the plane to the next along its x.
    double across[3];
    // Step from a sample of the plane to the next along its y.
    double down[3];
};
static_assert(sizeof(SliceArguments) == 864, "SliceArguments has another size in Rust");

// The same through a warp of the plane.
struct WarpedSliceArguments {
    SliceArguments slice;
    WarpArguments warp;
};
static_assert(sizeof(WarpedSliceArguments) == 3056, "WarpedSliceArguments has another size in Rust");
