import time
from .test_due import Basket
from .test_screens import TOO_WIDE, TOO_SMALL, CUT_OFF

class Looks(Basket):
    def shots(self, what):
        for width, height, dark, size in ((320, 568, False, "100%"), (390, 844, True, "100%"), (390, 844, False, "100%"), (320, 640, False, "200%"), (844, 390, False, "100%"), (1280, 800, False, "100%")):
            self.phone.browser.resize(width, height, dark)
            self.phone.value(f"void (document.documentElement.style.fontSize = '{size}')")
            time.sleep(0.3)
            self.phone.picture(f"{what}-{width}-{'dark' if dark else 'light'}-{size[:3]}")
            if self.phone.value("document.scrollingElement.scrollWidth > innerWidth"): print(what, width, size, "SIDEWAYS")
            for n, q in (("wide", TOO_WIDE), ("small", TOO_SMALL), ("cut", CUT_OFF)):
                found = self.phone.value(q)
                if found and not (size == "200%" and n == "small"): print(what, width, size, n, found[:3])
            h = self.phone.hurdles()
            if h: print(what, width, size, h)
        self.phone.browser.resize(390, 844, False)
        self.phone.value("void (document.documentElement.style.fontSize = '100%')")

    def test_looks(self):
        import os
        tofu = self.batch("Smoked tofu")
        self.phone.tab("due")
        self.phone.tap(f"#use-{tofu}")
        self.phone.until(f"document.querySelector('#undo-{tofu}')")
        self.shots("due")
        self.phone.tap("#main .due:not(.done) [id^=move-]")
        self.phone.until("document.querySelector('#freeze-do')")
        self.shots("freeze")
        self.phone.close_sheet()
        self.phone.tab("list")
        self.basket(["Miso", "Nori", "Kelp"])
        self.household.larder("buy", "AA batteries", "8"); 
        self.household.larder("shop", "got", "AA batteries")
        self.phone.until("document.querySelector('.basket')?.textContent.includes('AA batt')")
        time.sleep(0.6)
        self.phone.tap("#save-receipt")
        self.phone.fill("#save-paid", "49.75")
        self.shots("save")
        self.phone.fill("#save-paid", "4x")
        self.phone.tap("#save-another")
        self.phone.tap("#save-do")
        self.shots("save-wrong")
        self.phone.fill("#save-shop", "Aldi")
        self.phone.fill("#save-paid", "49.75")
        self.phone.tap("#save-do")
        self.phone.until("document.querySelector('#away-do')")
        time.sleep(7)
        self.shots("away")
        self.phone.close_sheet()
        self.phone.sent()
        self.phone.tab("receipts")
        self.shots("receipts")
        self.phone.tap("#main .go")
        self.phone.until("document.querySelector('#receipt li')")
        self.shots("receipt")
