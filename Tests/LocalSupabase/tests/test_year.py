"""A household for a year: one of its people has Larder, another a program that knows nothing of stamps and ledgers.

The program reads rows, keeps them for a while, and writes them back: only columns, or whole rows in all the ways that
programs have. After each act, the rows and a device that syncs have what people wrote, and nothing else.
"""

import json
import os
import random
import subprocess
import tempfile
import unittest
from datetime import datetime, timezone
from pathlib import Path

from postgrest.exceptions import APIError

from .support import HERE, Supabase

ROOT = HERE.parents[2]
PROGRAM = Path(os.environ.get("LARDER_PROGRAM") or ROOT / ".build/tests/release/larder").resolve()
ACTS = int(os.environ.get("LARDER_ACTS") or 60)

#: What a row's columns are called in the file.
FIELDS = {"stock_items": {"name": "name", "category": "category", "note": "note"},
          "inventory_items": {"notes": "notes", "lot_or_batch_code": "lotOrBatchCode"},
          "shopping_list_entries": {"name": "name", "note": "note", "is_completed": "isCompleted", "desired_quantity": "desiredQuantity"}}
QUANTITY = {"stock_items": "quantity_in_stock", "inventory_items": "quantity_value"}


class Device:
    """A household of Larder that syncs with the project."""

    def __init__(self, supabase, folder):
        self.folder = Path(folder)
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "LANG": "C.UTF-8"}
        (self.folder / "key").write_text(supabase.anon_key)
        user = supabase.users["mira"]
        self("init", "nest", "--name", "Nest", "--time-zone", "UTC", at=self.folder)
        self("cloud", "connect", supabase.url, "--anon-key-file", "../key")
        self("cloud", "login", user["email"], "--password-stdin", input=user["password"] + "\n")
        self("sync")

    def __call__(self, *words, at=None, input=""):
        done = subprocess.run([PROGRAM, *words], cwd=at or self.folder / "nest", env=self.environment, input=input, text=True, capture_output=True)
        if done.returncode:
            raise AssertionError(f"larder {' '.join(words)}: {done.stderr}")
        return done.stdout

    def files(self):
        found = [json.loads(path.read_text()) for path in (self.folder / "nest").rglob("*.json") if ".git" not in path.parts]
        return {file["id"]: file for file in found if "id" in file}

    def totals(self):
        return {item["id"]: item["total"] for item in json.loads(self("stock", "--all", "--json"))["items"]}


class Row:
    """A row as people wrote it, what it has been, and copies that the program has read."""

    def __init__(self, table, made, item=None):
        self.table, self.id, self.item = table, made["id"], item
        self.columns = [*FIELDS[table], *([QUANTITY[table]] if table in QUANTITY and (table != "stock_items" or item is None) else [])]
        self.values = {column: made[column] for column in self.columns}
        self.past = {column: {made[column]} for column in self.columns}
        self.copies = [made]

    def write(self, changes):
        for column, value in changes.items():
            self.values[column] = value
            self.past[column].add(value)


class Year(unittest.TestCase):
    def setUp(self):
        self.seed = os.environ.get("LARDER_SEED") or str(random.randrange(10**9))
        self.chance = random.Random(self.seed)
        self.supabase = Supabase("--migrations", str(ROOT / "supabase" / "migrations"))
        self.addCleanup(self.supabase.stop)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.device = Device(self.supabase, folder.name)
        mira, self.app = self.supabase.signed_in("mira"), self.supabase.signed_in("jonas")
        code = mira.rpc("create_invite", {"household": next(iter(mira.table("households").select("id").execute().data))["id"]}).execute().data["code"]
        self.app.rpc("accept_invite", {"code": code}).execute()
        self.rows = [self.make("stock_items", name=name, category="A", quantity_in_stock=6) for name in ("Milk", "Tea")]
        box = self.make("stock_items", name="Box", category="A")
        self.rows.append(self.make("inventory_items", box.id, product_ref={"productId": box.id}, quantity_value=6))
        self.rows.append(self.make("shopping_list_entries", name="Bread", note="A", desired_quantity=1))
        self.device("sync")

    def make(self, table, item=None, **fields):
        return Row(table, self.app.table(table).insert(fields).execute().data[0], item)

    def read(self, row):
        return self.app.table(row.table).select("*").eq("id", row.id).execute().data[0]

    def value(self, column, row):
        chance = self.chance
        if column in ("quantity_in_stock", "quantity_value", "desired_quantity"):
            return chance.choice([0, 1, 2, 3, 4, 5, 6, 2.5])
        if column == "is_completed":
            return chance.random() < 0.5
        value = chance.choice(["A", "B", "C", f"{column} {chance.randrange(1000)}"])
        if column == "name":
            # Two items have no name in common.
            return f"{value} {row.id}"
        return value if chance.random() < 0.8 else None

    def changes(self, row):
        columns = self.chance.sample(row.columns, self.chance.choice([0, 1, 1, 2]))
        return {column: self.value(column, row) for column in columns}

    def test_what_people_wrote_is_what_there_is(self):
        told = {"device": 0, "columns": 0, "merged": 0, "taken": 0, "refused": 0}
        for act in range(ACTS):
            row = self.chance.choice(self.rows)
            with self.subTest(seed=self.seed, act=act, row=row.table):
                kind = self.chance.choice(["larder", "columns", "version", "version", "no version"])
                self.assertTrue(row.copies)
                told[getattr(self, kind.replace(" ", "_"))(row)] += 1
                self.check()
            if self.chance.random() < 0.3:
                row.copies.append(self.read(row))
        self.device("check")
        if ACTS >= 100:
            self.assertTrue(all(told.values()), f"seed {self.seed}: {told}")

    def larder(self, row):
        """Somebody with Larder uses or puts some, or writes a field; the check syncs it."""
        act, number = self.chance.random(), row.values.get(QUANTITY.get(row.table))
        item = row.item or row.id
        if row.table in QUANTITY and act < 0.6:
            if act < 0.3 and number >= 1:
                self.device("use", item, "1")
                row.write({QUANTITY[row.table]: number - 1})
            elif row.item is None:
                self.device("put", item, "3")
                row.write({QUANTITY[row.table]: number + 3})
        elif row.table == "stock_items":
            column = self.chance.choice(["name", "category", "note"])
            value = self.value(column, row)
            self.device("stock", "edit", item, f"--{column}", value or "")
            row.write({column: value})
        return "device"

    def columns(self, row):
        """The program writes only what it changes."""
        changes = self.changes(row) or {row.columns[0]: self.value(row.columns[0], row)}
        self.app.table(row.table).update(changes).eq("id", row.id).execute()
        row.write(changes)
        return "columns"

    def late(self, row):
        """A whole row that was read some time ago, in which some columns are changed."""
        copy, changes = self.chance.choice(row.copies), self.changes(row)
        time = self.chance.choice([{}, {"updated_at": datetime.now(timezone.utc).isoformat()}, None])
        late = {**copy, **changes, **(time or {})}
        if time is None:
            del late["updated_at"]
        return copy, {column: value for column, value in changes.items() if value != copy[column]}, late

    def send(self, row, late):
        table = self.app.table(row.table)
        return (table.upsert(late) if self.chance.random() < 0.7 else table.update(late).eq("id", row.id)).execute()

    def version(self, row):
        copy, changes, late = self.late(row)
        self.send(row, late)
        row.write(changes)
        return "merged"

    def no_version(self, row):
        copy, changes, late = self.late(row)
        del late["version"]
        old = [column for column in row.columns if late[column] != row.values[column] and (late[column] is None or late[column] in row.past[column])]
        if late.get("status") == "consumed" and late["quantity_value"] == row.values["quantity_value"] > 0:
            old.append("status")
        if not old:
            self.send(row, late)
            row.write({column: late[column] for column in row.columns})
            return "taken"
        with self.assertRaises(APIError) as refusal:
            self.send(row, late)
        error = refusal.exception
        self.assertEqual((error.code, error.details), ("LA038", None))
        self.assertIn(f"{row.table} {row.id}: ", error.message)
        self.assertEqual(error.message.rsplit(": ", 1)[1].split(", "), sorted(old))
        self.check_row(row)
        # What the hint says: only what was changed, or the row with its version.
        if self.chance.random() < 0.5:
            if changes:
                self.app.table(row.table).update(changes).eq("id", row.id).execute()
        else:
            self.app.table(row.table).upsert({**self.read(row), **changes}).execute()
        row.write(changes)
        return "refused"

    def check_row(self, row):
        found = self.read(row)
        self.assertEqual({column: found[column] for column in row.columns}, row.values)

    def check(self):
        self.device("sync")
        files, totals = self.device.files(), self.device.totals()
        for row in self.rows:
            self.check_row(row)
            fields = FIELDS[row.table]
            self.assertEqual({field: files[row.id].get(field) for field in fields.values()}, {fields[column]: row.values[column] for column in fields})
            if row.table in QUANTITY:
                self.assertEqual(totals[row.item or row.id], row.values[QUANTITY[row.table]])


if __name__ == "__main__":
    unittest.main()
