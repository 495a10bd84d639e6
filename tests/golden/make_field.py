#!/usr/bin/env python3
"""Makes field.txt beside this file: what SciPy makes of the samples of small images, for tests/field.rs.

Needs NumPy and SciPy 1.x. The image is that of make_scipy.py. `scipy.ndimage.affine_transform` of order n with the identity gives
f(k): without the prefilter the samples are smoothed, with it they are kept. Clamp and border are given to SciPy with a margin of
64 samples, whose own start is then exact.

A case is a line "samples METHOD ADDRESS PREFILTER W H", then the W*H values f(k), row by row, on one line.
"""

from pathlib import Path

import numpy as np
import scipy
from scipy.ndimage import affine_transform

ORDERS = [("bspline=2", 2), ("bspline", 3), ("bspline=4", 4), ("bspline=5", 5)]
PADS = {
    "clamp": {"mode": "edge"},
    "border": {"mode": "constant", "constant_values": 0.0},
    "wrap": {"mode": "wrap"},
    "mirror": {"mode": "symmetric"},
}
SIZES = [(7, 5), (16, 3)]
PAD = 64


def image(width, height):
    """The same numbers as `pattern` in tests/field.rs."""
    y, x = np.mgrid[0:height, 0:width]
    return ((x * 73 + y * 151 + x * y * 37 + 11) % 256) / 255.0


def main():
    lines = [f"# scipy {scipy.__version__}, numpy {np.__version__}; made by make_field.py"]
    for method, order in ORDERS:
        for address, how in PADS.items():
            for width, height in SIZES:
                for prefilter in (False, True):
                    padded = np.pad(image(width, height), PAD, **how)
                    values = affine_transform(padded, [1.0, 1.0], order=order, mode="nearest", prefilter=prefilter)
                    values = values[PAD : PAD + height, PAD : PAD + width]
                    lines.append(f"samples {method} {address} {'on' if prefilter else 'off'} {width} {height}")
                    lines.append(" ".join(f"{value:.9f}" for value in values.ravel()))
    Path(__file__).with_name("field.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
