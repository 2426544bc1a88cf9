"""Once a request is answered, and its connection idle or closed, nothing of it is in the service's memory.

Every readable map of the running process is searched for the request's address, as text and as bytes in either order,
and for any eight bytes of its values.
"""

import os
import pathlib
import re
import tempfile
import time
import unittest

from memory_cases import HASTY, PATIENT, SETTINGS, Client
from process_memory import ProcessMemory, build_control, distinct_marks
from support import SANITIZER, Service

SHORT = {"headSeconds": 0.3, "bodySeconds": 0.3, "lingerSeconds": 0.2, "writeStallSeconds": 0.3}
# A busy machine may take its time until a loop is back at its wait.
PATIENCE_SECONDS = 20


@unittest.skipIf(SANITIZER, "a sanitizer keeps what the program has wiped")
@unittest.skipUnless(os.geteuid() == 0, "only root can read another process's memory once it is not dumpable")
class Memory(unittest.TestCase):
    def cases(self, setting, preload=None):
        """Runs every case in a setting; yields the case's name, its client's patterns and the memory."""
        environment = {"SECRET": "of-the-operator-0123456789", **({"LD_PRELOAD": preload} if preload else {})}
        for timeouts, cases in ((None, PATIENT), (SHORT, HASTY)):
            with Service({"timeouts": timeouts, **setting.changes}, environment=environment) as service:
                memory = ProcessMemory(service.process.pid)
                for case, marks in zip(cases, distinct_marks(memory, len(cases)), strict=True):
                    client = Client(service, setting, marks)
                    try:
                        case(client)
                        yield case.__name__, marks.patterns(), memory
                    finally:
                        client.close()
                    self.assertEqual(service.process.poll(), None)

    def assert_clean(self, memory, patterns, changeable):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while hits := memory.find(patterns, changeable):
            self.assertLess(time.monotonic(), deadline, "\n".join(map(str, hits[:12])))

    def check(self, name):
        """Nothing stays, whatever clients do, in the setting of that name."""
        setting = next(setting for setting in SETTINGS if setting.name == name)
        for case, patterns, memory in self.cases(setting):
            with self.subTest(case=case):
                # After the last one files' pages are searched, too, which nobody should be able to write to.
                self.assert_clean(memory, patterns, changeable=case != PATIENT[-1].__name__)

    def test_nothing_stays_of_what_a_cdn_says(self):
        self.check("cdn")

    def test_nothing_stays_of_what_netlify_says(self):
        self.check("netlify")

    def test_nothing_stays_of_a_list_of_addresses(self):
        self.check("list")

    def test_nothing_stays_of_an_ipv6_address(self):
        self.check("list of IPv6")

    def test_nothing_stays_of_forwarded(self):
        self.check("forwarded")

    def test_nothing_stays_of_an_address_with_its_port(self):
        self.check("viewer address")

    def test_nothing_stays_of_a_peer(self):
        self.check("stranger")

    def test_nothing_stays_of_a_wrong_secret(self):
        self.check("secret")

    def test_nothing_stays_of_a_proxy_preface_in_words(self):
        self.check("PROXY 1")

    def test_nothing_stays_of_a_proxy_preface_in_bytes(self):
        self.check("PROXY 2")

    def test_every_setting_has_its_test(self):
        checked = re.findall(r'self\.check\("([^"]+)"\)', pathlib.Path(__file__).read_text())
        self.assertEqual(sorted(checked), sorted(setting.name for setting in SETTINGS))

    def test_every_readable_map_is_searched(self):
        """The positive control: what the service must hold, since it was configured so, is found."""
        with Service({"cors": {"origins": ["https://wherever.example"]}}) as service:
            memory = ProcessMemory(service.process.pid)
            self.assertTrue(memory.find({b"https://wherever.example": "an origin"}, changeable=True))
            names = {name for _, _, name in memory.maps()}
            for part in ("[heap]", "[stack]", "/memfd:region-bucket-database (deleted)"):
                self.assertIn(part, names)
            # Whole pages of the kernel's apart, all that can be read is read.
            self.assertGreater(sum(end - start for start, end, _ in memory.maps()), 10 << 20)

    def test_without_wiping_every_case_leaves_something(self):
        """The positive control of the cases: with explicit_bzero(3) made to do nothing, each is found."""
        with tempfile.TemporaryDirectory() as directory:
            preload = build_control(directory, "KEEP_BYTES")
            for setting in SETTINGS:
                if setting.name not in ("cdn", "list", "PROXY 2"):
                    continue
                for name, patterns, memory in self.cases(setting, preload):
                    with self.subTest(setting.name, case=name):
                        self.assertTrue(memory.find(patterns, changeable=True))

    def test_without_wiping_the_stack_addresses_are_left(self):
        """And with the stack alone left as it is, addresses are found there."""
        with tempfile.TemporaryDirectory() as directory:
            preload = build_control(directory, "KEEP_STACK")
            for setting in SETTINGS:
                if setting.name not in ("list of IPv6", "stranger", "PROXY 1"):
                    continue
                left = sum(bool(memory.find(patterns, changeable=True))
                           for _, patterns, memory in self.cases(setting, preload))
                self.assertGreater(left, 5, setting.name)


if __name__ == "__main__":
    unittest.main()
