"""Faults on demand: rules that make chosen requests fail, and a record of all requests."""

import json
import re
import threading
import time
from dataclasses import dataclass, field
from urllib.parse import parse_qs

from .messages import Response

PATH = "/_local/faults"
ACTIONS = {
    "delay", "linger", "drop", "status", "body", "headers", "truncate", "cap", "expire", "redirect",
}  # fmt: skip
MATCHES = {"method", "path", "regex", "about", "after", "times"}


@dataclass
class Rule:
    """Which requests, and what becomes of them.

    `method`; `path` (a prefix of path and query) or `regex` (found in them); `about` a text that
    is in the address, the body or the token's claims; `after` so many matching requests; at most
    `times` times."""

    match: dict
    action: dict
    seen: int = 0
    fired: int = 0

    @classmethod
    def of(cls, given):
        match, action = given.get("match", {}), given["action"]
        if set(match) - MATCHES or set(action) - ACTIONS or not action:
            raise ValueError(f"unknown words in {given}")
        if action.get("drop") not in (None, "before", "after"):
            raise ValueError("drop is 'before' or 'after'")
        re.compile(match.get("regex", ""))
        return cls(match, action)

    def fires(self, request):
        if not self.matches(request):
            return False
        self.seen += 1
        times = self.match.get("times")
        due = self.seen > self.match.get("after", 0) and (times is None or self.fired < times)
        self.fired += due
        return due

    def matches(self, request):
        return (
            self.match.get("method", request.method) == request.method
            and request.target.startswith(self.match.get("path", ""))
            and re.search(self.match.get("regex", ""), request.target) is not None
            and ("about" not in self.match or self.match["about"] in request.text)
        )

    def described(self):
        return {"match": self.match, "action": self.action, "seen": self.seen, "fired": self.fired}


@dataclass
class Faults:
    """The rules in force. The first that fires decides about a request."""

    rules: list = field(default_factory=list)
    requests: list = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def action_for(self, request) -> dict:
        with self.lock:
            for rule in self.rules:
                if rule.fires(request):
                    return rule.action
        return {}

    def record(self, request, status):
        """`status` is None for a request that got no answer; `at` counts seconds from anywhere."""
        with self.lock:
            self.requests.append(
                {
                    "method": request.method,
                    "path": request.target,
                    "status": status,
                    "at": time.monotonic(),
                }
            )

    def forget(self, about):
        if about is None:
            self.requests = []
        self.rules = [rule for rule in self.rules if about not in (None, rule.match.get("about"))]

    def control(self, request) -> Response:
        """POST adds rules, DELETE forgets rules and requests (with ?about= only the rules about
        that), GET shows both."""
        with self.lock:
            if request.method == "POST":
                try:
                    self.rules += [Rule.of(given) for given in json.loads(request.body)]
                except (ValueError, TypeError, KeyError, AttributeError, re.error) as error:
                    return answer(400, {"message": f"not a list of rules: {error}"})
            elif request.method == "DELETE":
                self.forget(parse_qs(request.query).get("about", [None])[0])
            elif request.method != "GET":
                return answer(405, {"message": "GET, POST or DELETE"})
            return answer(
                200,
                {
                    "rules": [rule.described() for rule in self.rules],
                    "requests": self.requests,
                    "count": len(self.requests),
                },
            )


def answer(status, value):
    return Response(status, {"Content-Type": "application/json"}, json.dumps(value).encode())
