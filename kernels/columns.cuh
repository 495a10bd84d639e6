// Twin: src/backend/cuda/plan/columns.rs, which decides the views that it serves.
//
// `columns`: `direct` for every kind of plane and every address mode. A thread loads the samples of its neighbouring columns, four of a grey
// plane and two of a colour plane, from global memory into registers. Each warp walks down rows of its own, with the next row of samples in
// flight. A block whose samples lie outside the plane resolves their indices once; rows are resolved when they are loaded. A block all of whose
// columns mean one sample loads that one alone.
//
// Two forms: `unit`, at one sample a pixel, neighbouring columns read neighbouring samples at one fraction; `spread`, at up to two samples a
// pixel, each column has its own first sample and fraction.
//
// Coordinates: output pixels (i, j) of the request; stored indices of the plane, before the address mode.
#pragma once
#include "strip.cuh"
#include "walk.cuh"

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

// No one sample for all columns.
#define SEVERAL -2

// The stored index of the sample that samples `first` to `last`, before the address mode, all mean; −1 for the border's constant, SEVERAL
// where they are several.
__device__ inline int sample_beyond(const Plane& plane, int first, int last) {
    const int end = plane.stored[0];
    if (plane.address[0] == CLAMP) return last <= 0 ? 0 : first >= end - 1 ? end - 1 : SEVERAL;
    return plane.address[0] == BORDER && (last < 0 || first >= end) ? -1 : SEVERAL;
}

// Rows of samples that are under way at one sample a pixel.
template <typename Sample, int CHANNELS, int TAPS>
struct Ahead {
    static constexpr int COUNT = TAPS > 4 || (CHANNELS == 1 && is_integer(Sample())) ? 2 : 4;
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

// The same where any sample may count for any column.
template <typename Columns, int TAPS>
struct AnyWeights {
    const ColumnWeights<Columns, TAPS>& weights;

    template <typename Samples, typename Value>
    __device__ inline void values(const Samples& samples, Value (&to)[Columns::COUNT]) const {
#pragma unroll
        for (int k = 0; k < weights.COUNT; ++k) {
            const Value value = samples.value(k);
#pragma unroll
            for (int c = 0; c < Columns::COUNT; ++c) {
                if (k == 0) {
                    to[c] = times(weights.of[c][k], value);
                } else {
                    add_weighted(to[c], weights.of[c][k], value);
                }
            }
        }
    }
};

// Rows that lie in the plane, as do all samples: one after the other in memory.
template <typename Samples>
struct RowsInside {
    const typename Samples::Number* from;
    size_t pitch;
    unsigned bits;

    __device__ static inline Samples none() { return Samples(); }

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

    __device__ static inline Samples none() { return Samples(); }

    __device__ inline Samples next() {
        Samples samples;
        int row = loaded++;
        if (unsigned(row) >= unsigned(plane.stored[1])) row = resolved(plane.address[1], row, plane.stored[1]);
        if (row >= plane.stored[1]) {
            samples.clear();
        } else if (source.layout == INSIDE) {
            samples.load(Samples::row_of(plane, row) + Samples::aligned(source.place));
        } else {
            samples = samples_at<Samples>(Samples::row_of(plane, row), source.scattered);
        }
        return samples;
    }

    template <typename Weights, typename Value, int COLUMNS>
    __device__ inline void filter(const Weights& weights, Samples samples, Value (&to)[COLUMNS]) {
        samples.align(bits);
        weights.values(samples, to);
        const int row = filtered++;
        if (has_border) {
            const float* more = is_border_row(plane, row) ? whole : outside;
#pragma unroll
            for (int c = 0; c < COLUMNS; ++c) add_everywhere(to[c], more[c]);
        }
    }
};

// Rows of a block all of whose columns mean one sample: a lane loads that of one row, and all share what 32 lanes loaded. The next ones are under
// way.
template <int TAPS, int OUTPUT, typename Samples, int COLUMNS>
__device__ inline void walk_one(const TiledArguments& args, const Pen& pen, int i, const Path& path, int place, const float (&totals)[COLUMNS]) {
    using Value = typename Samples::Value;
    // Neighbouring rows of the output start at most two rows of samples apart.
    constexpr int KEPT = Kept<TAPS>::COUNT, STEP = 31 - TAPS;
    const Plane& plane = args.plane;
    auto load = [&](int row) {
        const int stored = resolved(plane.address[1], row, plane.stored[1]);
        Value value;
        set_all(value, plane.border);
        if (place >= 0 && stored < plane.stored[1]) value = Samples::one(Samples::row_of(plane, stored) + place);
        return value;
    };
    int base = path.first[0];
    const int lane = threadIdx.x % 32;
    Value held = load(base + lane), after = load(base + STEP + lane);
    Value sums[COLUMNS];
    decltype(packed(sums, false)) even = {};
#pragma unroll 1
    for (int row = 0; row < path.end; ++row) {
        int from = path.first[row] - base;
        if (from + TAPS > 32) {
            base += STEP;
            from -= STEP;
            held = after;
            after = load(base + STEP + lane);
        }
        alignas(16) float weights[KEPT];
        read_weights<KEPT>(path.weights + row * KEPT, weights, 4);
        Value sum = times(weights[0], of_lane(held, from));
#pragma unroll
        for (int k = 1; k < TAPS; ++k) add_weighted(sum, weights[k], of_lane(held, from + k));
#pragma unroll
        for (int c = 0; c < COLUMNS; ++c) {
            set_all(sums[c], 0.0f);
            add_last<OUTPUT>(sums[c], totals[c], sum);
        }
        if constexpr (OUTPUT == OUTPUT_VALUES) {
            write_values(args.target, i, pen.y - pen.upper + row, sums);
        } else {
            auto bytes = packed(sums, plane.has_alpha);
            if (row & 1) write_rows<OUTPUT, COLUMNS>(args.target.surface, pen, row - 1, even, bytes, false);
            even = bytes;
        }
    }
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
    __shared__ alignas(16) float weights_of[WARPS][(MOST_COLUMN_ROWS + 1) * KEPT];
    __shared__ alignas(8) int first_of[WARPS][MOST_COLUMN_ROWS + 1];
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

    const int end = min(args.rows_a_warp, args.target.size_px[1] - j0);
    const Pen pen = pen_at<OUTPUT, COLUMNS>(args.target, i0, j0);
    const Path path = {row_weights, row_first, end};
    const int i = i0 + lane * COLUMNS;
    // The weight of tap k of column c.
    auto weight_of = [&](int c, int k) { return column_weights[k / EACH * WIDE * EACH + (c * 32 + lane) * EACH + k % EACH]; };
    // As all that follows of columns, the same for all warps of the block.
    const int beyond = sample_beyond(plane, column_first[0], column_first[WIDE - 1] + TAPS - 1);
    if (beyond != SEVERAL) {
        float totals[COLUMNS];
#pragma unroll
        for (int c = 0; c < COLUMNS; ++c) {
            totals[c] = weight_of(c, 0);
#pragma unroll
            for (int k = 1; k < TAPS; ++k) totals[c] += weight_of(c, k);
        }
        if (end > 0) walk_one<TAPS, OUTPUT, Samples>(args, pen, i, path, beyond, totals);
        return;
    }

    ColumnWeights<Columns, TAPS> horizontal;
    Source source = {INSIDE, column_first[lane], scattered + lane};
    const bool is_inside = __all_sync(0xffffffffu, Samples::is_inside(plane, source.place));
    const bool has_border = plane.address[1] == BORDER || (!is_inside && plane.address[0] == BORDER);
    // Whether every sample is read at its own place of the strip or before it.
    bool in_order = is_inside;
    if (!is_inside) {
        // A strip may be read from where it lies in the plane in another order, or with samples left out, if its weights follow.
        int least = plane.stored[0], most = 0, first = 0;
        bool ordered = true;
#pragma unroll 1
        for (int k = 0; k < COUNT; ++k) {
            int at = resolved(plane.address[0], source.place + k, plane.stored[0]);
            if (at >= plane.stored[0]) at = -1;
            if (warp == 0) scattered[k * 32 + lane] = at;
            if (k == 0) first = at;
            ordered = ordered && at >= max(first, 0) && at <= first + k;
            if (at >= 0) {
                least = min(least, at);
                most = max(most, at);
            }
        }
        __syncthreads();
        // Words that end beyond a row's last sample are read in the row after it.
        in_order = !UNIT && is_integer(Sample()) && __all_sync(0xffffffffu, ordered);
        const int place = max(0, min(least, Samples::last_place(plane)));
        const bool joined = is_integer(Sample()) && most < place + COUNT && Samples::is_inside(plane, place);
        const bool is_joined = in_order || __all_sync(0xffffffffu, joined);
        source.layout = is_joined ? INSIDE : SCATTERED;
        if (is_joined) source.place = in_order ? first : place;
    }
    if (!is_inside && source.layout == INSIDE) {
#pragma unroll
        for (int c = 0; c < COLUMNS; ++c) {
#pragma unroll
            for (int k = 0; k < COUNT; ++k) horizontal.of[c][k] = 0.0f;
            const int first = column_first[c * 32 + lane] - column_first[lane];
#pragma unroll 1
            for (int tap = 0; tap < TAPS; ++tap) {
                const float weight = weight_of(c, tap);
                const int at = scattered[(first + tap) * 32 + lane] - source.place;
#pragma unroll
                for (int k = 0; k < COUNT; ++k) horizontal.of[c][k] += at == k ? weight : 0.0f;
            }
        }
    } else {
#pragma unroll
        for (int c = 0; c < COLUMNS; ++c) {
            alignas(16) float own[KEPT];
            read_weights<KEPT>(column_weights + (c * 32 + lane) * EACH, own, WIDE * EACH);
            const int at = column_first[c * 32 + lane] - column_first[lane];
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
    }
    if (has_border) {
        if (warp == 0) {
#pragma unroll 1
            for (int c = 0; c < COLUMNS; ++c) {
                float outside = 0.0f, whole = 0.0f;
                const int first = column_first[c * 32 + lane] - column_first[lane];
#pragma unroll 1
                for (int k = 0; k < TAPS; ++k) {
                    const float weight = weight_of(c, k);
                    whole += weight * plane.border;
                    if (!is_inside && scattered[(first + k) * 32 + lane] < 0) outside += weight * plane.border;
                }
                constants[0][lane * COLUMNS + c] = outside;
                constants[1][lane * COLUMNS + c] = whole;
            }
        }
        __syncthreads();
    }
    if (end <= 0) return;

    constexpr int LOADED = TAPS + (UNIT ? Ahead<Sample, CHANNELS, TAPS>::COUNT - 1 : 1);
    // Rows of samples that are read below those of the last row, and one after which a row's words may end.
    constexpr int BELOW = LOADED - TAPS + (UNIT ? 3 : 1);
    const int top = row_first[0], bottom = row_first[end - 1] + TAPS;
    const bool rows_are_inside = source.layout == INSIDE && !has_border && top >= 0 && bottom + BELOW <= plane.stored[1];
    using Inside = RowsInside<Samples>;
    if (rows_are_inside && (UNIT || in_order)) {
        Inside rows(plane, source.place, top);
        FirstRows<Inside, LOADED> loaded;
        loaded.load(rows);
        if constexpr (UNIT) {
            alignas(16) float vertical[KEPT];
            read_weights<KEPT>(row_weights, vertical, 4);
            if (is_inside) {
                walk_evenly<TAPS, TAPS <= 4, OUTPUT, Value, COLUMNS>(args, pen, i, end, rows, loaded, horizontal, vertical);
            } else if constexpr (is_integer(Sample())) {
                const AnyWeights<Columns, TAPS> any = {horizontal};
                walk_evenly<TAPS, false, OUTPUT, Value, COLUMNS>(args, pen, i, end, rows, loaded, any, vertical);
            }
        } else {
            walk<TAPS, TAPS <= 4 ? TAPS : 1, OUTPUT, Value, COLUMNS>(args, pen, i, path, rows, loaded, horizontal);
        }
    } else {
        const unsigned bits = source.layout == INSIDE ? Samples::bits_before(source.place) : 0;
        const float *outside = constants[0] + lane * COLUMNS, *whole = constants[1] + lane * COLUMNS;
        using Anywhere = RowsAnywhere<Samples>;
        Anywhere rows = {plane, source, bits, top, top, has_border, outside, whole};
        FirstRows<Anywhere, TAPS + 1> loaded;
        loaded.load(rows);
        if constexpr (is_integer(Sample())) {
            const AnyWeights<Columns, TAPS> any = {horizontal};
            walk<TAPS, 1, OUTPUT, Value, COLUMNS>(args, pen, i, path, rows, loaded, any);
        } else {
            walk<TAPS, 1, OUTPUT, Value, COLUMNS>(args, pen, i, path, rows, loaded, horizontal);
        }
    }
}
