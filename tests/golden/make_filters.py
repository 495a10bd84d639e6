#!/usr/bin/env python3
"""Makes filters.txt beside this file: what SciPy and NumPy make of small images, for tests/conformance.

Needs NumPy and SciPy 1.x. The oracles, in double precision:
- gaussian: scipy.ndimage.gaussian_filter with radius=ceil(4*sigma), one mode an axis; with a sigma of each axis or a radius,
  scipy.ndimage.gaussian_filter1d along x and along y;
- unsharp: the sample plus what that takes away;
- sobel: the hypotenuse of two scipy.ndimage.sobel, divided by 4 (SciPy's weights add up to 4);
- median: scipy.ndimage.median_filter;
- convolve: scipy.ndimage.convolve, one mode an axis, its origin the shift of the centre; a matrix is mirrored about its centre,
  so that this is a convolution;
- bilateral: scipy.ndimage.generic_filter, which knows windows and edges, with the formula of one window (grey), and
  direct sums over scipy's own padding (colour); OpenCV's window is a disc and its distance between colours a sum, so it is
  no oracle for this definition;
- gamma, negative, brightness: their formulas;
- inpaint, membrane: scipy.sparse.linalg.spsolve on the graph Laplacian of the holes, whose neighbours are taken from NumPy's
  padding of the samples' indices; normalized convolution: scipy.ndimage.gaussian_filter of values times certainties over that of
  the certainties, on the padded plane, with sigma doubled where that is 0;
- noise: Philox4x32-10 (Salmon et al. 2011) in NumPy's integers, checked against the authors' test vectors, and the formulas
  of Box and Muller and of a uniform number.
Where a function takes only one mode for both axes, images are first padded by NumPy along each.

A case is a line "case STEP ADDRESS_X ADDRESS_Y BORDER CHANNELS W H", then W*H*CHANNELS numbers on one line.
"""

from pathlib import Path

import numpy as np
import scipy
from scipy.ndimage import convolve, gaussian_filter, gaussian_filter1d, generic_filter, median_filter, sobel
from scipy.sparse import lil_matrix
from scipy.sparse.linalg import spsolve

MODES = {"clamp": "nearest", "border": "grid-constant", "wrap": "grid-wrap", "mirror": "grid-mirror"}
PADS = {"clamp": "edge", "border": "constant", "wrap": "wrap", "mirror": "symmetric"}
BORDER = 0.375
LUMINANCE = np.array([0.3, 0.59, 0.11])


def image(width, height, channels):
    """The same numbers as `pattern` in tests/conformance/cases.rs, for each channel from another start."""
    y, x, c = np.mgrid[0:height, 0:width, 0:channels]
    return ((x * 73 + y * 151 + x * y * 37 + 11 + c * 89) % 256) / 255.0


def padded(plane, reach, addresses, border=BORDER):
    """A plane with `reach` samples around it, each axis in its own mode; x is the second axis."""
    for axis, address in ((1, addresses[0]), (0, addresses[1])):
        widths = [(0, 0), (0, 0)]
        widths[axis] = (reach, reach)
        constant = {"constant_values": border} if address == "border" else {}
        plane = np.pad(plane, widths, mode=PADS[address], **constant)
    return plane


def gaussian(plane, addresses, sigma, sigma_y=None, radius=0):
    if sigma_y is not None:
        for axis, of_axis, address in ((1, sigma, addresses[0]), (0, sigma_y, addresses[1])):
            reach = radius or int(np.ceil(4 * of_axis))
            if of_axis > 0:
                plane = gaussian_filter1d(plane, of_axis, axis=axis, mode=MODES[address], cval=BORDER, radius=reach)
        return plane
    modes = [MODES[addresses[1]], MODES[addresses[0]]]
    return gaussian_filter(plane, sigma, mode=modes, cval=BORDER, radius=int(np.ceil(4 * sigma)))


def unsharp(plane, addresses, sigma, amount, threshold):
    difference = plane - gaussian(plane, addresses, sigma)
    return np.where(np.abs(difference) >= threshold, plane + amount * difference, plane)


def edges(plane, addresses, scale):
    # Padded first: a border's constant is one of the samples, not of the first pass's differences.
    whole = padded(plane, 1, addresses)
    return scale / 4 * np.hypot(sobel(whole, 0), sobel(whole, 1))[1:-1, 1:-1]


def median(plane, addresses, radius):
    radius = int(radius)
    whole = median_filter(padded(plane, radius, addresses), size=2 * radius + 1)
    return whole[radius:-radius, radius:-radius]


def convolved(plane, addresses, matrix, normalized, shift_x, shift_y):
    weights = np.array(matrix, dtype=float)
    if normalized:
        weights = weights / weights.sum()
    # Padded first: one mode for each axis. What is cut off again is more than any weight reaches.
    reach = max(weights.shape) + max(abs(shift_x), abs(shift_y))
    if addresses[0] == addresses[1]:
        return convolve(plane, weights, mode=MODES[addresses[0]], cval=BORDER, origin=(shift_y, shift_x))
    whole = convolve(padded(plane, reach, addresses), weights, origin=(shift_y, shift_x))
    return whole[reach:-reach, reach:-reach]


def bilateral_grey(plane, addresses, sigma, range_sigma, radius, threshold):
    radius = int(radius)
    y, x = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    near = np.exp(-(x**2 + y**2) / (2 * sigma**2)).ravel()

    def one(window):
        middle = window[window.size // 2]
        weights = near * np.exp(-((window - middle) ** 2) / (2 * range_sigma**2))
        mean = np.sum(weights * window) / np.sum(weights)
        share = (np.count_nonzero(weights >= threshold) - 1) / (window.size - 1)
        return mean if threshold == 0 else share * mean + (1 - share) * middle

    whole = generic_filter(padded(plane, radius, addresses), one, size=2 * radius + 1)
    return whole[radius:-radius, radius:-radius]


def bilateral_colour(planes, addresses, sigma, range_sigma, radius, threshold):
    radius = int(radius)
    height, width, channels = planes.shape
    whole = np.stack([padded(planes[:, :, c], radius, addresses) for c in range(channels)], axis=2)
    sums, total, reaching = np.zeros_like(planes), np.zeros((height, width)), np.zeros((height, width))
    for n in range(2 * radius + 1):
        for m in range(2 * radius + 1):
            other = whole[n : n + height, m : m + width]
            unlike = np.sum((other - planes) ** 2, axis=2)
            square = (m - radius) ** 2 + (n - radius) ** 2
            weights = np.exp(-square / (2 * sigma**2) - unlike / (2 * range_sigma**2))
            sums += weights[:, :, None] * other
            total += weights
            reaching += weights >= threshold
    share = ((reaching - 1) / ((2 * radius + 1) ** 2 - 1))[:, :, None]
    mean = sums / total[:, :, None]
    return mean if threshold == 0 else share * mean + (1 - share) * planes


def brightness(planes, factor, colour):
    if planes.shape[2] == 1:
        return factor * planes
    luminance = (planes @ LUMINANCE)[:, :, None]
    return factor * (colour * planes + (1 - colour) * luminance)


def philox(counter, key):
    """Four random words for each counter, an array of four."""
    c = [np.asarray(part, dtype=np.uint64) for part in counter]
    k = list(key)
    low = np.uint64(0xFFFFFFFF)
    for _ in range(10):
        first, second = np.uint64(0xD2511F53) * c[0], np.uint64(0xCD9E8D57) * c[2]
        c = [
            (second >> np.uint64(32)) ^ c[1] ^ np.uint64(k[0]),
            second & low,
            (first >> np.uint64(32)) ^ c[3] ^ np.uint64(k[1]),
            first & low,
        ]
        k = [(k[0] + 0x9E3779B9) % 2**32, (k[1] + 0xBB67AE85) % 2**32]
    return c


def noisy(planes, kind, sigma, seed):
    assert [int(word) for word in philox([0] * 4, [0, 0])] == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    y, x, c = np.mgrid[0 : planes.shape[0], 0 : planes.shape[1], 0 : planes.shape[2]]
    words = philox([x, y, c, np.zeros_like(x)], [seed, 0])
    if kind == "white":
        one, two = [(word >> np.uint64(8)).astype(float) / 2**24 for word in words[:2]]
        return planes + sigma * np.sqrt(-2 * np.log(one + 2**-24)) * np.cos(2 * np.pi * two)
    if kind == "uniform":
        number = (2 * (words[0] >> np.uint64(9)).astype(float) + 1) / 2**23 - 1
        return planes + sigma * np.sqrt(3) * number
    replaced = (words[0] >> np.uint64(8)).astype(float) < np.round(sigma * 2**24)
    return np.where(replaced, (words[1] >> np.uint64(31)).astype(float), planes)


def hole_of(plane, rectangle):
    ((x, y, columns, rows),) = rectangle
    hole = np.zeros(plane.shape, dtype=bool)
    hole[y : y + rows, x : x + columns] = True
    return hole


def membrane(plane, addresses, hole):
    """Laplace's equation on the holes: n u - sum of u over neighbouring holes = sum of known neighbours."""
    numbers = np.arange(plane.size).reshape(plane.shape)
    around = padded(numbers, 1, addresses, -1)
    places = numbers[hole]
    row_of = {place: row for row, place in enumerate(places)}
    matrix, right = lil_matrix((places.size, places.size)), np.zeros(places.size)
    for row, place in enumerate(places):
        y, x = divmod(place, plane.shape[1])
        for other in (around[y + 1, x], around[y + 1, x + 2], around[y, x + 1], around[y + 2, x + 1]):
            if other == place:
                continue
            matrix[row, row] += 1
            if other in row_of:
                matrix[row, row_of[other]] -= 1
            else:
                right[row] += BORDER if other < 0 else plane.ravel()[other]
    filled = plane.copy()
    if matrix.nnz:
        filled[hole] = spsolve(matrix.tocsc(), right)
    return filled


def normalized(plane, addresses, hole, sigma):
    filled, missing = plane.copy(), hole.copy()
    certainty = np.where(hole, 0.0, 1.0)
    while missing.any():
        radius = int(np.ceil(4 * sigma))
        inside = (slice(radius, -radius), slice(radius, -radius))
        # What lies beyond a border is known: its certainty is 1.
        wholes = [padded(plane * certainty, radius, addresses), padded(certainty, radius, addresses, 1.0)]
        above, below = [gaussian_filter(whole, sigma, radius=radius)[inside] for whole in wholes]
        reached = missing & (below > 0)
        filled[reached] = above[reached] / below[reached]
        missing &= ~reached
        sigma *= 2
    return filled


def inpainted(planes, addresses, rectangle, kind, *numbers):
    hole = hole_of(planes[:, :, 0], rectangle)
    fill = (lambda plane: membrane(plane, addresses, hole)) if kind == "membrane" else (
        lambda plane: normalized(plane, addresses, hole, *numbers)
    )
    return np.stack([fill(planes[:, :, c]) for c in range(planes.shape[2])], axis=2)


def filtered(name, numbers, planes, addresses):
    each = {"gaussian": gaussian, "unsharp": unsharp, "sobel": edges, "median": median, "convolve": convolved}
    if name in each:
        channels = range(planes.shape[2])
        return np.stack([each[name](planes[:, :, c], addresses, *numbers) for c in channels], axis=2)
    if name == "bilateral":
        if planes.shape[2] == 1:
            return bilateral_grey(planes[:, :, 0], addresses, *numbers)[:, :, None]
        return bilateral_colour(planes, addresses, *numbers)
    if name == "inpaint":
        return inpainted(planes, addresses, *numbers)
    if name == "noise":
        return noisy(planes, *numbers)
    if name == "gamma":
        return planes ** numbers[0]
    return 1 - planes if name == "negative" else brightness(planes, *numbers)


# Step, images as (width, height, channels), whether each axis has a mode of its own.
CASES = [
    ("gamma", (2.2,), [(5, 3, 3)], False),
    ("negative", (), [(5, 3, 1)], False),
    ("brightness", (1.5, 0.25), [(5, 3, 3), (3, 3, 1)], False),
    ("gaussian", (0.7,), [(1, 1, 1), (7, 5, 1)], True),
    ("gaussian", (2.3,), [(5, 3, 3)], True),
    ("gaussian", (1.2, 0.4), [(7, 5, 1), (4, 3, 3)], True),
    ("gaussian", (0.6, 2.5), [(6, 5, 1)], True),
    ("gaussian", (2, 0), [(7, 4, 1)], True),
    ("gaussian", (3.5, 3.5, 2), [(7, 5, 1)], True),
    ("gaussian", (0.8, 1.7, 3), [(5, 4, 3)], False),
    ("bilateral", (1.5, 0.2, 2, 0), [(5, 3, 1), (3, 5, 3)], True),
    ("bilateral", (2, 0.5, 1, 0.4), [(5, 5, 1), (3, 3, 3)], False),
    ("unsharp", (1.2, 0.8, 0.05), [(5, 7, 1), (3, 2, 3)], False),
    ("median", (1,), [(7, 5, 1)], True),
    ("median", (3,), [(5, 3, 3)], False),
    ("sobel", (1.5,), [(7, 5, 1), (1, 1, 1)], True),
    ("sobel", (1,), [(3, 4, 3)], False),
    ("noise", ("white", 0.1, 7), [(5, 3, 3), (4, 2, 1)], False),
    ("noise", ("uniform", 0.5, 65535), [(5, 3, 1)], False),
    ("noise", ("salt-and-pepper", 0.4, 1), [(5, 3, 3)], False),
    ("inpaint", ([[1, 1, 4, 3]], "membrane"), [(7, 6, 1)], True),
    ("inpaint", ([[0, 2, 5, 3]], "membrane"), [(5, 5, 3)], True),
    ("inpaint", ([[2, 0, 9, 2]], "normalized-convolution", 0.4), [(8, 5, 1)], True),
    ("inpaint", ([[1, 1, 3, 2]], "normalized-convolution", 1.5), [(5, 4, 3)], False),
    ("convolve", ([[0, -1, 0], [-1, 5, -1], [0, -1, 0]], 0, 0, 0), [(7, 5, 1), (1, 1, 1)], True),
    ("convolve", ([[1, 2, -1, 0.5], [3, 4, 0.25, -2]], 1, 0, 0), [(5, 3, 3)], True),
    ("convolve", ([[1, 2, 3], [4, 5, 6], [7, 8, 10]], 1, 1, -1), [(5, 4, 1)], False),
    ("convolve", ([[0.5, -1, 2, 0, 1, 3]], 0, -3, 0), [(4, 3, 1)], False),
    ("convolve", ([[1], [2], [3], [4], [5]], 1, 0, 2), [(3, 2, 1)], False),
]


def text_of(value):
    """A number, or a matrix in brackets."""
    if isinstance(value, list):
        return "[" + ";".join(",".join(str(weight) for weight in row) for row in value) + "]"
    return str(value)


def main():
    lines = [f"# scipy {scipy.__version__}, numpy {np.__version__}; made by make_filters.py"]
    for name, numbers, images, mixed in CASES:
        pairs = [(x, y) for x in MODES for y in MODES if mixed or x == y]
        if name in ("gamma", "negative", "brightness", "noise"):
            pairs = [("clamp", "clamp")]
        for width, height, channels in images:
            for addresses in pairs:
                values = filtered(name, numbers, image(width, height, channels), addresses)
                step = name + ("=" if numbers else "") + ",".join(text_of(number) for number in numbers)
                lines.append(f"case {step} {addresses[0]} {addresses[1]} {BORDER} {channels} {width} {height}")
                lines.append(" ".join(f"{value:.9f}" for value in values.ravel()))
    Path(__file__).with_name("filters.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
