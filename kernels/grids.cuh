// Twin: src/grid/taps.rs, src/grid/weights.rs and src/grid/contract.rs. A position along an axis of a grid as a run of stored
// values with their weights, and sums over the runs of all axes.
//
// Each position reads as many values side by side as the method has taps, wherever it is. A position whose taps are all
// stored reads them; others read a run at the edge, with the weights of the taps outside added to those of the stored values
// that they stand for. So sums know no edges.
#pragma once
#include "address.cuh"
#include "grid_arguments.cuh"

__device__ inline float scaled(float weight, float value) { return weight * value; }
__device__ inline float2 scaled(float weight, float2 value) { return make_float2(weight * value.x, weight * value.y); }
__device__ inline float added(float sum, float weight, float value) { return __fmaf_rn(weight, value, sum); }
__device__ inline float2 added(float2 sum, float weight, float2 value) {
    return make_float2(__fmaf_rn(weight, value.x, sum.x), __fmaf_rn(weight, value.y, sum.y));
}

// Coordinate `axis` of point `point`.
__device__ inline double coordinate_of(const GridArguments& args, long long point, int axis) {
    long long at = point * args.dimensions + axis;
    return args.is_double ? __ldg(static_cast<const double*>(args.points) + at)
                          : double(__ldg(static_cast<const float*>(args.points) + at));
}

// A coordinate as a position in samples.
__device__ inline double position_of(const GridAxisArguments& axis, double coordinate) {
    return axis.is_scaled ? (coordinate - axis.origin) / axis.step : coordinate;
}

// A position brought near the samples, where it means the same. NaN stays NaN, and under WRAP and MIRROR infinity becomes it. The
// product is rounded before the difference, as the twin rounds it: far away the position is what both make of it.
__device__ inline double near_samples(const GridAxisArguments& axis, double x, int taps) {
    const double len = axis.len, reach = taps + 64;
    switch (axis.address) {
        case WRAP: return __dsub_rn(x, __dmul_rn(len, floor(x / len)));
        case MIRROR: return __dsub_rn(x, __dmul_rn(2.0 * len, floor(x / (2.0 * len))));
        default: return x < -reach ? -reach : x > len + reach ? len + reach : x;
    }
}

// Hands the weight of tap k, whose sample is `first` + k, to the stored values that it belongs to: add(k, place in the run,
// factor). Returns the start of the run.
template <typename Add>
__device__ inline int fold(const GridArguments& args, const GridAxisArguments& axis, int first, int taps, Add add) {
    const int last_start = axis.stored - taps;
    if (axis.address == WRAP) {
        for (int k = 0; k < taps; ++k) add(k, k, 1.0f);
        return remainder_of(first, axis.len);
    }
    if (axis.address == MIRROR) {
        int start = last_start;
#pragma unroll 4
        for (int k = 0; k < taps; ++k) start = min(start, resolve(MIRROR, first + k, axis.len));
#pragma unroll 4
        for (int k = 0; k < taps; ++k) add(k, resolve(MIRROR, first + k, axis.len) - start, 1.0f);
        return start;
    }
    const int core = axis.len + 2 * axis.halo, begin = first + axis.halo, start = max(0, min(begin, last_start));
#pragma unroll 4
    for (int k = 0; k < taps; ++k) {
        const int place = begin + k;
        if (place >= 0 && place < core) {
            add(k, place - start, 1.0f);
            continue;
        }
        const bool is_left = place < 0;
        const int beyond = is_left ? -place : place - core + 1;
        const float* factors = args.tail + 3 * (min(beyond, args.tail_rows) - 1);
        for (int j = 0; j < args.tail_terms; ++j) add(k, (is_left ? j : core - 1 - j) - start, __ldg(factors + j));
    }
    return start;
}

// Weights of cubics at a fraction.
template <int TAPS>
__device__ inline void weigh_rows(const GridArguments& args, float fraction, float (&weights)[TAPS]) {
#pragma unroll
    for (int k = 0; k < TAPS; ++k) {
        float high = __fmaf_rn(args.rows[3][k], fraction, args.rows[2][k]);
        weights[k] = __fmaf_rn(__fmaf_rn(high, fraction, args.rows[1][k]), fraction, args.rows[0][k]);
    }
}

// A run of TAPS stored values along one axis.
template <int TAPS>
struct Run {
    int start;
    bool is_inside;  // Its weights are those of the taps themselves.
    float weights[TAPS];
};

// The run of a position whose taps are not all stored. weigh(fraction, weights) gives the weights of its taps.
template <int TAPS, typename Weigh>
__device__ inline void run_at_edge(const GridArguments& args, const GridAxisArguments& axis, double position, Run<TAPS>& run,
                                   Weigh weigh) {
    const double x = near_samples(axis, position, TAPS);
    run.is_inside = false;
    if (isnan(x)) {
        run.start = 0;
#pragma unroll
        for (int k = 0; k < TAPS; ++k) run.weights[k] = __int_as_float(0x7fffffff);
        return;
    }
    const double shifted = x + args.shift, whole = floor(shifted);
    float weights[TAPS];
    weigh(float(shifted - whole), weights);
#pragma unroll
    for (int k = 0; k < TAPS; ++k) run.weights[k] = 0.0f;
    // Places are compared, not indexed: an index that is not constant would put the weights into memory.
    run.start = fold(args, axis, int(whole) - args.before, TAPS, [&](int k, int place, float factor) {
        float weight = weights[0];
#pragma unroll
        for (int tap = 1; tap < TAPS; ++tap) weight = tap == k ? weights[tap] : weight;
#pragma unroll
        for (int tap = 0; tap < TAPS; ++tap) {
            if (tap == place) run.weights[tap] = __fmaf_rn(weight, factor, run.weights[tap]);
        }
    });
}

// The run of a position with these ⌊x + shift⌋ and fraction.
template <int TAPS, typename Weigh>
__device__ inline Run<TAPS> run_from(const GridArguments& args, const GridAxisArguments& axis, double position, int whole,
                                     float fraction, Weigh weigh) {
    Run<TAPS> run;
    // Conversions saturate. NaN becomes 0, and its fraction is not.
    if (whole >= axis.inside[0] && whole <= axis.inside[1] && fraction >= 0.0f) {
        run.start = whole - args.before + axis.halo;
        run.is_inside = true;
        weigh(fraction, run.weights);
    } else {
        run_at_edge(args, axis, position, run, weigh);
    }
    return run;
}

// The run of a position in samples.
template <int TAPS, typename Weigh>
__device__ inline Run<TAPS> run_at(const GridArguments& args, const GridAxisArguments& axis, double position, Weigh weigh) {
    const double shifted = position + args.shift;
    return run_from<TAPS>(args, axis, position, __double2int_rd(shifted), float(shifted - floor(shifted)), weigh);
}

// The run of a point along one axis, of a method of cubics whose shift is 0. Positions in samples of single precision need no
// other: their floors and fractions are exact.
template <int TAPS>
__device__ inline Run<TAPS> run_of(const GridArguments& args, const GridAxisArguments& axis, long long point, int index) {
    double position;
    int whole;
    float fraction;
    if (args.is_double || axis.is_scaled) {
        position = position_of(axis, coordinate_of(args, point, index));
        whole = __double2int_rd(position);
        fraction = float(position - floor(position));
    } else {
        float x = __ldg(static_cast<const float*>(args.points) + point * args.dimensions + index);
        position = x;
        whole = __float2int_rd(x);
        fraction = x - floorf(x);
    }
    return run_from<TAPS>(args, axis, position, whole, fraction,
                          [&](float part, float(&weights)[TAPS]) { weigh_rows(args, part, weights); });
}

// The sum over AXES axes from `axis` on of what starts at `values`: of rows of the last axis, of which only the value at
// `values` counts.
template <int AXES, typename Value, int TAPS, int N>
__device__ inline Value sum_of_rows(const GridArguments& args, const Value* values, const Run<TAPS> (&runs)[N]) {
    if constexpr (AXES == 0) {
        return __ldg(values);
    } else {
        constexpr int AXIS = N - 1 - AXES;
        Value sum = scaled(runs[AXIS].weights[0], sum_of_rows<AXES - 1>(args, values, runs));
#pragma unroll
        for (int k = 1; k < TAPS; ++k) {
            sum = added(sum, runs[AXIS].weights[k], sum_of_rows<AXES - 1>(args, values + k * args.axes[AXIS].stride, runs));
        }
        return sum;
    }
}

// The value of a point by its runs, from plain memory.
template <typename Value, int TAPS, int N>
__device__ inline Value sum_of_runs(const GridArguments& args, const Run<TAPS> (&runs)[N]) {
    const Value* values = static_cast<const Value*>(args.values);
#pragma unroll
    for (int axis = 0; axis < N; ++axis) values += runs[axis].start * args.axes[axis].stride;
    Value sum = scaled(runs[N - 1].weights[0], sum_of_rows<N - 1>(args, values, runs));
#pragma unroll
    for (int k = 1; k < TAPS; ++k) sum = added(sum, runs[N - 1].weights[k], sum_of_rows<N - 1>(args, values + k, runs));
    return sum;
}
