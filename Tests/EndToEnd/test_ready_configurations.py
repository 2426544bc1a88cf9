"""The ready configurations of Config/: each is accepted, answers what it should, and says what it needs."""

import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import unittest

from fronts import CONFIG, check, site_names
from support import BASE, BINARY, DATABASE, Service, parse, request

SECRET = "s3cret-of-the-test-0123456789"

# The header that says the country, and the warning that stands for as long as the service runs behind that CDN: it
# cannot see the operator's rule.
CDNS = {
    "akamai.json5": ("X-Akamai-Edgescape: georegion=1,country_code={},city=SEOUL", None),
    "azure-front-door.json5": ("X-Geo-Country: {}", "X-Geo-Country"),
    "bunny.json5": ("CDN-RequestCountryCode: {}", None),
    "cloudflare.json5": ("CF-IPCountry: {}", None),
    "cloudfront.json5": ("CloudFront-Viewer-Country: {}", None),
    "fastly.json5": ("X-Geo-Country: {}", "X-Geo-Country"),
    "google-cloud.json5": ("X-Client-Geo-Location: {},Seoul", "X-Client-Geo-Location"),
    "netlify.json5": ("x-country: {}", None),
}
FRONTS = ["behind-haproxy.json5", "behind-nginx.json5", "behind-varnish.json5"]


def with_edge(name):
    """A configuration for code at the edge, made as its comment says; None when it has none."""
    text = (CONFIG / name).read_text()
    if "take the `//` from these two" not in text.replace("\n  // ", " "):
        return None
    text = re.sub(r"(?m)^  sources: .*\n", "", text, count=1)
    text, count = re.subn(r"(?m)^  // (sources|cache): ", r"  \1: ", text)
    assert count == 2, name
    return text


class Files(unittest.TestCase):
    def test_every_file_is_described(self):
        told = set(re.findall(r"^\| `([^`]+)` \|", (CONFIG / "README.md").read_text(), re.MULTILINE))
        self.assertEqual(told, {path.name for path in CONFIG.iterdir()} - {"README.md"})

    def test_every_configuration_is_tested(self):
        names = {path.name for path in CONFIG.glob("*.json5")} - {"region-bucket.json5"}
        self.assertEqual(names, {*CDNS, *FRONTS})

    def test_sites_are_marked_once_each(self):
        for name in (*CDNS, *FRONTS, "nginx.conf", "varnish.vcl", "haproxy.cfg"):
            names = site_names(name)
            self.assertTrue(names, name)
            self.assertEqual(len(names), len(set(names)), name)


class Configurations(unittest.TestCase):
    def complaints(self, path):
        uses_database = "\n  database:" in path.read_text()
        report = check("--quiet", "--config", str(path), environment={
            "ORIGIN_SECRET": SECRET, **({"REGION_BUCKET_DATABASE_PATH": str(DATABASE)} if uses_database else {})})
        self.assertEqual(report.returncode, 0, report.stderr)
        return [line for line in report.stderr.splitlines() if line.startswith(("error", "warning"))]

    def test_each_is_accepted(self):
        for name in FRONTS:
            self.assertEqual(self.complaints(CONFIG / name), [], name)
        for name, (_, expected) in CDNS.items():
            with self.subTest(name=name):
                said = self.complaints(CONFIG / name)
                if expected:
                    self.assertEqual(len(said), 1)
                    self.assertIn(f"passes a client's own `{expected}` on unless a rule of yours writes it", said[0])
                    self.assertIn(f"check` warns of {expected} ", (CONFIG / name).read_text())
                else:
                    self.assertEqual(said, [])

    def test_each_is_accepted_with_code_at_the_edge(self):
        found = 0
        for name, (_, expected) in CDNS.items():
            text = with_edge(name)
            if not text:
                continue
            found += 1
            self.assertIn('policy: "bucket"', text)
            self.assertEqual(len(re.findall(r"(?m)^  sources: ", text)), 1)
            with tempfile.TemporaryDirectory() as directory:
                path = pathlib.Path(directory) / name
                path.write_text(text)
                self.assertEqual(len(self.complaints(path)), 1 if expected else 0, name)
        self.assertEqual(found, 4)

    def test_none_needs_an_address_where_the_cdn_says_the_country(self):
        for name in CDNS:
            self.assertNotRegex((CONFIG / name).read_text(), r"(?m)^  (clientAddress|database):")

    def test_each_answers(self):
        for name, (header, _) in CDNS.items():
            for text in filter(None, ((CONFIG / name).read_text(), with_edge(name))):
                with self.subTest(name=name), Service(
                        config=text, environment={"ORIGIN_SECRET": SECRET},
                        arguments=["--listeners", "127.0.0.1:0", "--log-format", "json"]) as service:
                    def ask(country, *lines):
                        return parse(service.exchange(request(header.format(country), *lines)))
                    secret = re.search(r'originSecret: { header: "([^"]+)"', text)[1] + f": {SECRET}"
                    for country, bucket in (("KR", "regionalMarket"), ("US", "otherMarket"), ("T1", "unknown")):
                        answer = ask(country, secret)
                        self.assertEqual((answer.status, answer.bucket), (200, bucket))
                        self.assertEqual(answer.get("Cache-Control"), "private, no-store")
                        self.assertEqual(ask(country).status, 403)


class Unit(unittest.TestCase):
    PATH = CONFIG / "region-bucket.service"

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def installed(self):
        """The unit as it is where the program is: `verify` looks for it."""
        path = pathlib.Path(self.directory.name) / "region-bucket.service"
        path.write_text(self.PATH.read_text().replace("/usr/local/bin/region-bucket", str(BINARY)))
        return path

    def test_it_is_understood(self):
        said = subprocess.run(["systemd-analyze", "verify", "--man=no", str(self.installed())],
                              capture_output=True, text=True, check=True)
        self.assertEqual(said.stdout + said.stderr, "")
        # `verify` succeeds in any case: a key that it does not know has to be found in what it says.
        broken = self.installed()
        broken.write_text(broken.read_text().replace("[Service]", "[Service]\nNoSuchKey=1"))
        said = subprocess.run(["systemd-analyze", "verify", "--man=no", str(broken)], capture_output=True, text=True,
                              check=False)
        self.assertIn("NoSuchKey", said.stderr)

    def test_its_score_is_the_one_it_states(self):
        said = subprocess.run(["systemd-analyze", "security", "--offline=true", "--no-pager", str(self.installed())],
                              capture_output=True, text=True, check=True).stdout
        score = re.search(r"Overall exposure level for \S+: (\d\.\d \w+)", said)[1]
        self.assertIn(f"overall exposure level {score}.", self.PATH.read_text())

    def test_it_allows_the_system_calls_that_the_service_makes(self):
        trace = pathlib.Path(self.directory.name) / "trace"
        config = pathlib.Path(self.directory.name) / "config.json5"
        config.write_text(json.dumps(BASE))
        # The one that is refused is refused here too.
        refused = "setpriority"
        with subprocess.Popen(
                ["strace", "-f", "-qq", "-o", str(trace), "-e", "signal=none", "-e", f"inject={refused}:error=EPERM",
                 str(BINARY), "serve", "--config", str(config)],
                stdout=subprocess.PIPE, text=True, env={"PATH": os.environ["PATH"]}) as tracer:
            events = (json.loads(line) for line in tracer.stdout)
            port = next(event["port"] for event in events if event["event"] == "listening")
            service = int(pathlib.Path(f"/proc/{tracer.pid}/task/{tracer.pid}/children").read_text().split()[0])
            for turn in range(2):
                answer = subprocess.run(
                    ["curl", "-s", f"127.0.0.1:{port}/v1/region", "-H", "X-Forwarded-For: 168.126.63.1"],
                    check=True, capture_output=True, text=True).stdout
                self.assertEqual(answer, '{"bucket":"regionalMarket"}')
                if turn == 0:
                    os.kill(service, signal.SIGHUP)
                    next(event for event in events if event["event"] == "configuration-loaded")
            os.kill(service, signal.SIGTERM)
            for _ in events:
                pass
            self.assertEqual(tracer.wait(30), 0)
        made = set(re.findall(r"^\d+ +(\w+)\(", trace.read_text(), re.MULTILINE))
        self.assertIn("epoll_pwait", made)
        self.assertEqual(made - self.allowed() - {refused}, set())

    def allowed(self):
        allowed = set()
        for line in re.findall(r"^SystemCallFilter=(\S.*)$", self.PATH.read_text(), re.MULTILINE):
            groups = line.removeprefix("~").split()
            calls = set().union(*(self.calls(group) for group in groups))
            allowed = allowed - calls if line.startswith("~") else allowed | calls
        # What systemd allows in any case.
        return allowed | self.calls("@default")

    def calls(self, group):
        said = subprocess.run(["systemd-analyze", "syscall-filter", "--no-pager", group], check=True,
                              capture_output=True, text=True).stdout
        names = [line.strip() for line in said.splitlines()[1:] if line.strip() and not line.strip().startswith("#")]
        return set().union(*(self.calls(name) if name.startswith("@") else {name} for name in names))

    def test_it_says_how_to_build_a_program_that_runs_without_swift(self):
        commands = re.findall(r"^#  +((?:swift build|install) .*)$", self.PATH.read_text(), re.MULTILINE)
        self.assertEqual(len(commands), 2)
        page = (CONFIG.parent / "Docs/operations.md").read_text()
        for command in commands:
            self.assertIn(command, page)
        image = re.search(r"^RUN (swift build .*)$", (CONFIG.parent / "Dockerfile").read_text(), re.MULTILINE)[1]
        self.assertEqual(sorted(commands[0].split()), sorted(image.split()))

    def test_it_waits_longer_than_the_service_drains(self):
        seconds = int(re.search(r"TimeoutStopSec=(\d+)", self.PATH.read_text())[1])
        reference = (CONFIG / "region-bucket.json5").read_text()
        self.assertGreater(seconds, int(re.search(r"drainSeconds: (\d+)", reference)[1]))


class Compose(unittest.TestCase):
    PATH = CONFIG / "compose.yaml"

    def test_it_is_accepted(self):
        said = subprocess.run(["docker-compose", "-f", str(self.PATH), "config", "-q"],
                              capture_output=True, text=True, check=False)
        self.assertEqual((said.returncode, said.stdout + said.stderr), (0, ""))

    def test_what_it_names_is_there(self):
        text = self.PATH.read_text()
        own = {"certificate.pem", "maxmind-account-id", "maxmind-licence-key"}
        named = set(re.findall(r"\./([\w.-]+)", text))
        self.assertEqual(named - own, {"haproxy.cfg", "behind-haproxy.json5"})
        for name in named - own:
            self.assertTrue((CONFIG / name).is_file(), name)
        for name in own:
            self.assertRegex(text, rf"(?m)^#   {name} ", "the operator's own files are listed at the top")

    def test_it_fits_the_files_that_it_mounts(self):
        text, front = self.PATH.read_text(), (CONFIG / "haproxy.cfg").read_text()
        port = re.search(r'ports: \["(\d+):(\d+)"\]', text)
        self.assertRegex(front, rf"bind :{port[2]},\[::\]:{port[2]} v6only ssl")
        certificate = re.search(r"certificate\.pem:(\S+):ro", text)[1]
        self.assertIn(f"crt {certificate} ", front)
        # Volume and database path belong together.
        database = pathlib.PurePath(re.search(r"REGION_BUCKET_DATABASE_PATH: (\S+)", text)[1])
        self.assertIn(f"- database:{database.parent}:ro", text)
        self.assertIn(f"GEOIPUPDATE_EDITION_IDS: {database.stem}\n", text)


if __name__ == "__main__":
    unittest.main()
