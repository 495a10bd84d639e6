// Twin: src/filter/median.rs. The median of a square window, channel by channel.
//
// Values are kept as integer keys that stand in their order; what is no number stands above them all. A window of nine is
// sorted as far as it takes, by runs of results that share rows. The median of a wider window is made bit by bit from the
// highest: of the samples that agree with it so far it has a 0 there where those with a 0 reach the middle. A block's
// tile lies in shared memory as planes of bits, so that a word holds a row of the window and is counted at once.
#include "filters.cuh"

// What the parameters are, of integer samples; else 0.
#define UNIT 0     // the value of one step
#define LARGEST 1  // steps from 0 to 1

// Integers that stand in the order of the values.
__device__ inline unsigned key_of_float(float value) {
    const unsigned bits = __float_as_uint(value);
    return value != value ? 0xffffffffu : bits ^ (unsigned(int(bits) >> 31) | 0x80000000u);
}

__device__ inline float float_of(unsigned key) { return __uint_as_float(key >> 31 ? key & 0x7fffffffu : ~key); }

// The same in few bits where samples are integers: those have odd keys, and the border's constant, which need not be one of
// them, has an even one.
__device__ inline unsigned key_of(const FilterArguments& args, float value) {
    const float largest = args.parameters[LARGEST];
    if (largest == 0.0f) return key_of_float(value);
    const bool bordered = args.plane.address[0] == BORDER || args.plane.address[1] == BORDER;
    if (!bordered || value != args.plane.border) return 2u * unsigned(__fmaf_rn(value, largest, 0.5f)) + 1u;
    const float below = floorf(value * largest);
    return below < 0.0f ? 0u : 2u * unsigned(fminf(below, largest)) + 2u;
}

__device__ inline float value_of(const FilterArguments& args, unsigned key) {
    if (args.parameters[LARGEST] == 0.0f) return float_of(key);
    return key & 1u ? float(key >> 1) * args.parameters[UNIT] : args.plane.border;
}

// Bits of the keys.
__device__ inline int key_bits(const FilterArguments& args) {
    const float largest = args.parameters[LARGEST];
    return largest == 0.0f ? 32 : 32 - __clz(2u * unsigned(largest) + 2u);
}

__device__ inline float channel_of(float value, int) { return value; }
__device__ inline float channel_of(float4 value, int channel) {
    return channel == 0 ? value.x : channel == 1 ? value.y : channel == 2 ? value.z : value.w;
}
__device__ inline void set_channel(float& value, int, float number) { value = number; }
__device__ inline void set_channel(float4& value, int channel, float number) {
    (channel == 0 ? value.x : channel == 1 ? value.y : channel == 2 ? value.z : value.w) = number;
}

// Whether a channel's own median is wanted: grey lies in three of them, and an opaque colour's fourth means nothing.
__device__ inline bool is_wanted(const FilterArguments& args, int channel) {
    return args.channels == 2 ? channel == 0 || channel == 3 : channel < args.channels;
}

__device__ inline unsigned middle_of(unsigned a, unsigned b, unsigned c) {
    return max(min(a, b), min(max(a, b), c));
}

// Three keys in order.
struct Ordered {
    unsigned least, middle, greatest;
};

__device__ inline Ordered ordered(unsigned a, unsigned b, unsigned c) {
    return {min(min(a, b), c), middle_of(a, b, c), max(max(a, b), c)};
}

// Of nine keys in three ordered rows: the middle of the greatest least, the middle middle and the least greatest.
__device__ inline unsigned median_of_nine(const Ordered& a, const Ordered& b, const Ordered& c) {
    return middle_of(max(max(a.least, b.least), c.least), middle_of(a.middle, b.middle, c.middle),
                     min(min(a.greatest, b.greatest), c.greatest));
}

// All channels' keys.
__device__ inline unsigned keys_of(float value) { return key_of_float(value); }
__device__ inline uint4 keys_of(float4 value) {
    return make_uint4(key_of_float(value.x), key_of_float(value.y), key_of_float(value.z), key_of_float(value.w));
}
__device__ inline unsigned channel_of(unsigned keys, int) { return keys; }
__device__ inline unsigned channel_of(uint4 keys, int channel) {
    return channel == 0 ? keys.x : channel == 1 ? keys.y : channel == 2 ? keys.z : keys.w;
}

// A window of radius 1.
template <typename Value>
__device__ inline void median_narrow(const FilterArguments& args) {
    extern __shared__ unsigned words[];
    using Keys = decltype(keys_of(Value()));
    constexpr int RUN = Run<Value>::COUNT, CHANNELS = sizeof(Value) / sizeof(float);
    const int width = blockDim.x + 2;
    Keys* tile = reinterpret_cast<Keys*>(words);
    const Result place = result_of_thread<RUN>();
    load_tile<Value>(args.plane, args.origin[0] + place.left - 1, args.origin[1] + place.top - 1, width,
                     blockDim.y * RUN + 2, tile, [](Value value) { return keys_of(value); });
    __syncthreads();
    const Keys* from = tile + threadIdx.y * RUN * width + threadIdx.x;
    Value medians[RUN] = {};
#pragma unroll
    for (int channel = 0; channel < CHANNELS; ++channel) {
        if (!is_wanted(args, channel)) continue;
        Ordered rows[RUN + 2];
#pragma unroll
        for (int row = 0; row < RUN + 2; ++row) {
            const Keys* three = from + row * width;
            rows[row] =
                ordered(channel_of(three[0], channel), channel_of(three[1], channel), channel_of(three[2], channel));
        }
#pragma unroll
        for (int k = 0; k < RUN; ++k) {
            set_channel(medians[k], channel, float_of(median_of_nine(rows[k], rows[k + 1], rows[k + 2])));
        }
    }
#pragma unroll
    for (int k = 0; k < RUN; ++k) medians[k] = all_channels(args, medians[k]);
    write_results(args, place, medians, words);
}

// A block's tile as planes of bits: bit b of 32 neighbouring keys of a row is a word.
struct Planes {
    unsigned* words;   // by bit, row and word; some rows more lie behind, which may be read and count for nothing
    int words_a_row;
    int rows;
    unsigned first;    // one of the keys
    unsigned differs;  // the bits that are not the same in all of them
};

// Results that a thread makes one below the other where the window is wide.
#define WIDE_RUN 4

// Makes the planes of a block's tile. Shared memory: one word, then the planes, then rows that no tile fills.
template <typename Value, bool INSIDE>
__device__ inline Planes share_planes(const FilterArguments& args, const Result& place, int channel, unsigned* words) {
    const int radius = args.radius, width = blockDim.x + 2 * radius, bits = key_bits(args);
    const int left = args.origin[0] + place.left - radius, top = args.origin[1] + place.top - radius;
    const int thread = threadIdx.y * blockDim.x + threadIdx.x, lane = thread % 32;
    const int words_a_row = (blockDim.x + 31) / 32 + 1, rows = blockDim.y * WIDE_RUN + 2 * radius;
    auto key_at = [&](int x, int y) {
        return key_of(args, channel_of(value_at<Value, INSIDE>(args.plane, left + x, top + y), channel));
    };
    const unsigned first = key_at(0, 0);
    unsigned differs = 0;
    __syncthreads();
    if (thread == 0) words[0] = 0;
    unsigned* planes = words + 1;
    for (int unit = thread / 32; unit < rows * words_a_row; unit += blockDim.x * blockDim.y / 32) {
        const int row = unit / words_a_row, word = unit - row * words_a_row;
        // Beyond the tile stands its last key again.
        const unsigned key = key_at(min(32 * word + lane, width - 1), row);
        differs |= key ^ first;
        unsigned mine = 0;
        for (int bit = 0; bit < bits; ++bit) {
            const unsigned ballot = __ballot_sync(0xffffffffu, key >> bit & 1u);
            if (lane == bit) mine = ballot;
        }
        if (lane < bits) planes[(lane * rows + row) * words_a_row + word] = mine;
    }
    __syncthreads();
    atomicOr(words, differs);
    __syncthreads();
    return {planes, words_a_row, rows, first, words[0]};
}

// The sum of three bits, bit by bit, and what it carries.
__device__ inline unsigned add_bits(unsigned a, unsigned b, unsigned c, unsigned& carry) {
    carry = (a & b) | (c & (a | b));
    return a ^ b ^ c;
}

// The bits that are set in words. Carry-save adders make one word of eight, since counts are slow (Harley and Seal, in
// Warren, Hacker's Delight, 2nd edition, 5-1).
template <int WORDS>
__device__ inline int bits_of(const unsigned (&words)[WORDS]) {
    constexpr int ADDED = WORDS < 16 ? 0 : WORDS / 8 * 8;
    int bits = 0;
    unsigned ones = 0, twos = 0, fours = 0;
#pragma unroll
    for (int n = 0; n < ADDED; n += 8) {
        unsigned two[4], four[2], eight;
#pragma unroll
        for (int k = 0; k < 4; ++k) ones = add_bits(ones, words[n + 2 * k], words[n + 2 * k + 1], two[k]);
        twos = add_bits(twos, two[0], two[1], four[0]);
        twos = add_bits(twos, two[2], two[3], four[1]);
        fours = add_bits(fours, four[0], four[1], eight);
        bits += 8 * __popc(eight);
    }
    if (ADDED > 0) bits += 4 * __popc(fours) + 2 * __popc(twos) + __popc(ones);
#pragma unroll
    for (int n = ADDED; n < WORDS; ++n) bits += __popc(words[n]);
    return bits;
}

// The middle key of the window of side × side, which may be up to ROWS, that starts at this row and this thread's column. Of a window 33 wide (OVER), a row's last
// sample does not fit its word: these stand in two words of their own.
template <int ROWS>
__device__ __noinline__ unsigned median_of(const Planes planes, int row, int side) {
    constexpr bool OVER = ROWS > 32;
    constexpr int WORDS = OVER ? ROWS + 2 : ROWS;
    const int word = threadIdx.x / 32, shift = threadIdx.x % 32;
    // The samples that agree with the median so far, and of those the ones that have a 0 next.
    unsigned agree[WORDS], zeros[WORDS];
#pragma unroll
    for (int n = 0; n < ROWS; ++n) agree[n] = n < side ? 0xffffffffu >> (OVER ? 0 : 32 - side) : 0u;
    if (OVER) {
        agree[WORDS - 2] = 0xffffffffu;
        agree[WORDS - 1] = 1u;
    }
    int before = side * side / 2;
    unsigned key = planes.first & ~planes.differs;
    for (unsigned left = planes.differs; left != 0;) {
        const int bit = 31 - __clz(left);
        left ^= 1u << bit;
        const unsigned* from = planes.words + (bit * planes.rows + row) * planes.words_a_row + word;
        unsigned last[2] = {};
#pragma unroll
        for (int n = 0; n < ROWS; ++n) {
            const unsigned low = from[n * planes.words_a_row], high = from[n * planes.words_a_row + 1];
            zeros[n] = agree[n] & ~__funnelshift_r(low, high, shift);
            if (OVER) last[n / 32] |= (high >> shift & 1u) << n % 32;
        }
        if (OVER) {
            zeros[WORDS - 2] = agree[WORDS - 2] & ~last[0];
            zeros[WORDS - 1] = agree[WORDS - 1] & ~last[1];
        }
        const int below = bits_of(zeros);
        const bool one = below <= before;
        if (one) {
            before -= below;
            key |= 1u << bit;
        }
        const unsigned flip = one ? 0xffffffffu : 0u;
#pragma unroll
        for (int n = 0; n < WORDS; ++n) agree[n] &= zeros[n] ^ flip;
    }
    return key;
}

// Windows as wide as they come in one kernel, so that the narrower have more threads at once.
struct Wide {
    static __device__ unsigned median(const Planes& planes, int row, int side) {
        if (side <= 5) return median_of<5>(planes, row, side);
        if (side <= 7) return median_of<7>(planes, row, side);
        if (side <= 9) return median_of<9>(planes, row, side);
        if (side <= 13) return median_of<13>(planes, row, side);
        return median_of<17>(planes, row, side);
    }
};
struct Widest {
    static __device__ unsigned median(const Planes& planes, int row, int side) {
        if (side <= 25) return median_of<25>(planes, row, side);
        if (side <= 31) return median_of<31>(planes, row, side);
        return median_of<33>(planes, row, side);
    }
};

template <typename Value, typename Window>
__device__ inline void median_wide(const FilterArguments& args) {
    extern __shared__ unsigned words[];
    constexpr int CHANNELS = sizeof(Value) / sizeof(float);
    const int radius = args.radius;
    const Result place = result_of_thread<WIDE_RUN>();
    const bool inside = is_inside(args.plane, args.origin[0] + place.left - radius, args.origin[1] + place.top - radius,
                                  blockDim.x + 2 * radius, blockDim.y * WIDE_RUN + 2 * radius);
    Value medians[WIDE_RUN] = {};
#pragma unroll 1
    for (int channel = 0; channel < CHANNELS; ++channel) {
        if (!is_wanted(args, channel)) continue;
        const Planes planes = inside ? share_planes<Value, true>(args, place, channel, words)
                                     : share_planes<Value, false>(args, place, channel, words);
#pragma unroll
        for (int k = 0; k < WIDE_RUN; ++k) {
            const unsigned key = Window::median(planes, threadIdx.y * WIDE_RUN + k, 2 * radius + 1);
            set_channel(medians[k], channel, value_of(args, key));
        }
    }
#pragma unroll
    for (int k = 0; k < WIDE_RUN; ++k) medians[k] = all_channels(args, medians[k]);
    write_results(args, place, medians, words);
}
