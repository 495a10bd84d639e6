// A plane's own numbers in plain memory, by stored indices.
#pragma once
#include "address.cuh"

// Four neighbouring numbers as one load.
template <typename Sample>
struct Four;
template <>
struct Four<unsigned char> {
    using Type = uchar4;
};
template <>
struct Four<unsigned short> {
    using Type = ushort4;
};
template <>
struct Four<float> {
    using Type = float4;
};

// The value at a stored index of a stored row, in the plane's own numbers.
template <typename Sample>
__device__ inline void read(const Plane& plane, int row, int column, float& value) {
    bool inside = row < plane.stored[1] && column < plane.stored[0];
    value = inside ? float(static_cast<const Sample*>(plane.values)[size_t(row) * plane.pitch + column]) : plane.border;
}

template <typename Sample>
__device__ inline void read(const Plane& plane, int row, int column, float4& value) {
    value = make_float4(plane.border, plane.border, plane.border, plane.border);
    if (row < plane.stored[1] && column < plane.stored[0]) {
        using Numbers = typename Four<Sample>::Type;
        Numbers four = static_cast<const Numbers*>(plane.values)[size_t(row) * plane.pitch + column];
        value = make_float4(four.x, four.y, four.z, four.w);
    }
}
