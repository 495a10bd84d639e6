// Twin: src/sampling/prefilter.rs and src/grid/store.rs. The prefilter of a grid along one axis, and what is stored beyond its
// edges.
//
// The filter is the sum of two-sided exponentials amplitude·pole^|k| over the samples, extended by the address mode (Unser,
// Aldroubi, Eden 1993, part II). A thread makes SEGMENT results of a line: recursions from both sides, in double precision, begin
// so many samples away that what lies beyond them no longer counts.
#include "address.cuh"
#include "grid_arguments.cuh"

enum { SEGMENT = 16 };

// Sample `index` of the endless line.
__device__ inline double sample_of(const GridPrefilterArguments& args, const float* line, int index, double border) {
    const int place = resolve(args.address, index, args.len);
    return place < args.len ? double(__ldg(line + place * args.inner)) : border;
}

__device__ inline void prefilter_line(const GridPrefilterArguments& args) {
    const int segments = (args.core + SEGMENT - 1) / SEGMENT;
    const long long thread = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
    // Neighbouring threads have neighbouring lines.
    const long long number = thread % args.inner, rest = thread / args.inner;
    const long long outer = rest / segments;
    if (outer >= args.outer) return;
    const int begin = int(rest % segments) * SEGMENT, end = min(begin + SEGMENT, args.core);
    const float* line = args.samples + outer * args.len * args.inner + number;
    float* out = args.coefficients + outer * args.stored * args.inner + number;
    const double border = number % args.components == 0 ? args.border[0] : args.border[1];
    double results[SEGMENT] = {};
    if (args.pole_count == 0) {
#pragma unroll
        for (int k = 0; k < SEGMENT; ++k) {
            if (begin + k < end) results[k] = sample_of(args, line, begin + k - args.halo, border);
        }
    }
    for (int pole = 0; pole < args.pole_count; ++pole) {
        const double z = pole == 0 ? args.poles[0] : args.poles[1];
        const double amplitude = pole == 0 ? args.amplitudes[0] : args.amplitudes[1];
        // As if the sample before the first went on for ever.
        const int first = begin - args.halo - args.warm_up, last = begin - args.halo + SEGMENT - 1 + args.warm_up;
        double state = sample_of(args, line, first, border) / (1.0 - z);
        for (int k = 1; k < args.warm_up; ++k) state = fma(z, state, sample_of(args, line, first + k, border));
#pragma unroll
        for (int k = 0; k < SEGMENT; ++k) {
            state = fma(z, state, sample_of(args, line, begin - args.halo + k, border));
            results[k] = fma(amplitude, state, results[k]);
        }
        // Backwards; the sample itself counts once.
        state = sample_of(args, line, last, border) / (1.0 - z);
        for (int k = 1; k < args.warm_up; ++k) state = fma(z, state, sample_of(args, line, last - k, border));
#pragma unroll
        for (int k = SEGMENT - 1; k >= 0; --k) {
            results[k] = fma(amplitude * z, state, results[k]);
            state = fma(z, state, sample_of(args, line, begin - args.halo + k, border));
        }
    }
#pragma unroll
    for (int k = 0; k < SEGMENT; ++k) {
        if (begin + k >= end) continue;
        out[(begin + k) * args.inner] = float(results[k]);
        // Values that repeat behind the last, under WRAP.
        if (args.address == WRAP) {
            for (int at = begin + k + args.len; at < args.stored; at += args.len) out[at * args.inner] = float(results[k]);
        }
    }
    // What no run reads is a number all the same.
    if (args.address != WRAP && end == args.core) {
        for (int at = args.core; at < args.stored; ++at) out[at * args.inner] = 0.0f;
    }
}
