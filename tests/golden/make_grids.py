#!/usr/bin/env python3
"""Makes grids.txt beside this file: what SciPy makes of small grids at points, for tests/grids.

Needs NumPy and SciPy 1.x. The oracle of equal axes is scipy.ndimage.map_coordinates in double precision: orders 0, 1 and 3, the
prefilter off and on, the four address modes. SciPy's own start of the prefilter is inexact for short axes; there the same
endless signal is given to it in another form: whole mirror periods and several whole periods under grid-wrap. That of unequal
axes is scipy.interpolate.CubicSpline (not-a-knot), axis after axis, and scipy.interpolate.interpn.

A case is a line "case KIND METHOD ADDRESS PREFILTER BORDER SHAPE", then a line with a value for each point. Shapes have an x
between their sides. Samples and points follow from formulas, the same as in tests/grids.
"""

import itertools
from pathlib import Path

import numpy as np
import scipy
from scipy.interpolate import CubicSpline, interpn
from scipy.ndimage import map_coordinates

METHODS = [("nearest", 0, False), ("linear", 1, False), ("bspline", 3, False), ("bspline", 3, True)]
MODES = {"clamp": "nearest", "border": "grid-constant", "wrap": "grid-wrap", "mirror": "grid-mirror"}
SHAPES = [(1,), (2,), (17,), (5, 4), (1, 3), (4, 5, 6), (3, 4, 5, 4), (3, 2, 4, 3, 4)]
UNEQUAL = [(1,), (2,), (3,), (4,), (9,), (7, 6), (5, 4, 6)]
POINTS = 16
BORDER = 0.375
# Samples that SciPy's prefilter needs to start exactly.
LONG = 16


def samples(shape):
    k = np.arange(np.prod(shape), dtype=np.int64)
    return (((k * 73 + (k * k) % 151 * 37 + 11) % 256) / 255.0).reshape(shape)


def points(shape):
    """Pseudo-random points from a length before the grid to a length behind it, then its first and last sample and half a sample beyond both."""
    state = 12345
    rows = []
    for _ in range(POINTS - 4):
        row = []
        for side in shape:
            state = (state * 1103515245 + 12345) % 2**31
            row.append(-side - 0.3 + state / 2**31 * 3 * side)
        rows.append(row)
    ends = [[0.0] * len(shape), [side - 1.0 for side in shape], [-0.5] * len(shape), [side - 0.5 for side in shape]]
    return np.array([*rows, *ends])


def endless(values, address):
    """The same signal, long enough, and the mode that continues it."""
    mode = MODES[address]
    if address == "mirror":
        for axis in range(values.ndim):
            values = np.concatenate([values, np.flip(values, axis)], axis)
        mode = "grid-wrap"
    if mode == "grid-wrap":
        for axis in range(values.ndim):
            copies = -(-LONG // values.shape[axis])
            values = np.concatenate([values] * copies, axis)
    return values, mode


def coordinates(axis, side):
    """Rising knots."""
    k = np.arange(side)
    return 10.0 * axis + k + 0.35 * np.sin(2.3 * k + axis)


def line(values):
    return " ".join(f"{value:.9f}" for value in values)


def main():
    lines = [f"# scipy {scipy.__version__}, numpy {np.__version__}; made by make_grids.py"]
    for shape, (method, order, prefilter), address in itertools.product(SHAPES, METHODS, MODES):
        values, mode = (samples(shape), MODES[address])
        if prefilter:
            values, mode = endless(values, address)
        found = map_coordinates(
            values, points(shape).T, order=order, mode=mode, cval=BORDER, prefilter=prefilter, output=np.float64
        )
        flag = "on" if prefilter else "off"
        lines += [f"case equal {method} {address} {flag} {BORDER} {'x'.join(map(str, shape))}", line(found)]
    for shape in UNEQUAL:
        axes = [coordinates(axis, side) for axis, side in enumerate(shape)]
        # Every point lies inside: of a side of one sample, on it.
        inside = [
            axis[0] + (axis[-1] - axis[0]) * ((at + side) / (3 * side)) for axis, side, at in zip(axes, shape, points(shape).T)
        ]
        inside = np.clip(np.array(inside).T, [axis[0] for axis in axes], [axis[-1] for axis in axes])
        found = []
        for point in inside:
            value = samples(shape)
            for knots, x in zip(axes, point):
                # CubicSpline needs two samples; of three it is the parabola, of two the line.
                value = value[0] if len(knots) == 1 else CubicSpline(knots, value, axis=0)(x)
            found.append(float(value))
        name = "x".join(map(str, shape))
        lines += [f"case unequal bspline clamp on 0 {name}", line(found)]
        if min(shape) > 1:
            found = interpn(axes, samples(shape), inside, method="linear")
            lines += [f"case unequal linear clamp off 0 {name}", line(found)]
    Path(__file__).with_name("grids.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
