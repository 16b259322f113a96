"""Prints what there is of each item, and the shopping list, of the household in a folder, as JSON.

It is "To read lists" of FORMAT.md as a program, and must need nothing else of that document.
"""

import json
import sys
from decimal import Decimal
from pathlib import Path

PARTS = {"kilogram": ("gram", 1000), "liter": ("milliliter", 1000)}


def files(folder):
    paths = [path for path in Path(sys.argv[1], folder).rglob("*.json") if not path.name.startswith(".#")]
    return [json.loads(path.read_text(), parse_float=Decimal, parse_int=Decimal) for path in paths]


def converted(number, unit, goal):
    (part, times), (other, parts) = PARTS.get(unit, (unit, 1)), PARTS.get(goal, (goal, 1))
    return number * times / parts if part == other else None


def counting(thing, key, unit):
    undone = {line.get("undoes") for line in thing["changes"]}
    for line in thing["changes"]:
        number = converted(line[key], line.get("unit", "piece"), unit) if key in line else None
        if number is not None and (line["id"] not in undone or line["at"] == thing.get("pageFrom")):
            yield line["at"], number, line


def value(thing, unit, moment="~"):
    start, total = "", Decimal(0)
    for at, number, _ in counting(thing, "set", unit):
        start, total = (at, number) if at <= moment else (start, total)
    left = thing.get("edited", {}).get("status", thing["createdAt"])
    if thing.get("status") in ("discarded", "archived") and start <= left <= moment:
        start, total = left, min(Decimal(0), value(dict(thing, status="active"), unit, left))
    total += sum(number for at, number, _ in counting(thing, "delta", unit) if start <= at < moment)
    return total.quantize(Decimal("0.000001"))


def total(item, batches):
    unit = item.get("unit", "piece")
    number = item.get("quantityLoose", item.get("quantityInStock"))
    counts = [(at, counted, line) for at, counted, line in counting(item, "set", unit)]
    at, counted, line = counts[-1] if counts else ("", 0, {})
    for batch in batches:
        its = batch["quantity"]["unit"]
        share = value(batch, its) if batch["status"] in ("discarded", "archived") else batch["quantity"]["value"]
        if "total" in line:
            share -= value(batch, its, max(at, batch.get("pageFrom", "")))
        number += converted(share, its, unit) or 0
    if "total" in line:
        number += converted(line["total"], line.get("unit", "piece"), unit) - counted
    return number.quantize(Decimal("0.000001"))


items = sorted(files("stock"), key=lambda item: item["id"])
batches = {item["id"]: [] for item in items}
home = json.loads(Path(sys.argv[1], "household.json").read_text())["id"]
for batch in files("batches"):
    product = batch["productRef"]["productId"]
    owners = [item["id"] for item in items if product in item.get("products", [])]
    for owner in [product] if product in batches else owners[:1]:
        if batch["householdId"] == home:
            batches[owner].append(batch)
names = {item["id"]: item["name"] for item in items}
print(json.dumps({
    "stock": {
        item["id"]: {
            "name": item["name"], "total": float(total(item, batches[item["id"]])), "unit": item.get("unit", "piece")}
        for item in items if not item.get("isArchived")},
    "list": {
        entry["id"]: {
            "name": names.get(entry.get("itemId"), entry.get("name")), "total": float(entry.get("desiredQuantity", 1)),
            "unit": entry.get("unit", "piece"), "isCompleted": entry.get("isCompleted", False)}
        for entry in files("shopping") if not entry.get("isDeleted")},
}))
