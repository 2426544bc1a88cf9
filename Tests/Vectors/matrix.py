#!/usr/bin/env python3
"""Prints the matrix of clients and vector files, and ends with status 1 if it has a blank.

Reads the lines `matrix CLIENT FILE ROWS` that the clients' tests wrote, and holds them against the table in README.md:
a cell that says `yes` needs rows, any other says why there are none.
"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent


def main():
    table = {}
    lines = (HERE / "README.md").read_text().split("\n")
    header = next(line for line in lines if line.startswith("| file |"))
    clients = [cell.strip().lower() for cell in header.strip("|").split("|")[1:]]
    for line in lines:
        if match := re.match(r"\| `([\w-]+\.json)` \|(.*)\|$", line):
            table[match[1]] = dict(zip(clients, (cell.strip() for cell in match[2].split("|"))))
    files = {path.name for path in HERE.glob("*.json")}
    problems = [f"{name}: not in the table of README.md" for name in sorted(files - set(table))]
    problems += [f"{name}: does not exist" for name in sorted(set(table) - files)]
    ran = {}
    for line in sys.stdin:
        if match := re.match(r"matrix (\w+) ([\w-]+\.json) (\d+)$", line.strip()):
            ran[match[2], match[1]] = max(int(match[3]), ran.get((match[2], match[1]), 0))
    print("file".ljust(26) + "".join(client.ljust(12) for client in clients))
    for name in sorted(table):
        cells = []
        for client in clients:
            rows = ran.get((name, client), 0)
            says = table[name].get(client, "")
            if says == "yes" and rows == 0 or not says:
                problems.append(f"{name}: {client} ran no row")
            cells.append(str(rows) if rows else "-" if says != "yes" else "BLANK")
        print(name.ljust(26) + "".join(cell.ljust(12) for cell in cells))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
