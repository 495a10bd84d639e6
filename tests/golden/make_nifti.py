#!/usr/bin/env python3
"""Makes tests/data/grids/*.nii and *.nii.gz: tiny NIfTI-1 files by nibabel, for tests/grids and tests/cli.

Needs NumPy and nibabel 5.x. Sample (i, j, k) of `scaled` is 0.5 * (100*i + 10*j + k) - 2 with a spacing of 1, 2 and 3.5
millimetres; `series.nii.gz` has a fourth axis, big-endian float32, 1000*t + 100*i + 10*j + k, and 0.8 seconds between volumes.
"""

from pathlib import Path

import nibabel
import numpy as np

FOLDER = Path(__file__).resolve().parent.parent / "data" / "grids"


def main():
    i, j, k = np.mgrid[0:3, 0:4, 0:2]
    numbers = (100 * i + 10 * j + k).astype(np.int16)
    scaled = nibabel.Nifti1Image(numbers, np.diag([1.0, 2.0, 3.5, 1.0]))
    scaled.header.set_slope_inter(0.5, -2.0)
    scaled.header.set_data_dtype(np.int16)
    # The image would divide by the slope as it writes; the file gets the numbers as they are.
    data = np.asfortranarray(numbers).tobytes(order="F")
    header = scaled.header.copy()
    header["vox_offset"] = 352
    header["magic"] = b"n+1"
    header["scl_slope"], header["scl_inter"] = 0.5, -2.0
    (FOLDER / "scaled.nii").write_bytes(header.binaryblock + bytes(4) + data)
    assert np.allclose(nibabel.load(FOLDER / "scaled.nii").get_fdata(), 0.5 * numbers - 2)

    i, j, k, t = np.mgrid[0:3, 0:2, 0:4, 0:2]
    header = nibabel.Nifti1Header(endianness=">")
    header.set_data_dtype(">f4")
    series = nibabel.Nifti1Image((1000 * t + 100 * i + 10 * j + k).astype(">f4"), np.eye(4), header)
    series.header.set_zooms((1.5, 1.0, 2.0, 0.8))
    nibabel.save(series, FOLDER / "series.nii.gz")
    assert nibabel.load(FOLDER / "series.nii.gz").header.endianness == ">"


if __name__ == "__main__":
    main()
