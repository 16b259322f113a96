"""Requests and answers as the two halves of the server see them."""

import base64
import math
import re
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import parse_qs, unquote, urlsplit


@dataclass
class Request:
    """One request; `headers` has lower-case names."""

    method: str
    target: str
    headers: dict
    body: bytes
    prefix: str = ""
    treat_as_expired: bool = False
    row_cap: int | None = None

    @cached_property
    def path(self) -> str:
        return unquote(urlsplit(self.target).path)

    @property
    def resource(self) -> str:
        """The path behind the prefix of the half that answers."""
        return self.path[len(self.prefix) :] or "/"

    @cached_property
    def query(self) -> str:
        return "&".join(
            part
            for part in urlsplit(self.target).query.split("&")
            if part and not part.startswith("apikey=")
        )

    @property
    def api_key(self):
        return (
            self.headers.get("apikey")
            or parse_qs(urlsplit(self.target).query).get("apikey", [None])[0]
        )

    @property
    def bearer(self):
        kind, _, token = self.headers.get("authorization", "").partition(" ")
        return token.strip() if kind.lower() == "bearer" else None

    @cached_property
    def text(self) -> str:
        """All that it says: address, body, and what its token claims, good or not."""
        claims = re.findall(r"^\w[\w-]*[.]([\w-]+)[.]", self.bearer or "")
        decoded = (base64.urlsafe_b64decode(part + "===") for part in claims)
        parts = (self.body, *decoded)
        return "\n".join([self.target, *(part.decode(errors="replace") for part in parts)])

    @property
    def range(self):
        """`Range: low-high` as two numbers."""
        found = re.fullmatch(
            r"(?:items=)?(\d{1,18})-(\d{0,18})", self.headers.get("range", "").strip()
        )
        return (int(found[1]), int(found[2]) if found[2] else math.inf) if found else None


@dataclass
class Response:
    status: int
    headers: dict = field(default_factory=dict)
    body: bytes = b""
