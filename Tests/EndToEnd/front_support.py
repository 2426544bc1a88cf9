"""What the tests of the fronts share: clients and what they forge, and the search through logs."""

import itertools
import socket
import time
import unittest

from fronts import ADDRESSES, Connection, Workshop, behind, fingerprint
from support import Service, parse_all, request

BUCKETS = {"KR": "regionalMarket", "US": "otherMarket", "JP": "otherMarket", None: "unknown"}
POLICY = fingerprint(["KR"])
TAGS = {bucket: f'"1-{bucket}"' for bucket in BUCKETS.values()}

# What a client may try: none of it may change anything.
FORGED = [
    ["X-Region-Bucket: regionalMarket", f"X-Region-Policy: {POLICY}"],
    ["X-Region-Bucket: regionalMarket", "X-Region-Bucket: otherMarket", f"X-Region-Policy: {POLICY}"],
    ["X_Region_Bucket: regionalMarket", f"X_Region_Policy: {POLICY}"],
    ["Connection: X-Region-Bucket, X-Region-Policy, close"],
    ["CloudFront-Viewer-Country: KR", "CF-IPCountry: KR", "X-Geo-Country: KR", "X-Country-Code: KR"],
    ["Forwarded: for=11.0.0.1", "X-Real-IP: 11.0.0.1", "True-Client-IP: 11.0.0.1", "CF-Connecting-IP: 11.0.0.1"],
]


def from_client(country, *lines, **options):
    """A request of a client of that country, as the balancer in front passes it on."""
    return request(f"X-Forwarded-For: {ADDRESSES[country]}", *lines, **options)


def by_edge(country, *lines, policy=POLICY, **options):
    """A request of a client of that country, as code at the edge passes it on."""
    return from_client(
        country, f"X-Region-Bucket: {BUCKETS[country]}", f"X-Region-Policy: {policy}", *lines, **options)


def all_countries():
    """The codes that the service takes for countries: those of ISO 3166-1, and XK."""
    codes = ["".join(pair) for pair in itertools.product("ABCDEFGHIJKLMNOPQRSTUVWXYZ", repeat=2)]
    with Service() as service:
        data = service.exchange(b"".join(request(f"CloudFront-Viewer-Country: {code}") for code in codes))
    return [code for code, answer in zip(codes, parse_all(data), strict=True) if answer.bucket != "unknown"]


class Shared(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.workshop = Workshop()
        cls.addClassCleanup(cls.workshop.close)
        cls.workshop.make_certificate()


def assert_silent(test, make_front, make_loud_front, name):
    """Nothing of a client is in a front's logs, whatever happens; and where it is told to, it would be found."""
    words = [b"127.77.66.55", b"11.0.0.1", b"11.0.1.1", b"entinel", b"2001:db8:77::1"]

    def play(front, service):
        def send(data):
            with socket.create_connection(("127.0.0.1", front.port), 10, source_address=("127.77.66.55", 0)) as client:
                client.sendall(data)
                client.shutdown(socket.SHUT_WR)
                while client.recv(65536):
                    pass
        lines = ["Cookie: sentinel=1", "User-Agent: Sentinel", "CloudFront-Viewer-City: SentinelCity",
                 "Referer: https://sentinel.example", "X-Real-IP: 2001:db8:77::1"]
        bad = [b"GET /sentinel HTTP/1.1\r\nHost: sentinel sentinel\r\n\r\n", b"SENTINEL sentinel\r\n\r\n",
               b"\x16\x03\x01sentinel", b"GET /v1/region HTTP/1.1\r\nHost: a\r\nSentinel : x\r\n\r\n",
               b"GET /v1/region HTTP/1.1\r\nHost: a\r\nSentinel", b"",
               b"POST /v1/region HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\nsentinel"]
        for data in (*bad, *(test.request(country, *lines, target=target, method=method)
                             for country in ("KR", "US") for method in ("GET", "HEAD", "OPTIONS", "POST")
                             for target in ("/v1/region?sentinel", "/sentinel", "/sentinel" * 9000))):
            try:
                send(data)
            except OSError:
                pass  # Refused with a reset: what counts is what was written about it.
        with Connection(front.port) as connection:
            connection.ask(test.request("KR"))
        service.stop()
        with Connection(front.port, source="127.77.66.55") as connection:
            connection.ask(test.request("KR", *lines, target="/sentinel"))
        time.sleep(0.3)
        return front.logs()

    with behind(name, test.workshop.database) as service, make_front(service.port) as front:
        logs = play(front, service)
    test.assertGreater(len(logs), 100, "nothing is logged at all")
    for word in words:
        test.assertFalse(word in logs or word.upper() in logs, word)
    with behind(name, test.workshop.database) as service, make_loud_front(service.port) as front:
        test.assertTrue(b"127.77.66.55" in play(front, service), "the search finds nothing where there is something")


def fail_handshake(front):
    """A client that speaks no TLS, at a TLS listener; returns what was logged of it."""
    with socket.create_connection(("127.0.0.1", front.port), 10, source_address=("127.77.66.55", 0)) as client:
        client.sendall(b"\x16\x03\x01\x00\x05hello" + b"sentinel" * 100)
        try:
            client.recv(100)
        except ConnectionError:
            pass  # A reset is an answer too.
    time.sleep(0.3)
    return front.logs()
