"""Receipts by month, corrected and taken back."""

import json

from .support import PhoneTest


class Receipts(PhoneTest):
    def setUp(self):
        super().setUp()
        self.phone.tab("receipts")
        self.receipt = next(receipt for receipt in self.household.json("receipt", "list")["items"] if len(receipt["items"]) > 2)

    def shown(self):
        return next(one for one in self.household.json("receipt", "list")["items"] if one["id"] == self.receipt["id"])

    def open_receipt(self):
        self.phone.tap(f"#receipt-{self.receipt['id']}")
        self.phone.until("document.querySelector('#receipt ul')")

    def test_months_have_sums_and_receipts_their_lines(self):
        months = self.phone.value("[...document.querySelectorAll('#main .month b')].map(({ textContent }) => Number(textContent.replace(/[^0-9.]/g, '')))")
        receipts = self.household.json("receipt", "list")["items"]
        self.assertAlmostEqual(sum(months), sum(receipt["amount"] for receipt in receipts), places=2)
        self.open_receipt()
        for line in self.receipt["items"]:
            self.phone.until(f"document.querySelector('#receipt').textContent.includes({json.dumps(line['itemName'])})")

    def test_a_line_is_corrected_added_and_taken_off(self):
        self.open_receipt()
        first, *_, last = self.receipt["items"]
        self.phone.tap(f"#line-{first['id']}")
        self.phone.fill("#line-price", "3.99")
        self.phone.tap("#line-do")
        self.phone.until("document.querySelector('#receipt')?.textContent.includes('3.99')")
        self.phone.sent()
        self.phone.tap("#receipt-add")
        self.phone.fill("#line-name", "Tulips")
        self.phone.fill("#line-much", "10")
        self.phone.tap("#line-do")
        self.phone.until("document.querySelector('#receipt')?.textContent.includes('Tulips')")
        self.phone.sent()
        self.phone.tap(f"#line-{last['id']}")
        self.phone.tap("#line-remove")
        self.phone.until(f"!document.querySelector('#receipt #line-{last['id']}')")
        self.phone.sent()
        lines = {line["itemName"]: line.get("price") for line in self.shown()["items"]}
        self.assertEqual(lines[first["itemName"]], 3.99)
        self.assertIn("Tulips", lines)
        self.assertNotIn(last["itemName"], lines)

    def test_shop_and_sum_are_corrected(self):
        self.open_receipt()
        self.phone.tap("#receipt-head")
        self.phone.fill("#receipt-edit-shop", "Corner shop")
        self.phone.fill("#receipt-edit-amount", "12,x")
        self.phone.tap("#receipt-edit-do")
        self.phone.until("document.querySelector('#receipt-edit [role=alert]')?.textContent.includes('is no number')")
        self.phone.fill("#receipt-edit-amount", "12,34")
        self.phone.tap("#receipt-edit-do")
        self.phone.until("!document.querySelector('#receipt-edit')")
        self.phone.sent()
        self.assertEqual((self.shown()["shopName"], self.shown()["amount"]), ("Corner shop", 12.34))

    def test_a_receipt_that_is_taken_back_takes_its_stock_back_until_that_is_undone(self):
        def stock():
            return {item["id"]: item["total"] for item in self.household.json("stock")["items"]}

        before = stock()
        self.open_receipt()
        self.phone.tap("#receipt-void")
        self.phone.until(f"!document.querySelector('#receipt-{self.receipt['id']}')")
        self.phone.sent()
        self.assertNotIn(self.receipt["id"], str(self.household.json("receipt", "list")))
        self.assertNotEqual(stock(), before)
        self.phone.tap("#undo")
        self.phone.sent()
        self.assertIn(self.receipt["id"], str(self.household.json("receipt", "list")))
        self.assertEqual(stock(), before)
