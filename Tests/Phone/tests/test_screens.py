"""Every screen and sheet fits every size, in light and dark, and can be used by everybody."""

from ..phone import TABS
from .support import PhoneTest

SIZES = [(320, 568, False), (390, 844, True), (844, 390, False), (1280, 800, False)]
NAMES = [
    "<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "\"'><b>bold</b>", "${alert(3)} {{4}} %s %n",
    "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz mit Hafermilch ungesüßt und Calcium",
    "שוקולד חלב", "مربى المشمش", "🧀👩‍👩‍👧‍👦 Käse", "x" * 200, "javascript:alert(5)", "constructor", "__proto__", "&lt;i&gt;",
]

TOO_WIDE = """
[...document.querySelectorAll('body *')].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.width && (box.right > innerWidth + 1 || box.left < -1) && !one.closest('.off, .chips, svg');
}).map(({ outerHTML }) => outerHTML.slice(0, 120))
"""
TOO_SMALL = """
[...document.querySelectorAll('button, a[href], input:not([type=checkbox]), select, textarea, label.tick, label.go')].filter((one) => {
  const { width, height } = one.getBoundingClientRect();
  return width && !one.closest('.off') && (width < 43.5 || height < 43.5);
}).map((one) => `${Math.round(one.getBoundingClientRect().width)} x ${Math.round(one.getBoundingClientRect().height)}: ${one.outerHTML.slice(0, 120)}`)
"""

CUT_OFF = """
[...document.querySelectorAll('dialog')].filter((sheet) => {
  const inside = sheet.querySelector('.in');
  return inside.scrollHeight > inside.clientHeight + 1 && sheet.clientHeight < innerHeight * 0.8;
}).map(({ id }) => id)
"""


class Screens(PhoneTest):
    def assertFits(self, what):
        with self.subTest(what):
            self.assertTrue(self.phone.value("document.scrollingElement.scrollWidth <= innerWidth"), "it scrolls sideways")
            self.assertEqual(self.phone.value(TOO_WIDE), [], "it is out of the screen")
            self.assertEqual(self.phone.value(TOO_SMALL), [], "it is too small for a finger")
            self.assertEqual(self.phone.value(CUT_OFF), [], "a sheet is lower than it need be")
            self.assertAccessible(what)
            self.phone.picture(what.replace(" ", "-"))

    def test_screens(self):
        for width, height, is_dark in SIZES:
            self.phone.browser.resize(width, height, is_dark)
            for tab in TABS:
                self.phone.tab(tab)
                self.assertFits(f"{tab} {width} {'dark' if is_dark else 'light'}")

    def test_screens_with_text_twice_as_large(self):
        self.phone.value("void (document.documentElement.style.fontSize = '200%')")
        for tab in TABS:
            self.phone.tab(tab)
            with self.subTest(tab):
                self.assertTrue(self.phone.value("document.scrollingElement.scrollWidth <= innerWidth"), "it scrolls sideways")
                self.assertAccessible(f"{tab} with large text")
                self.phone.picture(f"{tab}-large-text")

    def test_sheets(self):
        milk = self.household.json("show", "Milk")["item"]
        batch = milk["batches"][0]["id"]
        entry = self.household.entry("Bananas")["id"]
        receipt = next(one for one in self.household.json("receipt", "list")["items"] if len(one["items"]) > 2)
        ways = {
            "entry": ("list", f"#name-{entry}"), "save": ("list", "#save-receipt"), "save line": ("list", "#save-receipt", "#save-line"),
            "item": ("stock", f"#name-{milk['id']}"), "item batch": ("stock", f"#name-{milk['id']}", f"#part-{batch}"),
            "move": ("stock", f"#name-{milk['id']}", f"#part-{batch}", f"#move-{batch}"),
            "date": ("stock", f"#name-{milk['id']}", f"#part-{batch}", f"#date-{batch}"),
            "edit": ("stock", f"#name-{milk['id']}", "#item-edit"), "count": ("stock", f"#name-{milk['id']}", "#item-count"),
            "throw away": ("stock", f"#name-{milk['id']}", "#item-spoil"), "new": ("stock", "#new-item"),
            "new without a name": ("stock", "#new-item", "#new-do"),
            "receipt": ("receipts", f"#receipt-{receipt['id']}"), "receipt head": ("receipts", f"#receipt-{receipt['id']}", "#receipt-head"),
            "receipt line": ("receipts", f"#receipt-{receipt['id']}", f"#line-{receipt['items'][0]['id']}"),
            "line without a name": ("receipts", f"#receipt-{receipt['id']}", "#receipt-add", "#line-do"), "forget": ("more", "#forget"),
        }
        for name, (tab, *taps) in ways.items():
            self.phone.browser.resize(390, 844, False)
            self.phone.tab(tab)
            for selector in taps:
                # A batch that was opened in the sheet is still open.
                if not self.phone.count(f"{selector}[aria-expanded=true]"):
                    self.phone.tap(selector)
            for width, height, is_dark in SIZES[:2]:
                self.phone.browser.resize(width, height, is_dark)
                self.assertFits(f"sheet {name} {width} {'dark' if is_dark else 'light'}")
            while self.phone.count("dialog"):
                self.phone.close_sheet()

    def test_any_name_is_text_and_nothing_else(self):
        for name in NAMES:
            self.household.larder("stock", "new", name, "--category", name[:40], "--unit", "piece")
            self.household.larder("put", name, "1", "--expiry", "+3d")
            self.household.larder("buy", name)
            self.household.larder("shop", "edit", name, "--note", name)
        self.household.larder("location", "new", NAMES[0])
        self.household.larder("receipt", "save", "--shop", NAMES[0], "--amount", "3", "--line", f"{NAMES[1]}=2@1.5")
        self.phone.tab("stock")
        count = len(self.household.json("stock")["items"])
        self.phone.until(f"document.querySelector('#search').placeholder.includes('{count}')", seconds=15)
        for width, height, is_dark in SIZES[:2]:
            self.phone.browser.resize(width, height, is_dark)
            for tab in TABS:
                self.phone.tab(tab)
                self.assertFits(f"hostile {tab} {width}")
                self.assertEqual(self.phone.count("#main script, #main img, #main i, #main > b, iframe"), 0)
        self.phone.tab("stock")
        for name in NAMES:
            self.phone.fill("#search", name[:60])
            self.phone.until("document.querySelectorAll('#main .row').length === 1")
            self.assertEqual(self.phone.names(), [name])


class Empty(PhoneTest):
    def test_an_empty_household_says_on_each_screen_how_to_begin(self):
        for kind, folder in (("items", "stock"), ("entries", "shopping"), ("batches", "batches"), ("receipts", "receipts"), ("products", "products")):
            for file in (self.household.home / folder).glob("*.json"):
                file.unlink()
        self.household.larder("adopt", "--yes")
        self.phone.tab("stock")
        self.phone.until("document.querySelector('#main .quiet')?.textContent.includes('Nothing in stock yet')", seconds=15)
        for tab in TABS[:4]:
            self.phone.tab(tab)
            self.phone.until("document.querySelector('#main').textContent.length > 30")
            self.assertAccessible(f"empty {tab}")
            self.phone.picture(f"empty-{tab}")
