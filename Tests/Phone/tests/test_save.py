"""Saving a receipt: of what is in the basket, once, also if two people do it."""

import time

from .support import PhoneTest
from .test_due import TWICE, Basket


class SaveOfTheSample(PhoneTest):
    def test_a_saved_receipt_fills_the_stock_with_what_is_ticked_and_nothing_else(self):
        bananas = self.household.entry("Bananas")["id"]
        before = self.household.item("Bananas")["total"]
        entries = len(self.household.entries())
        ticked = sum(entry["isCompleted"] for entry in self.household.entries())
        self.phone.tap(f"#tick-{bananas}")
        self.phone.tap("#save-receipt")
        self.phone.name_shop("Corner shop")
        self.phone.fill("#save-paid", "9.40")
        self.phone.fill(f"#price-{bananas}", "1.80")
        self.phone.tap("#save-line")
        self.phone.fill("#line-name", "Hummus")
        self.phone.fill("#line-much", "400 g")
        self.phone.tap("#line-do")
        self.phone.until("!document.querySelector('#line')")
        # What was typed is kept when one looks elsewhere first.
        self.phone.close_sheet()
        self.phone.tap("#save-receipt")
        self.phone.until("document.querySelector('#save-paid')?.value === '9.40'")
        self.phone.save_receipt()
        self.phone.sent()
        receipt = self.household.json("receipt", "list")["items"][0]
        self.assertEqual((receipt["shopName"], receipt["amount"]), ("Corner shop", 9.4))
        wanted = self.household.json("receipt", "show", receipt["id"])
        self.assertIn("Hummus", str(wanted))
        self.assertGreater(self.household.item("Bananas")["total"], before)
        self.assertEqual(len(self.household.entries()), entries - ticked - 1)
        self.phone.until("document.querySelector('#bar h2').textContent.startsWith('Basket: 0')")

    def unit_of_honey(self, unit):
        """Gives the entry of honey another unit in its sheet, and returns its id."""
        honey = self.household.entry("Honey")["id"]
        self.phone.until(f"document.querySelector('#name-{honey}')", seconds=15)
        # Just after rows have moved, a tap was meant for another one.
        time.sleep(0.5)
        self.phone.tap(f"#name-{honey}")
        self.phone.choose("#entry-unit", unit)
        self.phone.sent()
        return honey

    def test_a_pack_of_what_is_counted_in_grams_asks_how_much_it_was_when_its_receipt_is_saved(self):
        before = self.household.item("Honey")["total"]
        self.household.larder("buy", "honey", "2")
        honey = self.unit_of_honey("pack")
        self.assertAccessible("an entry with its unit")
        self.phone.picture("entry-unit")
        self.assertEqual((self.household.entry("Honey")["desiredQuantity"], self.household.entry("Honey")["unit"]), (1, "pack"))
        self.phone.tap("#entry-tick")
        self.phone.sent()
        for entry in self.household.entries():
            if entry["isCompleted"] and entry["name"] != "Honey":
                self.household.larder("shop", "remove", entry["id"])
        self.phone.until("document.querySelectorAll('.basket .row').length === 1", seconds=15)
        time.sleep(0.5)
        self.phone.tap("#save-receipt")
        self.phone.name_shop("Corner shop")
        self.phone.tap("#save-do")
        self.phone.until("document.querySelector('dialog [role=alert]')?.textContent.includes('How much is 1 pack, in g?')")
        self.phone.picture("save-unit")
        self.phone.fill(f"#much-{honey}", "340")
        self.phone.save_receipt()
        self.phone.sent()
        self.assertEqual(self.household.item("Honey")["total"], before + 340)
        self.assertIsNone(self.household.entry("Honey"))

    def test_a_pack_whose_size_is_known_is_proposed_as_what_it_holds(self):
        self.household.larder("product", "new", "4006381333931", "--title", "Forest Honey", "--item", "honey", "--pack-size", "250g")
        self.household.larder("buy", "honey", "10g")
        honey = self.unit_of_honey("pack")
        self.phone.tap("#entry-tick")
        self.phone.sent()
        self.phone.tap("#save-receipt")
        self.phone.until(f"document.querySelector('#much-{honey}')?.value === '250 g'")


class Save(Basket):
    def setUp(self):
        super().setUp()
        self.empty_list()

    def test_a_receipt_is_saved_once_by_a_double_tap_and_the_page_is_never_left(self):
        for pause in TWICE:
            with self.subTest(pause):
                name = f"Soup {pause}"
                self.basket([name])
                self.open_save(1)
                before = len(self.household.json("receipt", "list")["items"])
                self.phone.tap_twice("#save-do", pause)
                self.phone.until("document.querySelector('#away-do')")
                time.sleep(0.6)  # at the same spot, nobody means it sooner
                self.phone.tap_twice("#away-do", pause)
                self.phone.until("!document.querySelector('dialog')")
                self.phone.sent()
                self.assertEqual(len(self.household.json("receipt", "list")["items"]), before + 1)
                self.assertEqual(self.left(name), 2)
                self.assertEqual(self.phone.refused(), [])
                self.assertTrue(self.phone.value("location.href").startswith(self.relay.address))

    def test_only_what_somebody_typed_is_saved_and_guesses_follow_their_amount(self):
        self.basket(["Miso"])
        self.household.larder("receipt", "save", "--shop", "Aldi", "--line", "Miso=2@5.00")
        self.household.larder("buy", "Miso", "2")
        self.household.larder("shop", "got", "Miso")
        self.basket(["Nori"])
        self.open_save(2)
        miso = self.household.entry("Miso")["id"]
        self.assertEqual(self.phone.value(f"document.getElementById('price-{miso}').value"), "10.00")
        self.phone.fill(f"[id='much-{miso}']", "4")
        self.phone.until(f"document.getElementById('price-{miso}').value === '20.00'")
        self.assertIn("about £20.00 of it guessed", self.phone.text("#save .paid"))
        nori = self.household.entry("Nori")["id"]
        self.phone.fill(f"[id='price-{nori}']", "2,40")
        self.phone.fill("#save-paid", "25.00")
        self.assertIn("£2.60 has no line; that is fine.", self.phone.text("#save .ends"))
        self.assertAccessible("save receipt")
        self.phone.picture("save2")
        self.phone.tap("#save-do")
        self.phone.sent()
        lines = self.lines()
        self.assertEqual((lines["Nori"].get("price"), lines["Miso"].get("price"), lines["Miso"]["quantity"]), (2.4, None, 4))

    def test_enter_goes_down_and_makes_a_guess_ink(self):
        self.basket(["Miso", "Nori"])
        self.open_save(2)
        self.phone.fill("#save-paid", "7.00\n")
        keys = self.phone.value("[...document.querySelectorAll('#save .price')].map(({ id }) => id)")
        for key, price in zip(keys, ("3.00", "4.00")):
            self.phone.until(f"document.activeElement.id === '{key}'")
            self.phone.browser.type(f"{price}\n")
        self.assertIn("all typed by you", self.phone.text("#save .paid"))

    def test_what_cannot_be_read_is_said_at_its_field(self):
        self.basket(["Miso"])
        self.open_save(1)
        entry = self.household.entry("Miso")["id"]
        self.phone.fill("#save-paid", "7x")
        self.phone.fill(f"[id='much-{entry}']", "two")
        self.phone.tap("#save-do")
        self.phone.until(f"document.getElementById('much-{entry}-error')?.textContent.includes('“two” is no amount')")
        self.assertIn("“7x” is no number", self.phone.text("#save-paid-error"))
        self.assertAccessible("save receipt with mistakes")
        self.assertEqual(self.phone.waits(), 0)

    def test_a_receipt_is_four_taps(self):
        self.basket(["Miso", "Nori"], usual=("Fridge", 7))
        self.phone.until("document.querySelector('#bar')?.textContent.includes('2')")
        time.sleep(0.5)
        began = self.phone.taps
        self.phone.tap("#save-receipt")
        self.phone.fill("#save-paid", "7.00")
        self.phone.tap("#save-do")
        self.phone.sent()
        if self.phone.count("#away-do"):
            self.phone.tap("#away-do")
        self.assertLessEqual(self.phone.taps - began, 4)
        self.phone.sent()
        self.assertEqual(self.newest()["amount"], 7)


class TwoSavers(Basket):
    """Two people save one basket."""

    def setUp(self):
        super().setUp()
        self.empty_list()
        self.basket(["Miso", "Nori"])

    def type_mine(self):
        self.open_save(2)
        self.phone.fill("#save-paid", "33.10")
        self.miso = self.household.entry("Miso")["id"]
        self.phone.fill(f"[id='price-{self.miso}']", "3.30")
        self.phone.tap("#save-line")
        self.phone.fill("#line-name", "Pomegranate")
        self.phone.fill("#line-much", "1")
        self.phone.fill("#line-price", "1.20")
        self.phone.tap("#line-do")
        self.phone.until("!document.querySelector('#line')")

    def receipts(self):
        return self.household.json("receipt", "list")["items"]

    def test_the_second_one_is_told_in_the_open_form_and_adds_what_was_typed(self):
        self.type_mine()
        before = len(self.receipts())
        self.household.larder("receipt", "save", "--shop", "Aldi")
        self.phone.until("document.querySelector('#save .note')")
        self.assertIn("terminal saved this basket at", self.phone.text("#save .note"))
        self.assertIn("You typed £33.10, 1 price and 1 line more, Pomegranate; it is all here still.", self.phone.text("#save .note"))
        self.assertAccessible("two savers")
        self.phone.picture("save-both")
        self.phone.tap("#save-show")
        self.phone.until("document.querySelectorAll('#receipt .plain').length === 2")
        self.phone.close_sheet()
        self.phone.tap_twice("#save-do", 150)
        self.phone.until("!document.querySelector('dialog')")
        self.phone.sent()
        self.assertEqual(self.phone.refused(), [])
        self.assertEqual(len(self.receipts()), before + 1)
        lines = self.lines()
        self.assertEqual((self.newest()["amount"], lines["Miso"]["price"], lines["Pomegranate"]["price"]), (33.1, 3.3, 1.2))
        self.assertEqual((self.left("Miso"), self.left("Nori")), (2, 2))

    def test_mine_is_another_one_saves_a_receipt_of_its_own(self):
        self.type_mine()
        before = len(self.receipts())
        self.household.larder("receipt", "save", "--shop", "Aldi")
        self.phone.tap("#save-mine")
        self.phone.until("!document.querySelector('#save .note') && document.querySelector('#save-do').textContent.includes('Save: 2 into the stock')")
        self.phone.tap("#save-do")
        self.phone.sent()
        self.assertEqual(len(self.receipts()), before + 2)
        self.assertEqual(self.left("Miso"), 4)

    def test_a_phone_that_was_away_finds_all_that_was_typed_under_more(self):
        self.type_mine()
        self.phone.sent()
        self.household.kill()
        self.household.larder("receipt", "save", "--shop", "Aldi")
        self.phone.tap("#save-do")
        self.phone.until("!document.querySelector('#save')")
        if self.phone.count("dialog"):
            self.phone.close_sheet()
        self.household.serve()
        self.phone.until("dispatchEvent(new Event('online')), document.querySelector('#tab-more i')", seconds=40)
        self.phone.tab("more")
        self.phone.tap("[id^='change-']")
        self.phone.until("document.querySelector('#save .note')")
        self.assertEqual(self.phone.value("document.querySelector('#save-paid').value"), "33.10")
        self.assertEqual(self.phone.value(f"document.getElementById('price-{self.miso}').value"), "3.30")
        self.assertIn("Pomegranate", self.phone.text("#save"))
        self.phone.tap("#save-do")
        self.phone.sent()
        self.assertEqual(self.phone.refused(), [])
        self.assertEqual(self.newest()["amount"], 33.1)
        self.assertEqual(self.left("Miso"), 2)
