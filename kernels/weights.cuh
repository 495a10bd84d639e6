// Twin: src/backend/cuda/curves.rs. The first sample and the weights of a column or a row of a view that is not rotated, for
// the kernels that go axis by axis.
#pragma once
#include "arguments.cuh"
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

// 1/x to a unit in the last place.
__device__ inline float reciprocal(float x) {
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

// sinc(d)·sinc(d/A) of the 2A samples around a position, divided by their sum and times `unit`. Since sin πd is ±sin πf for
// every one of them, it cancels, and so do all other constant factors: what is left is ±sin(πd/A)/d². The sines follow from
// those of the two nearest samples, s = sin(πf/A) and q = sin(πg/A), g = 1 − f; everything is multiplied by f·g, so that the
// nearest samples' weights are s/f·g and q/g·f, where s/f and q/g are polynomials of f² and g².
template <int A>
__device__ inline void weigh_lanczos_by(const WeightCurves& curves, float f, float unit, float* weights) {
    auto sine_over = [&](float x) {
        float4 low = curves.cubics[0], high = curves.cubics[1];
        float square = x * x;
        float sum = __fmaf_rn(__fmaf_rn(high.y, square, high.x), square, low.w);
        return __fmaf_rn(__fmaf_rn(__fmaf_rn(sum, square, low.z), square, low.y), square, low.x);
    };
    auto over_square = [](float numerator, float x) {
        float inverse = reciprocal(x);
        return numerator * inverse * inverse;
    };
    const float g = 1.0f - f, product = f * g;
    const float nearest = sine_over(f), next = sine_over(g);
    const float s = nearest * f * product, q = next * g * product;
    weights[A - 1] = nearest * g;
    weights[A] = next * f;
    if constexpr (A == 2) {
        weights[0] = -over_square(q, 1.0f + f);
        weights[3] = -over_square(s, 1.0f + g);
    } else if constexpr (A == 3) {
        const float between = s + q;
        weights[0] = over_square(q, 2.0f + f);
        weights[1] = -over_square(between, 1.0f + f);
        weights[4] = -over_square(between, 1.0f + g);
        weights[5] = over_square(s, 2.0f + g);
    } else {
        const float cosine = __fmaf_rn(1.41421356f, q, s), between = (cosine + s) * 0.70710678f;
        weights[0] = -over_square(q, 3.0f + f);
        weights[1] = over_square(cosine, 2.0f + f);
        weights[2] = -over_square(between, 1.0f + f);
        weights[5] = -over_square(cosine, 1.0f + g);
        weights[6] = over_square(between, 2.0f + g);
        weights[7] = -over_square(s, 3.0f + g);
    }
    float sum = weights[0];
#pragma unroll
    for (int tap = 1; tap < 2 * A; ++tap) sum += weights[tap];
    // At a sample its weight is 1 to the last bit.
    const float factor = f == 0.0f ? 0.0f : unit * __frcp_rn(sum);
#pragma unroll
    for (int tap = 0; tap < 2 * A; ++tap) weights[tap] *= factor;
    if (f == 0.0f) weights[A - 1] = unit;
}

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
        if constexpr (TAPS >= 4) weigh_lanczos_by<TAPS / 2>(curves, fraction, unit, weights);
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
