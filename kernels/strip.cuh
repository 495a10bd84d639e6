// Neighbouring samples of one row of a plane in registers, in the plane's own numbers, as `columns` and `reduced` read them. Where
// they lie in the plane they are loaded as words; elsewhere one by one, by the indices that the address mode gives.
#pragma once
#include "address.cuh"
#include "rows.cuh"
#include "samples.cuh"

// Three channels of opaque colour.
__device__ inline float3 times(float factor, float3 value) {
    return make_float3(factor * value.x, factor * value.y, factor * value.z);
}
__device__ inline void add_weighted(float3& sum, float weight, float3 value) {
    sum.x = __fmaf_rn(weight, value.x, sum.x);
    sum.y = __fmaf_rn(weight, value.y, sum.y);
    sum.z = __fmaf_rn(weight, value.z, sum.z);
}

__device__ inline void add_everywhere(float3& value, float sum) {
    value.x += sum;
    value.y += sum;
    value.z += sum;
}

// The same number in every channel.
__device__ inline void set_all(float& value, float number) { value = number; }
__device__ inline void set_all(float3& value, float number) { value = make_float3(number, number, number); }
__device__ inline void set_all(float4& value, float number) { value = make_float4(number, number, number, number); }

// The value that a lane holds.
__device__ inline float of_lane(float held, int lane) { return __shfl_sync(0xffffffffu, held, lane); }
__device__ inline float3 of_lane(float3 held, int lane) {
    return make_float3(of_lane(held.x, lane), of_lane(held.y, lane), of_lane(held.z, lane));
}
__device__ inline float4 of_lane(float4 held, int lane) {
    return make_float4(of_lane(held.x, lane), of_lane(held.y, lane), of_lane(held.z, lane), of_lane(held.w, lane));
}

// How the samples of a block's strips lie in the plane.
enum Layout : int {
    INSIDE,     // neighbours in memory
    SCATTERED,  // anywhere: their stored indices are in shared memory, −1 for a sample that no plane has
};

// Where a thread reads of a row.
struct Source {
    Layout layout;
    // The stored index of the first sample.
    int place;
    // The indices of its samples, 32 numbers apart.
    const int* scattered;
};

__device__ inline constexpr bool is_integer(unsigned char) { return true; }
__device__ inline constexpr bool is_integer(unsigned short) { return true; }
__device__ inline constexpr bool is_integer(float) { return false; }

// Number k of a word, the others 0.
__device__ inline unsigned placed(unsigned char number, int k) { return unsigned(number) << 8 * k; }
__device__ inline unsigned placed(unsigned short number, int k) { return unsigned(number) << 16 * k; }
__device__ inline unsigned placed(float number, int) { return __float_as_uint(number); }

// COUNT neighbouring samples.
template <typename Sample, int CHANNELS, int COUNT>
struct Strip;

// Grey: numbers in words, the first one at any place of its word.
template <typename Sample, int COUNT>
struct Strip<Sample, 1, COUNT> {
    using Value = float;
    using Number = Sample;
    static constexpr int A_WORD = 4 / sizeof(Sample);
    static constexpr int LOADED = (COUNT + 2 * A_WORD - 2) / A_WORD;
    unsigned words[LOADED];

    // Whether the samples from stored index `place` on lie in a row, and the words that hold them.
    __device__ static inline bool is_inside(const Plane& plane, int place) {
        return place >= 0 && place + COUNT <= plane.stored[0] && place / A_WORD * A_WORD + LOADED * A_WORD <= plane.pitch;
    }

    // The last place of which the words that hold the samples lie in a row.
    __device__ static inline int last_place(const Plane& plane) {
        return min(plane.stored[0] - COUNT, (plane.pitch / A_WORD - LOADED) * A_WORD + A_WORD - 1);
    }

    __device__ inline void clear() {
#pragma unroll
        for (int k = 0; k < LOADED; ++k) words[k] = 0;
    }

    // Stored row `row`.
    __device__ static inline const Sample* row_of(const Plane& plane, int row) {
        return static_cast<const Sample*>(plane.values) + size_t(row) * plane.pitch;
    }

    // The number at the start of the word of stored index `place`.
    __device__ static inline int aligned(int place) { return place / A_WORD * A_WORD; }

    // From an aligned number on.
    __device__ inline void load(const Sample* numbers) {
        const unsigned* first = reinterpret_cast<const unsigned*>(numbers);
#pragma unroll
        for (int k = 0; k < LOADED; ++k) words[k] = __ldg(first + k);
    }

    __device__ static inline Value one(const Sample* number) { return float(__ldg(number)); }

    __device__ inline void gather(const void* row, const int* scattered) {
        const Sample* numbers = static_cast<const Sample*>(row);
        clear();
#pragma unroll
        for (int k = 0; k < COUNT; ++k) {
            int at = scattered[k * 32];
            if (at >= 0) words[k / A_WORD] |= placed(__ldg(numbers + at), k % A_WORD);
        }
    }

    // The bits before the sample at stored index `place` in its word.
    __device__ static inline unsigned bits_before(int place) { return place % A_WORD * 8 * sizeof(Sample); }

    // Shifts the first sample to the start of the first word.
    __device__ inline void align(unsigned bits) {
        if constexpr (A_WORD > 1) {
#pragma unroll
            for (int k = 0; k < LOADED; ++k) {
                words[k] = __funnelshift_r(words[k], k + 1 < LOADED ? words[k + 1] : 0u, bits);
            }
        }
    }

    __device__ inline Value value(int k) const { return number_of(words[k / A_WORD], k % A_WORD, Sample()); }
};

// Grey floats: loads of four, the first number at any place of its four.
template <int COUNT>
struct Strip<float, 1, COUNT> {
    using Value = float;
    using Number = float;
    static constexpr int FOURS = (COUNT + 6) / 4;
    float numbers[4 * FOURS];

    __device__ static inline bool is_inside(const Plane& plane, int place) {
        return place >= 0 && place + COUNT <= plane.stored[0] && place / 4 * 4 + 4 * FOURS <= plane.pitch;
    }

    __device__ static inline int last_place(const Plane& plane) { return min(plane.stored[0] - COUNT, (plane.pitch / 4 - FOURS) * 4 + 3); }

    __device__ inline void clear() {
#pragma unroll
        for (int k = 0; k < 4 * FOURS; ++k) numbers[k] = 0.0f;
    }

    __device__ static inline const float* row_of(const Plane& plane, int row) {
        return static_cast<const float*>(plane.values) + size_t(row) * plane.pitch;
    }

    __device__ static inline int aligned(int place) { return place / 4 * 4; }

    __device__ inline void load(const float* from) {
#pragma unroll
        for (int k = 0; k < FOURS; ++k) {
            const float4 four = __ldg(reinterpret_cast<const float4*>(from) + k);
            numbers[4 * k] = four.x;
            numbers[4 * k + 1] = four.y;
            numbers[4 * k + 2] = four.z;
            numbers[4 * k + 3] = four.w;
        }
    }

    __device__ static inline Value one(const float* number) { return __ldg(number); }

    __device__ inline void gather(const void* row, const int* scattered) {
        clear();
#pragma unroll
        for (int k = 0; k < COUNT; ++k) {
            const int at = scattered[k * 32];
            if (at >= 0) numbers[k] = __ldg(static_cast<const float*>(row) + at);
        }
    }

    // The numbers before the one at stored index `place` in its four.
    __device__ static inline unsigned bits_before(int place) { return place % 4; }

    __device__ inline void align(unsigned before) {
#pragma unroll
        for (int k = 0; k + 1 < 4 * FOURS; ++k) numbers[k] = before & 1 ? numbers[k + 1] : numbers[k];
#pragma unroll
        for (int k = 0; k + 2 < 4 * FOURS; ++k) numbers[k] = before & 2 ? numbers[k + 2] : numbers[k];
    }

    __device__ inline Value value(int k) const { return numbers[k]; }
};

// Colour: integers are opaque, their fourth channel is not read.
template <typename Sample>
struct ColourPixel;
template <>
struct ColourPixel<unsigned char> {
    using Words = unsigned;
    using Value = float3;
    __device__ static inline Words none() { return 0; }
    __device__ static inline Value value(Words word) {
        const unsigned char kind = 0;
        return make_float3(number_of(word, 0, kind), number_of(word, 1, kind), number_of(word, 2, kind));
    }
};
template <>
struct ColourPixel<unsigned short> {
    using Words = uint2;
    using Value = float3;
    __device__ static inline Words none() { return make_uint2(0, 0); }
    __device__ static inline Value value(Words words) {
        const unsigned short kind = 0;
        return make_float3(number_of(words.x, 0, kind), number_of(words.x, 1, kind), number_of(words.y, 0, kind));
    }
};
template <>
struct ColourPixel<float> {
    using Words = float4;
    using Value = float4;
    __device__ static inline Words none() { return make_float4(0.0f, 0.0f, 0.0f, 0.0f); }
    __device__ static inline Value value(Words words) { return words; }
};

template <typename Sample, int COUNT>
struct Strip<Sample, 4, COUNT> {
    using Pixel = ColourPixel<Sample>;
    using Words = typename Pixel::Words;
    using Value = typename Pixel::Value;
    using Number = Words;
    Words pixels[COUNT];

    __device__ static inline bool is_inside(const Plane& plane, int place) {
        return place >= 0 && place + COUNT <= plane.stored[0];
    }

    __device__ static inline int last_place(const Plane& plane) { return plane.stored[0] - COUNT; }

    __device__ inline void clear() {
#pragma unroll
        for (int k = 0; k < COUNT; ++k) pixels[k] = Pixel::none();
    }

    // Stored row `row`.
    __device__ static inline const Words* row_of(const Plane& plane, int row) {
        return static_cast<const Words*>(plane.values) + size_t(row) * plane.pitch;
    }

    __device__ static inline int aligned(int place) { return place; }

    __device__ inline void load(const Words* numbers) {
#pragma unroll
        for (int k = 0; k < COUNT; ++k) pixels[k] = __ldg(numbers + k);
    }

    __device__ static inline Value one(const Words* number) { return Pixel::value(__ldg(number)); }

    __device__ inline void gather(const void* row, const int* scattered) {
        const Words* numbers = static_cast<const Words*>(row);
#pragma unroll
        for (int k = 0; k < COUNT; ++k) {
            int at = scattered[k * 32];
            pixels[k] = at >= 0 ? __ldg(numbers + at) : Pixel::none();
        }
    }

    __device__ static inline unsigned bits_before(int) { return 0; }

    __device__ inline void align(unsigned) {}

    __device__ inline Value value(int k) const { return Pixel::value(pixels[k]); }
};

// Whether a row before the address mode is the border's constant.
__device__ inline bool is_border_row(const Plane& plane, int row) {
    return plane.address[1] == BORDER && unsigned(row) >= unsigned(plane.stored[1]);
}
