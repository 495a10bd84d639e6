#!/usr/bin/env python3
"""Sends seeded random events to a real window and measures what they leave behind.

    python3 tests/gpu/storm.py PATH/TO/lerpscope IMAGE [--events 100000] [--seed 1] [--backend auto]

Needs a display, xdotool, NumPy and Pillow. The window runs in a temporary folder with copies of IMAGE; nothing outside is
written. Motion, wheel, buttons, keys, modifiers, typed text and window sizes are sent in batches through the X test
extension. Resident memory is read every two seconds. After the storm the window opens a known session: it answers if
every panel then equals `lerpscope render` byte for byte. Processor time at rest is read before and after that session.

Prints one JSON object. Exit code 1: the window died, caught a panic of a frame, did not answer, was not at rest, or its
memory grew during the last third of the storm by more than --growth MiB.
"""

import argparse
import json
import os
import random
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from PIL import Image, ImageGrab

SCREEN = (1280, 860)
# Keys of every command row, and keys that belong to no row.
LETTERS = "abcdefghijklmnopqrstuvwxyz"
NAMED = (
    "1 2 3 4 5 6 7 8 9 0 plus minus equal comma period bracketleft bracketright slash question space Tab Return "
    "BackSpace Delete Escape F1 F11 Page_Up Page_Down Home End Left Right Up Down"
).split()
MODIFIERS = ("ctrl", "shift", "alt")
# Ctrl+Q closes the window. Ctrl+O asks the desktop for a dialog.
NEVER = {("ctrl", "q"), ("ctrl", "o")}


def xdotool(lines):
    """Sends a batch of xdotool commands, a line each."""
    subprocess.run(["xdotool", "-"], input="\n".join(lines) + "\n", text=True, check=True, stdout=subprocess.DEVNULL)


class Storm:
    """A seeded source of events, each one line for xdotool."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.pos = [SCREEN[0] // 2, SCREEN[1] // 2]
        self.size = list(SCREEN)
        self.buttons = set()
        self.held = set()

    def move(self, far):
        for axis in (0, 1):
            if far:
                self.pos[axis] = self.random.randrange(self.size[axis])
            else:
                step = self.random.randint(-40, 40)
                self.pos[axis] = min(max(self.pos[axis] + step, 0), self.size[axis] - 1)
        return f"mousemove {self.pos[0]} {self.pos[1]}"

    def key(self):
        key = self.random.choice(LETTERS) if self.random.random() < 0.5 else self.random.choice(NAMED)
        held = set(self.held)
        chord = [name for name in ("ctrl", "shift") if self.random.random() < 0.25]
        if any((modifier, key) in NEVER for modifier in held.union(chord)):
            key = "f"
        return f"key --delay 0 {'+'.join([*chord, key])}"

    def event(self, window):
        choice = self.random.random()
        if choice < 0.45:
            return self.move(far=False)
        if choice < 0.55:
            return self.move(far=True)
        if choice < 0.68:
            button = self.random.choice((1, 1, 1, 2, 3))
            down = button not in self.buttons
            (self.buttons.add if down else self.buttons.discard)(button)
            return f"{'mousedown' if down else 'mouseup'} {button}"
        if choice < 0.78:
            return f"click --delay 0 {self.random.choice((4, 4, 5, 5, 6, 7))}"
        if choice < 0.80:
            return f"click --delay 0 --repeat 2 {self.random.choice((1, 3))}"
        if choice < 0.84:
            modifier = self.random.choice(MODIFIERS)
            down = modifier not in self.held
            (self.held.add if down else self.held.discard)(modifier)
            return f"{'keydown' if down else 'keyup'} {modifier}"
        if choice < 0.995:
            return self.key()
        if choice < 0.998:
            text = "".join(self.random.choice("0123456789./e ") for _ in range(self.random.randint(1, 6)))
            return f"type --delay 0 '{text}'"
        self.size = [self.random.randint(640, SCREEN[0]), self.random.randint(440, SCREEN[1])]
        return f"windowsize {window} {self.size[0]} {self.size[1]}"

    def calm(self, window):
        """Everything released, the window as large as at first, all that is open closed."""
        releases = [f"mouseup {button}" for button in (1, 2, 3)] + [f"keyup {name}" for name in MODIFIERS]
        return [*releases, f"windowsize {window} {SCREEN[0]} {SCREEN[1]}", f"mousemove {SCREEN[0] - 1} {SCREEN[1] - 1}"]


def memory_mib(pid):
    """Resident memory: all of it, and its anonymous part."""
    fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return [int(fields[name].split()[0]) / 1024 for name in ("VmRSS", "RssAnon")]


def ticks(pid):
    after_name = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(after_name[11]) + int(after_name[12])


def processor_share(pid, seconds=10.0):
    """Processor time over a while, as a share of one core."""
    before, start = ticks(pid), time.monotonic()
    time.sleep(seconds)
    return (ticks(pid) - before) / os.sysconf("SC_CLK_TCK") / (time.monotonic() - start)


def settle(log, quiet=1.5, limit=60.0):
    """Waits until the window has logged nothing for a while; false where it goes on logging."""
    end, size, since = time.monotonic() + limit, -1, time.monotonic()
    while time.monotonic() < end:
        now = log.stat().st_size
        if now != size:
            size, since = now, time.monotonic()
        elif time.monotonic() - since > quiet:
            return True
        time.sleep(0.1)
    return False


def frames(text):
    """The last frame of each panel: place and options."""
    found = {}
    for line in text.splitlines():
        if "panel " in line and " at " in line:
            name, rest = line.split("panel ", 1)[1].split(" at ", 1)
            place, options = rest.split(": ", 1)
            found[name] = (tuple(map(int, place.split(","))), options)
    return found


def answers(options, folder, log):
    """Opens a session by keys and compares each panel with `render`; the number of panels, or what went wrong."""
    binary, backend, keep = options.binary, options.backend, options.screenshot
    session = folder / "known.toml"
    image = folder / "image-0"
    panels = "".join(f'[[panel]]\nsampler = "method={name}"\n' for name in ("nearest", "linear", "mitchell", "lanczos3"))
    session.write_text(f"images = [{json.dumps(str(image))}]\n{panels}")
    xdotool(["key --delay 30 " + " ".join(["Escape"] * 12)])
    time.sleep(1.0)
    since = log.stat().st_size
    xdotool(["key F9", "sleep 1", "key ctrl+a", "sleep 0.3", f"type --delay 5 '{session}'", "sleep 0.5", "key Return"])
    end = time.monotonic() + 60
    while time.monotonic() < end and len(frames(log.read_text()[since:])) < 4:
        time.sleep(0.2)
    # Two moves: the window learns of none where the pointer stays.
    for place in ((640, 3), (SCREEN[0] - 1, SCREEN[1] - 1)):
        xdotool([f"mousemove {place[0]} {place[1]}"])
        time.sleep(0.5)
    if not settle(log):
        return "the pictures do not come to rest"
    time.sleep(11)  # A notice is shown for ten seconds at most.
    panels = frames(log.read_text()[since:])
    if len(panels) != 4:
        return f"{len(panels)} panels are shown, not the four of the session"
    shot = ImageGrab.grab(xdisplay=os.environ["DISPLAY"])
    if keep is not None:
        shot.save(keep)
    shot = np.asarray(shot)[:, :, :3].astype(int)
    for name, ((left, top), words) in sorted(panels.items()):
        out = folder / "rendered.png"
        command = [binary, "render", image, *shlex.split(words), "--depth", "8", "--backend", backend, "-o", out]
        subprocess.run(command, check=True)
        wanted = np.asarray(Image.open(out).convert("RGB")).astype(int)
        height, width = wanted.shape[:2]
        off = int(np.abs(shot[top : top + height, left : left + width] - wanted).max())
        if off:
            return f"panel {name} differs from render by {off} levels: {words}"
    return len(panels)


def run(options, folder):
    for number in range(3):
        (folder / f"image-{number}").write_bytes(Path(options.image).read_bytes())
    settings = folder / "config" / "lerpscope" / "settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text('[keys]\nopen-session = ["F9"]\ntiming = ["F8"]\n')
    log = folder / "log"
    env = dict(os.environ, RUST_LOG=options.log, HOME=str(folder), TMPDIR=str(folder))
    env.update(XDG_CONFIG_HOME=str(folder / "config"), XDG_DATA_HOME=str(folder / "data"))
    for name in ("WAYLAND_DISPLAY", "WAYLAND_SOCKET", "DBUS_SESSION_BUS_ADDRESS"):
        env.pop(name, None)
    command = [options.binary, "--backend", options.backend, str(folder / "image-0")]
    with log.open("w") as out:
        program = subprocess.Popen(command, env=env, stdout=out, stderr=out, cwd=folder)
    try:
        search = ["xdotool", "search", "--sync", "--onlyvisible", "--name", "Lerpscope"]
        window = subprocess.run(search, capture_output=True, text=True, check=True, timeout=60).stdout.split()[0]
        xdotool([f"windowmove {window} 0 0", f"windowsize {window} {SCREEN[0]} {SCREEN[1]}", f"windowfocus {window}"])
        settle(log)
        return drive(options, folder, (program, log, window))
    finally:
        program.kill()
        program.wait()


def is_panic(line):
    """Whether the window reports a panic: of a frame, which it catches, or of a thread."""
    return "a frame failed: " in line or "panicked at" in line or "' panicked: " in line


def drive(options, folder, running):
    program, log, window = running
    storm, start, sent, last = Storm(options.seed), time.monotonic(), 0, 0.0
    memory, recent = [[0.0, 0, *memory_mib(program.pid)]], []
    while sent < options.events and program.poll() is None:
        batch = [storm.event(window) for _ in range(min(options.batch, options.events - sent))]
        recent = (recent + batch)[-60:]
        xdotool(batch)
        sent += len(batch)
        now = time.monotonic() - start
        time.sleep(max(0.0, sent / options.rate - now))
        if program.poll() is None and now - last >= 2.0:
            last = now
            memory.append([round(now, 1), sent, *memory_mib(program.pid)])
    report = {"events": sent, "seed": options.seed, "seconds": round(time.monotonic() - start, 1)}
    died = program.poll() is not None
    if not died:
        xdotool(storm.calm(window))
        time.sleep(5)
        died = program.poll() is not None
    if died:
        lines = log.read_text().splitlines()
        panic = next((place for place, line in enumerate(lines) if is_panic(line)), len(lines) - 12)
        report.update(error=f"the window ended with {program.returncode}", log=lines[max(panic, 0) :][:12], recent=recent)
        return report
    settle(log, limit=30.0)
    report["processor_share_left_as_it_is"] = round(processor_share(program.pid), 4)
    memory.append([round(time.monotonic() - start, 1), sent, *memory_mib(program.pid)])
    verdict = answers(options, folder, log)
    if isinstance(verdict, str):
        # The overlay of times covers a part of a picture.
        xdotool(["key F8"])
        verdict = answers(options, folder, log)
    if isinstance(verdict, int):
        report["panels_equal_to_render"] = verdict
    else:
        report["error"] = verdict
        report["log"] = [line for line in log.read_text().splitlines() if "panel" not in line][-12:]
    report["processor_share_at_rest"] = round(processor_share(program.pid), 4)
    report["resident_mib_at_rest"] = [round(value, 1) for value in memory_mib(program.pid)]
    caught = [line for line in log.read_text().splitlines() if is_panic(line)]
    if caught:
        report.setdefault("error", f"{len(caught)} panics were caught")
        report["panics"] = caught[:12]
    third = [total for _, events, total, _ in memory if events >= sent * 2 / 3 and events < sent]
    report["resident_mib"] = {"start": round(memory[0][2], 1), "most": round(max(row[2] for row in memory), 1)}
    if len(third) >= 4:
        half = len(third) // 2
        grown = float(np.median(third[half:]) - np.median(third[:half]))
        report["resident_mib"]["growth_in_last_third"] = round(grown, 1)
        if grown > options.growth:
            report.setdefault("error", f"memory grew by {grown:.0f} MiB in the last third")
    if report["processor_share_at_rest"] > 0.005:
        report.setdefault("error", "the window is not at rest")
    if options.samples:
        report["memory"] = [[now, events, round(total, 1), round(anonymous, 1)] for now, events, total, anonymous in memory]
    return report


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("image")
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--batch", type=int, default=50, help="events sent at once")
    parser.add_argument("--rate", type=float, default=1000.0, help="events a second, at most")
    parser.add_argument("--growth", type=float, default=24.0, help="MiB that the last third may add")
    parser.add_argument("--samples", action="store_true", help="print every reading of memory")
    parser.add_argument("--screenshot", help="where to keep the picture of the answering window")
    parser.add_argument("--log", default="lerpscope::frame=debug,warn", help="RUST_LOG of the window")
    options = parser.parse_args()
    options.binary = str(Path(options.binary).resolve())
    with tempfile.TemporaryDirectory() as folder:
        report = run(options, Path(folder))
    print(json.dumps(report))
    sys.exit(1 if "error" in report else 0)


if __name__ == "__main__":
    main()
