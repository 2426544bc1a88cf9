"""What the tests of load and faults share: load, crowds, ordinary visitors, and what a process holds."""

import contextlib
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from support import BINARY, metrics, parse, request, sample

KR = "CloudFront-Viewer-Country: KR"

# Every answer must be 200 with the one bucket that both good databases give this address.
LOAD_SCRIPT = """
wrk.headers["X-Forwarded-For"] = "{address}"
wrong_count = 0
function response(status, headers, body)
  if status ~= 200 or body ~= '{{"bucket":"{bucket}"}}' then wrong_count = wrong_count + 1 end
end
local threads = {{}}
function setup(thread) table.insert(threads, thread) end
function done(summary, latency, requests)
  local sum = 0
  for _, thread in ipairs(threads) do sum = sum + thread:get("wrong_count") end
  local e = summary.errors
  io.write(string.format("REQUESTS %d WRONG %d CONNECT %d READ %d WRITE %d TIMEOUT %d\\n",
    summary.requests, sum, e.connect, e.read, e.write, e.timeout))
end
"""


class Load:
    """wrk against a service, until told to stop."""

    def __init__(self, service, seconds, bucket="regionalMarket", address="168.126.63.1"):
        self.script = tempfile.NamedTemporaryFile("w", suffix=".lua")
        self.script.write(LOAD_SCRIPT.format(address=address, bucket=bucket))
        self.script.flush()
        self.process = subprocess.Popen(
            ["wrk", "-t2", "-c32", f"-d{seconds}s", "-s", self.script.name,
             f"http://127.0.0.1:{service.port}/v1/region"], stdout=subprocess.PIPE, text=True)

    def result(self):
        output = self.process.communicate()[0]
        self.script.close()
        numbers = re.search(r"REQUESTS (\d+) WRONG (\d+) CONNECT (\d+) READ (\d+) WRITE (\d+) TIMEOUT (\d+)", output)
        assert numbers, output
        return dict(zip(("requests", "wrong", "connect", "read", "write", "timeout"), map(int, numbers.groups())))

    def stop(self):
        """Ends early; wrk prints its figures on SIGINT."""
        self.process.send_signal(signal.SIGINT)
        return self.result()


def build_database(path, country, other="DE"):
    csv = pathlib.Path(path).with_suffix(".csv")
    csv.write_text(f"network,country\n203.0.112.0/24,{other}\n168.126.0.0/16,{country}\n2001:220::/32,{country}\n")
    subprocess.run([BINARY, "database", "build", "--quiet", "--output", path, csv], check=True, capture_output=True)


def figure(row, text):
    """A figure for Tests/README.md, among the lines of the test run."""
    print(f"\n  figure: {row}: {text}", file=sys.stderr, flush=True)


def wait_until(condition, what, seconds=60):
    """Waits for a condition; its value."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.05)
    return value


def may_unshare(kind):
    """Whether this user may make namespaces of a kind: root outside a container."""
    return subprocess.run(["unshare", kind, "true"], capture_output=True).returncode == 0


@contextlib.contextmanager
def only_by_root():
    """What a process that cannot be dumped holds is shown to root alone."""
    try:
        yield
    except PermissionError as error:
        raise unittest.SkipTest("only root can see what another process holds") from error


class Holdings:
    """What a service's process holds: memory of its own, descriptors, processor time, connections."""

    def __init__(self, service, admin=None):
        self.process, self.admin = pathlib.Path(f"/proc/{service.process.pid}"), admin

    def private_kilobytes(self):
        """Memory that is neither a file's nor shared."""
        with only_by_root():
            text = (self.process / "smaps_rollup").read_text()
        return int(re.search(r"^Anonymous:\s+(\d+) kB", text, re.M).group(1))

    def resident_kilobytes(self):
        return int(re.search(r"VmRSS:\s+(\d+)", (self.process / "status").read_text()).group(1))

    def descriptor_count(self):
        with only_by_root():
            return len(os.listdir(self.process / "fd"))

    def cpu_seconds(self):
        fields = (self.process / "stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def metrics_page(self):
        return metrics(self.admin)

    def open_count(self):
        """Connections, without the one that asks."""
        return int(sample(self.metrics_page(), "region_bucket_connections_open")) - 1

    def timed_out(self, kind):
        return int(sample(self.metrics_page(), f'region_bucket_connections_timed_out_total{{kind="{kind}"}}'))

    def resting_descriptor_count(self):
        """Descriptors without connections, once all that a start brings is there."""
        counts = []

        def rests():
            counts.append(self.descriptor_count())
            return len(counts) >= 20 and len(set(counts[-20:])) == 1

        wait_until(lambda: self.open_count() == 0, "no open connection")
        wait_until(rests, "a number of descriptors that stays")
        return counts[-1]

    def wait_until_empty(self, descriptor_count, seconds=60):
        """Waits until no connection is left, by the service's own count and by the kernel's."""
        wait_until(lambda: self.open_count() == 0, "no open connection", seconds)
        wait_until(lambda: self.descriptor_count() <= descriptor_count, "as few descriptors as before", seconds)


class Crowd:
    """Clients in a process of their own: see crowd.py."""

    def __init__(self, port, count, stage, *, host="127.0.0.1", wrapper=()):
        self.process = subprocess.Popen(
            [*wrapper, sys.executable, pathlib.Path(__file__).with_name("crowd.py"), host, str(port), str(count),
             stage], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.results = None

    def wait(self):
        """How many ended how, once all are at their stage."""
        self.results = self._answer()
        return self.results

    def tell(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self._answer()

    def _answer(self):
        line = self.process.stdout.readline()
        assert line, "the crowd has ended"
        return json.loads(line)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


class Visitors:
    """Two ordinary clients, one that keeps its connection and one that makes a new one each time."""

    def __init__(self, port, lines=(KR,), bucket="regionalMarket", pause_seconds=0.01):
        self.port, self.lines, self.bucket, self.pause_seconds = port, lines, bucket, pause_seconds
        self.milliseconds, self.wrong, self.lost = [], [], []
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._visit, args=(is_keeping,)) for is_keeping in (True, False)]
        for thread in self._threads:
            thread.start()

    def _visit(self, is_keeping):
        connection = None
        while not self._stop.is_set():
            started = time.monotonic()
            try:
                if connection is None:
                    connection = socket.create_connection(("127.0.0.1", self.port), timeout=20)
                connection.sendall(request(*self.lines))
                answer = parse(connection.recv(4096))
                if (answer.status, answer.bucket) != (200, self.bucket):
                    self.wrong.append(answer.body)
            except (OSError, AssertionError) as error:
                self.lost.append(repr(error))
                is_broken = True
            else:
                self.milliseconds.append((time.monotonic() - started) * 1000)
                is_broken = False
            if connection and (is_broken or not is_keeping):
                connection.close()
                connection = None
            self._stop.wait(self.pause_seconds)
        if connection:
            connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def stop(self):
        """Their latencies' median and 99th percentile, in milliseconds."""
        self._stop.set()
        for thread in self._threads:
            thread.join()
        ordered = sorted(self.milliseconds)
        assert len(ordered) >= 100, f"only {len(ordered)} answers: {self.lost[:3]}"
        return ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100]
