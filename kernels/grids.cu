// Values of grids at points from plain memory: exact samples, with weights in single precision.
#include "grid_any.cuh"

__device__ inline float moved(float value, int lanes) { return __shfl_xor_sync(0xffffffff, value, lanes); }
__device__ inline float2 moved(float2 value, int lanes) { return make_float2(moved(value.x, lanes), moved(value.y, lanes)); }

// As many threads a point as there are taps, side by side: each adds up the rows of the last axis at its own tap, so that a
// row is one access to memory.
template <typename Value, int N, int TAPS>
__device__ inline void grid_values(const GridArguments& args) {
    const int lane = threadIdx.x % TAPS;
    const long long wanted = (blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x) / TAPS;
    // Threads without a point stay for the exchange.
    const long long point = min(wanted, args.count - 1);
    Run<TAPS> runs[N];
    const Value* values = static_cast<const Value*>(args.values) + lane;
#pragma unroll
    for (int axis = 0; axis < N; ++axis) {
        runs[axis] = run_of<TAPS>(args, args.axes[axis], point, axis);
        values += runs[axis].start * args.axes[axis].stride;
    }
    float weight = runs[N - 1].weights[0];
#pragma unroll
    for (int k = 1; k < TAPS; ++k) weight = k == lane ? runs[N - 1].weights[k] : weight;
    Value sum = scaled(weight, sum_of_rows<N - 1>(args, values, runs));
#pragma unroll
    for (int lanes = 1; lanes < TAPS; lanes *= 2) sum = added(sum, 1.0f, moved(sum, lanes));
    if (lane == 0 && wanted < args.count) static_cast<Value*>(args.results)[wanted] = sum;
}

// Any method and any number of axes: a warp a point.
template <typename Value>
__device__ inline void grid_any(const GridArguments& args) {
    const long long point = blockIdx.x * static_cast<long long>(WARPS_A_BLOCK) + threadIdx.x / 32;
    const Value value = any_value<Value>(args, point < args.count, [&](const GridAxisArguments& axis, int number) {
        return position_of(axis, coordinate_of(args, point, number));
    });
    if (point < args.count && threadIdx.x % 32 == 0) static_cast<Value*>(args.results)[point] = value;
}
