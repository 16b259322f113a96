"""The tools that converge two devices, each in a module."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ..edits import Record, Size, records
from ..households import MADE_BY, Data
from ..measure import Cost


@dataclass(frozen=True)
class Outcome:
    """What became of the edits."""

    lost: int
    conflicts: int = 0


class Tool(Protocol):
    """A tool. `prepare` makes the two devices once, `start` copies them and writes the edits,
    `converge` is what is measured, `outcome` reads what came of it."""

    name: str
    work: str
    note: str
    most_runs: int

    def missing(self) -> str:
        """What is not installed; empty if all is there."""

    def prepare(self) -> None: ...

    def start(self) -> None: ...

    def converge(self) -> Cost: ...

    def outcome(self) -> Outcome: ...


class Bench:
    """What every tool works with: the household, its items, and folders for both devices."""

    def __init__(self, data: Data, size: Size):
        self.data = data
        self.size = size
        self.household = data.items(size.items)
        self.items: list[Record] = records(self.household, size)

    def kept(self, tool: str) -> Path:
        """The folder in which a tool's two devices are kept, as they are before the edits."""
        return self.data.kept / f"converge-{tool}-{self.size.items}-{MADE_BY}"

    def copied(self, tool: str) -> Path:
        """A fresh copy of it, always at the same path: some tools remember paths."""
        return self.data.copy(self.kept(tool), f"converge-{tool}")

    def making(self, tool: str) -> Path | None:
        """The folder in which to make a tool's devices; None if they are kept already.

        It has the path that the copies get."""
        if self.kept(tool).exists():
            return None
        folder = self.data.work / f"converge-{tool}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def keep(self, tool: str) -> None:
        (self.data.work / f"converge-{tool}").rename(self.kept(tool))


def has(*programs: str) -> str:
    """The first program that is not there."""
    return next((f"{name} is not installed" for name in programs if not shutil.which(name)), "")
