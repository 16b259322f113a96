"""The convergence of two devices, by each tool in turn."""

from __future__ import annotations

from pathlib import Path

from .edits import Size
from .households import Data
from .measure import Cost, Failed, median
from .results import Converged
from .tools import Bench, Outcome, Tool
from .tools.clones import GitTool, GitToTheEnd, LarderTool
from .tools.files import Unison, Vdirsyncer
from .tools.tasks import Taskwarrior
from .variables import number_of


def size() -> Size:
    """ITEMS= and EDITS= make it smaller, to try it."""
    items = number_of("ITEMS", Size.items)
    found = Size(items, number_of("EDITS", max(1, items // 10)))
    if found.edited.stop > items:
        raise Failed(f"{items} items are too few for {found.edits} edits on each device")
    return found


def is_whole(names: list[str]) -> bool:
    return not names and size() == Size()


def tools(bench: Bench, python: Path | None) -> list[Tool]:
    return [
        LarderTool(bench),
        GitTool(bench),
        GitToTheEnd(bench),
        Unison(bench),
        Vdirsyncer(bench, python),
        Taskwarrior(bench),
    ]


def named(names: list[str], known: list[str]) -> list[str]:
    """The known tools with one of the names; all if there are no names."""
    if unknown := [name for name in names if name not in known]:
        raise Failed(f"no tool is called {', '.join(unknown)}; there are {', '.join(known)}")
    return [name for name in known if not names or name in names]


def measured(data: Data, python: Path | None, runs: int, names: list[str]) -> list[Converged]:
    """Measures the tools in turn; one that is missing or fails is in the table, too."""
    bench = Bench(data, size())
    every = {tool.name: tool for tool in tools(bench, python)}
    chosen = [every[name] for name in named(names, list(every))]
    problems: dict[str, str] = {}
    costs: dict[str, list[Cost]] = {tool.name: [] for tool in chosen}
    outcomes: dict[str, list[Outcome]] = {tool.name: [] for tool in chosen}
    for tool in chosen:
        if problem := tool.missing():
            problems[tool.name] = problem
            continue
        print(f"{tool.name}: making both devices, if they are not kept", flush=True)
        try:
            tool.prepare()
        except Failed as failed:
            problems[tool.name] = f"failed: {first_line(failed)}"
            print(f"{tool.name}: {failed}", flush=True)
    for number in range(1, runs + 1):
        for tool in chosen:
            if tool.name in problems or number > tool.most_runs:
                continue
            try:
                tool.start()
                cost = tool.converge()
                outcome = tool.outcome()
            except Failed as failed:
                problems[tool.name] = f"failed: {first_line(failed)}"
                print(f"{tool.name}: {failed}", flush=True)
                continue
            costs[tool.name].append(cost)
            outcomes[tool.name].append(outcome)
            print(f"run {number}: {tool.name:12} {cost.wall:8.2f} s {cost.cpu:8.2f} s of CPU, "
                  f"{outcome.lost} lost, {outcome.conflicts} in conflict", flush=True)  # fmt: skip
    return [entry(tool, costs[tool.name], outcomes[tool.name], problems) for tool in chosen]


def entry(
    tool: Tool, costs: list[Cost], outcomes: list[Outcome], problems: dict[str, str]
) -> Converged:
    if tool.name in problems or not costs:
        problem = problems.get(tool.name, "not run")
        return Converged(tool.name, tool.work, 0, None, 0, 0, problem)
    # The worst of the runs: an edit that is lost sometimes is lost.
    lost = max(outcome.lost for outcome in outcomes)
    conflicts = max(outcome.conflicts for outcome in outcomes)
    return Converged(
        tool.name, tool.work, len(costs), median(costs), lost, conflicts, note=tool.note
    )


def first_line(failed: Failed) -> str:
    return str(failed).splitlines()[0][:100]
