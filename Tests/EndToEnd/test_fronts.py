"""nginx.conf and varnish.vcl, as shipped, in front of the service: right buckets, nothing forged, nothing kept that was
not granted, no address in a log. Names that begin with a number are lines of Docs/caching.md."""

import itertools
import re
import subprocess
import time
import unittest

from front_support import (
    BUCKETS, FORGED, POLICY, TAGS, Shared, all_countries, assert_silent, by_edge, fail_handshake, from_client)
from fronts import ADDRESSES, CONFIG, Connection, Nginx, Varnish, Workshop, behind, check, fingerprint
from recorder import Recorder, field, ok
from support import BINARY, ROOT, request


class Keeping:
    """What nginx and Varnish do alike. `front(port)` starts one, `ask` makes a request that has a bucket."""

    def ask(self, front, country, *lines, source=None, method="GET", **options):
        with Connection(front.port, source=source) as connection:
            return connection.ask(self.request(country, *lines, method=method, **options), method)

    def test_right_buckets(self):
        with behind(self.name, self.workshop.database) as service, self.front(service.port) as front:
            for _ in range(2):
                for country, bucket in BUCKETS.items():
                    for method in ("GET", "HEAD"):
                        answer = self.ask(front, country, method=method)
                        self.assertEqual(answer.status, 200)
                        self.assertEqual(answer.get("X-Region-Bucket"), bucket)
                        self.assertEqual(answer.get("ETag"), TAGS[bucket])
                        self.assertEqual(answer.get("Cache-Control"), "no-store")
                        if method == "GET":
                            self.assertEqual(answer.bucket, bucket)
            self.assertEqual(front.stored(), 3)

    def test_c26_every_country_and_three_answers(self):
        countries = all_countries()
        self.assertEqual(len(countries), 250)
        networks = {f"11.1.{place}.0/24": code for place, code in enumerate(countries)}
        workshop = Workshop(networks)
        self.addCleanup(workshop.close)
        noise = [
            ({}, []), ({"method": "HEAD"}, []), ({"target": "/v1/region?a=b"}, []), ({"target": "/v1/region?"}, []),
            ({"host": "Host: other.example"}, []), ({}, ["If-None-Match: *"]), ({}, ["Cache-Control: no-cache"]),
            ({}, ["Accept-Encoding: gzip", "Accept: text/html", "Cookie: a=b", "Authorization: x", "Range: bytes=0-1"]),
            ({"target": "http://other.example/v1/region"}, []), ({}, ["Origin: https://a.example"])]
        with behind(self.name, workshop.database) as service, \
                self.front(service.port, workshop=workshop) as front, Connection(front.port) as connection:
            for place, code in enumerate(countries):
                bucket = "regionalMarket" if code == "KR" else "otherMarket"
                for options, lines in noise:
                    data = self.request_from(f"11.1.{place}.9", bucket, *lines, **options)
                    answer = connection.ask(data, options.get("method", "GET"))
                    self.assertIn(answer.status, (200, 304), (code, lines))
                    self.assertEqual(answer.get("X-Region-Bucket"), bucket, (code, lines))
            data = self.request_from("12.0.0.1", "unknown")
            self.assertEqual(connection.ask(data).bucket, "unknown")
            self.assertEqual(front.stored(), 3)

    def test_c28_what_is_no_bucket_is_not_kept(self):
        wrong = [
            [], ["X-Region-Bucket: regionalMarket"], [f"X-Region-Policy: {POLICY}"],
            ["X-Region-Bucket: KR", f"X-Region-Policy: {POLICY}"],
            ["X-Region-Bucket: regionalMarket", "X-Region-Policy: abc"],
            ["X-Region-Bucket: regionalMarket x", f"X-Region-Policy: {POLICY}"],
            ["X-Region-Bucket: regionalMarket", f"X-Region-Policy: {POLICY}0"],
            ["X-Region-Bucket:", f"X-Region-Policy: {POLICY}"]]
        granted = ok("X-Accel-Expires: 60", "Surrogate-Control: max-age=60", "Cache-Control: no-store")
        with Recorder(lambda head: granted) as recorder, self.front_behind_edge(recorder.port) as front:
            for lines in wrong * 2:
                with Connection(front.port) as connection:
                    self.assertEqual(connection.ask(request(*lines)).status, 200)
            self.assertEqual(len(recorder.heads), len(wrong) * 2)
            for head in recorder.heads:
                self.assertEqual((field(head, "X-Region-Bucket"), field(head, "X-Region-Policy")), ([], []))
            self.assertEqual(front.stored(), 0)

    def test_c29_only_the_targeted_field_grants(self):
        others = [
            ("Cache-Control: public, max-age=60, s-maxage=60",), ("Expires: Fri, 01 Jan 2100 00:00:00 GMT",), (),
            ("Cache-Control: no-store", "CDN-Cache-Control: max-age=60"),
            ("Last-Modified: Sat, 01 Jan 2000 00:00:00 GMT",),
            (self.foreign_field,), ("Cache-Control: s-maxage=60", "Vary: *"), (f"{self.targeted_field}: {self.zero}",)]
        for lines in others:
            with Recorder(lambda head, lines=lines: ok(*lines)) as recorder, self.front(recorder.port) as front:
                for _ in range(3):
                    answer = self.ask(front, "KR")
                    self.assertEqual(answer.status, 200)
                    self.assertIsNone(answer.get(self.targeted_field))
                self.assertEqual(len(recorder.heads), 3, lines)

    def test_c29_not_a_second_more(self):
        lifetime = f"{self.targeted_field}: {self.seconds(2)}"
        fetched = []

        def answer(head):
            fetched.append(time.monotonic())
            return ok(lifetime, "Cache-Control: no-store", 'ETag: "1-regionalMarket"')
        with Recorder(answer) as recorder, self.front(recorder.port) as front:
            asked = 0
            started = time.monotonic()
            while time.monotonic() < started + 5:
                self.assertIsNone(self.ask(front, "KR").get(self.targeted_field))
                asked += 1
                time.sleep(0.05)
        pauses = [after - before for before, after in zip(fetched, fetched[1:])]
        self.assertLess(len(fetched), asked // 2, "nothing is kept")
        # nginx counts whole seconds, and the second in which it ends is still in.
        self.assertLess(max(pauses), 3.3)

    def test_c29_other_statuses_are_not_kept(self):
        for status in ("404 Not Found", "503 Service Unavailable", "204 No Content", "301 Moved Permanently"):
            granted = (f"HTTP/1.1 {status}\r\n{self.targeted_field}: {self.seconds(60)}\r\n" +
                       ("" if status.startswith("204") else "Content-Length: 0\r\n") + "\r\n").encode()
            with Recorder(lambda head, granted=granted: granted) as recorder, self.front(recorder.port) as front:
                for _ in range(2):
                    self.assertEqual(self.ask(front, "KR").status, int(status[:3]))
                self.assertEqual(len(recorder.heads), 2, status)

    def test_c30_their_own_errors(self):
        with behind(self.name, self.workshop.database) as service, self.front(service.port) as front:
            service.stop()
            for method, options, status in (
                    ("GET", {}, (502, 503)), ("HEAD", {}, (502, 503)), ("GET", {"target": "/no"}, (502, 503)),
                    ("GET", {"target": "/" + "a" * 70000}, (414, 400)), ("GET", {"host": "Host: a b"}, (400, 503))):
                with Connection(front.port) as connection:
                    answer = connection.ask(self.request("KR", method=method, **options), method)
                # Varnish closes such a connection without a word that could be kept.
                if answer is None:
                    self.assertEqual((self.name, status), ("varnish", (414, 400)))
                    continue
                self.assertIn(answer.status, status, options)
                self.assertEqual(answer.get("Cache-Control"), "private, no-store", (answer.status, answer.fields))

    def test_no_address_in_any_log(self):
        assert_silent(self, lambda port: self.front(port), self.loud_front, self.name)


class NginxFront(Keeping, Shared):
    name, targeted_field, zero, foreign_field = "nginx", "X-Accel-Expires", "0", "Surrogate-Control: max-age=60"

    def front(self, port, workshop=None, **site):
        return Nginx(workshop or self.workshop, port, **site)

    def front_behind_edge(self, port):
        return Nginx(self.workshop, port, edges="default 0; 127.0.0.1/32 1;")

    def loud_front(self, port):
        return Nginx(self.workshop, port, change=lambda text: text.replace("error.log emerg", "error.log info"))

    def seconds(self, count):
        return str(count)

    request = staticmethod(from_client)

    def request_from(self, address, bucket, *lines, **options):
        return request(f"X-Forwarded-For: {address}", *lines, **options)

    def test_c27_nothing_of_a_clients_own_arrives(self):
        with Recorder(lambda head: ok()) as recorder, self.front(recorder.port) as front:
            for lines in FORGED:
                self.assertEqual(self.ask(front, "US", *lines).status, 200)
                self.assertEqual(self.ask(front, "US", *lines, target="/other").status, 200)
            for head in recorder.heads:
                self.assertEqual(field(head, "X-Region-Bucket"), ["otherMarket"])
                self.assertEqual(field(head, "X-Region-Policy"), [POLICY])
                self.assertEqual(field(head, "X-Forwarded-For"), [ADDRESSES["US"]])
                names = {line.partition(b":")[0].decode() for line in head.split(b"\r\n")[1:]}
                self.assertEqual(names, {"Host", "X-Region-Bucket", "X-Region-Policy", "X-Forwarded-For"})

    def test_c27_nobody_but_the_balancer_says_who_the_client_is(self):
        with behind("nginx", self.workshop.database) as service, self.front(service.port) as front:
            for lines in ([], *FORGED):
                answer = self.ask(front, "KR", *lines, source="127.0.0.9")
                self.assertEqual(answer.bucket, "unknown", lines)

    def test_c27_over_ipv6_too(self):
        with behind("nginx", self.workshop.database) as service, self.front(service.port) as front, \
                Connection(front.port, host="::1") as connection:
            for lines in ([], *FORGED):
                answer = connection.ask(from_client("KR", *lines))
                self.assertEqual((answer.status, answer.bucket), (200, "unknown"), lines)

    def test_c27_a_path_that_nginx_would_rewrite_is_another(self):
        with behind("nginx", self.workshop.database) as service, self.front(service.port) as front:
            self.assertEqual(self.ask(front, "KR").status, 200)
            for target in ("/v1/./region", "/v1/x/../region", "/v1/%72egion", "//v1/region", "/v1/region/"):
                self.assertEqual(self.ask(front, "KR", target=target).status, 404, target)

    def test_c27_with_code_at_the_edge_in_front(self):
        with behind("nginx", self.workshop.database) as service, self.front_behind_edge(service.port) as front:
            for source, expected in (("127.0.0.1", "regionalMarket"), ("127.0.0.9", "unknown")):
                with Connection(front.port, source=source) as connection:
                    data = request("X-Region-Bucket: regionalMarket", f"X-Region-Policy: {POLICY}")
                    self.assertEqual(connection.ask(data).bucket, expected)

    def test_without_a_fingerprint_the_service_decides(self):
        with behind("nginx", self.workshop.database) as service, \
                self.front(service.port, fingerprint='default "";') as front:
            for country, bucket in BUCKETS.items():
                answer = self.ask(front, country)
                self.assertEqual((answer.bucket, answer.get("Cache-Control")), (bucket, "private, no-store"))
            self.assertEqual(front.stored(), 0)

    def test_a_policy_of_several_countries(self):
        policy = 'policy: { regional: ["KR", "JP"] },'
        with behind("nginx", self.workshop.database, policy=policy) as service, \
                self.front(service.port, regional=("KR", "JP")) as front:
            for country, bucket in {**BUCKETS, "JP": "regionalMarket"}.items():
                self.assertEqual(self.ask(front, country).bucket, bucket)
            self.assertEqual(front.stored(), 3)

    def test_its_policy_is_the_one_of_the_configuration(self):
        text = (CONFIG / "nginx.conf").read_text()
        written = re.search(r"default (\w{16});\s+# site: fingerprint", text)[1]
        report = check("--config", str(CONFIG / "behind-nginx.json5"))
        self.assertIn(f"policy fingerprint: {written}\n", report.stdout)
        regional = re.search(r"(\w\w)\s+regionalMarket;\s+# site: regional", text)[1]
        self.assertEqual(fingerprint([regional]), written)

    def test_it_knows_the_countries_that_the_service_knows(self):
        codes = re.search(r"~(\^\S+\$) otherMarket;", (CONFIG / "nginx.conf").read_text())[1]
        every = ["".join(pair) for pair in itertools.product("ABCDEFGHIJKLMNOPQRSTUVWXYZ", repeat=2)]
        known = [code for code in every if re.match(codes, code)]
        self.assertEqual(known, all_countries())

    def test_tls(self):
        with behind("nginx", self.workshop.database) as service, self.front(service.port, tls=True) as front:
            for version in ("--http1.1", "--http2"):
                said = subprocess.run(
                    ["curl", "-sS", version, "--cacert", str(self.workshop.authority), "-H",
                     f"X-Forwarded-For: {ADDRESSES['KR']}", "-w", " %{http_version}",
                     f"https://localhost:{front.port}/v1/region"], check=True, capture_output=True, text=True).stdout
                self.assertEqual(said, '{"bucket":"regionalMarket"} ' + version.removeprefix("--http"))
            self.assertEqual(front.stored(), 1)
            self.assertFalse(b"127.77.66.55" in fail_handshake(front))

    def test_it_is_accepted_without_a_word(self):
        with behind("nginx", self.workshop.database) as service, self.front(service.port, tls=True) as front:
            said = subprocess.run(["nginx", "-e", "stderr", "-t", "-q", "-c", str(front.file)],
                                  capture_output=True, text=True, check=True)
            self.assertEqual(said.stdout + said.stderr, "")


class VarnishFront(Keeping, Shared):
    name, targeted_field, zero, foreign_field = "varnish", "Surrogate-Control", "max-age=0", "X-Accel-Expires: 60"

    def front(self, port, workshop=None, **site):
        return Varnish(port, **site)

    front_behind_edge = front

    def loud_front(self, port):
        return Varnish(port, masks=False)

    def seconds(self, count):
        return f"max-age={count}"

    request = staticmethod(by_edge)

    def request_from(self, address, bucket, *lines, **options):
        return request(f"X-Forwarded-For: {address}", f"X-Region-Bucket: {bucket}", f"X-Region-Policy: {POLICY}",
                       *lines, **options)

    def test_exported_code_begins_vcl_recv(self):
        code = subprocess.run([str(BINARY), "export", "varnish", "--sources", "edge", "--policy-regional", "KR"],
                              check=True, capture_output=True, text=True).stdout
        self.assertIn("#     call region_bucket_edge;\n", code)

        def placed(text):
            text = text.replace("vcl 4.1;\n", f"vcl 4.1;\n{code}", 1)
            return text.replace("sub vcl_recv {\n", "sub vcl_recv {\n  call region_bucket_edge;\n", 1)
        with behind("varnish", self.workshop.database) as service, Varnish(service.port, change=placed) as front:
            with Connection(front.port) as edge:
                for country, bucket in (("KR", "regionalMarket"), ("US", "otherMarket")):
                    answer = edge.ask(request(f"X-Geo-Country: {country}", f"X-Region-Bucket: {BUCKETS['KR']}"))
                    self.assertEqual(answer.bucket, bucket)
            with Connection(front.port, source="127.0.0.9") as stranger:
                self.assertEqual(stranger.ask(request("X-Geo-Country: KR")).bucket, "unknown")

    def test_c27_nothing_of_a_clients_own_arrives(self):
        locations = set(re.findall(r'FieldName\("([^"]+)"\)', (
            ROOT / "Sources/ClientSignal/CDNPresetRows.swift").read_text())) - {"X-Forwarded-For"}
        self.assertGreater(len(locations), 30)
        with Recorder(lambda head: ok()) as recorder, self.front(recorder.port) as front:
            with Connection(front.port, source="127.0.0.9") as connection:
                for lines in (*FORGED, [f"{name}: KR" for name in locations]):
                    self.assertEqual(connection.ask(from_client("KR", *lines)).status, 200)
            for head in recorder.heads:
                self.assertEqual(field(head, "X-Forwarded-For"), ["127.0.0.9"])
                for name in {*locations, "X-Region-Bucket", "X-Region-Policy", "Forwarded", "Cookie", "User-Agent"}:
                    self.assertEqual(field(head, name), [], name)

    def test_c27_the_edges_word_arrives_as_it_was(self):
        with Recorder(lambda head: ok()) as recorder, self.front(recorder.port) as front:
            self.assertEqual(self.ask(front, "KR").status, 200)
            with Connection(front.port) as connection:
                connection.ask(request("X-Forwarded-For: 192.0.2.1, 11.0.0.1"))
                connection.ask(request())
            self.assertEqual(field(recorder.heads[0], "X-Region-Bucket"), ["regionalMarket"])
            self.assertEqual([field(head, "X-Forwarded-For") for head in recorder.heads],
                             [["11.0.0.1"], ["192.0.2.1, 11.0.0.1"], [""]])

    def test_a_method_that_it_does_not_know_opens_no_tunnel(self):
        with behind("varnish", self.workshop.database) as service, self.front(service.port) as front, \
                Connection(front.port) as connection:
            self.assertEqual(connection.ask(by_edge("KR", method="BREW")).status, 501)
            self.assertEqual(front.counter("MAIN.s_pipe"), 0)

    def test_it_is_accepted(self):
        compiled = subprocess.run(
            ["varnishd", "-C", "-f", str(CONFIG / "varnish.vcl")], capture_output=True, check=True)
        self.assertTrue(b"VGC_function_vcl_hash" in compiled.stderr + compiled.stdout)


if __name__ == "__main__":
    unittest.main()
