"""Runs the load, and judges whether the machine was quiet enough to believe what came of it."""

import json
import os
import pathlib
import statistics
import subprocess

from peers import beside_its_maker

# Of the time of a measurement, what others may have used of both cores.
FOREIGN_SHARE_MAX = 0.10
ATTEMPTS_MAX = 3
# How long servers are asked before it is the next one's turn: thousands of requests, and far less than a machine takes
# to change its speed.
TURN_MS = 20
# At a given rate: the time in which a queue shows what it is like, and in most of which the machine never stands still.
PACED_TURN_MS = 50


class Loader:
    def __init__(self, program, folder, core, attempts_max=ATTEMPTS_MAX):
        self.program, self.folder, self.core, self.attempts_max = program, folder, core, attempts_max
        # What the last attempts at a quiet measurement have cost.
        self.noisy = 0
        self.measured = 0

    def command(self, asked, connections, *arguments, core=None):
        """The load on servers, each with a path: the first one alone, unless they take turns."""
        words = [*beside_its_maker(core or self.core), self.program, "--connections", connections]
        for peer, path in asked:
            file = self.folder / f"requests-{abs(hash(path.requests)):x}"
            if not file.exists():
                file.write_bytes(b"".join(path.requests))
            words += ["--port", peer.port, "--pids", peer.pids, "--requests", file, *path.load]
        return [str(word) for word in (*words, *arguments)]

    def run(self, peer, path, seconds, *arguments):
        """One measurement of one server, the quietest of up to three."""
        seconds *= path.seconds_factor
        return self._quietest([(peer, path)], path.connections, "--seconds", seconds, "--warm-seconds", seconds / 5,
                              *arguments)[0]

    def run_in_turns(self, asked, seconds):
        """Servers that take turns of a few milliseconds, so that all meet the same machine: a result for each."""
        return self._quietest(asked, asked[0][1].connections, "--seconds", seconds, "--turn-ms", TURN_MS)

    def run_paced(self, asked, seconds, rate):
        """The same with so many requests a second, whatever the answers take, and with the p99 of each turn."""
        return self._quietest(asked, asked[0][1].connections, "--seconds", seconds, "--turn-ms", PACED_TURN_MS,
                              "--rate", rate)

    def _quietest(self, asked, connections, *arguments):
        best = None
        for _ in range(self.attempts_max):
            before = [user_and_kernel_ticks(peer.pids) for peer, _ in asked]
            results = parse(subprocess.run(
                self.command(asked, connections, *arguments), check=True, capture_output=True, text=True).stdout)
            for (peer, path), result, start in zip(asked, results, before):
                result["user_and_kernel_ticks"] = [
                    end - begin for begin, end in zip(start, user_and_kernel_ticks(peer.pids))]
                check(peer, path, result)
            # Not one answer: others had the processor all the time.
            if not all(result["answers"] for result in results):
                continue
            if best is None or results[0]["foreign_share"] < best[0]["foreign_share"]:
                best = results
            if best[0]["foreign_share"] <= FOREIGN_SHARE_MAX:
                break
        if best is None:
            raise RuntimeError(f"{asked[0][0].name}, {asked[0][1].key}: no answers in {self.attempts_max} attempts")
        self.count(best)
        return best

    def count(self, results):
        """Counts a measurement, and whether others disturbed it."""
        self.measured += 1
        self.noisy += results[0]["foreign_share"] > FOREIGN_SHARE_MAX

    def run_beside(self, asked, seconds, cores):
        """The same with a load on each core at the same time: answers a second of all of them, for each server."""
        started = [
            subprocess.Popen(
                self.command(asked, asked[0][1].connections, "--seconds", seconds, "--turn-ms", TURN_MS, core=core),
                stdout=subprocess.PIPE, text=True)
            for core in cores]
        # One load's results after the other's; then those of each server.
        by_load = [parse(process.communicate()[0]) for process in started]
        for results in by_load:
            for (peer, path), result in zip(asked, results):
                check(peer, path, result)
        sums = [sum(result["per_second"] for result in results) for results in zip(*by_load)]
        if not all(sums):
            raise RuntimeError(f"{asked[0][0].name}, {asked[0][1].key}: no answers")
        return [{"per_second": per_second} for per_second in sums]


def two_cores(allowed=None, folder="/sys/devices/system/cpu"):
    """One for the server and one for the load, and whether they are two threads of one core, for want of others."""
    first, *others = sorted(os.sched_getaffinity(0) if allowed is None else allowed)
    siblings = pathlib.Path(folder, f"cpu{first}/topology/thread_siblings_list")
    shared = numbers(siblings.read_text()) if siblings.exists() else set()
    apart = [core for core in others if core not in shared]
    return str(first), str((apart or others)[0]), not apart


def numbers(text):
    """What a list such as `0-1,4` of the kernel's holds."""
    found = set()
    for part in text.strip().split(","):
        low, _, high = part.partition("-")
        found |= set(range(int(low), int(high or low) + 1))
    return found


def user_and_kernel_ticks(pids):
    """What the kernel's samples say of where processes have spent their time: in user mode, in itself (proc(5))."""
    fields = [pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids.split(",")]
    return [sum(int(field[place]) for field in fields) for place in (11, 12)]


def parse(text):
    """A result for each server that was asked; what others had of the processors holds for all of them."""
    whole = json.loads(text)
    foreign_share = max(0, whole["foreign_cpu_ns"] + whole["steal_ns"]) / 1e9 / whole["seconds"]
    for result in whole["targets"]:
        answers = max(result["answers"], 1)
        result["cpu_us"] = result["server_cpu_ns"] / 1000 / answers
        result["load_cpu_us"] = result["load_cpu_ns"] / 1000 / answers
        result["per_second"] = result["answers"] / result["seconds"]
        result["foreign_share"] = foreign_share
    return whole["targets"]


def check(peer, path, result):
    """A server that lost or mixed up answers has not been measured."""
    if result["wrong_status"] or result["lost"]:
        raise RuntimeError(
            f"{peer.name}, {path.key}: {result['wrong_status']} answers of another status, {result['lost']} lost")


def quartiles(values):
    values = list(values)
    if len(values) < 2:
        return (values[0],) * 3
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high
