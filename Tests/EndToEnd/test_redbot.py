"""REDbot, the linter for HTTP, has nothing to mend on any endpoint, in any variant of an answer."""

import json
import os
import pathlib
import subprocess
import unittest

from caching_support import GRANTS, asking, edge
from recorder import Recorder, ok
from support import Service

# The Python that has it: Scripts/test makes it.
PYTHON = os.environ.get("RB_TEST_PYTHON")
HELPER = pathlib.Path(__file__).parent / "redbot_notes.py"

# Notes that are no praise and need no mending: the status that they may come with (None: any), and the reason.
ALLOWED = {
    # `private, no-store`: to most caches `no-store` says it all, but Fastly's ignores it and honours `private`.
    "CC_CONFLICTING": None,
    # These say no more than the status does, which the request was made for.
    "STATUS_BAD_REQUEST": 400, "STATUS_URI_TOO_LONG": 414,
    # REDbot's linter is not shown the request, and takes the answer to a preflight for another one's.
    "CORS_PREFLIGHT_ONLY": 204,
}
MENDED = ("BAD", "WARN")
COUNTRY = ["CloudFront-Viewer-Country", "KR"]
ORIGIN = ["Origin", "https://app.example"]
TAG = '"1-regionalMarket"'


def notes(requests):
    """What REDbot says of each of the requests: the status, and its notes."""
    said = subprocess.run([PYTHON, str(HELPER)], input="".join(json.dumps(one) + "\n" for one in requests),
                          capture_output=True, text=True, check=True, timeout=300)
    return [json.loads(line) for line in said.stdout.splitlines()]


def variants(url, admin_url):
    """Every endpoint, method and kind of answer, with its status."""
    region = url + "/v1/region"
    for fields in ([], [COUNTRY], [["CloudFront-Viewer-Country", "US"]], [COUNTRY, ORIGIN],
                   [["X-Forwarded-For", "8.8.8.8"]], [COUNTRY, ["Cookie", "a=b"]],
                   [COUNTRY, ["Accept-Encoding", "gzip, br"]]):
        for method in ("GET", "HEAD"):
            yield 200, [method, region, fields]
    for method in ("GET", "HEAD"):
        yield 304, [method, region, [COUNTRY, ["If-None-Match", TAG]]]
        yield 412, [method, region, [COUNTRY, ["If-Match", '"x"']]]
        yield 404, [method, url + "/nothing", []]
        yield 417, [method, region, [["Expect", "x"]]]
        yield 400, [method, url + "/%", []]
        for path in ("/healthz", "/readyz"):
            yield 200, [method, url + path, []]
        for path in ("/metrics", "/readyz"):
            yield 200, [method, admin_url + path, []]
        yield 414, [method, url + "/" + "a" * 9000, []]
        yield 431, [method, region, [["A", "b" * 33000]]]
    for method in ("POST", "PUT", "DELETE"):
        yield 405, [method, region, []]
        yield 405, [method, url + "/healthz", []]
        yield 405, [method, admin_url + "/metrics", []]
    yield 501, ["BREW", region, []]
    yield 204, ["OPTIONS", region, []]
    yield 204, ["OPTIONS", region, [ORIGIN, ["Access-Control-Request-Method", "GET"]]]


class REDbot(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not PYTHON:
            raise unittest.SkipTest("RB_TEST_PYTHON names no Python that has redbot; Scripts/test makes one")

    def check(self, expected):
        """All of these requests have their status, and no note that is to be mended."""
        found, seen = [], set()
        said = notes([one for _, one in expected])
        self.assertEqual(len(said), len(expected))
        for (status, one), answer in zip(expected, said, strict=True):
            if answer["status"] != status:
                found.append((one[:2], status, answer))
            seen.update(note for _, note, *_ in answer["notes"])
            found += [(one[:2], status, note) for note in answer["notes"]
                      if note[0] in MENDED and ALLOWED.get(note[1], 0) not in (None, status)]
        self.assertEqual(found, [])
        return seen

    def test_every_endpoint_and_variant(self):
        with Service({"admin": {"listener": "127.0.0.1:0"}}) as service:
            admin_port = service.wait_for_event("admin-listening")["port"]
            expected = list(variants(f"http://127.0.0.1:{service.port}", f"http://127.0.0.1:{admin_port}"))
            seen = self.check(expected)
            # A list that allows what nobody says is out of date.
            self.assertLessEqual(set(ALLOWED), seen)
        print(f"REDbot: {len(expected)} requests, nothing to mend")

    def test_listed_origins(self):
        with Service({"cors": {"origins": ["https://app.example"]}}) as service:
            region = f"http://127.0.0.1:{service.port}/v1/region"
            self.check([(200, ["GET", region, [COUNTRY, *more]]) for more in ([], [ORIGIN], [["Origin", "https://b.example"]])])

    def test_shared_answers(self):
        for line, (changes, _) in GRANTS.items():
            with asking(changes) as ask:
                fields = [text.split(": ", 1) for text in edge()]
                region = f"http://127.0.0.1:{ask.service.port}/v1/region"
                self.check([(200, [method, region, fields]) for method in ("GET", "HEAD")]
                           + [(304, ["GET", region, [*fields, ["If-None-Match", TAG]]])])
                self.assertTrue(line)

    def test_what_is_to_be_mended_is_found(self):
        """The positive control."""
        with Recorder(lambda head: ok("Date: Sat, 01 Jan 2000 00:00:00 GMT", "Cache-Control: max-age=x")) as recorder:
            said = notes([["GET", f"http://127.0.0.1:{recorder.port}/", []]])[0]["notes"]
            self.assertIn("BAD", {note[0] for note in said})


if __name__ == "__main__":
    unittest.main()
