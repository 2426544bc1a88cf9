"""What each CDN writes of a client, and what a client can write itself: the table of the trust tests.

A row is a request over the socket, and the bucket of whoever really sent it, or `unknown`.
"""

import typing

from front_support import POLICY
from fronts import ADDRESSES

# Real clients here are in US, and would like to be in KR.
HERE, THERE = "US", "KR"
OWN, WANTED, UNKNOWN = "otherMarket", "regionalMarket", "unknown"
LOCAL = ("127.0.0.1", "::1", "::ffff:127.0.0.1", "127.9.9.9")


class Preset(typing.NamedTuple):
    name: str
    # Lines for a country and for an address; None where the CDN writes none.
    country: typing.Callable | None
    address: typing.Callable

    def genuine(self, country=HERE):
        """What the CDN writes of a client of that country."""
        return [*(self.country(country) if self.country else []), *self.address(ADDRESSES[country])]

    def consulted(self):
        return {name_of(line).lower() for line in self.genuine()}


def line(name, text="{}"):
    return lambda value: [f"{name}: {text.format(value)}"]


PRESETS = [
    Preset("cloudfront", line("CloudFront-Viewer-Country"), line("CloudFront-Viewer-Address", "{}:443")),
    Preset("cloudflare", line("CF-IPCountry"), line("CF-Connecting-IP")),
    Preset("fastly", line("X-Geo-Country"), line("Fastly-Client-IP")),
    Preset("akamai", line("X-Akamai-Edgescape", "georegion=1,country_code={},city=X"), line("True-Client-IP")),
    Preset("google-cloud", line("X-Client-Geo-Location", "{},City"), line("X-Forwarded-For", "{},34.120.0.1")),
    Preset("app-engine", line("X-Appengine-Country"), line("X-Appengine-User-IP")),
    Preset("azure-front-door", line("X-Geo-Country"), line("X-Azure-SocketIP")),
    Preset("vercel", line("x-vercel-ip-country"), line("x-real-ip")),
    Preset("netlify", line("x-country"), line("x-nf-client-connection-ip")),
    Preset("bunny", line("CDN-RequestCountryCode"), line("X-Real-IP")),
    Preset("keycdn", line("X-Country-Code"), line("X-Forwarded-For")),
    Preset("alibaba-esa", line("ali-ip-country"), line("ali-real-client-ip")),
    Preset("fly", None, line("Fly-Client-IP")),
    Preset("none", None, line("X-Forwarded-For")),
    # As `none`, with RFC 7239's field.
    Preset("forwarded", None, line("Forwarded", "for={}")),
]

# Further names that a client may try, read by no preset.
STRANGERS = ["X-Azure-ClientIP: {}", "X-Client-IP: {}", "X-Cluster-Client-IP: {}", "X-Original-Forwarded-For: {}",
             "X-ProxyUser-Ip: {}", "X-Forwarded: for={}", "X-Originating-IP: {}", "Client-IP: {}",
             "WL-Proxy-Client-IP: {}", "X-Envoy-External-Address: {}",
             "CF-Connecting-IPv6: {}", "CF-Pseudo-IPv4: {}", "Via: 1.1 {}",
             "From: {}", "Fly-Region: icn", "X-Country: KR", "GeoIP-Country: KR", "X-GeoIP-Country-Code: KR"]
EDGE = ["X-Region-Bucket: regionalMarket", f"X-Region-Policy: {POLICY}"]


def name_of(text):
    return text.partition(":")[0]


def renamed(text, change):
    name, _, value = text.partition(":")
    return f"{change(name)}:{value}"


def cases_of(text):
    """A line with its name in other cases."""
    return [renamed(text, str.lower), renamed(text, str.upper), renamed(text, str.swapcase)]


def look_alikes(text):
    """Lines whose names some server takes for the line's own."""
    changes = [lambda name: name.replace("-", "_"), lambda name: name.replace("-", "."),
               lambda name: name.replace("-", "--", 1), lambda name: name + "-", lambda name: "HTTP-" + name,
               lambda name: "X-" + name, lambda name: name.replace("-", "")]
    found = [renamed(text, change) for change in changes]
    return [one for one in found if name_of(one).lower() != name_of(text).lower()]


def of_others(preset):
    """What a client may write of what this preset does not read: every other preset's fields, and strangers."""
    forged = [text for other in PRESETS for text in other.genuine(THERE)]
    forged += [text.format(ADDRESSES[THERE]) for text in STRANGERS]
    return list(dict.fromkeys(text for text in forged if name_of(text).lower() not in preset.consulted()))


def stranger_rows(preset, has_edge):
    """Rows of a peer that is not trusted and whose own address is known to be HERE: lines, and the bucket."""
    yield [], OWN
    read = preset.genuine(THERE) + (EDGE if has_edge else [])
    for text in read:
        for forged in (text, *cases_of(text)):
            yield [forged], UNKNOWN
            yield [f"Connection: {name_of(text)}", forged], UNKNOWN
            yield [forged, renamed(text, str.title)], UNKNOWN
        for forged in look_alikes(text):
            yield [forged], OWN
    yield read, UNKNOWN
    for text in of_others(preset) + ([] if has_edge else EDGE):
        yield [text], OWN
    yield of_others(preset)[:60], OWN


def left_parts(preset):
    """Address lines of a trusted peer to which the client has contributed the left part."""
    text = preset.address(ADDRESSES[HERE])[0]
    name, _, genuine = text.partition(": ")
    there = ADDRESSES[THERE]
    element = f"for={there}" if name == "Forwarded" else there
    lefts = [element, f"{element}, {element}", f"{element},,", ",", "garbage", '"', f'"{element}', f'{element}"',
             "unknown", "for=unknown",
             "\\", '"\\', f"{element};by=x", "a" * 3000, ", ".join([element] * 200), f"[{there}]:80",
             f"{element}\t", f'for="{there}', "127.0.0.1", "::1", 'for="[::1]"']
    for left in lefts:
        yield [f"{name}: {left}, {genuine}"]
        yield [f"{name}: {left}", text]
        yield [renamed(f"{name}: {left}", str.upper), renamed(text, str.lower)]


def passed_on_rows(preset, has_edge):
    """Rows of a trusted peer that passes a client's own lines on beside what it writes itself."""
    genuine = preset.genuine()
    by_address = preset.address(ADDRESSES[HERE])
    yield genuine, OWN
    yield by_address, OWN
    if preset.name in ("google-cloud", "keycdn", "none", "forwarded"):
        for lines in left_parts(preset):
            yield lines, OWN
    else:
        yield from ((lines, UNKNOWN) for lines in doubled(
            by_address[0], preset.address(ADDRESSES[THERE])[0], by_address))
    if preset.country:
        yield from ((lines, UNKNOWN) for lines in doubled(
            preset.country(HERE)[0], preset.country(THERE)[0], genuine))
    for lines in (genuine, by_address):
        for text in preset.genuine(THERE):
            for forged in look_alikes(text):
                yield [forged, *lines], OWN
                yield [*lines, forged], OWN
        for text in of_others(preset) + ([] if has_edge else EDGE):
            yield [text, *lines], OWN
        for text in lines:
            yield [f"Connection: {name_of(text)}", *lines], OWN
            yield [*lines, f"Connection: keep-alive, {name_of(text).lower()}"], OWN
    if has_edge:
        yield from edge_rows(genuine)


def doubled(own, forged, lines):
    """The CDN's line and the client's, in both orders and in other cases."""
    rest = [text for text in lines if text != own]
    for other in (forged, *cases_of(forged)):
        yield [other, own, *rest]
        yield [own, *rest, other]


def edge_rows(genuine):
    """Code at the edge has written its fields, and the client its own."""
    own = ["X-Region-Bucket: otherMarket", f"X-Region-Policy: {POLICY}"]
    yield [*own, *genuine], OWN
    for forged in (EDGE, EDGE[:1], EDGE[1:]):
        for lines in (forged, [text for one in forged for text in cases_of(one)[:1]]):
            yield [*lines, *own, *genuine], UNKNOWN
            yield [*own, *lines, *genuine], UNKNOWN
    for policy in ("0" * 16, POLICY.upper(), POLICY[:-1], POLICY + "0", ""):
        yield [EDGE[0], f"X-Region-Policy: {policy}", *genuine], OWN
    yield [EDGE[0], *genuine], OWN
    for text in (text for one in EDGE for text in look_alikes(one)):
        yield [text, *own, *genuine], OWN
    for value in ("regionalmarket", "regionalMarket, otherMarket", '"regionalMarket"', "KR"):
        yield [f"X-Region-Bucket: {value}", EDGE[1], *genuine], UNKNOWN
