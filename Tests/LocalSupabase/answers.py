"""Answers of PostgREST: status and headers around what the database said."""

import json

from .errors import ApiError, bad_range
from .media import JSON
from .messages import Response


def failure(error: ApiError) -> Response:
    return Response(error.status, {"Content-Type": JSON, **error.headers}, error.body)


def ranged(request, answer, offset, media_type, applied):
    last, total = offset + answer.count - 1, answer.total
    span = f"{offset}-{last}" if answer.count and total != 0 else "*"
    headers = {
        "Content-Type": media_type,
        **applied,
        "Content-Range": f"{span}/{'*' if total is None else total}",
    }
    if total is not None and offset > total:
        error = bad_range(f"An offset of {offset} was requested, but there are only {total} rows.")
        return Response(416, headers | {"Content-Type": JSON}, error.body)
    status = 206 if total is not None and answer.count < total else 200
    return overridden(
        Response(status, headers, b"" if request.method == "HEAD" else answer.body), answer
    )


def mutated(status, answer, headers, media_type, wishes):
    if wishes.returns != "representation":
        return overridden(Response(status, headers, b""), answer)
    return overridden(Response(status, headers | {"Content-Type": media_type}, answer.body), answer)


def overridden(response, answer):
    """A function may set `response.status` and `response.headers` itself."""
    if answer.status:
        response.status = int(answer.status)
    if answer.headers:
        for header in json.loads(answer.headers):
            response.headers |= header
    return response
