"""A tap on the line between a front and the service: it passes every byte on, and keeps what the front has sent."""

import re
import socket
import threading

TOKEN = rb"[!#-'*+.^_`|~0-9A-Za-z-]+"
# Whatever the letters: where the words and the line end is what frames.
WORD = rb"[^\s\0]+"
FIRST_LINE = re.compile(WORD + rb" " + WORD + rb" HTTP/\d\.\d")
CHUNK_LINE = re.compile(rb"([0-9A-Fa-f]{1,8})(?:[ \t]*;[^\r\n]*)?\r\n")
FIELD_LINE = re.compile(rb"(" + TOKEN + rb"):[ \t]*([^\r\n]*?)[ \t]*")


class Tap:
    """Listens on `port`; `sent` has the bytes of each connection so far, in the order in which they were opened."""

    def __init__(self, service_port):
        self.service_port = service_port
        self.sent, self.sockets, self.threads = [], [], []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self._start(self._accept)

    def _start(self, target, *arguments):
        self.threads.append(threading.Thread(target=target, args=arguments))
        self.threads[-1].start()

    def _accept(self):
        while True:
            try:
                front, _ = self.listener.accept()
            except OSError:
                return
            kept = bytearray()
            self.sent.append(kept)
            try:
                service = socket.create_connection(("127.0.0.1", self.service_port))
            except OSError:
                front.close()
                continue
            self.sockets += [front, service]
            self._start(self._pass_on, front, service, kept)
            self._start(self._pass_on, service, front, bytearray())

    def _pass_on(self, source, target, kept):
        try:
            while chunk := source.recv(65536):
                kept += chunk
                target.sendall(chunk)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            # One side was reset: so is the other, as it would be without a tap.
            for end in (source, target):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def request_count(self):
        """How many requests the front has sent."""
        return sum(request_count(bytes(kept)) for kept in list(self.sent))

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for end in self.sockets:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        for thread in self.threads:
            thread.join()
        for end in self.sockets:
            end.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def request_count(data):
    """How many requests' heads there are in a connection's bytes, by the letter of RFC 9112. One that could be read in
    two ways is the last: whoever cannot tell where the next begins may not answer any."""
    count = 0
    while True:
        head, end, rest = data.partition(b"\r\n\r\n")
        if not end:
            return count
        count += 1
        size = body_size(head, rest)
        if size is None or size > len(rest):
            return count
        data = rest[size:]


def body_size(head, rest):
    """How long the body behind a head is; None when that is not certain, or not yet."""
    first, *lines = head.split(b"\r\n")
    fields = [FIELD_LINE.fullmatch(line) for line in lines]
    if not FIRST_LINE.fullmatch(first) or not all(fields):
        return None
    named = [(match[1].lower(), match[2].lower()) for match in fields]
    framing = [field for field in named if field[0] in (b"content-length", b"transfer-encoding")]
    match framing:
        case []:
            return 0
        case [(b"content-length", length)] if length.isdigit():
            return int(length)
        case [(b"transfer-encoding", b"chunked")]:
            return chunked_size(rest)
    return None


def chunked_size(data):
    """How long a chunked body at the start of the bytes is; None when that is not certain, or not yet."""
    place = 0
    while line := CHUNK_LINE.match(data, place):
        size, place = int(line[1], 16), line.end()
        if size == 0:
            end = data.find(b"\r\n\r\n", place - 2)
            return None if end < 0 else end + 4
        if data[place + size:place + size + 2] != b"\r\n":
            return None
        place += size + 2
    return None
