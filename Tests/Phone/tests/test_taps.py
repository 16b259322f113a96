"""A second tap of the same finger does nothing, on whatever there is to tap; − and + count each."""

import json
import time
from pathlib import Path

from ..phone import TABS, Phone
from .support import PhoneTest

WALKER = (Path(__file__).parents[1] / "walker.js").read_text()
#: What is not tapped, and why.
EXCEPTIONS = {
    "leave forget-do": "it is meant to leave the page",
    "more report": "it opens a page of its own",
    "more sync": "what it does is done elsewhere",
    "receipts older": "what it brings stays",
}


class Taps(PhoneTest):
    def test_a_second_tap_on_any_control_does_nothing(self):
        """Each screen is walked by a phone of its own, all at once. What they do stays on them."""
        phones = [self.phone] + [Phone(self.relay, f"{name}'s phone") for name in ("Tom", "Jonas", "Aylin", "Ruth")]
        for phone in phones[1:]:
            self.addCleanup(phone.close)
            phone.pair()
        self.relay.choose = lambda path: "cut" if path.endswith("acts") else None
        for phone, tab in zip(phones, TABS):
            phone.browser.run(WALKER)
            phone.tab(tab)
            phone.value(f"void (window.walking = walk('{tab}', {json.dumps(list(EXCEPTIONS))}).then((done) => (window.walked = done), ({{ stack }}) => (window.walked = {{ faults: [stack], tested: [] }})))")
        end = time.monotonic() + 400
        faults, tested = [], set()
        for phone, tab in zip(phones, TABS):
            while not (walked := phone.value("window.walked || (!window.walk && 'left')")):
                self.assertLess(time.monotonic(), end, f"{tab} is walked for ever: {phone.value('localStorage.tried')}")
                time.sleep(0.5)
            if walked == "left":
                faults.append(f"{tab}: the page was left by {phone.value('localStorage.tried')}")
            else:
                faults += walked["faults"]
                tested |= set(walked["tested"])
        self.assertEqual(len(faults), 0, "\n".join(faults))
        print(f"({len(tested)} controls)", end=" ", flush=True)
        self.assertGreater(len(tested), 60, sorted(tested))
