#!/usr/bin/env python3
"""Our grids on the CPU beside interpn and SciPy, in one run: the cubic B-spline or cubic at random points, one thread each.

Needs NumPy, SciPy and interpn. Ours is `lerpscope bench --grids` of a release build; all sides take turns, so that what else
the machine does meets each of them. interpn gets regular grids, contiguous coordinates and memory for its results, in float32
and float64, of which the quicker counts; its cubic is a Hermite spline of as many samples. SciPy is ndimage.map_coordinates of
order 3 with prefiltered input, in float64, on fewer points. A ratio is our rate by theirs: above 1 ours is quicker. Behind each ratio
stands its goal, and whether it is met: 1.2 times interpn, 8 times SciPy, and two threads 1.8 times one.

    benches/peers_grid.py [--program target/release/lerpscope] [--rounds 3]
"""

import argparse
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

import interpn
import numpy as np
import scipy
from scipy.ndimage import map_coordinates, spline_filter

ROOT = Path(__file__).resolve().parent.parent
# Rows of `bench --grids` that have peers: grid, points, and of these those that SciPy gets.
GRIDS = [("512^2", 1 << 20, 1 << 18), ("64^3", 1 << 20, 1 << 16), ("32^4", 1 << 18, 1 << 14)]
# Least ratios of our rate to those of interpn, SciPy and, with two threads, our own with one.
GOALS = {"interpn": 1.2, "SciPy": 8.0, "two threads over one": 1.8}


def ours(program, threads):
    """Points a second by grid and points."""
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "grids.json"
        command = [program, "bench", "--grids", "--backend", "cpu", "--longest", "32", "--repeats", "5", "--json", str(results)]
        environment = {**os.environ, "RAYON_NUM_THREADS": str(threads)}
        subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
        rows = json.loads(results.read_text())["rows"]
    return {(row["grid"], row["points"]): row["points_a_second"] for row in rows if "bspline" in row["method"]}


def rate(count, call):
    """Points a second of the quickest of some calls."""
    call()
    times = []
    for _ in range(3):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return count / min(times)


def random_grid(name, count):
    side, dimensions = map(int, name.split("^"))
    random = np.random.default_rng(1)
    return random.random((side,) * dimensions), random.random((dimensions, count)) * (side - 1)


def interpn_rate(name, count):
    values, points = random_grid(name, count)
    best = 0.0
    for kind in (np.float32, np.float64):
        grids = [np.arange(side, dtype=kind) for side in values.shape]
        typed = np.ascontiguousarray(values, kind)
        observed = [np.ascontiguousarray(row, kind) for row in points]
        out = np.zeros(count, kind)
        how = {"method": "cubic", "grid_kind": "regular", "max_threads": 1, "out": out}
        best = max(best, rate(count, lambda: interpn.interpn(observed, grids, typed, **how)))
    return best


def scipy_rate(name, count):
    values, points = random_grid(name, count)
    coefficients = spline_filter(values, 3, mode="grid-mirror")
    return rate(count, lambda: map_coordinates(coefficients, points, order=3, prefilter=False, mode="grid-mirror"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(ROOT / "target" / "release" / "lerpscope"))
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    rounds = []
    for _ in range(arguments.rounds):
        one = ours(arguments.program, 1)
        peers = {name: (interpn_rate(name, count), scipy_rate(name, few)) for name, count, few in GRIDS}
        rounds.append((one, ours(arguments.program, 2), peers))
    print(f"interpn {interpn.__version__}, SciPy {scipy.__version__}; millions of points a second, best of {arguments.rounds} rounds\n")
    rates = ["grid", "one thread", "two threads", "interpn", "SciPy"]
    print("| " + " | ".join([*rates, *(f"{name}, goal {goal}" for name, goal in GOALS.items())]) + " |")
    print("|---" * (len(rates) + len(GOALS)) + "|")
    for name, count, _ in GRIDS:
        key = (name, str(count))
        one, two = (max(round[index][key] for round in rounds) for index in range(2))
        rival, oracle = (max(round[2][name][index] for round in rounds) for index in range(2))
        ratios = zip(GOALS.values(), (one / rival, one / oracle, two / one))
        figures = [f"{rate * 1e-6:.3g}" for rate in (one, two, rival, oracle)]
        words = [f"{ratio:.2f}, {'met' if ratio >= goal else 'missed'}" for goal, ratio in ratios]
        print("| " + " | ".join([name, *figures, *words]) + " |")


if __name__ == "__main__":
    main()
