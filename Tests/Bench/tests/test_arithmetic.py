"""Medians, ratios, goals and what counts as lost."""

import contextlib
import io
import os
import resource
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

from ..converge import named
from ..document import written
from ..edits import LAPTOP, PHONE, Size, lost
from ..goals import Goal, misses, ratio, verdict
from ..machine import described, require_commit
from ..measure import Cost, Failed, Runner, in_turn, median
from ..quiet import wait_for_quiet
from ..results import Converged, Measured, Results
from ..rows import TABLE, chosen, known
from ..tables import converge_verdict, row_line
from ..variables import number
from ..words import goal_words, seconds


class Figures(unittest.TestCase):
    def test_a_median_is_of_each_figure_by_itself_and_of_memory_the_most(self):
        costs = [Cost(3, 0.1, 10), Cost(1, 0.3, 30), Cost(2, 0.2, 20)]
        self.assertEqual(median(costs), Cost(2, 0.2, 30))

    def test_commands_in_turn_run_once_more_to_warm_up(self):
        order: list[str] = []

        def side(name: str):
            def run(number: int) -> Cost:
                order.append(f"{name}{number}")
                return Cost(number, number)

            return run

        costs = in_turn(3, [side("a"), side("b")])
        self.assertEqual(order, ["a0", "b0", "a1", "b1", "a2", "b2", "a3", "b3"])
        self.assertEqual([cost.wall for cost in costs[1]], [1, 2, 3])

    def test_a_ratio_is_ours_divided_by_the_peers(self):
        both = ratio(Cost(0.3, 0.1), Cost(0.1, 0.2))
        self.assertAlmostEqual(both.wall, 3)
        self.assertAlmostEqual(both.cpu, 0.5)

    def test_a_goal_with_a_ratio_is_for_time_and_processor_time(self):
        goal = Goal(wall=0.5, ratio=2, peak=100_000_000)
        self.assertEqual(misses(goal, Cost(0.2004, 0.2, 100_400_000), Cost(0.1, 0.1)), [])
        self.assertEqual(misses(goal, Cost(0.2, 0.3, 90_000_000), Cost(0.1, 0.1)), ["ratio of CPU +50 %"])
        self.assertEqual(
            misses(goal, Cost(0.6, 0.1, 110_000_000), Cost(0.1, 0.1)),
            ["time +20 %", "ratio of time +200 %", "memory +10 %"],
        )
        self.assertEqual(verdict(goal, Cost(0.2, 0.2, 90_000_000), None), "no: no peer")
        self.assertEqual(verdict(Goal(), Cost(9, 9), None), "–")

    def test_a_goal_is_met_by_what_is_printed(self):
        for wall, verdicts in ((0.008004, "yes"), (0.008006, "no: time +1 %")):
            self.assertEqual(verdict(Goal(wall=0.008), Cost(wall, 0), None), verdicts)
        self.assertEqual(verdict(Goal(wall=0.05), Cost(0.05004, 0), None), "yes")
        self.assertEqual(verdict(Goal(wall=1), Cost(1.0006, 0), None), "no: time +1 %")

    def test_figures_have_three_digits(self):
        words = [seconds(value) for value in (0.0024, 0.0123, 0.09996, 0.315, 2.5, 312)]
        self.assertEqual(words, ["2.40 ms", "12.3 ms", "100 ms", "315 ms", "2,500 ms", "312.0 s"])
        self.assertEqual(goal_words(Goal(0.045, 2.5, 200_000_000)), "≤ 45 ms, ≤ 2.5 ×, ≤ 200 MB")
        self.assertEqual(goal_words(Goal(1)), "≤ 1 s")

    def test_a_line_of_the_table_says_it_all(self):
        row = Measured("list-9", "list", 9, 3, Cost(0.2, 0.1, 5_000_000), "`git status`",
                       Cost(0.1, 0.1), Goal(ratio=2), False)  # fmt: skip
        self.assertEqual(
            row_line(row),
            ["list", "200 ms", "100 ms", "5 MB", "`git status`", "100 ms", "100 ms", "2.00 ×",
             "1.00 ×", "≤ 2 ×", "yes", "3"],
        )  # fmt: skip


class Measures(unittest.TestCase):
    """Of small programs, by a process that is far larger."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.runner = Runner(dict(os.environ), Path(folder.name) / "errors")
        self.ballast = b"x" * 100_000_000

    def test_memory_is_that_of_the_program_and_not_of_the_benchmark(self):
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        self.assertGreater(own, len(self.ballast))
        self.assertLess(self.runner.run(["true"]).peak, 8_000_000)
        self.assertGreater(self.runner.run(["true"]).peak, 100_000)
        large = self.runner.run([sys.executable, "-S", "-c", "b'x' * 60_000_000"])
        self.assertTrue(60_000_000 < large.peak < 90_000_000, large)

    def test_time_is_that_of_the_program_and_processor_time_that_of_all_it_left(self):
        busy = "import time\nwhile time.process_time() < 0.2: pass"
        slept = self.runner.run(["sleep", "0.2"])
        self.assertTrue(0.2 <= slept.wall < 0.4 and slept.cpu < 0.1, slept)
        left = self.runner.run(["sh", "-c", '"$0" -S -c "$1" &', sys.executable, busy])
        self.assertTrue(left.cpu >= 0.2, left)

    def test_a_program_that_fails_is_told_with_what_it_said(self):
        with self.assertRaisesRegex(Failed, r"exit code 3\nno milk"):
            self.runner.run(["sh", "-c", "echo no milk >&2; exit 3"])
        with self.assertRaisesRegex(Failed, "no-such-program.*not found"):
            self.runner.run(["no-such-program"])


class Document(unittest.TestCase):
    def test_it_has_every_part_that_was_measured_here_or_elsewhere_and_a_plot(self):
        git = Cost(0.1, 0.1)
        rows = [
            Measured(f"{kind}-{size}", f"{kind} of {size}", size, 9, Cost(size / 1e4, 0.1),
                     "git", git, Goal(ratio=2), size == 2000)
            for kind in ("list", "consume", "status") for size in (200, 2000)
        ]  # fmt: skip
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            results = Results(folder / "results")
            results.save("rows", {"kernel": "Linux 6.1"}, rows)
            results.save("converge", {}, [Converged("larder", "sync", 9, git, 0, 0),
                                          Converged("unison", "", 0, None, 0, 0, "missing")])  # fmt: skip
            self.assertEqual(results.rows(), rows)
            document, plot = written("rows", results, folder)
            written("converge", results, folder)
            text = document.read_text()
            for part in ("Linux 6.1", "list of 200", "| unison |  | missing |", "nothing to compare"):
                self.assertIn(part, text)
            newer = Results(folder / "another day")
            newer.save("rows", {"kernel": "Linux 1.0"}, rows)
            newer.save("converge", {}, [Converged("larder", "sync", 9, Cost(7, 7), 0, 0)])
            written("converge", newer, folder)
            later = document.read_text()
            drawing = xml.etree.ElementTree.parse(plot).getroot()
        begin, end = (text.index(f"## {title}") for title in ("Two devices", "Cost against"))
        self.assertEqual((later[:begin], later[-len(text[end:]) :]), (text[:begin], text[end:]))
        self.assertIn("7,000 ms", later)
        self.assertNotIn("unison |", later)
        paths = [part.get("class") or "" for part in drawing.iter() if part.tag.endswith("path")]
        self.assertEqual(sum(style.startswith("line ") for style in paths), 2 * 5)


class Variables(unittest.TestCase):
    def test_a_number_is_whole_and_from_1_on(self):
        self.assertEqual([number("SIZES", text) for text in ("200", "20_000")], [200, 20_000])
        for text in ("0", "-1", "many", "1.5", "²", ""):
            with self.assertRaisesRegex(Failed, f"RUNS is a whole number from 1 on, not '{text}'"):
                number("RUNS", text)

    def test_a_tool_that_is_not_there_is_told_with_those_that_are(self):
        with self.assertRaisesRegex(Failed, "no tool is called svn; there are larder, git, git-ours"):
            named(["git", "svn"], ["larder", "git", "git-ours"])


class Quiet(unittest.TestCase):
    def waited(self, loads: list[float], allowed: str = "") -> int:
        """How many seconds it waited, while the machine has one load after the other, the last one for good."""
        slept: list[float] = []
        with contextlib.redirect_stdout(io.StringIO()):
            wait_for_quiet(allowed, lambda: loads.pop(0) if len(loads) > 1 else loads[0], slept.append)
        return int(sum(slept))

    def test_a_load_of_half_a_processor_is_quiet(self):
        self.assertEqual(self.waited([0.5]), 0)

    def test_a_load_that_falls_is_waited_for(self):
        self.assertEqual(self.waited([2.1, 1.2, 0.51, 0.4]), 15)

    def test_a_load_that_stays_is_refused_unless_it_is_allowed(self):
        with self.assertRaisesRegex(Failed, "the load is 0.62, and 0.5 is quiet\nhint: .*LOAD=2 measures"):
            self.waited([0.62])
        self.assertEqual(self.waited([0.62], allowed="2"), 0)
        with self.assertRaisesRegex(Failed, "LOAD is a number such as 2.5, not 'any'"):
            self.waited([0.62], allowed="any")


class Commits(unittest.TestCase):
    def test_figures_are_published_of_a_program_that_knows_its_commit(self):
        with tempfile.TemporaryDirectory() as name:
            program = Path(name) / "larder"
            for commit in ("0123456789ab", "unknown", "0123456789ab-dirty"):
                program.write_text(f"#!/bin/sh\nprintf 'larder\\t0.2.0\\ncommit\\t{commit}\\n'\n")
                program.chmod(0o755)
                self.assertIn(f", commit {commit}", described(Path(name), program)["larder"])
                if commit.isalnum() and commit != "unknown":
                    require_commit(program)
                    continue
                with self.assertRaisesRegex(Failed, f"its commit is {commit}\nhint: commit"):
                    require_commit(program)


class Rows(unittest.TestCase):
    def test_every_row_of_the_table_but_one_has_a_goal(self):
        self.assertEqual([row.name for row in TABLE if row.goal.is_nothing], ["spending"])

    def test_every_row_has_a_name_of_its_own(self):
        names = [row.name for row in known([])]
        self.assertEqual(len(names), len(set(names)))

    def test_names_and_sizes_choose_rows(self):
        self.assertEqual([row.name for row in chosen(["list-300"], [])], ["list-300"])
        names = {row.name for row in chosen(["list", "version"], [300, 2000])}
        self.assertEqual(names, {"version", "list-300", "list-2000"})

    def test_a_size_that_the_document_has_not_can_be_measured(self):
        names = [row.name for row in chosen(["list", "consume"], [100_000])]
        self.assertEqual(names, ["list-100000", "consume-100000"])

    def test_rows_that_change_a_household_come_last_in_it(self):
        names = [row.name for row in chosen([], [300]) if row.size == 300]
        self.assertEqual(names[-1], "consume-300")


class Convergence(unittest.TestCase):
    def test_half_of_the_edits_are_in_common(self):
        size = Size(10_000, 1_000)
        both = set(size.numbers(LAPTOP)) & set(size.numbers(PHONE))
        self.assertEqual((len(both), len(size.edited)), (500, 1_500))

    def test_an_edit_is_lost_if_one_device_lacks_it(self):
        size = Size(10, 4)
        complete = {number: set(size.devices(number)) for number in range(10)}
        self.assertEqual(lost(size, [complete.__getitem__] * 2), 0)
        newer = complete | {number: {PHONE} for number in (2, 3)}
        self.assertEqual(lost(size, [newer.__getitem__, complete.__getitem__]), 2)
        self.assertEqual(lost(size, [newer.__getitem__], frozenset({2})), 1)

    def test_the_goal_is_to_lose_nothing_and_to_be_faster_than_all(self):
        def tool(name: str, wall: float, lost: int = 0) -> Converged:
            return Converged(name, "", 1, Cost(wall, wall), lost, 0)

        self.assertIn(": met.", converge_verdict([tool("larder", 1), tool("git", 2)]))
        slow = converge_verdict([tool("larder", 2), tool("git", 1), tool("unison", 3)])
        self.assertIn(": not met: 2.00 × the time of git and 2.00 × its CPU.", slow)
        self.assertIn("3 edits lost", converge_verdict([tool("larder", 1, 3), tool("git", 2)]))
