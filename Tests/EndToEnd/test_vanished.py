"""Clients that vanish, by the thousand: with RST at every stage, or without a word, as when a cable is cut."""

import contextlib
import os
import subprocess
import unittest

from load_support import Crowd, Holdings, figure, may_unshare, wait_until
from support import Service, metrics, sample

ADMIN = {"admin": {"listener": "127.0.0.1:0"}}
STAGES = ("connected", "half", "answered", "unread", "flooded")


class Reset(unittest.TestCase):
    ROUNDS, COUNT = 5, 500

    def test_nothing_is_left_of_them(self):
        with Service({**ADMIN, "loops": 2}) as service:
            holdings = Holdings(service, service.wait_for_event("admin-listening")["port"])
            descriptors = holdings.resting_descriptor_count()
            held = []
            for _ in range(self.ROUNDS):
                for stage in STAGES:
                    # Full buffers are megabytes of the kernel's each.
                    count = self.COUNT // 10 if stage == "flooded" else self.COUNT
                    with Crowd(service.port, count, stage) as crowd:
                        self.assertEqual(sum(crowd.wait().values()), count)
                        crowd.tell("reset")
                    holdings.wait_until_empty(descriptors)
                held.append(holdings.private_kilobytes())
            accepted = sample(metrics(holdings.admin), "region_bucket_connections_accepted_total")
            # The first round sets up what stays; from then on nothing grows.
            self.assertLess(max(held[1:]) - held[0], 512, held)
            # The measures see connections that do stay.
            with Crowd(service.port, 100, "half") as crowd:
                crowd.wait()
                wait_until(lambda: holdings.open_count() == 100, "all accepted")
                self.assertEqual(holdings.descriptor_count(), descriptors + 100)
            figure("clients that vanish with RST",
                   f"{accepted:.0f} connections: 0 left open, 0 descriptors left, memory after each round {held} kB")


@contextlib.contextmanager
def two_hosts():
    """Two network namespaces joined by a cable, as commands that enter them; 10.9.0.1 and 10.9.0.2."""
    holders = []

    def inside(number, *command):
        return subprocess.run([*entering(number), *command], check=True, capture_output=True, text=True).stdout

    def entering(number):
        return ["nsenter", f"--net=/proc/{holders[number].pid}/ns/net"]

    def has_left(process):
        with contextlib.suppress(OSError):
            return os.readlink(f"/proc/{process.pid}/ns/net") != os.readlink("/proc/self/ns/net")

    try:
        for _ in range(2):
            holders.append(subprocess.Popen(["unshare", "--net", "sleep", "600"]))
            wait_until(lambda: has_left(holders[-1]), "a network namespace", 10)
        inside(0, "ip", "link", "add", "near", "type", "veth", "peer", "name", "far", "netns", str(holders[1].pid))
        for number, name in enumerate(("near", "far")):
            inside(number, "ip", "address", "add", f"10.9.0.{number + 1}/24", "dev", name)
            inside(number, "ip", "link", "set", name, "up")
            inside(number, "ip", "link", "set", "lo", "up")
        yield entering, inside
    finally:
        for holder in holders:
            holder.kill()
            holder.wait()


@unittest.skipUnless(may_unshare("--net"), "network namespaces are not allowed here")
class HalfOpen(unittest.TestCase):
    """The cable is cut: no FIN and no RST arrives, so that only time-outs can tell."""

    COUNT = 1000
    QUICK = {"headSeconds": 2, "idleSeconds": 2, "writeStallSeconds": 2, "lingerSeconds": 1}
    PATIENT = {"headSeconds": 600, "idleSeconds": 600, "writeStallSeconds": 600}

    def vanish(self, timeouts, then):
        with two_hosts() as (entering, inside):
            with Service({**ADMIN, "timeouts": timeouts, "loops": 2}, wrapper=entering(0)) as service:
                admin = service.wait_for_event("admin-listening")["port"]
                holdings = NamespacedHoldings(service, admin, inside)
                descriptors = holdings.resting_descriptor_count()
                with contextlib.ExitStack() as crowds:
                    for stage in ("connected", "half", "answered", "unread"):
                        crowds.enter_context(Crowd(
                            service.port, self.COUNT // 4, stage, host="10.9.0.1", wrapper=entering(1))).wait()
                    crowds.enter_context(Crowd(
                        service.port, 20, "flooded", host="10.9.0.1", wrapper=entering(1))).wait()
                    inside(1, "ip", "link", "set", "far", "down")
                # Their processes are gone now, and nothing of that came through.
                return then(holdings, descriptors)

    def test_time_outs_find_them(self):
        def then(holdings, descriptors):
            holdings.wait_until_empty(descriptors)
            return {kind: holdings.timed_out(kind) for kind in ("idle", "head", "write")}

        cut = self.vanish(self.QUICK, then)
        self.assertGreaterEqual(cut["head"], self.COUNT // 4)
        figure("half-open clients", f"{self.COUNT + 20} behind a cut cable: 0 left open, 0 descriptors left; "
                                    f"cut by time-outs: {cut}")

    def test_nothing_else_would(self):
        """The control: with long time-outs they stay, so that it was the time-outs that ended the others."""
        def then(holdings, descriptors):
            self.assertEqual(holdings.open_count(), self.COUNT + 20)
            self.assertEqual(holdings.descriptor_count(), descriptors + self.COUNT + 20)

        self.vanish(self.PATIENT, then)


class NamespacedHoldings(Holdings):
    """What a service in another network namespace holds."""

    def __init__(self, service, admin, inside):
        super().__init__(service, admin)
        self._inside = inside

    def metrics_page(self):
        return self._inside(0, "curl", "-s", "--max-time", "10", f"http://127.0.0.1:{self.admin}/metrics")


if __name__ == "__main__":
    unittest.main()
