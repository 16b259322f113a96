"""What a program costs: wall time, processor time of all its processes, and peak memory."""

from __future__ import annotations

import ctypes
import os
import socket
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36

STARTER = '(read -r go <&3; exec "$@" 3<&-) & echo $! >&3'
"""Leaves this process a child that becomes a program when it is told to, and says the child's number.

Linux counts the memory of the process that starts a program as the program's own: that of Python, with all
that the benchmark holds, would hide what a program needs. A shell is smaller than any program measured."""


class Failed(Exception):
    """Why nothing can be measured: a variable is wrong, or a program ended with an error; the text has
    its last lines."""


@dataclass(frozen=True)
class Cost:
    """What one run cost. `peak` is of the largest process, in bytes."""

    wall: float
    cpu: float
    peak: int = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.wall + other.wall, self.cpu + other.cpu, max(self.peak, other.peak))


NOTHING = Cost(0, 0)


def median(costs: Sequence[Cost]) -> Cost:
    """The median of each figure by itself; of the memory, the most."""
    return Cost(
        statistics.median(cost.wall for cost in costs),
        statistics.median(cost.cpu for cost in costs),
        max(cost.peak for cost in costs),
    )


Command = Sequence[str | Path]
"""A program with its arguments."""


class Runner:
    """Runs programs with one environment, and measures them."""

    def __init__(self, environment: dict[str, str], errors: Path):
        self.environment = environment
        self.errors = errors
        self.servers: set[int] = set()
        adopt_orphans()

    def run(self, *commands: Command, fails: bool = False) -> Cost:
        """Runs commands one after the other. With `fails`, any exit code is right."""
        cost = NOTHING
        for command in commands:
            cost += self.one([os.fspath(word) for word in command], fails)
        return cost

    def one(self, words: list[str], fails: bool) -> Cost:
        here, there = socket.socketpair()
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, self.errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
            (os.POSIX_SPAWN_DUP2, there.fileno(), 3),
        ]
        with here, here.makefile("rb") as said, there:
            shell = ["sh", "-c", STARTER, "sh", *words]
            starter = os.posix_spawnp("sh", shell, self.environment, file_actions=actions)
            process = int(said.readline())
            os.waitpid(starter, 0)
            begun = time.perf_counter()
            here.sendall(b"\n")
            _, status, usage = os.wait4(process, 0)
            wall = time.perf_counter() - begun
        code = os.waitstatus_to_exitcode(status)
        if code != 0 and not fails:
            said = self.errors.read_text(errors="replace")[-2000:]
            raise Failed(f"{' '.join(words)}: exit code {code}\n{said}")
        cpu = usage.ru_utime + usage.ru_stime + self.background()
        return Cost(wall, cpu, usage.ru_maxrss * 1024)

    def background(self) -> float:
        """Waits for processes that a program left behind, and returns their processor time."""
        cpu = 0.0
        for child in children() - self.servers:
            try:
                _, _, usage = os.wait4(child, 0)
            except ChildProcessError:
                continue
            cpu += usage.ru_utime + usage.ru_stime
        return cpu

    def output(self, *words: str | Path) -> str:
        """What a program prints; not measured."""
        result = subprocess.run(
            words, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        if result.returncode != 0:
            raise Failed(f"{' '.join(map(str, words))}: {result.stderr[-2000:]}")
        return result.stdout


def adopt_orphans() -> None:
    """Makes this process the parent of processes whose parent has ended, on Linux."""
    try:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    except (OSError, AttributeError):
        pass


def children() -> set[int]:
    """The child processes of this process; none where the system does not tell."""
    found: set[int] = set()
    for path in Path("/proc/self/task").glob("*/children"):
        found.update(int(word) for word in path.read_text().split())
    return found


def in_turn(
    runs: int, sides: Sequence[Callable[[int], Cost]], warm_up: bool = True
) -> list[list[Cost]]:
    """Runs each side once in turn, as often as said: A B A B …; one round before does not count."""
    costs: list[list[Cost]] = [[] for _ in sides]
    for number in range(0 if warm_up else 1, runs + 1):
        for side, kept in zip(sides, costs):
            cost = side(number)
            if number > 0:
                kept.append(cost)
    return costs
