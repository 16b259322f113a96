"""Writing rows."""

import json
import socket
import threading
import uuid
from decimal import Decimal
from http.client import HTTPConnection

from .support import NotesCase


class Writing(NotesCase):
    def post(self, rows, query="", prefer="return=representation"):
        body = rows if isinstance(rows, (str, bytes)) else json.dumps(rows)
        return self.http.post(f"/rest/v1/notes{query}", content=body, headers={"Prefer": prefer})

    def test_an_inserted_row_comes_back_with_its_defaults(self):
        row = self.notes.insert({"title": "a"}).execute().data[0]
        self.assertEqual((row["title"], row["kind"]), ("a", "plain"))
        self.assertIsInstance(row["id"], int)

    def test_many_rows_are_inserted_at_once(self):
        rows = self.fill(*({"title": f"{n}", "kind": "plain"} for n in range(500)))
        self.assertEqual(len(rows), 500)

    def test_missing_columns_become_null_unless_their_default_is_wanted(self):
        rows = [{"title": "a", "kind": "k"}, {"title": "b"}]
        with self.assertRaisesRegex(Exception, "23502"):
            self.notes.insert(rows).execute()
        kinds = [
            row["kind"] for row in self.notes.insert(rows, default_to_null=False).execute().data
        ]
        self.assertEqual(kinds, ["k", "plain"])

    def test_rows_with_different_keys_need_columns(self):
        response = self.post([{"title": "a"}, {"amount": 1}])
        self.assert_error(response, 400, "PGRST102")
        self.assertEqual(response.json()["message"], "All object keys must match")
        self.assertEqual(
            self.post([{"title": "a"}, {"amount": 1}], "?columns=title,amount").status_code, 201
        )

    def test_keys_that_columns_does_not_name_are_ignored(self):
        row = self.post([{"title": "a", "amount": 1, "no such": 2}], "?columns=title").json()[0]
        self.assertEqual((row["title"], row["amount"]), ("a", None))

    def test_no_rows_are_no_error(self):
        response = self.post([])
        self.assertEqual((response.status_code, response.json()), (201, []))

    def test_empty_objects_are_rows_of_defaults(self):
        self.assertEqual(self.post({}).json()[0]["kind"], "plain")
        self.assertEqual(len(self.post([{}, {}]).json()), 2)

    def test_what_is_not_wanted_is_not_answered(self):
        for prefer in ("return=minimal", ""):
            response = self.post({"kind": "a"}, prefer=prefer)
            self.assertEqual((response.status_code, response.content), (201, b""))
        response = self.post({"kind": "a"}, prefer="return=headers-only")
        self.assertRegex(response.headers["Location"], r"^/notes\?id=eq\.\d+$")

    def test_decimals_stay_exact(self):
        for number in ("0.1", "0.10", "123456789012345678901234567890.123456789", "-1e-20"):
            text = self.post(f'{{"amount": {number}}}', "?select=amount").text
            self.assertEqual(Decimal(text.split(":")[1].rstrip("}]")), Decimal(number))
        self.assertIn(
            "0.10}",
            self.post(
                '{"amount": 0.10}', "?select=amount", "return=representation,missing=default"
            ).text,
        )

    def test_json_and_instants_come_back_as_postgresql_has_them(self):
        body = {"b": [1, {"c": 'é " \\ \n'}], "a": None, "n": 0.1}
        row = (
            self.notes.insert({"body": body, "at": "2024-05-01T12:00:00.123456+02:00"})
            .execute()
            .data[0]
        )
        self.assertEqual((row["body"], row["at"]), (body, "2024-05-01T10:00:00.123+00:00"))

    def test_some_columns_of_what_was_written_are_answered(self):
        response = self.post(
            {"title": "a", "amount": 2, "body": {"x": {"y": "z"}}},
            "?select=name:title,amount::text,body->x->>y",
        )
        self.assertEqual(response.json(), [{"name": "a", "amount": "2", "y": "z"}])

    def test_an_upsert_says_what_became_of_it(self):
        merge = "resolution=merge-duplicates,return=representation"
        first = self.post([{"title": "a", "amount": 1}], "?on_conflict=title", merge)
        self.assertEqual(first.status_code, 201)
        self.assertEqual(
            first.headers["Preference-Applied"],
            "resolution=merge-duplicates, return=representation",
        )
        mixed = self.post(
            [{"title": "a", "amount": 2}, {"title": "b", "amount": 2}], "?on_conflict=title", merge
        )
        self.assertEqual(mixed.status_code, 201)
        second = self.post(
            [{"title": "a", "amount": 3}, {"title": "b", "amount": 3}], "?on_conflict=title", merge
        )
        self.assertEqual(second.status_code, 200)
        self.assertEqual([row["amount"] for row in second.json()], [3, 3])

    def test_duplicates_can_be_ignored(self):
        self.fill({"title": "a", "amount": 1})
        rows = [{"title": "a", "amount": 2}, {"title": "b", "amount": 2}]
        kept = self.notes.upsert(
            rows, on_conflict="title", ignore_duplicates=True, default_to_null=False
        ).execute()
        self.assertEqual([row["title"] for row in kept.data], ["b"])
        self.assertEqual(
            self.notes.select("amount").eq("title", "a").single().execute().data, {"amount": 1}
        )

    def test_an_upsert_goes_by_the_primary_key_unless_told(self):
        row = self.fill({"title": "a"})[0]
        merged = self.notes.upsert({"id": row["id"], "title": "b"}).execute().data[0]
        self.assertEqual((merged["id"], merged["title"]), (row["id"], "b"))

    def test_a_table_without_a_key_ignores_the_resolution(self):
        response = self.http.post(
            "/rest/v1/loose",
            json=[{"a": "x"}],
            headers={"Prefer": "resolution=merge-duplicates,return=representation"},
        )
        self.assertEqual(
            (response.status_code, response.headers["Preference-Applied"]),
            (201, "return=representation"),
        )

    def test_one_row_twice_in_an_upsert_is_refused(self):
        response = self.post(
            [{"title": "a"}, {"title": "a"}], "?on_conflict=title", "resolution=merge-duplicates"
        )
        self.assert_error(response, 500, "21000")

    def test_rows_are_changed_by_filter(self):
        self.fill({"title": "a", "amount": 1}, {"title": "b", "amount": 1})
        changed = self.notes.update({"amount": 9}).eq("title", "a").execute().data
        self.assertEqual([(row["title"], row["amount"]) for row in changed], [("a", 9)])
        self.assertEqual(self.notes.update({"amount": 9}).eq("title", "none").execute().data, [])
        response = self.http.patch(
            "/rest/v1/notes?title=eq.b", json={"amount": 3}, headers={"Prefer": "count=exact"}
        )
        self.assertEqual((response.status_code, response.headers["Content-Range"]), (204, "0-0/1"))
        self.assertEqual(self.http.patch("/rest/v1/notes?title=eq.b", json={}).status_code, 204)

    def test_rows_are_deleted_by_filter(self):
        self.fill({"title": "a"}, {"title": "b"}, {"title": "c"})
        gone = self.notes.delete().in_("title", ["a", "b"]).execute().data
        self.assertEqual({row["title"] for row in gone}, {"a", "b"})
        response = self.http.delete("/rest/v1/notes?title=eq.c", headers={"Prefer": "count=exact"})
        self.assertEqual((response.status_code, response.headers["Content-Range"]), (204, "*/1"))

    def test_nobody_changes_or_deletes_a_whole_table_by_mistake(self):
        self.fill({"title": "a"})
        self.assert_error(self.http.delete("/rest/v1/notes"), 400, "21000")
        self.assert_error(self.http.patch("/rest/v1/notes", json={"amount": 1}), 400, "21000")
        self.assert_error(self.http.delete("/rest/v1/notes?id=gt.0&limit=1"), 400, "PGRST127")
        self.assertEqual(self.titles(""), ["a"])

    def test_a_strict_client_limits_how_many_rows_it_may_change(self):
        self.fill({"title": "a"}, {"title": "b"})
        with self.assertRaisesRegex(Exception, "PGRST124"):
            self.notes.delete().gte("id", 0).max_affected(1).execute()
        self.assertEqual(self.titles(""), ["a", "b"])
        response = self.http.delete(
            "/rest/v1/notes?id=gt.0", headers={"Prefer": "handling=strict,nonsense=1"}
        )
        self.assert_error(response, 400, "PGRST122")

    def test_a_change_that_was_to_be_of_one_row_and_is_not_does_not_happen(self):
        self.fill({"title": "a"}, {"title": "b"})
        response = self.http.delete(
            "/rest/v1/notes?id=gt.0",
            headers={
                "Accept": "application/vnd.pgrst.object+json",
                "Prefer": "return=representation",
            },
        )
        self.assert_error(response, 406, "PGRST116")
        self.assertEqual(self.titles(""), ["a", "b"])

    def test_twenty_threads_upsert_at_once(self):
        failures = []

        def upsert(number):
            with self.supabase.http() as http:
                for turn in range(10):
                    rows = [{"title": f"shared {n}", "amount": turn} for n in range(20)]
                    rows.append({"title": f"own {number} {turn}", "amount": turn})
                    response = http.post(
                        "/rest/v1/notes?on_conflict=title",
                        json=rows,
                        headers={"Prefer": "resolution=merge-duplicates"},
                    )
                    if response.status_code not in (200, 201):
                        failures.append(response.text)

        threads = [threading.Thread(target=upsert, args=(number,)) for number in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])
        self.assertEqual(self.notes.select("id", count="exact", head=True).execute().count, 220)

    def test_a_large_body_passes_and_a_huge_one_does_not(self):
        response = self.post(
            [{"title": str(uuid.uuid4()), "body": {"text": "x" * 1000}} for _ in range(5000)],
            prefer="return=minimal",
        )
        self.assertEqual(response.status_code, 201)
        connection = HTTPConnection(self.supabase.url.removeprefix("http://"))
        self.addCleanup(connection.close)
        connection.request(
            "POST", "/rest/v1/notes", headers={"Content-Length": str(60 * 1024 * 1024)}
        )
        self.assertEqual(connection.getresponse().status, 413)

    def test_a_client_that_asks_before_it_sends_is_told_to_go_on(self):
        host, port = self.supabase.url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=10) as connection:
            head = f"POST /rest/v1/notes HTTP/1.1\r\nHost: {host}\r\nContent-Length: 13\r\n"
            key = f"apikey: {self.supabase.anon_key}\r\nExpect: 100-continue\r\n\r\n"
            connection.sendall((head + key).encode())
            self.assertTrue(connection.recv(1000).startswith(b"HTTP/1.1 100 Continue"))
            connection.sendall(b'{"title":"a"}')
            self.assertTrue(connection.recv(1000).startswith(b"HTTP/1.1 201 Created"))

    def test_a_body_may_come_in_chunks(self):
        response = self.http.post("/rest/v1/notes", content=iter([b'[{"tit', b'le":"a"}]']))
        self.assertEqual(response.status_code, 201)
        self.assertEqual(self.titles(""), ["a"])
