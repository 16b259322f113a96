"""What hosted projects allow, and browsers ask."""

import time

from .support import NotesCase


class Limits(NotesCase):
    def test_a_statement_has_as_long_as_its_role(self):
        asked = {"name": "statement_timeout"}
        for client, limit in (
            (self.client, "3s"),
            (self.supabase.signed_in("mira"), "8s"),
            (self.supabase.service(), "8s"),
        ):
            self.assertEqual(client.rpc("setting", asked).execute().data, limit)

    def test_a_statement_that_takes_longer_is_ended(self):
        begun = time.monotonic()
        response = self.http.post("/rest/v1/rpc/wait", json={"seconds": 30})
        self.assertLess(time.monotonic() - begun, 20)
        self.assert_error(response, 500, "57014")
        self.assertEqual(
            self.http.post("/rest/v1/rpc/wait", json={"seconds": 0}).json(), "waited"
        )

    def test_an_answer_has_at_most_1000_rows_and_does_not_say_so(self):
        self.fill(*({"title": f"n{n}"} for n in range(1005)))
        self.assertEqual(len(self.notes.select("id").execute().data), 1000)
        self.assertEqual(len(self.notes.select("id").limit(2000).execute().data), 1000)
        self.assertEqual(len(self.notes.select("id").gt("id", 0).range(1000, 3000).execute().data), 5)


class Browsers(NotesCase):
    def test_a_page_of_any_origin_may_ask(self):
        for path, method in (
            ("/rest/v1/notes?on_conflict=id", "POST"),
            ("/rest/v1/rpc/add", "POST"),
            ("/auth/v1/token?grant_type=password", "POST"),
            ("/auth/v1/user", "PUT"),
            ("/rest/v1/notes?id=eq.1", "DELETE"),
        ):
            response = self.http.options(
                path,
                headers={
                    "Origin": "http://localhost:5173",
                    "Access-Control-Request-Method": method,
                    "Access-Control-Request-Headers": "apikey,authorization,prefer,x-client-info",
                    "apikey": "",
                },
            )
            self.assertEqual((response.status_code, response.content), (200, b""))
            self.assertEqual(response.headers["Access-Control-Allow-Origin"], "*")
            self.assertIn(method, response.headers["Access-Control-Allow-Methods"].split(","))
            self.assertIn("prefer", response.headers["Access-Control-Allow-Headers"].split(","))

    def test_it_reads_what_is_answered_errors_too(self):
        for response in (
            self.http.get("/rest/v1/notes"),
            self.http.get("/rest/v1/nowhere"),
            self.http.get("/auth/v1/health"),
            self.http.get("/rest/v1/notes", headers={"apikey": "wrong"}),
            self.http.post("/auth/v1/token?grant_type=password", json={"email": "a", "password": "b"}),
        ):
            self.assertEqual(response.headers["Access-Control-Allow-Origin"], "*")
            self.assertIn("Content-Range", response.headers["Access-Control-Expose-Headers"])
