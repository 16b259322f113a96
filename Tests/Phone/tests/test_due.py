"""Due, put away, save receipt: what was dealt with stays, and what was bought goes where it is kept."""

import time

from .support import PhoneTest

TWICE = (0.05, 0.15, 0.4)

#: What is drawn over what: the places of Undo and of the verbs that stood there.
OVERLAP = """
((undo, verbs) => verbs.filter((one) => one.left < undo.right && one.right > undo.left && one.top < undo.bottom && one.bottom > undo.top).length)
"""


class DueTest(PhoneTest):
    def twice(self, selector, pause):
        """Taps the same spot again so many seconds later, whatever stands there then."""
        self.phone.tap(selector)
        x, y, _ = self.phone.browser.last
        time.sleep(pause)
        self.phone.browser.press(x, y)
        time.sleep(0.1)

    def due(self):
        """The batches on the screen: `[id, is struck, top, height]`."""
        return self.phone.value("""[...document.querySelectorAll('#main .due')].map((row) => [row.querySelector('.go').id.slice(5),
          row.classList.contains('done'), Math.round(row.getBoundingClientRect().top), Math.round(row.getBoundingClientRect().height)])""")

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
                    self.twice(f"#{verb}-{batch}", pause)
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
                self.twice(f"#move-{batch}", pause)
                self.phone.until("document.querySelector('#freeze-day-m3[aria-pressed=true]')")
                self.assertEqual(len(self.phone.made()), made)
                if pause == TWICE[0]:
                    self.assertIn("all there is in the fridge", self.phone.text("#freeze"))
                    self.assertAccessible("to the freezer")
                    self.phone.picture("due-freeze")
                self.twice("#freeze-do", pause)
                self.phone.until(f"!document.querySelector('dialog') && document.querySelector('#undo-{batch}')")
                self.phone.sent()
                self.assertEqual(len(self.phone.made()), made + 1)
                moved = self.household.json("show", f"Cod {pause}")["item"]["batches"][0]
                self.assertEqual(moved["quantity"], 1)
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
        self.assertEqual(sorted(one["quantity"] for one in self.household.json("show", "Monkfish")["item"]["batches"]), [1, 3])
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
