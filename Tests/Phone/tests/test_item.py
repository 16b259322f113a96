"""The sheet of an item: how much, where it lies, and what is wrong at the field."""

from .test_stock import StockTest, day


class Item(StockTest):
    def open_row(self, name, *words, quantity="1", unit="piece"):
        """Makes an item, opens its sheet and the first row of where it lies; returns the ids of item and row."""
        item = self.make(name, *words, quantity=quantity, unit=unit)
        self.open_item(item)
        row = self.phone.value("document.querySelector('#item [id^=part-]').id.slice(5)")
        self.phone.tap(f"#part-{row}")
        return item, row

    def chip(self, sheet, text):
        """Taps a chip by its words."""
        self.phone.value(f"void [...document.querySelectorAll('#{sheet} .chip')].find((chip) => chip.textContent === '{text}').setAttribute('data-wanted', '')")
        self.phone.tap(f"#{sheet} [data-wanted]")
        self.phone.value("document.querySelector('[data-wanted]')?.removeAttribute('data-wanted')")

    def kept(self):
        """Waits until what was made is answered."""
        self.phone.until("document.querySelectorAll('dialog').length < 2")
        self.phone.sent()

    def test_it_uses_puts_counts_throws_away_and_puts_on_the_list(self):
        before = self.there("Milk")
        self.open_item(self.id("Milk"))
        self.assertEqual(self.phone.value("document.activeElement.id"), "item-title", "no keyboard comes up")
        self.phone.picture("item")
        self.phone.fill("#item-amount", "0,25 l")
        self.phone.tap("#item-use")
        self.phone.until("document.querySelector('#said').textContent.includes('Used: Milk, 0.25 l, of what was open')")
        self.phone.sent()
        self.assertAlmostEqual(self.there("Milk"), before - 0.25)
        self.phone.tap("#item-spoil")
        self.phone.fill("#spoil-much", "250 ml")
        self.phone.fill("#spoil-note", "sour")
        self.phone.tap("#spoil-do")
        self.kept()
        self.assertAlmostEqual(self.there("Milk"), before - 0.5)
        self.assertIn("sour", self.household.larder("waste"))
        self.phone.tap("#item-count")
        self.phone.fill("#count-much", "5 l")
        self.phone.tap("#count-do")
        self.phone.until("document.querySelector('#item .sum').textContent.startsWith('5 l')")
        self.phone.tap("#item-want")
        self.phone.sent()
        self.assertEqual(self.there("Milk"), 5)
        self.assertIsNotNone(self.household.entry("Milk"))
        self.phone.until("document.querySelector('#item').textContent.match(/You:? count(ed)? 5 l/)", seconds=10)

    def test_put_says_where_and_until_when_in_its_button_and_is_two_taps_when_all_is_usual(self):
        self.household.larder("stock", "edit", "Milk", "--place", "Fridge", "--keeps", "7d")
        milk = self.id("Milk")
        self.phone.until("import('/state.js').then(({ drawn }) => drawn().items.find(({ name }) => name === 'Milk').keepsDays)", seconds=15)
        before = self.there("Milk")
        self.open_item(milk)
        self.phone.taps = 0
        self.phone.tap("#item-put")
        words = self.phone.until("document.querySelector('#put-do')?.textContent")
        self.assertRegex(words, r"^Put [\d.]+ l in the fridge, until \d+ \w+( \d+)?$")
        self.phone.picture("put")
        self.assertAccessible("put")
        self.phone.tap("#put-do")
        self.assertEqual(self.phone.taps, 2)
        self.kept()
        self.assertAlmostEqual(self.there("Milk"), before + float(words.split()[1]))
        usual = next(batch for batch in self.batches("Milk") if batch.get("expiryInfo", {}).get("isoDate") == day(7))
        self.assertEqual(usual["storageLocationId"], self.place("Fridge"))
        self.phone.tap("#item-put")
        self.phone.fill("#put-much", "3 l")
        self.chip("put", "Cellar")
        self.chip("put", "+1 m")
        self.phone.until("document.querySelector('#put-do').textContent.startsWith('Put 3 l in the cellar, until')")
        self.chip("put", "+1 m")
        self.phone.until("document.querySelector('#put-do').textContent === 'Put 3 l in the cellar'")
        self.phone.tap("#put-do")
        self.kept()
        there = next(batch for batch in self.batches("Milk") if batch.get("storageLocationId") == self.place("Cellar"))
        self.assertEqual((there["quantity"], there.get("expiryInfo")), (3, None), "no date is no date, whatever is usual")

    def test_a_place_is_made_where_it_is_needed(self):
        self.open_item(self.id("Milk"))
        self.phone.tap("#item-put")
        self.phone.tap("#put-place-new")
        self.phone.fill("#place-name", "Fridge")
        self.phone.tap("#place-do")
        self.phone.until("document.querySelector('#place [role=alert]')?.textContent.includes('Fridge is there already')")
        self.phone.fill("#place-name", "Mum’s shelf")
        self.phone.tap("#place-do")
        self.phone.until("document.querySelector('#put-do')?.textContent.includes(': Mum’s shelf')")
        self.phone.tap("#put-do")
        self.kept()
        self.assertIn(self.place("Mum’s shelf"), [batch.get("storageLocationId") for batch in self.batches("Milk")])

    def test_a_row_is_used_opened_moved_dated_and_thrown_away(self):
        cream, row = self.open_row("Cream", "--expiry", day(9), "--location", "Fridge", quantity="3")
        self.assertIn("In the fridge", self.phone.text(f"#part-{row}"))
        self.phone.picture("item-row")
        self.assertAccessible("a row of where it lies")
        self.phone.tap(f"#move-{row}")
        self.chip("move", "Freezer")
        self.phone.tap("#move-date-m6")
        self.phone.until("document.querySelector('#move-do').textContent.startsWith('Move 3 to the freezer, until')")
        self.phone.tap("#move-do")
        self.phone.until(f"document.querySelector('#part-{row}')?.textContent.includes('In the freezer')")
        self.kept()
        self.assertEqual(self.batches("Cream")[0]["storageLocationId"], self.place("Freezer"))
        self.assertIn("expiryInfo", self.batches("Cream")[0])
        self.phone.tap(f"#date-{row}")
        self.phone.pick_day("#date-date-other", day(40))
        self.phone.tap("#date-do")
        self.kept()
        self.assertEqual(self.batches("Cream")[0]["expiryInfo"]["isoDate"], day(40))
        self.phone.tap(f"#use-{row}")
        self.phone.fill("#use-much", "1")
        self.phone.tap("#use-do")
        self.kept()
        self.assertEqual(self.there("Cream"), 2)
        self.phone.tap(f"#spoil-{row}")
        self.phone.tap("#spoil-do")
        self.kept()
        self.assertEqual(self.there("Cream"), 0)
        self.phone.until("document.querySelector('#item .sum').textContent.includes('none left') && !document.querySelector('#item-use, #item-spoil, #item [id^=part-]')")

    def test_what_lies_in_no_batch_is_a_row_with_the_same_verbs(self):
        tofu, row = self.open_row("Tofu", quantity="3")
        self.assertEqual(self.phone.text(f"#part-{row} > span"), "No place yetno date")
        self.phone.tap(f"#date-{row}")
        self.phone.fill("#date-much", "1")
        self.phone.tap("#date-date-w1")
        self.phone.tap("#date-do")
        self.kept()
        self.assertEqual([(batch["quantity"], batch["expiryInfo"]["isoDate"]) for batch in self.batches("Tofu")], [(1, day(7))])
        self.phone.tap(f"#move-{row}")
        self.phone.fill("#move-much", "1")
        self.chip("move", "Freezer")
        self.phone.tap("#move-do")
        self.kept()
        self.assertEqual(self.there("Tofu"), 3)
        self.assertIn(self.place("Freezer"), [batch.get("storageLocationId") for batch in self.batches("Tofu")])
        self.phone.tap(f"#open-{row}")
        self.phone.until(f"[...document.querySelectorAll('#item [id^=part-]')].some(({{ textContent }}) => textContent.includes('open since'))")
        self.phone.sent()
        self.assertIn("openedInfo", str(self.batches("Tofu")))
        self.assertEqual(len(self.batches("Tofu")), 3)

    def test_a_carton_is_opened_with_two_taps_and_a_part_goes_to_the_freezer_with_five(self):
        soup = self.make("Soup", "--expiry", day(9), "--location", "Fridge", quantity="1", unit="liter")
        self.open_item(soup)
        row = self.batches("Soup")[0]["id"]
        self.phone.taps = 0
        self.phone.tap(f"#part-{row}")
        self.phone.tap(f"#open-{row}")
        self.assertEqual(self.phone.taps, 2)
        self.phone.sent()
        self.assertIn("openedInfo", self.batches("Soup")[0])
        self.phone.tap(f"#part-{row}")
        self.phone.taps = 0
        self.phone.tap(f"#part-{row}")
        self.phone.tap(f"#move-{row}")
        self.phone.tap("#move-much-less")
        self.chip("move", "Freezer")
        self.phone.tap("#move-do")
        self.assertEqual(self.phone.taps, 5)
        self.kept()
        self.assertEqual(sorted(batch["quantity"] for batch in self.batches("Soup")), [0.25, 0.75])

    def test_three_things_are_cooked_with_nine_taps(self):
        before = {name: self.there(name) for name in ("Eggs", "Butter", "Onions")}
        self.phone.taps = 0
        for name in before:
            item = self.id(name)
            self.open_item(item)
            self.phone.tap("#item-use")
            self.phone.tap("#item-close")
            self.phone.until("!document.querySelector('dialog')")
        self.assertLessEqual(self.phone.taps, 9)
        self.phone.sent()
        self.assertTrue(all(self.there(name) < there for name, there in before.items()))


class Errors(StockTest):
    def error(self, field):
        """What is said at a field, which says that it is wrong."""
        self.phone.until(f"document.querySelector('#{field}[aria-invalid=true]')?.getAttribute('aria-describedby') === '{field}-error' && document.querySelector('#{field}-error[role=alert]')")
        return self.phone.text(f"#{field}-error > span")

    def test_more_than_there_is_is_said_at_the_field_and_all_there_is_is_used(self):
        self.open_item(self.id("Milk"))
        self.phone.fill("#item-amount", "9 l")
        self.phone.tap("#item-use")
        self.assertEqual(self.error("item-amount"), "Only 3.75 l is there.")
        self.phone.picture("item-toomuch")
        self.assertAccessible("too much")
        self.phone.fill("#item-amount", "3 l")
        self.phone.until("!document.querySelector('#item-amount-error')")
        for text, said in (("ein paar", "“ein paar” is no amount: 2, 750 g, ½ l"), ("0", "How much?"), (" ", "How much?"), ("9 l", "Only 3.75 l is there.")):
            self.phone.fill("#item-amount", text)
            self.phone.tap("#item-use")
            self.assertEqual(self.error("item-amount"), said)
        self.phone.fill("#item-amount", "99999999999999 l")
        self.phone.tap("#item-put")
        self.assertEqual(self.error("item-amount"), "That is too much to keep.")
        self.assertEqual(self.phone.made(), [])
        self.phone.fill("#item-amount", "9 l")
        self.phone.tap("#item-use")
        self.phone.tap("#item-amount-fix")
        self.phone.sent()
        self.assertEqual(self.there("Milk"), 0)

    def test_small_sheets_say_it_too(self):
        self.open_item(self.id("Milk"))
        part = self.phone.value("document.querySelector('#item [id^=part-]').id.slice(5)")
        self.phone.tap("#item-spoil")
        self.phone.fill("#spoil-much", "9 l")
        self.phone.tap("#spoil-do")
        self.assertEqual(self.error("spoil-much"), "Only 3.75 l is there.")
        self.assertEqual(self.phone.text("#spoil-much-fix"), "Throw away 3.75 l")
        self.phone.close_sheet()
        self.phone.tap(f"#part-{part}")
        self.phone.tap(f"#use-{part}")
        self.phone.fill("#use-much", "2 l")
        self.phone.tap("#use-do")
        self.assertEqual(self.error("use-much"), "Only 0.5 l is there.")
        self.phone.close_sheet()
        self.phone.tap(f"#move-{part}")
        self.phone.tap("#move-do")
        self.phone.until("document.querySelector('#move-place-error')?.textContent.includes('It is in the fridge already.')")
        self.assertEqual(self.phone.made(), [])

    def test_the_name_of_what_is_there_or_archived_is_said_while_it_is_typed(self):
        self.make("Smoked tofu")
        self.household.larder("stock", "archive", "smoked tofu")
        self.phone.until("import('/state.js').then(({ drawn }) => drawn().archived?.length)", seconds=15)
        self.phone.tap("#new-item")
        self.phone.fill("#new-name", "milk")
        self.assertEqual(self.error("new-name"), "Milk is there: 3.75 l")
        self.phone.picture("new-exists")
        self.assertAccessible("a name that is there")
        self.phone.tap("#new-do")
        self.phone.tap("#new-name-fix")
        self.phone.until("document.querySelector('#item-title')?.textContent.startsWith('Milk')")
        self.phone.close_sheet()
        self.phone.tap("#new-item")
        self.phone.fill("#new-name", "smoked tofu")
        self.assertRegex(self.error("new-name"), r"^Smoked tofu is archived since \d+ \w+\.$")
        self.phone.tap("#new-name-fix")
        self.phone.until("!document.querySelector('#new')")
        self.phone.sent()
        self.assertEqual(self.household.item("Smoked tofu")["total"], 1)

    def test_fields_of_an_item_say_what_they_need(self):
        self.open_item(self.id("Milk"))
        self.phone.tap("#item-edit")
        for field, text, said in (("quantityFullStock", "viele", "“viele” is no number."), ("name", " ", "An item needs a name."), ("name", "eggs", "Eggs is there: 6"), ("unit", "", "An item is counted in something, such as “piece” or “g”.")):
            old = self.phone.value(f"document.querySelector('#edit-{field}').value")
            self.phone.fill(f"#edit-{field}", text)
            self.phone.tap("#edit-do")
            self.assertEqual(self.error(f"edit-{field}"), said)
            self.phone.fill(f"#edit-{field}", old)
        self.assertEqual(self.phone.made(), [])


class Forms(StockTest):
    def test_a_new_item_has_a_place_and_days_and_a_date_for_what_is_there_now(self):
        self.phone.tap("#new-item")
        typed = {"name": "Oat cream", "now": "2,5 l", "category": "Dairy", "quantityFullStock": "4", "quantityMinimum": "500 ml", "keepsDays": "21", "aliases": "Hafersahne, oat single", "note": "the green one"}
        for name, text in typed.items():
            self.phone.fill(f"#new-{name}", text)
        fridge = self.place("Fridge")
        self.phone.tap(f"#new-place-{fridge}")
        self.phone.tap("#new-date-w2")
        self.phone.tap("#new-do")
        self.phone.until("!document.querySelector('#new')")
        self.phone.sent()
        item = self.household.item("Oat cream")
        self.assertEqual((item["total"], item["unit"], item["category"], item["quantityFullStock"], item["quantityMinimum"], item["keepsDays"]), (2.5, "liter", "Dairy", 4, 0.5, 21))
        self.assertEqual((item["aliases"], item["note"], item["storageLocationId"]), (["Hafersahne", "oat single"], "the green one", fridge))
        self.assertEqual([(batch["quantity"], batch["expiryInfo"]["isoDate"], batch["storageLocationId"]) for batch in self.batches("Oat cream")], [(2.5, day(14), fridge)])

    def test_every_field_of_an_item_is_changed_in_its_sheet_and_an_item_is_archived(self):
        milk = self.id("Milk")
        self.open_item(milk)
        self.phone.tap("#item-edit")
        typed = {"name": "Whole milk", "category": "Fridge", "quantityFullStock": "8", "quantityMinimum": "1,5", "keepsDays": "6", "aliases": "Milch, lait", "note": "the blue one"}
        for name, text in typed.items():
            self.phone.fill(f"#edit-{name}", text)
        self.phone.tap("#edit-do")
        self.phone.until("!document.querySelector('#edit')")
        self.phone.sent()
        item = self.household.item("Whole milk")
        self.assertEqual(item["aliases"], ["Milch", "lait"])
        numbers = [item[name] for name in ("quantityFullStock", "quantityMinimum", "keepsDays")]
        self.assertEqual((item["category"], item["note"], numbers), ("Fridge", "the blue one", [8, 1.5, 6]))
        self.assertIn("low below 1.5 l", self.phone.text("#item"))
        self.phone.tap("#item-edit")
        self.phone.tap("#edit-archive")
        self.phone.until(f"!document.querySelector('#name-{milk}')")
        self.phone.sent()
        self.assertNotIn("Whole milk", [item["name"] for item in self.household.json("stock")["items"]])
