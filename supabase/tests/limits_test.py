"""Checks that requests stay within the limit of hosted projects: 8 seconds each."""

import json
import os
import time
import unittest
import uuid
from pathlib import Path

from sessions_test import Session, connect, household_of, person

# In the time of the reference: a second or so of a processor, longer on a slow or busy machine.
LIMIT = 2
REFERENCE = "select count(*) from generate_series(1, 1000000) n where md5(n::text) > ''"


def processor_seconds(connection):
    """Returns the processor time of a connection's server process."""
    times = Path(f"/proc/{connection.info.backend_pid}/stat")
    if not times.exists():
        return time.monotonic()
    fields = times.read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run(session, *request):
    """Returns a request's answer, and its processor time in that of the reference beside it."""
    def seconds(*request):
        begun = processor_seconds(session.connection)
        answered = session.request(*request)
        return answered, processor_seconds(session.connection) - begun

    before = seconds(REFERENCE)[1]
    answered, taken = seconds(*request)
    return answered, taken / max(before, seconds(REFERENCE)[1])


def receipt(number):
    line = {"quantity": 2, "unit": "piece", "price": 1.25, "expiry": "2026-12-01"}
    return {"id": str(uuid.uuid4()), "shop_name": f"Shop {number}", "amount": 12.5, "currency": "EUR",
            "timestamp": "2026-11-02T10:00:00.000Z", "created_at": "2026-11-01T08:00:00.000Z", "edited": {},
            "extra": {}, "path": f"receipts/{number}.json",
            "items": [{"id": str(uuid.uuid4()), "itemName": f"Item {n}", "itemId": str(uuid.uuid4()), **line}
                      for n in range(20)]}


class Receipts(unittest.TestCase):
    def test_500_receipts_of_20_lines_are_one_request(self):
        user = person()
        household = household_of(user)
        receipts = [receipt(number) for number in range(500)]
        columns = ", ".join(f'"{name}"' for name in receipts[0])
        changes = ", ".join(f'"{name}" = excluded."{name}"' for name in receipts[0])
        upsert = (f"insert into receipts (household_id, {columns}) select %s, {columns}"
                  " from jsonb_populate_recordset(null::receipts, %s::jsonb)"
                  f" on conflict (household_id, id) do update set {changes} returning *")
        with Session(user) as session:
            for what in ("new", "sent again"):
                answered, taken = run(session, upsert, household, json.dumps(receipts))
                with self.subTest(what):
                    self.assertLess(taken, LIMIT)
                    self.assertEqual(len(answered), 500)
            for changed in receipts:
                changed["items"][3]["quantity"] = 9
                del changed["items"][4]
                changed["edited"] = {"items": "2026-11-03T08:00:00.000Z"}
            _, taken = run(session, upsert, household, json.dumps(receipts))
            self.assertLess(taken, 2 * LIMIT, "changed")
        with connect() as owner:
            lines = owner.execute(
                "select count(*), count(*) filter (where is_deleted), count(*) filter (where quantity = 9 and \"position\" = 3)"
                " from receipt_items where household_id = %s", [household]).fetchone()
        self.assertEqual(lines, (10000, 500, 500))


if __name__ == "__main__":
    unittest.main()
