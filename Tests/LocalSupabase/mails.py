"""The mails that a Supabase would send: kept here, and told to who looks at the terminal."""

import json
import threading
import time
from dataclasses import dataclass, field

from .messages import Response

PATH = "/_local/mails"
KEPT = 100


@dataclass
class Mails:
    """The latest mails, oldest first. `tell` hears of each."""

    tell: object = None
    kept: list = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def send(self, kind, address, code, link):
        """`kind` is what the code is good for, as verifying it names it."""
        mail = {"type": kind, "to": address, "code": code, "link": link, "at": time.time()}
        with self.lock:
            self.kept = [*self.kept[1 - KEPT :], mail]
        if self.tell:
            self.tell(mail)

    def control(self, request) -> Response:
        """GET shows the mails, DELETE forgets them."""
        with self.lock:
            if request.method == "DELETE":
                self.kept = []
            elif request.method != "GET":
                return Response(405, {}, b"GET or DELETE\n")
            body = json.dumps(self.kept).encode()
        return Response(200, {"Content-Type": "application/json"}, body)
