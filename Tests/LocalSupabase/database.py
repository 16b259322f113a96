"""Transactions as PostgREST opens them: as the request's role, with the request in the settings."""

import json
import queue
from contextlib import contextmanager

import psycopg
from psycopg.pq import TransactionStatus

from .errors import ApiError
from .schema import Schema

SETTINGS = """
select set_config('search_path', 'public, extensions', true),
  set_config('transaction_read_only', $1, true), set_config('request.jwt.claims', $2, true),
  set_config('request.method', $3, true), set_config('request.path', $4, true),
  set_config('request.headers', $5, true), set_config('request.cookies', '{}', true),
  set_config('role', $6, true), version
from local_supabase.schema_version
"""


class Pool:
    """Connections that are opened when they are needed and kept."""

    def __init__(self, address: str, size: int, patience: float = 10):
        self.address = address
        self.patience = patience
        self.places = queue.LifoQueue()
        for _ in range(size):
            self.places.put(None)

    @contextmanager
    def connection(self):
        try:
            connection = self.places.get(timeout=self.patience)
        except queue.Empty:
            raise ApiError(
                504, "PGRST003", "Timed out acquiring connection from connection pool."
            ) from None
        try:
            if connection is None:
                connection = psycopg.connect(self.address, cursor_factory=psycopg.RawCursor)
            yield connection
        finally:
            self.places.put(self.fit_for_use(connection))

    def fit_for_use(self, connection):
        """The connection with no transaction left open, or None if it is broken."""
        if connection is None or connection.closed:
            return None
        if connection.info.transaction_status != TransactionStatus.IDLE:
            try:
                connection.rollback()
            except psycopg.Error:
                connection.close()
                return None
        return connection


class Database:
    """The API's way in: logged in as authenticator, it becomes the role of each request."""

    def __init__(self, address: str):
        self.pool = Pool(address, 20)
        self.schema = Schema.unknown()

    @contextmanager
    def transaction(self, request, identity, read_only: bool):
        """Commits if the body ends well, else rolls back."""
        with self.pool.connection() as connection:
            settings = (
                "on" if read_only else "off",
                json.dumps(identity.claims, ensure_ascii=False),
                request.method,
                request.resource,
                json.dumps(request.headers),
                identity.role,
            )
            version = connection.execute(SETTINGS, settings).fetchone()[-1]
            if self.schema.version != version:
                self.schema = Schema.read(connection, version)
            for setting in self.schema.role_settings.get(identity.role, []):
                connection.execute("select set_config($1, $2, true)", setting)
            yield Transaction(connection, self.schema)
            connection.commit()


class Transaction:
    """One open transaction, and the schema as it is in it."""

    def __init__(self, connection, schema):
        self.connection = connection
        self.schema = schema

    def row(self, statement) -> list:
        """The statement's one row, as the bytes PostgreSQL sent."""
        result = self.connection.execute(statement.text, statement.values).pgresult
        return [result.get_value(0, column) for column in range(result.nfields)]


class Statement:
    """SQL in which every value is a parameter and every name is quoted."""

    def __init__(self):
        self.text = ""
        self.values = []

    def bind(self, value: str) -> str:
        self.values.append(value)
        return f"${len(self.values)}"


def quoted(*names: str) -> str:
    return ".".join('"' + name.replace('"', '""') + '"' for name in names)
