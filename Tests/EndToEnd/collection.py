#!/usr/bin/env python3
"""All that the services of a test run have written, kept in one folder for one search at the run's end.

With RB_TEST_COLLECTION set, `support` leaves there what each service wrote (standard output and error, metrics, files),
and what clients sent and received. `collection.py FOLDER` then knows everything that may stand nowhere: each address
that a client sent, in whatever form, and each word with `sentinel` in it. What the operator wrote into a service's own
configuration may stand in that service's log.
"""

import atexit
import ipaddress
import json
import os
import pathlib
import re
import shutil
import socket
import sys

FOLDER = os.environ.get("RB_TEST_COLLECTION") and pathlib.Path(os.environ["RB_TEST_COLLECTION"])

ADDRESS = re.compile(rb"(?<![0-9A-Za-z])[0-9A-Fa-f:][0-9A-Fa-f:.]*[0-9A-Fa-f:](?![0-9A-Za-z])")
WORD = re.compile(rb"[\w.%-]*sentinel[\w.%-]*", re.IGNORECASE)
NUMBER = re.compile(rb"(?<![0-9A-Za-z.])(?:\d{8,39}|[0-9A-Fa-f]{8}|[0-9A-Fa-f]{32})(?![0-9A-Za-z])")
# Controls but for line feeds, and what is no UTF-8.
NO_TEXT = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
DATE = re.compile(rb"\r\nDate: [^\r]*")


def normalised(text):
    """An address as text, whatever form it was written in; None when it is none."""
    try:
        address = ipaddress.ip_address(text.decode())
    except ValueError:
        return None
    if address.version == 6 and address.ipv4_mapped:
        address = address.ipv4_mapped
    return str(address)


def addresses(data):
    """Every address in the bytes that is written as one: alone, and with a port, if that may be one."""
    found = set()
    for text in ADDRESS.findall(data):
        head, _, port = text.rpartition(b":")
        found.add(normalised(text))
        if port.isdigit():
            found.add(normalised(head))
    return found - {None}


class Clients:
    """What clients in this process send and receive."""

    def __init__(self):
        self.sent, self.received, self.seen = set(), set(), set()
        self.file = None

    def send(self, data):
        key = hash(bytes(data))
        if key not in self.seen:
            self.seen.add(key)
            self.sent |= addresses(bytes(data))

    def receive(self, data):
        key = hash(DATE.sub(b"", data))
        if key in self.received:
            return
        self.received.add(key)
        if not self.file:
            folder = FOLDER / "clients"
            folder.mkdir(parents=True, exist_ok=True)
            self.file = (folder / f"{os.getpid()}.answers").open("ab")
            atexit.register(self.close, os.getpid())
        self.file.write(data + b"\n")

    def close(self, pid):
        self.file.close()
        if pid == os.getpid():
            (FOLDER / "clients" / f"{pid}.sent").write_text(json.dumps(sorted(self.sent)))


CLIENTS = Clients()


class RecordedSocket(socket.socket):
    """A client's socket: what goes through it is kept."""

    __slots__ = ()

    def sendall(self, data, *arguments):
        CLIENTS.send(data)
        return super().sendall(data, *arguments)

    def recv(self, *arguments):
        data = super().recv(*arguments)
        CLIENTS.receive(data)
        return data


def record_clients():
    """From now on connections that tests open are recorded; those that stand-ins accept are not."""
    plain = socket.create_connection

    def create_connection(*arguments, **options):
        connection = plain(*arguments, **options)
        connection.__class__ = RecordedSocket
        return connection

    socket.create_connection = create_connection


def keep_exchange(sent, received):
    """The same for a client that is a program of its own."""
    if FOLDER:
        CLIENTS.send("\n".join(sent).encode())
        CLIENTS.receive(received.encode())


_count = 0


def keep_service(config, output, errors, metrics, directory):
    """What one service was told, and what it wrote: its lines, its errors, a page of metrics, files."""
    global _count
    if not FOLDER:
        return
    _count += 1
    folder = FOLDER / "services" / f"{os.getpid()}-{_count}"
    folder.mkdir(parents=True)
    (folder / "told").write_text(config, errors="surrogateescape")
    (folder / "output").write_text(output, errors="surrogateescape")
    (folder / "errors").write_text(errors, errors="surrogateescape")
    (folder / "metrics").write_text(metrics)
    shutil.copytree(directory, folder / "files")


class Search:
    """The search for what may stand nowhere."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.sent = {address for file in self.folder.glob("clients/*.sent") for address in json.loads(file.read_text())}
        self.numbers = {}
        for address in self.sent:
            parsed = ipaddress.ip_address(address)
            for form in (str(int(parsed)), f"{int(parsed):0{parsed.max_prefixlen // 4}x}"):
                self.numbers[form] = address
        self.services = sorted(self.folder.glob("services/*"))
        self.lines = self.answer_bytes = 0

    def leaks(self, data, allowed=b"", is_text=True):
        """What of clients' requests stands in the bytes and is not allowed by what a service was told. Only what is no
        text by itself, such as the answers of a front that speaks TLS, may hold bytes that are none."""
        found = (addresses(data) & self.sent) - addresses(allowed)
        found |= {word.decode() for word in WORD.findall(data) if word.lower() not in allowed.lower()}
        for number in NUMBER.findall(data):
            if (address := self.numbers.get(number.decode().lower())) and number not in allowed:
                found.add(f"{address} as {number.decode()}")
        if not is_text:
            return found
        # As bytes an address could hardly be without some that are no text.
        text = data.replace(b"\r\n", b"\n").decode("utf-8", "surrogateescape")
        return found | {f"a byte {letter!a}" for letter in set(NO_TEXT.findall(text))}

    def run(self):
        """Every leak with its place."""
        for service in self.services:
            told = (service / "told").read_bytes()
            for file in (service / "output", service / "errors", service / "metrics", *service.glob("files/**/*")):
                if file.is_file():
                    data = file.read_bytes()
                    self.lines += data.count(b"\n")
                    for leak in self.leaks(data, told):
                        yield f"{file.relative_to(self.folder)}: {leak}"
        for file in self.folder.glob("clients/*.answers"):
            data = file.read_bytes()
            self.answer_bytes += len(data)
            for leak in self.leaks(data, is_text=False):
                yield f"{file.relative_to(self.folder)}: {leak}"


def main(folder, services_min=0):
    search = Search(folder)
    leaks = list(search.run())
    for leak in leaks[:40]:
        print(leak)
    print(f"{len(search.services)} services, {search.lines} lines, {search.answer_bytes} bytes of different answers: "
          f"{len(leaks)} leaks of {len(search.sent)} addresses and every word with 'sentinel'")
    if len(search.services) < int(services_min) or (services_min and not (search.sent and search.answer_bytes)):
        print("that is less than a whole run has")
        return 1
    return 1 if leaks else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
