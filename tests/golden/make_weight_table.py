"""Writes weight_table.csv: the look-up table of the path `filtered-table`, in exact fractions from the closed weights of
document 002 (Ruijters et al. 2008, section 4).

g0, h0 and h1 of the cubic B-spline at the fractions k/127, k = 0 ... 127, rounded to 16 bits (65535 is 1), halves upwards.
Run: python3 tests/golden/make_weight_table.py
"""

import pathlib
from fractions import Fraction


def rounded(value):
    return int(value * 65535 + Fraction(1, 2))


lines = ["g0,h0,h1"]
for k in range(128):
    a = Fraction(k, 127)
    w0 = (1 - a) ** 3 / 6
    w1 = Fraction(2, 3) - a**2 * (2 - a) / 2
    w2 = Fraction(2, 3) - (1 - a) ** 2 * (1 + a) / 2
    w3 = a**3 / 6
    lines.append(",".join(str(rounded(value)) for value in (w0 + w1, w1 / (w0 + w1), w3 / (w2 + w3))))
(pathlib.Path(__file__).parent / "weight_table.csv").write_text("\n".join(lines) + "\n")
