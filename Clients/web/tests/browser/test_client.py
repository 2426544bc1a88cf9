"""The web client in a real browser: all vectors, a real service of another origin, and a server that misbehaves."""

import base64
import json
import time
import unittest

from harness import ROOT, Browser, Certificates, Front, Misbehaving, pages, vector_server

import faults
from support import Service

VECTORS = ROOT / "Tests/Vectors"
TIMEOUT_MS = 1500
# How long behind the time-out an answer may come; the machine may be busy.
GRACE_MS = 1000
# The browser's doings, which no page has a say in: a handshake that meets no TLS is tried a second time, without what
# is new in it; interim responses are read until the page gives up, which is all that bounds them.
CONNECTIONS = {"TLS spoken to a plain port": 2}
BOUND_BY_TIME = {"endless-interim"}
# No database: the country is what the front says.
SERVICE = {"sources": ["cdn"], "database": None, "clientAddress": None}
# By the bucket, what the front says of the client.
FRONTS = {
    "regionalMarket": [("CloudFront-Viewer-Country", "KR")],
    "otherMarket": [("CloudFront-Viewer-Country", "US")],
    "unknown": [],
}

# What a page's script begins with; `given` are the arguments.
RESOLVER = """
    const { RegionResolver } = await import("/region-bucket.js");
    const make = (url, options) => new RegionResolver({ url, allowedHosts: ["127.0.0.1"], ...options });
"""
# The whole flow of an app: consent given, region, plan, chain; `failing` are the providers without an ad.
FLOW = RESOLVER + """
    const { AdLoader, AdStartup } = await import("/ad-plan.js");
    const [url, failing, options] = given;
    const resolver = make(url, options);
    const startup = new AdStartup(() => resolver.resolve());
    const start = performance.now();
    // The completion arrives twice.
    const [plan, again] = await Promise.all([startup.enter("adsAllowed"), startup.enter("adsAllowed")]);
    const calls = [];
    const source = (provider) => ({
        load: async () => {
            calls.push(provider);
            if (failing.includes(provider)) throw new Error("no ad");
            return provider;
        },
    });
    const sources = { regional: source("regional"), global: source("global") };
    const loaded = await new AdLoader({ plan, sources, inHouse: () => "inHouse" }).load();
    return {
        plan, same: plan === again, calls, provider: loaded.provider, refusal: resolver.refusal ?? null,
        elapsedMs: performance.now() - start,
    };
"""


def setUpModule():
    global authorities, site, misbehaving, browser
    authorities = Certificates()
    unittest.addModuleCleanup(authorities.close)
    site = pages(authorities.context())
    unittest.addModuleCleanup(site.close)
    misbehaving = Misbehaving()
    unittest.addModuleCleanup(misbehaving.close)
    browser = Browser([authorities.authority, misbehaving.authority])
    unittest.addModuleCleanup(browser.close)
    unittest.addModuleCleanup(browser.quit)


class Vectors(unittest.TestCase):
    def setUp(self):
        browser.open(site.origin + "/empty")

    def test_every_file_that_node_runs(self):
        names = browser.run('return Object.keys((await import("/tests/vectors.js")).runners);')
        self.assertGreaterEqual(len(names), 5)
        for name in names:
            with self.subTest(file=name):
                content = json.loads((VECTORS / name).read_text())
                script = 'return (await import("/tests/vectors.js")).runners[given[0]](given[1]);'
                self.assertEqual(browser.run(script, name, content), len(content["rows"]))

    def test_every_answer_over_the_network(self):
        rows = json.loads((VECTORS / "answers.json").read_text())["rows"]
        listener, responses = vector_server()
        self.addCleanup(listener.close)
        for index, row in enumerate(rows):
            responses[f"/{index}"] = response(row)
        origin = f"http://127.0.0.1:{listener.getsockname()[1]}"
        script = RESOLVER + """
            const buckets = [];
            for (let index = 0; index < given[1]; index += 1) {
                buckets.push(await make(`${given[0]}/${index}`, { allowsPlainLoopback: true }).resolve());
            }
            return buckets;
        """
        buckets = browser.run(script, origin, len(rows))
        self.assertEqual(len(buckets), len(rows))
        for row, bucket in zip(rows, buckets):
            with self.subTest(row=row["name"]):
                self.assertEqual(bucket, row["bucket"])


def response(row):
    """A row of answers.json as the bytes of a response."""
    body = b"".join(
        (part["text"].encode() if "text" in part else base64.b64decode(part["base64"])) * part.get("times", 1)
        for part in row["body"])
    lines = [f"HTTP/1.1 {row['status']} Status", "Connection: close", "Access-Control-Allow-Origin: *",
             f"Content-Length: {len(body)}"]
    if row["contentType"] is not None:
        lines.append(f"Content-Type: {row['contentType']}")
    return "\r\n".join([*lines, "", ""]).encode() + body


class RealService(unittest.TestCase):
    """The service behind a TLS front, asked by a page of another origin."""

    @classmethod
    def setUpClass(cls):
        cls.service = Service(SERVICE)
        cls.addClassCleanup(lambda: cls.assertEqual(cls(), cls.service.stop(), 0))
        cls.fronts = {}
        for bucket, lines in FRONTS.items():
            cls.fronts[bucket] = Front(cls.service.port, lines, authorities.context())
            cls.addClassCleanup(cls.fronts[bucket].close)

    def setUp(self):
        browser.open(site.origin + "/empty")
        for front in self.fronts.values():
            front.requests.clear()

    def test_each_bucket_and_its_chain(self):
        chains = {
            "regionalMarket": ["regional", "global", "inHouse"],
            "otherMarket": ["global", "inHouse"],
            "unknown": ["global", "inHouse"],
        }
        for bucket, chain in chains.items():
            for failing in range(len(chain)):
                with self.subTest(bucket=bucket, failing=failing):
                    front = self.fronts[bucket]
                    front.requests.clear()
                    outcome = browser.run(FLOW, front.origin + "/v1/region", chain[:failing], {})
                    self.assertEqual(outcome["plan"], chain)
                    self.assertTrue(outcome["same"])
                    self.assertEqual(outcome["provider"], chain[failing])
                    # In-house content is not asked.
                    self.assertEqual(outcome["calls"], [name for name in chain[:failing + 1] if name != "inHouse"])
                    self.assertIsNone(outcome["refusal"])
                    self.assertEqual(len(front.requests), 1)

    def test_ten_thousand_at_once_are_one_request(self):
        front = self.fronts["regionalMarket"]
        script = RESOLVER + """
            const resolver = make(given[0]);
            const buckets = await Promise.all(Array.from({ length: 10_000 }, () => resolver.resolve()));
            return [buckets.length, ...new Set(buckets)];
        """
        self.assertEqual(browser.run(script, front.origin + "/v1/region"), [10_000, "regionalMarket"])
        self.assertEqual(len(front.requests), 1)

    def test_what_is_sent(self):
        front = self.fronts["otherMarket"]
        browser.run('document.cookie = "mine=1; path=/"; localStorage.setItem("mine", "1");')
        script = RESOLVER + """
            const resolver = make(given[0]);
            await resolver.resolve();
            resolver.reset();
            return resolver.resolve();
        """
        self.assertEqual(browser.run(script, front.origin + "/v1/region"), "otherMarket")
        browser.run('document.cookie = "mine=; path=/; max-age=0"; localStorage.clear();')
        # No preflight, and nothing from a cache.
        self.assertEqual([request[:2] for request in front.requests], [("GET", "/v1/region")] * 2)
        for _, _, fields in front.requests:
            sent = {name.lower(): value for name, value in fields}
            self.assertEqual(len(sent), len(fields))
            self.assertEqual(sent.pop("host"), front.origin.removeprefix("https://"))
            self.assertEqual(sent.pop("accept"), "application/json")
            self.assertEqual(sent.pop("accept-language"), "*")
            self.assertEqual(sent.pop("origin"), site.origin)
            # What a browser adds by itself, the same for everybody with that browser.
            own = {"connection", "pragma", "cache-control", "user-agent", "accept-encoding", "sec-ch-ua",
                   "sec-ch-ua-mobile", "sec-ch-ua-platform", "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest",
                   "priority", "sec-fetch-storage-access"}
            self.assertLessEqual(set(sent), own)

    def test_only_listed_origins_get_an_answer(self):
        for origins, bucket, refusal in (
            ([site.origin], "regionalMarket", None),
            (["https://www.example.com"], "unknown", "failed"),
        ):
            with self.subTest(origins=origins), Service({**SERVICE, "cors": {"origins": origins}}) as service:
                front = Front(service.port, FRONTS["regionalMarket"], authorities.context())
                self.addCleanup(front.close)
                script = RESOLVER + """
                    const resolver = make(given[0]);
                    return [await resolver.resolve(), resolver.refusal ?? null];
                """
                self.assertEqual(browser.run(script, front.origin + "/v1/region"), [bucket, refusal])
                self.assertEqual(len(front.requests), 1)

    def test_offline(self):
        url = self.fronts["regionalMarket"].origin + "/v1/region"
        # The modules are there already, as they are in an app that goes offline.
        browser.run('await import("/region-bucket.js"); await import("/ad-plan.js");')
        browser.command("Network.enable")
        browser.command("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1,
                        uploadThroughput=-1)
        try:
            outcome = browser.run(FLOW, url, [], {})
        finally:
            browser.command("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1,
                            uploadThroughput=-1)
            browser.command("Network.disable")
        self.assertEqual((outcome["calls"], outcome["refusal"]), (["global"], "failed"))
        self.assertLess(outcome["elapsedMs"], 2000 + GRACE_MS)
        self.assertEqual(self.fronts["regionalMarket"].requests, [])


class Faults(unittest.TestCase):
    """A server that misbehaves; the rows say within which bounds that ends."""

    @classmethod
    def setUpClass(cls):
        cls.rows = json.loads((ROOT / "Tests/servers/faults.json").read_text())["rows"]

    def setUp(self):
        browser.open(site.origin + "/empty")

    def url(self, row, key):
        return f"https://127.0.0.1:{misbehaving.ready[row['port']]}/{row['path']}/{key}"

    def test_the_rows_name_all_faults(self):
        named = {row["path"] for row in self.rows if row["port"] == "https"}
        self.assertEqual(sorted(named), misbehaving.ready["faults"])

    def test_every_fault(self):
        script = RESOLVER + """
            const resolver = make(given[0], { timeoutMs: given[1] });
            const start = performance.now();
            const bucket = await resolver.resolve();
            const elapsedMs = performance.now() - start;
            return { bucket, elapsedMs, again: await resolver.resolve(), refusal: resolver.refusal ?? null };
        """
        for index, row in enumerate(self.rows):
            with self.subTest(fault=row["name"]):
                key = f"browser-{index}"
                before = misbehaving.tally(key)["accepted"].get(row["port"], 0)
                outcome = browser.run(script, self.url(row, key), TIMEOUT_MS)
                tally = misbehaving.tally(key)
                self.assertEqual((outcome["bucket"], outcome["again"]), (row["bucket"], row["bucket"]))
                self.assertLess(outcome["elapsedMs"], TIMEOUT_MS + GRACE_MS)
                in_order = row["bucket"] != "unknown" or row["path"] == "says-unknown"
                self.assertEqual(outcome["refusal"] is None, in_order, outcome["refusal"])
                self.assertEqual(tally["requests"], row["requests"])
                self.assertEqual(tally["accepted"].get(row["port"], 0) - before,
                                 CONNECTIONS.get(row["name"], row["connections"]))
                if row["name"] in BOUND_BY_TIME:
                    self.assert_no_longer_sent(key)
                else:
                    self.assertLessEqual(tally["bytesSent"], row["bytesSentMax"])
                self.assertEqual(misbehaving.tally(f"{key}-target")["requests"], 0)

    def assert_no_longer_sent(self, key):
        """The server's sending ends with the page's giving up, long before the server would end it."""
        counts = []
        for _ in range(20):
            counts.append(misbehaving.tally(key)["bytesSent"])
            if counts[-2:].count(counts[-1]) == 2:
                break
            time.sleep(0.25)
        self.assertEqual(counts[-2], counts[-1])
        self.assertLess(counts[-1], faults.ENDLESS_BYTES)

    def test_the_flow_ends_in_time_whatever_the_service_does(self):
        for row in self.rows:
            if row["bucket"] != "unknown":
                continue
            with self.subTest(fault=row["name"]):
                url = self.url(row, "flow")
                outcome = browser.run(FLOW, url, ["global"], {"timeoutMs": 500})
                self.assertEqual(outcome["plan"], ["global", "inHouse"])
                self.assertEqual((outcome["calls"], outcome["provider"]), (["global"], "inHouse"))
                self.assertLess(outcome["elapsedMs"], 500 + GRACE_MS)


class NothingIsKept(unittest.TestCase):
    """Neither in the page's storage nor in the profile on disk; controls show that what is kept would be found."""

    KEPT = """
        const databases = await indexedDB.databases();
        return {
            cookie: document.cookie, local: localStorage.length, session: sessionStorage.length,
            databases: databases.length, caches: (await caches.keys()).length,
        };
    """

    def test_nothing_but_what_the_controls_keep(self):
        own = Browser([authorities.authority, misbehaving.authority])
        self.addCleanup(own.close)
        try:
            own.open(site.origin + "/empty")
            base = f"https://127.0.0.1:{misbehaving.ready['https']}/cookie-and-cache"
            self.assertEqual(own.run(RESOLVER + "return make(given[0]).resolve();", f"{base}/kept-by-the-client"),
                             "regionalMarket")
            nothing = {"cookie": "", "local": 0, "session": 0, "databases": 0, "caches": 0}
            self.assertEqual(own.run(self.KEPT), nothing)
            self.assertEqual(own.command("Storage.getCookies")["cookies"], [])
            # The same answer, fetched as pages usually do.
            own.run('await fetch(given[0]);', f"{base}/kept-by-the-control")
            own.run('await fetch(given[0], { credentials: "include", mode: "no-cors" });',
                    f"{base}/cookie-of-the-control")
            self.assertEqual([cookie["name"] for cookie in own.command("Storage.getCookies")["cookies"]], ["id"])
        finally:
            own.quit()
        self.assertNotEqual(own.files_with("kept-by-the-control"), [])
        self.assertEqual(own.files_with("kept-by-the-client"), [])


if __name__ == "__main__":
    unittest.main()
