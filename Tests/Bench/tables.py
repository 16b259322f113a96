"""The tables that people read, from figures."""

from __future__ import annotations

from collections.abc import Sequence

from .goals import ratio, verdict
from .results import Converged, Measured, Rate
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
        megabytes(row.ours.peak) if row.shows_memory else "–",
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


def rates_table(rates: Sequence[Rate]) -> Table:
    head = ["work", "Larder", "a peer", "its figure", "ratio", "goal", "met", "runs"]
    lines: list[list[str]] = []
    for rate in rates:
        met = {None: "–", True: "yes", False: "no"}[rate.is_met]
        is_time = rate.peer is None
        ours = f"{rate.ours * 1000:.1f} ms" if is_time else f"{rate.ours:,.0f} rows/s"
        peer = "–" if rate.peer is None else f"{rate.peer:,.0f} rows/s"
        both = "–" if rate.peer is None else times(rate.ours / rate.peer)
        lines.append(
            [rate.work, ours, rate.peer_work or "–", peer, both, rate.goal, met, str(rate.runs)]
        )
    return head, lines
