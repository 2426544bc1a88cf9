"""No sequence of requests gives a client another region's answer (Docs/caching.md, from C31 on), played against real
nginx and Varnish in random order. Some thousand requests each; with RB_TEST_LONG=1 two hundred thousand in all.

REGION_BUCKET_SEED repeats a run's choices, though not its timing.
"""

import collections
import os
import random
import threading
import time
import unittest

from deployment import EDGES, LIFETIME_SECONDS, OUTERS, POLICIES, Deployment, addresses, bucket_of
from fronts import Connection, fingerprint
from support import request

IS_LONG = bool(os.environ.get("RB_TEST_LONG"))
REQUESTS = 60_000 if IS_LONG else 6_000
THREADS = 6
SEED = int(os.environ.get("REGION_BUCKET_SEED", time.time_ns() % 1_000_000))

ADDRESSES = addresses()
TAGS = {bucket: f'"1-{bucket}"' for bucket in ("regionalMarket", "otherMarket", "unknown")}
FINGERPRINTS = [fingerprint(regional) for regional in POLICIES.values()]
FORGERIES = [[f"X-Region-Bucket: {bucket}", f"X-Region-Policy: {policy}"] for bucket in TAGS for policy in FINGERPRINTS]
FORGERIES += [
    ["X-Region-Bucket: regionalMarket"], [f"X-Region-Policy: {FINGERPRINTS[0]}"],
    [*FORGERIES[0], "X-Region-Bucket: otherMarket"], [*FORGERIES[0], f"X-Region-Policy: {FINGERPRINTS[1]}"],
    ["X-Region-Bucket: regionalMarket, otherMarket", f"X-Region-Policy: {FINGERPRINTS[0]}"],
    ["X-Region-Bucket: unknown", "X-Region-Policy: 0000000000000000"],
]

# Kinds of request, each with how often it comes: header lines, method, target. `{tag}` is some bucket's.
KINDS = {
    "plain": (30, [([], "GET", "/v1/region")]),
    "head": (10, [([], "HEAD", "/v1/region")]),
    "conditional": (15, [
        (["If-None-Match: {tag}"], "GET", "/v1/region"), (["If-None-Match: {tag}"], "HEAD", "/v1/region"),
        (["If-None-Match: W/{tag}, {tag}"], "GET", "/v1/region"), (["If-None-Match: *"], "GET", "/v1/region"),
        (["If-Match: {tag}"], "GET", "/v1/region"),
        (["If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT"], "GET", "/v1/region")]),
    "error": (10, [
        ([], "GET", "/nothing"), ([], "POST", "/v1/region"), ([], "BREW", "/v1/region"), ([], "DELETE", "/v1/region"),
        (["Expect: 200-ok"], "GET", "/v1/region"), ([], "GET", "/v1/region/"), ([], "GET", "/v1/%72egion"),
        ([], "GET", "/v1/x/../region"), (["A: " + "b" * 7000] * 5, "GET", "/v1/region")]),
    "origin": (10, [
        (["Origin: https://a.example"], "GET", "/v1/region"), (["Origin: null"], "GET", "/v1/region"),
        (["Origin: https://a.example", "Access-Control-Request-Method: GET"], "OPTIONS", "/v1/region"),
        ([], "OPTIONS", "/v1/region")]),
    "odd": (15, [
        (["Cache-Control: no-cache"], "GET", "/v1/region"), (["Cache-Control: only-if-cached"], "GET", "/v1/region"),
        (["Pragma: no-cache"], "GET", "/v1/region"), (["Range: bytes=0-4"], "GET", "/v1/region"),
        (["Cookie: a=b", "Authorization: Basic eDp5"], "GET", "/v1/region"), ([], "GET", "/v1/region?a=b"),
        (["Accept-Encoding: gzip"], "GET", "/v1/region"), ([], "GET", "/v1/region?"),
        (["X-HTTP-Method-Override: HEAD"], "GET", "/v1/region"),
        (["X-Original-URL: /healthz"], "GET", "/v1/region"), (["Connection: X-Region-Bucket"], "GET", "/v1/region"),
        (["CloudFront-Viewer-Country: KR", "X-Country-Code: KR"], "GET", "/v1/region")]),
}


class Player:
    """Clients of every country, one request at a time: what it asked, and what it got that was not its own."""

    def __init__(self, deployment, seed, outers):
        self.deployment, self.random, self.outers = deployment, random.Random(seed), outers
        self.connections = {}
        self.seen = collections.Counter()
        self.wrong = []

    def play(self, count):
        for _ in range(count):
            self.step()
        for connection in self.connections.values():
            connection.close()

    def step(self):
        choose = self.random.choice
        kind = self.random.choices(list(KINDS), [weight for weight, _ in KINDS.values()])[0]
        lines, method, target = choose(KINDS[kind][1])
        lines = [line.replace("{tag}", choose(list(TAGS.values()))) for line in lines]
        edge, outer = choose(EDGES), choose(self.outers)
        country = choose(list(ADDRESSES))
        forged = choose(FORGERIES) if self.random.random() < 0.3 else []
        data = request(
            f"X-Forwarded-For: {choose(ADDRESSES[country])}", f"X-Test-Edge: {edge}", *lines, *forged,
            method=method, target=target)
        before = self.deployment.policies()
        answer = self.connection(edge, outer).ask(data, method)
        after = self.deployment.policies()
        self.seen.update([kind, f"edge {edge}", f"outer {outer}", *(["forged"] if forged else [])])
        if answer is None:
            # A service that is being stopped, and requests that a front refuses with a reset.
            self.seen["closed"] += 1
            return
        self.seen.update([f"status {answer.status}", *(["refreshed"] if answer.get("X-Test-Refreshed") else [])])
        # Where nothing removes a client's own fields, it deceives itself: what matters is that it deceives nobody else.
        allowed = set(TAGS) if edge == "open" and forged else self.allowed(edge, country, before | after)
        complaint = self.complaint(answer, outer, method, lines, allowed)
        if complaint:
            self.wrong.append((
                complaint, country, edge, outer, method, target, lines, forged, answer.status, answer.fields))

    def connection(self, edge, outer):
        port = self.deployment.port(edge, outer)
        if port not in self.connections:
            self.connections[port] = Connection(port)
        return self.connections[port]

    def allowed(self, edge, country, policies):
        """The client's own buckets: by the service's policy, and by the edge's while that may still be kept."""
        if edge in POLICIES and self.deployment.may_be_kept(edge, time.monotonic()):
            policies = policies | {edge}
        return {bucket_of(policy, country) for policy in policies}

    def complaint(self, answer, outer, method, lines, allowed):
        """What is wrong with an answer; None when nothing is."""
        for name in ("Surrogate-Control", "X-Accel-Expires"):
            if answer.get(name) is not None:
                return f"{name} is to be seen outside"
        bucket = answer.get("X-Region-Bucket")
        if answer.status in (200, 206, 304):
            if bucket not in allowed:
                return f"{bucket} instead of {allowed}"
            if answer.get("ETag") != TAGS[bucket]:
                return "an entity tag of another bucket"
            if "no-store" not in (answer.get("Cache-Control") or ""):
                return "it may be kept"
        if answer.status == 200 and method == "GET" and answer.bucket != bucket:
            return "the body says something else"
        if answer.status == 304 and not any(TAGS[bucket] in line or line.endswith("*") for line in lines):
            return "not modified, but nobody had it"
        if answer.status == 206 and outer != "varnish":
            # By its built-in rules Varnish makes parts of everything.
            return "a part of an answer"
        return None


class Operator(threading.Thread):
    """Gives the service one policy after the other, by reload and by restart, for as long as there are requests."""

    def __init__(self, deployment, seed):
        super().__init__()
        self.deployment, self.random = deployment, random.Random(seed)
        self.done = threading.Event()
        self.seen = collections.Counter()
        self.failure = None

    def run(self):
        try:
            while not self.done.wait(self.random.uniform(0.05, 1)):
                other = next(policy for policy in POLICIES if policy != self.deployment.policy)
                policy = other if self.random.random() < 0.7 else self.deployment.policy
                if self.random.random() < 0.5:
                    self.deployment.reload(policy)
                    self.seen["reload"] += 1
                else:
                    self.deployment.restart(policy, self.random.uniform(0, 0.4))
                    self.seen["restart"] += 1
        except BaseException as failure:
            self.failure = failure
            raise


def play(deployment, count, outers=OUTERS, operated=True):
    """Everybody at once; what was seen, and what was wrong."""
    players = [Player(deployment, SEED + number, outers) for number in range(THREADS)]
    threads = [threading.Thread(target=player.play, args=(count // THREADS,)) for player in players]
    operator = Operator(deployment, SEED)
    if operated:
        operator.start()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    operator.done.set()
    if operated:
        operator.join()
    if operator.failure:
        raise operator.failure
    seen = sum((player.seen for player in players), operator.seen)
    return seen, [wrong for player in players for wrong in player.wrong]


class RandomOrder(unittest.TestCase):
    def play(self, kind, refreshing=False, **options):
        """Everything in random order; where what is kept is to be refreshed, again until that has happened."""
        seen = collections.Counter()
        rounds, hits, refreshes = 0, 0, 0
        with Deployment(kind, **options) as deployment:
            while rounds == 0 or refreshing and not refreshes and rounds < 10:
                if rounds:
                    # What is kept has outlived itself when the next round asks for it, whatever the machine's pace.
                    time.sleep(LIFETIME_SECONDS + 0.5)
                # Only what the policy in force has made can be refreshed: so nobody changes it in later rounds.
                more, wrong = play(deployment, REQUESTS, operated=rounds == 0)
                self.assertEqual(wrong[:3], [], f"{len(wrong)} wrong; seed {SEED}")
                seen += more
                rounds += 1
                hits, refreshes = self.hits_and_refreshes(deployment, seen)
        answered = sum(count for name, count in seen.items() if name.startswith("status"))
        print(f"{kind}: {answered} answers, {hits} of them kept ones, {refreshes} refreshes, "
              f"{seen['reload']} reloads, {seen['restart']} restarts, 0 of another region; seed {SEED}")
        # All of it happened.
        self.assertEqual(answered + seen["closed"], rounds * (REQUESTS // THREADS * THREADS))
        self.assertLess(seen["closed"], answered // 5)
        for name in (*KINDS, *(f"edge {edge}" for edge in EDGES), *(f"outer {outer}" for outer in OUTERS), "forged"):
            self.assertGreater(seen[name], 0, name)
        for status in (200, 304, 204, 404, 405, 412, 417, 501):
            self.assertGreater(seen[f"status {status}"], 0, status)
        self.assertGreater(seen["reload"] + seen["restart"], 0)
        self.assertGreater(hits, answered // 20, "nothing is kept: the run proves nothing")
        self.assertEqual(refreshes > 0, refreshing)

    def hits_and_refreshes(self, deployment, seen):
        if deployment.kind == "varnish":
            return deployment.cache.counter("MAIN.cache_hit"), seen["refreshed"]
        log = deployment.cache.logs()
        return log.count(b"cache=HIT"), log.count(b"cache=REVALIDATED")

    def test_c31_c32_c33_c34_c35_c36_c37_c38_nginx(self):
        self.play("nginx")

    def test_c31_c32_c33_c34_c35_c36_c37_c38_varnish(self):
        self.play("varnish")

    def test_c35_nginx_that_refreshes_by_304(self):
        mark = "proxy_cache region;"
        self.play("nginx", refreshing=True, renews=True,
                  change=lambda text: text.replace(mark, mark + " proxy_cache_revalidate on;"))

    def test_c35_varnish_that_refreshes_by_304(self):
        mark = "set beresp.keep = 0s;"
        keeping = 'set beresp.keep = 10s; if (beresp.was_304) { set beresp.http.X-Test-Refreshed = "1"; }'
        self.play("varnish", refreshing=True, change=lambda text: text.replace(mark, keeping))

    def test_c38_an_old_policys_answers_end_with_their_lifetime(self):
        for kind in ("nginx", "varnish"):
            with Deployment(kind) as deployment, Connection(deployment.port("first", "no")) as connection:
                def ask(country, connection=connection):
                    return connection.ask(request(f"X-Forwarded-For: {ADDRESSES[country][0]}")).bucket
                self.assertEqual((ask("JP"), ask("US")), ("otherMarket", "otherMarket"))
                deployment.reload("second")
                while deployment.may_be_kept("first", time.monotonic()):
                    self.assertEqual(ask("US"), "otherMarket")
                    time.sleep(0.1)
                for _ in range(5):
                    self.assertEqual((ask("JP"), ask("US")), ("regionalMarket", "otherMarket"), kind)


class SeededFaults(unittest.TestCase):
    """The search finds what it looks for, where there is something to find."""

    COUNT = 1_200
    PUBLIC = ("proxy_hide_header Cache-Control; proxy_hide_header Vary; proxy_pass_header X-Accel-Expires; "
              "add_header Cache-Control 'public, s-maxage=300' always;")

    def mixed(self, kind, **options):
        outers = options.pop("outers", OUTERS)
        with Deployment(kind, **options) as deployment:
            _, wrong = play(deployment, self.COUNT, outers, operated=False)
            return [complaint for complaint, *_ in wrong if " instead of " in complaint]

    def test_c39_public_answers_mix_regions(self):
        for kind in ("nginx", "varnish"):
            self.assertNotEqual(self.mixed(kind, fault=self.PUBLIC, outers=("nginx", "varnish")), [], kind)

    def test_c39_but_not_in_the_shipped_files(self):
        for kind in ("nginx", "varnish"):
            self.assertEqual(self.mixed(kind, fault=self.PUBLIC, outers=("no",)), [], kind)

    def test_c18_nginx_without_the_bucket_in_its_key(self):
        keyless = {"change": lambda text: text.replace("proxy_cache_key $region_key;", "proxy_cache_key $uri;")}
        self.assertNotEqual(self.mixed("nginx", outers=("no",), **keyless), [])

    def test_c17_varnish_has_two_locks(self):
        def keyless(text):
            return text.replace("hash_data(req.http.X-Region-Bucket);", "").replace(
                "hash_data(req.http.X-Region-Policy);", "hash_data(req.url);")
        self.assertEqual(self.mixed("varnish", outers=("no",), change=keyless), [])
        without_vary = "proxy_hide_header Vary;"
        self.assertNotEqual(self.mixed("varnish", outers=("no",), change=keyless, fault=without_vary), [])


if __name__ == "__main__":
    unittest.main()
