// Twin: src/backend/cuda/plan/direct.rs, which decides the views that it serves. Weights come from the numbers in WeightCurves:
// cubics or Lanczos, no segments.
//
// `direct`: `tiled` without shared memory, for grey planes of integers and views that are neither rotated nor zoomed out and
// lie inside the plane. A thread loads the samples of its four neighbouring columns, a few words, from global memory into
// registers. Each warp walks down rows of its own, with the next rows of samples in flight.
//
// Two forms: `spread`, each column has its own first sample and fraction; `unit`, at one sample a pixel, neighbouring columns
// read neighbouring samples at one fraction.
//
// Coordinates: as for `tiled`.
#pragma once
#include "rows.cuh"
#include "weights.cuh"

#define MOST_ROWS_A_WARP 32
// Neighbouring columns of a thread, and how many samples more than one column they read together.
#define THREAD_COLUMNS 4
#define REACH (THREAD_COLUMNS - 1)

// The words that hold COUNT neighbouring samples, for any place of the first one in its word.
template <typename Sample, int COUNT>
struct Words {
    static constexpr int A_WORD = 4 / sizeof(Sample);
    static constexpr int LOADED = (COUNT + 2 * (A_WORD - 1)) / A_WORD;
    unsigned words[LOADED];

    __device__ inline void load(const unsigned* from) {
#pragma unroll
        for (int k = 0; k < LOADED; ++k) words[k] = __ldg(from + k);
    }

    // Shifts the first sample to the start of the first word; `bits` precede it.
    __device__ inline void align(unsigned bits) {
#pragma unroll
        for (int k = 0; k < LOADED; ++k) words[k] = __funnelshift_r(words[k], k + 1 < LOADED ? words[k + 1] : 0u, bits);
    }

    __device__ inline float sample(int k) const { return float(Sample(words[k / A_WORD] >> k % A_WORD * 8 * sizeof(Sample))); }
};

// Rows of samples that are prefetched, and unrolled steps of the walk: each step then has constant places among the prefetched
// rows and among the TAPS newest ones.
template <int TAPS>
struct Walk {
    static constexpr int AHEAD = TAPS == 6 ? 3 : TAPS == 4 ? 2 : 4;
    static constexpr int STEPS = TAPS < AHEAD ? AHEAD : TAPS;
    static_assert(STEPS % TAPS == 0 && STEPS % AHEAD == 0, "steps come round");
};

// Weights and first samples of a block's columns: thread t computes those of column t % 32 · 4 + t / 32, so that neither
// writes nor reads have bank conflicts. Of eight weights the second four follow the first four of all columns.
template <int KEPT>
struct Columns {
    static constexpr int COUNT = 32 * THREAD_COLUMNS;
    alignas(16) float weights[COUNT * KEPT];
    int first[COUNT];
};

// Weights of the form that the entry is compiled for.
template <int TAPS, bool LANCZOS>
__device__ inline void weigh_directly(const WeightCurves& curves, float fraction, float unit, float* to, int step) {
    alignas(16) float weights[Kept<TAPS>::COUNT] = {};
    if constexpr (LANCZOS) {
        weigh_lanczos<TAPS / 2>(curves, fraction, unit, weights);
    } else {
        weigh_cubics<TAPS>(curves, fraction, unit, weights);
    }
    write_weights(to, weights, step);
}

// Column c of a thread, or the last column of the output.
__device__ inline int column_of(const TiledArguments& args, int i0, int c = 0) {
    return min(i0 + int(threadIdx.x % 32) * THREAD_COLUMNS + c, args.target.size_px[0] - 1);
}

// Filters rows of samples along x to the values of a thread's columns. `prepare`, for the block whose first column is i0, gives
// the first sample that the thread reads; `values` computes a row.
template <typename Sample, int TAPS, bool LANCZOS, bool UNIT>
struct Horizontal;

// At one sample a pixel: the same weights for every column.
template <typename Sample, int TAPS, bool LANCZOS>
struct Horizontal<Sample, TAPS, LANCZOS, true> {
    static constexpr int COUNT = TAPS + REACH;
    alignas(16) float weights[Kept<TAPS>::COUNT];

    __device__ inline int prepare(const TiledArguments& args, int i0) {
        float fraction;
        int first = first_stored<TAPS>(args, 0, column_of(args, i0), fraction);
        weigh_directly<TAPS, LANCZOS>(args.curves, fraction, 1.0f, weights, 4);
        return first;
    }

    __device__ inline void values(const Words<Sample, COUNT>& words, float (&to)[THREAD_COLUMNS]) const {
        float samples[COUNT];
#pragma unroll
        for (int k = 0; k < COUNT; ++k) samples[k] = words.sample(k);
#pragma unroll
        for (int c = 0; c < THREAD_COLUMNS; ++c) {
            to[c] = times(weights[0], samples[c]);
#pragma unroll
            for (int k = 1; k < TAPS; ++k) add_weighted(to[c], weights[k], samples[c + k]);
        }
    }
};

// The first sample of column c is one of c + 1 samples; the weights of those before and after its own are 0.
template <typename Sample, int TAPS, bool LANCZOS>
struct Horizontal<Sample, TAPS, LANCZOS, false> {
    static constexpr int COUNT = TAPS + REACH;
    float weights[THREAD_COLUMNS][COUNT];

    // Each thread computes the weights of one column, then reads those of its own columns.
    __device__ inline int prepare(const TiledArguments& args, int i0) {
        constexpr int KEPT = Kept<TAPS>::COUNT, COLUMNS = Columns<KEPT>::COUNT, EACH = KEPT > 4 ? 4 : KEPT;
        __shared__ Columns<KEPT> columns;
        const int lane = threadIdx.x % 32;
        float fraction;
        columns.first[threadIdx.x] = first_stored<TAPS>(args, 0, column_of(args, i0, threadIdx.x / 32), fraction);
        weigh_directly<TAPS, LANCZOS>(args.curves, fraction, 1.0f, columns.weights + threadIdx.x * EACH, COLUMNS * EACH);
        __syncthreads();
        const int first = columns.first[lane];
#pragma unroll
        for (int c = 0; c < THREAD_COLUMNS; ++c) {
            const int at = columns.first[c * 32 + lane] - first;
            alignas(16) float own[KEPT];
            read_weights<KEPT>(columns.weights + (c * 32 + lane) * EACH, own, COLUMNS * EACH);
            // Factors of 0 and 1 in place of an index: registers have none.
#pragma unroll
            for (int k = 0; k < c + TAPS; ++k) weights[c][k] = 0.0f;
#pragma unroll
            for (int offset = 0; offset <= c; ++offset) {
                float here = at == offset ? 1.0f : 0.0f;
#pragma unroll
                for (int k = 0; k < TAPS; ++k) add_weighted(weights[c][k + offset], here, own[k]);
            }
        }
        return first;
    }

    __device__ inline void values(const Words<Sample, COUNT>& words, float (&to)[THREAD_COLUMNS]) const {
        float samples[COUNT];
#pragma unroll
        for (int k = 0; k < COUNT; ++k) samples[k] = words.sample(k);
#pragma unroll
        for (int c = 0; c < THREAD_COLUMNS; ++c) {
            to[c] = times(weights[c][0], samples[0]);
#pragma unroll
            for (int k = 1; k < c + TAPS; ++k) add_weighted(to[c], weights[c][k], samples[k]);
        }
    }
};

template <typename Sample>
struct Horizontal<Sample, 1, false, true> {
    static constexpr int COUNT = 1 + REACH;

    __device__ inline int prepare(const TiledArguments& args, int i0) {
        float fraction;
        return first_stored<1>(args, 0, column_of(args, i0), fraction);
    }

    __device__ inline void values(const Words<Sample, COUNT>& words, float (&to)[THREAD_COLUMNS]) const {
#pragma unroll
        for (int c = 0; c < THREAD_COLUMNS; ++c) to[c] = words.sample(c);
    }
};

// The sample of each column is selected by the places of its bytes.
template <typename Sample>
struct Horizontal<Sample, 1, false, false> {
    static constexpr int COUNT = 1 + REACH;
    static constexpr int BYTES = sizeof(Sample);
    static constexpr int PICKED = THREAD_COLUMNS * BYTES / 4;
    unsigned places[PICKED];

    __device__ inline int prepare(const TiledArguments& args, int i0) {
        int first = 0;
#pragma unroll
        for (int k = 0; k < PICKED; ++k) places[k] = 0;
#pragma unroll
        for (int c = 0; c < THREAD_COLUMNS; ++c) {
            float fraction;
            int at = first_stored<1>(args, 0, column_of(args, i0, c), fraction);
            if (c == 0) first = at;
#pragma unroll
            for (int byte = 0; byte < BYTES; ++byte) {
                int to = c * BYTES + byte;
                places[to / 4] |= unsigned((at - first) * BYTES + byte) << to % 4 * 4;
            }
        }
        return first;
    }

    __device__ inline void values(const Words<Sample, COUNT>& words, float (&to)[THREAD_COLUMNS]) const {
        Words<Sample, COUNT> picked;
#pragma unroll
        for (int k = 0; k < PICKED; ++k) picked.words[k] = __byte_perm(words.words[0], words.words[1], places[k]);
#pragma unroll
        for (int c = 0; c < THREAD_COLUMNS; ++c) to[c] = picked.sample(c);
    }
};

template <typename Sample, int TAPS, bool LANCZOS, int OUTPUT, bool UNIT>
__device__ inline void direct(const TiledArguments& args) {
    using Row = Horizontal<Sample, TAPS, LANCZOS, UNIT>;
    using Loaded = Words<Sample, Row::COUNT>;
    constexpr int KEPT = Kept<TAPS>::COUNT;
    constexpr int WIDE = 32 * THREAD_COLUMNS;
    constexpr int AHEAD = Walk<TAPS>::AHEAD, STEPS = Walk<TAPS>::STEPS;
    // One spare row: the weights of the row after the last one are read and not used.
    __shared__ alignas(16) float weights_of[WARPS][(MOST_ROWS_A_WARP + 1) * KEPT];
    __shared__ int first_of[WARPS][MOST_ROWS_A_WARP + 1];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int i0 = blockIdx.x * WIDE, j0 = (blockIdx.y * WARPS + warp) * args.rows_a_warp;
    Row horizontal;
    const int column = horizontal.prepare(args, i0);
    const int end = min(args.rows_a_warp, args.target.size_px[1] - j0);
    if (end <= 0) return;

    float fraction;
    float* row_weights = weights_of[warp];
    int* row_first = first_of[warp];
    row_first[lane] = first_stored<TAPS>(args, 1, min(j0 + lane, args.target.size_px[1] - 1), fraction);
    weigh_directly<TAPS, LANCZOS>(args.curves, fraction, args.plane.inv_maxval, row_weights + lane * KEPT, 4);
    if (lane == 0) row_first[MOST_ROWS_A_WARP] = 0;
    __syncwarp();

    int next = row_first[0];
    const size_t row_words = args.plane.pitch / Loaded::A_WORD;
    const unsigned* from = static_cast<const unsigned*>(args.plane.values) + next * row_words + column / Loaded::A_WORD;
    const unsigned bits = column % Loaded::A_WORD * 8 * sizeof(Sample);
    // The newest TAPS rows of values: row k of the plane is in place (k − first row) mod TAPS.
    float ring[TAPS][THREAD_COLUMNS];
    Loaded ahead[AHEAD];
    {
        Loaded rows[TAPS];
#pragma unroll
        for (int k = 0; k < TAPS; ++k) {
            rows[k].load(from);
            from += row_words;
        }
#pragma unroll
        for (int k = 0; k < AHEAD; ++k) {
            ahead[k].load(from);
            from += row_words;
        }
#pragma unroll
        for (int k = 0; k < TAPS; ++k) {
            rows[k].align(bits);
            horizontal.values(rows[k], ring[k]);
        }
    }

    Pen pen;
    pen.upper = lane / LANES_A_ROW;
    pen.x = i0 + lane % LANES_A_ROW * THREAD_COLUMNS;
    pen.y = j0 + pen.upper;
    pen.columns = args.target.size_px[0] - i0 - lane % LANES_A_ROW * THREAD_COLUMNS;
    pen.whole = i0 + WIDE <= args.target.size_px[0];
    // The weights of the next output row are read while this one is computed.
    alignas(16) float weights[KEPT];
    read_weights<KEPT>(row_weights, weights, 4);
    int row = 0, wanted = next;
    unsigned even = 0;
    while (true) {
#pragma unroll
        for (int step = 0; step < STEPS; ++step) {
            const int oldest = step % TAPS;
            while (wanted == next) {
                alignas(16) float weights_after[KEPT];
                read_weights<KEPT>(row_weights + (row + 1) * KEPT, weights_after, 4);
                wanted = row_first[row + 1];
                float sums[THREAD_COLUMNS];
#pragma unroll
                for (int c = 0; c < THREAD_COLUMNS; ++c) {
                    sums[c] = TAPS == 1 ? 0.0f : times(weights[0], ring[oldest][c]);
#pragma unroll
                    for (int k = 1; k + 1 < TAPS; ++k) add_weighted(sums[c], weights[k], ring[(oldest + k) % TAPS][c]);
                    add_last<OUTPUT>(sums[c], weights[TAPS - 1], ring[(oldest + TAPS - 1) % TAPS][c]);
                }
                if constexpr (OUTPUT == OUTPUT_VALUES) {
                    write_values(args.target, i0 + lane * THREAD_COLUMNS, j0 + row, sums);
                } else {
                    unsigned bytes = packed(sums, false);
                    if (row & 1) write_rows<OUTPUT, THREAD_COLUMNS>(args.target.surface, pen, row - 1, even, bytes, false);
                    even = bytes;
                }
                if (++row == end) goto done;
#pragma unroll
                for (int k = 0; k < KEPT; ++k) weights[k] = weights_after[k];
            }
            Loaded newest = ahead[step % AHEAD];
            ahead[step % AHEAD].load(from);
            from += row_words;
            newest.align(bits);
            horizontal.values(newest, ring[oldest]);
            ++next;
        }
    }
done:
    if (OUTPUT != OUTPUT_VALUES && (end & 1)) {
        write_rows<OUTPUT, THREAD_COLUMNS>(args.target.surface, pen, end - 1, even, even, true);
    }
}
