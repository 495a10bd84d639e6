#!/usr/bin/env python3
"""Makes resize.txt beside this file: an image resized by SciPy, for the conventions of pixel centres in tests/conformance/resize.rs.

Needs NumPy and SciPy 1.x. half-pixel is scipy.ndimage.zoom with grid_mode, align-corners zoom without it; asymmetric has no zoom
there, and is map_coordinates at x = i·N/M. Orders 1 and 3 without prefilter, the edges clamped.

The first case is the image: "image N", then N*N numbers. A case is a line "case CENTRES METHOD M", then M*M numbers on one line.
"""

from pathlib import Path

import numpy as np
from scipy import ndimage

N = 7
PIXELS = [5, 13, 16]
METHODS = [("linear", 1), ("bspline", 3)]


def resized(image, centres, order, pixels):
    if centres == "asymmetric":
        j, i = np.mgrid[0:pixels, 0:pixels] * (N / pixels)
        return ndimage.map_coordinates(image, [j, i], order=order, mode="nearest", prefilter=False)
    zoom, grid = pixels / N, centres == "half-pixel"
    return ndimage.zoom(image, zoom, order=order, mode="nearest", prefilter=False, grid_mode=grid)


def line(values):
    return " ".join(f"{value:.9g}" for value in values.ravel())


def main():
    image = np.random.default_rng(7).random((N, N)).astype(np.float32).astype(float)
    lines = [f"image {N}", line(image)]
    for centres in ["half-pixel", "align-corners", "asymmetric"]:
        for method, order in METHODS:
            for pixels in PIXELS:
                values = resized(image, centres, order, pixels)
                assert values.shape == (pixels, pixels)
                lines += [f"case {centres} {method} {pixels}", line(values)]
    Path(__file__).with_name("resize.txt").write_text("\n".join(lines) + "\n")


main()
