#!/usr/bin/env python3
"""Compiles each kernels/*.cu to kernels/ptx/*.ptx with NVRTC 12.0, which needs no GPU and no toolkit.

    pip install -r kernels/requirements.txt
    python3 kernels/build.py            # writes the PTX
    python3 kernels/build.py --check    # says which committed PTX is not what the sources give; exit code 1

PTX made by NVRTC 12.0 runs on drivers from 525 on, and PTX for compute_60 on every GPU since Pascal.
"""

import argparse
import ctypes
import importlib.util
import pathlib
import sys

KERNELS = pathlib.Path(__file__).resolve().parent
VERSION = (12, 0)
TARGET = "compute_60"


class Nvrtc:
    """The few calls of NVRTC that are needed, with its errors as exceptions."""

    def __init__(self):
        spec = importlib.util.find_spec("nvidia.cuda_nvrtc")
        if spec is None:
            sys.exit("NVRTC is missing: pip install -r kernels/requirements.txt")
        folder = pathlib.Path(spec.submodule_search_locations[0]) / "lib"
        for name in ("libnvrtc-builtins.so.12.0", "libnvrtc.so.12"):
            library = ctypes.CDLL(str(folder / name), mode=ctypes.RTLD_GLOBAL)
        self.library = library
        major, minor = ctypes.c_int(), ctypes.c_int()
        self.call("nvrtcVersion", ctypes.byref(major), ctypes.byref(minor))
        if (major.value, minor.value) != VERSION:
            sys.exit(f"NVRTC {major.value}.{minor.value} is installed, {VERSION[0]}.{VERSION[1]} is needed")

    def call(self, name, *arguments):
        result = getattr(self.library, name)(*arguments)
        if result != 0:
            self.library.nvrtcGetErrorString.restype = ctypes.c_char_p
            raise RuntimeError(f"{name}: {self.library.nvrtcGetErrorString(result).decode()}")

    def text(self, what, program):
        size = ctypes.c_size_t()
        self.call(f"nvrtcGet{what}Size", program, ctypes.byref(size))
        text = ctypes.create_string_buffer(size.value)
        self.call(f"nvrtcGet{what}", program, text)
        return text.value.decode()

    def compile(self, source):
        """The PTX of one source file."""
        headers = sorted(KERNELS.glob("*.cuh"))
        texts = (ctypes.c_char_p * len(headers))(*(header.read_bytes() for header in headers))
        names = (ctypes.c_char_p * len(headers))(*(header.name.encode() for header in headers))
        program = ctypes.c_void_p()
        text = source.read_bytes()
        self.call(
            "nvrtcCreateProgram", ctypes.byref(program), text, source.name.encode(), len(headers), texts, names
        )
        options = [f"--gpu-architecture={TARGET}", "--std=c++17", "--device-as-default-execution-space"]
        encoded = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
        try:
            self.call("nvrtcCompileProgram", program, len(options), encoded)
        except RuntimeError:
            sys.exit(self.text("ProgramLog", program))
        log = self.text("ProgramLog", program).strip()
        if log:
            sys.exit(f"{source.name}: warnings are errors here\n{log}")
        return self.text("PTX", program)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with what is committed, write nothing")
    parser.add_argument("names", nargs="*", help="source files without their ending; all unless given")
    arguments = parser.parse_args()
    nvrtc = Nvrtc()
    stale = []
    sources = sorted(KERNELS.glob("*.cu"))
    for source in sources:
        if arguments.names and source.stem not in arguments.names:
            continue
        ptx = nvrtc.compile(source)
        path = KERNELS / "ptx" / f"{source.stem}.ptx"
        if not arguments.check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(ptx)
        elif not path.exists() or path.read_text() != ptx:
            stale.append(path.name)
    orphans = {path.stem for path in (KERNELS / "ptx").glob("*.ptx")} - {source.stem for source in sources}
    stale += sorted(f"{name}.ptx (no source)" for name in orphans)
    if stale:
        sys.exit("not what the sources give, run kernels/build.py: " + ", ".join(stale))


if __name__ == "__main__":
    main()
