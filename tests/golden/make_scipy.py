#!/usr/bin/env python3
"""Makes scipy.txt beside this file: what SciPy makes of small images, for tests/conformance.

Needs NumPy and SciPy 1.x. The oracle is scipy.ndimage.affine_transform in double precision: orders 0 to 5, prefilter off
and on, the four address modes. SciPy's own start of the prefilter is inexact in two cases, which are given to it as the
same signal in another form:
- a mirror of fewer than 6 samples: one whole mirror period under grid-wrap;
- clamp and border (nearest, grid-constant) of the orders 2, 4 and 5: SciPy pads by 12 samples, after which the slowest pole
  of order 5 has left 4e-5 of a sample; PAD samples are added here first, after which 1e-23 is left. Order 3 is left to SciPy's
  own padding, whose error is 1e-7 of what lies beyond the padding, a constant here: it cancels.

A case is a line "case METHOD ADDRESS PREFILTER BORDER W H SCALE TX TY WO HO", then WO*HO numbers, row by row, on one line. A view
with unequal scales or an angle has two more words, the scale along y and the angle in degrees.
"""

from pathlib import Path

import numpy as np
import scipy
from scipy.ndimage import affine_transform

METHODS = [("nearest", 0, False), ("linear", 1, False), ("bspline", 3, False), ("bspline", 3, True)]
# Of the other degrees fewer sizes and views are kept.
OTHERS = [(f"bspline={degree}", degree, prefilter) for degree in (2, 4, 5) for prefilter in (False, True)]
MODES = {"clamp": "nearest", "border": "grid-constant", "wrap": "grid-wrap", "mirror": "grid-mirror"}
SIZES = [(1, 1), (2, 3), (5, 4), (17, 7)]
# Scale and translation: a zoom that shows both outsides, one inside, and a plain zoom-out.
VIEWS = [(0.71, (-1.3, 0.45)), (0.093, (0.2, -0.7)), (2.9, (0.6, 1.1))]
OTHER_SIZES = [(2, 3), (17, 7)]
OTHER_VIEWS = VIEWS[:2]
# Scales along x and y, translation and angle of every method on one size: the image is stretched along its axes, then turned.
AXES_SIZE = (9, 6)
AXES_VIEWS = [
    ((0.41, 1.3), (-0.6, 0.25), 0.0),
    ((1.7, 0.37), (0.3, -0.4), 0.0),
    ((1.0, 0.5), (0.2, 0.1), 90.0),
    ((0.9, 0.35), (0.15, -0.7), 28.0),
]
OUTPUT = (7, 5)
PAD = 64
BORDER = 0.375


def image(width, height):
    """The same numbers as `pattern` in tests/conformance/cases.rs."""
    y, x = np.mgrid[0:height, 0:width]
    return ((x * 73 + y * 151 + x * y * 37 + 11) % 256) / 255.0


def interpolate(samples, order, prefilter, address, scales, translation, angle=0.0):
    height, width = samples.shape
    out_width, out_height = OUTPUT
    cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    if angle == 0.0:
        matrix = np.array([scales[1], scales[0]])
        moved = matrix * [out_height / 2, out_width / 2]
    else:
        # Of rows first: y and x from j and i.
        matrix = np.array([[scales[1] * cos, scales[1] * sin], [-scales[0] * sin, scales[0] * cos]])
        moved = matrix @ [out_height / 2, out_width / 2]
    offset = [height / 2 + translation[1] - moved[0], width / 2 + translation[0] - moved[1]]
    mode = MODES[address]
    if address == "mirror":
        samples = np.block([[samples, samples[:, ::-1]], [samples[::-1, :], samples[::-1, ::-1]]])
        mode = "grid-wrap"
    elif order not in (0, 1, 3) and address in ("clamp", "border"):
        how = {"mode": "edge"} if address == "clamp" else {"mode": "constant", "constant_values": BORDER}
        samples = np.pad(samples, PAD, **how)
        offset = [start + PAD for start in offset]
    return affine_transform(
        samples, matrix, offset, (out_height, out_width), order=order, mode=mode, cval=BORDER, prefilter=prefilter
    )


def main():
    lines = [f"# scipy {scipy.__version__}, numpy {np.__version__}; made by make_scipy.py"]
    sets = [(row, SIZES, VIEWS) for row in METHODS] + [(row, OTHER_SIZES, OTHER_VIEWS) for row in OTHERS]
    for (method, order, prefilter), sizes, views in sets:
        for address in MODES:
            for width, height in sizes:
                for scale, translation in views:
                    values = interpolate(image(width, height), order, prefilter, address, (scale, scale), translation)
                    flag = "on" if prefilter else "off"
                    lines.append(
                        f"case {method} {address} {flag} {BORDER} {width} {height} {scale} "
                        f"{translation[0]} {translation[1]} {OUTPUT[0]} {OUTPUT[1]}"
                    )
                    lines.append(" ".join(f"{value:.9f}" for value in values.ravel()))
    width, height = AXES_SIZE
    for method, order, prefilter in METHODS + OTHERS:
        for address in MODES:
            for scales, translation, angle in AXES_VIEWS:
                values = interpolate(image(width, height), order, prefilter, address, scales, translation, angle)
                flag = "on" if prefilter else "off"
                lines.append(
                    f"case {method} {address} {flag} {BORDER} {width} {height} {scales[0]} {translation[0]} {translation[1]} "
                    f"{OUTPUT[0]} {OUTPUT[1]} {scales[1]} {angle}"
                )
                lines.append(" ".join(f"{value:.9f}" for value in values.ravel()))
    Path(__file__).with_name("scipy.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
