#!/usr/bin/env python3
"""The views of `lerpscope bench` through other people's GPU code, in one table with ours.

    lerpscope bench --json ours.json
    python3 benches/peers_gpu.py --ours ours.json

What is not installed is left out and said so: CuPy (`affine_transform`, orders 0, 1 and 3 without its prefilter), PyTorch
(`grid_sample`, nearest, bilinear and bicubic, which is Keys's cubic with a = -3/4) and NPP (`nppiWarpAffine`, 8 bits, whose
cubic is a B-spline or Catmull-Rom by its mode). Times are medians of CUDA events, after warm-up.

A second table has the filters, over a picture of the output's size: CuPy's `gaussian_filter`, `median_filter` and `sobel`;
NPP's `nppiFilterMedian` (which reads beyond the picture, so that it is given a padded one), `nppiFilterGaussAdvancedBorder`
with as many taps as ours, and `nppiGradientVectorSobelBorder`, whose magnitudes are 16-bit integers; a bilateral filter made
of CuPy's arrays (one fused kernel for each of the window's offsets, summing in place); and OpenCV's `GaussianBlur` and
`bilateralFilter` on all of the CPU's cores, by the clock. OpenCV's bilateral window is the disc within ours, a quarter
smaller.
"""

import argparse
import ctypes
import ctypes.util
import glob
import json
import statistics
import time

SIZE = (3840, 2160)
IMAGE = 4096
SCALES = (0.125, 0.5, 1.0)
REPEATS = 51


def cupy_time(work, repeats=REPEATS, warm_up=3):
    import cupy

    times = []
    for repeat in range(repeats + warm_up):
        start, end = cupy.cuda.Event(), cupy.cuda.Event()
        start.record()
        work()
        end.record()
        end.synchronize()
        if repeat >= warm_up:
            times.append(cupy.cuda.get_elapsed_time(start, end) * 1e3)
    return statistics.median(times)


def with_cupy(rows):
    import cupy
    import cupyx.scipy.ndimage as ndimage

    image = cupy.random.RandomState(1).rand(IMAGE, IMAGE).astype(cupy.float32)
    output = cupy.empty((SIZE[1], SIZE[0]), cupy.float32)
    timed = cupy_time

    for scale in SCALES:
        offset = (IMAGE / 2 - SIZE[1] / 2 * scale, IMAGE / 2 - SIZE[0] / 2 * scale)
        for order, name in ((0, "nearest"), (1, "linear"), (3, "bspline")):
            for mode in ("nearest", "grid-wrap"):
                try:
                    time = timed(
                        lambda: ndimage.affine_transform(
                            image, cupy.array([scale, scale]), offset, output=output, output_shape=output.shape,
                            order=order, mode=mode, prefilter=False,
                        )
                    )
                except Exception as error:
                    print(f"CuPy {name} {mode}: {error}")
                    continue
                rows.append(("CuPy affine_transform", f"{name}, {mode}", "float to float", scale, time))
    time = timed(lambda: ndimage.spline_filter(image, order=3, output=cupy.float32, mode="mirror"))
    rows.append(("CuPy spline_filter", "order 3", f"float, {IMAGE}²", 0.0, time))


def torch_time(work, repeats=REPEATS, warm_up=3):
    import torch

    times = []
    for repeat in range(repeats + warm_up):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        work()
        end.record()
        end.synchronize()
        if repeat >= warm_up:
            times.append(start.elapsed_time(end) * 1e3)
    return statistics.median(times)


def with_torch(rows):
    import torch
    import torch.nn.functional as functional

    image = torch.rand((1, 1, IMAGE, IMAGE), device="cuda")
    for scale in SCALES:
        # Positions from −1 to 1 over the image, as grid_sample takes them; made beforehand and not timed.
        axis = [(torch.arange(side, device="cuda") - side / 2) * scale + IMAGE / 2 for side in SIZE]
        x, y = ((positions + 0.5) * (2 / IMAGE) - 1 for positions in axis)
        grid = torch.stack(torch.meshgrid(x, y, indexing="xy"), -1)[None].contiguous()
        for mode in ("nearest", "bilinear", "bicubic"):
            time = torch_time(
                lambda: functional.grid_sample(image, grid, mode=mode, padding_mode="border", align_corners=False)
            )
            rows.append(("PyTorch grid_sample", mode, "float to float", scale, time))


class Size(ctypes.Structure):
    """NppiSize of nppdefs.h."""

    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int)]


class Point(ctypes.Structure):
    """NppiPoint of nppdefs.h."""

    _fields_ = [("x", ctypes.c_int), ("y", ctypes.c_int)]


class Rect(ctypes.Structure):
    """NppiRect of nppdefs.h."""

    _fields_ = [(name, ctypes.c_int) for name in ("x", "y", "width", "height")]


class Context(ctypes.Structure):
    """NppStreamContext of nppdefs.h."""

    _fields_ = [
        ("stream", ctypes.c_void_p), ("device", ctypes.c_int), ("multiprocessors", ctypes.c_int),
        ("threads_a_multiprocessor", ctypes.c_int), ("threads_a_block", ctypes.c_int), ("shared", ctypes.c_size_t),
        ("major", ctypes.c_int), ("minor", ctypes.c_int), ("flags", ctypes.c_uint), ("reserved", ctypes.c_int),
    ]


# NPP_BORDER_REPLICATE, NPP_MASK_SIZE_3_X_3 and nppiNormL2 of nppdefs.h.
BORDER_REPLICATE, MASK_3_X_3, NORM_L2 = 2, 200, 2


def npp_library(name):
    found = ctypes.util.find_library(name)
    candidates = [found] if found else []
    for pattern in ("/usr/local/cuda*/lib64/lib{}.so*", "/usr/lib/x86_64-linux-gnu/lib{}.so*"):
        candidates += sorted(glob.glob(pattern.format(name)))
    for candidate in candidates:
        try:
            return ctypes.CDLL(candidate, mode=ctypes.RTLD_GLOBAL)
        except OSError:
            continue
    raise OSError(f"lib{name} is not here")


def npp_context():
    import torch

    about = torch.cuda.get_device_properties(0)
    stream = torch.cuda.current_stream().cuda_stream
    return Context(
        stream, 0, about.multi_processor_count, about.max_threads_per_multi_processor, 1024, 49152, about.major, about.minor
    )


def npp_call(function, *arguments):
    """Calls `function`, and says by its name what it answers where that is an error; warnings are above 0."""
    status = function(*arguments)
    if status < 0:
        raise OSError(f"{function.__name__} says {status}")


def address(tensor, offset=0):
    return ctypes.c_void_p(tensor.data_ptr() + offset)


def with_npp(rows):
    import torch

    npp_library("nppc")
    warp = npp_library("nppig").nppiWarpAffine_8u_C1R_Ctx
    context = npp_context()
    image = torch.randint(0, 256, (IMAGE, IMAGE), dtype=torch.uint8, device="cuda")
    output = torch.empty((SIZE[1], SIZE[0]), dtype=torch.uint8, device="cuda")
    for scale in SCALES:
        shift = [side / 2 - IMAGE / 2 / scale for side in SIZE]
        forward = ((ctypes.c_double * 3) * 2)((1 / scale, 0, shift[0]), (0, 1 / scale, shift[1]))
        for mode, name in ((1, "nearest"), (2, "linear"), (4, "cubic")):
            work = lambda: npp_call(
                warp, address(image), Size(IMAGE, IMAGE), IMAGE, Rect(0, 0, IMAGE, IMAGE),
                address(output), SIZE[0], Rect(0, 0, *SIZE), forward, mode, context,
            )
            rows.append(("NPP nppiWarpAffine", name, "8-bit to 8-bit", scale, torch_time(work)))


def npp_filters(rows):
    import torch

    npp_library("nppc")
    npp = npp_library("nppif")
    context = npp_context()
    width, height = SIZE
    size = Size(width, height)
    image = torch.randint(0, 256, (height, width), dtype=torch.uint8, device="cuda")
    output = torch.empty_like(image)

    def medians(radius):
        side = 2 * radius + 1
        mask, anchor = Size(side, side), Point(radius, radius)
        padded = torch.nn.functional.pad(image[None].float(), (radius,) * 4, mode="replicate")[0].to(torch.uint8)
        padded = padded.contiguous()
        stride = width + 2 * radius
        bytes_needed = ctypes.c_uint(0)
        npp_call(npp.nppiFilterMedianGetBufferSize_8u_C1R_Ctx, size, mask, ctypes.byref(bytes_needed), context)
        buffer = torch.empty(max(bytes_needed.value, 1), dtype=torch.uint8, device="cuda")
        function = npp.nppiFilterMedian_8u_C1R_Ctx
        first = radius * stride + radius
        return lambda: npp_call(
            function, address(padded, first), stride, address(output), width, size, mask, anchor, address(buffer), context
        )

    def gaussian(sigma):
        radius = round(4 * sigma)
        weights = torch.exp(-(torch.arange(-radius, radius + 1, dtype=torch.float64) ** 2) / (2 * sigma**2))
        weights = (weights / weights.sum()).float().cuda()
        function = npp.nppiFilterGaussAdvancedBorder_8u_C1R_Ctx
        return lambda: npp_call(
            function, address(image), width, size, Point(0, 0), address(output), width, size,
            len(weights), address(weights), BORDER_REPLICATE, context,
        )

    def sobel():
        magnitudes = torch.empty((height, width), dtype=torch.int16, device="cuda")
        function = npp.nppiGradientVectorSobelBorder_8u16s_C1R_Ctx
        return lambda: npp_call(
            function, address(image), width, size, Point(0, 0), None, 0, None, 0, address(magnitudes), 2 * width,
            None, 0, size, MASK_3_X_3, NORM_L2, BORDER_REPLICATE, context,
        )

    for by, what, pixels, make in (
        ("NPP nppiFilterMedian", "median=1", "8-bit to 8-bit", lambda: medians(1)),
        ("NPP nppiFilterMedian", "median=3", "8-bit to 8-bit", lambda: medians(3)),
        ("NPP nppiFilterMedian", "median=16", "8-bit to 8-bit", lambda: medians(16)),
        ("NPP nppiFilterGaussAdvanced", "gaussian=2", "8-bit to 8-bit", lambda: gaussian(2.0)),
        ("NPP nppiGradientVectorSobel", "sobel", "8-bit to 16-bit", sobel),
    ):
        try:
            rows.append((by, what, pixels, torch_time(make(), 11, 2)))
        # A library without the function says so as an AttributeError.
        except (OSError, AttributeError, RuntimeError) as error:
            print(f"left out: {by} {what}: {error}")


# Sigma, range and radius of the bilateral filters.
BILATERAL = (3.0, 0.1, 5)


def cupy_filters(rows):
    import cupy
    import cupyx.scipy.ndimage as ndimage

    image = cupy.random.RandomState(1).randint(0, 256, (SIZE[1], SIZE[0])).astype(cupy.uint8)
    values = image.astype(cupy.float32) / 255
    output, copied = cupy.empty_like(values), cupy.empty_like(image)
    rows.append(("CuPy copy", "plain copy", "8-bit to 8-bit", cupy_time(lambda: cupy.copyto(copied, image))))
    for sigma in (2.0, 16.0):
        work = lambda: ndimage.gaussian_filter(values, sigma, output=output, mode="nearest")
        rows.append(("CuPy gaussian_filter", f"gaussian={sigma:g}", "float to float", cupy_time(work)))
    work = lambda: ndimage.median_filter(values, 3, output=output, mode="nearest")
    rows.append(("CuPy median_filter", "median=1", "float to float", cupy_time(work, 11)))
    for radius, repeats in ((1, 11), (3, 11), (16, 3)):
        work = lambda: ndimage.median_filter(image, 2 * radius + 1, output=copied, mode="nearest")
        try:
            rows.append(("CuPy median_filter", f"median={radius}", "8-bit to 8-bit", cupy_time(work, repeats, 1)))
        # Wide windows are compiled into the kernel, which may be refused.
        except Exception as error:
            print(f"left out: CuPy median_filter, {2 * radius + 1} samples wide: {error}")
    across, down = cupy.empty_like(values), cupy.empty_like(values)

    def sobel():
        ndimage.sobel(image, axis=1, output=across, mode="nearest")
        ndimage.sobel(image, axis=0, output=down, mode="nearest")
        cupy.hypot(across, down, out=output)

    rows.append(("CuPy sobel, hypot", "sobel", "8-bit to float", cupy_time(sobel)))

    sigma, spread, radius = BILATERAL

    @cupy.fuse()
    def weigh(centre, sample, near, like):
        difference = sample - centre
        return cupy.exp(near + like * difference * difference)

    padded = cupy.pad(values, radius, mode="edge")
    weights = cupy.empty_like(values)
    add = cupy.ElementwiseKernel(
        "float32 centre, float32 sample, float32 near, float32 like", "float32 sum, float32 weights",
        "float d = sample - centre; float w = expf(near + like * d * d); sum += w * sample; weights += w;", "add_offset",
    )
    offsets = [(m, n) for n in range(-radius, radius + 1) for m in range(-radius, radius + 1)]

    def shifted(m, n):
        return padded[radius + n : radius + n + SIZE[1], radius + m : radius + m + SIZE[0]]

    def arrays():
        output.fill(0)
        weights.fill(0)
        for m, n in offsets:
            sample = shifted(m, n)
            weight = weigh(values, sample, -(m * m + n * n) / (2 * sigma**2), -1 / (2 * spread**2))
            output[...] += weight * sample
            weights[...] += weight
        output[...] /= weights

    def in_place():
        output.fill(0)
        weights.fill(0)
        for m, n in offsets:
            add(values, shifted(m, n), -(m * m + n * n) / (2 * sigma**2), -1 / (2 * spread**2), output, weights)
        cupy.divide(output, weights, out=output)

    name = "bilateral=" + ",".join(f"{number:g}" for number in BILATERAL)
    rows.append(("CuPy arrays, fused weights", name, "float to float", cupy_time(arrays, 11)))
    rows.append(("CuPy elementwise sums", name, "float to float", cupy_time(in_place, 11)))


def opencv_filters(rows):
    import cv2
    import numpy

    image = numpy.random.RandomState(1).randint(0, 256, (SIZE[1], SIZE[0])).astype(numpy.uint8)
    values = (image / numpy.float32(255)).astype(numpy.float32)

    def timed(work):
        times = []
        for repeat in range(13):
            start = time.perf_counter()
            work()
            if repeat >= 2:
                times.append((time.perf_counter() - start) * 1e6)
        return statistics.median(times)

    sigma, spread, radius = BILATERAL
    name = "bilateral=" + ",".join(f"{number:g}" for number in BILATERAL)
    by = f"OpenCV, {cv2.getNumThreads()} threads"
    for numbers, unit, pixels in ((image, 255, "8-bit to 8-bit"), (values, 1, "float to float")):
        blur = lambda: cv2.GaussianBlur(numbers, (17, 17), 2.0, borderType=cv2.BORDER_REPLICATE)
        rows.append((by, "gaussian=2", pixels, timed(blur)))
        smooth = lambda: cv2.bilateralFilter(
            numbers, 2 * radius + 1, spread * unit, sigma, borderType=cv2.BORDER_REPLICATE
        )
        rows.append((by, name, pixels, timed(smooth)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", help="what `lerpscope bench --json` wrote")
    arguments = parser.parse_args()
    rows, filters = [], []
    peers = [(peer, rows) for peer in (with_cupy, with_torch, with_npp)]
    peers += [(peer, filters) for peer in (cupy_filters, npp_filters, opencv_filters)]
    for peer, into in peers:
        try:
            peer(into)
        except (ImportError, OSError) as error:
            print(f"left out: {peer.__name__}: {error}")
    if arguments.ours:
        with open(arguments.ours, encoding="utf-8") as file:
            for row in json.load(file)["rows"]:
                # The scales and the source that the others have.
                is_shared = row["scale"] in SCALES and row["pixels"].startswith("grey 8-bit") and "," not in row["what"]
                if row["how"] == "both axes" or (row["how"] in ("auto", "tiled") and is_shared):
                    rows.append((f"lerpscope {row['how']}", row["what"], row["pixels"], row["scale"], row["median_us"]))
                if row["how"] == "filter":
                    filters.append(("lerpscope", row["what"], row["pixels"], row["median_us"]))
    rows.sort(key=lambda row: (row[3], row[4]))
    print(f"{SIZE[0]} × {SIZE[1]} pixels from {IMAGE} × {IMAGE} samples")
    print(f"{'by':<24} {'method':<20} {'pixels':<22} {'scale':>6} {'µs':>10}")
    for name, method, pixels, scale, time_us in rows:
        print(f"{name:<24} {method:<20} {pixels:<22} {scale or '-':>6} {time_us:>10.1f}")
    filters.sort(key=lambda row: (row[1], row[3]))
    print(f"filters of {SIZE[0]} × {SIZE[1]} pixels")
    for name, what, pixels, time_us in filters:
        print(f"{name:<28} {what:<22} {pixels:<24} {time_us:>10.1f}")


if __name__ == "__main__":
    main()
