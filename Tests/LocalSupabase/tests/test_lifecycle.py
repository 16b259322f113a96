"""Starting, stopping, being killed, and what is left of it."""

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import psycopg

from .support import COMMAND, PROGRAM, Supabase, is_running, shared


def wait_until(condition):
    deadline = time.monotonic() + 15
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return condition()


def folders_of(pid):
    """What the server with that process id put where temporary things are."""
    places = {"/tmp", "/dev/shm", tempfile.gettempdir()}
    # A test of another program may have a random folder with these digits in its name.
    found = [path for place in places for path in Path(place).glob(f"larder-*-{pid}-*")]
    return [path for path in found if not path.name.startswith("larder-tests-")]


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

    def kill_guard_of(self, server):
        """As if the whole process group were killed, but PostgreSQL, which has its own."""
        pid = server.process.pid
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            if b"guard" in Path(f"/proc/{child}/cmdline").read_bytes():
                os.kill(int(child), signal.SIGKILL)

    def test_nothing_is_left_when_the_input_ends(self):
        server = Supabase()
        pid, sockets, folder = self.traces(server)
        self.assertEqual(server.stop(), 0)
        self.assertFalse(is_running(pid) or sockets.exists() or folder.exists())

    def test_a_killed_parent_is_the_end_even_if_somebody_holds_the_input_open(self):
        started = ["sh", "-c", 'exec 3<&0; "$@" <&3 & wait', "parent", *COMMAND]
        parent = subprocess.Popen(
            [*started, "--json", "--until-stdin-closes"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.addCleanup(parent.stdin.close)
        self.addCleanup(parent.stdout.close)
        database = json.loads(parent.stdout.readline())["database"]
        sockets = Path(database.split()[0].removeprefix("host="))
        parent.kill()
        parent.wait()
        self.assertTrue(wait_until(lambda: not sockets.exists()))

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
            with subprocess.Popen([*COMMAND, "--json"], stdout=subprocess.DEVNULL) as starting:
                time.sleep(delay)
                starting.terminate()
            self.assertIn(starting.returncode, (0, -signal.SIGTERM))
            self.assertEqual(folders_of(starting.pid), [])

    def test_a_folder_is_one_server_s_and_keeps_its_data_keys_and_sessions(self):
        first = Supabase("--folder", self.folder)
        client = first.signed_in("mira")
        client.table("notes").insert({"title": "kept"}).execute()
        session = client.auth.get_session()
        pid, sockets, _ = self.traces(first)
        intruder = subprocess.run(
            [*COMMAND, "--folder", self.folder], capture_output=True, text=True
        )
        self.assertEqual(intruder.returncode, 1)
        self.assertIn("another server runs on", intruder.stderr)
        first.stop()
        self.assertFalse(is_running(pid) or sockets.exists())
        second = Supabase("--folder", self.folder)
        self.addCleanup(second.stop)
        self.assertEqual((second.anon_key, second.users), (first.anon_key, first.users))
        again = second.client()
        self.assertEqual(again.table("notes").select("title").execute().data, [{"title": "kept"}])
        self.assertTrue(again.auth.refresh_session(session.refresh_token).session)

    @unittest.skipUnless(Path("/proc/self/task").exists(), "looks for child processes in /proc")
    def test_a_killed_server_is_not_in_the_way_of_the_next(self):
        first = Supabase("--folder", self.folder)
        first.client().table("notes").insert({"title": "kept"}).execute()
        pid, sockets, _ = self.traces(first)
        self.kill_guard_of(first)
        first.process.kill()
        first.process.wait()
        self.assertTrue(is_running(pid))
        second = Supabase("--folder", self.folder)
        self.addCleanup(second.stop)
        self.addCleanup(first.stop)
        self.assertEqual(
            second.client().table("notes").select("title").execute().data, [{"title": "kept"}]
        )
        self.assertTrue(wait_until(lambda: not (is_running(pid) or sockets.exists())))

    def test_a_port_is_one_server_s(self):
        port = shared().url.rsplit(":")[-1]
        second = subprocess.run([*COMMAND, "--port", port], capture_output=True, text=True)
        self.assertEqual((second.returncode, "in use" in second.stderr), (1, True), second.stderr)

    def test_a_folder_of_migrations_that_is_not_there_is_an_error(self):
        refused = subprocess.run(
            [*COMMAND, "--migrations", "/nowhere"], capture_output=True, text=True
        )
        self.assertEqual((refused.returncode, "/nowhere" in refused.stderr), (1, True))

    def told(self, *options):
        """What a server tells a person until it says how to stop it, which then happens."""
        with subprocess.Popen([*COMMAND, *options], stdout=subprocess.PIPE, text=True) as shown:
            lines = list(iter(shown.stdout.readline, "Stop with Ctrl-C.\n"))
            shown.send_signal(signal.SIGINT)
        self.assertEqual((shown.returncode, folders_of(shown.pid)), (0, []))
        return "".join(lines)

    def test_a_person_is_told_what_there_is(self):
        told = self.told()
        self.assertRegex(
            told,
            r"^URL +http://127\.0\.0\.1:\d+\nanon key +ey\S+\n"
            r"user +mira@example\.org +password mira-larder\nuser +jonas",
        )
        self.assertIn("gone when this ends", told)
        self.assertEqual(told.count(" eyJ"), 1, "there is one key to copy")

    def test_a_port_has_a_folder_of_its_own_and_goes_on_in_it(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = str(probe.getsockname()[1])
        folder = PROGRAM.parents[1] / ".supabase" / port
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        first = self.told("--keep", "--port", port)
        self.assertIn(f"kept in      {folder}", first)
        self.assertRegex(first, "The keys are new: .* connects and signs in again")
        key = (folder / "anon-key").read_text().strip()
        self.assertIn(f"anon key     {key}\n", first)
        self.assertEqual((folder / "service-key").stat().st_mode & 0o777, 0o600)
        second = self.told("--keep", "--port", port)
        self.assertIn(f"anon key     {key}\n", second)
        self.assertNotIn("The keys are new", second)
