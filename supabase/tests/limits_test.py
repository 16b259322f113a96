"""Checks that requests stay within the limit of hosted projects: 8 seconds each."""

import json
import os
import time
import unittest
import uuid
from pathlib import Path

from sessions_test import LARDER, Session, connect, household_of, person

# In the time of the reference: a second or so of a processor, longer on a slow or busy machine.
LIMIT = 2
REFERENCE = "select count(*) from generate_series(1, 1000000) n where md5(n::text) > ''"


def processor_seconds(connection):
    """Returns the processor time of a connection's server process."""
    times = Path(f"/proc/{connection.info.backend_pid}/stat")
    if not times.exists():
        return time.monotonic()
    fields = times.read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run(session, *request):
    """Returns a request's answer, and its processor time in that of the reference beside it."""
    def seconds(*request):
        begun = processor_seconds(session.connection)
        answered = session.request(*request)
        return answered, processor_seconds(session.connection) - begun

    before = seconds(REFERENCE)[1]
    answered, taken = seconds(*request)
    return answered, taken / max(before, seconds(REFERENCE)[1])


def receipt(number):
    line = {"quantity": 2, "unit": "piece", "price": 1.25, "expiry": "2026-12-01"}
    return {"id": str(uuid.uuid4()), "shop_name": f"Shop {number}", "amount": 12.5, "currency": "EUR",
            "timestamp": "2026-11-02T10:00:00.000Z", "created_at": "2026-11-01T08:00:00.000Z", "edited": {},
            "extra": {}, "path": f"receipts/{number}.json",
            "items": [{"id": str(uuid.uuid4()), "itemName": f"Item {n}", "itemId": str(uuid.uuid4()), **line}
                      for n in range(20)]}


class Receipts(unittest.TestCase):
    def test_500_receipts_of_20_lines_are_one_request(self):
        user = person()
        household = household_of(user)
        receipts = [receipt(number) for number in range(500)]
        columns = ", ".join(f'"{name}"' for name in receipts[0])
        changes = ", ".join(f'"{name}" = excluded."{name}"' for name in receipts[0])
        upsert = (f"insert into receipts (household_id, {columns}) select %s, {columns}"
                  " from jsonb_populate_recordset(null::receipts, %s::jsonb)"
                  f" on conflict (household_id, id) do update set {changes} returning *")
        with Session(user) as session:
            for what in ("new", "sent again"):
                answered, taken = run(session, upsert, household, json.dumps(receipts))
                with self.subTest(what):
                    self.assertLess(taken, LIMIT)
                    self.assertEqual(len(answered), 500)
            for changed in receipts:
                changed["items"][3]["quantity"] = 9
                del changed["items"][4]
                changed["edited"] = {"items": "2026-11-03T08:00:00.000Z"}
            _, taken = run(session, upsert, household, json.dumps(receipts))
            self.assertLess(taken, 2 * LIMIT, "changed")
        with connect() as owner:
            lines = owner.execute(
                "select count(*), count(*) filter (where is_deleted), count(*) filter (where quantity = 9 and \"position\" = 3)"
                " from receipt_items where household_id = %s", [household]).fetchone()
        self.assertEqual(lines, (10000, 500, 500))


class Entries(unittest.TestCase):
    """Ledger entries that come in one request, as a device sends what it wrote while it was offline."""

    SIZES = (1000, 2000, 4000, 5000)

    def rows(self, kind, household, user, size):
        """Returns entries of a kind for things that are there."""
        items = [str(uuid.uuid4()) for _ in range(size if kind == "additions to many items" else 1)]
        batches = [str(uuid.uuid4())] if "batch" in kind else []
        with Session(user) as session:
            session.request("insert into stock_items (household_id, id, name) select %s, i, 'Tea' from unnest(%s::uuid[]) as i", household, items)
            session.request("insert into inventory_items (household_id, id, product_ref) select %s, b, %s from unnest(%s::uuid[]) as b",
                            household, json.dumps({"productId": items[0]}), batches)
        things = batches or items
        rows = [{"household_id": str(household), "entity_type": "InventoryItem" if batches else "StockItem", "id": str(uuid.uuid4()),
                 "entity_id": things[n % len(things)], "delta": 1} for n in range(size)]
        if kind.startswith("undos"):
            self.insert(user, LARDER, rows)
            rows = [{**row, "id": str(uuid.uuid4()), "delta": None, "undoes": row["id"]} for row in rows]
        if kind == "counts":
            rows = [row if n % 2 else {**row, "delta": None, "set": n} for n, row in enumerate(rows)]
        if kind == "uses":
            rows = [{**row, "delta": -1 if n else size} for n, row in enumerate(rows)]
        if kind == "requests":
            rows = [{**row, "request": f"{n}"} for n, row in enumerate(rows)]
        return rows

    def insert(self, user, headers, rows):
        """Returns the processor time of a request."""
        columns = ", ".join(f'"{name}"' for name in sorted({name for row in rows for name in row}))
        with Session(user, headers) as session:
            begun = processor_seconds(session.connection)
            session.request(f"insert into quantity_changes ({columns}) select {columns} from jsonb_populate_recordset(null::quantity_changes, %s)",
                            json.dumps(rows))
            return processor_seconds(session.connection) - begun

    def test_each_costs_the_same_in_a_request_of_1000_and_of_5000(self):
        for kind, headers in (("additions", {}), ("additions to many items", {}), ("uses", LARDER), ("requests", {}), ("counts", {}),
                              ("undos", LARDER), ("undos in a batch", {})):
            taken = {}
            for size in self.SIZES:
                household = household_of(user := person())
                taken[size] = self.insert(user, headers, self.rows(kind, household, user, size))
            with Session(user) as session:
                begun = processor_seconds(session.connection)
                session.request(REFERENCE)
                reference = processor_seconds(session.connection) - begun
            with self.subTest(kind, headers=headers, taken=taken, reference=reference):
                self.assertLess(taken[2000], 2 * 1.6 * taken[1000] + 0.05)
                self.assertLess(taken[4000], 2 * 1.6 * taken[2000] + 0.05)
                self.assertLess(taken[5000], (2 if "many" in kind else 1) * LIMIT * reference)


class Large(unittest.TestCase):
    """What a member makes large costs the others no more than what is a tenth as large."""

    def uses(self, session, statement, *values):
        """Returns what many requests take together, in the time of the reference, which is that of a hundred or so."""
        def many(times):
            begun = processor_seconds(session.connection)
            for _ in range(times):
                session.request(statement, *values)
            return processor_seconds(session.connection) - begun

        many(5)
        taken = many(50)
        begun = processor_seconds(session.connection)
        session.request(REFERENCE)
        return taken / (processor_seconds(session.connection) - begun)

    def analyze(self):
        """Does what autovacuum does within a minute after many rows came."""
        with connect() as owner:
            owner.execute("analyze")

    def check(self, what, small, large):
        self.assertLess(large, 1.5 * small + 0.2, f"{what}: {small:.2f} and {large:.2f}")

    def test_a_use_costs_the_same_in_a_ledger_of_40000_entries(self):
        household = household_of(user := person())
        taken = {}
        for size in (4000, 40000):
            item = uuid.uuid4()
            with Session(user) as session:
                session.request("insert into stock_items (household_id, id, name) values (%s, %s, 'Tea')", household, item)
                session.request("insert into quantity_changes (household_id, entity_type, entity_id, at, delta) select %s, 'StockItem', %s,"
                                " now() - interval '1 day' + n * interval '1 s', 1 from generate_series(1, %s) as n", household, item, size)
            self.analyze()
            for headers in (LARDER, {}):
                with Session(user, headers) as session:
                    for what, statement in (("a use", "insert into quantity_changes (household_id, entity_type, entity_id, delta) select household_id, 'StockItem', id, -1 from stock_items where id = %s"),
                                            ("a note", "update stock_items set note = gen_random_uuid()::text where id = %s")):
                        taken.setdefault((what, *headers), []).append(self.uses(session, statement, item))
        for what, (small, large) in taken.items():
            with self.subTest(what):
                self.check(what, small, large)

    def test_a_use_costs_the_same_in_a_batch_of_40000_entries_whose_item_is_counted(self):
        household, taken = household_of(user := person()), []
        for size in (4000, 40000):
            item, batch = uuid.uuid4(), uuid.uuid4()
            with Session(user) as session:
                session.request("insert into stock_items (household_id, id, name) values (%s, %s, 'Tea')", household, item)
                session.request("insert into inventory_items (household_id, id, product_ref) values (%s, %s, %s)", household, batch, json.dumps({"productId": str(item)}))
                session.request("insert into quantity_changes (household_id, entity_type, entity_id, at, delta) select %s, 'InventoryItem', %s,"
                                " now() - interval '1 day' + n * interval '1 s', 1 from generate_series(1, %s) as n", household, batch, size)
                session.request("insert into quantity_changes (household_id, entity_type, entity_id, \"set\", total) values (%s, 'StockItem', %s, 5, %s)", household, item, size)
            self.analyze()
            with Session(user) as session:
                taken.append(self.uses(session, "insert into quantity_changes (household_id, entity_type, entity_id, delta) values (%s, 'InventoryItem', %s, -1)", household, batch))
                self.assertEqual(session.request("select quantity_in_stock from stock_items where id = %s", item), [(size - 55,)])
        self.check("a use", *taken)

    def test_a_use_costs_the_same_where_3000_items_name_its_product(self):
        taken = []
        for size in (300, 3000):
            household, batch = household_of(user := person()), uuid.uuid4()
            with Session(user) as session:
                session.request("insert into stock_items (household_id, name, products) select %s, 'Tea', '[\"p\"]' from generate_series(1, %s)", household, size)
                session.request("insert into inventory_items (household_id, id, product_ref) values (%s, %s, '{\"productId\": \"p\"}')", household, batch)
                session.request("insert into inventory_items (household_id, product_ref) select %s, '{\"productId\": \"p\"}' from generate_series(1, 100)", household)
            self.analyze()
            with Session(user) as session:
                taken.append(self.uses(session, "insert into quantity_changes (household_id, entity_type, entity_id, delta) values (%s, 'InventoryItem', %s, 1)", household, batch))
        self.check("a batch", *taken)


if __name__ == "__main__":
    unittest.main()
