"""More clients than there is room for, and what each of them costs."""

import re
import resource
import socket
import subprocess
import tempfile
import time
import unittest

from load_support import KR, Crowd, Holdings, figure, wait_until
from support import Service, metrics, parse, request, sample

ADMIN = {"admin": {"listener": "127.0.0.1:0"}}
LIMIT_REACHED = 'region_bucket_connections_refused_total{reason="connectionLimit"}'


def start(changes=None, **options):
    """A service with metrics, and what its process holds."""
    service = Service({**ADMIN, **(changes or {})}, **options)
    return service, Holdings(service, service.wait_for_event("admin-listening")["port"])


class ConnectionLimit(unittest.TestCase):
    COUNT, LIMIT = 1000, 200

    def test_the_surplus_is_told_and_the_rest_is_served(self):
        """Nobody of the surplus goes before its 503 has timed out: who finds no place even for that waits."""
        service, holdings = start({
            "loops": 1, "limits": {"connectionsMax": self.LIMIT}, "timeouts": {"lingerSeconds": 0.5}})
        with service, Crowd(service.port, self.COUNT, "answered") as crowd:
            results = crowd.wait()
            self.assertEqual(results, {"200": self.LIMIT, "503": self.COUNT - self.LIMIT})
            # At the limit the operator's own requests are answered, and who is connected is served.
            self.assertEqual(sample(metrics(holdings.admin), LIMIT_REACHED), self.COUNT - self.LIMIT)
            self.assertEqual(crowd.tell("ask"), {"200": self.LIMIT})
            self.assertEqual(parse(service.exchange(request(KR))).status, 503)
            crowd.tell("close")
            wait_until(lambda: holdings.open_count() == 0, "room again")
            with Crowd(service.port, self.LIMIT, "answered") as others:
                self.assertEqual(others.wait(), {"200": self.LIMIT})
            figure("connection limit", f"{self.COUNT} at once, {self.LIMIT} allowed: {results['200']} times 200, "
                                       f"{results['503']} times 503, 0 without an answer")


class IdleConnections(unittest.TestCase):
    # A service of a lower descriptor limit has fewer.
    COUNT = min(10_000, resource.getrlimit(resource.RLIMIT_NOFILE)[1] - 1000)

    def bytes_per_connection(self, stage, count):
        service, holdings = start({"loops": 2})
        with service:
            # Whatever the first of its kind makes the process set up is not counted.
            with Crowd(service.port, 100, stage) as first:
                first.wait()
            before = wait_until(lambda: holdings.open_count() == 0, "empty") and holdings.private_kilobytes()
            with Crowd(service.port, count, stage) as crowd:
                results = crowd.wait()
                self.assertEqual(results, {"200" if stage == "answered" else stage: count})
                wait_until(lambda: holdings.open_count() == count, "all accepted")
                return (holdings.private_kilobytes() - before) * 1024 / count

    def test_memory(self):
        idle = self.bytes_per_connection("answered", self.COUNT)
        self.assertLess(idle, 512)
        # The measure sees what a connection holds: half a head has to be kept.
        half = self.bytes_per_connection("half", 2000)
        self.assertGreater(half, 1000)
        figure("memory per idle connection", f"{idle:.0f} bytes of the process, at {self.COUNT}; "
                                             f"with half a head {half:.0f}")


class Descriptors(unittest.TestCase):
    # Pauses of 100 ms, sweeps of a second at most, and what the control costs.
    CALM_WAITS_MAX = 60
    REQUESTS = 300

    def test_a_low_limit_is_told_and_survived(self):
        """With 64 descriptors: accepting pauses and resumes, who is connected is served, nothing spins."""
        with Service({"loops": 1}, wrapper=["prlimit", "--nofile=64:64"]) as service:
            self.assertEqual(service.events("descriptor-limit")[0]["limit"], 64)
            held = [socket.create_connection(("127.0.0.1", service.port), timeout=10) for _ in range(100)]
            held[0].sendall(request(KR))
            self.assertEqual(parse(held[0].recv(4096)).bucket, "regionalMarket")
            calm, calm_cpu = self.waits(service, lambda: time.sleep(2))
            # The count sees every turn of the loop: one for each request.
            busy, _ = self.waits(service, lambda: self.ask(held[0]))
            self.assertGreaterEqual(busy, self.REQUESTS)
            self.assertLess(calm, self.CALM_WAITS_MAX)
            for connection in held[1:80]:
                connection.close()
            # Those that waited in the backlog are served now.
            for connection in held[80:]:
                connection.sendall(request(KR))
                self.assertEqual(parse(connection.recv(4096)).bucket, "regionalMarket")
            for connection in (held[0], *held[80:]):
                connection.close()
            figure("64 descriptors", f"100 clients: {calm} turns and {calm_cpu:.2f} s of processor time in 2 s "
                                     f"of waiting; all served once there was room")

    def ask(self, connection):
        for _ in range(self.REQUESTS):
            connection.sendall(request(KR))
            self.assertEqual(parse(connection.recv(4096)).bucket, "regionalMarket")

    def waits(self, service, action):
        """How often the loop waits while something goes on, and the processor time of the process."""
        holdings = Holdings(service)
        with tempfile.NamedTemporaryFile("r") as summary:
            tracer = subprocess.Popen(
                ["strace", "-f", "-c", "-e", "trace=epoll_pwait", "-o", summary.name, "-p", str(service.process.pid)],
                stderr=subprocess.PIPE, text=True)
            self.assertIn("attached", tracer.stderr.readline())
            cpu = holdings.cpu_seconds()
            action()
            cpu = holdings.cpu_seconds() - cpu
            tracer.terminate()
            tracer.communicate()
            calls = re.search(r"^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s.*epoll_pwait$", summary.read(), re.M)
            return int(calls.group(1)) if calls else 0, cpu


if __name__ == "__main__":
    unittest.main()
