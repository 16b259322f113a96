"""The list: ticks, words, amounts, and the receipt of what is in the basket."""

import json
import time

from .support import PhoneTest

PASTED = """Groceries
- 2 l milk
* Eggs 12
- 3 tins chickpeas, bread and butter
☐ Bananas (6)
- Banana | 2 pieces
- for Sunday:
- 400 g tofu
☑ Oat milk
- fish and chips
- 1.500 g flour
"""
UNDERSTOOD = """
[...document.querySelectorAll('.lines .row')].map((row) => [
  row.querySelector('.name span').textContent.replace(/[“”]/g, ''), row.querySelector('input').checked, row.querySelector('small').textContent])
"""
#: What people type. The names are no items of the household.
WORDS = [
    "3 tins peas", "2 Dosen Mais", "½ l sauce", "500g Quark", "Nudeln 2", "2x soda", "3 x water", "soda x2", "1,5 kg Kohl", "Kohl 1,5 kg", "2 Packungen Kekse", "1 bunch parsley",
    "2 cans of lentil soup", "1 1/2 kg pears", "1½ l juice", "2 Flaschen Wein", "6 pack beer", "vinegar 2l", "200 gr ham", "2 heads of lettuce", "2 Pfund Mehl", "2 dozen rolls",
    "8 rolls", "2 loaves rye", "rye 2 loaves", "33 cl cola", "1/4 l wine", "3 Stück Kohlrabi", "2 Gläser Gurken", "12 tealights", "1.500 kg clay", "2 lbs mince",
]


class List(PhoneTest):
    def setUp(self):
        super().setUp()
        self.bananas = self.household.entry("Bananas")["id"]

    def is_bought(self, name):
        return (self.household.entry(name) or {}).get("isCompleted")

    def wanted(self):
        """What is on the list: how much by each name, and whether it is in the basket."""
        return {entry["name"]: (entry["desiredQuantity"], entry["unit"], entry["isCompleted"]) for entry in self.household.entries()}

    def touch_field(self):
        """Taps the field, and waits as a person does until what it offers stands still."""
        self.phone.tap("#add")
        self.phone.until("document.querySelector('.find.on')")
        time.sleep(0.45)

    def write(self, words):
        self.touch_field()
        self.phone.browser.type(words)

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
        self.write("2 l oat")
        self.phone.until("document.querySelector('#offer-0')?.textContent.includes('Oat milk')")
        self.phone.tap("#offer-0")
        self.phone.until("document.querySelector('#add').value === '' && document.activeElement.id === 'add'")
        self.phone.browser.type("3 tins Kerzen\n")
        self.phone.until("[...document.querySelectorAll('#main .name')].some(({ textContent }) => textContent.includes('Kerzen'))")
        self.phone.sent()
        self.assertEqual((self.household.entry("Kerzen")["desiredQuantity"], self.household.entry("Kerzen")["unit"]), (3, "tin"))
        self.assertEqual(self.household.entry("Oat milk")["desiredQuantity"], 8)
        self.phone.tap("#undo")
        self.phone.sent()
        self.assertIsNone(self.household.entry("Kerzen"))

    def test_what_was_typed_comes_first_unless_a_name_begins_with_it(self):
        there = self.household.entry("Bananas")["desiredQuantity"]
        for words, entry, wanted in ("½ l cream", "cream", 0.5), ("BANANA 9", "Bananas", there + 9), ("oat 2 l", "Oat milk", 8), ("tablets 2", "tablets", 2):
            self.phone.fill("#add", words)
            self.phone.until("document.querySelector('#offer-0')")
            self.phone.browser.type("\n")
            self.phone.until("document.querySelector('#add').value === ''")
            self.phone.sent()
            self.assertEqual(self.household.entry(entry)["desiredQuantity"], wanted, words)
        self.phone.fill("#add", "cream")
        self.phone.until("document.querySelector('#offer-1')?.textContent.includes('Vanilla ice cream')")
        self.assertAccessible("typed words")
        self.phone.picture("list-type")

    def test_an_amount_of_nothing_is_said_under_the_field_until_it_is_of_something(self):
        self.phone.fill("#add", "2 kg\n")
        self.phone.until("document.querySelector('#add-error')?.textContent === '2 kg of what?'")
        self.assertAccessible("an amount of nothing")
        self.phone.picture("list-alone")
        self.phone.browser.type(" flour")
        self.phone.until("!document.querySelector('#add-error')")
        self.phone.browser.type("\n")
        self.phone.sent()
        self.assertEqual(self.household.entry("flour")["desiredQuantity"], 2)

    def test_the_tabs_step_aside_while_the_field_has_the_focus(self):
        self.phone.tap("#add")
        self.phone.until("document.querySelector('#tabs').offsetHeight === 0 && document.querySelector('#bar').offsetHeight === 0")
        self.phone.value("document.activeElement.blur()")
        self.phone.until("document.querySelector('#tabs').offsetHeight && document.querySelector('#bar').offsetHeight")
        self.phone.browser.resize(1280, 800, False)
        self.phone.tap("#add")
        self.phone.until("document.querySelector('.find.on')")
        self.assertTrue(self.phone.value("document.querySelector('#tabs').offsetHeight > 0"))

    def test_seven_things_from_the_offers_are_eight_taps_and_a_chip_that_is_tapped_again_is_let_go(self):
        for name in "Bananas", "Oat milk":
            self.household.larder("shop", "remove", name)
        self.phone.until(f"!document.querySelector('#tick-{self.bananas}')", seconds=15)
        self.phone.taps = 0
        self.touch_field()
        self.phone.until("document.querySelectorAll('.offer .chip:not(.go-on)').length >= 7")
        self.assertAccessible("offers")
        self.phone.picture("list-add")
        places = "[...document.querySelectorAll('.offer .chip')].map((one) => { const { x, y, width, height } = one.getBoundingClientRect(); return [x, y, width, height]; })"
        before = self.phone.value(places)
        chips = self.phone.value("[...document.querySelectorAll('.offer .chip:not(.go-on)')].slice(0, 7).map(({ id }) => id)")
        for chip in chips:
            self.phone.tap(f"#{chip}")
            self.phone.until(f"document.querySelector('#{chip}').getAttribute('aria-pressed') === 'true'")
        self.assertEqual(self.phone.taps, 8)
        self.assertEqual(self.phone.value(places), before, "a chip moved when another one was tapped")
        self.assertTrue(self.phone.value("document.activeElement.id === 'add'"), "the keyboard went away")
        self.phone.sent()
        self.assertEqual(len({entry["name"] for entry in self.household.entries()} & {"Bananas", "Oat milk"}), 2)
        count = len(self.household.entries())
        self.phone.tap(f"#{chips[0]}")
        self.phone.until(f"document.querySelector('#{chips[0]}').getAttribute('aria-pressed') === 'false'")
        self.phone.sent()
        self.assertEqual(len(self.household.entries()), count - 1)

    def test_all_that_are_low_is_one_act_and_one_undo(self):
        low = {item["name"] for item in self.household.json("stock", "is:low")["items"]}
        before = {entry["name"] for entry in self.household.entries()}
        commits = self.household.commits()
        self.touch_field()
        self.phone.tap("#all-low")
        self.phone.until("[...document.querySelectorAll('.offer .chip')].every((chip) => chip.getAttribute('aria-pressed') === 'true')")
        self.phone.sent()
        self.assertEqual({entry["name"] for entry in self.household.entries()}, before | low)
        self.assertEqual(self.household.commits(), commits + 1)
        self.phone.tap("#all-low")
        self.phone.sent()
        self.assertEqual({entry["name"] for entry in self.household.entries()}, before)

    def test_pasted_lines_are_understood_put_on_by_four_taps_as_one_act_and_taken_back_by_one(self):
        before, commits = self.wanted(), self.household.commits()
        self.phone.taps = 1  # The finger is held on the field for the phone's menu.
        self.phone.paste("#add", PASTED)
        self.phone.taps += 1  # In the menu: Paste.
        self.phone.until("document.querySelector('#put-lines')?.textContent === 'Put 9 on the list'")
        self.assertEqual(self.phone.value(UNDERSTOOD), [
            ["Groceries", False, "looks like a heading, so it is left out"], ["Milk", True, "3.75 l at home"], ["Eggs", True, "in the basket: 12"],
            ["Chickpeas, tinned", True, "“3 tins chickpeas” · 4 tins at home"], ["Bread", True, "1 at home"], ["Butter", True, "300 g at home"],
            ["Bananas", True, "on the list: 7 → 13"], ["Bananas", True, "on the list: 13 → 15"], ["for Sunday:", False, "looks like a heading, so it is left out"],
            ["tofu", True, "new: nothing in the stock is called so"], ["Oat milk", False, "on the list: 6 l"], ["fish and chips", True, "new: nothing in the stock is called so"],
            ["1.500 g flour", False, "write 1.5 or 1500: this may be both"],
        ])
        self.assertAccessible("pasted lines")
        self.phone.picture("list-paste")
        self.phone.tap("#put-lines")
        self.assertEqual(self.phone.taps, 4)
        self.phone.until("!document.querySelector('#put-lines')")
        self.phone.sent()
        self.assertEqual(self.household.commits(), commits + 1)
        wanted = self.wanted()
        for name, much in {"Milk": (2, "liter"), "Eggs": (12, "piece"), "Chickpeas, tinned": (3, "tin"), "Bananas": (15, "piece"), "tofu": (400, "gram"), "fish and chips": (1, "piece")}.items():
            self.assertEqual(wanted[name], (*much, False), name)
        self.assertIn("Butter", wanted)
        self.phone.tap("#undo")
        self.phone.sent()
        self.assertEqual(self.wanted(), before)

    def test_a_list_made_elsewhere_keeps_its_amounts(self):
        self.phone.paste("#add", "pasta 2\nketchup\n500 g cheese\n")
        self.phone.tap("#put-lines")
        self.phone.sent()
        wanted = {name: (self.household.entry(name)["desiredQuantity"], self.household.entry(name)["unit"]) for name in ("pasta", "ketchup", "cheese")}
        self.assertEqual(wanted, {"pasta": (2, "piece"), "ketchup": (1, "piece"), "cheese": (500, "gram")})

    def test_what_is_in_the_basket_and_is_added_again_comes_back_with_its_own_amount(self):
        self.household.larder("got", "bananas")
        self.phone.until(f"document.querySelector('#tick-{self.bananas}')?.checked", seconds=15)
        self.phone.fill("#add", "bananas\n")
        self.phone.until(f"!document.querySelector('#tick-{self.bananas}').checked")
        self.phone.sent()
        self.assertEqual((self.is_bought("Bananas"), self.household.entry("Bananas")["desiredQuantity"]), (False, 7))

    def test_the_page_reads_words_as_the_household_does(self):
        for words in WORDS:
            with self.subTest(words):
                name, quantity, unit = self.phone.value(f"import('./words.js').then(({{ read }}) => {{ const {{ name, quantity = 1, unit = 'piece' }} = read({json.dumps(words)}); return [name, quantity, unit]; }})")
                self.household.larder("buy", *words.split())
                entry = self.household.entry(name)
                self.assertIsNotNone(entry, name)
                self.assertEqual((quantity, unit), (entry["desiredQuantity"], entry["unit"]))

    def test_the_first_tick_does_not_move_the_field(self):
        for entry in self.household.entries():
            if entry["isCompleted"]:
                self.household.larder("shop", "remove", entry["id"])
        self.phone.until("document.querySelector('#bar h2').textContent.startsWith('Basket: 0') && document.querySelector('#save-receipt').disabled", seconds=15)
        self.assertAccessible("an empty basket")
        for width in 390, 320:
            self.phone.browser.resize(width, 700, False)
            place = "document.querySelector('#add').getBoundingClientRect().top"
            before = self.phone.value(place)
            self.phone.tap(f"#tick-{self.bananas}")
            self.phone.until("document.querySelector('#undo-tick')")
            self.assertEqual(self.phone.value(place), before)
            self.phone.tap("#undo-tick")
            self.phone.until("!document.querySelector('#undo-tick')")

    def twice(self, selector, gap):
        took = self.phone.tap_twice(selector, gap)
        if took > 490:
            self.skipTest(f"the browser took {took:.0f} ms for two taps")

    def test_a_second_tap_does_nothing_more(self):
        self.household.larder("shop", "remove", "Oat milk")
        self.phone.until("!document.querySelector('#main').textContent.includes('Oat milk')", seconds=15)
        for gap in 50, 150, 400:
            with self.subTest(f"{gap} ms"):
                self.phone.sent()
                entries, made = self.household.entries(), len(self.phone.made())
                self.twice("#add", gap)
                self.phone.until("document.querySelector('.offer .chip')")
                time.sleep(0.6)
                self.assertEqual(len(self.phone.made()), made, "the field")
                chip = self.phone.value("document.querySelector('.offer .chip[aria-pressed=false]').id")
                self.twice(f"#{chip}", gap)
                time.sleep(0.6)
                self.assertEqual((len(self.phone.made()), self.phone.value(f"document.querySelector('#{chip}').getAttribute('aria-pressed')")), (made + 1, "true"), "a chip")
                self.phone.browser.type(f"Kerzen {gap}")
                self.twice("#offer-0", gap)
                time.sleep(0.6)
                self.assertEqual(len(self.phone.made()), made + 2, "a suggestion")
                self.phone.paste("#add", f"Nägel {gap}\nDübel {gap}")
                self.twice("#put-lines", gap)
                time.sleep(0.6)
                self.assertEqual(len(self.phone.made()), made + 3, "pasted lines")
                self.twice("#undo", gap)
                time.sleep(0.6)
                self.assertEqual(len(self.phone.made()), made + 4, "undo")
                self.phone.until("document.querySelector('#tabs').offsetHeight")
                self.twice(f"#tick-{self.bananas}", gap)
                time.sleep(0.6)
                self.assertEqual((len(self.phone.made()), self.phone.value(f"document.querySelector('#tick-{self.bananas}').checked")), (made + 5, True), "a tick")
                self.twice("#undo-tick", gap)
                time.sleep(0.6)
                self.assertEqual((len(self.phone.made()), self.phone.count("dialog")), (made + 6, 0), "undo of a tick")
                self.twice(f"#amount-{self.bananas}", gap)
                self.phone.until(f"document.querySelector('#amount-{self.bananas}-more')")
                time.sleep(0.6)
                self.assertEqual(len(self.phone.made()), made + 6, "an amount")
                self.twice(f"#name-{self.bananas}", gap)
                self.twice("#entry-drop", gap)
                self.phone.until("!document.querySelector('dialog')")
                time.sleep(0.6)
                self.assertEqual((len(self.phone.made()), self.phone.count("dialog")), (made + 7, 0), "off the list")
                self.phone.tap("#undo")
                self.phone.until(f"document.querySelector('#tick-{self.bananas}')")
                self.phone.sent()
                self.assertGreater(len(self.household.entries()), len(entries))

    def test_the_list_is_searched_ordered_and_shown_without_what_is_in_the_basket(self):
        self.household.larder("shop", "edit", "Bananas", "--note", "for the Crème")
        self.phone.until("document.querySelector('#main').textContent.includes('for the Crème')", seconds=15)
        entries = self.household.entries()
        self.phone.choose("#list-sort", "A–Z")
        wanted = [sorted((one["name"] for one in entries if one["isCompleted"] == is_bought), key=str.lower) for is_bought in (False, True)]
        self.phone.until(f"JSON.stringify([...document.querySelectorAll('#main .row .name > span')].map((row) => row.textContent)) === {json.dumps(json.dumps(sum(wanted, []), ensure_ascii=False, separators=(',', ':')))}")
        self.phone.tap("#list-open")
        self.phone.until("!document.querySelector('.basket')")
        self.assertEqual(self.phone.names(), wanted[0])
        self.assertAccessible("what is to be bought")
        self.phone.picture("list-open")
        self.phone.choose("#list-sort", "As added")
        added = sorted((one for one in entries if not one["isCompleted"]), key=lambda one: one["createdAt"])
        self.assertEqual(self.phone.names(), [one["name"] for one in added])
        self.phone.tap("#list-open")
        self.phone.tap("#list-find")
        for words, found in ("creme", ["Bananas"]), ("oat", ["Oat milk"]), ("zzz", []):
            self.phone.fill("#list-search", words)
            self.phone.until(f"document.querySelectorAll('#main .row').length === {len(found)}")
            self.assertEqual(self.phone.names(), found)
        self.assertAccessible("nothing found")
        self.phone.picture("list-search")
        self.phone.tap("#want-found")
        self.phone.sent()
        self.assertIsNotNone(self.household.entry("zzz"))
        self.assertIn("zzz", self.phone.names())

    def test_the_price_follows_its_amount_without_a_connection_too(self):
        price = f"document.querySelector('#amount-{self.bananas} small')?.lastChild.textContent.replace(/[^\\d.]/g, '')"
        before = self.phone.value(price)
        self.relay.cut()
        self.phone.tap(f"#amount-{self.bananas}")
        self.phone.fill(f"#amount-{self.bananas}", "14\n")
        self.phone.until(f"{price} === '{2 * float(before):.2f}'")

    def test_what_can_not_be_read_is_said_at_its_field(self):
        self.phone.tap(f"#amount-{self.bananas}")
        self.phone.fill(f"#amount-{self.bananas}", "two")
        self.phone.until(f"document.querySelector('#amount-{self.bananas}-error')?.textContent.startsWith('“two” is no amount')")
        self.assertAccessible("an amount that is none")
        self.phone.fill(f"#amount-{self.bananas}", "12\n")
        self.phone.until("!document.querySelector('.err')")
        self.phone.tap(f"#name-{self.bananas}")
        for field, text in ("price", "cheap"), ("amount", "many"):
            self.phone.fill(f"#entry-{field}", f"{text}\n")
            self.phone.until(f"document.querySelector('#entry-{field}-error')?.textContent.includes('“{text}”')")
        self.assertAccessible("an entry that can not be read")
        self.phone.picture("entry-wrong")
        self.phone.fill("#entry-amount", "1 ½\n")
        self.phone.until("!document.querySelector('#entry-amount-error')")
        self.phone.sent()
        self.assertEqual(self.household.entry("Bananas")["desiredQuantity"], 1.5)

    def test_entries_stand_by_category_and_name_and_the_field_finds_them(self):
        titles = self.phone.value("[...document.querySelectorAll('#main .kind')].map(({ textContent }) => textContent)")
        *categories, other, basket = titles
        self.assertEqual((categories, other, basket), (sorted(categories), "Other", "In the basket"))
        entries = {entry["name"]: entry for entry in self.household.entries()}
        names = self.phone.names()
        self.assertEqual(set(names), set(entries))
        self.assertEqual([entries[name]["isCompleted"] for name in names], sorted(entry["isCompleted"] for entry in entries.values()))
        self.phone.fill("#add", "BANÄN")
        self.phone.until("document.querySelector('#offer-0')?.textContent.includes('on the list: 7')")

    def test_an_amount_is_changed_by_taps_that_are_one_act_and_by_typing(self):
        before, commits = self.household.entry("Bananas")["desiredQuantity"], self.household.commits()
        self.phone.tap(f"#amount-{self.bananas}")
        for _ in range(3):
            self.phone.tap(f"#amount-{self.bananas}-more")
        self.phone.until(f"document.querySelector('#amount-{self.bananas}')?.value === '10'")
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

    def test_an_empty_list_says_how_to_begin(self):
        for entry in self.household.entries():
            self.household.larder("shop", "remove", entry["id"])
        self.phone.until("document.querySelector('#main .quiet')?.textContent.includes('Nothing on the list')", seconds=15)
        self.assertAccessible("the empty list")
        self.phone.tap("#see-low")
        self.phone.until("document.querySelector('#all-low') && document.activeElement.id === 'add'")
        self.phone.value("document.activeElement.blur()")
        self.phone.picture("list-empty")
