// Twin: src/sampling/prefilter.rs. Samples become B-spline coefficients, both axes at once: a block reads a tile and
// WARM_UP samples around it, each after its address mode, filters its rows, then its columns, and writes the tile. The tiles
// are independent, since a sample WARM_UP places away contributes |z|^WARM_UP < 2·10⁻⁹. A thread filters a line in
// registers.
//
// The poles are data. Kernels of one pole with |z| < 0.272 (cubic and quadratic B-spline) have entries of their own, with
// WARM_UP 16; `cascade` runs any number of poles one after another, with WARM_UP 24.
//
// Coordinates: stored indices of the coefficients; coefficient 0 is sample −halo.
#include "samples.cuh"

// Values of a line in registers: a tile and what is around it.
#define SPAN 96
// A row in shared memory has four floats more than its values: 16 bytes a lane down eight rows then fall into different banks.
#define SPAN_FLOATS (SPAN + 4)

// The two recursions of one pole over SPAN values, both started as if the first and the last value continued for ever. Values
// before `from` are not finished.
template <int FROM>
__device__ inline void filter_line(const PrefilterArguments& args, int which, float (&line)[SPAN]) {
    const float pole = args.poles[which], gain = args.gains[which];
    line[0] *= args.starts[which];
#pragma unroll
    for (int k = 1; k < SPAN; ++k) line[k] = __fmaf_rn(pole, line[k - 1], line[k]);
    line[SPAN - 1] *= args.ends[which];
#pragma unroll
    for (int k = SPAN - 2; k >= FROM; --k) line[k] = __fmaf_rn(pole, line[k + 1], gain * line[k]);
}

// All poles of a line. With WARM_UP 16 there is one.
template <int WARM_UP>
__device__ inline void filter(const PrefilterArguments& args, float (&line)[SPAN]) {
    if constexpr (WARM_UP == 16) {
        filter_line<WARM_UP>(args, 0, line);
    } else {
#pragma unroll 1
        for (int k = 0; k < args.pole_count; ++k) filter_line<0>(args, k, line);
    }
}

template <typename Sample, int CHANNELS, int WARM_UP>
__device__ inline void prefilter(const PrefilterArguments& args) {
    constexpr int TILE = SPAN - 2 * WARM_UP;
    __shared__ float4 memory[SPAN * SPAN_FLOATS / 4];
    float* tile = reinterpret_cast<float*>(memory);
    const Plane& plane = args.plane;
    const int channel = blockIdx.z;
    const int left = blockIdx.x * TILE - WARM_UP - args.halo[0], top = blockIdx.y * TILE - WARM_UP - args.halo[1];
    const Sample* samples = static_cast<const Sample*>(plane.values);
    // Four samples at once start at a multiple of four.
    const bool inside = left >= 0 && top >= 0 && left + SPAN <= plane.stored[0] && top + SPAN <= plane.stored[1] &&
                        (WARM_UP == 16 || left % 4 == 0);
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
                make_float4(four.x * plane.inv_maxval, four.y * plane.inv_maxval, four.z * plane.inv_maxval, four.w * plane.inv_maxval);
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
                loaded[k] = (kept ? float(from[at[k] * CHANNELS]) : plane.border) * plane.inv_maxval;
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
    filter<WARM_UP>(args, line);
#pragma unroll
    for (int k = WARM_UP; k < WARM_UP + TILE; k += 4) {
        row[k / 4] = make_float4(line[k], line[k + 1], line[k + 2], line[k + 3]);
    }
    __syncthreads();
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE;
    if (threadIdx.x >= TILE || x >= args.stored[0]) return;
#pragma unroll
    for (int k = 0; k < SPAN; ++k) line[k] = tile[k * SPAN_FLOATS + WARM_UP + threadIdx.x];
    filter<WARM_UP>(args, line);
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
