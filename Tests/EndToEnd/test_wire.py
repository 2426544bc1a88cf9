"""The wire contract (Docs/wire.md), line by line, over real sockets. Each test's name begins with its line."""

import json
import re
import socket
import time
import unittest

from support import Service, parse, parse_all, read_to_end, request

KR = "CloudFront-Viewer-Country: KR"
US = "CloudFront-Viewer-Country: US"
VARY = "CloudFront-Viewer-Country"
BODIES = {
    "regionalMarket": b'{"bucket":"regionalMarket"}',
    "otherMarket": b'{"bucket":"otherMarket"}',
    "unknown": b'{"bucket":"unknown"}',
}
DATE = re.compile(r"^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} "
                  r"\d\d:\d\d:\d\d GMT$")

# Quick time-outs, so that the tests are quick too.
QUICK = {"timeouts": {"headSeconds": 0.4, "bodySeconds": 0.4, "idleSeconds": 0.6, "lingerSeconds": 0.3,
                      "writeStallSeconds": 0.5}}


def chunked(*chunks):
    return b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in (*chunks, b""))


class Contract(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service({**QUICK, "admin": {"listener": "127.0.0.1:0"}})
        cls.admin_port = cls.service.wait_for_event("admin-listening")["port"]

    @classmethod
    def tearDownClass(cls):
        cls.service.stop()

    def ask(self, *lines, rest=b"", **options):
        method = options.get("method", "GET")
        return parse(self.service.exchange(request(*lines, **options) + rest), method)

    def assert_error(self, answer, status):
        self.assertEqual(answer.status, status)
        self.assertEqual(answer.get("Content-Type"), "application/problem+json")
        problem = json.loads(answer.body)
        self.assertEqual(set(problem), {"type", "title", "status"})
        self.assertEqual(problem["status"], status)
        self.assertEqual(problem["title"], answer.reason)
        self.assertEqual(answer.get("Cache-Control"), "private, no-store")
        self.assertEqual(answer.get("Vary"), VARY)
        self.assertRegex(answer.get("Date"), DATE)

    def test_w01_w02_three_bodies(self):
        for lines, bucket in (([KR], "regionalMarket"), ([US], "otherMarket"), ([], "unknown")):
            answer = self.ask(*lines)
            self.assertEqual((answer.status, answer.get("Content-Type")), (200, "application/json"))
            self.assertEqual(answer.body, BODIES[bucket])
            self.assertEqual(answer.get("Content-Length"), str(len(BODIES[bucket])))

    def test_w01_exact_bytes_of_an_answer(self):
        data = self.service.exchange(request(KR, "Connection: close"))
        self.assertEqual(re.sub(rb"Date: [^\r]*", b"Date: D", data), (
            b"HTTP/1.1 200 OK\r\nDate: D\r\nContent-Type: application/json\r\nContent-Length: 27\r\n"
            b"X-Region-Bucket: regionalMarket\r\nETag: \"1-regionalMarket\"\r\n"
            b"Cache-Control: private, no-store\r\nVary: CloudFront-Viewer-Country\r\n"
            b"Access-Control-Allow-Origin: *\r\nX-Content-Type-Options: nosniff\r\n"
            b"Cross-Origin-Resource-Policy: cross-origin\r\nConnection: close\r\n\r\n"
            b"{\"bucket\":\"regionalMarket\"}"))

    def test_w03_answers_say_nothing_of_the_request(self):
        lines = [KR, "CloudFront-Viewer-City: SentinelCity", "X-Forwarded-For: 168.126.63.1", "Cookie: sentinel=1"]
        for options in ({}, {"method": "HEAD"}, {"method": "OPTIONS"}, {"target": "/sentinel?168.126.63.1"},
                        {"method": "SENTINEL"}, {"host": "Host: sentinel sentinel"}):
            data = self.service.exchange(request(*lines, **options))
            for word in (b"entinel", b"168.126", b"KR", b"cdn", b"database"):
                self.assertNotIn(word, data)

    def test_w04_w05_bucket_and_tag(self):
        tags = set()
        for lines, bucket in (([KR], "regionalMarket"), ([US], "otherMarket"), ([], "unknown")):
            answer = self.ask(*lines)
            self.assertEqual(answer.get("X-Region-Bucket"), bucket)
            self.assertRegex(answer.get("ETag"), r'^"[!#-~]+"$')
            tags.add(answer.get("ETag"))
        self.assertEqual(len(tags), 3)

    def test_w06_fields_of_every_answer(self):
        for options in ({}, {"method": "HEAD"}, {"method": "OPTIONS"}, {"target": "/no"}, {"target": "/healthz"},
                        {"method": "PUT"}, {"method": "BREW"}, {"version": "HTTP/3.0"}):
            answer = self.ask(KR, **options)
            self.assertEqual(answer.get("X-Content-Type-Options"), "nosniff", options)
            self.assertEqual(answer.get("Cross-Origin-Resource-Policy"), "cross-origin", options)
            self.assertRegex(answer.get("Date"), DATE)
            self.assertEqual(answer.get("Vary"), VARY, options)

    def test_w07_if_none_match(self):
        full = self.ask(KR)
        tag = full.get("ETag")
        for value, status in (
                (tag, 304), ("W/" + tag, 304), ("*", 304), (f'"x", {tag}', 304), (f'"x",W/{tag} , "y"', 304),
                ('"x"', 200), (tag.strip('"'), 200), ("W/", 200), (tag.upper(), 200)):
            answer = self.ask(KR, f"If-None-Match: {value}")
            self.assertEqual(answer.status, status, value)
            if status == 304:
                content = ("Content-Type", "Content-Length")
                self.assertEqual(
                    [name for name, _ in answer.fields], [name for name, _ in full.fields if name not in content])
                self.assertEqual(answer.body, b"")
        self.assertEqual(self.ask(KR, 'If-None-Match: "x"', f"If-None-Match: {tag}").status, 304)
        self.assertEqual(self.ask(KR, f"If-None-Match: {tag}", method="HEAD").status, 304)
        self.assertEqual(self.ask(US, f"If-None-Match: {tag}").status, 200)

    def test_w08_if_match(self):
        tag = self.ask(KR).get("ETag")
        for value, status in ((tag, 200), ("*", 200), (f'"x", {tag}', 200), ('"x"', 412), ("W/" + tag, 412)):
            answer = self.ask(KR, f"If-Match: {value}")
            self.assertEqual(answer.status, status, value)
        self.assert_error(self.ask(KR, 'If-Match: "x"', f"If-None-Match: {tag}"), 412)

    def test_w09_what_is_ignored(self):
        plain = self.ask(KR)
        for line in (
                "If-Modified-Since: Sat, 01 Jan 2000 00:00:00 GMT", "Range: bytes=0-1", "Accept-Encoding: gzip, br",
                "Accept: text/html", "If-Range: \"x\""):
            answer = self.ask(KR, line)
            self.assertEqual((answer.status, answer.body), (200, plain.body), line)
            self.assertIsNone(answer.get("Content-Encoding"))
            self.assertIsNone(answer.get("Location"))

    def test_w10_head(self):
        for lines, options in (([KR], {}), ([], {"target": "/no"}), ([], {"target": "/healthz"}),
                               ([KR, 'If-Match: "x"'], {}), (["Expect: x"], {})):
            get = self.ask(*lines, **options)
            head = self.ask(*lines, method="HEAD", **options)
            self.assertEqual((head.status, head.body, head.rest), (get.status, b"", b""))
            self.assertEqual([f for f in head.fields if f[0] != "Date"], [f for f in get.fields if f[0] != "Date"])
        # Also when the head itself is refused: the method was read before.
        data = self.service.exchange(b"HEAD / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
        self.assertTrue(data.endswith(b"\r\n\r\n") and data.startswith(b"HTTP/1.1 400 "))

    def test_w11_options(self):
        answer = self.ask(method="OPTIONS")
        self.assertEqual((answer.status, answer.get("Allow")), (204, "GET, HEAD, OPTIONS"))
        self.assertIsNone(answer.get("Content-Length"))
        self.assertIsNone(answer.get("Access-Control-Allow-Methods"))
        self.assertEqual(answer.get("Cache-Control"), "private, no-store")
        preflight = self.ask("Origin: https://app.example", "Access-Control-Request-Method: GET", method="OPTIONS")
        self.assertEqual(preflight.status, 204)
        self.assertIsNone(preflight.get("Content-Length"))
        self.assertEqual(preflight.get("Access-Control-Allow-Methods"), "GET, HEAD")
        self.assertEqual(preflight.get("Access-Control-Max-Age"), "86400")
        self.assertEqual(preflight.get("Access-Control-Allow-Origin"), "*")
        self.assertEqual(preflight.get("Vary"), VARY)
        self.assertEqual(preflight.get("Cache-Control"), "private, no-store")
        self.assertEqual(self.ask(method="OPTIONS", target="*").status, 204)

    def test_w12_query(self):
        for target in ("/v1/region?", "/v1/region?country=US", "/v1/region?a=b&c=%20"):
            self.assertEqual(self.ask(KR, target=target).bucket, "regionalMarket")

    def test_w13_bodies(self):
        for lines, body in ((["Content-Length: 0"], b""), (["Content-Length: 5"], b"hello"),
                            (["Content-Length: 65536"], b"x" * 65536),
                            (["Transfer-Encoding: chunked"], chunked(b"a" * 100, b"b" * 4000)),
                            (["Transfer-Encoding: chunked"], b"5;a=b\r\nhello\r\n0\r\nTrailer: x\r\n\r\n")):
            data = self.service.exchange(request(KR, *lines) + body + request(US))
            self.assertEqual([answer.bucket for answer in parse_all(data)], ["regionalMarket", "otherMarket"], lines)
        self.assert_error(self.ask(KR, "Content-Length: 65537"), 413)
        self.assert_error(self.ask(KR, "Content-Length: 99999999999999999999"), 413)
        self.assert_error(self.ask(KR, "Transfer-Encoding: chunked", rest=chunked(b"x" * 40000, b"x" * 40000)), 413)

    def test_w13_body_in_pieces(self):
        data = request(KR, "Transfer-Encoding: chunked") + chunked(b"hello", b"world") + request(US)
        got = self.service.exchange(data, pieces=[bytes([byte]) for byte in data])
        self.assertEqual([answer.bucket for answer in parse_all(got)], ["regionalMarket", "otherMarket"])

    def test_w13_continue(self):
        with socket.create_connection(("127.0.0.1", self.service.port), timeout=5) as connection:
            connection.sendall(request(KR, "Content-Length: 5", "Expect: 100-continue"))
            self.assertEqual(connection.recv(100), b"HTTP/1.1 100 Continue\r\n\r\n")
            connection.sendall(b"hello")
            self.assertEqual(parse(connection.recv(4096)).bucket, "regionalMarket")

    def test_w14_one_rule_for_paths(self):
        for target in ("/", "/v1", "/v1/region/", "//v1/region", "/v1//region", "/v1/./region", "/v1/x/../region",
                       "/v1/%72egion", "/V1/region", "/v1/Region", "/v1/region;x", "/v1/region%20", "/metrics"):
            self.assert_error(self.ask(KR, target=target), 404)
        for target in ("http://test/v1/region", "https://other.example:8443/v1/region?x", "HTTP://TEST/v1/region"):
            self.assertEqual(self.ask(KR, target=target).bucket, "regionalMarket", target)
        self.assert_error(self.ask(KR, target="http://test"), 404)

    def test_w15_any_origin(self):
        for lines in ([], ["Origin: https://app.example"], ["Origin: null"]):
            self.assertEqual(self.ask(KR, *lines).get("Access-Control-Allow-Origin"), "*")

    def test_w17_no_credentials(self):
        answer = self.ask(KR, "Origin: https://app.example", "Cookie: a=b")
        self.assertIsNone(answer.get("Access-Control-Allow-Credentials"))

    def test_w18_w19_w20_health(self):
        for path, body in (("/healthz", b"ok\n"), ("/readyz", b"ready\n")):
            answer = self.ask(target=path)
            self.assertEqual((answer.status, answer.body), (200, body))
            self.assertEqual(answer.get("Cache-Control"), "private, no-store")
            self.assertEqual(self.ask(target=path, method="HEAD").status, 200)
            refused = self.ask(target=path, method="POST")
            self.assert_error(refused, 405)
            self.assertEqual(refused.get("Allow"), "GET, HEAD")

    def test_w21_admin(self):
        def ask(path):
            return parse(self.service.exchange(request(target=path), port=self.admin_port))
        self.assertEqual(ask("/metrics").status, 200)
        self.assertEqual(ask("/readyz").status, 200)
        self.assertEqual(ask("/v1/region").status, 404)
        self.assertEqual(ask("/healthz").status, 404)

    def test_w22_w23_bad_requests(self):
        good_host = b"Host: test\r\n"
        for head in (b"GET /v1/region\r\n\r\n", b"GET  /v1/region HTTP/1.1\r\n" + good_host + b"\r\n",
                     b"GET /v1/region HTTP/1.1\r\n\r\n", b"GET /v1/region HTTP/1.1\r\n" + good_host * 2 + b"\r\n",
                     b"GET /v1/region HTTP/1.1\nHost: test\n\n",
                     b"GET /v1/region HTTP/1.1\r\n" + good_host + b"Bad Name: x\r\n\r\n",
                     b"GET /v1/region HTTP/1.1\r\n" + good_host + b"A : x\r\n\r\n",
                     b"GET /v1/region HTTP/1.1\r\n" + good_host + b"A: x\r\n folded\r\n\r\n",
                     b"GET /v1/region HTTP/1.1\r\n" + good_host + b"A: x\x00\r\n\r\n",
                     b"GET /v1/region HTTP/1.1\r\n" + good_host + b"Content-Length: 1\r\n" * 2 + b"\r\nx",
                     b"GET /v1/region HTTP/1.1\r\n" + good_host + b"Content-Length: +1\r\n\r\nx",
                     b"GET /v1/region HTTP/1.1\r\n" + good_host +
                     b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                     b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"):
            data = self.service.exchange(head + request(KR))
            answer = parse(data)
            self.assert_error(answer, 400)
            self.assertEqual(answer.get("Connection"), "close")
            self.assertEqual(answer.rest, b"", head)

    def test_w25_paths_and_methods(self):
        self.assert_error(self.ask(target="/nothing"), 404)
        for method in ("POST", "PUT", "DELETE", "PATCH", "TRACE"):
            answer = self.ask(KR, method=method)
            self.assert_error(answer, 405)
            self.assertEqual(answer.get("Allow"), "GET, HEAD, OPTIONS")

    def test_w26_time_outs(self):
        def hold(data):
            with socket.create_connection(("127.0.0.1", self.service.port), timeout=5) as connection:
                if data:
                    connection.sendall(data)
                return read_to_end(connection)
        self.assertEqual(hold(b""), b"")
        self.assertEqual(hold(b"\r\n"), b"")
        self.assert_error(parse(hold(b"G")), 408)
        self.assert_error(parse(hold(request(KR)[:-2])), 408)
        self.assert_error(parse(hold(request(KR, "Content-Length: 5") + b"hel")), 408)
        self.assert_error(parse(hold(request(KR, "Transfer-Encoding: chunked") + b"5\r\nhel")), 408)
        answers = parse_all(hold(request(KR) + b"GET"))
        self.assertEqual([answer.status for answer in answers], [200, 408])

    def test_w26_a_byte_now_and_then_does_not_buy_time(self):
        started = time.monotonic()
        with socket.create_connection(("127.0.0.1", self.service.port), timeout=5) as connection:
            try:
                for byte in request(KR):
                    connection.sendall(bytes([byte]))
                    time.sleep(0.05)
            except OSError:
                pass
        self.assertLess(time.monotonic() - started, 2.5)

    def test_w27_expectations(self):
        self.assert_error(self.ask(KR, 'If-Match: "x"'), 412)
        self.assert_error(self.ask(KR, "Expect: 200-ok"), 417)

    def test_w28_limits(self):
        self.assert_error(self.ask(target="/" + "a" * 8200), 414)
        self.assert_error(self.ask("A: " + "b" * 33000), 431)
        self.assert_error(self.ask(*[f"A{number}: b" for number in range(101)]), 431)
        self.assertEqual(self.ask(KR, "A: " + "b" * 30000).bucket, "regionalMarket")

    def test_w29_not_implemented(self):
        self.assert_error(self.ask(KR, method="BREW"), 501)
        self.assert_error(self.ask("Transfer-Encoding: gzip, chunked", rest=chunked(b"x")), 501)
        for version in ("HTTP/2.0", "HTTP/3.0", "HTTP/0.9"):
            self.assert_error(self.ask(version=version), 505)
        self.assert_error(parse(self.service.exchange(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")), 505)

    def test_w31_connections(self):
        for version, lines, expected in (
                ("HTTP/1.1", [], None), ("HTTP/1.1", ["Connection: close"], "close"),
                ("HTTP/1.1", ["Connection: keep-alive, Close"], "close"), ("HTTP/1.0", [], "close"),
                ("HTTP/1.0", ["Connection: keep-alive"], "keep-alive")):
            data = self.service.exchange(request(KR, *lines, version=version) + request(US))
            answers = parse_all(data)
            self.assertEqual(answers[0].get("Connection"), expected)
            self.assertEqual(len(answers), 1 if expected == "close" else 2)
        self.assertEqual(self.ask(KR, version="HTTP/1.0", host=None).bucket, "regionalMarket")

    def test_w32_pipelines(self):
        lines = [[KR], [US], [], [KR], ["CloudFront-Viewer-Country: XX"]] * 200
        data = self.service.exchange(b"".join(request(*line) for line in lines))
        expected = ["regionalMarket", "otherMarket", "unknown", "regionalMarket", "unknown"] * 200
        self.assertEqual([answer.bucket for answer in parse_all(data)], expected)
        data = self.service.exchange(request(KR) + b"GET / HTTP/1.1\r\n\r\n" + request(US))
        self.assertEqual([answer.status for answer in parse_all(data)], [200, 400])

    def test_w33_an_error_can_be_read(self):
        with socket.create_connection(("127.0.0.1", self.service.port), timeout=5) as connection:
            connection.sendall(request(KR, "Content-Length: 9999999"))
            for _ in range(20):
                try:
                    connection.sendall(b"x" * 10000)
                except OSError:
                    break
            self.assert_error(parse(read_to_end(connection)), 413)


if __name__ == "__main__":
    unittest.main()
