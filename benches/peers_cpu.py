#!/usr/bin/env python3
"""Our filters on the CPU beside OpenCV's, in one run: 3840 x 2160 grey floats, as many threads each.

Needs cargo, NumPy and opencv-python-headless. Ours are the `filters` bench (benches/filters.rs); both sides take turns, so
that what else the machine does meets both. NumPy asks for huge pages for its arrays, so ours run with glibc doing the same
for theirs. The ratio is ours by theirs: below 1 ours is quicker. OpenCV's bilateral sees a
disc, which is 81 of the 121 samples of our square at radius 5; its times are scaled to as many.

    benches/peers_cpu.py [--threads 2] [--rounds 5]
"""

import argparse
import json
import os
import subprocess
import time
from pathlib import Path

import cv2
import numpy as np

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


# Name, our step, OpenCV's call, how many times its work ours is.
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    cv2.setNumThreads(arguments.threads)
    image = np.random.default_rng(1).random(SIZE, dtype=np.float32)
    out = np.empty_like(image)
    print(f"OpenCV {cv2.__version__}, {arguments.threads} threads each, {SIZE[1]} x {SIZE[0]} floats, best of each round")
    for name, step, call, work in PEERS:
        rounds = [round_of_both(step, call, arguments.threads, (image, out)) for _ in range(arguments.rounds)]
        rounds = [(our_time, their_time * work) for our_time, their_time in rounds]
        best = [min(side) for side in zip(*rounds)]
        ratios = sorted(a / b for a, b in rounds)
        print(
            f"{name:16} ours {best[0] * 1e3:8.2f} ms   OpenCV {best[1] * 1e3:8.2f} ms   "
            f"ratio {best[0] / best[1]:.2f} (rounds {ratios[0]:.2f} to {ratios[-1]:.2f})"
        )


if __name__ == "__main__":
    main()
