"""The first push and the first pull of a household through the local Supabase, beside Supabase's own
Python client, which writes and reads the same rows in batches of 500.

It runs in the environment of the client. ITEMS= sets the number of items, PAGED= that of the household
whose pages are timed in the database.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
import uuid
from pathlib import Path

import psycopg

from .actions import write_items
from .goals import Goal
from .households import SETTLING
from .measure import Command, Cost, Failed, Runner, in_turn, median
from .results import Measured
from .variables import number_of
from .words import seconds

ROOT = Path(__file__).parents[2]
ITEMS, PAGED = 10_000, 10_000
PAGE = Goal(wall=0.005)
PULLS = 3
"""How often the pages are read; they take minutes."""


def is_whole() -> bool:
    return number_of("ITEMS", ITEMS) == ITEMS and number_of("PAGED", PAGED) == PAGED


class Supabase:
    """The server, which ends with this program."""

    def __init__(self, runner: Runner):
        self.runner = runner

    def __enter__(self) -> Supabase:
        self.process = subprocess.Popen(
            [ROOT / "scripts" / "supabase", "--json", "--port", "0", "--until-stdin-closes"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        self.facts = json.loads(self.process.stdout.readline())
        self.runner.servers.add(self.process.pid)
        return self

    def __exit__(self, *_: object) -> None:
        self.process.stdin.close()
        self.process.wait()

    def statements(self) -> Path:
        """The log, in which from now on the database writes how long each statement took.

        What the database would do in the background after many writes is done by then."""
        with psycopg.connect(self.facts["database"], autocommit=True) as connection:
            connection.execute("vacuum analyze")
            connection.execute("alter system set log_min_duration_statement = 0")
            connection.execute("select pg_reload_conf()")
            found = connection.execute("show data_directory").fetchone()
        return Path(found[0]).parent / "postgres.log"


class Device:
    """A home with larder in it, which signs in as one user."""

    def __init__(self, folder: Path, server: Supabase, larder: Path):
        self.home = folder / uuid.uuid4().hex
        self.home.mkdir(parents=True)
        self.server, self.larder = server, larder
        self.user = server.facts["users"][0]
        self.key = self.home / "key"
        self.key.write_text(server.facts["anonKey"])
        environment = {"HOME": str(self.home), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
        self.runner = Runner(environment, self.home / "errors")
        self.runner.servers = server.runner.servers

    def command(self, *words: str | Path) -> Command:
        return [self.larder, "-C", self.home / "home", *words]

    def fill(self, items: int) -> None:
        """A household with items that are not sent yet. Signing in syncs, so they come after that."""
        words = ["init", self.home / "home", "--name", "Bench", "--time-zone", "UTC"]
        self.runner.run([self.larder, *words])
        connect = ["cloud", "connect", self.server.facts["url"], "--anon-key-file", self.key]
        self.runner.run(self.command(*connect))
        self.told(*self.command("cloud", "login", self.user["email"], "--password-stdin"))
        write_items(self.home / "home" / "stock", items)
        self.runner.run(self.command("adopt"))
        time.sleep(SETTLING)
        # The first look at new files is a row of its own.
        self.runner.run(self.command("stock", "list"))

    @property
    def household(self) -> str:
        return json.loads((self.home / "home" / "household.json").read_text())["id"]

    def push(self) -> Cost:
        return self.runner.run(self.command("cloud", "push"))

    def join(self, household: str) -> Cost:
        """All of it: signing in, reading, files, and the commit."""
        words = ["cloud", "join", self.server.facts["url"], self.home / "home", "--email",
                 self.user["email"], "--anon-key-file", self.key, "--household", household,
                 "--password-stdin"]  # fmt: skip
        password = self.home / "password"
        password.write_text(self.user["password"])
        return self.runner.run(
            ["sh", "-c", 'input=$1; shift; exec "$@" <"$input"', "sh", password, self.larder, *words]
        )

    def told(self, *words: str | Path) -> None:
        """Runs a command that reads the password."""
        result = subprocess.run(
            words, input=self.user["password"], env=self.runner.environment, text=True,
            capture_output=True,
        )  # fmt: skip
        if result.returncode != 0:
            raise Failed(f"{' '.join(map(str, words))}: {result.stderr}")


def client(server: Supabase, *words: str) -> dict:
    """Runs Supabase's client in a process of its own, which measures itself after signing in."""
    result = subprocess.run(
        [sys.executable, "-m", "Bench.cloud_client", *words], input=json.dumps(server.facts),
        text=True, capture_output=True, cwd=ROOT / "Tests",
    )  # fmt: skip
    if result.returncode != 0:
        raise Failed(f"the Python client: {result.stderr[-2000:]}")
    return json.loads(result.stdout.splitlines()[-1])


def cost_of(told: dict) -> Cost:
    return Cost(told["wall"], told["cpu"])


def measured(larder: Path, folder: Path, runs: int) -> list[Measured]:
    """The rows through the cloud."""
    items = number_of("ITEMS", ITEMS)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        with Supabase(Runner(dict(os.environ), folder / "errors")) as server:
            found = rates(server, larder, folder, items, runs)
            return [*found, pages(server, larder, folder, number_of("PAGED", PAGED))]
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def rates(
    server: Supabase, larder: Path, folder: Path, items: int, runs: int
) -> list[Measured]:
    sent: dict[str, str] = {}

    def push(_: int) -> Cost:
        device = Device(folder, server, larder)
        device.fill(items)
        cost = device.push()
        sent["larder"] = device.household
        shutil.rmtree(device.home)
        return cost

    def push_rows(_: int) -> Cost:
        told = client(server, "push", str(items))
        sent["client"] = told["household"]
        return cost_of(told)

    def join(_: int) -> Cost:
        device = Device(folder, server, larder)
        cost = device.join(sent["larder"])
        shutil.rmtree(device.home)
        return cost

    def pull_files(_: int) -> Cost:
        return cost_of(client(server, "pull", sent["client"], str(folder / uuid.uuid4().hex)))

    goal = Goal(ratio=1)
    peer = "Python client, 500 rows a request"
    works = [
        ("cloud-push", f"first push of {items:,} items ({2 * items:,} rows)", peer, push, push_rows),
        ("cloud-pull", f"first pull of {items:,} items, files and commit too", f"{peer}, files, git",
         join, pull_files),
    ]  # fmt: skip
    found: list[Measured] = []
    for name, work, peer_work, ours, theirs in works:
        mine, other = (median(side) for side in in_turn(runs, [ours, theirs]))
        found.append(
            Measured(name, work, items, runs, mine, peer_work, other, goal, False)
        )
        print(f"{name}: {mine.wall:.2f} s, the peer {other.wall:.2f} s", flush=True)
    return found


def pages(server: Supabase, larder: Path, folder: Path, items: int) -> Measured:
    """The slowest page of a first pull, in the database; a page is what one request reads."""
    device = Device(folder, server, larder)
    device.fill(items)
    device.push()
    log = server.statements()
    pulls: list[float] = []
    read: list[list[float]] = []
    for _ in range(PULLS):
        begin = log.stat().st_size
        pulls.append(Device(folder, server, larder).join(device.household).wall)
        with open(log, errors="replace") as file:
            file.seek(begin)
            read.append(durations(file.read()))
    times = [statistics.median(page) for page in zip(*read)]
    if not times:
        raise Failed("the database's log has no pages")
    work = (
        f"the longest of {len(times)} pages of the first pull of {items:,} items, in the database "
        f"(median {seconds(statistics.median(times))}; the whole pull "
        f"{seconds(statistics.median(pulls))})"
    )
    return Measured(
        "cloud-pages", work, items, PULLS, Cost(max(times), 0), "", None, PAGE, False
    )


def durations(log: str) -> list[float]:
    """The seconds that the database took for each page of what is new in a household."""
    found: list[float] = []
    for match in re.finditer(
        r"duration: ([\d.]+) ms  (?:statement|execute[^:]*): (.*?)(?=\n\d{4}-|\Z)", log, re.DOTALL
    ):
        if '"public"."news"(' in match[2]:
            found.append(float(match[1]) / 1000)
    return found
