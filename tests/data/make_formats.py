#!/usr/bin/env python3
"""Writes tests/data/formats: small files of each format by other programs, for tests/formats.rs.

    pip install numpy pillow tifffile imagecodecs
    python3 tests/data/make_formats.py

Number (x, y, channel, page) of an integer file of maxval M is (7·x + 31·y + 53·channel + 101·page) mod (M + 1), of a float
file the same with M = 255, divided by 64, less 1.
"""

import struct
from pathlib import Path

import imagecodecs
import numpy as np
import tifffile
from PIL import Image

OUT = Path(__file__).resolve().parent / "formats"
WIDTH, HEIGHT = 7, 5


def numbers(channels, maxval, page=0):
    y, x, channel = np.mgrid[0:HEIGHT, 0:WIDTH, 0:channels]
    values = (7 * x + 31 * y + 53 * channel + 101 * page) % (maxval + 1)
    return values[:, :, 0] if channels == 1 else values


def floats(channels, page=0):
    return numbers(channels, 255, page) / 64.0 - 1.0


def tiff(name, pages, **options):
    with tifffile.TiffWriter(OUT / name, **options) as file:
        for page in pages:
            photometric = "rgb" if page.ndim == 3 and page.shape[2] >= 3 else "minisblack"
            file.write(page, photometric=photometric, metadata=None, contiguous=False)


OUT.mkdir(exist_ok=True)
tiff("pages-8.tif", [numbers(1, 255, page).astype("u1") for page in range(4)])
tiff("pages-16-big-endian.tif", [numbers(1, 65535, page).astype("u2") for page in range(3)], byteorder=">")
tiff("pages-bigtiff.tif", [numbers(3, 255, page).astype("u1") for page in range(2)], bigtiff=True)
tiff("grey-float32.tif", [floats(1).astype("f4")])
tiff("pages-float32.tif", [floats(1, page).astype("f4") for page in range(3)])
tiff("grey-float16.tif", [floats(1).astype("f2")])
tiff("grey-float64.tif", [floats(1).astype("f8")])
tiff("rgb-float16.tif", [floats(3).astype("f2")])
tiff("grey-int16.tif", [(numbers(1, 255) - 100).astype("i2")])
tiff("grey-uint32.tif", [(numbers(1, 255) * 1000).astype("u4")])
with tifffile.TiffWriter(OUT / "reduced.tif") as file:
    # A page with a reduced copy behind it, then another page.
    file.write(numbers(1, 255, 0).astype("u1"), metadata=None)
    file.write(numbers(1, 255, 2).astype("u1")[::2, ::2], subfiletype=1, metadata=None)
    file.write(numbers(1, 255, 1).astype("u1"), metadata=None)
with tifffile.TiffWriter(OUT / "deflate-float32.tif") as file:
    file.write(floats(1).astype("f4"), compression="zlib", predictor=True, metadata=None)

grey = Image.new("P", (1, 1))
grey.putpalette([value for value in range(256) for _ in range(3)])
frames = []
for page in range(3):
    frame = Image.fromarray(numbers(1, 255, page).astype("u1"), "P")
    frame.putpalette(grey.getpalette())
    frames.append(frame)
frames[0].save(OUT / "frames.gif", save_all=True, append_images=frames[1:], duration=100, optimize=False)
animation = [Image.fromarray(numbers(3, 255, page).astype("u1")) for page in range(2)]
animation[0].save(OUT / "animation.png", save_all=True, append_images=animation[1:], duration=100)
animation[0].save(OUT / "animation.webp", save_all=True, append_images=animation[1:], duration=100, lossless=True)

for channels, name in [(3, "rgb.qoi"), (4, "rgba.qoi")]:
    (OUT / name).write_bytes(imagecodecs.qoi_encode(np.ascontiguousarray(numbers(channels, 255).astype("u1"))))

# farbfeld has no encoder here; its layout is eight letters, two sides and four 16-bit channels, the high byte first.
header = b"farbfeld" + struct.pack(">II", WIDTH, HEIGHT)
(OUT / "rgba.ff").write_bytes(header + numbers(4, 65535).astype(">u2").tobytes())

# PFM by Pillow: grey, the low byte first.
Image.fromarray(floats(1).astype("f4")).save(OUT / "grey.pfm")

for name, start in [
    ("picture.avif", b"\0\0\0\x20ftypavif\0\0\0\0"),
    ("picture.heic", b"\0\0\0\x18ftypheic\0\0\0\0"),
    ("picture.jxl", b"\xff\x0a\0\0"),
]:
    (OUT / name).write_bytes(start + bytes(16))
