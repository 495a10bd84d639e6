// Twin: src/view.rs (ImageFromOutput) and MethodKernel::first_sample in src/sampling/kernel.rs.
//
// Positions are computed in double precision by the operations of the twin, none of them fused: host and device agree to the
// last bit about the sample that a position falls on.
#pragma once
#include "arguments.cuh"

// The position along `axis` of output column or row `index`, of a view that is not rotated.
__device__ inline double position_along(const Map& map, int axis, int index) {
    return __dadd_rn(__dmul_rn(__dsub_rn(double(index), map.middle_px[axis]), map.steps[3 * axis]), map.origin[axis]);
}

// The image position of output position (i, j).
__device__ inline void position_at(const Map& map, double i, double j, double& x, double& y) {
    double u = __dsub_rn(i, map.middle_px[0]), v = __dsub_rn(j, map.middle_px[1]);
    x = __dadd_rn(__dadd_rn(__dmul_rn(map.steps[0], u), __dmul_rn(map.steps[1], v)), map.origin[0]);
    y = __dadd_rn(__dadd_rn(__dmul_rn(map.steps[2], u), __dmul_rn(map.steps[3], v)), map.origin[1]);
}

// A position as a whole sample and a fraction in single precision. The fraction may round up to 1.
struct Place {
    int whole;
    float fraction;
};

__device__ inline Place place_of(double x, bool shift_half) {
    double shifted = shift_half ? __dadd_rn(x, 0.5) : x;
    double whole = floor(shifted);
    return {int(whole), float(__dsub_rn(shifted, whole))};
}
