"""Errors have PostgREST's status, code and fields."""

import base64
import unittest

import psycopg
from postgrest.exceptions import APIError

from LocalSupabase import tokens

from .support import NotesCase, shared

STATUS_OF_RAISED = {
    "P0001": 400,
    "P0002": 500,
    "23505": 409,
    "23503": 409,
    "23514": 400,
    "23502": 400,
    "22P02": 400,
    "22023": 400,
    "40001": 500,
    "40P01": 500,
    "53100": 503,
    "53400": 500,
    "54000": 500,
    "55P03": 500,
    "57014": 500,
    "58000": 500,
    "XX000": 500,
    "08006": 503,
    "42501": 401,
    "42883": 404,
    "42P01": 404,
    "42P17": 500,
    "28000": 403,
    "21000": 500,
    "25006": 405,
    "PT402": 402,
    "PT418": 418,
    "ZZ000": 400,
}


class Errors(NotesCase):
    def test_the_database_s_codes_have_their_status(self):
        for code, status in STATUS_OF_RAISED.items():
            with self.subTest(code):
                response = self.http.post("/rest/v1/rpc/fail_with", json={"code": code})
                self.assert_error(response, status, code)
                self.assertEqual(
                    {key: response.json()[key] for key in ("message", "details", "hint")},
                    {"message": "as asked", "details": "some detail", "hint": "some hint"},
                )

    def test_the_client_raises_what_was_answered(self):
        with self.assertRaises(APIError) as raised:
            self.client.rpc("fail_with", {"code": "23505"}).execute()
        self.assertEqual((raised.exception.code, raised.exception.hint), ("23505", "some hint"))

    def test_constraints_answer_as_themselves(self):
        self.fill({"title": "a"})
        self.assert_error(self.http.post("/rest/v1/notes", json={"title": "a"}), 409, "23505")
        self.assert_error(self.http.post("/rest/v1/notes", json={"kind": None}), 400, "23502")
        self.assert_error(self.http.post("/rest/v1/notes", json={"amount": "much"}), 400, "22P02")
        self.assert_error(self.http.post("/rest/v1/notes", json={"document": "x"}), 400, "428C9")
        self.assert_error(
            self.http.post(
                "/rest/v1/notes?on_conflict=amount",
                json={"title": "z"},
                headers={"Prefer": "resolution=merge-duplicates"},
            ),
            400,
            "42P10",
        )

    def test_a_table_that_is_not_there_is_named(self):
        response = self.http.get("/rest/v1/note")
        self.assert_error(response, 404, "PGRST205")
        self.assertEqual(response.json()["hint"], "Perhaps you meant the table 'public.notes'")
        self.assertEqual(response.headers["Proxy-Status"], "PostgREST; error=PGRST205")
        for method in ("POST", "PATCH", "DELETE"):
            self.assert_error(
                self.http.request(method, "/rest/v1/note?id=eq.1", content=b"{}"), 404, "PGRST205"
            )
        self.assert_error(self.http.get("/rest/v1/users"), 404, "PGRST205")

    def test_a_column_that_is_not_there_is_named(self):
        for response in (
            self.http.post("/rest/v1/notes", json={"colour": 1}),
            self.http.post("/rest/v1/notes?columns=title,colour", json={"title": 1}),
            self.http.patch("/rest/v1/notes?id=eq.1", json={"colour": 1}),
        ):
            self.assert_error(response, 400, "PGRST204")
            self.assertEqual(
                response.json()["message"],
                "Could not find the 'colour' column of 'notes' in the schema cache",
            )
        for query in ("colour=eq.1", "select=colour", "order=colour", "or=(colour.eq.1)"):
            response = self.http.get(f"/rest/v1/notes?{query}")
            self.assert_error(response, 400, "42703")
            self.assertEqual(response.json()["message"], "column notes.colour does not exist")

    def test_bodies_that_are_no_json_are_refused(self):
        for body in (b"", b"{", b"nonsense", b"[1]", b'"a"', b"\xff\xfe"):
            self.assert_error(self.http.post("/rest/v1/notes", content=body), 400, "PGRST102")
        self.assert_error(
            self.http.post("/rest/v1/notes?columns=title", content=b"{"), 400, "22P02"
        )

    def test_a_zero_character_is_refused(self):
        self.assert_error(
            self.http.post("/rest/v1/notes", content=b'{"body":{"a":"\\u0000"}}'), 400, "22P05"
        )
        self.assert_error(self.http.get("/rest/v1/notes?title=eq.%00"), 400, "PGRST100")

    def test_what_the_api_does_not_have_is_refused(self):
        self.assert_error(self.http.put("/rest/v1/notes?id=eq.1", json={}), 405, "PGRST117")
        self.assert_error(self.http.get("/rest/v1/notes/1"), 404, "PGRST125")
        self.assert_error(
            self.http.get("/rest/v1/notes", headers={"Accept": "image/png"}), 406, "PGRST107"
        )
        self.assert_error(
            self.http.get("/rest/v1/notes", headers={"Accept-Profile": "auth"}), 406, "PGRST106"
        )
        self.assert_error(
            self.http.post("/rest/v1/notes", json={}, headers={"Content-Profile": "auth"}),
            406,
            "PGRST106",
        )
        self.assertEqual(self.http.get("/storage/v1/object").status_code, 404)

    def test_a_change_of_the_schema_is_seen_at_once(self):
        with psycopg.connect(self.supabase.database, autocommit=True) as database:
            self.assert_error(self.http.get("/rest/v1/fresh"), 404, "PGRST205")
            database.execute("create table public.fresh (id int primary key)")
            self.addCleanup(
                lambda: psycopg.connect(self.supabase.database, autocommit=True).execute(
                    "drop table public.fresh"
                )
            )
            self.assertEqual(self.http.post("/rest/v1/fresh", json={"id": 1}).status_code, 201)
            database.execute("alter table public.fresh add column name text default 'x'")
            self.assertEqual(self.http.get("/rest/v1/fresh").json(), [{"id": 1, "name": "x"}])
            self.assertEqual(
                self.http.post("/rest/v1/fresh", json={"id": 2, "name": "y"}).status_code, 201
            )


class Keys(unittest.TestCase):
    def setUp(self):
        self.supabase = shared()

    def get(self, **headers):
        with self.supabase.http() as http:
            http.headers = headers
            return http.get("/rest/v1/notes?limit=0")

    def test_a_key_is_needed(self):
        self.assertEqual(self.get().status_code, 401)
        self.assertEqual(self.get().json()["message"], "No API key found in request")
        self.assertEqual(self.get(apikey="wrong").json()["message"], "Invalid API key")
        self.assertEqual(self.get(apikey=self.supabase.anon_key).status_code, 200)
        with self.supabase.http() as http:
            http.headers = {}
            self.assertEqual(
                http.get(f"/rest/v1/notes?limit=0&apikey={self.supabase.anon_key}").status_code, 200
            )

    def test_a_token_must_be_ours_and_in_time(self):
        for token, code in {
            "nonsense": "PGRST301",
            "a.b.c": "PGRST301",
            tokens.sign({"role": "service_role"}, "someone else's secret"): "PGRST301",
            self.supabase.anon_key[:-3] + "abc": "PGRST301",
        }.items():
            response = self.get(apikey=self.supabase.anon_key, authorization=f"Bearer {token}")
            self.assertEqual((response.status_code, response.json()["code"]), (401, code))
            self.assertIn("invalid_token", response.headers["WWW-Authenticate"])

    def test_a_token_that_says_it_needs_no_signature_is_refused(self):
        def part(text):
            return base64.urlsafe_b64encode(text).rstrip(b"=").decode()

        token = part(b'{"alg":"none"}') + "." + part(b'{"role":"service_role"}') + "."
        response = self.get(apikey=self.supabase.anon_key, authorization=f"Bearer {token}")
        self.assertEqual((response.status_code, response.json()["code"]), (401, "PGRST301"))
