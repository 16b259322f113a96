"""Reading rows."""

from .support import NotesCase


class Reading(NotesCase):
    def setUp(self):
        super().setUp()
        self.fill(
            *(
                {"title": f"n{n}", "amount": n, "kind": "even" if n % 2 == 0 else "odd"}
                for n in range(10)
            )
        )

    def test_columns_are_chosen_renamed_and_cast(self):
        row = (
            self.notes.select("name:title, amount::text").eq("title", "n3").single().execute().data
        )
        self.assertEqual(row, {"name": "n3", "amount": "3"})

    def test_a_function_of_a_row_is_a_column_for_who_asks_for_it(self):
        rows = self.notes.select("title, loud").eq("loud", "N3").execute().data
        self.assertEqual(rows, [{"title": "n3", "loud": "N3"}])
        self.assertNotIn("loud", self.notes.select("*").limit(1).execute().data[0])

    def test_rows_are_ordered_by_several_columns(self):
        self.fill({"title": "none", "kind": "even"})
        rows = (
            self.notes.select("title")
            .order("kind", desc=True)
            .order("amount", desc=True, nullsfirst=False)
            .execute()
            .data
        )
        self.assertEqual([row["title"] for row in rows][:2], ["n9", "n7"])
        self.assertEqual(rows[-1]["title"], "none")
        first = self.notes.select("title").order("amount", nullsfirst=True).limit(1).execute().data
        self.assertEqual(first, [{"title": "none"}])

    def test_a_page_is_taken_by_limit_and_offset_or_by_range(self):
        page = self.notes.select("title").order("id").range(2, 3).execute().data
        self.assertEqual(page, [{"title": "n2"}, {"title": "n3"}])
        response = self.http.get(
            "/rest/v1/notes?order=id&select=title", headers={"Range-Unit": "items", "Range": "8-20"}
        )
        self.assertEqual((response.status_code, response.headers["Content-Range"]), (200, "8-9/*"))
        self.assertEqual(self.titles("limit=0"), [])

    def test_rows_are_counted(self):
        counted = self.notes.select("title", count="exact").eq("kind", "odd").limit(2).execute()
        self.assertEqual((len(counted.data), counted.count), (2, 5))
        response = self.http.get(
            "/rest/v1/notes?limit=2&offset=4", headers={"Prefer": "count=exact"}
        )
        self.assertEqual((response.status_code, response.headers["Content-Range"]), (206, "4-5/10"))
        whole = self.http.get("/rest/v1/notes", headers={"Prefer": "count=exact"})
        self.assertEqual((whole.status_code, whole.headers["Content-Range"]), (200, "0-9/10"))
        none = self.http.get("/rest/v1/notes?title=eq.none", headers={"Prefer": "count=exact"})
        self.assertEqual((none.status_code, none.headers["Content-Range"]), (200, "*/0"))
        for kind in ("planned", "estimated"):
            self.assertGreater(self.notes.select("title", count=kind).execute().count, 0)

    def test_a_page_behind_the_end_is_not_satisfiable(self):
        response = self.http.get("/rest/v1/notes?offset=11", headers={"Prefer": "count=exact"})
        self.assert_error(response, 416, "PGRST103")
        self.assertEqual(response.headers["Content-Range"], "*/10")
        self.assert_error(self.http.get("/rest/v1/notes?limit=-1"), 416, "PGRST103")
        self.assert_error(
            self.http.get("/rest/v1/notes", headers={"Range": "5-2"}), 416, "PGRST103"
        )
        self.assertEqual(self.http.get("/rest/v1/notes?offset=11").json(), [])

    def test_head_has_no_body(self):
        response = self.http.head("/rest/v1/notes", headers={"Prefer": "count=exact"})
        self.assertEqual(
            (response.status_code, response.headers["Content-Range"], response.content),
            (200, "0-9/10", b""),
        )
        self.assertEqual(self.http.head("/rest/v1/none").status_code, 404)

    def test_one_row_is_an_object(self):
        self.assertEqual(
            self.notes.select("title").eq("amount", 1).single().execute().data, {"title": "n1"}
        )
        for wanted in ("amount=gt.5", "amount=gt.50"):
            response = self.http.get(
                f"/rest/v1/notes?{wanted}", headers={"Accept": "application/vnd.pgrst.object+json"}
            )
            self.assert_error(response, 406, "PGRST116")
        self.assertIsNone(self.notes.select("title").eq("amount", 50).maybe_single().execute())
        self.assertEqual(
            self.notes.select("title").eq("amount", 1).maybe_single().execute().data,
            {"title": "n1"},
        )

    def test_json_is_looked_into(self):
        self.fill({"title": "deep", "body": {"a": [{"b c": "x"}, 2], "n": {"m": True}}})
        row = (
            self.notes.select('body->a->0->>"b c", second:body->a->1, body->n')
            .eq("title", "deep")
            .single()
            .execute()
            .data
        )
        self.assertEqual(row, {"b c": "x", "second": 2, "n": {"m": True}})
        self.assertEqual(self.titles("body->a->>1=eq.2"), ["deep"])
        self.assertEqual(self.titles("body->n->m=eq.true"), ["deep"])
        self.assertEqual(self.titles("body->>a=not.is.null&order=body->a->>1.desc"), ["deep"])

    def test_rows_come_as_csv_too(self):
        text = self.notes.select("title,amount").lt("amount", 2).order("id").csv().execute().data
        self.assertEqual(text, "title,amount\nn0,0\nn1,1")

    def test_nulls_can_be_left_out(self):
        rows = self.notes.select("title,marks").eq("amount", 1).strip_nulls().execute().data
        self.assertEqual(rows, [{"title": "n1"}])

    def test_a_view_is_read_as_a_table_is(self):
        self.assertEqual(len(self.client.table("titles").select("*").execute().data), 10)

    def test_the_root_lists_tables_and_functions(self):
        paths = self.http.get("/rest/v1/").json()["paths"]
        self.assertLessEqual({"/notes", "/titles", "/rpc/add"}, set(paths))

    def test_odd_names_are_names(self):
        with self.supabase.http() as http:
            body = [{'a column, with "quotes"': "k", "50%": 3, "a.b": "dotted"}]
            prefer = {"Prefer": "resolution=merge-duplicates,return=representation"}
            self.assertEqual(
                http.post("/rest/v1/odd%20name", json=body, headers=prefer).json(), body
            )
            column = "%22a%20column%2C%20with%20%5C%22quotes%5C%22%22"
            found = http.get(
                f'/rest/v1/odd%20name?select=%2250%25%22,"a.b"&{column}=eq.k'
                '&"a.b"=eq.dotted&order="a.b".desc'
            )
            self.assertEqual(found.json(), [{"50%": 3, "a.b": "dotted"}])
