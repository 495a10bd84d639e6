// Twin: src/sampling/axis.rs (AxisTable, Taps::weights_at). Views that exceed the footprint of a block: stretched kernels, kernels of
// more taps than `tiled` has, and scales at which the samples of a tile lie far apart.
//
// `pass_horizontal` and `pass_vertical` render an unrotated view in two passes by the axis tables, through intermediate values. Sums
// are accumulated in groups, so that single precision suffices for any number of samples. `memory` renders any view, pixel by
// pixel, with weights in double precision from KernelCurve.
#include "kernel_curve.cuh"
#include "samples.cuh"
#include "texture.cuh"

// The most samples along an axis that `memory` takes: RenderRequest::MAX_ROTATED_SUPPORT.
#define MOST_SUPPORT 256
// Samples of one partial sum.
#define GROUP 32

// Result (i, j): column i of the output, from the stored row rows[j].
template <typename Sample, typename Value>
__device__ inline void pass_horizontal(const PassArguments& args) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= args.count[0]) return;
    for (int j = blockIdx.y; j < args.count[1]; j += gridDim.y) {
        int row = args.rows[j];
        Value sum = Value();
        for (int from = args.starts[i], end = args.starts[i + 1]; from < end; from += GROUP) {
            Value part = Value();
            for (int k = from; k < min(from + GROUP, end); ++k) {
                Value value;
                read<Sample>(args.plane, row, args.indices[k], value);
                add_weighted(part, args.weights[k], value);
            }
            add_weighted(sum, 1.0f, part);
        }
        reinterpret_cast<Value*>(args.between)[size_t(j) * args.count[0] + i] = sum;
    }
}

// Output pixel (i, j) from the intermediate values; `indices` counts their rows.
template <typename Value>
__device__ inline void pass_vertical(const PassArguments& args) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= args.count[0]) return;
    const Value* column = reinterpret_cast<const Value*>(args.between) + i;
    for (int j = blockIdx.y; j < args.count[1]; j += gridDim.y) {
        Value sum = Value();
        for (int from = args.starts[j], end = args.starts[j + 1]; from < end; from += GROUP) {
            Value part = Value();
            for (int k = from; k < min(from + GROUP, end); ++k) {
                add_weighted(part, args.weights[k], column[size_t(args.indices[k]) * args.count[0]]);
            }
            add_weighted(sum, args.plane.inv_maxval, part);
        }
        write_pixel(args.target, i, j, sum, args.plane.has_alpha);
    }
}

// Weights of one axis of a position. Writes those of samples along x to `weights`, unless it is null, and gives what they are
// to be multiplied by. Where the weights sum to 0 the nearest sample stands alone.
__device__ inline float prepare(const KernelCurve& kernel, double stretch, Support& support, float* weights) {
    const bool stretched = stretch > 0.0;
    if (!stretched && kernel.taps == 1) support = nearest_alone(support.x);
    double sum = 0.0, magnitude = 0.0;
    for (int k = 0; k < support.count; ++k) {
        double w = support.weight(kernel, k);
        sum += w;
        magnitude += fabs(w);
        if (weights) weights[k] = float(w);
    }
    if (!stretched && !kernel.is_normalized) return 1.0f;
    if (fabs(sum) <= 1e-9 * fmax(magnitude, 1.0)) {
        support = nearest_alone(support.x);
        if (weights) weights[0] = 1.0f;
        return 1.0f;
    }
    return float(1.0 / sum);
}

template <typename Sample, typename Value>
__device__ inline void memory(const MemoryArguments& args) {
    FOR_THIS_PIXEL(args);
    double x, y;
    position_at(args.map, double(i), double(j), x, y);
    const Plane& plane = args.plane;
    float weights[MOST_SUPPORT];
    Support horizontal = support_of(args.kernel, x, args.stretch[0]), vertical = support_of(args.kernel, y, args.stretch[1]);
    const float factor = prepare(args.kernel, args.stretch[0], horizontal, weights) *
                         prepare(args.kernel, args.stretch[1], vertical, nullptr) * plane.inv_maxval;
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
        add_weighted(sum, float(vertical.weight(args.kernel, n)), line);
    }
    write_pixel(args.target, i, j, times(factor, sum), plane.has_alpha);
}
