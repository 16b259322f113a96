"""Migrations in the Supabase CLI's layout."""

import tempfile
import unittest
from pathlib import Path

import psycopg

from LocalSupabase import migrations

from .support import shared


class Migrations(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.supabase = shared()
        self.addCleanup(self.database, "drop table if exists public.made")
        self.addCleanup(
            self.database,
            "delete from supabase_migrations.schema_migrations where length(version) = 1",
        )

    def database(self, sql):
        with psycopg.connect(self.supabase.database, autocommit=True) as database:
            done = database.execute(sql)
            return done.fetchall() if done.description else None

    def write(self, **texts):
        for name, text in texts.items():
            (self.folder / f"{name.removeprefix('v')}.sql").write_text(text)

    def apply(self):
        as_owner = self.supabase.database.replace("supabase_admin", "postgres")
        return migrations.apply(self.folder, as_owner)

    def test_they_are_applied_once_in_order_and_recorded(self):
        self.write(
            v2_second="insert into public.made values (2); -- 100 %",
            v1_first="create table public.made (id int);",
        )
        self.assertEqual(self.apply(), ["1_first.sql", "2_second.sql"])
        self.write(v3_third="insert into public.made values (3);")
        self.assertEqual(self.apply(), ["3_third.sql"])
        made = self.supabase.client().table("made").select("id").execute().data
        self.assertEqual(made, [{"id": 2}, {"id": 3}])
        recorded = self.database(
            "select version, name, statements[1] like '%public.made%' "
            "from supabase_migrations.schema_migrations where length(version) = 1 order by 1"
        )
        self.assertEqual(
            recorded, [("1", "first", True), ("2", "second", True), ("3", "third", True)]
        )

    def test_they_run_as_the_role_that_supabase_runs_them_as(self):
        self.write(v1_first="create table public.made (id int);")
        self.apply()
        owner = self.database("select tableowner from pg_tables where tablename = 'made'")
        self.assertEqual(owner, [("postgres",)])
        privileges = self.database(
            "select rolsuper, rolbypassrls from pg_roles where rolname = 'postgres'"
        )
        self.assertEqual(privileges, [(False, True)])

    def test_one_that_fails_says_where_and_leaves_nothing(self):
        self.write(v1_bad="create table public.made (id int);\n\nselect nonsense;\n")
        with self.assertRaisesRegex(
            migrations.MigrationError,
            r"1_bad\.sql: line 3: ERROR: column .nonsense. does not exist \(42703\)",
        ):
            self.apply()
        self.assertEqual(self.database("select to_regclass('public.made')"), [(None,)])
