#!/usr/bin/env python3
"""Makes volumes.txt and volume_times.txt beside this file: planes through a small volume by SciPy, for tests/volumes.

Needs NumPy and SciPy 1.x. The oracle is scipy.ndimage.map_coordinates in double precision at the position of every pixel: orders 1
and 3 (with the prefilter), four modes. A plane is the axial one tilted about x, then turned about z, as matrices; z runs up in planes
that show it. The distance of samples along z is twice that along x and y.

A case of volumes.txt is a line "case PLANE SLICE METHOD ADDRESS PREFILTER COLUMNS ROWS", then a line with the value of every fifth
pixel. Those of volume_times.txt are planes of a volume with four times, interpolated in four dimensions; "TIME" is after "SLICE".
"""

import itertools
from pathlib import Path

import numpy as np
import scipy
from make_grids import MODES, endless, samples
from scipy.ndimage import map_coordinates

WIDTH, HEIGHT, DEPTH = 7, 8, 9
SPACING = np.array([1.0, 1.0, 2.0])
BORDER = 0.375
METHODS = [("linear", 1, False), ("bspline", 3, True)]
# Name, and position along the normal.
PLANES = [("axial", 3.3), ("coronal", 2.75), ("sagittal", 4.6), ("33,-21", 0.7)]
STEP = 5
# Number of times, and positions in time: between two, before the first, and at one.
TIMES = 4
MOMENTS = [1.3, -0.6, 2.0]


def positions(plane, at):
    """Positions (x, y, z) of the pixels, row by row, and the number of columns and rows."""
    last = np.array([WIDTH, HEIGHT, DEPTH]) - 1
    if plane == "axial":
        y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
        return np.stack([x, y, np.full(x.shape, at)], -1)
    if plane == "coronal":
        z, x = np.mgrid[0:DEPTH, 0:WIDTH]
        return np.stack([x, np.full(x.shape, at), last[2] - z], -1)
    if plane == "sagittal":
        z, y = np.mgrid[0:DEPTH, 0:HEIGHT]
        return np.stack([np.full(y.shape, at), y, last[2] - z], -1)
    tilt, turn = np.radians([float(angle) for angle in plane.split(",")])
    about_x = np.array([[1, 0, 0], [0, np.cos(tilt), np.sin(tilt)], [0, -np.sin(tilt), np.cos(tilt)]])
    about_z = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    across, down, normal = (about_z @ about_x).T
    # In units of the closest samples, from the centre of the volume.
    corners = np.array(list(itertools.product(*[(-side / 2, side / 2) for side in last]))) * SPACING
    columns, rows = [int(np.ceil(2 * (corners @ step).max() - 1e-6)) + 1 for step in (across, down)]
    y, x = np.mgrid[0:rows, 0:columns]
    x, y = x - (columns - 1) / 2, y - (rows - 1) / 2
    in_space = x[..., None] * across + y[..., None] * down + at * normal
    return in_space / SPACING + last / 2


def of_times():
    """Planes of a volume that changes."""
    lines = [f"# scipy {scipy.__version__}, numpy {np.__version__}; made by make_volumes.py"]
    volume = samples((TIMES, DEPTH, HEIGHT, WIDTH)).astype(np.float32).astype(np.float64)
    planes = [plane for plane in PLANES if plane[0] != "sagittal"]
    for (plane, at), moment, (method, order, prefilter), address in itertools.product(planes, MOMENTS, METHODS, MODES):
        places = positions(plane, at)
        values, mode = (endless(volume, address) if prefilter else (volume, MODES[address]))
        points = places[..., ::-1].reshape(-1, 3).T
        points = np.concatenate([np.full((1, points.shape[1]), moment), points])
        found = map_coordinates(values, points, order=order, mode=mode, cval=BORDER, prefilter=prefilter)
        flag = "on" if prefilter else "off"
        rows, columns = places.shape[:2]
        lines.append(f"case {plane} {at} {moment} {method} {address} {flag} {columns} {rows}")
        lines.append(" ".join(f"{value:.8f}" for value in found[:: 3 * STEP]))
    Path(__file__).with_name("volume_times.txt").write_text("\n".join(lines) + "\n")


def main():
    lines = [f"# scipy {scipy.__version__}, numpy {np.__version__}; made by make_volumes.py"]
    volume = samples((DEPTH, HEIGHT, WIDTH)).astype(np.float32).astype(np.float64)
    for (plane, at), (method, order, prefilter), address in itertools.product(PLANES, METHODS, MODES):
        places = positions(plane, at)
        values, mode = (endless(volume, address) if prefilter else (volume, MODES[address]))
        found = map_coordinates(
            values, places[..., ::-1].reshape(-1, 3).T, order=order, mode=mode, cval=BORDER, prefilter=prefilter
        )
        flag = "on" if prefilter else "off"
        rows, columns = places.shape[:2]
        lines.append(f"case {plane} {at} {method} {address} {flag} {columns} {rows}")
        lines.append(" ".join(f"{value:.8f}" for value in found[::STEP]))
    Path(__file__).with_name("volumes.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
    of_times()
