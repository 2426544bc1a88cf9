"""Exported edge code, run as its edge would run it, decides as the service does."""

import itertools
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import urllib.parse

from front_support import all_countries
from fronts import PlainNginx, fingerprint
from support import BINARY, Service, free_port, parse, parse_all, request

TARGETS = ["cloudfront", "cloudflare", "fastly", "varnish", "nginx"]
REGIONAL = ["KR", "EU", "US-CA", "US-NY", "AR-C", "AR-B", "JP/Tokyo", "JP/Ōsaka", "CA-QC", "CA/Toronto",
            "CA/St. John's", "CH/Zürich", "TR/İzmir", "GB/Straße", "RU/ΑΣ", "BR/São Paulo", "IN/K", "CN/\"a\\$%b\""]
UNCLASSIFIED = ["AQ", "BV"]
SUBDIVISIONS = ["CA", "ny", "US-CA", "USCA", "TX", "C", "AR-C", "ARC", "ARB", "ARBA", "QC", "CA-QC", "CA-", "1234",
                "C A", " CA\t", "-", "É"]
CITIES = ["Tokyo", "TOKYO", " tokyo ", "Osaka", "Ōsaka", "ŌSAKA", "O\u0304saka", "Toronto", "St. John's", "stx john's",
          "Zürich", "ZU\u0308RICH", "İZMIR", "i\u0307zmir", "izmir", "STRASSE", "strasse", "Straße", "ας", "ασ", "ΑΣ",
          "São Paulo", "K", "\u212a", "\"A\\$%b\"", "a" * 512, "a" * 513, "ü" * 257, "a\tb", "a\u0085b"]
COUNTRY_DAMAGE = ["", " ", "kr", " KR", "KR\t", "K", "KRR", "K1", "XX", "ZZ", "T1", "UK", "EU", "??", "\u212aR"]


def export(target, *arguments, regional=(), unclassified=()):
    """The code, and what is said beside it."""
    # In a file, for a flag would take a comma in a name for the end of it.
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "config.json5"
        path.write_text(json.dumps({
            "sources": ["edge", "cdn"], "cdn": {"preset": "cloudfront"},
            "policy": {"regional": list(regional), "unclassified": list(unclassified)}}))
        done = subprocess.run([str(BINARY), "export", "--config", str(path), *arguments, target],
                              capture_output=True, text=True, check=False, env={"PATH": os.environ["PATH"]})
    return done


def run_code(target, code, cases):
    runner = pathlib.Path(__file__).with_name("export_runner.mjs")
    done = subprocess.run(["node", str(runner)], input=json.dumps({"target": target, "code": code, "cases": cases}),
                          capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def service(preset, **changes):
    return Service({"sources": ["cdn"], "cdn": {"preset": preset}, "policy": {
        "regional": REGIONAL, "unclassified": UNCLASSIFIED}, **changes})


def answers(running, requests):
    """The service's answers to requests, in pieces that no buffer is too small for."""
    for start in range(0, len(requests), 50):
        yield from parse_all(running.exchange(b"".join(requests[start:start + 50])))


def places(countries):
    """Country, subdivision and city, None where there is none."""
    some = ["KR", "US", "AR", "JP", "CA", "CH", "TR", "GB", "RU", "BR", "IN", "CN", "AQ", "XX"]
    yield None, None, None
    for country in [*countries, *COUNTRY_DAMAGE]:
        yield country, None, None
        yield country, "CA", "Tokyo"
    for country, subdivision in itertools.product(some, SUBDIVISIONS):
        yield country, subdivision, None
        yield country, subdivision, "Toronto"
    for country, city in itertools.product(some, CITIES):
        yield country, None, city
        yield country, "QC", city


def lines(names, place):
    """Header lines; UTF-8 as it is, in the way that `request` writes bytes."""
    return [f"{name}: {part}".encode().decode("latin-1") for name, part in zip(names, place, strict=True)
            if part is not None]


class Export(unittest.TestCase):
    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        cls.countries = all_countries()
        assert len(cls.countries) == 250

    def code(self, target, *arguments):
        done = export(target, *arguments, regional=REGIONAL, unclassified=UNCLASSIFIED)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_cloudfront_decides_as_the_service_does(self):
        names = ["CloudFront-Viewer-Country", "CloudFront-Viewer-Country-Region", "CloudFront-Viewer-City"]
        table = [(country, subdivision, city if city is None else urllib.parse.quote(city, safe=" '\"\\$\t"))
                 for country, subdivision, city in places(self.countries)
                 if (country or "").isascii() and (subdivision or "").isascii()]
        table += [("JP", None, city) for city in ("%", "%4", "%zz", "tok%79o", "tokyo%20", "%ff", "%00", "+", "%C3%28")]
        events = []
        for place in table:
            headers = {"x-region-bucket": {"value": "regionalMarket"}, "x-region-policy": {"value": "forged"}}
            for name, part in zip(names, place, strict=True):
                if part is not None:
                    headers[name.lower()] = {"value": part}
            events.append({"context": {"eventType": "viewer-request"}, "request": {
                "method": "GET", "uri": "/v1/region", "headers": headers}})
        code = self.code("cloudfront")
        policy = re.search(r'fingerprint = "([0-9a-f]{16})"', code)[1]
        results = run_code("cloudfront", code, events)
        left = 0
        with service("cloudfront") as running:
            expected = answers(running, [request(*lines(names, place)) for place in table])
            for place, result, answer in zip(table, results, expected, strict=True):
                bucket = result["headers"].get("x-region-bucket")
                with self.subTest(place=place):
                    if bucket is None:
                        # The service decides: there is no country, or a name that only it can fold.
                        self.assertNotIn("x-region-policy", result["headers"])
                        self.assertTrue("%" in (place[2] or "") or not (place[0] or "").strip(), place)
                        left += 1
                    else:
                        self.assertEqual(bucket["value"], answer.bucket)
                        self.assertEqual(result["headers"]["x-region-policy"]["value"], policy)
        self.assertGreater(left, 10)
        self.assertGreater(len(table) - left, 1000)

    def test_cloudfront_believes_no_field_that_stands_twice(self):
        twice = {"value": "KR", "multiValue": [{"value": "KR"}, {"value": "KR"}]}
        event = {"context": {"eventType": "viewer-request"}, "request": {
            "method": "GET", "uri": "/", "headers": {"cloudfront-viewer-country": twice}}}
        [result] = run_code("cloudfront", self.code("cloudfront"), [event])
        self.assertEqual(result["headers"]["x-region-bucket"], {"value": "unknown"})

    def test_cloudfront_tells_viewers_to_keep_nothing(self):
        event = {"context": {"eventType": "viewer-response"}, "response": {
            "statusCode": 200, "headers": {"cache-control": {"value": "s-maxage=300"}, "etag": {"value": "x"}}}}
        [result] = run_code("cloudfront", self.code("cloudfront"), [event])
        self.assertEqual(result["headers"], {"cache-control": {"value": "private, no-store"}, "etag": {"value": "x"}})

    def test_cloudflare_decides_as_the_service_does(self):
        names = ["CF-IPCountry", "cf-region-code", "cf-ipcity"]
        table = list(places(self.countries))
        forged = {"X-Region-Bucket": "regionalMarket", "X-Region-Policy": "forged", "CF-IPCountry": "kr"}
        cases = [{"url": "https://region.example/v1/region?KR", "method": "GET", "headers": forged,
                  "origin": {"Cloudflare-CDN-Cache-Control": "max-age=300", "Cache-Control": "no-store"},
                  "cf": {key: part for key, part in zip(("country", "regionCode", "city"), place, strict=True)
                         if part is not None}} for place in table]
        code = self.code("cloudflare")
        policy = re.search(r'fingerprint = "([0-9a-f]{16})"', code)[1]
        results = run_code("cloudflare", code, cases)
        with service("cloudflare") as running:
            expected = answers(running, [request(*lines(names, place)) for place in table])
            for place, result, answer in zip(table, results, expected, strict=True):
                asked = result["asked"]
                with self.subTest(place=place):
                    self.assertEqual(asked["headers"].get("x-region-bucket", "unknown"), answer.bucket)
                    self.assertEqual(asked["headers"].get("cf-ipcountry"), place[0] if place[0] == "kr" else None)
                    if "x-region-bucket" in asked["headers"]:
                        self.assertEqual(asked["headers"]["x-region-policy"], policy)
                        self.assertEqual(asked["url"], f"https://region.example/v1/region?{answer.bucket}-{policy}")
                    else:
                        self.assertEqual((place[0] or "").strip(" XX"), "")
                        self.assertNotIn("x-region-policy", asked["headers"])
                        self.assertEqual(asked["options"]["cf"], {"cacheTtlByStatus": {"100-599": -1}})
                    self.assertEqual(result["headers"]["cache-control"], "private, no-store")
                    self.assertNotIn("cloudflare-cdn-cache-control", result["headers"])

    def test_answers_are_the_services_own(self):
        def fields(answer):
            return {name.lower(): value for name, value in answer.fields
                    if name not in ("Date", "Content-Length", "Connection")}
        config = {"sources": ["edge", "cdn"], "cdn": {"preset": "cloudfront"}}
        cloudfront, cloudflare = (self.code(target, "--answer") for target in ("cloudfront", "cloudflare"))
        with service("cloudfront", **config) as running:
            for country, method in itertools.product(("KR", "MX", "AQ", None), ("GET", "HEAD")):
                with self.subTest(country=country, method=method):
                    place = (country, None, None)
                    expected = parse(running.exchange(request(
                        *lines(["CloudFront-Viewer-Country", "", ""], place), method=method)), method)
                    headers = {"cloudfront-viewer-country": {"value": country}} if country else {}
                    [result] = run_code("cloudfront", cloudfront, [{"context": {"eventType": "viewer-request"},
                        "request": {"method": method, "uri": "/v1/region", "headers": headers}}])
                    self.assertEqual({name: field["value"] for name, field in result["headers"].items()},
                                     fields(expected))
                    self.assertEqual(result["statusCode"], 200)
                    self.assertEqual(result.get("body", {}).get("data", ""), expected.body.decode())
                    [result] = run_code("cloudflare", cloudflare, [{
                        "url": "https://region.example/v1/region", "method": method, "headers": {},
                        "cf": {"country": country} if country else {}, "origin": {}}])
                    self.assertIsNone(result["asked"])
                    self.assertEqual(result["headers"], fields(expected))
                    self.assertEqual(result["body"], expected.body.decode())

    def test_nginx_decides_as_the_service_does(self):
        names = ["CF-IPCountry", "cf-region-code", "cf-ipcity"]
        table = list(places(self.countries))
        port = free_port()
        # Fields stand in for the variables that the database sets.
        maps = self.code("nginx").replace("$region_city ", "$http_x_city ").replace(
            "$region_subdivision ", "$http_x_subdivision ").replace("map $region_country ", "map $http_x_country ")
        directives = (f"{maps}\nserver {{ listen 127.0.0.1:{port}; location / {{ return 200 "
                      "'$region_found|$region_fingerprint'; } }")
        policy = re.search(r"default ([0-9a-f]{16});", maps)[1]
        left = absent = 0
        with PlainNginx(directives, port) as front, service("cloudflare") as running:
            expected = answers(running, [request(*lines(names, place)) for place in table])
            for place, answer in zip(table, expected, strict=True):
                data = request(*lines(["X-Country", "X-Subdivision", "X-City"], place), "Connection: close")
                found = parse(running.exchange(data, port=front.port)).body.decode()
                with self.subTest(place=place):
                    if found == "|":
                        self.assertTrue(not (place[2] or "").isascii() or not (place[0] or "").strip(), place)
                        left += 1
                        absent += not place[0]
                    else:
                        self.assertEqual(found, f"{answer.bucket}|{policy}")
        self.assertGreater(left, 10)
        self.assertGreater(absent, 0)

    def test_varnish_compiles_it(self):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory) / "test.vcl"
            path.parent.chmod(0o755)
            for regional in (REGIONAL, ["KR"], []):
                code = export("varnish", regional=regional).stdout
                path.write_text('vcl 4.1;\nbackend service { .host = "127.0.0.1"; }\n' + code
                                + "sub vcl_recv { call region_bucket_edge; }\n")
                done = subprocess.run(["varnishd", "-C", "-f", str(path), "-n", directory + "/n"],
                                      capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_every_target_names_the_policy_and_its_headers(self):
        for target in TARGETS:
            with self.subTest(target=target):
                done = export(target, "--edge-bucket-header", "X-My-Bucket", "--edge-policy-header", "X-My-Policy",
                              regional=["KR"])
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertIn(fingerprint(["KR"]), done.stdout.split("\n\n")[0])
                self.assertIn("x-my-bucket", done.stdout.lower())
                self.assertIn("x-my-policy", done.stdout.lower())
                self.assertNotIn("x-region-", done.stdout.lower())

    def test_no_secret_is_needed(self):
        """The code holds none: who exports it need not know it, and what a variable holds does not matter."""
        plain = {target: export(target, regional=["KR"]).stdout for target in TARGETS}
        for target in TARGETS:
            for flags in (["--origin-secret-from-environment", "NOT_SET"],
                          ["--origin-secret-from-files", "/nonexistent"]):
                done = export(target, *flags, regional=["KR"])
                self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", plain[target]))

    def test_what_is_refused(self):
        for target, arguments, status, text in (
                ("akamai", [], 64, "one of cloudfront, cloudflare, fastly, varnish, nginx"),
                ("nginx", ["--answer"], 64, "nginx cannot answer by itself"),
                ("nginx", ["--policy-regional", "UK"], 78, "did you mean `GB`?"),
                ("nginx", ["--polcy-regional", "KR"], 64, "policy-regional")):
            with self.subTest(target=target, arguments=arguments):
                done = export(target, *arguments, regional=["KR"])
                self.assertEqual((done.returncode, done.stdout), (status, ""))
                self.assertIn(text, done.stderr)


if __name__ == "__main__":
    unittest.main()
