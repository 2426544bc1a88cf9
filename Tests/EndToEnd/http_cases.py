"""HTTP/1.1 case by case: what a client may send, and the exact bytes that have to come back (RFC 9110, RFC 9112).

A case is one request, good or bad, with the section that has the rule. Those of framing are in http_framing_cases.py.
"""

import typing

from support import request

KR = "CloudFront-Viewer-Country: KR"
US = "CloudFront-Viewer-Country: US"

PHRASES = {
    200: "OK", 204: "No Content", 400: "Bad Request", 404: "Not Found", 405: "Method Not Allowed",
    408: "Request Timeout", 413: "Content Too Large", 414: "URI Too Long", 417: "Expectation Failed",
    431: "Request Header Fields Too Large", 501: "Not Implemented", 505: "HTTP Version Not Supported",
}
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
CLOSE, KEEP_ALIVE = "close", "keep-alive"
ALLOW = "GET, HEAD, OPTIONS"


class Case(typing.NamedTuple):
    section: str
    name: str
    data: bytes
    # Whole answers, with D where the date stands.
    answers: bytes
    # Nothing after it is answered.
    closes: bool
    # A client that sends the head first is told to go on.
    continues: bool = False


def written(status, fields, body, connection, is_head):
    """An answer as it stands on the wire."""
    own = [("Content-Length", str(len(body)))] if status != 204 else []
    lines = [f"HTTP/1.1 {status} {PHRASES[status]}", "Date: D", *(f"{name}: {value}" for name, value in [
        *fields[:1], *own, *fields[1:], ("X-Content-Type-Options", "nosniff"),
        ("Cross-Origin-Resource-Policy", "cross-origin")])]
    return lines, ("" if is_head else body), [f"Connection: {connection}"] if connection else []


def joined(lines, body, connection):
    return ("\r\n".join([*lines, *connection]) + "\r\n\r\n" + body).encode()


def bucket_answer(bucket="regionalMarket", connection=None, is_head=False):
    """What a 200 of /v1/region is."""
    fields = [
        ("Content-Type", "application/json"), ("X-Region-Bucket", bucket), ("ETag", f'"1-{bucket}"'),
        ("Cache-Control", "private, no-store"), ("Vary", "CloudFront-Viewer-Country"),
        ("Access-Control-Allow-Origin", "*")]
    return joined(*written(200, fields, f'{{"bucket":"{bucket}"}}', connection, is_head))


def problem(status, connection=None, allow=None, is_head=False):
    """What an error is."""
    body = f'{{"type":"about:blank","title":"{PHRASES[status]}","status":{status}}}'
    fields = [("Content-Type", "application/problem+json"), ("Cache-Control", "private, no-store"),
              ("Vary", "CloudFront-Viewer-Country")]
    lines, content, last = written(status, fields, body, connection, is_head)
    if allow:
        lines.insert(2, f"Allow: {allow}")
    return joined([*lines, "Access-Control-Allow-Origin: *"], content, last)


def options_answer(for_server=False):
    cors = [] if for_server else ["Access-Control-Allow-Origin: *"]
    return joined(["HTTP/1.1 204 No Content", "Date: D", f"Allow: {ALLOW}", *cors,
                   "Cache-Control: private, no-store", "Vary: CloudFront-Viewer-Country",
                   "X-Content-Type-Options: nosniff", "Cross-Origin-Resource-Policy: cross-origin"], "", [])


def answered(section, name, *lines, rest=b"", answers=None, closes=False, continues=False, **options):
    """A request that gets an answer of its own; by default the bucket's."""
    connection = CLOSE if closes else None
    return Case(section, name, request(KR, *lines, **options) + rest, answers or bucket_answer(connection=connection),
                closes, continues)


def refused(section, status, name, data, is_head=False):
    """Bytes that are refused: the error is the last answer, whatever follows."""
    return Case(section, f"{name}: {data[:60]!r}", data, problem(status, CLOSE, is_head=is_head), True)


def refused_lines(section, status, name, *lines, rest=b"hello", **options):
    return refused(section, status, f"{name} {lines}"[:90], request(KR, *lines, **options) + rest)


def with_first_line(line):
    """A request with this first line and good fields."""
    return line + b"\r\nHost: test\r\n" + KR.encode() + b"\r\n\r\n"


def request_lines():
    line = with_first_line
    yield from (refused("RFC 9112 §2.3", 400, "HTTP/0.9", data) for data in (
        b"GET /v1/region\r\n", line(b"GET /v1/region")))
    yield from (refused("RFC 9112 §2.2", 400, "a bare LF or CR", data) for data in (
        b"GET /v1/region HTTP/1.1\nHost: test\n\n", b"GET /v1/region\n", b"\nGET /v1/region HTTP/1.1\r\n",
        line(b"GET /v1/region HTTP/1.1\r"), line(b"GET /v1/region HTTP/1.1\rX: y"), b"\rGET /v1/region HTTP/1.1\r\n"))
    yield refused("RFC 9112 §2.2", 400, "two empty lines before it", b"\r\n\r\n" + request(KR))
    yield Case("RFC 9112 §2.2", "an empty line before it", b"\r\n" + request(KR), bucket_answer(), False)
    yield from (refused("RFC 9112 §2.2", 400, "no HTTP at all", data) for data in (
        # TLS and SSL 2 handshakes, SSH, PROXY prefaces on a listener without them, nothing but NUL.
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(64), b"\x80\x2e\x01\x00\x02",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"PROXY TCP4 11.0.0.1 192.0.2.1 1 2\r\n" + request(KR), b"\0\0\0\0",
        b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c" + bytes([11, 0, 0, 1, 192, 0, 2, 1, 0, 1, 0, 2]) + request(KR)))
    yield refused("RFC 9113 §3.4", 505, "the preface of HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
    for version in ("HTTP/2.0", "HTTP/3.0", "HTTP/0.9", "HTTP/9.9"):
        yield refused("RFC 9110 §15.6.6", 505, "version", request(KR, version=version))
    for version in ("http/1.1", "HTTP/1", "HTTP/1.", "HTTP/11", "HTTP/1.10", "HTTP/01.1", "HTTP/1.x", "HTTP/1.1x",
                    "HTTP/+1.1", "HTTPS/1.1", "HTTP/1,1", "HTTP /1.1", "HTTP/1 .1", "ICY/1.1", "1.1", "\tHTTP/1.1"):
        yield refused("RFC 9112 §2.3", 400, "version", request(KR, version=version))
    yield answered("RFC 9110 §6.2", "a later 1.x is read as 1.1", version="HTTP/1.7")
    for raw in (b"GET  /v1/region HTTP/1.1", b"GET /v1/region  HTTP/1.1", b"GET /v1/region HTTP/1.1 ",
                b" GET /v1/region HTTP/1.1", b"GET\t/v1/region HTTP/1.1", b"GET /v1/region\tHTTP/1.1",
                b"GET\x0b/v1/region HTTP/1.1", b"GET\x0c/v1/region HTTP/1.1", b"GET\xa0/v1/region HTTP/1.1",
                b"GET /v1/region HTTP/1.1\t", b"GET /v1/ region HTTP/1.1", b"GET", b"GET ", b"GET HTTP/1.1",
                b"/v1/region HTTP/1.1", b" /v1/region HTTP/1.1", b"GET /v1/region\0 HTTP/1.1",
                b"GET /v1/region HTTP/1.1\0", b"G\0ET /v1/region HTTP/1.1"):
        yield refused("RFC 9112 §3", 400, "the spaces of a request line", line(raw))
    for method in (b"G@T", b"GET:", b"G(T", b"\x80GET", b"GET,", b'"GET"'):
        yield refused("RFC 9112 §3.1", 400, "a method's letters", line(method + b" /v1/region HTTP/1.1"))
    for method in ("get", "Get", "GETT", "PROPFIND", "X" * 32):
        yield answered("RFC 9110 §9.1", f"the method {method}", method=method, answers=problem(501))
    yield refused("RFC 9112 §3", 501, "a long method", request(KR, method="X" * 33))


def methods():
    for method in ("POST", "PUT", "DELETE", "PATCH", "TRACE"):
        yield answered("RFC 9110 §15.5.6", f"the method {method}", method=method,
                       answers=problem(405, allow=ALLOW))
    yield answered("RFC 9110 §9.3.8", "TRACE says nothing back", "Max-Forwards: 0", "Cookie: sentinel",
                   method="TRACE", answers=problem(405, allow=ALLOW))
    yield answered("RFC 9110 §9.3.2", "HEAD", method="HEAD", answers=bucket_answer(is_head=True))
    yield answered("RFC 9110 §9.3.7", "OPTIONS", method="OPTIONS", answers=options_answer())
    yield answered("RFC 9110 §9.3.7", "OPTIONS *", method="OPTIONS", target="*", answers=options_answer(True))
    yield answered("RFC 9112 §3.2.4", "OPTIONS of a server in absolute form", method="OPTIONS", target="http://test",
                   answers=options_answer(True))
    # What follows might be meant for the other end of a tunnel: it is not answered.
    for target in ("test:80", "127.0.0.1:22", "[::1]:443"):
        yield answered("RFC 9110 §9.3.6", f"CONNECT {target}", method="CONNECT", target=target,
                       answers=problem(501, CLOSE), closes=True)
    for target in ("test", "test:", "/v1/region", "http://test:80/", "test:80/", "*", "u@test:80"):
        yield refused("RFC 9112 §3.2.3", 400, "CONNECT", request(KR, method="CONNECT", target=target))
    for method in ("GET", "HEAD", "POST"):
        yield refused("RFC 9112 §3.2.4", 400, "asterisk", request(KR, method=method, target="*"), method == "HEAD")
        yield refused("RFC 9112 §3.2.3", 400, "authority", request(KR, method=method, target="test:80"),
                      method == "HEAD")
    yield refused("RFC 9112 §3.2.4", 400, "asterisk", request(KR, method="OPTIONS", target="*?a"))
    yield answered("RFC 9110 §7.8", "an upgrade that is not taken", "Connection: Upgrade, HTTP2-Settings",
                   "Upgrade: h2c, websocket", "HTTP2-Settings: AAMAAABkAAQAAP__")


def targets():
    for character in '"<>\\^`{|}#\x7f\x80\xff':
        yield refused("RFC 9112 §3.2", 400, "a target's letters", request(KR, target="/v1/region" + character))
        yield refused("RFC 9112 §3.2", 400, "a query's letters", request(KR, target="/v1/region?" + character))
    for target in ("/v1/region%", "/v1/region%4", "/v1/region%zz", "/v1/region?%", "/v1/region?%0", "/%%41"):
        yield refused("RFC 3986 §2.1", 400, "percent-encoding", request(KR, target=target))
    for target in ("v1/region", "?", "v1", "ftp://test/v1/region", "http:/v1/region", "http:v1", "//test/v1/region "):
        yield refused("RFC 9112 §3.2", 400, "a form of target", request(KR, target=target))
    for target in ("http:///v1/region", "http://", "http://u@test/v1/region", "http://u:p@test/v1/region",
                   "http://test:x/v1/region", "http://test:65536/v1/region", "http://[::1/v1/region",
                   "http://te st/v1/region", "http://:80/v1/region"):
        yield refused("RFC 9112 §3.2.2", 400, "an authority", request(KR, target=target))
    for host in ("Host: other", "Host: test:81", "Host:"):
        yield answered("RFC 9112 §3.2.2", f"absolute form beside {host}", host=host, target="http://test/v1/region")
    for host in (None, "Host: a b"):
        yield refused("RFC 9112 §3.2", 400, "absolute form without a good Host",
                      request(KR, host=host, target="http://test/v1/region"))
    yield refused("RFC 9110 §15.5.15", 414, "a long target", request(KR, target="/" + "a" * 8200))


def hosts():
    for value in ("a", " example.com ", "example.com:8080", "example.com:", "a:0", "127.0.0.1:80", "[::1]", "[::]",
                  "[1:2:3:4:5:6:7:8]:443", "[::ffff:192.0.2.1]", "[2001:DB8::a]", "[v1.a:b]", "a_b", "%41%c3%a9",
                  "a!$&'()*+,;=b", "-", ".", "", "\ta\t"):
        yield answered("RFC 9112 §3.2", f"Host {value!r}", host=f"Host:{value}")
    for value in (":80", "a:65536", "a:99999999999999999999", "a:8x", "a:80:90", "a:-1", "a: 80", "a b", "a\tb", "a/b",
                  "a?b", "a#b", "u@a", "a@", "http://a", "[::1", "::1", "[]", "[:]", "[1]", "[1::2::3]", "[::12345]",
                  "[::1]x", "[::1%25eth0]", "[::192.0.2.256]", "a%4", "a%zz", "a\\b", 'a"b', "<a>", "a^b", "caf\xe9",
                  "a]", "a[b]", "a,b c", "a\x00", "a\x0b"):
        yield refused("RFC 9112 §3.2", 400, f"Host {value!r}", request(KR, host=f"Host: {value}"))
    yield refused("RFC 9112 §3.2", 400, "no Host", request(KR, host=None))
    yield refused("RFC 9112 §3.2", 400, "two", request("Host: test", KR))
    yield refused("RFC 9112 §3.2", 400, "two", request("hOST: other", KR))
    yield refused("RFC 9112 §3.2", 400, "two in HTTP/1.0", request("Host: test", KR, version="HTTP/1.0"))
    yield answered("RFC 9112 §3.2", "HTTP/1.0 may be without", host=None, version="HTTP/1.0", closes=True)


def fields():
    for line in ("A: b", "A:b", "A:", "A:   ", "A:\tb\t ", "A: b\tc", "A: b\x80\xff", "!#$%&'*+-.^_`|~09aZ: b", "A: :"):
        yield answered("RFC 9112 §5", f"the field {line!r}", line)
    for line in ("A : b", "A\t: b", "A\xa0: b"):
        yield refused_lines("RFC 9112 §5.1", 400, "white space before the colon", line)
    for line in ("Transfer-Encoding : chunked", "Content-Length : 5", "Host : other", "Content-Length\t: 5"):
        yield refused_lines("RFC 9112 §5.1", 400, "white space before the colon", line)
    for line in ("A", "A b", ": b", ":", "A\r\n: b"):
        yield refused_lines("RFC 9112 §5", 400, "no name or no colon", line)
    for line in ("A: b\r\n c", "A: b\r\n\tc", "A: b\r\n ", "A:\r\n b", "Content-Length:\r\n 5",
                 "Transfer-Encoding:\r\n chunked", "A: b\r\n Content-Length: 5"):
        yield refused_lines("RFC 9112 §5.2", 400, "obsolete folding", line)
    for white in (b" ", b"\t"):
        yield refused("RFC 9112 §2.2", 400, "white space before the first field",
                      b"GET /v1/region HTTP/1.1\r\n" + white + b"Host: test\r\nHost: test\r\n\r\n")
    for character in '(),/;<=>?@[\\]{}"\x80\xff\0\x01\x7f':
        yield refused_lines("RFC 9110 §5.1", 400, "a name's letters", f"A{character}B: c")
    for byte in [*range(0x20), 0x7F]:
        if byte not in (0x09, 0x0A, 0x0D):
            yield refused_lines("RFC 9110 §5.5", 400, "a value's letters", f"A: b{chr(byte)}c")
    for line in ("A: b\rc", "A: b\r\rc", "A: b\nB: c", "A: b\n\r\nGET /v1/region HTTP/1.1", "A: b\r"):
        yield refused_lines("RFC 9112 §2.2", 400, "a bare CR or LF", line)
    yield refused_lines("RFC 6585 §5", 431, "many fields", *(f"A{number}: b" for number in range(101)))
    yield refused_lines("RFC 6585 §5", 431, "a large section", "A: " + "b" * 33000)
    # It has no date of its own, so that there is nothing to compare a date with, good or bad.
    for name in ("If-Modified-Since", "If-Unmodified-Since"):
        for value in ("Sat, 01 Jan 2000 00:00:00 GMT", "Sat, 01 Jan 2100 00:00:00 GMT", "yesterday", "0", "",
                      "Sat, 31 Feb 2026 25:61:61 GMT", "Sat, 01 Jan 2000 00:00:00 +0900"):
            yield answered("RFC 9110 §13.1", f"{name} {value!r}", f"{name}: {value}")
