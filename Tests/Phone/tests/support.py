"""A household, its server and phones for each test."""

import time
import unittest

from ..household import Household
from ..phone import Phone
from ..relay import Relay


class PhoneTest(unittest.TestCase):
    """Each test begins with the sample household and one phone that is paired."""

    #: Problems that a test expects in the browser's own words.
    expected_problems = ()

    def make_household(self):
        return Household()

    def setUp(self):
        self.household = self.make_household()
        self.addCleanup(self.household.remove)
        self.household.serve()
        self.relay = Relay(self.household)
        self.addCleanup(self.relay.close)
        try:
            self.phone = Phone(self.relay, "Mira's phone")
        except FileNotFoundError as missing:
            self.skipTest(str(missing))
        self.addCleanup(self.phone.close)
        self.phone.pair()

    def tearDown(self):
        problems = [problem for problem in self.phone.browser.problems if not any(text in problem for text in self.expected_problems)]
        self.assertEqual(problems, [], "the page made mistakes")
        if self.phone.count("#tabs"):
            self.assertEqual([say for say in self.phone.refused() if say.startswith("acts[")], [], "the page made acts that are none")
        strangers = [address for address in self.phone.browser.addresses if not address.startswith((self.relay.address, "data:", "about:"))]
        self.assertEqual(strangers, [], "the page asked somebody else")

    def eventually(self, question, what, seconds=20):
        """Waits until the household has it."""
        end = time.monotonic() + seconds
        while not (answer := question()):
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.05)
        return answer

    def log(self):
        return self.household.larder("log", "--by", "Mira's phone")

    def assertAccessible(self, what):
        self.assertEqual(self.phone.hurdles(), [], what)
