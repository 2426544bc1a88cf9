"""What the browser tests share: a chromium with an authority of its own, HTTPS servers, the misbehaving server."""

import http.client
import http.server
import json
import os
import pathlib
import socket
import ssl
import subprocess
import sys
import tempfile
import threading

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service as Driver

WEB = pathlib.Path(__file__).resolve().parents[2]
ROOT = WEB.parents[1]
sys.path[:0] = [str(ROOT / "Tests/servers"), str(ROOT / "Tests/EndToEnd")]

import certificates  # noqa: E402

TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json"}


class Certificates:
    """An authority made on the spot, and one leaf of it."""

    def __init__(self):
        self.directory = tempfile.TemporaryDirectory(prefix="region-bucket-web-")
        place = pathlib.Path(self.directory.name) / "ca"
        self.authority = certificates.make_authority(place, "Region web tests")
        self.leaf = certificates.make_leaf(place, "leaf")

    def context(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*self.leaf)
        return context

    def close(self):
        self.directory.cleanup()


class Listening:
    """A threaded HTTP server on a free loopback port, with TLS if there is a context."""

    def __init__(self, answer, context=None):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self):
                # In the connection's own thread: a browser that opens one in advance must not hold up the others.
                if context is not None:
                    self.request = context.wrap_socket(self.request, server_side=True)
                super().setup()

            def finish(self):
                super().finish()
                # The server closes what it has accepted, not what TLS made of that.
                self.request.close()

            def do_GET(self):
                answer(self)

            do_OPTIONS = do_GET

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                # A browser hangs up on what it no longer wants.
                if not isinstance(sys.exc_info()[1], OSError):
                    super().handle_error(*_)

        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        self.origin = f"{'https' if context else 'http'}://127.0.0.1:{self.port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def pages(context=None):
    """The repository's web client, as files; `/empty` is a page with nothing on it."""

    def answer(handler):
        path = handler.path.split("?")[0]
        if path == "/empty":
            return send(handler, 200, b"<!doctype html><title>Empty</title>", "text/html")
        file = (WEB / path.lstrip("/")).resolve()
        if not file.is_relative_to(WEB) or not file.is_file() or file.suffix not in TYPES:
            return send(handler, 404, b"", "text/plain")
        return send(handler, 200, file.read_bytes(), TYPES[file.suffix])

    return Listening(answer, context)


def send(handler, status, body, content_type):
    handler.send_response(status)
    handler.send_header("Content-Type", content_type)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


class Front:
    """A TLS front of a service, as a CDN is one: adds `lines` to each request, and keeps its head."""

    def __init__(self, service_port, lines, context):
        self.requests = []
        self.service_port, self.lines = service_port, lines
        self.listening = Listening(self.pass_on, context)
        self.origin = self.listening.origin

    def pass_on(self, handler):
        self.requests.append((handler.command, handler.path, handler.headers.items()))
        connection = http.client.HTTPConnection("127.0.0.1", self.service_port, timeout=10)
        connection.putrequest(handler.command, handler.path, skip_host=True, skip_accept_encoding=True)
        for name, value in [*handler.headers.items(), *self.lines]:
            connection.putheader(name, value)
        connection.endheaders()
        response = connection.getresponse()
        body = response.read()
        handler.send_response_only(response.status, response.reason)
        for name, value in response.getheaders():
            if name.lower() != "connection":
                handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)
        connection.close()

    def close(self):
        self.listening.close()


class Misbehaving:
    """The server that misbehaves, in a process of its own."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, "-B", ROOT / "Tests/servers/misbehaving_server.py"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ready = json.loads(self.process.stdout.readline())
        self.authority = self.ready["ca"]

    def tally(self, key):
        connection = http.client.HTTPConnection("127.0.0.1", self.ready["control"], timeout=10)
        connection.request("GET", f"/{key}")
        answer = json.load(connection.getresponse())
        connection.close()
        return answer

    def close(self):
        self.process.stdin.close()
        self.process.wait(30)
        self.process.stdout.close()


class Browser:
    """A headless chromium with a home and a profile of its own, that trusts the authorities given."""

    def __init__(self, authorities):
        self.home = tempfile.TemporaryDirectory(prefix="region-bucket-chromium-", ignore_cleanup_errors=True)
        self.profile = pathlib.Path(self.home.name) / "profile"
        store = pathlib.Path(self.home.name) / ".pki/nssdb"
        store.mkdir(parents=True)
        certutil = ["certutil", "-d", f"sql:{store}"]
        subprocess.run([*certutil, "-N", "--empty-password"], check=True)
        for number, authority in enumerate(authorities):
            subprocess.run([*certutil, "-A", "-t", "C,,", "-n", f"tests {number}", "-i", authority], check=True)
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         "--no-first-run", "--disable-background-networking", "--disable-component-update",
                         f"--user-data-dir={self.profile}", "--window-size=1200,900"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        driver = Driver("/usr/bin/chromedriver", env={**os.environ, "HOME": self.home.name})
        self.driver = webdriver.Chrome(options=options, service=driver)
        self.driver.set_script_timeout(60)

    def open(self, url):
        self.driver.get(url)

    def run(self, body, *arguments):
        """Runs an async function's body in the page, with `given` as its arguments; its value, or its error raised."""
        wrapped = """
            const given = [...arguments], done = given.pop();
            (async () => { %s })().then((value) => done({ value }), (error) => done({ error: String(error) }));
        """ % body
        outcome = self.driver.execute_async_script(wrapped, *arguments)
        if "error" in outcome:
            raise AssertionError(outcome["error"])
        return outcome.get("value")

    def command(self, name, **parameters):
        """A command of the DevTools protocol."""
        return self.driver.execute_cdp_cmd(name, parameters)

    def quit(self):
        """Ends it; what it has written stays until `close`."""
        self.driver.quit()

    def files_with(self, text):
        """The files of its home that hold a text."""
        found = []
        for path in pathlib.Path(self.home.name).rglob("*"):
            if path.is_file() and not path.is_symlink() and text.encode() in path.read_bytes():
                found.append(str(path.relative_to(self.home.name)))
        return found

    def close(self):
        self.home.cleanup()


def vector_server():
    """Answers with the bytes that a test has put there: `responses[path]`."""
    responses = {}
    listener = socket.create_server(("127.0.0.1", 0), backlog=256)

    def serve(connection):
        with connection:
            connection.settimeout(10)
            try:
                head = b""
                while b"\r\n\r\n" not in head:
                    piece = connection.recv(4096)
                    if not piece:
                        return
                    head += piece
                connection.sendall(responses[head.split(b" ")[1].decode()])
            except OSError:
                # The client has had enough, which is the right thing with a huge body.
                pass

    def accept():
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=serve, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return listener, responses
