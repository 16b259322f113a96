"""Households from the seeded generators: made once, kept in a folder, and copied for a run."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from .measure import Runner

MADE_BY = 1
"""The version of the generators: who changes what they make increases it."""

SEED = 1
SETTLING = 2.2
"""Seconds after which Larder and git trust the times of a file that was just written."""


@dataclass(frozen=True)
class Programs:
    larder: Path
    generator: Path
    years: Path


@dataclass(frozen=True)
class Item:
    """An item of a household, by its file."""

    name: str
    path: str


class Data:
    """The folder with the kept households, and the copies of this run."""

    def __init__(self, folder: Path, programs: Programs):
        self.folder = folder
        self.programs = programs
        self.kept = folder / "households"
        self.work = folder / "work"
        self.home = self.work / "home"
        self.old = self.work / "old"
        self.lock = self.locked()
        self.clear()
        self.runner = Runner(self.environment(), self.work / "errors")

    def locked(self) -> IO[str]:
        """Only one run at a time uses a folder; it would disturb the other one's figures, too."""
        self.folder.mkdir(parents=True, exist_ok=True)
        lock = open(self.folder / "lock", "w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise SystemExit(f"error: another benchmark runs in {self.folder}") from None
        return lock

    def clear(self) -> None:
        shutil.rmtree(self.work, ignore_errors=True)
        self.home.mkdir(parents=True)
        config = "[user]\n\tname = Bench\n\temail = bench@example.org\n"
        config += "[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n[pull]\n\trebase = false\n"
        (self.home / ".gitconfig").write_text(config)

    def environment(self) -> dict[str, str]:
        names = ("PATH", "LD_LIBRARY_PATH")
        kept = {name: os.environ[name] for name in names if name in os.environ}
        # The merge driver of a household is `larder`, without a path.
        path = f"{self.programs.larder.parent}:{kept.get('PATH', os.defpath)}"
        return kept | {
            "PATH": path, "HOME": str(self.home), "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8",
            "TZ": "UTC", "NO_COLOR": "1",
        }  # fmt: skip

    # Kept households

    def items(self, count: int, entries: int = 0) -> Path:
        """A household of so many items; its first item's ledger has so many entries."""
        name = f"items-{count}" + (f"-ledger-{entries}" if entries else "")
        words = [self.programs.generator, "FOLDER", str(count), str(SEED), str(entries)]
        return self.made(name, words)

    def years(self, commits: int) -> Path:
        """A household with a history of so many commits."""
        # In memory if there is enough: on a disk, each commit would wait for fsync.
        memory = Path("/dev/shm")
        has_room = memory.is_dir() and shutil.disk_usage(memory).free > 2**30
        words = [self.programs.years, "FOLDER", str(commits)]
        return self.made(f"years-{commits}", words, memory if has_room else None)

    def made(self, name: str, words: list[str | Path], place: Path | None = None) -> Path:
        """The kept household of a name; it is made if there is none, at first in another place."""
        folder = self.kept / f"{name}-{MADE_BY}"
        if folder.exists():
            return folder
        self.kept.mkdir(parents=True, exist_ok=True)
        draft = folder.with_suffix(".new")
        shutil.rmtree(draft, ignore_errors=True)
        first = Path(tempfile.mkdtemp(dir=place or self.kept)) / folder.name
        begun = time.monotonic()
        print(f"making {folder.name} (once)", flush=True)
        try:
            self.runner.run([first if word == "FOLDER" else word for word in words])
            self.runner.run(["git", "-C", first, "reset", "--quiet", "--hard"])
            shutil.move(first, draft)
        finally:
            shutil.rmtree(first.parent, ignore_errors=True)
        draft.rename(folder)
        print(f"made {folder.name} in {time.monotonic() - begun:.0f} s", flush=True)
        return folder

    # Copies for a run

    def copy(self, source: Path, name: str) -> Path:
        """A copy that a run may change, at a path that depends on the name alone."""
        folder = self.work / name
        self.set_aside(folder)
        subprocess.run(["cp", "-a", "--reflink=auto", source, folder], check=True)
        return folder

    def set_aside(self, folder: Path) -> None:
        """Frees a path. What was there is deleted at the end of the run only: where a disk has no
        journal, ext4 looks for minutes past each deleted file before it makes a new one."""
        if folder.exists():
            self.old.mkdir(exist_ok=True)
            folder.rename(self.old / str(len(list(self.old.iterdir()))))

    @contextmanager
    def copied(self, source: Path, *names: str) -> Iterator[list[Path]]:
        """Copies that are set aside afterwards."""
        folders = [self.copy(source, name) for name in names]
        try:
            yield folders
        finally:
            for folder in folders:
                self.set_aside(folder)

    def warm(self, *folders: Path) -> None:
        """Lets the caches of larder and of git know the files of a copy, which are other files."""
        time.sleep(SETTLING)
        for folder in folders:
            self.runner.run(["git", "-C", folder, "status", "--short"])
            if (folder / ".git" / "larder").exists():
                self.runner.run([self.programs.larder, "-C", folder, "stock", "list"])


def make_plain(runner: Runner, folder: Path) -> None:
    """Makes a clone one of plain git, without Larder's drivers and device data."""
    shutil.rmtree(folder / ".git" / "larder", ignore_errors=True)
    for section in ("merge.larder", "diff.larder"):
        runner.run(["git", "-C", folder, "config", "--remove-section", section], fails=True)


def item_of(folder: Path, place: float = 0.5) -> Item:
    """An item at a place between the first and the last by path, with something in stock, and
    counted in pieces: an amount of these needs no unit."""
    paths = sorted((folder / "stock").glob("*.json"))
    begin = int(place * (len(paths) - 1))
    for path in paths[begin:] + paths[:begin]:
        content = json.loads(path.read_text())
        if content.get("quantityInStock", 0) > 5 and content["unit"] == "piece":
            return Item(content["name"], str(path.relative_to(folder)))
    raise ValueError(f"nothing in stock in {folder}")
