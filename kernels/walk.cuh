// How a warp walks down rows of the output, for `direct` and `columns`: the newest TAPS rows of values of a thread's columns are in registers,
// and rows of samples that are needed next are under way.
//
// `Rows` gives the rows of samples one after the other: `next()` loads a row, `filter()` makes its values. The first ones are under way before
// a block computes its weights.
#pragma once
#include "rows.cuh"
#include "weights.cuh"

// The first COUNT rows of samples.
template <typename Rows, int COUNT>
struct FirstRows {
    decltype(Rows::none()) of[COUNT];

    __device__ inline void load(Rows& rows) {
#pragma unroll
        for (int k = 0; k < COUNT; ++k) of[k] = rows.next();
    }
};

// Where a warp walks: the weights and the first rows of samples of its rows of the output, and how many there are. The tables have entries for
// an odd row after the last one.
struct Path {
    const float* weights;
    const int* first;
    int end;
};

// The sum along y of the newest rows, of which row k is in place (oldest + k) mod TAPS.
template <int TAPS, int OUTPUT, typename Value, int COLUMNS, int KEPT>
__device__ inline void sum_rows(const float (&weights)[KEPT], const Value (&ring)[TAPS][COLUMNS], int oldest, Value (&sums)[COLUMNS]) {
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c) {
        if constexpr (TAPS == 1) {
            set_all(sums[c], 0.0f);
        } else {
            sums[c] = times(weights[0], ring[oldest % TAPS][c]);
        }
#pragma unroll
        for (int k = 1; k + 1 < TAPS; ++k) add_weighted(sums[c], weights[k], ring[(oldest + k) % TAPS][c]);
        add_last<OUTPUT>(sums[c], weights[TAPS - 1], ring[(oldest + TAPS - 1) % TAPS][c]);
    }
}

// Values move up by a row.
template <int TAPS, typename Value, int COLUMNS>
__device__ inline void move_up(Value (&ring)[TAPS][COLUMNS]) {
#pragma unroll
    for (int k = 0; k + 1 < TAPS; ++k) {
#pragma unroll
        for (int c = 0; c < COLUMNS; ++c) ring[k][c] = ring[k + 1][c];
    }
}

// Rows of which several need the same rows of samples, from column i of the output on: two at once, while values move up in the registers.
template <int TAPS, int OUTPUT, typename Value, int COLUMNS, typename Rows, int LOADED, typename Weights>
__device__ inline void walk_pairs(const TiledArguments& args, Pen pen, int i, const Path& path, Rows rows, FirstRows<Rows, LOADED>& loaded,
                                  const Weights& horizontal) {
    constexpr int KEPT = Kept<TAPS>::COUNT;
    Value ring[TAPS][COLUMNS];
#pragma unroll
    for (int k = 0; k < TAPS; ++k) rows.filter(horizontal, loaded.of[k], ring[k]);
    const int2* first = reinterpret_cast<const int2*>(path.first);
    const float* weights_of_row = path.weights;
    int oldest = path.first[0];
#pragma unroll 1
    for (int left = path.end; left > 0; left -= 2) {
        alignas(16) float weights[2][KEPT];
#pragma unroll
        for (int r = 0; r < 2; ++r) read_weights<KEPT>(weights_of_row + r * KEPT, weights[r], 4);
        const int wanted[2] = {first->x, first->y};
        ++first;
        weights_of_row += 2 * KEPT;
        Value sums[COLUMNS];
        decltype(packed(sums, false)) bytes[2];
#pragma unroll
        for (int r = 0; r < 2; ++r) {
#pragma unroll 1
            while (oldest < wanted[r]) {
                const auto newest = loaded.of[TAPS];
#pragma unroll
                for (int k = TAPS; k + 1 < LOADED; ++k) loaded.of[k] = loaded.of[k + 1];
                loaded.of[LOADED - 1] = rows.next();
                move_up(ring);
                rows.filter(horizontal, newest, ring[TAPS - 1]);
                ++oldest;
            }
            sum_rows<TAPS, OUTPUT>(weights[r], ring, 0, sums);
            if constexpr (OUTPUT == OUTPUT_VALUES) {
                if (r < left) write_values(args.target, i, pen.y - pen.upper + r, sums);
            } else {
                bytes[r] = packed(sums, args.plane.has_alpha);
            }
        }
        if constexpr (OUTPUT != OUTPUT_VALUES) {
            write_rows<OUTPUT, COLUMNS>(args.target.surface, pen, 0, bytes[0], bytes[1], left == 1);
        }
        pen.y += 2;
    }
}

// Any rows. The newest values have constant places in as many COPIES of the loop's body; in one they move up.
template <int TAPS, int COPIES, int OUTPUT, typename Value, int COLUMNS, typename Rows, typename Weights>
__device__ inline void walk(const TiledArguments& args, const Pen& pen, int i, const Path& path, Rows rows, FirstRows<Rows, TAPS + 1>& loaded,
                            const Weights& horizontal) {
    constexpr int KEPT = Kept<TAPS>::COUNT;
    Value ring[TAPS][COLUMNS];
#pragma unroll
    for (int k = 0; k < TAPS; ++k) rows.filter(horizontal, loaded.of[k], ring[k]);
    auto ahead = loaded.of[TAPS];
    const int j0 = pen.y - pen.upper;
    alignas(16) float weights[KEPT];
    read_weights<KEPT>(path.weights, weights, 4);
    int row = 0, wanted = path.first[0], next = wanted;
    decltype(packed(ring[0], false)) even = {};
    while (true) {
#pragma unroll
        for (int oldest = 0; oldest < COPIES; ++oldest) {
            while (wanted == next) {
                alignas(16) float weights_after[KEPT];
                read_weights<KEPT>(path.weights + (row + 1) * KEPT, weights_after, 4);
                wanted = path.first[row + 1];
                Value sums[COLUMNS];
                sum_rows<TAPS, OUTPUT>(weights, ring, oldest, sums);
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
            auto newest = ahead;
            ahead = rows.next();
            if constexpr (COPIES < TAPS) move_up(ring);
            rows.filter(horizontal, newest, ring[COPIES < TAPS ? TAPS - 1 : oldest]);
            ++next;
        }
    }
done:
    if (OUTPUT != OUTPUT_VALUES && (path.end & 1)) {
        write_rows<OUTPUT, COLUMNS>(args.target.surface, pen, path.end - 1, even, even, true);
    }
}

// `end` rows, each of which needs one row of samples more than the one before it, all with the same weights. In UNROLLED code values keep
// their places in the registers.
template <int TAPS, bool UNROLLED, int OUTPUT, typename Value, int COLUMNS, typename Rows, int LOADED, typename Weights, int KEPT>
__device__ inline void walk_evenly(const TiledArguments& args, Pen pen, int i, int end, Rows rows, FirstRows<Rows, LOADED>& loaded,
                                   const Weights& horizontal, const float (&weights)[KEPT]) {
    // The first row of the output waits for the last of these.
    constexpr int AHEAD = LOADED - TAPS + 1, ROUND = UNROLLED ? (TAPS > AHEAD ? TAPS : AHEAD) : AHEAD;
    constexpr int STEPS = ROUND % 2 ? 2 * ROUND : ROUND;
    static_assert(STEPS % AHEAD == 0 && (!UNROLLED || STEPS % TAPS == 0), "steps come round");
    Value ring[TAPS][COLUMNS];
#pragma unroll
    for (int k = 0; k + 1 < TAPS; ++k) rows.filter(horizontal, loaded.of[k], ring[UNROLLED ? k : k + 1]);
#pragma unroll 1
    for (int left = end;; left -= STEPS) {
        Value sums[COLUMNS];
        decltype(packed(sums, false)) even = {};
#pragma unroll
        for (int step = 0; step < STEPS; ++step) {
            if (step % 2 == 0 && step >= left) return;
            auto& ahead = loaded.of[TAPS - 1 + step % AHEAD];
            const auto newest = ahead;
            ahead = rows.next();
            if constexpr (!UNROLLED) move_up(ring);
            rows.filter(horizontal, newest, ring[UNROLLED ? (step + TAPS - 1) % TAPS : TAPS - 1]);
            sum_rows<TAPS, OUTPUT>(weights, ring, UNROLLED ? step : 0, sums);
            if constexpr (OUTPUT == OUTPUT_VALUES) {
                if (step < left) write_values(args.target, i, pen.y - pen.upper + step, sums);
            } else {
                auto bytes = packed(sums, args.plane.has_alpha);
                if (step % 2) write_rows<OUTPUT, COLUMNS>(args.target.surface, pen, step - 1, even, bytes, step == left);
                even = bytes;
            }
        }
        pen.y += STEPS;
    }
}
