// Twin: src/volume/oblique.rs. Oblique planes of a volume, whose stored values are summed along all three axes for every pixel.
//
// Positions in the plane and in the volume are computed in double precision by the operations of the twin (PlaneFrame::at in
// src/volume/plane.rs), none of them fused, so that host and device agree about the sample that a position falls on.
#include "grid_any.cuh"
#include "slice_arguments.cuh"
#include "texture.cuh"
#include "warp.cuh"
#include "weights.cuh"

// The position along an axis of the volume of a position in the plane.
__device__ inline double position_in_volume(const SliceArguments& args, int axis, Position at) {
    return __dadd_rn(__dadd_rn(args.origin[axis], __dmul_rn(at.x, args.across[axis])), __dmul_rn(at.y, args.down[axis]));
}

// Methods of TAPS taps: a thread a pixel. weigh(fraction, weights) gives their weights.
template <int TAPS, typename Weigh>
__device__ inline void slice_by(const SliceArguments& args, Weigh weigh) {
    FOR_THIS_PIXEL(args);
    Position at;
    position_at(args.map, double(i), double(j), at.x, at.y);
    Run<TAPS> runs[3];
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) {
        runs[axis] = run_at<TAPS>(args.grid, args.grid.axes[axis], position_in_volume(args, axis, at), weigh);
    }
    write_pixel(args.target, i, j, sum_of_runs<float>(args.grid, runs));
}

// One cubic a tap.
template <int TAPS>
__device__ inline void slice(const SliceArguments& args) {
    slice_by<TAPS>(args, [&](float fraction, float(&weights)[TAPS]) { weigh_rows(args.grid, fraction, weights); });
}

// The weights of any kernel of TAPS taps by fraction.
template <int TAPS>
__device__ inline void slice_by_curves(const SliceArguments& args) {
    slice_by<TAPS>(args, [&](float fraction, float(&weights)[TAPS]) { weigh_any<TAPS>(args.curves, fraction, 1.0f, weights); });
}

// Any method: a warp a pixel. position(i, j) is the position of a pixel in the plane.
template <typename PositionOf>
__device__ inline void slice_any(const SliceArguments& args, PositionOf position) {
    const long long columns = args.target.size_px[0], rows = args.target.size_px[1];
    const long long pixel = blockIdx.x * static_cast<long long>(WARPS_A_BLOCK) + threadIdx.x / 32;
    const int i = int(pixel % columns), j = int(pixel / columns);
    const bool is_pixel = j < rows;
    const Position at = position(double(i), double(j));
    double places[3];
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) places[axis] = position_in_volume(args, axis, at);
    const float value = any_value<float>(args.grid, is_pixel, [&](const GridAxisArguments&, int axis) {
        // Compared, not indexed: see run_at_edge.
        return axis == 0 ? places[0] : axis == 1 ? places[1] : places[2];
    });
    if (is_pixel && threadIdx.x % 32 == 0) write_pixel(args.target, i, j, value);
}

__device__ inline void slice_plain(const SliceArguments& args) {
    slice_any(args, [&](double i, double j) {
        Position at;
        position_at(args.map, i, j, at.x, at.y);
        return at;
    });
}

__device__ inline void slice_through_warp(const WarpedSliceArguments& args) {
    slice_any(args.slice, [&](double i, double j) { return warped_at(args.slice.map, args.warp, i, j); });
}
