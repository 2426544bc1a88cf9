"""Behind a CDN that says the country, with its ready configuration, the service takes no notice of any address."""

import itertools
import re
import tempfile
import unittest

from fronts import CONFIG
from support import DATABASE, Service, request
from test_ready_configurations import CDNS, SECRET

ARGUMENTS = ["--listeners", "127.0.0.1:0", "--log-format", "json"]
# Every header of any preset or plain proxy that could hold the client's address.
ADDRESS_HEADERS = [
    "X-Forwarded-For", "Forwarded", "X-Real-IP", "CF-Connecting-IP", "True-Client-IP", "Fastly-Client-IP",
    "CloudFront-Viewer-Address", "X-Azure-SocketIP", "X-Azure-ClientIP", "X-Appengine-User-IP", "Fly-Client-IP",
    "x-nf-client-connection-ip", "ali-real-client-ip", "X-Client-IP"]
VALUES = ["168.126.63.1", "8.8.8.8", "[2001:220::1]:443", "for=168.126.63.1", "garbage", ""]


class CountryMode(unittest.TestCase):
    def service(self, name, **options):
        return Service(config=(CONFIG / name).read_text(), arguments=ARGUMENTS,
                       environment={"ORIGIN_SECRET": SECRET}, **options)

    def secret(self, name):
        text = (CONFIG / name).read_text()
        return re.search(r'originSecret: { header: "([^"]+)"', text)[1] + f": {SECRET}"

    def answer(self, service, *lines):
        return re.sub(rb"\r\nDate: [^\r]*", b"", service.exchange(request(*lines, "Connection: close")))

    def test_no_header_with_an_address_is_read(self):
        """Whatever stands in such headers, doubled too, the answer is the same to the byte."""
        for name, (header, _) in CDNS.items():
            with self.subTest(name=name), self.service(name) as service:
                for country in ("KR", "US", "XX"):
                    lines = [header.format(country), self.secret(name)]
                    expected = self.answer(service, *lines)
                    self.assertIn(b"HTTP/1.1 200 OK", expected)
                    for value in VALUES:
                        every = [f"{field}: {value}" for field in ADDRESS_HEADERS]
                        self.assertEqual(self.answer(service, *lines, *every, *every), expected)
                # The control: a header that is read does change it.
                self.assertNotEqual(*(self.answer(service, header.format(country), self.secret(name))
                                      for country in ("KR", "US")))

    def traced(self, calls, config=None, lines=()):
        """What a traced service did while it answered."""
        name = "cloudfront.json5"
        wrapper = ["strace", "-f", "-q", "-e", f"trace={calls}", "-e", "signal=none"]
        with tempfile.NamedTemporaryFile("r") as trace:
            options = {"wrapper": [*wrapper, "-o", trace.name]}
            with (Service(config, **options) if config else self.service(name, **options)) as service:
                for value in VALUES:
                    service.exchange(request("CloudFront-Viewer-Country: KR", self.secret(name),
                                             f"X-Forwarded-For: {value}", *lines))
                self.assertEqual(service.stop_wrapped(), 0)
            # A thread that ends may leave a call without a name behind, "???( <unfinished ...>".
            return "".join(line for line in trace if "???(" not in line)

    def test_no_database_is_opened(self):
        self.assertNotIn("(", self.traced("memfd_create,getpeername"))
        # The control: with the database among the sources, it is.
        self.assertIn("memfd_create", self.traced("memfd_create,getpeername", {"database": {"path": str(DATABASE)}}))

    def test_no_connection_is_opened(self):
        """Look-ups included: nothing is asked of anybody."""
        for config in (None, {"database": {"path": str(DATABASE)}}):
            said = self.traced("connect,sendto,sendmsg,sendmmsg,socket", config)
            sockets = re.findall(r"socket\((AF_\w+), (SOCK_\w+)", said)
            self.assertTrue(sockets)
            self.assertLessEqual(set(sockets), {("AF_INET", "SOCK_STREAM"), ("AF_INET6", "SOCK_STREAM")})
            self.assertNotIn("connect(", said)
            # Answers, all of them.
            for line in itertools.filterfalse(lambda line: "sendto(" not in line, said.splitlines()):
                self.assertIn('"HTTP/1.1 ', line)


if __name__ == "__main__":
    unittest.main()
