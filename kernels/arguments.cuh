// Twin: src/backend/cuda/abi/arguments.rs. The argument structs of the kernels; tests/ptx.rs compares every offset.
//
// Spaces: an output pixel (i, j) of the request; an image position (x, y), in samples, where sample (m, n) lies at x = m,
// y = n; a stored index, which counts the values that a plane holds (samples, or coefficients with their halo).
#pragma once

// Values are those of the enum `Address`.
enum AddressMode : int { CLAMP = 0, BORDER = 1, WRAP = 2, MIRROR = 3 };

// What a kernel writes. Values are those of the enum `Output`.
enum Output : int {
    OUTPUT_GREY8 = 0,   // one byte a pixel, into a surface
    OUTPUT_RGBA8 = 1,   // four bytes a pixel, into a surface
    OUTPUT_VALUES = 2,  // the interpolated values in single precision, as they are, into memory
};

// The map from output pixels to image positions, in double precision: the fields of ImageFromOutput.
struct Map {
    double middle_px[2];
    double origin[2];
    double scale;
    double cosine;
    double sine;
};

// A plane of values in memory, or behind a texture, and what lies beyond it along x and y.
struct Plane {
    const void* values;        // row by row, 1 or 4 channels interleaved; unused behind a texture
    unsigned long long texture;
    int pitch;                 // values of one row to the next, in pixels
    int stored[2];             // values kept along each axis
    int halo[2];               // of them, how many lie before sample 0
    int address[2];            // AddressMode, of stored indices
    float border;              // in the plane's own numbers
    float unit;                // a number times this is a value: 1/maxval
    float texel[2];            // texture coordinates of one value to the next: 1, or 1/stored where they are normalized
    int has_alpha;             // channels are premultiplied by the last one
};

// Where results go.
struct Target {
    unsigned long long surface;
    float* values;             // OUTPUT_VALUES: row by row, as many channels as the plane has
    int size_px[2];
    int output;                // Output; where a kernel does not know it as it is compiled
};

#define MOST_TAPS 8

// Weights of a kernel w(d) by the fraction α of a position, in one of three forms.
//   cubics    `segments` and `lanczos` are 0: one cubic a tap, coefficients from the constant on.
//   Lanczos   `lanczos` is a: the first six numbers of `cubics` are the coefficients of sin(πx/a)/x by x².
//   segments  polynomials of degree seven in t, 0 ≤ t ≤ 1 over each segment of α, in device memory: for each tap its four low
//             coefficients of all segments, then its four high ones, so that lanes in different segments read one line.
struct WeightCurves {
    float4 cubics[MOST_TAPS];
    const float4* terms;
    int segments;
    int lanczos;
    int before;                // taps before ⌊x⌋
};

// A kernel w(d) itself, for any support: stretched kernels, and kernels of any number of taps. w is 0 beyond its ends, which lie
// within ±radius.
//   polynomials  `knot_count` is 0: degree seven in double precision over bins of equal width from end to end, eight
//                coefficients a bin from the constant on; the last bin, one beyond `bins`, is w at the upper end.
//   lines        straight lines between knots: d, w and slope of each, and one number to spare. `first_knots` names for each
//                bin, and for the end of the last one, the last knot at or before its start.
struct KernelCurve {
    double radius;
    double ends[2];            // where w becomes 0
    double bins_a_sample;
    const double2* terms;      // polynomials: four a bin; lines: two a knot
    const int* first_knots;
    int bins;
    int knot_count;
    int closed[2];             // whether an end itself has a weight
    int taps;                  // samples of a position where the kernel is not stretched, from ⌊x⌋ − before on; 1: ⌊x + ½⌋ alone
    int before;
    int is_normalized;         // whether weights of a kernel that is not stretched are divided by their sum
};

struct TiledArguments {
    Map map;
    Plane plane;
    Target target;
    WeightCurves curves;
    long long start[2];        // the first stored index that column and row 0 read, in 1/2³², a little less than it is
    long long step;            // from one column or row to the next, likewise
    int rows_a_warp;
    int rows;                  // of the footprint
    int groups;                // loads a row: four columns each of a grey plane, one of a colour plane
    unsigned groups_inverse;   // ⌈2³²/groups⌉: the upper half of a product with it is a quotient
    int rows_at_once;          // that many rows of a grey footprint are loaded at once
    int row_floats;            // shared floats of one row, of samples and then of values
};

struct PixelArguments {
    Map map;
    Plane plane;
    Target target;
    WeightCurves curves;
    unsigned long long lookup_table;  // texture: g0, h0, h1 of the B-spline by fraction (the table form alone)
};

struct MemoryArguments {
    Map map;
    Plane plane;
    Target target;
    KernelCurve kernel;
    double stretch;            // the kernel is w(d/stretch); 0: w(d), by its taps
};

// One pass of the two along x and y, by tables: what does not fit a block's footprint.
struct PassArguments {
    Plane plane;               // what is read
    Target target;
    const int* starts;         // where each entry's samples start
    const int* indices;        // stored indices
    const float* weights;
    const int* rows;           // along x: the stored row that each row of the result is made from
    int count[2];              // results along x and y
    float* between;            // the values between the passes, count[0] a row
};

// Any filter: result (i, j) is made from the plane's place origin + (i, j) and what lies around it. The plane is read through
// its texture where it has one, else from memory, where its values are in single precision (a Gaussian's first pass reads
// memory alone, of any type).
struct FilterArguments {
    Plane plane;
    Target target;             // its size counts pixels of a row of memory, results or more
    int origin[2];
    int count[2];              // results along x and y
    int channels;              // of a pixel: 1 grey, 2 grey and alpha, 3 colour, 4 colour and alpha
    int radius;                // of the window
    int rows_at_once;          // of the window, that are in shared memory together (bilateral)
    float parameters[2];       // by the kernel
    double two_sigma_squares;  // 2σ² of the weights by distance (bilateral)
    float* between;            // the values between a Gaussian's passes; the blurred values that an unsharp mask compares with
};

#define MOST_RADIUS 256

struct GaussianArguments {
    FilterArguments filter;
    float weights[MOST_RADIUS + 1];  // from the middle outwards
};

// Values are those of the enum `Filter`.
enum PointFilter : int { POINT_GAMMA = 0, POINT_NEGATIVE = 1, POINT_BRIGHTNESS = 2 };

// One filter that maps every pixel by itself.
struct PointStep {
    int filter;                // PointFilter
    int mixes;                 // brightness: whether the luminance counts
    float factor;              // gamma: the exponent; brightness: of the value itself
    float luminance[3];        // brightness: of red, green and blue, added to each channel
};

#define MOST_POINT_STEPS 8

struct PointArguments {
    FilterArguments filter;
    int step_count;
    PointStep steps[MOST_POINT_STEPS];
};

#define MOST_POLES 2

struct PrefilterArguments {
    Plane plane;               // samples
    float* coefficients;
    int pitch;                 // of the coefficients, in pixels
    int stored[2];             // coefficients along each axis, halo included
    int halo[2];
    int pole_count;
    float poles[MOST_POLES];   // −1 < z < 0 each
    float gains[MOST_POLES];   // (1 − z)² of each
    float starts[MOST_POLES];  // 1/(1 − z): the state of a recursion that has run over a constant 1 for ever
    float ends[MOST_POLES];    // 1 − z: the same of the second recursion, from the first one's state
};

// v ↦ (v·gain + bias)^power, of |v| where it is absolute, then a colour.
struct DisplayArguments {
    Target target;
    const float* first;        // premultiplied where there is alpha
    const float* second;       // subtracted; null where nothing is
    const float* colours;      // red, green, blue for each of `colour_steps` values from 0 to 1; null: none
    int channels;              // of the values: 1 or 4
    int has_alpha;
    int is_grey;               // a value with alpha is grey in its first channel
    int colour_steps;
    int out_channels;          // OUTPUT_VALUES: 1 grey, 2 grey and alpha, 3 colour, 4 colour and alpha
    int absolute;
    float gain;
    float bias;
    float power;
};
