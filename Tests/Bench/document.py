"""Writes BENCHMARKS.md and the plot from the figures of the last runs."""

from __future__ import annotations

import json
from pathlib import Path

from . import tables
from .plot import drawn
from .results import Converged, Measured, Results
from .words import markdown

HERE = Path(__file__).parent
BOUNDS = HERE / "bounds.json"
"""What bounds each row: one sentence for the name of a row (`list-10000`), for its beginning where all
sizes are bounded by the same (`list`), or for `converge-` with the name of a tool."""

INTRODUCTION = """\
# Benchmarks

What Larder's commands cost, beside other programs at the same work. `make bench`, `make bench-converge`
and `make bench-cloud` measure and write this document; `CONTRIBUTING.md` says how to measure a part.

How to read it: every figure is the median of so many runs after one that does not count. Larder and the peer
run in turn, on copies of the same household. Time is wall time; CPU is the processor time of all processes that
the work started, those left in the background too; memory is the most that one process held in any run. A
ratio is Larder's figure divided by the peer's: below 1 × Larder is the quicker one. A goal is met if the figure
as it is printed is within it, a ratio both for time and for CPU; a dash has no goal. Goals in time are for a
quiet machine with two cores, on which `git status` of 10,000 items takes 18 ms. Times and ratios depend on the
machine and its disk, so compare only what one run measured. What is measured is the program that people install,
of the commit that is named; if the load was more than 0.5 at the beginning, other work slowed both sides. Packing in
the background is off on both sides. The households come from a seeded generator (`Tests/Generator`, `Tests/Years`): items with ledgers,
products with barcodes for 30 % of them, dated batches in locations for 25 %, shopping entries, receipts, and a
history of commits.

Households of 300, 2,000 and 10,000 items are measured: a small one, a large one, and more than a household has.
`make bench ROWS="list status consume" SIZES=100000` measures ten times that, into `.build/bench/partial`.
"""

CONVERGENCE = """\
## Two devices converge

Two devices have the same 10,000 items. One uses 1 of the first 1,000, the other one uses 2 of 1,000, of
which 500 are the same. Then they converge, by what the tool offers; the first row is two clones with a
remote in a folder. Each edit is one more line in the item's list of uses: in the JSON file for Larder, git
and unison, a comment of the to-do for vdirsyncer, a field of the task for taskwarrior (one for each device).
Writing the edits is not measured. Taking them over is, as `git commit` and `larder sync` do.

**Lost** is an edit whose line is missing, afterwards, on one of the devices, and is in no
file that the tool has left in conflict for somebody to resolve. `Tests/Bench/edits.py` counts them by reading
all edited items on both devices (of Larder's, the quantities have to add up, too); for git, which stops at the conflict, on the device that pulled.
"""


SECTIONS = ("The goals", "Two devices converge", "Through the cloud", "Cost against size")
"""The titles, in their order."""


def written(part: str, results: Results, root: Path) -> list[Path]:
    """Writes the sections of a part into the document, and its plot; returns the paths.

    The other sections stay as they are: they may be of another machine."""
    paths = [root / "BENCHMARKS.md"]
    if part == "rows" and (curve := curve_rows(results.rows())):
        paths.append(root / "docs" / "benchmarks.svg")
        paths[1].parent.mkdir(parents=True, exist_ok=True)
        paths[1].write_text(drawn(curve))
    found = sections_of(paths[0].read_text()) if paths[0].exists() else {}
    found |= {title: text for title, text in sections(part, results).items() if text}
    paths[0].write_text("\n".join([INTRODUCTION, *(found[title] for title in SECTIONS if title in found)]))
    return paths


def sections_of(document: str) -> dict[str, str]:
    """The sections that a document has, by their titles."""
    found: dict[str, str] = {}
    for part in f"\n{document.rstrip()}\n".split("\n## ")[1:]:
        found[part.splitlines()[0]] = f"## {part.rstrip()}\n"
    return found


def sections(part: str, results: Results) -> dict[str, str]:
    """The sections of a part by their titles; empty where nothing was measured."""
    if part == "converge":
        return {"Two devices converge": convergence(results, results.converged())}
    if part == "cloud":
        return {"Through the cloud": through_the_cloud(results, results.rows("cloud"))}
    rows = results.rows()
    return {
        "The goals": goals(results, [row for row in rows if not row.is_curve]),
        "Cost against size": against_size(curve_rows(rows)),
    }


def goals(results: Results, rows: list[Measured]) -> str:
    if not rows:
        return ""
    title, table = "## The goals\n", markdown(*tables.rows_table(rows))
    return section(title, measured_on(results, "rows"), table, bounds(rows))


def convergence(results: Results, tools: list[Converged]) -> str:
    if not tools:
        return ""
    table, verdict = markdown(*tables.converge_table(tools)), tables.converge_verdict(tools) + "\n"
    return section(CONVERGENCE, measured_on(results, "converge"), table, verdict, tool_notes(tools))


def through_the_cloud(results: Results, rows: list[Measured]) -> str:
    if not rows:
        return ""
    title, table = "## Through the cloud\n", markdown(*tables.rows_table(rows))
    return section(title, measured_on(results, "cloud"), table, bounds(rows))


def against_size(curve: list[Measured]) -> str:
    if not curve:
        return ""
    plot = "![Time of list, use and status against the number of items](docs/benchmarks.svg)\n"
    return section("## Cost against size\n", plot, markdown(*tables.curve_table(curve)))


def section(*parts: str) -> str:
    return "\n".join(part for part in parts if part)


def measured_on(results: Results, part: str) -> str:
    """The machine and the programs of a part, in one sentence."""
    machine = results.machine(part)
    day = machine.pop("day", "")
    facts = "; ".join(f"{name}: {value}" for name, value in machine.items())
    return f"Measured on {day}. {facts[:1].upper()}{facts[1:]}.\n"


def bounds(rows: list[Measured]) -> str:
    lines = [f"* {row.work}: {said}\n" for row in rows if (said := bound(row.name))]
    return "What bounds each:\n\n" + "".join(lines) if lines else ""


def bound(name: str) -> str:
    known: dict[str, str] = json.loads(BOUNDS.read_text())
    return known.get(name) or known.get(name.split("-")[0], "")


def tool_notes(tools: list[Converged]) -> str:
    lines: list[str] = []
    for tool in tools:
        notes = " ".join(note for note in (tool.note, bound(f"converge-{tool.tool}")) if note)
        if notes:
            lines.append(f"* {tool.tool}: {notes}\n")
    return "".join(lines)


def curve_rows(rows: list[Measured]) -> list[Measured]:
    """The rows of the plot, by work and size."""
    kinds = ("list", "consume", "status")
    found = [row for row in rows if row.size and row.name == f"{row.name.split('-')[0]}-{row.size}"]
    found = [row for row in found if row.name.split("-")[0] in kinds]
    return sorted(found, key=lambda row: (kinds.index(row.name.split("-")[0]), row.size))


