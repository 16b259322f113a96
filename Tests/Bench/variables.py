"""The variables of the environment that choose what is measured."""

from __future__ import annotations

import os

from .measure import Failed


def words_of(variable: str) -> list[str]:
    return os.environ.get(variable, "").replace(",", " ").split()


def number_of(variable: str, usual: int) -> int:
    """A number from 1 on; the usual one if the variable is not set or empty."""
    return number(variable, os.environ.get(variable) or str(usual))


def numbers_of(variable: str) -> list[int]:
    return [number(variable, word) for word in words_of(variable)]


def number(variable: str, text: str) -> int:
    digits = text.replace("_", "")
    if not (digits.isdecimal() and int(digits) > 0):
        raise Failed(f"{variable} is a whole number from 1 on, not {text!r}")
    return int(digits)
