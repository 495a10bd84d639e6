// How warps that walk down rows write what they make: to surfaces two rows at once, to memory row by row.
#pragma once
#include "output.cuh"

// Warps of a block, one above the other.
#define WARPS 4

// Surfaces keep 16 bytes of two rows together: a store that fills only one of them costs as much as one that fills both. So
// bytes are written two rows at once. A lane holds its columns of the even row until it has the odd one; then lanes 16
// apart exchange halves, so that the lower sixteen write the even row and the upper sixteen the odd one, first of the left
// half of the block's columns, then of the right.
#define LANES_A_ROW 16

__device__ inline unsigned exchanged(unsigned value) { return __shfl_xor_sync(0xffffffffu, value, LANES_A_ROW); }
__device__ inline uint2 exchanged(uint2 value) { return make_uint2(exchanged(value.x), exchanged(value.y)); }

// A thread's columns of one row as bytes, before they are spread to what the surface holds.
__device__ inline unsigned packed(const float (&v)[4], bool) {
    return rgba(byte_of_saturated(v[0]), byte_of_saturated(v[1]), byte_of_saturated(v[2]), byte_of_saturated(v[3]));
}
__device__ inline uint2 packed(const float3 (&v)[2], bool) {
    return make_uint2(rgba(byte_of(v[0].x), byte_of(v[0].y), byte_of(v[0].z), 255u),
                      rgba(byte_of(v[1].x), byte_of(v[1].y), byte_of(v[1].z), 255u));
}
__device__ inline uint2 packed(const float4 (&v)[2], bool has_alpha) {
    return make_uint2(straight_rgba(v[0], has_alpha), straight_rgba(v[1], has_alpha));
}

// Writes the first `count` of four grey pixels, one by one: where the output ends.
template <int OUTPUT>
__device__ __noinline__ void write_some(unsigned long long surface, int x, int y, unsigned four, int count) {
    for (int k = 0; k < min(count, 4); ++k) {
        if constexpr (OUTPUT == OUTPUT_GREY8) {
            write_surface(surface, x + k, y, (unsigned char)(four >> 8 * k));
        } else {
            write_surface(surface, 4 * (x + k), y, opaque_grey(four >> 8 * k));
        }
    }
}
template <int OUTPUT>
__device__ __noinline__ void write_some(unsigned long long surface, int x, int y, uint2 two, int count) {
    if (count > 0) write_surface(surface, 4 * x, y, two.x);
    if (count > 1) write_surface(surface, 4 * x + 4, y, two.y);
}

// Writes four grey pixels from place (x, y) of the surface on.
template <int OUTPUT>
__device__ inline void write_packed(unsigned long long surface, int x, int y, unsigned four) {
    if constexpr (OUTPUT == OUTPUT_GREY8) {
        write_surface(surface, x, y, four);
    } else {
        uint4 spread = make_uint4(__byte_perm(four, 0xff000000u, 0x7000), __byte_perm(four, 0xff000000u, 0x7111),
                                  __byte_perm(four, 0xff000000u, 0x7222), __byte_perm(four, 0xff000000u, 0x7333));
        write_surface(surface, 4 * x, y, spread);
    }
}
// Writes two colour pixels.
template <int OUTPUT>
__device__ inline void write_packed(unsigned long long surface, int x, int y, uint2 two) {
    write_surface(surface, 4 * x, y, two);
}

// Where a lane writes: its columns of the left half, in its row of the first pair.
struct Pen {
    int x;
    int y;
    int upper;    // the lane writes odd rows
    int columns;  // of the output from x on
    bool whole;   // the block's columns are all in the output
};

// Writes an even row and the odd one after it, `row` rows below the pen; where there is no odd one, `alone`.
template <int OUTPUT, int COLUMNS, typename Packed>
__device__ inline void write_rows(unsigned long long surface, const Pen& pen, int row, Packed even, Packed odd, bool alone) {
    Packed got = exchanged(pen.upper ? even : odd);
    Packed left = pen.upper ? got : even, right = pen.upper ? odd : got;
    if (alone && pen.upper) return;
    constexpr int HALF = LANES_A_ROW * COLUMNS;
    if (pen.whole) {
        write_packed<OUTPUT>(surface, pen.x, pen.y + row, left);
        write_packed<OUTPUT>(surface, pen.x + HALF, pen.y + row, right);
    } else {
        write_some<OUTPUT>(surface, pen.x, pen.y + row, left, pen.columns);
        write_some<OUTPUT>(surface, pen.x + HALF, pen.y + row, right, pen.columns - HALF);
    }
}

// Writes a thread's columns of one row as values.
__device__ inline void write_values(const Target& target, int i, int j, const float (&v)[4]) {
    float* to = target.values + size_t(j) * target.size_px[0] + i;
    if (i + 4 <= target.size_px[0] && (target.size_px[0] & 3) == 0) {
        *reinterpret_cast<float4*>(to) = make_float4(v[0], v[1], v[2], v[3]);
    } else {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            if (i + k < target.size_px[0]) to[k] = v[k];
        }
    }
}

// Opaque colour: nobody reads the fourth channel.
__device__ inline void write_values(const Target& target, int i, int j, const float3 (&v)[2]) {
    float4* to = reinterpret_cast<float4*>(target.values) + size_t(j) * target.size_px[0] + i;
    if (i < target.size_px[0]) to[0] = make_float4(v[0].x, v[0].y, v[0].z, 0.0f);
    if (i + 1 < target.size_px[0]) to[1] = make_float4(v[1].x, v[1].y, v[1].z, 0.0f);
}
__device__ inline void write_values(const Target& target, int i, int j, const float4 (&v)[2]) {
    float4* to = reinterpret_cast<float4*>(target.values) + size_t(j) * target.size_px[0] + i;
    if (i < target.size_px[0]) to[0] = v[0];
    if (i + 1 < target.size_px[0]) to[1] = v[1];
}

// The last multiply-add of a pixel: grey bytes are kept within 0 … 1 by it.
template <int OUTPUT>
__device__ inline void add_last(float& sum, float weight, float value) {
    sum = OUTPUT == OUTPUT_VALUES ? __fmaf_rn(weight, value, sum) : multiply_add_saturated(weight, value, sum);
}
template <int OUTPUT>
__device__ inline void add_last(float3& sum, float weight, float3 value) {
    sum.x = __fmaf_rn(weight, value.x, sum.x);
    sum.y = __fmaf_rn(weight, value.y, sum.y);
    sum.z = __fmaf_rn(weight, value.z, sum.z);
}
template <int OUTPUT>
__device__ inline void add_last(float4& sum, float weight, float4 value) {
    add_weighted(sum, weight, value);
}
