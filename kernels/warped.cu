// Twin: src/warp/map.rs (WarpedMap) and src/backend/cpu/rotated.rs. A view through a warp, pixel by pixel from memory, with weights in
// double precision from KernelCurve.
//
// Positions are computed in double precision by the operations of the twin, none of them fused, so that host and device agree about
// the sample that a position falls on; sines and cosines may differ in their last bit.
#include "passes.cu"
#include "warp_arguments.cuh"

// A pair of coordinates in double precision.
struct Position {
    double x;
    double y;
};

// max(0, 1 − |c|²/ρ²), squared.
__device__ inline double fading(const WarpedArguments& args, double dx, double dy) {
    double square = __dadd_rn(__dmul_rn(dx, dx), __dmul_rn(dy, dy));
    double q = fmax(__dsub_rn(1.0, __dmul_rn(square, args.numbers[1])), 0.0);
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
__device__ inline Position shift_at(const WarpedArguments& args, double u, double v) {
    double across[4], down[4];
    int left = spline_weights(u, args.handles[0], across), top = spline_weights(v, args.handles[1], down);
    Position shift = {0.0, 0.0};
    for (int n = 0; n < 4; ++n) {
        int row = max(0, min(top + n, args.handles[1] - 1)) * args.handles[0];
        Position line = {0.0, 0.0};
        for (int m = 0; m < 4; ++m) {
            int handle = 2 * (row + max(0, min(left + m, args.handles[0] - 1)));
            line.x = __dadd_rn(line.x, __dmul_rn(across[m], double(args.shifts[handle])));
            line.y = __dadd_rn(line.y, __dmul_rn(across[m], double(args.shifts[handle + 1])));
        }
        shift.x = __dadd_rn(shift.x, __dmul_rn(down[n], line.x));
        shift.y = __dadd_rn(shift.y, __dmul_rn(down[n], line.y));
    }
    return shift;
}

// The image position that output position (i, j) shows.
__device__ inline Position warped_at(const WarpedArguments& args, double i, double j) {
    Position place;
    position_at(args.memory.map, i, j, place.x, place.y);
    double dx = __dsub_rn(place.x, args.middle[0]), dy = __dsub_rn(place.y, args.middle[1]);
    switch (args.kind) {
        case WARP_LENS: {
            double factor = __dsub_rn(1.0, __dmul_rn(args.numbers[0], fading(args, dx, dy)));
            return {__dadd_rn(args.middle[0], __dmul_rn(factor, dx)), __dadd_rn(args.middle[1], __dmul_rn(factor, dy))};
        }
        case WARP_SWIRL: {
            double sine, cosine;
            sincos(__dmul_rn(args.numbers[0], fading(args, dx, dy)), &sine, &cosine);
            return {
                __dadd_rn(args.middle[0], __dsub_rn(__dmul_rn(dx, cosine), __dmul_rn(dy, sine))),
                __dadd_rn(args.middle[1], __dadd_rn(__dmul_rn(dx, sine), __dmul_rn(dy, cosine))),
            };
        }
        case WARP_PERSPECTIVE: {
            double x = __ddiv_rn(__dadd_rn(place.x, 0.5), args.sides[0]), y = __ddiv_rn(__dadd_rn(place.y, 0.5), args.sides[1]);
            double divisor = fmax(linear_in(args.numbers + 6, x, y), args.least_divisor);
            auto position = [&](int axis) {
                double part = __ddiv_rn(linear_in(args.numbers + 3 * axis, x, y), divisor);
                double at = __dsub_rn(__dmul_rn(part, args.sides[axis]), 0.5);
                return fmin(fmax(at, __dsub_rn(args.middle[axis], args.reach)), __dadd_rn(args.middle[axis], args.reach));
            };
            return {position(0), position(1)};
        }
        case WARP_GRID: {
            auto unit = [&](double at, int axis) {
                return __dmul_rn(__ddiv_rn(__dadd_rn(at, 0.5), args.sides[axis]), double(args.handles[axis] - 1));
            };
            Position shift = shift_at(args, unit(place.x, 0), unit(place.y, 1));
            return {
                __dsub_rn(place.x, __dmul_rn(shift.x, args.sides[0])),
                __dsub_rn(place.y, __dmul_rn(shift.y, args.sides[1])),
            };
        }
    }
    return place;
}

// The stretch of the kernel along an axis, by the differences of its positions across a pixel; 0 for none.
__device__ inline double stretch_of(const WarpedArguments& args, double across, double down) {
    double scale = sqrt(__dadd_rn(__dmul_rn(across, across), __dmul_rn(down, down)));
    scale = fmin(scale, args.largest_scale);
    return scale > 1.0 ? __dmul_rn(scale, args.blur) : 0.0;
}

template <typename Sample, typename Value>
__device__ inline void warped(const WarpedArguments& args) {
    FOR_THIS_PIXEL(args.memory);
    Position at = warped_at(args, double(i), double(j));
    double across = 0.0, down = 0.0;
    if (args.antialias) {
        Position left = warped_at(args, double(i) - 0.5, double(j)), right = warped_at(args, double(i) + 0.5, double(j));
        Position above = warped_at(args, double(i), double(j) - 0.5), below = warped_at(args, double(i), double(j) + 0.5);
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
