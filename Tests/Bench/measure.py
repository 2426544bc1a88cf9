"""Runs the load, and judges whether the machine was quiet enough to believe what came of it."""

import json
import pathlib
import statistics
import subprocess

# Of the time of a measurement, what others may have used of both cores.
FOREIGN_SHARE_MAX = 0.10
ATTEMPTS_MAX = 3


class Loader:
    def __init__(self, program, folder, core):
        self.program, self.folder, self.core = program, folder, core
        # What the last attempts at a quiet measurement have cost.
        self.noisy = 0
        self.measured = 0

    def command(self, port, requests, connections, *arguments, core=None):
        path = self.folder / f"requests-{abs(hash(requests)):x}"
        if not path.exists():
            path.write_bytes(b"".join(requests))
        return ["taskset", "-c", core or self.core, str(self.program), "--port", str(port), "--requests", str(path),
                "--connections", str(connections), *map(str, arguments)]

    def run(self, peer, path, seconds, *arguments, core=None):
        """One measurement, the quietest of up to three."""
        best = None
        seconds *= path.seconds_factor
        for _ in range(ATTEMPTS_MAX):
            command = self.command(
                peer.port, path.requests, path.connections, "--seconds", seconds, "--warm-seconds", seconds / 5,
                "--pids", peer.pids, *path.load, *arguments, core=core)
            before = user_and_kernel_ticks(peer.pids)
            result = parse(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            result["user_and_kernel_ticks"] = [
                after - start for start, after in zip(before, user_and_kernel_ticks(peer.pids))]
            check(peer, path, result)
            # Not one answer: others had the processor all the time.
            if not result["answers"]:
                continue
            if best is None or result["foreign_share"] < best["foreign_share"]:
                best = result
            if best["foreign_share"] <= FOREIGN_SHARE_MAX:
                break
        if best is None:
            raise RuntimeError(f"{peer.name}, {path.key}: no answers in {ATTEMPTS_MAX} attempts")
        self.measured += 1
        self.noisy += best["foreign_share"] > FOREIGN_SHARE_MAX
        return best

    def run_beside(self, peer, path, seconds, cores):
        """One load on each core at the same time; answers a second and CPU of all of them."""
        started = [
            subprocess.Popen(
                self.command(peer.port, path.requests, path.connections, "--seconds", seconds, "--warm-seconds",
                             seconds / 5, "--pids", peer.pids, core=core),
                stdout=subprocess.PIPE, text=True)
            for core in cores]
        results = [parse(process.communicate()[0]) for process in started]
        for result in results:
            check(peer, path, result)
        if not any(result["answers"] for result in results):
            raise RuntimeError(f"{peer.name}, {path.key}: no answers")
        return {"per_second": sum(result["per_second"] for result in results),
                "cpu_us": results[0]["server_cpu_ns"] / 1000 / sum(result["answers"] for result in results)}


def user_and_kernel_ticks(pids):
    """What the kernel's samples say of where processes have spent their time: in user mode, in itself (proc(5))."""
    fields = [pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids.split(",")]
    return [sum(int(field[place]) for field in fields) for place in (11, 12)]


def parse(text):
    result = json.loads(text)
    answers = max(result["answers"], 1)
    result["cpu_us"] = result["server_cpu_ns"] / 1000 / answers
    result["load_cpu_us"] = result["load_cpu_ns"] / 1000 / answers
    result["per_second"] = result["answers"] / result["seconds"]
    result["foreign_share"] = max(0, result["foreign_cpu_ns"] + result["steal_ns"]) / 1e9 / result["seconds"]
    return result


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
