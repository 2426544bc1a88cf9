"""What is measured once and not by rounds: memory, start, reload, the lookup by itself, size."""

import json
import os
import shutil
import signal
import statistics
import subprocess
import time

import paths
from peers import CLOSING, ask

IDLE_COUNT = 10_000
HEADER_PATH = paths.PATHS[0]


def memory(peers, loader):
    """Resident and anonymous bytes at start, and what an idle connection adds to the anonymous ones."""
    found = {}
    for make in (peers.ours, peers.nginx):
        peer = make()
        before = peer.memory_bytes()
        holder = subprocess.Popen(
            loader.command([(peer, HEADER_PATH)], IDLE_COUNT, "--idle"),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            if holder.stdout.readline() != "ready\n":
                raise RuntimeError(f"{peer.name} did not take {IDLE_COUNT} connections")
            after = peer.memory_bytes()
        finally:
            holder.communicate("")
        found[peer.name] = {
            **before, "resident_with_idle": after["resident"],
            "per_idle_connection": (after["anonymous"] - before["anonymous"]) / IDLE_COUNT}
        peers.stop(peer)
    return found


def start(peers, rounds):
    """Milliseconds from the start of the process to the end of its first answer."""
    makers = {
        "ours": peers.ours,
        # The same without a database: the difference is reading and checking it.
        "ours without database": lambda: peers.ours(sources=["cdn"], database=None, clientAddress=None),
        "nginx": peers.nginx,
    }
    found = {name: [] for name in makers}
    for _ in range(rounds):
        for name, make in makers.items():
            peer = make()
            found[name].append(peer.first_answer_seconds * 1000)
            peers.stop(peer)
    return {name: statistics.median(values) for name, values in found.items()}


WINDOW_MS = 50
# What of the time around a reload is compared with it: near enough for the same machine.
AROUND_SECONDS = 0.2
BETWEEN_RELOADS_SECONDS = 2.5 * AROUND_SECONDS


def reload(peers, loader, seconds):
    """The p99 of full load before, while and after the database is read again, over and over, in windows of 50 ms.

    The service may use both cores, as an operator would let it; the load keeps one of them busy.
    """
    peer = peers.ours(cores=f"0,{loader.core}", name="reloaded")
    command = loader.command(
        [(peer, HEADER_PATH)], HEADER_PATH.connections, "--seconds", seconds, "--warm-seconds", 0.5, "--window-ms",
        WINDOW_MS)
    load = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    started_at = time.monotonic() + 0.5
    reloads = []
    time.sleep(0.5)
    while time.monotonic() < started_at + seconds - 2 * BETWEEN_RELOADS_SECONDS:
        time.sleep(BETWEEN_RELOADS_SECONDS)
        count = peer.log.read_text().count('"database-loaded"')
        asked_at = time.monotonic() - started_at
        peer.process.send_signal(signal.SIGHUP)
        while peer.log.read_text().count('"database-loaded"') == count:
            time.sleep(0.001)
        reloads.append((asked_at, time.monotonic() - started_at))
    windows = [window["p99_us"] for window in json.loads(load.communicate()[0])["windows"]]
    peers.stop(peer)

    def p99(begin, end):
        """Of the windows that have a part of the time."""
        return statistics.median(
            value for i, value in enumerate(windows)
            if i * WINDOW_MS / 1000 < end and (i + 1) * WINDOW_MS / 1000 > begin)

    # A window of its own lies between the reload and what is compared with it.
    apart = WINDOW_MS / 1000
    found = [(p99(begin - AROUND_SECONDS, begin - apart), p99(begin, end), p99(end + apart, end + AROUND_SECONDS))
             for begin, end in reloads]
    before, during, after = (statistics.median(values) for values in zip(*found))
    return {
        "reloads": len(reloads),
        "milliseconds": statistics.median(1000 * (end - begin) for begin, end in reloads),
        "p99_us_before": before, "p99_us_during": during, "p99_us_after": after,
        "p99_ratio": statistics.median(during / before for before, during, _ in found),
        "windows": windows,
    }


def lookup(program, database):
    """Nanoseconds of a lookup, measured in a process that does nothing else."""
    addresses = "".join(f"{address}\n" for address in paths.addresses(20_000, seed=4))
    return float(subprocess.run(
        ["taskset", "-c", "0", program, database], input=addresses, check=True, capture_output=True, text=True).stdout)


def stripped_bytes(binary, folder):
    copy = folder / "stripped"
    shutil.copy(binary, copy)
    subprocess.run(["strip", "--strip-all", copy], check=True)
    return os.path.getsize(copy)


def agree(servers):
    """Every server gives the same bucket to 2,000 addresses."""
    for address in paths.addresses(2000, seed=7):
        request = paths.looked_up(address)[:-2] + b"Connection: close\r\n\r\n"
        bodies = {peer.name: ask(peer.port, request).partition(b"\r\n\r\n")[2] for peer in servers}
        if len(set(bodies.values())) != 1:
            raise RuntimeError(f"{address}: {bodies}")
    tags = {peer.name: b"304" in ask(peer.port, CLOSING[:-2] + paths.TAG.encode() + b"\r\n")[:12] for peer in servers}
    if not all(tags.values()):
        raise RuntimeError(f"304: {tags}")
