"""The figures of the last runs, kept as JSON so that each part can be measured by itself."""

from __future__ import annotations

import datetime
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from .goals import Goal
from .measure import Cost


@dataclass(frozen=True)
class Measured:
    """A row with its medians of so many runs."""

    name: str
    work: str
    size: int
    runs: int
    ours: Cost
    peer_work: str
    peer: Cost | None
    goal: Goal
    is_curve: bool


@dataclass(frozen=True)
class Converged:
    """What a tool did with the edits of two devices. `problem` says why there are no figures."""

    tool: str
    work: str
    runs: int
    cost: Cost | None
    lost: int
    conflicts: int
    problem: str = ""
    note: str = ""


class Results:
    """A folder with one file for each part: `rows`, `converge` and `cloud`."""

    def __init__(self, folder: Path):
        self.folder = folder

    def save(
        self, part: str, machine: dict[str, str], entries: list[Measured] | list[Converged]
    ) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        content = {
            "day": datetime.date.today().isoformat(),
            "machine": machine,
            "entries": [asdict(entry) for entry in entries],
        }
        path = self.folder / f"{part}.json"
        path.with_suffix(".new").write_text(json.dumps(content, indent=1) + "\n")
        path.with_suffix(".new").replace(path)

    def machine(self, part: str) -> dict[str, str]:
        """The machine of a part, with the day; empty if the part was never measured."""
        content = self.content(part)
        return {"day": content["day"], **content["machine"]} if content else {}

    def rows(self, part: str = "rows") -> list[Measured]:
        return [
            Measured(
                **entry
                | {
                    "ours": Cost(**entry["ours"]),
                    "peer": entry["peer"] and Cost(**entry["peer"]),
                    "goal": Goal(**entry["goal"]),
                }
            )
            for entry in self.entries(part)
        ]

    def converged(self) -> list[Converged]:
        return [
            Converged(**entry | {"cost": entry["cost"] and Cost(**entry["cost"])})
            for entry in self.entries("converge")
        ]

    def entries(self, part: str) -> list[dict]:
        content = self.content(part)
        return content["entries"] if content else []

    def content(self, part: str) -> dict | None:
        path = self.folder / f"{part}.json"
        return json.loads(path.read_text()) if path.exists() else None
