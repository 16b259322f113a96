"""Row security decides who sees and writes what, and no request becomes SQL."""

import json
import unittest
import uuid
from urllib.parse import quote

import psycopg

from .support import NotesCase, shared

HOSTILE = [
    "'; drop table notes; --",
    '"; drop table notes; --',
    "notes; drop table notes",
    "1=1",
    "id) or (1=1",
    "pg_sleep(1)",
    "$1",
    "%s",
    "%(x)s",
    "{}",
    "notes where true--",
    '\\"; select 1; --',
    "x::text; select 1",
    "*/ select 1 /*",
    "id\n;select 1",
    "auth.users",
    "$$;select 1;$$",
    "title) from auth.users --",
]


class Households(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.supabase = shared()
        cls.mira, cls.jonas = cls.supabase.signed_in("mira"), cls.supabase.signed_in("jonas")
        cls.service = cls.supabase.service()

    def setUp(self):
        household = self.mira.table("households").insert({"name": "Mira's"}).execute().data[0]
        self.household = household["id"]
        flour = {"household_id": self.household, "name": "flour", "quantity": 0.1}
        self.item = self.mira.table("items").insert(flour).execute().data[0]

    def tearDown(self):
        self.service.table("households").delete().eq("id", self.household).execute()

    def http(self, client):
        http = self.supabase.http(token=client.auth.get_session().access_token)
        self.addCleanup(http.close)
        return http

    def upsert(self, http, *rows):
        return http.post(
            "/rest/v1/items?on_conflict=household_id,id&columns=household_id,id,name",
            json=rows,
            headers={"Prefer": "resolution=merge-duplicates,return=representation,missing=default"},
        )

    def test_a_row_belongs_to_who_made_it(self):
        own = (
            self.mira.table("items")
            .select("name,quantity")
            .eq("household_id", self.household)
            .execute()
            .data
        )
        self.assertEqual(own, [{"name": "flour", "quantity": 0.1}])

    def test_a_stranger_sees_and_changes_nothing(self):
        self.assertEqual(
            self.jonas.table("households").select("*").eq("id", self.household).execute().data, []
        )
        self.assertEqual(
            self.jonas.table("items").select("*").eq("household_id", self.household).execute().data,
            [],
        )
        self.assertEqual(
            self.jonas.table("items")
            .update({"name": "x"})
            .eq("id", self.item["id"])
            .execute()
            .data,
            [],
        )
        self.assertEqual(
            self.jonas.table("items").delete().eq("id", self.item["id"]).execute().data, []
        )

    def test_a_stranger_s_insert_and_upsert_are_refused(self):
        http = self.http(self.jonas)
        for row in (
            {"household_id": self.household, "id": str(uuid.uuid4()), "name": "x"},
            {"household_id": self.household, "id": self.item["id"], "name": "x"},
        ):
            response = self.upsert(http, row)
            self.assertEqual((response.status_code, response.json()["code"]), (403, "42501"))

    def test_without_signing_in_it_is_not_even_forbidden_but_unauthorized(self):
        anon = self.supabase.http()
        self.addCleanup(anon.close)
        self.assertEqual(anon.get("/rest/v1/items").json(), [])
        response = self.upsert(
            anon, {"household_id": self.household, "id": self.item["id"], "name": "x"}
        )
        self.assertEqual((response.status_code, response.json()["code"]), (401, "42501"))

    def test_the_service_key_stands_above_row_security(self):
        found = self.service.table("items").select("name").eq("id", self.item["id"]).execute().data
        self.assertEqual(found, [{"name": "flour"}])

    def test_a_row_that_a_trigger_skips_is_silently_absent(self):
        rows = [
            {"household_id": self.household, "id": str(uuid.uuid4()), "name": name}
            for name in ("kept", "unwanted", "kept too")
        ]
        response = self.upsert(self.http(self.mira), *rows)
        self.assertEqual([row["name"] for row in response.json()], ["kept", "kept too"])

    def test_an_upsert_of_a_row_that_is_there_passes_its_triggers(self):
        response = self.upsert(
            self.http(self.mira),
            {"household_id": self.household, "id": self.item["id"], "name": "rye"},
        )
        self.assertEqual(response.status_code, 200)
        self.assertEqual(response.json()[0]["quantity"], 0.1)
        self.assertGreater(response.json()[0]["version"], self.item["version"])

    def test_a_check_and_a_foreign_key_are_the_database_s_own(self):
        def code(row):
            with self.assertRaises(Exception) as raised:
                self.mira.table("items").insert(
                    {"household_id": self.household, "name": "x"} | row
                ).execute()
            return raised.exception.code

        self.assertEqual(code({"quantity": -1}), "23514")
        with self.assertRaises(Exception) as raised:
            self.service.table("items").insert(
                {"household_id": str(uuid.uuid4()), "name": "x"}
            ).execute()
        self.assertEqual(raised.exception.code, "23503")

    def test_rights_are_asked_of_the_request_s_role(self):
        with psycopg.connect(self.supabase.database, autocommit=True) as database:
            database.execute(
                "create table public.closed (id int);"
                "revoke all on public.closed from anon, authenticated"
            )
            self.addCleanup(
                lambda: psycopg.connect(self.supabase.database, autocommit=True).execute(
                    "drop table public.closed"
                )
            )
        anon = self.supabase.http()
        self.addCleanup(anon.close)
        for http, status in ((anon, 401), (self.http(self.mira), 403)):
            response = http.get("/rest/v1/closed")
            self.assertEqual((response.status_code, response.json()["code"]), (status, "42501"))

    def test_a_role_that_nobody_gave_can_not_be_taken(self):
        with psycopg.connect(self.supabase.database) as database:
            row = database.execute(
                "select rolsuper, rolbypassrls from pg_roles where rolname = 'authenticator'"
            ).fetchone()
        self.assertEqual(row, (False, False))


class Injection(NotesCase):
    def setUp(self):
        super().setUp()
        self.fill({"title": "safe"})

    def tearDown(self):
        self.assertEqual(self.titles("title=eq.safe"), ["safe"])

    def refused_or_empty(self, response):
        self.assertIn(response.status_code, (200, 204, 400, 404), response.text)
        if response.status_code == 200:
            self.assertEqual(response.json(), [])
        elif response.status_code >= 400 and "tsquery" not in response.json()["message"]:
            self.assertNotEqual(
                response.json()["code"], "42601", response.text
            )  # no syntax error: never SQL

    def test_names_in_the_path_and_the_query_are_names(self):
        for text in [*HOSTILE, "id\0", "\0"]:
            word, name = (
                quote(text, safe=""),
                quote('"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"', safe=""),
            )
            for path in (
                f"{word}",
                f"rpc/{word}",
                f"notes?select={word}",
                f"notes?select={name}",
                f"notes?select=a:title::{word}&title=eq.none",
                f"notes?select=body->{name}&title=eq.none",
                f"notes?select={name}:title&title=eq.none",
                f"notes?order={word}",
                f"notes?order={name}",
                f"notes?{word}=eq.1",
                f"notes?{name}=eq.1",
                f"notes?or=({word}.eq.1)",
                f"notes?or=({name}.eq.1)",
                f"notes?title=eq.{word}",
                f"notes?title=in.({word})",
                f"notes?title=in.({name})",
                f"notes?title={word}",
                f"notes?title={word}.1",
                f"notes?body->{name}=eq.1",
                f"notes?document=fts({word}).x",
                f"notes?document=fts.{name}",
                f"notes?amount=is.{word}",
                f"notes?title=eq.none&limit={word}",
                f"notes?title=eq.none&offset={word}",
            ):
                with self.subTest(path):
                    self.refused_or_empty(self.http.get(f"/rest/v1/{path}"))

    def test_names_in_bodies_are_names(self):
        for text in HOSTILE:
            name = quote('"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"', safe="")
            body = json.dumps([{text: 1}])
            for method, path in (
                ("POST", "notes"),
                ("POST", f"notes?columns={name}"),
                ("PATCH", "notes?title=eq.none"),
                ("PATCH", f"notes?title=eq.none&columns={name}"),
                ("POST", f"notes?on_conflict={name}"),
            ):
                with self.subTest(f"{method} {path}"):
                    response = self.http.request(
                        method,
                        f"/rest/v1/{path}",
                        content=body,
                        headers={
                            "Prefer": "resolution=merge-duplicates,"
                            "return=representation,missing=default"
                        },
                    )
                    self.refused_or_empty(response)
            self.refused_or_empty(self.http.post("/rest/v1/rpc/add", content=json.dumps({text: 1})))

    def test_values_in_bodies_are_values(self):
        rows = [{"title": text, "body": {text: text}} for text in HOSTILE]
        written = self.notes.insert(rows).execute().data
        self.assertEqual(
            [(row["title"], row["body"]) for row in written],
            [(r["title"], r["body"]) for r in rows],
        )

    def test_headers_and_claims_are_values(self):
        for text in HOSTILE:
            headers = {
                "X-Client-Info": text.replace("\n", " "),
                "Prefer": text.replace("\n", " "),
                "Range": text.replace("\n", " "),
            }
            self.assertEqual(
                self.http.get("/rest/v1/notes?limit=1", headers=headers).status_code, 200
            )
