// How warps that walk down rows write what they make: to surfaces two rows at once, to memory row by row.
#pragma once
#include "output.cuh"

// Warps of a block, one above the other.
#define WARPS 4

// Surfaces keep 16 bytes of two rows together: a store that fills only one of them costs as much as one that fills both. So bytes are written
// two rows at once. A lane holds its columns of the even row until it has the odd one; then two lanes exchange one row each for the other.
//
// Four columns of four bytes: lanes 16 apart exchange, so that the lower sixteen write the even row and the upper sixteen the odd one, first
// of the left half of the block's columns, then of the right. Columns that take less: neighbours exchange, and write what both have at once.
#define LANES_A_ROW 16
template <int OUTPUT, int COLUMNS>
struct Exchange {
    static constexpr bool HALVES = OUTPUT == OUTPUT_RGBA8 && COLUMNS == 4;
    static constexpr int DISTANCE = HALVES ? LANES_A_ROW : 1;
    // Columns from what a lane writes first to what it writes second.
    static constexpr int STEP = DISTANCE * COLUMNS;
};

template <int DISTANCE>
__device__ inline unsigned exchanged(unsigned value) {
    return __shfl_xor_sync(0xffffffffu, value, DISTANCE);
}
template <int DISTANCE>
__device__ inline uint2 exchanged(uint2 value) {
    return make_uint2(exchanged<DISTANCE>(value.x), exchanged<DISTANCE>(value.y));
}

// A thread's columns of one row as bytes, before they are spread to what the surface holds.
__device__ inline unsigned packed(const float (&v)[4], bool) {
    return rgba(byte_of_saturated(v[0]), byte_of_saturated(v[1]), byte_of_saturated(v[2]), byte_of_saturated(v[3]));
}
__device__ inline uint2 packed(const float3 (&v)[2], bool) {
    return make_uint2(rgba(byte_of_saturated(v[0].x), byte_of_saturated(v[0].y), byte_of_saturated(v[0].z), 255u),
                      rgba(byte_of_saturated(v[1].x), byte_of_saturated(v[1].y), byte_of_saturated(v[1].z), 255u));
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

// Writes what two neighbouring lanes have, first eight grey pixels of a byte, then four colour pixels.
__device__ inline void write_pair(unsigned long long surface, int x, int y, unsigned left, unsigned right) {
    write_surface(surface, x, y, make_uint2(left, right));
}
__device__ inline void write_pair(unsigned long long surface, int x, int y, uint2 left, uint2 right) {
    write_surface(surface, 4 * x, y, make_uint4(left.x, left.y, right.x, right.y));
}

// Where a lane writes: what it writes first, in its row of the first pair.
struct Pen {
    int x;
    int y;
    int upper;    // the lane writes odd rows
    int columns;  // of the output from x on
    bool whole;   // the block's columns are all in the output
};

// The pen of a warp whose columns and rows of the output start at (i0, j0).
template <int OUTPUT, int COLUMNS>
__device__ inline Pen pen_at(const Target& target, int i0, int j0) {
    constexpr int DISTANCE = Exchange<OUTPUT, COLUMNS>::DISTANCE;
    const int lane = threadIdx.x % 32, upper = lane / DISTANCE % 2;
    const int x = i0 + (lane - upper * DISTANCE) * COLUMNS;
    return {x, j0 + upper, upper, target.size_px[0] - x, i0 + 32 * COLUMNS <= target.size_px[0]};
}

// Writes an even row and the odd one after it, `row` rows below the pen; where there is no odd one, `alone`.
template <int OUTPUT, int COLUMNS, typename Packed>
__device__ inline void write_rows(unsigned long long surface, const Pen& pen, int row, Packed even, Packed odd, bool alone) {
    using Exchange = Exchange<OUTPUT, COLUMNS>;
    const Packed got = exchanged<Exchange::DISTANCE>(pen.upper ? even : odd);
    const Packed left = pen.upper ? got : even, right = pen.upper ? odd : got;
    if (alone && pen.upper) return;
    if (!pen.whole) {
        write_some<OUTPUT>(surface, pen.x, pen.y + row, left, pen.columns);
        write_some<OUTPUT>(surface, pen.x + Exchange::STEP, pen.y + row, right, pen.columns - Exchange::STEP);
    } else if constexpr (Exchange::HALVES) {
        write_packed<OUTPUT>(surface, pen.x, pen.y + row, left);
        write_packed<OUTPUT>(surface, pen.x + Exchange::STEP, pen.y + row, right);
    } else {
        write_pair(surface, pen.x, pen.y + row, left, right);
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

// The last multiply-add of a pixel: bytes of grey and of opaque colour are kept within 0 … 1 by it.
template <int OUTPUT>
__device__ inline void add_last(float& sum, float weight, float value) {
    sum = OUTPUT == OUTPUT_VALUES ? __fmaf_rn(weight, value, sum) : multiply_add_saturated(weight, value, sum);
}
template <int OUTPUT>
__device__ inline void add_last(float3& sum, float weight, float3 value) {
    add_last<OUTPUT>(sum.x, weight, value.x);
    add_last<OUTPUT>(sum.y, weight, value.y);
    add_last<OUTPUT>(sum.z, weight, value.z);
}
template <int OUTPUT>
__device__ inline void add_last(float4& sum, float weight, float4 value) {
    add_weighted(sum, weight, value);
}
