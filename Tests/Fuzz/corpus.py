#!/usr/bin/env python3
"""Inputs to start from, one a line of a text file, bytes outside printable ASCII escaped.

    corpus.py unpack FILE DIRECTORY     one file an input, as libFuzzer wants them
    corpus.py pack DIRECTORY FILE       the other way round; of many inputs some of every size
"""

import hashlib
import pathlib
import sys

COUNT_MAX = 250
BYTES_MAX = 64 * 1024
ESCAPES = {0x0D: "\\r", 0x0A: "\\n", 0x09: "\\t", 0x5C: "\\\\"}


def escaped(data):
    return "".join(ESCAPES.get(byte) or (chr(byte) if 0x20 <= byte < 0x7F else f"\\x{byte:02x}") for byte in data)


def unescaped(line):
    return line.encode("latin-1").decode("unicode_escape").encode("latin-1")


def unpack(source, directory):
    directory.mkdir(parents=True, exist_ok=True)
    for line in source.read_text().splitlines():
        data = unescaped(line)
        (directory / hashlib.sha1(data).hexdigest()).write_bytes(data)


def pack(directory, target):
    inputs = sorted({path.read_bytes() for path in directory.iterdir()}, key=lambda data: (len(data), data))
    step = max(1, -(-len(inputs) // COUNT_MAX))
    kept, size = [], 0
    for data in inputs[::step]:
        line = escaped(data)
        size += len(line) + 1
        if size > BYTES_MAX:
            break
        assert unescaped(line) == data
        kept.append(line + "\n")
    target.write_text("".join(sorted(kept)))


if __name__ == "__main__":
    command, first, second = sys.argv[1:]
    {"unpack": unpack, "pack": pack}[command](pathlib.Path(first), pathlib.Path(second))
