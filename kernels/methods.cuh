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

// sinc(d)·sinc(d/a) over the 2a samples around a position, divided by their sum. All sines of πd are the same but for
// their sign, and cancel.
template <int A>
__device__ inline void weigh_lanczos(float a, float* w) {
    const float nearly = 1e-9f;
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 2 * A; ++k) {
        float d = a + float(A - 1 - k);
        float sine = sinpif(d * (1.0f / A));
        w[k] = (k & 1 ? -sine : sine) / (d * d);
        sum += w[k];
    }
    float inverse = 1.0f / sum;
#pragma unroll
    for (int k = 0; k < 2 * A; ++k) {
        float whole = a < nearly ? (k == A - 1 ? 1.0f : 0.0f) : (k == A ? 1.0f : 0.0f);
        w[k] = a < nearly || 1.0f - a < nearly ? whole : w[k] * inverse;
    }
}

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
        weigh_lanczos<2>(a, w);
    } else if constexpr (METHOD == METHOD_lanczos3) {
        weigh_lanczos<3>(a, w);
    } else {
        weigh_lanczos<4>(a, w);
    }
}

__device__ inline double kernel_lanczos(double d, double a) {
    if (d == 0.0) return 1.0;
    if (d >= a || d == floor(d)) return 0.0;
    double t = 3.141592653589793 * d;
    return a * sinpi(d) * sinpi(d / a) / (t * t);
}

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
