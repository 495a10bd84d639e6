// Twin: src/backend/cuda/plan/columns.rs, which decides the views that it serves.
//
// `columns`: `direct` for every kind of plane and every address mode. A thread loads the samples of its neighbouring columns, four of a grey
// plane and two of a colour plane, from global memory into registers. Each warp walks down rows of its own, with the next row of samples in
// flight. A block whose samples lie outside the plane resolves their indices once; rows are resolved when they are loaded.
//
// Two forms: `unit`, at one sample a pixel, neighbouring columns read neighbouring samples at one fraction; `spread`, at up to two samples a
// pixel, each column has its own first sample and fraction.
//
// Coordinates: output pixels (i, j) of the request; stored indices of the plane, before the address mode.
#pragma once
#include "strip.cuh"
#include "weights.cuh"

#define MOST_COLUMN_ROWS 32

// Neighbouring columns of a thread, and how many samples more than one column they read together.
template <int CHANNELS, bool UNIT>
struct Neighbours {
    static constexpr int COUNT = CHANNELS == 1 ? 4 : 2;
    static constexpr int REACH = (COUNT - 1) * (UNIT ? 1 : 2);
    // Column c starts `least(c)` to `most(c)` samples after the first one.
    __host__ __device__ static constexpr int least(int c) { return UNIT ? c : 0; }
    __host__ __device__ static constexpr int most(int c) { return UNIT ? c : 2 * c; }
};

// Functions of their own, since the loop below has several copies of what calls them and seldom does.
template <typename Samples>
__device__ __noinline__ Samples samples_at(const void* row, const int* scattered) {
    Samples samples;
    samples.gather(row, scattered);
    return samples;
}
__device__ __noinline__ int resolved(int mode, int index, int len) { return resolve(mode, index, len); }

// A thread's weights of the samples that its columns read together; of each column those before and after its own are 0.
template <typename Columns, int TAPS>
struct ColumnWeights {
    static constexpr int COUNT = TAPS + Columns::REACH;
    float of[Columns::COUNT][COUNT];

    template <typename Samples, typename Value>
    __device__ inline void values(const Samples& samples, Value (&to)[Columns::COUNT]) const {
        Value values[COUNT];
#pragma unroll
        for (int k = 0; k < COUNT; ++k) values[k] = samples.value(k);
#pragma unroll
        for (int c = 0; c < Columns::COUNT; ++c) {
            to[c] = times(of[c][Columns::least(c)], values[Columns::least(c)]);
#pragma unroll
            for (int k = Columns::least(c) + 1; k < Columns::most(c) + TAPS; ++k) add_weighted(to[c], of[c][k], values[k]);
        }
    }
};

// Rows that lie in the plane, as do all samples: one after the other in memory.
template <typename Samples>
struct RowsInside {
    const typename Samples::Number* from;
    size_t pitch;
    unsigned bits;

    __device__ inline RowsInside(const Plane& plane, int place, int row)
        : from(Samples::row_of(plane, row) + Samples::aligned(place)), pitch(plane.pitch), bits(Samples::bits_before(place)) {}

    __device__ inline Samples next() {
        Samples samples;
        samples.load(from);
        from += pitch;
        return samples;
    }

    template <typename Weights, typename Value, int COLUMNS>
    __device__ inline void filter(const Weights& weights, Samples samples, Value (&to)[COLUMNS]) {
        samples.align(bits);
        weights.values(samples, to);
    }
};

// Any rows.
template <typename Samples>
struct RowsAnywhere {
    const Plane& plane;
    Source source;
    unsigned bits;
    // The row that is loaded next, and the one that is filtered next, before the address mode.
    int loaded;
    int filtered;
    bool has_border;
    // For each column what a row has beside its samples, and what a row beyond the border is.
    const float* outside;
    const float* whole;

    __device__ inline Samples next() {
        Samples samples;
        int row = loaded++;
        if (unsigned(row) >= unsigned(plane.stored[1])) row = resolved(plane.address[1], row, plane.stored[1]);
        if (row >= plane.stored[1]) {
            samples.clear();
        } else if (source.layout == INSIDE) {
            samples.load(Samples::row_of(plane, row) + Samples::aligned(source.place));
        } else if (source.layout == ONE) {
            samples.load_one(Samples::row_of(plane, row), source.place);
        } else {
            samples = samples_at<Samples>(Samples::row_of(plane, row), source.scattered);
        }
        return samples;
    }

    template <typename Weights, typename Value, int COLUMNS>
    __device__ inline void filter(const Weights& weights, Samples samples, Value (&to)[COLUMNS]) {
        if (source.layout == ONE) {
            // All the weight of a column is in its first place.
            const Value only = samples.value(0);
#pragma unroll
            for (int c = 0; c < COLUMNS; ++c) to[c] = times(weights.of[c][0], only);
        } else {
            samples.align(bits);
            weights.values(samples, to);
        }
        const int row = filtered++;
        if (has_border) {
            const float* more = is_border_row(plane, row) ? whole : outside;
#pragma unroll
            for (int c = 0; c < COLUMNS; ++c) add_everywhere(to[c], more[c]);
        }
    }
};

// Where a warp walks: the weights and the first rows of its rows of the output, and how many there are.
struct Path {
    const float* weights;
    const int* first;
    int end;
};

// Makes a thread's columns, from column i of the output on, of the rows that `pen` writes. The newest TAPS rows of values have constant
// places in as many COPIES of the loop's body; in one they move up.
template <int TAPS, int COPIES, int OUTPUT, typename Rows, typename Weights, typename Value, int COLUMNS>
__device__ inline void walk(const TiledArguments& args, const Pen& pen, int i, const Path& path, Rows rows, const Weights& horizontal,
                            Value (&ring)[TAPS][COLUMNS]) {
    constexpr int KEPT = Kept<TAPS>::COUNT;
    const int j0 = pen.y - pen.upper;
    // Row `next` is in place `oldest`; the first TAPS passes of the loop fill the ring.
    alignas(16) float weights[KEPT];
    read_weights<KEPT>(path.weights, weights, 4);
    int row = 0, wanted = path.first[0], next = wanted - TAPS;
    auto ahead = rows.next();
    decltype(packed(ring[0], false)) even = {};
    while (true) {
#pragma unroll
        for (int oldest = 0; oldest < COPIES; ++oldest) {
            while (wanted == next) {
                alignas(16) float weights_after[KEPT];
                read_weights<KEPT>(path.weights + (row + 1) * KEPT, weights_after, 4);
                wanted = path.first[row + 1];
                Value sums[COLUMNS];
#pragma unroll
                for (int c = 0; c < COLUMNS; ++c) {
                    if constexpr (TAPS == 1) {
                        set_all(sums[c], 0.0f);
                    } else {
                        sums[c] = times(weights[0], ring[oldest][c]);
                    }
#pragma unroll
                    for (int k = 1; k + 1 < TAPS; ++k) add_weighted(sums[c], weights[k], ring[(oldest + k) % TAPS][c]);
                    add_last<OUTPUT>(sums[c], weights[TAPS - 1], ring[(oldest + TAPS - 1) % TAPS][c]);
                }
                if constexpr (OUTPUT == OUTPUT_VALUES) {
                    write_values(args.target, i, j0 + row, sums);
                } else {
                    auto bytes = packed(sums, args.plane.has_alpha);
                    if (row & 1) write_rows<OUTPUT, COLUMNS>(args.target.surface, pen, row - 1, even, bytes, false);
                    even = bytes;
                }
                if (++row == path.end) goto done;
#pragma unroll
                for (int k = 0; k < KEPT; ++k) weights[k] = weights_after[k];
            }
            auto samples = ahead;
            ahead = rows.next();
            if constexpr (COPIES < TAPS) {
#pragma unroll
                for (int k = 0; k + 1 < TAPS; ++k) {
#pragma unroll
                    for (int c = 0; c < COLUMNS; ++c) ring[k][c] = ring[k + 1][c];
                }
            }
            rows.filter(horizontal, samples, ring[COPIES < TAPS ? TAPS - 1 : oldest]);
            ++next;
        }
    }
done:
    if (OUTPUT != OUTPUT_VALUES && (path.end & 1)) {
        write_rows<OUTPUT, COLUMNS>(args.target.surface, pen, path.end - 1, even, even, true);
    }
}

template <typename Sample, int CHANNELS, int TAPS, int OUTPUT, bool UNIT>
__device__ inline void columns(const TiledArguments& args) {
    using Columns = Neighbours<CHANNELS, UNIT>;
    constexpr int COLUMNS = Columns::COUNT, WIDE = 32 * COLUMNS, COUNT = TAPS + Columns::REACH;
    using Samples = Strip<Sample, CHANNELS, COUNT>;
    using Value = typename Samples::Value;
    constexpr int KEPT = Kept<TAPS>::COUNT, EACH = KEPT > 4 ? 4 : KEPT;
    // One spare row: the weights of the row after the last one are read and not used.
    __shared__ alignas(16) float weights_of[WARPS][(MOST_COLUMN_ROWS + 1) * KEPT];
    __shared__ int first_of[WARPS][MOST_COLUMN_ROWS + 1];
    // Weights and first samples of the block's columns: thread t computes those of column t % 32 · COLUMNS + t / 32.
    __shared__ alignas(16) float column_weights[WIDE * KEPT];
    __shared__ int column_first[WIDE];
    __shared__ int scattered[COUNT * 32];
    // What a row has beside its samples, and what a row beyond a border is.
    __shared__ alignas(16) float constants[2][WIDE];
    const Plane& plane = args.plane;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int i0 = blockIdx.x * WIDE, j0 = (blockIdx.y * WARPS + warp) * args.rows_a_warp;
    float fraction;
    if (threadIdx.x < WIDE) {
        const int column = min(i0 + lane * COLUMNS + warp, args.target.size_px[0] - 1);
        column_first[threadIdx.x] = first_stored<TAPS>(args, 0, column, fraction);
        weigh<TAPS>(args.curves, fraction, 1.0f, column_weights + threadIdx.x * EACH, WIDE * EACH);
    }
    float* row_weights = weights_of[warp];
    int* row_first = first_of[warp];
    row_first[lane] = first_stored<TAPS>(args, 1, min(j0 + lane, args.target.size_px[1] - 1), fraction);
    weigh<TAPS>(args.curves, fraction, plane.inv_maxval, row_weights + lane * KEPT, 4);
    if (lane == 0) row_first[MOST_COLUMN_ROWS] = 0;
    __syncthreads();

    ColumnWeights<Columns, TAPS> horizontal;
    Source source = {INSIDE, column_first[lane], scattered + lane};
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c) {
        alignas(16) float own[KEPT];
        read_weights<KEPT>(column_weights + (c * 32 + lane) * EACH, own, WIDE * EACH);
        const int at = column_first[c * 32 + lane] - source.place;
        // Factors of 0 and 1 in place of an index: registers have none.
#pragma unroll
        for (int k = 0; k < COUNT; ++k) horizontal.of[c][k] = 0.0f;
#pragma unroll
        for (int offset = Columns::least(c); offset <= Columns::most(c); ++offset) {
            const float here = UNIT || at == offset ? 1.0f : 0.0f;
#pragma unroll
            for (int k = 0; k < TAPS; ++k) add_weighted(horizontal.of[c][k + offset], here, own[k]);
        }
    }
    // The same for all warps of the block.
    const bool is_inside = __all_sync(0xffffffffu, Samples::is_inside(plane, source.place));
    const bool has_border = plane.address[1] == BORDER || (!is_inside && plane.address[0] == BORDER);
    if (!is_inside || has_border) {
        bool one = true;
        int only = 0;
#pragma unroll 1
        for (int k = 0; k < COUNT; ++k) {
            int at = resolved(plane.address[0], source.place + k, plane.stored[0]);
            if (at >= plane.stored[0]) at = -1;
            if (k == 0) only = at;
            one = one && at == only;
            if (warp == 0) scattered[k * 32 + lane] = at;
        }
        __syncthreads();
        if (has_border && warp == 0) {
#pragma unroll 1
            for (int c = 0; c < COLUMNS; ++c) {
                float outside = 0.0f, whole = 0.0f;
                const int first = column_first[c * 32 + lane] - column_first[lane];
#pragma unroll 1
                for (int k = 0; k < TAPS; ++k) {
                    const float weight = column_weights[k / EACH * WIDE * EACH + (c * 32 + lane) * EACH + k % EACH];
                    whole += weight * plane.border;
                    if (scattered[(first + k) * 32 + lane] < 0) outside += weight * plane.border;
                }
                constants[0][lane * COLUMNS + c] = outside;
                constants[1][lane * COLUMNS + c] = whole;
            }
        }
        if (!is_inside) {
            source.layout = __all_sync(0xffffffffu, one) ? ONE : SCATTERED;
            source.place = only;
            // One sample has all the weight.
            if (source.layout == ONE) {
#pragma unroll
                for (int c = 0; c < COLUMNS; ++c) {
#pragma unroll
                    for (int k = 1; k < COUNT; ++k) horizontal.of[c][0] += horizontal.of[c][k];
                }
            }
        }
        __syncthreads();
    }
    const int end = min(args.rows_a_warp, args.target.size_px[1] - j0);
    if (end <= 0) return;

    Pen pen;
    pen.upper = lane / LANES_A_ROW;
    pen.x = i0 + lane % LANES_A_ROW * COLUMNS;
    pen.y = j0 + pen.upper;
    pen.columns = args.target.size_px[0] - i0 - lane % LANES_A_ROW * COLUMNS;
    pen.whole = i0 + WIDE <= args.target.size_px[0];
    const Path path = {row_weights, row_first, end};
    const int i = i0 + lane * COLUMNS, top = row_first[0], bottom = row_first[end - 1] + TAPS;
    Value ring[TAPS][COLUMNS] = {};
    // The row after the last one is loaded as well.
    if (source.layout == INSIDE && !has_border && top >= 0 && bottom < plane.stored[1]) {
        constexpr int COPIES = TAPS <= 4 ? TAPS : 1;
        walk<TAPS, COPIES, OUTPUT>(args, pen, i, path, RowsInside<Samples>(plane, source.place, top), horizontal, ring);
    } else {
        const unsigned bits = source.layout == INSIDE ? Samples::bits_before(source.place) : 0;
        const float *outside = constants[0] + lane * COLUMNS, *whole = constants[1] + lane * COLUMNS;
        const RowsAnywhere<Samples> rows = {plane, source, bits, top, top, has_border, outside, whole};
        walk<TAPS, 1, OUTPUT>(args, pen, i, path, rows, horizontal, ring);
    }
}
