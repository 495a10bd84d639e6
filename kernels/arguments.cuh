// Written from src/backend/cuda/abi/arguments.rs by: LERPSCOPE_WRITE_HEADER=1 cargo test --lib argument_header
//
// Spaces: an output pixel (i, j) of the request; an image position (x, y), in samples, where sample (m, n) lies at x = m,
// y = n; a stored index, which counts the values that a plane holds (samples, or coefficients with their halo).
#pragma once

// Address modes.
enum AddressMode : int {
    CLAMP = 0,
    BORDER = 1,
    WRAP = 2,
    MIRROR = 3,
};

// What a kernel writes: one byte a pixel to a surface, four bytes a pixel to a surface, or single-precision values to memory.
enum Output : int {
    OUTPUT_GREY8 = 0,
    OUTPUT_RGBA8 = 1,
    OUTPUT_VALUES = 2,
};

// The map from output pixels to image positions, in double precision: the fields of `ImageFromOutput`.
struct Map {
    double middle_px[2];
    double origin[2];
    // Change of x with one column and one row of the output, then of y.
    double steps[4];
};
static_assert(sizeof(Map) == 64, "Map has another size in Rust");

// A plane of values in memory or behind a texture, with its address modes along x and y.
struct Plane {
    // Rows of pixels, 1 or 4 channels interleaved. Unused behind a texture.
    const void* values;
    unsigned long long texture;
    // Pixels from one row to the next.
    int pitch;
    // Stored columns and rows.
    int stored[2];
    // Stored columns and rows before sample 0.
    int halo[2];
    // AddressMode of stored indices.
    int address[2];
    // The border constant, in units of the plane's samples.
    float border;
    // A sample times this is a value: 1/maxval.
    float inv_maxval;
    // Distance of two texels in texture coordinates: 1, or 1/stored if coordinates are normalized.
    float texcoord_scale[2];
    // Whether the channels are premultiplied by the last one.
    int has_alpha;
};
static_assert(sizeof(Plane) == 64, "Plane has another size in Rust");

// Destination of a launch.
struct Target {
    unsigned long long surface;
    // OUTPUT_VALUES: rows of pixels, as many channels as the plane has.
    float* values;
    int size_px[2];
    // Output, for kernels that are not compiled for one.
    int output;
};
static_assert(sizeof(Target) == 32, "Target has another size in Rust");

// Weights of a kernel w(d) by the fraction α of a position, in one of three forms.
//   cubics    `segments` and `lanczos` are 0: one cubic a tap, coefficients from the constant on.
//   Lanczos   `lanczos` is a: the first six numbers of `cubics` are the coefficients of sin(πx/a)/x by x².
//   segments  polynomials of degree seven in t, 0 ≤ t ≤ 1 over each segment of α, in device memory: for each tap its four
//             low coefficients of all segments, then its four high ones, so that lanes in different segments read one line.
struct WeightCurves {
    float4 cubics[4];
    // Symmetric cubics of four taps, u the distance to the near end of the support: u²·(outer[0] + outer[1]·u).
    float outer[2];
    // The same at distance d from the middle: inner[0] + d²·(inner[1] + inner[2]·d).
    float inner[3];
    int segments;
    const float4* terms;
    int lanczos;
    // Taps before ⌊x⌋.
    int taps_before;
};
static_assert(sizeof(WeightCurves) == 112, "WeightCurves has another size in Rust");

// A kernel w(d) itself, for any support: stretched kernels, and kernels of any number of taps. w is 0 beyond its ends,
// which lie within ±radius.
//   polynomials  `knot_count` is 0: degree seven in double precision over bins of equal width from end to end, eight
//                coefficients a bin from the constant on; the last bin, one beyond `bins`, is w at the upper end.
//   lines        straight lines between knots: d, w and slope of each, and one number to spare. `first_knots` has for each
//                bin, and for the end of the last one, the last knot at or before its start.
struct KernelCurve {
    double radius;
    // The lower and the upper end of the support.
    double ends[2];
    double bins_a_sample;
    // Polynomials: four a bin. Lines: two a knot.
    const double2* terms;
    const int* first_knots;
    int bins;
    int knot_count;
    // Whether w is not 0 at the lower and at the upper end itself.
    int closed[2];
    // Samples of a position if the kernel is not stretched, from ⌊x⌋ − taps_before on; 1: ⌊x + ½⌋ alone.
    int taps;
    int taps_before;
    // Whether the weights of a kernel that is not stretched are divided by their sum.
    int is_normalized;
};
static_assert(sizeof(KernelCurve) == 80, "KernelCurve has another size in Rust");

// `tiled` and `direct`.
struct TiledArguments {
    Map map;
    Plane plane;
    Target target;
    WeightCurves curves;
    // The first stored index that column 0 and row 0 read, in 1/2³², rounded down.
    long long start[2];
    // Distance of the first indices of two columns, and of two rows, in 1/2³², rounded down.
    long long step[2];
    int rows_a_warp;
    // Rows of the footprint.
    int rows;
    // Loads a row: of four columns each of a grey plane, of one column of a colour plane.
    int groups;
    // ⌈2³²/groups⌉: the upper half of a product with it is a quotient.
    unsigned groups_inverse;
    // Rows of a grey footprint that are loaded at once.
    int rows_at_once;
    // Shared floats of a row, of samples and then of values.
    int row_floats;
};
static_assert(sizeof(TiledArguments) == 336, "TiledArguments has another size in Rust");

// Kernels that compute one pixel a thread through the texture unit.
struct PixelArguments {
    Map map;
    Plane plane;
    Target target;
    WeightCurves curves;
    // Texture of g0, h0 and h1 of the B-spline by fraction, for the table form.
    unsigned long long lookup_table;
};
static_assert(sizeof(PixelArguments) == 288, "PixelArguments has another size in Rust");

// Kernels that compute one pixel a thread from memory.
struct MemoryArguments {
    Map map;
    Plane plane;
    Target target;
    KernelCurve kernel;
    // Along x and y the kernel is w(d/stretch). 0: w(d), by its taps.
    double stretch[2];
};
static_assert(sizeof(MemoryArguments) == 256, "MemoryArguments has another size in Rust");

// The axis table of the columns or of the rows of an output.
struct PassTable {
    // Where the entries of each band start: of four neighbouring rows of the output; along x of each 16 bands of columns,
    // whose entries are side by side.
    const int* starts;
    // Along x places of fours among the intermediate values, along y stored indices.
    const int* indices;
    // Along y the weights of a sample for each of the four; along x those of each value of a four, one after the other.
    const float4* weights;
};
static_assert(sizeof(PassTable) == 24, "PassTable has another size in Rust");

// One of the two passes along y and x, by axis tables.
struct PassArguments {
    // Source of the first pass.
    Plane plane;
    Target target;
    PassTable horizontal;
    PassTable vertical;
    // The first of each four stored columns that the first pass filters.
    const int* columns;
    // For each band of rows the first one that is the same: the first pass makes that one alone.
    const int* bands;
    // How many fours a row of intermediate values has.
    int fours;
    // Values between the passes: by channel, a row for each row of the output.
    float* between;
};
static_assert(sizeof(PassArguments) == 176, "PassArguments has another size in Rust");

// Any filter. Result (i, j) follows from the neighbourhood of origin + (i, j) in the plane. The plane is read through its
// texture if it has one, else from memory in single precision (the first pass of a Gaussian reads memory of any type).
struct FilterArguments {
    Plane plane;
    // Its size counts the pixels of a row of memory, which may be more than the results.
    Target target;
    int origin[2];
    // Results along x and y.
    int count[2];
    // Channels of a pixel: 1 grey, 2 grey and alpha, 3 colour, 4 colour and alpha.
    int channels;
    // Radius of the window.
    int radius;
    // Rows of the window that are in shared memory together (bilateral, convolve).
    int rows_at_once;
    // By filter.
    float parameters[3];
    // 2σ² of the weights by distance (bilateral).
    double two_sigma_squares;
    // Values between the passes of a Gaussian; the blurred values of an unsharp mask.
    float* between;
};
static_assert(sizeof(FilterArguments) == 152, "FilterArguments has another size in Rust");

// A Gaussian.
struct GaussianArguments {
    FilterArguments filter;
    // Weights from the middle outwards.
    float weights[257];
};
static_assert(sizeof(GaussianArguments) == 1184, "GaussianArguments has another size in Rust");

// A convolution.
struct ConvolutionArguments {
    FilterArguments filter;
    // Columns and rows of the weights.
    int size[2];
    // Offset of the first weight's sample from the result.
    int first[2];
    // Weights by offset, row by row.
    float weights[625];
};
static_assert(sizeof(ConvolutionArguments) == 2672, "ConvolutionArguments has another size in Rust");

// Filters that map every pixel by itself.
enum PointFilter : int {
    POINT_GAMMA = 0,
    POINT_NEGATIVE = 1,
    POINT_BRIGHTNESS = 2,
    POINT_NOISE = 9,
};

// Kinds of noise.
enum NoiseKind : int {
    NOISE_WHITE = 0,
    NOISE_UNIFORM = 1,
    NOISE_SALT_AND_PEPPER = 2,
};

// A point filter.
struct PointStep {
    // PointFilter.
    int filter;
    // Brightness: whether the luminance counts.
    int mixes;
    // Gamma: the exponent. Brightness: factor of the value itself. Noise: its amplitude.
    float factor;
    // Brightness: factors of red, green and blue, added to each channel.
    float luminance[3];
    // Noise: NoiseKind.
    int noise_kind;
    // Noise: of 2²⁴ values, the number that are replaced.
    unsigned replaced;
    // Noise: the seed.
    unsigned seed;
};
static_assert(sizeof(PointStep) == 36, "PointStep has another size in Rust");

// Consecutive point filters.
struct PointArguments {
    FilterArguments filter;
    // Place of the first value of the plane.
    unsigned first[2];
    int step_count;
    PointStep steps[8];
};
static_assert(sizeof(PointArguments) == 456, "PointArguments has another size in Rust");

// The prefilter.
struct PrefilterArguments {
    // The samples.
    Plane plane;
    float* coefficients;
    // Pixels from one row of coefficients to the next.
    int pitch;
    // Columns and rows of coefficients, halo included.
    int stored[2];
    int halo[2];
    int pole_count;
    // −1 < z < 0 each.
    float poles[2];
    // (1 − z)² of each pole.
    float gains[2];
    // 1/(1 − z): the state of a recursion over a constant 1 of infinite length.
    float starts[2];
    // 1 − z: the same of the second recursion, from the state of the first.
    float ends[2];
};
static_assert(sizeof(PrefilterArguments) == 128, "PrefilterArguments has another size in Rust");

// The display mapping: v ↦ (v·gain + bias)^power, of |v| if it is absolute, then a colour.
struct DisplayArguments {
    Target target;
    // Premultiplied if there is alpha.
    const float* first;
    // Subtracted; null: nothing.
    const float* second;
    // Red, green, blue for each of `colour_steps` values from 0 to 1; null: no colour map.
    const float* colours;
    // Channels of the values: 1 or 4.
    int channels;
    int has_alpha;
    // Whether a value with alpha is grey in its first channel.
    int is_grey;
    int colour_steps;
    // OUTPUT_VALUES: 1 grey, 2 grey and alpha, 3 colour, 4 colour and alpha.
    int out_channels;
    int absolute;
    float gain;
    float bias;
    float power;
};
static_assert(sizeof(DisplayArguments) == 96, "DisplayArguments has another size in Rust");
