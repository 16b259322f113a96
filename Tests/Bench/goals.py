"""The goal of a row, and whether figures meet it."""

from __future__ import annotations

from dataclasses import dataclass

from .measure import Cost


@dataclass(frozen=True)
class Goal:
    """`wall` is in seconds, `ratio` is the most of the peer's wall time and of its processor time, `peak`
    is in bytes. What is None is not wanted."""

    wall: float | None = None
    ratio: float | None = None
    peak: int | None = None

    @property
    def is_nothing(self) -> bool:
        return self == Goal()


@dataclass(frozen=True)
class Ratio:
    """How many times the peer's figures ours are."""

    wall: float
    cpu: float


def ratio(ours: Cost, peer: Cost) -> Ratio:
    """A figure of the peer's below a microsecond counts as one."""
    return Ratio(ours.wall / max(peer.wall, 1e-6), ours.cpu / max(peer.cpu, 1e-6))


def printed(seconds: float) -> float:
    """A time below ten seconds as it is printed: with three digits, in milliseconds."""
    return round(seconds, 3 if seconds >= 0.09995 else 4 if seconds >= 0.009995 else 5)


def misses(goal: Goal, ours: Cost, peer: Cost | None) -> list[str]:
    """What of the goal the figures don't meet as they are printed, and by how much, in words."""
    wanted: list[tuple[str, float, float | None]] = [("time", printed(ours.wall), goal.wall)]
    if goal.ratio is not None and peer is not None:
        times = ratio(ours, peer)
        wanted.append(("ratio of time", round(times.wall, 2), goal.ratio))
        wanted.append(("ratio of CPU", round(times.cpu, 2), goal.ratio))
    wanted.append(("memory", round(ours.peak, -6), goal.peak))
    missed = [
        f"{name} +{max(1, round((figure / most - 1) * 100))} %"
        for name, figure, most in wanted
        if most is not None and figure > most
    ]
    return missed + ["no peer"] * (goal.ratio is not None and peer is None)


def verdict(goal: Goal, ours: Cost, peer: Cost | None) -> str:
    """`yes`, or `no` with what misses the goal by how much; a dash where there is no goal."""
    if goal.is_nothing:
        return "–"
    missed = misses(goal, ours, peer)
    return "yes" if not missed else "no: " + ", ".join(missed)
