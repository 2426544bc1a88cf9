"""Nothing of a request is in any log line or answer, at any level, on any path through the service."""

import itertools
import json
import re
import signal
import socket
import time
import unittest

from support import Service, request

# What must not be found anywhere afterwards: addresses in every form, a city, a cookie, a path, a query, a secret.
ADDRESSES = ["168.126.63.1", "168.126.63.77", "2001:220::1", "2001:db8:5e:7::1", "203.0.113.77", "::ffff:168.126.63.1"]
SENTINELS = ["168.126.63", "2001:220", "2001:db8:5e", "203.0.113", "a87e:3f", "SentinelCity", "sentinel-cookie",
             "sentinel-path", "sentinel-query", "sentinel-origin", "sentinel-agent", "2821619457"]

FORMS = ["X-Forwarded-For: {}", "X-Forwarded-For: {}, 127.0.0.1", "CloudFront-Viewer-Address: {}:443",
         "X-Forwarded-For: {}:80", "Forwarded: for=\"[{}]\"", "CF-Connecting-IP: {}"]
OTHERS = ["CloudFront-Viewer-City: SentinelCity", "Cookie: sentinel-cookie=1", "User-Agent: sentinel-agent"]
BREAKS = [
    {}, {"method": "HEAD"}, {"method": "OPTIONS"}, {"method": "SENTINEL-AGENT"}, {"target": "/sentinel-path"},
    {"target": "/v1/region?sentinel-query"}, {"version": "HTTP/9.9"}, {"host": "Host: sentinel-path sentinel-path"},
]


def requests():
    for address, form in itertools.product(ADDRESSES, FORMS):
        for options in BREAKS:
            yield request(form.format(address), *OTHERS, **options)
            yield request("CloudFront-Viewer-Country: KR", form.format(address), *OTHERS, "Origin: sentinel-origin",
                          **options)
        line = form.format(address)
        yield request(line, line, *OTHERS)
        yield request(line, *OTHERS, "Content-Length: 5") + b"sentinel-path"
        yield request(line, *OTHERS, "Content-Length: 99999999")
        yield request(line, *OTHERS, "Bad Field: sentinel-path")
        yield request(line, *OTHERS, "A: " + "sentinel-path" * 4000)
        # Cut off: ends in a time-out, or with the connection.
        yield request(line, *OTHERS)[:-3]


class Privacy(unittest.TestCase):
    def check(self, changes):
        service = Service({"log": {"level": "debug"}, "policy": {"regional": ["KR", "US/SentinelTown"]},
                           "timeouts": {"headSeconds": 0.2, "lingerSeconds": 0.1}, **changes})
        received = []
        for data in requests():
            try:
                received.append(service.exchange(data))
            except OSError as error:
                self.fail(f"{error}: {data[:200]!r}")
        # Timed out rather than ended.
        with socket.create_connection(("127.0.0.1", service.port), timeout=5) as connection:
            connection.sendall(request("X-Forwarded-For: 168.126.63.1", *OTHERS)[:-2])
            received.append(connection.recv(4096))
        service.process.send_signal(signal.SIGHUP)
        time.sleep(0.5)
        self.assertEqual(service.stop(), 0)
        answers = b"".join(received).decode("latin-1")
        self.assertGreater(answers.count("HTTP/1.1 "), 500)
        log = "\n".join(service.lines) + service.errors
        self.assertTrue(service.events("stopped"))
        for sentinel in SENTINELS:
            for text, where in ((answers, "an answer"), (log, "the log")):
                self.assertNotIn(sentinel.lower(), text.lower(), where)
        return service

    def test_nothing_is_told_by_a_service_that_believes(self):
        self.check({})

    def test_nothing_is_told_by_a_service_that_does_not(self):
        self.check({"trustedPeers": []})

    def test_nothing_is_told_by_an_access_log(self):
        service = self.check({"log": {"level": "debug", "access": True}})
        lines = service.events("access")
        self.assertGreater(len(lines), 500)
        for line in lines:
            self.assertEqual(
                set(line) - {"bucket", "source", "reason"},
                {"time", "level", "event", "method", "route", "status", "microseconds"})
            self.assertTrue(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", line["time"]))

    def test_the_search_finds_what_is_there(self):
        """The positive control: a sentinel that the operator put into the configuration is found in the log."""
        with Service({"database": {"path": "/nonexistent/SentinelCity.mmdb", "required": False}}) as service:
            service.wait_for_event("database-refused")
            self.assertIn("SentinelCity", json.dumps(service.events("database-refused")))


if __name__ == "__main__":
    unittest.main()
