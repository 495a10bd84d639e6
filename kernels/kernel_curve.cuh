// Twin: src/backend/cuda/plan/kernel_curve.rs. w(d) of any kernel, evaluated in double precision from KernelCurve, and the
// samples that a position reads of an axis: Taps::weights_at in src/sampling/axis.rs.
#pragma once
#include "arguments.cuh"

// w(d) from one polynomial a bin; `bin_place` is (d − ends[0])·bins_a_sample.
__device__ inline double polynomial_at(const KernelCurve& kernel, double bin_place) {
    int bin = max(0, min(int(bin_place), kernel.bins));
    double t = bin_place - double(bin);
    const double2* terms = kernel.terms + 4 * bin;
    double2 a = __ldg(terms), b = __ldg(terms + 1), c = __ldg(terms + 2), d = __ldg(terms + 3);
    double high = fma(fma(fma(d.y, t, d.x), t, c.y), t, c.x);
    return fma(fma(fma(fma(high, t, b.y), t, b.x), t, a.y), t, a.x);
}

// w(d) on the straight line between two knots: the bin bounds a bisection for the last knot at or before d.
__device__ inline double line_at(const KernelCurve& kernel, double d) {
    int bin = max(0, min(int((d - kernel.ends[0]) * kernel.bins_a_sample), kernel.bins - 1));
    int knot = kernel.first_knots[bin], beyond = min(kernel.first_knots[bin + 1] + 2, kernel.knot_count);
    while (beyond - knot > 1) {
        int middle = (knot + beyond) / 2;
        if (kernel.terms[2 * middle].x <= d) {
            knot = middle;
        } else {
            beyond = middle;
        }
    }
    double2 place = kernel.terms[2 * knot], slope = kernel.terms[2 * knot + 1];
    return fma(d - place.x, slope.x, place.y);
}

// Whether d lies between the ends, or on one that has a weight.
__device__ inline bool is_within(const KernelCurve& kernel, double d) {
    return (d > kernel.ends[0] && d < kernel.ends[1]) || (d == kernel.ends[0] && kernel.closed[0]) ||
           (d == kernel.ends[1] && kernel.closed[1]);
}

// Samples of one axis that have a weight at position x: `count` of them from `first` on.
struct Support {
    double x;
    double first;
    double stretch;
    double place;              // (d − ends[0])·bins_a_sample of the first sample
    double step;               // what each sample after it takes off the place
    int count;
    bool is_alone;             // no weight sums up: the nearest sample counts alone

    // d of sample k in units of the kernel. The division is rounded as the twin rounds it, so that both agree about the ends of
    // the support.
    __device__ inline double distance(int k) const { return __ddiv_rn(__dsub_rn(x, first + double(k)), stretch); }

    // w of sample k, 0 ≤ k < count.
    __device__ inline double weight(const KernelCurve& kernel, int k) const {
        if (is_alone) return 1.0;
        return kernel.knot_count > 0 ? line_at(kernel, distance(k)) : polynomial_at(kernel, fma(double(-k), step, place));
    }
};

// The samples of position x under a kernel stretched by `stretch`; by its taps where that is 0.
__device__ inline Support support_of(const KernelCurve& kernel, double x, double stretch) {
    Support support = {x, 0.0, 1.0, 0.0, 0.0, 0, false};
    if (stretch > 0.0) {
        double reach = __dmul_rn(kernel.radius, stretch);
        support.stretch = stretch;
        support.first = ceil(__dsub_rn(x, reach));
        support.count = max(int(floor(__dadd_rn(x, reach)) - support.first), -1) + 1;
    } else if (kernel.taps > 1) {
        support.first = floor(x) - double(kernel.taps_before);
        support.count = kernel.taps;
    }
    while (support.count > 0 && !is_within(kernel, support.distance(0))) {
        support.first += 1.0;
        --support.count;
    }
    while (support.count > 0 && !is_within(kernel, support.distance(support.count - 1))) --support.count;
    support.place = (support.distance(0) - kernel.ends[0]) * kernel.bins_a_sample;
    support.step = kernel.bins_a_sample / support.stretch;
    return support;
}

// The nearest sample alone.
__device__ inline Support nearest_alone(double x) { return {x, floor(x + 0.5), 1.0, 0.0, 0.0, 1, true}; }
