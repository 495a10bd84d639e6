// Written from src/backend/cuda/abi/grid_arguments.rs by: LERPSCOPE_WRITE_HEADER=1 cargo test --lib argument_header
#pragma once
#include "arguments.cuh"

// How weights follow from a position.
enum GridWeights : int {
    GRID_CUBICS = 0,
    GRID_SERIES = 1,
    GRID_CURVE = 2,
};

// One axis of a grid.
struct GridAxisArguments {
    // Coordinate of sample 0, and distance from a sample to the next.
    double origin;
    double step;
    // Stored values from one along the axis to the next.
    long long stride;
    // Number of samples.
    int len;
    // Values stored beyond each edge.
    int halo;
    // Number of stored values.
    int stored;
    // AddressMode.
    int address;
    // Whether a coordinate is (x − origin)/step samples; else it counts samples itself.
    int is_scaled;
    // The least and the largest ⌊x + shift⌋ whose taps are all stored.
    int inside[2];
};
static_assert(sizeof(GridAxisArguments) == 56, "GridAxisArguments has another size in Rust");

// Values of a grid at points.
struct GridArguments {
    GridAxisArguments axes[6];
    // Stored values: samples or coefficients, and what is kept beyond the edges. One or two numbers each.
    const void* values;
    // Coordinates, those of a point side by side.
    const void* points;
    // A value for each point.
    void* results;
    // Three factors for each distance beyond the outermost stored value, from 1 on: those of the stored values, the
    // outermost first, whose sum stands for the value there. The last row holds for all distances beyond.
    const float* tail;
    // GRID_SERIES: `terms` rows of a number for each tap.
    const double* series;
    long long count;
    // Added to a position before it is rounded down.
    double shift;
    // GRID_CURVE.
    KernelCurve curve;
    // GRID_CUBICS: row d has the coefficients of the fraction's power d.
    float rows[4][4];
    int tail_rows;
    // Factors of a row of the tail that are in use.
    int tail_terms;
    int terms;
    int is_normalized;
    // GridWeights.
    int weights;
    int taps;
    // Taps before ⌊x + shift⌋.
    int before;
    int dimensions;
    // Whether coordinates are in double precision.
    int is_double;
};
static_assert(sizeof(GridArguments) == 576, "GridArguments has another size in Rust");

// The same through the texture unit. The texture has the stored values, its x along the last axis.
struct GridFetchArguments {
    GridArguments grid;
    unsigned long long texture;
    // Of g0, h0 and h1 of the cubic B-spline by fraction, for the table form.
    unsigned long long lookup_table;
};
static_assert(sizeof(GridFetchArguments) == 592, "GridFetchArguments has another size in Rust");

// The prefilter along one axis, out of place.
struct GridPrefilterArguments {
    const float* samples;
    float* coefficients;
    // Lines before the axis, and numbers behind it.
    long long outer;
    long long inner;
    // Number of samples of a line.
    int len;
    // Number of results before the first sample.
    int halo;
    // Number of results that are kept before those that repeat or are unused, and of all of them.
    int core;
    int stored;
    // AddressMode.
    int address;
    // Numbers of a value.
    int components;
    double border[2];
    // 0: samples are copied.
    int pole_count;
    // Samples beyond a segment that its recursions begin with.
    int warm_up;
    // The filter is the sum of amplitude·pole^|k|.
    double poles[2];
    double amplitudes[2];
};
static_assert(sizeof(GridPrefilterArguments) == 112, "GridPrefilterArguments has another size in Rust");
