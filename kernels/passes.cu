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

// Columns of a thread of the first pass, whose numbers are four of a row: four of grey, one of colour.
template <typename Value>
struct Part;
template <>
struct Part<float> {
    static constexpr int COLUMNS = BAND, PIXEL = 1;
};
template <>
struct Part<float4> {
    static constexpr int COLUMNS = 1, PIXEL = 4;
};

// Four numbers as words, in one load.
__device__ inline void load_words(const unsigned char* numbers, unsigned (&words)[1]) {
    words[0] = __ldg(reinterpret_cast<const unsigned*>(numbers));
}
__device__ inline void load_words(const unsigned short* numbers, unsigned (&words)[2]) {
    const uint2 two = __ldg(reinterpret_cast<const uint2*>(numbers));
    words[0] = two.x;
    words[1] = two.y;
}
__device__ inline void load_words(const float* numbers, unsigned (&words)[4]) {
    const uint4 four = __ldg(reinterpret_cast<const uint4*>(numbers));
    words[0] = four.x;
    words[1] = four.y;
    words[2] = four.z;
    words[3] = four.w;
}

// Adds entries `from` to `until` of a table to four rows of the output, COUNT numbers of each. The loop has no branch, so that loads of
// several samples are under way.
template <typename Sample, int COUNT>
__device__ inline void add_rows(const PassTable& table, int from, int until, const Sample* numbers, int pitch, float (&parts)[BAND][BAND]) {
    constexpr int A_WORD = 4 / sizeof(Sample);
#pragma unroll 2
    for (int k = from; k < until; ++k) {
        unsigned words[sizeof(Sample)];
        load_words(numbers + size_t(__ldg(table.indices + k)) * pitch, words);
        const float4 four = __ldg(table.weights + k);
        const float weights[BAND] = {four.x, four.y, four.z, four.w};
        float values[COUNT];
#pragma unroll
        for (int c = 0; c < COUNT; ++c) values[c] = number_of(words[c / A_WORD], c % A_WORD, Sample());
#pragma unroll
        for (int row = 0; row < BAND; ++row) {
            // A sample that has no weight may be infinite.
            if (sizeof(Sample) < 4 || weights[row] != 0.0f) {
#pragma unroll
                for (int c = 0; c < COUNT; ++c) add_weighted(parts[row][c], weights[row], values[c]);
            }
        }
    }
}

// Adds the border's constant for one entry, to the columns from `beyond` on.
__device__ inline void add_border(float4 four, float border, int beyond, float (&parts)[BAND][BAND]) {
    const float weights[BAND] = {four.x, four.y, four.z, four.w};
#pragma unroll
    for (int row = 0; row < BAND; ++row) {
#pragma unroll
        for (int c = 0; c < BAND; ++c) {
            if (c >= beyond && weights[row] != 0.0f) add_weighted(parts[row][c], weights[row], border);
        }
    }
}

// Four rows of the output at a thread's columns of the plane.
template <typename Sample, typename Value>
__device__ inline void pass_vertical(const PassArguments& args) {
    constexpr int COLUMNS = Part<Value>::COLUMNS, PIXEL = Part<Value>::PIXEL;
    const Plane& plane = args.plane;
    const PassTable& table = args.vertical;
    const int width = args.fours * BAND, height = args.target.size_px[1];
    const int place = (blockIdx.x * blockDim.x + threadIdx.x) * COLUMNS;
    if (place >= width) return;
    const int column = args.columns[place / BAND] + place % BAND;
    // Columns beyond the last one have the border's constant: nothing is read there.
    const int beyond = (plane.stored[0] - column) * PIXEL;
    const int last = (plane.stored[0] - 1) / COLUMNS * COLUMNS;
    const Sample* numbers = static_cast<const Sample*>(plane.values) + size_t(min(column, last)) * PIXEL;
    const int planes = planes_of(plane, Value());
    for (int band = blockIdx.y; band * BAND < height; band += gridDim.y) {
        // Its rows are those of a band before it.
        if (args.bands[band] != band) continue;
        const int start = table.starts[band], stop = table.starts[band + 1];
        // The row beyond the last one has the border's constant. It is the last of a band.
        const bool has_border = stop > start && table.indices[stop - 1] == plane.stored[1];
        const int end = stop - has_border;
        for (int from = start; from == start || from < end; from += GROUP) {
            const int until = min(from + GROUP, end);
            float parts[BAND][BAND] = {};
            if (PIXEL == 4 && planes == 3) {
                add_rows<Sample, 3>(table, from, until, numbers, plane.pitch * PIXEL, parts);
            } else {
                add_rows<Sample, BAND>(table, from, until, numbers, plane.pitch * PIXEL, parts);
            }
            if (beyond < BAND) {
#pragma unroll
                for (int row = 0; row < BAND; ++row) {
#pragma unroll
                    for (int c = 0; c < BAND; ++c) parts[row][c] = c < beyond ? parts[row][c] : 0.0f;
                }
                for (int k = from; k < until; ++k) add_border(table.weights[k], plane.border, beyond, parts);
            }
            if (until == end && has_border) add_border(table.weights[end], plane.border, 0, parts);
#pragma unroll
            for (int row = 0; row < BAND; ++row) {
                const int j = band * BAND + row;
                if (j >= height) break;
                float* to = args.between + size_t(j) * width + place;
                // Sums of the samples before are there already.
                const bool adds = from > start;
                if constexpr (COLUMNS == BAND) {
                    float4* four = reinterpret_cast<float4*>(to);
                    float4 sum = adds ? *four : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
                    add_weighted(sum, plane.inv_maxval, make_float4(parts[row][0], parts[row][1], parts[row][2], parts[row][3]));
                    *four = sum;
                } else {
#pragma unroll
                    for (int c = 0; c < BAND; ++c) {
                        if (c >= planes) continue;
                        float* channel = to + size_t(c) * height * width;
                        *channel = __fmaf_rn(plane.inv_maxval, parts[row][c], adds ? *channel : 0.0f);
                    }
                }
            }
        }
    }
}

// Rows of a thread of the second pass: of colour one, since all its channels are in registers together.
template <typename Value>
struct RowsEach {
    static constexpr int COUNT = 4;
};
template <>
struct RowsEach<float4> {
    static constexpr int COUNT = 1;
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

// Adds a thread's band along x, of rows 2 apart from j0 on. All channels share what is read of the table.
template <int CHANNELS, int ROWS, int MOST>
__device__ inline void sum_band(const PassArguments& args, int j0, float (&sums)[ROWS][MOST][BAND]) {
    const int lane = threadIdx.x % LANES_A_ROW, height = args.target.size_px[1];
    const PassTable& table = args.horizontal;
    const float4* rows[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        // A row beyond the last one is read there.
        const int j = min(j0 + 2 * r, height - 1);
        rows[r] = reinterpret_cast<const float4*>(args.between) + size_t(args.bands[j / BAND] * BAND + j % BAND) * args.fours;
    }
    const size_t channel_fours = size_t(height) * args.fours;
    for (int from = table.starts[blockIdx.x], end = table.starts[blockIdx.x + 1]; from < end; from += GROUP / BAND) {
        float parts[ROWS][CHANNELS][BAND] = {};
        const int until = min(from + GROUP / BAND, end);
#pragma unroll 2
        for (int k = from; k < until; ++k) {
            const int index = __ldg(table.indices + k * LANES_A_ROW + lane);
            float weights[BAND][BAND];
#pragma unroll
            for (int m = 0; m < BAND; ++m) {
                const float4 four = __ldg(table.weights + (size_t(k) * BAND + m) * LANES_A_ROW + lane);
                weights[m][0] = four.x;
                weights[m][1] = four.y;
                weights[m][2] = four.z;
                weights[m][3] = four.w;
            }
            float values[ROWS][CHANNELS][BAND];
#pragma unroll
            for (int r = 0; r < ROWS; ++r) {
#pragma unroll
                for (int channel = 0; channel < CHANNELS; ++channel) {
                    const float4 four = __ldg(rows[r] + channel * channel_fours + index);
                    values[r][channel][0] = four.x;
                    values[r][channel][1] = four.y;
                    values[r][channel][2] = four.z;
                    values[r][channel][3] = four.w;
                }
            }
#pragma unroll
            for (int m = 0; m < BAND; ++m) {
#pragma unroll
                for (int c = 0; c < BAND; ++c) {
                    // A value that has no weight may be infinite.
                    if (weights[m][c] != 0.0f) {
#pragma unroll
                        for (int r = 0; r < ROWS; ++r) {
#pragma unroll
                            for (int channel = 0; channel < CHANNELS; ++channel) {
                                add_weighted(parts[r][channel][c], weights[m][c], values[r][channel][m]);
                            }
                        }
                    }
                }
            }
        }
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
#pragma unroll
            for (int channel = 0; channel < CHANNELS; ++channel) {
#pragma unroll
                for (int c = 0; c < BAND; ++c) sums[r][channel][c] += parts[r][channel][c];
            }
        }
    }
}

// Four columns of the output of every second row: half a warp makes the even rows, the other half the odd ones, as surfaces keep them.
template <typename Value>
__device__ inline void pass_horizontal(const PassArguments& args) {
    constexpr int ROWS = RowsEach<Value>::COUNT, CHANNELS = sizeof(Value) / sizeof(float);
    const int lane = threadIdx.x % 32, band = blockIdx.x * LANES_A_ROW + lane % LANES_A_ROW;
    const int height = args.target.size_px[1];
    if (band * BAND >= args.target.size_px[0]) return;
    const int tall = 2 * ROWS * WARPS;
    for (int top = blockIdx.y * tall; top < height; top += gridDim.y * tall) {
        const int j0 = top + threadIdx.x / 32 * 2 * ROWS + lane / LANES_A_ROW;
        float sums[ROWS][CHANNELS][BAND] = {};
        if (CHANNELS == 4 && planes_of(args.plane, Value()) == 3) {
            sum_band<3>(args, j0, sums);
        } else {
            sum_band<CHANNELS>(args, j0, sums);
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
