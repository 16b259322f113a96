"""Reads a text of the query string piece by piece."""

import re
from dataclasses import dataclass

from .errors import unparsable

NAME = re.compile(r'"((?:[^"\\]|\\.)*)"|([\w $]+(?:-(?!>)[\w $]+)*)')
INDEX = re.compile(r"-?\d+(?=->|::|[.,)]|$)")


@dataclass(frozen=True)
class Field:
    """A column, and a path into it if it holds JSON."""

    name: str
    path: tuple = ()


class Scanner:
    """A place in a text that is being read."""

    def __init__(self, what, text):
        self.what, self.text, self.place = what, text, 0

    def take(self, literal):
        found = self.text.startswith(literal, self.place)
        self.place += len(literal) if found else 0
        return found

    def match(self, pattern):
        found = pattern.match(self.text, self.place)
        if found:
            self.place = found.end()
        return found

    def expect(self, literal):
        if not self.take(literal):
            self.fail(f'expecting "{literal}"')

    def spaces(self):
        while self.take(" "):
            pass

    @property
    def at_end(self):
        return self.place >= len(self.text)

    def fail(self, details):
        rest = self.text[self.place : self.place + 1]
        found = f'unexpected "{rest}" ' if rest else "unexpected end of input "
        raise unparsable(self.what, self.text, self.place, found + details)

    def name(self):
        found = self.match(NAME)
        if not found:
            self.fail("expecting field name (* or [a..z0..9_$])")
        return unescaped(found[1]) if found[1] is not None else found[2].strip()

    def field(self):
        name, path = self.name(), []
        while arrow := "->>" if self.take("->>") else "->" if self.take("->") else None:
            index = self.match(INDEX)
            path.append((arrow, int(index[0]) if index else self.name()))
        return Field(name, tuple(path))

    def listed(self, item):
        items = [item()]
        while self.take(","):
            items.append(item())
        return items


def unescaped(text):
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)
