"""Checks the sums that are kept against FORMAT.md's own definition, after random writes."""

import datetime
import decimal
import json
import os
import random
import unittest
import uuid

from sessions_test import LARDER, Session, connect, household_of, person

D = decimal.Decimal
FACTORS = {("gram", "kilogram"): D("0.001"), ("kilogram", "gram"): D(1000)}
START = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)


def factor(unit, wanted):
    return D(1) if unit == wanted else FACTORS.get((unit, wanted))


def rounded(number):
    return number.quantize(D("0.000001"), decimal.ROUND_HALF_EVEN)


def counting(entries, unit, page):
    """Returns the entries that count, and the last count of them (FORMAT.md, section 7)."""
    undone = {e["undoes"] for e in entries if e["undoes"]}
    entries = [e for e in entries if page is None or e["at"] >= page or str(e["id"])[14] == "5"]
    entries = sorted((e for e in entries if not e["undoes"] and factor(e["unit"], unit) is not None and (e["id"] not in undone or e["at"] == page)),
                     key=lambda e: (e["at"], e["id"]))
    return entries, ([e for e in entries if e["set"] is not None] or [None])[-1]


def quantity(entries, unit, page, created_at):
    """Returns the quantity of a ledger, and since when it is used up."""
    entries, start = counting(entries, unit, page)
    total, empty, emptied = D(0), True, created_at
    if start:
        total = start["set"] * factor(start["unit"], unit)
        empty, emptied = rounded(total) <= 0, start["at"]
    for e in [e for e in entries if e["delta"] is not None and (not start or e["at"] >= start["at"])]:
        total += e["delta"] * factor(e["unit"], unit)
        if rounded(total) > 0:
            empty = False
        elif not empty or (emptied == created_at and not start):
            empty, emptied = True, e["at"]
    return rounded(total), emptied if rounded(total) <= 0 else None


def given(entries, unit, page, gone, moment=None):
    """Returns what a batch gives to its item, or gave when that was counted."""
    all, (entries, _) = entries, counting(entries, unit, page)
    if moment is not None:
        entries = [e for e in entries if e["at"] < moment or (e["at"] == moment and e["set"] is not None)]
    start = ([e for e in entries if e["set"] is not None] or [None])[-1]
    since, total = (start["at"], start["set"] * factor(start["unit"], unit)) if start else (None, D(0))
    if gone is not None and (moment is None or gone <= moment) and (since is None or gone >= since):
        since, total = gone, min(D(0), given(all, unit, page, None, gone))
    return rounded(total + sum(e["delta"] * factor(e["unit"], unit) for e in entries if e["delta"] is not None and (since is None or e["at"] >= since)))


def item_total(entries, unit, page, batches):
    """Returns all there is of an item; its batches are ledgers with a unit, a page, and since when each is gone."""
    own, (_, start) = quantity(entries, unit, page, None)[0], counting(entries, unit, page)
    since, beyond = None, D(0)
    if start and start["total"] is not None:
        since, beyond = start["at"], (start["total"] - start["set"]) * factor(start["unit"], unit)
    return rounded(own + beyond + sum(
        (given(*b) - (given(*b, max(since, b[2] or since)) if since else 0)) * factor(b[1], unit) for b in batches if factor(b[1], unit) is not None))


class Sums(unittest.TestCase):
    def setUp(self):
        self.seed = int(os.environ.get("LARDER_SEED", random.randrange(10**9)))
        self.chance = random.Random(self.seed)
        self.user = person()
        self.household = household_of(self.user)

    def test_ledgers(self):
        for kind, table in (("StockItem", "stock_items"), ("InventoryItem", "inventory_items")):
            chance, item, ids, page = self.chance, uuid.uuid4(), [], None
            with Session(self.user) as session, connect() as owner:
                if kind == "StockItem":
                    session.request("insert into stock_items (household_id, id, name, unit) values (%s, %s, 'Flour', 'gram')", self.household, item)
                else:
                    session.request("insert into inventory_items (household_id, id, product_ref, quantity) values (%s, %s, %s, '{\"unit\": \"gram\"}')",
                                    self.household, item, json.dumps({"productId": "p"}))
                created = owner.execute(f"select created_at from {table} where id = %s", [item]).fetchone()[0]
                for turn in range(50):
                    act = chance.random()
                    if act < 0.06:
                        unit = chance.choice(["gram", "kilogram"])
                        later = f"larder.instant(now() + interval '{turn} s')"
                        session.request(*(("update stock_items set unit = %s, edited = edited || jsonb_build_object('unit', " + later + ") where id = %s", unit, item)
                                          if kind == "StockItem" else
                                          ("update inventory_items set quantity = jsonb_build_object('unit', %s::text), edited = edited || jsonb_build_object('quantity', " + later + ") where id = %s", unit, item)))
                    elif act < 0.09:
                        page = START + datetime.timedelta(minutes=chance.randrange(400))
                        session.request(f"update {table} set page_from = greatest(page_from, %s) where id = %s", page, item)
                    else:
                        rows = []
                        for _ in range(chance.choice([1, 1, 1, 3, 120 if turn < 5 else 2])):
                            row = {"household_id": str(self.household), "entity_type": kind, "entity_id": str(item),
                                   "id": str(chance.choice([uuid.uuid4(), uuid.uuid5(item, str(chance.random()))])),
                                   "at": (START + datetime.timedelta(minutes=chance.choice([turn * 4, chance.randrange(500)]))).isoformat(),
                                   "delta": None, "set": None, "undoes": None, "unit": chance.choice(["gram", "gram", "kilogram", "piece"])}
                            kind_of = chance.random()
                            if kind_of < 0.8 or not ids:
                                row["delta"] = str(D(chance.randrange(-40000, 40000)) / 10000)
                            elif kind_of < 0.85:
                                row["set"] = str(chance.randrange(-2, 5))
                            else:
                                row["undoes"], row["unit"] = chance.choice(ids + [str(uuid.uuid4())]), None
                            ids.append(row["id"])
                            if chance.random() < 0.05:
                                row["id"] = chance.choice(ids)
                            rows = [r for r in rows if r["id"] != row["id"]] + [row]
                        session.request(
                            "insert into quantity_changes (household_id, entity_type, entity_id, id, at, delta, \"set\", undoes, unit)"
                            " select household_id, entity_type, entity_id, id, at, delta, \"set\", undoes, unit from jsonb_populate_recordset(null::quantity_changes, %s::jsonb)"
                            " on conflict (household_id, entity_type, entity_id, id) do update set at = excluded.at, delta = excluded.delta,"
                            " \"set\" = excluded.\"set\", undoes = excluded.undoes, unit = excluded.unit", json.dumps(rows))
                    entries = [dict(zip(("id", "at", "delta", "set", "undoes", "unit"), row)) for row in owner.execute(
                        "select id, at, delta, \"set\", undoes, coalesce(unit, 'piece') from quantity_changes where entity_id = %s", [item])]
                    if kind == "StockItem":
                        shown, unit, page_from = owner.execute("select quantity_in_stock, unit, page_from from stock_items where id = %s", [item]).fetchone()
                        self.assertEqual(shown, quantity(entries, unit, page_from, created)[0], f"LARDER_SEED={self.seed}, turn {turn}")
                    else:
                        shown, unit, page_from, emptied = owner.execute(
                            "select quantity_value, quantity ->> 'unit', page_from, consumed_at from inventory_items where id = %s", [item]).fetchone()
                        self.assertEqual((shown, emptied), quantity(entries, unit, page_from, created), f"LARDER_SEED={self.seed}, turn {turn}")

    def test_totals_of_counted_items(self):
        chance, columns = self.chance, ("id", "at", "delta", "set", "undoes", "unit", "total")
        for _ in range(4):
            item, batches = uuid.uuid4(), [uuid.uuid4() for _ in range(3)]
            ids = {pile: [] for pile in (item, *batches)}
            with Session(self.user) as session, connect() as owner:
                session.request("insert into stock_items (household_id, id, name, unit) values (%s, %s, 'Flour', 'gram')", self.household, item)
                for batch in batches:
                    session.request("insert into inventory_items (household_id, id, product_ref, quantity, created_at) values (%s, %s, %s, %s, %s)", self.household, batch,
                                    json.dumps({"productId": str(item)}), json.dumps({"unit": chance.choice(["gram", "kilogram", "piece"])}), START)
                for turn in range(40):
                    act, pile = chance.random(), chance.choice([item, *batches])
                    minute = START + datetime.timedelta(minutes=chance.choice([turn, chance.randrange(50)]))
                    table = "stock_items" if pile == item else "inventory_items"
                    if act < 0.03:
                        session.request(f"update {table} set page_from = greatest(page_from, %s) where id = %s", minute, pile)
                    elif act < 0.2 and pile != item:
                        session.request("update inventory_items set status = %s, edited = edited || jsonb_build_object('status', larder.instant(%s)) where id = %s",
                                        chance.choice(["active", "discarded", "archived"]), minute, pile)
                    else:
                        rows = []
                        for _ in range(chance.choice([1, 1, 2, 120 if turn < 4 else 1])):
                            row = {"household_id": str(self.household), "entity_type": "StockItem" if pile == item else "InventoryItem", "entity_id": str(pile),
                                   "id": str(chance.choice([uuid.uuid4(), uuid.uuid5(pile, str(chance.random()))])),
                                   "at": (minute + datetime.timedelta(minutes=chance.randrange(2))).isoformat(), "unit": chance.choice(["gram", "gram", "kilogram"])}
                            what = chance.random()
                            if what < 0.6 or not ids[pile]:
                                row["delta"] = str(D(chance.randrange(-40000, 40000)) / 10000)
                            elif what < 0.85:
                                row["set"] = str(chance.randrange(-2, 5))
                                if pile == item and chance.random() < 0.7:
                                    row["total"] = str(D(chance.randrange(90000)) / 10000)
                            else:
                                row["undoes"], row["unit"] = chance.choice(ids[pile]), None
                            ids[pile].append(row["id"])
                            rows.append(row)
                        session.request("insert into quantity_changes (household_id, entity_type, entity_id, id, at, delta, \"set\", undoes, unit, total)"
                                        " select household_id, entity_type, entity_id, id, at, delta, \"set\", undoes, unit, total"
                                        " from jsonb_populate_recordset(null::quantity_changes, %s::jsonb)", json.dumps(rows))
                    entries = {pile: [] for pile in ids}
                    for pile, *row in owner.execute("select entity_id, id, at, delta, \"set\", undoes, coalesce(unit, 'piece'), total"
                                                    " from quantity_changes where entity_id = any (%s)", [list(ids)]):
                        entries[pile].append(dict(zip(columns, row)))
                    expected = item_total(entries[item], "gram", owner.execute("select page_from from stock_items where id = %s", [item]).fetchone()[0], [
                        (entries[batch], unit, page, None if status in ("active", "consumed") else stamp)
                        for batch, unit, page, status, stamp in owner.execute(
                            "select id, quantity ->> 'unit', page_from, status, coalesce((edited ->> 'status')::timestamptz, created_at)"
                            " from inventory_items where id = any (%s)", [batches])])
                    shown = owner.execute("select quantity_in_stock from stock_items where id = %s", [item]).fetchone()[0]
                    self.assertEqual(shown, expected, f"LARDER_SEED={self.seed}, turn {turn}")

    def test_products_that_several_items_name(self):
        chance = self.chance
        names = ["a", "b", "c"]
        items = sorted(uuid.uuid4() for _ in range(4))
        with Session(self.user) as session, connect() as owner:
            for turn in range(50):
                act = chance.random()
                later = f"larder.instant(now() + interval '{turn} s')"
                if act < 0.35:
                    rows = [{"household_id": str(self.household), "id": str(item), "name": "Tea", "unit": "piece", "extra": {},
                             "products": chance.sample(names + [str(i) for i in items], chance.randrange(4)), "created_at": START.isoformat(),
                             "edited": {"products": (START + datetime.timedelta(days=1, seconds=turn)).strftime("%Y-%m-%dT%H:%M:%S.000Z")}}
                            for item in chance.sample(items, chance.choice([1, 1, 2, 3]))]
                    session.request("insert into stock_items (household_id, id, name, unit, products, created_at, edited) select household_id, id, name, unit, products, created_at, edited"
                                    " from jsonb_populate_recordset(null::stock_items, %s::jsonb) on conflict (household_id, id) do update set products = excluded.products, edited = excluded.edited", json.dumps(rows))
                elif act < 0.6:
                    for _ in range(chance.choice([1, 2])):
                        batch = uuid.uuid4()
                        session.request("insert into inventory_items (household_id, id, product_ref) values (%s, %s, %s)", self.household, batch,
                                        json.dumps({"productId": chance.choice(names + [str(i) for i in items])}))
                        session.request("insert into quantity_changes (household_id, entity_type, entity_id, delta) values (%s, 'InventoryItem', %s, %s)", self.household, batch, chance.randrange(1, 9))
                else:
                    change = chance.choice([f"product_ref = '{{\"productId\": \"{chance.choice(names)}\"}}', edited = edited || jsonb_build_object('productRef', {later})",
                                            f"status = '{chance.choice(['active', 'discarded', 'archived'])}', edited = edited || jsonb_build_object('status', {later})"])
                    session.request(f"update inventory_items set {change} where id = (select id from inventory_items where household_id = %s order by md5(id::text || %s) limit 1)", self.household, str(turn))
                there = {row[0]: (row[1], row[2] or []) for row in owner.execute("select id, quantity_in_stock, products from stock_items where household_id = %s", [self.household])}
                expected = dict.fromkeys(there, D(0))
                for product, number in owner.execute("select product_id, quantity_value from inventory_items where household_id = %s and status in ('active', 'consumed')", [self.household]):
                    has = [i for i in there if str(i) == product] or sorted(i for i in there if product in there[i][1])
                    if has:
                        expected[has[0]] += number
                self.assertEqual({i: there[i][0] for i in there}, expected, f"LARDER_SEED={self.seed}, turn {turn}")


if __name__ == "__main__":
    unittest.main()
