"""The demo page in a real browser: what one picks, and what one sees."""

import time
import unittest
import urllib.parse

from harness import Browser, Certificates, Front, pages

from support import Service

# What is picked → bucket, plan, what is shown, and who was called, in order.
CASES = [
    ({}, "regionalMarket", "regional,global,inHouse", "Ad of the regional provider", "Regional"),
    ({"market": "otherMarket"}, "otherMarket", "global,inHouse", "Ad of the global provider", "Global"),
    ({"market": "unknown"}, "unknown", "global,inHouse", "Ad of the global provider", "Global"),
    ({"consent": "pending"}, "not asked", "inHouse", "In-house content", ""),
    ({"consent": "externalAdsBlocked", "twice": "false"}, "not asked", "inHouse", "In-house content", ""),
    ({"regional": "none"}, "regionalMarket", "regional,global,inHouse", "Ad of the global provider", "Regional,Global"),
    ({"regional": "late", "global": "none"}, "regionalMarket", "regional,global,inHouse", "In-house content",
     "Regional,Global"),
    ({"service": "offline"}, "unknown: no answer to be trusted", "global,inHouse", "Ad of the global provider",
     "Global"),
    ({"service": "slow"}, "unknown: the time was over", "global,inHouse", "Ad of the global provider", "Global"),
    ({"service": "drip"}, "unknown: the time was over", "global,inHouse", "Ad of the global provider", "Global"),
    ({"service": "error"}, "unknown: the status is not 200", "global,inHouse", "Ad of the global provider", "Global"),
    ({"service": "html"}, "unknown: the answer is no JSON", "global,inHouse", "Ad of the global provider", "Global"),
    ({"service": "case"}, "unknown: the answer is none of the three", "global,inHouse", "Ad of the global provider",
     "Global"),
    ({"service": "huge"}, "unknown: the answer is too large", "global,inHouse", "Ad of the global provider", "Global"),
]

SEEN = """
    const texts = (selector) => [...document.querySelectorAll(selector)].map((node) => node.textContent);
    const bucket = document.getElementById("bucket");
    return {
        bucket: [...bucket.childNodes].map((node) => node.textContent).join(": "),
        plan: texts("#plan li").join(","),
        shown: document.getElementById("shown").textContent,
        calls: [...document.querySelectorAll("#calls li")].filter((row) => row.textContent.includes("asked for an ad"))
            .map((row) => row.querySelector("b").textContent).join(","),
        requests: texts("#calls li").filter((text) => text.includes("one request")).length,
        marked: texts("#policy [aria-current]"),
        error: document.getElementById("address-error").textContent,
    };
"""


def setUpModule():
    global authorities, site, browser
    authorities = Certificates()
    unittest.addModuleCleanup(authorities.close)
    site = pages(authorities.context())
    unittest.addModuleCleanup(site.close)
    browser = Browser([authorities.authority])
    unittest.addModuleCleanup(browser.close)
    unittest.addModuleCleanup(browser.quit)


class Demo(unittest.TestCase):
    def tearDown(self):
        # A failed load, a refused script or an error that nobody caught would stand here.
        self.assertEqual(browser.driver.get_log("browser"), [])

    def open(self, **picked):
        browser.open("about:blank")
        browser.open(f"{site.origin}/demo/index.html#{urllib.parse.urlencode(picked)}")

    def seen(self):
        deadline = time.monotonic() + 15
        while time.monotonic() < deadline:
            if browser.run("return document.body.dataset.state;") == "ended":
                return browser.run(SEEN)
            time.sleep(0.05)
        raise AssertionError("the run does not end")

    def test_what_one_picks_is_what_one_sees(self):
        for picked, bucket, plan, shown, calls in CASES:
            with self.subTest(picked=picked):
                self.open(**picked)
                seen = self.seen()
                self.assertEqual((seen["bucket"], seen["plan"]), (bucket, plan))
                self.assertEqual((seen["shown"], seen["calls"]), (shown, calls))
                self.assertEqual(seen["requests"], 0 if bucket == "not asked" else 1)
                self.assertEqual(len(seen["marked"]), 3 if bucket == "not asked" else 1)
                self.assertEqual({text.replace(", ", ",") for text in seen["marked"]}, {plan})

    def test_picking_by_hand_starts_again(self):
        self.open(regional="late")
        browser.driver.find_element("css selector", "input[value=otherMarket]").click()
        seen = self.seen()
        self.assertEqual((seen["bucket"], seen["calls"]), ("otherMarket", "Global"))
        self.assertIn("market=otherMarket", browser.driver.current_url)

    def test_a_real_service(self):
        with Service({"sources": ["cdn"], "database": None, "clientAddress": None}) as service:
            front = Front(service.port, [("CloudFront-Viewer-Country", "KR")], authorities.context())
            self.addCleanup(front.close)
            self.open(address=front.origin + "/v1/region", market="otherMarket")
            self.assertEqual(self.seen()["bucket"], "regionalMarket")
            self.assertEqual(len(front.requests), 1)

    def test_an_address_that_is_none(self):
        for address, error in (("http://region.example.com/", "url: not https"), ("region", "Invalid URL")):
            self.open(address=address)
            seen = self.seen()
            self.assertIn(error, seen["error"])
            self.assertEqual((seen["bucket"], seen["calls"]), ("–", ""))

    def test_every_control_has_a_name_and_nothing_overflows(self):
        self.open()
        self.seen()
        names = browser.run("""
            return [...document.querySelectorAll("input, select, button")]
                .map((control) => (control.labels?.[0] ?? control).textContent.trim());
        """)
        self.assertGreaterEqual(len(names), 12)
        self.assertNotIn("", names)
        for width in (320, 768, 1200):
            browser.command("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1,
                            mobile=True)
            self.assertLessEqual(browser.run("return document.documentElement.scrollWidth;"), width)
        browser.command("Emulation.clearDeviceMetricsOverride")


if __name__ == "__main__":
    unittest.main()
