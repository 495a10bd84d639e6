// Where the fields of the structs in arguments.cuh lie and how long the structs are, and the numbers of the enums, for
// the test that holds them against their Rust twins: names in the order of the fields.
#include "arguments.cuh"

#define AT(type, field) (unsigned)(size_t)&((type*)0)->field

extern "C" __device__ const unsigned layout_map[] = {AT(Map, middle_px), AT(Map, origin), AT(Map, scale),
                                                     AT(Map, cosine),    AT(Map, sine),   sizeof(Map)};
extern "C" __device__ const unsigned layout_plane[] = {
    AT(Plane, values),  AT(Plane, texture), AT(Plane, pitch), AT(Plane, stored), AT(Plane, halo),
    AT(Plane, address), AT(Plane, border),  AT(Plane, unit),  AT(Plane, texel),  AT(Plane, has_alpha), sizeof(Plane)};
extern "C" __device__ const unsigned layout_target[] = {AT(Target, surface), AT(Target, values), AT(Target, size_px),
                                                        AT(Target, output), sizeof(Target)};
extern "C" __device__ const unsigned layout_weight_curves[] = {AT(WeightCurves, cubics), AT(WeightCurves, terms),
                                                               AT(WeightCurves, segments), AT(WeightCurves, lanczos),
                                                               AT(WeightCurves, before), sizeof(WeightCurves)};
extern "C" __device__ const unsigned layout_tiled[] = {
    AT(TiledArguments, map),          AT(TiledArguments, plane),       AT(TiledArguments, target),
    AT(TiledArguments, curves),       AT(TiledArguments, start),       AT(TiledArguments, step),
    AT(TiledArguments, rows_a_warp),  AT(TiledArguments, rows),        AT(TiledArguments, groups),
    AT(TiledArguments, groups_inverse), AT(TiledArguments, rows_at_once), AT(TiledArguments, row_floats),
    sizeof(TiledArguments)};
extern "C" __device__ const unsigned layout_kernel_curve[] = {
    AT(KernelCurve, radius), AT(KernelCurve, ends), AT(KernelCurve, bins_a_sample), AT(KernelCurve, terms), AT(KernelCurve, first_knots),
    AT(KernelCurve, bins),   AT(KernelCurve, knot_count),    AT(KernelCurve, closed), AT(KernelCurve, taps),
    AT(KernelCurve, before), AT(KernelCurve, is_normalized), sizeof(KernelCurve)};
extern "C" __device__ const unsigned layout_pixel[] = {
    AT(PixelArguments, map),    AT(PixelArguments, plane),        AT(PixelArguments, target),
    AT(PixelArguments, curves), AT(PixelArguments, lookup_table), sizeof(PixelArguments)};
extern "C" __device__ const unsigned layout_memory[] = {
    AT(MemoryArguments, map),    AT(MemoryArguments, plane),   AT(MemoryArguments, target),
    AT(MemoryArguments, kernel), AT(MemoryArguments, stretch), sizeof(MemoryArguments)};
extern "C" __device__ const unsigned layout_pass[] = {
    AT(PassArguments, plane),   AT(PassArguments, target), AT(PassArguments, starts), AT(PassArguments, indices),
    AT(PassArguments, weights), AT(PassArguments, rows),   AT(PassArguments, count),  AT(PassArguments, between),
    sizeof(PassArguments)};
extern "C" __device__ const unsigned layout_prefilter[] = {
    AT(PrefilterArguments, plane),  AT(PrefilterArguments, coefficients), AT(PrefilterArguments, pitch),
    AT(PrefilterArguments, stored), AT(PrefilterArguments, halo),         AT(PrefilterArguments, pole_count),
    AT(PrefilterArguments, poles),  AT(PrefilterArguments, gains),        AT(PrefilterArguments, starts),
    AT(PrefilterArguments, ends),   sizeof(PrefilterArguments)};
extern "C" __device__ const unsigned layout_display[] = {
    AT(DisplayArguments, target),       AT(DisplayArguments, first),        AT(DisplayArguments, second),
    AT(DisplayArguments, colours),      AT(DisplayArguments, channels),     AT(DisplayArguments, has_alpha),
    AT(DisplayArguments, is_grey),      AT(DisplayArguments, colour_steps), AT(DisplayArguments, out_channels),
    AT(DisplayArguments, absolute),     AT(DisplayArguments, gain),         AT(DisplayArguments, bias),
    AT(DisplayArguments, power),        sizeof(DisplayArguments)};
extern "C" __device__ const unsigned layout_filter[] = {
    AT(FilterArguments, plane),    AT(FilterArguments, target), AT(FilterArguments, origin),       AT(FilterArguments, count),
    AT(FilterArguments, channels), AT(FilterArguments, radius), AT(FilterArguments, rows_at_once),
    AT(FilterArguments, parameters), AT(FilterArguments, two_sigma_squares), AT(FilterArguments, between), sizeof(FilterArguments)};
extern "C" __device__ const unsigned layout_gaussian[] = {AT(GaussianArguments, filter), AT(GaussianArguments, weights),
                                                          sizeof(GaussianArguments)};
extern "C" __device__ const unsigned layout_point_step[] = {AT(PointStep, filter), AT(PointStep, mixes),
                                                            AT(PointStep, factor), AT(PointStep, luminance),
                                                            sizeof(PointStep)};
extern "C" __device__ const unsigned layout_point[] = {AT(PointArguments, filter), AT(PointArguments, step_count),
                                                       AT(PointArguments, steps), sizeof(PointArguments)};
extern "C" __device__ const unsigned layout_point_filters[] = {POINT_GAMMA, POINT_NEGATIVE, POINT_BRIGHTNESS};
extern "C" __device__ const unsigned layout_addresses[] = {CLAMP, BORDER, WRAP, MIRROR};
extern "C" __device__ const unsigned layout_outputs[] = {OUTPUT_GREY8, OUTPUT_RGBA8, OUTPUT_VALUES};
