"""What the tests of the caching rules share: configurations, requests, and the fields of answers that caches read."""

import contextlib
import json
import pathlib
import re
import tempfile

from fronts import check, fingerprint
from support import DATABASE, Service, merged, parse, request

BUCKETS = ("regionalMarket", "otherMarket", "unknown")
POLICY = fingerprint(["KR"])
STALE = fingerprint(["JP"])
SECRET = "s3cret-of-the-test-0123456789"
WITHHELD = [("Cache-Control", "private, no-store")]
VARY = "X-Region-Bucket, X-Region-Policy, CloudFront-Viewer-Country"

# Every field that tells a cache something, in whatever answer.
CACHING = {
    "cache-control", "surrogate-control", "x-accel-expires", "cdn-cache-control", "netlify-cdn-cache-control",
    "cloudflare-cdn-cache-control", "expires", "pragma", "age", "surrogate-key", "xkey", "cache-tag",
    "netlify-cache-tag"}

# Code at the edge first, then the CDN's country, then the address.
EDGE = {
    "listeners": [{"tcp": "127.0.0.1:0"}],
    "trustedPeers": ["127.0.0.1/32"],
    "sources": ["edge", "cdn", "database"],
    "clientAddress": {"header": "X-Forwarded-For"},
    "database": {"path": str(DATABASE)},
    "cdn": {"preset": "cloudfront"},
    "policy": {"regional": ["KR"]},
    "log": {"level": "debug", "format": "json"},
}
OWN_CACHE = {"cdn": {"preset": "none", "country": {"header": "CloudFront-Viewer-Country"}}}
VARNISH = merged(OWN_CACHE, {"cache": {"policy": "bucket", "targetedField": "Surrogate-Control"}})
NGINX = merged(OWN_CACHE, {"cache": {"policy": "bucket", "targetedField": "X-Accel-Expires", "keyConfigured": True}})

# Line → what is configured, and the fields of a shareable answer in their order.
GRANTS = {
    "C16": ({"cdn": {"preset": "fastly"}, "cache": {"policy": "bucket"}},
            [("Surrogate-Control", "max-age=300"), ("Cache-Control", "no-store")]),
    "C17": (VARNISH, [("Surrogate-Control", "max-age=300"), ("Cache-Control", "no-store")]),
    "C18": (NGINX, [("X-Accel-Expires", "300"), ("Cache-Control", "no-store")]),
    "C19": ({"cdn": {"preset": "netlify"}, "cache": {"policy": "bucket"}},
            [("Netlify-CDN-Cache-Control", "max-age=300"), ("Cache-Control", "no-store")]),
    "C20": ({"cdn": {"preset": "cloudflare"}, "cache": {"policy": "bucket", "keyConfigured": True}},
            [("Cloudflare-CDN-Cache-Control", "max-age=300"), ("Cache-Control", "no-store")]),
    "C21": ({"cdn": {"preset": "cloudfront"},
             "cache": {"policy": "bucket", "keyConfigured": True, "viewerFieldRewritten": True}},
            [("Cache-Control", "s-maxage=300")]),
}


def edge(bucket="regionalMarket", policy=POLICY):
    """What code at the edge writes."""
    return [f"X-Region-Bucket: {bucket}", f"X-Region-Policy: {policy}"]


def caching(answer):
    return [(name, value) for name, value in answer.fields if name.lower() in CACHING]


def checked(changes, base=EDGE):
    """The exit status of `region-bucket check`, and its complaints."""
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "config.json5"
        path.write_text(json.dumps(merged(base, changes)))
        report = check("--quiet", "--config", str(path))
    return report.returncode, report.stderr


def presets():
    """The names of all presets, as `check` lists them to who has named none of them."""
    return re.findall(r"`([a-z-]+)`", checked({"cdn": {"preset": "?"}})[1].split("there are", 1)[1].splitlines()[0])


@contextlib.contextmanager
def asking(changes, **options):
    """A service, and a function that asks it."""
    with Service(config=merged(EDGE, changes), **options) as service:
        def ask(*lines, source=None, **request_options):
            data = service.exchange(request(*lines, **request_options), source=source)
            return parse(data, request_options.get("method", "GET"))
        ask.service = service
        yield ask


# What no answer to may be shared, in any configuration: request lines, and the method, target and so on.
def withheld_requests():
    good = edge()
    return [
        (good, {"method": "OPTIONS"}), (good, {"method": "POST"}), (good, {"method": "BREW"}),
        (good, {"method": "TRACE"}), (good, {"target": "/nothing"}), (good, {"target": "/v1/region/"}),
        (good, {"target": "/healthz"}), (good, {"target": "/readyz"}), (good, {"target": "/healthz", "method": "HEAD"}),
        (good, {"version": "HTTP/3.0"}), (good, {"host": None}), (good, {"host": "Host: a b"}),
        (good, {"target": "/" + "a" * 9000}), ([*good, "A: " + "b" * 33000], {}),
        ([*good, "Content-Length: 99999999"], {}), ([*good, "Expect: 200-ok"], {}), ([*good, 'If-Match: "x"'], {}),
        ([*good, "Transfer-Encoding: gzip, chunked"], {}), ([*good, "Bad Name: x"], {}),
        ([*good, "Origin: https://a.example", "Access-Control-Request-Method: GET"], {"method": "OPTIONS"}),
        (good, {"method": "OPTIONS", "target": "*"}), (["CloudFront-Viewer-Country: KR"], {}), ([], {}),
    ]
