"""A full disk and too little memory: the service goes on, or ends with a clear error; no answer is wrong."""

import contextlib
import json
import os
import pathlib
import resource
import shlex
import signal
import socket
import subprocess
import tempfile
import unittest

from load_support import KR, Crowd, Holdings, build_database, figure, may_unshare, wait_until
from support import BINARY, DATABASE, Service, free_port, metrics, parse, request, sample

DROPPED = "region_bucket_log_lines_dropped_total"


def on_small_disk(place, command):
    """A shell command that sees a file system of 64 KiB at a place; nobody else does."""
    return ["unshare", "--mount", "sh", "-c", f"mount -t tmpfs -o size=64k none {shlex.quote(place)} && {command}"]


@unittest.skipUnless(may_unshare("--mount"), "mount namespaces are not allowed here")
class FullDisk(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.place = directory.name

    @contextlib.contextmanager
    def logging_to_small_disk(self):
        """A service whose log shares 64 KiB with a file of 40; its port, its metrics' port, and the disk."""
        port, admin = free_port(), free_port()
        with tempfile.TemporaryDirectory() as directory:
            config = pathlib.Path(directory, "config.json5")
            config.write_text(json.dumps({
                "listeners": [f"127.0.0.1:{port}"], "admin": {"listener": f"127.0.0.1:{admin}"}, "sources": ["cdn"],
                "cdn": {"preset": "cloudfront"}, "policy": {"regional": ["KR"]},
                "log": {"access": True, "format": "json"}}))
            serve = shlex.join([str(BINARY), "serve", "--config", str(config)])
            command = f"cd {shlex.quote(self.place)} && head -c 40960 /dev/zero > ballast && exec {serve} >> log"
            process = subprocess.Popen(on_small_disk(self.place, command))
            try:
                wait_until(lambda: is_listening(admin), "a listener", 20)
                # What the process sees at the place, from outside.
                yield port, admin, pathlib.Path(f"/proc/{process.pid}/root{self.place}")
            finally:
                process.terminate()
                self.assertEqual(process.wait(30), 0)

    def test_log(self):
        """Requests go on; what cannot be written is counted; with room again, whole lines follow."""
        with self.logging_to_small_disk() as (port, admin, disk):
            asked = 0
            while sample(metrics(admin), DROPPED) < 500:
                self.ask(port)
                asked += 100
                self.assertLess(asked, 20_000)
            self.wait_for_hand_over(admin)
            torn = (disk / "log").read_bytes()
            (disk / "ballast").unlink()
            # Fewer than there is room for.
            self.ask(port, 50)
            wait_until(lambda: len((disk / "log").read_bytes()) > len(torn) + 1000, "lines again", 20)
            wait_until(lambda: (disk / "log").read_bytes().endswith(b"}\n"), "a whole line", 20)
            lines = (disk / "log").read_bytes().decode().splitlines()
            broken = [line for line in lines if not is_json(line)]
            # The line that the full disk cut short stands by itself.
            self.assertLessEqual(len(broken), 1, broken)
            figure("disk full, log", f"{asked + 50} requests, all right; {sample(metrics(admin), DROPPED):.0f} lines "
                                     f"dropped and counted; whole lines once there was room")

    def wait_for_hand_over(self, admin):
        """Lines that a loop still holds are more than there will be room for: they are to be dropped before. What is
        dropped next may have been handed over already; what is dropped after that has not."""
        for _ in range(2):
            before = sample(metrics(admin), DROPPED)
            wait_until(lambda: sample(metrics(admin), DROPPED) > before, "a hand-over", 20)

    def ask(self, port, count=100):
        with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
            for _ in range(count):
                connection.sendall(request(KR))
                self.assertEqual(parse(connection.recv(4096)).bucket, "regionalMarket")

    def test_database_build(self):
        """A new database that does not fit leaves the old one, no file of its own, and a clear error."""
        with tempfile.TemporaryDirectory() as elsewhere:
            old = os.path.join(elsewhere, "old.mmdb")
            build_database(old, "KR")
            build = shlex.join([str(BINARY), "database", "build", "--quiet", "--output", f"{self.place}/region.mmdb",
                                "/usr/share/tor/geoip"])
            command = (f"cp {old} {self.place}/region.mmdb && {{ {build}; echo status $?; }} && ls -A {self.place} && "
                       f"cmp {old} {self.place}/region.mmdb && echo whole")
            done = subprocess.run(on_small_disk(self.place, command), capture_output=True, text=True)
        self.assertEqual(done.stdout.splitlines(), ["status 73", "region.mmdb", "whole"], done.stderr)
        self.assertIn("No space left on device", done.stderr)
        figure("disk full, database build",
               f"status 73, the old file whole, nothing left behind: {done.stderr.strip().split(': ', 2)[-1]}")


def is_listening(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True


def is_json(line):
    with contextlib.suppress(ValueError):
        return bool(json.loads(line))


class LittleMemory(unittest.TestCase):
    """RLIMIT_AS, from far too little upwards."""

    def test_at_the_start(self):
        """It starts and answers, or ends with a status and a word: never by a signal, never with half a service."""
        outcomes = []
        for megabytes in (8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 1024):
            outcome = self.start_with(megabytes)
            outcomes.append((megabytes, outcome))
        failed = [megabytes for megabytes, outcome in outcomes if outcome != "serves"]
        served = [megabytes for megabytes, outcome in outcomes if outcome == "serves"]
        self.assertTrue(failed and served, outcomes)
        figure("memory limit at the start", f"ends with a clear error up to {max(failed)} MB of address space, "
                                            f"serves from {min(served)} MB; by no signal")

    def start_with(self, megabytes):
        service = Service({"loops": 2}, wrapper=["prlimit", f"--as={megabytes << 20}"], wait=False)
        ready = wait_until(lambda: service.events("listening") or service.process.poll() is not None,
                           f"neither ready nor ended with {megabytes} MB")
        if service.process.poll() is None:
            service.port = ready[0]["port"]
            with service:
                for lines, bucket in (([KR], "regionalMarket"), (["X-Forwarded-For: 168.126.63.1"], "regionalMarket"),
                                      (["X-Forwarded-For: 8.8.8.8"], "otherMarket")):
                    self.assertEqual(parse(service.exchange(request(*lines))).bucket, bucket)
            return "serves"
        status = service.stop()
        self.assertGreater(status, 0, (megabytes, service.errors))
        self.assertRegex(service.errors, "not enough memory|failed to map", megabytes)
        return f"status {status}"

    def test_while_it_runs(self):
        """No memory for anything more: parts of requests are refused, reloads too, and all else is right."""
        with Service({"loops": 2, "admin": {"listener": "127.0.0.1:0"}}) as service:
            admin = service.wait_for_event("admin-listening")["port"]
            holdings = Holdings(service, admin)
            descriptors = holdings.resting_descriptor_count()
            self.assertEqual(parse(service.exchange(request(KR))).bucket, "regionalMarket")
            used = int((holdings.process / "statm").read_text().split()[0]) * resource.getpagesize()
            # Less than a second database would need.
            limit = used + (1 << 20)
            before = resource.prlimit(service.process.pid, resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
            # A reload or a stop may have to wait for memory: it must be there again before the service is stopped.
            restored = contextlib.ExitStack()
            restored.callback(resource.prlimit, service.process.pid, resource.RLIMIT_AS, before)
            with restored, Crowd(service.port, 3000, "half") as crowd:
                crowd.wait()
                answers = {"200": 0, "503": 0}
                for number in range(300):
                    answer = parse(service.exchange(request(KR if number % 2 else "X-Forwarded-For: 8.8.8.8")))
                    answers[str(answer.status)] += 1
                    if answer.status == 200:
                        self.assertEqual(answer.bucket, "regionalMarket" if number % 2 else "otherMarket")
                service.process.send_signal(signal.SIGHUP)
                # Where there is no memory for a thread either, the reload waits for it.
                outcome = "waits for memory"
                with contextlib.suppress(AssertionError):
                    outcome = "is refused: " + service.wait_for_event("database-refused", seconds=5)["problem"]
                self.assertIn("memory", outcome)
                self.assertEqual(len(service.events("database-loaded")), 1)
            # With memory again it goes on as if nothing had been.
            holdings.wait_until_empty(descriptors)
            service.process.send_signal(signal.SIGHUP)
            service.wait_for_event("database-loaded", 2)
            self.assertEqual(parse(service.exchange(request("X-Forwarded-For: 8.8.8.8"))).bucket, "otherMarket")
            self.assertEqual(service.stop(), 0)
            figure("memory limit while it runs", f"300 requests among 3,000 half ones: {answers}, 0 wrong; the reload "
                                                 f"{outcome}")


if __name__ == "__main__":
    unittest.main()
