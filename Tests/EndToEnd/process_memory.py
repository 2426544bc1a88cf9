"""What a process holds in memory, as root can read it, and values that would be known again there."""

import pathlib
import random
import shutil
import subprocess

from support import ROOT

CHUNK_BYTES = 1 << 16
ZEROS = bytes(CHUNK_BYTES)
WINDOW_BYTES = 8
# The kernel's own pages: no process's data, and not all of them can be read.
KERNEL_MAPS = ("[vvar]", "[vvar_vclock]", "[vsyscall]", "[vdso]")


def windows(text):
    """All parts of eight bytes: a register's worth, as a compiler would spill it."""
    return {text[start:start + WINDOW_BYTES] for start in range(len(text) - WINDOW_BYTES + 1)} or {text}


class Marks:
    """What one request holds and nothing else: a word for its values, an IPv4 and an IPv6 address."""

    LETTERS = "bcdfghjkmnpqrstvwxz"

    def __init__(self, source):
        self.word = "".join(source.choice(self.LETTERS + self.LETTERS.upper() + "23456789") for _ in range(8))
        # Whatever eight bytes of it are left are the word, turned.
        self.text = self.word * 3
        # Korean blocks, so that a look-up finds something; the other octets stand in no ordinary number.
        self.ipv4 = f"168.126.{source.randrange(129, 250)}.{source.randrange(129, 250)}"
        groups = [f"{source.randrange(0x1001, 0xfffe):x}" for _ in range(6)]
        self.ipv6 = "2001:220:" + ":".join(groups)
        # A peer of the test's own, on loopback.
        self.peer = f"127.{source.randrange(129, 250)}.{source.randrange(129, 250)}.{source.randrange(129, 250)}"

    @staticmethod
    def octets(ipv4):
        return bytes(int(part) for part in ipv4.split("."))

    def ipv4_octets(self):
        return [self.octets(self.ipv4), self.octets(self.peer)]

    def ipv6_octets(self):
        return b"".join(int(group, 16).to_bytes(2, "big") for group in self.ipv6.split(":"))

    def patterns(self):
        """Bytes to look for, each with its name."""
        found = {}
        for text in (self.text, self.text.lower(), self.text.upper()):
            found |= {part: "a value" for part in windows(text.encode())}
        for text in (self.ipv4, self.peer, self.ipv6):
            found |= {part: f"{text} as text" for part in windows(text.encode())}
        for text, octets in zip((self.ipv4, self.peer), self.ipv4_octets()):
            found |= {octets: f"{text} in network order", octets[::-1]: f"{text} in host order"}
        octets = self.ipv6_octets()
        for half in (octets[:8], octets[8:]):
            found |= {half: f"{self.ipv6} in network order", half[::-1]: f"{self.ipv6} in host order"}
        return found


class ProcessMemory:
    """A running process's readable memory."""

    def __init__(self, pid):
        self.pid = pid

    def maps(self, changeable=False):
        """Start, end and name of each readable map; `changeable` leaves out files' pages that nobody can write."""
        for line in pathlib.Path(f"/proc/{self.pid}/maps").read_text().splitlines():
            place, rights, _, _, inode, *name = line.split(None, 5)
            name = name[0].strip() if name else "unnamed"
            if rights[0] != "r" or name in KERNEL_MAPS:
                continue
            if changeable and inode != "0" and rights[1] != "w":
                continue
            start, end = (int(part, 16) for part in place.split("-"))
            yield start, end, name

    def find(self, patterns, changeable=False):
        """Where a pattern stands: its name, the map and the bytes around it."""
        hits = []
        with open(f"/proc/{self.pid}/mem", "rb", buffering=0) as memory:
            for start, end, name in self.maps(changeable):
                before = b""
                for place in range(start, end, CHUNK_BYTES):
                    memory.seek(place)
                    try:
                        chunk = memory.read(min(CHUNK_BYTES, end - place))
                    except OSError:
                        # Gone in the meantime, or a device's.
                        break
                    if chunk == ZEROS:
                        before = b""
                        continue
                    whole = before + chunk
                    for pattern, meaning in patterns.items():
                        index = whole.find(pattern)
                        if index >= 0:
                            address = place - len(before) + index
                            hits.append((meaning, name, f"{address - start:#x} of {end - start:#x}",
                                         whole[max(0, index - 24):index + 40]))
                    before = whole[-64:]
        return hits


def distinct_marks(memory, count, seed=None):
    """So many marks of which the memory holds nothing yet: four bytes may stand somewhere by chance."""
    source = random.Random(seed)
    marks = [Marks(source) for _ in range(count + 4)]
    octets = {form: form for mark in marks for octet in mark.ipv4_octets() for form in (octet, octet[::-1])}
    taken = {hit[0] for hit in memory.find(octets)}
    free = [mark for mark in marks
            if not any(form in taken for octet in mark.ipv4_octets() for form in (octet, octet[::-1]))]
    assert len(free) >= count, "too few marks are free"
    return free[:count]


def build_control(directory, part):
    """A library of controls.c, to be named by LD_PRELOAD."""
    path = pathlib.Path(directory) / f"{part}.so"
    swift = shutil.which("swift")
    beside = pathlib.Path(swift).resolve().parent / "clang" if swift else None
    compiler = shutil.which("cc") or shutil.which("clang") or str(beside)
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", f"-D{part}", "-o", str(path),
                    str(ROOT / "Tests/EndToEnd/controls.c")], check=True)
    return str(path)
