// Twin: src/sampling/method.rs. Weights of each method by the fraction α = x − ⌊x⌋, and its kernel w(d). Methods give
// weights and know no address mode.
#pragma once

// Values are those of the enum `Method`, names those of the rows.
#define EACH_METHOD(DO)     \
    DO(nearest, 0, 1)       \
    DO(linear, 1, 2)        \
    DO(bspline, 2, 4)       \
    DO(catmull_rom, 3, 4)   \
    DO(mitchell, 4, 4)      \
    DO(lanczos2, 5, 4)      \
    DO(lanczos3, 6, 6)      \
    DO(lanczos4, 7, 8)

#define DECLARE_METHOD(name, number, taps) METHOD_##name = number,
enum Method : int { EACH_METHOD(DECLARE_METHOD) METHODS };
#undef DECLARE_METHOD

// Samples of one axis that a position reads: from ⌊x⌋ − taps/2 + 1 on, or ⌊x + ½⌋ alone.
template <int METHOD>
struct Taps;
#define COUNT_TAPS(name, number, taps)       \
    template <>                              \
    struct Taps<number> {                    \
        static constexpr int COUNT = taps;   \
        static constexpr int BEFORE = taps == 1 ? 0 : taps / 2 - 1; \
    };
EACH_METHOD(COUNT_TAPS)
#undef COUNT_TAPS

// 1/x to a unit in the last place.
__device__ inline float reciprocal(float x) {
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

// sinc(d)·sinc(d/A) of the 2A samples around a position, divided by their sum and times `unit`. Since sin πd is ±sin πf for
// every one of them, it cancels, and so do all other constant factors: what is left is ±sin(πd/A)/d². The sines follow from
// those of the two nearest samples, s = sin(πf/A) and q = sin(πg/A), g = 1 − f; everything is multiplied by f·g, so that the
// nearest samples' weights are s/f·g and q/g·f, where s/f and q/g are what `sine_over` gives: sin(πx/A)/x.
template <int A, typename SineOver>
__device__ inline void weigh_lanczos(SineOver sine_over, float f, float unit, float* weights) {
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

// As weigh_lanczos wants it, from the sine itself.
template <int A>
struct Sine {
    __device__ float operator()(float x) const {
        return x == 0.0f ? 3.14159265f / A : sinpif(x * (1.0f / A)) * reciprocal(x);
    }
};

// Weights in single precision, straight from the formulas: document 002's for the B-spline.
template <int METHOD>
__device__ inline void weigh_method(float a, float* w) {
    if constexpr (METHOD == METHOD_nearest) {
        w[0] = 1.0f;
    } else if constexpr (METHOD == METHOD_linear) {
        w[0] = 1.0f - a;
        w[1] = a;
    } else if constexpr (METHOD == METHOD_bspline) {
        float b = 1.0f - a;
        w[0] = (1.0f / 6.0f) * b * b * b;
        w[1] = 2.0f / 3.0f - 0.5f * a * a * (2.0f - a);
        w[2] = 2.0f / 3.0f - 0.5f * b * b * (2.0f - b);
        w[3] = (1.0f / 6.0f) * a * a * a;
    } else if constexpr (METHOD == METHOD_catmull_rom) {
        w[0] = a * (-0.5f + a * (1.0f - 0.5f * a));
        w[1] = 1.0f + a * a * (-2.5f + 1.5f * a);
        w[2] = a * (0.5f + a * (2.0f - 1.5f * a));
        w[3] = a * a * (-0.5f + 0.5f * a);
    } else if constexpr (METHOD == METHOD_mitchell) {
        float b = 1.0f - a;
        w[0] = b * b * (7.0f * b - 6.0f) * (1.0f / 18.0f);
        w[1] = 8.0f / 9.0f + a * a * (-2.0f + (7.0f / 6.0f) * a);
        w[2] = 8.0f / 9.0f + b * b * (-2.0f + (7.0f / 6.0f) * b);
        w[3] = a * a * (7.0f * a - 6.0f) * (1.0f / 18.0f);
    } else if constexpr (METHOD == METHOD_lanczos2) {
        weigh_lanczos<2>(Sine<2>(), a, 1.0f, w);
    } else if constexpr (METHOD == METHOD_lanczos3) {
        weigh_lanczos<3>(Sine<3>(), a, 1.0f, w);
    } else {
        static_assert(METHOD == METHOD_lanczos4, "a method has its weights here");
        weigh_lanczos<4>(Sine<4>(), a, 1.0f, w);
    }
}

__device__ inline double kernel_lanczos(double d, double a) {
    if (d == 0.0) return 1.0;
    if (d >= a || d == floor(d)) return 0.0;
    double t = 3.141592653589793 * d;
    return a * sinpi(d) * sinpi(d / a) / (t * t);
}

static_assert(METHODS == METHOD_lanczos4 + 1, "kernel_of and radius_of know every method");

// w(d) in double precision, for kernels that are stretched.
__device__ inline double kernel_of(int method, double d) {
    if (method == METHOD_nearest) return d >= -0.5 && d < 0.5 ? 1.0 : 0.0;
    d = fabs(d);
    switch (method) {
        case METHOD_linear: return fmax(1.0 - d, 0.0);
        case METHOD_bspline:
            if (d < 1.0) return 2.0 / 3.0 - d * d * (2.0 - d) / 2.0;
            return d < 2.0 ? (2.0 - d) * (2.0 - d) * (2.0 - d) / 6.0 : 0.0;
        case METHOD_catmull_rom:
            if (d < 1.0) return 1.0 + d * d * (1.5 * d - 2.5);
            return d < 2.0 ? 2.0 + d * (-4.0 + d * (2.5 - 0.5 * d)) : 0.0;
        case METHOD_mitchell:
            if (d < 1.0) return (7.0 * d * d * d - 12.0 * d * d + 16.0 / 3.0) / 6.0;
            return d < 2.0 ? (-7.0 / 3.0 * d * d * d + 12.0 * d * d - 20.0 * d + 32.0 / 3.0) / 6.0 : 0.0;
        case METHOD_lanczos2: return kernel_lanczos(d, 2.0);
        case METHOD_lanczos3: return kernel_lanczos(d, 3.0);
        default: return kernel_lanczos(d, 4.0);
    }
}

// Where w becomes zero, in samples.
__device__ inline double radius_of(int method) {
    switch (method) {
        case METHOD_nearest: return 0.5;
        case METHOD_linear: return 1.0;
        case METHOD_lanczos3: return 3.0;
        case METHOD_lanczos4: return 4.0;
        default: return 2.0;
    }
}
