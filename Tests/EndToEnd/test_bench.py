"""The bench runs from end to end, and says what it should of figures that are given to it. No figure is judged here."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

from support import BINARY, DATABASE, ROOT, settled

sys.path.insert(0, str(ROOT / "Tests/Bench"))

import bench  # noqa: E402
import extras  # noqa: E402
import goals  # noqa: E402
import measure  # noqa: E402
import paths  # noqa: E402

PYTHON = os.environ.get("RB_TEST_PYTHON", sys.executable)
LOOKUP = BINARY.parent / "lookup-bench"


class Bench(unittest.TestCase):
    def test_a_run(self):
        with tempfile.TemporaryDirectory(prefix="region-bucket-bench-test-") as name:
            folder = pathlib.Path(name)
            for program in ("load", "floor"):
                subprocess.run(["gcc", "-O2", "-o", folder / program, ROOT / f"Tests/Bench/{program}.c"], check=True)
            run = subprocess.run(
                [PYTHON, ROOT / "Tests/Bench/bench.py", "--quick", "--rounds", "1", "--seconds", "0.2", "--json",
                 folder / "json", "--html", folder / "html", "--binary", BINARY, "--database", DATABASE, "--load",
                 folder / "load", "--floor", folder / "floor", "--lookup", LOOKUP, "--map", folder / "map"],
                capture_output=True, text=True)
            self.assertIn(run.returncode, (0, 1, 2), run.stderr)
            self.assertNotIn("Traceback", run.stderr)
            outcome = json.loads((folder / "json").read_text())
            page = (folder / "html").read_text()
        for path in paths.PATHS:
            self.assertEqual(set(outcome["results"][path.key]), {"ours", "nginx", "haproxy", "floor"})
            self.assertIn(path.title, run.stdout)
        verdicts = {"| unsure |"} if outcome["is_noisy"] else {"| met |", "| MISSED |"}
        self.assertEqual(sum(run.stdout.count(verdict) for verdict in verdicts), len(outcome["goals"]))
        self.assertEqual(page.count("<svg"), 2)
        self.assertNotIn("http://", page.replace("http://www.w3.org", ""))

    def outcome(self, ours, ours_two=10, floor_two=10):
        """Figures as of a run; one loop or process on one core has 20."""
        def result(cpu):
            return [{"cpu_us": cpu, "per_second": 1e6 / cpu, "turn_p99_us": [cpu]}]
        servers = {"ours": result(ours), "nginx": result(10), "floor": result(6.5)}
        pair = {"ours": result(ours), "plain": result(6.9)}
        results = dict.fromkeys(("header", "lookup", "close", "paced"), servers)
        results |= {goals.beside(key): pair for key in ("304", "head", "options", "error", "logging")}
        results[goals.beside("again")] = {"ours": result(5), "plain": result(5)}
        results |= {"one core": {"ours": result(20), "floor": result(20)},
                    "two cores": {"ours": result(ours_two), "floor": result(floor_two)}}
        return {"results": results, "lookup_ns": 50 * ours,
                "memory": {"ours": {"per_idle_connection": 20 * ours}},
                "reload": {"p99_ratio": ours / 5}}

    def test_goals_are_told_apart(self):
        self.assertEqual([goal["title"] for goal in goals.judge(self.outcome(6.9)) if not goal["is_met"]], [])
        self.assertEqual([goal["title"] for goal in goals.judge(self.outcome(20, 12)) if goal["is_met"]], [])

    def test_no_more_of_two_cores_than_there_is(self):
        """Where two processes without checks get 1.54 times as far as one, so far and, but for noise, no less."""
        for ours_two, missed in ((12.9, 0), (13.2, 1)):
            found = goals.judge(self.outcome(6.9, ours_two, 13))
            self.assertEqual(sum(not goal["is_met"] for goal in found), missed)

    def test_a_reload_in_which_nothing_is_answered(self):
        calm, silent = {"count": 1000, "p99_us": 900}, {"count": 0, "p99_us": 0}
        windows = [extras.window_p99_us(window) for window in (*[calm] * 10, calm, silent, calm, *[calm] * 10)]
        # From within the eleventh window to within the thirteenth: one of three is silent for its 50 ms.
        self.assertEqual(extras.around(windows, 0.51, 0.64), (900, 50_000, 900))
        for few, begin, end in ((windows[:15], 0.51, 0.64), (windows, 0.16, 0.29)):
            self.assertIsNone(extras.around(few, begin, end), "nothing to compare with")
        windows[9] = windows[13] = 7000
        self.assertEqual(extras.around(windows, 0.51, 0.64), (900, 50_000, 900), "too near for either")
        windows[8] = windows[14] = 8000
        self.assertEqual(extras.around(windows, 0.51, 0.64), (8000, 50_000, 8000))

    def test_noise_is_not_a_way_to_meet_a_goal(self):
        """Equal measurements that lie far from 1 are noise, however close together."""
        outcome = self.outcome(6.9)
        outcome["results"][goals.beside("again")] = {"ours": [{"cpu_us": 10.6}] * 4, "plain": [{"cpu_us": 10}] * 4}
        self.assertAlmostEqual(goals.noise(outcome), 0.06)
        self.assertGreater(goals.noise(outcome), bench.UNCERTAINTIES_MAX[0])

    def test_which_cores(self):
        with tempfile.TemporaryDirectory() as name:
            for core, siblings in enumerate(("0-1", "0-1", "2,3", "2,3")):
                place = pathlib.Path(name, f"cpu{core}/topology")
                place.mkdir(parents=True)
                place.joinpath("thread_siblings_list").write_text(siblings + "\n")
            for allowed, expected in (({0, 1, 2, 3}, ("0", "2", False)), ({2, 3}, ("2", "3", True)),
                                      ({1, 3}, ("1", "3", False)), ({7, 8}, ("7", "8", False))):
                self.assertEqual(measure.two_cores(allowed, name), expected)

    def test_options_that_cannot_be(self):
        for words, told in ((["--json", "/nowhere/x"], "/nowhere/x cannot be written"), (["--seconds", "-1"], "-1"),
                            (["--html", "/"], "/ cannot be written"), (["--rounds", "0"], "0")):
            run = subprocess.run([PYTHON, ROOT / "Tests/Bench/bench.py", *words], capture_output=True, text=True)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn(told, run.stderr)
            self.assertNotIn("Traceback", run.stderr)

    def test_servers_end_with_their_maker(self):
        """However it ends: here it is killed, and can stop nothing."""
        maker = subprocess.Popen(
            [PYTHON, "-c", "import subprocess, sys, time; from peers import beside_its_maker as beside\n"
             "print(subprocess.Popen([*beside(sys.argv[1]), 'sleep', '600']).pid, flush=True); time.sleep(600)",
             str(min(os.sched_getaffinity(0)))], cwd=ROOT / "Tests/Bench", stdout=subprocess.PIPE, text=True)

        def name():
            try:
                return pathlib.Path(f"/proc/{child}/stat").read_text().split()[1:3]
            except FileNotFoundError:
                return None

        with maker:
            child = int(maker.stdout.readline())
            self.assertEqual(settled(name, ["(sleep)", "S"]), ["(sleep)", "S"])
            maker.kill()
        # Gone, or nobody is left to take note of its end.
        self.assertTrue(settled(lambda: name() in (None, ["(sleep)", "Z"]), True))

    def test_how_sure_a_median_is(self):
        self.assertEqual(goals.uncertainty([1]), 0)
        # Four times as many of the same values: half of it.
        self.assertAlmostEqual(goals.uncertainty([0.9, 1, 1, 1.1]) / goals.uncertainty([0.9, 1, 1, 1.1] * 4), 2, 0)

    def test_a_moment_in_which_the_machine_stands_still_decides_nothing(self):
        def outcome(ours, nginx):
            return {"results": {"paced": {"ours": [{"turn_p99_us": turns} for turns in ours],
                                          "nginx": [{"turn_p99_us": turns} for turns in nginx]}}}
        # Turn beside turn of the same round; 0 where not one request was sent.
        self.assertEqual(goals.turn_ratios(outcome([[2, 4, 0], [9, 6, 6000]], [[4, 8, 1], [0, 6, 12]])),
                         [0.5, 0.5, 1, 500])

    def test_what_is_noise(self):
        quiet = {"disturbed_share": 0, "repeat_quartiles": [0.99, 1.01], "floor_us_quartiles": [6.5, 7],
                 "idle_share": 0.02, "uncertainties": [0.005, 0.02]}
        self.assertFalse(bench.is_noisy(quiet))
        for change in ({"disturbed_share": 0.2}, {"repeat_quartiles": [0.95, 1.05]}, {"floor_us_quartiles": [6.5, 9]},
                       {"idle_share": 0.2}, {"uncertainties": [0.04, 0.02]}, {"uncertainties": [0.005, 0.06]}):
            self.assertTrue(bench.is_noisy(quiet | change), change)

    def test_a_lost_answer_ends_the_run(self):
        peer, path = unittest.mock.Mock(), paths.PATHS[0]
        measure.check(peer, path, {"answers": 1, "wrong_status": 0, "lost": 0})
        for wrong in ({"wrong_status": 1}, {"lost": 1}):
            with self.assertRaises(RuntimeError):
                measure.check(peer, path, {"answers": 1, "wrong_status": 0, "lost": 0} | wrong)

    def test_no_answer_at_all_ends_the_run_too(self):
        """After as many attempts as a disturbed measurement gets."""
        nothing = dict.fromkeys(("answers", "wrong_status", "lost", "server_cpu_ns", "load_cpu_ns"), 0) | {"seconds": 1}
        nothing = {"targets": [nothing], "foreign_cpu_ns": 0, "steal_ns": 0, "seconds": 1}
        peer = unittest.mock.Mock(pids=str(os.getpid()))
        with tempfile.TemporaryDirectory() as name, unittest.mock.patch.object(
                subprocess, "run", return_value=unittest.mock.Mock(stdout=json.dumps(nothing))) as run:
            loader = measure.Loader(pathlib.Path("load"), pathlib.Path(name), "1")
            with self.assertRaisesRegex(RuntimeError, "no answers in 3 attempts"):
                loader.run(peer, paths.PATHS[0], 1)
            self.assertEqual(run.call_count, measure.ATTEMPTS_MAX)


if __name__ == "__main__":
    unittest.main()
