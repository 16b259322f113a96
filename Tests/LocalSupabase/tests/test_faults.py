"""Faults on demand, as tests of a client want them."""

import time

import httpx

from .support import NotesCase, strict


class Faults(NotesCase):
    def setUp(self):
        super().setUp()
        self.control("DELETE")
        self.addCleanup(self.control, "DELETE")

    def control(self, method="GET", rules=None):
        return self.supabase.http().request(method, "/_local/faults", json=rules).json()

    def rule(self, action, **match):
        said = self.control("POST", [{"match": match, "action": action}])
        self.assertIn("rules", said, said)

    def get(self, query=""):
        return self.http.get(f"/rest/v1/notes{query}")

    def test_a_request_can_be_kept_waiting(self):
        self.rule({"delay": 0.3}, times=1)
        started = time.monotonic()
        self.assertEqual(self.get().status_code, 200)
        self.assertGreater(time.monotonic() - started, 0.3)

    def test_a_rule_can_be_about_what_a_request_says(self):
        self.rule({"status": 503}, about="bread")
        self.assertEqual(self.get("?title=eq.bread").status_code, 503)
        self.assertEqual(self.http.post("/rest/v1/notes", json={"title": "bread"}).status_code, 503)
        self.assertEqual(self.get().status_code, 200)

    def test_an_answer_can_be_kept_back_when_all_is_done(self):
        self.rule({"linger": 5}, method="POST")
        with self.assertRaises(httpx.TransportError):
            self.http.post("/rest/v1/notes", json={"title": "a"}, timeout=1)
        self.assertEqual(self.titles(""), ["a"])

    def test_the_rules_about_one_thing_can_be_taken_back(self):
        self.rule({"status": 503}, about="bread")
        self.rule({"status": 504}, about="milk")
        self.supabase.http().delete("/_local/faults?about=bread")
        self.assertEqual(self.get("?title=eq.bread").status_code, 200)
        self.assertEqual(self.get("?title=eq.milk").status_code, 504)

    def test_a_connection_can_drop_before_anything_is_done(self):
        self.rule({"drop": "before"}, method="POST", times=1)
        with self.assertRaises(httpx.TransportError):
            self.http.post("/rest/v1/notes", json={"title": "a"})
        self.assertEqual(self.titles(""), [])

    def test_a_connection_can_drop_after_all_is_done(self):
        self.rule({"drop": "after"}, method="POST", times=1)
        with self.assertRaises(httpx.TransportError):
            self.http.post("/rest/v1/notes", json={"title": "a"})
        self.assertEqual(self.titles(""), ["a"])

    def test_any_answer_can_be_given_instead(self):
        self.rule(
            {
                "status": 429,
                "body": "<html>",
                "headers": {"Retry-After": "7", "Content-Type": "text/html"},
            },
            times=1,
        )
        response = self.get()
        self.assertEqual(
            (response.status_code, response.text, response.headers["Retry-After"]),
            (429, "<html>", "7"),
        )
        self.assertEqual(self.get().status_code, 200)

    def test_an_answer_can_be_cut(self):
        self.fill({"title": "a" * 100})
        self.rule({"truncate": 10}, times=1)
        with self.assertRaises(httpx.RemoteProtocolError):
            self.get()

    def test_rows_can_be_capped(self):
        self.fill(*({"title": f"{n}"} for n in range(5)))
        self.rule({"cap": 2}, times=1)
        self.assertEqual(len(self.get("?limit=4").json()), 2)
        self.assertEqual(len(self.get("?limit=4").json()), 4)

    def test_a_token_can_be_taken_as_expired(self):
        self.rule({"expire": True}, times=1)
        self.assert_error(self.get(), 401, "PGRST303")
        self.assertEqual(self.get().status_code, 200)

    def test_a_request_can_be_sent_elsewhere(self):
        self.rule({"redirect": "http://127.0.0.1:1/"}, times=1)
        response = self.get()
        self.assertEqual(
            (response.status_code, response.headers["Location"]), (307, "http://127.0.0.1:1/")
        )

    def test_a_rule_says_which_requests_it_means(self):
        self.rule(
            {"status": 503}, method="GET", path="/rest/v1/notes", regex="title=eq", after=1, times=2
        )
        statuses = [self.get("?title=eq.a").status_code for _ in range(4)]
        self.assertEqual(statuses, [200, 503, 503, 200])
        self.assertEqual(self.get().status_code, 200)
        self.assertEqual(self.http.head("/rest/v1/notes?title=eq.a").status_code, 200)
        self.assertEqual(self.control()["rules"][0]["fired"], 2)

    def test_the_requests_that_came_are_known(self):
        self.rule({"drop": "before"}, path="/rest/v1/loose")
        self.get("?title=eq.a")
        with self.assertRaises(httpx.TransportError):
            self.http.delete("/rest/v1/loose")
        said = self.control()
        self.assertEqual(said["count"], 2)
        times = [request.pop("at") for request in said["requests"]]
        self.assertEqual(times, sorted(times))
        self.assertEqual(
            said["requests"],
            [
                {"method": "GET", "path": "/rest/v1/notes?title=eq.a", "status": 200},
                {"method": "DELETE", "path": "/rest/v1/loose", "status": None},
            ],
        )

    def test_a_client_that_retries_gets_through(self):
        self.fill({"title": "a"})
        self.rule({"status": 503}, method="GET", times=1)
        self.assertEqual(len(self.notes.select("title").execute().data), 1)

    def test_what_is_no_rule_is_refused(self):
        for rules in (
            [{"action": {}}],
            [{"action": {"explode": 1}}],
            [{"match": {"who": 1}, "action": {"delay": 1}}],
            {"a": 1},
            [{"match": {"regex": "("}, "action": {"delay": 1}}],
            [{"action": {"drop": "never"}}],
        ):
            self.assertIn("message", self.control("POST", rules))
        self.assertEqual(self.control()["rules"], [])


class WithoutFaults(NotesCase):
    def test_they_are_there_only_where_they_were_asked_for(self):
        server = strict()
        with server.http(server.service_key) as http:
            self.assertEqual(http.get("/_local/faults").status_code, 404)
            http.post("/rest/v1/notes", json=[{"title": f"{n}"} for n in range(5)])
            self.assertEqual(len(http.get("/rest/v1/notes?limit=4").json()), 3)
            self.assertEqual(len(http.get("/rest/v1/rpc/note_titles").json()), 3)
