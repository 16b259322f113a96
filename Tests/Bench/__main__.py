"""python -m Bench rows|converge|cloud: measures one part, prints its table, and writes the document.

RUNS= sets the number of runs, ROWS= and SIZES= choose rows, TOOLS= tools, BENCH_DATA= is the folder for
households and figures. A run of a part, or with fewer than nine runs, writes its document below that
folder, not into the checkout. What goes into the checkout is of a program that knows its commit, and
measured on a quiet machine; LOAD= allows a higher load than 0.5.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from . import converge, machine, rows, tables
from .document import written
from .households import Data, Programs
from .measure import Failed, in_turn, median
from .quiet import wait_for_quiet
from .results import Measured, Results
from .settings import Setting
from .variables import number_of, numbers_of, words_of
from .words import plain

ROOT = Path(__file__).parents[2]
PUBLISHED = 9
"""The fewest runs whose medians go into the checkout."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("part", choices=["rows", "converge", "cloud"])
    parser.add_argument("--larder", type=Path, required=True)
    parser.add_argument("--generator", type=Path)
    parser.add_argument("--years", type=Path)
    parser.add_argument("--peers", type=Path, help="the Python with the peers from PyPI")
    options = parser.parse_args()
    folder = Path(os.environ.get("BENCH_DATA") or ROOT / ".build" / "bench").resolve()
    runs = number_of("RUNS", PUBLISHED)
    whole = runs >= PUBLISHED and is_whole(options.part)
    if whole:
        machine.require_commit(options.larder)
        wait_for_quiet(os.environ.get("LOAD", ""))
    begun = time.monotonic()
    if options.part == "cloud":
        from . import cloud

        before = machine.described(folder, options.larder)
        entries = cloud.measured(options.larder.resolve(), folder / f"cloud-{os.getpid()}", runs)
        print(plain(*tables.rows_table(entries)))
        facts = before | machine.cloud() | took(begun)
        finish(Results(folder / "results"), "cloud", facts, entries, folder, whole)
        return
    programs = Programs(
        *(path.resolve() for path in (options.larder, options.generator, options.years))
    )
    data = Data(folder, programs)
    facts = machine.described(folder, programs.larder)
    results = Results(folder / "results")
    try:
        if options.part == "rows":
            entries = measured_rows(data, runs)
        else:
            facts |= machine.converging(options.peers)
            entries = converge.measured(data, options.peers, runs, words_of("TOOLS"))
            print(f"\n{plain(*tables.converge_table(entries))}\n{tables.converge_verdict(entries)}")
    finally:
        data.clear()
    facts |= took(begun)
    finish(results, options.part, facts, entries, folder, whole)


def is_whole(part: str) -> bool:
    """Whether all of a part is to be measured."""
    if part == "rows":
        return not words_of("ROWS") and not words_of("SIZES")
    if part == "converge":
        return converge.is_whole(words_of("TOOLS"))
    from . import cloud

    return cloud.is_whole()


def took(begun: float) -> dict[str, str]:
    return {"measuring took": f"{(time.monotonic() - begun) / 60:.0f} min"}


def measured_rows(data: Data, runs: int) -> list[Measured]:
    """Measures the chosen rows, and prints each as soon as it is known."""
    chosen = rows.chosen(words_of("ROWS"), numbers_of("SIZES"))
    if not chosen:
        names = ", ".join(row.name for row in rows.known([]))
        sys.exit(f"error: no row has such a name or size\nhint: the rows are {names}")
    found: list[Measured] = []
    place, setting = None, None
    for row in chosen:
        if row.place != place or setting is None:
            data.clear()
            place, setting = row.place, row.place.open(data)
        measured = measured_row(row, setting, runs)
        print(summary(measured), flush=True)
        found.append(measured)
    order = [row.name for row in rows.known(numbers_of("SIZES"))]
    found.sort(key=lambda row: order.index(row.name))
    print()
    print(plain(*tables.rows_table(found)))
    return found


def measured_row(row: rows.Row, setting: Setting, runs: int) -> Measured:
    sides = row.sides(setting)
    both = [sides.ours] + ([sides.peer] if sides.peer else [])
    costs = [median(side) for side in in_turn(runs, both)]
    return Measured(
        row.name, row.work, row.size, runs, costs[0], row.peer,
        costs[1] if len(costs) > 1 else None, row.goal, row.is_curve,
    )  # fmt: skip


def summary(row: Measured) -> str:
    line = dict(zip(*[tables.rows_table([row])[0], tables.row_line(row)]))
    return f"{row.name:16} {line['Larder']:>9}  ratio {line['ratio']:>7}"


def finish(results: Results, part, facts, entries, folder: Path, whole: bool) -> None:
    """Saves the figures; those of a part of the rows are kept apart."""
    if not whole:
        results = Results(folder / "partial")
    results.save(part, facts, entries)
    for path in written(part, results, ROOT if whole else folder / "partial"):
        print(f"wrote {path}")


try:
    main()
except Failed as failed:
    sys.exit(f"error: {failed}")
