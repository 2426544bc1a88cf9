"""What the Dockerfile makes, carried out without an engine and run as a container would: by root only.

It builds a static binary and a root of Debian's minimal system, which takes minutes the first time.
"""

import json
import os
import pathlib
import subprocess
import sys
import unittest

from support import ROOT

sys.path.insert(0, str(ROOT / "Tests/image"))

import container  # noqa: E402
import image  # noqa: E402
import spdx  # noqa: E402

KR = ("-H", "CloudFront-Viewer-Country: KR")
BUCKET = '{{"bucket":"{}"}}'


@unittest.skipUnless(os.getuid() == 0, "only root can make a root of another system and its namespaces")
class Image(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.image = cls.make()

    @classmethod
    def make(cls):
        return image.Image(ROOT / "build/image/root")

    def test_what_is_in_it(self):
        document = json.loads((self.image.root / "usr/share/doc/region-bucket/sbom.spdx.json").read_text())
        self.assertEqual(spdx.problems(document), [])
        version = subprocess.run([self.image.root / "usr/local/bin/region-bucket", "version"], check=True,
                                 capture_output=True, text=True).stdout.split()
        self.assertIn(self.image.labels()["org.opencontainers.image.version"], version)
        for name, bytes_max in (("usr/local/bin/region-bucket", 20_000_000),
                                ("usr/share/region-bucket/region-bucket.mmdb", 10_000_000)):
            size = pathlib.Path(self.image.root, name).stat().st_size
            print(f"{name}: {size} bytes")
            self.assertLess(size, bytes_max)

    def test_it_answers_and_writes_nothing(self):
        for is_read_only in (True, False):
            before = container.snapshot(self.image.root)
            with container.Container(self.image, read_only=is_read_only) as running:
                # An unknown peer's header is not believed; over the container's own loopback it is.
                self.assertEqual(running.ask(*KR), BUCKET.format("unknown"))
                self.assertEqual(running.ask_from_within(*KR), BUCKET.format("regionalMarket"))
                self.assertEqual(
                    running.ask_from_within("-H", "X-Forwarded-For: 168.126.63.1"), BUCKET.format("regionalMarket"))
                self.assertEqual(running.status("Uid"), ["65534"] * 4)
                self.assertEqual(running.status("NoNewPrivs"), ["1"])
                self.assertEqual(int(running.status("CapEff")[0], 16), 0)
                self.assertEqual(running.execute(*self.image.stage.healthcheck()).returncode, 0)
                linked = running.execute("/usr/bin/ldd", "/usr/local/bin/region-bucket").stdout
                self.assertIn("libc.so.6 =>", linked)
                self.assertNotIn("not found", linked)
                self.assertEqual(running.temporary_files(), [])
                self.assertEqual(running.stop(), 0)
            self.assertEqual(container.snapshot(self.image.root), before)


if __name__ == "__main__":
    unittest.main()
