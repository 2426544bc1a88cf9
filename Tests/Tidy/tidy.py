#!/usr/bin/env python3
"""Rules for the tree itself: sizes, directions between targets, documents that must keep up with the code.

Prints each breach with its place and ends with status 1 if there is one.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 70
LINE_LENGTH_MAX = 120

# Which targets each may import: data flows one way. A target that is not here may not exist.
DIRECTIONS = {
    "CLinux": [],
    "CByteSpan": [],
    "CMaxMindDB": [],
    "CLibcurl": [],
    "RegionModel": [],
    "HTTPWire": ["CByteSpan"],
    "ClientSignal": ["RegionModel", "HTTPWire"],
    "ServiceConfig": ["RegionModel", "HTTPWire", "ClientSignal"],
    "DatabaseBuild": ["RegionModel"],
    "EdgeExport": ["RegionModel"],
    "GeoLookup": ["RegionModel", "ClientSignal", "CMaxMindDB"],
    "RegionService": ["RegionModel", "HTTPWire", "ClientSignal", "GeoLookup", "ServiceConfig"],
    "RegionServer": ["HTTPWire", "ClientSignal", "RegionService", "CLinux"],
    "region-bucket": ["RegionModel", "HTTPWire", "ClientSignal", "DatabaseBuild", "EdgeExport", "GeoLookup",
                      "ServiceConfig", "RegionService", "RegionServer", "CLinux"],
    "RegionClient": ["RegionModel", "CLibcurl"],
    "AdPlan": ["RegionModel"],
    "ConsentOrder": ["RegionModel"],
}
# System modules that a target may import besides.
SYSTEM = {
    "RegionModel": [], "HTTPWire": ["CByteSpan"], "ClientSignal": [], "EdgeExport": [],
    "ServiceConfig": ["FoundationEssentials", "Foundation", "Glibc", "Darwin"],
    "DatabaseBuild": ["Glibc", "Darwin"],
    "GeoLookup": ["Glibc"],
    "RegionService": ["Dispatch", "Glibc", "Synchronization"],
    "RegionServer": ["Dispatch", "Glibc", "Synchronization"],
    "region-bucket": ["Dispatch", "Glibc"],
    "AdPlan": [], "ConsentOrder": ["AppTrackingTransparency", "UIKit", "AppKit"],
    "RegionClient": None,
}

breaches = []


def breach(place, text):
    breaches.append(f"{place}: {text}")


def tracked(*patterns):
    names = subprocess.run(["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
                           check=True, capture_output=True, text=True).stdout.split("\n")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def relative(path):
    return path.relative_to(ROOT)


def check_sizes():
    for path in tracked("*.swift", "*.c", "*.h", "*.py", "*.js", "*.java", "*.kt", "*.sh"):
        lines = path.read_text().split("\n")
        if len(lines) - 1 > FILE_LINES_MAX:
            breach(relative(path), f"{len(lines) - 1} lines; {FILE_LINES_MAX} at most")
        for number, line in enumerate(lines, 1):
            if len(line) > LINE_LENGTH_MAX and "http" not in line:
                breach(f"{relative(path)}:{number}", f"{len(line)} columns; {LINE_LENGTH_MAX} at most")
        if path.suffix == ".swift":
            check_functions(path, lines)


def check_functions(path, lines):
    """A function runs from its line to the closing brace at the same indentation: the formatter sees to that."""
    for start, line in enumerate(lines):
        match = re.match(r"( *)(?:[@\w()]+ )*(?:func |init[?(<]|deinit)", line)
        if not match:
            continue
        indent = match.group(1)
        for end in range(start, len(lines)):
            if lines[end].rstrip() in (indent + "}",) or (end == start and lines[end].rstrip().endswith("}")):
                if end - start + 1 > FUNCTION_LINES_MAX:
                    breach(f"{relative(path)}:{start + 1}", f"a function of {end - start + 1} lines")
                break


def check_directions():
    package = json.loads(subprocess.run(["swift", "package", "--package-path", ROOT, "dump-package"],
                                        check=True, capture_output=True, text=True).stdout)
    for target in package["targets"]:
        if target["type"] == "test" or (target.get("path") or "").startswith(("Tests/", "Examples/")):
            continue
        name = target["name"]
        if name not in DIRECTIONS:
            breach("Package.swift", f"the target {name} has no direction in Tests/Tidy/tidy.py")
            continue
        declared = {next(iter(d.values()))[0] for d in target["dependencies"]}
        if extra := declared - set(DIRECTIONS[name]):
            breach("Package.swift", f"{name} may not depend on {', '.join(sorted(extra))}")
        for path in tracked(f"Sources/{name}/*.swift"):
            for number, line in enumerate(path.read_text().split("\n"), 1):
                match = re.match(r"\s*(?:@\w+ )?import (?:\w+ )?(\w+)", line)
                if not match:
                    continue
                module = match.group(1)
                if module in DIRECTIONS:
                    allowed = module in declared
                else:
                    allowed = SYSTEM.get(name) is None or module in SYSTEM[name]
                if not allowed:
                    breach(f"{relative(path)}:{number}", f"{name} may not import {module}")


def check_words():
    banned = [
        (r"\b(TODO|FIXME|XXX:)", "left open"),
        (r"(?<![\w/])/(work|farm|root)/", "a path of somebody's machine"),
        (r"\b[Aa]nonym", "nothing here is anonymous: say what is kept"),
    ]
    for path in tracked("Sources", "Clients", "Scripts", "Config", "Docs", "*.md", "Dockerfile"):
        if path.suffix in (".png", ".mmdb"):
            continue
        for number, line in enumerate(path.read_text().split("\n"), 1):
            for pattern, meaning in banned:
                if re.search(pattern, line) and "tidy: allow" not in line:
                    breach(f"{relative(path)}:{number}", meaning)


def check_numbered_lines():
    """Every line that a document numbers (W1, C1 …) is named by a test."""
    tests = "\n".join(path.read_text() for path in tracked("Tests/*.py", "Tests/*.swift"))
    for document, letter in (("Docs/wire.md", "w"), ("Docs/caching.md", "c")):
        path = ROOT / document
        if not path.exists():
            breach(document, "is missing")
            continue
        numbers = [int(number) for number in re.findall(rf"\*\*{letter.upper()}(\d+)\*\*", path.read_text())]
        if numbers != list(range(1, len(numbers) + 1)):
            breach(document, f"its lines are not numbered {letter.upper()}1 to {letter.upper()}{len(numbers)}")
        for number in numbers:
            if not re.search(rf"(?:test|_)_?{letter}{number:02}(?=_)", tests):
                breach(document, f"no test names {letter.upper()}{number} (test_{letter}{number:02}_…)")


def check_proofs(document=ROOT / "Docs/privacy.md", breach=breach):
    """Every numbered line of the privacy page names tests that exist, as `file: what stands in it`."""
    text = document.read_text()
    lines = re.findall(r"^- \*\*P(\d+)\*\* (.*?)(?=\n\n|\n- |\n#|\Z)", text, re.M | re.S)
    if [int(number) for number, _ in lines] != list(range(1, len(lines) + 1)):
        breach(document.name, f"its lines are not numbered P1 to P{len(lines)}")
    files = tracked("Tests", "Clients")
    for number, line in lines:
        proofs = re.findall(r"`([\w./]+): ([^`]+)`", line)
        if not proofs:
            breach(document.name, f"no test is named for P{number}")
        for name, words in proofs:
            holders = [path for path in files if f"/{path}".endswith(f"/{name}")]
            if not any(re.search(re.escape(words) + r"(?!\w)", path.read_text()) for path in holders):
                breach(document.name, f"P{number}: {name} has no {words}")
    for number in re.findall(r"\(P(\d+)", text):
        if int(number) > len(lines):
            breach(document.name, f"there is no P{number}")


def check_operations():
    """The lists of the operations page are the code's own."""
    page = (ROOT / "Docs/operations.md").read_text()

    def section(title):
        return page.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]

    def compare(title, documented, actual):
        for name in sorted(actual - documented):
            breach("Docs/operations.md", f"{title}: {name} is missing")
        for name in sorted(documented - actual):
            breach("Docs/operations.md", f"{title}: {name} does not exist")

    statuses = (ROOT / "Sources/region-bucket/ExitStatus.swift").read_text()
    compare("Exit status", set(re.findall(r"^\| (\d+) \|", section("Exit status"), re.M)),
            set(re.findall(r"case \w+ = (\d+)", statuses)))
    families = (ROOT / "Sources/RegionService/Metrics/MetricFamily.swift").read_text()
    compare("Metrics", set(re.findall(r"^\| `(region_bucket_\w+)`", section("Metrics"), re.M)),
            set(re.findall(r'"(region_bucket_\w+)"', families)))
    sources = "\n".join(path.read_text() for path in tracked("Sources/*.swift"))
    events = set(re.findall(r'LogEvent\(\s*\.?\w+,\s*"([\w-]+)"', sources))
    events |= set(re.findall(r'LogEvent\(\s*\.\w+,\s*is\w+ \? "([\w-]+)"', sources))
    events |= set(re.findall(r'LogEvent\(\s*\.\w+,\s*is\w+ \? "[\w-]+" : "([\w-]+)"', sources))
    compare("Log", set(re.findall(r"^\| `([\w-]+)` \|", section("Log"), re.M)), events | {"access"})
    decisions = (ROOT / "Sources/RegionModel/Decision.swift").read_text()
    reasons = decisions.split("enum UnknownReason")[1].split("var index")[0]
    compare("Why `unknown`?", set(re.findall(r"^\| `(\w+)` \|", section("Why `unknown`?").split("###")[0], re.M)),
            set(re.findall(r"^  case (\w+)", reasons, re.M)))
    compare("The headers of the presets", set(re.findall(r"^\| `.*\|$", section("Why `unknown`?").split(
        "### The headers of the presets\n")[1], re.M)), preset_rows())


def preset_rows():
    """The presets as rows of the page: name, then the fields of country, subdivision, city and address."""
    code = (ROOT / "Sources/ClientSignal/CDNPresetRows.swift").read_text()
    # What a helper makes, as if it stood in the row.
    for helper, field in re.findall(r"func (\w+)\(_ .*\n +LocationField\(\s*(FieldName\(\"[^\"]+\"\))", code):
        code = code.replace(f" {helper}(", f" {field}, (")
    rows = set()
    for name, rest in re.findall(r'CDNPreset\(\s*name: "([\w-]+)"(.*?)(?=\n\n|\Z)', code, re.S):
        cells = [f"`{name}`"]
        for key in ("country", "subdivision", "city", "clientAddress"):
            match = re.search(rf'\b{key}: [^"]*FieldName\("([^"]+)"', rest)
            cells.append(f"`{match[1]}`" if match else "")
        rows.add(re.sub(" +", " ", f"| {' | '.join(cells)} |"))
    return rows


def main():
    for check in (check_operations, check_sizes, check_directions, check_words, check_numbered_lines, check_proofs):
        check()
    for text in breaches:
        print(text)
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
