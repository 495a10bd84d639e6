#!/usr/bin/env python3
"""Makes the pictures of resized/ beside this file: one picture, resized by other programs, for tests/identify.rs.

Needs NumPy, Pillow, OpenCV (opencv-python-headless), SciPy, scikit-image, and ImageMagick's `convert`. resized/versions.txt
has their versions.

The picture is noise with a falling spectrum, 96 × 80, with a black and a white patch, so that overshoots are clamped. Each
output is named PROGRAM-KERNEL-WIDTHxHEIGHT.png, 8 bits.
"""

import subprocess
from pathlib import Path

import cv2
import numpy as np
import PIL
import scipy
import skimage
from PIL import Image
from scipy import ndimage
from skimage.transform import resize

FOLDER = Path(__file__).with_name("resized")
UP, DOWN = (131, 117), (53, 37)
TWICE, HALF = (192, 160), (48, 40)


def picture():
    random = np.random.default_rng(12)
    noise = ndimage.gaussian_filter(random.standard_normal((80, 96)), 0.6)
    values = 128 + 90 * noise
    values[20:34, 30:48] = 0
    values[40:52, 60:80] = 255
    return np.clip(np.rint(values), 0, 255).astype(np.uint8)


def save(name, values):
    height, width = values.shape
    Image.fromarray(values).save(FOLDER / f"{name}-{width}x{height}.png", optimize=True)


def to_bytes(values):
    return np.clip(np.rint(values * 255), 0, 255).astype(np.uint8)


def magick(source, name, kernel, size):
    width, height = size
    target = FOLDER / f"imagemagick-{name}-{width}x{height}.png"
    options = ["-filter", kernel, "-resize", f"{width}x{height}!", "-depth", "8", "-strip"]
    subprocess.run(["convert", source, *options, f"PNG00:{target}"], check=True)


def main():
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.png"):
        old.unlink()
    source = picture()
    save("source", source)
    pillow = Image.fromarray(source)
    filters = Image.Resampling
    for size in (UP, DOWN):
        for name in ("NEAREST", "BOX", "BILINEAR", "HAMMING", "BICUBIC", "LANCZOS"):
            save(f"pillow-{name.lower()}", np.asarray(pillow.resize(size, filters[name])))
        for name in ("NEAREST", "LINEAR", "CUBIC", "LANCZOS4", "AREA"):
            save(f"opencv-{name.lower()}", cv2.resize(source, size, interpolation=getattr(cv2, f"INTER_{name}")))
        for kernel in ("Catrom", "Mitchell", "Lanczos", "Robidoux"):
            magick(FOLDER / "source-96x80.png", kernel.lower(), kernel, size)
    for size in (TWICE, HALF):
        save("pillow-bicubic", np.asarray(pillow.resize(size, filters.BICUBIC)))
        save("pillow-lanczos", np.asarray(pillow.resize(size, filters.LANCZOS)))
        save("opencv-cubic", cv2.resize(source, size, interpolation=cv2.INTER_CUBIC))
        save("opencv-lanczos4", cv2.resize(source, size, interpolation=cv2.INTER_LANCZOS4))
    for size in (UP, DOWN):
        for order in (1, 2, 3, 5):
            plain = resize(source, size[::-1], order=order, anti_aliasing=False)
            save(f"skimage-{order}-plain", to_bytes(plain))
        if size == DOWN:
            for order in (1, 3):
                save(f"skimage-{order}-gaussian", to_bytes(resize(source, size[::-1], order=order, anti_aliasing=True)))
        factors = [size[1] / 80, size[0] / 96]
        zoomed = ndimage.zoom(source.astype(float), factors, order=3, mode="mirror")
        save("scipy-3-mirror", to_bytes(zoomed / 255))
    colour = np.stack([source, source[::-1], source[:, ::-1]], axis=2)
    Image.fromarray(colour).save(FOLDER / "source-rgb-96x80.png", optimize=True)
    Image.fromarray(cv2.resize(colour, UP, interpolation=cv2.INTER_CUBIC)).save(FOLDER / "opencv-cubic-rgb-131x117.png")
    version = subprocess.run(["convert", "-version"], check=True, capture_output=True, text=True).stdout.split()[2]
    versions = [
        f"Pillow {PIL.__version__}",
        f"OpenCV {cv2.__version__}",
        f"scikit-image {skimage.__version__}",
        f"SciPy {scipy.__version__}",
        f"NumPy {np.__version__}",
        f"ImageMagick {version}",
    ]
    (FOLDER / "versions.txt").write_text("\n".join(versions) + "\n")


if __name__ == "__main__":
    main()
