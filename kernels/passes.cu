// Twin: src/sampling/axis.rs (AxisTable, Taps::weights_at). Views that exceed the footprint of a block: stretched kernels, kernels of
// more taps than `tiled` has, and scales at which the samples of a tile lie far apart.
//
// `pass_vertical` and `pass_horizontal` render an unrotated view in two passes by axis tables, through intermediate values: for each row of
// the output those of every column of the plane that is read, channel by channel. A table has four neighbouring entries of an axis together
// (a band), so that a sample is loaded and converted once for them. Sums are accumulated in groups, so that single precision suffices for
// any number of samples. `memory` renders any view, pixel by pixel, with weights in double precision from KernelCurve.
#include "kernel_curve.cuh"
#include "rows.cuh"
#include "samples.cuh"
#include "texture.cuh"

// The most samples along an axis that `memory` takes: RenderRequest::MAX_ROTATED_SUPPORT.
#define MOST_SUPPORT 256
// Samples of one partial sum.
#define GROUP 32

// Columns or rows of the output in a band, and columns of the plane that are stored together between the passes.
#define BAND 4

// Channels between the passes; four where there is alpha.
__device__ inline int planes_of(const Plane& plane, float) { return 1; }
__device__ inline int planes_of(const Plane& plane, float4) { return plane.has_alpha ? 4 : 3; }

// What a thread of the first pass reads of a row: four columns of grey, one of colour.
template <typename Value>
struct Part;
template <>
struct Part<float> {
    static constexpr int COLUMNS = BAND, COUNT = BAND;
};
template <>
struct Part<float4> {
    static constexpr int COLUMNS = 1, COUNT = 4;
};

template <typename Sample>
__device__ inline void read_part(const Plane& plane, int row, int column, float (&values)[BAND], float) {
    if (row < plane.stored[1] && column + BAND <= plane.stored[0]) {
        const Sample* numbers = static_cast<const Sample*>(plane.values) + size_t(row) * plane.pitch + column;
        if constexpr (sizeof(Sample) == 4) {
            const float4 four = __ldg(reinterpret_cast<const float4*>(numbers));
            values[0] = four.x;
            values[1] = four.y;
            values[2] = four.z;
            values[3] = four.w;
        } else {
            constexpr int A_WORD = 4 / sizeof(Sample);
            unsigned words[sizeof(Sample)];
#pragma unroll
            for (int k = 0; k < int(sizeof(Sample)); ++k) words[k] = __ldg(reinterpret_cast<const unsigned*>(numbers) + k);
#pragma unroll
            for (int k = 0; k < BAND; ++k) values[k] = number_of(words[k / A_WORD], k % A_WORD, Sample());
        }
    } else {
        for (int c = 0; c < BAND; ++c) read<Sample>(plane, row, column + c, values[c]);
    }
}
template <typename Sample>
__device__ inline void read_part(const Plane& plane, int row, int column, float (&values)[BAND], float4) {
    float4 pixel;
    read<Sample>(plane, row, column, pixel);
    values[0] = pixel.x;
    values[1] = pixel.y;
    values[2] = pixel.z;
    values[3] = pixel.w;
}

// Entries of a table that a block has in shared memory together: the samples of a partial sum.
struct Entries {
    float4 weights[GROUP];
    int indices[GROUP];
};

// Entries whose samples are loaded before the first one is used.
#define AT_ONCE 8

// Four rows of the output at a thread's columns of the plane.
template <typename Sample, typename Value>
__device__ inline void pass_vertical(const PassArguments& args) {
    constexpr int COLUMNS = Part<Value>::COLUMNS, COUNT = Part<Value>::COUNT;
    __shared__ Entries entries;
    const int width = args.fours * BAND, height = args.target.size_px[1];
    const int place = (blockIdx.x * blockDim.x + threadIdx.x) * COLUMNS;
    // A thread beyond the last column reads there.
    const int column = args.columns[min(place, width - 1) / BAND] + place % BAND;
    const int planes = planes_of(args.plane, Value());
    for (int band = blockIdx.y; band * BAND < height; band += gridDim.y) {
        float sums[BAND][COUNT] = {};
        for (int from = args.vertical.starts[band], end = args.vertical.starts[band + 1]; from < end; from += GROUP) {
            const int count = min(GROUP, end - from);
            __syncthreads();
            if (threadIdx.x < count) {
                entries.indices[threadIdx.x] = args.vertical.indices[from + threadIdx.x];
                entries.weights[threadIdx.x] = args.vertical.weights[from + threadIdx.x];
            }
            __syncthreads();
            float parts[BAND][COUNT] = {};
#pragma unroll 1
            for (int first = 0; first < count; first += AT_ONCE) {
                float values[AT_ONCE][COUNT];
#pragma unroll
                for (int k = 0; k < AT_ONCE; ++k) {
                    if (first + k < count) read_part<Sample>(args.plane, entries.indices[first + k], column, values[k], Value());
                }
#pragma unroll
                for (int k = 0; k < AT_ONCE; ++k) {
                    if (first + k < count) {
                        const float4 four = entries.weights[first + k];
                        const float weights[BAND] = {four.x, four.y, four.z, four.w};
#pragma unroll
                        for (int row = 0; row < BAND; ++row) {
                            // A sample that has no weight may be infinite.
                            if (sizeof(Sample) < 4 || weights[row] != 0.0f) {
#pragma unroll
                                for (int c = 0; c < COUNT; ++c) add_weighted(parts[row][c], weights[row], values[k][c]);
                            }
                        }
                    }
                }
            }
#pragma unroll
            for (int row = 0; row < BAND; ++row) {
#pragma unroll
                for (int c = 0; c < COUNT; ++c) add_weighted(sums[row][c], args.plane.inv_maxval, parts[row][c]);
            }
        }
        if (place >= width) continue;
#pragma unroll
        for (int row = 0; row < BAND; ++row) {
            const int j = band * BAND + row;
            if (j >= height) break;
            float* to = args.between + size_t(j) * width + place;
            if constexpr (COLUMNS == BAND) {
                *reinterpret_cast<float4*>(to) = make_float4(sums[row][0], sums[row][1], sums[row][2], sums[row][3]);
            } else {
#pragma unroll
                for (int c = 0; c < COUNT; ++c) {
                    if (c < planes) to[size_t(c) * height * width] = sums[row][c];
                }
            }
        }
    }
}

// Rows of a thread of the second pass.
template <typename Value>
struct RowsEach {
    static constexpr int COUNT = 4;
};
template <>
struct RowsEach<float4> {
    static constexpr int COUNT = 2;
};

// The pixels of a band of columns from (i, j) on.
template <int OUTPUT, typename Packed>
__device__ inline void write_packed_part(const Target& target, int i, int j, Packed pixels, int columns) {
    const int left = target.size_px[0] - i;
    if (left >= columns) {
        write_packed<OUTPUT>(target.surface, i, j, pixels);
    } else {
        write_some<OUTPUT>(target.surface, i, j, pixels, left);
    }
}
__device__ inline void write_band(const Target& target, int i, int j, const float (&sums)[1][BAND], bool) {
    if (target.output == OUTPUT_VALUES) {
        write_values(target, i, j, sums[0]);
        return;
    }
    float kept[BAND];
#pragma unroll
    for (int c = 0; c < BAND; ++c) kept[c] = __saturatef(sums[0][c]);
    const unsigned four = packed(kept, false);
    if (target.output == OUTPUT_GREY8) {
        write_packed_part<OUTPUT_GREY8>(target, i, j, four, BAND);
    } else {
        write_packed_part<OUTPUT_RGBA8>(target, i, j, four, BAND);
    }
}
__device__ inline void write_band(const Target& target, int i, int j, const float (&sums)[4][BAND], bool has_alpha) {
#pragma unroll
    for (int c = 0; c < BAND; c += 2) {
        const float4 two[2] = {make_float4(sums[0][c], sums[1][c], sums[2][c], sums[3][c]),
                               make_float4(sums[0][c + 1], sums[1][c + 1], sums[2][c + 1], sums[3][c + 1])};
        if (target.output == OUTPUT_VALUES) {
            write_values(target, i + c, j, two);
        } else {
            write_packed_part<OUTPUT_RGBA8>(target, i + c, j, packed(two, has_alpha), 2);
        }
    }
}

// Four columns of the output of every second row: half a warp makes the even rows, the other half the odd ones, as surfaces keep them.
template <typename Value>
__device__ inline void pass_horizontal(const PassArguments& args) {
    constexpr int ROWS = RowsEach<Value>::COUNT, CHANNELS = sizeof(Value) / sizeof(float);
    const int lane = threadIdx.x % 32, band = blockIdx.x * LANES_A_ROW + lane % LANES_A_ROW;
    const int width = args.fours * BAND, height = args.target.size_px[1];
    if (band * BAND >= args.target.size_px[0]) return;
    const int planes = planes_of(args.plane, Value());
    const int tall = 2 * ROWS * WARPS;
    for (int top = blockIdx.y * tall; top < height; top += gridDim.y * tall) {
        const int j0 = top + threadIdx.x / 32 * 2 * ROWS + lane / LANES_A_ROW;
        float sums[ROWS][CHANNELS][BAND] = {};
#pragma unroll
        for (int channel = 0; channel < CHANNELS; ++channel) {
            if (channel >= planes) break;
            const float4* rows[ROWS];
#pragma unroll
            for (int r = 0; r < ROWS; ++r) {
                // A row beyond the last one is read there.
                const size_t row = size_t(channel) * height + min(j0 + 2 * r, height - 1);
                rows[r] = reinterpret_cast<const float4*>(args.between + row * width);
            }
            for (int from = args.horizontal.starts[blockIdx.x], end = args.horizontal.starts[blockIdx.x + 1]; from < end; from += GROUP / BAND) {
                float parts[ROWS][BAND] = {};
                const int until = min(from + GROUP / BAND, end);
#pragma unroll 2
                for (int k = from; k < until; ++k) {
                    const int index = __ldg(args.horizontal.indices + k * LANES_A_ROW + lane % LANES_A_ROW);
                    float weights[BAND][BAND];
#pragma unroll
                    for (int m = 0; m < BAND; ++m) {
                        const float4 four = __ldg(args.horizontal.weights + (size_t(k) * BAND + m) * LANES_A_ROW + lane % LANES_A_ROW);
                        weights[m][0] = four.x;
                        weights[m][1] = four.y;
                        weights[m][2] = four.z;
                        weights[m][3] = four.w;
                    }
float values[ROWS][BAND];
#pragma unroll
                    for (int r = 0; r < ROWS; ++r) {
                        const float4 four = __ldg(rows[r] + index);
                        values[r][0] = four.x;
                        values[r][1] = four.y;
                        values[r][2] = four.z;
                        values[r][3] = four.w;
                    }
#pragma unroll
                    for (int m = 0; m < BAND; ++m) {
#pragma unroll
                        for (int c = 0; c < BAND; ++c) {
                            // A value that has no weight may be infinite.
                            if (weights[m][c] != 0.0f) {
#pragma unroll
                                for (int r = 0; r < ROWS; ++r) add_weighted(parts[r][c], weights[m][c], values[r][m]);
                            }
                        }
                    }
                }
#pragma unroll
                for (int r = 0; r < ROWS; ++r) {
#pragma unroll
                    for (int c = 0; c < BAND; ++c) sums[r][channel][c] += parts[r][c];
                }
            }
        }
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
            if (j0 + 2 * r < height) write_band(args.target, band * BAND, j0 + 2 * r, sums[r], args.plane.has_alpha);
        }
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
