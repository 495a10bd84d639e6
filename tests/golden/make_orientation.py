#!/usr/bin/env python3
"""Makes tests/data/grids/oriented-*.nii by nibabel, and orientation.txt beside this file, for tests/volumes.

Needs NumPy and nibabel 5.x. Each file has 2 × 3 × 4 samples, 1 … 24, and another affine: as sform, as qform, or none. The oracle is
nibabel.as_closest_canonical: the axes i, j, k then run to the right, to the front and to the head.

With the folder nibabel/tests/data of the package as argument it also makes nibabel.txt: facts of the files of that folder, which are
not copied.

A case of orientation.txt is a line "case NAME LETTERS WIDTH HEIGHT DEPTH DX DY DZ", then a line with the samples, x fastest. A line of
nibabel.txt is "NAME LETTERS WIDTH HEIGHT DEPTH TIMES", then values at 1/4, 1/2 and 3/4 of every axis: at whole samples.
"""

import sys
from pathlib import Path

import nibabel
import numpy as np

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parent / "data" / "grids"
SIZE = (2, 3, 4)


def turned(x, y, z):
    """Rotation by angles in degrees, about x, then y, then z."""
    matrix = np.eye(3)
    for axis, degrees in enumerate((x, y, z)):
        sin, cos = np.sin(np.radians(degrees)), np.cos(np.radians(degrees))
        a, b = (axis + 1) % 3, (axis + 2) % 3
        step = np.eye(3)
        step[a, a], step[a, b], step[b, a], step[b, b] = cos, -sin, sin, cos
        matrix = step @ matrix
    return matrix


SPACING = np.diag([1.0, 1.5, 2.5])
AFFINES = {
    "las": ("sform", np.diag([-1.0, 1.0, 1.0]) @ SPACING),
    "psl": ("sform", np.array([[0, 0, -1], [-1, 0, 0], [0, 1, 0]]) @ SPACING),
    "slanted": ("sform", turned(25, -35, 130) @ SPACING),
    "sheared": ("sform", np.array([[0.9, 0.7, 0.1], [0.1, 0.5, -0.2], [0.0, 0.4, -1.0]]) @ SPACING),
    "qform": ("qform", turned(95, 10, 170) @ SPACING),
    "qform-mirrored": ("qform", turned(20, 80, 15) @ np.diag([1.0, 1.0, -1.0]) @ SPACING),
    "none": (None, SPACING),
}


def main():
    lines = [f"# nibabel {nibabel.__version__}, numpy {np.__version__}; made by make_orientation.py"]
    for name, (form, directions) in AFFINES.items():
        affine = np.eye(4)
        affine[:3, :3] = directions
        affine[:3, 3] = [-7, 12, 3]
        data = (1 + np.arange(np.prod(SIZE))).astype(np.uint8).reshape(SIZE, order="F")
        image = nibabel.Nifti1Image(data, None)
        image.header.set_zooms(np.diag(SPACING))
        if form == "sform":
            # A qform that says something else.
            image.header.set_qform(np.diag([-1.0, -1.5, 2.5, 1.0]), code=1)
            image.header.set_sform(affine, code=2)
        elif form == "qform":
            image.header.set_qform(affine, code=1)
        header = image.header.copy()
        header["vox_offset"], header["magic"] = 352, b"n+1"
        path = FOLDER / f"oriented-{name}.nii"
        path.write_bytes(header.binaryblock + bytes(4) + data.tobytes(order="F"))
        loaded = nibabel.load(path)
        canonical = nibabel.as_closest_canonical(loaded)
        letters = "".join(nibabel.aff2axcodes(loaded.affine))
        numbers = [*canonical.shape, *(f"{zoom:g}" for zoom in canonical.header.get_zooms())]
        lines.append(f"case {name} {letters} " + " ".join(str(number) for number in numbers))
        lines.append(" ".join(str(int(value)) for value in np.asarray(canonical.dataobj).ravel(order="F")))
    (HERE / "orientation.txt").write_text("\n".join(lines) + "\n")


def of_package(folder):
    lines = [f"# nibabel {nibabel.__version__}; made by make_orientation.py of the package's own test data"]
    for name in ["anatomical.nii", "functional.nii", "example4d.nii.gz", "reoriented_anat_moved.nii", "standard.nii.gz"]:
        loaded = nibabel.load(folder / name)
        canonical = nibabel.as_closest_canonical(loaded)
        data = canonical.get_fdata()
        shape = data.shape if data.ndim == 4 else (*data.shape, 1)
        data = data.reshape(shape)
        values = [data[tuple(side * part // 4 for side in shape)] for part in (1, 2, 3)]
        letters = "".join(nibabel.aff2axcodes(loaded.affine))
        lines.append(" ".join(str(part) for part in (name, letters, *shape, *(f"{value:.9g}" for value in values))))
    (HERE / "nibabel.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
    if len(sys.argv) > 1:
        of_package(Path(sys.argv[1]))
