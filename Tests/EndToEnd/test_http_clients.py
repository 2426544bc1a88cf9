"""Clients that go, dawdle, or do not stop: what they are told, and that nothing of them stays."""

import os
import signal
import socket
import struct
import time
import unittest

from http_cases import CLOSE, KR, US, bucket_answer, problem
from support import Service, metrics, read_to_end, request, sample
from test_http_cases import undated

MEBIBYTE = 1 << 20


class Vanishing(unittest.TestCase):
    STAGES = {
        "nothing sent": b"", "in the request line": b"GET /v1", "in the fields": request(KR)[:-2],
        "in the body": request(KR, "Content-Length: 5") + b"he",
        "in a chunk": request(KR, "Transfer-Encoding: chunked") + b"5\r\nhe", "refused": b"GET / HTTP/1.1\r\n\r\n",
        "in the trailers": request(KR, "Transfer-Encoding: chunked") + b"0\r\nA: b", "answered": request(KR),
        "many answers unread": request(KR) * 500, "between requests": request(KR) + b"\r\n",
    }

    def test_resets_and_ends_leave_nothing(self):
        """A client that is reset or ends at any stage: its connection goes, at once and not by a time-out."""
        with Service({"admin": {"listener": "127.0.0.1:0"}}) as service:
            port = service.wait_for_event("admin-listening")["port"]

            def count():
                return sample(metrics(port), "region_bucket_connections_open")
            before = count()
            for data in self.STAGES.values():
                for is_reset in (True, False):
                    held = [socket.create_connection(("127.0.0.1", service.port), timeout=20) for _ in range(20)]
                    for connection in held:
                        connection.sendall(data)
                    for connection in held:
                        if is_reset:
                            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                        connection.close()
            deadline = time.monotonic() + 60
            while count() > before and time.monotonic() < deadline:
                time.sleep(0.05)
            self.assertEqual(count(), before)
            page = metrics(port)
            for kind in ("head", "body", "idle", "write"):
                self.assertEqual(sample(page, f'region_bucket_connections_timed_out_total{{kind="{kind}"}}'), 0, kind)
            self.assertEqual(undated(service.exchange(request(KR))), bucket_answer())


class HalfClosed(unittest.TestCase):
    def test_the_end_is_seen_behind_more_than_a_turn_of_requests(self):
        """Its event comes together with that of the requests in front of it, more than are answered in one turn."""
        # Little is read at once, and all of it, the end too, has come before the first is.
        limits = {"requestLineBytesMax": 1024, "headerSectionBytesMax": 1024}
        count = 180
        data = request(KR, "A: " + "b" * 200) * count
        with Service({"limits": limits}) as service, \
                socket.create_connection(("127.0.0.1", service.port), timeout=30) as connection:
            connection.sendall(request(US))
            received = connection.recv(4096)
            self.assertEqual(undated(received), bucket_answer("otherMarket"))
            service.process.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, service.process.pid, os.WSTOPPED | os.WNOWAIT)
            try:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
            finally:
                service.process.send_signal(signal.SIGCONT)
            self.assertEqual(undated(read_to_end(connection)), bucket_answer() * count)


class Slow(unittest.TestCase):
    """A byte a second, sped up: what counts is the time of the whole."""

    def test_slow_and_in_time(self):
        data = request(KR, "Transfer-Encoding: chunked") + b"5;a=b\r\nhello\r\n0\r\nA: b\r\n\r\n" + request(US)
        with Service({"timeouts": {"headSeconds": 60, "bodySeconds": 60}}) as service, \
                socket.create_connection(("127.0.0.1", service.port), timeout=60) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for byte in data:
                connection.sendall(bytes([byte]))
                time.sleep(0.01)
            connection.shutdown(socket.SHUT_WR)
            self.assertEqual(undated(read_to_end(connection)), bucket_answer() + bucket_answer("otherMarket"))

    def test_slow_and_late(self):
        chunked = request(KR, "Transfer-Encoding: chunked")
        endless = {
            "the request line": (b"GET /", b"a"), "a field": (request(KR)[:-2] + b"A: ", b"b"),
            "the body": (request(KR, "Content-Length: 60000"), b"b"), "a chunk": (chunked + b"8000\r\n", b"b"),
            "an extension": (chunked + b"5;", b"a"), "a trailer": (chunked + b"0\r\nA: ", b"b"),
        }
        with Service({"timeouts": {"headSeconds": 0.5, "bodySeconds": 0.5}}) as service:
            for place, (start, more) in endless.items():
                with socket.create_connection(("127.0.0.1", service.port), timeout=20) as connection:
                    connection.sendall(start)
                    connection.settimeout(0.03)
                    received = b""
                    deadline = time.monotonic() + 60
                    while not received and time.monotonic() < deadline:
                        try:
                            received = connection.recv(4096)
                        except TimeoutError:
                            connection.sendall(more)
                    connection.settimeout(20)
                    self.assertEqual(undated(received + read_to_end(connection)), problem(408, CLOSE), place)


class Lingering(unittest.TestCase):
    """Whoever is refused can read why, though there was more to send (RFC 9112 §9.6)."""

    REFUSED = {
        400: b"GET / HTTP/1.1\r\n\r\n", 413: request(KR, "Content-Length: 9999999"),
        414: request(target="/" + "a" * 9000), 431: request("A: " + "b" * 40000),
        501: request("Transfer-Encoding: gzip, chunked"), 505: b"PRI * HTTP/2.0\r\n\r\n",
    }

    def told(self, service, data, pause_seconds=0.0):
        """What a client reads that sends everything first; None when it cannot send it."""
        with socket.create_connection(("127.0.0.1", service.port), timeout=30) as connection:
            try:
                connection.sendall(data)
                for _ in range(16):
                    time.sleep(pause_seconds)
                    connection.sendall(bytes(MEBIBYTE // 16))
                return read_to_end(connection)
            except ConnectionError:
                return None

    def test_a_mebibyte_more_and_the_error_is_read(self):
        with Service({"timeouts": {"lingerSeconds": 20}}) as service:
            for status, data in self.REFUSED.items():
                self.assertEqual(undated(self.told(service, data)), problem(status, CLOSE), status)
            # As the body of a request, too: too large in one piece, and by its chunks.
            chunks = request(KR, "Transfer-Encoding: chunked") + b"8000\r\n" + bytes(0x8000) + b"\r\n8001\r\n"
            self.assertEqual(undated(self.told(service, chunks)), problem(413, CLOSE))
            # And behind a good request, none of the rest being answered.
            data = request(US) + self.REFUSED[400] + request(KR)
            self.assertEqual(undated(self.told(service, data)), bucket_answer("otherMarket") + problem(400, CLOSE))

    def goes_on(self, connection, data):
        """What a client gets that has more on its way when its connection is being closed."""
        connection.sendall(data)
        received = connection.recv(65536)
        connection.sendall(request(US))
        return undated(received + read_to_end(connection))

    def test_w33_w34_nor_is_an_answer_lost_where_it_was_not_the_client_that_closes(self):
        tunnel = request(method="CONNECT", target="test:80")
        with Service({"drainDelaySeconds": 5}) as service:
            idle, late = (socket.create_connection(("127.0.0.1", service.port), timeout=20) for _ in range(2))
            with idle, late:
                self.assertEqual(self.goes_on(late, tunnel), problem(501, CLOSE))
                service.process.send_signal(signal.SIGTERM)
                service.wait_for_event("draining")
                self.assertEqual(self.goes_on(idle, request(KR)), bucket_answer(connection=CLOSE))

    def test_without_lingering_it_could_not(self):
        """The positive control: a server that hardly waits resets the connection of a client that goes on."""
        with Service({"timeouts": {"lingerSeconds": 0.1}}) as service:
            self.assertIsNone(self.told(service, self.REFUSED[400], pause_seconds=0.2))


if __name__ == "__main__":
    unittest.main()
