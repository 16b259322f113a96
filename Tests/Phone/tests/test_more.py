"""Pairing, the first start, More, the settings of the household, and what can be brought back."""

import json
import shutil
import subprocess
import unittest

from ..household import Household
from ..phone import Phone
from ..relay import Relay
from .support import PhoneTest


def own_address():
    """An address of this machine that a browser takes for another's, so that http there is plain."""
    told = shutil.which("hostname") and subprocess.run(["hostname", "-I"], capture_output=True, text=True).stdout.split()
    return next((one for one in told or [] if "." in one), None)


class Pairing(PhoneTest):
    def unpair(self):
        self.phone.tab("more")
        self.phone.tap("#forget")
        self.phone.tap("#forget-do")
        self.phone.until("document.querySelector('#pair-code')")

    def test_a_code_that_is_not_known_is_said_at_its_field_and_the_old_secret_is_gone(self):
        self.unpair()
        self.phone.browser.open(f"{self.relay.address}#pair=0123456789abcdef0123")
        self.phone.until("document.querySelector('#pair-code').value.startsWith('0123')")
        self.phone.fill("#pair-name", "Mira")
        self.phone.tap("#pair")
        self.phone.until("document.querySelector('#pair-code-error')")
        self.assertEqual(self.phone.text("#pair-code-error"), "That code is not known. Codes hold for five minutes.")
        self.assertEqual(self.phone.value("document.querySelector('#pair-code').value"), "")
        self.assertTrue(self.phone.value("document.activeElement.id === 'pair-code'"))
        self.assertAccessible("a code that is not known")
        self.phone.picture("pair-unknown")
        self.phone.browser.type("A")
        self.phone.until("!document.querySelector('#pair-code-error')")

    def test_pairing_names_no_command_and_says_who_has_a_code(self):
        self.unpair()
        self.assertNotIn("larder ", self.phone.text("#main"))
        self.assertIn("Ask whoever set Larder up for a code.", self.phone.text("#main"))
        self.assertAccessible("pairing")
        self.phone.picture("pair")
        self.phone.tap("#pair")
        self.phone.until("document.querySelector('#pair-code-error')")
        self.assertEqual(self.phone.count("[role=alert]"), 1)

    def test_a_name_that_is_taken_says_how_it_is_freed_and_the_code_still_holds(self):
        other = Phone(self.relay, "Tom's phone")
        self.addCleanup(other.close)
        other.browser.open(f"{self.relay.address}#pair={self.household.code()}")
        other.fill("#pair-name", "Mira's phone")
        other.tap("#pair")
        other.until("document.querySelector('#pair-name-error')")
        self.assertRegex(other.text("#pair-name-error"), "is paired already.*can free the name, or make a code for it")
        self.assertEqual(other.hurdles(), [])
        other.picture("pair-taken")
        other.fill("#pair-name", "Tom's phone")
        self.assertEqual(other.count("#pair-name-error"), 0)
        other.tap("#pair")
        other.until("!document.querySelector('#tabs').hidden")

    def test_the_secret_of_a_pairing_is_not_in_the_field_when_the_phone_is_forgotten(self):
        self.household.larder("serve", "--forget", "Mira's phone")
        self.phone.until("document.querySelector('#pair-code')")
        self.assertEqual(self.phone.value("document.querySelector('#pair-code').value"), "")
        self.assertEqual(self.phone.value("location.hash"), "")

    def test_no_address_breaks_the_page(self):
        for end in ("pair=%", "pair=", "pair=%E0%A4%A", "constructor", "__proto__", "toString", "pair=<img src=x>"):
            self.phone.browser.open(f"{self.relay.address}#{end}")
            self.phone.browser.reload()
            self.phone.until("document.querySelector('#tab-list') && document.querySelector('#main .row, #main .quiet h2')")
            self.assertEqual(self.phone.count("#main img"), 0)
            self.phone.tab("stock")
            self.phone.value(f"void (location.hash = {json.dumps(end)})")
            self.phone.until("document.querySelector('#tab-stock').hasAttribute('aria-current')")
        self.unpair()
        self.phone.browser.open(f"{self.relay.address}#pair=%")
        self.phone.until("document.querySelector('#pair-code')")

    def test_plain_http_is_said_in_a_line_at_pairing_and_why_in_a_sheet(self):
        address = own_address()
        if not address:
            self.skipTest("this machine has no address but its own")
        relay = Relay(self.household, address)
        self.addCleanup(relay.close)
        phone = Phone(relay, "Jonas's phone")
        self.addCleanup(phone.close)
        phone.browser.open(relay.address)
        phone.until("document.querySelector('#pair-code')")
        self.assertIn("Works while it is open.", phone.text("#main .honest"))
        self.assertEqual(phone.hurdles(), [])
        phone.picture("pair-plain")
        phone.tap("#why")
        phone.until("document.querySelector('#plain h2')")
        self.assertEqual(phone.count("#plain .lines p"), 5)
        self.assertEqual(phone.count("#plain li"), 3)
        self.assertEqual(phone.hurdles(), [])
        phone.picture("plain-why")
        phone.close_sheet()
        self.assertEqual(self.phone.count(".honest"), 0, "it is said where it is not so")

    def test_what_waits_for_another_household_is_kept_for_it(self):
        other = Household()
        self.addCleanup(other.remove)
        other.larder("config", "household.name", "Elm Street 3", is_refused=None)
        (other.home / "household.json").write_text((other.home / "household.json").read_text().replace("12 Ashgrove Road", "Elm Street 3"))
        shutil.rmtree(other.home / ".git")
        other.larder("init", is_refused=None)
        self.assertTrue(other)


class FirstStart(PhoneTest):
    def make_household(self):
        return Household.empty()


class More(PhoneTest):
    def test_what_waits_is_gathered_by_kind(self):
        open_ = [entry["id"] for entry in self.household.entries() if not entry["isCompleted"]][:3]
        self.relay.cut()
        for id in open_:
            self.phone.tap(f"#tick-{id}")
        self.phone.tab("more")
        self.phone.until("document.querySelector('#waits-got')?.textContent.includes('3 ticks')")
        self.assertAccessible("what waits")
        self.phone.picture("more-waits")
        self.phone.tap("#waits-got")
        self.phone.until("document.querySelectorAll('#waits li').length === 3")
        self.phone.close_sheet()
