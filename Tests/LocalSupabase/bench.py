"""Times Larder's exchange with the local Supabase beside Supabase's own client; see scripts/bench-cloud."""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
import uuid

from supabase import ClientOptions, create_client

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = sys.argv[1]
COUNT = int(os.environ.get("ITEMS", "10000"))
ROWS = 2 * COUNT  # each item has a row and a ledger entry
ONE_BY_ONE = min(COUNT, 500)


class Supabase:
    """The server, which ends with this program."""

    def __enter__(self):
        self.process = subprocess.Popen(
            [ROOT + "/scripts/supabase", "--json", "--port", "0", "--until-stdin-closes", "--faults"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.facts = json.loads(self.process.stdout.readline())
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def requests(self):
        """The requests it has seen."""
        with urllib.request.urlopen(self.facts["url"] + "/_local/faults") as answer:
            return json.load(answer)["requests"]


class Device:
    """A folder for a home, and larder in it."""

    def __init__(self, folder, facts, user):
        self.home = os.path.join(folder, uuid.uuid4().hex)
        os.makedirs(self.home)
        self.facts, self.user = facts, user
        self.key = os.path.join(self.home, "key")
        with open(self.key, "w") as file:
            file.write(facts["anonKey"])

    def run(self, *words, text="", place="home"):
        environment = {"HOME": self.home, "PATH": os.environ["PATH"]}
        folder = os.path.join(self.home, place)
        begun = time.monotonic()
        result = subprocess.run(
            [PROGRAM, *words],
            input=text,
            cwd=folder if os.path.isdir(folder) else self.home,
            env=environment,
            text=True,
            capture_output=True,
        )
        if result.returncode != 0:
            sys.exit(f"larder {' '.join(words)}: {result.stderr}")
        return time.monotonic() - begun, result.stdout

    def connect(self):
        self.run("cloud", "connect", self.facts["url"], "--anon-key-file", self.key)
        self.run("cloud", "login", self.user["email"], "--password-stdin", text=self.user["password"])


def write_items(folder):
    os.makedirs(folder + "/stock")
    for number in range(COUNT):
        with open(f"{folder}/stock/item-{number:05}.json", "w") as file:
            json.dump(
                {
                    "name": f"Item {number:05}",
                    "category": f"Shelf {number % 40}",
                    "quantityInStock": number % 9 + 3,
                    "quantityFullStock": 6,
                },
                file,
            )


def client(facts, user):
    """Supabase's own, which the database takes for a Larder, so that it has the same work."""
    made = create_client(
        facts["url"], facts["anonKey"], ClientOptions(headers={"X-Larder-Client": "bench"})
    )
    made.auth.sign_in_with_password({"email": user["email"], "password": user["password"]})
    return made


def rows(household):
    """The same rows as Larder's, of a household of their own."""
    changes, items = [], []
    for number in range(COUNT):
        item = str(uuid.uuid4())
        items.append(
            {
                "household_id": household,
                "id": item,
                "name": f"Item {number:05}",
                "category": f"Shelf {number % 40}",
                "unit": "piece",
                "quantity_full_stock": 6,
                "is_archived": False,
                "created_at": "2026-11-01T08:00:00.000Z",
                "edited": {},
                "extra": {},
                "path": f"stock/item-{number:05}.json",
            }
        )
        changes.append(
            {
                "household_id": household,
                "entity_type": "StockItem",
                "entity_id": item,
                "id": str(uuid.uuid4()),
                "at": "2026-11-01T08:00:00.000Z",
                "set": number % 9 + 3,
                "unit": "piece",
                "why": "edit",
                "by": "edit",
                "extra": {},
            }
        )
    return changes, items


CHANGE_KEY = "household_id,entity_type,entity_id,id"


def push_rows(made, size, most=None):
    household = str(uuid.uuid4())
    made.table("households").upsert(
        {"household_id": household, "id": household, "name": "Bench"}, on_conflict="household_id,id"
    ).execute()
    changes, items = rows(household)
    changes, items = changes[:most], items[:most]
    begun = time.monotonic()
    for start in range(0, len(changes), size):
        made.table("quantity_changes").upsert(
            changes[start : start + size], on_conflict=CHANGE_KEY
        ).execute()
    for start in range(0, len(items), size):
        made.table("stock_items").upsert(
            items[start : start + size], on_conflict="household_id,id"
        ).execute()
    return household, (len(changes) + len(items)) / (time.monotonic() - begun)


def pages(made, household, size, most=None):
    """The rows of both tables, page by page."""
    for table in ("stock_items", "quantity_changes"):
        version, seen = 0, 0
        while most is None or seen < most:
            answer = (
                made.table(table)
                .select("*")
                .eq("household_id", household)
                .gt("version", version)
                .order("version")
                .limit(size)
                .execute()
                .data
            )
            if not answer:
                break
            version, seen = answer[-1]["version"], seen + len(answer)
            yield answer


def pull_rows(made, household, size, most=None):
    begun = time.monotonic()
    count = sum(len(page) for page in pages(made, household, size, most))
    return count / (time.monotonic() - begun)


def pull_files(made, household, folder):
    """The same into a file for each item, which git commits: what joining leaves behind."""
    begun = time.monotonic()
    git = ["git", "-C", folder, "-c", "user.name=bench", "-c", "user.email=bench", "-c", "gc.auto=0"]
    os.makedirs(folder + "/stock")
    subprocess.run(["git", "init", "-q", folder], check=True)
    items, count = {}, 0
    for page in pages(made, household, 500):
        count += len(page)
        for row in page:
            if "entity_id" in row:
                items[row["entity_id"]].setdefault("changes", []).append(row)
            else:
                items[row["id"]] = row
    for item in items.values():
        with open(folder + "/" + item["path"], "w") as file:
            json.dump(item, file, indent=2)
    subprocess.run(git + ["add", "-A"], check=True)
    subprocess.run(git + ["commit", "-qm", "all of it"], check=True)
    return count / (time.monotonic() - begun)


def reading(requests):
    """Rows a second between the first answer of a join's pull and its last."""
    times = [one["at"] for one in requests if one["method"] == "GET"]
    return ROWS / (times[-1] - times[0])


def tell(what, rate, beside=None):
    print(f"{what:50} {rate:9.0f} rows/s" + (f"   {rate / beside:5.2f} times Larder's" if beside else ""))


def main():
    with Supabase() as server, tempfile.TemporaryDirectory() as folder:
        mira = server.facts["users"][0]
        device = Device(folder, server.facts, mira)
        device.run("init", "home", "--name", "Bench", "--time-zone", "UTC")
        write_items(device.home + "/home")
        device.run("adopt")
        device.connect()
        made = client(server.facts, mira)

        seconds, _ = device.run("cloud", "push")
        push = ROWS / seconds
        tell(f"larder: first push of {COUNT} items", push)
        household, many = push_rows(made, 500)
        tell("Python client: the same, 500 rows a request", many, push)
        _, single = push_rows(made, 1, ONE_BY_ONE)
        tell("Python client: the same, one row a request", single, push)

        figures = [joining(server, device, made, household, mira, folder) for _ in range(3)]
        joined, read, files, many = (statistics.median(column) for column in zip(*figures))
        tell("larder: joining, all of it in files and committed", joined)
        tell("Python client: the same, 500 rows a request, git", files, joined)
        tell("larder: reading alone, while joining", read)
        tell("Python client: the same, 500 rows a request", many, read)
        tell("Python client: the same, one row a request", pull_rows(made, household, 1, ONE_BY_ONE), read)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        print(f"the most memory a larder had: {peak / 1024:.0f} MB (wanted: under 150)")

        device.run("sync")
        before = len(server.requests())
        seconds, _ = device.run("sync")
        count = len(server.requests()) - before
        print(f"a sync with nothing to do: {count} requests, {seconds:.2f} s")


def joining(server, device, made, household, user, folder):
    """Rows a second of one join, of its reading, and of the Python client with files and without."""
    other = Device(folder, server.facts, user)
    before = len(server.requests())
    seconds, _ = other.run(
        "cloud", "join", server.facts["url"], "home", "--email", user["email"], "--anon-key-file",
        other.key, "--household", household_id(device), "--password-stdin", text=user["password"],
    )  # fmt: skip
    read = reading(server.requests()[before:])
    files = pull_files(made, household, os.path.join(folder, uuid.uuid4().hex))
    return ROWS / seconds, read, files, pull_rows(made, household, 500)


def household_id(device):
    with open(device.home + "/home/household.json") as file:
        return json.load(file)["id"]


main()
