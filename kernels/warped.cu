// Twin: src/backend/cpu/rotated.rs. A view through a warp, pixel by pixel from memory, with weights in double precision from
// KernelCurve.
#include "passes.cu"
#include "warp.cuh"

// The stretch of the kernel along an axis, by the differences of its positions across a pixel; 0 for none.
__device__ inline double stretch_of(const WarpedArguments& args, double across, double down) {
    double scale = sqrt(__dadd_rn(__dmul_rn(across, across), __dmul_rn(down, down)));
    scale = fmin(scale, args.largest_scale);
    return scale > 1.0 ? __dmul_rn(scale, args.blur) : 0.0;
}

template <typename Sample, typename Value>
__device__ inline void warped(const WarpedArguments& args) {
    FOR_THIS_PIXEL(args.memory);
    auto at_pixel = [&](double x, double y) { return warped_at(args.memory.map, args.warp, x, y); };
    Position at = at_pixel(double(i), double(j));
    double across = 0.0, down = 0.0;
    if (args.antialias) {
        Position left = at_pixel(double(i) - 0.5, double(j)), right = at_pixel(double(i) + 0.5, double(j));
        Position above = at_pixel(double(i), double(j) - 0.5), below = at_pixel(double(i), double(j) + 0.5);
        across = stretch_of(args, __dsub_rn(right.x, left.x), __dsub_rn(below.x, above.x));
        down = stretch_of(args, __dsub_rn(right.y, left.y), __dsub_rn(below.y, above.y));
    }
    const Plane& plane = args.memory.plane;
    const KernelCurve& kernel = args.memory.kernel;
    float weights[MOST_SUPPORT];
    Support horizontal = support_of(kernel, at.x, across), vertical = support_of(kernel, at.y, down);
    const float factor = prepare(kernel, across, horizontal, weights) * prepare(kernel, down, vertical, nullptr) * plane.inv_maxval;
    Value sum = Value();
    for (int n = 0; n < vertical.count; ++n) {
        int row = resolve(plane.address[1], int(vertical.first) + n + plane.halo[1], plane.stored[1]);
        Value line = Value();
        for (int from = 0; from < horizontal.count; from += GROUP) {
            Value part = Value();
            for (int m = from; m < min(from + GROUP, horizontal.count); ++m) {
                Value value;
                int column = resolve(plane.address[0], int(horizontal.first) + m + plane.halo[0], plane.stored[0]);
                read<Sample>(plane, row, column, value);
                add_weighted(part, weights[m], value);
            }
            add_weighted(line, 1.0f, part);
        }
        add_weighted(sum, float(vertical.weight(kernel, n)), line);
    }
    write_pixel(args.memory.target, i, j, times(factor, sum), plane.has_alpha);
}
