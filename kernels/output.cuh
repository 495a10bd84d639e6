// Twin: src/backend/cpu/finish.rs. From values to 8 bits: kept within 0 … 1, times 255, rounded to nearest, ties to even.
#pragma once
#include "arguments.cuh"

// Adding it leaves the nearest integer in the low bits of the sum.
#define TO_INTEGER 12582912.0f

// a·b + c kept within 0 … 1; what is no number becomes 0.
__device__ inline float multiply_add_saturated(float a, float b, float c) {
    float sum;
    asm("fma.rn.sat.f32 %0, %1, %2, %3;" : "=f"(sum) : "f"(a), "f"(b), "f"(c));
    return sum;
}

// A value within 0 … 1 as a byte; the other bytes of the result are not zero.
__device__ inline unsigned byte_of_saturated(float value) {
    return __float_as_uint(__fmaf_rn(value, 255.0f, TO_INTEGER));
}

__device__ inline unsigned byte_of(float value) { return byte_of_saturated(__saturatef(value)); }

// A grey byte as an opaque RGBA pixel.
__device__ inline unsigned opaque_grey(unsigned byte) { return __byte_perm(byte, 0xff000000u, 0x7000); }

__device__ inline unsigned rgba(unsigned red, unsigned green, unsigned blue, unsigned alpha) {
    return __byte_perm(__byte_perm(red, green, 0x0040), __byte_perm(blue, alpha, 0x0040), 0x5410);
}

// Premultiplied colour and alpha as a straight RGBA pixel; where alpha is 0 there is no colour.
__device__ inline unsigned straight_rgba(float4 value, bool has_alpha) {
    if (!has_alpha) return rgba(byte_of(value.x), byte_of(value.y), byte_of(value.z), 255u);
    float4 colour = value.w == 0.0f ? make_float4(0.0f, 0.0f, 0.0f, 0.0f)
                                    : make_float4(value.x / value.w, value.y / value.w, value.z / value.w, value.w);
    return rgba(byte_of(colour.x), byte_of(colour.y), byte_of(colour.z), byte_of(value.w));
}

__device__ inline float4 times(float factor, float4 value) {
    return make_float4(factor * value.x, factor * value.y, factor * value.z, factor * value.w);
}

__device__ inline float times(float factor, float value) { return factor * value; }

// sum + weight·value, channel by channel.
__device__ inline void add_weighted(float& sum, float weight, float value) { sum = __fmaf_rn(weight, value, sum); }

__device__ inline void add_weighted(float4& sum, float weight, float4 value) {
    sum.x = __fmaf_rn(weight, value.x, sum.x);
    sum.y = __fmaf_rn(weight, value.y, sum.y);
    sum.z = __fmaf_rn(weight, value.z, sum.z);
    sum.w = __fmaf_rn(weight, value.w, sum.w);
}

// value + sum in every channel.
__device__ inline void add_everywhere(float& value, float sum) { value += sum; }
__device__ inline void add_everywhere(float4& value, float sum) {
    value.x += sum;
    value.y += sum;
    value.z += sum;
    value.w += sum;
}

// Surface writes: x in bytes from the surface's left edge; what falls outside is dropped.
__device__ inline void write_surface(unsigned long long surface, int x_bytes, int y, unsigned char value) {
    asm volatile("sust.b.2d.b8.zero [%0, {%1, %2}], {%3};" ::"l"(surface), "r"(x_bytes), "r"(y), "h"((unsigned short)value)
                 : "memory");
}

__device__ inline void write_surface(unsigned long long surface, int x_bytes, int y, unsigned value) {
    asm volatile("sust.b.2d.b32.zero [%0, {%1, %2}], {%3};" ::"l"(surface), "r"(x_bytes), "r"(y), "r"(value) : "memory");
}

__device__ inline void write_surface(unsigned long long surface, int x_bytes, int y, uint2 value) {
    asm volatile("sust.b.2d.v2.b32.zero [%0, {%1, %2}], {%3, %4};" ::"l"(surface), "r"(x_bytes), "r"(y), "r"(value.x),
                 "r"(value.y)
                 : "memory");
}

__device__ inline void write_surface(unsigned long long surface, int x_bytes, int y, uint4 value) {
    asm volatile("sust.b.2d.v4.b32.zero [%0, {%1, %2}], {%3, %4, %5, %6};" ::"l"(surface), "r"(x_bytes), "r"(y),
                 "r"(value.x), "r"(value.y), "r"(value.z), "r"(value.w)
                 : "memory");
}

// One grey pixel, as the target wants it.
__device__ inline void write_pixel(const Target& target, int i, int j, float value) {
    switch (target.output) {
        case OUTPUT_GREY8: write_surface(target.surface, i, j, (unsigned char)byte_of(value)); break;
        case OUTPUT_RGBA8: write_surface(target.surface, 4 * i, j, opaque_grey(byte_of(value))); break;
        default: target.values[size_t(j) * target.size_px[0] + i] = value;
    }
}

// One colour pixel, as the target wants it.
__device__ inline void write_pixel(const Target& target, int i, int j, float4 value, bool has_alpha) {
    if (target.output == OUTPUT_RGBA8) {
        write_surface(target.surface, 4 * i, j, straight_rgba(value, has_alpha));
    } else {
        reinterpret_cast<float4*>(target.values)[size_t(j) * target.size_px[0] + i] = value;
    }
}

__device__ inline void write_pixel(const Target& target, int i, int j, float value, bool) {
    write_pixel(target, i, j, value);
}
