"""Pairing, the first start, More, the settings of the household, and what can be brought back."""

import json
import shutil
import subprocess
import time

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
        # It asks when somebody looks, and else when a question that waits for news is over.
        self.phone.until("dispatchEvent(new Event('online')), document.querySelector('#pair-code')")
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

    def test_what_waits_for_another_household_is_kept_for_it_and_told(self):
        """A household is at the address where another one was."""
        bananas = self.household.entry("Bananas")["id"]
        self.household.kill()
        self.phone.tap(f"#tick-{bananas}")
        self.phone.until(f"document.querySelector('#tick-{bananas}').checked")
        other = Household.empty("Elm Street 3")
        self.addCleanup(other.remove)
        other.larder("buy", "caviar 3")
        other.serve()
        self.relay.household = other
        self.phone.until("document.querySelector('#pair-code')")
        self.assertIn("kept for 12 Ashgrove Road", self.phone.text("#main"))
        self.phone.pair()
        self.phone.until("document.querySelector('#main').textContent.includes('caviar')")
        time.sleep(0.6)  # a tap just after rows have moved does nothing
        self.phone.tab("more")
        self.assertIn("1 act for 12 Ashgrove Road waits until this phone is paired with it again.", self.phone.text("#main"))
        self.assertAccessible("acts of another household")
        self.phone.picture("more-elsewhere")
        self.assertEqual([entry["name"] for entry in other.entries()], ["caviar"], "another household gets it")
        # Back at the first one, it is sent.
        self.household.serve()
        self.relay.household = self.household
        self.household.larder("serve", "--forget", "Mira's phone")
        self.phone.until("document.querySelector('#pair-code')")
        self.phone.pair()
        self.phone.sent()
        self.assertTrue(self.household.entry("Bananas")["isCompleted"])


class FirstStart(PhoneTest):
    def make_household(self):
        return Household.empty("Elm Street 3")

    def places(self):
        return sorted(one["name"] for one in self.household.json("location", "list")["items"])

    def test_places_are_made_by_chips_and_what_is_there_is_added_one_after_the_other(self):
        self.phone.until("document.querySelector('#first-make')")
        self.assertAccessible("first start")
        self.phone.picture("first")
        self.phone.tap("#first-pantry")
        self.assertEqual(self.phone.text("#first-make"), "Make 4 places")
        self.phone.tap("#first-pantry")
        self.phone.tap("#first-another")
        self.phone.fill("#another-place-name", "Mum’s shelf")
        self.phone.tap("#another-place-do")
        self.phone.until("document.querySelector('#first-make').textContent === 'Make 4 places'")
        self.phone.tap("#first-make")
        self.phone.until("!document.querySelector('#first-make')")
        self.phone.picture("first-then")
        self.phone.sent()
        self.assertEqual(self.places(), ["Cupboard", "Freezer", "Fridge", "Mum’s shelf"])
        self.phone.tap("#first-there")
        self.phone.until("document.querySelector('#count-place')")
        first = self.phone.text("#count-place-title")
        self.phone.fill("#first-what", "Greek yoghurt")
        self.phone.tap("#first-add")
        self.phone.until("document.querySelector('#first-much-error')")
        self.phone.fill("#first-much", "two")
        self.assertIn("“two” is no amount", self.phone.text("#first-much-error"))
        self.phone.fill("#first-much", "500 g")
        self.phone.tap("[id=first-until-w2]")
        self.phone.tap("#first-add")
        self.phone.until("document.querySelectorAll('#count-place .recent').length === 1")
        self.assertTrue(self.phone.value("document.activeElement.id === 'first-what'"))
        self.assertEqual(self.phone.count("#count-place [aria-pressed=true]"), 0)
        self.phone.browser.type("Butter\n250 g\n")
        self.phone.until("document.querySelectorAll('#count-place .recent').length === 2")
        self.assertIn("so far: 2", self.phone.text("#count-place"))
        self.assertAccessible("what is there")
        self.phone.picture("first-count")
        self.phone.browser.resize(320, 568, True)
        self.assertTrue(self.phone.value("document.scrollingElement.scrollWidth <= innerWidth"))
        self.phone.picture("first-count-320")
        self.phone.browser.resize(390, 844, False)
        self.phone.tap("#count-place [id^=first-undo]")
        self.phone.tap("#first-next")
        self.phone.until(f"document.querySelector('#count-place-title').textContent !== {json.dumps(first)}")
        self.phone.fill("#first-what", "Oil")
        self.phone.fill("#first-much", "1 l")
        self.phone.tap("#first-add")
        self.phone.sent()
        self.assertEqual(self.phone.refused(), [])
        stock = {item["name"]: item for item in self.household.json("stock")["items"]}
        self.assertEqual({name: item["total"] for name, item in stock.items() if item["total"]}, {"Greek yoghurt": 500, "Oil": 1})
        self.assertEqual(stock["Greek yoghurt"]["unit"], "gram")
        self.phone.close_sheet()
        self.phone.tab("list")
        self.phone.until("!document.querySelector('#first-need')")

    def test_the_three_ways_begin_where_they_say(self):
        self.phone.until("document.querySelector('#first-need')")
        self.phone.tap("#first-need")
        self.phone.until("document.activeElement.id === 'add'")
        self.assertIn("home screen", self.phone.text("#main"))


class More(PhoneTest):
    def test_what_waits_is_gathered_by_kind(self):
        waiting = [entry["id"] for entry in self.household.entries() if not entry["isCompleted"]][:3]
        self.relay.cut()
        for id in waiting:
            self.phone.tap(f"#tick-{id}")
        self.phone.tab("more")
        self.phone.until("document.querySelector('#waits-got')?.textContent.includes('3 ticks')")
        self.assertAccessible("what waits")
        self.phone.picture("more-waits")
        self.phone.tap("#waits-got")
        self.phone.until("document.querySelectorAll('#waits li').length === 3")
        self.phone.tap("#waits [id^=undo-]")
        self.phone.close_sheet()
        self.relay.heal()
        self.phone.sent()
        ticked = {entry["id"] for entry in self.household.entries() if entry["isCompleted"]}
        self.assertEqual(len(ticked & set(waiting)), 2)

    def refuse(self):
        """Makes an act that is refused: what it needs is used elsewhere meanwhile."""
        butter = self.household.item("Butter")
        self.phone.tab("stock")
        self.phone.until(f"document.querySelector('#use-{butter['id']}')")
        self.relay.cut()
        self.household.larder("count", "Butter", "0")
        self.phone.tap(f"#use-{butter['id']}")
        self.phone.until("document.querySelector('#undo')")
        self.relay.heal()
        self.phone.until("document.querySelector('#tab-more i:not(.calm)')")
        return butter

    def test_what_was_refused_is_said_in_words_for_people_with_three_ways_on(self):
        butter = self.refuse()
        self.phone.tab("more")
        self.assertRegex(self.phone.text("#main .note"), r"Use: Butter, .*Nothing is there any more\.")
        self.assertAccessible("a refusal")
        self.phone.picture("more-refused")
        self.phone.tap("#main .note [id^=change-]")
        self.phone.until("document.querySelector('dialog')")
        self.assertIn("Butter", self.phone.text("dialog h2"))
        self.phone.close_sheet()
        self.household.larder("put", "Butter", "500 g")
        self.phone.tap("#main .note [id^=again-]")
        self.phone.sent()
        self.phone.until("!document.querySelector('#main .note')")
        used = next(act["quantity"] for act in self.relay.acts.values() if act["kind"] == "use")
        self.assertAlmostEqual(self.household.item("Butter")["total"], 500 - used)
        self.assertEqual(butter["unit"], "gram")
        self.refuse()
        self.phone.tab("more")
        self.phone.tap("#main .note [id^=drop-]")
        self.phone.until("!document.querySelector('#main .note') && !document.querySelector('#tab-more i:not(.calm)')")
        self.assertEqual(self.phone.refused(), [])

    def test_the_settings_and_the_places_of_the_household(self):
        self.phone.tab("more")
        self.phone.tap("#open-settings")
        self.phone.fill("#settings-name", "Elm Street 3")
        self.phone.fill("#settings-currency", "x")
        self.phone.tap("#settings-do")
        self.phone.until("document.querySelector('#settings-currency-error')")
        self.assertAccessible("settings")
        self.phone.picture("settings")
        self.phone.fill("#settings-currency", "eur")
        self.phone.tap("#settings-do")
        self.phone.until("document.querySelector('#top').textContent.includes('Elm Street 3')")
        self.phone.sent()
        self.assertEqual([self.household.larder("config", name).strip() for name in ("name", "currency")], ["Elm Street 3", "EUR"])
        self.phone.until("!document.querySelector('dialog')")
        self.phone.tap("#open-settings")
        self.phone.tap("#place-new")
        self.phone.fill("#place-name", "Fridge")
        self.phone.tap("#place-do")
        self.phone.until("document.querySelector('#place-name-error')")
        self.assertAccessible("a place that is there")
        self.phone.fill("#place-name", "Ice box")
        self.phone.tap("#place-isColdStorage")
        self.phone.tap("#place-do")
        self.phone.until("!document.querySelector('#place')")
        self.phone.sent()
        place = next(one for one in self.household.json("location", "list")["items"] if one["name"] == "Ice box")
        self.phone.until(f"document.querySelector('#place-{place['id']}')")
        self.phone.picture("settings-places")
        self.phone.tap(f"#place-{place['id']}")
        self.phone.fill("#place-name", "Chest")
        self.phone.tap("#place-do")
        self.phone.until("!document.querySelector('#place')")
        self.phone.sent()
        self.assertIn("Chest", self.household.larder("location", "list"))
        self.phone.tap(f"#place-{place['id']}")
        self.phone.tap("#place-remove")
        self.phone.until("!document.querySelector('#place')")
        self.phone.sent()
        self.assertNotIn("Chest", self.household.larder("location", "list"))
        self.assertEqual(self.phone.refused(), [])

    def test_what_was_archived_taken_off_or_taken_back_is_restored(self):
        receipt = self.household.json("receipt", "list")["items"][0]
        self.household.larder("stock", "archive", "Honey")
        self.household.larder("stock", "new", "Honey", "--unit", "gram")
        self.household.larder("shop", "remove", "Bananas")
        self.household.larder("receipt", "void", receipt["id"], "--yes")
        self.phone.tab("more")
        self.phone.tap("#open-back")
        self.phone.until("document.querySelectorAll('#back section').length === 3")
        self.assertIn("this one comes back as “Honey 2”", self.phone.text("#back"))
        self.assertAccessible("what can be brought back")
        self.phone.picture("back")
        for part in (1, 2, 3):
            self.phone.tap(f"#back section:nth-of-type({part}) [id^=restore-]")
            self.phone.until(f"document.querySelector('#back section:nth-of-type({part}) [id^=unrestore-]')")
        self.phone.picture("back-restored")
        self.assertAccessible("what was brought back")
        self.phone.sent()
        self.assertEqual(self.phone.refused(), [])
        self.assertEqual(self.phone.count("#back .gone"), 3, "what was restored stays where it is")
        self.assertTrue(self.household.item("Honey 2"))
        self.assertTrue(self.household.entry("Bananas"))
        self.assertIn(receipt["id"], [one["id"] for one in self.household.json("receipt", "list")["items"]])
        self.phone.tap("#back section:nth-of-type(2) [id^=unrestore-]")
        self.phone.until("document.querySelector('#back section:nth-of-type(2) [id^=restore-]')")
        self.phone.sent()
        self.assertIsNone(self.household.entry("Bananas"))

    def test_sync_now_says_how_the_household_stands_with_its_other_machines(self):
        remote = self.household.folder / "remote.git"
        subprocess.run(["git", "init", "-q", "--bare", "-b", self.household.git("branch", "--show-current"), remote], check=True)
        self.household.larder("git", "--", "remote", "add", "origin", str(remote))
        self.household.larder("sync")
        self.phone.tab("more")
        self.phone.until("document.querySelector('#sync')")
        self.phone.picture("more-sync")
        self.household.larder("buy", "Kerzen")
        self.phone.tap("#sync")
        self.phone.until("document.querySelector('#said')?.textContent.includes('Synced')")
        mine, theirs = (subprocess.run(["git", "-C", home, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout for home in (self.household.home, remote))
        self.assertEqual(mine, theirs)
