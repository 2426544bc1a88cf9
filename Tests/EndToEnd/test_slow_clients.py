"""Clients that take their time, by the thousand, while ordinary ones are served."""

import shutil
import subprocess
import tempfile
import threading
import time
import unittest

from load_support import Crowd, Holdings, Visitors, figure, wait_until
from support import Service

CONFIG = {
    "admin": {"listener": "127.0.0.1:0"},
    "timeouts": {"headSeconds": 3, "bodySeconds": 3, "idleSeconds": 4, "writeStallSeconds": 3, "lingerSeconds": 1},
}
ATTACK_SECONDS = 10


class SlowClients(unittest.TestCase):
    """slowhttptest's modes, 1,000 connections each: every one is cut at the time-out of what it is slow in."""

    COUNT = 1000

    @classmethod
    def setUpClass(cls):
        cls.service = Service(CONFIG)
        cls.addClassCleanup(cls.service.stop)
        cls.holdings = Holdings(cls.service, cls.service.wait_for_event("admin-listening")["port"])
        cls.descriptors = cls.holdings.resting_descriptor_count()
        with Visitors(cls.service.port) as visitors:
            time.sleep(3)
            cls.calm = visitors.stop()

    def attack(self, name, *arguments, timeout_kind=None):
        before = {kind: self.holdings.timed_out(kind) for kind in ("idle", "head", "body", "write")}
        with Visitors(self.service.port) as visitors:
            peak, output = self.run_attack(arguments)
            median, p99 = visitors.stop()
        self.assertEqual((visitors.wrong, visitors.lost), ([], []))
        self.holdings.wait_until_empty(self.descriptors)
        after = {kind: self.holdings.timed_out(kind) for kind in before}
        cut = {kind: after[kind] - before[kind] for kind in before if after[kind] > before[kind]}
        if timeout_kind:
            # The positive control: there were slow clients, by the thousand, for the time-outs to end.
            self.assertGreaterEqual(peak, self.COUNT * 9 // 10, output[-2000:])
            self.assertGreaterEqual(cut.get(timeout_kind, 0), self.COUNT * 9 // 10, output[-2000:])
        figure(name, f"{peak} connections at the same time, cut: {cut or 'none'}; {len(visitors.milliseconds)} "
                     f"ordinary requests, 0 lost, 0 wrong; their p99 {p99:.1f} ms is {p99 / self.calm[1]:.1f} times a "
                     f"calm run's, their median {median:.2f} ms {median / self.calm[0]:.1f} times")

    def run_attack(self, arguments):
        """The most connections that were open at the same time, and what slowhttptest said."""
        attack = subprocess.Popen(
            ["slowhttptest", *arguments, "-c", str(self.COUNT), "-r", "1000", "-l", str(ATTACK_SECONDS),
             "-u", f"http://127.0.0.1:{self.service.port}/v1/region"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        peak = 0
        with tempfile.TemporaryFile("w+") as output:
            reader = threading.Thread(target=shutil.copyfileobj, args=(attack.stdout, output))
            reader.start()
            while attack.poll() is None:
                peak = max(peak, self.holdings.open_count())
                time.sleep(0.1)
            reader.join()
            attack.stdout.close()
            output.seek(0)
            return peak, output.read()

    def test_slow_heads(self):
        self.attack("slow heads", "-H", "-i", "1", timeout_kind="head")

    def test_slow_bodies(self):
        self.attack("slow bodies", "-B", "-i", "1", "-s", "8192", timeout_kind="body")

    def test_slow_readers(self):
        """Ten small answers fit the kernel's buffer: for the service such a connection is idle."""
        self.attack("slow readers", "-X", "-w", "10", "-y", "20", "-n", "1", "-z", "1", "-k", "10",
                    timeout_kind="idle")

    def test_ranges(self):
        """Overlapping ranges cost nothing: there is nothing to cut up."""
        self.attack("ranges", "-R", "-a", "1", "-b", "1000")

    def test_readers_that_never_read(self):
        """Requests until the kernel's buffers are full: an answer waits, and is given up."""
        count = 200
        before = self.holdings.timed_out("write")
        with Visitors(self.service.port) as visitors:
            with Crowd(self.service.port, count, "flooded") as crowd:
                self.assertEqual(crowd.wait(), {"flooded": count})
                wait_until(lambda: self.holdings.timed_out("write") - before == count, "all given up")
            _, p99 = visitors.stop()
        self.holdings.wait_until_empty(self.descriptors)
        self.assertEqual((visitors.wrong, visitors.lost), ([], []))
        figure("readers that never read", f"{count} with full buffers, {count} cut; ordinary p99 {p99:.1f} ms, "
                                          f"{p99 / self.calm[1]:.1f} times a calm run's")


if __name__ == "__main__":
    unittest.main()
