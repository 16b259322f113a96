"""The stock, an item's sheet with its batches, and what is due."""

from datetime import date, timedelta

from .support import PhoneTest


def day(days):
    return (date.today() + timedelta(days)).isoformat()


class Stock(PhoneTest):
    def setUp(self):
        super().setUp()
        self.phone.tab("stock")
        self.milk = self.household.item("Milk")["id"]

    def milk_there(self):
        return self.household.item("Milk")["total"]

    def open_item(self, id):
        self.phone.tap(f"#name-{id}")
        self.phone.until("document.querySelector('dialog #item-use')")

    def place(self, name):
        return next(place["id"] for place in self.household.json("location", "list")["items"] if place["name"] == name)

    def batches(self, name):
        return self.household.json("show", name)["item"]["batches"]

    def test_minus_and_plus_use_and_put_and_are_taken_back(self):
        before = self.milk_there()
        self.phone.tap(f"#put-{self.milk}")
        self.phone.sent()
        step = self.milk_there() - before
        self.assertGreater(step, 0)
        self.phone.tap(f"#use-{self.milk}")
        self.phone.tap(f"#use-{self.milk}")
        self.phone.sent()
        self.assertAlmostEqual(self.milk_there(), before - step)
        self.phone.tap("#undo")
        self.phone.sent()
        self.assertAlmostEqual(self.milk_there(), before)

    def test_what_is_used_up_comes_to_the_list_by_itself(self):
        bread = self.household.item("Bread")
        self.assertIsNone(self.household.entry("Bread"))
        self.phone.tap(f"#use-{bread['id']}")
        self.phone.until(f"document.querySelector('#amount-{bread['id']}').textContent.includes('none')")
        self.phone.sent()
        self.phone.tab("list")
        self.phone.until("document.querySelector('#main').textContent.includes('Bread')")
        self.assertIsNotNone(self.household.entry("Bread"))

    def test_search_finds_by_name_other_name_and_category_and_makes_a_new_item_of_what_is_not_there(self):
        everything = len(self.phone.names())
        self.phone.fill("#search", "MILK")
        self.phone.until("document.querySelectorAll('#main .row').length < 5")
        self.assertIn("Milk", self.phone.names())
        self.phone.fill("#search", "dairy")
        self.phone.until("document.querySelectorAll('#main .row').length > 3")
        self.assertLess(len(self.phone.names()), everything)
        self.phone.fill("#search", "Quittengelee")
        self.phone.tap("#new-found")
        self.phone.until("document.querySelector('#new-name')?.value === 'Quittengelee'")
        self.phone.fill("#new-category", "Pantry")
        self.phone.fill("#new-quantity", "2,5")
        self.phone.fill("#new-unit", "kg")
        self.phone.tap("#new-do")
        self.phone.until("document.querySelector('#main .row')?.textContent.includes('2.5 kg')")
        self.phone.sent()
        item = self.household.item("Quittengelee")
        self.assertEqual((item["total"], item["unit"], item["category"]), (2.5, "kilogram", "Pantry"))

    def test_filters_show_what_is_low_or_due_of_a_category_or_at_a_place(self):
        for words, act in (("low", lambda: self.phone.tap("#filter-low")), ("category:frozen", lambda: self.phone.choose("#filter-category", "Frozen"))):
            act()
            wanted = {item["name"] for item in self.household.json(*(["low"] if words == "low" else ["stock", "list", words]))["items"]}
            self.phone.until(f"document.querySelectorAll('#main .row').length === {len(wanted)}")
            self.assertEqual(set(self.phone.names()), wanted, words)
            self.phone.tap("#filter-low") if words == "low" else self.phone.choose("#filter-category", "Category")
        self.phone.tap("#filter-due")
        due = {batch["name"] for words in (["due"], ["stock", "expired"]) for batch in self.household.json(*words)["items"]}
        self.phone.until(f"document.querySelectorAll('#main .row').length === {len(due)}")
        self.assertEqual(set(self.phone.names()), due)
        self.phone.tap("#filter-due")
        self.phone.choose("#filter-place", "Freezer")
        self.phone.until("document.querySelectorAll('#main .row').length < 10")
        self.assertIn("Salmon fillets", self.phone.names())

    def test_the_sheet_uses_puts_counts_throws_away_and_puts_on_the_list(self):
        before = self.milk_there()
        self.open_item(self.milk)
        self.phone.fill("#item-amount", "0,25 l")
        self.phone.tap("#item-use")
        self.phone.tap("#item-put")
        self.phone.sent()
        self.assertAlmostEqual(self.milk_there(), before)
        self.phone.tap("#item-spoil")
        self.phone.fill("#spoil-much", "250 ml")
        self.phone.fill("#spoil-note", "sour")
        self.phone.tap("#spoil-do")
        self.phone.until("!document.querySelector('#spoil')")
        self.phone.sent()
        self.assertAlmostEqual(self.milk_there(), before - 0.25)
        self.assertIn("sour", self.household.larder("waste"))
        self.phone.tap("#item-count")
        self.phone.fill("#count-much", "5 l")
        self.phone.tap("#count-do")
        self.phone.until("document.querySelector('#item .sum').textContent.startsWith('5 l')")
        self.phone.tap("#item-want")
        self.phone.sent()
        self.assertEqual(self.milk_there(), 5)
        self.assertIsNotNone(self.household.entry("Milk"))
        self.phone.until("document.querySelector('#item').textContent.includes(\"Mira's phone put\")", seconds=10)

    def test_what_is_no_amount_and_no_number_is_said_and_nothing_is_done(self):
        before = self.milk_there()
        self.open_item(self.milk)
        self.phone.fill("#item-amount", "ein paar")
        self.phone.tap("#item-use")
        self.phone.until("document.querySelector('#said').textContent.includes('“ein paar” is no amount')")
        self.phone.tap("#item-edit")
        self.phone.fill("#edit-quantityFullStock", "viele")
        self.phone.tap("#edit-do")
        self.phone.until("document.querySelector('#edit [role=alert]')?.textContent.includes('“viele” is no number')")
        self.assertAccessible("a number that is none")
        self.phone.fill("#edit-quantityFullStock", "7")
        self.phone.fill("#edit-name", " ")
        self.phone.tap("#edit-do")
        self.phone.until("document.querySelector('#edit [role=alert]')?.textContent.includes('needs a name')")
        self.phone.fill("#edit-name", "Milk")
        self.phone.fill("#edit-unit", "")
        self.phone.tap("#edit-do")
        self.phone.until("document.querySelector('#edit [role=alert]')?.textContent.includes('is counted in something')")
        self.assertEqual(self.phone.made(), [])
        self.phone.close_sheet()
        self.phone.fill("#item-amount", "1/4 l")
        self.phone.tap("#item-use")
        self.phone.sent()
        self.assertAlmostEqual(self.milk_there(), before - 0.25)

    def test_every_field_of_an_item_is_changed_in_its_sheet_and_an_item_is_archived(self):
        self.open_item(self.milk)
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
        self.phone.tap("#item-edit")
        self.phone.tap("#edit-archive")
        self.phone.until(f"!document.querySelector('#name-{self.milk}')")
        self.phone.sent()
        self.assertNotIn("Whole milk", [item["name"] for item in self.household.json("stock")["items"]])

    def test_a_batch_is_moved_dated_opened_and_thrown_away(self):
        self.household.larder("stock", "new", "Cream", "--unit", "piece")
        self.household.larder("put", "cream", "3", "--expiry", day(9), "--location", "Fridge")
        cream = self.household.item("Cream")["id"]
        batch = self.batches("Cream")[0]["id"]
        self.phone.until(f"document.querySelector('#name-{cream}')", seconds=15)
        self.open_item(cream)
        self.phone.tap(f"#batch-{batch}")
        self.phone.tap(f"#move-{batch}")
        self.phone.choose("#move-place", "Freezer")
        self.phone.tap("#move-do")
        self.phone.until(f"document.querySelector('#batch-{batch}')?.textContent.includes('Freezer')")
        self.phone.tap(f"#date-{batch}")
        self.phone.pick_day("#date-expiry", day(40))
        self.phone.tap("#date-do")
        self.phone.until("!document.querySelector('#date')")
        self.phone.sent()
        moved = self.batches("Cream")[0]
        self.assertEqual(moved["expiryInfo"]["isoDate"], day(40))
        self.assertEqual(moved["storageLocationId"], self.place("Freezer"))
        self.phone.tap(f"#open-{batch}")
        self.phone.tap("#open-do")
        self.phone.sent()
        self.assertIn("openedInfo", str(self.batches("Cream")))

    def test_what_is_due_is_used_thrown_away_or_frozen(self):
        for name in ("Quark", "Skyr", "Kefir"):
            self.household.larder("stock", "new", name, "--unit", "piece")
            self.household.larder("put", name, "1", "--expiry", day(1), "--location", "Fridge")
        batches = {name: self.batches(name)[0]["id"] for name in ("Quark", "Skyr", "Kefir")}
        self.phone.tab("due")
        self.phone.until(f"document.querySelector('#use-{batches['Quark']}')", seconds=15)
        self.phone.tap(f"#use-{batches['Quark']}")
        self.phone.tap(f"#spoil-{batches['Skyr']}")
        self.phone.tap(f"#move-{batches['Kefir']}")
        self.phone.until(" && ".join(f"!document.querySelector('#use-{id}')" for id in batches.values()))
        self.phone.sent()
        self.assertEqual([self.household.item(name)["total"] for name in batches], [0, 0, 1])
        self.assertIn("Skyr", self.household.larder("waste"))
        self.assertEqual(self.batches("Kefir")[0]["storageLocationId"], self.place("Freezer"))
        self.assertNotIn("Kefir", self.household.larder("due"))
        self.phone.until(" && ".join(f"!document.querySelector('#use-{id}')" for id in batches.values()))

    def test_what_has_expired_is_apart_from_what_is_past_its_best(self):
        for name, words in (("Quark", ["--use-by", day(-1), "--confidence", "0.97"]), ("Skyr", ["--best-before", day(-2)]), ("Kefir", ["--use-by", day(-3), "--confidence", "0.5"])):
            self.household.larder("stock", "new", name, "--unit", "piece")
            self.household.larder("put", name, "1", "--location", "Fridge", *words)
        self.phone.tab("due")
        heading = "document.querySelector('#name-{}')?.closest('section').querySelector('h2').textContent"
        for name, said in (("Quark", "Expired"), ("Skyr", "Past its best"), ("Kefir", "Past its best")):
            self.phone.until(f"{heading.format(self.batches(name)[0]['id'])}?.includes('{said}')", seconds=15)
        self.assertEqual(self.phone.value("document.querySelectorAll('#main h2.mark').length"), 2)

    def test_amounts_are_said_and_read_as_the_program_does(self):
        units = ["tin", "box", "bunch", "glass", "loaf", "pouch", "case", "dose", "pack", "liter", "gram", "piece", "becher"]
        for unit in units:
            (self.household.home / "stock" / f"of-{unit.lower()}.json").write_text(f'{{"name": "Of {unit}", "unit": "{unit}", "quantityInStock": 2}}')
        self.household.larder("adopt")
        table = self.household.larder("stock")
        for unit in units:
            shown = self.phone.value(f"import('/amounts.js').then(({{ amount }}) => amount(2, '{unit}'))")
            self.assertRegex(table, rf"(?m)^Of {unit} +{shown}(  |$)")
            read = self.phone.value(f"import('/amounts.js').then(({{ parseAmount }}) => parseAmount('{shown}', '{unit}'))")
            self.assertEqual(read, {"quantity": 2, "unit": unit})
