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
#include "samples.cuh"
#include "strip.cuh"
#include "walk.cuh"

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

    __device__ inline float sample(int k) const { return number_of(words[k / A_WORD], k % A_WORD, Sample()); }
};

// Rows of samples that are under way; of a view at one sample a pixel before its first row is made.
template <int TAPS, bool UNIT>
struct Ahead {
    static constexpr int COUNT = UNIT ? (TAPS == 6 ? 3 : TAPS == 4 ? 2 : 4) : 2;
};

// Neighbouring rows of samples in memory.
template <typename Loaded>
struct DirectRows {
    const unsigned* from;
    size_t row_words;
    unsigned bits;

    __device__ static inline Loaded none() { return Loaded(); }

    __device__ inline Loaded next() {
        Loaded words;
        words.load(from);
        from += row_words;
        return words;
    }

    template <typename Row>
    __device__ inline void filter(const Row& horizontal, Loaded words, float (&to)[THREAD_COLUMNS]) const {
        words.align(bits);
        horizontal.values(words, to);
    }
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
template <int TAPS, bool LANCZOS, int COUNT>
__device__ inline void directly(const WeightCurves& curves, float fraction, float unit, float (&weights)[COUNT]) {
    if constexpr (LANCZOS) {
        weigh_lanczos<TAPS / 2>(curves, fraction, unit, weights);
    } else {
        weigh_cubics<TAPS>(curves, fraction, unit, weights);
    }
}

// The same, stored at `to` as read_weights loads them.
template <int TAPS, bool LANCZOS>
__device__ inline void weigh_directly(const WeightCurves& curves, float fraction, float unit, float* to, int step) {
    alignas(16) float weights[Kept<TAPS>::COUNT] = {};
    directly<TAPS, LANCZOS>(curves, fraction, unit, weights);
    write_weights(to, weights, step);
}

// Column c of a thread, or the last column of the output.
__device__ inline int column_of(const TiledArguments& args, int i0, int c = 0) {
    return min(i0 + int(threadIdx.x % 32) * THREAD_COLUMNS + c, args.target.size_px[0] - 1);
}

// Filters rows of samples along x to the values of a thread's columns. `prepare`, for the block whose first column is i0, takes the first sample
// that the thread reads and the fraction of its position; `values` computes a row.
template <typename Sample, int TAPS, bool LANCZOS, bool UNIT>
struct Horizontal;

// At one sample a pixel: the same weights for every column.
template <typename Sample, int TAPS, bool LANCZOS>
struct Horizontal<Sample, TAPS, LANCZOS, true> {
    static constexpr int COUNT = TAPS + REACH;
    alignas(16) float weights[Kept<TAPS>::COUNT] = {};

    __device__ inline void prepare(const TiledArguments& args, int, int, float fraction) {
        directly<TAPS, LANCZOS>(args.curves, fraction, 1.0f, weights);
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
    __device__ inline void prepare(const TiledArguments& args, int i0, int first, float fraction) {
        constexpr int KEPT = Kept<TAPS>::COUNT, COLUMNS = Columns<KEPT>::COUNT, EACH = KEPT > 4 ? 4 : KEPT;
        __shared__ Columns<KEPT> columns;
        const int lane = threadIdx.x % 32;
        columns.first[threadIdx.x] = first_stored<TAPS>(args, 0, column_of(args, i0, threadIdx.x / 32), fraction);
        weigh_directly<TAPS, LANCZOS>(args.curves, fraction, 1.0f, columns.weights + threadIdx.x * EACH, COLUMNS * EACH);
        __syncthreads();
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

    __device__ inline void prepare(const TiledArguments&, int, int, float) {}

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

    __device__ inline void prepare(const TiledArguments& args, int i0, int first, float fraction) {
#pragma unroll
        for (int k = 0; k < PICKED; ++k) places[k] = 0;
#pragma unroll
        for (int c = 0; c < THREAD_COLUMNS; ++c) {
            const int at = c == 0 ? first : first_stored<1>(args, 0, column_of(args, i0, c), fraction);
#pragma unroll
            for (int byte = 0; byte < BYTES; ++byte) {
                int to = c * BYTES + byte;
                places[to / 4] |= unsigned((at - first) * BYTES + byte) << to % 4 * 4;
            }
        }
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
    using Rows = DirectRows<Loaded>;
    constexpr int KEPT = Kept<TAPS>::COUNT, AHEAD = Ahead<TAPS, UNIT>::COUNT;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int i0 = blockIdx.x * 32 * THREAD_COLUMNS, j0 = (blockIdx.y * WARPS + warp) * args.rows_a_warp;
    const int last_row = args.target.size_px[1] - 1;
    float fraction, vertical;
    const int column = first_stored<TAPS>(args, 0, column_of(args, i0), fraction);
    const int top = first_stored<TAPS>(args, 1, min(j0, last_row), vertical);
    const size_t row_words = args.plane.pitch / Loaded::A_WORD;
    const unsigned* corner = static_cast<const unsigned*>(args.plane.values) + column / Loaded::A_WORD;
    Rows rows = {corner + top * row_words, row_words, column % Loaded::A_WORD * 8 * unsigned(sizeof(Sample))};
    FirstRows<Rows, TAPS + AHEAD - UNIT> loaded;
    loaded.load(rows);
    Row horizontal;
    horizontal.prepare(args, i0, column, fraction);
    const int end = min(args.rows_a_warp, args.target.size_px[1] - j0);
    if (end <= 0) return;

    const Pen pen = pen_at<OUTPUT, THREAD_COLUMNS>(args.target, i0, j0);
    const int i = i0 + lane * THREAD_COLUMNS;
    if constexpr (UNIT) {
        alignas(16) float weights[KEPT] = {};
        directly<TAPS, LANCZOS>(args.curves, vertical, args.plane.inv_maxval, weights);
        walk_evenly<TAPS, true, OUTPUT, float, THREAD_COLUMNS>(args, pen, i, end, rows, loaded, horizontal, weights);
    } else {
        __shared__ alignas(16) float weights_of[WARPS][MOST_ROWS_A_WARP * KEPT];
        __shared__ alignas(8) int first_of[WARPS][MOST_ROWS_A_WARP];
        float* row_weights = weights_of[warp];
        int* row_first = first_of[warp];
        row_first[lane] = first_stored<TAPS>(args, 1, min(j0 + lane, last_row), fraction);
        weigh_directly<TAPS, LANCZOS>(args.curves, fraction, args.plane.inv_maxval, row_weights + lane * KEPT, 4);
        __syncwarp();
        const Path path = {row_weights, row_first, end};
        walk_pairs<TAPS, OUTPUT, float, THREAD_COLUMNS>(args, pen, i, path, rows, loaded, horizontal);
    }
}
