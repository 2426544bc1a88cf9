"""Whoever forges what they may, for every CDN: each request ends in the bucket of the real peer, in `unknown`, or in a
403. The table is in trust_table.py; this plays it over the socket."""

import contextlib
import re
import socket
import unittest

from caching_support import SECRET, presets
from fronts import ADDRESSES, Workshop
from support import ROOT, Service, parse_all, request
from test_http_cases import undated
from trust_table import (
    EDGE, HERE, LOCAL, OWN, PRESETS, THERE, UNKNOWN, WANTED, left_parts, passed_on_rows, stranger_rows)

SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"


def preface(source, version=1):
    """What a balancer says of a client at that address."""
    is_ipv6 = ":" in source
    family, here = (socket.AF_INET6, "2001:db8::1") if is_ipv6 else (socket.AF_INET, "192.0.2.1")
    if version == 1:
        return f"PROXY TCP{6 if is_ipv6 else 4} {source} {here} 1024 443\r\n".encode()
    addresses = socket.inet_pton(family, source) + socket.inet_pton(family, here) + b"\x04\0\x01\xbb"
    return SIGNATURE + (b"\x21\x21" if is_ipv6 else b"\x21\x11") + len(addresses).to_bytes(2, "big") + addresses


class Rows(unittest.TestCase):
    """The peer 127.0.0.1 is trusted, and is a balancer too; nobody else is."""

    @classmethod
    def setUpClass(cls):
        cls.workshop = Workshop()
        cls.addClassCleanup(cls.workshop.close)

    @contextlib.contextmanager
    def service(self, preset, has_edge=False, environment=None, **changes):
        """A service for a preset, with a second listener at `proxy_port` for who has a preface."""
        config = {
            "listeners": [{"tcp": "127.0.0.1:0"}, {"tcp": "127.0.0.1:0", "proxyProtocol": True}],
            "trustedPeers": ["127.0.0.1/32"], "proxyProtocolPeers": ["127.0.0.1/32"],
            "sources": [*(["edge"] if has_edge else []), *(["cdn"] if preset.country else []), "database"],
            "database": {"path": str(self.workshop.database)}, "policy": {"regional": ["KR"]},
            "cdn": {"preset": "none" if preset.name == "forwarded" else preset.name}, "log": {"format": "json"}}
        if preset.name in ("none", "forwarded"):
            config["clientAddress"] = {"header": preset.address("")[0].partition(":")[0]}
        with Service(config=config | changes, environment=environment) as service:
            service.proxy_port = service.wait_for_event("listening", 2)["port"]
            yield service

    def outcomes(self, service, rows, before=b"", port=None, source=None):
        """What became of each row: a bucket, or a status that is not 200. All on one connection."""
        data = before + b"".join(request(*lines) for lines, _ in rows)
        answers = parse_all(service.exchange(data, port=port, source=source))
        return [answer.bucket if answer.status == 200 else answer.status for answer in answers]

    def wrong(self, rows, outcomes):
        self.assertEqual(len(outcomes), len(rows))
        return [(lines, expected, outcome) for (lines, expected), outcome in zip(rows, outcomes, strict=True)
                if outcome != expected]

    def test_every_preset(self):
        count = 0
        for preset in PRESETS:
            for has_edge in (False, True):
                strangers = list(stranger_rows(preset, has_edge))
                passed_on = list(passed_on_rows(preset, has_edge))
                nobody = [(lines, UNKNOWN) for lines, _ in strangers]
                with self.service(preset, has_edge) as service:
                    for version in (1, 2):
                        told = self.outcomes(service, strangers, preface(ADDRESSES[HERE], version), service.proxy_port)
                        self.assertEqual(self.wrong(strangers, told)[:3], [], (preset.name, has_edge))
                    told = self.outcomes(service, nobody, source="127.0.0.2")
                    self.assertEqual(self.wrong(nobody, told)[:3], [], (preset.name, has_edge))
                    told = self.outcomes(service, passed_on)
                    self.assertEqual(self.wrong(passed_on, told)[:3], [], (preset.name, has_edge))
                count += 3 * len(strangers) + len(passed_on)
        print(f"{len(PRESETS)} presets and fields, {count} forged requests, 0 of them believed")

    def test_every_preset_with_a_secret(self):
        for on_missing, expected in (("refuse", 403), ("distrust", UNKNOWN)):
            secret = {"fromEnvironment": ["ORIGIN_SECRET"], "onMissing": on_missing}
            for preset in PRESETS:
                with self.service(preset, True, {"ORIGIN_SECRET": SECRET}, originSecret=secret) as service:
                    rows = [([*lines, *guess], expected) for lines, _ in passed_on_rows(preset, True)
                            for guess in ([], [f"X-Origin-Secret: {SECRET[:-1]}"])]
                    self.assertEqual(self.wrong(rows, self.outcomes(service, rows))[:3], [], preset.name)
                    # With the secret, whoever the peer is, the CDN's word counts, and forgeries beside it do not.
                    rows = [([f"X-Origin-Secret: {SECRET}", *lines], bucket)
                            for lines, bucket in passed_on_rows(preset, True)]
                    for source in ("127.0.0.1", "127.0.0.2"):
                        told = self.outcomes(service, rows, source=source)
                        self.assertEqual(self.wrong(rows, told)[:3], [], (preset.name, source))

    def test_guesses(self):
        guesses = [
            [], [""], [SECRET[:-1]], [SECRET + "x"], [SECRET.upper()], [SECRET[::-1]], [SECRET[:-1] + "x"],
            ["x" + SECRET[1:]], [SECRET * 2], [SECRET, SECRET], ["x", SECRET], [f"{SECRET},{SECRET}"], [f'"{SECRET}"'],
            [f"{SECRET} x"], ["x" * len(SECRET)], ["%" + SECRET[1:]], ["x" * 30000], [f"Bearer {SECRET}"]]
        look_alikes = [f"X_Origin_Secret: {SECRET}", f"X-Origin-Secret-: {SECRET}", f"Origin-Secret: {SECRET}"]
        rows = [([*(f"X-Origin-Secret: {guess}" for guess in one), *EDGE], 403) for one in guesses]
        rows += [([text, *EDGE], 403) for text in look_alikes]
        rows += [([f"Connection: X-Origin-Secret, {EDGE[0].partition(':')[0]}", *EDGE], 403)]
        # White space around a value is not a part of it.
        rows += [([f"x-origin-secret: \t{SECRET} ", *EDGE], WANTED)]
        secret = {"fromEnvironment": ["ORIGIN_SECRET"]}
        with self.service(PRESETS[0], True, {"ORIGIN_SECRET": SECRET}, originSecret=secret) as service:
            for source in ("127.0.0.1", "127.0.0.2"):
                self.assertEqual(self.wrong(rows, self.outcomes(service, rows, source=source)), [])
            told = self.outcomes(service, rows, preface(ADDRESSES[THERE]), service.proxy_port)
            self.assertEqual(self.wrong(rows, told), [])

    def test_prefaces(self):
        here, there = ADDRESSES[HERE], ADDRESSES[THERE]
        for preset in PRESETS:
            forged = preset.genuine(THERE)
            with self.service(preset) as service:
                # A source that is this machine is nobody's: what is trusted of it is that it connects directly.
                for source in LOCAL:
                    for version in (1, 2):
                        for lines in ([], forged, preset.address(there)):
                            told = self.outcomes(service, [(lines, UNKNOWN)], preface(source, version),
                                                 service.proxy_port)
                            self.assertEqual(told, [UNKNOWN], (preset.name, source, version, lines))
                # Balancers that name nobody.
                for before in (b"PROXY UNKNOWN\r\n", SIGNATURE + b"\x20\0\0\0", SIGNATURE + b"\x21\0\0\0",
                               SIGNATURE + b"\x20\x11\0\x0c" + preface(there, 2)[16:]):
                    for lines in ([], forged):
                        told = self.outcomes(service, [(lines, UNKNOWN)], before, service.proxy_port)
                        self.assertEqual(told, [UNKNOWN], (preset.name, before, lines))
                # A second preface is the client's own, and no HTTP.
                for first in (1, 2):
                    for second in (1, 2):
                        data = preface(here, first) + preface(there, second) + request(*forged)
                        told = undated(service.exchange(data, port=service.proxy_port))
                        self.assertRegex(told, rb"^HTTP/1.1 400 ")
                        self.assertEqual(told.count(b"HTTP/1.1"), 1)
                for version in (1, 2):
                    data = preface(there, version) + request()
                    # On a listener without them, a preface is no HTTP; from who may not send one, nothing is answered.
                    self.assertRegex(service.exchange(data), rb"^HTTP/1.1 400 ")
                    with contextlib.suppress(OSError):
                        self.assertEqual(service.exchange(data, port=service.proxy_port, source="127.0.0.2"), b"")
                # Without one, nothing is answered either.
                with contextlib.suppress(OSError):
                    self.assertEqual(service.exchange(request(*forged), port=service.proxy_port), b"")

    def test_the_table_finds_who_believes(self):
        """The positive control: a service that trusts everybody believes forgeries, and one that reads a list from the
        left the client's part of it."""
        for preset in PRESETS:
            with self.service(preset, True, trustedPeers=["0.0.0.0/0"]) as service:
                rows = list(stranger_rows(preset, True))
                told = self.outcomes(service, rows, preface(ADDRESSES[HERE]), service.proxy_port)
                believed = [one for one in self.wrong(rows, told) if one[2] == WANTED]
                self.assertGreater(len(believed), 5, preset.name)
        keycdn = next(preset for preset in PRESETS if preset.name == "keycdn")
        form = {"header": "X-Forwarded-For", "hops": 2}
        with self.service(keycdn, clientAddress=form) as service:
            rows = [(lines, OWN) for lines in left_parts(keycdn)]
            self.assertIn(WANTED, self.outcomes(service, rows))

    def test_the_table_has_every_preset(self):
        self.assertEqual({preset.name for preset in PRESETS} - {"forwarded"}, set(presets()))
        rows = (ROOT / "Sources/ClientSignal/CDNPresetRows.swift").read_text()
        named = {name.lower() for name in re.findall(r'FieldName\("([^"]+)"\)', rows)}
        places = {"cloudfront-viewer-country-region", "cloudfront-viewer-city", "cf-region-code", "cf-ipcity",
                  "x-geo-region", "x-geo-city", "x-client-geo-subdivision", "x-appengine-region", "x-appengine-city",
                  "x-vercel-ip-country-region", "x-vercel-ip-city", "x-nf-geo", "cdn-requeststatecode", "ali-ip-city"}
        consulted = {name for preset in PRESETS for name in preset.consulted()} - {"forwarded"}
        self.assertEqual(named - places, consulted)


if __name__ == "__main__":
    unittest.main()
