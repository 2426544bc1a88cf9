"""The cases of HTTP/1.1 through the shipped files for nginx, HAProxy and Varnish: a front and the service behind it
have to frame alike, or one client's bytes become another's request.

For each case: how many requests the front believes that it has passed on, how many the service has answered, and how
many there are in a recording of the line between them. They agree, and the next client's answer is its own.
"""

import collections
import contextlib
import os
import re
import socket
import time
import unittest

from front_support import Shared
from fronts import Connection, HAProxy, Nginx, PlainNginx, Varnish, behind
from http_cases import KR
from http_framing_cases import COMPLETE
from recorder import Recorder
from support import free_port, metrics, request
from tap import Tap

IS_LONG = bool(os.environ.get("RB_TEST_LONG"))
# Nothing is kept and nothing decided in front: every request that a front believes in is passed on.
NGINX = {"fingerprint": 'default "";'}
# Bodies that are too large keep fronts waiting for seconds: by default some of them.
TOO_LARGE = [case for case in COMPLETE if b"HTTP/1.1 413 " in case.answers]
CASES = [case for case in COMPLETE if IS_LONG or case not in TOO_LARGE or case in TOO_LARGE[::9]]
LAST = request(KR, "Connection: close")
PROBE = request("Origin: https://app.example", "Access-Control-Request-Method: GET", method="OPTIONS")


class Line:
    """A front, and what is behind it: `answered()` requests so far, and `recorded()` ones."""

    def __init__(self, name, front, answered, recorded):
        self.name, self.front, self.answered, self.recorded = name, front, answered, recorded

    def believed(self):
        """How many requests the front has passed on, in its own words; and how many it has given up in the middle, to
        which an answer may have come."""
        if self.name == "varnish":
            return self.front.counter("MAIN.backend_req"), 0
        logs = self.front.logs().decode("latin-1")
        if self.name == "haproxy":
            states = re.findall(r" (\S{4}) backend=region_bucket ", logs)
            return states.count("----"), len(states) - states.count("----")
        said = re.findall(r"\d{3}", " ".join(re.findall(r"service=([\d, :-]+) seconds", logs)))
        given_up = said.count("502") + said.count("504")
        return len(said) - given_up, given_up

    def counts(self):
        return *self.believed(), self.answered(), self.recorded()

    def settled_counts(self, before, seconds):
        """What was added, once something was and all agree; whatever it is when they do not in time."""
        deadline = time.monotonic() + seconds
        while True:
            added = tuple(after - old for after, old in zip(self.counts(), before, strict=True))
            if added[0] > 0 and agree(*added) or time.monotonic() > deadline:
                return added
            time.sleep(0.02)

    def send(self, data):
        """A client that sends everything and reads to the end. Where a front waits for more than there is, it ends its
        side, once nothing more has come for a while."""
        with socket.create_connection(("127.0.0.1", self.front.port), timeout=20) as client, \
                contextlib.suppress(OSError):
            client.sendall(data)
            if client.recv(65536):
                client.settimeout(3)
                with contextlib.suppress(TimeoutError):
                    while client.recv(65536):
                        pass
                client.shutdown(socket.SHUT_WR)
                while client.recv(65536):
                    pass

    def disagreement(self, case, seconds=20):
        """What a front and the service count differently in a case; None when nothing."""
        before = self.counts()
        self.send(case.data + LAST)
        with Connection(self.front.port) as connection:
            probe = connection.ask(PROBE, "OPTIONS")
        added = self.settled_counts(before, seconds)
        if not agree(*added) or added[0] < 1:
            return case.section, case.name, added, "believed, given up, answered, recorded"
        if probe is None or probe.status != 204:
            return case.section, case.name, "the next client got", probe and (probe.status, probe.fields)
        return None


def agree(believed, given_up, answered, recorded):
    return believed <= answered <= min(believed + given_up, recorded)


def answers(port):
    """How many answers a service has given, by its own metrics."""
    page = metrics(port)
    return sum(int(count) for count in re.findall(r'^region_bucket_answers_total\{status="\d+"\} (\d+)$', page, re.M))


class Fronts(Shared):
    def front(self, name, port):
        if name == "nginx":
            return Nginx(self.workshop, port, **NGINX)
        return HAProxy(self.workshop, port) if name == "haproxy" else Varnish(port)

    def play(self, name):
        environment = {"REGION_BUCKET_ADMIN_LISTENER": "127.0.0.1:0"}
        with behind(name, self.workshop.database, environment=environment) as service, Tap(service.port) as tap, \
                self.front(name, tap.port) as front:
            admin_port = service.wait_for_event("admin-listening")["port"]
            line = Line(name, front, lambda: answers(admin_port), tap.request_count)
            wrong = [found for found in map(line.disagreement, CASES) if found]
            counts = believed, given_up, answered, recorded = line.counts()
        self.assertEqual(wrong[:5], [], f"{len(wrong)} of {len(CASES)} cases")
        self.assertTrue(agree(*counts), counts)
        print(f"{name}: {len(CASES)} cases, {believed} requests passed on, {given_up} given up, {answered} answered, "
              f"{recorded} recorded, 0 disagreements")
        # Besides the probes there was something: not all was refused in front.
        self.assertGreater(believed, len(CASES) + 100)
        self.assertLess(given_up, 30)

    def test_nginx_frames_alike(self):
        self.play("nginx")

    def test_haproxy_frames_alike(self):
        self.play("haproxy")

    def test_varnish_frames_alike(self):
        self.play("varnish")

    def test_a_service_that_frames_differently_is_found(self):
        """The positive control: one that knows no body takes what is in it for a request. To nginx's file that makes no
        difference: it passes no body on."""
        hiding = [case for case in COMPLETE if request(KR) in case.data[10:] and not case.closes]
        self.assertGreater(len(hiding), 1)
        for name, is_found in (("nginx", False), ("haproxy", True), ("varnish", True)):
            with Recorder(lambda head: b"HTTP/1.1 204 No Content\r\n\r\n") as recorder, \
                    self.front(name, recorder.port) as front:
                line = Line(name, front, lambda recorder=recorder: len(recorder.heads),
                            lambda recorder=recorder: len(recorder.heads))
                found = [line.disagreement(case, seconds=3 if is_found else 20) for case in hiding]
                more = [one for one in found if one and one[2][2] > one[2][0]]
                self.assertEqual(bool(more), is_found, (name, found))


class Leniency(unittest.TestCase):
    def test_what_nginx_would_have_taken(self):
        """The same bytes to nginx itself, which answers 200 to whatever it takes for a request."""
        port = free_port()
        directives = f"server {{ listen 127.0.0.1:{port}; location / {{ return 200; }} }}"
        taken = collections.Counter()
        count = sum(b"HTTP/1.1 400" in case.answers for case in COMPLETE)
        with PlainNginx(directives, port) as nginx:
            for case in COMPLETE:
                if b"HTTP/1.1 400" in case.answers:
                    with socket.create_connection(("127.0.0.1", nginx.port), timeout=20) as client:
                        client.sendall(case.data)
                        client.shutdown(socket.SHUT_WR)
                        with contextlib.suppress(ConnectionError):
                            taken[case.section] += client.recv(65536).startswith(b"HTTP/1.1 2")
        print(f"nginx takes {taken.total()} of {count} requests that are refused here with 400: {dict(+taken)}")
        self.assertGreater(taken.total(), 0)


if __name__ == "__main__":
    unittest.main()
