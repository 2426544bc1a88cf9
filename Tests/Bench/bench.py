"""The bench: every server on the same paths in interleaved rounds. Scripts/bench builds what it needs and starts it."""

import argparse
import json
import os
import pathlib
import platform
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import extras
import goals
import paths
import report
from measure import Loader, quartiles, two_cores
from peers import Peers, ask, free_port

HEADER = paths.PATHS[0]
MEMORY_FOLDER = "/dev/shm"
# What nginx's own share of a core is when p99 is compared: the same rate for both.
LOAD_SHARE = 0.7
# Where a hundredth decides.
PAIRED_SECONDS_FACTOR = 2.5
# A percentile needs so much more time than a mean.
PACED_SECONDS_FACTOR = 5
# More measurements than this that others disturbed, and nothing is concluded.
NOISY_SHARE_MAX = 0.15
# What a goal's limit gives way by, at most: how far apart two equal measurements seem to be, and how far off two loops
# may be, whose clients are on two cores as well.
UNCERTAINTIES_MAX = (0.03, 0.05)
# Two equal measurements of one round may be this far apart (quartiles).
REPEAT_SPREAD_MAX = 0.08
# The same work may cost this much more in a slow round than in a fast one (quartiles): a neighbour on the same host
# shows in nothing else.
SPEED_SPREAD_MAX = 1.3
# The service may be without work for this long while it is asked as fast as the load can (median): what it costs to be
# woken is not what is compared.
IDLE_SHARE_MAX = 0.1


def say(text):
    print(f"==> {text}", file=sys.stderr, flush=True)


class Bench:
    def __init__(self, options, folder):
        self.options = options
        # Many short rounds: a machine's speed drifts by the second, and what is compared must be close together.
        self.rounds = options.rounds or (4 if options.quick else 21)
        self.seconds = options.seconds or (0.2 if options.quick else 0.3)
        self.core, self.load_core, self.is_one_core = two_cores()
        self.peers = Peers(folder, options.binary, options.database, options.floor, self.core)
        self.peers.haproxy_map = options.map
        # A rough picture is not worth a second attempt.
        self.loader = Loader(options.load, folder, self.load_core, *([1] if options.quick else []))
        self.folder = folder
        # For access lines: what a disk's file system adds is not the service's.
        self.memory_file = tempfile.NamedTemporaryFile(dir=MEMORY_FOLDER)
        # path, server, then one result a round
        self.results = {}

    def note(self, path, name, result):
        self.results.setdefault(path, {}).setdefault(name, []).append(result)

    def start(self):
        say("Starting nginx, HAProxy, Region Bucket and the floor, and asking all of them for 2,000 addresses")
        self.nginx, self.haproxy = self.peers.nginx(), self.peers.haproxy()
        self.start_renewed()
        extras.agree([self.nginx, self.haproxy, self.ours])

    def start_renewed(self):
        self.ours = self.peers.ours()
        self.logging = self.peers.ours(
            name="logging", sink=self.memory_file.name, log={"access": True},
            admin={"listener": f"127.0.0.1:{free_port()}"})
        # The floor has one answer, for each path another.
        self.floors = {path.key: self.peers.floor(first_answer(self.ours.port, path)) for path in paths.PATHS}
        both = f"{self.core},{self.load_core}"
        self.two_loops = self.peers.ours(cores=both, loops=2, name="two-loops")
        self.two_floors = self.peers.floor(first_answer(self.ours.port, HEADER), cores=both, processes=2)

    def renew(self):
        """New processes: where the memory of one happens to lie makes a hundredth or two for as long as it lives."""
        for peer in (self.ours, self.logging, self.two_loops, self.two_floors, *self.floors.values()):
            self.peers.stop(peer)
        self.start_renewed()

    def round(self, number):
        if number:
            self.renew()
        for path in paths.PATHS:
            servers = [self.ours, self.nginx, self.haproxy, self.floors[path.key]]
            if path.is_in_turns:
                self.in_turns(path.key, {peer.name: (peer, path) for peer in servers})
                continue
            # Each is first in its turn.
            turn = number % len(servers)
            for peer in servers[turn:] + servers[:turn]:
                self.note(path.key, peer.name, self.loader.run(peer, path, self.seconds))
        for path in paths.PAIRED:
            self.pair(path.key, self.ours, path)
        self.pair("logging", self.logging, HEADER)
        self.logging.log.write_text("")
        rate = LOAD_SHARE * 1e6 / self.results["header"]["nginx"][-1]["cpu_us"]
        paced = [self.ours, self.nginx]
        for peer, result in zip(paced, self.loader.run_paced(
                [(peer, HEADER) for peer in paced], self.seconds * PACED_SECONDS_FACTOR, rate)):
            self.note("paced", peer.name, result)
        for key, servers, cores in (
                ("one core", (self.ours, self.floors["header"]), [self.core]),
                ("two cores", (self.two_loops, self.two_floors), [self.core, self.load_core])):
            results = self.loader.run_beside(
                [(peer, HEADER) for peer in servers], self.seconds * PAIRED_SECONDS_FACTOR, cores)
            for name, result in zip(("ours", "floor"), results):
                self.note(key, name, result)

    def in_turns(self, key, asked, seconds_factor=1):
        results = self.loader.run_in_turns(list(asked.values()), self.seconds * seconds_factor)
        for name, result in zip(asked, results):
            self.note(key, name, result)

    def pair(self, key, peer, path):
        """A measurement and, in turns with it, the plain one that it is compared with."""
        self.in_turns(goals.beside(key), {"ours": (peer, path), "plain": (self.ours, HEADER)}, PAIRED_SECONDS_FACTOR)

    def noise(self):
        """What tells whether the machine was quiet enough."""
        outcome = {"results": self.results}
        low, _, high = quartiles(goals.ratios(outcome, goals.beside("again"), "ours", "plain"))
        header = self.results["header"]
        fast, _, slow = quartiles(result["cpu_us"] for result in header["floor"])
        return {
            "disturbed_share": self.loader.noisy / self.loader.measured, "repeat_quartiles": [low, high],
            "uncertainties": [goals.noise(outcome), goals.uncertainty(goals.of_two_cores(outcome))],
            "floor_us_quartiles": [fast, slow],
            "idle_share": statistics.median(
                1 - result["server_cpu_ns"] / 1e9 / result["seconds"] for result in header["ours"]),
        }

    def run(self):
        started_at = time.time()
        self.start()
        for number in range(self.rounds):
            say(f"Round {number + 1} of {self.rounds}")
            self.round(number)
        self.peers.stop_all()
        say("Memory, start, reload, lookup, size")
        once = {
            "memory": extras.memory(self.peers, self.loader),
            "start_milliseconds": extras.start(self.peers, 3 if self.options.quick else 9),
            "reload": extras.reload(self.peers, self.loader, 3 if self.options.quick else 18),
            "lookup_ns": statistics.median(
                extras.lookup(self.options.lookup, self.options.database, self.core) for _ in range(3)),
            "stripped_bytes": extras.stripped_bytes(self.options.binary, self.folder),
        }
        noise = self.noise()
        return {
            "date": time.strftime("%Y-%m-%d", time.gmtime(started_at)),
            "seconds": round(time.time() - started_at),
            "machine": machine(self.is_one_core), "rounds": self.rounds, "seconds_each": self.seconds,
            "noise": noise, "is_noisy": is_noisy(noise),
            "results": self.results, **once,
        }


def is_noisy(noise):
    low, high = noise["repeat_quartiles"]
    fast, slow = noise["floor_us_quartiles"]
    return (any(found > most for found, most in zip(noise["uncertainties"], UNCERTAINTIES_MAX))
            or noise["disturbed_share"] > NOISY_SHARE_MAX or high - low > REPEAT_SPREAD_MAX
            or slow / fast > SPEED_SPREAD_MAX or noise["idle_share"] > IDLE_SHARE_MAX)


def first_answer(port, path):
    """The bytes of the first answer on a path, cut out of a connection that then closes."""
    closing = path.requests[0]
    is_closing = b"Connection: close" in closing
    if not is_closing:
        # Two requests, the second of which closes: the first one's answer is as on a connection that is kept.
        closing = path.requests[0] + path.requests[0][:-2] + b"Connection: close\r\n\r\n"
    data = ask(port, closing)
    return data if is_closing else data[:data.rindex(b"HTTP/1.1 ")]


def machine(is_one_core):
    """What the figures were measured on, in a line."""
    model = "an unknown processor"
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
            break
    versions = [subprocess.run(command, capture_output=True, text=True) for command in
                (["/usr/sbin/nginx", "-v"], ["/usr/sbin/haproxy", "-v"])]
    nginx = versions[0].stderr.strip().rpartition("/")[2]
    haproxy = versions[1].stdout.split()[2].partition("-")[0]
    shared = ", server and load on two threads of one core" if is_one_core else ""
    return (f"{os.cpu_count()} cores of {model}, Linux {platform.release().split('-')[0]}, "
            f"nginx {nginx}, HAProxy {haproxy}{shared}")


def absolute(path):
    return pathlib.Path(path).resolve()


def new_file(text):
    """A file that can be written: better known now than when all is measured."""
    path = absolute(text)
    if path.is_dir() or not os.access(path.parent, os.W_OK):
        raise argparse.ArgumentTypeError(f"{text} cannot be written")
    return path


def positive(kind):
    def read(text):
        if not 0 < (value := kind(text)) < 1000:
            raise ValueError(text)
        return value
    read.__name__ = f"positive {kind.__name__}"
    return read


def arguments():
    parser = argparse.ArgumentParser(prog="Scripts/bench", description="Measures Region Bucket beside nginx, HAProxy "
                                     "and a minimal C server. Ends with 0 when all goals are met, with 1 when one is "
                                     "missed, with 2 when the machine was too noisy to tell.")
    parser.add_argument("--quick", action="store_true", help="a rough picture in under two minutes")
    parser.add_argument("--json", type=new_file, metavar="FILE", help="write every figure there")
    parser.add_argument("--html", type=new_file, metavar="FILE", help="write a page with plots there")
    parser.add_argument("--rounds", type=positive(int), help="rounds, instead of 21 (quick: 4)")
    parser.add_argument("--seconds", type=positive(float), help="of each measurement, instead of 0.3 (quick: 0.2)")
    for name in ("binary", "database", "load", "floor", "lookup", "map"):
        parser.add_argument(f"--{name}", type=absolute, required=True, help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    options = arguments()
    # Whoever is told to stop stops its servers first.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, frame: sys.exit(128 + number))
    if len(os.sched_getaffinity(0)) < 2:
        print("bench: server and load need a core each", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="region-bucket-bench-") as name:
        folder = pathlib.Path(name)
        # nginx's worker is another user.
        folder.chmod(0o755)
        bench = Bench(options, folder)
        try:
            outcome = bench.run()
        finally:
            bench.peers.stop_all()
    outcome["goals"] = goals.judge(outcome)
    print(report.table(outcome))
    if options.json:
        options.json.write_text(json.dumps(outcome, indent=1) + "\n")
    if options.html:
        options.html.write_text(report.page(outcome))
    if outcome["is_noisy"]:
        print("The machine was too noisy to conclude anything.")
        return 2
    return 0 if all(goal["is_met"] for goal in outcome["goals"]) else 1


if __name__ == "__main__":
    sys.exit(main())
