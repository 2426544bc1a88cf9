"""The search over all that the services of a run wrote finds what is there: each form of an address, and each place."""

import json
import pathlib
import tempfile
import unittest

from collection import Search, addresses

SENT = ["168.126.63.77", "2001:220:5e::77", "203.0.113.9", "2001:db8:5e:7::1"]
FORMS = [
    "168.126.63.77", "x=168.126.63.77:443", "::ffff:168.126.63.77", "::ffff:a87e:3f4d", "[::ffff:168.126.63.77]:80",
    "2001:220:5e::77", "2001:0220:005e:0000:0000:0000:0000:0077", "2001:220:5e:0:0:0:0:77", "[2001:220:5e::77]:443",
    "2001:220:5e::77:443", "2001:DB8:5E:7::1", "2826846029", "a87e3f4d", "A87E3F4D",
    "20010220005e00000000000000000077", "203.0.113.9", "name=Sentinel-Cookie", "/sentinel%20path"]


class Collected:
    """A folder as a run leaves it."""

    def __init__(self, directory):
        self.path = pathlib.Path(directory)
        self.service = self.path / "services/1-1"
        (self.service / "files").mkdir(parents=True)
        for name in ("told", "output", "errors", "metrics"):
            (self.service / name).write_text("{}\n")
        (self.path / "clients").mkdir()
        (self.path / "clients/1.sent").write_text(json.dumps(SENT))
        (self.path / "clients/1.answers").write_bytes(b"HTTP/1.1 200 OK\r\n\r\n")

    def leaks(self):
        return list(Search(self.path).run())


class Collection(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.collected = Collected(directory.name)

    def test_what_is_not_there_is_not_found(self):
        self.assertEqual(self.collected.leaks(), [])

    def test_each_form_is_found_in_each_place(self):
        for name in ("services/1-1/output", "services/1-1/errors", "services/1-1/metrics", "services/1-1/files/core",
                     "clients/1.answers"):
            place = self.collected.path / name
            for form in FORMS:
                before = place.read_bytes() if place.exists() else None
                place.write_text(f'{{"event":"access","value":"{form}"}}\n')
                self.assertTrue(self.collected.leaks(), (name, form))
                if before is None:
                    place.unlink()
                else:
                    place.write_bytes(before)

    def test_bytes_are_found(self):
        for octets in (bytes([168, 126, 63, 77]), bytes([77, 63, 126, 168]), bytes.fromhex("20010220005e")):
            (self.collected.service / "output").write_bytes(b"line " + octets + b"\n")
            self.assertTrue(self.collected.leaks(), octets)

    def test_what_the_operator_said_may_be_told(self):
        said = 'listening on 168.126.63.77, for /var/sentinel-city.mmdb\n'
        (self.collected.service / "output").write_text(said)
        self.assertEqual(len(self.collected.leaks()), 2)
        (self.collected.service / "told").write_text(said)
        self.assertEqual(self.collected.leaks(), [])

    def test_addresses_are_known_in_every_header_form(self):
        sent = (b"GET /v1/region HTTP/1.1\r\nX-Forwarded-For: 168.126.63.1, [2001:220::1]:80,::ffff:8.8.8.8\r\n"
                b"CloudFront-Viewer-Address: 2001:220::2:443\r\nForwarded: for=\"[2001:220::3]\";proto=http\r\n"
                b"PROXY TCP4 9.9.9.9 192.0.2.1 1 2\r\nFastly-Client-IP: 203.0.113.5:443\r\n")
        found = addresses(sent)
        for address in ("168.126.63.1", "2001:220::1", "8.8.8.8", "2001:220::2", "2001:220::3", "9.9.9.9", "192.0.2.1",
                        "203.0.113.5"):
            self.assertIn(address, found)


if __name__ == "__main__":
    unittest.main()
