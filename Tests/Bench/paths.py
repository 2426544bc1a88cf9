"""What is asked: the paths through a server that the bench measures, and the requests of each."""

import dataclasses
import ipaddress
import random

# As a CDN passes a request on.
COMMON = "Host: region.example\r\nUser-Agent: Amazon CloudFront\r\nAccept: */*\r\nVia: 2.0 bench (CloudFront)\r\n"
HEADER = "CloudFront-Viewer-Country: KR\r\n"
TAG = 'If-None-Match: "1-regionalMarket"\r\n'
# Keep-alive connections of a path, unless it says otherwise.
CONNECTIONS = 64
PIPELINED = 16


def request(*lines, method="GET", target="/v1/region"):
    return (f"{method} {target} HTTP/1.1\r\n{COMMON}" + "".join(lines) + "\r\n").encode()


def addresses(count, seed=20240229):
    """Public addresses, two thirds IPv4; the same ones each time."""
    chance = random.Random(seed)
    found = []
    while len(found) < count:
        if chance.random() < 2 / 3:
            address = ipaddress.IPv4Address(chance.getrandbits(32))
        else:
            # The blocks of 2000::/3 that registries have given out.
            head = chance.choice([0x2001, 0x2400, 0x2404, 0x2600, 0x2607, 0x2800, 0x2804, 0x2A00, 0x2A02, 0x2C0F])
            address = ipaddress.IPv6Address(head << 112 | chance.getrandbits(22) << 90 | chance.getrandbits(90))
        if address.is_global and not address.is_multicast:
            found.append(address)
    return found


def looked_up(address):
    return request(f"X-Forwarded-For: {address}\r\n")


@dataclasses.dataclass(frozen=True)
class Path:
    key: str
    title: str
    requests: tuple
    load: tuple = ()
    connections: int = CONNECTIONS
    # Whether servers can take turns of milliseconds. What needs time to settle is asked for by itself, and for longer.
    is_in_turns: bool = True
    seconds_factor: int = 1


HEADER_REQUEST = (request(HEADER),)

PATHS = (
    Path("header", "header decides", HEADER_REQUEST),
    Path("lookup", "X-Forwarded-For looked up", tuple(looked_up(a) for a in addresses(2000))),
    Path("304", "304", (request(HEADER, TAG),), ("--bodiless", "--status", "304")),
    Path("close", "a connection per request", (request(HEADER, "Connection: close\r\n"),), ("--close",)),
    Path("pipelined", f"{PIPELINED} pipelined", HEADER_REQUEST, ("--depth", str(PIPELINED))),
    Path("mixed", "1,000 connections, a third slow", HEADER_REQUEST, ("--slow-every", "3"), connections=1000,
         is_in_turns=False, seconds_factor=4),
)

# Of the service alone, each measured next to its own `header`.
PAIRED = (
    *(path for path in PATHS if path.key == "304"),
    # The same as `header`: how far two equal measurements are apart.
    Path("again", "header decides, again", HEADER_REQUEST),
    Path("head", "HEAD", (request(HEADER, method="HEAD"),), ("--bodiless",)),
    Path("options", "OPTIONS (preflight)",
         (request("Origin: https://app.example\r\nAccess-Control-Request-Method: GET\r\n", method="OPTIONS"),),
         ("--bodiless", "--status", "204")),
    Path("error", "404", (request(HEADER, target="/v1/regions"),), ("--status", "404")),
)
