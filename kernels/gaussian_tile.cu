// Twin: src/filter/gaussian.rs, and TileOfGaussian in src/backend/cuda/filters.rs. A narrow Gaussian blur of grey integers in
// one launch: both passes over a tile, so that each number is read once and nothing lies in memory between them.
//
// A thread first weighs down sixteen rows of its four columns, whose numbers come as one load and whose sums stay in
// registers; a block's columns are more than its results' by the reach on both sides. The values go to shared memory. Then a
// thread weighs across runs of sixteen. Every weight is known by its place as this is compiled, and comes with its
// instruction from the launch's arguments; a narrower blur's outer ones are 0, which integers bear.
#include "filters.cuh"
#include "samples.cuh"

#define REACH 8
// Results that a thread makes along a pass.
#define RUN 16
#define THREADS 128
// Of a block: the columns that are weighed down, four a thread; the columns and rows of its results.
#define COLUMNS 256
#define RESULT_COLUMNS (COLUMNS - 2 * REACH)
#define GROUPS (COLUMNS / 4)
#define RESULT_ROWS (THREADS / GROUPS * RUN)
// Rows that are loaded together, before those loaded last are weighed.
#define BATCH 8
// A row of shared memory in pieces of sixteen bytes, one left free after every eight, and two more: four runs of eight rows
// each then lie in different banks.
#define ROW_PIECES 74

__device__ inline int piece_at(int piece) { return piece + piece / 8; }

// What a thread weighs down: four columns from a first row on.
template <typename Sample>
struct Columns {
    const Sample* numbers;  // of the first row and column, where all are inside
    bool inside;            // they are, and each row's four are one load
    int at[4];              // stored columns, or the plane's width where they lie beyond its border
    int first_row;
};

template <typename Sample>
__device__ inline Columns<Sample> columns_from(const Plane& plane, int first_column, int first_row, int rows) {
    Columns<Sample> columns;
    columns.inside = first_column >= 0 && first_column + 4 <= plane.stored[0] && first_column % 4 == 0 && first_row >= 0 &&
                     first_row + rows <= plane.stored[1];
    columns.numbers = static_cast<const Sample*>(plane.values);
    if (columns.inside) columns.numbers += size_t(first_row) * plane.pitch + first_column;
#pragma unroll
    for (int k = 0; k < 4; ++k) columns.at[k] = resolve(plane.address[0], first_column + k, plane.stored[0]);
    columns.first_row = first_row;
    return columns;
}

// The numbers of a row; beyond a border any.
template <typename Sample>
__device__ inline typename Four<Sample>::Type load_row(const Plane& plane, const Columns<Sample>& columns, int row) {
    using Numbers = typename Four<Sample>::Type;
    if (columns.inside) return __ldg(reinterpret_cast<const Numbers*>(columns.numbers + size_t(row) * plane.pitch));
    const int stored_row = resolve(plane.address[1], columns.first_row + row, plane.stored[1]);
    const Sample* numbers = columns.numbers + size_t(min(stored_row, plane.stored[1] - 1)) * plane.pitch;
    const int last = plane.stored[0] - 1;
    return {numbers[min(columns.at[0], last)], numbers[min(columns.at[1], last)], numbers[min(columns.at[2], last)],
            numbers[min(columns.at[3], last)]};
}

// Those numbers in single precision, the border's constant where they lie beyond it.
template <typename Sample>
__device__ inline float4 values_of(const Plane& plane, const Columns<Sample>& columns, int row,
                                   typename Four<Sample>::Type numbers) {
    float4 values = make_float4(numbers.x, numbers.y, numbers.z, numbers.w);
    if (columns.inside) return values;
    const bool beyond = resolve(plane.address[1], columns.first_row + row, plane.stored[1]) == plane.stored[1];
    if (beyond || columns.at[0] == plane.stored[0]) values.x = plane.border;
    if (beyond || columns.at[1] == plane.stored[0]) values.y = plane.border;
    if (beyond || columns.at[2] == plane.stored[0]) values.z = plane.border;
    if (beyond || columns.at[3] == plane.stored[0]) values.w = plane.border;
    return values;
}

// Writes a run of values from result (i, j) on, as many as there are results.
__device__ inline void write_run(const FilterArguments& args, int i, int j, const float (&values)[RUN]) {
    const Target& target = args.target;
    const int x = target.at_px[0] + i, y = target.at_px[1] + j;
    const bool whole = i + RUN <= args.count[0];
    if (whole && target.output == OUTPUT_GREY8 && x % 16 == 0) {
        unsigned words[RUN / 4];
#pragma unroll
        for (int k = 0; k < RUN; k += 4) {
            words[k / 4] =
                rgba(byte_of(values[k]), byte_of(values[k + 1]), byte_of(values[k + 2]), byte_of(values[k + 3]));
        }
        write_surface(target.surface, x, y, make_uint4(words[0], words[1], words[2], words[3]));
    } else if (whole && target.output == OUTPUT_RGBA8 && x % 4 == 0) {
#pragma unroll
        for (int k = 0; k < RUN; k += 4) {
            write_surface(target.surface, 4 * (x + k), y,
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
    extern __shared__ float4 shared[];
    const FilterArguments& filter = args.filter;
    const Plane& plane = filter.plane;
    const int left = blockIdx.x * RESULT_COLUMNS, top = blockIdx.y * RESULT_ROWS;
    {
        const int group = threadIdx.x % GROUPS, mine = threadIdx.x / GROUPS * RUN;
        const Columns<Sample> columns = columns_from<Sample>(plane, filter.origin[0] + left - REACH + 4 * group,
                                                             filter.origin[1] + top + mine - REACH, RUN + 2 * REACH);
        float4 sums[RUN] = {};
        typename Four<Sample>::Type next[BATCH];
#pragma unroll
        for (int k = 0; k < BATCH; ++k) next[k] = load_row<Sample>(plane, columns, k);
#pragma unroll
        for (int from = 0; from < RUN + 2 * REACH; from += BATCH) {
            typename Four<Sample>::Type batch[BATCH];
#pragma unroll
            for (int k = 0; k < BATCH; ++k) {
                batch[k] = next[k];
                if (from + BATCH < RUN + 2 * REACH) next[k] = load_row<Sample>(plane, columns, from + BATCH + k);
            }
#pragma unroll
            for (int k = 0; k < BATCH; ++k) {
                const float4 values = values_of<Sample>(plane, columns, from + k, batch[k]);
#pragma unroll
                for (int result = 0; result < RUN; ++result) {
                    const int distance = from + k - result - REACH;
                    if (distance >= -REACH && distance <= REACH) {
                        add_weighted(sums[result], args.weights[distance < 0 ? -distance : distance], values);
                    }
                }
            }
        }
#pragma unroll
        for (int result = 0; result < RUN; ++result) shared[(mine + result) * ROW_PIECES + piece_at(group)] = sums[result];
    }
    __syncthreads();
    // A warp's lanes are four runs of eight rows: as surfaces keep their bytes.
    const int run = threadIdx.x / 32 * 4 + threadIdx.x % 4;
    const int i = left + run * RUN;
    if ((run + 1) * RUN > RESULT_COLUMNS || i >= filter.count[0]) return;
    for (int row = threadIdx.x % 32 / 4; row < RESULT_ROWS; row += 8) {
        if (top + row >= filter.count[1]) return;
        const float4* line = shared + row * ROW_PIECES;
        float sums[RUN] = {};
#pragma unroll
        for (int piece = 0; piece < (RUN + 2 * REACH) / 4; ++piece) {
            const float4 four = line[piece_at(run * RUN / 4 + piece)];
            const float values[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
            for (int k = 0; k < 4; ++k) {
#pragma unroll
                for (int result = 0; result < RUN; ++result) {
                    const int distance = 4 * piece + k - result - REACH;
                    if (distance >= -REACH && distance <= REACH) {
                        add_weighted(sums[result], args.weights[distance < 0 ? -distance : distance], values[k]);
                    }
                }
            }
        }
#pragma unroll
        for (int k = 0; k < RUN; ++k) sums[k] *= plane.unit;
        write_run(filter, i, top + row, sums);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) gaussian_tile_u8_grey(const GaussianArguments args) {
    gaussian_tile<unsigned char>(args);
}
extern "C" __global__ void __launch_bounds__(THREADS) gaussian_tile_u16_grey(const GaussianArguments args) {
    gaussian_tile<unsigned short>(args);
}
