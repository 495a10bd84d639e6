// `lookup`: exact samples from the texture unit, weighted in single precision; views of any angle. One thread a pixel.
//
// `points` fetches each sample at its centre. `gather` fetches 2 × 2 samples at the corner between them, grey planes only.
// Both read the same samples. An entry is named by its forms of weights (WeightForm) and by its taps.
#include "texture.cuh"
#include "weights.cuh"

template <int FORM, int TAPS, typename Value>
__device__ inline void lookup_points(const PixelArguments& args) {
    FOR_THIS_PIXEL(args);
    Reading reading = reading_at(args, i, j, TAPS == 1, args.curves.taps_before);
    float horizontal[TAPS], vertical[TAPS];
    weights_at<FORM, TAPS>(args.curves, reading.fraction[0], 1.0f, horizontal);
    weights_at<FORM, TAPS>(args.curves, reading.fraction[1], 1.0f, vertical);
    float x = float(reading.first[0]) + 0.5f, y = float(reading.first[1]) + 0.5f;
    Value sum;
#pragma unroll
    for (int n = 0; n < TAPS; ++n) {
        Value line = times(horizontal[0], fetch<Value>(args.plane, x, y + float(n)));
#pragma unroll
        for (int m = 1; m < TAPS; ++m) {
            add_weighted(line, horizontal[m], fetch<Value>(args.plane, x + float(m), y + float(n)));
        }
        if (n == 0) {
            sum = times(vertical[0], line);
        } else {
            add_weighted(sum, vertical[n], line);
        }
    }
    sum = times(args.plane.inv_maxval, sum);
    if (meets_border(args.plane, reading, TAPS)) {
        float inside = inside_weight(args.plane, 0, reading.first[0], horizontal, TAPS) *
                       inside_weight(args.plane, 1, reading.first[1], vertical, TAPS);
        add_everywhere(sum, args.plane.border * (1.0f - inside));
    }
    write_pixel(args.target, i, j, sum, args.plane.has_alpha);
}

template <int FORM, int TAPS>
__device__ inline void lookup_gather(const PixelArguments& args) {
    FOR_THIS_PIXEL(args);
    Reading reading = reading_at(args, i, j, false, args.curves.taps_before);
    float horizontal[TAPS], vertical[TAPS];
    weights_at<FORM, TAPS>(args.curves, reading.fraction[0], 1.0f, horizontal);
    weights_at<FORM, TAPS>(args.curves, reading.fraction[1], 1.0f, vertical);
    float x = float(reading.first[0]) + 1.0f, y = float(reading.first[1]) + 1.0f;
    float sum = 0.0f;
#pragma unroll
    for (int n = 0; n < TAPS; n += 2) {
        float upper = 0.0f, lower = 0.0f;
#pragma unroll
        for (int m = 0; m < TAPS; m += 2) {
            float4 four = gather(args.plane, x + float(m), y + float(n));
            add_weighted(upper, horizontal[m], four.x);
            add_weighted(upper, horizontal[m + 1], four.y);
            add_weighted(lower, horizontal[m], four.z);
            add_weighted(lower, horizontal[m + 1], four.w);
        }
        add_weighted(sum, vertical[n], upper);
        add_weighted(sum, vertical[n + 1], lower);
    }
    sum *= args.plane.inv_maxval;
    if (meets_border(args.plane, reading, TAPS)) {
        float inside = inside_weight(args.plane, 0, reading.first[0], horizontal, TAPS) *
                       inside_weight(args.plane, 1, reading.first[1], vertical, TAPS);
        sum += args.plane.border * (1.0f - inside);
    }
    write_pixel(args.target, i, j, sum);
}
