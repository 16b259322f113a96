"""Figures in words, and tables of them."""

from __future__ import annotations

from collections.abc import Sequence

from .goals import Goal, printed
from .measure import Cost


def seconds(value: float) -> str:
    """Three digits, in milliseconds below ten seconds."""
    if value >= 10:
        return f"{value:,.1f} s"
    shown = printed(value)
    return f"{shown * 1000:,.{0 if shown >= 0.1 else 1 if shown >= 0.01 else 2}f} ms"


def whole(value: float) -> str:
    """A time without decimals that nobody wrote."""
    return f"{value:g} s" if value >= 1 else f"{value * 1000:g} ms"


def megabytes(value: int) -> str:
    return f"{value / 1e6:.0f} MB" if value else "–"


def times(value: float) -> str:
    return f"{value:.2f} ×"


def goal_words(goal: Goal) -> str:
    parts: list[str] = []
    if goal.wall is not None:
        parts.append("≤ " + whole(goal.wall))
    if goal.ratio is not None:
        parts.append(f"≤ {goal.ratio:g} ×")
    if goal.peak is not None:
        parts.append("≤ " + megabytes(goal.peak))
    return ", ".join(parts) or "–"


def cost_words(cost: Cost | None) -> list[str]:
    return ["–", "–"] if cost is None else [seconds(cost.wall), seconds(cost.cpu)]


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def plain(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table for the terminal: the first column to the left, the others too, as they are words."""
    lines = [[cell.replace("`", "") for cell in line] for line in [head, *rows]]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines
    )
