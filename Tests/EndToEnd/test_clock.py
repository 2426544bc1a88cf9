"""A clock that is set back and forth: answers stay right, and time-outs do not look at it."""

import calendar
import email.utils
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import unittest

from load_support import KR, build_database, figure, wait_until
from support import Service, metrics, parse, request, sample

YEAR = 365 * 86_400
LOOKED_UP = "X-Forwarded-For: 168.126.63.1"
TIMEOUTS = {"headSeconds": 2, "idleSeconds": 3, "bodySeconds": 2}


class Clock:
    """The wall clock of a service, by hand_clock.c; the monotonic clock and timers are left alone."""

    def __init__(self):
        self.directory = tempfile.TemporaryDirectory()
        self.file = pathlib.Path(self.directory.name, "offset")
        self.library = pathlib.Path(self.directory.name, "hand_clock.so")
        self.file.write_bytes(bytes(8))
        self.offset = 0
        # Swift brings a compiler of C; it stands beside it.
        compiler = shutil.which("clang") or shutil.which("cc")
        assert compiler, "there is no compiler of C"
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", self.library,
                        pathlib.Path(__file__).with_name("hand_clock.c")], check=True)

    def environment(self):
        return {"LD_PRELOAD": str(self.library), "HAND_CLOCK": str(self.file)}

    def set(self, offset):
        """So many seconds from the real time."""
        self.offset = offset
        with open(self.file, "r+b") as file:
            file.write(struct.pack("q", offset))

    def now(self):
        return time.time() + self.offset

    def close(self):
        self.directory.cleanup()


class ClockSetBackAndForth(unittest.TestCase):
    OFFSETS = [0, 10 * YEAR, -10 * YEAR, 1, -1, -50 * YEAR, 60, -86_400, 300 * YEAR, 0]

    def setUp(self):
        self.clock = Clock()
        self.addCleanup(self.clock.close)
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.database = f"{self.directory.name}/region.mmdb"
        build_database(self.database, "KR")

    def start(self, **database):
        service = Service(
            {"timeouts": TIMEOUTS, "loops": 1, "admin": {"listener": "127.0.0.1:0"},
             "database": {"path": self.database, **database}}, environment=self.clock.environment())
        self.addCleanup(service.stop)
        return service

    def test_answers(self):
        """The date follows the clock, the bucket does not; nor does a connection."""
        service = self.start(maxAgeDays=0)
        jumps, answers = 0, 0
        with socket.create_connection(("127.0.0.1", service.port), timeout=10) as connection:
            for offset in self.OFFSETS:
                self.clock.set(offset)
                jumps += 1
                for lines in ([KR], [LOOKED_UP], [KR, 'If-None-Match: "1-regionalMarket"']):
                    connection.sendall(request(*lines))
                    answer = parse(connection.recv(4096))
                    date = calendar.timegm(email.utils.parsedate(answer.get("Date")))
                    self.assertLess(abs(date - self.clock.now()), 3, "the clock was not set, or not followed")
                    self.assertEqual(answer.get("Cache-Control"), "private, no-store")
                    self.assertIsNone(answer.get("Age"))
                    self.assertIsNone(answer.get("Expires"))
                    if answer.status != 304:
                        self.assertEqual(answer.bucket, "regionalMarket")
                    answers += 1
        self.assertGreaterEqual(
            sample(metrics(service.wait_for_event("admin-listening")["port"]), "region_bucket_database_age_seconds"), 0)
        figure("clock set back and forth", f"{jumps} jumps of up to 300 years on one connection: {answers} answers, "
                                           "each with its date, 0 wrong")

    def test_a_database_ages_and_is_young_again(self):
        service = self.start(maxAgeDays=10, unknownAfterDays=100)

        def bucket():
            return parse(service.exchange(request(LOOKED_UP))).bucket

        for offset, expected in ((0, "regionalMarket"), (101 * 86_400, "unknown"), (50 * 86_400, "regionalMarket"),
                                 (10 * YEAR, "unknown"), (-10 * YEAR, "regionalMarket"), (0, "regionalMarket")):
            self.clock.set(offset)
            wait_until(lambda: bucket() == expected, f"{expected} at {offset} s", 10)
            # What the CDN says has no age.
            self.assertEqual(parse(service.exchange(request(KR))).bucket, "regionalMarket")
        self.assertTrue(service.events("database-old"))
        self.assertTrue(service.events("database-too-old"))

    def test_time_outs_do_not_follow(self):
        """Set forth by years nobody is cut early; set back by years nobody stays."""
        service = self.start(maxAgeDays=0)
        admin = service.wait_for_event("admin-listening")["port"]

        def cut(kind):
            return sample(metrics(admin), f'region_bucket_connections_timed_out_total{{kind="{kind}"}}')

        for offset in (10 * YEAR, -10 * YEAR):
            heads, idles = cut("head"), cut("idle")
            started = time.monotonic()
            with socket.create_connection(("127.0.0.1", service.port), timeout=30) as half, \
                    socket.create_connection(("127.0.0.1", service.port), timeout=30) as idle:
                half.sendall(request(KR)[:-2])
                idle.sendall(request(KR))
                self.assertEqual(parse(idle.recv(4096)).bucket, "regionalMarket")
                self.clock.set(offset)
                answer = parse(half.recv(4096))
                # By the wall clock it would have come at once, or in ten years.
                self.assertGreater(time.monotonic() - started, TIMEOUTS["headSeconds"] - 0.1)
                self.assertEqual(answer.status, 408)
                self.assertEqual(idle.recv(4096), b"")
                self.assertGreater(time.monotonic() - started, TIMEOUTS["idleSeconds"] - 0.1)
            self.assertEqual((cut("head"), cut("idle")), (heads + 1, idles + 1))

    def test_the_log_says_when(self):
        service = self.start(maxAgeDays=0)
        for offset in (-30 * YEAR, 30 * YEAR):
            self.clock.set(offset)
            count = len(service.events("configuration-loaded"))
            service.process.send_signal(1)
            event = service.wait_for_event("configuration-loaded", count + 1)
            year = time.gmtime(self.clock.now()).tm_year
            self.assertRegex(event["time"], re.compile(rf"^{year}-\d\d-\d\dT"))


if __name__ == "__main__":
    unittest.main()
