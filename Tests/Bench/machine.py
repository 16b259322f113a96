"""The machine and the versions of the programs, for people who read the figures."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import subprocess
from pathlib import Path

from .measure import Failed

def described(folder: Path, larder: Path) -> dict[str, str]:
    """What all figures depend on, by name. The households are in the folder."""
    return {
        "processor": f"{processor()}, {os.cpu_count()} cores",
        "memory": f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 2**30:.0f} GiB",
        "kernel": f"{platform.system()} {platform.release()}",
        "file system": file_system(folder),
        "larder": f"{first_line(larder, 'version')}, commit {commit(larder)}",
        "git": first_line("git", "version"),
        "other work": f"load {os.getloadavg()[0]:.2f} at the beginning",
    }


def commit(larder: Path) -> str:
    """The commit that a program was built from; `unknown` if it does not know it."""
    told = subprocess.run([larder, "version", "--plain"], capture_output=True, text=True).stdout
    facts = dict(line.split("\t", 1) for line in told.splitlines() if "\t" in line)
    return facts.get("commit", "unknown")


def require_commit(larder: Path) -> None:
    """Refuses a program that is built from no commit: nobody could measure it again."""
    known = commit(larder)
    if known == "unknown" or known.endswith("-dirty"):
        raise Failed(
            f"can't publish figures of {larder}: its commit is {known}\n"
            "hint: commit what was changed, or put it aside, and try again; RUNS=3 measures without publishing"
        )


def converging(peers: Path | None) -> dict[str, str]:
    """The versions of the tools that converge. `peers` is the Python with those from PyPI."""
    return {
        "unison": first_line("unison", "-version"),
        "taskwarrior": first_line("task", "--version"),
        "taskd": first_line("taskd", "--version"),
        "vdirsyncer": package(peers, "vdirsyncer"),
    }


def cloud() -> dict[str, str]:
    """The versions of what a household goes through the cloud with."""
    from LocalSupabase.postgres import programs

    return {
        "PostgreSQL": first_line(Path(programs()) / "postgres", "--version"),
        "supabase (Python client)": package(None, "supabase"),
        "Python": platform.python_version(),
    }


def processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return " ".join(line.partition(":")[2].split())
    except OSError:
        pass
    return platform.processor() or platform.machine()


def file_system(folder: Path) -> str:
    """The type of what is mounted at or above a folder."""
    best, kind = Path("/"), "unknown"
    try:
        lines = Path("/proc/self/mounts").read_text().splitlines()
    except OSError:
        return kind
    for line in lines:
        place, found = line.split()[1:3]
        mounted = Path(place.replace("\\040", " "))
        if folder.resolve().is_relative_to(mounted) and len(mounted.parts) >= len(best.parts):
            best, kind = mounted, found
    return kind


def first_line(program: str | Path, *words: str) -> str:
    """What a program prints first; `missing` if there is none."""
    try:
        result = subprocess.run(
            [program, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20
        )
    except (OSError, subprocess.TimeoutExpired):
        return "missing"
    # taskd writes its version in bold.
    plain = re.sub(r"\x1b\[[0-9;]*m", "", result.stdout or result.stderr)
    lines = [line.strip() for line in plain.splitlines()]
    return next((line for line in lines if line), "unknown")


def package(python: Path | None, name: str) -> str:
    """The version of a package from PyPI, in the environment of that Python or in this one."""
    if python is None:
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            return "missing"
    code = f"from importlib.metadata import version; print(version({name!r}))"
    line = first_line(python, "-c", code)
    return line if line[:1].isdigit() else "missing"
