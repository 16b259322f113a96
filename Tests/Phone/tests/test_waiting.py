"""What is tapped is never lost: no server, lost answers, a server that dies, a household that can't be written."""

import fcntl
import shutil
import subprocess
import time
from datetime import datetime, timedelta, timezone

from .support import PhoneTest


class Waiting(PhoneTest):
    def setUp(self):
        super().setUp()
        self.open = [entry["id"] for entry in self.household.entries() if not entry["isCompleted"]]

    def bought(self):
        return {entry["id"] for entry in self.household.entries() if entry["isCompleted"]}

    def tick(self, *ids):
        for id in ids:
            self.phone.tap(f"#tick-{id}")
            self.phone.until(f"document.querySelector('#tick-{id}').checked")

    def test_what_is_ticked_while_the_server_is_dead_arrives_when_it_lives_again(self):
        self.household.kill()
        self.tick(*self.open[:3])
        self.phone.until("document.querySelector('#net').textContent.includes('3 waiting')")
        self.assertAccessible("offline")
        self.phone.picture("list-offline")
        self.household.serve()
        self.phone.until("document.querySelector('#net').hidden")
        self.phone.sent()
        self.assertLessEqual(set(self.open[:3]), self.bought())

    def test_a_row_that_waits_has_a_mark_until_it_is_sent(self):
        bananas = self.household.entry("Bananas")["id"]
        self.relay.cut()
        self.phone.tap(f"#tick-{bananas}")
        self.phone.until(f"document.querySelector('#amount-{bananas} .waits')", seconds=15)
        self.assertIn("not sent yet", self.phone.text(f"#amount-{bananas}"))
        self.assertEqual(self.phone.count(".waits"), 1)
        self.assertAccessible("a row that waits")
        self.phone.picture("list-waits")
        self.relay.heal()
        self.phone.sent()
        self.phone.until("!document.querySelector('.waits')")

    def test_the_page_opens_again_without_the_server_with_what_waits(self):
        if not self.phone.browser.can_open_offline:
            self.skipTest("this browser's driver has no worker")
        self.phone.until("navigator.serviceWorker.ready.then(() => true)")
        self.relay.cut()
        self.tick(self.open[0])
        self.phone.browser.reload()
        self.phone.until(f"document.querySelector('#tick-{self.open[0]}')?.checked")
        self.assertEqual(self.phone.waits(), 1)
        self.tick(self.open[1])
        self.relay.heal()
        self.phone.sent()
        self.assertLessEqual(set(self.open[:2]), self.bought())

    def test_thirty_that_wait_arrive_in_their_order_each_once(self):
        self.relay.cut()
        before = self.household.commits()
        for _ in range(10):
            for id in self.open[:3]:
                self.phone.tap(f"#tick-{id}")
        self.phone.until("document.querySelector('#net').textContent.includes('30 waiting')")
        self.phone.picture("list-30-waiting")
        self.assertAccessible("thirty waiting")
        self.phone.tab("more")
        self.assertRegex(self.phone.text("#main"), "15 ticks( taken away)?since .*15 ticks( taken away)?since")
        self.phone.picture("more-30-waiting")
        self.relay.heal()
        self.phone.sent()
        self.assertFalse(set(self.open[:3]) & self.bought(), "an even number of taps changes nothing")
        self.assertEqual(self.household.commits(), before + 30)

    def test_an_answer_that_is_lost_is_asked_for_again_and_nothing_is_done_twice(self):
        self.phone.tab("stock")
        milk = self.household.item("Milk")
        self.relay.choose = lambda path: "lost" if path.endswith("acts") else None
        self.phone.tap(f"#put-{milk['id']}")
        self.eventually(lambda: any(count > 1 for count in self.relay.sent.values()), "it is sent again")
        self.relay.heal()
        self.phone.sent()
        added = next(iter(self.relay.acts.values()))["quantity"]
        self.assertAlmostEqual(self.household.item("Milk")["total"], milk["total"] + added)

    def test_a_server_that_is_killed_between_commit_and_answer_repeats_nothing(self):
        self.phone.tab("stock")
        milk = self.household.item("Milk")
        killed = []

        def kill():
            head = self.household.git("rev-parse", "HEAD")
            self.eventually(lambda: self.household.git("rev-parse", "HEAD") != head, "it commits")
            self.household.kill()
            killed.append(head)

        for _ in range(5):
            self.relay.choose = lambda path: kill if path.endswith("acts") else None
            self.phone.tap(f"#put-{milk['id']}")
            count = len(killed)
            self.eventually(lambda: len(killed) > count, "the server is killed")
            self.relay.heal()
            self.household.serve()
            self.phone.sent()
        added = sum(act["quantity"] for act in self.relay.acts.values())
        self.assertEqual(len(self.relay.acts), 5)
        self.assertAlmostEqual(self.household.item("Milk")["total"], milk["total"] + added)

    def test_a_household_that_cant_be_written_keeps_the_acts_and_says_why(self):
        file = self.household.home / "household.json"
        text = file.read_text()
        file.write_text(text.replace('"format": 1', '"format": 9'))
        self.tick(self.open[0])
        self.phone.until("!document.querySelector('#net').hidden && document.querySelector('#net').textContent.includes('1 waiting')")
        self.assertRegex(self.phone.text("#net"), "newer|format")
        file.write_text(text)
        self.phone.sent()
        self.assertIn(self.open[0], self.bought())

    def test_a_household_that_another_program_holds_keeps_the_acts_and_says_why(self):
        with (self.household.home / ".git/larder/lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.tick(self.open[0])
            self.phone.until("document.querySelector('#net').textContent.match(/another larder is at work.*1 waiting/)", seconds=40)
        self.phone.sent()
        self.assertIn(self.open[0], self.bought())

    def test_a_full_disk_keeps_the_acts_and_says_why(self):
        self.household.kill()
        home, copy = self.household.home, self.household.folder / "copy"
        home.rename(copy)
        home.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", home], capture_output=True).returncode:
            self.skipTest("only root can make a disk that is full")
        self.addCleanup(subprocess.run, ["umount", "-l", home], check=True)
        shutil.copytree(copy, home, dirs_exist_ok=True)
        self.household.serve()
        filling = home / ".git" / "filling"
        with filling.open("wb", buffering=0) as file, self.assertRaises(OSError):
            while True:
                file.write(bytes(4096))
        self.tick(self.open[0])
        self.phone.until("document.querySelector('#net').textContent.match(/(disk|space|room).*1 waiting/i)", seconds=30)
        filling.unlink()
        self.phone.sent()
        self.assertIn(self.open[0], self.bought())

    def test_a_slow_answer_does_not_put_the_clock_of_the_taps_wrong(self):
        self.relay.choose = lambda path: (lambda: time.sleep(2)) if path.endswith("state") else None
        self.household.larder("buy", "Kerzen")
        self.phone.until("document.querySelector('#main').textContent.includes('Kerzen')")
        # Just after rows have moved, a tap was meant for another one.
        time.sleep(0.6)
        before = datetime.now(timezone.utc)
        self.tick(self.open[0])
        self.phone.sent()
        at = next(iter(self.relay.acts.values()))["at"]
        self.assertGreater(datetime.fromisoformat(at.replace("Z", "+00:00")), before - timedelta(seconds=0.5))

    def test_offline_only_sends_nothing_until_it_is_turned_off(self):
        self.phone.tab("more")
        self.phone.tap("#offline")
        self.phone.tab("list")
        self.tick(self.open[0])
        time.sleep(1)
        self.assertEqual(self.relay.acts, {})
        self.assertIn("Offline only · 1 waiting", self.phone.text("#net"))
        self.phone.tab("more")
        self.phone.tap("#offline")
        self.phone.sent()
        self.assertIn(self.open[0], self.bought())

    def test_a_phone_that_is_forgotten_is_asked_to_pair_again_and_keeps_its_acts(self):
        self.relay.cut()
        self.tick(self.open[0])
        self.household.larder("serve", "--forget", "Mira's phone")
        self.relay.heal()
        self.phone.until("document.querySelector('#pair-code')")
        self.assertAccessible("pairing again")
        self.phone.pair()
        self.phone.sent()
        self.assertIn(self.open[0], self.bought())

    def test_a_phone_forgets_the_household_when_it_is_told_to(self):
        self.phone.tab("more")
        self.phone.tap("#forget")
        self.phone.tap("#forget-do")
        self.phone.until("document.querySelector('#pair-code')")
        self.assertEqual(self.phone.made(), [])
        self.assertEqual(self.household.larder("serve", "--phones", "--plain"), "")
