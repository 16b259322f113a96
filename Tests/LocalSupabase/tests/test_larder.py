"""What programs without ledgers and stamps do wrong with the project's own tables, through Supabase's client."""

import unittest
import uuid

from postgrest.exceptions import APIError

from .support import HERE, Supabase

MIGRATIONS = HERE.parents[2] / "supabase" / "migrations"


class Larder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.supabase = Supabase("--faults", "--migrations", str(MIGRATIONS))
        cls.addClassCleanup(cls.supabase.stop)
        cls.mira, cls.jonas = cls.supabase.signed_in("mira"), cls.supabase.signed_in("jonas")
        cls.household = cls.mira.table("households").insert({"name": "Home"}).execute().data[0]["id"]
        code = cls.mira.rpc("create_invite", {"household": cls.household}).execute().data["code"]
        cls.jonas.rpc("accept_invite", {"code": code}).execute()

    def item(self, **fields):
        row = {"name": f"Milk {uuid.uuid4()}", "quantity_in_stock": 4, **fields}
        return self.mira.table("stock_items").insert(row).execute().data[0]

    def change(self, item, **fields):
        row = {"entity_type": "StockItem", "entity_id": item["id"], **fields}
        return self.mira.table("quantity_changes").insert(row).execute().data[0]

    def read(self, item):
        return self.mira.table("stock_items").select("*").eq("id", item["id"]).execute().data[0]

    def stock(self, item):
        rows = self.mira.table("stock_items").select("quantity_in_stock").eq("id", item["id"]).execute().data
        return rows[0]["quantity_in_stock"]

    def refused(self, request, *words):
        with self.assertRaises(APIError) as refusal:
            request.execute()
        error = refusal.exception
        for word in words:
            self.assertIn(word, error.message)
        self.assertIsNone(error.details, "nothing of the row is shown")
        return error

    def test_rules_are_told_by_column(self):
        items = self.mira.table("stock_items")
        for unit in ("kg", "KG", "Litres", "dozen", "Piece", ""):
            self.refused(items.insert({"name": "Flour", "unit": unit}), "stock_items: unit is piece, gram")
        self.refused(items.insert({"name": ""}), "stock_items: name is not empty")
        self.refused(items.insert({"name": "Flour", "quantity_in_stock": 1e20}), "quantity_in_stock")
        self.refused(items.insert({"name": "Flour", "user_id": str(uuid.uuid4())}), "user_id is who is signed in")
        self.refused(self.mira.table("households").update({"time_zone": "Mars/Olympus"}).eq("id", self.household), "time_zone")
        self.refused(self.mira.table("inventory_items").insert({"product_ref": {"productId": "p"}, "quantity": {"unit": "kg"}}), "its unit is")

    def test_an_upsert_names_the_whole_key_or_none(self):
        item = self.item()
        for key in ({}, {"on_conflict": "household_id,id"}):
            row = {"id": item["id"], "name": f"Oat milk {uuid.uuid4()}"}
            self.assertEqual(self.mira.table("stock_items").upsert(row, **key).execute().data[0]["name"], row["name"])
        refusal = self.refused(self.mira.table("stock_items").upsert({"id": item["id"], "name": "Soy milk"}, on_conflict="id"), "ON CONFLICT")
        self.assertEqual(refusal.code, "42P10")

    def test_an_entry_has_an_effect_or_is_refused(self):
        item, changes = self.item(), self.mira.table("quantity_changes")

        def entry(**fields):
            return changes.insert({"entity_type": "StockItem", "entity_id": item["id"], **fields})

        self.refused(entry(delta=-100), "delta takes more than there is")
        self.refused(entry(delta=1, unit="liter"), "unit does not convert")
        self.refused(entry(delta=1, entity_id=str(uuid.uuid4())), "entity_id is no StockItem")
        self.refused(entry(delta=0), "delta is not 0")
        self.refused(entry(undoes=str(uuid.uuid4())), "undoes is no count")
        self.assertEqual(self.stock(item), 4)
        used = self.change(item, delta=-1)
        self.assertEqual(self.stock(item), 3)
        self.refused(changes.update({"delta": -2}).eq("id", used["id"]), "an entry is never changed")
        self.refused(changes.delete().eq("id", used["id"]), "a ledger entry stays")
        self.change(item, undoes=used["id"])
        self.assertEqual(self.stock(item), 4)

    def test_an_entry_of_an_item_may_have_a_unit_of_its_own(self):
        item = self.item(unit="gram")
        entries = self.mira.table("shopping_list_entries")
        made = entries.insert({"item_id": item["id"], "desired_quantity": 1, "unit": "pack"}).execute().data[0]
        self.assertEqual((made["desired_quantity"], made["unit"]), (1, "pack"))
        changed = self.jonas.table("shopping_list_entries").update({"desired_quantity": 2, "unit": "sachet"}).eq("id", made["id"]).execute().data[0]
        self.assertEqual((changed["item_id"], changed["desired_quantity"], changed["unit"]), (item["id"], 2, "sachet"))
        self.refused(self.mira.table("shopping_list_entries").update({"unit": "dozen"}).eq("id", made["id"]), "shopping_list_entries: unit is piece")

    def test_a_request_counts_once(self):
        item = self.item()
        row = {"entity_type": "StockItem", "entity_id": item["id"], "delta": -1, "request": str(uuid.uuid4())}
        for _ in range(3):
            self.mira.table("quantity_changes").upsert({**row, "id": str(uuid.uuid4())}).execute()
        self.assertEqual(self.stock(item), 3)
        with self.assertRaises(APIError) as refusal:
            self.mira.table("quantity_changes").insert(row).execute()
        self.assertEqual(refusal.exception.code, "23505")
        other = self.item()
        self.refused(self.mira.table("quantity_changes").upsert({**row, "entity_id": other["id"]}), "served already")
        self.assertEqual((self.stock(item), self.stock(other)), (3, 4))

    def test_a_whole_row_means_what_differs_from_the_version_it_was_read_at(self):
        for change in ({"category": "Drinks"}, {"name": f"Theirs {uuid.uuid4()}"}, {"quantity_in_stock": 1}):
            for time in ({}, {"updated_at": "now"}, None):
                read = self.item(category="Dairy")
                self.jonas.table("stock_items").update(change).eq("id", read["id"]).execute()
                mine = {**read, **(time or {}), "note": "Mine"}
                if time is None:
                    del mine["updated_at"]
                answer = self.mira.table("stock_items").upsert(mine).execute().data[0]
                self.assertEqual(self.read(read), {**answer, "category": "Dairy", **change, "note": "Mine"})

    def test_a_whole_row_without_a_version_takes_nothing_back(self):
        for change in ({"category": "Drinks"}, {"name": f"Theirs {uuid.uuid4()}"}, {"quantity_in_stock": 1}):
            for request in ("upsert", "update"):
                read = self.item(category="Dairy")
                self.jonas.table("stock_items").update(change).eq("id", read["id"]).execute()
                del read["version"]
                mine, items = {"note": "Mine"}, self.mira.table("stock_items")
                row = {**read, "updated_at": "now", **mine}
                write = items.upsert(row) if request == "upsert" else items.update(row).eq("id", read["id"])
                before = self.read(read)
                error = self.refused(write, "stock_items", read["id"], "taken back", next(iter(change)))
                self.assertEqual((error.code, self.read(read)), ("LA038", before))
                self.assertIn("PATCH", error.hint)
                items.update(mine).eq("id", read["id"]).execute()
                now = self.read(read)
                self.assertEqual(now, {**now, "category": "Dairy", **change, **mine})

    def test_one_old_row_among_several_refuses_all_and_is_named(self):
        rows = [self.item(category="Dairy") for _ in range(3)]
        self.change(rows[1], delta=-3)
        old = [{**{key: row[key] for key in ("id", "name", "quantity_in_stock")}, "category": "Drinks"} for row in rows]
        error = self.refused(self.mira.table("stock_items").upsert(old), rows[1]["id"], "quantity_in_stock")
        self.assertEqual([error.code, *(self.read(row)["category"] for row in rows)], ["LA038"] + ["Dairy"] * 3)
        self.mira.table("stock_items").upsert([{**row, "category": "Drinks"} for row in rows]).execute()
        self.assertEqual([self.read(row)["category"] for row in rows], ["Drinks"] * 3)
        self.assertEqual([self.stock(row) for row in rows], [4, 1, 4])

    def test_rows_of_one_request_without_a_version_empty_nothing_that_they_do_not_name(self):
        rows = [self.item(category="Dairy") for _ in range(2)]
        old = [{"id": rows[0]["id"], "name": rows[0]["name"], "category": "Drinks"}, {"id": rows[1]["id"], "name": "Oat milk"}]
        self.refused(self.mira.table("stock_items").upsert(old), rows[1]["id"], "category")
        self.assertEqual([self.read(row)["category"] for row in rows], ["Dairy"] * 2)
        self.mira.table("stock_items").update({"category": None}).eq("id", rows[1]["id"]).execute()
        self.assertIsNone(self.read(rows[1])["category"])

    def test_keys_that_only_other_rows_have_are_nulls_in_rows_with_a_version(self):
        rows = [self.item(category="Dairy") for _ in range(2)]
        first, second = ({key: row[key] for key in ("id", "version", "name")} for row in rows)
        self.mira.table("stock_items").upsert([{**first, "category": "Drinks"}, second]).execute()
        self.assertEqual([self.read(row)["category"] for row in rows], ["Drinks", None])

    def test_a_patch_without_id_and_version_is_taken_at_its_word(self):
        """Nobody can tell whether it is what somebody wants there, or what is left of an old row."""
        read = self.item(category="Dairy")
        self.jonas.table("stock_items").update({"name": "Theirs", "quantity_in_stock": 1}).eq("id", read["id"]).execute()
        left = {key: read[key] for key in ("name", "category", "quantity_in_stock")}
        self.mira.table("stock_items").update(left).eq("id", read["id"]).execute()
        self.assertEqual({key: self.read(read)[key] for key in left}, left)

    def test_a_batch_is_written_back_as_it_was_read(self):
        batches = self.mira.table("inventory_items")
        read = batches.insert({"product_ref": {"productId": "p"}, "quantity_value": 4}).execute().data[0]
        self.jonas.table("quantity_changes").insert({"entity_type": "InventoryItem", "entity_id": read["id"], "delta": -3}).execute()
        batches.upsert({**read, "notes": "Opened"}).execute()
        now = batches.select("*").eq("id", read["id"]).execute().data[0]
        self.assertEqual((now["notes"], now["quantity_value"]), ("Opened", 1))

    def test_news_are_one_value_that_no_cap_on_rows_cuts(self):
        for _ in range(3):
            self.item()
        capped = {"match": {"path": "/rest/v1/rpc/news"}, "action": {"cap": 1}}
        self.supabase.http().post("/_local/faults", json=[capped]).raise_for_status()
        since, names = {}, []
        for _ in range(100):
            page = self.mira.rpc("news", {"household": self.household, "since": since, "most": 2}).execute().data
            names += [row["name"] for row in page["rows"].get("stock_items", [])]
            since = page["since"]
            if not page["more"]:
                break
        stored = self.mira.table("stock_items").select("name").execute().data
        self.assertEqual(sorted(names), sorted(row["name"] for row in stored))
        again = self.mira.rpc("news", {"household": self.household, "since": since}).execute().data
        self.assertEqual((again["rows"], again["since"], again["more"]), ({}, since, False))
        self.assertIsNone(self.supabase.signed_in("jonas").rpc("news", {"household": str(uuid.uuid4())}).execute().data)

    def test_what_is_closed_and_posted_again_is_told(self):
        entries = self.mira.table("shopping_list_entries")
        entry = entries.insert({"name": "Bread"}).execute().data[0]
        entries.delete().eq("id", entry["id"]).execute()
        again = {"id": entry["id"], "name": "Bread"}
        self.refused(self.mira.table("shopping_list_entries").upsert(again), "the row is deleted")
        self.refused(self.mira.table("shopping_list_entries").upsert({**entry, "note": "Rye"}), "the row is deleted")
        back = self.mira.table("shopping_list_entries").update({"is_deleted": False}).eq("id", entry["id"]).execute().data[0]
        self.assertFalse(back["is_deleted"])
