// Twin: src/backend/cuda/plan/weight_polynomials.rs. The weights of one position, evaluated from WeightCurves.
//
// A kernel (an interpolation kernel w(d)) reaches a CUDA kernel as numbers only: polynomial coefficients, segment count,
// taps before the position. No function here knows a method by name.
#pragma once
#include "arguments.cuh"
#include "position.cuh"

// Floats that the weights of one position occupy: TAPS, or 8 for 6 taps, so that they are stored as whole float4s.
template <int TAPS>
struct Kept {
    enum { COUNT = TAPS == 6 ? 8 : TAPS };
};

// Stores the weights of one position, 16 bytes at a time where there are at least four. The second float4 goes `step` floats
// after the first.
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

// Loads the weights of one position from where write_weights stored them.
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

// 1/x to within 1 ulp.
__device__ inline float reciprocal(float x) {
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

__device__ inline float cubic_at(float4 terms, float t) {
    return __fmaf_rn(__fmaf_rn(__fmaf_rn(terms.w, t, terms.z), t, terms.y), t, terms.x);
}

// sin(πx/a)/x for 0 ≤ x ≤ 1, a polynomial of x² whose six coefficients are the first two entries of `cubics`.
__device__ inline float sine_over(const WeightCurves& curves, float x) {
    float4 low = curves.cubics[0], high = curves.cubics[1];
    float square = x * x;
    float sum = __fmaf_rn(__fmaf_rn(high.y, square, high.x), square, low.w);
    return __fmaf_rn(__fmaf_rn(__fmaf_rn(sum, square, low.z), square, low.y), square, low.x);
}

// Weights of a Lanczos kernel with A lobes a side, times `unit`: sinc(d)·sinc(d/A) of the 2A samples around a position,
// divided by their sum.
//
// sin πd is ±sin πf for every sample, so it cancels in the quotient, as do all other common factors; ±sin(πd/A)/d² remains.
// The sines follow from those of the two nearest samples, s = sin(πf/A) and q = sin(πg/A), g = 1 − f. All weights carry the
// common factor f·g, so that the nearest samples have the weights s/f·g and q/g·f, where s/f and q/g are sine_over's.
template <int A>
__device__ inline void weigh_lanczos(const WeightCurves& curves, float f, float unit, float* weights) {
    auto over_square = [](float numerator, float x) {
        float inverse = reciprocal(x);
        return numerator * inverse * inverse;
    };
    const float g = 1.0f - f, product = f * g;
    const float nearest = sine_over(curves, f), next = sine_over(curves, g);
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
    // A position on a sample gives that sample the weight 1 exactly.
    const float factor = f == 0.0f ? 0.0f : unit * __frcp_rn(sum);
#pragma unroll
    for (int tap = 0; tap < 2 * A; ++tap) weights[tap] *= factor;
    if (f == 0.0f) weights[A - 1] = unit;
}

// Weights of one cubic a tap, times `unit`.
template <int TAPS, int COUNT>
__device__ inline void weigh_cubics(const WeightCurves& curves, float fraction, float unit, float (&weights)[COUNT]) {
#pragma unroll
    for (int tap = 0; tap < TAPS; ++tap) weights[tap] = cubic_at(curves.cubics[tap], fraction) * unit;
}

// Weights of a symmetric cubic kernel whose slope is 0 at its middle and at its ends, of four taps. Fewer operations than
// weigh_cubics takes: an operation reads one constant at most, a polynomial from two constants on moves one of them first.
__device__ inline void weigh_symmetric(const WeightCurves& curves, float f, float* weights) {
    const float g = 1.0f - f, f_square = f * f, g_square = g * g;
    weights[0] = __fmaf_rn(curves.outer[1], g, curves.outer[0]) * g_square;
    weights[1] = __fmaf_rn(__fmaf_rn(curves.inner[2], f, curves.inner[1]), f_square, curves.inner[0]);
    weights[2] = __fmaf_rn(__fmaf_rn(curves.inner[2], g, curves.inner[1]), g_square, curves.inner[0]);
    weights[3] = __fmaf_rn(curves.outer[1], f, curves.outer[0]) * f_square;
}

// Weights of one polynomial of degree seven a tap and segment of α, times `unit`.
template <int TAPS, int COUNT>
__device__ inline void weigh_segments(const WeightCurves& curves, float fraction, float unit, float (&weights)[COUNT]) {
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

// Which forms of WeightCurves an entry reads. One that makes its weights for every pixel reads few, since a form that it
// does not need costs instructions and registers.
enum WeightForm : int {
    FORM_LINEAR,     // 1 − α and α, without any coefficients
    FORM_SYMMETRIC,  // four taps by weigh_symmetric
    FORM_ANY,        // all others
};

// The weights of any kernel, times `unit`.
template <int TAPS, int COUNT>
__device__ inline void weigh_any(const WeightCurves& curves, float fraction, float unit, float (&weights)[COUNT]) {
    if (TAPS >= 4 && curves.lanczos != 0) {
        if constexpr (TAPS >= 4) weigh_lanczos<TAPS / 2>(curves, fraction, unit, weights);
    } else if (TAPS <= 4 && curves.segments == 0) {
        weigh_cubics<TAPS>(curves, fraction, unit, weights);
    } else {
        weigh_segments<TAPS>(curves, fraction, unit, weights);
    }
}

// Weights of the TAPS samples of a position with fraction `fraction`, times `unit`.
template <int FORM, int TAPS, int COUNT>
__device__ inline void weights_at(const WeightCurves& curves, float fraction, float unit, float (&weights)[COUNT]) {
    if constexpr (TAPS == 1) {
        weights[0] = unit;
    } else if constexpr (FORM == FORM_LINEAR) {
        weights[0] = (1.0f - fraction) * unit;
        weights[1] = fraction * unit;
    } else if constexpr (FORM == FORM_SYMMETRIC) {
        static_assert(TAPS == 4, "symmetric cubics have four taps");
        weigh_symmetric(curves, fraction, weights);
#pragma unroll
        for (int tap = 0; tap < TAPS; ++tap) weights[tap] *= unit;
    } else {
        weigh_any<TAPS>(curves, fraction, unit, weights);
    }
}

// The weights of any kernel, stored at `to` as read_weights loads them.
template <int TAPS>
__device__ inline void weigh(const WeightCurves& curves, float fraction, float unit, float* to, int step) {
    float weights[Kept<TAPS>::COUNT] = {};
    weigh_any<TAPS>(curves, fraction, unit, weights);
    write_weights(to, weights, step);
}

// The first stored index that column or row `index` reads.
template <int TAPS>
__device__ inline int first_stored(const TiledArguments& args, int axis, int index, float& fraction) {
    Place place = place_of(position_along(args.map, axis, index), TAPS == 1);
    fraction = place.fraction;
    return place.whole - args.curves.taps_before + args.plane.halo[axis];
}
