"""The rows of the table: their work, their peers and their goals. ROWS= takes the names here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from . import actions
from .goals import Goal
from .households import Data
from .settings import Setting, Sides, empty, history, household, receipts

COMMITS = 4_000
ENTRIES = 10_000
RECEIPTS = 2_000
CURVE = (300, 2_000, 10_000)
"""The sizes of the plot: a small household, a large one, and more than any has. SIZES= measures others."""


@dataclass(frozen=True)
class Place:
    """The household that a row needs. Rows with the same one share it."""

    kind: str
    size: int

    def open(self, data: Data) -> Setting:
        match self.kind:
            case "items":
                return household(data, self.size)
            case "ledger":
                return household(data, 300, self.size)
            case "history":
                return history(data, self.size)
            case "receipts":
                return receipts(data, self.size)
            case _:
                return empty(data)


@dataclass(frozen=True)
class Row:
    """A row of the table. `is_curve` rows are only in the plot and its table."""

    name: str
    work: str
    place: Place
    sides: Callable[[Setting], Sides]
    peer: str = ""
    goal: Goal = field(default_factory=Goal)
    is_curve: bool = False

    @property
    def size(self) -> int:
        return self.place.size


def items(size: int) -> Place:
    return Place("items", size)


STATUS = "`git status`"
COMMIT = "`git add F && git commit`"

# These, and the time of 'check', are a tenth of what 100,000 items may take.
READS = Goal(wall=0.045, ratio=2.5, peak=50_000_000)

# Rows that change a household come after those that only read it.
TABLE = [
    Row("version", "start (`larder version`)", Place("none", 0), actions.start,
        goal=Goal(wall=0.008)),
    Row("list-300", "`stock list` of 300", items(300), actions.listing("stock", "list"), STATUS,
        Goal(wall=0.012, ratio=5)),
    Row("consume-300", "`stock use` at 300", items(300), actions.consume, COMMIT,
        Goal(wall=0.025, ratio=2)),
    Row("list-10000", "`stock list` of 10,000", items(10_000), actions.listing("stock", "list"),
        STATUS, READS),
    Row("shop", "`shop` at 10,000", items(10_000), actions.listing("shop"), STATUS, READS),
    Row("due", "`stock due` at 10,000", items(10_000), actions.listing("stock", "due"), STATUS,
        READS),
    Row("show", "`stock show X` at 10,000", items(10_000), actions.show, STATUS, READS),
    Row("check", "`check` of 10,000", items(10_000), actions.check,
        goal=Goal(wall=0.2)),
    Row("sync-nothing", "`sync` with nothing to do, local remote, 10,000", items(10_000),
        actions.sync_nothing, "`git fetch`", Goal(ratio=1.5)),
    Row("consume-10000", "`stock use` at 10,000", items(10_000), actions.consume, COMMIT,
        Goal(ratio=1)),
    Row("adopt-edits", "adopting 1,000 edits among 10,000", items(10_000), actions.adopt_edits,
        "`git commit -a` of the same", Goal(ratio=1.5)),
    Row("first-look", "first look after a clone of 10,000", items(10_000), actions.first_look,
        "reading all files", Goal(wall=0.3, ratio=2)),
    Row("adopt-new", "adopting 2,000 new files", Place("none", 0), actions.adopt_new(2_000),
        "`git add -A && git commit`", Goal(ratio=1.5)),
    Row("log-item", f"`log ITEM` over {COMMITS:,} commits", Place("history", COMMITS),
        actions.log_item, "`git log -20 -- FILES`", Goal(ratio=1)),
    Row("log-last", f"`log` over {COMMITS:,} commits: the last 20", Place("history", COMMITS),
        actions.log_last, "`git log -20`", Goal(wall=0.02)),
    Row("ledger-show", "`stock show` of an item with 10,000 ledger entries",
        Place("ledger", ENTRIES), actions.show_alone, goal=Goal(wall=0.05)),
    Row("ledger-consume", "`stock use` of the same", Place("ledger", ENTRIES),
        actions.consume_alone, goal=Goal(wall=0.05)),
    Row("report", "`report` of ten years: 2,000 receipts of 20 lines", Place("receipts", RECEIPTS),
        actions.report, goal=Goal(wall=1)),
    Row("spending", "`spending` of the same", Place("receipts", RECEIPTS), actions.spending),
]  # fmt: skip


def curve(sizes: Sequence[int] = CURVE) -> list[Row]:
    """What the plot needs and the table has not."""
    in_table = {row.name for row in TABLE}
    rows: list[Row] = []
    for size in sizes:
        words = f"{size:,}"
        rows += [
            Row(f"list-{size}", f"`stock list` of {words}", items(size),
                actions.listing("stock", "list"), STATUS, is_curve=True),
            Row(f"status-{size}", f"`status` at {words}", items(size),
                actions.listing("status"), STATUS, is_curve=True),
            Row(f"consume-{size}", f"`stock use` at {words}", items(size),
                actions.consume, COMMIT, is_curve=True),
        ]  # fmt: skip
    return [row for row in rows if row.name not in in_table]


def known(sizes: list[int]) -> list[Row]:
    """All rows in the order of the document; those of the plot at the sizes, if there are any."""
    return [*TABLE, *curve(sizes or CURVE)]


def chosen(names: list[str], sizes: list[int]) -> list[Row]:
    """All rows, or those with one of the names or beginnings, and of one of the sizes.

    Rows that share a household come one after the other, those that change it last."""
    rows = known(sizes)
    if names:
        rows = [row for row in rows if any(f"{row.name}-".startswith(f"{name}-") for name in names)]
    if sizes:
        rows = [row for row in rows if row.place.kind != "items" or row.size in sizes]
    places = list(dict.fromkeys(row.place for row in rows))
    changing = (actions.consume, actions.adopt_edits, actions.first_look)
    return sorted(rows, key=lambda row: (places.index(row.place), row.sides in changing))
