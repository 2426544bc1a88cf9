#!/usr/bin/env python3
"""Looks addresses up with both readers of PyPI's maxminddb, and compares with what is expected.

usage: compare_readers.py DATABASE EXPECTATIONS [DATABASE EXPECTATIONS ...]

EXPECTATIONS has a line per address: the address, a tab, and the record as JSON (null for none; byte
sequences as {"bytes": "hexadecimal"}). Exit status 0 when all agree, 1 when not, 2 without the package.
"""

import json
import sys

try:
    import maxminddb
    import maxminddb.extension  # the reader made with libmaxminddb: without it one of two is missing
except ImportError as error:
    print(f"compare_readers.py: {error}", file=sys.stderr)
    sys.exit(2)

MODES = {"libmaxminddb": maxminddb.MODE_MMAP_EXT, "Python": maxminddb.MODE_MEMORY}


def plain(value):
    """A record with nothing in it that JSON lacks."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, (bytes, bytearray)):
        return {"bytes": value.hex()}
    return value


def compare(database, expectations):
    """Prints what differs; returns the numbers of lookups and of differences."""
    lookups = differences = 0
    for name, mode in MODES.items():
        with maxminddb.open_database(database, mode) as reader, open(expectations, encoding="utf-8") as lines:
            reader.metadata()
            for line in lines:
                address, expected = line.rstrip("\n").split("\t")
                lookups += 1
                found = plain(reader.get(address))
                if found != json.loads(expected):
                    differences += 1
                    if differences <= 20:
                        print(f"{name}: {address}: {json.dumps(found)}, not {expected}")
    return lookups, differences


def main(arguments):
    if not arguments or len(arguments) % 2:
        sys.exit(__doc__)
    totals = [compare(*arguments[index : index + 2]) for index in range(0, len(arguments), 2)]
    lookups, differences = (sum(column) for column in zip(*totals))
    print(f"lookups {lookups} differences {differences}")
    return 1 if differences or not lookups else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
