// Twin: src/filter/median.rs. The median of a square window, channel by channel. One thread a result.
//
// A block's tile lies in shared memory as integers that stand in the order of the values; what is no number stands above
// them all. The median is then made bit by bit from the highest: it is the greatest number that at most half of the window
// lies below. Bits that are the same all over the tile need no look at it. A window of nine is sorted as far as it takes.
#include "filters.cuh"

// Stands in the order of the values; what is no number stands last.
__device__ inline unsigned key_of(float value) {
    unsigned bits = __float_as_uint(value);
    if (value != value) return 0xffffffffu;
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

__device__ inline float value_of(unsigned key) { return __uint_as_float(key >> 31 ? key & 0x7fffffffu : ~key); }

__device__ inline float channel_of(float value, int) { return value; }
__device__ inline float channel_of(float4 value, int channel) {
    return channel == 0 ? value.x : channel == 1 ? value.y : channel == 2 ? value.z : value.w;
}

__device__ inline unsigned middle_of(unsigned a, unsigned b, unsigned c) {
    return max(min(a, b), min(max(a, b), c));
}

// Of nine: the columns are sorted, and the median is the middle of the greatest least, the middle middle and the least
// greatest of them.
__device__ inline unsigned median_of_nine(const unsigned* corner, int width) {
    unsigned least[3], middle[3], greatest[3];
#pragma unroll
    for (int m = 0; m < 3; ++m) {
        unsigned a = corner[m], b = corner[width + m], c = corner[2 * width + m];
        least[m] = min(min(a, b), c);
        middle[m] = middle_of(a, b, c);
        greatest[m] = max(max(a, b), c);
    }
    return middle_of(max(max(least[0], least[1]), least[2]), middle_of(middle[0], middle[1], middle[2]),
                     min(min(greatest[0], greatest[1]), greatest[2]));
}

// Of a window of side × side keys, which are all as `known` but for the bits of `unknown`.
__device__ inline unsigned median_of(const unsigned* corner, int width, int side, unsigned known, unsigned unknown) {
    if (unknown == 0) return known;
    const int half = side * side / 2;
    unsigned bit = 0x80000000u >> __clz(unknown);
    unsigned median = known & ~(2u * bit - 1u);
    for (; bit != 0; bit >>= 1) {
        const unsigned candidate = median | bit;
        int below = 0;
        for (int n = 0; n < side; ++n) {
            const unsigned* row = corner + n * width;
            for (int m = 0; m < side; ++m) below += row[m] < candidate;
        }
        if (below <= half) median = candidate;
    }
    return median;
}

__device__ inline float median_pixel(const FilterArguments&, const float (&medians)[1]) { return medians[0]; }
__device__ inline float4 median_pixel(const FilterArguments& args, const float (&medians)[4]) {
    if (args.channels == 2) return make_float4(medians[0], medians[0], medians[0], medians[3]);
    return make_float4(medians[0], medians[1], medians[2], medians[3]);
}

// Whether a channel's own median is wanted: grey lies in three of them, and an opaque colour's fourth means nothing.
__device__ inline bool is_wanted(const FilterArguments& args, int channel) {
    return args.channels == 2 ? channel == 0 || channel == 3 : channel < args.channels;
}

template <typename Value>
__device__ inline void median(const FilterArguments& args) {
    extern __shared__ unsigned keys[];
    constexpr int CHANNELS = sizeof(Value) / sizeof(float);
    const int radius = args.radius, side = 2 * radius + 1;
    const int width = blockDim.x + 2 * radius, height = blockDim.y + 2 * radius;
    const Result place = result_of_thread();
    const int thread = threadIdx.y * blockDim.x + threadIdx.x;
    // The bits that differ within the tile, then the tile.
    unsigned* tile = keys + 1;
    float medians[CHANNELS] = {};
#pragma unroll
    for (int channel = 0; channel < CHANNELS; ++channel) {
        if (!is_wanted(args, channel)) continue;
        __syncthreads();
        if (thread == 0) keys[0] = 0;
        load_tile<Value>(args.plane, args.origin[0] + place.left - radius, args.origin[1] + place.top - radius, width, height,
                         tile, [&](Value value) { return key_of(channel_of(value, channel)); });
        __syncthreads();
        const unsigned* corner = tile + threadIdx.y * width + threadIdx.x;
        unsigned median;
        if (radius == 1) {
            median = median_of_nine(corner, width);
        } else {
            unsigned differing = 0;
            for (int k = thread; k < width * height; k += blockDim.x * blockDim.y) differing |= tile[k] ^ tile[0];
            atomicOr(keys, differing);
            __syncthreads();
            median = median_of(corner, width, side, tile[0], keys[0]);
        }
        medians[channel] = value_of(median);
    }
    if (is_result(args, place)) {
        write_pixel(args.target, place.i, place.j, median_pixel(args, medians), args.plane.has_alpha);
    }
}

extern "C" __global__ void median_grey(const FilterArguments args) { median<float>(args); }
extern "C" __global__ void median_colour(const FilterArguments args) { median<float4>(args); }
