#!/usr/bin/env python3
"""Writes assets/THIRD-PARTY-NOTICES.txt: the licences of everything that ships inside a binary.

    python3 assets/notices.py            fetches the crates' sources and writes the file anew
    python3 assets/notices.py --check    fails where the file is not what this would write; downloads nothing

The crates are the normal dependencies of `cargo metadata` with all features, for each target in TARGETS; licence texts are
read from the crates' own sources, which `cargo fetch --locked` brings. A crate whose licence is not in ACCEPTED, or whose
licence text is not found, is an error.
"""

import difflib
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "assets" / "THIRD-PARTY-NOTICES.txt"
TARGETS = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "x86_64-pc-windows-msvc", "aarch64-apple-darwin"]

# Accepted licences, the preferred one first, each with a phrase of its text. Of `A OR B` the preferred one is taken.
ACCEPTED = {
    "MIT": "permission is hereby granted, free of charge",
    "Apache-2.0": "apache license version 2.0",
    "Apache-2.0 WITH LLVM-exception": "llvm exceptions to the apache 2.0 license",
    "BSD-2-Clause": "redistribution and use in source and binary forms",
    "BSD-3-Clause": "redistribution and use in source and binary forms",
    "ISC": "for any purpose with or without fee is hereby granted",
    "Zlib": "this software is provided 'as-is'",
    "BSL-1.0": "boost software license",
    "0BSD": "for any purpose with or without fee is hereby granted",
    "CC0-1.0": "cc0 1.0 universal",
    "Unicode-3.0": "unicode license v3",
    "OFL-1.1": "sil open font license",
    "Ubuntu-font-1.0": "ubuntu font licence",
    "MPL-2.0": "mozilla public license version 2.0",
}
# Licences whose text names no copyright holder: the same text serves every crate.
SHARED_TEXT = ["Apache-2.0", "BSL-1.0"]
MIT_TEXT = """Copyright (c) {holders}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""
LICENCE_FILE = re.compile(r"(licen[cs]e|copying|copyright|notice|unlicense)", re.IGNORECASE)

# The fonts that egui embeds, by the crate that holds them, each with the file of its licence.
FONT_CRATE = "epaint_default_fonts"
FONTS = {
    "Hack-Regular.ttf": "Hack-Regular.txt",
    "NotoEmoji-Regular.ttf": "OFL.txt",
    "Ubuntu-Light.ttf": "UFL.txt",
    "egui-icons.ttf": "egui-icons.txt",
    "emoji-icon-font.ttf": "emoji-icon-font-mit-license.txt",
}

# The fonts under the Apache License 2.0 in other crates: by crate the font's file and its copyright.
APACHE_FONTS = {
    "ttf-noto-sans": ("NotoSans-Regular.ttf, NotoSans-Bold.ttf", "Copyright 2012 Google Inc. All Rights Reserved."),
}

# The fonts under the SIL Open Font License in other crates: by crate the font's file and the file of its licence.
OFL_FONTS = {
    "latex-rust": ("fonts/stix-two-math/STIXTwoMath-Regular.otf", "fonts/stix-two-math/OFL.txt"),
}

HEAD = """Third-party notices of Lerpscope
================================

Lerpscope itself is distributed under the MIT licence or the Apache License 2.0, at your option. A binary of it contains the
crates and fonts below, unmodified, under their own licences. The source of each crate is at the address beside its name.

Rust standard library: MIT OR Apache-2.0, https://github.com/rust-lang/rust; its notices are in the file COPYRIGHT there.

CUDA kernels: the PTX is compiled by NVIDIA's NVRTC from Lerpscope's own kernels. Math functions that NVRTC inlines come
from libdevice of the NVIDIA CUDA Toolkit, (c) NVIDIA Corporation, which Attachment A of the CUDA Toolkit's licence lists as
redistributable: https://docs.nvidia.com/cuda/eula/. No library of NVIDIA's is part of a binary.
"""


class Problem(Exception):
    """What keeps the notices from being made, in one line."""


def packages():
    """The shipped packages of all targets, by name and version."""
    found = {}
    for target in TARGETS:
        command = ["cargo", "metadata", "--format-version=1", "--locked", "--offline", "--all-features"]
        done = subprocess.run([*command, "--filter-platform", target], cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            hint = "run `cargo fetch --locked` first"
            raise Problem(f"cargo metadata fails for {target} ({hint}): {' '.join(done.stderr.split())}")
        metadata = json.loads(done.stdout)
        by_id = {package["id"]: package for package in metadata["packages"]}
        nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
        root = metadata["resolve"]["root"]
        seen, waiting = {root}, [root]
        while waiting:
            for dependency in nodes[waiting.pop()]["deps"]:
                is_normal = any(kind["kind"] is None for kind in dependency["dep_kinds"])
                if is_normal and dependency["pkg"] not in seen:
                    seen.add(dependency["pkg"])
                    waiting.append(dependency["pkg"])
        for package in (by_id[identity] for identity in seen - {root}):
            found[package["name"], package["version"]] = package
    return [found[key] for key in sorted(found)]


def chosen(package):
    """The licences to follow: of `OR` the preferred accepted one, of `AND` all."""
    expression = package["license"] or ""
    tokens = re.findall(r"[()]|[^\s()/]+|/", expression)
    tokens = ["OR" if token == "/" else token for token in tokens]

    def one():
        if not tokens:
            raise Problem(f"{label(package)}: the licence '{expression}' cannot be read")
        token = tokens.pop(0)
        if token == "(":
            inner = either()
            if not tokens or tokens.pop(0) != ")":
                raise Problem(f"{label(package)}: the licence '{expression}' cannot be read")
            return inner
        if tokens[:1] == ["WITH"]:
            tokens.pop(0)
            token = f"{token} WITH {tokens.pop(0)}"
        return [token]

    def all_of():
        licences = one()
        while tokens[:1] == ["AND"]:
            tokens.pop(0)
            licences = licences + one()
        return licences

    def either():
        choices = [all_of()]
        while tokens[:1] == ["OR"]:
            tokens.pop(0)
            choices.append(all_of())
        accepted = [choice for choice in choices if all(licence in ACCEPTED for licence in choice)]
        rank = list(ACCEPTED).index
        return min(accepted, key=lambda choice: max(map(rank, choice))) if accepted else choices[0]

    licences = either()
    refused = [licence for licence in licences if licence not in ACCEPTED]
    if refused or tokens:
        raise Problem(f"{label(package)}: the licence '{expression}' is not on the accepted list")
    return licences


def label(package):
    return f"{package['name']} {package['version']}"


def read(path):
    """A text with the ends of its lines cleaned."""
    text = path.read_text(encoding="utf-8", errors="replace").replace("\f", "")
    return "\n".join(line.rstrip() for line in text.strip("\ufeff\r\n ").splitlines())


def flat(text):
    """Words alone, for comparing."""
    return " ".join(re.sub(r"[#*=\u2018\u2019`]", lambda mark: "'" if mark[0] in "\u2018\u2019`" else " ", text).lower().split())


def texts_of(package, shared):
    """The texts to print for one package: those of its chosen licences, and its NOTICE files."""
    folder = Path(package["manifest_path"]).parent
    files = [read(file) for file in sorted(folder.iterdir()) if file.is_file() and LICENCE_FILE.match(file.name)]
    notices = [read(file) for file in sorted(folder.glob("NOTICE*")) if file.is_file()]
    texts = []
    for licence in chosen(package):
        if package["name"] == FONT_CRATE and licence in ("OFL-1.1", "Ubuntu-font-1.0"):
            continue  # printed with the fonts
        own = [text for text in files if ACCEPTED[licence] in flat(text)]
        if own:
            texts += own
        elif licence == "MIT":
            holders = ", ".join(re.sub(r"\s*<.*>", "", author) for author in package["authors"])
            texts.append(MIT_TEXT.format(holders=holders or f"the contributors of {package['name']}"))
        elif licence in SHARED_TEXT and licence in shared:
            texts.append(shared[licence])
        else:
            raise Problem(f"{label(package)}: there is no text of its licence {licence} in its source")
    return list(dict.fromkeys(texts + notices))


def font_texts(package):
    """The fonts' licences; an unknown font is an error."""
    folder = Path(package["manifest_path"]).parent / "fonts"
    unknown = sorted({file.name for file in folder.glob("*.?tf")} - set(FONTS))
    if unknown:
        raise Problem(f"{label(package)}: the font {unknown[0]} has no licence in assets/notices.py")
    return [(font, read(folder / licence)) for font, licence in sorted(FONTS.items())]


def notices():
    """The whole file."""
    shipped = packages()
    shared = {"Apache-2.0": read(ROOT / "LICENSE-APACHE")}
    for package in shipped:
        folder = Path(package["manifest_path"]).parent
        for licence in SHARED_TEXT:
            for file in sorted(folder.glob("LICENSE*")):
                if licence not in shared and file.is_file() and ACCEPTED[licence] in flat(read(file)):
                    shared[licence] = read(file)
    out = [HEAD, "Crates", "------", ""]
    by_text = {}
    for package in shipped:
        source = package["repository"] or package["homepage"]
        out.append(f"{label(package)}: {package['license']}, {source}")
        for text in texts_of(package, shared):
            by_text.setdefault(flat(text), (text, []))[1].append(label(package))
    out += ["", "Fonts", "-----", ""]
    fonts = [pair for package in shipped if package["name"] == FONT_CRATE for pair in font_texts(package)]
    for package in shipped:
        if package["name"] in APACHE_FONTS:
            font, holder = APACHE_FONTS[package["name"]]
            fonts.append((font, f"{holder}\n\n{shared['Apache-2.0']}"))
        if package["name"] in OFL_FONTS:
            folder = Path(package["manifest_path"]).parent
            font, licence = (folder / name for name in OFL_FONTS[package["name"]])
            if not font.exists():
                raise Problem(f"{label(package)}: there is no font {font.name}")
            fonts.append((font.name, read(licence)))
    out += [f"{font}: its licence is printed below" for font, _ in fonts]
    for text, labels in sorted(by_text.values(), key=lambda pair: (-len(pair[1]), pair[1])):
        out += ["", "", "=" * 100, ", ".join(labels), "=" * 100, "", text]
    for font, text in fonts:
        out += ["", "", "=" * 100, f"The font {font}", "=" * 100, "", text]
    return "\n".join(out) + "\n"


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit("usage: notices.py [--check]")
    try:
        if not sys.argv[1:]:
            subprocess.run(["cargo", "fetch", "--locked", "--quiet"], cwd=ROOT, check=True)
        text = notices()
    except (Problem, subprocess.CalledProcessError) as problem:
        sys.exit(f"notices.py: {problem}")
    if not sys.argv[1:]:
        OUTPUT.write_text(text, encoding="utf-8")
        return
    kept = OUTPUT.read_text(encoding="utf-8") if OUTPUT.exists() else ""
    if kept != text:
        difference = difflib.unified_diff(kept.splitlines(), text.splitlines(), "committed", "now", n=0, lineterm="")
        print("\n".join(list(difference)[:40]), file=sys.stderr)
        sys.exit(f"notices.py: {OUTPUT.relative_to(ROOT)} is out of date: python3 assets/notices.py writes it anew")


if __name__ == "__main__":
    main()
