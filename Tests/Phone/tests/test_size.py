"""Three hundred and three thousand items: how soon they are drawn, and a tap answered."""

import time

from .support import PhoneTest

AFTER = """
((work, isDone) => new Promise((done) => {
  const begun = performance.now();
  const look = () => (isDone() ? requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun))) : requestAnimationFrame(look));
  work();
  look();
}))(() => { %s }, () => %s)
"""


class Size(PhoneTest):
    def grow(self, count):
        """Gives the household so many items."""
        for number in range(count - len(self.household.json("stock")["items"])):
            name, unit = f"Thing {number:04}", ["piece", "gram", "liter"][number % 3]
            (self.household.home / "stock" / f"thing-{number:04}.json").write_text(
                f'{{"name": "{name}", "unit": "{unit}", "category": "Kind {number % 9}", "quantityInStock": {number % 17}, "quantityFullStock": 20}}\n'
            )
        self.household.larder("adopt")
        self.phone.tab("stock")
        self.phone.until(f"document.querySelector('#search')?.placeholder.includes('{count}')", seconds=60)

    def took(self, work, is_done):
        return self.phone.value(AFTER % (work, is_done))

    def test_three_hundred(self):
        self.grow(300)
        browser = self.phone.browser
        if not hasattr(browser, "slow_down"):
            self.skipTest("this browser can't be slowed down")
        tap = "document.querySelector('[id^=put-]').click()"
        shown = "document.querySelector('#main .row').textContent !== window.before"
        before = "void (window.before = document.querySelector('#main .row').textContent)"
        taps = []
        for _ in range(5):
            self.phone.value(before)
            taps.append(self.took(tap, shown))
        browser.slow_down(6)
        screens = {}
        # Others may have the processor meanwhile, so the quickest of three tells most.
        for tab, sign in (("list", "#add"), ("stock", "#search"), ("receipts", "#new-receipt"), ("due", ".due")) * 3:
            time = self.took(f"document.querySelector('#tab-{tab}').click()", f"document.querySelector('{sign}')")
            screens[tab] = min(time, screens.get(tab, time))
        browser.slow_down(1)
        print({name: round(time) for name, time in screens.items()}, "ms six times slower; taps", [round(time) for time in taps], "ms", end=" ", flush=True)
        # The goals are 300 and 50 ms on a quiet machine; these catch what grows with the square.
        self.assertLess(max(screens.values()), 1500)
        self.assertLess(min(taps), 250)

    def test_no_task_is_long_among_two_thousand(self):
        """100 ms on a processor that is six times slower."""
        browser = self.phone.browser
        if not hasattr(browser, "longest_task"):
            self.skipTest("this browser does not say how long its tasks are")
        self.grow(2000)

        def scroll():
            for _ in range(15):
                self.phone.value("new Promise((done) => (document.querySelector('#main').scrollBy(0, 700), setTimeout(done, 100)))")

        def type_words(text):
            self.phone.value("document.querySelector('#search').focus()")
            for letter in text:
                browser.type(letter)
                time.sleep(0.1)

        def empty():
            self.phone.value("((field) => { field.value = ''; field.dispatchEvent(new Event('input')); })(document.querySelector('#search'))")
            time.sleep(0.5)

        long = {}
        # What the browser has to do by itself at times is not counted: the quickest of two.
        for _ in range(2):
            for name, work in (("type", lambda: type_words("thing 19")), ("empty", empty), ("scroll", scroll), ("type far down", lambda: type_words("kind")), ("empty again", empty), ("scroll again", scroll)):
                took = 6 * browser.longest_task(work)
                long[name] = min(took, long.get(name, took))
            empty()
        print({name: round(took) for name, took in long.items()}, "ms six times slower", end=" ", flush=True)
        self.assertLess(max(long.values()), 100)

    def test_three_thousand(self):
        self.grow(3000)
        self.assertLess(self.phone.count("#main .row"), 300, "only what shows is built")
        self.phone.fill("#search", "thing 2900")
        self.phone.until("document.querySelectorAll('#main .row').length === 1")
        self.phone.tap("[id^=put-]")
        self.phone.sent()
        self.assertEqual(self.household.item("Thing 2900")["total"], 2900 % 17 + next(iter(self.relay.acts.values()))["quantity"])
        self.phone.fill("#search", "")
        self.phone.until("document.querySelectorAll('#main .row').length > 20")
        self.phone.until("(document.querySelector('#main').scrollTop = 1e9, document.querySelectorAll('#main .row').length > 2000)", seconds=60)
