#!/usr/bin/env python3
"""A phone on the command line: a client of `larder serve` made from docs/protocol.md alone.

    phone.py pair http://127.0.0.1:8413 K7M2-9QXD "Kitchen terminal"
    phone.py list
    phone.py got milk                     an entry goes into the basket
    phone.py use milk 0.5
    phone.py buy "2 l milk"
    phone.py bought "Greenway Market" 12.40
    phone.py send                         sends what could not be sent before

It keeps its token and the acts that wait in ~/.larder-phone.json. An act is written there before it is sent, so
that nothing is lost without a connection, and goes when it is answered.
"""

import calendar
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

MEMORY = os.path.expanduser("~/.larder-phone.json")


class Refused(Exception):
    """The server's answer to a request that failed."""

    def __init__(self, status, say):
        super().__init__(say)
        self.status = status


class Phone:
    def __init__(self):
        self.address, self.token, self.household, self.queue, self.offset = None, None, None, [], 0.0
        if os.path.exists(MEMORY):
            with open(MEMORY, encoding="utf-8") as file:
                self.__dict__.update(json.load(file))

    def keep(self):
        draft = MEMORY + ".new"
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(self.__dict__, file, indent=2)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, MEMORY)

    def ask(self, path, body=None):
        request = urllib.request.Request(f"{self.address}/api/1/{path}")
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise Refused(error.code, json.load(error).get("say", str(error))) from error

    def pair(self, address, code, name):
        self.address, self.token = address.rstrip("/"), None
        answer = self.ask("pair", {"code": code, "name": name})
        if self.queue and self.household not in (None, answer["household"]["id"]):
            sys.exit(f"{len(self.queue)} acts wait for the household at the former address")
        self.token, self.household = answer["token"], answer["household"]["id"]
        self.keep()

    def state(self):
        state = self.ask("state")
        self.learn(state["now"])
        return state

    def learn(self, now):
        """Learns how far this clock is off, for the moments of acts."""
        seconds = calendar.timegm(time.strptime(now[:19], "%Y-%m-%dT%H:%M:%S"))
        self.offset = seconds - time.time()

    def act(self, kind, **members):
        moment = time.time() + self.offset
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment)) + f".{int(moment % 1 * 1000):03}Z"
        self.queue.append({"id": str(uuid.uuid4()), "at": at, "kind": kind, **members})
        self.keep()
        self.send()

    def send(self):
        """Sends what waits, in its order; what is not answered waits on."""
        while self.queue:
            acts = self.queue[:200]
            try:
                answers = self.ask("acts", {"acts": acts, "household": self.household})["answers"]
            except (Refused, OSError) as error:
                print(f"{len(self.queue)} wait: {error}")
                return
            by_id = {act["id"]: act for act in acts}
            for answer in answers:
                done = by_id[answer["id"]]
                self.queue.remove(done)
                print(f"{done['kind']}: {answer['answer']}" + (f": {answer['say']}" if answer.get("say") else ""))
            self.keep()
            if not answers:
                return


def named(things, words):
    """Returns the one thing whose name has these words."""
    found = [thing for thing in things if words.lower() in thing["name"].lower()]
    exact = [thing for thing in found if thing["name"].lower() == words.lower()]
    found = exact or found
    if len(found) != 1:
        sys.exit(f"{len(found)} things are called '{words}': " + ", ".join(thing["name"] for thing in found))
    return found[0]


def main(words):
    phone = Phone()
    match words:
        case ["pair", address, code, name]:
            phone.pair(address, code, name)
        case ["list"]:
            for entry in phone.state()["entries"]:
                box = "x" if entry["isCompleted"] else " "
                print(f"[{box}] {entry['desiredQuantity']} {entry['unit']} {entry['name']}")
        case ["got", name]:
            phone.act("got", entry=named(phone.state()["entries"], name)["id"])
        case ["use", name, amount]:
            phone.act("use", item=named(phone.state()["items"], name)["id"], quantity=float(amount))
        case ["buy", what]:
            phone.act("want", words=what)
        case ["bought", shop, amount]:
            basket = [entry["id"] for entry in phone.state()["entries"] if entry["isCompleted"]]
            phone.act("bought", shop=shop, entries=basket, amount=float(amount))
        case ["send"]:
            phone.send()
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (Refused, OSError) as error:
        sys.exit(f"not done: {error}")
