// Twin: src/backend/cuda/driver/texture.rs. Reads through the texture unit, addressed from stored indices.
//
// Coordinates: stored value k of an axis has its centre at k + ½ in texels, times Plane::texcoord_scale where the texture takes
// normalized coordinates (wrap and mirror work with no others). Textures return 0 beyond a border edge; what the border's
// constant adds is added here, so that it can be any number whatever the texture's format.
#pragma once
#include "address.cuh"
#include "output.cuh"
#include "position.cuh"

template <typename Value>
__device__ inline Value fetch(const Plane& plane, float x, float y) {
    return tex2D<Value>(plane.texture, x * plane.texcoord_scale[0], y * plane.texcoord_scale[1]);
}

// The 2 × 2 values around the corner (x, y): those above first.
__device__ inline float4 gather(const Plane& plane, float x, float y) {
    float4 four = tex2Dgather<float4>(plane.texture, x * plane.texcoord_scale[0], y * plane.texcoord_scale[1], 0);
    return make_float4(four.w, four.z, four.x, four.y);
}

// Where one position reads: the first stored index of each axis, brought near, and the fractions.
struct Reading {
    int first[2];
    float fraction[2];
};

__device__ inline Reading reading_at(const PixelArguments& args, int i, int j, bool shift_half, int before) {
    double position[2];
    position_at(args.map, double(i), double(j), position[0], position[1]);
    Reading reading;
#pragma unroll
    for (int axis = 0; axis < 2; ++axis) {
        Place place = place_of(position[axis], shift_half);
        int index = place.whole - before + args.plane.halo[axis];
        reading.first[axis] = brought_near(args.plane.address[axis], index, args.plane.stored[axis]);
        reading.fraction[axis] = place.fraction;
    }
    return reading;
}

// How much of the weights along an axis falls on samples that exist.
__device__ inline float inside_weight(const Plane& plane, int axis, int first, const float* weights, int taps) {
    if (plane.address[axis] != BORDER) return 1.0f;
    float sum = 0.0f;
    for (int k = 0; k < taps; ++k) {
        if (first + k >= 0 && first + k < plane.stored[axis]) sum += weights[k];
    }
    return sum;
}

__device__ inline bool meets_border(const Plane& plane, const Reading& reading, int taps) {
    bool x = plane.address[0] == BORDER && (reading.first[0] < 0 || reading.first[0] + taps > plane.stored[0]);
    bool y = plane.address[1] == BORDER && (reading.first[1] < 0 || reading.first[1] + taps > plane.stored[1]);
    return plane.border != 0.0f && (x || y);
}

// Declares (i, j) of this thread and leaves where there is no such pixel.
#define FOR_THIS_PIXEL(args)                                     \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;          \
    const int j = blockIdx.y * blockDim.y + threadIdx.y;          \
    if (i >= args.target.size_px[0] || j >= args.target.size_px[1]) return
