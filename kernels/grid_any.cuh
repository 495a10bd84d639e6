// Values of grids by any method: a warp a point, whose lanes weigh the taps and add them up.
#pragma once
#include "grids.cuh"
#include "kernel_curve.cuh"

// Largest number of taps of a method.
enum { MOST_TAPS = 66, WARPS_A_BLOCK = 4, MOST_DIMENSIONS = 6 };

// Weight of tap `tap`, before any division by their sum, of the position x whose ⌊x + shift⌋ is `whole`.
__device__ inline double weight_of_tap(const GridArguments& args, double x, double whole, int tap) {
    if (args.weights == GRID_CUBICS) {
        const float fraction = float(x + args.shift - whole);
        float weights[4];
        weigh_rows(args, fraction, weights);
        // Compared, not indexed: see run_at_edge.
        return tap == 0 ? weights[0] : tap == 1 ? weights[1] : tap == 2 ? weights[2] : weights[3];
    }
    if (args.weights == GRID_SERIES) {
        // Σ c[j]·T_j(u) (Clenshaw 1955).
        const double u = 2.0 * (x + args.shift - whole) - 1.0;
        double sum = 0.0, next = 0.0;
        for (int j = args.terms - 1; j > 0; --j) {
            double before = fma(2.0 * u, sum, __ldg(args.series + j * args.taps + tap) - next);
            next = sum;
            sum = before;
        }
        return fma(u, sum, __ldg(args.series + tap) - next);
    }
    const double d = x - (whole - args.before + tap);
    if (!is_within(args.curve, d)) return 0.0;
    return args.curve.knot_count > 0 ? line_at(args.curve, d)
                                     : polynomial_at(args.curve, (d - args.curve.ends[0]) * args.curve.bins_a_sample);
}

// Writes the weights of a run, a lane for each tap, and returns its start. `scratch` and `weights` are in shared memory.
__device__ inline int shared_run(const GridArguments& args, const GridAxisArguments& axis, double position, float* weights,
                                 float* scratch) {
    const int lane = threadIdx.x % 32;
    double x = position, whole = floor(x + args.shift);
    const bool is_inside = whole >= axis.inside[0] && whole <= axis.inside[1];
    if (!is_inside) {
        x = near_samples(axis, position, args.taps);
        whole = floor(x + args.shift);
    }
    // NaN is the same in all lanes.
    if (isnan(x)) {
        for (int k = lane; k < args.taps; k += 32) weights[k] = __int_as_float(0x7fffffff);
        __syncwarp();
        return 0;
    }
    double own[(MOST_TAPS + 31) / 32], sum = 0.0;
#pragma unroll
    for (int part = 0; part < (MOST_TAPS + 31) / 32; ++part) {
        const int tap = lane + 32 * part;
        own[part] = tap < args.taps ? weight_of_tap(args, x, whole, tap) : 0.0;
        sum += own[part];
    }
    if (args.is_normalized) {
        for (int lanes = 1; lanes < 32; lanes *= 2) sum += __shfl_xor_sync(0xffffffff, sum, lanes);
    } else {
        sum = 1.0;
    }
    float* to = is_inside ? weights : scratch;
#pragma unroll
    for (int part = 0; part < (MOST_TAPS + 31) / 32; ++part) {
        const int tap = lane + 32 * part;
        if (tap < args.taps) {
            to[tap] = float(own[part] / sum);
            if (!is_inside) weights[tap] = 0.0f;
        }
    }
    __syncwarp();
    const int first = int(whole) - args.before;
    if (is_inside) return first + axis.halo;
    int start = 0;
    if (lane == 0) {
        start = fold(args, axis, first, args.taps,
                     [&](int k, int place, float factor) { weights[place] = __fmaf_rn(scratch[k], factor, weights[place]); });
    }
    __syncwarp();
    return __shfl_sync(0xffffffff, start, 0);
}

// Sums in double precision: six axes of six taps have 46,656 of them.
template <typename Value>
struct Wide;
template <>
struct Wide<float> {
    double sum = 0.0;
    __device__ inline void add(float weight, float value) { sum = fma(double(weight), double(value), sum); }
    __device__ inline void add(float weight, const Wide& part) { sum = fma(double(weight), part.sum, sum); }
    __device__ inline float narrow() const { return float(sum); }
};
template <>
struct Wide<float2> {
    Wide<float> x, y;
    __device__ inline void add(float weight, float2 value) { x.add(weight, value.x), y.add(weight, value.y); }
    __device__ inline void add(float weight, const Wide& part) { x.add(weight, part.x), y.add(weight, part.y); }
    __device__ inline float2 narrow() const { return make_float2(x.narrow(), y.narrow()); }
};
__device__ inline Wide<float> moved(Wide<float> value, int lanes) { return {__shfl_xor_sync(0xffffffff, value.sum, lanes)}; }
__device__ inline Wide<float2> moved(Wide<float2> value, int lanes) { return {moved(value.x, lanes), moved(value.y, lanes)}; }

// The value of the point of a warp, by any method in any number of axes; of no point where `is_point` is false. All threads of a
// block call this. The lanes of a warp share the taps of the inner axes, those of the others follow one another. position(axis,
// number) is the position in samples along an axis. The first lane returns the value.
template <typename Value, typename PositionAlong>
__device__ inline Value any_value(const GridArguments& args, bool is_point, PositionAlong position) {
    __shared__ float all_weights[WARPS_A_BLOCK][MOST_DIMENSIONS][MOST_TAPS];
    __shared__ float all_scratch[WARPS_A_BLOCK][MOST_TAPS];
    // The axes in memory that an index reaches, so that the loop over them is no longer than one of them.
    __shared__ GridAxisArguments axes[MOST_DIMENSIONS];
    if (threadIdx.x == 0) {
#pragma unroll
        for (int axis = 0; axis < MOST_DIMENSIONS; ++axis) axes[axis] = args.axes[axis];
    }
    __syncthreads();
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, taps = args.taps;
    if (!is_point) return Value();
    float(*weights)[MOST_TAPS] = all_weights[warp];
    const Value* values = static_cast<const Value*>(args.values);
    // The last `inner` axes have at least as many taps together as there are lanes, where the grid has that many.
    int inner = 0, inner_taps = 1;
#pragma unroll 1
    for (int axis = 0; axis < args.dimensions; ++axis) {
        const double x = position(axes[axis], axis);
        values += shared_run(args, axes[axis], x, weights[axis], all_scratch[warp]) * axes[axis].stride;
        if (inner_taps < 32) {
            inner_taps *= taps;
            ++inner;
        }
    }
    const int outer = args.dimensions - inner;
    Wide<Value> sum;
    for (int tap = lane; tap < inner_taps; tap += 32) {
        // Digits of the tap's number are its taps along the inner axes.
        const Value* from = values;
        float weight = 1.0f;
        int rest = tap;
#pragma unroll 1
        for (int axis = args.dimensions - 1; axis >= outer; --axis) {
            from += rest % taps * axes[axis].stride;
            weight *= weights[axis][rest % taps];
            rest /= taps;
        }
        // The same places of the outer axes in all lanes, the last of them fastest.
        int places[MOST_DIMENSIONS] = {};
        Wide<Value> part;
        bool is_more = true;
        while (is_more) {
            float product = 1.0f;
#pragma unroll
            for (int axis = 0; axis < MOST_DIMENSIONS; ++axis) {
                if (axis < outer) product *= weights[axis][places[axis]];
            }
            part.add(product, __ldg(from));
            is_more = false;
#pragma unroll
            for (int axis = MOST_DIMENSIONS - 1; axis >= 0; --axis) {
                if (axis < outer && !is_more) {
                    is_more = ++places[axis] < taps;
                    from += axes[axis].stride;
                    if (!is_more) {
                        from -= taps * axes[axis].stride;
                        places[axis] = 0;
                    }
                }
            }
        }
        sum.add(weight, part);
    }
    for (int lanes = 1; lanes < 32; lanes *= 2) sum.add(1.0f, moved(sum, lanes));
    return sum.narrow();
}
