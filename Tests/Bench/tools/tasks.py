"""Taskwarrior with its server: a task for each item, and a field of the task for the uses of each device.

As annotations both uses of one task would get lost: its server drops annotations that both devices add.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import time
from pathlib import Path

from ..edits import AMOUNT, LAPTOP, PHONE, lost
from ..measure import Cost, Failed
from . import Bench, Outcome, has


class Taskwarrior:
    """Two clients of one account; the server runs on this machine."""

    name = "taskwarrior"
    work = "`task sync` on the laptop, the phone, the laptop, with taskd"
    note = (
        "A sync takes minutes, so there are fewer runs. Each device writes into a field of its own; "
        "of annotations, taskd 1.1 lost both where both devices added one."
    )
    most_runs = 1

    def __init__(self, bench: Bench):
        self.bench = bench
        self.runner = bench.data.runner
        self.folder = bench.data.work / "converge-taskwarrior"
        self.server: subprocess.Popen[bytes] | None = None

    def missing(self) -> str:
        return has("task", "taskd", "openssl")

    def task(self, device: str, *words: str) -> list:
        folder = self.folder / device
        return ["env", f"TASKRC={folder}/taskrc", f"TASKDATA={folder}/data", "task",
                "rc.confirmation=off", "rc.gc=off", "rc.verbose=nothing", *words]  # fmt: skip

    # The two devices, as they are before the edits

    def prepare(self) -> None:
        if not (folder := self.bench.making(self.name)):
            return
        make_certificates(folder / "keys")
        account = self.make_account(folder / "server")
        for name in (LAPTOP, PHONE):
            (folder / name / "data").mkdir(parents=True)
            (folder / name / "taskrc").write_text(self.settings(account))
        tasks = [
            {"uuid": item.id, "description": item.name, "project": item.category,
             "status": "pending", "entry": "20260101T080000Z"}
            for item in self.bench.items
        ]  # fmt: skip
        self.bring(LAPTOP, tasks)
        self.serve()
        try:
            for name in (LAPTOP, PHONE):
                self.runner.run(self.task(name, "sync", "init"), fails=name == PHONE)
            self.runner.run(self.task(PHONE, "sync"), self.task(LAPTOP, "sync"))
        finally:
            self.stop()
        if len(self.exported(PHONE)) != len(tasks):
            raise Failed("taskwarrior's second device did not get the tasks")
        self.bench.keep(self.name)

    def make_account(self, data: Path) -> str:
        """Sets the server up, and returns `organization/user/key`."""
        data.mkdir()
        self.runner.output("taskd", "init", "--data", data)
        keys = self.folder / "keys"
        for name, value in {
            "server.cert": keys / "server.cert.pem", "server.key": keys / "server.key.pem",
            "client.cert": keys / "client.cert.pem", "client.key": keys / "client.key.pem",
            "ca.cert": keys / "ca.cert.pem", "server": f"localhost:{free_port()}",
            "log": data / "log", "pid.file": data / "pid", "request.limit": "0",
            "queue.size": "10",
        }.items():  # fmt: skip
            self.runner.output("taskd", "config", "--data", data, "--force", name, str(value))
        self.runner.output("taskd", "add", "--data", data, "org", "Home")
        said = self.runner.output("taskd", "add", "--data", data, "user", "Home", "Mira")
        found = re.search(r"New user key: (\S+)", said)
        if not found:
            raise Failed(f"taskd gave no key: {said}")
        return f"Home/Mira/{found[1]}"

    def settings(self, account: str) -> str:
        keys = self.folder / "keys"
        fields = [f"uda.{field(name)}.type=numeric" for name in (LAPTOP, PHONE)]
        return "\n".join([
            *fields,
            f"taskd.certificate={keys}/client.cert.pem", f"taskd.key={keys}/client.key.pem",
            f"taskd.ca={keys}/ca.cert.pem", f"taskd.server={self.address()}",
            f"taskd.credentials={account}", "taskd.trust=strict", "recurrence=off", "hooks=off", "",
        ])  # fmt: skip

    def address(self) -> str:
        config = (self.folder / "server" / "config").read_text()
        found = re.search(r"^server=(.*)$", config, re.MULTILINE)
        return found[1] if found else ""

    # A run

    def start(self) -> None:
        self.bench.copied(self.name)
        for name in (LAPTOP, PHONE):
            known = {task["uuid"]: task for task in self.exported(name)}
            changed = []
            for number in self.bench.size.numbers(name):
                task = known[self.bench.items[number].id]
                changed.append(task | {field(name): AMOUNT[name]})
            self.bring(name, changed)
            # Both devices have edited what they edited at another second.
            time.sleep(1.1)

    def bring(self, device: str, tasks: list[dict]) -> None:
        path = self.folder / device / "tasks.json"
        path.write_text(json.dumps(tasks))
        self.runner.run(self.task(device, "import", str(path)))

    def exported(self, device: str) -> list[dict]:
        return json.loads(self.runner.output(*self.task(device, "export")))

    def converge(self) -> Cost:
        self.serve()
        try:
            cost = self.runner.run(*(self.task(name, "sync") for name in (LAPTOP, PHONE, LAPTOP)))
        finally:
            used = self.stop()
        return Cost(cost.wall, cost.cpu + used, cost.peak)

    def outcome(self) -> Outcome:
        copies = [self.uses(name) for name in (LAPTOP, PHONE)]
        return Outcome(lost(self.bench.size, copies))

    def uses(self, device: str):
        found = {
            task["uuid"]: {
                name for name in (LAPTOP, PHONE) if float(task.get(field(name), 0)) == AMOUNT[name]
            }
            for task in self.exported(device)
        }
        return lambda number: found.get(self.bench.items[number].id, set())

    # The server

    def serve(self) -> None:
        self.server = subprocess.Popen(
            ["taskd", "server", "--data", self.folder / "server"],
            env=self.runner.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self.runner.servers.add(self.server.pid)
        host, port = self.address().rsplit(":", 1)
        for _ in range(100):
            try:
                socket.create_connection((host, int(port)), 1).close()
                return
            except OSError:
                time.sleep(0.1)
        raise Failed("taskd does not answer")

    def stop(self) -> float:
        """Stops the server, and returns its processor time."""
        if not self.server:
            return 0
        os.kill(self.server.pid, signal.SIGTERM)
        _, status, usage = os.wait4(self.server.pid, 0)
        self.server.returncode = os.waitstatus_to_exitcode(status)
        self.runner.servers.discard(self.server.pid)
        self.server = None
        return usage.ru_utime + usage.ru_stime


def field(device: str) -> str:
    """The field of a task for the uses of a device."""
    return f"usedbythe{device}"


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("localhost", 0))
        return found.getsockname()[1]


def make_certificates(folder: Path) -> None:
    """An authority, and with it certificates for the server and its clients."""
    folder.mkdir(parents=True)

    def openssl(*words: str) -> None:
        subprocess.run(
            ["openssl", *words], cwd=folder, check=True, capture_output=True, stdin=subprocess.DEVNULL
        )

    years = ("-days", "3650")
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key.pem", "-out",
            "ca.cert.pem", "-subj", "/CN=Benchmark authority", *years)  # fmt: skip
    for name, subject in (("server", "/CN=localhost"), ("client", "/CN=Mira")):
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key.pem", "-out",
                f"{name}.csr", "-subj", subject)  # fmt: skip
        (folder / "names").write_text("subjectAltName=DNS:localhost\n")
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.cert.pem", "-CAkey", "ca.key.pem",
                "-CAcreateserial", "-out", f"{name}.cert.pem", "-extfile", "names", *years)  # fmt: skip
