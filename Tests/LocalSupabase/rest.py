"""PostgREST's half: `/rest/v1/<table>` and `/rest/v1/rpc/<function>`."""

import json
import math
from urllib.parse import parse_qsl, quote, unquote

import psycopg

from . import statements
from .answers import failure, mutated, ranged
from .errors import (
    ApiError,
    bad_body,
    bad_range,
    from_database,
    not_implemented,
    unparsable,
)
from .identity import identify
from .media import check_singular, negotiate, shape_of_call
from .messages import Response
from .parsing import RESERVED, parse_query
from .payload import Payload
from .preferences import Preferences
from .statements import Answer


class Rest:
    """Answers requests to the tables and functions of the schema "public"."""

    def __init__(self, database, secret, max_rows=None):
        self.database = database
        self.secret = secret
        self.max_rows = max_rows

    def answer(self, request) -> Response:
        signed_in = False
        try:
            identity = identify(request, self.secret)
            signed_in = identity.signed_in
            return self.dispatch(request, identity)
        except psycopg.Error as error:
            return failure(from_database(error, signed_in))
        except ApiError as error:
            return failure(error)

    def dispatch(self, request, identity):
        check_profile(request)
        if "\0" in unquote(request.target):
            raise unparsable(
                "request", request.target, request.target.index("%00"), "unexpected U+0000"
            )
        parts = request.resource.strip("/").split("/")
        if parts == [""]:
            return self.describe(request, identity)
        if parts[0] == "rpc" and len(parts) == 2:
            return self.call(request, identity, parts[1])
        if len(parts) != 1:
            raise ApiError(404, "PGRST125", "Invalid path specified in request URL")
        actions = {
            "GET": self.read,
            "HEAD": self.read,
            "POST": self.insert,
            "PATCH": self.update,
            "DELETE": self.delete,
        }
        if request.method not in actions:
            raise unsupported(request)
        return actions[request.method](request, identity, parts[0])

    # Tables

    def read(self, request, identity, name):
        query, wishes = parse_query(request.query), Preferences.of(request)
        shape, media_type = negotiate(request)
        window = self.window(query, request)
        with self.database.transaction(request, identity, read_only=True) as transaction:
            table = transaction.schema.table(name)
            answer = Answer.of(
                transaction.row(
                    statements.read(
                        table, query, window, shape, wishes.count in ("exact", "estimated")
                    )
                )
            )
            if wishes.count == "planned":
                plan = transaction.row(statements.planned_count(table, query))
                answer.total = max(json.loads(plan[0])[0]["Plan"]["Plan Rows"], answer.count)
            check_singular(shape, answer)
        return ranged(request, answer, window[1], media_type, wishes.applied("count"))

    def insert(self, request, identity, name):
        query, wishes = parse_query(request.query), Preferences.of(request)
        shape, media_type = negotiate(request)
        payload = Payload.of(request.body, query.columns is not None)
        with self.database.transaction(request, identity, read_only=False) as transaction:
            table = transaction.schema.table(name)
            if not (table.key or query.on_conflict):
                wishes.resolution = None
            answer = Answer.of(
                transaction.row(
                    statements.insert(table, query, payload, wishes, wishes.shape(shape))
                )
            )
            check_singular(shape, answer)
        updated_all = wishes.resolution == "merge-duplicates" and answer.inserted == 0
        headers = {"Content-Range": f"*/{answer.count if wishes.count else '*'}"}
        if answer.location:
            pairs = json.loads(answer.location).items()
            headers["Location"] = f"/{quote(name)}?" + "&".join(
                f"{quote(key)}=eq.{quote(value)}" for key, value in pairs
            )
        applied = wishes.applied("resolution", "missing", "returns", "count")
        return mutated(200 if updated_all else 201, answer, headers | applied, media_type, wishes)

    def update(self, request, identity, name):
        query, wishes = parse_query(request.query), Preferences.of(request)
        payload = Payload.of(request.body, query.columns is not None)
        return self.change(
            request,
            identity,
            name,
            query,
            wishes,
            lambda table, shape: statements.update(table, query, payload, wishes, shape),
            lambda count: f"0-{count - 1}" if count else "*",
        )

    def delete(self, request, identity, name):
        query, wishes = parse_query(request.query), Preferences.of(request)
        return self.change(
            request,
            identity,
            name,
            query,
            wishes,
            lambda table, shape: statements.delete(table, query, wishes, shape),
            lambda count: "*",
        )

    def change(self, request, identity, name, query, wishes, statement, span):
        shape, media_type = negotiate(request)
        if query.has_window:
            raise not_implemented("limit and offset are for reading only")
        with self.database.transaction(request, identity, read_only=False) as transaction:
            table = transaction.schema.table(name)
            require_filter(request, query)
            answer = Answer.of(transaction.row(statement(table, wishes.shape(shape))))
            check_singular(shape, answer)
            wishes.check_affected(answer.count)
        headers = {"Content-Range": f"{span(answer.count)}/{answer.count if wishes.count else '*'}"}
        applied = wishes.applied("missing", "returns", "count", "max_affected")
        status = 200 if wishes.returns == "representation" else 204
        return mutated(status, answer, headers | applied, media_type, wishes)

    # Functions

    def call(self, request, identity, name):
        if request.method not in ("GET", "HEAD", "POST"):
            raise ApiError(405, "PGRST101", f"Cannot use the {request.method} method on RPC")
        shape, media_type = negotiate(request)
        wishes = Preferences.of(request)
        read_only = request.method != "POST"
        with self.database.transaction(request, identity, read_only) as transaction:
            query, arguments = call_of(request, transaction.schema.functions.get(name, []))
            function = transaction.schema.function(name, arguments.keys)
            window, shape = self.window(query, request), shape_of_call(function, shape)
            call = statements.call(function, query, arguments, window, shape, bool(wishes.count))
            answer = Answer.of(transaction.row(call))
            check_singular(shape, answer)
        response = ranged(request, answer, window[1], media_type, wishes.applied("count"))
        if function.returns_void:
            response.status, response.body = 204, b""
            del response.headers["Content-Type"]
        return response

    # The rest

    def describe(self, request, identity):
        with self.database.transaction(request, identity, read_only=True) as transaction:
            schema = transaction.schema
        paths = {f"/{name}": {} for name in schema.tables} | {
            f"/rpc/{name}": {} for name in schema.functions
        }
        described = {
            "swagger": "2.0",
            "info": {"title": "local Supabase", "version": "12"},
            "basePath": "/",
            "paths": paths,
        }
        return Response(
            200,
            {"Content-Type": "application/openapi+json; charset=utf-8"},
            json.dumps(described).encode(),
        )

    def window(self, query, request):
        """The rows asked for, as limit and offset; `Range` narrows a GET, max_rows everything."""
        first = query.offset
        end = math.inf if query.limit is None else first + query.limit
        if request.method == "GET" and (asked := request.range):
            low, high = asked
            if high < low:
                raise bad_range(
                    "The lower boundary is above the upper boundary in the Range header."
                )
            first, end = max(first, low), min(end, high + 1)
        caps = [cap for cap in (self.max_rows, request.row_cap) if cap is not None]
        limit = min(max(0, end - first), *caps, math.inf)
        return None if limit == math.inf else limit, first


def call_of(request, overloads):
    """What is asked of the result, and the arguments; those of a GET are in the query string."""
    if request.method == "POST":
        arguments = Payload.of(request.body.strip() or b"{}", False)
        if not arguments.is_object:
            raise bad_body()
        return parse_query(request.query), arguments
    names = {name for function in overloads for name in function.parameters}
    if not overloads:  # so that the error can name all it was called with
        names = {name for name, _ in parse_qsl(request.query)} - RESERVED
    query = parse_query(request.query, names)
    return query, Payload(json.dumps(query.arguments), True, list(query.arguments))


def unsupported(request):
    return ApiError(405, "PGRST117", f"Unsupported HTTP method: {request.method}")


def check_profile(request):
    writes = request.method in ("POST", "PATCH", "PUT", "DELETE")
    profile = request.headers.get("content-profile" if writes else "accept-profile", "public")
    if profile != "public":
        raise ApiError(
            406,
            "PGRST106",
            f"Invalid schema: {profile}",
            hint="Only the following schemas are exposed: public",
        )


def require_filter(request, query):
    """Supabase loads safeupdate for the API: nobody changes a whole table by mistake."""
    if not query.conditions:
        verb = "UPDATE" if request.method == "PATCH" else "DELETE"
        raise ApiError(400, "21000", f"{verb} requires a WHERE clause")
