"""The generator makes the same household from the same seed, and one that Larder has no complaint about."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

BUILT = Path(__file__).parents[3] / ".build" / "tests" / "release"


class Generator(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.programs = Path(os.environ.get("LARDER_BUILT") or BUILT)
        if not (cls.programs / "larder-generator").exists():
            raise AssertionError(f"there is no larder-generator in {cls.programs}: run 'make tests'")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.one = cls.made("one", "60", "1", "200")

    @classmethod
    def made(cls, name, *words):
        cls.run_program(cls.programs / "larder-generator", cls.folder / name, *words)
        return cls.folder / name

    @classmethod
    def run_program(cls, *words):
        environment = {"HOME": str(cls.folder), "PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1"}
        result = subprocess.run(words, env=environment, capture_output=True, text=True)
        if result.returncode != 0:
            raise AssertionError(f"{words}: {result.stdout}{result.stderr}")
        return result.stdout

    def git(self, folder, *words):
        return self.run_program("git", "-C", folder, *words)

    def test_one_seed_gives_the_same_commits(self):
        again, other = self.made("two", "60", "1", "200"), self.made("three", "60", "2", "200")
        heads = [self.git(folder, "rev-parse", "HEAD") for folder in (self.one, again, other)]
        self.assertEqual(heads[0], heads[1])
        self.assertNotEqual(heads[0], heads[2])

    def test_the_files_are_canonical_and_nothing_is_left_to_adopt(self):
        larder = [self.programs / "larder", "-C", self.one]
        self.assertEqual(self.run_program(*larder, "check"), "")
        head = self.git(self.one, "rev-parse", "HEAD")
        self.run_program(*larder, "adopt")
        self.run_program(*larder, "fmt", "--check")
        self.assertEqual(self.git(self.one, "status", "--short"), "")
        self.assertEqual(self.git(self.one, "rev-parse", "HEAD"), head)

    def test_a_household_has_what_households_have(self):
        for folder in ("batches", "locations", "products", "receipts", "shopping"):
            self.assertTrue(list((self.one / folder).glob("*.json")), folder)
        items = [json.loads(path.read_text()) for path in (self.one / "stock").glob("*.json")]
        self.assertEqual(len(items), 60)
        self.assertGreaterEqual(max(len(item["changes"]) for item in items), 200)
        self.assertGreater(int(self.git(self.one, "rev-list", "--count", "HEAD")), 20)
