// `lookup`: exact samples from the texture unit, weighed in single precision; any angle. One thread a pixel.
//
// `points` fetches every sample for itself, at its centre; `gather` fetches 2 × 2 of them at the corner between, grey
// only. Both forms read the same samples.
#include "methods.cuh"
#include "texture.cuh"

template <int METHOD, typename Value>
__device__ inline void lookup_points(const PixelArguments& args) {
    constexpr int TAPS = Taps<METHOD>::COUNT;
    FOR_THIS_PIXEL(args);
    Reading reading = reading_at(args, i, j, TAPS == 1, Taps<METHOD>::BEFORE);
    float across[TAPS], down[TAPS];
    weigh_method<METHOD>(reading.fraction[0], across);
    weigh_method<METHOD>(reading.fraction[1], down);
    float x = float(reading.first[0]) + 0.5f, y = float(reading.first[1]) + 0.5f;
    Value sum = Value();
#pragma unroll
    for (int n = 0; n < TAPS; ++n) {
        Value line = times(across[0], fetch<Value>(args.plane, x, y + float(n)));
#pragma unroll
        for (int m = 1; m < TAPS; ++m) {
            add_weighted(line, across[m], fetch<Value>(args.plane, x + float(m), y + float(n)));
        }
        add_weighted(sum, down[n] * args.plane.unit, line);
    }
    if (meets_border(args.plane, reading, TAPS)) {
        float inside = inside_weight(args.plane, 0, reading.first[0], across, TAPS) *
                       inside_weight(args.plane, 1, reading.first[1], down, TAPS);
        add_everywhere(sum, args.plane.border * (1.0f - inside));
    }
    write_pixel(args.target, i, j, sum, args.plane.has_alpha);
}

template <int METHOD>
__device__ inline void lookup_gather(const PixelArguments& args) {
    constexpr int TAPS = Taps<METHOD>::COUNT;
    FOR_THIS_PIXEL(args);
    Reading reading = reading_at(args, i, j, false, Taps<METHOD>::BEFORE);
    float across[TAPS], down[TAPS];
    weigh_method<METHOD>(reading.fraction[0], across);
    weigh_method<METHOD>(reading.fraction[1], down);
    float x = float(reading.first[0]) + 1.0f, y = float(reading.first[1]) + 1.0f;
    float sum = 0.0f;
#pragma unroll
    for (int n = 0; n < TAPS; n += 2) {
        float upper = 0.0f, lower = 0.0f;
#pragma unroll
        for (int m = 0; m < TAPS; m += 2) {
            float4 four = gather(args.plane, x + float(m), y + float(n));
            add_weighted(upper, across[m], four.x);
            add_weighted(upper, across[m + 1], four.y);
            add_weighted(lower, across[m], four.z);
            add_weighted(lower, across[m + 1], four.w);
        }
        add_weighted(sum, down[n] * args.plane.unit, upper);
        add_weighted(sum, down[n + 1] * args.plane.unit, lower);
    }
    if (meets_border(args.plane, reading, TAPS)) {
        float inside = inside_weight(args.plane, 0, reading.first[0], across, TAPS) *
                       inside_weight(args.plane, 1, reading.first[1], down, TAPS);
        sum += args.plane.border * (1.0f - inside);
    }
    write_pixel(args.target, i, j, sum);
}
