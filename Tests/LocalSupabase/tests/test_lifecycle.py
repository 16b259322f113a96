"""Starting, stopping, being killed, and what is left of it."""

import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import psycopg

from .support import MIGRATIONS, PROGRAM, Supabase, is_running, shared


def wait_until(condition):
    deadline = time.monotonic() + 15
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return condition()


def folders_of(pid):
    """What the server with that process id put where temporary things are."""
    places = {"/tmp", "/dev/shm", tempfile.gettempdir()}
    return [path for place in places for path in Path(place).glob(f"larder-*-{pid}-*")]


class Lifecycle(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="larder-test-", dir="/tmp")
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name) / "state"
        Path(holder.name).chmod(0o711)

    def traces(self, server):
        """What a server may leave behind: its process, its sockets, its temporary folder."""
        with psycopg.connect(server.database) as database:
            (data,) = database.execute("show data_directory").fetchone()
            (sockets,) = database.execute("show unix_socket_directories").fetchone()
        return server.postgres_pid, Path(sockets), Path(data).parent

    def test_nothing_is_left_when_the_input_ends(self):
        server = Supabase()
        pid, sockets, folder = self.traces(server)
        self.assertEqual(server.stop(), 0)
        self.assertFalse(is_running(pid) or sockets.exists() or folder.exists())

    def test_nothing_is_left_after_sigterm(self):
        server = Supabase()
        pid, sockets, folder = self.traces(server)
        server.process.terminate()
        self.assertEqual(server.process.wait(30), 0)
        server.stop()
        self.assertFalse(is_running(pid) or sockets.exists() or folder.exists())

    def test_nothing_is_left_even_after_a_kill(self):
        server = Supabase()
        pid, sockets, folder = self.traces(server)
        server.process.kill()
        server.stop()
        self.assertTrue(
            wait_until(lambda: not (is_running(pid) or sockets.exists() or folder.exists()))
        )

    def test_a_start_that_is_given_up_leaves_nothing(self):
        for delay in (0.1, 0.4, 0.7, 1):
            with subprocess.Popen(
                [PROGRAM, "--port", "0", "--json"], stdout=subprocess.DEVNULL
            ) as starting:
                time.sleep(delay)
                starting.terminate()
            self.assertIn(starting.returncode, (0, -signal.SIGTERM))
            self.assertEqual(folders_of(starting.pid), [])

    def test_a_folder_keeps_its_data_keys_and_sessions(self):
        first = Supabase("--folder", self.folder)
        client = first.signed_in("mira")
        client.table("notes").insert({"title": "kept"}).execute()
        session = client.auth.get_session()
        pid, sockets, _ = self.traces(first)
        first.stop()
        self.assertFalse(is_running(pid) or sockets.exists())
        second = Supabase("--folder", self.folder)
        self.addCleanup(second.stop)
        self.assertEqual((second.anon_key, second.users), (first.anon_key, first.users))
        again = second.client()
        self.assertEqual(again.table("notes").select("title").execute().data, [{"title": "kept"}])
        self.assertTrue(again.auth.refresh_session(session.refresh_token).session)

    def test_a_killed_server_is_not_in_the_way_of_the_next(self):
        first = Supabase("--folder", self.folder)
        first.client().table("notes").insert({"title": "kept"}).execute()
        pid, sockets, _ = self.traces(first)
        first.process.kill()
        first.process.wait()
        second = Supabase("--folder", self.folder)
        self.addCleanup(second.stop)
        self.addCleanup(first.stop)
        self.assertEqual(
            second.client().table("notes").select("title").execute().data, [{"title": "kept"}]
        )
        self.assertTrue(wait_until(lambda: not (is_running(pid) or sockets.exists())))

    def test_a_folder_is_one_server_s(self):
        first = Supabase("--folder", self.folder)
        self.addCleanup(first.stop)
        second = subprocess.run(
            [PROGRAM, "--port", "0", "--folder", self.folder], capture_output=True, text=True
        )
        self.assertEqual(second.returncode, 1)
        self.assertIn("another server runs on", second.stderr)
        self.assertEqual(first.client().table("notes").select("title").execute().data, [])

    def test_a_port_is_one_server_s(self):
        port = shared().url.rsplit(":")[-1]
        second = subprocess.run([PROGRAM, "--port", port], capture_output=True, text=True)
        self.assertEqual((second.returncode, "in use" in second.stderr), (1, True), second.stderr)

    def test_migrations_are_applied_once_and_recorded(self):
        migrations = self.folder.parent / "migrations"
        migrations.mkdir()
        (migrations / "2_second.sql").write_text("insert into public.made values (2); -- 100 %")
        (migrations / "1_first.sql").write_text("create table public.made (id int);")
        options = ["--folder", self.folder, "--migrations", migrations]
        Supabase(*options).stop()
        (migrations / "3_third.sql").write_text("insert into public.made values (3);")
        server = Supabase(*options)
        self.addCleanup(server.stop)
        self.assertEqual(
            server.client().table("made").select("id").execute().data, [{"id": 2}, {"id": 3}]
        )
        with psycopg.connect(server.database) as database:
            rows = database.execute(
                "select version, name from supabase_migrations.schema_migrations order by 1"
            ).fetchall()
            owner = database.execute(
                "select tableowner from pg_tables where tablename = 'made'"
            ).fetchone()
        self.assertEqual(
            (rows, owner), ([("1", "first"), ("2", "second"), ("3", "third")], ("postgres",))
        )

    def test_a_migration_that_fails_says_where(self):
        migrations = self.folder.parent / "migrations"
        migrations.mkdir()
        (migrations / "1_bad.sql").write_text(
            "create table public.a (id int);\n\nselect nonsense;\n"
        )
        refused = subprocess.run(
            [PROGRAM, "--port", "0", "--migrations", migrations], capture_output=True, text=True
        )
        self.assertEqual(refused.returncode, 1)
        self.assertRegex(
            refused.stderr, r"1_bad\.sql: line 3: ERROR: column .nonsense. does not exist \(42703\)"
        )

    def test_a_person_is_told_what_there_is(self):
        with subprocess.Popen(
            [PROGRAM, "--port", "0", "--migrations", MIGRATIONS], stdout=subprocess.PIPE, text=True
        ) as shown:
            lines = [shown.stdout.readline() for _ in range(7)]
            shown.send_signal(signal.SIGINT)
        self.assertRegex(lines[0], r"^URL +http://127\.0\.0\.1:\d+$")
        self.assertRegex(
            "".join(lines),
            r"anon key +ey.*\nservice key +ey.*\nuser +mira@example\.org +\S+\nuser +jonas",
        )
        self.assertEqual((shown.returncode, folders_of(shown.pid)), (0, []))
