// Twin: src/backend/cuda/render/filters.rs. What the filters' kernels share: how they read a plane, where their blocks lie, and how
// their results reach the target. Blocks may have any shape; shared memory is sized by the launch.
#pragma once
#include "texture.cuh"

// Results that a thread makes one below the other, where it makes more than one.
template <typename Value>
struct Run;
template <>
struct Run<float> {
    static constexpr int COUNT = 8;
};
template <>
struct Run<float4> {
    static constexpr int COUNT = 4;
};

template <typename Value>
__device__ inline Value everywhere(float number);
template <>
__device__ inline float everywhere<float>(float number) {
    return number;
}
template <>
__device__ inline float4 everywhere<float4>(float number) {
    return make_float4(number, number, number, number);
}

// `resolve`, once for all that call it: blocks at an edge are few, and their code would be most of a kernel's.
static __device__ __noinline__ int resolve_at_edge(int mode, int index, int len) { return resolve(mode, index, len); }

// The value at a whole place (x, y) of the plane: any, or one where there is a sample (INSIDE).
template <typename Value, bool INSIDE = false>
__device__ inline Value value_at(const Plane& plane, int x, int y) {
    if (!INSIDE) {
        bool beyond_x = plane.address[0] == BORDER && (x < 0 || x >= plane.stored[0]);
        bool beyond_y = plane.address[1] == BORDER && (y < 0 || y >= plane.stored[1]);
        // What a texture has beyond its border is 0 whatever the border's constant.
        if (beyond_x || beyond_y) return everywhere<Value>(plane.border);
    }
    if (plane.texture) return times(plane.inv_maxval, fetch<Value>(plane, float(x) + 0.5f, float(y) + 0.5f));
    const int column = INSIDE ? x : resolve_at_edge(plane.address[0], x, plane.stored[0]);
    const int row = INSIDE ? y : resolve_at_edge(plane.address[1], y, plane.stored[1]);
    return static_cast<const Value*>(plane.values)[size_t(row) * plane.pitch + column];
}

// Whether there is a sample at every place of `width` × `height` from (left, top) on.
__device__ inline bool is_inside(const Plane& plane, int left, int top, int width, int height) {
    return left >= 0 && top >= 0 && left + width <= plane.stored[0] && top + height <= plane.stored[1];
}

template <typename Value, bool INSIDE, typename Kept, typename Keep>
__device__ inline void fill_tile(const Plane& plane, int left, int top, int width, int height, Kept* tile, Keep keep) {
    constexpr int AT_ONCE = sizeof(Value) > sizeof(float) ? 2 : 4;
    const int columns = blockDim.x, around = width - columns;
    for (int first = threadIdx.y; first < height; first += AT_ONCE * blockDim.y) {
        // Some rows are under way before any of them is stored.
        Value values[AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE; ++k) {
            const int row = min(first + k * int(blockDim.y), height - 1);
            values[k] = value_at<Value, INSIDE>(plane, left + threadIdx.x, top + row);
        }
#pragma unroll
        for (int k = 0; k < AT_ONCE; ++k) {
            const int row = first + k * blockDim.y;
            if (row < height) tile[row * width + threadIdx.x] = keep(values[k]);
        }
    }
    // What is wider than the block, by all threads, so that none of a warp is idle.
    const int thread = threadIdx.y * columns + threadIdx.x;
    for (int k = thread; k < around * height; k += columns * blockDim.y) {
        const int row = k / around, column = columns + k - row * around;
        tile[row * width + column] = keep(value_at<Value, INSIDE>(plane, left + column, top + row));
    }
}

// Loads a block's tile of `width` × `height` values whose first is at (left, top) of the plane, no narrower than the block;
// `keep` turns a value into what is kept of it.
template <typename Value, typename Kept, typename Keep>
__device__ inline void load_tile(const Plane& plane, int left, int top, int width, int height, Kept* tile, Keep keep) {
    if (is_inside(plane, left, top, width, height)) {
        fill_tile<Value, true>(plane, left, top, width, height, tile, keep);
    } else {
        fill_tile<Value, false>(plane, left, top, width, height, tile, keep);
    }
}

// Where a thread's run of results starts, (i, j), and where its block's results do.
struct Result {
    int i, j;
    int left, top;
};

template <int RUN>
__device__ inline Result result_of_thread() {
    int left = blockIdx.x * blockDim.x, top = blockIdx.y * blockDim.y * RUN;
    return {left + int(threadIdx.x), top + int(threadIdx.y) * RUN, left, top};
}

// The values at a thread's results.
template <int RUN, typename Value>
__device__ inline void read_values(const FilterArguments& args, const Result& place, Value (&values)[RUN]) {
    const int x = args.origin[0] + place.i, y = args.origin[1] + place.j;
    const int left = args.origin[0] + place.left, top = args.origin[1] + place.top;
    if (is_inside(args.plane, left, top, blockDim.x, blockDim.y * RUN)) {
#pragma unroll
        for (int k = 0; k < RUN; ++k) values[k] = value_at<Value, true>(args.plane, x, y + k);
    } else {
#pragma unroll
        for (int k = 0; k < RUN; ++k) values[k] = value_at<Value>(args.plane, x, y + k);
    }
}

// `to` with the alpha of `from`, where there is one.
__device__ inline void keep_alpha(const Plane&, float&, float) {}
__device__ inline void keep_alpha(const Plane& plane, float4& to, float4 from) {
    if (plane.has_alpha) to.w = from.w;
}

// Grey with alpha lies in three channels, of which a filter makes one.
__device__ inline float all_channels(const FilterArguments&, float value) { return value; }
__device__ inline float4 all_channels(const FilterArguments& args, float4 value) {
    return args.channels == 2 ? make_float4(value.x, value.x, value.x, value.w) : value;
}

// A value as a pixel of a surface; colour is never one byte.
__device__ inline void to_pixel(unsigned char& pixel, float value, bool) { pixel = byte_of(value); }
__device__ inline void to_pixel(unsigned char&, float4, bool) {}
__device__ inline void to_pixel(unsigned& pixel, float value, bool) { pixel = opaque_grey(byte_of(value)); }
__device__ inline void to_pixel(unsigned& pixel, float4 value, bool has_alpha) { pixel = straight_rgba(value, has_alpha); }

// Writes a block's pixels, which lie in shared memory row by row, in pieces of sixteen bytes: a surface keeps sixteen bytes of
// two rows together, and each store of less is a pass of its own over such a pair.
template <typename Pixel>
__device__ inline void write_pixels(const FilterArguments& args, int left, int top, int rows, const Pixel* pixels) {
    constexpr int PIECE = 16 / sizeof(Pixel);
    const int columns = min(int(blockDim.x), args.count[0] - left);
    rows = min(rows, args.count[1] - top);
    const int pieces = (columns + PIECE - 1) / PIECE;
    for (int k = threadIdx.y * blockDim.x + threadIdx.x; k < pieces * rows; k += blockDim.x * blockDim.y) {
        const int row = k / pieces, column = (k - row * pieces) * PIECE;
        const Pixel* piece = pixels + row * blockDim.x + column;
        const int x_bytes = (left + column) * int(sizeof(Pixel));
        if (column + PIECE <= columns && x_bytes % 16 == 0 && blockDim.x % PIECE == 0) {
            write_surface(args.target.surface, x_bytes, top + row, *reinterpret_cast<const uint4*>(piece));
        } else {
            for (int n = 0; n < min(PIECE, columns - column); ++n) {
                write_surface(args.target.surface, x_bytes + n * int(sizeof(Pixel)), top + row, piece[n]);
            }
        }
    }
}

// Takes a block's results to shared memory as pixels, and writes those.
template <typename Pixel, int RUN, typename Value>
__device__ inline void write_through(const FilterArguments& args, const Result& place, const Value (&values)[RUN],
                                     Pixel* pixels) {
    const int first = threadIdx.y * RUN * blockDim.x + threadIdx.x;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < RUN; ++k) to_pixel(pixels[first + k * blockDim.x], values[k], args.plane.has_alpha);
    __syncthreads();
    write_pixels(args, place.left, place.top, blockDim.y * RUN, pixels);
}

// Writes every thread's run of results. All threads of the block come here; `shared` has room for as many words as the block
// makes results, and nobody needs any more what it held.
template <int RUN, typename Value>
__device__ inline void write_results(const FilterArguments& args, const Result& place, const Value (&values)[RUN],
                                     void* shared) {
    if (args.target.output == OUTPUT_VALUES) {
        Value* to = reinterpret_cast<Value*>(args.target.values) + size_t(place.j) * args.target.size_px[0] + place.i;
#pragma unroll
        for (int k = 0; k < RUN; ++k) {
            if (place.i < args.count[0] && place.j + k < args.count[1]) to[size_t(k) * args.target.size_px[0]] = values[k];
        }
        return;
    }
    if (args.target.output == OUTPUT_GREY8) {
        write_through(args, place, values, static_cast<unsigned char*>(shared));
    } else {
        write_through(args, place, values, static_cast<unsigned*>(shared));
    }
}
