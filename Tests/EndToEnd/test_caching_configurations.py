"""The caching rules (Docs/caching.md), line by line: what can be configured, and what is refused."""

import json
import pathlib
import subprocess
import tempfile
import unittest

from caching_support import (
    BUCKETS, EDGE, GRANTS, NGINX, OWN_CACHE, STALE, VARNISH, WITHHELD, asking, caching, checked, edge, presets)
from support import BINARY, merged


class Configurations(unittest.TestCase):
    def refuses(self, changes, *complaints):
        status, said = checked(changes)
        self.assertEqual(status, 78, said)
        errors = [line.split("config.json5:", 1)[1].split(": ", 1)[1]
                  for line in said.splitlines() if line.startswith("error: ")]
        self.assertEqual(errors, list(complaints))

    def test_c14_none_for_every_cdn(self):
        names = presets()
        self.assertEqual(len(names), 14)
        for name in names:
            changes = {"cdn": {"preset": name}, "sources": ["edge", "database"]}
            with asking(changes) as ask:
                answer = ask(*edge())
                self.assertEqual((answer.bucket, caching(answer)), ("regionalMarket", WITHHELD), name)

    def test_c14_keys_that_say_nothing(self):
        for key, value in (("sharedMaxAgeSeconds", 60), ("targetedField", "Surrogate-Control"), ("tagField", "xkey")):
            status, said = checked({"cache": {key: value}})
            self.assertEqual(status, 0)
            self.assertIn(f"cache.{key}: it says nothing while `cache.policy` is `none`", said)
            with asking({"cache": {key: value}}) as ask:
                self.assertEqual(caching(ask(*edge())), WITHHELD)

    def test_c15_lifetimes(self):
        for seconds in (1, 31_536_000):
            with asking(merged(VARNISH, {"cache": {"sharedMaxAgeSeconds": seconds}})) as ask:
                self.assertEqual(ask(*edge()).get("Surrogate-Control"), f"max-age={seconds}")
            with asking(merged(NGINX, {"cache": {"sharedMaxAgeSeconds": seconds}})) as ask:
                self.assertEqual(ask(*edge()).get("X-Accel-Expires"), str(seconds))
        for seconds in (0, 31_536_001, -1):
            status, said = checked(merged(VARNISH, {"cache": {"sharedMaxAgeSeconds": seconds}}))
            self.assertEqual(status, 78)
            self.assertIn("cache.sharedMaxAgeSeconds: ", said)

    def test_c16_c17_c18_c19_c20_c21_each_cache(self):
        for line, (changes, granted) in GRANTS.items():
            with asking(changes) as ask:
                for bucket in BUCKETS:
                    answer = ask(*edge(bucket))
                    self.assertEqual((answer.bucket, caching(answer)), (bucket, granted), line)
                self.assertEqual(caching(ask(*edge(policy=STALE))), WITHHELD, line)

    def test_c18_c20_c21_what_the_operator_has_to_say(self):
        def without(line, key):
            return merged(GRANTS[line][0], {"cache": {key: None}})
        key = "cache.policy: {} does not hold the bucket header by itself; put `X-Region-Bucket` into it, then "\
              "set `cache.keyConfigured: true`"
        rewritten = "cache.policy: CloudFront would pass `s-maxage` on to caches that nobody knows; let the "\
                    "exported viewer-response function write `private, no-store`, then set "\
                    "`cache.viewerFieldRewritten: true`"
        self.refuses(without("C18", "keyConfigured"), key.format("nginx's `proxy_cache_key`"))
        self.refuses(without("C20", "keyConfigured"),
                     key.format("Cloudflare's cache key (a Worker's own, or a cache rule's)"))
        self.refuses(without("C21", "keyConfigured"), key.format("CloudFront's cache policy"))
        self.refuses(without("C21", "viewerFieldRewritten"), rewritten)

    def test_c22_other_cdns(self):
        supported = {"fastly", "netlify", "cloudflare", "cloudfront", "none"}
        others = [name for name in presets() if name not in supported]
        self.assertEqual(len(others), 9)
        for name in others:
            self.refuses(
                {"cdn": {"preset": name}, "sources": ["edge"], "cache": {"policy": "bucket"}},
                f"cache.policy: `{name}`: no field is known that grants a lifetime to this cache alone: answer at the "
                "edge instead; `region-bucket export` writes the code")

    def test_c23_no_cache_named_or_anothers_field(self):
        self.refuses(merged(OWN_CACHE, {"cache": {"policy": "bucket"}}),
                     "cache.policy: no cache is named that could keep the buckets apart; name the CDN by `cdn.preset`, "
                     "or your own cache by `cache.targetedField`: `Surrogate-Control` for Varnish, `X-Accel-Expires` "
                     "for nginx")
        for preset, field in (("fastly", "Netlify-CDN-Cache-Control"), ("netlify", "Cloudflare-CDN-Cache-Control"),
                              ("none", "Cloudflare-CDN-Cache-Control")):
            status, said = checked(merged(OWN_CACHE, {
                "cdn": {"preset": preset}, "cache": {"policy": "bucket", "targetedField": field}}))
            self.assertEqual(status, 78)
            self.assertIn(f"`{preset}` does not consume `{field}`: caches that nobody knows would obey it", said)
        # Cache-Control is everybody's: it cannot be chosen.
        self.assertEqual(checked(merged(VARNISH, {"cache": {"targetedField": "Cache-Control"}}))[0], 78)

    def test_c24_without_the_edge(self):
        self.refuses(
            merged(VARNISH, {"sources": ["cdn"]}),
            "cache.policy: only answers by edge code are shared, and `sources` has no `edge`; list `edge`, and export "
            "its code by `region-bucket export`")

    def test_c25_with_a_list_of_origins(self):
        self.refuses(
            merged(VARNISH, {"cors": {"origins": ["https://a.example"]}}),
            "cache.policy: with a list of origins `Vary: Origin` would split and mix what is shared; allow any origin "
            "by `cors: { origins: \"*\" }`")

    def test_c25_a_refused_configuration_does_not_start(self):
        config = merged(EDGE, merged(VARNISH, {"cors": {"origins": ["https://a.example"]}}))
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory) / "config.json5"
            path.write_text(json.dumps(config))
            ended = subprocess.run([str(BINARY), "serve", "--config", str(path)], capture_output=True, text=True,
                                   timeout=20, check=False, env={"PATH": "/usr/bin:/bin"})
        self.assertEqual(ended.returncode, 78)
        self.assertIn("would split and mix what is shared", ended.stderr + ended.stdout)


if __name__ == "__main__":
    unittest.main()
