"""Due and put away: what was dealt with stays, and what was bought goes where it is kept."""

import time

from .support import PhoneTest

TWICE = (50, 150, 400)

#: What is drawn over what: the places of Undo and of the verbs that stood there.
OVERLAP = """
((undo, verbs) => verbs.filter((one) => one.left < undo.right && one.right > undo.left && one.top < undo.bottom && one.bottom > undo.top).length)
"""


class DueTest(PhoneTest):
    def due(self):
        """The batches on the screen: `[id, is struck, top below the first, height]`."""
        return self.phone.value("""[...document.querySelectorAll('#main .due')].map((row, index, all) => [row.querySelector('.go').id.slice(5),
          row.classList.contains('done'), Math.round(row.getBoundingClientRect().top - all[0].getBoundingClientRect().top), Math.round(row.getBoundingClientRect().height)])""")

    def batch(self, name="Milk", place="Fridge", days=1, quantity="1"):
        self.household.larder("stock", "new", name, "--unit", "piece")
        self.household.larder("put", name, quantity, "--expiry", f"+{days}d", "--location", place)
        return self.household.json("show", name)["item"]["batches"][0]["id"]

    def left(self, name):
        return self.household.item(name)["total"]


class Due(DueTest):
    def setUp(self):
        super().setUp()
        self.tofu = self.batch("Smoked tofu")
        self.fish = self.batch("Monkfish", quantity="4")
        self.phone.tab("due")
        self.phone.until(f"document.querySelector('#name-{self.fish}') && document.querySelector('#name-{self.tofu}')")

    def test_a_row_that_was_dealt_with_stays_where_it_is_and_is_struck_until_one_leaves(self):
        before = self.due()
        count = self.phone.text("#tab-due i")
        self.phone.tap(f"#use-{self.tofu}")
        self.phone.until(f"document.querySelector('#undo-{self.tofu}')")
        self.assertEqual([(id, top, height) for id, _, top, height in self.due()], [(id, top, height) for id, _, top, height in before])
        self.assertEqual([id for id, is_struck, *_ in self.due() if is_struck], [self.tofu])
        self.assertNotEqual(self.phone.text("#tab-due i"), count, "the number falls at once")
        self.assertEqual(self.phone.value("document.activeElement.id"), f"undo-{self.tofu}")
        self.assertIn("Smoked tofu, 1: used", self.phone.text("#due-told"))
        self.phone.sent()
        self.assertIn([self.tofu, True], [row[:2] for row in self.due()])
        self.phone.picture("due-dealt")
        self.phone.tab("stock")
        self.phone.tab("due")
        self.assertNotIn(self.tofu, [row[0] for row in self.due()])

    def test_undo_gives_the_row_and_the_focus_back(self):
        self.phone.tap(f"#spoil-{self.tofu}")
        self.phone.sent()
        self.phone.tap(f"#undo-{self.tofu}")
        self.phone.until(f"document.activeElement.id === 'spoil-{self.tofu}'")
        self.phone.sent()
        self.assertEqual(self.left("Smoked tofu"), 1)
        self.assertIn([self.tofu, False], [row[:2] for row in self.due()])

    def test_a_verb_that_is_tapped_twice_acts_once(self):
        for verb, said in (("use", "Used"), ("spoil", "Thrown away")):
            for pause in TWICE:
                with self.subTest(f"{verb} {pause}"):
                    name = f"{verb} {pause}"
                    batch = self.batch(name)
                    self.phone.until(f"document.querySelector('#{verb}-{batch}')")
                    made = len(self.phone.made())
                    self.phone.tap_twice(f"#{verb}-{batch}", pause)
                    self.phone.sent()
                    self.assertEqual(len(self.phone.made()), made + 1)
                    self.assertEqual(self.phone.text(f".due:has(#undo-{batch}) .was"), said)
                    self.assertEqual(self.left(name), 0)

    def test_the_freezer_asks_until_when_and_throws_nothing_away(self):
        for pause in TWICE:
            with self.subTest(pause):
                batch = self.batch(f"Cod {pause}")
                self.phone.until(f"document.querySelector('#move-{batch}')")
                made = len(self.phone.made())
                self.phone.tap_twice(f"#move-{batch}", pause)
                self.phone.until("document.querySelector('#freeze-day-m3[aria-pressed=true]')")
                self.assertEqual(len(self.phone.made()), made)
                if pause == TWICE[0]:
                    self.assertIn("all there is in the fridge", self.phone.text("#freeze"))
                    self.assertAccessible("to the freezer")
                    self.phone.picture("due-freeze")
                self.phone.tap_twice("#freeze-do", pause)
                self.phone.until(f"!document.querySelector('dialog') && document.querySelector('#undo-{batch}')")
                self.phone.sent()
                self.assertEqual(len(self.phone.made()), made + 1)
                moved = self.household.json("show", f"Cod {pause}")["item"]["batches"][0]
                self.assertEqual(moved["quantity"]["value"], 1)
                self.assertRegex(self.phone.text(f".due:has(#undo-{batch}) .was"), r"In the freezer, until \d+ \w+ ?\d*")
        self.phone.tab("list")
        self.phone.tab("due")
        self.assertNotIn(batch, [row[0] for row in self.due()])

    def test_a_part_goes_into_the_freezer_and_no_more_than_there_is(self):
        self.phone.tap(f"#move-{self.fish}")
        self.phone.fill("#freeze-much", "9")
        self.phone.tap("#freeze-do")
        self.phone.until("document.querySelector('#freeze-much-error')?.textContent.includes('Only 4 is there.')")
        self.phone.fill("#freeze-much", "3")
        self.phone.tap("#freeze-day-none")
        self.phone.tap("#freeze-do")
        self.phone.until("!document.querySelector('dialog')")
        self.phone.sent()
        self.assertEqual(sorted(one["quantity"]["value"] for one in self.household.json("show", "Monkfish")["item"]["batches"]), [1, 3])
        self.phone.until(f"document.querySelector('#name-{self.fish} b')?.textContent === '1'")

    def test_what_somebody_else_did_is_struck_with_who_and_when(self):
        self.household.larder("use", "Smoked tofu")
        self.phone.until(f"document.querySelector('.due.done #name-{self.tofu}')")
        self.assertFalse(self.phone.count(f"#undo-{self.tofu}"))
        self.phone.until(f"/^terminal used it, \\d\\d:\\d\\d$/.test(document.querySelector('.due.done:has(#name-{self.tofu}) .was')?.textContent)")

    def test_undo_is_never_over_a_verb_that_stood_there(self):
        for size, width in (("100%", 390), ("100%", 320), ("200%", 390), ("200%", 320)):
            with self.subTest(f"{size} {width}"):
                batch = self.batch(f"Tempeh {size} {width}")
                self.phone.value(f"void (document.documentElement.style.fontSize = '{size}')")
                self.phone.browser.resize(width, 844, False)
                self.phone.until(f"document.querySelector('#use-{batch}')")
                self.phone.value(f"document.querySelector('#use-{batch}').scrollIntoView({{ block: 'center' }})")
                before = self.due()
                self.phone.value(f"void (window.stood = ['use', 'spoil'].map((verb) => document.querySelector('#' + verb + '-{batch}').getBoundingClientRect().toJSON()))")
                self.phone.value(f"document.querySelector('#use-{batch}').click()")
                self.phone.until(f"document.querySelector('#undo-{batch}')")
                self.phone.picture(f"due-held-{size[:3]}-{width}")
                self.assertEqual([row[2:] for row in self.due()], [row[2:] for row in before])
                self.assertEqual(self.phone.value(f"{OVERLAP}(document.querySelector('#undo-{batch}').getBoundingClientRect(), window.stood)"), 0)


class Basket(DueTest):
    """A basket that is saved, and put away."""

    def basket(self, names, *, usual=(), **options):
        """Makes items, puts them on the list and ticks them; `usual` has a place and days."""
        for name in names:
            words = ["--place", usual[0], "--keeps", str(usual[1])] if usual else []
            self.household.larder("stock", "new", name, "--unit", "piece", *words)
            self.household.larder("buy", name, "2")
            self.household.larder("shop", "got", name)

    def empty_list(self):
        for entry in self.household.entries():
            self.household.larder("shop", "remove", entry["id"])

    def open_save(self, count):
        self.phone.until(f"document.querySelector('#bar')?.textContent.includes('{count}')")
        time.sleep(0.9)  # rows have moved, and nobody taps then
        self.phone.tap("#save-receipt")
        self.phone.until("document.querySelector('#save-do')")

    def lines(self):
        return {line["itemName"]: line for line in self.newest()["items"]}

    def newest(self):
        return max(self.household.json("receipt", "list")["items"], key=lambda receipt: receipt["timestamp"])

    def places(self):
        return {one["id"]: one["name"] for one in self.household.json("location", "list")["items"]}


class PutAway(Basket):
    NAMES = [f"Thing {number:02}" for number in range(1, 14)]

    def setUp(self):
        super().setUp()
        self.empty_list()

    def is_asked(self):
        """Whether the list asks where the things of the newest receipt go."""
        return ", today," in self.phone.text("#main li:has(#put-away)")

    def test_thirteen_usual_things_are_one_tap_and_as_drawn_no_more_than_eleven(self):
        self.basket(self.NAMES[:9], usual=("Fridge", 7))
        for name in self.NAMES[9:11]:
            self.household.larder("stock", "new", name, "--unit", "piece", "--place", "Kitchen cupboard")
        for name in self.NAMES[11:]:
            self.household.larder("stock", "new", name, "--unit", "piece")
        for name in self.NAMES[9:]:
            self.household.larder("buy", name)
            self.household.larder("shop", "got", name)
        self.open_save(13)
        taps = self.phone.taps
        self.phone.tap("#save-do")
        self.phone.until("document.querySelector('#away-title')?.textContent.includes('Put away: 13')")
        self.assertIn("To choose 4", self.phone.text("#away section"))
        self.assertAccessible("put away")
        self.phone.picture("putaway")
        began = self.phone.taps
        ids = {name: self.household.item(name)["id"] for name in self.NAMES}
        places = {name: id for id, name in self.places().items()}
        heights = "[...document.querySelectorAll('#away .away')].map((row) => Math.round(row.getBoundingClientRect().height))"
        before = self.phone.value(heights)
        for name in self.NAMES[11:]:
            self.phone.tap(f"[id='where-{ids[name]}-{places['Freezer']}']")
        for name in self.NAMES[10:]:
            self.phone.tap(f"[id='until-{ids[name]}-w1']")
        self.assertEqual(self.phone.value(heights), before, "a chip closes no row, and moves none")
        self.phone.pick_day(f"#until-{ids[self.NAMES[9]]}-other", "2031-02-03")
        self.phone.tap(f"#away-{ids[self.NAMES[0]]}")
        self.phone.tap(f"[id='until-{ids[self.NAMES[0]]}-w2']")
        self.phone.picture("putaway-half")
        self.phone.tap("#away-do")
        # The calendar is the phone's own: the chip, the day and its OK.
        self.assertLessEqual(self.phone.taps - began + 3, 11)
        self.phone.until("!document.querySelector('dialog')")
        self.phone.sent()
        lines, own = self.lines(), self.places()
        self.assertEqual({own.get(lines[name].get("location")) for name in self.NAMES[11:]}, {"Freezer"})
        self.assertEqual(self.batch_of(self.NAMES[9])["expiryInfo"]["isoDate"], "2031-02-03")
        self.assertTrue(all(self.batch_of(name).get("expiryInfo") for name in self.NAMES))
        self.assertFalse(self.is_asked())
        self.assertLess(taps, began)

    def batch_of(self, name):
        return self.household.json("show", name)["item"]["batches"][0]

    def test_the_first_week_takes_twenty_taps_at_most(self):
        self.basket(self.NAMES)
        self.open_save(13)
        self.phone.tap("#save-do")
        self.phone.until("document.querySelector('#away-do')")
        began = self.phone.taps
        places = {name: id for id, name in self.places().items()}
        for name in self.NAMES[:10]:
            id = self.household.item(name)["id"]
            if name in self.NAMES[:4]:
                self.phone.tap(f"[id='where-{id}-{places['Fridge']}']")
            self.phone.tap(f"[id='until-{id}-w1']")
        self.phone.tap("#away-do")
        self.assertLessEqual(self.phone.taps - began, 20)
        self.phone.until("!document.querySelector('dialog')")
        self.phone.sent()
        self.assertEqual(sum(1 for line in self.lines().values() if line.get("expiry")), 10)
        self.assertFalse(self.is_asked(), "it is settled, dates or not")

    def test_what_is_chosen_is_kept_on_the_phone_until_all_is_right(self):
        self.basket(self.NAMES[:3])
        self.open_save(3)
        self.phone.tap("#save-do")
        ids = [self.household.item(name)["id"] for name in self.NAMES[:3]]
        self.phone.tap(f"[id='until-{ids[0]}-w1']")
        self.phone.close_sheet()
        self.phone.sent()
        self.phone.browser.reload()
        self.phone.until("document.querySelector('#put-away')")
        self.phone.tap("#put-away")
        self.phone.until(f"document.querySelector('[id=\"until-{ids[0]}-w1\"][aria-pressed=true]')")
        self.assertEqual(self.phone.count("#away [aria-pressed=true]"), 1)
        self.phone.tap("#away-do")
        self.phone.until("!document.querySelector('dialog')")

    def test_without_reception_things_are_put_away_too(self):
        self.basket(self.NAMES[:3])
        self.open_save(3)
        self.phone.sent()
        self.household.kill()
        places = {name: id for id, name in self.places().items()}
        ids = [self.household.item(name)["id"] for name in self.NAMES[:3]]
        self.phone.fill("#save-paid", "9,30")
        self.phone.fill(f"[id^='price-']", "2.10")
        self.phone.tap("#save-do")
        self.phone.until("document.querySelector('#away-title')?.textContent.includes('Put away: 3')")
        self.phone.tap(f"[id='where-{ids[1]}-{places['Kitchen cupboard']}']")
        self.phone.tap(f"[id='until-{ids[1]}-m1']")
        self.phone.tap("#away-do")
        self.phone.until("!document.querySelector('dialog')")
        self.phone.tab("receipts")
        self.phone.tap("#main .go")
        self.phone.until("document.querySelectorAll('#receipt .plain').length === 3")
        self.assertIn("2.10", self.phone.text("#receipt"))
        self.phone.close_sheet()
        self.assertEqual(self.phone.waits(), 2)
        self.household.serve()
        self.phone.sent()
        self.assertEqual(self.phone.refused(), [])
        batch = self.batch_of(self.NAMES[1])
        self.assertEqual(self.places()[batch["storageLocationId"]], "Kitchen cupboard")
        self.assertTrue(batch["expiryInfo"]["isoDate"])
