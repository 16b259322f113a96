"""The body of a request that writes or calls."""

import json
from dataclasses import dataclass

from .errors import bad_body


@dataclass
class Payload:
    """A body as it came; it is looked into only where nobody said which columns it has."""

    text: str
    is_object: bool
    keys: list

    @classmethod
    def of(cls, body: bytes, columns_given: bool):
        try:
            text = body.decode()
        except UnicodeDecodeError:
            raise bad_body() from None
        if columns_given:
            return cls(text, text.lstrip(" \t\r\n").startswith("{"), [])
        try:
            value = json.loads(text)
        except ValueError:
            raise bad_body() from None
        rows = [value] if isinstance(value, dict) else value
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise bad_body()
        if any(row.keys() != rows[0].keys() for row in rows):
            raise bad_body("All object keys must match")
        return cls(text, isinstance(value, dict), list(rows[0]) if rows else [])
