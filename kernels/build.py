#!/usr/bin/env python3
"""Compiles the CUDA kernels to PTX with NVRTC 12.0 and assembles cubins with ptxas 12.9. Needs no GPU, no CUDA toolkit and
no C compiler.

    pip install -r kernels/requirements.txt
    python3 kernels/build.py            # compiles the modules whose inputs changed
    python3 kernels/build.py --all      # compiles every module
    python3 kernels/build.py --check    # compares the hashes in compiled/MANIFEST; needs no compiler, takes milliseconds
    python3 kernels/build.py --compare  # compiles every module again and compares; writes nothing

The sources hold functions; `modules()` below is the table of the entries that are made of them. A module is a group of
entries that differ in their output alone. Each module is committed as kernels/compiled/MODULE.TARGET.xz:

    MODULE.ptx.xz     the PTX of each entry, in the order of the table, each ended by a NUL byte
    MODULE.sm_XX.xz   one cubin with all entries, for devices of that major version

compiled/modules.rs is the list that the program embeds, compiled/MANIFEST the SHA-256 of every input and output.

PTX of NVRTC 12.0 runs on drivers from 525 on; PTX for compute_60 runs on every GPU since Pascal. A cubin is the machine code
of the same PTX. Cubins of each assembler of CUDA 12 run on drivers from 525 on (CUDA minor version compatibility): the newest
one makes the code that the drivers of today make of the PTX. A cubin runs on its own and on later minor versions of one major
version.
"""

import argparse
import base64
import concurrent.futures
import ctypes
import dataclasses
import hashlib
import importlib.util
import itertools
import json
import lzma
import os
import pathlib
import re
import subprocess
import sys
import tempfile

KERNELS = pathlib.Path(__file__).resolve().parent
COMPILED = KERNELS / "compiled"
MANIFEST = COMPILED / "MANIFEST"
RUST_LIST = COMPILED / "modules.rs"
# What every module depends on beside its own source: the options and the compiler's version.
COMMON = ("options.txt", "requirements.txt")
PTX_ARCHITECTURE = "compute_60"
CUBINS = ("sm_75", "sm_80", "sm_90")
# Instructions are 16 bytes long: the position in them predicts a byte better than the byte before it.
FILTERS = {
    "ptx": [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME}],
    "cubin": [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 0, "lp": 3, "pb": 3}],
}


@dataclasses.dataclass(frozen=True)
class Entry:
    """A kernel: `extern "C" __global__ void NAME(PARAMETERS) { CALL; }`."""

    name: str
    call: str


@dataclasses.dataclass(frozen=True)
class Module:
    """Entries of one source that are loaded together."""

    name: str
    source: str
    entries: tuple
    # The parameters of the entries.
    parameters: str = ""
    # The arguments of __launch_bounds__.
    bounds: str = ""
    # Whether launches ask for dynamic shared memory.
    shares: bool = False
    # Whether cubins are made beside the PTX.
    cubins: bool = False


# __launch_bounds__ that keep a thread within 32 registers, where full occupancy is worth the few that are spilled.
FULL_OCCUPANCY = "1024, 2"
SAMPLES = {"u8": "unsigned char", "u16": "unsigned short", "f32": "float"}
INTEGERS = ("u8", "u16")
VALUES = {"grey": "float", "colour": "float4"}
CHANNELS = {"grey": 1, "colour": 4}
COMPONENTS = {"real": "float", "complex": "float2"}
OUTPUTS = {
    "grey": {"grey8": "OUTPUT_GREY8", "rgba8": "OUTPUT_RGBA8", "values": "OUTPUT_VALUES"},
    "colour": {"rgba8": "OUTPUT_RGBA8", "values": "OUTPUT_VALUES"},
}


def alone(source, argument, name, call, **options):
    """A module of one entry, which takes one `argument` and is called like the module."""
    return Module(name, source, (Entry(name, f"{call}(args)"),), f"const {argument} args", **options)


def modules():
    """Every module. The names of the entries are those of `Entry` in src/backend/cuda/kernels."""
    # One launch, a footprint a block.
    for kind, channels, taps in itertools.product(SAMPLES, CHANNELS, (1, 2, 4, 6, 8)):
        name = f"tiled_{kind}_{channels}_{taps}"
        arguments = f"{SAMPLES[kind]}, {CHANNELS[channels]}, {taps}"
        entries = tuple(
            Entry(f"{name}_{output}", f"tiled<{arguments}, {number}>(args)") for output, number in OUTPUTS[channels].items()
        )
        yield Module(
            name, "tiled.cuh", entries, "const TiledArguments args", bounds="32 * WARPS", shares=True, cubins=kind == "u8"
        )
    # One launch, samples straight to registers.
    families = {"cubic": ("false", (1, 2, 4)), "lanczos": ("true", (4, 6, 8))}
    for kind, form, family in itertools.product(INTEGERS, ("spread", "unit"), families):
        is_lanczos, all_taps = families[family]
        for taps in all_taps:
            if form == "spread" and taps > 6:
                continue
            name = f"direct_{kind}_{form}_{family}_{taps}"
            is_unit = "true" if form == "unit" else "false"
            entries = tuple(
                Entry(f"{name}_{output}", f"direct<{SAMPLES[kind]}, {taps}, {is_lanczos}, {number}, {is_unit}>(args)")
                for output, number in OUTPUTS["grey"].items()
            )
            yield Module(
                name, "direct.cuh", entries, "const TiledArguments args", bounds="32 * WARPS", cubins=kind == "u8"
            )
    # The same for every kind, and under any address mode. A weight of 0 makes no number of an infinite sample, so floats have one form alone.
    for kind, channels, form in itertools.product(SAMPLES, CHANNELS, ("spread", "unit")):
        for taps in (1, 2, 4, 6, 8):
            if (channels == "grey" and taps > 6) or (form == "spread" and (taps > 6 or kind == "f32")):
                continue
            name = f"columns_{kind}_{channels}_{form}_{taps}"
            is_unit = "true" if form == "unit" else "false"
            entries = tuple(
                Entry(f"{name}_{output}", f"columns<{SAMPLES[kind]}, {CHANNELS[channels]}, {taps}, {number}, {is_unit}>(args)")
                for output, number in OUTPUTS[channels].items()
            )
            # As many blocks a multiprocessor as its registers hold without spilling many.
            blocks = {1: 6, 2: 6, 4: 6 if (form, channels) == ("unit", "colour") else 5, 6: 4, 8: 3}[taps]
            blocks = {"u8": blocks, "u16": min(blocks, 4), "f32": 4 if channels == "grey" else 1}[kind]
            yield Module(
                name, "columns.cuh", entries, "const TiledArguments args", bounds=f"32 * WARPS, {blocks}", cubins=kind == "u8"
            )
    # Two passes by tables, and any view from plain memory.
    for (kind, sample), (channels, value) in itertools.product(SAMPLES.items(), VALUES.items()):
        suffix, arguments = f"{kind}_{channels}", f"<{sample}, {value}>"
        yield alone(
            "passes.cu", "PassArguments", f"pass_vertical_{suffix}", f"pass_vertical{arguments}", bounds=FULL_OCCUPANCY, cubins=True
        )
        yield alone("passes.cu", "MemoryArguments", f"memory_{suffix}", f"memory{arguments}", cubins=True)
        # Any view through a warp.
        yield alone("warped.cu", "WarpedArguments", f"warped_{suffix}", f"warped{arguments}")
        # By the samples that surround a tile: one short pole, or any poles one after another.
        for name, warm_up in {"prefilter": 16, "prefilter_cascade": 24}.items():
            yield alone(
                "prefilter.cu", "PrefilterArguments", f"{name}_{suffix}",
                f"prefilter<{sample}, {CHANNELS[channels]}, {warm_up}>", bounds="SPAN",
            )
        yield alone(
            "gaussian.cu", "GaussianArguments", f"gaussian_horizontal_{suffix}", f"gaussian_horizontal{arguments}", shares=True
        )
    for channels, value in VALUES.items():
        yield alone("passes.cu", "PassArguments", f"pass_horizontal_{channels}", f"pass_horizontal<{value}>", cubins=True)
        yield alone(
            "gaussian.cu", "GaussianArguments", f"gaussian_vertical_{channels}", f"gaussian_vertical<{value}>",
            bounds={"grey": "128, 5", "colour": "256, 2"}[channels], shares=True,
        )
    # Narrow blurs of integers in one launch: as many blocks a multiprocessor as its registers hold without spilling any.
    blocks_of_reach = {8: {"grey": 9, "colour": 6}, 16: {"grey": 8, "colour": 6}}
    for (reach, blocks), kind, (channels, value) in itertools.product(blocks_of_reach.items(), INTEGERS, VALUES.items()):
        yield alone(
            "gaussian_tile.cuh", "GaussianArguments", f"gaussian_tile_{reach}_{kind}_{channels}",
            f"gaussian_tile<{SAMPLES[kind]}, {value}, {reach}>", bounds=f"THREADS, {blocks[channels]}", shares=True,
        )
    # The texture unit, by the forms of weights that an entry evaluates and the number of taps.
    forms = {"linear": (2,), "symmetric": (4,), "any": (1, 2, 4, 6, 8)}
    for form, taps in ((form, taps) for form, all_taps in forms.items() for taps in all_taps):
        arguments = f"FORM_{form.upper()}, {taps}"
        for channels, value in VALUES.items():
            name = f"lookup_points_{form}_{channels}_{taps}"
            yield alone("lookup.cu", "PixelArguments", name, f"lookup_points<{arguments}, {value}>")
        if taps > 1:
            bounds = FULL_OCCUPANCY if form == "symmetric" else ""
            name = f"lookup_gather_{form}_grey_{taps}"
            yield alone("lookup.cu", "PixelArguments", name, f"lookup_gather<{arguments}>", bounds=bounds)
    for fetches, (channels, value) in itertools.product(("point", "linear", "pairs", "middle"), VALUES.items()):
        name, arguments = f"filtered_{fetches}_{channels}", f"FETCH_{fetches.upper()}, {value}"
        yield alone("filtered.cu", "PixelArguments", name, f"filtered<{arguments}>")
    for channels, value in VALUES.items():
        yield alone("filtered.cu", "PixelArguments", f"filtered_table_{channels}", f"filtered_table<{value}>")
    # Filters.
    for channels, value in VALUES.items():
        yield alone("filters.cu", "PointArguments", f"points_{channels}", f"points<{value}>", shares=True)
        for name in ("bilateral", "unsharp", "sobel"):
            yield alone("filters.cu", "FilterArguments", f"{name}_{channels}", f"{name}<{value}>", shares=True)
        yield alone("filters.cu", "ConvolutionArguments", f"convolve_{channels}", f"convolve<{value}>", shares=True)
        for width, function in {"narrow": "median_narrow", "wide": "median_wide", "widest": "median_wide"}.items():
            windows = {"narrow": "", "wide": ", Wide", "widest": ", Widest"}
            yield alone(
                "median.cu", "FilterArguments", f"median_{width}_{channels}", f"{function}<{value}{windows[width]}>", shares=True
            )
    # Grids at points: by plain loads with two and four taps, by any taps, and through the texture unit.
    for components, value in COMPONENTS.items():
        for dimensions, taps in itertools.product((1, 2, 3, 4), (2, 4)):
            name = f"grid_values_{components}_{dimensions}_{taps}"
            yield alone("grids.cu", "GridArguments", name, f"grid_values<{value}, {dimensions}, {taps}>")
        yield alone("grids.cu", "GridArguments", f"grid_any_{components}", f"grid_any<{value}>")
        for dimensions in (1, 2, 3):
            suffix, arguments = f"{components}_{dimensions}", f"{value}, {dimensions}"
            for taps in (2, 4):
                name = f"grid_points_{suffix}_{taps}"
                yield alone("grid_fetches.cu", "GridFetchArguments", name, f"grid_points<{arguments}, {taps}>")
            yield alone("grid_fetches.cu", "GridFetchArguments", f"grid_linear_{suffix}", f"grid_linear<{arguments}>")
            yield alone("grid_fetches.cu", "GridFetchArguments", f"grid_pairs_{suffix}", f"grid_pairs<{arguments}>")
        name = f"grid_pairs_{components}_4"
        yield alone("grid_fetches.cu", "GridFetchArguments", name, f"grid_pairs_outer<{value}>")
    yield alone("grid_prefilter.cu", "GridPrefilterArguments", "grid_prefilter", "prefilter_line")
    # Oblique planes of volumes: by one cubic a tap, by other weights of few taps, by any taps, and by any taps through a warp.
    for taps in (1, 2, 3, 4):
        yield alone("slices.cu", "SliceArguments", f"slice_{taps}", f"slice<{taps}>")
    for taps in (4, 6, 8):
        yield alone("slices.cu", "SliceArguments", f"slice_curves_{taps}", f"slice_by_curves<{taps}>")
    yield alone("slices.cu", "SliceArguments", "slice_any", "slice_plain")
    yield alone("slices.cu", "WarpedSliceArguments", "slice_warped", "slice_through_warp")
    # Both axes of a blur by one kernel that transposes, for the race of block shapes.
    yield alone("transposed.cu", "GaussianArguments", "gaussian_transposed_grey", "gaussian_transposed<float>")
    # The display mapping.
    yield alone("display.cu", "DisplayArguments", "display", "show")
    # What `bench` and the tests launch.
    yield Module("store_plain", "bench.cu", (Entry("store_plain", "store_plain_bytes(target, value)"),),
                 "const Target target, unsigned value")
    yield alone("bench.cu", "PixelArguments", "global_points_grey_4", "global_points")
    yield alone("bench.cu", "PixelArguments", "fetch1d_points_grey_4", "fetch1d_points")
    yield alone("grid_fetches.cu", "GridFetchArguments", "grid_table", "grid_pairs_by_table")
    yield alone("grid_fetches.cu", "GridArguments", "grid_wide", "grid_linear_by_wide_loads")
    yield Module("trap", "bench.cu", (Entry("trap", "fail()"),))


def source_of(module, entries):
    """The program text that has these entries of `module`."""
    bounds = f" __launch_bounds__({module.bounds})" if module.bounds else ""
    lines = [f'#include "{module.source}"']
    lines += [f'extern "C" __global__ void{bounds} {entry.name}({module.parameters}) {{ {entry.call}; }}' for entry in entries]
    return "\n".join(lines) + "\n"


@dataclasses.dataclass(frozen=True)
class Output:
    """A committed file: a module for one target."""

    module: Module
    target: str

    @property
    def file(self):
        return f"{self.module.name}.{self.target}.xz"

    @property
    def texts(self):
        """The program texts that are compiled one by one: PTX is compiled by the driver, an entry alone is quicker."""
        entries = self.module.entries
        if self.target == "ptx":
            return [source_of(self.module, (entry,)) for entry in entries]
        return [source_of(self.module, entries)]


def outputs():
    """Every committed file."""
    for module in modules():
        for target in ("ptx", *CUBINS) if module.cubins else ("ptx",):
            yield Output(module, target)


def included(name, seen):
    """Adds to `seen` the files of this folder that the file `name` includes, itself first."""
    if name not in seen:
        seen[name] = (KERNELS / name).read_bytes()
        for header in re.findall(rb'^\s*#include "([^"]+)"', seen[name], re.MULTILINE):
            included(header.decode(), seen)


def hash_of(data):
    return hashlib.sha256(data).hexdigest()


def hash_of_inputs(output):
    """The hash of all that decides the bytes of `output`: texts, included files, options, target, compiler."""
    files = {}
    included(output.module.source, files)
    for name in COMMON:
        files[name] = (KERNELS / name).read_bytes()
    parts = [PTX_ARCHITECTURE, output.target, *output.texts]
    parts += [f"{name} {hash_of(data)}" for name, data in sorted(files.items())]
    return hash_of("\0".join(parts).encode())


def input_files():
    """Every file whose change may change an output, sorted by name."""
    sources = [*KERNELS.glob("*.cu"), *KERNELS.glob("*.cuh")]
    return sorted([path.name for path in sources] + ["build.py", *COMMON])


def manifest_text(hashes, is_complete=True):
    """The manifest; `hashes` has for each output the hash of its inputs and of its bytes.

    A manifest that is not complete names no input: its outputs are known, and no check accepts it.
    """
    lines = ["# SHA-256 of an input, file"]
    if is_complete:
        lines += [f"{hash_of((KERNELS / name).read_bytes())}  {name}" for name in input_files()]
    lines.append("# SHA-256 of all that a module is made of, of its file, file")
    lines += [f"{made_of}  {data}  compiled/{file}" for file, (made_of, data) in sorted(hashes.items())]
    return "\n".join(lines) + "\n"


def read_manifest():
    """For each output in the manifest the hash of its inputs and of its bytes; other lines are ignored."""
    lines = MANIFEST.read_text().splitlines() if MANIFEST.exists() else []
    found = [re.fullmatch(r"([0-9a-f]{64})  ([0-9a-f]{64})  compiled/(\S+)", line) for line in lines]
    return {match[3]: (match[1], match[2]) for match in found if match}


def rust_list():
    """The list of the modules that src/backend/cuda/kernels/modules.rs includes."""
    lines = ["// Written by kernels/build.py.", "&["]
    for module in sorted(modules(), key=lambda module: module.name):
        entries = ", ".join(f'"{entry.name}"' for entry in module.entries)
        bytes_of = lambda target: f'include_bytes!("{module.name}.{target}.xz")'
        cubins = ", ".join(f'({int(target[3:]) // 10}, {bytes_of(target)})' for target in CUBINS if module.cubins)
        shares = "true" if module.shares else "false"
        lines += [
            "    Module {",
            f'        name: "{module.name}",',
            f"        entries: &[{entries}],",
            f"        shares: {shares},",
            f"        ptx: {bytes_of('ptx')},",
            f"        cubins: &[{cubins}],",
            "    },",
        ]
    return "\n".join([*lines, "]"]) + "\n"


@dataclasses.dataclass(frozen=True)
class Compilers:
    """The folder of NVRTC's library and the program ptxas."""

    library: pathlib.Path
    assembler: pathlib.Path


def find_compilers():
    """The compilers of requirements.txt. Ends the process where one is not installed."""
    folders = []
    for package in ("nvidia.cuda_nvrtc", "nvidia.cuda_nvcc"):
        try:
            spec = importlib.util.find_spec(package)
        except ModuleNotFoundError:
            spec = None
        if spec is None:
            sys.exit(f"{package} is missing: pip install -r kernels/requirements.txt")
        folders.append(pathlib.Path(spec.submodule_search_locations[0]))
    return Compilers(library=folders[0] / "lib", assembler=folders[1] / "bin" / "ptxas")


def is_stale(output, known):
    """Whether the committed file of `output` is missing, or is not what the manifest says, or has other inputs."""
    path = COMPILED / output.file
    made_of, data = known.get(output.file, (None, None))
    return not path.exists() or hash_of(path.read_bytes()) != data or hash_of_inputs(output) != made_of


def fix_addresses():
    """Starts this process again without address space randomization, where Linux has it.

    NVRTC orders some of what it writes by the addresses of its own data. A process of its own for each module and the same
    addresses in each give the same bytes each time on one machine.
    """
    no_randomization = 0x0040000
    try:
        personality = ctypes.CDLL(None).personality
    except AttributeError:
        return
    current = personality(0xFFFFFFFF)
    if current != -1 and not current & no_randomization and personality(current | no_randomization) != -1:
        os.execv(sys.executable, [sys.executable, *sys.argv])


def compile_from_standard_input():
    """The work of a process of its own: reads texts and options as JSON, writes what the compiler makes of them."""
    fix_addresses()
    job = json.load(sys.stdin)
    library = ctypes.CDLL(str(next(pathlib.Path(job["library"]).glob("libnvrtc.so.*"))))
    print(json.dumps([base64.b64encode(compiled(library, text, job)).decode() for text in job["texts"]]))


def compiled(library, text, job):
    """PTX of one program text. Ends the process with the compiler's log where that is not empty."""
    headers = {name: (KERNELS / name).read_bytes() for name in job["headers"]}
    names = (ctypes.c_char_p * len(headers))(*(name.encode() for name in headers))
    contents = (ctypes.c_char_p * len(headers))(*headers.values())
    program = ctypes.c_void_p()

    def call(function, *arguments):
        code = getattr(library, function)(*arguments)
        if code != 0:
            sys.exit(f"{job['name']}: {function} fails with {code}\n{log()}")

    def read(function):
        size = ctypes.c_size_t()
        call(f"{function}Size", program, ctypes.byref(size))
        data = ctypes.create_string_buffer(size.value)
        call(function, program, data)
        return data.raw

    def log():
        return read("nvrtcGetProgramLog").rstrip(b"\0").decode().strip()

    call("nvrtcCreateProgram", ctypes.byref(program), text.encode(), b"entries", len(headers), contents, names)
    options = [option.encode() for option in job["options"]]
    code = library.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
    if code != 0 or log():
        sys.exit(f"{job['name']}:\n{log()}")
    return read("nvrtcGetPTX")


def assembled(output, ptx, assembler):
    """The cubin of `ptx`. Raises RuntimeError with the assembler's log."""
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = pathlib.Path(folder) / "entries.ptx", pathlib.Path(folder) / "entries.cubin"
        source.write_bytes(ptx.rstrip(b"\0"))
        command = [assembler, f"--gpu-name={output.target}", "--output-file", cubin.name, source.name]
        result = subprocess.run(command, capture_output=True, text=True, cwd=folder)
        if result.returncode != 0:
            raise RuntimeError(f"{output.file}: {result.stderr.strip() or f'exit code {result.returncode}'}")
        return cubin.read_bytes()


def compile_output(output, compilers):
    """The uncompressed bytes of `output`. Raises RuntimeError with a compiler's log."""
    files = {}
    included(output.module.source, files)
    job = {
        "name": output.module.name,
        "texts": output.texts,
        "headers": sorted(files),
        "options": [f"--gpu-architecture={PTX_ARCHITECTURE}", *(KERNELS / "options.txt").read_text().split()],
        "library": str(compilers.library),
    }
    command = [sys.executable, "-I", str(KERNELS / "build.py"), "--compile-from-standard-input"]
    environment = {"PYTHONHASHSEED": "0"}
    result = subprocess.run(command, input=json.dumps(job), capture_output=True, text=True, env=environment)
    if result.returncode != 0:
        raise RuntimeError(result.stderr.strip() or f"{output.file}: exit code {result.returncode}")
    parts = [base64.b64decode(part) for part in json.loads(result.stdout)]
    # The compiler ends PTX by a NUL byte of its own.
    ptx = b"".join(parts)
    return ptx if output.target == "ptx" else assembled(output, ptx, compilers.assembler)


def compressed(output, data):
    filters = FILTERS["ptx" if output.target == "ptx" else "cubin"]
    return lzma.compress(data, lzma.FORMAT_XZ, lzma.CHECK_CRC32, filters=filters)


def check():
    """Whether the committed files are those that the manifest names, of the inputs that it names: the differences."""
    known = read_manifest()
    problems = [output.file for output in outputs() if is_stale(output, known)]
    files = {output.file for output in outputs()}
    problems += [f"{path.name} (no module)" for path in COMPILED.glob("*.xz") if path.name not in files]
    if not MANIFEST.exists() or MANIFEST.read_text() != manifest_text(known):
        problems.append("MANIFEST")
    if not RUST_LIST.exists() or RUST_LIST.read_text() != rust_list():
        problems.append("modules.rs")
    return problems


def build(chosen, jobs):
    """Compiles and writes `chosen`, then the manifest and the list; removes files of modules that are gone."""
    COMPILED.mkdir(exist_ok=True)
    known = read_manifest()
    compilers = find_compilers() if chosen else None
    with concurrent.futures.ThreadPoolExecutor(jobs) as threads:
        work = {threads.submit(compile_output, output, compilers): output for output in chosen}
        for done, future in enumerate(concurrent.futures.as_completed(work), 1):
            output = work[future]
            try:
                data = compressed(output, future.result())
            except RuntimeError as error:
                threads.shutdown(cancel_futures=True)
                MANIFEST.write_text(manifest_text(known, is_complete=False))
                sys.exit(str(error))
            (COMPILED / output.file).write_bytes(data)
            known[output.file] = (hash_of_inputs(output), hash_of(data))
            print(f"{done}/{len(chosen)} {output.file}: {len(data)} bytes", file=sys.stderr)
    files = {output.file for output in outputs()}
    for path in COMPILED.glob("*.xz"):
        if path.name not in files:
            path.unlink()
    RUST_LIST.write_text(rust_list())
    MANIFEST.write_text(manifest_text({file: hashes for file, hashes in known.items() if file in files}))
    total = sum(path.stat().st_size for path in COMPILED.glob("*.xz"))
    print(f"{len(chosen)} of {len(files)} files compiled, {total} bytes in all", file=sys.stderr)


def compare(jobs):
    """Compiles every module again: the files whose contents differ from what is committed."""
    compilers = find_compilers()
    every = list(outputs())
    with concurrent.futures.ThreadPoolExecutor(jobs) as threads:
        contents = threads.map(lambda output: compile_output(output, compilers), every)
        return [o.file for o, data in zip(every, contents) if lzma.decompress((COMPILED / o.file).read_bytes()) != data]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--all", action="store_true", help="compile every module, changed or not")
    what.add_argument("--check", action="store_true", help="compare hashes, write nothing; exit code 1 where they differ")
    what.add_argument("--compare", action="store_true", help="compile every module, compare, write nothing")
    what.add_argument("--compile-from-standard-input", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="modules compiled at once [%(default)s]")
    arguments = parser.parse_args()

    if arguments.compile_from_standard_input:
        compile_from_standard_input()
    elif arguments.check or arguments.compare:
        problems = check() if arguments.check else compare(arguments.jobs)
        if problems:
            names = ", ".join(sorted(problems)[:8]) + (" …" if len(problems) > 8 else "")
            sys.exit(f"{len(problems)} files are not what the sources give, run kernels/build.py: {names}")
    else:
        known = read_manifest()
        build([output for output in outputs() if arguments.all or is_stale(output, known)], arguments.jobs)


if __name__ == "__main__":
    main()
