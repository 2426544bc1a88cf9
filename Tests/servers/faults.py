"""What the misbehaving server does, one function per fault.

Each gets an `Exchange`, on which it sends bytes; the connection is closed when it returns. Nothing here goes on for
ever: a client that does not give up meets the end of `ENDLESS_BYTES` or `ENDLESS_SECONDS`, and fails its test.
"""

import time
import zlib

ENDLESS_BYTES = 64 << 20
ENDLESS_SECONDS = 20
ANSWER = b'{"bucket":"regionalMarket"}'

FAULTS = {}


def fault(name):
    """Registers a fault under the first part of the path that asks for it."""

    def register(function):
        assert name not in FAULTS
        FAULTS[name] = function
        return function

    return register


def head(status="200 OK", *fields, content_type="application/json"):
    """The head of an answer, which ends with the connection."""
    lines = [f"HTTP/1.1 {status}", "Connection: close", "Access-Control-Allow-Origin: *"]
    if content_type is not None:
        lines.append(f"Content-Type: {content_type}")
    return "\r\n".join([*lines, *fields, "", ""]).encode()


def whole(body, status="200 OK", *fields, content_type="application/json"):
    """A complete answer."""
    return head(status, f"Content-Length: {len(body)}", *fields, content_type=content_type) + body


def endless(exchange, piece):
    """Sends the same over and over, until the client has had enough."""
    end = time.monotonic() + ENDLESS_SECONDS
    sent = 0
    while sent < ENDLESS_BYTES and time.monotonic() < end:
        exchange.send(piece)
        sent += len(piece)


def drip(exchange, data, seconds_between):
    """Sends byte by byte."""
    for byte in data:
        exchange.send(bytes([byte]))
        if exchange.pause(seconds_between):
            return


def not_found(exchange):
    """What any other path gets."""
    exchange.send(whole(b"", "404 Not Found", content_type=None))


# Answers that are in order: they show that the faults are why the others are not.


@fault("regional")
def regional(exchange):
    exchange.send(whole(ANSWER))


@fault("other")
def other(exchange):
    exchange.send(whole(b'{"bucket":"otherMarket"}'))


@fault("says-unknown")
def says_unknown(exchange):
    exchange.send(whole(b'{"bucket":"unknown"}'))


@fault("chunked")
def chunked(exchange):
    exchange.send(head("200 OK", "Transfer-Encoding: chunked"))
    for part in (ANSWER[:5], ANSWER[5:]):
        exchange.send(b"%x\r\n%s\r\n" % (len(part), part))
    exchange.send(b"0\r\n\r\n")


@fault("cookie-and-cache")
def cookie_and_cache(exchange):
    fields = ("Set-Cookie: id=1; Secure; Max-Age=86400", "Cache-Control: public, max-age=86400", 'ETag: "1"')
    exchange.send(whole(ANSWER, "200 OK", *fields))


# Redirects. The target counts under the key with `-target` behind it.


def redirect(exchange, status, target):
    exchange.send(whole(ANSWER, status, f"Location: {target}"))


@fault("redirect-elsewhere")
def redirect_elsewhere(exchange):
    target = f"https://127.0.0.1:{exchange.ports['other']}/regional/{exchange.key}-target"
    redirect(exchange, "302 Found", target)


@fault("redirect-same-origin")
def redirect_same_origin(exchange):
    redirect(exchange, "307 Temporary Redirect", f"/regional/{exchange.key}-target")


@fault("redirect-permanent")
def redirect_permanent(exchange):
    redirect(exchange, "308 Permanent Redirect", f"/regional/{exchange.key}-target")


@fault("redirect-to-itself")
def redirect_to_itself(exchange):
    redirect(exchange, "301 Moved Permanently", exchange.path)


@fault("redirect-to-plain")
def redirect_to_plain(exchange):
    target = f"http://127.0.0.1:{exchange.ports['plain']}/regional/{exchange.key}-target"
    redirect(exchange, "302 Found", target)


# Time.


@fault("slow-first-byte")
def slow_first_byte(exchange):
    if not exchange.pause(ENDLESS_SECONDS):
        exchange.send(whole(ANSWER))


@fault("slow-head")
def slow_head(exchange):
    drip(exchange, whole(ANSWER), 0.2)


@fault("slow-drip")
def slow_drip(exchange):
    exchange.send(head("200 OK", f"Content-Length: {len(ANSWER)}"))
    drip(exchange, ANSWER, 0.3)


@fault("body-never-ends")
def body_never_ends(exchange):
    # The sentence is complete; the message is not, so it is no answer yet.
    exchange.send(head("200 OK", f"Content-Length: {len(ANSWER) + 1}") + ANSWER)
    exchange.pause(ENDLESS_SECONDS)


# Size.


@fault("endless-body")
def endless_body(exchange):
    exchange.send(head() + ANSWER)
    endless(exchange, b" " * 16384)


@fault("endless-chunks")
def endless_chunks(exchange):
    exchange.send(head("200 OK", "Transfer-Encoding: chunked"))
    endless(exchange, b"1000\r\n" + b" " * 4096 + b"\r\n")


@fault("ten-megabytes")
def ten_megabytes(exchange):
    body = ANSWER + b" " * (10_000_000 - len(ANSWER))
    exchange.send(head("200 OK", f"Content-Length: {len(body)}"))
    exchange.send(body)


@fault("large-length-then-nothing")
def large_length_then_nothing(exchange):
    # The length alone is reason enough to end it.
    exchange.send(head("200 OK", "Content-Length: 10000000"))
    exchange.pause(ENDLESS_SECONDS)


@fault("gzip-bomb")
def gzip_bomb(exchange):
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    body = packer.compress(ANSWER) + packer.compress(b" " * (8 << 20)) + packer.flush()
    exchange.send(whole(body, "200 OK", "Content-Encoding: gzip"))


@fault("gzip-bomb-within-the-limit")
def gzip_bomb_within_the_limit(exchange):
    # Under 1 KiB on the wire, 512 KiB behind a client's back.
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    body = packer.compress(ANSWER) + packer.compress(b" " * (512 << 10)) + packer.flush()
    assert len(body) < 1024
    exchange.send(whole(body, "200 OK", "Content-Encoding: gzip"))


@fault("endless-head")
def endless_head(exchange):
    exchange.send(b"HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\n")
    endless(exchange, b"X-Padding: " + b"x" * 4096 + b"\r\n")


@fault("endless-interim")
def endless_interim(exchange):
    endless(exchange, b"HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n" * 64)


# Broken off.


@fault("half-body-then-reset")
def half_body_then_reset(exchange):
    exchange.send(head("200 OK", f"Content-Length: {len(ANSWER)}") + ANSWER[:14])
    exchange.reset()


@fault("half-body-then-close")
def half_body_then_close(exchange):
    exchange.send(head("200 OK", f"Content-Length: {len(ANSWER)}") + ANSWER[:14])


@fault("short-of-its-length")
def short_of_its_length(exchange):
    exchange.send(head("200 OK", f"Content-Length: {len(ANSWER) + 100}") + ANSWER)


@fault("close-without-answer")
def close_without_answer(exchange):
    del exchange


@fault("reset-without-answer")
def reset_without_answer(exchange):
    exchange.reset()


@fault("not-http")
def not_http(exchange):
    exchange.send(b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n" + ANSWER)


@fault("bad-chunk-size")
def bad_chunk_size(exchange):
    exchange.send(head("200 OK", "Transfer-Encoding: chunked") + b"zz\r\n" + ANSWER + b"\r\n0\r\n\r\n")


# Whole, and not to be believed.


@fault("no-content")
def no_content(exchange):
    exchange.send(head("204 No Content"))


@fault("partial-content")
def partial_content(exchange):
    fields = (f"Content-Range: bytes 0-{len(ANSWER) - 1}/{len(ANSWER)}",)
    exchange.send(whole(ANSWER, "206 Partial Content", *fields))


@fault("unauthorized")
def unauthorized(exchange):
    exchange.send(whole(ANSWER, "401 Unauthorized", 'WWW-Authenticate: Basic realm="x"'))


@fault("error-with-valid-body")
def error_with_valid_body(exchange):
    exchange.send(whole(ANSWER, "500 Internal Server Error"))


@fault("unavailable")
def unavailable(exchange):
    exchange.send(whole(ANSWER, "503 Service Unavailable", "Retry-After: 0"))


@fault("other-case")
def other_case(exchange):
    exchange.send(whole(b'{"bucket":"RegionalMarket"}'))


@fault("byte-order-mark")
def byte_order_mark(exchange):
    exchange.send(whole(b"\xef\xbb\xbf" + ANSWER))


@fault("html")
def html(exchange):
    exchange.send(whole(b"<html><body>Sign in to the network</body></html>", content_type="text/html"))


@fault("json-as-html")
def json_as_html(exchange):
    exchange.send(whole(ANSWER, content_type="text/html"))


@fault("no-content-type")
def no_content_type(exchange):
    exchange.send(whole(ANSWER, content_type=None))


@fault("two-content-types")
def two_content_types(exchange):
    exchange.send(whole(ANSWER, "200 OK", "Content-Type: application/json", content_type="text/html"))


@fault("content-type-in-trailer")
def content_type_in_trailer(exchange):
    exchange.send(head("200 OK", "Transfer-Encoding: chunked", "Trailer: Content-Type", content_type=None))
    exchange.send(b"%x\r\n%s\r\n0\r\nContent-Type: application/json\r\n\r\n" % (len(ANSWER), ANSWER))
