"""The list: ticks, words, amounts, and the receipt of what is in the basket."""

import time

from .support import PhoneTest


class List(PhoneTest):
    def setUp(self):
        super().setUp()
        self.bananas = self.household.entry("Bananas")["id"]

    def is_bought(self, name):
        return (self.household.entry(name) or {}).get("isCompleted")

    def test_a_tick_is_shown_at_once_is_in_the_household_by_the_phones_name_and_is_taken_back(self):
        self.phone.tap(f"#tick-{self.bananas}")
        self.phone.until(f"document.querySelector('#tick-{self.bananas}').checked")
        self.phone.until("document.querySelector('#bar').textContent.includes('+ Bananas')")
        self.phone.sent()
        self.assertTrue(self.is_bought("Bananas"))
        self.assertIn("got Bananas", self.log())
        self.phone.tap("#undo-tick")
        self.phone.until(f"!document.querySelector('#tick-{self.bananas}').checked")
        self.phone.sent()
        self.assertFalse(self.is_bought("Bananas"))

    def test_a_row_stays_under_the_thumb_when_it_is_ticked_and_goes_below_after_a_pause(self):
        before = self.phone.names()
        self.phone.tap(f"#tick-{self.bananas}")
        self.phone.until("!document.querySelector('#bar').hidden")
        self.assertEqual(self.phone.names(), before)
        self.phone.until(f"document.querySelector('.basket #tick-{self.bananas}')")
        self.assertNotEqual(self.phone.names(), before)

    def test_somebody_elses_tick_is_there_within_seconds(self):
        self.household.larder("got", "bananas")
        self.phone.until(f"document.querySelector('#tick-{self.bananas}')?.checked", seconds=10)

    def test_words_are_added_with_their_amount_and_the_field_stays_ready(self):
        self.phone.fill("#add", "2 l oat")
        self.phone.until("document.querySelector('#offer-1')?.textContent.includes('Oat milk')")
        self.phone.tap("#offer-1")
        self.phone.until("document.querySelector('#add').value === '' && document.activeElement.id === 'add'")
        self.phone.browser.type("Kerzen 3\n")
        self.phone.until("[...document.querySelectorAll('#main .name')].some(({ textContent }) => textContent.includes('Kerzen'))")
        self.phone.sent()
        self.assertEqual(self.household.entry("Kerzen")["desiredQuantity"], 3)
        self.assertEqual(self.household.entry("Oat milk")["unit"], "liter")
        self.phone.tap("#undo")
        self.phone.sent()
        self.assertIsNone(self.household.entry("Kerzen"))

    def test_enter_takes_a_whole_name_and_never_an_item_of_which_it_is_a_part(self):
        there, milk = self.household.entry("Bananas")["desiredQuantity"], self.household.entry("Oat milk")
        for words, entry, wanted in ("oat 2 l", "oat", 2), ("BANANA 9", "Bananas", there + 9):
            self.phone.fill("#add", words)
            self.phone.until("document.querySelector('#offer-0')")
            self.phone.browser.type("\n")
            self.phone.until("document.querySelector('#add').value === ''")
            self.phone.sent()
            self.assertEqual(self.household.entry(entry)["desiredQuantity"], wanted)
        self.assertEqual(self.household.entry("Oat milk"), milk)

    def test_entries_stand_by_category_and_name_and_the_field_finds_them(self):
        titles = self.phone.value("[...document.querySelectorAll('#main .kind')].map(({ textContent }) => textContent)")
        *categories, other, basket = titles
        self.assertEqual((categories, other, basket), (sorted(categories), "Other", "In the basket"))
        entries = {entry["name"]: entry for entry in self.household.entries()}
        names = self.phone.names()
        self.assertEqual(set(names), set(entries))
        self.assertEqual([entries[name]["isCompleted"] for name in names], sorted(entry["isCompleted"] for entry in entries.values()))
        self.phone.fill("#add", "BANÄN")
        self.phone.until("document.querySelector('#offer-1')?.textContent.includes('on the list: 7')")

    def test_an_amount_is_changed_by_taps_that_are_one_act_and_by_typing(self):
        before, commits = self.household.entry("Bananas")["desiredQuantity"], self.household.commits()
        self.phone.tap(f"#amount-{self.bananas}")
        for _ in range(3):
            self.phone.tap(f"#amount-{self.bananas}-more")
        self.phone.sent()
        self.assertEqual(self.household.entry("Bananas")["desiredQuantity"], before + 3)
        self.assertEqual(self.household.commits(), commits + 1)
        self.phone.fill(f"#amount-{self.bananas}", "12\n")
        self.phone.sent()
        self.assertEqual(self.household.entry("Bananas")["desiredQuantity"], 12)

    def test_the_sheet_of_an_entry_changes_it_and_takes_it_off(self):
        self.phone.tap(f"#name-{self.bananas}")
        self.phone.fill("#entry-note", "ripe ones\n")
        self.phone.sent()
        self.assertEqual(self.household.entry("Bananas")["note"], "ripe ones")
        self.phone.tap("#entry-tick")
        self.phone.until("!document.querySelector('dialog')")
        self.phone.sent()
        self.assertTrue(self.is_bought("Bananas"))
        self.phone.tap(f"#name-{self.bananas}")
        self.phone.tap("#entry-drop")
        self.phone.until(f"!document.querySelector('#tick-{self.bananas}')")
        self.phone.sent()
        self.assertIsNone(self.household.entry("Bananas"))
        self.phone.tap("#undo")
        self.phone.sent()
        self.assertIsNotNone(self.household.entry("Bananas"))

    def test_a_saved_receipt_fills_the_stock_with_what_is_ticked_and_nothing_else(self):
        before = self.household.item("Bananas")["total"]
        entries = len(self.household.entries())
        ticked = sum(entry["isCompleted"] for entry in self.household.entries())
        self.phone.tap(f"#tick-{self.bananas}")
        self.phone.tap("#save-receipt")
        self.phone.fill("#save-shop", "Corner shop")
        self.phone.fill("#save-paid", "9.40")
        self.phone.fill(f"#price-{self.bananas}", "1.80")
        self.phone.tap("#save-line")
        self.phone.fill("#line-name", "Hummus")
        self.phone.fill("#line-much", "400 g")
        self.phone.tap("#line-do")
        self.phone.until("!document.querySelector('#line')")
        # What was typed is kept when one looks elsewhere first.
        self.phone.close_sheet()
        self.phone.tap("#save-receipt")
        self.phone.until("document.querySelector('#save-paid')?.value === '9.40'")
        self.phone.tap("#save-do")
        self.phone.until("!document.querySelector('dialog')")
        self.phone.sent()
        receipt = self.household.json("receipt", "list")["items"][0]
        self.assertEqual((receipt["shopName"], receipt["amount"]), ("Corner shop", 9.4))
        wanted = self.household.json("receipt", "show", receipt["id"])
        self.assertIn("Hummus", str(wanted))
        self.assertGreater(self.household.item("Bananas")["total"], before)
        self.assertEqual(len(self.household.entries()), entries - ticked - 1)
        self.phone.until("document.querySelector('#bar').hidden")

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
        self.phone.tap("#save-receipt")
        self.phone.fill("#save-shop", "Corner shop")
        self.phone.tap("#save-do")
        self.phone.until("document.querySelector('dialog [role=alert]')?.textContent.includes('How much is 1 pack of Honey, in g?')")
        self.phone.picture("save-unit")
        self.phone.fill(f"#much-{honey}", "340")
        self.phone.tap("#save-do")
        self.phone.until("!document.querySelector('dialog')")
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

    def test_an_empty_list_says_how_to_begin(self):
        for entry in self.household.entries():
            self.household.larder("shop", "remove", entry["id"])
        self.phone.until("document.querySelector('#main .quiet')?.textContent.includes('Nothing on the list yet')", seconds=15)
        self.assertAccessible("the empty list")
        self.phone.picture("list-empty")
