"""Unison and vdirsyncer: two folders of files."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from ..edits import AMOUNT, LAPTOP, PHONE, lost, use_all, uses_in_file
from ..households import SETTLING
from ..measure import Cost
from ..settings import settle
from . import Bench, Outcome, has


class Unison:
    """The household's files in two folders; of a file that changed on both sides the newer one stays."""

    name = "unison"
    work = "`unison -batch -prefer newer`"
    note = ""
    most_runs = 100

    def __init__(self, bench: Bench):
        self.bench = bench
        self.runner = bench.data.runner
        self.folder = bench.data.work / "converge-unison"

    def missing(self) -> str:
        return has("unison")

    def command(self) -> list:
        # Its archives, which remember the paths of both folders, are copied with them.
        return ["env", f"UNISON={self.folder}/archives", "unison", self.folder / LAPTOP,
                self.folder / PHONE, "-batch", "-silent", "-times", "-prefer", "newer"]  # fmt: skip

    def prepare(self) -> None:
        if not (folder := self.bench.making(self.name)):
            return
        for name in (LAPTOP, PHONE):
            shutil.copytree(
                self.bench.household, folder / name, ignore=shutil.ignore_patterns(".git")
            )
        self.runner.run(self.command())
        self.bench.keep(self.name)

    def start(self) -> None:
        self.bench.copied(self.name)
        time.sleep(SETTLING)
        # The files of a copy are other files: it reads them all once.
        self.runner.run(self.command())
        for name in (LAPTOP, PHONE):
            use_all(self.folder / name, self.bench.items, name, self.bench.size)
        settle()

    def converge(self) -> Cost:
        return self.runner.run(self.command())

    def outcome(self) -> Outcome:
        items = self.bench.items

        def uses(name: str):
            return lambda number: uses_in_file(self.folder / name / items[number].path)

        return Outcome(lost(self.bench.size, [uses(LAPTOP), uses(PHONE)]))


VTODO = """\
BEGIN:VCALENDAR\r
VERSION:2.0\r
PRODID:-//Larder//Benchmark//EN\r
BEGIN:VTODO\r
UID:{id}\r
DTSTAMP:20260101T080000Z\r
SUMMARY:{name}\r
CATEGORIES:{category}\r
END:VTODO\r
END:VCALENDAR\r
"""


class Vdirsyncer:
    """A to-do for each item in two folders; of one that changed on both sides the laptop's stays."""

    name = "vdirsyncer"
    work = "`vdirsyncer sync`"
    note = ""
    most_runs = 100

    def __init__(self, bench: Bench, python: Path | None):
        self.bench = bench
        self.runner = bench.data.runner
        self.folder = bench.data.work / "converge-vdirsyncer"
        self.program = python.parent / "vdirsyncer" if python else Path("vdirsyncer")

    def missing(self) -> str:
        return "" if shutil.which(self.program) else "vdirsyncer is not installed"

    def command(self, word: str) -> list:
        return [self.program, "-v", "ERROR", "-c", self.folder / "config", word]

    def config(self) -> str:
        text = f'[general]\nstatus_path = "{self.folder}/status/"\n\n[pair items]\n'
        text += 'a = "laptop"\nb = "phone"\ncollections = null\nconflict_resolution = "a wins"\n'
        for name in (LAPTOP, PHONE):
            text += f'\n[storage {name}]\ntype = "filesystem"\npath = "{self.folder / name}/"\n'
            text += 'fileext = ".ics"\n'
        return text

    def prepare(self) -> None:
        if not (folder := self.bench.making(self.name)):
            return
        (folder / "config").write_text(self.config())
        for name in (LAPTOP, PHONE):
            (folder / name).mkdir()
            for item in self.bench.items:
                text = VTODO.format(id=item.id, name=item.name, category=item.category)
                (folder / name / f"{item.id}.ics").write_bytes(text.encode())
        self.runner.run(self.command("discover"), self.command("sync"))
        self.bench.keep(self.name)

    def start(self) -> None:
        self.bench.copied(self.name)
        # The files of a copy are other files: it reads them all once.
        self.runner.run(self.command("sync"))
        for name in (LAPTOP, PHONE):
            for number in self.bench.size.numbers(name):
                path = self.path(name, number)
                comment = f"COMMENT:used {AMOUNT[name]} on the {name}\r\n".encode()
                text = path.read_bytes()
                path.write_bytes(text.replace(b"END:VTODO", comment + b"END:VTODO"))
        settle()

    def path(self, device: str, number: int) -> Path:
        return self.folder / device / f"{self.bench.items[number].id}.ics"

    def converge(self) -> Cost:
        return self.runner.run(self.command("sync"))

    def outcome(self) -> Outcome:
        def uses(device: str):
            return lambda number: self.uses(self.path(device, number))

        return Outcome(lost(self.bench.size, [uses(LAPTOP), uses(PHONE)]))

    def uses(self, path: Path) -> set[str]:
        text = path.read_text()
        return {name for name in (LAPTOP, PHONE) if f"used {AMOUNT[name]} on the {name}" in text}
