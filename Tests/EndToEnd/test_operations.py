"""A service that runs for years: drain, sinks, metrics, service managers, balancers of layer 4."""

import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

from support import BINARY, Service, free_port, metrics, parse, parse_all, request, sample, settled

KR = "CloudFront-Viewer-Country: KR"


class Drain(unittest.TestCase):
    def test_every_accepted_request_is_answered(self):
        """Many clients ask, one request a connection or many, while the service is told to stop."""
        service = Service({"loops": 2})
        stop, lost, answered = threading.Event(), [], []

        def client(is_keeping):
            while not stop.is_set():
                try:
                    connection = socket.create_connection(("127.0.0.1", service.port), timeout=10)
                except OSError:
                    return  # the listener has closed: nothing was accepted
                with connection:
                    while not stop.is_set():
                        try:
                            connection.sendall(request(KR) if is_keeping else request(KR, "Connection: close"))
                            data = connection.recv(4096)
                        except ConnectionResetError:
                            # Between the kernel's handshake and accept4(2): never accepted by the service.
                            data = None
                        if data is None:
                            lost.append("reset")
                            return
                        if data == b"":
                            lost.append("closed")
                            return
                        answer = parse(data)
                        answered.append(answer.bucket)
                        if answer.get("Connection") == "close":
                            break

        clients = [threading.Thread(target=client, args=(number % 2 == 0,)) for number in range(16)]
        for thread in clients:
            thread.start()
        time.sleep(1)
        service.process.send_signal(signal.SIGTERM)
        self.assertEqual(service.process.wait(25), 0)
        stop.set()
        for thread in clients:
            thread.join(15)
        service.stop()
        self.assertGreater(len(answered), 500)
        self.assertEqual(set(answered), {"regionalMarket"})
        self.assertEqual(lost, [])

    def test_idle_and_half_sent_connections_do_not_hold_it_up(self):
        service = Service({"drainSeconds": 3})
        held = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(20)]
        for connection in held[:10]:
            connection.sendall(request(KR)[:-4])
        time.sleep(0.3)
        started = time.monotonic()
        service.process.send_signal(signal.SIGTERM)
        self.assertEqual(service.process.wait(10), 0)
        self.assertLess(time.monotonic() - started, 6)
        for connection in held:
            connection.close()
        service.stop()

    def test_a_balancer_sees_503_before_the_listener_closes(self):
        service = Service({"drainDelaySeconds": 1.5})
        seen = []

        def poll():
            while True:
                try:
                    seen.append(parse(service.exchange(request("Connection: close", target="/readyz"))).status)
                except OSError:
                    seen.append("closed")
                    return
                time.sleep(0.05)

        poller = threading.Thread(target=poll)
        poller.start()
        time.sleep(0.5)
        service.process.send_signal(signal.SIGTERM)
        poller.join(20)
        self.assertEqual(service.stop(), 0)
        order = [value for index, value in enumerate(seen) if index == 0 or seen[index - 1] != value]
        self.assertEqual(order, [200, 503, "closed"])

    def test_interrupt_stops_too(self):
        service = Service()
        service.process.send_signal(signal.SIGINT)
        self.assertEqual(service.process.wait(10), 0)
        service.stop()


class Start(unittest.TestCase):
    def test_whoever_connects_first_is_not_cut_off(self):
        """A socket that listens and is closed again resets all who had connected to it: each loop's is the only one."""
        with tempfile.NamedTemporaryFile("r") as trace:
            wrapper = ["strace", "-f", "-q", "-e", "trace=listen", "-e", "signal=none", "-o", trace.name]
            with Service({"loops": 2}, wrapper=wrapper) as service:
                self.assertEqual(service.stop_wrapped(), 0)
            self.assertEqual(trace.read().count("listen("), 2)


class Sinks(unittest.TestCase):
    """Standard output that is full, closed or slow holds no request up; lost lines are counted."""

    def run_with(self, stdout, bursts=20):
        directory = tempfile.TemporaryDirectory()
        path = pathlib.Path(directory.name, "config.json5")
        port, admin = free_port(), free_port()
        path.write_text(json.dumps({
            "listeners": [str(port)], "admin": {"listener": str(admin)}, "sources": ["cdn"],
            "cdn": {"preset": "cloudfront"}, "policy": {"regional": ["KR"]},
            "log": {"access": True, "format": "json"}}))
        process = subprocess.Popen([BINARY, "serve", "--config", path], stdout=stdout, stderr=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + 10
            while time.monotonic() < deadline:
                try:
                    socket.create_connection(("127.0.0.1", port), timeout=1).close()
                    break
                except OSError:
                    time.sleep(0.05)
            data = request(KR) * 500
            for _ in range(bursts):
                with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
                    connection.sendall(data)
                    received = b""
                    while received.count(b"regionalMarket\"}") < 500:
                        chunk = connection.recv(1 << 16)
                        self.assertTrue(chunk)
                        received += chunk
            time.sleep(0.3)
            return sample(metrics(admin), "region_bucket_log_lines_dropped_total")
        finally:
            process.terminate()
            self.assertEqual(process.wait(30), 0)
            directory.cleanup()

    def test_full(self):
        with open("/dev/full", "w") as full:
            self.assertGreater(self.run_with(full), 9000)

    def test_closed(self):
        reader, writer = os.pipe()
        os.close(reader)
        self.assertGreater(self.run_with(writer), 9000)
        os.close(writer)

    def test_slow_reader(self):
        reader, writer = os.pipe()
        # Nobody reads: the pipe takes 64 KiB, the log holds a bounded amount twice over, the rest is dropped.
        dropped = self.run_with(writer, bursts=250)
        self.assertGreater(dropped, 1000)
        os.close(writer)
        os.close(reader)

    def test_good_reader_loses_nothing(self):
        with tempfile.TemporaryFile() as file:
            self.assertEqual(self.run_with(file, bursts=8), 0)
            file.seek(0)
            self.assertEqual(file.read().count(b'"event":"access"'), 4001)


class Metrics(unittest.TestCase):
    def test_promtool_has_nothing_to_say(self):
        with Service({"admin": {"listener": "127.0.0.1:0"},
                      "policy": {"regional": ["KR"], "shadow": {"regional": ["JP"]}}}) as service:
            admin = service.wait_for_event("admin-listening")["port"]
            service.exchange(request(KR))
            page = metrics(admin)
        checked = subprocess.run(["promtool", "check", "metrics"], input=page, capture_output=True, text=True)
        self.assertEqual((checked.returncode, checked.stdout + checked.stderr), (0, ""))

    def test_counts(self):
        with Service({"admin": {"listener": "127.0.0.1:0"}, "trustedPeers": ["127.0.0.1/32"]}) as service:
            admin = service.wait_for_event("admin-listening")["port"]
            rows = [([KR], {}, 'decisions_total{bucket="regionalMarket",source="cdn"}'),
                    ([], {}, 'unknown_total{reason="noSignal"}'),
                    (["CloudFront-Viewer-Country: T1"], {}, 'unknown_total{reason="invalid"}'),
                    ([KR, KR], {}, 'unknown_total{reason="repeatedHeader"}'),
                    ([KR], {"source": "127.0.0.2"}, 'unknown_total{reason="untrustedPeer"}'),
                    (["X-Forwarded-For: 10.0.0.1"], {}, 'unknown_total{reason="addressNotGlobal"}'),
                    (["X-Forwarded-For: 168.126.63.1"], {},
                     'decisions_total{bucket="regionalMarket",source="database"}')]
            for lines, options, name in rows:
                before = sample(metrics(admin), "region_bucket_" + name)
                service.exchange(request(*lines), **options)
                self.assertEqual(sample(metrics(admin), "region_bucket_" + name), before + 1, name)
            before = sample(metrics(admin), 'region_bucket_answers_total{status="404"}')
            service.exchange(request(target="/no"))
            self.assertEqual(sample(metrics(admin), 'region_bucket_answers_total{status="404"}'), before + 1)


class Managers(unittest.TestCase):
    def test_notifications(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "notify")
            manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            manager.bind(path)
            manager.settimeout(10)
            service = Service(environment={"NOTIFY_SOCKET": path})
            self.assertEqual(manager.recv(1000), b"READY=1")
            service.process.send_signal(signal.SIGHUP)
            self.assertRegex(manager.recv(1000), rb"^RELOADING=1\nMONOTONIC_USEC=\d+$")
            self.assertEqual(manager.recv(1000), b"READY=1")
            self.assertEqual(service.stop(), 0)
            self.assertEqual(manager.recv(1000), b"STOPPING=1")
            manager.close()

    def test_socket_activation(self):
        port = free_port()
        with tempfile.TemporaryDirectory() as directory:
            config = pathlib.Path(directory, "config.json5")
            config.write_text(json.dumps({
                "listeners": ["systemd"], "sources": ["cdn"], "cdn": {"preset": "cloudfront"},
                "policy": {"regional": ["KR"]}, "loops": 2}))
            process = subprocess.Popen(
                ["systemd-socket-activate", "-l", f"127.0.0.1:{port}", BINARY, "serve", "--config", config],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                deadline = time.monotonic() + 10
                while True:
                    try:
                        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
                            connection.sendall(request(KR))
                            self.assertEqual(parse(connection.recv(4096)).bucket, "regionalMarket")
                        break
                    except ConnectionRefusedError:
                        self.assertLess(time.monotonic(), deadline)
                        time.sleep(0.05)
            finally:
                process.terminate()
                process.wait(30)


class ProxyProtocol(unittest.TestCase):
    def test_the_named_source_is_the_peer(self):
        config = {"listeners": [{"tcp": "127.0.0.1:0", "proxyProtocol": True}], "proxyProtocolPeers": ["127.0.0.1/32"],
                  "trustedPeers": ["loopback", "192.0.2.0/24"], "sources": ["cdn", "database"]}
        v2 = b"\r\n\r\n\0\r\nQUIT\n"
        with Service(config) as service:
            for preface, lines, bucket in (
                    (b"PROXY TCP4 168.126.63.1 192.0.2.1 1 2\r\n", [], "regionalMarket"),
                    (b"PROXY TCP4 8.8.8.8 192.0.2.1 1 2\r\n", [], "otherMarket"),
                    (b"PROXY TCP6 2001:220::1 2001:db8::1 1 2\r\n", [], "regionalMarket"),
                    (b"PROXY TCP4 8.8.8.8 192.0.2.1 1 2\r\n", [KR], "unknown"),
                    (b"PROXY TCP4 192.0.2.9 192.0.2.1 1 2\r\n", [KR], "regionalMarket"),
                    (b"PROXY UNKNOWN\r\n", [], "unknown"), (b"PROXY UNKNOWN\r\n", [KR], "unknown"),
                    (v2 + b"\x21\x11\0\x0c" + bytes([168, 126, 63, 1, 192, 0, 2, 1, 0, 1, 0, 2]), [],
                     "regionalMarket"),
                    (v2 + b"\x20\0\0\0", [KR], "unknown")):
                data = preface + request(*lines)
                for pieces in (None, [bytes([byte]) for byte in data]):
                    answer = parse(service.exchange(data, pieces=pieces))
                    self.assertEqual(answer.bucket, bucket, preface)
            # From a peer that may not send one, even a good preface closes the connection.
            for data, source in ((request(KR), None), (b"PROXY TCP4 nonsense\r\n" + request(KR), None),
                                 (b"PROXY UNKNOWN\r\n" + request(KR), "127.0.0.2")):
                with contextlib.suppress(OSError):
                    self.assertEqual(service.exchange(data, source=source), b"")

    def test_many_requests_behind_one_preface(self):
        config = {"listeners": [{"tcp": "127.0.0.1:0", "proxyProtocol": True}], "proxyProtocolPeers": ["loopback"]}
        with Service(config) as service:
            data = b"PROXY TCP4 168.126.63.1 192.0.2.1 1 2\r\n" + request() * 50
            buckets = [answer.bucket for answer in parse_all(service.exchange(data))]
            self.assertEqual(buckets, ["regionalMarket"] * 50)


class Levels(unittest.TestCase):
    def test_a_level_above_info_silences_access_lines(self):
        """From the reload on that brings it, until the one that takes it back."""
        with Service({"log": {"access": True}, "admin": {"listener": "127.0.0.1:0"}}) as service:
            admin = service.wait_for_event("admin-listening")["port"]
            good = json.loads(service.config_path.read_text())
            loaded = 'region_bucket_reloads_total{what="configuration",result="loaded"}'

            def lines():
                return sum(event.get("route") == "region" for event in service.events("access"))

            for number, (level, expected) in enumerate((("info", 1), ("error", 1), ("info", 2)), 1):
                service.write_config(json.dumps({**good, "log": {"access": True, "format": "json", "level": level}}))
                service.process.send_signal(signal.SIGHUP)
                self.assertEqual(settled(lambda: sample(metrics(admin), loaded), number), number)
                self.assertEqual(lines(), expected - (level == "info"))
                service.exchange(request(KR))
                if level != "info":
                    # Long enough for a line that should not come.
                    time.sleep(0.5)
                self.assertEqual(settled(lines, expected, 5), expected)


class StandIn(unittest.TestCase):
    def test_always(self):
        for bucket in ("regionalMarket", "otherMarket", "unknown"):
            port = free_port()
            process = subprocess.Popen([BINARY, "serve", "--always", bucket], stdout=subprocess.PIPE, text=True,
                                       env={"PORT": str(port), "PATH": "/usr/bin:/bin"})
            self.addCleanup(process.kill)
            events = []
            for line in process.stdout:
                events.append(json.loads(line))
                if events[-1]["event"] == "listening":
                    break
            # It says what it is, and has no doubt about places that it never asks for.
            said = [event for event in events if event["level"] == "warning"]
            self.assertEqual([(event["event"], event.get("always")) for event in said], [("stand-in", bucket)])
            with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
                connection.sendall(request("CloudFront-Viewer-Country: US"))
                self.assertEqual(parse(connection.recv(4096)).bucket, bucket)
            process.terminate()
            process.stdout.close()
            self.assertEqual(process.wait(10), 0)


if __name__ == "__main__":
    unittest.main()
