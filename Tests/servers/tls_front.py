#!/usr/bin/env python3
"""A TLS front for a service on loopback, for end-to-end tests of clients, which speak HTTPS only.

`tls_front.py UPSTREAM_PORT ["Name: value"]…` adds the fields to each request, as a CDN would. Like
misbehaving_server.py it prints one line of JSON (`https`: port, `ca`: certificate to trust) and ends when its standard
input is closed. One request per connection.
"""

import json
import pathlib
import shutil
import socket
import ssl
import sys
import tempfile
import threading

import certificates

TIMEOUT_SECONDS = 20
HEAD_BYTES_MAX = 16384


def read_head(connection):
    """The request up to and without the empty line."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(4096)
        data += piece
        if not piece or len(data) > HEAD_BYTES_MAX:
            raise OSError("no whole request head")
    return data.partition(b"\r\n\r\n")[0]


def relay(connection, upstream_port, fields):
    """One request with the fields added, one response."""
    request = "\r\n".join([read_head(connection).decode("iso-8859-1"), *fields, "Connection: close", "", ""])
    with socket.create_connection(("127.0.0.1", upstream_port), TIMEOUT_SECONDS) as upstream:
        upstream.sendall(request.encode("iso-8859-1"))
        while piece := upstream.recv(65536):
            connection.sendall(piece)


def serve(connection, context, upstream_port, fields):
    """One connection; a client that hangs up is its own affair."""
    connection.settimeout(TIMEOUT_SECONDS)
    try:
        with context.wrap_socket(connection, server_side=True) as secured:
            relay(secured, upstream_port, fields)
            secured.unwrap()
    except OSError:
        connection.close()


def main():
    upstream_port, fields = int(sys.argv[1]), sys.argv[2:]
    directory = pathlib.Path(tempfile.mkdtemp(prefix="tls-front."))
    try:
        authority = certificates.make_authority(directory / "ca", "Region tests")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificates.make_leaf(directory / "ca", "front"))
        listener = socket.create_server(("127.0.0.1", 0))

        def accept():
            while True:
                arguments = (listener.accept()[0], context, upstream_port, fields)
                threading.Thread(target=serve, args=arguments, daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        print(json.dumps({"https": listener.getsockname()[1], "ca": str(authority)}), flush=True)
        sys.stdin.buffer.read()
    finally:
        shutil.rmtree(directory)


if __name__ == "__main__":
    main()
