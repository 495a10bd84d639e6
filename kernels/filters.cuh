// Twin: src/backend/cuda/filters.rs. What the filters' kernels share: how they read a plane, and where their blocks lie.
// Blocks may have any shape; shared memory is sized by the launch.
#pragma once
#include "texture.cuh"

template <typename Value>
__device__ inline Value everywhere(float number);
template <>
__device__ inline float everywhere<float>(float number) {
    return number;
}
template <>
__device__ inline float4 everywhere<float4>(float number) {
    return make_float4(number, number, number, number);
}

// The value at any whole place (x, y) of the plane.
template <typename Value>
__device__ inline Value value_at(const Plane& plane, int x, int y) {
    bool beyond_x = plane.address[0] == BORDER && (x < 0 || x >= plane.stored[0]);
    bool beyond_y = plane.address[1] == BORDER && (y < 0 || y >= plane.stored[1]);
    // What a texture has beyond its border is 0 whatever the border's constant.
    if (beyond_x || beyond_y) return everywhere<Value>(plane.border);
    if (plane.texture) return times(plane.unit, fetch<Value>(plane, float(x) + 0.5f, float(y) + 0.5f));
    int column = resolve(plane.address[0], x, plane.stored[0]), row = resolve(plane.address[1], y, plane.stored[1]);
    return static_cast<const Value*>(plane.values)[size_t(row) * plane.pitch + column];
}

// Loads a block's tile of `width` × `height` values whose first is at (left, top) of the plane; `keep` turns a value into
// what is kept of it.
template <typename Value, typename Kept, typename Keep>
__device__ inline void load_tile(const Plane& plane, int left, int top, int width, int height, Kept* tile, Keep keep) {
    for (int row = threadIdx.y; row < height; row += blockDim.y) {
        for (int column = threadIdx.x; column < width; column += blockDim.x) {
            tile[row * width + column] = keep(value_at<Value>(plane, left + column, top + row));
        }
    }
}

// Result (i, j) of this thread, and the first of its block.
struct Result {
    int i, j;
    int left, top;
};

__device__ inline Result result_of_thread() {
    int left = blockIdx.x * blockDim.x, top = blockIdx.y * blockDim.y;
    return {left + int(threadIdx.x), top + int(threadIdx.y), left, top};
}

__device__ inline bool is_result(const FilterArguments& args, const Result& place) {
    return place.i < args.count[0] && place.j < args.count[1];
}

// `to` with the alpha of `from`, where there is one.
__device__ inline void keep_alpha(const Plane&, float&, float) {}
__device__ inline void keep_alpha(const Plane& plane, float4& to, float4 from) {
    if (plane.has_alpha) to.w = from.w;
}
