"""Full load with reloads, for as long as one likes: nothing grows, nothing is lost, no bucket is wrong.

RB_TEST_SOAK_SECONDS sets how long; by default 45 seconds, with RB_TEST_LONG an hour.
"""

import json
import os
import shutil
import signal
import statistics
import tempfile
import time
import unittest

from load_support import Holdings, Load, Visitors, build_database, figure
from support import Service, metrics, sample

IS_LONG = bool(os.environ.get("RB_TEST_LONG"))
SECONDS = int(os.environ.get("RB_TEST_SOAK_SECONDS", 3600 if IS_LONG else 45))
# Ten seconds in the long run; in the short one as many reloads as it needs to show growth.
RELOAD_SECONDS = 10 if SECONDS >= 300 else 1
ADDRESS = "X-Forwarded-For: 168.126.63.1"


def grows(samples):
    """How much the middle of the last third is above that of the second; the first third is for settling."""
    third = len(samples) // 3
    return statistics.median(samples[-third:]) - statistics.median(samples[third:-third])


class Soak(unittest.TestCase):
    GROWTH_KILOBYTES_MAX = 512

    def test_growth_is_seen(self):
        """The positive control: a leak of 4 kB at each of many reloads would not pass."""
        noisy = [9000 + number % 7 for number in range(360)]
        self.assertLess(abs(grows(noisy)), self.GROWTH_KILOBYTES_MAX)
        self.assertGreater(grows([value + 5 * number for number, value in enumerate(noisy)]), self.GROWTH_KILOBYTES_MAX)

    def test_load_with_reloads(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "region.mmdb")
            sources = [os.path.join(directory, f"{other}.mmdb") for other in ("DE", "FR")]
            for source, other in zip(sources, ("DE", "FR")):
                build_database(source, "KR", other)
            shutil.copy(sources[0], path)
            config = {"sources": ["database"], "loops": 2, "admin": {"listener": "127.0.0.1:0"},
                      "log": {"level": "info"}, "database": {"path": path, "settleSeconds": 0.1}}
            with Service(config) as service:
                holdings = Holdings(service, service.wait_for_event("admin-listening")["port"])
                load = Load(service, SECONDS + 3600)
                with Visitors(service.port, [ADDRESS], pause_seconds=0.05) as visitors:
                    samples = self.run_for(SECONDS, service, holdings, path, sources)
                    median, p99 = visitors.stop()
                result = load.stop()
                self.check(service, holdings, samples, result, visitors)
                memory, descriptors = zip(*samples)
                figure("full load with reloads",
                       f"{SECONDS} s, {len(samples)} reloads, {result['requests']} requests: 0 wrong, 0 lost; memory "
                       f"{memory[0]}–{max(memory)} kB, growth {grows(memory):+.0f} kB; descriptors "
                       f"{min(descriptors)}–{max(descriptors)}; visitors' "
                       f"median {median:.1f} ms, p99 {p99:.1f} ms")

    def run_for(self, seconds, service, holdings, path, sources):
        """Reloads, by turns the configuration and the database; memory and descriptors after each."""
        good = json.loads(service.config_path.read_text())
        samples, started = [], time.monotonic()
        while time.monotonic() - started < seconds:
            number = len(samples)
            if number % 2:
                shutil.copy(sources[number // 2 % 2], path + ".new")
                os.rename(path + ".new", path)
            else:
                regional = ["KR"] if number % 4 else ["KR", "JP"]
                service.write_config(json.dumps({**good, "policy": {"regional": regional}}))
                service.process.send_signal(signal.SIGHUP)
            time.sleep(RELOAD_SECONDS)
            samples.append((holdings.private_kilobytes(), holdings.descriptor_count()))
        return samples

    def check(self, service, holdings, samples, result, visitors):
        for kind in ("wrong", "connect", "read", "write", "timeout"):
            self.assertEqual(result[kind], 0, result)
        self.assertEqual((visitors.wrong, visitors.lost), ([], []))
        page = metrics(holdings.admin)
        for what in ("configuration", "database"):
            loaded = sample(page, f'region_bucket_reloads_total{{what="{what}",result="loaded"}}')
            self.assertGreaterEqual(loaded, len(samples) // 2 - 1)
            self.assertEqual(sample(page, f'region_bucket_reloads_total{{what="{what}",result="refused"}}'), 0)
        self.assertLess(grows([entry[0] for entry in samples]), self.GROWTH_KILOBYTES_MAX)
        # Load and visitors hold 34 connections at most, a reload a file or two.
        descriptors = [entry[1] for entry in samples]
        self.assertLess(max(descriptors) - min(descriptors), 10)


if __name__ == "__main__":
    unittest.main()
