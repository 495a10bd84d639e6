// Twin: src/filter/transposed.rs. A pass of a Gaussian blur as in document 004: it filters along y and writes its result transposed. Two
// passes filter both axes and give the picture back upright.
//
// Threads that are neighbours along x read neighbouring rows of one column, which the texture's cache serves, and write
// neighbouring values of one row: reads are scattered, writes are coalesced. A thread makes one result.
#include "filters.cuh"

// Taps of one partial sum.
#define PART 32

// Result (i, j): along row i of the plane at column j.
template <typename Value>
__device__ inline void gaussian_transposed(const GaussianArguments& args) {
    const FilterArguments& filter = args.filter;
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= filter.count[0] || j >= filter.count[1]) return;
    Value sum = Value();
    for (int from = -filter.radius; from <= filter.radius; from += PART) {
        Value part = Value();
        for (int tap = from; tap < min(from + PART, filter.radius + 1); ++tap) {
            add_weighted(part, args.weights[abs(tap)], value_at<Value>(filter.plane, j, i + tap));
        }
        add_weighted(sum, 1.0f, part);
    }
    write_pixel(filter.target, i, j, sum);
}
