"""A second tap of the same finger does nothing, on whatever there is to tap; − and + count each."""

import json
import os
import random
import time
from pathlib import Path

from ..phone import TABS, Phone
from .support import PhoneTest

#: How many of the controls are tapped. Each one takes seconds: LARDER_ALL=1 takes the minutes for all of them.
IS_WHOLE = bool(os.environ.get("LARDER_ALL"))
SHARE = 1 if IS_WHOLE else 0.3
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
        seed = os.environ.get("LARDER_SEED") or "1"
        seed = str(random.randrange(10**6)) if seed == "random" else seed
        phones = [self.phone] + [Phone(self.relay, f"{name}'s phone") for name in ("Tom", "Jonas", "Aylin", "Ruth")]
        for phone in phones[1:]:
            self.addCleanup(phone.close)
            phone.pair()
        self.relay.choose = lambda path: "cut" if path.endswith("acts") else None
        for phone, tab in zip(phones, TABS):
            phone.browser.run(WALKER)
            phone.tab(tab)
            phone.value(f"void (window.walking = walk('{tab}', {json.dumps(list(EXCEPTIONS))}, {SHARE}, {json.dumps(seed)}).then((done) => (window.walked = done), ({{ stack }}) => (window.walked = {{ faults: [stack], tested: [] }})))")
        end = time.monotonic() + 600
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
        chosen = "" if IS_WHOLE else f" of seed {seed}"
        print(f"({len(tested)} controls{chosen})", end=" ", flush=True)
        self.assertEqual(len(faults), 0, "\n".join(faults))
        self.assertGreater(len(tested), 60 if IS_WHOLE else 5, sorted(tested))
