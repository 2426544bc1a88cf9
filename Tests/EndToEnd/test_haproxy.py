"""haproxy.cfg as shipped, in front of the service: right buckets, nothing forged, no address in a log."""

import re
import socket
import subprocess
import time
import unittest

from front_support import BUCKETS, FORGED, Shared, assert_silent, fail_handshake, from_client
from fronts import ADDRESSES, CONFIG, Connection, HAProxy, behind
from recorder import Recorder, field, ok
from support import Service, request
from test_ready_configurations import CDNS, SECRET


class HAProxyFront(Shared):
    """HAProxy is told who the client is by a PROXY preface of a balancer: it believes no header."""

    request = staticmethod(from_client)

    def front(self, port, **options):
        return HAProxy(self.workshop, port, **options)

    def preface(self, country):
        return f"PROXY TCP4 {ADDRESSES[country]} 127.0.0.1 1024 443\r\n".encode()

    def test_right_buckets(self):
        with behind("haproxy", self.workshop.database) as service, self.front(service.port, balanced=True) as front:
            for lines in ([], *FORGED, ["X-Forwarded-For: 11.0.0.1"]):
                for country, bucket in BUCKETS.items():
                    with Connection(front.port) as connection:
                        answer = connection.ask(self.preface(country) + request(*lines))
                    self.assertEqual((answer.status, answer.bucket), (200, bucket), lines)
                    self.assertEqual(answer.get("Cache-Control"), "private, no-store")
            self.assertIn(b" 200 ", front.logs())

    def test_nothing_of_a_clients_own_arrives(self):
        with Recorder(lambda head: ok()) as recorder, self.front(recorder.port) as front:
            with Connection(front.port, source="127.0.0.9") as connection:
                for lines in FORGED:
                    connection.ask(from_client("KR", *lines, "Cookie: a=b", "If-None-Match: *", "Origin: https://a"))
            for head in recorder.heads:
                names = {line.partition(b":")[0].decode() for line in head.split(b"\r\n")[1:]}
                self.assertEqual(names, {"host", "x-forwarded-for", "if-none-match", "origin"})
                self.assertEqual(field(head, "X-Forwarded-For"), ["127.0.0.9"])

    def test_over_ipv6_too(self):
        with Recorder(lambda head: ok()) as recorder, self.front(recorder.port) as front, \
                Connection(front.port, host="::1") as connection:
            self.assertEqual(connection.ask(from_client("KR")).status, 200)
            self.assertEqual(field(recorder.heads[0], "X-Forwarded-For"), ["::1"])

    def test_its_own_errors(self):
        with self.front(1) as front, Connection(front.port) as connection:
            answer = connection.ask(request())
            self.assertEqual((answer.status, answer.get("Cache-Control")), (503, "private, no-store"))
            self.assertEqual(answer.get("Content-Type"), "application/problem+json")
        with self.front(1) as front, Connection(front.port) as connection:
            answer = connection.ask(b"GET / HTTP/1.1\r\nHost: a\r\nA : b\r\n\r\n")
            self.assertEqual((answer.status, answer.get("Cache-Control")), (400, "no-cache"))

    def test_proxy_protocol(self):
        """The second listener says who the client is before HTTP begins, and leaves HTTP alone."""
        def read(connection):
            head = connection.recv(16, socket.MSG_WAITALL)
            return head + connection.recv(int.from_bytes(head[14:16], "big"), socket.MSG_WAITALL)
        with Recorder(lambda head: ok(), preface=read) as recorder, \
                self.front(1, proxy_service_port=recorder.port) as front, \
                Connection(front.proxy_port, source="127.0.0.9") as connection:
            data = request("X-Forwarded-For: 192.0.2.1", "X-Region-Bucket: regionalMarket")
            self.assertEqual(connection.ask(data).bucket, "regionalMarket")
            here = socket.inet_aton("127.0.0.9") + socket.inet_aton("127.0.0.1")
            self.assertEqual(recorder.prefaces[0][:12], b"\r\n\r\n\0\r\nQUIT\n")
            self.assertEqual(recorder.prefaces[0][12:14], b"\x21\x11")
            self.assertEqual(recorder.prefaces[0][16:24], here)
            self.assertEqual(recorder.heads, [data.removesuffix(b"\r\n\r\n")])
            connection.close()
            time.sleep(0.3)
            self.assertIn(b"backend=region_proxy", front.logs())
            self.assertNotIn(b"127.0.0.9", front.logs())

    def test_the_service_believes_its_preface(self):
        """Versions 1 and 2, from clients in both markets; a header is nobody's word on this way."""
        for version in (1, 2):
            with behind("haproxy", self.workshop.database) as service, self.front(
                    service.port, proxy_service_port=service.proxy_port, proxy_version=version,
                    balanced=True) as front:
                for country, bucket in BUCKETS.items():
                    with Connection(front.proxy_port) as connection:
                        answer = connection.ask(self.preface(country) + request())
                        self.assertEqual((answer.status, answer.bucket), (200, bucket), (version, country))
                        answer = connection.ask(request("X-Forwarded-For: 192.0.2.1"))
                        self.assertEqual((answer.status, answer.bucket), (200, "unknown"), (version, country))
                for address in ADDRESSES.values():
                    self.assertNotIn(address.encode(), front.logs())
                    self.assertNotIn(address, "".join(service.lines))

    def test_tls(self):
        with behind("haproxy", self.workshop.database) as service, \
                self.front(service.port, tls=True) as front, \
                Connection(front.port, authority=self.workshop.authority) as connection:
            self.assertEqual(connection.ask(request()).bucket, "unknown")
            logs = fail_handshake(front)
            self.assertTrue(b"connection failed" in logs and b"127.77.66.55" not in logs, logs)

    def test_tls_between_a_cdn_and_its_ready_file(self):
        """With two names more in its list, as its comment says, it ends TLS for a service that reads a CDN's header."""
        end = "|if-match|if-none-match)$) -m reg"
        for name, (header, _) in CDNS.items():
            text = (CONFIG / name).read_text()
            secret = re.search(r'originSecret: { header: "([^"]+)"', text)[1]
            names = "|".join((secret, header.partition(":")[0])).lower()
            added = end.replace(")$)", f"|{names})$)")

            def changed(front, added=added):
                self.assertEqual(front.count(end), 1)
                return front.replace(end, added)
            with self.subTest(name=name), Service(
                    config=text, environment={"ORIGIN_SECRET": SECRET},
                    arguments=["--listeners", "127.0.0.1:0", "--log-format", "json"]) as service, \
                    self.front(service.port, tls=True, change=changed) as front, \
                    Connection(front.port, authority=self.workshop.authority) as connection:
                for country, bucket in (("KR", "regionalMarket"), ("US", "otherMarket")):
                    lines = header.format(country), "X-Region-Bucket: regionalMarket"
                    answer = connection.ask(request(f"{secret}: {SECRET}", *lines))
                    self.assertEqual((answer.status, answer.bucket), (200, bucket))
                    self.assertEqual(connection.ask(request(*lines)).status, 403)
        self.assertIn("|if-match|if-none-match|x-origin-secret|cf-ipcountry)$) -m reg",
                      (CONFIG / "haproxy.cfg").read_text())

    def test_it_is_accepted_without_a_word(self):
        with self.front(1, tls=True) as front:
            said = subprocess.run(["haproxy", "-c", "-f", str(front.file)], capture_output=True, text=True, check=True)
            self.assertEqual(said.stdout.strip(), "Configuration file is valid")
            self.assertEqual(said.stderr, "")

    def test_no_address_in_any_log(self):
        shouting = 'log-format "%ci %Ts %ST %tsc backend=%b milliseconds=%Ta"'
        quiet = 'log-format "%Ts %ST %tsc backend=%b milliseconds=%Ta"'

        def loud_front(port):
            return self.front(port, change=lambda text: text.replace(quiet, shouting))
        assert_silent(self, self.front, loud_front, "haproxy")


if __name__ == "__main__":
    unittest.main()
