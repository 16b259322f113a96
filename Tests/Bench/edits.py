"""The edits of two devices, the same for every tool, and what counts as lost.

Item number i of the household, by the path of its file, is used by the laptop if i < 1,000 (one of it)
and by the phone if 500 <= i < 1,500 (two of it), for 1,000 edits on each device. So 500 items have an edit
of each device, and they don't contradict each other: both people used some of it.

A use is a line of its own in the item's record. An edit is lost if, after all is converged, its line is
missing in the item's record on one of the devices, and the tool has not left that record in conflict.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

LAPTOP, PHONE = "laptop", "phone"
AMOUNT = {LAPTOP: 1, PHONE: 2}


@dataclass(frozen=True)
class Size:
    """How many items there are, and how many of them each device uses."""

    items: int = 10_000
    edits: int = 1_000

    @property
    def common(self) -> int:
        return self.edits // 2

    def numbers(self, device: str) -> range:
        """The numbers of the items that a device uses."""
        first = 0 if device == LAPTOP else self.edits - self.common
        return range(first, first + self.edits)

    def devices(self, number: int) -> list[str]:
        """The devices that use an item."""
        return [device for device in (LAPTOP, PHONE) if number in self.numbers(device)]

    @property
    def edited(self) -> range:
        return range(self.numbers(PHONE).stop)


@dataclass(frozen=True)
class Record:
    """An item, as the tools get it."""

    id: str
    name: str
    category: str
    path: str
    unit: str
    quantity: Decimal


def records(folder: Path, size: Size) -> list[Record]:
    """The items of a household, in the order of their paths."""
    found: list[Record] = []
    for path in sorted((folder / "stock").glob("*.json"))[: size.items]:
        content = json.loads(path.read_text(), parse_float=Decimal)
        relative = str(path.relative_to(folder))
        found.append(
            Record(
                content["id"], content["name"], content["category"], relative, content["unit"],
                Decimal(content.get("quantityLoose", content.get("quantityInStock"))),
            )
        )  # fmt: skip
    return found


def line(device: str, unit: str) -> str:
    """A use as a line of a household's file, as people may write it (docs/adoption.md, section 11)."""
    amount = f'"delta": -{AMOUNT[device]}, "unit": "{unit}"'
    return f'    {{ {amount}, "why": "consume", "note": "{device}" }}'


def use(path: Path, device: str, unit: str) -> None:
    """Adds the line of a use to the ledger of an item's file."""
    text = path.read_text()
    end = "\n  ]\n}\n"
    if not text.endswith(end):
        raise ValueError(f"{path} does not end with a ledger")
    path.write_text(text[: -len(end)] + ",\n" + line(device, unit) + end)


def use_all(folder: Path, items: list[Record], device: str, size: Size) -> None:
    for number in size.numbers(device):
        use(folder / items[number].path, device, items[number].unit)


def uses_in_file(path: Path) -> set[str]:
    """The devices whose use is in an item's file."""
    found: set[str] = set()
    try:
        entries = json.loads(path.read_text())["changes"]
    except (OSError, ValueError, KeyError):
        return found
    for device in (LAPTOP, PHONE):
        for entry in entries:
            if entry.get("note") == device and entry.get("delta") == -AMOUNT[device]:
                found.add(device)
    return found


def wrong_sum(folder: Path, items: list[Record], size: Size) -> str:
    """The path of the first item whose number is not what was there less what was used; else empty."""
    for number in size.edited:
        item = items[number]
        left = item.quantity - sum(AMOUNT[device] for device in size.devices(number))
        content = json.loads((folder / item.path).read_text(), parse_float=Decimal)
        if Decimal(content.get("quantityLoose", content.get("quantityInStock"))) != left:
            return item.path
    return ""


Uses = Callable[[int], set[str]]
"""The devices whose use one device has of an item."""


def lost(size: Size, copies: Iterable[Uses], in_conflict: frozenset[int] = frozenset()) -> int:
    """The number of edits that are missing in one of the copies."""
    copies = list(copies)
    count = 0
    for number in size.edited:
        if number in in_conflict:
            continue
        for device in size.devices(number):
            count += any(device not in uses(number) for uses in copies)
    return count
