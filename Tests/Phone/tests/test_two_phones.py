"""Two phones and a terminal on one household: sums and fields are those of a model, and of two clones."""

import os
import random
import shutil
import subprocess
from datetime import datetime, timezone

from ..phone import Phone
from ..relay import Relay
from .support import PhoneTest

ACTS = int(os.environ.get("LARDER_ACTS") or 500)
SEED = int(os.environ.get("LARDER_SEED") or random.randrange(1 << 32))
#: The clocks of phone and server are compared over the network, so two moments this near may have either order.
NEAR = 1


def now():
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def moment(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


class TwoPhones(PhoneTest):
    def setUp(self):
        super().setUp()
        self.other_relay = Relay(self.household)
        self.addCleanup(self.other_relay.close)
        self.other = Phone(self.other_relay, "Tom's phone")
        self.addCleanup(self.other.close)
        self.other.pair()
        self.phones = [self.phone, self.other]

    def totals(self, home=None):
        return {item["name"]: item["total"] for item in self.household.json("stock", home=home)["items"]}

    def test_random_acts_with_lost_answers_and_dead_servers_add_up(self):
        print(f"(seed {SEED})", end=" ", flush=True)
        chance = random.Random(SEED)
        items = ["Apples", "Garlic", "Toothpaste"]
        entries = [entry for entry in self.household.entries() if not entry["isCompleted"]][:4]
        for name in items:
            self.household.larder("count", name, "100000")
        before = self.totals()
        names = {item["id"]: item["name"] for item in self.household.json("stock")["items"]}
        ids = {name: id for id, name in names.items()}
        # A tap that comes while rows move is another row's, as with a finger.
        added = dict.fromkeys(ids, 0)
        amounts = {entry["id"]: [] for entry in entries}
        for phone in self.phones:
            phone.until("document.querySelector('#main .row')")
        number = 1000
        for step in range(ACTS):
            if step % 40 == 20:
                for phone in self.phones:
                    phone.relay.choose = chance.choice(CONNECTIONS)(chance)
            if step % 170 == 169:
                self.household.kill()
                self.household.serve()
            actor = chance.choice([*self.phones, *self.phones, None])
            name, entry = chance.choice(items), chance.choice(entries)
            number += 1
            if chance.random() < 0.5:
                kind = chance.choice(["put", "use"])
                if actor:
                    if not actor.count("#search"):
                        actor.tab("stock")
                    actor.tap(f"#{kind}-{ids[name]}")
                else:
                    self.household.larder(kind, name, "3 piece" if kind == "put" else "2 piece")
                    added[name] += 3 if kind == "put" else -2
            elif actor:
                if not actor.count("#add"):
                    actor.tab("list")
                actor.tap(f"#amount-{entry['id']}")
                actor.fill(f"#amount-{entry['id']}", f"{number}\n")
            else:
                at = now()
                self.household.larder("shop", "edit", entry["id"], f"{number}", now=at)
                amounts[entry["id"]].append((moment(at), number))
        for phone in self.phones:
            phone.relay.heal()
            phone.sent()
            self.assertEqual(phone.refused(), [])
            for act in phone.relay.acts.values():
                if act["kind"] in ("put", "use"):
                    added[names[act["item"]]] += act["quantity"] * (1 if act["kind"] == "put" else -1)
                else:
                    amounts[act["entry"]].append((moment(act["at"]), act["fields"]["desiredQuantity"]))
        after = self.totals()
        self.assertEqual({name: round(after[name] - before[name], 6) for name in added}, {name: round(sum, 6) for name, sum in added.items()})
        stored = {entry["id"]: entry["desiredQuantity"] for entry in self.household.entries()}
        for id, written in amounts.items():
            last = max(at for at, _ in written)
            self.assertIn(stored[id], [number for at, number in written if at > last - NEAR], written)
        for phone in self.phones:
            phone.sent()
            phone.tab("list")
            for id, amount in stored.items():
                if id in amounts:
                    phone.until(f"document.querySelector('#amount-{id}')?.textContent.includes('{amount:g}')")
        self.household.larder("check")

    def test_two_phones_that_tick_use_and_save_the_same_basket_end_as_two_clones_would(self):
        clones = self.household.folder / "clones"
        remote = clones / "remote.git"
        subprocess.run(["git", "init", "-q", "--bare", remote], check=True)
        shutil.copytree(self.household.home, clones / "a")
        homes = [clones / "a", clones / "b"]
        for words in (["git", "--", "remote", "add", "origin", str(remote)], ["sync"]):
            self.household.larder(*words, home=homes[0])
        self.household.larder("join", str(remote), str(homes[1]), home=clones)
        bananas = self.household.entry("Bananas")
        milk = self.household.item("Milk")
        for phone in self.phones:
            phone.relay.cut()
        for phone, shop in zip(self.phones, ["Corner shop", "Market hall"]):
            phone.tap(f"#tick-{bananas['id']}")
            phone.tap("#save-receipt")
            phone.name_shop(shop)
            phone.save_receipt()
            phone.tab("stock")
            phone.tap(f"#use-{milk['id']}")
            self.assertEqual(phone.waits(), 3)
        for phone in reversed(self.phones):
            phone.relay.heal()
            phone.sent()
        for phone, home in zip(self.phones, homes):
            for act in sorted(phone.relay.acts.values(), key=lambda act: act["at"]):
                self.make(act, home)
        for home in (homes[0], homes[1], homes[0]):
            self.household.larder("sync", home=home)
        self.assertEqual(self.totals(), self.totals(homes[0]))
        for words in (["shop", "list", "--all"], ["receipt", "list"]):
            mine, theirs = (self.household.json(*words, home=home)["items"] for home in (None, homes[0]))
            fields = ("name", "isCompleted", "isDeleted", "shopName", "amount")
            shown = [sorted(str([one.get(field) for field in fields]) for one in all) for all in (mine, theirs)]
            self.assertEqual(*shown, words)

    def make(self, act, home):
        """Makes an act of a phone at its moment, as a person at a terminal would."""
        if act["kind"] == "got":
            words = ["got", act["entry"]]
        elif act["kind"] == "use":
            words = ["use", act["item"], f"{act['quantity']} {act.get('unit', '')}"]
        else:
            words = ["receipt", "save", *act["entries"], "--shop", act["shop"]]
        self.household.larder(*words, now=act["at"], home=home)


CONNECTIONS = [
    lambda chance: lambda path: None,
    lambda chance: lambda path: None,
    lambda chance: lambda path: "cut",
    lambda chance: lambda path: "lost" if path.endswith("acts") and chance.random() < 0.5 else None,
]
