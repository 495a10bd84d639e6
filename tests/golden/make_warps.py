#!/usr/bin/env python3
"""Makes warps.txt beside this file: what SciPy makes of a small image through warps, for tests/conformance.

Needs NumPy and SciPy 1.x. The positions are those of the formulas in docs/numbers.md, written here from the text; the oracle is
scipy.ndimage.map_coordinates in double precision at these positions: orders 0, 1 and 3, prefilter off and on, the four address modes.
The lattice's spline is scipy.interpolate.BSpline on uniform knots, the homography a linear system in eight unknowns.

A case is a line "case WARP METHOD PREFILTER ADDRESS BORDER SCALE TX TY ANGLE", then WO*HO numbers, row by row, on one line.
"""

from pathlib import Path

import numpy as np
import scipy
from scipy.interpolate import BSpline
from scipy.ndimage import map_coordinates

METHODS = [("nearest", 0, False), ("linear", 1, False), ("bspline", 3, False), ("bspline", 3, True)]
MODES = {"clamp": "nearest", "border": "grid-constant", "wrap": "grid-wrap", "mirror": "grid-mirror"}
WIDTH, HEIGHT = 19, 13
OUT_WIDTH, OUT_HEIGHT = 9, 8
BORDER = 0.375
# Scale, translation, angle: nearly the whole picture, and a turned part of it.
VIEWS = [(2.1, (0.3, -0.45), 0.0), (0.37, (-1.3, 0.7), 25.0)]
LENS = [("lens=0.6,0.9", 0.6, 0.9), ("lens=-0.8,1.5", -0.8, 1.5)]
SWIRL = [("swirl=140,1.2", 140.0, 1.2), ("swirl=-35,0.7", -35.0, 0.7)]
QUADS = [[(0.1, 0.05), (0.8, 0.2), (1.0, 0.9), (-0.1, 1.1)]]
LATTICES = [
    [[(0.0, 0.0), (0.125, 0.0625)], [(-0.0625, 0.25), (0.0, 0.0)]],
    [[(0.0, 0.0), (0.25, -0.125), (0.0, 0.0), (0.0625, 0.0)], [(0.0, 0.125)] * 4, [(-0.125, 0.0), (0.0, 0.0), (0.0, 0.5), (0.0, 0.0)]],
]


def places(scale, translation, angle):
    """The view: docs/numbers.md and the conventions."""
    j, i = np.mgrid[0:OUT_HEIGHT, 0:OUT_WIDTH].astype(float)
    p, q = (i - OUT_WIDTH / 2) * scale, (j - OUT_HEIGHT / 2) * scale
    turn = np.radians(angle)
    x = p * np.cos(turn) - q * np.sin(turn) + WIDTH / 2 + translation[0]
    return x, p * np.sin(turn) + q * np.cos(turn) + HEIGHT / 2 + translation[1]


def around_middle(x, y, radius):
    dx, dy = x - (WIDTH - 1) / 2, y - (HEIGHT - 1) / 2
    rho = radius * min(WIDTH, HEIGHT) / 2
    return dx, dy, np.maximum(0, 1 - (dx**2 + dy**2) / rho**2) ** 2


def lens(x, y, strength, radius):
    dx, dy, fade = around_middle(x, y, radius)
    return (WIDTH - 1) / 2 + (1 - strength * fade) * dx, (HEIGHT - 1) / 2 + (1 - strength * fade) * dy


def swirl(x, y, angle, radius):
    dx, dy, fade = around_middle(x, y, radius)
    turned = (dx + 1j * dy) * np.exp(1j * np.radians(angle) * fade)
    return (WIDTH - 1) / 2 + turned.real, (HEIGHT - 1) / 2 + turned.imag


def perspective(x, y, quad):
    """The homography that takes the four places to the corners of the unit square, by its eight equations."""
    rows, right = [], []
    for (a, b), (u, v) in zip(quad, [(0, 0), (1, 0), (1, 1), (0, 1)]):
        rows += [[a, b, 1, 0, 0, 0, -u * a, -u * b], [0, 0, 0, a, b, 1, -v * a, -v * b]]
        right += [u, v]
    h = np.append(np.linalg.solve(np.array(rows, dtype=float), right), 1.0)
    a, b = (x + 0.5) / WIDTH, (y + 0.5) / HEIGHT
    divisor = h[6] * a + h[7] * b + h[8]
    # Within sight of the picture everything is before the horizon.
    assert (divisor > 0).all()
    return (h[0] * a + h[1] * b + h[2]) / divisor * WIDTH - 0.5, (h[3] * a + h[4] * b + h[5]) / divisor * HEIGHT - 0.5


def beta(count, u):
    """The weights of `count` handles at the places u, the ones at the rim repeated beyond it."""
    spline = BSpline.basis_element(np.arange(-2.0, 3.0), extrapolate=False)
    weights = np.zeros(u.shape + (count,))
    for index in range(-8, count + 8):
        weights[..., min(max(index, 0), count - 1)] += np.nan_to_num(spline(u - index))
    return weights


def grid(x, y, lattice):
    shifts = np.array(lattice)
    rows, columns, _ = shifts.shape
    u, v = (x + 0.5) / WIDTH * (columns - 1), (y + 0.5) / HEIGHT * (rows - 1)
    total = np.einsum("ijr,ijc,rcd->ijd", beta(rows, v), beta(columns, u), shifts)
    return x - total[..., 0] * WIDTH, y - total[..., 1] * HEIGHT


def image():
    """The same numbers as `pattern` in tests/conformance/cases.rs."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    return ((x * 73 + y * 151 + x * y * 37 + 11) % 256) / 255.0


def main():
    warps = [(text, lambda x, y, a=a: lens(x, y, *a)) for text, *a in LENS]
    warps += [(text, lambda x, y, a=a: swirl(x, y, *a)) for text, *a in SWIRL]
    for quad in QUADS:
        text = "perspective=" + ",".join(f"{number}" for corner in quad for number in corner)
        warps.append((text, lambda x, y, quad=quad: perspective(x, y, quad)))
    for lattice in LATTICES:
        text = "grid=[" + ";".join(",".join(f"{n}" for shift in row for n in shift) for row in lattice) + "]"
        warps.append((text, lambda x, y, lattice=lattice: grid(x, y, lattice)))
    lines = [f"# scipy {scipy.__version__}, numpy {np.__version__}; made by make_warps.py"]
    for number, (text, warp) in enumerate(warps):
        for place, (scale, translation, angle) in enumerate(VIEWS):
            x, y = warp(*places(scale, translation, angle))
            for method, order, prefilter in METHODS:
                # Every mode with the first warps, then one mode each in turn.
                modes = MODES if number in (0, 2, 4) else [list(MODES)[(number + place + order) % 4]]
                for address in modes:
                    # SciPy rounds halves to even; ours rounds them up, and no position here is one.
                    values = map_coordinates(
                        image(), [y, x], order=order, mode=MODES[address], cval=BORDER, prefilter=prefilter
                    )
                    lines.append(f"case {text} {method} {int(prefilter)} {address} {BORDER} {scale} {translation[0]} {translation[1]} {angle}")
                    lines.append(" ".join(f"{value:.9f}" for value in values.ravel()))
    Path(__file__).with_name("warps.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
