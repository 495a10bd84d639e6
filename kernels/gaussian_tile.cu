// Twin: src/filter/gaussian.rs, and TileOfGaussian in src/backend/cuda/filters.rs. A narrow Gaussian blur of grey integers in
// one launch: both passes over a tile, so that each number is read once and nothing lies in memory between them.
//
// A block takes its numbers to shared memory as they are. A thread weighs down sixteen rows of two columns, whose sums stay
// in registers; a block's columns are more than its results' by the reach on both sides. The values go to shared memory.
// Then a thread weighs across runs of sixteen. Every weight is known by its place as this is compiled, and comes with its
// instruction from the launch's arguments; a narrower blur's outer ones are 0, which integers bear. No number lies beyond a
// border here: that is a value which need not be an integer.
#include "filters.cuh"

#define REACH 8
// Results that a thread makes along a pass.
#define RUN 16
#define THREADS 128
// Of a block: the columns that are weighed down, two a thread; the columns of its results; the rows that it reads.
#define COLUMNS (2 * THREADS)
#define RESULT_COLUMNS (COLUMNS - 2 * REACH)
#define ROWS (RUN + 2 * REACH)
// Numbers that a thread loads at once: a warp's are a row.
#define LOADED (COLUMNS / 32)
// A row of values in shared memory in pieces of sixteen bytes, one left free after every eight, and two more: four runs of
// eight rows each then lie in different banks.
#define ROW_PIECES 74

__device__ inline int piece_at(int piece) { return piece + piece / 8; }

// Eight numbers as one load, and two.
template <typename Sample>
struct Numbers;
template <>
struct Numbers<unsigned char> {
    using Eight = uint2;
    using Two = uchar2;
};
template <>
struct Numbers<unsigned short> {
    using Eight = uint4;
    using Two = ushort2;
};

// A block's numbers, row by row from stored column `left` and row `top` on.
template <typename Sample>
__device__ inline void load_numbers(const Plane& plane, int left, int top, Sample* numbers) {
    using Eight = typename Numbers<Sample>::Eight;
    using Two = typename Numbers<Sample>::Two;
    constexpr int WARPS = THREADS / 32;
    const Sample* stored = static_cast<const Sample*>(plane.values);
    const bool inside = left >= 0 && left + COLUMNS <= plane.stored[0] && left % LOADED == 0 && top >= 0 &&
                        top + ROWS <= plane.stored[1];
    if (inside) {
        const int row = threadIdx.x / 32, column = threadIdx.x % 32 * LOADED;
        const Sample* from = stored + size_t(top + row) * plane.pitch + left + column;
        const size_t step = size_t(WARPS) * plane.pitch;
        Eight eight[ROWS / WARPS];
#pragma unroll
        for (int k = 0; k < ROWS / WARPS; ++k) eight[k] = __ldg(reinterpret_cast<const Eight*>(from + k * step));
#pragma unroll
        for (int k = 0; k < ROWS / WARPS; ++k) {
            *reinterpret_cast<Eight*>(numbers + (row + k * WARPS) * COLUMNS + column) = eight[k];
        }
    } else {
        const int first = resolve(plane.address[0], left + 2 * int(threadIdx.x), plane.stored[0]);
        const int second = resolve(plane.address[0], left + 2 * int(threadIdx.x) + 1, plane.stored[0]);
#pragma unroll 1
        for (int row = 0; row < ROWS; ++row) {
            const Sample* line = stored + size_t(resolve(plane.address[1], top + row, plane.stored[1])) * plane.pitch;
            reinterpret_cast<Two*>(numbers)[row * THREADS + threadIdx.x] = {line[first], line[second]};
        }
    }
}

// Writes a run of values from result (i, j) on, as many as there are results.
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

template <typename Sample>
__device__ inline void gaussian_tile(const GaussianArguments& args) {
    using Two = typename Numbers<Sample>::Two;
    __shared__ float4 values[RUN * ROW_PIECES];
    __shared__ uint4 loaded[ROWS * COLUMNS * sizeof(Sample) / sizeof(uint4)];
    const FilterArguments& filter = args.filter;
    const int left = blockIdx.x * RESULT_COLUMNS, top = blockIdx.y * RUN;
    load_numbers(filter.plane, filter.origin[0] + left - REACH, filter.origin[1] + top - REACH,
                 reinterpret_cast<Sample*>(loaded));
    __syncthreads();
    {
        const Two* column = reinterpret_cast<const Two*>(loaded) + threadIdx.x;
        float2 sums[RUN] = {};
#pragma unroll
        for (int row = 0; row < ROWS; ++row) {
            const Two two = column[row * THREADS];
            const float x = two.x, y = two.y;
#pragma unroll
            for (int result = 0; result < RUN; ++result) {
                const int distance = row - result - REACH;
                if (distance >= -REACH && distance <= REACH) {
                    const float weight = args.weights[distance < 0 ? -distance : distance];
                    add_weighted(sums[result].x, weight, x);
                    add_weighted(sums[result].y, weight, y);
                }
            }
        }
        float2* to = reinterpret_cast<float2*>(values + piece_at(threadIdx.x / 2)) + threadIdx.x % 2;
#pragma unroll
        for (int result = 0; result < RUN; ++result) to[result * ROW_PIECES * 2] = sums[result];
    }
    __syncthreads();
    // A warp's lanes are four runs of eight rows: as surfaces keep their bytes.
    const int run = threadIdx.x / 32 * 4 + threadIdx.x % 4;
    const int i = left + run * RUN;
    if ((run + 1) * RUN > RESULT_COLUMNS || i >= filter.count[0]) return;
#pragma unroll 1
    for (int row = threadIdx.x % 32 / 4; row < RUN; row += 8) {
        if (top + row >= filter.count[1]) return;
        const float4* line = values + row * ROW_PIECES;
        float sums[RUN] = {};
#pragma unroll
        for (int piece = 0; piece < ROWS / 4; ++piece) {
            const float4 four = line[piece_at(run * RUN / 4 + piece)];
            const float samples[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
            for (int k = 0; k < 4; ++k) {
#pragma unroll
                for (int result = 0; result < RUN; ++result) {
                    const int distance = 4 * piece + k - result - REACH;
                    if (distance >= -REACH && distance <= REACH) {
                        add_weighted(sums[result], args.weights[distance < 0 ? -distance : distance], samples[k]);
                    }
                }
            }
        }
#pragma unroll
        for (int k = 0; k < RUN; ++k) sums[k] *= filter.plane.unit;
        write_run(filter, i, top + row, sums);
    }
}

// As many blocks as the registers of a multiprocessor hold without spilling any.
#define BLOCKS 6

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) gaussian_tile_u8_grey(const GaussianArguments args) {
    gaussian_tile<unsigned char>(args);
}
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) gaussian_tile_u16_grey(const GaussianArguments args) {
    gaussian_tile<unsigned short>(args);
}
