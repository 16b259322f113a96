"""The plot of cost against size: an SVG with logarithmic axes, readable on light and dark pages."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from .results import Measured

WIDTH, HEIGHT = 760, 460
LEFT, RIGHT, TOP, BOTTOM = 76, 210, 24, 52

STYLE = """\
  <style>
    text { font: 13px system-ui, sans-serif; fill: #24292f }
    .axis { stroke: #57606a; fill: none }
    .grid { stroke: #d0d7de; fill: none }
    .line { fill: none; stroke-width: 2 }
    .list { stroke: #0a58ca; fill: #0a58ca }
    .consume { stroke: #b35900; fill: #b35900 }
    .status { stroke: #1a7f37; fill: #1a7f37 }
    .line.list, .line.consume, .line.status { fill: none }
    .git { stroke-dasharray: 6 4 }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 }
      .axis { stroke: #8d96a0 }
      .grid { stroke: #3d444d }
      .list { stroke: #79b8ff; fill: #79b8ff }
      .consume { stroke: #ffab70; fill: #ffab70 }
      .status { stroke: #7ee787; fill: #7ee787 }
    }
  </style>
"""


@dataclass(frozen=True)
class Line:
    """A line of the plot: times in seconds at sizes."""

    label: str
    style: str
    points: list[tuple[int, float]]


@dataclass(frozen=True)
class Scale:
    """Where a value lies between two ends, on a logarithmic axis."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        part = (math.log10(value) - math.log10(self.low)) / math.log10(self.high / self.low)
        return self.start + part * (self.end - self.start)


def drawn(rows: Sequence[Measured]) -> str:
    """The plot of rows called `list-…`, `consume-…` and `status-…`."""
    lines = lines_of(rows)
    sizes = sorted({size for line in lines for size, _ in line.points})
    values = [value for line in lines for _, value in line.points]
    across = Scale(min(sizes) / 1.2, max(sizes) * 1.2, LEFT, WIDTH - RIGHT)
    low = 10 ** math.floor(math.log10(min(values)))
    high = 10 ** math.ceil(math.log10(max(values) * 1.0001))
    up = Scale(low, high, HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'aria-label="Time of list, use and status against the number of items">\n',
        STYLE,
        grid(across, up, sizes),
        *(line_drawn(line, across, up) for line in lines),
        legend(lines, up),
        "</svg>\n",
    ]
    return "".join(parts)


def lines_of(rows: Sequence[Measured]) -> list[Line]:
    lines: list[Line] = []
    peers = {"list": "", "consume": "git add, commit", "status": "git status"}
    for kind, label in (("list", "stock list"), ("consume", "stock use"), ("status", "status")):
        found = sorted((row for row in rows if row.name.split("-")[0] == kind), key=lambda r: r.size)
        if not found:
            continue
        points = [(row.size, row.ours.wall) for row in found]
        lines.append(Line(f"larder {label}", kind, points))
        theirs = [(row.size, row.peer.wall) for row in found if row.peer]
        if peers[kind] and theirs:
            lines.append(Line(peers[kind], f"{kind} git", theirs))
    return lines


def grid(across: Scale, up: Scale, sizes: list[int]) -> str:
    left, right, bottom = LEFT, WIDTH - RIGHT, HEIGHT - BOTTOM
    parts: list[str] = []
    for size in sizes:
        x = across(size)
        parts.append(f'  <path class="grid" d="M{x:.1f} {TOP}V{bottom}"/>\n')
        parts.append(f'  <text x="{x:.1f}" y="{bottom + 20}" text-anchor="middle">{size:,}</text>\n')
    for exponent in range(round(math.log10(up.low)), round(math.log10(up.high)) + 1):
        y = up(10**exponent)
        parts.append(f'  <path class="grid" d="M{left} {y:.1f}H{right}"/>\n')
        label = time_words(10**exponent)
        parts.append(f'  <text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{label}</text>\n')
    parts.append(f'  <path class="axis" d="M{left} {TOP}V{bottom}H{right}"/>\n')
    middle = (left + right) / 2
    parts.append(f'  <text x="{middle}" y="{HEIGHT - 10}" text-anchor="middle">items</text>\n')
    return "".join(parts)


def line_drawn(line: Line, across: Scale, up: Scale) -> str:
    places = [(across(size), up(value)) for size, value in line.points]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    dots = "".join(
        f'  <circle class="{line.style.split()[0]}" cx="{x:.1f}" cy="{y:.1f}" r="3"/>\n'
        for x, y in places
    )
    return f'  <path class="line {line.style}" d="M{path}"/>\n{dots}'


def legend(lines: list[Line], up: Scale) -> str:
    """The names of the lines beside their ends, kept apart."""
    x = WIDTH - RIGHT + 14
    ends = sorted(((up(line.points[-1][1]), line) for line in lines), key=lambda end: end[0])
    parts: list[str] = []
    y = 0.0
    for wanted, line in ends:
        y = max(wanted, y + 18)
        parts.append(f'  <path class="line {line.style}" d="M{x} {y:.1f}h22"/>\n')
        parts.append(f'  <text x="{x + 28}" y="{y + 4:.1f}">{escape(line.label)}</text>\n')
    return "".join(parts)


def time_words(seconds: float) -> str:
    return f"{seconds:g} s" if seconds >= 1 else f"{seconds * 1000:g} ms"
