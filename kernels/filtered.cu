// Twin: src/sampling/filtered.rs, filtered_table.rs. `filtered`: the texture unit interpolates, with weights of 8 fraction bits;
// views of any angle. One thread a pixel.
//
// An entry is named by how it makes fetches of samples:
//   point    one fetch at the nearest sample (document 000).
//   linear   one bilinear fetch (document 000).
//   pairs    four samples an axis as two fetches, for cubics without negative weights: weights on the fly, or from a table
//            of 128 entries of 16 bits (document 002).
//   middle   four samples an axis as three fetches, for cubics with negative outer weights: the outer samples stay single,
//            the two inner ones have weights of one sign and become one fetch.
// Weights of four samples are those of symmetric cubics, from WeightCurves.
#include "texture.cuh"
#include "weights.cuh"

// Fetches along one axis: their places relative to the first sample's centre, and their weights.
template <int FETCHES>
struct Fetches {
    float at[FETCHES];
    float weight[FETCHES];
};

enum FetchScheme : int { FETCH_POINT, FETCH_LINEAR, FETCH_PAIRS, FETCH_MIDDLE };

template <int SCHEME>
struct FetchCount {
    enum { COUNT = SCHEME == FETCH_PAIRS ? 2 : SCHEME == FETCH_MIDDLE ? 3 : 1 };
};

template <int SCHEME>
__device__ inline Fetches<FetchCount<SCHEME>::COUNT> fetches_of(const WeightCurves& curves, float fraction) {
    if constexpr (SCHEME == FETCH_POINT) {
        return {{0.0f}, {1.0f}};
    } else if constexpr (SCHEME == FETCH_LINEAR) {
        return {{fraction}, {1.0f}};
    } else {
        float w[4];
        weigh_symmetric(curves, fraction, w);
        if constexpr (SCHEME == FETCH_PAIRS) {
            float g0 = w[0] + w[1], g1 = w[2] + w[3];
            return {{w[1] * reciprocal(g0), w[3] * reciprocal(g1) + 2.0f}, {g0, g1}};
        } else {
            float g = w[1] + w[2];
            return {{0.0f, w[2] * reciprocal(g) + 1.0f, 3.0f}, {w[0], g, w[3]}};
        }
    }
}

// How much of the fixed-point weights of an axis falls on samples that exist.
template <int FETCHES>
__device__ inline float inside_fetches(const Plane& plane, int axis, int first, const Fetches<FETCHES>& fetches) {
    if (plane.address[axis] != BORDER) return 1.0f;
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < FETCHES; ++k) {
        float whole = floorf(fetches.at[k]);
        float alpha = rintf((fetches.at[k] - whole) * 256.0f) * (1.0f / 256.0f);
        float weights[2] = {fetches.weight[k] * (1.0f - alpha), fetches.weight[k] * alpha};
        sum += inside_weight(plane, axis, first + int(whole), weights, 2);
    }
    return sum;
}

template <int FETCHES, typename Value>
__device__ inline void add_fetches(const PixelArguments& args, int i, int j, const Reading& reading,
                                   const Fetches<FETCHES>& horizontal, const Fetches<FETCHES>& vertical) {
    float x = float(reading.first[0]) + 0.5f, y = float(reading.first[1]) + 0.5f;
    Value sum;
#pragma unroll
    for (int n = 0; n < FETCHES; ++n) {
        Value line = times(horizontal.weight[0], fetch<Value>(args.plane, x + horizontal.at[0], y + vertical.at[n]));
#pragma unroll
        for (int m = 1; m < FETCHES; ++m) {
            add_weighted(line, horizontal.weight[m], fetch<Value>(args.plane, x + horizontal.at[m], y + vertical.at[n]));
        }
        if (n == 0) {
            sum = times(vertical.weight[0], line);
        } else {
            add_weighted(sum, vertical.weight[n], line);
        }
    }
    sum = times(args.plane.inv_maxval, sum);
    if (meets_border(args.plane, reading, 4)) {
        float inside = inside_fetches(args.plane, 0, reading.first[0], horizontal) *
                       inside_fetches(args.plane, 1, reading.first[1], vertical);
        add_everywhere(sum, args.plane.border * (1.0f - inside));
    }
    write_pixel(args.target, i, j, sum, args.plane.has_alpha);
}

template <int SCHEME, typename Value>
__device__ inline void filtered(const PixelArguments& args) {
    FOR_THIS_PIXEL(args);
    Reading reading = reading_at(args, i, j, SCHEME == FETCH_POINT, args.curves.taps_before);
    add_fetches<FetchCount<SCHEME>::COUNT, Value>(args, i, j, reading, fetches_of<SCHEME>(args.curves, reading.fraction[0]),
                                                  fetches_of<SCHEME>(args.curves, reading.fraction[1]));
}

// g0, h0 and h1 of one axis from the table, which the texture unit interpolates between its entries.
__device__ inline Fetches<2> fetches_from(unsigned long long table, float fraction) {
    float4 entry = tex2D<float4>(table, fraction * 127.0f + 0.5f, 0.5f);
    return {{entry.y, entry.z + 2.0f}, {entry.x, 1.0f - entry.x}};
}

// `filtered-table`: the same with the weights of the cubic B-spline from the table.
template <typename Value>
__device__ inline void filtered_table(const PixelArguments& args) {
    FOR_THIS_PIXEL(args);
    Reading reading = reading_at(args, i, j, false, args.curves.taps_before);
    add_fetches<2, Value>(args, i, j, reading, fetches_from(args.lookup_table, reading.fraction[0]),
                          fetches_from(args.lookup_table, reading.fraction[1]));
}
