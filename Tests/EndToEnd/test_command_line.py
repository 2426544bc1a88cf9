"""The command line: help, usage errors, exit statuses, completions, and the commands besides serve."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from support import BINARY, DATABASE, ROOT, Service

CONFIG = str(ROOT / "Config/region-bucket.json5")
COMMANDS = re.search(
    r"^  case (serve, .*)$", (ROOT / "Sources/region-bucket/Command.swift").read_text(), re.M)[1].split(", ")


def run(*arguments, stdin="", environment=None):
    return subprocess.run([str(BINARY), *map(str, arguments)], input=stdin, capture_output=True, text=True, timeout=60,
                          env={"PATH": os.environ["PATH"], **(environment or {})})


class Usage(unittest.TestCase):
    def test_help_names_every_command_and_exit_status(self):
        for arguments in (["help"], ["--help"], ["-h"]):
            said = run(*arguments)
            self.assertEqual(said.returncode, 0)
            listed = re.findall(r"^  ([a-z]+) ", said.stdout, re.M)
            self.assertEqual(listed, COMMANDS)
        for command in COMMANDS:
            direct, asked = run(command, "--help"), run("help", command)
            self.assertEqual((direct.returncode, asked.returncode), (0, 0))
            self.assertEqual(direct.stdout, asked.stdout)
            self.assertIn("usage: region-bucket", direct.stdout)

    def test_help_describes_every_key(self):
        said = run("help", "keys")
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        keys = re.findall(r'^  case (\w+)(?: = "([\w.]+)")?$', (
            ROOT / "Sources/ServiceConfig/Schema/ConfigKey.swift").read_text(), re.M)
        self.assertEqual(re.findall(r"^(\S+)$", said.stdout, re.M), [path or name for name, path in keys])
        entry = said.stdout.split("\ntimeouts.headSeconds\n")[1].split("\n\n")[0]
        self.assertEqual(entry, "  From a head's first byte to its last.\n"
                                "  Takes seconds from 0.01 to 3600; default 10; a change takes effect at the next "
                                "start.\n"
                                "  --timeouts-head-seconds, REGION_BUCKET_TIMEOUTS_HEAD_SECONDS")

    def test_what_is_wrong_with_the_command_line(self):
        rows = [
            ([], "usage:"), (["serv"], "did you mean 'serve'?"), (["frobnicate"], "there is no command"),
            (["serve", "--lops", "2"], "did you mean `--loops`?"), (["serve", "--config"], "--config needs a value"),
            (["serve", "--port", "9000"], "`--listeners 9000`, or the variable PORT\n(?!.*is no flag)"),
            (["serve", "--always", "nothing"], "regionalMarket"),
            (["explain", "--config", CONFIG, "--peer", "nobody"], "the peer is"),
            (["database"], "needs 'build' or 'info'"), (["database", "make"], "there is no 'database make'"),
            (["database", "build", "x"], "--output is missing"), (["database", "build", "--output", "x"], "no input"),
            (["database", "build", "--output", "x", "--record-size", "30", "y"], "24, 28 or 32"),
            (["database", "build", "--output", "x", "--ip-version", "5", "y"], "is 4 or 6"),
            (["database", "build", "--output", "x", "--source-date", "2026-02-30", "y"], "a day such as"),
            (["database", "info"], "takes one file"), (["completion", "fish"], "'bash' or 'zsh'"),
            (["healthcheck", "--url", "https://localhost/"], "--url takes .*in digits or `localhost`\n.*help healthcheck'"),
            (["healthcheck", "--url", "http://localhostess:80/readyz"], "--url takes"), (["help", "me"], "there is no command"),
        ]
        for arguments, words in rows:
            said = run(*arguments)
            self.assertEqual((said.returncode, said.stdout), (64, ""), arguments)
            self.assertRegex(said.stderr, words)

    def test_where_a_configuration_is_named(self):
        """Said to those who have named none, and to no other."""
        hint = "name a configuration by `--config FILE` or the variable REGION_BUCKET_CONFIG; or list what to ask"
        for arguments in (["check"], ["serve"], ["healthcheck"], ["explain", "--peer", "::1"], ["export", "nginx"]):
            said = run(*arguments)
            self.assertEqual((said.returncode, said.stdout), (78, ""))
            self.assertIn("sources: nothing is asked; " + hint, said.stderr)
        with tempfile.NamedTemporaryFile("w", suffix=".json5") as empty:
            empty.write("{}")
            empty.flush()
            for arguments, environment in ((["--config", empty.name], {}), ([], {"REGION_BUCKET_CONFIG": empty.name}),
                                           (["--sources", "none"], {})):
                said = run("check", *arguments, environment=environment)
                self.assertIn("nothing is asked; list what to ask", said.stderr)

    def test_exit_statuses_of_files(self):
        with tempfile.TemporaryDirectory() as directory:
            garbage = pathlib.Path(directory, "garbage")
            garbage.write_bytes(b"\x00garbage" * 100)
            output = pathlib.Path(directory, "out.mmdb")
            good = pathlib.Path(directory, "good.csv")
            good.write_text("1.0.0.0/24,KR\n")
            rows = [(["database", "info", "/nonexistent"], 66), (["database", "info", directory], 66),
                    (["database", "info", garbage], 65),
                    (["database", "build", "--output", output, "/nonexistent"], 66),
                    (["database", "build", "--output", output, garbage], 65),
                    (["database", "build", "--output", "/nonexistent/out.mmdb", good], 73),
                    (["database", "build", "--output", output, good], 0), (["database", "info", output], 0),
                    (["check", "--config", "/nonexistent"], 78), (["serve", "--config", "/nonexistent"], 78),
                    (["check", "--config", CONFIG, "--database-path", "/nonexistent", "--database-required", "true"],
                     66), (["version"], 0)]
            for arguments, status in rows:
                said = run(*arguments)
                self.assertEqual(said.returncode, status, (arguments, said.stderr))
                if status:
                    self.assertTrue(said.stderr.startswith("error: "), said.stderr)

    def test_output_that_cannot_be_written_is_no_success(self):
        with open("/dev/full", "w") as full:
            for arguments in (["version"], ["help"], ["check", "--config", CONFIG], ["database", "info", DATABASE]):
                said = subprocess.run([str(BINARY), *map(str, arguments)], stdout=full, stderr=subprocess.PIPE,
                                      text=True, env={"PATH": os.environ["PATH"]})
                self.assertEqual(said.returncode, 73, arguments)
                self.assertIn("No space left on device", said.stderr)

    def test_a_database_is_not_built_over_a_pipe(self):
        with tempfile.TemporaryDirectory() as directory:
            pipe = os.path.join(directory, "pipe")
            os.mkfifo(pipe)
            good = pathlib.Path(directory, "good.csv")
            good.write_text("1.0.0.0/24,KR\n")
            self.assertEqual(run("database", "build", "--output", pipe, good).returncode, 73)
            self.assertTrue(pathlib.Path(pipe).is_fifo())

    def test_a_database_of_ipv4_alone_of_a_given_day(self):
        """A source date makes the same bytes on any day, and is the database's age."""
        with tempfile.TemporaryDirectory() as directory:
            good = pathlib.Path(directory, "good.csv")
            good.write_text("1.0.0.0/24,KR\n2001:220::/32,KR\n")

            def build(name, *options):
                path = os.path.join(directory, name)
                said = run("database", "build", "--output", path, *options, good)
                self.assertEqual(said.returncode, 0, said.stderr)
                return pathlib.Path(path).read_bytes(), run("database", "info", path).stdout, said.stderr

            both, info, _ = build("both", "--source-date", "2026-01-31")
            self.assertIn("2026-01-31", info)
            self.assertRegex(info, r"IP version: +6")
            only_4, info, complaints = build("only-4", "--ip-version", "4", "--source-date=2026-01-31")
            self.assertRegex(info, r"IP version: +4")
            self.assertLess(len(only_4), len(both))
            self.assertIn("IPv6", complaints)
            # Without the flag the day of the build counts; with it nothing but the inputs does.
            self.assertEqual(both, build("again", "--source-date", "2026-01-31")[0])
            self.assertNotEqual(both, build("today")[0])

    def test_completions_work(self):
        script = run("completion", "bash").stdout
        def complete(*words):
            line = " ".join(f"'{word}'" for word in words)
            ask = f"{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _region_bucket\n" \
                  'printf "%s\\n" "${COMPREPLY[@]}"'
            said = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, cwd="/", check=True)
            return said.stdout.split()
        self.assertEqual(complete("region-bucket", "hea"), ["healthcheck"])
        self.assertEqual(complete("region-bucket", "serve", "--policy-sh"),
                         ["--policy-shadow-regional", "--policy-shadow-unclassified"])
        self.assertIn("--record-size", complete("region-bucket", "database", "--re"))
        self.assertIn("keys", complete("region-bucket", "help", "ke"))
        self.assertIn("bashcompinit", run("completion", "zsh").stdout)


class Commands(unittest.TestCase):
    def test_check_says_everything_at_once(self):
        with tempfile.TemporaryDirectory() as directory:
            config = pathlib.Path(directory, "config.json5")
            config.write_text(json.dumps({
                "sources": ["cdn"], "cdn": {"preset": "cloudfront"}, "polcy": {}, "trustedPeers": ["10.0.0.1/8"],
                "policy": {"regional": ["UK"], "unclassified": ["KR"]}, "cache": {"policy": "bucket"}}))
            said = run("check", "--config", config)
        self.assertEqual(said.returncode, 78)
        for words in ("polcy", "policy`?", "trustedPeers[0]", "policy.regional[0]", "did you mean `GB`?"):
            self.assertIn(words, said.stderr)

    def test_check_of_a_database_that_is_not_there(self):
        for required, status, severity in (("true", 66, "error"), ("false", 0, "warning")):
            said = run("check", "--config", CONFIG, "--database-path", "/nonexistent", "--database-required", required)
            self.assertEqual(said.returncode, status)
            self.assertRegex(said.stderr, rf"(?m)^{severity}: --database-path: database\.path: /nonexistent: No such "
                                          r"file or directory; `region-bucket database build` makes one$")
            self.assertEqual(said.stderr.splitlines()[-1], f"1 {severity}")

    def test_check_of_places_that_the_database_cannot_tell(self):
        flags = ["--config", CONFIG, "--database-path", DATABASE]
        words = "a place needs a subdivision, and a `.*Country.*` database has none"
        rows = [(["--sources=database"], ": that country is `unknown`$"),
                # CloudFront says it, and is not asked about what the database knows the country of.
                (["--sources=database,cdn"], "since `cdn` is asked only where .*; list `cdn` in front of `database`$"),
                # Azure does not say it either.
                (["--sources=database,cdn", "--cdn-preset=azure-front-door"], ": that country is `unknown`$"),
                (["--sources=cdn,database"], None), (["--sources=edge,database"], None),
                (["--sources=cdn,database", "--cdn-preset=cloudflare", "--cdn-subdivision-header=X-S"], None)]
        for more, consequence in rows:
            said = run("check", *flags, "--policy-regional=US-CA", *more)
            self.assertEqual(said.returncode, 0, said.stderr)
            if consequence:
                self.assertRegex(said.stderr, rf"(?m){words}.*{consequence}")
            else:
                self.assertNotRegex(said.stderr, words)
        self.assertNotRegex(run("check", *flags, "--sources=database").stderr, words)

    def test_no_secret_in_any_print(self):
        secret = "s3cret-of-the-test-0123456789"
        flags = ["--origin-secret-from-environment", "THE_SECRET"]
        for command in ("check", "explain"):
            said = run(command, "--config", CONFIG, *flags, "--database-path", DATABASE, stdin="peer: 127.0.0.1\n",
                       environment={"THE_SECRET": secret})
            self.assertEqual(said.returncode, 0, said.stderr)
            self.assertNotIn(secret, said.stdout + said.stderr)

    def test_explain_decides_as_the_service_does(self):
        rows = [
            (["CloudFront-Viewer-Country: KR"], "regionalMarket"), (["CloudFront-Viewer-Country: US"], "otherMarket"),
            (["CloudFront-Viewer-Country: T1"], "unknown"), (["X-Forwarded-For: 168.126.63.1"], "regionalMarket"),
            (["X-Forwarded-For: 10.0.0.1"], "unknown"), ([], "unknown"),
        ]
        flags = ["--config", CONFIG, "--database-path", DATABASE]
        with Service() as service:
            for headers, bucket in rows:
                typed = run("explain", *flags, stdin="peer: 127.0.0.1\n" + "".join(h + "\n" for h in headers))
                given = run("explain", *flags, "--peer", "127.0.0.1", *[p for h in headers for p in ("--header", h)])
                self.assertEqual(typed.stdout, given.stdout)
                self.assertRegex(typed.stdout, rf"(?m)^bucket +{bucket}\b")
                asked = service.curl(*[part for header in headers for part in ("-H", header)])
                self.assertEqual(json.loads(asked)["bucket"], bucket)
                self.assertNotIn("168.126.63.1", typed.stdout)
        said = run("explain", *flags, "--peer", "192.0.2.1", "--header", "CloudFront-Viewer-Country: KR")
        self.assertIn("may not vouch", said.stdout)

    def explained(self, *flags, stdin, status=0, **environment):
        said = run("explain", "--config", CONFIG, "--database-path", DATABASE, *flags, stdin=stdin,
                   environment=environment)
        self.assertEqual(said.returncode, status, said.stdout + said.stderr)
        return said.stdout + said.stderr

    def test_explain_says_what_it_knows_and_no_more(self):
        said = self.explained(stdin="X-Forwarded-For: 10.0.0.1\n")
        self.assertRegex(said, r"(?m)^peer +none was given: 127\.0\.0\.1 is assumed$")
        self.assertRegex(said, r"(?m)^cdn .*\(no `CloudFront-Viewer-Country`\): the next source is asked$")
        self.assertRegex(said, r"(?m)^database .*: nothing is left to ask$")
        self.assertRegex(said, r"(?m)^bucket +unknown, because: .* \(addressNotGlobal\)$")
        said = self.explained("--sources=edge", stdin="peer: ::1\n")
        self.assertNotIn("assumed", said)
        self.assertRegex(said, r"(?m)^edge +no `X-Region-Bucket`: nothing is left to ask$")
        self.assertRegex(said, r"\(noSignal\)$|\(noSignal\)\n")

    def test_explain_names_the_field_and_not_its_value(self):
        country, region = "CloudFront-Viewer-Country", "CloudFront-Viewer-Country-Region"
        rows = [
            ("--cdn-preset=cloudflare", "CF-IPCountry: XX\n", r"^cdn .*\(`CF-IPCountry` says no data\)"),
            ("--cdn-preset=cloudflare", "CF-IPCountry: T1\n",
             r"^cdn .*not to be believed: `CF-IPCountry` holds no country that can be believed$"),
            ("--cdn-preset=cloudflare", f"{country}: KR\n", r"^cdn .*\(no `CF-IPCountry`\)"),
            ("--policy-regional=US-CA", f"{country}: US\n{region}: QQQQ\n",
             rf"^cdn .*: `{region}` holds no subdivision that can be believed$"),
            ("--policy-regional=US-CA", f"{country}: US\n{region}: CA\n{region}: CA\n",
             rf"^cdn .*: `{region}` is there twice$"),
            ("--policy-regional=US-CA", f"{country}: US\n", rf"^cdn +country US, no subdivision \(no `{region}`\)$"),
            ("--policy-regional=US/X", f"{country}: US\nCloudFront-Viewer-City:\n",
             r"^cdn +country US, no city \(`CloudFront-Viewer-City` says no data\)$"),
            ("--cdn-preset=azure-front-door", "X-Geo-Country: US\n", r"^cdn +country US$"),
            ("--sources=database", "", r"^client +no address: no `X-Forwarded-For`$"),
            ("--sources=database", "X-Forwarded-For: QQQQ\n",
             r"^client +no address in `X-Forwarded-For`: what stands where the client would be is no address$"),
            ("--sources=database", "X-Forwarded-For: unknown\n", r"^client .*: nobody is named where"),
            ("--sources=database", "X-Forwarded-For: 8.8.8.8\n", r"^client +one global address, IPv4$"),
            ("--sources=edge", "X-Region-Bucket: QQQQ\n", r"^edge +`X-Region-Bucket` without `X-Region-Policy`: "),
            ("--sources=edge", "X-Region-Bucket: QQQQ\nX-Region-Policy: QQQQ\n",
             r"^edge +`X-Region-Policy` names another policy than this one: "),
            ("--sources=edge", "X-Region-Bucket: QQQQ\nX-Region-Bucket: QQQQ\n",
             r"^edge +not to be believed: `X-Region-Bucket` is there twice$"),
            ("--trusted-peers=none", f"{country}: KR\nX-Forwarded-For: 10.0.0.1\n",
             rf"^headers +`{country}`, `X-Forwarded-For`: .* may not vouch for it$"),
            ("--trusted-peers=none", "", rf"^headers +none of `{country}`, `X-Forwarded-For`: the peer itself"),
        ]
        for flag, headers, line in rows:
            said = self.explained(flag, stdin="peer: 127.0.0.1\n" + headers)
            self.assertRegex(said, "(?m)" + line)
            self.assertNotIn("QQQQ", said)
        said = self.explained("--cdn-preset=azure-front-door", "--policy-regional=US-CA", stdin="X-Geo-Country: US\n")
        self.assertIn("no subdivision (`azure-front-door` has no field that holds it)", said)

    def test_explain_of_peers_and_a_secret(self):
        def said(headers, *flags):
            return self.explained("--origin-secret-from-environment=S", *flags, stdin=f"peer: ::1\n{headers}",
                                  S="s3cret-of-the-test-0123456789")

        both = said("X-Origin-Secret: s3cret-of-the-test-0123456789\n")
        self.assertIn("carries the origin secret; the peer is trusted too, which alone would not do", both)
        wrong = said("X-Origin-Secret: another\n")
        self.assertIn("refused: the origin secret is demanded, and `X-Origin-Secret` does not hold the", wrong)
        self.assertNotIn("another", wrong)
        self.assertIn("and `X-Origin-Secret` is there twice", said("X-Origin-Secret: a\nX-Origin-Secret: a\n"))
        self.assertIn("not trusted: there is no `X-Origin-Secret`", said("", "--origin-secret-on-missing=distrust"))

    def test_explain_takes_what_people_paste(self):
        headers = "Host: example.org\nCloudFront-Viewer-Country: KR\n"
        marked = "".join(f"> {line}\r\n" for line in ["GET /v1/region HTTP/2", *headers.splitlines(), ""])
        for pasted in (headers, "GET / HTTP/1.1\n" + headers, "peer: ::1\nGET /v1/region HTTP/1.1\n" + headers,
                       "*   Trying 127.0.0.1:80...\n" + marked + "< HTTP/1.1 200 OK\r\n"):
            self.assertRegex(self.explained(stdin=pasted), r"(?m)^bucket +regionalMarket\b")
        for pasted, number in (("peer: ::1\nHost: x\nno header\n", 3), ("X: 1\nGET / HTTP/1.1\n", 2),
                               ("GET / HTTP/1.1\nGET / HTTP/1.1\n", 2), (" Folded: x\n", 1), ("X : 1\n", 1)):
            said = self.explained(stdin=pasted, status=64)
            self.assertIn(f"line {number} is no header", said)
            self.assertNotIn("refused", said)
        self.assertIn("is none", self.explained("--header", "no header", stdin="", status=64))
        # What the service would refuse is still told as that.
        self.assertIn("refused with 400: repeatedHost", self.explained(stdin=headers + "Host: y\n"))

    def test_healthcheck(self):
        with Service({"listeners": ["127.0.0.1:0"]}) as service:
            for address in ("127.0.0.1", "localhost"):
                ready = run("healthcheck", "--url", f"http://{address}:{service.port}/readyz")
                self.assertEqual((ready.returncode, ready.stderr), (0, ""))
            with Service({"drainDelaySeconds": 5}) as draining:
                draining.process.terminate()
                draining.wait_for_event("draining")
                said = run("healthcheck", "--url", f"http://127.0.0.1:{draining.port}/readyz")
                self.assertEqual(said.returncode, 1)
        said = run("healthcheck", "--url", f"http://127.0.0.1:{service.port}/readyz")
        self.assertEqual(said.returncode, 69)
        self.assertIn("no answer", said.stderr)


if __name__ == "__main__":
    unittest.main()
