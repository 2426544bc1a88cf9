"""The Swift client against the real service, behind TLS: all three buckets, and the providers that follow."""

import contextlib
import json
import subprocess
import sys
import unittest

from support import ROOT, Service

# What the front adds, as a CDN would; the bucket; the providers asked while those fail; what is shown.
WALKS = [
    (["CloudFront-Viewer-Country: KR"], "regionalMarket", [], ["regional"], "regional"),
    (["CloudFront-Viewer-Country: KR"], "regionalMarket", ["regional"], ["regional", "global"], "global"),
    (["CloudFront-Viewer-Country: KR"], "regionalMarket", ["regional", "global"], ["regional", "global"], "inHouse"),
    (["CloudFront-Viewer-Country: US"], "otherMarket", [], ["global"], "global"),
    (["CloudFront-Viewer-Country: US"], "otherMarket", ["global"], ["global"], "inHouse"),
    ([], "unknown", [], ["global"], "global"),
    (["CloudFront-Viewer-Country: KOR"], "unknown", ["global"], ["global"], "inHouse"),
]


@contextlib.contextmanager
def tls_front(port, fields):
    command = [sys.executable, "-B", ROOT / "Tests/servers/tls_front.py", str(port), *fields]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield json.loads(process.stdout.readline())
    finally:
        process.stdin.close()
        process.wait(10)
        process.stdout.close()


class SwiftClient(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        subprocess.run(["swift", "build", "--product", "resolve-region"], cwd=ROOT, check=True, capture_output=True)
        cls.service = Service({"sources": ["cdn"], "database": None})

    @classmethod
    def tearDownClass(cls):
        assert cls.service.stop() == 0

    def resolve(self, front, *arguments):
        url = f"https://127.0.0.1:{front['https']}/v1/region"
        command = [ROOT / ".build/debug/resolve-region", url, "127.0.0.1", "--authorities", front["ca"], *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=20).stdout.splitlines()

    def test_every_bucket_and_its_providers(self):
        for fields, bucket, failing, asked, shown in WALKS:
            with self.subTest(fields=fields, failing=failing), tls_front(self.service.port, fields) as front:
                lines = self.resolve(front, *(part for name in failing for part in ("--failing", name)))
                self.assertEqual(lines[0], f"bucket: {bucket}")
                self.assertEqual(lines[2:], [*(f"asked:  {name}" for name in asked), f"shown:  {shown}"])

    def test_stand_in_for_the_service(self):
        for bucket in ("regionalMarket", "otherMarket", "unknown"):
            with self.subTest(bucket), Service(
                {"sources": ["cdn"], "database": None}, arguments=("--always", bucket)
            ) as stand_in, tls_front(stand_in.port, ["CloudFront-Viewer-Country: US"]) as front:
                self.assertEqual(self.resolve(front)[0], f"bucket: {bucket}")

    def test_stopped_service_is_unknown(self):
        service = Service({"sources": ["cdn"], "database": None})
        with tls_front(service.port, ["CloudFront-Viewer-Country: KR"]) as front:
            self.assertEqual(self.resolve(front)[0], "bucket: regionalMarket")
            self.assertEqual(service.stop(), 0)
            lines = self.resolve(front)
            self.assertTrue(lines[0].startswith("bucket: unknown ("), lines)
            self.assertEqual(lines[-1], "shown:  global")


if __name__ == "__main__":
    unittest.main()
