"""Larder and plain git: two clones of the household, with a remote in a folder."""

from __future__ import annotations

from pathlib import Path

from ..edits import LAPTOP, PHONE, lost, use_all, uses_in_file, wrong_sum
from ..measure import Cost, Failed
from ..settings import settle, turn_packing_off
from . import Bench, Outcome, has


class Clones:
    """Two clones, `laptop` and `phone`, of `hub.git`."""

    name: str
    note = ""
    most_runs = 100

    def __init__(self, bench: Bench):
        self.bench = bench
        self.runner = bench.data.runner
        self.folder = bench.data.work / f"converge-{self.name}"

    def device(self, name: str) -> Path:
        return self.folder / name

    def missing(self) -> str:
        return has("git")

    def start(self) -> None:
        self.bench.copied(self.name)
        self.bench.data.warm(self.device(LAPTOP), self.device(PHONE))
        for name in (LAPTOP, PHONE):
            use_all(self.device(name), self.bench.items, name, self.bench.size)
        settle()

    def uses(self, device: str):
        items = self.bench.items
        return lambda number: uses_in_file(self.device(device) / items[number].path)


class LarderTool(Clones):
    name = "larder"
    work = "`larder sync` on the laptop, the phone, the laptop"

    def larder(self, device: str, *words: str) -> list:
        return [self.bench.data.programs.larder, "-C", self.device(device), *words]

    def prepare(self) -> None:
        if not (folder := self.bench.making(self.name)):
            return
        hub = folder / "hub.git"
        self.runner.run(["cp", "-a", self.bench.household, self.device(LAPTOP)])
        self.runner.run(["git", "init", "--quiet", "--bare", hub])
        remote = ["git", "-C", self.device(LAPTOP), "remote", "add", "origin", hub]
        self.runner.run(remote, self.larder(LAPTOP, "sync"))
        self.runner.run([self.bench.data.programs.larder, "join", hub, self.device(PHONE)])
        for name in (LAPTOP, PHONE):
            turn_packing_off(self.runner, self.device(name))
            self.runner.run(self.larder(name, "config", "device", name), fails=True)
        self.bench.keep(self.name)

    def converge(self) -> Cost:
        return self.runner.run(*(self.larder(name, "sync") for name in (LAPTOP, PHONE, LAPTOP)))

    def outcome(self) -> Outcome:
        """The quantities have to add up, too, which the files of no other tool could."""
        for name in (LAPTOP, PHONE):
            if path := wrong_sum(self.device(name), self.bench.items, self.bench.size):
                raise Failed(f"{path} on the {name} has not what was there less what was used")
        return Outcome(lost(self.bench.size, [self.uses(LAPTOP), self.uses(PHONE)]))


class GitTool(Clones):
    name = "git"
    work = "`git commit -a`, `push`; `git commit -a`, `pull`"
    note = (
        "`git pull` stops at the conflicts, so nothing of the phone's is sent, and the laptop "
        "gets nothing."
    )

    def prepare(self) -> None:
        if not (folder := self.bench.making(self.name)):
            return
        hub = folder / "hub.git"
        self.runner.run(["git", "clone", "--quiet", "--bare", self.bench.household, hub])
        for name in (LAPTOP, PHONE):
            self.runner.run(["git", "clone", "--quiet", hub, self.device(name)])
        self.bench.keep(self.name)

    def git(self, device: str, *words: str) -> list:
        return ["git", "-C", self.device(device), *words]

    def commit_both(self) -> Cost:
        return self.runner.run(
            self.git(LAPTOP, "commit", "--quiet", "-a", "-m", "uses"),
            self.git(LAPTOP, "push", "--quiet"),
            self.git(PHONE, "commit", "--quiet", "-a", "-m", "uses"),
        )

    def converge(self) -> Cost:
        pull = self.git(PHONE, "pull", "--quiet", "--no-edit")
        return self.commit_both() + self.runner.run(pull, fails=True)

    def outcome(self) -> Outcome:
        listed = self.runner.output(*self.git(PHONE, "diff", "--name-only", "--diff-filter=U", "-z"))
        paths = set(listed.split("\0")) - {""}
        numbers = {item.path: number for number, item in enumerate(self.bench.items)}
        in_conflict = frozenset(numbers[path] for path in paths)
        return Outcome(lost(self.bench.size, [self.uses(PHONE)], in_conflict), len(paths))


class GitToTheEnd(GitTool):
    """Git with a rule for conflicts, so that it does all that Larder does: both devices have the same."""

    name = "git-ours"
    work = "the same with `pull -X ours`, and then `push`; `pull` on the laptop"
    note = "Of two edits of one place, `-X ours` keeps that of the phone."

    def converge(self) -> Cost:
        return self.commit_both() + self.runner.run(
            self.git(PHONE, "pull", "--quiet", "--no-edit", "-X", "ours"),
            self.git(PHONE, "push", "--quiet"),
            self.git(LAPTOP, "pull", "--quiet"),
        )

    def outcome(self) -> Outcome:
        return Outcome(lost(self.bench.size, [self.uses(LAPTOP), self.uses(PHONE)]))
