// Values of grids at points through the texture unit, a thread a point: exact samples by point fetches, and linear fetches whose
// fractions have 8 bits (documents 001, 002 and 003). Texel s of a texture is the stored value s.
#include "grids.cuh"

// What the texture returns at `at`, in texels along each axis in the order of the axes.
template <typename Value>
__device__ inline Value texel(unsigned long long texture, const float (&at)[1]) {
    return tex1D<Value>(texture, at[0] + 0.5f);
}
template <typename Value>
__device__ inline Value texel(unsigned long long texture, const float (&at)[2]) {
    return tex2D<Value>(texture, at[1] + 0.5f, at[0] + 0.5f);
}
template <typename Value>
__device__ inline Value texel(unsigned long long texture, const float (&at)[3]) {
    return tex3D<Value>(texture, at[2] + 0.5f, at[1] + 0.5f, at[0] + 0.5f);
}

// Places of a texture along an axis with their weights.
template <int COUNT>
struct Places {
    float at[COUNT];
    float weights[COUNT];
};

// The sum over the places of the axes from AXIS on.
template <int AXIS, typename Value, int COUNT, int N>
__device__ inline Value sum_of_fetches(unsigned long long texture, const Places<COUNT> (&places)[N], float (&at)[N]) {
    if constexpr (AXIS == N) {
        return texel<Value>(texture, at);
    } else {
        at[AXIS] = places[AXIS].at[0];
        Value sum = scaled(places[AXIS].weights[0], sum_of_fetches<AXIS + 1, Value>(texture, places, at));
#pragma unroll
        for (int k = 1; k < COUNT; ++k) {
            at[AXIS] = places[AXIS].at[k];
            sum = added(sum, places[AXIS].weights[k], sum_of_fetches<AXIS + 1, Value>(texture, places, at));
        }
        return sum;
    }
}

// The runs of all axes; whether the taps of all of them are stored as they are.
template <int TAPS, int N>
__device__ inline bool runs_of(const GridArguments& args, long long point, Run<TAPS> (&runs)[N]) {
    bool is_inside = true;
#pragma unroll
    for (int axis = 0; axis < N; ++axis) {
        runs[axis] = run_of<TAPS>(args, args.axes[axis], point, axis);
        is_inside = is_inside && runs[axis].is_inside;
    }
    return is_inside;
}

// Exact samples: TAPS^N point fetches.
template <typename Value, int N, int TAPS>
__device__ inline void grid_points(const GridFetchArguments& args) {
    const long long point = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
    if (point >= args.grid.count) return;
    Run<TAPS> runs[N];
    runs_of<TAPS>(args.grid, point, runs);
    Places<TAPS> places[N];
#pragma unroll
    for (int axis = 0; axis < N; ++axis) {
#pragma unroll
        for (int k = 0; k < TAPS; ++k) {
            places[axis].at[k] = float(runs[axis].start + k);
            places[axis].weights[k] = runs[axis].weights[k];
        }
    }
    float at[N];
    static_cast<Value*>(args.grid.results)[point] = sum_of_fetches<0, Value>(args.texture, places, at);
}

// One linear fetch at a position (document 001). A point whose taps are not all stored takes the exact sum.
template <typename Value, int N>
__device__ inline void grid_linear(const GridFetchArguments& args) {
    const long long point = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
    if (point >= args.grid.count) return;
    Run<2> runs[N];
    Value value;
    if (runs_of<2>(args.grid, point, runs)) {
        float at[N];
#pragma unroll
        for (int axis = 0; axis < N; ++axis) at[axis] = float(runs[axis].start) + runs[axis].weights[1];
        value = texel<Value>(args.texture, at);
    } else {
        value = sum_of_runs<Value>(args.grid, runs);
    }
    static_cast<Value*>(args.grid.results)[point] = value;
}

// Four weights of which each pair has one sign, as two linear fetches (Sigg and Hadwiger 2005; document 002, equation 5).
__device__ inline Places<2> pairs_of(const Run<4>& run) {
    Places<2> pairs;
    pairs.weights[0] = run.weights[0] + run.weights[1];
    pairs.weights[1] = run.weights[2] + run.weights[3];
    pairs.at[0] = float(run.start) + __fdividef(run.weights[1], pairs.weights[0]);
    pairs.at[1] = float(run.start + 2) + __fdividef(run.weights[3], pairs.weights[1]);
    return pairs;
}

// The cubic B-spline by 2^N linear fetches. A point whose taps are not all stored takes the exact sum.
template <typename Value, int N>
__device__ inline void grid_pairs(const GridFetchArguments& args) {
    const long long point = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
    if (point >= args.grid.count) return;
    Run<4> runs[N];
    Value value;
    if (runs_of<4>(args.grid, point, runs)) {
        Places<2> places[N];
#pragma unroll
        for (int axis = 0; axis < N; ++axis) places[axis] = pairs_of(runs[axis]);
        float at[N];
        value = sum_of_fetches<0, Value>(args.texture, places, at);
    } else {
        value = sum_of_runs<Value>(args.grid, runs);
    }
    static_cast<Value*>(args.grid.results)[point] = value;
}

// The same of four axes (document 003): the inner three by eight fetches at each of the four taps of the outer one. The texture
// has the volumes of the outer axis one behind the other.
template <typename Value>
__device__ inline void grid_pairs_outer(const GridFetchArguments& args) {
    const long long point = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
    if (point >= args.grid.count) return;
    Run<4> runs[4];
    Value value;
    if (runs_of<4>(args.grid, point, runs)) {
        Places<2> places[3];
#pragma unroll
        for (int axis = 0; axis < 3; ++axis) places[axis] = pairs_of(runs[axis + 1]);
        const float depth = float(args.grid.axes[1].stored);
        places[0].at[0] += depth * float(runs[0].start);
        places[0].at[1] += depth * float(runs[0].start);
        float at[3];
        value = scaled(runs[0].weights[0], sum_of_fetches<0, Value>(args.texture, places, at));
#pragma unroll
        for (int k = 1; k < 4; ++k) {
            places[0].at[0] += depth;
            places[0].at[1] += depth;
            value = added(value, runs[0].weights[k], sum_of_fetches<0, Value>(args.texture, places, at));
        }
    } else {
        value = sum_of_runs<Value>(args.grid, runs);
    }
    static_cast<Value*>(args.grid.results)[point] = value;
}

// The cubic B-spline of three axes by eight fetches, whose weights and fractions are from a table of 128 entries (document 002,
// section 3).
__device__ inline void grid_pairs_by_table(const GridFetchArguments& args) {
    const long long point = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
    if (point >= args.grid.count) return;
    Places<2> places[3];
    bool is_inside = true;
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) {
        const GridAxisArguments& of = args.grid.axes[axis];
        const double position = position_of(of, coordinate_of(args.grid, point, axis));
        const int whole = __double2int_rd(position);
        is_inside = is_inside && whole >= of.inside[0] && whole <= of.inside[1] && position == position;
        const float4 entry = tex2D<float4>(args.lookup_table, float(position - floor(position)) * 127.0f + 0.5f, 0.5f);
        const float start = float(whole - args.grid.before + of.halo);
        places[axis] = {{start + entry.y, start + 2.0f + entry.z}, {entry.x, 1.0f - entry.x}};
    }
    float value, at[3];
    if (is_inside) {
        value = sum_of_fetches<0, float>(args.texture, places, at);
    } else {
        Run<4> runs[3];
        runs_of<4>(args.grid, point, runs);
        value = sum_of_runs<float>(args.grid, runs);
    }
    static_cast<float*>(args.grid.results)[point] = value;
}

// Document 001's bilinear kernel from plain memory with as few loads as alignment allows: two complex samples side by side are
// one load of 16 bytes where they start at an even place.
__device__ inline void grid_linear_by_wide_loads(const GridArguments& args) {
    const long long point = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
    if (point >= args.count) return;
    Run<2> runs[2];
    runs_of<2>(args, point, runs);
    const float2* row = static_cast<const float2*>(args.values) + runs[0].start * args.axes[0].stride + runs[1].start;
    float2 sum = {};
#pragma unroll
    for (int k = 0; k < 2; ++k) {
        float4 pair;
        if (reinterpret_cast<unsigned long long>(row) % 16 == 0) {
            pair = __ldg(reinterpret_cast<const float4*>(row));
        } else {
            const float2 first = __ldg(row), second = __ldg(row + 1);
            pair = make_float4(first.x, first.y, second.x, second.y);
        }
        float2 line = scaled(runs[1].weights[0], make_float2(pair.x, pair.y));
        line = added(line, runs[1].weights[1], make_float2(pair.z, pair.w));
        sum = added(sum, runs[0].weights[k], line);
        row += args.axes[0].stride;
    }
    static_cast<float2*>(args.results)[point] = sum;
}
