"""The PostgreSQL behind the server: found, made, started and stopped, and nothing left of it."""

import fcntl
import glob
import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg

SUPERUSER = "supabase_admin"
BOOTSTRAP = Path(__file__).with_name("bootstrap.sql")
EVERY_START = Path(__file__).with_name("every_start.sql")

# Run beside the server: when the server is gone, however it went, its pipe closes, and this stops
# PostgreSQL and removes what is temporary.
GUARD = """
trap '' INT TERM HUP
cat >/dev/null
kill -INT "$1" 2>/dev/null
while kill -0 "$1" 2>/dev/null; do sleep 0.05; done
shift
rm -rf "$@"
"""


class PostgresError(Exception):
    """PostgreSQL can't be had; the text says why."""


class Postgres:
    """One cluster in a folder, reached through a Unix socket in a short path only."""

    def __init__(self, folder: Path | None):
        """Without a folder nothing is kept."""
        self.programs = programs()
        self.account = account()
        self.durable = folder is not None
        self.folder = folder or temporary_folder()
        self.data = self.folder / "postgres"
        self.log = self.folder / "postgres.log"
        self.sockets = None
        self.process = None
        self.guard = None
        self.lock = None

    def start(self):
        """Starts the cluster, made first if the folder has none. True if it was made."""
        self.take_folder()
        made = not (self.data / "ready").exists()
        if made:
            self.make()
        else:
            self.stop_leftover()
        self.sockets = Path(tempfile.mkdtemp(prefix=f"larder-pg-{os.getpid()}-", dir="/tmp"))
        self.give(self.sockets)
        self.run()
        with psycopg.connect(self.address(SUPERUSER), autocommit=True) as connection:
            if made:
                connection.execute(BOOTSTRAP.read_text())
            connection.execute(EVERY_START.read_text())
        (self.data / "ready").touch()
        return made

    def address(self, role: str) -> str:
        return f"host={self.sockets} port=5432 dbname=postgres user={role}"

    def stop(self):
        """Ends PostgreSQL; what is temporary goes with it."""
        if self.process:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.send_signal(signal.SIGQUIT)
                self.process.wait()
        if self.guard:
            self.guard.stdin.close()
            self.guard.wait()
        for folder in self.temporary():
            remove(folder)

    # Steps of starting

    def take_folder(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lock = open(self.folder / "lock", "w")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise PostgresError(f"another server runs on {self.folder}") from None

    def make(self):
        shutil.rmtree(self.data, ignore_errors=True)
        self.data.mkdir(mode=0o700)
        self.give(self.data)
        self.check_reach()
        self.finish(
            "initdb",
            "--pgdata",
            self.data,
            "--username",
            SUPERUSER,
            "--auth",
            "trust",
            "--encoding",
            "UTF8",
            "--locale",
            "C.UTF-8" if has_c_utf8() else "C",
            "--wal-segsize",
            "1",
            "--no-sync",
            "--no-instructions",
        )

    def stop_leftover(self):
        """Of a killed server: the folder's lock says that its PostgreSQL is nobody's."""
        try:
            sockets = (self.data / "postmaster.pid").read_text().splitlines()[4]
        except (FileNotFoundError, IndexError):
            return
        while self.still_runs(sockets):
            time.sleep(0.05)
        if re.fullmatch(r"/tmp/larder-pg-\d+-\w+", sockets):
            remove(Path(sockets))

    def still_runs(self, sockets):
        """Asks it to stop, too. A process with the number it had may be anybody's by now."""
        try:
            with psycopg.connect(f"host={sockets} dbname=postgres user={SUPERUSER}") as connection:
                (data,) = connection.execute("show data_directory").fetchone()
        except psycopg.OperationalError as error:
            return "shutting down" in str(error) or "starting up" in str(error)
        if Path(data).resolve() != self.data.resolve():
            return False
        self.finish("pg_ctl", "stop", "--pgdata", self.data, "--mode", "fast", "--silent")
        return True

    def run(self):
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.sockets),
            "port": "5432",
            "unix_socket_permissions": "0700",
            "max_connections": "60",
            "logging_collector": "off",
            "timezone": "UTC",
            "jit": "off",
            "min_wal_size": "5MB",
            "max_wal_size": "64MB",
            "wal_level": "minimal",
            "max_wal_senders": "0",
        }
        if not self.durable:
            settings |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
        arguments = [part for key, value in settings.items() for part in ("-c", f"{key}={value}")]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [self.programs / "postgres", "-D", self.data, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                start_new_session=True,
                **self.account,
            )
        self.guard = subprocess.Popen(
            ["sh", "-c", GUARD, "guard", str(self.process.pid), *map(str, self.temporary())],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,
        )
        self.wait_until_ready()

    def wait_until_ready(self):
        deadline = time.monotonic() + 60
        while self.process.poll() is None and time.monotonic() < deadline:
            try:
                psycopg.connect(self.address(SUPERUSER)).close()
                return
            except psycopg.OperationalError:
                time.sleep(0.02)
        raise PostgresError("PostgreSQL does not start:\n" + self.log.read_text()[-2000:])

    # Small things

    def temporary(self):
        return [
            folder for folder in (self.sockets, None if self.durable else self.folder) if folder
        ]

    def give(self, path):
        if self.account:
            shutil.chown(path, self.account["user"])

    def check_reach(self):
        if subprocess.run(["test", "-w", self.data], cwd="/", **self.account).returncode != 0:
            raise PostgresError(
                f"the user 'postgres' can't reach {self.data}: choose another folder, or open "
                "those above it with chmod a+x"
            )

    def finish(self, program, *arguments):
        done = subprocess.run(
            [self.programs / program, *arguments],
            capture_output=True,
            text=True,
            cwd="/",
            **self.account,
        )
        if done.returncode != 0:
            raise PostgresError(f"{program} failed:\n{done.stderr}")


def programs() -> Path:
    """The folder of PostgreSQL's newest programs."""
    found = glob.glob("/usr/lib/postgresql/*/bin/initdb")
    for brewed in ("/opt/homebrew", "/usr/local"):
        found += glob.glob(f"{brewed}/opt/postgresql*/bin/initdb")
    if found:
        return Path(max(found, key=version_in)).parent
    if in_path := shutil.which("initdb"):
        return Path(in_path).resolve().parent
    raise PostgresError("there is no PostgreSQL here: run scripts/setup supabase")


def version_in(path: str) -> int:
    numbers = re.findall(r"\d+", path)
    return int(numbers[-1]) if numbers else 0


def account() -> dict:
    """PostgreSQL refuses to run as root; then it runs as its own user."""
    if os.geteuid() != 0:
        return {}
    try:
        entry = pwd.getpwnam("postgres")
    except KeyError:
        raise PostgresError(
            "PostgreSQL can't run as root, and there is no user 'postgres'"
        ) from None
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def temporary_folder() -> Path:
    """In memory where there is room: what is not kept needs no disk, and starts sooner."""
    memory = Path("/dev/shm")
    roomy = os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 2**30
    place = memory if roomy else None
    folder = Path(tempfile.mkdtemp(prefix=f"larder-supabase-{os.getpid()}-", dir=place))
    folder.chmod(0o711)  # PostgreSQL's own user must get through
    return folder


def is_reachable(folder: Path) -> bool:
    """Whether the user that PostgreSQL runs as gets to a folder."""
    reached = subprocess.run(["test", "-x", folder], cwd="/", **account())
    return reached.returncode == 0


def remove(folder: Path):
    """Also while a process that was just stopped still writes its last."""
    for _ in range(20):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.1)


def has_c_utf8() -> bool:
    listed = subprocess.run(["locale", "-a"], capture_output=True, text=True).stdout.lower()
    return "c.utf8" in listed or "c.utf-8" in listed
