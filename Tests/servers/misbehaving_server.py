#!/usr/bin/env python3
"""An HTTPS server that misbehaves on request, for the tests of clients. Python's standard library and openssl.

Run it with a pipe as standard input; it ends when the pipe is closed. Once it listens it prints one line of JSON: the
ports by name, `ca` (path of the certificate to trust) and `faults` (names). See README.md.
"""

import json
import pathlib
import select
import shutil
import socket
import ssl
import struct
import sys
import tempfile
import threading

import certificates
from faults import ENDLESS_SECONDS, FAULTS, not_found

HEAD_BYTES_MAX = 16384
# Small, so that what a client did not take is not taken for it by a buffer.
SEND_BUFFER_BYTES = 16384


class Tally:
    """What happened, by key and by port. Every method may be called on any thread."""

    def __init__(self):
        self.lock = threading.Lock()
        self.by_key = {}
        self.by_port = {}

    def accepted(self, port_name):
        with self.lock:
            self.by_port[port_name] = self.by_port.get(port_name, 0) + 1

    def requested(self, key, request_head):
        with self.lock:
            entry = self.by_key.setdefault(key, {"requests": 0, "bytesSent": 0, "heads": []})
            entry["requests"] += 1
            entry["heads"].append(request_head)

    def sent(self, key, count):
        with self.lock:
            self.by_key[key]["bytesSent"] += count

    def report(self, key):
        with self.lock:
            nothing = {"requests": 0, "bytesSent": 0, "heads": []}
            return dict(self.by_key.get(key, nothing), accepted=dict(self.by_port))


class Exchange:
    """One request being answered."""

    def __init__(self, connection, path, key, ports, tally):
        self.connection, self.path, self.key, self.ports, self.tally = connection, path, key, ports, tally

    def send(self, data):
        """Sends all of it, counting what the kernel has taken."""
        view = memoryview(data)
        while view:
            count = self.connection.send(view[:4096])
            self.tally.sent(self.key, count)
            view = view[count:]

    def pause(self, seconds):
        """Waits; true if the client hung up meanwhile."""
        readable, _, _ = select.select([self.connection], [], [], seconds)
        return bool(readable)

    def reset(self):
        """Ends the connection with RST."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        # Not through TLS, which would say goodbye.
        socket.socket(fileno=self.connection.detach()).close()


def read_head(connection):
    """The request's head as text; None if it did not come whole, or is no HTTP (TLS to a plain port)."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(4096)
        data += piece
        if not piece or len(data) > HEAD_BYTES_MAX or not data[:1].isalpha():
            return None
    return data.split(b"\r\n\r\n")[0].decode("iso-8859-1")


def stay_silent(connection):
    """Takes what the client says, and never answers."""
    while connection.recv(4096):
        pass


class Server:
    """All listeners and what they share."""

    def __init__(self, directory):
        self.tally = Tally()
        self.ports = {}
        self.ca = certificates.make_authority(directory / "ca", "Region tests")
        certificates.make_authority(directory / "stranger", "Nobody trusts this")
        past = ("-startdate", "20200101000000Z", "-enddate", "20200102000000Z")
        self.listen("https", self.tls(certificates.make_leaf(directory / "ca", "good")))
        self.listen("other", self.tls(certificates.make_leaf(directory / "ca", "elsewhere")))
        self.listen("wrongName", self.tls(certificates.make_leaf(directory / "ca", "wrong", "DNS:wrong.example")))
        self.listen("expired", self.tls(certificates.make_leaf(directory / "ca", "expired", dates=past)))
        self.listen("untrusted", self.tls(certificates.make_leaf(directory / "stranger", "untrusted")))
        self.listen("plain", None)
        self.listen("silent", None, answer=stay_silent)
        self.listen("control", None, answer=self.control)
        # Bound and not listening: nobody else gets the port, and connections are refused.
        self.closed = socket.socket()
        self.closed.bind(("127.0.0.1", 0))
        self.ports["closed"] = self.closed.getsockname()[1]

    @staticmethod
    def tls(leaf):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*leaf)
        return context

    def listen(self, name, context, answer=None):
        listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        self.ports[name] = listener.getsockname()[1]
        arguments = (listener, name, context, answer or self.misbehave)
        threading.Thread(target=self.accept, args=arguments, daemon=True).start()

    def accept(self, listener, name, context, answer):
        while True:
            connection, _ = listener.accept()
            self.tally.accepted(name)
            threading.Thread(target=self.serve, args=(connection, context, answer), daemon=True).start()

    @staticmethod
    def serve(connection, context, answer):
        connection.settimeout(ENDLESS_SECONDS)
        try:
            if context is not None:
                connection = context.wrap_socket(connection, server_side=True)
            answer(connection)
            if isinstance(connection, ssl.SSLSocket) and connection.fileno() >= 0:
                connection.unwrap()
        except (OSError, ValueError):
            # The client refused the certificate or hung up: that is what many tests want it to do.
            pass
        finally:
            connection.close()

    def misbehave(self, connection):
        request_head = read_head(connection)
        if request_head is None:
            return
        path = request_head.split(" ")[1]
        name, _, key = path.strip("/").partition("/")
        self.tally.requested(key, request_head)
        FAULTS.get(name, not_found)(Exchange(connection, path, key, self.ports, self.tally))

    def control(self, connection):
        request_head = read_head(connection)
        if request_head is None:
            return
        key = request_head.split(" ")[1].removeprefix("/")
        body = json.dumps(self.tally.report(key)).encode()
        fields = "Content-Type: application/json\r\nAccess-Control-Allow-Origin: *\r\nConnection: close"
        connection.sendall(f"HTTP/1.1 200 OK\r\n{fields}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)


def main():
    directory = pathlib.Path(tempfile.mkdtemp(prefix="misbehaving-server."))
    try:
        server = Server(directory)
        ready = {**server.ports, "ca": str(server.ca), "faults": sorted(FAULTS)}
        print(json.dumps(ready), flush=True)
        sys.stdin.buffer.read()
    finally:
        shutil.rmtree(directory)


if __name__ == "__main__":
    main()
