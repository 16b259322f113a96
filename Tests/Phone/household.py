"""The sample household on a machine at home, and the real program that serves it."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("LARDER_PROGRAM") or str(ROOT / ".build/tests/release/larder")


@cache
def adopted_sample():
    """A folder with the sample household, moved to today; it is made once, and copied then."""
    folder = tempfile.TemporaryDirectory(prefix="sample-")
    household = Household(ROOT / "sample-household", folder.name)
    household.larder("init", "--sample")
    household.larder("adopt")
    return folder


class Household:
    """A copy of the sample household, and its server."""

    def __init__(self, original=None, folder=None):
        self.folder = Path(folder or tempfile.mkdtemp(prefix="phone-"))
        self.home = self.folder / "home"
        self.server = None
        self.port = 0
        shutil.copytree(original or Path(adopted_sample().name, "home"), self.home)

    @classmethod
    def empty(cls, name):
        """Returns a household in which nothing is yet."""
        with tempfile.TemporaryDirectory(prefix="nothing-") as nothing:
            household = cls(nothing)
        household.larder("init", "--name", name, "--time-zone", "Europe/London", "--currency", "GBP")
        return household

    def environment(self, now=None):
        own = {"HOME": str(self.folder), "LC_ALL": "C.UTF-8", "TZ": "UTC", "LARDER_DEVICE": "terminal", "GIT_CONFIG_NOSYSTEM": "1"}
        return own | {"PATH": os.environ["PATH"]} | ({"LARDER_NOW": now} if now else {})

    def larder(self, *words, now=None, home=None, is_refused=False, text=None):
        """Runs a command, and returns what it printed."""
        done = subprocess.run(
            [PROGRAM, *words], cwd=home or self.home, env=self.environment(now), input=text or "", capture_output=True, text=True, timeout=120
        )
        if (done.returncode != 0) != is_refused:
            raise AssertionError(f"larder {' '.join(words)}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout + (done.stderr if is_refused else "")

    def json(self, *words, home=None):
        return json.loads(self.larder(*words, "--json", home=home))

    def git(self, *words):
        return subprocess.run(["git", *words], cwd=self.home, env=self.environment(), capture_output=True, text=True, check=True).stdout.strip()

    def commits(self):
        return int(self.git("rev-list", "--count", "HEAD"))

    def item(self, name):
        return next(item for item in self.json("stock")["items"] if item["name"] == name)

    def entry(self, name):
        return next((entry for entry in self.entries() if entry["name"] == name), None)

    def entries(self):
        """Returns what is on the list, and in the basket."""
        return self.json("shop", "list")["items"]

    # The server.

    def serve(self):
        """Starts the server, on the port that it had before."""
        log = self.folder / "server.log"
        with log.open("w") as output:
            words = [PROGRAM, "serve", "--port", str(self.port)]
            self.server = subprocess.Popen(words, cwd=self.home, env=self.environment(), stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        end = time.monotonic() + 40
        while "watching" not in log.read_text():
            if self.server.poll() is not None or time.monotonic() > end:
                raise AssertionError(f"larder serve: {log.read_text()}")
            time.sleep(0.02)
        self.port = int(re.search(r"127\.0\.0\.1:(\d+)", log.read_text())[1])

    def kill(self, how=signal.SIGKILL):
        """Ends the server; the phones don't learn why."""
        self.server.send_signal(how)
        self.server.wait()

    def code(self):
        """Returns a code for pairing, as the address of the square has it."""
        return self.json("serve", "--pair")["address"].partition("#pair=")[2]

    def remove(self):
        if self.server and self.server.poll() is None:
            self.kill()
        shutil.rmtree(self.folder)
