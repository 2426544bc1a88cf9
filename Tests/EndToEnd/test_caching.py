"""The caching rules (Docs/caching.md), line by line, over real sockets: what answers say. Each test's name begins with
its lines."""

import contextlib
import pathlib
import re
import socket
import unittest

from caching_support import (
    BUCKETS, GRANTS, NGINX, POLICY, SECRET, STALE, VARNISH, VARY, WITHHELD, asking, caching, edge, withheld_requests)
from support import ROOT, merged, parse, request


class Answers(unittest.TestCase):
    def test_c01_nobody_is_told_to_keep_anything(self):
        for changes in ({}, NGINX, VARNISH, *(changes for changes, _ in GRANTS.values())):
            with asking(changes) as ask:
                for lines, options in withheld_requests():
                    answer = ask(*lines, **options)
                    self.assertEqual(caching(answer), WITHHELD, (changes, lines, options))

    def test_c01_nor_over_the_limit_nor_late(self):
        quick = {"timeouts": {"headSeconds": 0.3}, "limits": {"connectionsMax": 2}}
        with asking(merged(VARNISH, quick)) as ask:
            with contextlib.ExitStack() as stack:
                held = [stack.enter_context(socket.create_connection(("127.0.0.1", ask.service.port), timeout=5))
                        for _ in range(2)]
                held[0].sendall(request(*edge()))
                held[0].recv(65536)
                held[1].sendall(request(*edge())[:-2])
                over = ask(*edge())
                self.assertEqual((over.status, caching(over)), (503, WITHHELD))
                late = parse(held[1].recv(65536))
                self.assertEqual((late.status, caching(late)), (408, WITHHELD))

    def test_c02_c03_what_is_shareable(self):
        with asking(VARNISH) as ask:
            for bucket in BUCKETS:
                answer = ask(*edge(bucket))
                self.assertEqual((answer.status, answer.bucket), (200, bucket))
                self.assertEqual(caching(answer), GRANTS["C17"][1])
                # Whatever else the request says.
                answer = ask(*edge(bucket), "CloudFront-Viewer-Country: US", "X-Forwarded-For: 8.8.8.8", "Cookie: a=b",
                             "Cache-Control: max-age=0", "Authorization: x", target="/v1/region?a=b")
                self.assertEqual((answer.bucket, caching(answer)), (bucket, GRANTS["C17"][1]))

    def test_c03_the_fields_are_the_configured_ones(self):
        names = {"edge": {"bucketHeader": "X-Market", "policyHeader": "X-Market-Policy"}}
        with asking(merged(VARNISH, names)) as ask:
            answer = ask("X-Market: otherMarket", f"X-Market-Policy: {POLICY}")
            self.assertEqual((answer.bucket, caching(answer)), ("otherMarket", GRANTS["C17"][1]))
            self.assertEqual(answer.get("Vary"), "X-Market, X-Market-Policy, CloudFront-Viewer-Country")
            answer = ask(*edge())
            self.assertEqual((answer.bucket, caching(answer)), ("unknown", WITHHELD))

    def test_c04_another_fingerprint(self):
        stale = [edge(policy=STALE), edge(policy=""), edge(policy=POLICY.upper()), edge(policy=POLICY[:-1]),
                 edge(policy=POLICY + "0"), ["X-Region-Bucket: regionalMarket"]]
        with asking(VARNISH) as ask:
            for lines in stale:
                for more, bucket in ((["CloudFront-Viewer-Country: US"], "otherMarket"),
                                     (["CloudFront-Viewer-Country: KR"], "regionalMarket"),
                                     (["X-Forwarded-For: 8.8.8.8"], "otherMarket"), ([], "unknown")):
                    answer = ask(*lines, *more)
                    self.assertEqual((answer.bucket, caching(answer)), (bucket, WITHHELD), (lines, more))

    def test_c05_an_untrusted_peer(self):
        with asking(VARNISH) as ask:
            answer = ask(*edge(), source="127.0.0.2")
            self.assertEqual((answer.bucket, caching(answer)), ("unknown", WITHHELD))
            self.assertEqual(caching(ask(*edge(), source="127.0.0.1")), GRANTS["C17"][1])

    def test_c05_the_origin_secret(self):
        for on_missing, status in (("refuse", 403), ("distrust", 200)):
            secret = {"originSecret": {"fromEnvironment": ["ORIGIN_SECRET"], "onMissing": on_missing}}
            with asking(merged(VARNISH, secret), environment={"ORIGIN_SECRET": SECRET}) as ask:
                for lines in ([], [f"X-Origin-Secret: {SECRET}x"], [f"X-Origin-Secret: {SECRET}"] * 2):
                    answer = ask(*edge(), *lines)
                    self.assertEqual((answer.status, caching(answer)), (status, WITHHELD), lines)
                answer = ask(*edge(), f"X-Origin-Secret: {SECRET}", source="127.0.0.2")
                self.assertEqual((answer.bucket, caching(answer)), ("regionalMarket", GRANTS["C17"][1]))

    def test_c06_edge_fields_that_are_wrong(self):
        bucket, policy = edge()
        wrong = [
            [bucket, bucket, policy], [bucket, "x-region-bucket: otherMarket", policy], [bucket, policy, policy],
            [bucket, policy, f"X-Region-Policy: {STALE}"], edge("regionalmarket"), edge("regionalMarket, otherMarket"),
            edge("KR"), edge('"regionalMarket"'), edge("regional Market")]
        for changes, _ in GRANTS.values():
            with asking(changes) as ask:
                for lines in wrong:
                    answer = ask(*lines, "CloudFront-Viewer-Country: KR", "X-Forwarded-For: 168.126.63.1")
                    self.assertEqual((answer.bucket, caching(answer)), ("unknown", WITHHELD), lines)

    def test_c07_other_sources(self):
        with asking(VARNISH) as ask:
            for lines, bucket in (
                    (["CloudFront-Viewer-Country: KR"], "regionalMarket"),
                    (["CloudFront-Viewer-Country: US"], "otherMarket"), (["CloudFront-Viewer-Country: KOR"], "unknown"),
                    (["X-Forwarded-For: 168.126.63.1"], "regionalMarket"),
                    (["X-Forwarded-For: 8.8.8.8"], "otherMarket"),
                    ([f"X-Region-Policy: {POLICY}", "CloudFront-Viewer-Country: KR"], "regionalMarket"),
                    (["X-Region-Bucket:", f"X-Region-Policy: {POLICY}", "X-Forwarded-For: 8.8.8.8"], "otherMarket")):
                answer = ask(*lines)
                self.assertEqual((answer.bucket, caching(answer)), (bucket, WITHHELD), lines)

    def test_c04_c07_both_kinds_are_counted(self):
        with asking(merged(VARNISH, {"admin": {"listener": "127.0.0.1:0"}})) as ask:
            admin_port = ask.service.wait_for_event("admin-listening")["port"]
            for lines, count in ((edge(), 3), (edge(policy=STALE), 2), (["CloudFront-Viewer-Country: KR"], 4)):
                for _ in range(count):
                    ask(*lines)
            ask(*edge(), "If-None-Match: *")
            said = parse(ask.service.exchange(request(target="/metrics"), port=admin_port)).body.decode()
            for metric in ('region_bucket_sharing_total{sharing="shareable"} 4',
                           'region_bucket_sharing_total{sharing="withheld"} 6', "region_bucket_stale_edge_total 2"):
                self.assertIn(metric + "\n", said)

    def test_c07_a_source_before_the_edge(self):
        with asking(merged(VARNISH, {"sources": ["cdn", "edge"]})) as ask:
            answer = ask(*edge(), "CloudFront-Viewer-Country: US")
            self.assertEqual((answer.bucket, caching(answer)), ("otherMarket", WITHHELD))
            answer = ask(*edge(), "CloudFront-Viewer-Country: KOR")
            self.assertEqual((answer.bucket, caching(answer)), ("unknown", WITHHELD))
            self.assertEqual(caching(ask(*edge())), GRANTS["C17"][1])

    def test_c08_304_and_head(self):
        for changes, granted in GRANTS.values():
            with asking(changes) as ask:
                for lines, fields in ((edge(), granted), (edge(policy=STALE), WITHHELD)):
                    full = ask(*lines)
                    self.assertEqual(caching(full), fields)
                    for answer, status in (
                            (ask(*lines, method="HEAD"), 200), (ask(*lines, f"If-None-Match: {full.get('ETag')}"), 304),
                            (ask(*lines, "If-None-Match: *", method="HEAD"), 304)):
                        self.assertEqual((answer.status, caching(answer)), (status, fields))
                        self.assertEqual(answer.get("ETag"), full.get("ETag"))
                        self.assertEqual(answer.get("Vary"), full.get("Vary"))

    def test_c08_errors_and_the_rest(self):
        statuses = set()
        with asking(VARNISH) as ask:
            for lines, options in withheld_requests():
                answer = ask(*lines, **options)
                self.assertEqual(caching(answer), WITHHELD, (lines, options))
                statuses.add(answer.status)
        self.assertEqual(statuses, {200, 204, 400, 404, 405, 412, 413, 414, 417, 431, 501, 505})

    def test_c09_vary(self):
        listed = {"cors": {"origins": ["https://a.example"]}}
        for changes, vary in (
                ({}, VARY), ({"sources": ["cdn"]}, "CloudFront-Viewer-Country"),
                ({"sources": ["edge"]}, "X-Region-Bucket, X-Region-Policy"), ({"sources": ["database"]}, None),
                (merged(listed, {"sources": ["database"]}), "Origin"), (listed, VARY + ", Origin"),
                ({"policy": {"regional": ["US-CA", "KR/Seoul"]}},
                 VARY + ", CloudFront-Viewer-Country-Region, CloudFront-Viewer-City"),
                ({"sources": ["database", "cdn", "edge"]}, VARY),
                ({"cdn": {"preset": "google-cloud"}, "policy": {"regional": ["KR/Seoul"]}},
                 "X-Region-Bucket, X-Region-Policy, X-Client-Geo-Location"),
                ({"cdn": {"preset": "akamai"}, "policy": {"regional": ["US-CA", "KR/Seoul"]}},
                 "X-Region-Bucket, X-Region-Policy, X-Akamai-Edgescape"),
                (VARNISH, VARY), (NGINX, VARY),
                (GRANTS["C16"][0], "X-Region-Bucket, X-Region-Policy, X-Geo-Country"),
                (GRANTS["C19"][0], "X-Region-Bucket, X-Region-Policy, x-country"),
                (GRANTS["C20"][0], "X-Region-Bucket, X-Region-Policy, CF-IPCountry"), (GRANTS["C21"][0], VARY)):
            with asking(changes) as ask:
                for lines, options in (
                        *withheld_requests(), (edge(policy=STALE), {}), (edge("x"), {}), (edge(), {"method": "HEAD"}),
                        ([*edge(), "If-None-Match: *"], {}), (["Origin: https://a.example"], {}),
                        (["X-Forwarded-For: 168.126.63.1"], {}), (["Origin: https://b.example"], {"target": "/no"})):
                    self.assertEqual(ask(*lines, **options).get("Vary"), vary, (changes, lines, options))
                for source in ("127.0.0.1", "127.0.0.2"):
                    self.assertEqual(ask(*edge(), source=source).get("Vary"), vary)

    def test_c10_an_entity_tag_per_bucket(self):
        with asking(VARNISH) as ask:
            tags = {bucket: ask(*edge(bucket)).get("ETag") for bucket in BUCKETS}
            self.assertEqual(len(set(tags.values())), 3)
            for bucket in BUCKETS:
                self.assertEqual(ask(*edge(bucket, policy=STALE), "CloudFront-Viewer-Country: KR").get("ETag"),
                                 tags["regionalMarket"])
                for other, tag in tags.items():
                    answer = ask(*edge(bucket), f"If-None-Match: {tag}")
                    self.assertEqual(answer.status, 304 if other == bucket else 200)

    def test_c11_the_targeted_field_comes_first(self):
        for line, (changes, granted) in GRANTS.items():
            with asking(changes) as ask:
                self.assertEqual(caching(ask(*edge())), granted, line)
                self.assertEqual(caching(ask(*edge()))[-1][0], "Cache-Control", line)

    def test_c12_tags(self):
        for field, separator in (("Surrogate-Key", " "), ("xkey", " "), ("Cache-Tag", ","), ("Netlify-Cache-Tag", ",")):
            with asking(merged(VARNISH, {"cache": {"tagField": field}})) as ask:
                for bucket in BUCKETS:
                    tags = (field, f"region-bucket{separator}region-bucket-{bucket}")
                    for options, lines in (({}, []), ({"method": "HEAD"}, []), ({}, ["If-None-Match: *"])):
                        answer = ask(*edge(bucket), *lines, **options)
                        self.assertEqual(caching(answer), [*GRANTS["C17"][1], tags])
                for lines, options in withheld_requests():
                    self.assertEqual(caching(ask(*lines, **options)), WITHHELD)

    def test_c13_preflights(self):
        preflight = ["Origin: https://a.example", "Access-Control-Request-Method: GET"]
        for changes, seconds in ((VARNISH, "86400"), (merged(VARNISH, {"cors": {"maxAgeSeconds": 60}}), "60")):
            with asking(changes) as ask:
                answer = ask(*edge(), *preflight, method="OPTIONS")
                self.assertEqual((answer.status, answer.get("Access-Control-Max-Age")), (204, seconds))
                self.assertEqual(caching(answer), WITHHELD)
                self.assertIsNone(ask(*edge(), *preflight).get("Access-Control-Max-Age"))


class Document(unittest.TestCase):
    def test_every_line_has_a_test_that_names_it(self):
        lines = re.findall(r"\*\*C(\d+)\*\*", (ROOT / "Docs/caching.md").read_text())
        self.assertEqual([int(line) for line in lines], list(range(1, len(lines) + 1)))
        named = set()
        for path in pathlib.Path(__file__).parent.glob("test_*.py"):
            for name in re.findall(r"^    def test((?:_c\d\d)+)_", path.read_text(), re.MULTILINE):
                named.update(int(number) for number in re.findall(r"_c(\d\d)", name))
        self.assertEqual(named, {int(line) for line in lines})


if __name__ == "__main__":
    unittest.main()
