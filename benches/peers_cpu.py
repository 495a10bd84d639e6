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


# Name, our step, OpenCV's call, how many times its work ours is.
PEERS = [
    ("gaussian σ=1", "gaussian=1", 1, 1.0),
    ("gaussian σ=2", "gaussian", 2, 1.0),
    ("gaussian σ=8", "gaussian=8", 8, 1.0),
    ("bilateral r=5", "bilateral=3,0.1,5", None, 11 * 11 / disc_samples(5)),
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
    folder = ROOT / "target" / "criterion" / "grey" / step
    sample = json.loads((folder / "new" / "sample.json").read_text())
    return [(int(calls), nanoseconds / 1e9) for calls, nanoseconds in zip(sample["iters"], sample["times"])]


def theirs(sigma, image, out, calls):
    """Seconds of that many calls in a row."""
    start = time.perf_counter()
    for _ in range(calls):
        if sigma is None:
            cv2.bilateralFilter(image, 11, 0.1, 3, dst=out, borderType=cv2.BORDER_REPLICATE)
        else:
            side = 2 * int(np.ceil(4 * sigma)) + 1
            cv2.GaussianBlur(image, (side, side), sigma, dst=out, borderType=cv2.BORDER_REPLICATE)
    return time.perf_counter() - start


def round_of_both(step, sigma, threads, planes):
    """Seconds a call, ours and theirs: the quickest sample of each, of as many calls each."""
    samples = ours(step, threads)
    theirs(sigma, *planes, 1)
    quickest = min(theirs(sigma, *planes, calls) / calls for calls, _ in samples)
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
    for name, step, sigma, work in PEERS:
        rounds = [round_of_both(step, sigma, arguments.threads, (image, out)) for _ in range(arguments.rounds)]
        rounds = [(our_time, their_time * work) for our_time, their_time in rounds]
        best = [min(side) for side in zip(*rounds)]
        ratios = sorted(a / b for a, b in rounds)
        print(
            f"{name:16} ours {best[0] * 1e3:8.2f} ms   OpenCV {best[1] * 1e3:8.2f} ms   "
            f"ratio {best[0] / best[1]:.2f} (rounds {ratios[0]:.2f} to {ratios[-1]:.2f})"
        )


if __name__ == "__main__":
    main()
