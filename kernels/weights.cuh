// Twin: src/backend/cuda/curves.rs. The first sample and the weights of a column or a row of a view that is not rotated, for
// the kernels that go axis by axis.
#pragma once
#include "arguments.cuh"
#include "methods.cuh"
#include "position.cuh"

// As many floats as the weights of one position take in shared memory.
template <int TAPS>
struct Kept {
    static constexpr int COUNT = TAPS == 6 ? 8 : TAPS;
};

// Weights of one position, sixteen bytes at once where there are as many; the second four lie `step` floats after the first.
template <int KEPT>
__device__ inline void write_weights(float* to, const float (&weights)[KEPT], int step) {
#pragma unroll
    for (int k = 0; k < KEPT; ++k) {
        if constexpr (KEPT >= 4) {
            if (k % 4 == 0) *reinterpret_cast<float4*>(to + k / 4 * step) = *reinterpret_cast<const float4*>(weights + k);
        } else {
            to[k] = weights[k];
        }
    }
}
template <int KEPT>
__device__ inline void read_weights(const float* from, float (&weights)[KEPT], int step) {
#pragma unroll
    for (int k = 0; k < KEPT; ++k) {
        if constexpr (KEPT >= 4) {
            if (k % 4 == 0) *reinterpret_cast<float4*>(weights + k) = *reinterpret_cast<const float4*>(from + k / 4 * step);
        } else {
            weights[k] = from[k];
        }
    }
}

__device__ inline float cubic_at(float4 terms, float t) {
    return __fmaf_rn(__fmaf_rn(__fmaf_rn(terms.w, t, terms.z), t, terms.y), t, terms.x);
}

// As weigh_lanczos wants it, from the curves.
struct SineByCurve {
    const WeightCurves& curves;

    __device__ float operator()(float x) const {
        float4 low = curves.cubics[0], high = curves.cubics[1];
        float square = x * x;
        float sum = __fmaf_rn(__fmaf_rn(high.y, square, high.x), square, low.w);
        return __fmaf_rn(__fmaf_rn(__fmaf_rn(sum, square, low.z), square, low.y), square, low.x);
    }
};

// The weights of a cubic, times `unit`.
template <int TAPS, int COUNT>
__device__ inline void weigh_cubics(const WeightCurves& curves, float fraction, float unit, float (&weights)[COUNT]) {
#pragma unroll
    for (int tap = 0; tap < TAPS; ++tap) weights[tap] = cubic_at(curves.cubics[tap], fraction) * unit;
}

// The weights of all TAPS samples at `fraction`, times `unit`.
template <int TAPS>
__device__ inline void weigh(const WeightCurves& curves, float fraction, float unit, float* to, int step) {
    float weights[Kept<TAPS>::COUNT] = {};
    if (TAPS >= 4 && curves.lanczos != 0) {
        if constexpr (TAPS >= 4) weigh_lanczos<TAPS / 2>(SineByCurve{curves}, fraction, unit, weights);
    } else if (TAPS <= 4 && curves.segments == 0) {
        weigh_cubics<TAPS>(curves, fraction, unit, weights);
    } else {
        float scaled = fraction * float(curves.segments);
        int segment = min(int(scaled), curves.segments - 1);
        float t = scaled - float(segment), square = t * t;
        float fourth = square * square;
        const float4* terms = curves.terms + segment;
#pragma unroll
        for (int tap = 0; tap < TAPS; ++tap) {
            float4 low = __ldg(terms + 2 * tap * curves.segments), high = __ldg(terms + (2 * tap + 1) * curves.segments);
            weights[tap] = __fmaf_rn(cubic_at(high, t), fourth, cubic_at(low, t)) * unit;
        }
    }
    write_weights(to, weights, step);
}

// The first stored index that column or row `index` reads.
template <int TAPS>
__device__ inline int first_stored(const TiledArguments& args, int axis, int index, float& fraction) {
    Place place = place_of(position_along(args.map, axis, index), TAPS == 1);
    fraction = place.fraction;
    return place.whole - args.curves.before + args.plane.halo[axis];
}
