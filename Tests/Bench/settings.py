"""What the rows are measured in: copies of a household, ours and a plain one for git."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from .households import SETTLING, Data, Item, item_of, make_plain
from .measure import Command, Cost, Runner

Side = Callable[[int], Cost]
"""One run; it gets the run's number."""


@dataclass(frozen=True)
class Sides:
    """Our side of a row and the peer's, which runs after it in turn."""

    ours: Side
    peer: Side | None = None


@dataclass
class Setting:
    """A household for larder, the same one for plain git, and an item of both."""

    data: Data
    ours: Path
    plain: Path
    item: Item

    @property
    def runner(self) -> Runner:
        return self.data.runner

    def larder(self, *words: str) -> Command:
        return [self.data.programs.larder, "-C", self.ours, *words]

    def git(self, *words: str) -> Command:
        return ["git", "-C", self.plain, *words]

    @property
    def files_of_item(self) -> list[str]:
        """The paths of the item's file and of its batches' files."""
        item = json.loads((self.plain / self.item.path).read_text())
        batches = sorted((self.plain / "batches").glob("*.json"))
        own = [
            path for path in batches
            if json.loads(path.read_text())["productRef"].get("productId") == item["id"]
        ]
        return [self.item.path, *(str(path.relative_to(self.plain)) for path in own)]

    def beside(self, ours: Command, peer: Command | None) -> Sides:
        """Two commands that change nothing."""
        return Sides(
            lambda _: self.runner.run(ours),
            None if peer is None else lambda _: self.runner.run(peer),
        )


def household(data: Data, count: int, entries: int = 0) -> Setting:
    """Copies of a generated household, with caches that know their files."""
    kept = data.items(count, entries)
    ours, plain = data.copy(kept, "larder"), data.copy(kept, "git")
    make_plain(data.runner, plain)
    turn_packing_off(data.runner, ours)
    data.warm(ours, plain)
    item = longest(ours) if entries else item_of(ours)
    return Setting(data, ours, plain, item)


def history(data: Data, commits: int) -> Setting:
    """Copies of a household with a long history."""
    kept = data.years(commits)
    ours, plain = data.copy(kept, "larder"), data.copy(kept, "git")
    make_plain(data.runner, plain)
    turn_packing_off(data.runner, ours)
    data.warm(ours, plain)
    return Setting(data, ours, plain, named(ours, "Item 7"))


def receipts(data: Data, count: int) -> Setting:
    """A household with the receipts of ten years, each with lines of twenty things."""
    folder, table = data.work / "receipts", data.work / "receipts.csv"
    data.set_aside(folder)
    begin = datetime(2016, 1, 1, 10)
    rows = ["date,shop,item,qty,price"]
    for number in range(count):
        paid = f"{begin + timedelta(hours=43.8 * number):%Y-%m-%d %H:%M}"
        rows += [
            f"{paid},Shop {number % 8},Thing {(number * 7 + line * 13) % 300},1,{1 + line / 10:.2f}"
            for line in range(20)
        ]
    table.write_text("\n".join(rows) + "\n")
    words = ["init", folder, "--name", "Home", "--time-zone", "UTC", "--currency", "EUR"]
    data.runner.run([data.programs.larder, *words])
    turn_packing_off(data.runner, folder)
    data.runner.run([data.programs.larder, "-C", folder, "import", "csv", table])
    settle()
    return Setting(data, folder, folder, Item("", ""))


def empty(data: Data) -> Setting:
    """An empty household, and an empty repository; each run takes copies of its own."""
    ours, plain = data.work / "empty", data.work / "empty-git"
    for folder in (ours, plain):
        data.set_aside(folder)
    words = ["init", ours, "--name", "Home", "--time-zone", "UTC"]
    data.runner.run([data.programs.larder, *words])
    turn_packing_off(data.runner, ours)
    data.runner.run(["git", "init", "--quiet", plain])
    return Setting(data, ours, plain, Item("", ""))


def turn_packing_off(runner: Runner, folder: Path) -> None:
    """Packing in the background would belong to no run; git's is off by the settings of the home."""
    runner.run(["git", "-C", folder, "config", "gc.auto", "0"])


def settle() -> None:
    """Waits until files that were just written are on the disk, and their times can be trusted.

    A program that makes its own writes durable would otherwise wait for the benchmark's.
    """
    os.sync()
    time.sleep(SETTLING)


def longest(folder: Path) -> Item:
    """The item with the longest ledger."""
    path = max((folder / "stock").glob("*.json"), key=lambda path: path.stat().st_size)
    return Item(json.loads(path.read_text())["name"], str(path.relative_to(folder)))


def named(folder: Path, name: str) -> Item:
    for path in (folder / "stock").glob("*.json"):
        if json.loads(path.read_text())["name"] == name:
            return Item(name, str(path.relative_to(folder)))
    raise ValueError(f"no item is called {name} in {folder}")
