"""The tables that people read, from figures."""

from __future__ import annotations

from collections.abc import Sequence

from .goals import ratio, verdict
from .measure import Cost
from .results import Converged, Measured
from .words import cost_words, goal_words, megabytes, seconds, times

Table = tuple[list[str], list[list[str]]]
"""The head and the lines."""


def rows_table(rows: Sequence[Measured]) -> Table:
    head = ["work", "Larder", "its CPU", "memory", "a peer", "its time", "its CPU", "ratio",
            "ratio of CPU", "goal", "met", "runs"]  # fmt: skip
    return head, [row_line(row) for row in rows]


def row_line(row: Measured) -> list[str]:
    ratios = ["–", "–"]
    if row.peer is not None:
        both = ratio(row.ours, row.peer)
        ratios = [times(both.wall), times(both.cpu)]
    return [
        row.work,
        *cost_words(row.ours),
        megabytes(row.ours.peak),
        row.peer_work or "–",
        *cost_words(row.peer),
        *ratios,
        goal_words(row.goal),
        verdict(row.goal, row.ours, row.peer),
        str(row.runs),
    ]


def curve_table(rows: Sequence[Measured]) -> Table:
    """The figures of the plot."""
    head = ["work", "Larder", "its CPU", "memory", "git", "its time", "its CPU"]
    lines = [
        [
            row.work, *cost_words(row.ours), megabytes(row.ours.peak), row.peer_work,
            *cost_words(row.peer),
        ]
        for row in rows
    ]  # fmt: skip
    return head, lines


def converge_table(tools: Sequence[Converged]) -> Table:
    head = ["tool", "what runs", "time", "CPU of all processes", "edits lost", "in conflict", "runs"]
    lines: list[list[str]] = []
    for tool in tools:
        if tool.cost is None:
            lines.append([tool.tool, tool.work, tool.problem, "–", "–", "–", "0"])
            continue
        figures = [seconds(tool.cost.wall), seconds(tool.cost.cpu)]
        lines.append(
            [tool.tool, tool.work, *figures, f"{tool.lost:,}", f"{tool.conflicts:,}", str(tool.runs)]
        )
    return head, lines


def converge_verdict(tools: Sequence[Converged]) -> str:
    """Whether Larder lost nothing and was faster than every other tool, in a sentence."""
    ours = next((tool for tool in tools if tool.tool == "larder"), None)
    if ours is None or ours.cost is None:
        return "Goal (nothing lost, and faster than every one of them): not measured."
    others = [tool for tool in tools if tool is not ours and tool.cost is not None]
    missed = [f"{ours.lost:,} edits lost"] * (ours.lost > 0)
    missed += [slower for tool in others if (slower := slower_than(tool, ours.cost))]
    missed += ["nothing to compare with"] * (not others)
    said = "not met: " + "; ".join(missed) if missed else "met"
    return f"Goal (nothing lost, and faster than every one of them): {said}."


def slower_than(tool: Converged, ours: Cost) -> str:
    """By how much Larder is slower than a tool; empty if it is faster, in time and in CPU."""
    both = ratio(ours, tool.cost)
    if both.wall < 1 and both.cpu < 1:
        return ""
    return f"{times(both.wall)} the time of {tool.tool} and {times(both.cpu)} its CPU"
