"""Supabase's own Python client at the same work as Larder: push ITEMS, or pull HOUSEHOLD FOLDER.

It reads the server's facts from standard input, and prints what it took after signing in, as JSON.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

from supabase import Client, ClientOptions, create_client

BATCH = 500
CHANGE_KEY = "household_id,entity_type,entity_id,id"
AT = "2026-11-01T08:00:00.000Z"


def signed_in(facts: dict) -> Client:
    """The database takes it for a Larder, so that it has the same work."""
    options = ClientOptions(headers={"X-Larder-Client": "bench"})
    made = create_client(facts["url"], facts["anonKey"], options)
    user = facts["users"][0]
    made.auth.sign_in_with_password({"email": user["email"], "password": user["password"]})
    return made


def rows(household: str, items: int) -> tuple[list[dict], list[dict]]:
    """The same rows as Larder's, of a household of their own."""
    changes: list[dict] = []
    found: list[dict] = []
    for number in range(items):
        item = str(uuid.uuid4())
        found.append({
            "household_id": household, "id": item, "name": f"Item {number:05}",
            "category": f"Shelf {number % 40}", "unit": "piece", "quantity_full_stock": 6,
            "is_archived": False, "created_at": AT, "edited": {}, "extra": {},
            "path": f"stock/item-{number:05}.json",
        })  # fmt: skip
        changes.append({
            "household_id": household, "entity_type": "StockItem", "entity_id": item,
            "id": str(uuid.uuid4()), "at": AT, "set": number % 9 + 3, "unit": "piece",
            "why": "edit", "by": "edit", "extra": {},
        })  # fmt: skip
    return changes, found


def push(made: Client, household: str, items: int) -> None:
    own = {"household_id": household, "id": household, "name": "Bench"}
    made.table("households").upsert(own, on_conflict="household_id,id").execute()
    changes, found = rows(household, items)
    for table, key, all_rows in (
        ("quantity_changes", CHANGE_KEY, changes),
        ("stock_items", "household_id,id", found),
    ):
        for start in range(0, len(all_rows), BATCH):
            batch = all_rows[start : start + BATCH]
            made.table(table).upsert(batch, on_conflict=key).execute()


def pages(made: Client, household: str) -> Iterator[list[dict]]:
    """The rows of both tables, page by page."""
    for table in ("stock_items", "quantity_changes"):
        version = 0
        while True:
            query = made.table(table).select("*").eq("household_id", household)
            answer = query.gt("version", version).order("version").limit(BATCH).execute().data
            if not answer:
                break
            version = answer[-1]["version"]
            yield answer


def pull(made: Client, household: str, folder: Path) -> None:
    """The rows into a file for each item, which git commits: what joining leaves behind."""
    git = ["git", "-C", folder, "-c", "user.name=bench", "-c", "user.email=bench", "-c", "gc.auto=0"]
    (folder / "stock").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", folder], check=True)
    items: dict[str, dict] = {}
    for page in pages(made, household):
        for row in page:
            if "entity_id" in row:
                items[row["entity_id"]].setdefault("changes", []).append(row)
            else:
                items[row["id"]] = row
    for item in items.values():
        (folder / item["path"]).write_text(json.dumps(item, indent=2))
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-qm", "all of it"], check=True)


def cpu() -> float:
    """The processor time of this process and of those it ran."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def main() -> None:
    made = signed_in(json.load(sys.stdin))
    household = str(uuid.uuid4())
    begun, used = time.perf_counter(), cpu()
    if sys.argv[1] == "push":
        push(made, household, int(sys.argv[2]))
    else:
        pull(made, sys.argv[2], Path(sys.argv[3]))
    told = {"wall": time.perf_counter() - begun, "cpu": cpu() - used, "household": household}
    print(json.dumps(told))


main()
