// Twins: src/filter/point.rs, noise.rs, bilateral.rs, unsharp.rs, sobel.rs and convolve.rs. A thread makes a run of results one below the other, or
// one where its window is wide.
#include "filters.cuh"

__device__ inline float mapped(const PointStep& step, float value) {
    switch (step.filter) {
        case POINT_GAMMA: return step.factor == 1.0f ? value : copysignf(powf(fabsf(value), step.factor), value);
        case POINT_NEGATIVE: return 1.0f - value;
        default: return step.factor * value;
    }
}

// Four random words by a counter and a key: Philox4x32 of ten rounds.
__device__ inline uint4 philox(uint4 counter, uint2 key) {
    for (int round = 0; round < 10; ++round) {
        const unsigned high_0 = __umulhi(0xD2511F53u, counter.x), low_0 = 0xD2511F53u * counter.x;
        const unsigned high_1 = __umulhi(0xCD9E8D57u, counter.z), low_1 = 0xCD9E8D57u * counter.z;
        counter = make_uint4(high_1 ^ counter.y ^ key.x, low_1, high_0 ^ counter.w ^ key.y, low_0);
        key = make_uint2(key.x + 0x9E3779B9u, key.y + 0xBB67AE85u);
    }
    return counter;
}

// The value of the channel at a place with its noise. Once for all that call it: most of it is the generator.
static __device__ __noinline__ float with_noise(const PointStep& step, float value, unsigned x, unsigned y, unsigned channel) {
    const uint4 words = philox(make_uint4(x, y, channel, 0), make_uint2(step.seed, 0));
    switch (step.noise_kind) {
        case NOISE_WHITE: {
            const float unit = 1.0f / 16777216.0f;
            const float radius = sqrtf(-2.0f * logf(float((words.x >> 8) + 1) * unit));
            return value + step.factor * (radius * cospif(2.0f * (float(words.y >> 8) * unit)));
        }
        case NOISE_UNIFORM: return value + step.factor * (float(2 * (words.x >> 9) + 1) / 8388608.0f - 1.0f);
        default: return words.x >> 8 < step.replaced ? float(words.y >> 31) : value;
    }
}

// A place of a launch's results: the random counter of a pixel, and how many colours it has.
struct PointPlace {
    unsigned x, y;
    int channels;
};

__device__ inline float mapped_pixel(const PointStep& step, const Plane&, PointPlace place, float value) {
    return step.filter == POINT_NOISE ? with_noise(step, value, place.x, place.y, 0) : mapped(step, value);
}

// Straight colours are mapped; where alpha is 0 there are none.
__device__ inline float4 mapped_pixel(const PointStep& step, const Plane& plane, PointPlace place, float4 value) {
    const float alpha = value.w;
    if (plane.has_alpha) {
        if (alpha == 0.0f) return make_float4(0.0f, 0.0f, 0.0f, alpha);
        value = make_float4(value.x / alpha, value.y / alpha, value.z / alpha, alpha);
    }
    float4 result;
    if (step.filter == POINT_NOISE) {
        result.x = with_noise(step, value.x, place.x, place.y, 0);
        // Grey lies in three channels and has the noise of one.
        result.y = place.channels == 2 ? result.x : with_noise(step, value.y, place.x, place.y, 1);
        result.z = place.channels == 2 ? result.x : with_noise(step, value.z, place.x, place.y, 2);
        result.w = alpha;
    } else {
        result = make_float4(mapped(step, value.x), mapped(step, value.y), mapped(step, value.z), alpha);
    }
    if (step.mixes) {
        float luminance = step.luminance[0] * value.x + step.luminance[1] * value.y + step.luminance[2] * value.z;
        result = make_float4(result.x + luminance, result.y + luminance, result.z + luminance, alpha);
    }
    if (plane.has_alpha) result = make_float4(result.x * alpha, result.y * alpha, result.z * alpha, alpha);
    return result;
}

// Steps that map every pixel by itself, one after the other.
template <typename Value>
__device__ inline void points(const PointArguments& args) {
    extern __shared__ float4 shared[];
    constexpr int RUN = Run<Value>::COUNT;
    const FilterArguments& filter = args.filter;
    const Result place = result_of_thread<RUN>();
    Value values[RUN];
    read_values(filter, place, values);
    for (int step = 0; step < args.step_count; ++step) {
#pragma unroll
        for (int k = 0; k < RUN; ++k) {
            const PointPlace at = {args.first[0] + filter.origin[0] + place.i, args.first[1] + filter.origin[1] + place.j + k,
                                   filter.channels};
            values[k] = mapped_pixel(args.steps[step], filter.plane, at, values[k]);
        }
    }
    write_results(filter, place, values, shared);
}

// Weights below 2^-SMALLEST are 0.
#define SMALLEST 125.0f

// 2^-x for x from 0 to SMALLEST, to 2 units in the last place.
__device__ inline float two_to_minus(float x) {
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(-x));
    return power;
}

// The channels that a difference is made of: grey lies in three of them, and an opaque colour's fourth means nothing.
__device__ inline float counted(const FilterArguments&, float value) { return value; }
__device__ inline float4 counted(const FilterArguments& args, float4 value) {
    if (args.channels == 2) return make_float4(value.x, 0.0f, 0.0f, value.w);
    if (args.channels == 3) return make_float4(value.x, value.y, value.z, 0.0f);
    return value;
}

__device__ inline float square_of_difference(float4 a, float4 b) {
    float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z, w = a.w - b.w;
    return x * x + y * y + z * z + w * w;
}

// A mean under way: weighed values, weights, and how many of them reach the threshold.
template <typename Value>
struct Weighed {
    Value values;
    float weights;
    float reaching;
};

// What bilateral's parameters are.
#define LIKENESS 0  // a weight is 2^-(nearness + likeness·difference²)
#define LIMIT 1     // what that exponent may be for a weight to reach the threshold; negative where the share is not needed
#define SHARE 2     // 1 where the share of weights that reach the threshold is shown in place of the result

// A weight's exponent, by the very operations of the twin where it is held against the threshold: what counts is which
// neighbours reach it, and one more or less is a step in the result.
template <bool BLENDS>
__device__ inline float exponent_of(float nearness, float likeness, float value, float centre) {
    float difference = value - centre;
    if (!BLENDS) return __fmaf_rn(likeness, difference * difference, nearness);
    return __fadd_rn(nearness, __fmul_rn(likeness, __fmul_rn(difference, difference)));
}
template <bool BLENDS>
__device__ inline float exponent_of(float nearness, float likeness, float4 value, float4 centre) {
    if (!BLENDS) return __fmaf_rn(likeness, square_of_difference(value, centre), nearness);
    float exponent = exponent_of<true>(nearness, likeness, value.x, centre.x);
    exponent = exponent_of<true>(exponent, likeness, value.y, centre.y);
    exponent = exponent_of<true>(exponent, likeness, value.z, centre.z);
    return exponent_of<true>(exponent, likeness, value.w, centre.w);
}

// nearness·square in double precision, rounded once: as the twin's table has it.
__device__ inline float exact_nearness(const FilterArguments& args, int square) {
    const double log2_e = 1.44269504088896340736;
    return float(__ddiv_rn(__dmul_rn(double(square), log2_e), args.two_sigma_squares));
}

template <bool BLENDS, typename Value>
__device__ inline void add_sample(const FilterArguments& args, Weighed<Value>& sums, Value centre, float nearness,
                                  Value value) {
    float exponent = exponent_of<BLENDS>(nearness, args.parameters[LIKENESS], value, centre);
    if (BLENDS && exponent <= args.parameters[LIMIT]) sums.reaching += 1.0f;
    // What is no number is not less.
    if (exponent < SMALLEST) {
        float weight = two_to_minus(exponent);
        sums.weights += weight;
        add_weighted(sums.values, weight, value);
    }
}

template <typename Value>
__device__ inline void add_sums(Weighed<Value>& sums, const Weighed<Value>& line) {
    add_weighted(sums.values, 1.0f, line.values);
    sums.weights += line.weights;
    sums.reaching += line.reaching;
}

__device__ inline float blend(float original, float smoothed, float share) {
    return original + share * (smoothed - original);
}
__device__ inline float4 blend(float4 original, float4 smoothed, float share) {
    return make_float4(blend(original.x, smoothed.x, share), blend(original.y, smoothed.y, share),
                       blend(original.z, smoothed.z, share), blend(original.w, smoothed.w, share));
}

// The share as a picture: alpha stays, by which colours are multiplied.
__device__ inline float share_shown(const FilterArguments&, float, float share) { return share; }
__device__ inline float4 share_shown(const FilterArguments& args, float4 centre, float share) {
    const float colour = args.channels % 2 == 0 ? share * centre.w : share;
    return make_float4(colour, colour, colour, centre.w);
}

__device__ inline float quotient(float value, float by) { return value / by; }
__device__ inline float4 quotient(float4 value, float by) {
    return make_float4(value.x / by, value.y / by, value.z / by, value.w / by);
}

// Some of the window's rows are in shared memory at a time, under all of the block's results; a row's sums are of their own,
// so that fewer roundings pile up.
template <bool BLENDS, typename Value>
__device__ inline void smooth(const FilterArguments& args) {
    extern __shared__ float4 shared[];
    const int radius = args.radius, side = 2 * radius + 1;
    const int width = blockDim.x + 2 * radius, reach = radius + 1;
    // The nearness of every offset, by its distances along x and y; then the samples.
    float* nearnesses = reinterpret_cast<float*>(shared);
    Value* tile = reinterpret_cast<Value*>(shared + (reach * reach + 3) / 4);
    for (int k = threadIdx.y * blockDim.x + threadIdx.x; k < reach * reach; k += blockDim.x * blockDim.y) {
        int n = k / reach, m = k - n * reach;
        nearnesses[k] = exact_nearness(args, m * m + n * n);
    }
    const Result place = result_of_thread<1>();
    const int x = args.origin[0] + place.i, y = args.origin[1] + place.j;
    const Value centre = counted(args, value_at<Value>(args.plane, x, y));
    Weighed<Value> sums = {};
    for (int from = 0; from < side; from += args.rows_at_once) {
        const int rows = min(args.rows_at_once, side - from);
        __syncthreads();
        load_tile<Value>(args.plane, args.origin[0] + place.left - radius, args.origin[1] + place.top + from - radius, width,
                         blockDim.y + rows - 1, tile, [&](Value value) { return counted(args, value); });
        __syncthreads();
        for (int n = 0; n < rows; ++n) {
            const Value* middle = tile + (threadIdx.y + n) * width + threadIdx.x + radius;
            const float* nearness = nearnesses + abs(from + n - radius) * reach;
            Weighed<Value> line = {};
            add_sample<BLENDS>(args, line, centre, nearness[0], middle[0]);
            for (int m = 1; m <= radius; ++m) {
                add_sample<BLENDS>(args, line, centre, nearness[m], middle[-m]);
                add_sample<BLENDS>(args, line, centre, nearness[m], middle[m]);
            }
            add_sums(sums, line);
        }
    }
    Value result = centre;
    // Without even its own weight a pixel is not finite, and stays.
    if (sums.weights > 0.0f) {
        result = quotient(sums.values, sums.weights);
        // The sample itself always reaches the limit.
        if (BLENDS) result = blend(centre, result, (sums.reaching - 1.0f) / float(side * side - 1));
    }
    if (BLENDS && args.parameters[SHARE] != 0.0f) {
        result = share_shown(args, centre, fmaxf(sums.reaching - 1.0f, 0.0f) / float(side * side - 1));
    }
    const Value results[1] = {all_channels(args, result)};
    write_results(args, place, results, shared);
}

template <typename Value>
__device__ inline void bilateral(const FilterArguments& args) {
    if (args.parameters[LIMIT] < 0.0f) {
        smooth<false, Value>(args);
    } else {
        smooth<true, Value>(args);
    }
}

// What unsharp's parameters are.
#define AMOUNT 0
#define THRESHOLD 1

__device__ inline float sharpened(const FilterArguments& args, float value, float blurred) {
    float difference = value - blurred;
    // What is no number reaches no threshold.
    return fabsf(difference) >= args.parameters[THRESHOLD] ? value + args.parameters[AMOUNT] * difference : value;
}
__device__ inline float4 sharpened(const FilterArguments& args, float4 value, float4 blurred) {
    return make_float4(sharpened(args, value.x, blurred.x), sharpened(args, value.y, blurred.y),
                       sharpened(args, value.z, blurred.z), sharpened(args, value.w, blurred.w));
}

template <typename Value>
__device__ inline void unsharp(const FilterArguments& args) {
    extern __shared__ float4 shared[];
    constexpr int RUN = Run<Value>::COUNT;
    const Result place = result_of_thread<RUN>();
    Value values[RUN], results[RUN] = {};
    read_values(args, place, values);
#pragma unroll
    for (int k = 0; k < RUN; ++k) {
        if (place.i >= args.count[0] || place.j + k >= args.count[1]) continue;
        Value blurred = reinterpret_cast<const Value*>(args.between)[size_t(place.j + k) * args.count[0] + place.i];
        results[k] = sharpened(args, values[k], blurred);
        keep_alpha(args.plane, results[k], values[k]);
    }
    write_results(args, place, results, shared);
}

// What a row counts for: its difference across, and its smoothed value.
template <typename Value>
struct Row {
    Value difference, smoothed, middle;
};

__device__ inline Row<float> row_of(float left, float middle, float right) {
    return {right - left, left + 2.0f * middle + right, middle};
}
__device__ inline Row<float4> row_of(float4 left, float4 middle, float4 right) {
    const Row<float> x = row_of(left.x, middle.x, right.x), y = row_of(left.y, middle.y, right.y);
    const Row<float> z = row_of(left.z, middle.z, right.z), w = row_of(left.w, middle.w, right.w);
    return {make_float4(x.difference, y.difference, z.difference, w.difference),
            make_float4(x.smoothed, y.smoothed, z.smoothed, w.smoothed), middle};
}

// The gradient's length, times `scale`.
__device__ inline float steepness(float scale, const Row<float>& above, const Row<float>& here, const Row<float>& below) {
    const float x = above.difference + 2.0f * here.difference + below.difference, y = below.smoothed - above.smoothed;
    return scale * sqrtf(x * x + y * y);
}
__device__ inline float4 steepness(float scale, const Row<float4>& above, const Row<float4>& here,
                                   const Row<float4>& below) {
    auto channel = [&](float float4::*c) {
        auto of = [c](const Row<float4>& row) { return Row<float>{row.difference.*c, row.smoothed.*c, 0.0f}; };
        return steepness(scale, of(above), of(here), of(below));
    };
    return make_float4(channel(&float4::x), channel(&float4::y), channel(&float4::z), channel(&float4::w));
}

template <typename Value>
__device__ inline void sobel(const FilterArguments& args) {
    extern __shared__ float4 shared[];
    constexpr int RUN = Run<Value>::COUNT;
    const int width = blockDim.x + 2;
    Value* tile = reinterpret_cast<Value*>(shared);
    const Result place = result_of_thread<RUN>();
    load_tile<Value>(args.plane, args.origin[0] + place.left - 1, args.origin[1] + place.top - 1, width,
                     blockDim.y * RUN + 2, tile, [](Value value) { return value; });
    __syncthreads();
    const Value* from = tile + threadIdx.y * RUN * width + threadIdx.x;
    Row<Value> rows[RUN + 2];
#pragma unroll
    for (int row = 0; row < RUN + 2; ++row) rows[row] = row_of(from[row * width], from[row * width + 1], from[row * width + 2]);
    Value results[RUN];
#pragma unroll
    for (int k = 0; k < RUN; ++k) {
        results[k] = steepness(args.parameters[0], rows[k], rows[k + 1], rows[k + 2]);
        keep_alpha(args.plane, results[k], rows[k + 1].middle);
    }
    write_results(args, place, results, shared);
}

// Some of the matrix's rows at a time have their samples in shared memory; a row's sums are of their own, as in the twin.
template <typename Value>
__device__ inline void convolve(const ConvolutionArguments& args) {
    extern __shared__ float4 shared[];
    constexpr int RUN = Run<Value>::COUNT;
    const FilterArguments& filter = args.filter;
    const int columns = args.size[0], width = blockDim.x + columns - 1;
    Value* tile = reinterpret_cast<Value*>(shared);
    const Result place = result_of_thread<RUN>();
    const int left = filter.origin[0] + place.left + args.first[0], top = filter.origin[1] + place.top + args.first[1];
    const Value* from = tile + threadIdx.y * RUN * width + threadIdx.x;
    Value results[RUN] = {};
    for (int first = 0; first < args.size[1]; first += filter.rows_at_once) {
        const int rows = min(filter.rows_at_once, args.size[1] - first);
        __syncthreads();
        load_tile<Value>(filter.plane, left, top + first, width, blockDim.y * RUN + rows - 1, tile,
                         [](Value value) { return value; });
        __syncthreads();
        for (int n = 0; n < rows; ++n) {
            const float* weights = args.weights + (first + n) * columns;
            Value line[RUN] = {};
            for (int m = 0; m < columns; ++m) {
#pragma unroll
                for (int k = 0; k < RUN; ++k) add_weighted(line[k], weights[m], from[(n + k) * width + m]);
            }
#pragma unroll
            for (int k = 0; k < RUN; ++k) add_weighted(results[k], 1.0f, line[k]);
        }
    }
    if (filter.plane.has_alpha) {
        Value values[RUN];
        read_values(filter, place, values);
#pragma unroll
        for (int k = 0; k < RUN; ++k) keep_alpha(filter.plane, results[k], values[k]);
    }
    write_results(filter, place, results, shared);
}
