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

// 2²³ and an integer of up to 16 bits as the low bits of a float; conversions of bytes take several cycles.
#define INTEGER_BITS 0x4b000000u
#define INTEGER_BIAS 8388608.0f

// Number k of a word.
__device__ inline float number_of(unsigned word, int k, unsigned char) {
    return __uint_as_float(__byte_perm(word, INTEGER_BITS, 0x7440 + k)) - INTEGER_BIAS;
}
__device__ inline float number_of(unsigned word, int k, unsigned short) {
    return __uint_as_float(__byte_perm(word, INTEGER_BITS, 0x7410 + 0x22 * k)) - INTEGER_BIAS;
}
__device__ inline float number_of(unsigned word, int, float) { return __uint_as_float(word); }

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
