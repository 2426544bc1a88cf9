"""What a request costs, in counts that no busy machine can change: held to Tests/Guards/guards.json.

Allocations are counted by a preloaded library in the threads of event loops, system calls by strace, instructions in
user mode by callgrind. A change that makes a number better or worse edits the file, on purpose.
"""

import collections
import json
import mmap
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

from support import BASE, BINARY, ROOT, Service, free_port, merged, parse

sys.path.insert(0, str(ROOT / "Tests/Bench"))

import extras  # noqa: E402
import paths  # noqa: E402

GUARDS = json.loads((ROOT / "Tests/Guards/guards.json").read_text())
PATHS = {path.key: path for path in (*paths.PATHS, *paths.PAIRED)}
ACCESS_LOG = {"log": {"access": True, "level": "info"}}
WARM, COUNTED = 200, 1000
# No figure here depends on time; a busy machine may take as long as it likes.
TIMEOUT_SECONDS = 300


class Client:
    """Sends one request after the other and reads each answer, on one connection or a new one each time."""

    def __init__(self, service, path):
        self.port, self.path = service.port, path
        self.closes = "--close" in path.load
        self.method = "HEAD" if path.requests[0].startswith(b"HEAD") else "GET"
        self.connection = None
        self.asked = 0

    def ask(self, count=1):
        """Its last answer's bytes."""
        for _ in range(count):
            if self.connection is None:
                self.connection = self.connect()
            self.connection.sendall(self.path.requests[self.asked % len(self.path.requests)])
            self.asked += 1
            answer = b""
            while not self._is_whole(answer):
                chunk = self.connection.recv(65536)
                assert chunk, f"the connection ended after {answer!r}"
                answer += chunk
            if self.closes:
                assert self.connection.recv(1) == b""
                self.close()
        return answer

    def connect(self):
        """Without the quick acknowledgement the handshake ends in the segment that brings the first request. So the
        request is there when the connection is accepted, however the two processes are scheduled."""
        connection = socket.socket()
        connection.settimeout(TIMEOUT_SECONDS)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 0)
        connection.connect(("127.0.0.1", self.port))
        return connection

    def _is_whole(self, answer):
        if b"\r\n\r\n" not in answer:
            return False
        try:
            return not parse(answer.lstrip(), method=self.method).rest
        except AssertionError:
            return False

    def close(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None


class Counted(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="region-bucket-guards-")
        cls.library = pathlib.Path(cls.folder.name, "count.so")
        subprocess.run(["gcc", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", cls.library,
                        ROOT / "Tests/Guards/count.c", "-ldl"], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def service(self, changes=None, mutant=None):
        """A service of one loop, and its counter of allocations."""
        counter = pathlib.Path(self.folder.name, "allocations")
        counter.write_bytes(bytes(8))
        environment = {"LD_PRELOAD": str(self.library), "COUNT_FILE": str(counter)}
        if mutant:
            environment["COUNT_MUTANT"] = mutant
        return Service(merged({"loops": 1}, changes or {}), environment=environment), counter

    def client(self, service, key):
        client = Client(service, PATHS[key])
        self.addCleanup(client.close)
        return client

    def allocations(self, key, changes=None, mutant=None):
        """How many there were in a thousand warm requests."""
        service, counter = self.service(changes, mutant)
        with service, open(counter, "r+b") as file, mmap.mmap(file.fileno(), 8) as memory:
            client = self.client(service, key)
            client.ask(WARM)
            before = int.from_bytes(memory[:8], "little")
            client.ask(COUNTED)
            return int.from_bytes(memory[:8], "little") - before

    def system_calls(self, key, changes=None, mutant=None):
        """How many a request there were, but for waiting for events, over a thousand warm requests."""
        service, _ = self.service(changes, mutant)
        trace = pathlib.Path(self.folder.name, "trace")
        with service:
            client = self.client(service, key)
            client.ask(WARM)
            tracer = subprocess.Popen(
                ["strace", "-f", "-qq", "-o", trace, "-p", str(service.process.pid)], stderr=subprocess.DEVNULL)
            try:
                self.wait_until_traced(service.process.pid)
                client.ask(COUNTED)
            finally:
                tracer.send_signal(signal.SIGINT)
                tracer.wait(TIMEOUT_SECONDS)
        return self.calls_of_loop(trace.read_text()) / COUNTED

    def wait_until_traced(self, pid):
        deadline = time.monotonic() + TIMEOUT_SECONDS
        tasks = pathlib.Path(f"/proc/{pid}/task")
        while any("TracerPid:\t0\n" in (task / "status").read_text() for task in tasks.iterdir()):
            self.assertLess(time.monotonic(), deadline, "strace does not attach")
            time.sleep(0.01)

    WAITING = {"epoll_pwait", "timerfd_settime"}

    def calls_of_loop(self, text):
        """The loop's thread is the one that reads. What waits for events or for a time is not counted: how often is up
        to the scheduler, and to the clock."""
        calls = re.findall(r"^(\d+) +(\w+)\(", text, re.M)
        loop = collections.Counter(thread for thread, name in calls if name == "recvfrom").most_common(1)[0][0]
        return sum(thread == loop and name not in self.WAITING for thread, name in calls)

    def answer_bytes(self, key, mutant=None):
        with self.service(mutant=mutant)[0] as service:
            return len(self.client(service, key).ask())


class Guards(Counted):
    maxDiff = None

    def test_heap_allocations(self):
        found = {key: self.allocations(key) for key in GUARDS["heapAllocations"]}
        self.assertEqual(found, GUARDS["heapAllocations"])

    def test_heap_allocations_of_the_access_log(self):
        count = self.allocations("header", ACCESS_LOG)
        print(f"access log: {count} allocations in {COUNTED} requests")
        self.assertLessEqual(count, GUARDS["heapAllocationsMax"]["access log"])

    def test_system_calls(self):
        found = {key: self.system_calls("header" if key == "access log" else key,
                                        ACCESS_LOG if key == "access log" else None)
                 for key in GUARDS["systemCalls"]}
        # A hand-over of lines is a call of its own now and then; anything a request does would be one each.
        self.assertEqual({key: round(value, 1) for key, value in found.items()}, GUARDS["systemCalls"])

    def test_answer_bytes(self):
        self.assertEqual({key: self.answer_bytes(key) for key in GUARDS["answerBytes"]}, GUARDS["answerBytes"])

    def test_idle_connections(self):
        each = self.idle_connection_bytes()
        print(f"an idle connection: {each:.0f} bytes")
        self.assertLessEqual(each, GUARDS["idleConnectionBytesMax"])

    def idle_connection_bytes(self, mutant=None):
        count = 4000
        with self.service(mutant=mutant)[0] as service:
            def anonymous():
                text = pathlib.Path(f"/proc/{service.process.pid}/smaps_rollup").read_text()
                return int(re.search(r"^Anonymous: +(\d+) kB", text, re.M).group(1)) * 1024
            # What the first connection brings along is not each one's.
            self.client(service, "header").ask()
            before = anonymous()
            for _ in range(count):
                self.client(service, "header").ask()
            return (anonymous() - before) / count

    def test_program_size(self):
        self.assertLessEqual(self.stripped_bytes(BINARY), GUARDS["strippedBytesMax"])

    def test_user_instructions(self):
        for key, most in GUARDS["userInstructionsMax"].items():
            count = self.user_instructions(key)
            print(f"{key}: {count:.0f} instructions a request in user mode")
            self.assertLessEqual(count, most, key)

    def stripped_bytes(self, binary):
        return extras.stripped_bytes(binary, pathlib.Path(self.folder.name))

    def user_instructions(self, key, mutant=None):
        """By the difference between two runs, so that start and end do not count."""
        totals = []
        for count in (WARM, WARM + COUNTED):
            out = pathlib.Path(self.folder.name, "callgrind")
            totals.append(self.instructions_of_run(key, count, out, mutant))
        return (totals[1] - totals[0]) / COUNTED

    def instructions_of_run(self, key, count, out, mutant):
        # valgrind cannot read the compiler's debugging data.
        program = pathlib.Path(self.folder.name, "program")
        subprocess.run(["strip", "--strip-debug", "-o", program, BINARY], check=True)
        port = free_port()
        config = pathlib.Path(self.folder.name, "callgrind.json5")
        config.write_text(json.dumps(merged(BASE, {"loops": 1, "listeners": [{"tcp": f"127.0.0.1:{port}"}]})))
        preload = {"LD_PRELOAD": str(self.library), "COUNT_MUTANT": mutant} if mutant else {}
        process = subprocess.Popen(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", program, "serve", "--config", config],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={"PATH": "/usr/bin:/bin", **preload})
        try:
            deadline = time.monotonic() + TIMEOUT_SECONDS
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port), timeout=1).close()
                    break
                except OSError:
                    self.assertLess(time.monotonic(), deadline, "the service does not start under valgrind")
                    self.assertIsNone(process.poll())
                    time.sleep(0.1)
            self.client(unittest.mock.Mock(port=port), key).ask(count)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(TIMEOUT_SECONDS)
        return int(re.search(r"^(?:totals|summary): (\d+)", out.read_text(), re.M).group(1))


class Mutants(Guards):
    """Each guard fails on a service with a fault seeded into every answer."""

    def test_heap_allocations(self):
        self.assertGreater(self.allocations("header", mutant="malloc"), GUARDS["heapAllocations"]["header"])

    def test_heap_allocations_of_the_access_log(self):
        self.assertGreater(self.allocations("header", ACCESS_LOG, "malloc"), GUARDS["heapAllocationsMax"]["access log"])

    def test_system_calls(self):
        for key in ("header", "close"):
            self.assertGreater(self.system_calls(key, mutant="syscall"), GUARDS["systemCalls"][key] + 0.9)

    def test_answer_bytes(self):
        self.assertNotEqual(self.answer_bytes("header", mutant="bytes"), GUARDS["answerBytes"]["header"])

    def test_idle_connections(self):
        self.assertGreater(self.idle_connection_bytes("connection"), GUARDS["idleConnectionBytesMax"])

    def test_program_size(self):
        larger = pathlib.Path(self.folder.name, "larger")
        shutil.copy(BINARY, larger)
        spare = pathlib.Path(self.folder.name, "spare")
        spare.write_bytes(bytes(GUARDS["strippedBytesMax"]))
        subprocess.run(["objcopy", "--add-section", f".spare={spare}", "--set-section-flags", ".spare=alloc,readonly",
                        larger], check=True, stderr=subprocess.DEVNULL)
        self.assertGreater(self.stripped_bytes(larger), GUARDS["strippedBytesMax"])

    def test_user_instructions(self):
        self.assertGreater(self.user_instructions("header", mutant="instructions"),
                           GUARDS["userInstructionsMax"]["header"])


if __name__ == "__main__":
    unittest.main()
