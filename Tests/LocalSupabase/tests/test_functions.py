"""Functions of the database, called by name."""

from .support import NotesCase


class Functions(NotesCase):
    def call(self, name, arguments=None, **options):
        return self.client.rpc(name, arguments or {}, **options).execute().data

    def test_arguments_have_names_and_defaults(self):
        self.assertEqual(self.call("add", {"a": 2}), 3)
        self.assertEqual(self.call("add", {"b": 5, "a": 2.5}), 7.5)
        self.assertEqual(self.call("add", {"a": 2}, get=True), 3)
        self.assertEqual(self.http.get("/rest/v1/rpc/add?a=0.1&b=0.2").text, "0.3")

    def test_a_function_answers_with_what_it_returns(self):
        self.fill({"title": "a", "amount": 1}, {"title": "b", "amount": 5})
        self.assertEqual(self.call("note_titles"), ["a", "b"])
        self.assertEqual(self.call("both", {"a": 4}), {"sum": 8, "product": 16})
        self.assertEqual(self.call("listed"), [{"word": "one"}, {"word": "two"}])
        self.assertEqual(self.call("a_note", {"wanted": "a"})["title"], "a")
        self.assertEqual([row["title"] for row in self.call("notes_above", {"lowest": 2})], ["b"])
        self.assertEqual(self.call("who_am_i")["method"], "POST")

    def test_rows_that_a_function_returns_are_filtered_ordered_and_counted(self):
        self.fill(*({"title": f"n{n}", "amount": n} for n in range(10)))
        query = self.client.rpc("notes_above", {"lowest": 3}, count="exact")
        found = query.select("title").lt("amount", 8).order("amount", desc=True).limit(2).execute()
        self.assertEqual((found.data, found.count), ([{"title": "n7"}, {"title": "n6"}], 4))
        response = self.http.get("/rest/v1/rpc/notes_above?lowest=3&title=eq.n5&select=amount")
        self.assertEqual(response.json(), [{"amount": 5}])

    def test_nothing_is_answered_where_nothing_is_returned(self):
        response = self.http.post("/rest/v1/rpc/tidy", json={})
        self.assertEqual((response.status_code, response.content), (204, b""))

    def test_a_function_may_write_but_not_by_get(self):
        self.assertIsInstance(
            self.call("write_note", {"new_title": "written", "details": {"a": [1]}}), int
        )
        self.assertEqual(self.titles("body->a=eq.[1]"), ["written"])
        self.assert_error(self.http.get("/rest/v1/rpc/write_note?new_title=x"), 405, "25006")

    def test_overloads_are_told_apart_by_their_arguments(self):
        self.assertEqual(self.call("pick", {"a": 1}), "one")
        self.assertEqual(self.call("pick", {"a": 1, "b": 1}), "two")
        self.assert_error(self.http.post("/rest/v1/rpc/unsure", json={"a": 1}), 300, "PGRST203")

    def test_a_function_that_is_not_there_is_named(self):
        for response in (
            self.http.post("/rest/v1/rpc/adds", json={"a": 1}),
            self.http.post("/rest/v1/rpc/add", json={"c": 1}),
            self.http.post("/rest/v1/rpc/add", json={}),
            self.http.get("/rest/v1/rpc/adds?a=1"),
        ):
            self.assert_error(response, 404, "PGRST202")
            self.assertRegex(response.json()["message"], r"public\.adds?(\([ac]\)| without)")
        self.assertEqual(
            self.http.post("/rest/v1/rpc/adds", json={"a": 1}).json()["hint"],
            "Perhaps you meant to call the function public.add",
        )

    def test_other_methods_and_bodies_are_refused(self):
        self.assert_error(self.http.patch("/rest/v1/rpc/add", json={}), 405, "PGRST101")
        self.assert_error(self.http.post("/rest/v1/rpc/add", content=b"{"), 400, "PGRST102")
        self.assert_error(self.http.post("/rest/v1/rpc/add", content=b"[1]"), 400, "PGRST102")

    def test_the_database_knows_who_asks_and_how(self):
        mira = self.supabase.signed_in("mira")
        said = mira.rpc("who_am_i", {}).execute().data
        self.assertEqual(said["uid"], self.supabase.users["mira"]["id"])
        self.assertEqual(
            (said["role"], said["current"], said["email"]),
            ("authenticated", "authenticated", "mira@example.org"),
        )
        self.assertIn("supabase-py", said["client"])
        self.assertEqual((said["method"], said["path"]), ("POST", "/rpc/who_am_i"))
        self.assertEqual(self.call("who_am_i")["current"], "anon")
        self.assertEqual(
            self.supabase.service().rpc("who_am_i", {}).execute().data["current"], "service_role"
        )
