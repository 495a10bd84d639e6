#!/usr/bin/env python3
"""Compiles each kernels/*.cu to kernels/ptx/*.ptx with NVRTC 12.0, which needs no GPU and no toolkit.

    pip install -r kernels/requirements.txt
    python3 kernels/build.py            # writes the PTX, and sources.txt
    python3 kernels/build.py --check    # says which committed PTX is not what the sources give; exit code 1

sources.txt has, for each PTX, checksums of what it was made of (its source, all headers, options.txt, compile.c, and
requirements.txt, which names the compiler's version) and of itself: tests/ptx.rs finds stale PTX by them, without NVRTC.

PTX made by NVRTC 12.0 runs on drivers from 525 on, and PTX for compute_60 on every GPU since Pascal. NVRTC is called by
compile.c, which a C compiler (cc) makes into a program first: called as it is, NVRTC gives another text each time.
"""

import argparse
import concurrent.futures
import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import zlib

KERNELS = pathlib.Path(__file__).resolve().parent
OPTIONS = (KERNELS / "options.txt").read_text().split()
SOURCES = KERNELS / "sources.txt"
TITLE = "# CRC-32 of what each PTX was made of, and of the PTX: written by build.py, compared by tests/ptx.rs\n"


def folder_of_nvrtc():
    spec = importlib.util.find_spec("nvidia.cuda_nvrtc")
    if spec is None:
        sys.exit("NVRTC is missing: pip install -r kernels/requirements.txt")
    return pathlib.Path(spec.submodule_search_locations[0]) / "lib"


def make_compiler(folder):
    """Makes compile.c into a program in `folder` and gives its path."""
    program = pathlib.Path(folder) / "compile"
    # A builtin malloc would let the compiler make calloc of malloc and memset, which is calloc calling itself.
    command = ["cc", "-O1", "-fno-builtin-malloc", "-o", program, KERNELS / "compile.c", "-ldl"]
    try:
        subprocess.run(command, check=True)
    except FileNotFoundError:
        sys.exit("a C compiler (cc) is missing")
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)
    return program


def compile_to_ptx(program, nvrtc, source):
    """The PTX of one source file. Raises RuntimeError with the compiler's log, warnings included."""
    headers = sorted(KERNELS.glob("*.cuh"))
    result = subprocess.run([program, nvrtc, source, *headers, "--", *OPTIONS], capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(result.stderr.strip() or f"{source.name}: exit code {result.returncode}")
    return result.stdout


def inputs(source):
    """All that decides the PTX of one source file, in the order of its checksum."""
    beside = [KERNELS / name for name in ("compile.c", "options.txt", "requirements.txt")]
    return [source, *sorted(KERNELS.glob("*.cuh")), *beside]


def checksums(source, ptx):
    """The line of sources.txt for one source file and its PTX."""
    made_of = 0
    for path in inputs(source):
        made_of = zlib.crc32(path.name.encode() + b"\0" + path.read_bytes() + b"\0", made_of)
    return f"{source.stem} {made_of:08x} {zlib.crc32(ptx.encode()):08x}\n"


def written_checksums():
    """The lines of sources.txt, by the names of the sources."""
    lines = SOURCES.read_text().splitlines(keepends=True) if SOURCES.exists() else []
    return {line.split()[0]: line for line in lines if not line.startswith("#")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with what is committed, write nothing")
    parser.add_argument("names", nargs="*", help="source files without their ending; all unless given")
    arguments = parser.parse_args()

    sources = sorted(KERNELS.glob("*.cu"))
    unknown = set(arguments.names) - {source.stem for source in sources}
    if unknown:
        parser.error("no such source: " + ", ".join(sorted(unknown)))
    chosen = [source for source in sources if not arguments.names or source.stem in arguments.names]

    nvrtc = folder_of_nvrtc()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor() as threads:
        program = make_compiler(folder)
        try:
            texts = list(threads.map(lambda source: compile_to_ptx(program, nvrtc, source), chosen))
        except RuntimeError as error:
            sys.exit(str(error))

    stale = []
    lines = written_checksums()
    for source, ptx in zip(chosen, texts):
        path = KERNELS / "ptx" / f"{source.stem}.ptx"
        line = checksums(source, ptx)
        if not arguments.check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(ptx)
            lines[source.stem] = line
        elif not path.exists() or path.read_text() != ptx:
            stale.append(path.name)
        elif lines.get(source.stem) != line:
            stale.append(f"sources.txt ({source.stem})")
    if not arguments.check:
        SOURCES.write_text(TITLE + "".join(lines[source.stem] for source in sources if source.stem in lines))
    orphans = {path.stem for path in (KERNELS / "ptx").glob("*.ptx")} - {source.stem for source in sources}
    stale += sorted(f"{name}.ptx (no source)" for name in orphans)
    if stale:
        sys.exit("not what the sources give, run kernels/build.py: " + ", ".join(stale))


if __name__ == "__main__":
    main()
