// Written from src/backend/cuda/abi/warp_arguments.rs by: LERPSCOPE_WRITE_HEADER=1 cargo test --lib argument_header
#pragma once
#include "arguments.cuh"

// Kinds of warps.
enum WarpKind : int {
    WARP_NONE = 0,
    WARP_LENS = 1,
    WARP_SWIRL = 2,
    WARP_PERSPECTIVE = 3,
    WARP_GRID = 4,
};

// A warp: the fields of `WarpNumbers`.
struct WarpArguments {
    // Columns and rows of the image.
    double sides[2];
    // Middle of the picture.
    double middle[2];
    // Lens: strength and 1/ρ². Swirl: angle in radians and 1/ρ². Perspective: the homography, row by row.
    double numbers[9];
    // Least divisor of a perspective.
    double least_divisor;
    // Largest distance of a position from the middle.
    double reach;
    // WarpKind.
    int kind;
    // Columns and rows of handles.
    int handles[2];
    // Their displacements in parts of the picture, dx and dy in turn, row by row.
    float shifts[512];
};
static_assert(sizeof(WarpArguments) == 2184, "WarpArguments has another size in Rust");

// A view through a warp, one pixel a thread from memory.
struct WarpedArguments {
    // Its stretch is unused.
    MemoryArguments memory;
    WarpArguments warp;
    // Antialiasing: the kernel is w(d/(s·blur)) where the local scale s, at most `largest_scale`, is above 1.
    double blur;
    double largest_scale;
    int antialias;
};
static_assert(sizeof(WarpedArguments) == 2464, "WarpedArguments has another size in Rust");
