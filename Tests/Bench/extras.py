"""What is measured once and not by rounds: memory, start, reload, the lookup by itself, size."""

import json
import os
import shutil
import signal
import statistics
import subprocess
import time

import paths
from measure import check, parse
from peers import CLOSING, ask

IDLE_COUNT = 10_000
# worker_connections in the nginx.conf of Debian's package.
DEBIAN_CONNECTIONS = 768
HEADER_PATH = paths.PATHS[0]


def memory(peers, loader):
    """Resident and own bytes at start, and what an idle connection adds to the own ones.

    nginx sets memory aside for all connections that it may have: at start it may have as many as Debian lets it.
    """
    at_start = {}
    for make in (peers.ours, lambda: peers.nginx(connections_max=DEBIAN_CONNECTIONS)):
        peer = make()
        at_start[peer.name] = peer.memory_bytes()
        peers.stop(peer)
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
            **at_start[peer.name], "resident_with_idle": after["resident"],
            "per_idle_connection": (after["own"] - before["own"]) / IDLE_COUNT}
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
BETWEEN_RELOADS_SECONDS = 0.5


def reload(peers, loader, seconds):
    """The p99 of full load before, while and after the database is read again, over and over, in windows of 50 ms.

    The service may use both cores, as an operator would let it; the load keeps one of them busy.
    """
    peer = peers.ours(cores=f"{peers.core},{loader.core}", name="reloaded")
    command = loader.command(
        [(peer, HEADER_PATH)], HEADER_PATH.connections, "--seconds", seconds, "--warm-seconds", 0.5, "--window-ms",
        WINDOW_MS)
    load = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    started_at = time.monotonic() + 0.5
    reloads, pause = [], 0.5 + BETWEEN_RELOADS_SECONDS
    while time.monotonic() + pause < started_at + seconds - BETWEEN_RELOADS_SECONDS:
        time.sleep(pause)
        count = peer.log.read_text().count('"database-loaded"')
        asked_at = time.monotonic()
        peer.process.send_signal(signal.SIGHUP)
        while peer.log.read_text().count('"database-loaded"') == count:
            time.sleep(0.001)
        ended_at = time.monotonic()
        reloads.append((asked_at - started_at, ended_at - started_at))
        # As long again as it took, before the next one, and windows apart from both.
        pause = max(BETWEEN_RELOADS_SECONDS, ended_at - asked_at + 4 * WINDOW_MS / 1000)
    text = load.communicate()[0]
    [result] = parse(text)
    check(peer, HEADER_PATH, result)
    loader.count([result])
    peers.stop(peer)
    windows = [window_p99_us(window) for window in json.loads(text)["windows"]]
    found = list(filter(None, (around(windows, begin, end) for begin, end in reloads)))
    if not found:
        raise RuntimeError(f"no reload ended within {seconds} s")
    before, during, after = (statistics.median(values) for values in zip(*found))
    return {
        "reloads": len(reloads),
        "milliseconds": statistics.median(1000 * (end - begin) for begin, end in reloads),
        "p99_us_before": before, "p99_us_during": during, "p99_us_after": after,
        "p99_ratio": statistics.median(during / before for before, during, _ in found),
        "windows": windows,
    }


def window_p99_us(window):
    """Where nothing was answered, an answer would have taken as long as the window at least."""
    return window["p99_us"] if window["count"] else WINDOW_MS * 1000


def around(windows, begin, end):
    """The worst window of a reload's time, and of as many before it and after it, with one between that counts for
    neither: the worst of more windows is worse by chance. None where the measurement
    has no such time."""
    first, last = (int(seconds * 1000 / WINDOW_MS) for seconds in (begin, end))
    count = last - first + 1
    if first - 1 < count or last + 2 + count > len(windows):
        return None
    return (max(windows[first - 1 - count:first - 1]), max(windows[first:last + 1]),
            max(windows[last + 2:last + 2 + count]))


def lookup(program, database, core):
    """Nanoseconds of a lookup, measured in a process that does nothing else."""
    addresses = "".join(f"{address}\n" for address in paths.addresses(20_000, seed=4))
    return float(subprocess.run(
        ["taskset", "-c", core, program, database], input=addresses, check=True, capture_output=True, text=True).stdout)


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
