#!/usr/bin/env python3
"""Drives a real window on an NVIDIA GPU and holds its pixels against `lerpscope render`.

    python3 tests/gpu/window.py PATH/TO/lerpscope IMAGE [FOLDER for screenshots]

Needs a display whose OpenGL is the GPU's, xdotool, NumPy and Pillow. Passes where, after opening, a drag, wheel notches and
keys, without filters and with chains of them, every panel's pixels equal `render --backend cuda` of the view that the
window logged, byte for byte, and `--backend cpu` to one 8-bit step. cargo test cannot run this: it has no such machine.
"""

import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from PIL import Image, ImageGrab


def xdotool(*words):
    subprocess.run(["xdotool", *map(str, words)], check=True)


def settle(log, quiet=1.0, limit=20.0):
    """Waits until the window has logged nothing for a while."""
    end, size, since = time.time() + limit, -1, time.time()
    while time.time() < end:
        now = log.stat().st_size
        if now != size:
            size, since = now, time.time()
        elif size > 0 and time.time() - since > quiet:
            return
        time.sleep(0.1)
    raise SystemExit("the window does not come to rest:\n" + log.read_text())


def frames(log):
    """The last frame of each panel: place and options."""
    found = {}
    for line in log.read_text().splitlines():
        if "panel " in line and " at " in line:
            name, rest = line.split("panel ", 1)[1].split(" at ", 1)
            place, options = rest.split(": ", 1)
            found[name] = (tuple(map(int, place.split(","))), options)
    return found


def rendered(binary, image, options, backend):
    with tempfile.NamedTemporaryFile(suffix=".png") as out:
        command = [binary, "render", image, *shlex.split(options), "--depth", "8", "--backend", backend, "-o", out.name]
        subprocess.run(command, check=True)
        return np.asarray(Image.open(out.name).convert("RGB")).astype(int)


def compare(binary, image, log, shot, step):
    panels = frames(log)
    assert len(panels) >= 4, log.read_text()
    worst_cpu = 0
    for name, ((left, top), options) in sorted(panels.items()):
        cuda = rendered(binary, image, options, "cuda")
        cpu = rendered(binary, image, options, "cpu")
        height, width = cuda.shape[:2]
        seen = np.asarray(shot)[top : top + height, left : left + width, :3].astype(int)
        # The pointer's cross-hairs and read-outs are drawn over pictures: the pointer is outside while this looks.
        off = int(np.abs(seen - cuda).max())
        assert off == 0, f"{step}: panel {name} differs from render --backend cuda by {off}: {options}"
        worst_cpu = max(worst_cpu, int(np.abs(seen - cpu).max()))
    assert worst_cpu <= 1, f"{step}: {worst_cpu} steps from the CPU's pixels"
    print(f"{step}: {len(panels)} panels equal render --backend cuda byte for byte; {worst_cpu} step from cpu")


CHAINS = """
[[panel]]
sampler = "method=linear"
filter = ["gaussian=2", "negative"]

[[panel]]
sampler = "method=catmull-rom"
filter = ["bilateral=3,0.1,5"]
filter-after = ["gamma=2.2", "sobel"]

[[panel]]
sampler = "method=nearest"
filter-after = ["median=1", "unsharp=2,0.8", "brightness=1.2"]

[[panel]]
sampler = "method=lanczos3"
filter = ["gaussian=12"]
"""

STEPS = [
    ("opened", []),
    ("dragged", [("mousemove", 200, 250), ("mousedown", 1), ("mousemove", 260, 300), ("mousemove", 300, 290), ("mouseup", 1)]),
    ("zoomed", [("mousemove", 300, 300)] + [("click", 4)] * 6),
    ("prefiltered", [("key", "p"), ("key", "a")]),
]


def drive(binary, image, arguments, steps, folder):
    log = Path(tempfile.mkstemp(suffix=".log")[1])
    env = dict(os.environ, RUST_LOG="lerpscope=debug")
    with log.open("w") as out:
        window = subprocess.Popen([binary, *arguments], env=env, stdout=out, stderr=out)
    try:
        settle(log)
        for step, actions in steps:
            for action in actions:
                xdotool(*action)
                time.sleep(0.15)
            xdotool("mousemove", 1279, 859)
            settle(log)
            time.sleep(0.5)
            shot = ImageGrab.grab(xdisplay=os.environ["DISPLAY"])
            shot.save(folder / f"gpu-{step.replace(' ', '-')}.png")
            compare(binary, image, log, shot, step)
    finally:
        window.terminate()
        window.wait()
        sys.stderr.write("".join(line for line in log.read_text().splitlines(True) if "WARN" in line or "ERROR" in line))


def main():
    binary, image = sys.argv[1:3]
    folder = Path(sys.argv[3] if len(sys.argv) > 3 else ".")
    print("window:", subprocess.run([binary, "info"], capture_output=True, text=True).stdout.strip())
    drive(binary, image, [image], STEPS, folder)
    session = folder / "chains.toml"
    session.write_text(f"images = [{json.dumps(str(Path(image).resolve()))}]\n{CHAINS}")
    drive(binary, image, ["--session", str(session)], [(f"filters {step}", actions) for step, actions in STEPS[:3]], folder)


if __name__ == "__main__":
    main()
