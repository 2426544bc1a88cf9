"""The wire contract (Docs/wire.md) under configurations other than the shipped one; each test names its line."""

import os
import signal
import socket
import tempfile
import threading
import time
import unittest

from support import Service, parse, request

KR = "CloudFront-Viewer-Country: KR"
US = "CloudFront-Viewer-Country: US"
SECRET = "s3cret-of-the-test-0123456789"
VARY = "CloudFront-Viewer-Country"


class OtherConfigurations(unittest.TestCase):
    def test_w16_listed_origins(self):
        listed = "https://app.example"
        with Service({"cors": {"origins": [listed, "http://localhost:3000"]}}) as service:
            vary = VARY + ", Origin"
            for origin, expected in ((listed, listed), ("http://localhost:3000", "http://localhost:3000"),
                                     ("https://evil.example", None), ("https://app.example.evil", None),
                                     ("null", None), (None, None)):
                lines = [f"Origin: {origin}"] if origin else []
                for options in ({}, {"method": "HEAD"}, {"method": "OPTIONS"}, {"target": "/no"},
                                {"version": "HTTP/9.9"}):
                    answer = parse(service.exchange(request(KR, *lines, **options)), options.get("method", "GET"))
                    self.assertEqual(answer.get("Vary"), vary)
                    if "version" not in options:
                        self.assertEqual(answer.get("Access-Control-Allow-Origin"), expected)

    def test_w19_readiness_of_a_required_database(self):
        missing = {"path": "/nonexistent/region.mmdb", "required": False}
        with Service({"database": missing}) as service:
            self.assertEqual(parse(service.exchange(request(target="/readyz"))).status, 200)
            answer = parse(service.exchange(request("X-Forwarded-For: 168.126.63.1")))
            self.assertEqual(answer.bucket, "unknown")

    def test_w20_w24_origin_secret(self):
        with Service({"originSecret": {"header": "X-Origin-Secret", "fromEnvironment": ["ORIGIN_SECRET"]}},
                     environment={"ORIGIN_SECRET": SECRET}) as service:
            good, bad = f"X-Origin-Secret: {SECRET}", f"X-Origin-Secret: {SECRET}x"
            for lines, status in (([good, KR], 200), ([bad, KR], 403), ([KR], 403), ([good, good, KR], 403)):
                self.assertEqual(parse(service.exchange(request(*lines))).status, status, lines)
            # With the secret a peer is trusted that would not be otherwise.
            answer = parse(service.exchange(request(good, KR), source="127.0.0.2"))
            self.assertEqual(answer.bucket, "regionalMarket")
            for path in ("/healthz", "/readyz"):
                self.assertEqual(parse(service.exchange(request(target=path))).status, 200)
            self.assertNotIn(SECRET, "".join(service.lines))

    def test_w24_distrust_instead(self):
        secret = {"header": "X-Origin-Secret", "fromEnvironment": ["ORIGIN_SECRET"], "onMissing": "distrust"}
        with Service({"originSecret": secret}, environment={"ORIGIN_SECRET": SECRET}) as service:
            answer = parse(service.exchange(request(KR)))
            self.assertEqual((answer.status, answer.bucket), (200, "unknown"))

    def test_w30_connection_limit(self):
        with Service({"limits": {"connectionsMax": 8}}) as service:
            held = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(8)]
            time.sleep(0.2)
            answer = parse(service.exchange(request(KR)))
            self.assertEqual(answer.status, 503)
            self.assertRegex(answer.get("Retry-After"), r"^\d+$")
            held.pop().close()
            time.sleep(0.2)
            self.assertEqual(parse(service.exchange(request(KR))).status, 200)
            # Those that are served are not affected.
            held[0].sendall(request(US))
            self.assertEqual(parse(held[0].recv(4096)).bucket, "otherMarket")
            for connection in held:
                connection.close()

    def test_w34_draining(self):
        service = Service({"drainDelaySeconds": 1})
        idle = socket.create_connection(("127.0.0.1", service.port), timeout=5)
        busy = socket.create_connection(("127.0.0.1", service.port), timeout=5)
        busy.sendall(request(KR)[:-2])
        time.sleep(0.2)
        service.process.send_signal(signal.SIGTERM)
        time.sleep(0.3)
        # Still accepting, and not ready any more.
        self.assertEqual(parse(service.exchange(request(target="/readyz"))).status, 503)
        late = parse(service.exchange(request(KR)))
        self.assertEqual((late.bucket, late.get("Connection")), ("regionalMarket", "close"))
        busy.sendall(b"\r\n")
        answer = parse(busy.recv(4096))
        self.assertEqual((answer.bucket, answer.get("Connection")), ("regionalMarket", "close"))
        idle.sendall(request(US))
        self.assertEqual(parse(idle.recv(4096)).get("Connection"), "close")
        self.assertEqual(service.stop(), 0)
        idle.close()
        busy.close()

    def test_unix_socket_is_trusted(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "service.sock")
            config = {"listeners": [{"unix": path}], "trustedPeers": []}
            with Service(config, wait=False) as service:
                service.wait_for_event("listening")
                with socket.socket(socket.AF_UNIX) as connection:
                    connection.connect(path)
                    connection.sendall(request(KR))
                    self.assertEqual(parse(connection.recv(4096)).bucket, "regionalMarket")
            self.assertFalse(os.path.exists(path))

    def test_a_slow_reader_gets_every_answer(self):
        with Service() as service:
            count = 20000
            with socket.socket() as connection:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                connection.connect(("127.0.0.1", service.port))
                sender = threading.Thread(target=lambda: connection.sendall(request(KR) * count))
                sender.start()
                time.sleep(0.5)
                received = bytearray()
                while received.count(b'"}') < count:
                    chunk = connection.recv(1 << 20)
                    self.assertTrue(chunk, "the connection was cut")
                    received += chunk
                sender.join()
            self.assertEqual(received.count(b'{"bucket":"regionalMarket"}'), count)


if __name__ == "__main__":
    unittest.main()
