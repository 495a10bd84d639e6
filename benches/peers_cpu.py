#!/usr/bin/env python3
"""The CPU backend beside other people's, in one run on as many threads each, with the goal of each view.

Views: 1920 x 1080 pixels of an 8-bit grey image of 4096 x 4096 samples of noise unless a row says otherwise. Ours is
`lerpscope bench --backend cpu` of the release build; the peers are OpenCV and Pillow (PyPI), SciPy for the prefilter, zimg
(Debian's libzimg2), and fast_image_resize and pic-scale (benches/peers, built by cargo). Each side measures medians, in as many
rounds, of which the quickest counts. OpenCV's and Pillow's cubics are Keys's with a = -3/4 and -1/2. Peers without a B-spline or
Mitchell's filter are compared with a kernel of as many samples, OpenCV's of 8 samples stands for lanczos3 as well. RGBA is ours of a
colour picture, which becomes RGBA8; theirs have four channels. Their premultiplied row is RGBA without a division by alpha. zimg,
Pillow and SciPy have one thread; zimg is left out of runs with more. Without `--threads` the views are measured with one thread and
with two, and the last column is the gain.

Filters: 3840 x 2160 grey floats (benches/filters.rs) beside OpenCV. NumPy asks for huge pages for its arrays, so ours run with
glibc doing the same for theirs. OpenCV's bilateral sees a disc, which is 81 of the 121 samples of our square at radius 5; its
times are scaled to as many. Their ratio is ours by theirs: below 1 ours is quicker.

    benches/peers_cpu.py [--install] [--threads 1] [--rounds 3] [--only views|filters]

`--install` gets the peers by `apt install libzimg2` and `pip install numpy opencv-python-headless Pillow scipy`.
"""

import argparse
import ctypes
import ctypes.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

if "--install" in sys.argv:
    subprocess.run(["apt-get", "install", "--yes", "libzimg2"], check=True)
    pip = [sys.executable, "-m", "pip", "install", "numpy", "opencv-python-headless", "Pillow", "scipy"]
    subprocess.run(pip, check=True)

import cv2
import numpy as np
import PIL
import scipy.ndimage
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
SIZE = (2160, 3840)


def disc_samples(radius):
    """Samples of OpenCV's window."""
    offsets = range(-radius, radius + 1)
    return sum(m * m + n * n <= radius * radius for m in offsets for n in offsets)


def gaussian(sigma, image, out):
    side = 2 * int(np.ceil(4 * sigma)) + 1
    cv2.GaussianBlur(image, (side, side), sigma, dst=out, borderType=cv2.BORDER_REPLICATE)


def bilateral(image, out):
    cv2.bilateralFilter(image, 11, 0.1, 3, dst=out, borderType=cv2.BORDER_REPLICATE)


def sobel(image, out):
    gradients = [
        cv2.Sobel(image, cv2.CV_32F, *axis, ksize=3, scale=0.25, borderType=cv2.BORDER_REPLICATE)
        for axis in ((1, 0), (0, 1))
    ]
    cv2.magnitude(*gradients, magnitude=out)


def unsharp(image, out):
    gaussian(2, image, out)
    cv2.addWeighted(image, 2, out, -1, 0, dst=out)


# Filters: name, our step, OpenCV's call, how many times its work ours is.
PEERS = [
    ("gaussian σ=1", "gaussian=1", lambda image, out: gaussian(1, image, out), 1.0),
    ("gaussian σ=2", "gaussian", lambda image, out: gaussian(2, image, out), 1.0),
    ("gaussian σ=8", "gaussian=8", lambda image, out: gaussian(8, image, out), 1.0),
    ("bilateral r=5", "bilateral=3,0.1,5", bilateral, 11 * 11 / disc_samples(5)),
    ("median r=1", "median", lambda image, out: cv2.medianBlur(image, 3, dst=out), 1.0),
    ("median r=2", "median=2", lambda image, out: cv2.medianBlur(image, 5, dst=out), 1.0),
    ("unsharp σ=2", "unsharp", unsharp, 1.0),
    ("sobel", "sobel", sobel, 1.0),
    ("gamma 2.2", "gamma", lambda image, out: cv2.pow(image, 2.2, dst=out), 1.0),
    ("negative", "negative", lambda image, out: cv2.subtract(1.0, image, dst=out), 1.0),
]


def ours(step, threads):
    """What criterion measured in one short run of the bench: calls and seconds of each of its samples."""
    name = f"grey/{step}"
    command = ["cargo", "bench", "--quiet", "--bench", "filters", "--", "--exact", name, "--noplot"]
    environment = {
        **os.environ,
        "RAYON_NUM_THREADS": str(threads),
        "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
    }
    timing = ["--warm-up-time", "0.3", "--measurement-time", "1"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run(command + timing, cwd=ROOT, env=environment, check=True, **quiet)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    folder = target / "criterion" / "grey" / step
    sample = json.loads((folder / "new" / "sample.json").read_text())
    return [(int(calls), nanoseconds / 1e9) for calls, nanoseconds in zip(sample["iters"], sample["times"])]


def theirs(call, planes, calls):
    """Seconds of that many calls in a row."""
    start = time.perf_counter()
    for _ in range(calls):
        call(*planes)
    return time.perf_counter() - start


def round_of_both(step, call, threads, planes):
    """Seconds a call, ours and theirs: the quickest sample of each, of as many calls each."""
    samples = ours(step, threads)
    theirs(call, planes, 1)
    quickest = min(theirs(call, planes, calls) / calls for calls, _ in samples)
    return min(seconds / calls for calls, seconds in samples), quickest


SIDE = 4096
OUT = (1920, 1080)
REPEATS = 15
GREY, COLOUR, ALPHA = "grey 8-bit to R8", "colour 8-bit to RGBA8", "colour and alpha 8-bit to RGBA8"
CUBICS = ("bspline", "catmull-rom", "mitchell")


def median_ms(call):
    """Milliseconds of a call, after two that do not count."""
    times = []
    for run in range(REPEATS + 2):
        start = time.perf_counter()
        call()
        if run > 1:
            times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e3


class Zimg:
    """zimg's resizer of one plane of bytes, words or floats, by its C interface."""

    PIXELS = {"uint8": (0, 8), "uint16": (1, 16), "float32": (3, 32)}

    class Region(ctypes.Structure):
        _fields_ = [(name, ctypes.c_double) for name in ("left", "top", "width", "height")]

    class Format(ctypes.Structure):
        pass

    class Parameters(ctypes.Structure):
        _fields_ = [
            ("version", ctypes.c_uint), ("filter", ctypes.c_int), ("a", ctypes.c_double), ("b", ctypes.c_double),
            ("filter_uv", ctypes.c_int), ("a_uv", ctypes.c_double), ("b_uv", ctypes.c_double), ("dither", ctypes.c_int),
            ("cpu", ctypes.c_int), ("luminance", ctypes.c_double), ("approximate", ctypes.c_char),
        ]

    class Plane(ctypes.Structure):
        _fields_ = [("data", ctypes.c_void_p), ("stride", ctypes.c_ssize_t), ("mask", ctypes.c_uint)]

    class Buffer(ctypes.Structure):
        pass

    VERSION = 2 << 8 | 4
    FULL_RANGE, AVX512 = 1, 2
    FILTERS = {
        "nearest": (0, 0, 0), "linear": (1, 0, 0), "catmull-rom": (2, 0, 0.5), "mitchell": (2, 1 / 3, 1 / 3), "bspline": (2, 1, 0),
        "lanczos3": (5, 3, 0), "lanczos4": (5, 4, 0),
    }

    def __init__(self):
        self.library = ctypes.CDLL(ctypes.util.find_library("zimg"))
        self.library.zimg_filter_graph_build.restype = ctypes.c_void_p
        self.library.zimg_filter_graph_process.argtypes = [ctypes.c_void_p] * 8

    def version(self):
        numbers = [ctypes.c_uint() for _ in range(3)]
        self.library.zimg_get_version_info(*(ctypes.byref(number) for number in numbers))
        return ".".join(str(number.value) for number in numbers)

    def format(self, width, height, dtype):
        form = self.Format()
        self.library.zimg_image_format_default(ctypes.byref(form), self.VERSION)
        form.width, form.height = width, height
        form.pixel_type, form.depth = self.PIXELS[str(dtype)]
        form.range = self.FULL_RANGE
        return form

    def resizer(self, source, out, method):
        """A call that resizes `source` into `out`."""
        parameters = self.Parameters()
        self.library.zimg_graph_builder_params_default(ctypes.byref(parameters), self.VERSION)
        parameters.filter, parameters.a, parameters.b = self.FILTERS[method]
        parameters.cpu = self.AVX512
        forms = [self.format(plane.shape[1], plane.shape[0], source.dtype) for plane in (source, out)]
        graph = self.library.zimg_filter_graph_build(*(ctypes.byref(form) for form in forms), ctypes.byref(parameters))
        if not graph:
            return None
        size = ctypes.c_size_t()
        self.library.zimg_filter_graph_get_tmp_size(ctypes.c_void_p(graph), ctypes.byref(size))
        scratch = aligned((1, size.value + 64), np.uint8)
        buffers = []
        for plane in (source, out):
            buffer = self.Buffer()
            buffer.version = self.VERSION
            buffer.planes[0] = self.Plane(plane.ctypes.data, plane.strides[0], 0xFFFFFFFF)
            buffers.append(buffer)
        keep = (source, out, scratch, buffers)
        pointers = [ctypes.addressof(buffer) for buffer in buffers] + [scratch.ctypes.data, None, None, None, None]
        return lambda: (self.library.zimg_filter_graph_process(graph, *pointers), keep)


Zimg.Format._fields_ = [
    ("version", ctypes.c_uint), ("width", ctypes.c_uint), ("height", ctypes.c_uint), ("pixel_type", ctypes.c_int),
    ("subsample_w", ctypes.c_uint), ("subsample_h", ctypes.c_uint), ("family", ctypes.c_int), ("matrix", ctypes.c_int),
    ("transfer", ctypes.c_int), ("primaries", ctypes.c_int), ("depth", ctypes.c_uint), ("range", ctypes.c_int),
    ("parity", ctypes.c_int), ("chroma", ctypes.c_int), ("region", Zimg.Region), ("alpha", ctypes.c_int),
]
Zimg.Buffer._fields_ = [("version", ctypes.c_uint), ("planes", Zimg.Plane * 4)]


def aligned(shape, dtype):
    """An array whose rows begin at multiples of 64 bytes."""
    stride = -(-shape[1] * np.dtype(dtype).itemsize // 64) * 64
    memory = np.zeros(shape[0] * stride + 64, np.uint8)
    begin = -memory.ctypes.data % 64
    rows = memory[begin : begin + shape[0] * stride].reshape(shape[0], stride)
    return rows[:, : shape[1] * np.dtype(dtype).itemsize].view(dtype)


def noise(channels, dtype):
    shape = (SIDE, SIDE) if channels == 1 else (SIDE, SIDE, channels)
    random = np.random.default_rng(1)
    if dtype == np.float32:
        return random.random(shape, dtype=np.float32)
    return random.integers(0, np.iinfo(dtype).max, shape, dtype=dtype, endpoint=True)


OPENCV = {
    "nearest": cv2.INTER_NEAREST, "linear": cv2.INTER_LINEAR, "lanczos4": cv2.INTER_LANCZOS4, "lanczos3": cv2.INTER_LANCZOS4,
    **{cubic: cv2.INTER_CUBIC for cubic in CUBICS},
}
PILLOW = {"linear": Image.BILINEAR, "lanczos3": Image.LANCZOS, "catmull-rom": Image.BICUBIC}


def rust_peers(threads, channels, source, out, method, support):
    """Milliseconds by fast_image_resize and pic-scale."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "peers"
    command = ["cargo", "run", "--release", "--quiet", "--manifest-path", str(ROOT / "benches/peers/Cargo.toml"), "--"]
    command += [str(number) for number in (threads, REPEATS, channels, *source, *out)] + [method, support]
    done = subprocess.run(
        command, env={**os.environ, "CARGO_TARGET_DIR": str(target)}, check=True, capture_output=True, text=True
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {line["peer"]: line["ms"] for line in lines}


def resized(threads, zimg, method, scale, channels=1, dtype=np.uint8):
    """Peers of a view at `scale` without antialiasing."""
    side = tuple(round(length * scale) for length in OUT)
    source = np.ascontiguousarray(noise(channels, dtype)[: side[1], : side[0]])
    out = np.empty((OUT[1], OUT[0], *source.shape[2:]), dtype)
    peers = {"OpenCV": median_ms(lambda: cv2.resize(source, OUT, dst=out, interpolation=OPENCV[method]))}
    if channels == 1 and scale < 1:
        plane, result = aligned(source.shape, dtype), aligned(out.shape, dtype)
        plane[:] = source
        call = zimg.resizer(plane, result, method) if threads == 1 else None
        if call:
            peers["zimg"] = median_ms(call)
    if dtype == np.uint8 and method != "lanczos4":
        peers.update(rust_peers(threads, channels, side, OUT, method, "fixed"))
    return peers


def warped(method, degrees, scale, channels=1, dtype=np.uint8):
    """OpenCV's warp of a view between the samples, turned."""
    source = noise(channels, dtype)
    out = np.empty((OUT[1], OUT[0], *source.shape[2:]), dtype)
    cosine, sine = np.cos(np.radians(degrees)) * scale, np.sin(np.radians(degrees)) * scale
    matrix = np.array([[cosine, -sine, 1400.31], [sine, cosine, 900.73]])
    flags = OPENCV[method] | cv2.WARP_INVERSE_MAP
    return {"OpenCV": median_ms(lambda: cv2.warpAffine(source, matrix, OUT, dst=out, flags=flags))}


def copied(scale):
    """A copy of the samples, or of every `scale`-th."""
    side = tuple(round(length * scale) for length in OUT)
    source = noise(1, np.uint8)[: side[1] : scale, : side[0] : scale]
    out = np.empty((OUT[1], OUT[0]), np.uint8)
    return {"NumPy, a copy": median_ms(lambda: np.copyto(out, source))}


def reduced(threads, zimg, method, side, channels=1):
    """Peers of the whole image, antialiased, at `side` squared."""
    source = noise(channels, np.uint8)
    peers = rust_peers(threads, channels, (SIDE, SIDE), (side, side), method, "stretched")
    picture = Image.fromarray(source)
    peers["Pillow"] = median_ms(lambda: picture.resize((side, side), PILLOW[method]))
    if channels == 1 and threads == 1:
        plane, result = aligned(source.shape, np.uint8), aligned((side, side), np.uint8)
        plane[:] = source
        call = zimg.resizer(plane, result, method)
        if call:
            peers["zimg"] = median_ms(call)
    return peers


def our_rows(threads, size):
    """Rows of `lerpscope bench` by subject, way, pixels and scale, in milliseconds."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        command = ["cargo", "run", "--release", "--quiet", "--", "bench", "--backend", "cpu", "--json", file.name]
        command += ["--size", f"{size[0]}x{size[1]}", "--repeats", str(REPEATS)]
        command += [f"--scale={scale}" for scale in ((0.125, 0.5, 1, 2) if size == OUT else (0.125,))]
        environment = {**os.environ, "RAYON_NUM_THREADS": str(threads)}
        subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        rows = json.load(open(file.name))["rows"]
    return {(row["what"], row["how"], row["pixels"], round(row["scale"], 4)): row["median_us"] / 1e3 for row in rows}


def view_rows(threads, zimg):
    """Name, goal, output, key of our row, peers."""
    rows = []

    def add(name, goal, key, peers, size=OUT):
        rows.append((name, goal, size, key, peers))

    for scale in (1, 2):
        add(f"on samples, s = {scale}", 1, ("catmull-rom", "on samples", GREY, scale), lambda s=scale: copied(s))
    for scale in (0.125, 0.5, 2):
        add(f"nearest, s = {scale:g}", 2, ("nearest", "auto", GREY, scale), lambda s=scale: resized(threads, zimg, "nearest", s))
    for scale in (0.125, 0.5, 2):
        add(f"linear, s = {scale:g}", 1.2, ("linear", "auto", GREY, scale), lambda s=scale: resized(threads, zimg, "linear", s))
    add("linear, s = 1", 1.2, ("linear", "auto", GREY, 1), lambda: warped("linear", 0, 1))
    for scale in (0.125, 0.5, 2):
        add(f"linear, RGBA, s = {scale:g}", 1.2, ("linear", "auto", COLOUR, scale),
            lambda s=scale: resized(threads, zimg, "linear", s, 4))
    add("linear, RGBA, s = 1", 1.2, ("linear", "auto", COLOUR, 1), lambda: warped("linear", 0, 1, 4))
    for method in CUBICS:
        for scale, goal in ((0.125, 1.7), (0.5, 1.5), (2, 1.5)):
            name = f"{method}, s = {scale:g}"
            add(name, goal, (method, "auto", GREY, scale), lambda m=method, s=scale: resized(threads, zimg, m, s))
        add(f"{method}, s = 1", 1.5, (method, "auto", GREY, 1), lambda m=method: warped(m, 0, 1))
    for method in ("lanczos3", "lanczos4"):
        for scale in (0.125, 0.5, 2):
            name = f"{method}, s = {scale:g}"
            add(name, 2, (method, "auto", GREY, scale), lambda m=method, s=scale: resized(threads, zimg, m, s))
    for method in ("bspline", "catmull-rom"):
        for scale in (0.125, 0.5, 2):
            add(f"{method}, RGBA, s = {scale:g}", 1.5, (method, "auto", COLOUR, scale),
                lambda m=method, s=scale: resized(threads, zimg, m, s, 4))
        add(f"{method}, RGBA, s = 1", 1.5, (method, "auto", COLOUR, 1), lambda m=method: warped(m, 0, 1, 4))
    add("catmull-rom, premultiplied, s = 0.125", 1.5, ("catmull-rom", "auto", ALPHA, 0.125),
        lambda: resized(threads, zimg, "catmull-rom", 0.125, 4))
    for name, pixels, dtype in (("16-bit", "grey 16-bit to R8", np.uint16), ("float", "grey float to R8", np.float32)):
        for scale in (0.125, 0.5, 2):
            add(f"catmull-rom, {name}, s = {scale:g}", 1, ("catmull-rom", "auto", pixels, scale),
                lambda d=dtype, s=scale: resized(threads, zimg, "catmull-rom", s, 1, d))
        add(f"catmull-rom, {name}, s = 1", 1, ("catmull-rom", "auto", pixels, 1), lambda d=dtype: warped("catmull-rom", 0, 1, 1, d))
    for side, scale in ((2048, 2), (512, 8)):
        for method in ("linear", "catmull-rom"):
            add(f"{method}, antialiased to 1/{scale}", 1.2, (f"{method}, fitted, antialiased", "auto", GREY, scale),
                lambda m=method, n=side: reduced(threads, zimg, m, n), (side, side))
        add(f"catmull-rom, RGBA, antialiased to 1/{scale}", 1.2, ("catmull-rom, fitted, antialiased", "auto", COLOUR, scale),
            lambda n=side: reduced(threads, zimg, "catmull-rom", n, 4), (side, side))
    for method in ("linear", "catmull-rom"):
        for scale in (0.125, 1):
            add(f"{method}, turned by 30°, s = {scale:g}", 1.5, (f"{method}, turned 30°", "auto", GREY, scale),
                lambda m=method, s=scale: warped(m, 30, s))
    coefficients = noise(1, np.float32)
    add("prefilter, 4096²", 8, ("prefilter", "both axes", "grey float", 0),
        lambda: {"SciPy": median_ms(lambda: scipy.ndimage.spline_filter(coefficients, output=np.float32))})
    return rows


def measured(threads, rounds):
    """Rows, and milliseconds by the name of a row and of who made it, on so many threads."""
    cv2.setNumThreads(threads)
    rows = view_rows(threads, Zimg())
    best = {}
    for _ in range(rounds):
        ours = {size: our_rows(threads, size) for size in {row[2] for row in rows}}
        for name, _, size, key, peers in rows:
            for who, ms in [("Lerpscope", ours[size].get(key, float("nan"))), *peers().items()]:
                best[name, who] = min(ms, best.get((name, who), float("inf")))
    return rows, best


def views(threads, rounds):
    """The table, a row a view: of one number of threads, or of one and two with the gain."""
    counts = [threads] if threads else [1, 2]
    runs = [measured(count, rounds) for count in counts]
    head = [f"{count} thread{'s' * (count > 1)}: Lerpscope, ms | best peer, ms | ratio" for count in counts]
    print(f"| view | goal | {' | '.join(head)} |" + " gain |" * (len(counts) > 1))
    print("|---" * (2 + 3 * len(counts) + (len(counts) > 1)) + "|")
    for name, goal, *_ in runs[0][0]:
        cells = []
        for _, best in runs:
            ours = best[name, "Lerpscope"]
            peers = [(ms, peer) for (row, peer), ms in best.items() if row == name and peer != "Lerpscope"]
            theirs, who = min(peers)
            missed = "" if theirs / ours >= goal else ", missed"
            cells.append(f"{ours:.3f} | {theirs:.3f}, {who} | {theirs / ours:.2f}{missed}")
        if len(runs) > 1:
            gain = runs[0][1][name, "Lerpscope"] / runs[1][1][name, "Lerpscope"]
            cells.append(f"{gain:.2f}" + ("" if gain >= 1.7 else ", missed"))
        print(f"| {name} | {goal} | {' | '.join(cells)} |", flush=True)


def filters(threads, rounds):
    image = np.random.default_rng(1).random(SIZE, dtype=np.float32)
    out = np.empty_like(image)
    print(f"{SIZE[1]} x {SIZE[0]} floats, best of each round")
    for name, step, call, work in PEERS:
        measured = [round_of_both(step, call, threads, (image, out)) for _ in range(rounds)]
        measured = [(our_time, their_time * work) for our_time, their_time in measured]
        best = [min(side) for side in zip(*measured)]
        ratios = sorted(a / b for a, b in measured)
        print(
            f"{name:16} ours {best[0] * 1e3:8.2f} ms   OpenCV {best[1] * 1e3:8.2f} ms   "
            f"ratio {best[0] / best[1]:.2f} (rounds {ratios[0]:.2f} to {ratios[-1]:.2f})"
        )


def crate_versions():
    """Versions of the crates that benches/peers is built of."""
    lock = tomllib.loads((ROOT / "benches/peers/Cargo.lock").read_text())
    versions = {package["name"]: package["version"] for package in lock["package"]}
    return ", ".join(f"{name} {versions[name]}" for name in ("fast_image_resize", "pic-scale"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, help="views with so many threads only; filters: 1 unless given")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=("views", "filters"))
    parser.add_argument("--install", action="store_true", help="install the peers first")
    arguments = parser.parse_args()
    versions = f"OpenCV {cv2.__version__}, Pillow {PIL.__version__}, SciPy {scipy.__version__}, zimg {Zimg().version()}"
    print(f"{versions}, {crate_versions()}\n")
    if arguments.only != "filters":
        views(arguments.threads, arguments.rounds)
    if arguments.only != "views":
        cv2.setNumThreads(arguments.threads or 1)
        filters(arguments.threads or 1, arguments.rounds)


if __name__ == "__main__":
    main()
