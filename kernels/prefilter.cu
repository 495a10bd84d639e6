// Twin: src/sampling/prefilter.rs. Samples become B-spline coefficients, both axes at once: a block reads a tile and
// WARM_UP samples around it, each after its address mode, filters its rows, then its columns, and writes the tile. What
// happens WARM_UP samples away counts |z|^16 < 10⁻⁹, so that every tile stands for itself. A thread filters a line in
// registers.
//
// Coordinates: stored indices of the coefficients; coefficient 0 is sample −halo.
#include "samples.cuh"

#define TILE 64
#define WARM_UP 16
#define SPAN (TILE + 2 * WARM_UP)
// Lines of four floats more than they hold: sixteen bytes a lane down eight lines then fall into different banks.
#define SPAN_FLOATS (SPAN + 4)
#define POLE (-0.26794919243112270647f)

// The two recursions over SPAN values, both started as if the first and the last value went on for ever.
__device__ inline void filter_line(float (&line)[SPAN]) {
    const float gain = (1.0f - POLE) * (1.0f - 1.0f / POLE);
    line[0] *= 1.0f / (1.0f - POLE);
#pragma unroll
    for (int k = 1; k < SPAN; ++k) line[k] = __fmaf_rn(POLE, line[k - 1], line[k]);
    line[SPAN - 1] *= -POLE / (1.0f - POLE) * gain;
#pragma unroll
    for (int k = SPAN - 2; k >= WARM_UP; --k) line[k] = __fmaf_rn(POLE, line[k + 1], (-POLE * gain) * line[k]);
}

template <typename Sample, int CHANNELS>
__device__ inline void prefilter(const PrefilterArguments& args) {
    __shared__ float4 memory[SPAN * SPAN_FLOATS / 4];
    float* tile = reinterpret_cast<float*>(memory);
    const Plane& plane = args.plane;
    const int channel = blockIdx.z;
    const int left = blockIdx.x * TILE - WARM_UP - args.halo[0], top = blockIdx.y * TILE - WARM_UP - args.halo[1];
    const Sample* samples = static_cast<const Sample*>(plane.values);
    const bool inside = left >= 0 && top >= 0 && left + SPAN <= plane.stored[0] && top + SPAN <= plane.stored[1];
    // A thread loads every fourth row of its four columns.
    const int column = threadIdx.x % (SPAN / 4) * 4, first_row = threadIdx.x / (SPAN / 4);
    float4* to = memory + (first_row * SPAN_FLOATS + column) / 4;
    if (CHANNELS == 1 && inside) {
        using Four = typename Four<Sample>::Type;
        const Sample* from = samples + size_t(top + first_row) * plane.pitch + left + column;
#pragma unroll
        for (int n = 0; n < SPAN / 4; ++n) {
            Four four = __ldg(reinterpret_cast<const Four*>(from + size_t(n) * 4 * plane.pitch));
            to[n * SPAN_FLOATS] =
                make_float4(four.x * plane.unit, four.y * plane.unit, four.z * plane.unit, four.w * plane.unit);
        }
    } else {
        int at[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) at[k] = resolve(plane.address[0], left + column + k, plane.stored[0]);
        for (int n = 0; n < SPAN / 4; ++n) {
            int stored_row = resolve(plane.address[1], top + first_row + 4 * n, plane.stored[1]);
            const Sample* from = samples + size_t(stored_row) * plane.pitch * CHANNELS + channel;
            float loaded[4];
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                bool kept = at[k] < plane.stored[0] && stored_row < plane.stored[1];
                loaded[k] = (kept ? float(from[at[k] * CHANNELS]) : plane.border) * plane.unit;
            }
            to[n * SPAN_FLOATS] = make_float4(loaded[0], loaded[1], loaded[2], loaded[3]);
        }
    }
    __syncthreads();
    float line[SPAN];
    float4* row = memory + threadIdx.x * (SPAN_FLOATS / 4);
#pragma unroll
    for (int k = 0; k < SPAN; k += 4) {
        float4 four = row[k / 4];
        line[k] = four.x;
        line[k + 1] = four.y;
        line[k + 2] = four.z;
        line[k + 3] = four.w;
    }
    filter_line(line);
#pragma unroll
    for (int k = WARM_UP; k < WARM_UP + TILE; k += 4) {
        row[k / 4] = make_float4(line[k], line[k + 1], line[k + 2], line[k + 3]);
    }
    __syncthreads();
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE;
    if (threadIdx.x >= TILE || x >= args.stored[0]) return;
#pragma unroll
    for (int k = 0; k < SPAN; ++k) line[k] = tile[k * SPAN_FLOATS + WARM_UP + threadIdx.x];
    filter_line(line);
    float* result = args.coefficients + (size_t(y) * args.pitch + x) * CHANNELS + channel;
    const size_t step = size_t(args.pitch) * CHANNELS;
    const int count = min(TILE, args.stored[1] - y);
    if (count == TILE) {
#pragma unroll
        for (int k = 0; k < TILE; ++k) result[k * step] = line[WARM_UP + k];
    } else {
#pragma unroll
        for (int k = 0; k < TILE; ++k) {
            if (k < count) result[k * step] = line[WARM_UP + k];
        }
    }
}
