"""HTTP/1.1 case by case, continued: where a request's body ends, and whether another request may follow."""

from http_cases import (
    ALLOW, CLOSE, CONTINUE, KEEP_ALIVE, KR, Case, answered, bucket_answer, fields, hosts, methods, problem, refused,
    refused_lines, request_lines, targets)
from support import request

CHUNKED = "Transfer-Encoding: chunked"
HELLO = b"5\r\nhello\r\n0\r\n\r\n"


def content_lengths():
    for value in ("5", "05", "00000000000000000000000005", " 5 ", "\t5\t"):
        yield answered("RFC 9112 §6.3", f"Content-Length {value!r}", f"Content-Length:{value}", rest=b"hello")
    yield answered("RFC 9112 §6.3", "Content-Length 0", "Content-Length: 0")
    yield answered("RFC 9112 §6.3", "a body that looks like a request", f"Content-Length: {len(request(KR))}",
                   rest=request(KR))
    yield answered("RFC 9112 §6.3", "a body that looks like a request", f"Content-Length: {len(request(KR))}",
                   method="POST", rest=request(KR), answers=problem(405, allow=ALLOW))
    yield answered("RFC 9110 §9.3.4", "the body of another method", "Content-Length: 5", rest=b"hello", method="PUT",
                   answers=problem(405, allow=ALLOW))
    for value in ("", "+5", "-5", "-0", "0x5", "5 5", "5,5", "5, 5", "5,", ",5", "5;", "5.0", "5e1", "five", '"5"',
                  "5\xa0", "_5", "0b101", "\xb2", "5\x0b", "5\x00"):
        yield refused_lines("RFC 9112 §6.3", 400, "Content-Length", f"Content-Length: {value}")
    for second in ("Content-Length: 5", "content-length: 5", "Content-Length: 6", "Content-Length: 0",
                   "Content-Length:"):
        yield refused_lines("RFC 9112 §6.3", 400, "two lengths", "Content-Length: 5", second)
        yield refused_lines("RFC 9112 §6.3", 400, "two lengths, apart", "Content-Length: 5", "A: b", second)
    for value in ("65537", "2147483648", "4294967296", "4294967301", "9223372036854775807", "9223372036854775808",
                  "18446744073709551615", "18446744073709551616", "18446744073709551621", "1" + "0" * 200):
        yield refused_lines("RFC 9110 §15.5.14", 413, "a huge length", f"Content-Length: {value}")


def transfer_codings():
    for line in (CHUNKED, "transfer-encoding:CHUNKED", "Transfer-Encoding:\tchunked\t "):
        yield answered("RFC 9112 §6.1", f"the coding {line!r}", line, rest=HELLO)
    for value in ("gzip, chunked", "identity,chunked", "a, b\t,\tChunked"):
        yield refused_lines("RFC 9112 §6.1", 501, "another coding", f"Transfer-Encoding: {value}", rest=HELLO)
    for value in ("", "gzip", "identity", "chunked, gzip", "chunked, chunked", "chunked,identity", ",chunked",
                  "chunked,", "gzip,,chunked", "chunked;q=1", "gzip;a=b, chunked", "xchunked", "chunkedx", '"chunked"',
                  "chun\tked", "chunked\x0b", "\x0bchunked", "\x00chunked", "chunked\x80", "chunke", "ch\xfcnked"):
        yield refused_lines("RFC 9112 §6.3", 400, "a coding", f"Transfer-Encoding: {value}", rest=HELLO)
    for second in (CHUNKED, "Transfer-Encoding: identity", "transfer-encoding: gzip", "Transfer-Encoding:"):
        yield refused_lines("RFC 9112 §6.3", 400, "two fields", CHUNKED, second, rest=HELLO)
    for length in ("5", "0", str(len(HELLO)), ""):
        both = (CHUNKED, f"Content-Length: {length}")
        yield refused_lines("RFC 9112 §6.3", 400, "both", *both, rest=HELLO)
        yield refused_lines("RFC 9112 §6.3", 400, "both", *reversed(both), rest=HELLO)
    yield refused_lines("RFC 9112 §6.1", 400, "in HTTP/1.0", CHUNKED, rest=HELLO, version="HTTP/1.0")
    # Other names are other fields: what looks like a body is the next request.
    for line in ("Transfer_Encoding: chunked", "X-Transfer-Encoding: chunked", "Content_Length: 5", "TE: chunked",
                 "Content-Length-: 5", "Content-Lengt: 5", "X-Content-Length: 5", "Proxy-Connection: close"):
        yield answered("RFC 9110 §5.1", f"the field {line!r}", line)
        case = answered("RFC 9110 §5.1", f"{line!r} frames nothing", line, rest=HELLO)
        yield case._replace(answers=bucket_answer() + problem(400, CLOSE), closes=True)


def chunk(section, name, body):
    return answered(section, f"{name}: {body[:50]!r}", CHUNKED, rest=body)


def bad_chunk(section, status, name, body):
    return refused(section, status, f"{name} {body[:50]!r}", request(KR, CHUNKED) + body)


def chunks():
    for size in (b"5", b"05", b"0000000000000005"):
        yield chunk("RFC 9112 §7.1", "a size", size + b"\r\nhello\r\n0\r\n\r\n")
    for body in (b"0\r\n\r\n", b"000\r\n\r\n", b"a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n",
                 b"%x\r\n%s\r\n0\r\n\r\n" % (len(request(KR)), request(KR))):
        yield chunk("RFC 9112 §7.1", "chunks", body)
    for size in (b"", b"0x5", b"-5", b"+5", b" 5", b"\t5", b"5 ", b"5\t", b"g", b"5h", b"5_", b"00000000000000005",
                 b"5,5", b"5\0", b"\0", b"5\x0b", b"%35"):
        yield bad_chunk("RFC 9112 §7.1", 400, "a size", size + b"\r\nhello\r\n0\r\n\r\n")
    for size in (b"10001", b"ffffffff", b"100000005", b"7fffffffffffffff", b"ffffffffffffffff", b"8000000000000000"):
        yield bad_chunk("RFC 9110 §15.5.14", 413, "a huge size", size + b"\r\nhello\r\n0\r\n\r\n")
    yield bad_chunk("RFC 9110 §15.5.14", 413, "too much in all", b"8000\r\n" + b"x" * 0x8000 + b"\r\n8001\r\n")
    for data in (b"helloX\r\n", b"hello", b"hell\r\n", b"hello!\r\n"):
        yield bad_chunk("RFC 9112 §7.1", 400, "the end of a chunk", b"5\r\n" + data + b"0\r\n\r\n")
    for body in (b"5\nhello\r\n0\r\n\r\n", b"5\r\nhello\n0\r\n\r\n", b"5\r\nhello\r\n0\n\r\n", b"5\r\nhello\r\n0\r\n\n",
                 b"5\rhello\r\n0\r\n\r\n", b"5\r\r\nhello\r\n0\r\n\r\n", b"5\r\nhello\r0\r\n\r\n",
                 b"5\r\nhello\r\n0\r\n\rX"):
        yield bad_chunk("RFC 9112 §2.2", 400, "a bare CR or LF", body)
    for extension in (b";a", b";a=b", b';a="b"', b';a="b;c"', b';a="\\""', b" ; a = b", b"\t;a", b";a;b=c;d",
                      b'; a="b\tc"'):
        yield chunk("RFC 9112 §7.1.1", "extensions", b"5" + extension + b"\r\nhello\r\n0" + extension + b"\r\n\r\n")
    for extension in (b";", b";;a", b";a=", b";a=b c", b";=b", b';a="b', b';a="b"c', b";a,b", b" a", b";a=\0",
                      b";a\x0b=b", b';a="\x01"', b";a ", b";\xe9"):
        yield bad_chunk("RFC 9112 §7.1.1", 400, "extensions", b"5" + extension + b"\r\nhello\r\n0\r\n\r\n")
    for extension in (b";a\rb", b";a\nb", b';a="\n"'):
        yield bad_chunk("RFC 9112 §7.1.1", 400, "a bare CR or LF", b"5" + extension + b"\r\nhello\r\n0\r\n\r\n")
    yield bad_chunk("RFC 9112 §7.1.1", 413, "long extensions", b"5;" + b"a" * 5000 + b"\r\nhello\r\n0\r\n\r\n")


def trailers():
    for lines in (b"A: b\r\n", b"A: b\r\nC: d\r\n", b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n",
                  b"Host: other\r\n", b"Connection: close\r\n", b"CloudFront-Viewer-Country: US\r\n"):
        yield chunk("RFC 9112 §7.1.2", "trailers", b"5\r\nhello\r\n0\r\n" + lines + b"\r\n")
    for section, lines in (
            ("RFC 9112 §5.1", b"A : b\r\n"), ("RFC 9112 §5.2", b"A: b\r\n c\r\n"), ("RFC 9112 §2.2", b" A: b\r\n"),
            ("RFC 9112 §5", b"A\r\n"), ("RFC 9110 §5.5", b"A: \0\r\n"), ("RFC 9112 §2.2", b"A: b\n"),
            ("RFC 9110 §5.1", b"A(: b\r\n"), ("RFC 9112 §5", b"GET /v1/region HTTP/1.1\r\n")):
        yield bad_chunk(section, 400, "trailers", b"5\r\nhello\r\n0\r\n" + lines + b"\r\n")
    many = b"".join(b"A%d: b\r\n" % number for number in range(101))
    for lines in (many, b"A: " + b"b" * 33000 + b"\r\n"):
        yield bad_chunk("RFC 6585 §5", 431, "many trailers", b"0\r\n" + lines + b"\r\n")


def expectations():
    for line, rest in (("Content-Length: 5", b"hello"), (CHUNKED, HELLO)):
        yield answered("RFC 9110 §10.1.1", f"100-continue and {line}", line, "Expect: 100-Continue", rest=rest,
                       continues=True)
    for lines in ([], ["Content-Length: 0"]):
        yield answered("RFC 9110 §10.1.1", f"100-continue without a body {lines}", *lines, "Expect: 100-continue")
    yield answered("RFC 9110 §10.1.1", "100-continue in HTTP/1.0", "Content-Length: 5", "Expect: 100-continue",
                   rest=b"hello", version="HTTP/1.0", closes=True)
    for value in ("200-ok", "100-continue;a=b", "100-continue=1", "x"):
        yield answered("RFC 9110 §15.5.18", f"Expect {value!r}", f"Expect: {value}", answers=problem(417))
    yield answered("RFC 9110 §10.1.1", "Expect, empty", "Expect:")
    for line in ("Content-Length: 65537", "Content-Length: +5", "Transfer-Encoding: gzip"):
        status = 413 if "65537" in line else 400
        yield refused_lines("RFC 9110 §10.1.1", status, "100-continue refused", "Expect: 100-continue", line)


def connections():
    for value in ("close", "Close", "keep-alive, close", "close, keep-alive", "TE,,\tclose ,", "close;x", '"close"',
                  "keep alive"):
        yield answered("RFC 9112 §9.6", f"Connection {value!r}", f"Connection: {value}", closes=True)
    yield answered("RFC 9112 §9.6", "close in a second line", "Connection: TE", "connection: close", closes=True)
    for value in ("", "keep-alive", "TE", "upgrade", "closed, x-close", "Host, Content-Length",
                  "CloudFront-Viewer-Country"):
        yield answered("RFC 9110 §7.6.1", f"Connection {value!r}", f"Connection: {value}")
    confirmed = bucket_answer(connection=KEEP_ALIVE)
    for lines in (["Connection: keep-alive"], ["Connection: TE, Keep-Alive"],
                  ["Connection: TE", "Connection: keep-alive"]):
        yield answered("RFC 9112 §9.3", f"HTTP/1.0 and {lines}", *lines, version="HTTP/1.0", answers=confirmed)
    for lines in ([], ["Keep-Alive: timeout=5"], ["Connection: keep-alive, close"], ["Connection: x"],
                  ["Proxy-Connection: keep-alive"]):
        yield answered("RFC 9112 §9.3", f"HTTP/1.0 and {lines}", *lines, version="HTTP/1.0", closes=True)
    yield answered("RFC 9112 §9.3", "a body in HTTP/1.0", "Content-Length: 5", "Connection: keep-alive",
                   version="HTTP/1.0", rest=b"hello", answers=confirmed)


def unfinished():
    """A client that ends its side in the middle of a request has gone: no answer is due (RFC 9112 §8)."""
    whole = request(KR, "Content-Length: 5") + b"hello"
    for count in (1, 4, 20, len(whole) - 6, len(whole) - 5, len(whole) - 1):
        yield Case("RFC 9112 §8", f"the first {count} bytes", whole[:count], b"", True)
    for rest in (b"", b"5", b"5\r\n", b"5\r\nhel", b"5\r\nhello\r\n", b"5\r\nhello\r\n0\r\n",
                 b"5\r\nhello\r\n0\r\nA: b\r\n"):
        yield Case("RFC 9112 §8", f"chunks up to {rest!r}", request(KR, CHUNKED) + rest, b"", True)
    yield Case("RFC 9112 §2.2", "an empty line and nothing else", b"\r\n", b"", True)
    yield Case("RFC 9112 §2.2", "nothing", b"", b"", True)


def sent_with(case):
    """What a client that sends a case's head first has to get before the answer."""
    return CONTINUE if case.continues else b""


COMPLETE = [case for group in (
    request_lines, methods, targets, hosts, fields, content_lengths, transfer_codings, chunks, trailers, expectations,
    connections) for case in group()]
UNFINISHED = list(unfinished())
