"""Checks that the database reads entities as FORMAT.md and docs/adoption.md say, with their examples and vectors."""

import json
import re
import unittest
from decimal import Decimal
from pathlib import Path

import psycopg

ROOT = Path(__file__).parents[2]
FORMAT = "".join((ROOT / name).read_text() for name in ("FORMAT.md", "docs/adoption.md"))
FILES = [(role, kind, text) for role, kind, text in re.findall(r"```json (\w+) (\w+)[^\n]*\n(.*?)```", FORMAT, re.S)]
TABLES = {"StockItem": "stock_items", "InventoryItem": "inventory_items"}
HOUSEHOLD = "0193a4b2-0000-7000-8000-0000000000aa"


def shown(text, depth):
    """Returns the files in a vector at a depth, by their keys, without the indentation."""
    margin = "  " * depth
    blocks = re.findall(rf'^{margin}"([^"]+)": (\{{\n.*?^{margin}\}}),?$', text, re.S | re.M)
    return {key: re.sub(rf"^{margin}", "", block, flags=re.M) + "\n" for key, block in blocks}


JOINS = [(path.stem, json.loads(path.read_text())["kind"], shown(path.read_text(), 1)) for path in sorted(ROOT.glob("Tests/Vectors/join/*.json"))]
FILES += [("joined", kind, files["joined"]) for _, kind, files in JOINS]
DERIVED = {"id", "updatedAt", "pageFrom", "changes", "quantityInStock", "quantityLoose", "consumedAt"}


def read(text):
    return json.loads(text, parse_float=Decimal)


def written(value):
    return json.dumps(value, default=float, ensure_ascii=False)


def document(kind, text):
    """Returns an entity as input of the join: its registers and their stamps."""
    file = read(text)
    entity = {key: value for key, value in file.items() if key not in DERIVED}
    # That a file says what lies loose travels as a field that the database does not know.
    if "quantityLoose" in file:
        entity["quantityLoose"] = True
    if kind == "InventoryItem":
        entity["quantity"].pop("value", None)
        entity["status"] = "active" if entity["status"] == "consumed" else entity["status"]
    return entity | {"edited": entity.get("edited", {})}


class Examples(unittest.TestCase):
    def setUp(self):
        self.database = psycopg.connect("", autocommit=False)
        self.addCleanup(self.database.close)

    def ask(self, query, *values):
        return self.database.execute(query, values).fetchone()[0]

    def test_joins(self):
        joins = [FILES[place:place + 3] for place, file in enumerate(FILES) if file[0] == "ours"]
        self.assertGreaterEqual(len(joins), 1)
        for (_, kind, ours), (role, _, theirs), (result, _, joined) in joins:
            self.assertEqual((role, result), ("theirs", "joined"))
            self.check_join(kind, [ours, theirs], joined, joined)

    def test_join_vectors(self):
        self.assertGreaterEqual(len(JOINS), 12)
        for name, kind, files in JOINS:
            with self.subTest(name):
                versions = [files[key] for key in ("ours", "theirs", "third") if key in files]
                self.check_join(kind, versions, files["joined"], name)
                if kind in TABLES:
                    for order in (versions, versions[::-1]):
                        self.check_quantity(kind, read(files["joined"]), [read(version)["changes"] for version in order], name)

    def check_join(self, kind, versions, joined, name):
        """Checks that the versions give the joined one in any order, and don't change it."""
        *versions, wanted = (written(document(kind, text)) for text in (*versions, joined))
        for order in (versions, versions[::-1], [wanted, *versions], [*versions, wanted]):
            result = order[0]
            for other in order[1:]:
                result = self.ask("select larder.joined(%s, %s, %s)::text", kind, result, other)
            self.assertTrue(self.ask("select %s::jsonb = %s::jsonb", result, wanted), name)

    def check_quantity(self, kind, entity, ledgers, name):
        """Checks that the ledgers, sent one after the other as by Larder, give a file's ledger and quantity."""
        table = TABLES[kind]
        with self.database.transaction(force_rollback=True):
            self.database.execute("""select set_config('request.headers', '{"x-larder-client": "larder/1"}', true)""")
            named = {"name": entity["name"], "unit": entity["unit"]} if kind == "StockItem" else {
                "product_ref": written(entity["productRef"]), "quantity": written({"unit": entity["quantity"]["unit"]}),
                "status": "active" if entity["status"] == "consumed" else entity["status"]}
            page = entity.get("pageFrom")
            columns = named | {"household_id": HOUSEHOLD, "id": entity["id"], "created_at": entity["createdAt"], "page_from": page}
            self.database.execute(f"insert into {table} ({', '.join(columns)}) values ({', '.join(['%s'] * len(columns))})", list(columns.values()))
            for changes in ledgers:
                for change in changes:
                    event = {("\"set\"" if key == "set" else key): value for key, value in change.items()}
                    event |= {"household_id": HOUSEHOLD, "entity_type": kind, "entity_id": entity["id"]}
                    others = ["at", "delta", '"set"', "undoes", "unit", "why", "by"]
                    self.database.execute(
                        f"insert into quantity_changes ({', '.join(event)}) values ({', '.join(['%s'] * len(event))}) "
                        f"on conflict (household_id, entity_type, entity_id, id) do update set {', '.join(f'{key} = excluded.{key}' for key in others)}",
                        list(event.values()))
            shown = self.ask(f"select to_jsonb(t) from {table} t where id = %s", entity["id"])
            ledger = self.ask("select coalesce(jsonb_agg(larder.change(c) order by c.at, c.id), '[]') from quantity_changes c where entity_id = %s "
                "and (at >= coalesce(%s::timestamptz, '-infinity') or larder.is_derived_id(id))", entity["id"], page)
        self.assertEqual(json.loads(json.dumps(ledger)), json.loads(written(entity["changes"])), name)
        if kind == "StockItem":
            # What was counted beyond the item's own ledger lies in batches.
            count = next((change for change in reversed(entity["changes"]) if "set" in change), {"set": 0})
            beyond = Decimal(str(count.get("total", count["set"]))) - Decimal(str(count["set"]))
            own = Decimal(str(entity.get("quantityLoose", entity.get("quantityInStock"))))
            self.assertEqual(Decimal(str(shown["quantity_in_stock"])), own + beyond, name)
        else:
            self.assertEqual(Decimal(str(shown["quantity_value"])), Decimal(str(entity["quantity"]["value"])), name)
            self.assertEqual(shown["status"], entity["status"], name)
            consumed = shown["consumed_at"]
            self.assertEqual(consumed and self.ask("select larder.instant(%s)", consumed), entity.get("consumedAt"), name)

    def test_canonical_bytes(self):
        checked = 0
        for role, kind, text in FILES:
            if role not in ("canonical", "joined", "ensured", "adopted"):
                continue
            for member in re.findall(r'^  ("[^"]+": (?:[^\[{\n][^\n]*|[\[{][]}]|[\[{]\n.*?^  []}]))(?:,?)$', text, re.S | re.M):
                name, value = re.match(r'"([^"]+)": (.*)', member, re.S).groups()
                value = value.rstrip(",")
                if name == "changes":
                    for line in re.findall(r"^    (\{.*?\}),?$", value, re.M):
                        self.assertEqual(self.ask("select larder.compact(%s::jsonb, 'change')", line), line)
                        checked += 1
                else:
                    self.assertEqual(self.ask("select larder.canonical(%s::jsonb, larder.shape(%s, %s))", value, kind, name), value)
                    checked += 1
        self.assertGreater(checked, 100)

    def test_quantities(self):
        """Every ledger of the examples gives the quantity in its file."""
        checked = 0
        for role, kind, text in FILES:
            if role not in ("canonical", "joined", "adopted", "item") or '"changes"' not in text:
                continue
            entity = read(text)
            self.check_quantity(kind, entity, [entity["changes"]], text)
            checked += 1
        self.assertGreaterEqual(checked, 5)

    def test_numbers_and_instants(self):
        for name, refusing in (("numbers", "larder.is_number({}::numeric)"), ("instants", "larder.is_instant(larder.instant({}::timestamptz))")):
            table = FORMAT.split(f"<!-- checked: {name} -->")[1].split("\n\n")[0]
            for given, canonical in re.findall(r"^\| `(.*?)` \| `(.*?)` \|$", table, re.M):
                if canonical != "none" and name == "numbers":
                    self.assertEqual(self.ask("select larder.canonical(%s::jsonb, '')", given), canonical)
                    self.assertTrue(self.ask("select " + refusing.format("%s"), given))
                elif canonical != "none":
                    self.assertTrue(self.ask("select larder.is_instant(%s)", canonical))
                    self.assertEqual(self.ask("select larder.instant(larder.moment(%s))", canonical), canonical)
                elif name == "numbers" and given != "01":
                    self.assertFalse(self.ask("select larder.is_number(%s::numeric)", given))
                elif name == "instants":
                    self.assertFalse(self.ask("select larder.is_instant(%s)", given))


if __name__ == "__main__":
    unittest.main()
