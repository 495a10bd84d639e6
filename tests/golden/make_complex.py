#!/usr/bin/env python3
"""Makes complex.txt beside this file: components of an interpolated complex image by SciPy, for tests/complex.

Needs NumPy and SciPy 1.x. The oracle is scipy.ndimage.map_coordinates on the complex array, which interpolates its parts; orders 1
and 3 (with the prefilter), four modes with the same border of both parts. Magnitude and phase are numpy.abs and numpy.angle of that, the domain
colouring is colorsys.hsv_to_rgb of the phase as hue and the magnitude, divided by the greatest of the samples, as value.

A case is a line "case METHOD ADDRESS PREFILTER", then a line for each component with the values of all pixels of a turned view.
"""

import colorsys
import itertools
from pathlib import Path

import numpy as np
import scipy
from make_grids import MODES, endless, samples
from scipy.ndimage import map_coordinates

WIDTH, HEIGHT = 9, 7
COLUMNS, ROWS = 6, 5
TRANSLATION, SCALE, ANGLE = (0.3, -0.4), 1.9, 20.0
BORDER = 0.375
METHODS = [("linear", 1, False), ("bspline", 3, True)]


def positions():
    """Rows and columns of the image at each pixel."""
    j, i = np.mgrid[0:ROWS, 0:COLUMNS]
    p, q = (i - COLUMNS / 2) * SCALE, (j - ROWS / 2) * SCALE
    sin, cos = np.sin(np.radians(ANGLE)), np.cos(np.radians(ANGLE))
    x = p * cos - q * sin + WIDTH / 2 + TRANSLATION[0]
    y = p * sin + q * cos + HEIGHT / 2 + TRANSLATION[1]
    return np.stack([y.ravel(), x.ravel()])


def text(values):
    return " ".join(f"{value:.8f}" for value in np.ravel(values))


def main():
    lines = [f"# scipy {scipy.__version__}, numpy {np.__version__}; made by make_complex.py"]
    parts = (2 * samples((HEIGHT, WIDTH, 2)) - 1).astype(np.float32).astype(np.float64)
    image = parts[..., 0] + 1j * parts[..., 1]
    greatest = np.abs(image).max()
    for (method, order, prefilter), address in itertools.product(METHODS, MODES):
        values, mode = (endless(image, address) if prefilter else (image, MODES[address]))
        found = map_coordinates(values, positions(), order=order, mode=mode, cval=BORDER * (1 + 1j), prefilter=prefilter)
        hues = np.angle(found) / (2 * np.pi) % 1
        brightness = np.minimum(np.abs(found) / greatest, 1)
        colours = [colorsys.hsv_to_rgb(hue, 1, value) for hue, value in zip(hues, brightness)]
        lines.append(f"case {method} {address} {'on' if prefilter else 'off'}")
        lines.extend(text(line) for line in (found.real, found.imag, np.abs(found), np.angle(found), colours))
    Path(__file__).with_name("complex.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
