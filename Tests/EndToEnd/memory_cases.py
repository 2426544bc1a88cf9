"""Requests that leave values behind in as many ways as there are: how the service is set up, and what clients do."""

import base64
import contextlib
import json
import signal
import socket
import struct

from support import request

SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"


class Setting:
    """A way to run the service, and how a client's values get into its requests there."""

    def __init__(self, name, changes, lines, preface=None):
        self.name, self.changes, self.lines, self.preface = name, changes, lines, preface


def _cloudfront(marks):
    # Letters beyond ASCII: the city passes through strings before it is compared.
    return ["CloudFront-Viewer-Country: US", f"CloudFront-Viewer-City: {marks.text}%C3%A9{marks.text}"]


def _netlify(marks):
    text = json.dumps({"city": marks.text + "é", "country": {"code": marks.text}}, ensure_ascii=False)
    return ["x-country: US", "x-nf-geo: " + base64.b64encode(text.encode()).decode()]


def _proxy1(marks):
    return f"PROXY TCP4 {marks.ipv4} 192.0.2.1 1234 443\r\n".encode()


def _proxy2(marks):
    return SIGNATURE + b"\x21\x21\0\x24" + marks.ipv6_octets() + bytes(16) + bytes([4, 210, 1, 187])


CITIES = {"policy": {"regional": ["KR", "US/Séoul", "US/Plain"]}}
PROXY = {"listeners": [{"tcp": "127.0.0.1:0", "proxyProtocol": True}], "proxyProtocolPeers": ["127.0.0.0/8"],
         "trustedPeers": ["192.0.2.0/24"]}
LOUD = {"log": {"level": "debug", "access": True}}

SETTINGS = [
    Setting("cdn", {"sources": ["cdn"], "clientAddress": None, **CITIES, **LOUD}, _cloudfront),
    Setting("netlify", {"sources": ["cdn"], "cdn": {"preset": "netlify"}, "clientAddress": None, **CITIES}, _netlify),
    Setting("list", {"sources": ["cdn", "database"]},
            lambda marks: [f"X-Forwarded-For: {marks.ipv4}, 127.0.0.1", f"X-Forwarded-For: ::ffff:{marks.ipv4}:80"]),
    Setting("list of IPv6", {"sources": ["database"], **LOUD}, lambda marks: [f"X-Forwarded-For: [{marks.ipv6}]:443"]),
    Setting("forwarded", {"sources": ["database"], "clientAddress": {"header": "Forwarded"}},
            lambda marks: [f'Forwarded: for="[{marks.ipv6}]";proto=https, for={marks.ipv4}:80']),
    Setting("viewer address", {"sources": ["database"], "clientAddress": {"header": "CloudFront-Viewer-Address"}},
            lambda marks: [f"CloudFront-Viewer-Address: {marks.ipv6}:443"]),
    Setting("stranger", {"trustedPeers": [], "sources": ["database"], **LOUD}, lambda marks: []),
    Setting("secret", {"originSecret": {"fromEnvironment": ["SECRET"]}},
            lambda marks: [f"X-Origin-Secret: {marks.text}", f"X-Forwarded-For: {marks.ipv4}"]),
    Setting("PROXY 1", {**PROXY, **LOUD}, lambda marks: [], preface=_proxy1),
    Setting("PROXY 2", PROXY, lambda marks: [], preface=_proxy2),
]


class Client:
    """What one client does; its socket stays open until the memory has been searched, unless it closed it."""

    def __init__(self, service, setting, marks):
        self.service, self.setting, self.marks = service, setting, marks
        self.socket = None

    def connect(self, receive_bytes=None):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self.socket.settimeout(20)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if receive_bytes:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        self.socket.bind((self.marks.peer, 0))
        self.socket.connect(("127.0.0.1", self.service.port))
        return self.preface()

    def preface(self):
        return self.setting.preface(self.marks) if self.setting.preface else b""

    def request(self, *lines, **options):
        """A request with the client's values in it: in the target, a cookie, its name of a field, and where the
        setting reads them."""
        text = self.marks.text
        options.setdefault("target", f"/v1/region?{text}")
        return request(*self.setting.lines(self.marks), f"Cookie: {text}={text}", f"User-Agent: {text}",
                       f"X-{text}: {text}", f"If-None-Match: \"{text}\"", f"Origin: https://{text}.example",
                       *lines, host=f"Host: {text}", **options)

    def send(self, data):
        self.socket.sendall(data)

    def answers(self, count):
        """Reads so many answers, none of which has a body of its own that looks like one."""
        received = b""
        while received.count(b"HTTP/1.1 ") < count or not received.endswith((b"}", b"}\n", b"\r\n\r\n")):
            chunk = self.socket.recv(65536)
            assert chunk, f"closed after {received!r}"
            received += chunk
        return received

    def rest(self):
        with contextlib.suppress(ConnectionError):
            while self.socket.recv(65536):
                pass

    def close(self):
        if self.socket:
            self.socket.close()
            self.socket = None


def keep_alive(client):
    client.send(client.connect() + client.request())
    client.answers(1)


def one_after_the_other(client):
    start = client.connect()
    for _ in range(3):
        client.send(start + client.request())
        client.answers(1)
        start = b""


def closed(client):
    client.send(client.connect() + client.request("Connection: close"))
    client.rest()
    client.close()


def pipelined(client):
    client.send(client.connect() + client.request() * 20)
    client.answers(20)


def other_methods(client):
    data = client.connect() + client.request(method="HEAD") + client.request(method="OPTIONS")
    client.send(data + client.request("Access-Control-Request-Method: GET", method="OPTIONS"))
    client.answers(3)


def byte_by_byte(client):
    for byte in client.connect() + client.request():
        client.send(bytes([byte]))
    client.answers(1)


def large_in_parts(client):
    data = client.connect() + client.request(*(f"X-{number}: {client.marks.text * 40}" for number in range(20)))
    for start in range(0, len(data), 1500):
        client.send(data[start:start + 1500])
    client.answers(1)


def body(client):
    text = client.marks.text.encode()
    client.send(client.connect() + client.request(f"Content-Length: {len(text)}") + text + client.request())
    client.answers(2)


def chunked_body(client):
    text = client.marks.text
    chunks = f"18;{text}=\"{text}\"\r\n{text}\r\n0\r\nX-Trailer: {text}\r\n\r\n".encode()
    data = client.connect() + client.request("Transfer-Encoding: chunked") + chunks + client.request()
    for start in range(0, len(data), 7):
        client.send(data[start:start + 7])
    client.answers(2)


def body_after_100(client):
    text = client.marks.text.encode()
    client.send(client.connect() + client.request("Expect: 100-continue", f"Content-Length: {len(text)}"))
    while b"100 Continue" not in client.socket.recv(65536):
        pass
    client.send(text)
    client.answers(1)


def unread_answers(client):
    """So many answers that they wait in the service, and requests behind them: then all are read."""
    count = 4000
    data = memoryview(client.connect(receive_bytes=4096) + client.request() * count)
    sent, answered, tail = 0, 0, b""
    while answered < count:
        client.socket.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while sent < len(data):
                sent += client.socket.send(data[sent:sent + 65536])
        client.socket.settimeout(20)
        chunk = tail + client.socket.recv(4096)
        answered += chunk.count(b"HTTP/1.1 ")
        tail = chunk[-8:]


def reloaded(client):
    """Who the peer is, is asked of the kernel again when the configuration has been read anew."""
    client.send(client.connect() + client.request())
    client.answers(1)
    count = len(client.service.events("configuration-loaded"))
    client.service.process.send_signal(signal.SIGHUP)
    client.service.wait_for_event("configuration-loaded", count + 1)
    client.send(client.request())
    client.answers(1)


def refused(client):
    text = client.marks.text
    attempts = [
        client.request(f"Bad Field{text}: x"), client.request(target=f"/{text}"), client.request(method="POST"),
        client.request("Content-Length: 99999999") + text.encode() * 300, client.request(target="/" + text * 400),
        client.request(f"X: {text * 1500}"), client.request(f"Expect: {text}"), client.request('If-Match: "x"'),
        client.request(method=text), client.request(version="HTTP/9.9"), client.request(f"Host: {text}"),
        client.request(f"Transfer-Encoding: {text}, chunked"), text.encode() * 3000, b"\x16\x03\x01" + text.encode()]
    for attempt in attempts:
        data = client.connect()
        with contextlib.suppress(ConnectionError):
            client.send(data + attempt)
            client.socket.shutdown(socket.SHUT_WR)
        client.rest()
        client.close()


def nonsense_first(client):
    """Where a preface belongs, too."""
    for data in (client.marks.text.encode() * 9, f"PROXY TCP4 {client.marks.ipv4} {client.marks.text}\r\n".encode(),
                 SIGNATURE + b"\x21\x11\0\x0b" + client.marks.octets(client.marks.ipv4) + client.marks.text.encode()):
        client.connect()
        with contextlib.suppress(ConnectionError):
            client.send(data)
            client.socket.shutdown(socket.SHUT_WR)
        client.rest()
        client.close()


def gone_in_the_middle(client):
    for cut in (-3, 40):
        data = client.connect()
        client.send(data + client.request()[:cut])
        client.close()


def reset_in_the_middle(client):
    for data in (client.request()[:-3], client.request("Content-Length: 1000") + client.marks.text.encode()):
        start = client.connect()
        client.send(start + data)
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()


def timed_out(client):
    """In the head, in the body, in the preface."""
    for data in (client.request()[:-3], client.request("Content-Length: 1000") + client.marks.text.encode()):
        start = client.connect()
        client.send(start + data)
        client.rest()
        client.close()
    start = client.connect()
    client.send(start[:-2] or client.request()[:9])
    client.rest()
    client.close()


def never_read(client):
    """The service gives up sending; what it had read and not answered goes, too."""
    start = client.connect(receive_bytes=4096)
    data = start + client.request() * 20000
    with contextlib.suppress(ConnectionError):
        client.send(data)
        while client.socket.send(b"X"):
            pass
    client.close()


# Where time-outs are as usual; and where they are short.
PATIENT = [keep_alive, one_after_the_other, closed, pipelined, other_methods, byte_by_byte, large_in_parts, body,
           chunked_body, body_after_100, unread_answers, reloaded, refused, nonsense_first, gone_in_the_middle,
           reset_in_the_middle]
HASTY = [timed_out, never_read]
