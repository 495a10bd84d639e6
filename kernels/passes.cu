// Twin: src/sampling/axis.rs (AxisTable, Taps::weigh_stretched). What a block's footprint cannot hold: kernels that are
// stretched, and scales so large that a tile's samples lie far apart.
//
// `pass_across` and `pass_down` make a view that is not rotated in two passes by the axis tables, through values between
// them; sums are made in groups, so that single precision stays exact enough however many samples there are. `memory`
// makes any view, pixel by pixel, with weights in double precision.
#include "methods.cuh"
#include "samples.cuh"
#include "texture.cuh"

// Samples along an axis that `memory` takes: RenderRequest::MAX_ROTATED_SUPPORT.
#define MOST_SUPPORT 256
// Samples that are summed up before their sum is added to the others.
#define GROUP 32

// Result (i, j): column i of the output, from the stored row rows[j].
template <typename Sample, typename Value>
__device__ inline void pass_across(const PassArguments& args) {
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

// Output pixel (i, j) from the values between; `indices` counts their rows.
template <typename Value>
__device__ inline void pass_down(const PassArguments& args) {
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
            add_weighted(sum, args.plane.unit, part);
        }
        write_pixel(args.target, i, j, sum, args.plane.has_alpha);
    }
}

// First sample, count and sum of weights of one axis of a position.
struct Support {
    double at;
    double first;
    int count;
    double sum;
    bool alone;  // no sample has a weight: the nearest stands alone
};

__device__ inline Support support_of(const PixelArguments& args, double x) {
    Support support = {x, 0.0, 0, 0.0, false};
    double stretch = args.stretch > 0.0 ? args.stretch : 1.0;
    double reach = radius_of(args.method) * stretch;
    if (args.stretch == 0.0 && args.method == METHOD_nearest) {
        return {x, floor(x + 0.5), 1, 1.0, true};
    }
    support.first = ceil(x - reach);
    support.count = max(int(floor(x + reach) - support.first), -1) + 1;
    double magnitude = 0.0;
    for (int k = 0; k < support.count; ++k) {
        double w = kernel_of(args.method, (x - (support.first + k)) / stretch);
        support.sum += w;
        magnitude += fabs(w);
    }
    if (fabs(support.sum) <= 1e-9 * fmax(magnitude, 1.0)) return {x, floor(x + 0.5), 1, 1.0, true};
    return support;
}

__device__ inline float weight_of(const PixelArguments& args, const Support& support, int k) {
    if (support.alone) return 1.0f;
    double stretch = args.stretch > 0.0 ? args.stretch : 1.0;
    return float(kernel_of(args.method, (support.at - (support.first + k)) / stretch) / support.sum);
}

template <typename Sample, typename Value>
__device__ inline void memory(const PixelArguments& args) {
    FOR_THIS_PIXEL(args);
    double x, y;
    position_at(args.map, i, j, x, y);
    Support across = support_of(args, x), down = support_of(args, y);
    const Plane& plane = args.plane;
    float weights[MOST_SUPPORT];
    for (int m = 0; m < across.count; ++m) weights[m] = weight_of(args, across, m);
    Value sum = Value();
    for (int n = 0; n < down.count; ++n) {
        int row = resolve(plane.address[1], int(down.first) + n + plane.halo[1], plane.stored[1]);
        Value line = Value();
        for (int from = 0; from < across.count; from += GROUP) {
            Value part = Value();
            for (int m = from; m < min(from + GROUP, across.count); ++m) {
                Value value;
                int column = resolve(plane.address[0], int(across.first) + m + plane.halo[0], plane.stored[0]);
                read<Sample>(plane, row, column, value);
                add_weighted(part, weights[m], value);
            }
            add_weighted(line, 1.0f, part);
        }
        add_weighted(sum, weight_of(args, down, n) * plane.unit, line);
    }
    write_pixel(args.target, i, j, sum, plane.has_alpha);
}
