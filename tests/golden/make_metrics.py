#!/usr/bin/env python3
"""Makes metrics.txt beside this file: what scikit-image measures between two pictures, for tests/quality.

Needs NumPy and scikit-image. The oracles are skimage.metrics' peak_signal_noise_ratio, mean_squared_error and
structural_similarity with their defaults and data_range=1, in double precision. The values lie outside 0 … 1 as well.

A case is a line "case KIND W H CHANNELS LEFT TOP CW CH PSNR RMS MAX SSIM": the pictures of KIND, W × H pixels, compared within
the rectangle of CW × CH pixels at (LEFT, TOP).
"""

from pathlib import Path

import numpy as np
import skimage
from skimage.metrics import mean_squared_error, peak_signal_noise_ratio, structural_similarity

SIZES = [(7, 7), (8, 13), (40, 25), (131, 150)]


def numbers(width, height, channels):
    """The same numbers as `numbers` in tests/quality.rs, in the range 0 … 255."""
    c, y, x = np.mgrid[0:channels, 0:height, 0:width]
    return np.moveaxis((x * 73 + y * 151 + x * y * 37 + c * 59 + 11) % 256, 0, 2)


def pictures(kind, width, height, channels):
    """Two pictures of multiples of 1/128, which single precision holds exactly."""
    noise = (numbers(width, height, channels) - 40) / 128
    c, y, x = np.mgrid[0:channels, 0:height, 0:width]
    ramp = np.moveaxis((3 * x + 5 * y + 7 * c) % 192 / 128, 0, 2)
    if kind == "noise":
        return noise, ramp
    if kind == "close":
        return ramp + (numbers(width, height, channels) % 8 - 4) / 128, ramp
    return np.full_like(noise, 0.5), noise


def main():
    lines = [f"# scikit-image {skimage.__version__}, numpy {np.__version__}; made by make_metrics.py"]
    for kind in ("noise", "close", "flat"):
        for width, height in SIZES:
            for channels in (1, 3):
                picture, truth = pictures(kind, width, height, channels)
                rectangles = [(0, 0, width, height)]
                if width > 20:
                    rectangles.append((4, 3, width - 9, height - 11))
                for left, top, cw, ch in rectangles:
                    a, b = (p[top : top + ch, left : left + cw] for p in (picture, truth))
                    ssim = structural_similarity(a, b, data_range=1, channel_axis=2)
                    psnr = peak_signal_noise_ratio(b, a, data_range=1)
                    rms = np.sqrt(mean_squared_error(a, b))
                    worst = np.abs(a - b).max()
                    lines.append(
                        f"case {kind} {width} {height} {channels} {left} {top} {cw} {ch} "
                        f"{psnr:.12f} {rms:.12f} {worst:.12f} {ssim:.12f}"
                    )
    Path(__file__).with_name("metrics.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
