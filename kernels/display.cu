// Twin: src/backend/cpu/finish.rs (write_mapped) and Tone::apply in src/backend/display.rs: from interpolated values to
// what is shown, by the very operations of the twin. One thread a pixel.
#include "output.cuh"

// Straight colour of a premultiplied pixel; where alpha is 0 there is none.
__device__ inline float4 straightened(float4 value, bool has_alpha) {
    if (!has_alpha) return value;
    if (value.w == 0.0f) return make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    return make_float4(value.x / value.w, value.y / value.w, value.z / value.w, value.w);
}

__device__ inline float toned(const DisplayArguments& args, float value) {
    if (args.absolute) value = fabsf(value);
    float linear = __fadd_rn(__fmul_rn(value, args.gain), args.bias);
    return args.power == 1.0f ? linear : copysignf(powf(fabsf(linear), args.power), linear);
}

__device__ inline float4 pixel_of(const DisplayArguments& args, const float* values, size_t index) {
    if (args.channels == 1) {
        float value = values[index];
        return make_float4(value, value, value, 1.0f);
    }
    return reinterpret_cast<const float4*>(values)[index];
}

__device__ inline void show_pixel(const DisplayArguments& args, int i, int j) {
    size_t index = size_t(j) * args.target.size_px[0] + i;
    float4 pixel = pixel_of(args, args.first, index);
    float alpha = args.has_alpha && !args.second ? pixel.w : 1.0f;
    pixel = straightened(pixel, args.has_alpha);
    if (args.second) {
        float4 other = straightened(pixel_of(args, args.second, index), args.has_alpha);
        pixel = make_float4(pixel.x - other.x, pixel.y - other.y, pixel.z - other.z, 1.0f);
    }
    float red = toned(args, pixel.x), green = toned(args, pixel.y), blue = toned(args, pixel.z);
    if (args.colours) {
        // A colour map takes grey as it is, and the luminance of colours (`mapped_value` in src/backend/display.rs).
        float mapped = red;
        if (!args.is_grey) {
            mapped = __fadd_rn(__fadd_rn(__fmul_rn(red, 0.3f), __fmul_rn(green, 0.59f)), __fmul_rn(blue, 0.11f));
        }
        // Of a value that is no number `fminf` and `fmaxf` make a bound, the lower one as the twin has it.
        float within = fminf(fmaxf(mapped, 0.0f), 1.0f);
        int step = min(int(__fadd_rn(__fmul_rn(within, float(args.colour_steps - 1)), 0.5f)), args.colour_steps - 1);
        red = args.colours[3 * step];
        green = args.colours[3 * step + 1];
        blue = args.colours[3 * step + 2];
    } else if (args.is_grey) {
        green = blue = red;
    }
    if (args.target.output == OUTPUT_GREY8) {
        write_surface(args.target.surface, i, j, (unsigned char)byte_of(red));
    } else if (args.target.output == OUTPUT_RGBA8) {
        write_surface(args.target.surface, 4 * i, j, rgba(byte_of(red), byte_of(green), byte_of(blue), byte_of(alpha)));
    } else {
        float* to = args.target.values + index * args.out_channels;
        to[0] = red;
        if (args.out_channels == 2) to[1] = alpha;
        if (args.out_channels >= 3) {
            to[1] = green;
            to[2] = blue;
        }
        if (args.out_channels == 4) to[3] = alpha;
    }
}

__device__ inline void show(const DisplayArguments& args) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= args.target.size_px[0]) return;
    for (int j = blockIdx.y; j < args.target.size_px[1]; j += gridDim.y) show_pixel(args, i, j);
}
