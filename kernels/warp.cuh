// Twin: src/warp/map.rs (WarpedMap). The image position of a pixel behind a warp.
//
// Positions are computed in double precision by the operations of the twin, none of them fused, so that host and device agree about
// the sample that a position falls on; sines and cosines may differ in their last bit.
#pragma once
#include "position.cuh"
#include "warp_arguments.cuh"

// A pair of coordinates in double precision.
struct Position {
    double x;
    double y;
};

// max(0, 1 − |c|²/ρ²), squared.
__device__ inline double fading(const WarpArguments& warp, double dx, double dy) {
    double square = __dadd_rn(__dmul_rn(dx, dx), __dmul_rn(dy, dy));
    double q = fmax(__dsub_rn(1.0, __dmul_rn(square, warp.numbers[1])), 0.0);
    return __dmul_rn(q, q);
}

// a·x + b·y + c.
__device__ inline double linear_in(const double* row, double x, double y) {
    return __dadd_rn(__dadd_rn(__dmul_rn(row[0], x), __dmul_rn(row[1], y)), row[2]);
}

// The first handle and the weights of the cubic B-spline at u.
__device__ inline int spline_weights(double u, int count, double (&weights)[4]) {
    u = fmin(fmax(u, -2.0), double(count) + 1.0);
    double whole = floor(u);
    double a = __dsub_rn(u, whole), b = __dsub_rn(1.0, a);
    auto outer = [](double t) { return __ddiv_rn(__dmul_rn(__dmul_rn(t, t), t), 6.0); };
    auto inner = [](double t) {
        return __dsub_rn(2.0 / 3.0, __ddiv_rn(__dmul_rn(__dmul_rn(t, t), __dsub_rn(2.0, t)), 2.0));
    };
    weights[0] = outer(b);
    weights[1] = inner(a);
    weights[2] = inner(b);
    weights[3] = outer(a);
    return int(whole) - 1;
}

// The displacement of the lattice at a place in its units.
__device__ inline Position shift_at(const WarpArguments& warp, double u, double v) {
    double across[4], down[4];
    int left = spline_weights(u, warp.handles[0], across), top = spline_weights(v, warp.handles[1], down);
    Position shift = {0.0, 0.0};
    for (int n = 0; n < 4; ++n) {
        int row = max(0, min(top + n, warp.handles[1] - 1)) * warp.handles[0];
        Position line = {0.0, 0.0};
        for (int m = 0; m < 4; ++m) {
            int handle = 2 * (row + max(0, min(left + m, warp.handles[0] - 1)));
            line.x = __dadd_rn(line.x, __dmul_rn(across[m], double(warp.shifts[handle])));
            line.y = __dadd_rn(line.y, __dmul_rn(across[m], double(warp.shifts[handle + 1])));
        }
        shift.x = __dadd_rn(shift.x, __dmul_rn(down[n], line.x));
        shift.y = __dadd_rn(shift.y, __dmul_rn(down[n], line.y));
    }
    return shift;
}

// The image position that output position (i, j) shows.
__device__ inline Position warped_at(const Map& map, const WarpArguments& warp, double i, double j) {
    Position place;
    position_at(map, i, j, place.x, place.y);
    double dx = __dsub_rn(place.x, warp.middle[0]), dy = __dsub_rn(place.y, warp.middle[1]);
    switch (warp.kind) {
        case WARP_LENS: {
            double factor = __dsub_rn(1.0, __dmul_rn(warp.numbers[0], fading(warp, dx, dy)));
            return {__dadd_rn(warp.middle[0], __dmul_rn(factor, dx)), __dadd_rn(warp.middle[1], __dmul_rn(factor, dy))};
        }
        case WARP_SWIRL: {
            double sine, cosine;
            sincos(__dmul_rn(warp.numbers[0], fading(warp, dx, dy)), &sine, &cosine);
            return {
                __dadd_rn(warp.middle[0], __dsub_rn(__dmul_rn(dx, cosine), __dmul_rn(dy, sine))),
                __dadd_rn(warp.middle[1], __dadd_rn(__dmul_rn(dx, sine), __dmul_rn(dy, cosine))),
            };
        }
        case WARP_PERSPECTIVE: {
            double x = __ddiv_rn(__dadd_rn(place.x, 0.5), warp.sides[0]), y = __ddiv_rn(__dadd_rn(place.y, 0.5), warp.sides[1]);
            double divisor = fmax(linear_in(warp.numbers + 6, x, y), warp.least_divisor);
            auto position = [&](int axis) {
                double part = __ddiv_rn(linear_in(warp.numbers + 3 * axis, x, y), divisor);
                double at = __dsub_rn(__dmul_rn(part, warp.sides[axis]), 0.5);
                return fmin(fmax(at, __dsub_rn(warp.middle[axis], warp.reach)), __dadd_rn(warp.middle[axis], warp.reach));
            };
            return {position(0), position(1)};
        }
        case WARP_GRID: {
            auto unit = [&](double at, int axis) {
                return __dmul_rn(__ddiv_rn(__dadd_rn(at, 0.5), warp.sides[axis]), double(warp.handles[axis] - 1));
            };
            Position shift = shift_at(warp, unit(place.x, 0), unit(place.y, 1));
            return {
                __dsub_rn(place.x, __dmul_rn(shift.x, warp.sides[0])),
                __dsub_rn(place.y, __dmul_rn(shift.y, warp.sides[1])),
            };
        }
    }
    return place;
}
