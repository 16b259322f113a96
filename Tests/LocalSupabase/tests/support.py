"""A server to test against, and clients for it."""

import atexit
import json
import os
import subprocess
import unittest
from functools import cache
from pathlib import Path

import httpx
from supabase import Client, ClientOptions, create_client

HERE = Path(__file__).parent
PROGRAM = HERE.parents[2] / "scripts" / "supabase"
COMMAND = [PROGRAM, "--port", "0", "--migrations", HERE / "migrations"]


class Supabase:
    """A server started for the tests, which ends when its input does."""

    def __init__(self, *options):
        self.process = subprocess.Popen(
            [*COMMAND, "--json", "--until-stdin-closes", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        facts = json.loads(self.process.stdout.readline() or b"{}")
        if not facts:
            raise RuntimeError("the server did not start")
        self.url, self.anon_key, self.service_key = (
            facts["url"],
            facts["anonKey"],
            facts["serviceKey"],
        )
        self.database = facts["database"]
        self.users = {user["email"].split("@")[0]: user for user in facts["users"]}

    def client(self, key=None) -> Client:
        options = ClientOptions(auto_refresh_token=False, persist_session=False)
        return create_client(self.url, key or self.anon_key, options)

    def service(self) -> Client:
        return self.client(self.service_key)

    def signed_in(self, name) -> Client:
        client = self.client()
        user = self.users[name]
        client.auth.sign_in_with_password({"email": user["email"], "password": user["password"]})
        return client

    def http(self, key=None, token=None) -> httpx.Client:
        key = key or self.anon_key
        headers = {"apikey": key, "Authorization": f"Bearer {token or key}"}
        return httpx.Client(base_url=self.url, headers=headers, timeout=30, verify=False)

    @property
    def postgres_pid(self) -> int:
        sockets = dict(part.split("=") for part in self.database.split())["host"]
        return int(Path(sockets, ".s.PGSQL.5432.lock").read_text().split()[0])

    def stop(self):
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait(30)


def is_running(pid) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@cache
def shared() -> Supabase:
    """The server that most tests share."""
    server = Supabase("--faults")
    atexit.register(server.stop)
    return server


@cache
def strict() -> Supabase:
    """Another server, that gives few rows and short tokens, and lets none be used twice."""
    server = Supabase("--max-rows", "3", "--jwt-lifetime", "3", "--reuse-interval", "0")
    atexit.register(server.stop)
    return server


class NotesCase(unittest.TestCase):
    """Tests on the open table "notes", which begins empty."""

    @classmethod
    def setUpClass(cls):
        cls.supabase = shared()
        cls.client = cls.supabase.client()
        cls.http = cls.supabase.http()
        cls.addClassCleanup(cls.http.close)

    def setUp(self):
        self.client.table("notes").delete().gte("id", 0).execute()

    @property
    def notes(self):
        return self.client.table("notes")

    def fill(self, *rows):
        return self.notes.insert(list(rows), default_to_null=False).execute().data

    def titles(self, query):
        """The titles that a query string finds, in order of their ids."""
        response = self.http.get(f"/rest/v1/notes?select=title&order=id&{query}")
        self.assertEqual(response.status_code, 200, response.text)
        return [row["title"] for row in response.json()]

    def assert_error(self, response, status, code):
        self.assertEqual(
            (response.status_code, response.json().get("code")), (status, code), response.text
        )
        self.assertEqual(set(response.json()), {"code", "message", "details", "hint"})
