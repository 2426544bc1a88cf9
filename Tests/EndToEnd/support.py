"""What the end-to-end tests share: a running service, raw sockets, free ports. Standard library only."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

import collection

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The binary and the database that Scripts/test has built.
BINARY = pathlib.Path(os.environ.get("RB_TEST_BINARY", ROOT / ".build/release/region-bucket"))
DATABASE = pathlib.Path(os.environ.get("RB_TEST_DATABASE", ROOT / "build/region-bucket.mmdb"))

# What a binary that was built with a sanitizer reads (Scripts/sanitize).
SANITIZER = {name: os.environ[name] for name in ("ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "SWIFT_BACKTRACE")
             if name in os.environ}

if collection.FOLDER:
    collection.record_clients()

# A configuration as close to the shipped one as a test can have it.
BASE = {
    "listeners": [{"tcp": "[::]:0"}],
    "trustedPeers": ["loopback"],
    "clientAddress": {"header": "X-Forwarded-For"},
    "sources": ["cdn", "database"],
    "cdn": {"preset": "cloudfront"},
    "database": {"path": str(DATABASE)},
    "policy": {"regional": ["KR"]},
    "log": {"level": "debug", "format": "json"},
}


def merged(base, changes):
    """A copy of `base` with `changes` laid over it; None removes a key."""
    result = dict(base)
    for key, value in changes.items():
        if value is None:
            result.pop(key, None)
        elif isinstance(value, dict) and isinstance(result.get(key), dict):
            result[key] = merged(result[key], value)
        else:
            result[key] = value
    return result


class Service:
    """A running `region-bucket serve`; its log lines are kept for the tests to look at."""

    def __init__(self, changes=None, *, config=None, environment=None, arguments=(), wait=True, user=None,
                 wrapper=(), is_kept=True):
        self.directory = tempfile.TemporaryDirectory(prefix="region-bucket-")
        self.config_path = pathlib.Path(self.directory.name) / "config.json5"
        # Whether the collection keeps what it writes: not when a test makes it say too much.
        self.is_kept = is_kept
        # What the operator says: it may stand in the log.
        self.told = [str(arguments), str(environment)]
        self.write_config(config if config is not None else merged(BASE, changes or {}))
        self.lines = []
        self.errors = ""
        binary = BINARY
        if user is not None:
            # Another user may not reach the checkout.
            pathlib.Path(self.directory.name).chmod(0o755)
            binary = shutil.copy(BINARY, self.directory.name)
        # Where temporary files would be, if there were any.
        self.temporary = pathlib.Path(self.directory.name) / "tmp"
        self.temporary.mkdir()
        self.temporary.chmod(0o1777)
        self.process = subprocess.Popen(
            [*wrapper, str(binary), "serve", "--config", str(self.config_path), *arguments], user=user, group=user,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.temporary,
            env={"PATH": os.environ["PATH"], "TMPDIR": str(self.temporary), **SANITIZER, **(environment or {})})
        self._readers = [
            threading.Thread(target=self._collect, daemon=True),
            threading.Thread(target=self._collect_errors, daemon=True)]
        for reader in self._readers:
            reader.start()
        self.port = None
        if wait:
            try:
                self.port = self.wait_for_event("listening").get("port")
            except AssertionError:
                self.stop()
                raise

    def write_config(self, config):
        temporary = self.config_path.with_suffix(".new")
        self.told.append(config if isinstance(config, str) else json.dumps(config, ensure_ascii=False))
        temporary.write_text(self.told[-1])
        temporary.rename(self.config_path)

    def _collect(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    def _collect_errors(self):
        for line in self.process.stderr:
            self.errors += line

    def events(self, name):
        found = []
        for line in list(self.lines):
            with contextlib.suppress(ValueError):
                event = json.loads(line)
                if event.get("event") == name:
                    found.append(event)
        return found

    def wait_for_event(self, name, count=1, seconds=20):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            found = self.events(name)
            if len(found) >= count:
                return found[count - 1]
            if self.process.poll() is not None:
                self._readers[1].join(2)
                raise AssertionError(f"ended with {self.process.returncode}: {self.errors}{self.lines}")
            time.sleep(0.01)
        raise AssertionError(f"no event {name!r} within {seconds} s: {self.lines[-20:]}")

    def curl(self, *arguments, path="/v1/region", host="127.0.0.1"):
        """What curl prints for a request of this service."""
        host = f"[{host}]" if ":" in host else host
        answer = subprocess.run(
            ["curl", "-s", "--max-time", "10", *arguments, f"http://{host}:{self.port}{path}"],
            check=True, capture_output=True, text=True).stdout
        collection.keep_exchange(arguments, answer)
        return answer

    def exchange(self, data, *, host="127.0.0.1", source=None, pieces=None, port=None):
        """Sends bytes, whole or in pieces, ends the sending side, and returns everything that comes back."""
        with socket.create_connection(
                (host, port or self.port), timeout=15, source_address=source and (source, 0)) as connection:
            for piece in pieces or [data]:
                connection.sendall(piece)
                if pieces:
                    time.sleep(0.0005)
            connection.shutdown(socket.SHUT_WR)
            return read_to_end(connection)

    def stop_wrapped(self, seconds=60):
        """Ends the one process that its wrapper runs; returns the exit status that the wrapper hands on."""
        pid = self.process.pid
        os.kill(int(pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0]), signal.SIGTERM)
        return self.process.wait(seconds)

    def stop(self, seconds=25):
        """Ends it as an operator would; returns its exit status."""
        page = self._last_metrics()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        for reader in self._readers:
            reader.join(5)
        self.process.stdout.close()
        self.process.stderr.close()
        if self.is_kept:
            collection.keep_service("\n".join(self.told), "\n".join(self.lines), self.errors, page, self.temporary)
            self.is_kept = False
        self.directory.cleanup()
        return status

    def _last_metrics(self):
        """The page of metrics, for the collection."""
        ports = self.events("admin-listening") if collection.FOLDER and self.process.poll() is None else []
        with contextlib.suppress(OSError, AssertionError, KeyError):
            return metrics(ports[-1]["port"]) if ports else ""
        return ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def read_to_end(connection):
    """All that comes until the other side has ended."""
    received = b""
    while chunk := connection.recv(65536):
        received += chunk
    return received


def settled(ask, expected, seconds=20):
    """The last answer: what was asked for may come a moment later than the event that tells of it."""
    deadline = time.monotonic() + seconds
    while (answer := ask()) != expected and time.monotonic() < deadline:
        time.sleep(0.01)
    return answer


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Answer:
    """One HTTP response, parsed as strictly as a test needs."""

    def __init__(self, status, reason, fields, body, rest):
        self.status, self.reason, self.fields, self.body, self.rest = status, reason, fields, body, rest

    def get(self, name):
        values = [value for key, value in self.fields if key.lower() == name.lower()]
        assert len(values) <= 1, f"{name} stands {len(values)} times"
        return values[0] if values else None

    @property
    def bucket(self):
        return json.loads(self.body)["bucket"]


def parse(data, method="GET"):
    """The first response in the bytes."""
    head, separator, rest = data.partition(b"\r\n\r\n")
    assert separator, f"no whole head in {data!r}"
    lines = head.decode("latin-1").split("\r\n")
    version, status, reason = lines[0].split(" ", 2)
    assert version == "HTTP/1.1", version
    fields = [tuple(line.split(": ", 1)) for line in lines[1:]]
    length = next((int(value) for key, value in fields if key.lower() == "content-length"), 0)
    if method == "HEAD" or status in ("204", "304") or status.startswith("1"):
        length = 0
    assert len(rest) >= length, "the body is cut short"
    return Answer(int(status), reason, fields, rest[:length], rest[length:])


def parse_all(data, methods=None):
    answers = []
    while data:
        method = methods[len(answers)] if methods else "GET"
        answers.append(parse(data, method))
        data = answers[-1].rest
    return answers


def metrics(port):
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(request("Connection: close", target="/metrics"))
        return parse(read_to_end(connection)).body.decode()


def sample(page, name):
    match = re.search(rf"^{re.escape(name)} (\S+)$", page, re.M)
    assert match, f"{name} is not in the metrics"
    return float(match.group(1))


def request(*lines, target="/v1/region", method="GET", version="HTTP/1.1", host="Host: test"):
    """A request's bytes; `lines` are further header lines."""
    head = [f"{method} {target} {version}", *([host] if host else []), *lines]
    return ("\r\n".join(head) + "\r\n\r\n").encode("latin-1")
