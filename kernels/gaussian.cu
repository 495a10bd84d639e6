// Twin: src/filter/gaussian.rs. A Gaussian blur in two passes of symmetric weights: across, from the plane's own numbers to
// values between the passes, then down.
//
// A thread makes a run of neighbouring results along the pass, so that a sample once in a register counts for all of them:
// the samples under the run slide by, eight at a time. Taps come in chunks. Of a chunk, the block holds the samples in shared
// memory and the sums in registers of their own, so that neither memory nor rounding grows with the radius.
//
// A sample beyond the last tap is never weighed, not even by 0: what is not finite spreads as far as the window and no
// further.
#include "filters.cuh"
#include "samples.cuh"

// Taps whose samples are in shared memory together.
#define CHUNK 32
// Taps that are added between two reads of samples.
#define STRIDE 8

__device__ inline int up_to_stride(int count) { return (count + STRIDE - 1) / STRIDE * STRIDE; }

// Values a row between the passes: runs end where rows end.
__device__ inline int between_pitch(const FilterArguments& args) { return (args.count[0] + 7) / 8 * 8; }

// The weights of all taps, from the first to the last, at the start of shared memory; where the memory goes on.
__device__ inline float4* share_weights(const GaussianArguments& args, float4* shared) {
    const int taps = 2 * args.filter.radius + 1, places = up_to_stride(taps);
    float* weights = reinterpret_cast<float*>(shared);
    for (int tap = threadIdx.y * blockDim.x + threadIdx.x; tap < places; tap += blockDim.x * blockDim.y) {
        weights[tap] = tap < taps ? args.weights[abs(tap - args.filter.radius)] : 0.0f;
    }
    return shared + places / 4;
}

// Adds the first `count` of STRIDE taps to every result of a run; `window` holds the samples from the first tap of the first
// result on.
template <bool ALL, int RUN, typename Value>
__device__ inline void add_taps(Value (&sums)[RUN], const Value (&window)[RUN + STRIDE], const float* weights, int count) {
    const float4 low = *reinterpret_cast<const float4*>(weights), high = *reinterpret_cast<const float4*>(weights + 4);
    const float weight[STRIDE] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
    for (int tap = 0; tap < STRIDE; ++tap) {
        if (ALL || tap < count) {
#pragma unroll
            for (int k = 0; k < RUN; ++k) add_weighted(sums[k], weight[tap], window[k + tap]);
        }
    }
}

// Adds a chunk of `taps` taps to a run. `read(at, values)` reads STRIDE or RUN neighbouring samples, `at` after the first
// one of the first result.
template <int RUN, typename Value, typename Read>
__device__ inline void add_chunk(Value (&sums)[RUN], const float* weights, int taps, Read read) {
    Value part[RUN] = {};
    Value window[RUN + STRIDE];
    Value next[STRIDE];
    Value first[RUN];
    read(0, first);
#pragma unroll
    for (int k = 0; k < RUN; ++k) window[k] = first[k];
    for (int from = 0; from < taps; from += STRIDE) {
        read(RUN + from, next);
#pragma unroll
        for (int k = 0; k < STRIDE; ++k) window[RUN + k] = next[k];
        if (from + STRIDE <= taps) {
            add_taps<true>(part, window, weights + from, STRIDE);
        } else {
            add_taps<false>(part, window, weights + from, taps - from);
        }
#pragma unroll
        for (int k = 0; k < RUN; ++k) window[k] = window[k + STRIDE];
    }
#pragma unroll
    for (int k = 0; k < RUN; ++k) add_weighted(sums[k], 1.0f, part[k]);
}

// A line of samples in shared memory, in pieces of sixteen bytes: four samples of grey, one of colour. After every eight
// pieces one is left free: runs that start 32 or 64 bytes apart are then read from different banks.
__device__ inline int piece_at(int piece) { return piece + piece / 8; }

template <typename Value>
struct Pieces;
template <>
struct Pieces<float> {
    static constexpr int VALUES = 4;
};
template <>
struct Pieces<float4> {
    static constexpr int VALUES = 1;
};

template <int COUNT>
__device__ inline void read_line(const float4* line, int at, float (&to)[COUNT]) {
#pragma unroll
    for (int k = 0; k < COUNT; k += 4) {
        float4 four = line[piece_at((at + k) / 4)];
        to[k] = four.x;
        to[k + 1] = four.y;
        to[k + 2] = four.z;
        to[k + 3] = four.w;
    }
}

template <int COUNT>
__device__ inline void read_line(const float4* line, int at, float4 (&to)[COUNT]) {
#pragma unroll
    for (int k = 0; k < COUNT; ++k) to[k] = line[piece_at(at + k)];
}

// The piece that starts at any column of a stored row.
template <typename Sample>
__device__ inline float4 load_piece(const Plane& plane, int row, int column, float) {
    float values[4];
    const Sample* numbers = static_cast<const Sample*>(plane.values) + size_t(row) * plane.pitch;
    if (column >= 0 && column + 4 <= plane.stored[0]) {
#pragma unroll
        for (int k = 0; k < 4; ++k) values[k] = float(numbers[column + k]);
    } else {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            read<Sample>(plane, row, resolve(plane.address[0], column + k, plane.stored[0]), values[k]);
        }
    }
    return make_float4(values[0], values[1], values[2], values[3]);
}

template <typename Sample>
__device__ inline float4 load_piece(const Plane& plane, int row, int column, float4) {
    float4 value;
    read<Sample>(plane, row, resolve(plane.address[0], column, plane.stored[0]), value);
    return value;
}

// Every stored row of the plane, at the results' columns.
template <typename Sample, typename Value>
__device__ inline void gaussian_horizontal(const GaussianArguments& args) {
    extern __shared__ float4 shared[];
    constexpr int RUN = Run<Value>::COUNT, VALUES = Pieces<Value>::VALUES;
    const FilterArguments& filter = args.filter;
    const Plane& plane = filter.plane;
    const float* weights = reinterpret_cast<const float*>(shared);
    const int columns = blockDim.x * RUN, taps = 2 * filter.radius + 1;
    const int pieces_a_line = piece_at((columns + CHUNK) / VALUES);
    float4* line = share_weights(args, shared) + threadIdx.y * pieces_a_line;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int left = blockIdx.x * columns, mine = threadIdx.x * RUN;
    Value sums[RUN] = {};
    for (int from = 0; from < taps; from += CHUNK) {
        const int chunk = min(CHUNK, taps - from);
        __syncthreads();
        if (row < plane.stored[1]) {
            const int pieces = (columns + up_to_stride(chunk)) / VALUES;
            const int first = filter.origin[0] + left + from - filter.radius;
            for (int piece = threadIdx.x; piece < pieces; piece += blockDim.x) {
                line[piece_at(piece)] = load_piece<Sample>(plane, row, first + piece * VALUES, Value());
            }
        }
        __syncthreads();
        add_chunk(sums, weights + from, chunk, [&](int at, auto& values) { read_line(line, mine + at, values); });
    }
    if (row >= plane.stored[1] || left + mine >= filter.count[0]) return;
    // Rows are as long as whole runs.
    Value* to = reinterpret_cast<Value*>(filter.between) + size_t(row) * between_pitch(filter) + left + mine;
#pragma unroll
    for (int k = 0; k < RUN; ++k) to[k] = times(plane.inv_maxval, sums[k]);
}

template <typename Value>
__device__ inline void gaussian_vertical(const GaussianArguments& args) {
    extern __shared__ float4 shared[];
    constexpr int RUN = Run<Value>::COUNT;
    const FilterArguments& filter = args.filter;
    const Plane& plane = filter.plane;
    const float* weights = reinterpret_cast<const float*>(shared);
    const int rows = blockDim.y * RUN, taps = 2 * filter.radius + 1, step = blockDim.x;
    Value* tile = reinterpret_cast<Value*>(share_weights(args, shared)) + threadIdx.x;
    const Result place = result_of_thread<RUN>();
    const int mine = threadIdx.y * RUN;
    const Value* between = reinterpret_cast<const Value*>(filter.between) + place.i;
    const Value border = everywhere<Value>(plane.border * plane.inv_maxval);
    Value sums[RUN] = {};
    for (int from = 0; from < taps; from += CHUNK) {
        const int chunk = min(CHUNK, taps - from);
        __syncthreads();
        if (place.i < filter.count[0]) {
            const int first = filter.origin[1] + place.top + from - filter.radius;
            for (int k = threadIdx.y; k < rows + up_to_stride(chunk); k += blockDim.y) {
                int row = resolve(plane.address[1], first + k, plane.stored[1]);
                tile[k * step] = row < plane.stored[1] ? between[size_t(row) * between_pitch(filter)] : border;
            }
        }
        __syncthreads();
        add_chunk(sums, weights + from, chunk, [&](int at, auto& values) {
            constexpr int COUNT = sizeof(values) / sizeof(Value);
#pragma unroll
            for (int k = 0; k < COUNT; ++k) values[k] = tile[(mine + at + k) * step];
        });
    }
    write_results(filter, place, sums, shared);
}
