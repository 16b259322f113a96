"""The stock: its groups, what one tap takes, and the search."""

from datetime import date, timedelta

from .support import PhoneTest


def day(days):
    return (date.today() + timedelta(days)).isoformat()


class StockTest(PhoneTest):
    def setUp(self):
        super().setUp()
        self.phone.tab("stock")

    def id(self, name):
        return self.household.item(name)["id"]

    def there(self, name):
        return self.household.item(name)["total"]

    def place(self, name):
        return next(place["id"] for place in self.household.json("location", "list")["items"] if place["name"] == name)

    def batches(self, name):
        found = self.household.json("show", name)["item"]["batches"]
        return [{**batch, "quantity": batch["quantity"]["value"]} for batch in found]

    def make(self, name, *words, quantity="1", unit="piece"):
        """Makes an item, with a batch if words say more of it."""
        self.household.larder("stock", "new", name, "--unit", unit)
        self.household.larder("put", name, quantity, *words)
        item = self.id(name)
        self.phone.until(f"document.querySelector('#name-{item}') || (document.querySelector('#main').scrollBy(0, 500), false)", seconds=15)
        return item

    def open_item(self, id):
        self.phone.tap(f"#name-{id}")
        self.phone.until("document.querySelector('dialog #item-put')")

    def sections(self):
        """The headings with their numbers, when all rows are built: `{title: [names]}`."""
        return dict(self.phone.value("""(async () => {
          const main = document.querySelector('#main');
          for (let count = -1, still = 0; still < 6; await new Promise((done) => setTimeout(done, 60))) {
            const rows = main.querySelectorAll('.row').length;
            still = rows === count ? still + 1 : 0;
            count = rows;
            main.scrollTop = 1e6;
          }
          const found = [...main.querySelectorAll('section')].map((section) => [section.querySelector('h2')?.textContent ?? '', [...section.querySelectorAll('.row .name > span:first-child')].map((name) => name.textContent)]);
          main.scrollTop = 0;
          return found;
        })()"""))


class Stock(StockTest):
    def test_minus_and_plus_take_what_stands_between_them_and_are_taken_back(self):
        milk = self.id("Milk")
        before = self.there("Milk")
        row = f"document.querySelector('#use-{milk}').closest('.row')"
        much = self.phone.value(f"{row}.querySelector('.pm small').textContent")
        self.assertEqual(self.phone.value(f"['use', 'put'].map((kind) => document.getElementById(kind + '-{milk}').getAttribute('aria-label'))"), [f"Milk: use {much}", f"Milk: put {much}"])
        self.phone.tap(f"#use-{milk}")
        self.phone.sent()
        self.assertAlmostEqual(self.there("Milk"), before - float(much.split()[0]))
        self.phone.tap("#undo")
        self.phone.sent()
        self.assertAlmostEqual(self.there("Milk"), before)
        self.open_item(milk)
        self.assertEqual(self.phone.value("document.querySelector('#item-amount').value"), much, "the sheet takes the same")
        self.phone.taps = 0
        self.phone.tap("#item-use")
        self.assertEqual(self.phone.taps, 1)
        self.phone.sent()
        self.assertAlmostEqual(self.there("Milk"), before - float(much.split()[0]))

    def test_a_row_and_its_number_stay_where_they_are_while_one_taps(self):
        syrup = self.make("Syrup", "--location", "Fridge", "--expiry", "+1d", quantity="400", unit="milliliter")
        self.household.larder("put", "Syrup", "120 ml", "--location", "Cellar", "--expiry", "+20d")
        self.phone.until(f"document.querySelector('#amount-{syrup}').textContent === '520 ml'", seconds=15)
        title = f"document.querySelector('#name-{syrup}').closest('section').querySelector('h2').textContent"
        self.phone.tab("list")
        self.phone.tab("stock")
        self.assertRegex(self.phone.value(title), "^Fridge")
        for left in range(470, -1, -50):
            self.phone.tap(f"#use-{syrup}")
            self.phone.until(f"document.querySelector('#amount-{syrup}').textContent.startsWith('{left} ml')")
            self.assertRegex(self.phone.value(title), "^Fridge")
            self.assertEqual(self.phone.text(f".pm:has(#use-{syrup}) small"), "50 ml")
            if left == 70:
                self.phone.tab("list")
                self.phone.tab("stock")
                self.assertRegex(self.phone.value(title), "^Cellar", "it is looked at anew")
                break
        for left in (20, 0):
            self.phone.tap(f"#use-{syrup}")
            self.phone.until(f"document.querySelector('#amount-{syrup}').textContent.startsWith('{left}')")
        self.phone.sent()
        self.assertEqual((self.there("Syrup"), self.phone.refused()), (0, []))

    def test_ten_quick_taps_are_one_act_and_one_message(self):
        apples = self.id("Apples")
        before, commits = self.there("Apples"), self.household.commits()
        self.phone.choose("#order", "A–Z")
        self.phone.until(f"document.getElementById('put-{apples}')")
        self.phone.value(f"void (async () => {{ for (let count = 0; count < 10; count++) {{ document.getElementById('put-{apples}').click(); await new Promise((done) => setTimeout(done, 60)); }} }})()")
        self.phone.until("document.querySelector('#said')?.textContent.includes('Apples, 10')")
        self.phone.sent()
        self.assertEqual((self.there("Apples"), self.household.commits(), len(self.phone.made())), (before + 10, commits + 1, 1))
        self.phone.tap("#undo")
        self.phone.sent()
        self.assertEqual(self.there("Apples"), before)

    def test_minus_at_zero_says_that_nothing_is_left(self):
        bananas = self.id("Bananas")
        self.phone.tap(f"#use-{bananas}")
        self.phone.until("document.querySelector('#said[role=status]')?.textContent.includes('No Bananas left')")
        self.assertEqual(self.phone.made(), [])

    def test_what_is_used_up_comes_to_the_list_by_itself(self):
        bread = self.id("Bread")
        self.assertIsNone(self.household.entry("Bread"))
        self.phone.tap(f"#use-{bread}")
        self.phone.until(f"document.querySelector('#amount-{bread}').textContent.includes('none')")
        self.phone.sent()
        self.phone.tab("list")
        self.phone.until("document.querySelector('#main').textContent.includes('Bread')")
        self.assertIsNotNone(self.household.entry("Bread"))

    def test_it_is_grouped_by_place_category_name_and_day_and_the_choice_is_kept(self):
        items = self.household.json("stock")["items"]
        self.make("Box 2")
        self.make("Box 12")
        count = len(items) + 2
        by_place = self.sections()
        self.assertEqual(sum(map(len, by_place.values())), count, "each item stands once")
        self.assertTrue(list(by_place)[-1].startswith("No place yet"))
        fridge = next(title for title in by_place if title.startswith("Fridge"))
        self.assertIn("Milk", by_place[fridge])
        self.assertEqual(fridge, f"Fridge {len(by_place[fridge])}")
        salmon = next(title for title, names in by_place.items() if "Salmon fillets" in names)
        self.assertTrue(salmon.startswith("Freezer"), "most of it is there")
        self.assertIn("Freezer, Fridge", self.phone.text(f"#name-{self.id('Salmon fillets')}"))
        nowhere = list(by_place.values())[-1]
        self.assertLess(nowhere.index("Box 2"), nowhere.index("Box 12"), "numbers in names count as numbers")
        self.phone.picture("stock")
        self.phone.choose("#order", "By category")
        self.phone.until("document.querySelector('#main h2').textContent.startsWith('Bakery')")
        self.assertIn("Milk", next(names for title, names in self.sections().items() if title.startswith("Dairy")))
        self.phone.choose("#order", "A–Z")
        self.phone.until("!document.querySelector('#main h2')")
        self.phone.tab("list")
        self.phone.tab("stock")
        self.assertEqual(self.phone.value("document.querySelector('#order').value"), "name", "the choice is kept")
        self.phone.choose("#order", "What is due first")
        self.phone.until("document.querySelector('#main .row small')?.textContent.match(/expired|past/)")
        self.phone.choose("#order", "Freezer")
        self.phone.until("document.querySelector('#main h2').textContent.startsWith('Freezer')")
        self.assertIn("Salmon fillets", self.phone.names())
        self.assertAccessible("stock")

    def test_low_and_due_show_what_is_low_or_due(self):
        for name, command in (("low", ["low"]), ("due", None)):
            self.phone.tap(f"#filter-{name}")
            wanted = {item["name"] for words in ([command] if command else [["due"], ["stock", "expired"]]) for item in self.household.json(*words)["items"]}
            self.phone.until(f"document.querySelectorAll('#main .row').length === {len(wanted)}")
            self.assertEqual({name for names in self.sections().values() for name in names}, wanted)
            self.assertEqual(self.phone.text(f"#filter-{name}"), f"{name.capitalize()} {len(wanted)}")
            self.phone.tap(f"#filter-{name}")

    def test_the_search_looks_everywhere_and_is_emptied_when_one_leaves(self):
        self.household.larder("stock", "edit", "Honey", "--note", "from the market at Ely")
        self.phone.until(f"import('/state.js').then(({{ drawn }}) => drawn().items.some(({{ note }}) => note?.includes('Ely')))", seconds=15)
        self.phone.tap("#filter-low")
        for words, name in (("MILK", "Milk"), ("dairy", "Milk"), ("creme fraiche", "Crème fraîche"), ("ely", "Honey")):
            self.phone.fill("#search", words)
            self.phone.until(f"document.querySelectorAll('#main .row').length < 12 && document.querySelector('#main').textContent.includes('{name}')")
            self.assertIn(name, self.phone.names())
        self.phone.tap("#filter-low") if self.phone.count("#filter-low") else None
        self.phone.tab("list")
        self.phone.tab("stock")
        self.assertEqual(self.phone.value("document.querySelector('#search').value"), "")

    def test_where_one_was_is_kept(self):
        self.phone.choose("#order", "A–Z")
        self.phone.until("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
        place = self.phone.value("((main) => (main.scrollTop = 350, main.scrollTop))(document.querySelector('#main'))")
        self.assertGreater(place, 200)
        self.phone.tab("list")
        self.phone.tab("stock")
        self.phone.until(f"Math.abs(document.querySelector('#main').scrollTop - {place}) < 2")

    def test_what_is_not_found_is_made_or_bought_or_restored(self):
        self.make("Smoked tofu")
        self.household.larder("stock", "archive", "smoked tofu")
        self.phone.until("import('/state.js').then(({ drawn }) => drawn().archived?.length)", seconds=15)
        self.phone.fill("#search", "tofu")
        self.phone.until("document.querySelector('#main').textContent.includes('Nothing in the stock is called “tofu”')")
        self.assertIn("Smoked tofu", self.phone.text("#main"))
        self.phone.picture("stock-none")
        self.assertAccessible("nothing found")
        self.phone.tap("#want-found")
        self.phone.sent()
        self.assertIsNotNone(self.household.entry("tofu"))
        self.phone.tap("[id^=restore-]")
        self.phone.until("document.querySelector('#main .row')?.textContent.includes('Smoked tofu')")
        self.phone.sent()
        self.assertEqual(self.household.item("Smoked tofu")["name"], "Smoked tofu")
        self.phone.fill("#search", "Quittengelee\n")
        self.phone.until("document.querySelector('#new-name')?.value === 'Quittengelee'")

    def test_a_new_item_empties_the_search_and_its_row_has_the_focus(self):
        self.phone.fill("#search", "Zwieback")
        self.phone.tap("#new-found")
        self.phone.tap("#new-do")
        self.phone.until("!document.querySelector('#new') && document.activeElement.textContent.startsWith('Zwieback')")
        self.assertEqual(self.phone.value("document.querySelector('#search').value"), "")
        shown = "((row, main) => row.top >= main.top && row.bottom <= main.bottom)(document.activeElement.getBoundingClientRect(), document.querySelector('#main').getBoundingClientRect())"
        self.assertTrue(self.phone.value(shown))

    def test_a_row_that_waits_has_a_mark_until_it_is_sent(self):
        apples = self.id("Apples")
        row = f"document.querySelector('#put-{apples}').closest('.row')"
        self.relay.choose = lambda path: "cut"
        self.phone.tap(f"#put-{apples}")
        self.phone.until(f"{row}.classList.contains('waits') && {row}.textContent.includes('waits to be sent')")
        self.relay.choose = lambda path: None
        self.phone.sent()
        self.phone.until(f"!{row}.classList.contains('waits')")

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
