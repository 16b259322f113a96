"""What all browsers can be asked for. Each one says how it evaluates, presses, types and takes pictures."""

import json
import math
import time
from abc import ABC, abstractmethod

PATIENCE = 20


class Browser(ABC):
    """A page in a browser, and what went wrong in it."""

    #: Whether the page can be opened again while nothing answers. It needs a worker that the driver lets work.
    can_open_offline = True

    #: Where and when somebody tapped last.
    last = (0, 0, 0)

    def __init__(self):
        self.problems = []
        self.addresses = []

    @abstractmethod
    def open(self, address):
        """Opens an address, and waits until it is loaded."""

    @abstractmethod
    def value(self, expression):
        """Returns the value of an expression, or of what it promises."""

    @abstractmethod
    def run(self, script):
        """Runs a script in the page."""

    @abstractmethod
    def press(self, x, y):
        """A finger's tap, or a click."""

    @abstractmethod
    def type(self, text):
        """Types a text where the focus is. A line end is the Enter key."""

    @abstractmethod
    def resize(self, width, height, is_dark):
        """Makes the page as large as a phone's screen."""

    @abstractmethod
    def picture(self, path):
        """Stores a picture of what is seen."""

    @abstractmethod
    def close(self):
        """Ends the browser."""

    def reload(self):
        self.value("void setTimeout(() => location.reload(), (window.isOld = 1))")
        loaded = "!window.isOld && document.readyState === 'complete'"
        try:
            self.until(loaded)
        except RuntimeError:  # it was asked while the old page went
            self.until(loaded)

    def until(self, expression, seconds=PATIENCE):
        """Waits until an expression is true, and returns its value."""
        end = time.monotonic() + seconds
        while True:
            value = self.value(f"(async () => {{ const found = await ({expression}); return found instanceof Node || found; }})()")
            if value:
                return value
            if time.monotonic() > end:
                shown = self.value("document.body.innerText")
                raise AssertionError(f"never: {expression}\nproblems: {self.problems}\nshown: {shown[:1500]}")
            time.sleep(0.03)

    def count(self, selector):
        return self.value(f"document.querySelectorAll({json.dumps(selector)}).length")

    def text(self, selector):
        """Returns the text of an element; nothing if it is not there."""
        return self.value(f"document.querySelector({json.dumps(selector)})?.textContent ?? ''")

    def tap(self, selector):
        """Taps what is there, and to be seen, with nothing in front of it; again if rows had just moved and it did not count."""
        for _ in range(3):
            found = self.until(PLACE % json.dumps(selector))
            # A second tap of the same finger does nothing: somebody who means another one takes a moment.
            if math.hypot(found["x"] - self.last[0], found["y"] - self.last[1]) < 24:
                time.sleep(max(0, self.last[2] + 0.55 - time.monotonic()))
            self.press(found["x"], found["y"])
            self.last = (found["x"], found["y"], time.monotonic())
            # What it does has begun: what is asked next comes after it.
            if self.until("window.isTapped !== false && `${window.isTapped}`") != "lost":
                return
        raise AssertionError(f"{selector} takes no tap")

    def tap_twice(self, selector, seconds):
        """Taps what is there, and about so many seconds later again at the same place; returns how many it were at most."""
        found = self.until(PLACE % json.dumps(selector))
        begun = time.monotonic()
        self.press(found["x"], found["y"])
        time.sleep(max(0, begun + seconds * 0.9 - time.monotonic()))
        self.press(found["x"], found["y"])
        self.last = (found["x"], found["y"], time.monotonic())
        return time.monotonic() - begun

    def fill(self, selector, text):
        """Types into a field instead of what is in it."""
        self.tap(selector)
        self.value(EMPTY % json.dumps(selector))
        self.type(text)

    def choose(self, selector, text):
        """Chooses what is said so in a list."""
        self.until(f"[...document.querySelector({json.dumps(selector)})?.options || []].some(({{text}}) => text === {json.dumps(text)})")
        self.value(CHOOSE % (json.dumps(selector), json.dumps(text)))


PLACE = """
(async (selector) => {
  const element = document.querySelector(selector);
  if (!element) {
    // Only what shows is built. Somebody who looks for more scrolls.
    for (const id of ['main', 'scroll']) document.getElementById(id)?.scrollBy(0, 500);
    return null;
  }
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const before = element.getBoundingClientRect();
  // Nobody taps what moves.
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)));
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const isHit = hit && (element.contains(hit) || hit.contains(element)) && !element.disabled;
  if (!isHit || left !== before.left || top !== before.top) return null;
  window.isTapped = false;
  addEventListener('click', () => (window.isTapped = true), { capture: true, once: true });
  addEventListener('pointerup', () => setTimeout(() => (window.isTapped ||= 'lost'), 300), { capture: true, once: true });
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
})(%s)
"""
EMPTY = """
((field) => {
  field.value = '';
  field.dispatchEvent(new Event('input', { bubbles: true }));
})(document.querySelector(%s))
"""
CHOOSE = """
((list, text) => {
  list.value = [...list.options].find((option) => option.text === text).value;
  for (const kind of ['input', 'change']) list.dispatchEvent(new Event(kind, { bubbles: true }));
})(document.querySelector(%s), %s)
"""
