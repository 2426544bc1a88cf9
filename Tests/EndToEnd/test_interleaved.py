"""Connections of one loop that are in the middle of something at the same time: none tells another's story."""

import json
import select
import socket
import tempfile
import time
import unittest

from support import Service, parse, parse_all, read_to_end, request

HEAD_PART = b"HEAD /v1/region HTTP/1.1\r\nHost: x\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
SHORT = {"loops": 1, "timeouts": {"headSeconds": 1, "bodySeconds": 1}}


def connect(service):
    return socket.create_connection(("127.0.0.1", service.port), timeout=15)


class Content(unittest.TestCase):
    """An error's answer to HEAD has no content (RFC 9110 §9.3.2), and any other has all of it."""

    def test_another_connections_method_says_nothing(self):
        bad_chunk = b"5\r\nabcde\r\n20000\r\n"
        with Service({"loops": 1}) as service:
            for first, other, has_content in (("POST", "HEAD", True), ("HEAD", "GET", False)):
                with connect(service) as slow, connect(service) as quick:
                    slow.sendall(request(method=first)[:-2] + CHUNKED + b"5\r\nab")
                    time.sleep(0.1)
                    quick.sendall(request(target="/healthz", method=other))
                    parse(quick.recv(65536), method=other)
                    slow.sendall(b"cde\r\n" + bad_chunk[10:])
                    answer = parse(read_to_end(slow), method=first)
                    self.assertEqual((answer.status, answer.rest), (413, b""))
                    self.assertEqual(bool(answer.body), has_content, first)

    def test_time_outs(self):
        cases = ((HEAD_PART, False), (HEAD_PART.replace(b"HEAD", b"GET"), True), (b"HEA", True),
                 (HEAD_PART + b"Content-Length: 5\r\n\r\n", False),
                 (HEAD_PART.replace(b"HEAD", b"POST") + b"Content-Length: 5\r\n\r\n", True))
        with Service(SHORT) as service:
            for sent, has_content in cases:
                with connect(service) as connection:
                    connection.sendall(sent)
                    answer = parse(read_to_end(connection), method="GET" if has_content else "HEAD")
                    self.assertEqual((answer.status, answer.rest), (408, b""), sent)

    def test_limits_that_tighten_under_a_body(self):
        with Service({"loops": 1}) as service, connect(service) as connection:
            connection.sendall(request("Content-Length: 5000", method="POST")[:] + b"x")
            time.sleep(0.1)
            config = json.loads(service.config_path.read_text())
            config["limits"] = {"bodyBytesMax": 100}
            service.write_config(config)
            service.process.send_signal(1)
            service.wait_for_event("configuration-loaded")
            time.sleep(0.2)
            connection.sendall(b"x" * 4999)
            self.assertEqual(parse(read_to_end(connection)).status, 413)


class Times(unittest.TestCase):
    # So many answers that their end is what no longer fits the socket's buffer.
    COUNTS = (680, 700, 720)

    def test_a_head_behind_a_blocked_answer_has_its_own_time(self):
        directory = tempfile.TemporaryDirectory(prefix="region-bucket-")
        self.addCleanup(directory.cleanup)
        path = f"{directory.name}/socket"
        # A Unix-domain socket's buffers do not grow.
        changes = {**SHORT, "listeners": [{"unix": path}],
                   "timeouts": {"headSeconds": 1, "bodySeconds": 1, "idleSeconds": 60}}
        with Service(changes):
            for count in self.COUNTS:
                self.ask_without_reading(path, count)

    def ask_without_reading(self, path, count):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(15)
            connection.connect(path)
            connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * count + HEAD_PART)
            time.sleep(0.1)
            data = bytearray()
            started_at = time.monotonic()
            # Far below the 60 seconds that an idle connection has.
            while b"HTTP/1.1 408 " not in data[-4096:] and time.monotonic() < started_at + 20:
                if select.select([connection], [], [], 1)[0]:
                    data += connection.recv(65536)
        answers = parse_all(bytes(data[:data.rindex(b"HTTP/1.1 ")]))
        self.assertEqual([answer.status for answer in answers], [404] * count)
        self.assertIn(b"HTTP/1.1 408 ", data[data.rindex(b"HTTP/1.1 "):])

    def test_a_drain_does_not_wait_for_a_silent_balancer(self):
        changes = {"listeners": [{"tcp": "127.0.0.1:0", "proxyProtocol": True}], "proxyProtocolPeers": ["loopback"],
                   "drainSeconds": 20, "timeouts": {"headSeconds": 15}}
        with Service(changes) as service, connect(service):
            time.sleep(0.1)
            started_at = time.monotonic()
            self.assertEqual(service.stop(), 0)
            # A second by itself; fifteen if it waited for the preface.
            self.assertLess(time.monotonic() - started_at, 10)


class AccessLines(unittest.TestCase):
    CHANGES = {"loops": 1, "log": {"access": True, "format": "json"}}

    def test_kinds_of_one_read_do_not_disturb_each_other(self):
        targets = ["/nosuch", "/readyz", "/v1/region", "/healthz"]
        methods = ["GET", "HEAD", "PUT", "OPTIONS", "DELETE"]
        pipeline = b"".join(
            request(*lines, target=target, method=method)
            for lines in ((), ("Expect: foo",), ("CloudFront-Viewer-Country: KR",))
            for target in targets for method in methods if not (lines == ("Expect: foo",) and method == "CONNECT"))
        count = len(targets) * len(methods) * 3
        with Service(self.CHANGES) as service:
            # The very first bytes, in one read.
            service.exchange(pipeline)
            service.wait_for_event("access", count)
            events = service.events("access")
            self.assertEqual(len(events), count)
            for event in events:
                self.assertRegex(event["time"], r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
            self.assertEqual(len({event["microseconds"] for event in events}), 1)
            self.assertGreater(events[0]["microseconds"], 0)

    def test_a_refusal_does_not_take_the_time_of_another_request(self):
        """What no input caused took no time, whoever is answered before its line is handed over."""
        changes = {**self.CHANGES, "limits": {"connectionsMax": 2}, "timeouts": {"headSeconds": 0.3}}
        with Service(changes) as service, connect(service) as asking, connect(service) as slow:
            def refused(status, connection):
                self.assertIn(f"HTTP/1.1 {status} ".encode(), connection.recv(4096))
                asking.sendall(request())
                asking.recv(4096)
            asking.sendall(request())
            asking.recv(4096)
            slow.sendall(b"GET / HTTP/1.1\r\n")
            with connect(service) as third:
                refused(503, third)
            refused(408, slow)
            service.wait_for_event("access", 5)
            took = {event["status"]: event["microseconds"] for event in service.events("access")}
            self.assertEqual({status: took[status] for status in (503, 408)}, {503: 0, 408: 0})
            self.assertGreater(took[200], 0)

    def test_the_last_line_of_a_drain_is_written(self):
        changes = {**self.CHANGES, "drainSeconds": 1, "timeouts": {"headSeconds": 1}}
        with Service(changes) as service, connect(service) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\n")
            time.sleep(0.1)
            service.process.terminate()
            received = read_to_end(connection)
            service.process.wait(20)
            for reader in service._readers:
                reader.join(5)
            self.assertEqual(len(service.events("access")), received.count(b"HTTP/1.1 408 "))


if __name__ == "__main__":
    unittest.main()
