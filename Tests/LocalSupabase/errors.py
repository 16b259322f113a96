"""Errors as PostgREST answers them, and the status it gives to each of PostgreSQL's codes."""

import json

import psycopg

# The longest prefix of a code decides; what is not listed is the client's fault.
STATUS_OF_CODE = {
    "08": 503,
    "09": 500,
    "0L": 403,
    "0P": 403,
    "21000": 500,
    "23503": 409,
    "23505": 409,
    "25": 500,
    "25006": 405,
    "28": 403,
    "2D": 500,
    "38": 500,
    "39": 500,
    "3B": 500,
    "40": 500,
    "42883": 404,
    "42P01": 404,
    "42P17": 500,
    "53": 503,
    "53400": 500,
    "54": 500,
    "55": 500,
    "57": 500,
    "57P01": 503,
    "58": 500,
    "F0": 500,
    "HV": 500,
    "P0": 500,
    "P0001": 400,
    "XX": 500,
}


class ApiError(Exception):
    """An answer that is an error: a status and PostgREST's four fields."""

    def __init__(self, status, code, message, details=None, hint=None, headers=()):
        super().__init__(message)
        self.status = status
        self.fields = {"code": code, "details": details, "hint": hint, "message": message}
        self.headers = {"Proxy-Status": f"PostgREST; error={code}", **dict(headers)}

    @property
    def body(self):
        return json.dumps(self.fields, ensure_ascii=False).encode()


def unparsable(what, text, position, details):
    return ApiError(
        400,
        "PGRST100",
        f'"failed to parse {what} ({text})" (line 1, column {position + 1})',
        details,
    )


def bad_body(message="Empty or invalid json"):
    return ApiError(400, "PGRST102", message)


def bad_range(details):
    return ApiError(416, "PGRST103", "Requested range not satisfiable", details)


def not_embedded(name):
    return ApiError(
        400,
        "PGRST108",
        f"'{name}' is not an embedded resource in this request",
        hint=f"Verify that '{name}' is included in the 'select' query parameter.",
    )


def not_singular(count):
    return ApiError(
        406,
        "PGRST116",
        "Cannot coerce the result to a single JSON object",
        f"The result contains {count} rows",
    )


def not_implemented(what):
    return ApiError(400, "PGRST127", "Feature not implemented", what)


def unauthorized(code, message):
    return ApiError(
        401,
        code,
        message,
        headers={
            "WWW-Authenticate": f'Bearer error="invalid_token", error_description="{message}"'
        },
    )


def from_database(error: psycopg.Error, signed_in: bool) -> ApiError:
    """What PostgreSQL said, with PostgREST's status."""
    said = error.diag
    if said.sqlstate is None:
        return without_code(error)
    if said.sqlstate == "PGRST":
        return raised_whole(said)
    return ApiError(
        status_of(said, signed_in),
        said.sqlstate,
        said.message_primary,
        said.message_detail,
        said.message_hint,
    )


def without_code(error):
    if isinstance(error, psycopg.DataError):  # psycopg refuses what PostgreSQL would: U+0000
        return ApiError(400, "22021", str(error))
    return ApiError(503, "PGRST001", "Database client error. Retrying the connection.", str(error))


def status_of(said, signed_in):
    code, message = said.sqlstate, said.message_primary or ""
    if code == "42501":
        return 403 if signed_in else 401
    if code == "22023" and message.startswith("role") and message.endswith("does not exist"):
        return 401
    if code.startswith("PT"):
        return int(code[2:]) if code[2:].isdigit() else 500
    return STATUS_OF_CODE.get(code) or STATUS_OF_CODE.get(code[:2]) or 400


def raised_whole(said):
    """RAISE sqlstate 'PGRST' says the whole answer in its message and detail."""
    try:
        body, answer = json.loads(said.message_primary), json.loads(said.message_detail or "")
        return ApiError(
            answer["status"],
            body["code"],
            body["message"],
            body.get("details"),
            body.get("hint"),
            answer["headers"],
        )
    except (ValueError, KeyError, TypeError):
        return ApiError(
            500,
            "PGRST121",
            "Could not parse JSON in the \"RAISE SQLSTATE 'PGRST'\" error",
            "MESSAGE and DETAIL must be JSON objects",
        )
