#!/usr/bin/env python3
"""The table of the views' goals on a GPU, from the measurements of one run of `lerpscope bench`.

    lerpscope bench --backend cuda --json ours.json
    benches/goals_gpu.py ours.json

3840 x 2160 pixels. *Least* is the time that the device needs for the work of the row, t0 + max(bytes/4.3 TB/s, fetches/1045 G/s,
FMA/33.4 T/s) with t0 = 3 us, the overhead of a launch: bytes are the samples read once and the pixels written once, fetches those of
texture units (views turned by an angle), FMA the multiply-adds of separable sums. It is an H200's.
"""

import json
import sys

PIXELS = 3840 * 2160
LAUNCH_US = 3.0
BYTES_A_US, FETCHES_A_US, FMA_A_US = 4.3e6, 1045e3, 33.4e6

GREY_R8, GREY, COLOUR, FLOAT = "grey 8-bit to R8", "grey 8-bit to RGBA8", "colour 8-bit to RGBA8", "grey float to RGBA8"
R8, RGBA8 = PIXELS, 4 * PIXELS


def inside(scale, of_sample=1):
    """Bytes of the samples under a view."""
    return PIXELS * scale**2 * of_sample


IMAGE = 4096**2

# Name, goal, (what, pixels, scale), bytes, fetches and multiply-adds a pixel.
VIEWS = [
    *((f"R8, s = 1/8: {method}", 1.35, (method, GREY_R8, 0.125), R8 + inside(0.125), 0, taps)
      for method, taps in (("nearest", 0), ("linear", 2), ("catmull-rom", 4))),
    *((f"R8, s = 1: {method}", 2.0, (method, GREY_R8, 1), R8 + inside(1), 0, taps)
      for method, taps in (("nearest", 0), ("linear", 4), ("catmull-rom", 8))),
    ("RGBA8, s = 1/64: linear", 1.2, ("linear", GREY, 0.015625), RGBA8 + inside(1 / 64), 0, 2),
    ("three quarters of it outside, s = 1/8", 1.3, ("catmull-rom, at a corner", GREY, 0.125), RGBA8 + inside(0.125) / 4, 0, 4),
    ("three quarters of it outside, s = 1", 2.0, ("catmull-rom, at a corner", GREY, 1), RGBA8 + inside(1) / 4, 0, 8),
    ("fitted, s = 1.9", 2.5, ("catmull-rom, fitted", GREY, 4096 / 2160), RGBA8 + IMAGE, 0, 8),
    ("colour 8-bit, s = 1/8", 1.6, ("catmull-rom", COLOUR, 0.125), RGBA8 + inside(0.125, 4), 0, 12),
    ("colour 8-bit, s = 1", 4, ("catmull-rom", COLOUR, 1), RGBA8 + inside(1, 4), 0, 24),
    ("grey float, s = 1", 2.3, ("catmull-rom", FLOAT, 1), RGBA8 + inside(1, 4), 0, 8),
    ("prefiltered, s = 1", 2.3, ("bspline, prefiltered", GREY, 1), RGBA8 + inside(1, 4), 0, 8),
    ("antialiased, s = 2.5, grey", 5, ("catmull-rom, antialiased", GREY, 2.5), RGBA8 + IMAGE, 0, 20),
    ("antialiased, s = 2.5, colour", 9, ("catmull-rom, antialiased", COLOUR, 2.5), RGBA8 + 4 * IMAGE, 0, 60),
    ("turned by 30°, s = 1/8", 3, ("catmull-rom, turned 30°", GREY, 0.125), RGBA8 + inside(0.125), 4, 20),
    ("turned by 30°, s = 1/8, lanczos3", 5, ("lanczos3, turned 30°", GREY, 0.125), RGBA8 + inside(0.125), 9, 42),
]
FILTERS = [("Gaussian σ = 2", 3, "gaussian=2", 2 * R8, 34), ("Gaussian σ = 16", 20, "gaussian=16", 2 * R8 + 2 * 4 * R8, 258)]


def least_us(of_bytes, fetches, multiply_adds):
    times = {
        "bytes": of_bytes / BYTES_A_US,
        "fetches": PIXELS * fetches / FETCHES_A_US,
        "FMA": PIXELS * multiply_adds / FMA_A_US,
    }
    by = max(times, key=times.get)
    return LAUNCH_US + times[by], by


def main():
    rows = json.load(open(sys.argv[1]))["rows"]
    auto = {(row["what"], row["pixels"], round(row["scale"], 3)): row for row in rows if row["how"] == "auto"}
    print("| view | µs | ratio | goal | least, µs | ratio of it |\n|---|---|---|---|---|---|")

    def line(name, goal, microseconds, ratio, least, by):
        missed = ", missed" if ratio > goal else ""
        unit = microseconds / ratio
        print(f"| {name} | {microseconds:.1f} | {ratio:.2f} | {goal}{missed} | {least:.1f}, {by} | {least / unit:.2f} |")

    for name, goal, (what, pixels, scale), *work in VIEWS:
        row = auto[what, pixels, round(scale, 3)]
        line(name, goal, row["median_us"], row["ratio_to_store"], *least_us(*work))
    for name, goal, what, of_bytes, multiply_adds in FILTERS:
        row = next(row for row in rows if row["what"] == what and row["pixels"] == "grey 8-bit to surface")
        line(name, goal, row["median_us"], row["ratio_to_copy"], *least_us(of_bytes, 0, multiply_adds))


if __name__ == "__main__":
    main()
