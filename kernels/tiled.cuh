// Twin: src/backend/cuda/plan/tiled.rs, which sizes a block's shared memory. Weights come from WeightCurves.
//
// `tiled`: a block of four warps computes 128 columns (64 of a colour image) by 4·rows_a_warp rows of an unrotated view. It
// loads their footprint, the samples that they read, once into shared memory as floats, after the address modes. Each warp
// then filters whole rows of samples along x, in place, to values at the block's columns. Finally every thread walks down a
// few neighbouring columns: it keeps the newest rows of values in registers, one for each tap, and filters them along y for
// each row of the output. Zoomed in, an output row costs little more than its multiply-adds along y and its store.
//
// Coordinates: output pixels (i, j) of the request; stored indices of the plane; columns of the footprint count from its
// `left`, rows from its `top`.
#pragma once
#include "rows.cuh"
#include "samples.cuh"
#include "weights.cuh"

// The value of a pixel in registers, and the number of neighbouring columns of a thread.
template <int CHANNELS>
struct Lane;
template <>
struct Lane<1> {
    using Value = float;
    static constexpr int COLUMNS = 4;
};
template <>
struct Lane<4> {
    using Value = float4;
    static constexpr int COLUMNS = 2;
};

// The first stored index that column or row `index` reads, or the one before, in fixed point.
__device__ inline int first_about(const TiledArguments& args, int axis, int index) {
    return int((args.start[axis] + index * args.step[axis]) >> 32);
}

// The first sample of a block's footprint, in stored indices.
struct Corner {
    int left;
    int top;
};

// Grey: loads of four numbers if the whole footprint lies inside the plane. A thread stays in its columns.
#define GROUP_COLUMNS 4

template <typename Sample>
__device__ inline void load_footprint(const TiledArguments& args, const Corner& corner, float* shared, float) {
    const Plane& plane = args.plane;
    const int row = __umulhi(threadIdx.x, args.groups_inverse), group = threadIdx.x - row * args.groups;
    if (row >= args.rows_at_once) return;
    const int column = corner.left + GROUP_COLUMNS * group;
    float* to = shared + row * args.row_floats + GROUP_COLUMNS * group;
    const int step = args.rows_at_once * args.row_floats;
    bool inside = corner.top >= 0 && corner.top + args.rows <= plane.stored[1] && corner.left >= 0 &&
                  corner.left + GROUP_COLUMNS * args.groups <= plane.stored[0];
    if (inside) {
        using Four = typename Four<Sample>::Type;
        const Sample* numbers = static_cast<const Sample*>(plane.values) + size_t(corner.top + row) * plane.pitch + column;
        const size_t from_step = size_t(args.rows_at_once) * plane.pitch;
        // Several loads are in flight before the first one is used.
        constexpr int BATCH = sizeof(Sample) == 4 ? 4 : 8;
        int left = args.rows - row;
        for (; left > args.rows_at_once; left -= BATCH * args.rows_at_once) {
            Four four[BATCH];
#pragma unroll
            for (int k = 0; k < BATCH; ++k) {
                if (left > k * args.rows_at_once) {
                    four[k] = __ldg(reinterpret_cast<const Four*>(numbers));
                    numbers += from_step;
                }
            }
#pragma unroll
            for (int k = 0; k < BATCH; ++k) {
                if (left > k * args.rows_at_once) {
                    *reinterpret_cast<float4*>(to) = make_float4(four[k].x, four[k].y, four[k].z, four[k].w);
                    to += step;
                }
            }
        }
        if (left > 0) {
            Four four = __ldg(reinterpret_cast<const Four*>(numbers));
            *reinterpret_cast<float4*>(to) = make_float4(four.x, four.y, four.z, four.w);
        }
        return;
    }
    int at[GROUP_COLUMNS];
#pragma unroll
    for (int k = 0; k < GROUP_COLUMNS; ++k) at[k] = resolve(plane.address[0], column + k, plane.stored[0]);
    for (int n = row; n < args.rows; n += args.rows_at_once) {
        int stored_row = resolve(plane.address[1], corner.top + n, plane.stored[1]);
        const Sample* numbers = static_cast<const Sample*>(plane.values) + size_t(stored_row) * plane.pitch;
        float loaded[GROUP_COLUMNS];
#pragma unroll
        for (int k = 0; k < GROUP_COLUMNS; ++k) {
            bool kept = stored_row < plane.stored[1] && at[k] < plane.stored[0];
            loaded[k] = kept ? float(numbers[at[k]]) : plane.border;
        }
        *reinterpret_cast<float4*>(to) = make_float4(loaded[0], loaded[1], loaded[2], loaded[3]);
        to += step;
    }
}

// Colour: one pixel a load.
template <typename Sample>
__device__ inline void load_footprint(const TiledArguments& args, const Corner& corner, float* shared, float4) {
    using Four = typename Four<Sample>::Type;
    const Plane& plane = args.plane;
    for (int item = threadIdx.x; item < args.rows * args.groups; item += 32 * WARPS) {
        int row = __umulhi(item, args.groups_inverse), column = item - row * args.groups;
        int stored_row = resolve(plane.address[1], corner.top + row, plane.stored[1]);
        int at = resolve(plane.address[0], corner.left + column, plane.stored[0]);
        float4 loaded = make_float4(plane.border, plane.border, plane.border, plane.border);
        if (stored_row < plane.stored[1] && at < plane.stored[0]) {
            Four four = __ldg(static_cast<const Four*>(plane.values) + size_t(stored_row) * plane.pitch + at);
            loaded = make_float4(four.x, four.y, four.z, four.w);
        }
        *reinterpret_cast<float4*>(shared + row * args.row_floats + 4 * column) = loaded;
    }
}

// A thread's neighbouring columns of a row of values.
__device__ inline void read_columns(const float* row, float (&into)[4]) {
    float4 four = reinterpret_cast<const float4*>(row)[threadIdx.x % 32];
    into[0] = four.x;
    into[1] = four.y;
    into[2] = four.z;
    into[3] = four.w;
}
__device__ inline void read_columns(const float* row, float4 (&into)[2]) {
    into[0] = reinterpret_cast<const float4*>(row)[threadIdx.x % 32 * 2];
    into[1] = reinterpret_cast<const float4*>(row)[threadIdx.x % 32 * 2 + 1];
}

template <typename Sample, int CHANNELS, int TAPS, int OUTPUT>
__device__ inline void tiled(const TiledArguments& args) {
    using Value = typename Lane<CHANNELS>::Value;
    constexpr int COLUMNS = Lane<CHANNELS>::COLUMNS;
    constexpr int WIDE = 32 * COLUMNS;
    constexpr int KEPT = Kept<TAPS>::COUNT;
    extern __shared__ float4 memory[];
    const int tall = WARPS * args.rows_a_warp;
    // Tables have spare rows: the weights of the row after the last one are read and not used.
    const int table_rows = tall + 4;
    float* row_weights = reinterpret_cast<float*>(memory);
    float* column_weights = row_weights + table_rows * KEPT;
    int* row_first = reinterpret_cast<int*>(column_weights + WIDE * KEPT);
    int* column_first = row_first + table_rows;
    float* shared = reinterpret_cast<float*>(column_first + WIDE);
    const int i0 = blockIdx.x * WIDE, j0 = blockIdx.y * tall;
    const int last_column = args.target.size_px[0] - 1, last_row = args.target.size_px[1] - 1;

    Corner corner = {first_about(args, 0, i0), first_about(args, 1, j0)};
    if (CHANNELS == 1) corner.left &= ~(GROUP_COLUMNS - 1);
    float fraction;
    load_footprint<Sample>(args, corner, shared, Value());
    if (threadIdx.x < WIDE) {
        int first = first_stored<TAPS>(args, 0, min(i0 + int(threadIdx.x), last_column), fraction);
        column_first[threadIdx.x] = first - corner.left;
        weigh<TAPS>(args.curves, fraction, 1.0f, column_weights + threadIdx.x * (KEPT > 4 ? 4 : KEPT), 4 * WIDE);
    }
    for (int row = 32 * WARPS - 1 - threadIdx.x; row < tall; row += 32 * WARPS) {
        row_first[row] = first_stored<TAPS>(args, 1, min(j0 + row, last_row), fraction) - corner.top;
        weigh<TAPS>(args.curves, fraction, args.plane.inv_maxval, row_weights + row * KEPT, 4);
    }
    __syncthreads();

    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    {
        float horizontal[COLUMNS][KEPT];
        const Value* at[COLUMNS];
#pragma unroll
        for (int c = 0; c < COLUMNS; ++c) {
            at[c] = reinterpret_cast<const Value*>(shared + warp * args.row_floats) + column_first[c * 32 + lane];
            read_weights<KEPT>(column_weights + (c * 32 + lane) * (KEPT > 4 ? 4 : KEPT), horizontal[c], 4 * WIDE);
        }
        Value* into = reinterpret_cast<Value*>(shared + warp * args.row_floats) + lane;
        const int step = WARPS * args.row_floats / (sizeof(Value) / sizeof(float));
        for (int row = warp; row < args.rows; row += WARPS) {
            Value sums[COLUMNS];
#pragma unroll
            for (int c = 0; c < COLUMNS; ++c) {
                sums[c] = times(horizontal[c][0], at[c][0]);
#pragma unroll
                for (int tap = 1; tap < TAPS; ++tap) add_weighted(sums[c], horizontal[c][tap], at[c][tap]);
                at[c] += step;
            }
            __syncwarp();
#pragma unroll
            for (int c = 0; c < COLUMNS; ++c) into[c * 32] = sums[c];
            into += step;
        }
    }
    __syncthreads();

    int row = warp * args.rows_a_warp;
    const int end = min(row + args.rows_a_warp, args.target.size_px[1] - j0);
    if (row >= end) return;
    const Pen pen = pen_at<OUTPUT, COLUMNS>(args.target, i0, j0);
    // The newest TAPS rows of values: row k of the footprint is in place (k − first row) mod TAPS.
    int next = row_first[row];
    const float* newest = shared + next * args.row_floats;
    Value ring[TAPS][COLUMNS];
#pragma unroll
    for (int k = 0; k < TAPS; ++k) {
        read_columns(newest, ring[k]);
        newest += args.row_floats;
    }
    // The weights of the next output row are read while this one is computed.
    float weights[KEPT];
    read_weights<KEPT>(row_weights + row * KEPT, weights, 4);
    int wanted = next;
    decltype(packed(ring[0], false)) even = {};
    while (true) {
#pragma unroll
        for (int oldest = 0; oldest < TAPS; ++oldest) {
            while (wanted == next) {
                float weights_after[KEPT];
                read_weights<KEPT>(row_weights + (row + 1) * KEPT, weights_after, 4);
                wanted = row_first[row + 1];
                Value sums[COLUMNS];
#pragma unroll
                for (int c = 0; c < COLUMNS; ++c) {
                    sums[c] = TAPS == 1 ? Value() : times(weights[0], ring[oldest][c]);
#pragma unroll
                    for (int k = 1; k + 1 < TAPS; ++k) add_weighted(sums[c], weights[k], ring[(oldest + k) % TAPS][c]);
                    add_last<OUTPUT>(sums[c], weights[TAPS - 1], ring[(oldest + TAPS - 1) % TAPS][c]);
                }
                if constexpr (OUTPUT == OUTPUT_VALUES) {
                    write_values(args.target, i0 + lane * COLUMNS, j0 + row, sums);
                } else {
                    auto bytes = packed(sums, args.plane.has_alpha);
                    if (row & 1) {
                        write_rows<OUTPUT, COLUMNS>(args.target.surface, pen, row - 1, even, bytes, false);
                    }
                    even = bytes;
                }
                if (++row == end) goto done;
#pragma unroll
                for (int k = 0; k < KEPT; ++k) weights[k] = weights_after[k];
            }
            read_columns(newest, ring[oldest]);
            newest += args.row_floats;
            ++next;
        }
    }
done:
    if (OUTPUT != OUTPUT_VALUES && (end & 1)) {
        write_rows<OUTPUT, COLUMNS>(args.target.surface, pen, end - 1, even, even, true);
    }
}
