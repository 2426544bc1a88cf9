"""The main job, by curl, on the default database: the answers that the README promises."""

import json
import subprocess
import unittest

from support import BINARY, ROOT, Service, free_port, merged, BASE, parse, request

REGIONAL, OTHER, UNKNOWN = "regionalMarket", "otherMarket", "unknown"

# Header lines → bucket, with the shipped configuration's trust, preset, sources and policy.
ANSWERS = [
    ([], UNKNOWN),
    (["CloudFront-Viewer-Country: KR"], REGIONAL),
    (["CloudFront-Viewer-Country: kr"], REGIONAL),
    (["CloudFront-Viewer-Country:   KR  "], REGIONAL),
    (["CloudFront-Viewer-Country: US"], OTHER),
    (["CloudFront-Viewer-Country: us"], OTHER),
    (["CloudFront-Viewer-Country: XX"], UNKNOWN),
    (["CloudFront-Viewer-Country: KOR"], UNKNOWN),
    (["CloudFront-Viewer-Country: T1"], UNKNOWN),
    (["CloudFront-Viewer-Country: KR", "CloudFront-Viewer-Country: KR"], UNKNOWN),
    (["CloudFront-Viewer-Country: KR", "cloudfront-viewer-country: US"], UNKNOWN),
    (["X-Forwarded-For: 168.126.63.1"], REGIONAL),
    (["X-Forwarded-For: 2001:220::1"], REGIONAL),
    (["X-Forwarded-For: [2001:220::1]:443"], REGIONAL),
    (["X-Forwarded-For: ::ffff:168.126.63.1"], REGIONAL),
    (["X-Forwarded-For: 8.8.8.8"], OTHER),
    (["X-Forwarded-For: 168.126.63.1, 8.8.8.8"], OTHER),
    (["X-Forwarded-For: 168.126.63.1", "X-Forwarded-For: 8.8.8.8"], OTHER),
    (["X-Forwarded-For: 8.8.8.8, 127.0.0.1"], OTHER),
    (["X-Forwarded-For: 10.1.2.3"], UNKNOWN),
    (["X-Forwarded-For: 168.126.63.1, garbage"], UNKNOWN),
    # A header of the first source settles it; an invalid one does too.
    (["CloudFront-Viewer-Country: US", "X-Forwarded-For: 168.126.63.1"], OTHER),
    (["CloudFront-Viewer-Country: KOR", "X-Forwarded-For: 168.126.63.1"], UNKNOWN),
    # The CDN's word for "no data" passes the question on.
    (["CloudFront-Viewer-Country:", "X-Forwarded-For: 168.126.63.1"], REGIONAL),
    # No rule needs a city: a broken one is not read.
    (["CloudFront-Viewer-Country: KR", "CloudFront-Viewer-City: %ZZ"], REGIONAL),
]


class MainJob(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service()

    @classmethod
    def tearDownClass(cls):
        assert cls.service.stop() == 0

    def test_answers(self):
        for lines, bucket in ANSWERS:
            with self.subTest(lines=lines):
                # curl writes an empty value as a semicolon.
                spelled = [line[:-1] + ";" if line.endswith(":") else line for line in lines]
                arguments = [part for line in spelled for part in ("-H", line)]
                self.assertEqual(self.service.curl(*arguments), json.dumps({"bucket": bucket}, separators=(",", ":")))

    def test_ipv6_and_ipv4_listen_alike(self):
        for host in ("127.0.0.1", "::1"):
            self.assertEqual(
                self.service.curl("-H", "CloudFront-Viewer-Country: KR", host=host),
                '{"bucket":"regionalMarket"}')

    def test_each_answer_whole_bytewise_and_glued(self):
        wholes = [(parse(self.service.exchange(request(*lines))).bucket, bucket) for lines, bucket in ANSWERS]
        for got, bucket in wholes:
            self.assertEqual(got, bucket)
        glued = self.service.exchange(b"".join(request(*lines) for lines, _ in ANSWERS))
        for _, bucket in ANSWERS:
            answer = parse(glued)
            self.assertEqual(answer.bucket, bucket)
            glued = answer.rest
        self.assertEqual(glued, b"")
        for lines, bucket in ANSWERS[:6]:
            data = request(*lines)
            got = self.service.exchange(data, pieces=[bytes([byte]) for byte in data])
            self.assertEqual(parse(got).bucket, bucket)


class Trust(unittest.TestCase):
    def test_a_peer_outside_the_trusted_blocks_vouches_for_nothing(self):
        with Service({"trustedPeers": ["127.0.0.1/32"]}) as service:
            for lines, _ in ANSWERS:
                reads_header = bool(lines)
                answer = parse(service.exchange(request(*lines), source="127.0.0.2"))
                self.assertEqual(answer.bucket, UNKNOWN, lines)
                self.assertTrue(reads_header or answer.bucket == UNKNOWN)
            # The same from the trusted one.
            answer = parse(service.exchange(request("CloudFront-Viewer-Country: KR"), source="127.0.0.1"))
            self.assertEqual(answer.bucket, REGIONAL)


class ShippedConfiguration(unittest.TestCase):
    def test_it_serves_as_shipped(self):
        port = free_port()
        process = subprocess.Popen(
            [str(BINARY), "serve", "--config", str(ROOT / "Config/region-bucket.json5")],
            env={"PORT": str(port), "PATH": "/usr/bin:/bin"}, stdout=subprocess.PIPE, text=True)
        try:
            for line in process.stdout:
                if "listening" in line:
                    break
            for header, bucket in (("KR", REGIONAL), ("US", OTHER), ("XX", UNKNOWN)):
                answer = subprocess.run(
                    ["curl", "-s", f"localhost:{port}/v1/region", "-H", f"CloudFront-Viewer-Country: {header}"],
                    capture_output=True, text=True, check=True).stdout
                self.assertEqual(json.loads(answer), {"bucket": bucket})
        finally:
            process.terminate()
            process.stdout.close()
            self.assertEqual(process.wait(30), 0)


if __name__ == "__main__":
    unittest.main()
