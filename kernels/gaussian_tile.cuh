// Twin: src/filter/gaussian.rs. A Gaussian blur of integers that reaches no further than REACH, in one launch: each number is
// read once and nothing lies in memory between the passes.
//
// A block takes its numbers to shared memory as they are. A thread weighs down a run of rows of its columns, whose sums stay
// in registers; a block's columns are more than its results' by the reach on both sides. The values go to shared memory.
// Then a thread weighs across a run of columns. Every weight is known by its place as this is compiled, and comes with its
// instruction from the launch's arguments; a narrower blur's outer ones are 0, which integers bear. No number lies beyond a
// border here: that is a value which need not be an integer.
#pragma once
#include "filters.cuh"
#include "samples.cuh"

#define THREADS 128
// A warp's lanes are four runs of eight rows across: as surfaces keep their bytes.
#define LANES_A_ROW 4

// How a block works on grey, and on colour.
template <typename Value, typename Sample>
struct Form;
template <typename Sample>
struct Form<float, Sample> {
    using Pixel = Sample;
    using Columns = float2;  // the values of a thread's columns
    static constexpr int COLUMNS = 2 * THREADS, ROWS = 16, RUN = 16;
    static constexpr int SAMPLES_A_PIECE = 4;
    // Pieces of a row of values: four runs of eight rows then lie in different banks.
    static constexpr int ROW_PIECES = 74;
};
template <typename Sample>
struct Form<float4, Sample> {
    using Pixel = typename Four<Sample>::Type;
    using Columns = float4;
    static constexpr int COLUMNS = THREADS, ROWS = 8, RUN = 8;
    static constexpr int SAMPLES_A_PIECE = 1;
    static constexpr int ROW_PIECES = 148;
};

// A row of values lies in shared memory in pieces of sixteen bytes, one left free after every eight.
__device__ inline int piece_at(int piece) { return piece + piece / 8; }

// What is loaded at once: as much as blocks' first columns are aligned to.
template <size_t BYTES>
struct Load {
    using Type = uint4;
};
template <>
struct Load<1> {
    using Type = uint2;
};

// A block's numbers, row by row from stored column `left` and row `top` on.
template <int COLUMNS, int ROWS, typename Pixel>
__device__ inline void load_numbers(const Plane& plane, int left, int top, Pixel* numbers) {
    using Loaded = typename Load<sizeof(Pixel)>::Type;
    constexpr int PIXELS = sizeof(Loaded) / sizeof(Pixel), LOADS = COLUMNS / PIXELS;
    static_assert(ROWS * LOADS % THREADS == 0, "every thread loads as often");
    const Pixel* stored = static_cast<const Pixel*>(plane.values);
    if (left % PIXELS == 0 && is_inside(plane, left, top, COLUMNS, ROWS)) {
        Loaded loaded[ROWS * LOADS / THREADS];
        auto place = [](int k) { return k * THREADS + int(threadIdx.x); };
#pragma unroll
        for (int k = 0; k < ROWS * LOADS / THREADS; ++k) {
            const Pixel* row = stored + size_t(top + place(k) / LOADS) * plane.pitch + left;
            loaded[k] = __ldg(reinterpret_cast<const Loaded*>(row) + place(k) % LOADS);
        }
#pragma unroll
        for (int k = 0; k < ROWS * LOADS / THREADS; ++k) reinterpret_cast<Loaded*>(numbers)[place(k)] = loaded[k];
    } else {
        __shared__ int rows[ROWS];
        for (int row = threadIdx.x; row < ROWS; row += THREADS) {
            rows[row] = resolve_at_edge(plane.address[1], top + row, plane.stored[1]);
        }
        __syncthreads();
#pragma unroll 1
        for (int column = threadIdx.x; column < COLUMNS; column += THREADS) {
            const Pixel* from = stored + resolve_at_edge(plane.address[0], left + column, plane.stored[0]);
            // Half a column is under way before any of it is stored: all wait for blocks at the lower edge, which come last.
            constexpr int AT_ONCE = ROWS / 2;
#pragma unroll 1
            for (int row = 0; row < ROWS; row += AT_ONCE) {
                Pixel pixels[AT_ONCE];
#pragma unroll
                for (int k = 0; k < AT_ONCE; ++k) pixels[k] = __ldg(from + size_t(rows[row + k]) * plane.pitch);
#pragma unroll
                for (int k = 0; k < AT_ONCE; ++k) numbers[(row + k) * COLUMNS + column] = pixels[k];
            }
        }
    }
}

// A thread's columns of a row of numbers.
__device__ inline float2 columns_of(const unsigned char* row) {
    const uchar2 two = reinterpret_cast<const uchar2*>(row)[threadIdx.x];
    return {float(two.x), float(two.y)};
}
__device__ inline float2 columns_of(const unsigned short* row) {
    const ushort2 two = reinterpret_cast<const ushort2*>(row)[threadIdx.x];
    return {float(two.x), float(two.y)};
}
template <typename Pixel>
__device__ inline float4 columns_of(const Pixel* row) {
    const Pixel pixel = row[threadIdx.x];
    return make_float4(pixel.x, pixel.y, pixel.z, pixel.w);
}

__device__ inline void add_weighted(float2& sum, float weight, float2 value) {
    add_weighted(sum.x, weight, value.x);
    add_weighted(sum.y, weight, value.y);
}

// The samples of a piece.
__device__ inline void samples_of(float4 piece, float (&samples)[4]) {
    samples[0] = piece.x;
    samples[1] = piece.y;
    samples[2] = piece.z;
    samples[3] = piece.w;
}
__device__ inline void samples_of(float4 piece, float4 (&samples)[1]) { samples[0] = piece; }

// Adds a sample, `at` after the first one that the first result of a run reads, to all results that it counts for.
template <int REACH, int RUN, typename Value>
__device__ inline void add_to_run(const GaussianArguments& args, Value (&sums)[RUN], int at, Value sample) {
#pragma unroll
    for (int result = 0; result < RUN; ++result) {
        const int distance = at - result - REACH;
        if (distance >= -REACH && distance <= REACH) {
            add_weighted(sums[result], args.weights[distance < 0 ? -distance : distance], sample);
        }
    }
}

// Writes a run of values from result (i, j) on, as many as there are results.
template <int RUN>
__device__ inline void write_run(const FilterArguments& args, int i, int j, const float (&values)[RUN]) {
    const Target& target = args.target;
    const bool whole = i + RUN <= args.count[0];
    if (whole && target.output == OUTPUT_GREY8) {
        unsigned words[RUN / 4];
#pragma unroll
        for (int k = 0; k < RUN; k += 4) {
            words[k / 4] =
                rgba(byte_of(values[k]), byte_of(values[k + 1]), byte_of(values[k + 2]), byte_of(values[k + 3]));
        }
        write_surface(target.surface, i, j, make_uint4(words[0], words[1], words[2], words[3]));
    } else if (whole && target.output == OUTPUT_RGBA8) {
#pragma unroll
        for (int k = 0; k < RUN; k += 4) {
            write_surface(target.surface, 4 * (i + k), j,
                          make_uint4(opaque_grey(byte_of(values[k])), opaque_grey(byte_of(values[k + 1])),
                                     opaque_grey(byte_of(values[k + 2])), opaque_grey(byte_of(values[k + 3]))));
        }
    } else if (whole && target.output == OUTPUT_VALUES && target.size_px[0] % 4 == 0) {
        float4* to = reinterpret_cast<float4*>(target.values + size_t(j) * target.size_px[0] + i);
#pragma unroll
        for (int k = 0; k < RUN; k += 4) to[k / 4] = make_float4(values[k], values[k + 1], values[k + 2], values[k + 3]);
    } else {
#pragma unroll
        for (int k = 0; k < RUN; ++k) {
            if (i + k < args.count[0]) write_pixel(target, i + k, j, values[k]);
        }
    }
}
template <int RUN>
__device__ inline void write_run(const FilterArguments& args, int i, int j, const float4 (&values)[RUN]) {
    const bool alpha = args.plane.has_alpha;
    if (i + RUN <= args.count[0] && args.target.output == OUTPUT_RGBA8) {
#pragma unroll
        for (int k = 0; k < RUN; k += 4) {
            write_surface(args.target.surface, 4 * (i + k), j,
                          make_uint4(straight_rgba(values[k], alpha), straight_rgba(values[k + 1], alpha),
                                     straight_rgba(values[k + 2], alpha), straight_rgba(values[k + 3], alpha)));
        }
    } else {
#pragma unroll
        for (int k = 0; k < RUN; ++k) {
            if (i + k < args.count[0]) write_pixel(args.target, i + k, j, values[k], alpha);
        }
    }
}

template <typename Sample, typename Value, int REACH>
__device__ inline void gaussian_tile(const GaussianArguments& args) {
    using Form = Form<Value, Sample>;
    using Pixel = typename Form::Pixel;
    using Columns = typename Form::Columns;
    constexpr int RESULT_COLUMNS = Form::COLUMNS - 2 * REACH, LOADED_ROWS = Form::ROWS + 2 * REACH, RUN = Form::RUN;
    extern __shared__ float4 shared[];
    float4* values = shared;
    Pixel* numbers = reinterpret_cast<Pixel*>(shared);
    const FilterArguments& filter = args.filter;
    const int left = blockIdx.x * RESULT_COLUMNS, top = blockIdx.y * Form::ROWS;
    load_numbers<Form::COLUMNS, LOADED_ROWS>(filter.plane, filter.origin[0] + left - REACH,
                                             filter.origin[1] + top - REACH, numbers);
    __syncthreads();
    {
        Columns sums[Form::ROWS] = {};
#pragma unroll
        for (int row = 0; row < LOADED_ROWS; ++row) {
            add_to_run<REACH>(args, sums, row, columns_of(numbers + row * Form::COLUMNS));
        }
        // Where the numbers lay, the values lie from here on.
        __syncthreads();
        constexpr int A_PIECE = sizeof(float4) / sizeof(Columns);
        Columns* to = reinterpret_cast<Columns*>(values + piece_at(threadIdx.x / A_PIECE)) + threadIdx.x % A_PIECE;
#pragma unroll
        for (int row = 0; row < Form::ROWS; ++row) to[row * Form::ROW_PIECES * A_PIECE] = sums[row];
    }
    __syncthreads();
    const int lane = threadIdx.x % 32, run = threadIdx.x / 32 * LANES_A_ROW + lane % LANES_A_ROW;
    const int i = left + run * RUN;
    if ((run + 1) * RUN > RESULT_COLUMNS || i >= filter.count[0]) return;
#pragma unroll 1
    for (int row = lane / LANES_A_ROW; row < Form::ROWS; row += 32 / LANES_A_ROW) {
        if (top + row >= filter.count[1]) return;
        constexpr int SAMPLES = Form::SAMPLES_A_PIECE;
        const float4* line = values + row * Form::ROW_PIECES;
        Value sums[RUN] = {};
#pragma unroll
        for (int piece = 0; piece < (RUN + 2 * REACH) / SAMPLES; ++piece) {
            Value samples[SAMPLES];
            samples_of(line[piece_at(run * RUN / SAMPLES + piece)], samples);
#pragma unroll
            for (int k = 0; k < SAMPLES; ++k) add_to_run<REACH>(args, sums, SAMPLES * piece + k, samples[k]);
        }
#pragma unroll
        for (int k = 0; k < RUN; ++k) sums[k] = times(filter.plane.inv_maxval, sums[k]);
        write_run(filter, i, top + row, sums);
    }
}
