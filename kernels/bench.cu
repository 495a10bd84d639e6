// Kernels for comparison in `bench`, and a kernel that breaks a context for the tests. No picture on screen is made by them.
#include "texture.cuh"
#include "weights.cuh"

// A plain store of 16 bytes a thread to all of a surface: width in bytes is 16·size_px[0].
__device__ inline void store_plain_bytes(const Target& target, unsigned value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= target.size_px[0] || j >= target.size_px[1]) return;
    unsigned pixel = value + i + j;
    write_surface(target.surface, 16 * i, j, make_uint4(pixel, pixel, pixel, pixel));
}

// A cubic from sixteen loads of an 8-bit plane in plain global memory (document 001).
__device__ inline void global_points(const PixelArguments& args) {
    FOR_THIS_PIXEL(args);
    Reading reading = reading_at(args, i, j, false, 1);
    float horizontal[4], vertical[4];
    weigh_symmetric(args.curves, reading.fraction[0], horizontal);
    weigh_symmetric(args.curves, reading.fraction[1], vertical);
    int columns[4];
#pragma unroll
    for (int m = 0; m < 4; ++m) columns[m] = max(0, min(reading.first[0] + m, args.plane.stored[0] - 1));
    float sum = 0.0f;
#pragma unroll
    for (int n = 0; n < 4; ++n) {
        int row = max(0, min(reading.first[1] + n, args.plane.stored[1] - 1));
        const unsigned char* numbers = static_cast<const unsigned char*>(args.plane.values) + size_t(row) * args.plane.pitch;
        float line = 0.0f;
#pragma unroll
        for (int m = 0; m < 4; ++m) add_weighted(line, horizontal[m], float(numbers[columns[m]]));
        add_weighted(sum, vertical[n], line);
    }
    write_pixel(args.target, i, j, sum * args.plane.inv_maxval);
}

// A cubic from sixteen reads of a one-dimensional texture over that memory, by `tex1Dfetch` (document 004).
__device__ inline void fetch1d_points(const PixelArguments& args) {
    FOR_THIS_PIXEL(args);
    Reading reading = reading_at(args, i, j, false, 1);
    float horizontal[4], vertical[4];
    weigh_symmetric(args.curves, reading.fraction[0], horizontal);
    weigh_symmetric(args.curves, reading.fraction[1], vertical);
    int columns[4];
#pragma unroll
    for (int m = 0; m < 4; ++m) columns[m] = max(0, min(reading.first[0] + m, args.plane.stored[0] - 1));
    float sum = 0.0f;
#pragma unroll
    for (int n = 0; n < 4; ++n) {
        int row = max(0, min(reading.first[1] + n, args.plane.stored[1] - 1)) * args.plane.pitch;
        float line = 0.0f;
#pragma unroll
        for (int m = 0; m < 4; ++m) {
            add_weighted(line, horizontal[m], tex1Dfetch<float>(args.plane.texture, row + columns[m]));
        }
        add_weighted(sum, vertical[n], line);
    }
    write_pixel(args.target, i, j, sum * args.plane.inv_maxval);
}

// Traps, which leaves the context unusable, as the fault of a broken kernel does.
__device__ inline void fail() { asm volatile("trap;"); }
