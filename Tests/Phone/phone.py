"""A phone with the page in it: what a person does with it."""

import importlib.util
import json
import os
from pathlib import Path

from .chromium import Chromium
from .firefox import Firefox
from .webkit import WebKit

SHOTS = os.environ.get("LARDER_SCREENSHOTS")
BROWSERS = {"chromium": Chromium, "firefox": Firefox, "webkit": WebKit}
TABS = ("list", "stock", "due", "receipts", "more")


def open_browser():
    """Opens a page in the browser that LARDER_BROWSER names."""
    return BROWSERS[os.environ.get("LARDER_BROWSER") or "chromium"]()


class Phone:
    def __init__(self, relay, name):
        self.relay = relay
        self.name = name
        self.browser = open_browser()
        self.browser.resize(390, 844, False)
        self.value, self.until = self.browser.value, self.browser.until
        #: How often somebody tapped.
        self.taps = 0
        self.text, self.choose, self.count = self.browser.text, self.browser.choose, self.browser.count

    def pair(self, code=None):
        self.browser.open(f"{self.relay.address}#pair={code or self.relay.household.code()}")
        self.until("document.querySelector('#pair-code')?.value")
        self.fill("#pair-name", self.name)
        self.tap("#pair")
        self.until("document.querySelector('#tab-list') && !document.querySelector('#tabs').hidden && document.querySelector('#main .row, #main h2')")

    def tab(self, name):
        self.tap(f"#tab-{name}")
        self.until(f"document.querySelector('#tab-{name}').hasAttribute('aria-current')")

    def close(self):
        self.browser.close()

    def tap(self, selector):
        self.taps += 1
        self.browser.tap(selector)

    def fill(self, selector, text):
        self.taps += 1
        self.browser.fill(selector, text)

    def tap_twice(self, selector, milliseconds):
        """Taps, and so much later again at the same place, whatever is there then."""
        self.browser.tap_twice(selector, milliseconds / 1000)

    def paste(self, selector, text):
        """Pastes into a field, as the phone's menu does."""
        self.tap(selector)
        self.value(PASTE % (json.dumps(selector), json.dumps(text)))

    def name_shop(self, shop):
        """Says in the form of a receipt which shop it was, in words."""
        if not self.count("#save-shop"):
            self.tap("#save-another")
        self.fill("#save-shop", shop)

    def save_receipt(self):
        """Saves the receipt whose form is open, and puts nothing away."""
        self.tap("#save-do")
        self.until("!document.querySelector('#save')")
        if self.count("#away"):
            self.close_sheet()
        self.until("!document.querySelector('dialog')")

    def close_sheet(self):
        """Closes the sheet on top, as the phone's way back does."""
        count = self.count("dialog")
        self.value("history.back()")
        self.until(f"document.querySelectorAll('dialog').length < {count}")

    def pick_day(self, selector, day):
        """Gives a field a day, as the phone's calendar does."""
        self.until(f"document.querySelector('{selector}')")
        self.value(f"((field) => {{ field.value = '{day}'; field.dispatchEvent(new Event('input')); }})(document.querySelector('{selector}'))")

    def names(self):
        """The names of the rows, in their order."""
        return self.value("[...document.querySelectorAll('#main .row .name > span')].map((row) => row.textContent)")

    def waits(self):
        """How many acts have no answer yet. They are counted in the phone's own storage."""
        return self.value(ACTS + ".filter(({ state }) => state === 'waiting').length)")

    def refused(self):
        return self.value(ACTS + ".filter(({ state }) => state === 'refused').map(({ say }) => say))")

    def made(self):
        """The ids of all acts that the phone has made and remembers."""
        return self.value(ACTS + ".map(({ act }) => act.id))")

    def sent(self):
        """Waits until all is answered, and shown from the household's own state."""
        self.until("dispatchEvent(new Event('online')), " + ACTS + ".every(({ state, isFresh }) => state !== 'waiting' && !isFresh))", seconds=120)

    def picture(self, name):
        if SHOTS:
            Path(SHOTS).mkdir(parents=True, exist_ok=True)
            self.browser.picture(Path(SHOTS) / f"{name}.png")

    def hurdles(self):
        """What axe finds that keeps people from using what is shown."""
        if not self.value("!!window.axe"):
            self.browser.run(AXE)
        return self.value(HURDLES)


PASTE = """
((field, text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
})(document.querySelector(%s), %s)
"""

#: The phone's own records of acts. The expression is open: what follows closes it.
ACTS = """
new Promise((resolve, reject) => {
  const opening = indexedDB.open('larder');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const asking = opening.result.transaction('acts').objectStore('acts').getAll();
    asking.onsuccess = () => (opening.result.close(), resolve(asking.result));
  };
}).then((acts) => acts"""


def _axe():
    place = importlib.util.find_spec("axe_core_python")
    return Path(place.origin).with_name("axe.min.js").read_text() if place else None


AXE = _axe()

HURDLES = """
Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
  .then(() => axe.run({ resultTypes: ['violations'] }))
  .then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120))}`))
"""
