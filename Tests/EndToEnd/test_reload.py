"""Database and configuration that change while requests are answered."""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import tempfile
import time
import unittest

from load_support import KR, Holdings, Load, build_database
from support import SANITIZER, Service, metrics, parse, request, sample, settled


class LoadItself(unittest.TestCase):
    def test_a_wrong_bucket_is_seen(self):
        """The positive control of everything below."""
        with Service({"sources": ["database"]}) as service:
            load = Load(service, 600, bucket="otherMarket")
            time.sleep(1)
            result = load.stop()
            self.assertGreater(result["wrong"], 100)
            self.assertEqual(result["wrong"], result["requests"])


class DatabaseLife(unittest.TestCase):
    # Seven replacements a round, five of them by something that must be refused.
    ROUNDS = 15

    def test_replaced_in_every_way_under_load(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "region.mmdb")
            good = os.path.join(directory, "good.mmdb")
            build_database(good, "KR")
            shutil.copy(good, path)
            garbage = os.path.join(directory, "garbage")
            pathlib.Path(garbage).write_bytes(os.urandom(100_000))
            with Service({"sources": ["database"], "loops": 2, "admin": {"listener": "127.0.0.1:0"},
                          "database": {"path": path, "settleSeconds": 0.1, "maxAgeDays": 0}}) as service:
                admin = service.wait_for_event("admin-listening")["port"]
                load = Load(service, 600)
                time.sleep(1)
                before = Holdings(service).resident_kilobytes()
                self.replace_many_times(service, path, good, garbage)
                result = load.stop()
                self.assertGreater(result["requests"], 1000)
                for kind in ("wrong", "connect", "read", "write", "timeout"):
                    self.assertEqual(result[kind], 0, result)
                page = metrics(admin)
                refused = sample(page, 'region_bucket_reloads_total{what="database",result="refused"}')
                self.assertEqual(refused, len(service.events("database-refused")))
                self.assertEqual(refused, self.ROUNDS * 5)
                self.assertEqual(sample(page, 'region_bucket_reloads_total{what="database",result="loaded"}'),
                                 len(service.events("database-loaded")) - 1)
                # A sanitizer keeps what was freed for a while.
                if not SANITIZER:
                    self.assertLess(Holdings(service).resident_kilobytes(), before * 1.25 + 4096)

    def replace_many_times(self, service, path, good, garbage):
        def put_whole(source):
            shutil.copy(source, path + ".new")
            os.rename(path + ".new", path)

        def put_in_place(source):
            with open(path, "wb") as file:
                file.write(pathlib.Path(source).read_bytes())

        def remove():
            os.remove(path)

        def put_directory():
            if os.path.exists(path):
                os.remove(path)
            os.mkdir(path)

        def put_truncated():
            with open(path, "wb") as file:
                file.write(pathlib.Path(good).read_bytes()[:700])

        loaded, refused = 1, 0
        for _ in range(self.ROUNDS):
            for action, is_good in (
                    (lambda: put_whole(good), True), (lambda: put_in_place(garbage), False),
                    (lambda: put_in_place("/dev/null"), False), (remove, False), (put_directory, False),
                    (lambda: (os.rmdir(path), put_whole(good)), True), (put_truncated, False),
                    (lambda: put_in_place(good), True)):
                action()
                if is_good:
                    loaded += 1
                    service.wait_for_event("database-loaded", loaded, 10)
                else:
                    refused += 1
                    service.wait_for_event("database-refused", refused, 10)

    def test_nothing_of_the_old_database_survives(self):
        """Kept-alive connections get the new database's answers, their own peers' too."""
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "region.mmdb")
            build_database(path, "KR")
            with Service({"sources": ["database"], "database": {"path": path, "settleSeconds": 0.1}}) as service:
                with socket.create_connection(("127.0.0.1", service.port), timeout=5) as connection:
                    for country, bucket in (("KR", "regionalMarket"), ("US", "otherMarket"), ("KR", "regionalMarket")):
                        build_database(path + ".new", country)
                        count = len(service.events("database-loaded"))
                        os.rename(path + ".new", path)
                        service.wait_for_event("database-loaded", count + 1)

                        def ask():
                            connection.sendall(request("X-Forwarded-For: 168.126.63.1"))
                            return parse(connection.recv(4096)).bucket

                        self.assertEqual(settled(ask, bucket), bucket)

    @unittest.skipUnless(os.getuid() == 0, "only root can start the service as somebody who may not read a file")
    def test_a_file_without_permission(self):
        nobody = 65534
        with tempfile.TemporaryDirectory() as directory:
            os.chmod(directory, 0o755)
            path = os.path.join(directory, "region.mmdb")
            build_database(path, "KR")
            os.chmod(path, 0o644)
            config = {"sources": ["database"], "database": {"path": path, "settleSeconds": 0.1}}
            with Service(config, user=nobody) as service:
                build_database(path + ".new", "US")
                os.chmod(path + ".new", 0)
                os.rename(path + ".new", path)
                self.assertIn("Permission denied", service.wait_for_event("database-refused")["problem"])
                self.assertEqual(
                    parse(service.exchange(request("X-Forwarded-For: 168.126.63.1"))).bucket, "regionalMarket")
                os.chmod(path, 0o644)
                service.process.send_signal(signal.SIGHUP)
                service.wait_for_event("database-loaded", 2)
                self.assertEqual(
                    settled(lambda: parse(service.exchange(request("X-Forwarded-For: 168.126.63.1"))).bucket,
                            "otherMarket"), "otherMarket")

    def test_missing_at_the_start(self):
        missing = "/nonexistent/region.mmdb"
        with Service({"sources": ["cdn", "database"], "database": {"path": missing}}) as service:
            self.assertTrue(service.events("database-refused"))
            self.assertEqual(parse(service.exchange(request(KR))).bucket, "regionalMarket")
        service = Service({"sources": ["database"], "database": {"path": missing}}, wait=False)
        self.assertEqual(service.process.wait(10), 66)
        service.stop()
        self.assertIn(missing, service.errors)
        with Service({"sources": ["database"], "database": {"path": missing, "required": False}}) as service:
            self.assertEqual(parse(service.exchange(request("X-Forwarded-For: 168.126.63.1"))).bucket, "unknown")

    def test_readiness_waits_for_a_required_database_that_is_lost(self):
        """A configuration that requires a database that cannot be had is refused, and the old one stays."""
        with Service() as service:
            config = {"listeners": ["0"], "sources": ["database"], "database": {"path": "/nonexistent"}}
            service.write_config(config)
            service.process.send_signal(signal.SIGHUP)
            service.wait_for_event("configuration-refused")
            self.assertEqual(parse(service.exchange(request(KR))).bucket, "regionalMarket")

    def test_age_limits(self):
        # The default database is as old as tor-geoipdb says that it is: weeks at least.
        with Service({"sources": ["database"], "database": {"maxAgeDays": 1}}) as service:
            self.assertTrue(service.events("database-old"))
            self.assertEqual(
                parse(service.exchange(request("X-Forwarded-For: 168.126.63.1"))).bucket, "regionalMarket")
        with Service({"sources": ["database"], "database": {"maxAgeDays": 1, "unknownAfterDays": 2}}) as service:
            self.assertTrue(service.events("database-too-old"))
            self.assertEqual(parse(service.exchange(request("X-Forwarded-For: 168.126.63.1"))).bucket, "unknown")


class ConfigurationLife(unittest.TestCase):
    def test_broken_ones_are_refused_and_good_ones_taken(self):
        with Service({"loops": 2, "admin": {"listener": "127.0.0.1:0"}}) as service:
            admin = service.wait_for_event("admin-listening")["port"]
            good = service.config_path.read_text()
            load = Load(service, 600)
            broken = ["{", '{"sources": ["cnd"]}', "", '{"policy": {"regional": ["UK"]}}', "\x00"]
            for number in range(50):
                service.write_config(broken[number % len(broken)])
                service.process.send_signal(signal.SIGHUP)
                service.wait_for_event("configuration-refused", number + 1)
            changed = json.loads(good)
            changed["policy"] = {"regional": ["KR", "JP"]}
            changed["loops"] = 3
            service.write_config(changed)
            service.process.send_signal(signal.SIGHUP)
            service.wait_for_event("configuration-loaded")
            result = load.stop()
            self.assertGreater(result["requests"], 1000)
            for kind in ("wrong", "connect", "read", "write", "timeout"):
                self.assertEqual(result[kind], 0, result)
            self.assertEqual([event["key"] for event in service.events("restart-needed")], ["loops"])
            page = metrics(admin)
            self.assertEqual(sample(page, 'region_bucket_reloads_total{what="configuration",result="refused"}'), 50)
            self.assertEqual(sample(page, 'region_bucket_reloads_total{what="configuration",result="loaded"}'), 1)
            self.assertEqual(
                parse(service.exchange(request("CloudFront-Viewer-Country: JP"))).bucket, "regionalMarket")

    def test_a_pending_restart_is_told_until_it_is_none(self):
        def changed(text, **keys):
            return json.dumps({**json.loads(text), **keys})

        with Service() as service:
            good = service.config_path.read_text()
            # Still pending; still, by another change; back to what runs; and pending once more.
            for number, (loops, expected) in enumerate([(3, 1), (3, 2), (5, 3), (None, 3), (5, 4)]):
                service.write_config(changed(good, loops=loops) if loops else good)
                service.process.send_signal(signal.SIGHUP)
                service.wait_for_event("configuration-loaded", number + 1)
                self.assertEqual(
                    [event["key"] for event in service.events("restart-needed")], ["loops"] * expected, number)

    def test_the_configuration_line_says_what_is_in_force(self):
        with Service({"loops": 1, "cors": {"maxAgeSeconds": 7}}) as service:
            written = json.loads(service.config_path.read_text())
            service.wait_for_event("configuration")
            # A new number of loops waits for a restart; that of seconds does not.
            changed = {**written, "loops": 2, "log": {**written.get("log", {}), "format": "json"},
                       "cors": {"maxAgeSeconds": 8}}
            service.write_config(json.dumps(changed))
            service.process.send_signal(signal.SIGHUP)
            service.wait_for_event("configuration-loaded")
            told = [event["settings"] for event in service.events("configuration")]
            self.assertEqual([re.findall(r"\b(?:loops|maxAgeSeconds)=\d+", text) for text in told],
                             [["loops=1", "maxAgeSeconds=7"], ["loops=1", "maxAgeSeconds=8"]])

    def test_a_change_of_the_secret_is_seen_to_its_end(self):
        """As the documents have it: two files, the new secret in the second, until nobody sends the first."""
        old, new = "s3cret-of-yesterday-0123456789", "s3cret-of-today-0123456789"

        def asked(secret, status=200):
            answer = parse(service.exchange(request("CloudFront-Viewer-Country: KR", f"X-Origin-Secret: {secret}")))
            self.assertEqual(answer.status, status)

        def counted():
            page = metrics(admin)
            name = 'region_bucket_origin_secret_total{{place="{}"}}'
            return [sample(page, name.format(place)) for place in ("first", "other")]

        with tempfile.TemporaryDirectory() as directory:
            paths = [pathlib.Path(directory, name) for name in ("old", "new")]
            for path, secret in zip(paths, (old, new), strict=True):
                path.write_text(secret + "\n")
            with Service({"loops": 1, "originSecret": {"fromFiles": [str(path) for path in paths]},
                          "admin": {"listener": "127.0.0.1:0"}}) as service:
                admin = service.wait_for_event("admin-listening")["port"]
                self.assertEqual(counted(), [0, 0])
                for secret, status in ((old, 200), (new, 200), (old, 200), (new, 200), (new, 200), ("wrong", 403)):
                    asked(secret, status)
                self.assertEqual(counted(), [2, 3])
                changed = {**json.loads(service.config_path.read_text()), "originSecret": {"fromFiles": str(paths[1])}}
                service.write_config(json.dumps(changed))
                service.process.send_signal(signal.SIGHUP)
                service.wait_for_event("configuration-loaded")
                settled(lambda: parse(service.exchange(request(f"X-Origin-Secret: {old}"))).status, 403)
                before = counted()
                asked(new)
                self.assertEqual(counted(), [before[0] + 1, before[1]])

    def test_shadow_policy_is_only_counted(self):
        shadow = {"regional": ["KR"], "shadow": {"regional": ["KR", "JP"]}}
        with Service({"policy": shadow, "admin": {"listener": "127.0.0.1:0"}}) as service:
            admin = service.wait_for_event("admin-listening")["port"]
            for country, count in (("KR", 3), ("JP", 5), ("US", 7)):
                for _ in range(count):
                    service.exchange(request(f"CloudFront-Viewer-Country: {country}"))
            self.assertEqual(parse(service.exchange(request("CloudFront-Viewer-Country: JP"))).bucket, "otherMarket")
            page = metrics(admin)
            name = 'region_bucket_shadow_total{{live="{}",shadow="{}"}}'
            self.assertEqual(sample(page, name.format("otherMarket", "regionalMarket")), 6)
            self.assertEqual(sample(page, name.format("regionalMarket", "regionalMarket")), 3)
            self.assertEqual(sample(page, name.format("otherMarket", "otherMarket")), 7)


if __name__ == "__main__":
    unittest.main()
