// Twin: src/filter/gaussian.rs, src/backend/cuda/render/filter_grid.rs (GaussianPasses). A Gaussian blur in two passes of symmetric weights: across,
// from the plane's own numbers to values between the passes, then down.
//
// A thread makes a run of neighbouring results along the pass, so that a sample once in a register counts for all of them: as many samples as
// it has results go through its registers at once. Taps come in chunks. Of a chunk, the block holds the samples in shared memory; of a part of
// a chunk, a thread holds the sums in registers of their own, so that neither memory nor rounding grows with the radius.
//
// A sample beyond the last tap is never weighed, not even by 0: what is not finite spreads as far as the window and no further.
#include "filters.cuh"
#include "samples.cuh"
#include "strip.cuh"

// Threads of a block across, and rows of the first pass.
#define ACROSS 32
#define LINES 4

// Results of a thread in each pass, threads of a block of the second pass down, and values in sixteen bytes.
template <typename Value>
struct Blur;
template <>
struct Blur<float> {
    static constexpr int ACROSS_RUN = 8, DOWN_RUN = 16, DOWN = 4, VALUES = 4;
};
template <>
struct Blur<float4> {
    static constexpr int ACROSS_RUN = 4, DOWN_RUN = 4, DOWN = 8, VALUES = 1;
};

// Taps of one partial sum.
#define PART 32
// Weights and chunks end at a multiple of it, as rows between the passes do.
#define STRIDE 16
// The most taps of a chunk, whose samples are in shared memory together.
#define MOST_CHUNK 144

__device__ inline int up_to_stride(int count) { return (count + STRIDE - 1) / STRIDE * STRIDE; }

// Values a row between the passes: runs end where rows end.
__device__ inline int between_pitch(const FilterArguments& args) { return up_to_stride(args.count[0]); }

// Taps of a chunk: as many in every one.
__device__ inline int chunk_of(int taps) {
    const int chunks = (taps + MOST_CHUNK - 1) / MOST_CHUNK;
    return up_to_stride((taps + chunks - 1) / chunks);
}

// The weights of all taps, from the first to the last, at the start of shared memory; where the memory goes on.
__device__ inline float4* share_weights(const GaussianArguments& args, float4* shared) {
    const int taps = 2 * args.filter.radius + 1, places = up_to_stride(taps);
    float* weights = reinterpret_cast<float*>(shared);
    for (int tap = threadIdx.y * ACROSS + threadIdx.x; tap < places; tap += ACROSS * blockDim.y) {
        weights[tap] = tap < taps ? args.weights[abs(tap - args.filter.radius)] : 0.0f;
    }
    return shared + places / 4;
}

// Adds the first `count` of RUN taps to every result of a run. The window goes round: the first sample of the first tap is in place FROM.
template <bool ALL, int FROM, int RUN, typename Value>
__device__ inline void add_taps(Value (&sums)[RUN], const Value (&window)[2 * RUN], const float* weights, int count) {
#pragma unroll
    for (int four = 0; four < RUN; four += 4) {
        const float4 of_four = *reinterpret_cast<const float4*>(weights + four);
        const float weight[4] = {of_four.x, of_four.y, of_four.z, of_four.w};
#pragma unroll
        for (int tap = 0; tap < 4; ++tap) {
            if (ALL || four + tap < count) {
#pragma unroll
                for (int k = 0; k < RUN; ++k) add_weighted(sums[k], weight[tap], window[(FROM + k + four + tap) % (2 * RUN)]);
            }
        }
    }
}

// Adds a chunk of `taps` taps to a run. `read(run, values)` reads RUN neighbouring samples, `run` runs after the first ones of the first result,
// to the half of the window that starts at `values`.
template <int RUN, typename Value, typename Read>
__device__ inline void add_chunk(Value (&sums)[RUN], const float* weights, int taps, Read read) {
    static_assert(PART % (2 * RUN) == 0, "the window comes round in a part");
    Value window[2 * RUN];
    read(0, window);
    int run = 1;
#pragma unroll 1
    for (int left = taps; left > 0; left -= PART) {
        Value part[RUN] = {};
#pragma unroll
        for (int phase = 0; phase < PART / RUN; ++phase) {
            const int count = left - phase * RUN;
            if (count > 0) {
                read(run + phase, window + (phase + 1) % 2 * RUN);
                const float* weight = weights + phase * RUN;
                if (phase % 2 == 0) {
                    if (count >= RUN) {
                        add_taps<true, 0>(part, window, weight, RUN);
                    } else {
                        add_taps<false, 0>(part, window, weight, count);
                    }
                } else {
                    if (count >= RUN) {
                        add_taps<true, RUN>(part, window, weight, RUN);
                    } else {
                        add_taps<false, RUN>(part, window, weight, count);
                    }
                }
            }
        }
        run += PART / RUN;
        weights += PART;
#pragma unroll
        for (int k = 0; k < RUN; ++k) add_weighted(sums[k], 1.0f, part[k]);
    }
}

__device__ inline void take(float4 four, float* to) {
    to[0] = four.x;
    to[1] = four.y;
    to[2] = four.z;
    to[3] = four.w;
}
__device__ inline void take(float4 value, float4* to) { *to = value; }

// A line of samples in shared memory, in pieces of sixteen bytes. Piece k of every thread's run lies in an array of its own, so that neighbouring
// threads read neighbouring pieces.
template <typename Value>
struct Line {
    static constexpr int RUN = Blur<Value>::ACROSS_RUN, VALUES = Blur<Value>::VALUES, ARRAYS = RUN / VALUES;
    static constexpr int PIECES = ACROSS + MOST_CHUNK / RUN;
    // Pieces from one array to the next: eight neighbouring pieces lie in different banks.
    static constexpr int STEP = (PIECES + 7) / 8 * 8 + 8 / ARRAYS;
    static constexpr int LENGTH = ARRAYS * STEP;
    float4 pieces[LENGTH];

    __device__ inline float4& at(int piece) { return pieces[piece % ARRAYS * STEP + piece / ARRAYS]; }

    __device__ inline void read(int run, Value* to) const {
#pragma unroll
        for (int k = 0; k < ARRAYS; ++k) take(pieces[k * STEP + threadIdx.x + run], to + k * VALUES);
    }
};

// The samples of a piece: four of grey from any place on, one of colour.
template <typename Sample, typename Value>
struct Piece;
template <typename Sample>
struct Piece<Sample, float> {
    using Four = Strip<Sample, 1, 4>;
    using Number = Sample;
    Four strip;

    __device__ static inline const Number* row_of(const Plane& plane, int row) { return Four::row_of(plane, row); }
    __device__ static inline int aligned(int column) { return Four::aligned(column); }
    __device__ static inline unsigned before(int column) { return Four::bits_before(column); }
    __device__ inline void load(const Number* numbers) { strip.load(numbers); }
    __device__ inline float4 values(unsigned bits) {
        strip.align(bits);
        return make_float4(strip.value(0), strip.value(1), strip.value(2), strip.value(3));
    }
    __device__ static inline float4 at_edge(const Plane& plane, int row, int column) {
        float values[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) read<Sample>(plane, row, resolve_at_edge(plane.address[0], column + k, plane.stored[0]), values[k]);
        return make_float4(values[0], values[1], values[2], values[3]);
    }
};
template <typename Sample>
struct Piece<Sample, float4> {
    using Number = typename Four<Sample>::Type;
    Number number;

    __device__ static inline const Number* row_of(const Plane& plane, int row) {
        return static_cast<const Number*>(plane.values) + size_t(row) * plane.pitch;
    }
    __device__ static inline int aligned(int column) { return column; }
    __device__ static inline unsigned before(int) { return 0; }
    __device__ inline void load(const Number* numbers) { number = __ldg(numbers); }
    __device__ inline float4 values(unsigned) const { return make_float4(number.x, number.y, number.z, number.w); }
    __device__ static inline float4 at_edge(const Plane& plane, int row, int column) {
        float4 value;
        read<Sample>(plane, row, resolve_at_edge(plane.address[0], column, plane.stored[0]), value);
        return value;
    }
};

// Takes `pieces` of a row of samples from stored column `first` on to shared memory.
template <typename Sample, typename Value>
__device__ inline void load_line(const Plane& plane, int row, int first, int pieces, Line<Value>& line) {
    using Piece = Piece<Sample, Value>;
    constexpr int VALUES = Line<Value>::VALUES, AT_ONCE = 4;
    // Whole words are read, which may begin before the first sample and end after the last one.
    if (first >= 0 && first + pieces * VALUES + 4 <= plane.stored[0]) {
        const auto* numbers = Piece::row_of(plane, row) + Piece::aligned(first) + threadIdx.x * VALUES;
        const unsigned before = Piece::before(first);
        for (int piece = threadIdx.x; piece < pieces; piece += AT_ONCE * ACROSS) {
            Piece loaded[AT_ONCE];
#pragma unroll
            for (int k = 0; k < AT_ONCE; ++k) {
                if (piece + k * ACROSS < pieces) loaded[k].load(numbers + k * ACROSS * VALUES);
            }
            numbers += AT_ONCE * ACROSS * VALUES;
#pragma unroll
            for (int k = 0; k < AT_ONCE; ++k) {
                if (piece + k * ACROSS < pieces) line.at(piece + k * ACROSS) = loaded[k].values(before);
            }
        }
    } else {
#pragma unroll 1
        for (int piece = threadIdx.x; piece < pieces; piece += ACROSS) {
            line.at(piece) = Piece::at_edge(plane, row, first + piece * VALUES);
        }
    }
}

// Every stored row of the plane, at the results' columns.
template <typename Sample, typename Value>
__device__ inline void gaussian_horizontal(const GaussianArguments& args) {
    extern __shared__ float4 shared[];
    constexpr int RUN = Line<Value>::RUN, VALUES = Line<Value>::VALUES;
    const FilterArguments& filter = args.filter;
    const Plane& plane = filter.plane;
    const float* weights = reinterpret_cast<const float*>(shared);
    const int taps = 2 * filter.radius + 1, most = chunk_of(taps);
    Line<Value>& line = reinterpret_cast<Line<Value>*>(share_weights(args, shared))[threadIdx.y];
    const int row = blockIdx.y * LINES + threadIdx.y;
    const int left = blockIdx.x * ACROSS * RUN, mine = left + threadIdx.x * RUN;
    Value sums[RUN] = {};
    for (int from = 0; from < taps; from += most) {
        const int chunk = min(most, taps - from);
        __syncthreads();
        if (row < plane.stored[1]) {
            const int pieces = (ACROSS * RUN + up_to_stride(chunk)) / VALUES;
            load_line<Sample, Value>(plane, row, filter.origin[0] + left + from - filter.radius, pieces, line);
        }
        __syncthreads();
        add_chunk(sums, weights + from, chunk, [&](int run, Value* values) { line.read(run, values); });
    }
    if (row >= plane.stored[1] || mine >= filter.count[0]) return;
    // Rows are as long as whole runs.
    float* to = reinterpret_cast<float*>(reinterpret_cast<Value*>(filter.between) + size_t(row) * between_pitch(filter) + mine);
    const float* from = reinterpret_cast<const float*>(sums);
#pragma unroll
    for (int k = 0; k < RUN * int(sizeof(Value) / sizeof(float)); k += 4) {
        *reinterpret_cast<float4*>(to + k) = times(plane.inv_maxval, make_float4(from[k], from[k + 1], from[k + 2], from[k + 3]));
    }
}

template <typename Value>
__device__ inline void gaussian_vertical(const GaussianArguments& args) {
    extern __shared__ float4 shared[];
    constexpr int RUN = Blur<Value>::DOWN_RUN, DOWN = Blur<Value>::DOWN, TALL = DOWN * RUN;
    // Loads of a row of the tile, rows that a block loads at once, and rows of a thread that are under way together.
    constexpr int PIECES = ACROSS / Blur<Value>::VALUES, AT_ONCE = ACROSS * DOWN / PIECES, BATCH = 4;
    const FilterArguments& filter = args.filter;
    const Plane& plane = filter.plane;
    const float* weights = reinterpret_cast<const float*>(shared);
    const int taps = 2 * filter.radius + 1, most = chunk_of(taps);
    float4* tile = share_weights(args, shared);
    const int left = blockIdx.x * ACROSS, top = blockIdx.y * TALL;
    const Result place = {left + int(threadIdx.x), top + int(threadIdx.y) * RUN, left, top};
    const int thread = threadIdx.y * ACROSS + threadIdx.x, piece = thread % PIECES, upper = thread / PIECES;
    const int pitch = between_pitch(filter) / Blur<Value>::VALUES;
    const int column = left / Blur<Value>::VALUES + piece;
    const float4* between = reinterpret_cast<const float4*>(filter.between) + column;
    const float border = plane.border * plane.inv_maxval;
    const Value* mine = reinterpret_cast<const Value*>(tile) + threadIdx.y * RUN * ACROSS + threadIdx.x;
    Value sums[RUN] = {};
    for (int from = 0; from < taps; from += most) {
        const int chunk = min(most, taps - from);
        __syncthreads();
        if (column < pitch) {
            const int first = filter.origin[1] + top + from - filter.radius, rows = TALL + up_to_stride(chunk);
            if (first >= 0 && first + rows <= plane.stored[1]) {
                const float4* numbers = between + size_t(first + upper) * pitch;
                for (int row = upper; row < rows; row += BATCH * AT_ONCE) {
                    float4 loaded[BATCH];
#pragma unroll
                    for (int k = 0; k < BATCH; ++k) {
                        if (row + k * AT_ONCE < rows) loaded[k] = __ldg(numbers);
                        numbers += size_t(AT_ONCE) * pitch;
                    }
#pragma unroll
                    for (int k = 0; k < BATCH; ++k) {
                        if (row + k * AT_ONCE < rows) tile[(row + k * AT_ONCE) * PIECES + piece] = loaded[k];
                    }
                }
            } else {
#pragma unroll 1
                for (int row = upper; row < rows; row += AT_ONCE) {
                    const int stored = resolve_at_edge(plane.address[1], first + row, plane.stored[1]);
                    tile[row * PIECES + piece] =
                        stored < plane.stored[1] ? between[size_t(stored) * pitch] : make_float4(border, border, border, border);
                }
            }
        }
        __syncthreads();
        add_chunk(sums, weights + from, chunk, [&](int run, Value* values) {
#pragma unroll
            for (int k = 0; k < RUN; ++k) values[k] = mine[(run * RUN + k) * ACROSS];
        });
    }
    write_results(filter, place, sums, shared);
}
