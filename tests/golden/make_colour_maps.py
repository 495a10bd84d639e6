#!/usr/bin/env python3
"""Makes colour_maps.txt beside this file: the published colour maps, for tests/conventions.

Needs Matplotlib 3.x. Its tables of 256 colours are those of the maps' authors: viridis and inferno (van der Walt and Smith
2015), cividis (Nuñez, Anderton, Renslow 2018), turbo (Mikhailov 2019); blue-red is ColorBrewer's RdBu (Brewer, Harrower
2003) from its blue end to its red one.

A line is a map's name, the step of its table, 0 to 255, and red, green and blue in 0 … 1.
"""

from pathlib import Path

import matplotlib

MAPS = {"viridis": "viridis", "inferno": "inferno", "cividis": "cividis", "turbo": "turbo", "blue-red": "RdBu_r"}
# Every 15th of 256 steps, both ends included.
STEPS = range(0, 256, 15)


def main():
    lines = [f"# matplotlib {matplotlib.__version__}; made by make_colour_maps.py"]
    for name, published in MAPS.items():
        colours = matplotlib.colormaps[published]
        for step in STEPS:
            lines.append(" ".join([name, str(step), *(f"{part:.6f}" for part in colours(step)[:3])]))
    Path(__file__).with_name("colour_maps.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
