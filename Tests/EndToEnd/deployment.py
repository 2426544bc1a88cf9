"""A whole deployment for the cache tests: caches outside, edges of several kinds, the shipped cache, the service.

    client → [outer cache that keys by URL] → edge → nginx.conf or varnish.vcl → [fault] → service

The client is who X-Forwarded-For says, as if a balancer stood in front.
"""

import contextlib
import signal
import threading
import time

from fronts import ADDRESSES, Nginx, PlainNginx, Varnish, Workshop, behind, fingerprint
from support import free_port

# Two policies that differ in one country: whose clients are KR, US or unknown has one right answer at any time.
POLICIES = {"first": ["KR"], "second": ["KR", "JP"]}
LIFETIME_SECONDS = 2
# What the shipped caches and a busy machine may add: nginx counts whole seconds.
LATE_SECONDS = 3

EDGES = ("first", "second", "none", "open")
OUTERS = ("no", "nginx", "varnish")


def bucket_of(policy, country):
    """What a policy says of a client."""
    if country is None:
        return "unknown"
    return "regionalMarket" if country in POLICIES[policy] else "otherMarket"


class Deployment:
    """All of it, running. `change` maps the shipped cache's text to another, which may renew what it keeps; `fault` are
    nginx directives for a proxy between the shipped cache and the service."""

    def __init__(self, kind, *, change=None, renews=False, fault=None):
        self.kind, self.renews = kind, renews
        self.lock = threading.Lock()
        self.stack = contextlib.ExitStack()
        with contextlib.ExitStack() as unless_done:
            unless_done.callback(self.stack.close)
            self._build(change, fault)
            unless_done.pop_all()

    def _build(self, change, fault):
        self.workshop = Workshop()
        self.stack.callback(self.workshop.close)
        self.service_port = free_port()
        self.policy = "first"
        self.in_force = {"first"}
        self.ended = {}
        self.service = None
        self.stack.callback(lambda: self.service and self.service.stop())
        self._start("first")
        port = self.service_port
        if fault:
            port = free_port()
            self._enter(PlainNginx(self._plain(port, self.service_port, fault), port))
        if self.kind == "nginx":
            self.cache = self._enter(
                Nginx(self.workshop, port, change=change, edges="default 0; 127.0.0.1/32 1;"))
        else:
            self.cache = self._enter(Varnish(port, change=change))
        self.edge_ports = {edge: free_port() for edge in EDGES}
        self._enter(PlainNginx(self._edges(), self.edge_ports["open"]))
        self.outer_ports = {"nginx": free_port()}
        self._enter(PlainNginx(self._outer_nginx(), self.outer_ports["nginx"]))
        outer = self._enter(Varnish(0, text=self._outer_varnish(), masks=False))
        self.outer_ports["varnish"] = outer.port

    def _enter(self, front):
        self.stack.callback(front.stop)
        return front

    def _plain(self, port, upstream, directives):
        return (f"server {{ listen 127.0.0.1:{port}; keepalive_requests 1000000; location / {{ "
                f"proxy_pass http://127.0.0.1:{upstream}; proxy_http_version 1.1; proxy_set_header Connection \"\"; "
                f"proxy_set_header Host $host; {directives} }} }}\n")

    def _edges(self):
        """Code at the edge of four kinds: of one policy, of another, none, and none that even removes forgeries."""
        text = f"""
            set_real_ip_from 127.0.0.1; real_ip_header X-Forwarded-For; real_ip_recursive on;
            geoip2 {self.workshop.database} {{ $country country iso_code; }}
            """
        for policy, regional in POLICIES.items():
            codes = "".join(f" {code} regionalMarket;" for code in regional)
            text += f"map $country $bucket_{policy} {{ default otherMarket; '' unknown;{codes} }}\n"
        for edge, port in self.edge_ports.items():
            fields = {
                "none": ("''", "''"), "open": ("$http_x_region_bucket", "$http_x_region_policy"),
            }.get(edge) or (f"$bucket_{edge}", fingerprint(POLICIES[edge]))
            text += self._plain(port, self.cache.port, (
                "proxy_set_header X-Forwarded-For $remote_addr; "
                f"proxy_set_header X-Region-Bucket {fields[0]}; proxy_set_header X-Region-Policy {fields[1]};"))
        return text

    def _outer_nginx(self):
        """A cache that nobody knows of: it keys by the URL, and obeys every field that asks it to."""
        ports = "".join(f" {edge} {port};" for edge, port in self.edge_ports.items())
        return f"""
            map $http_x_test_edge $edge {{ {ports} }}
            proxy_cache_path DIRECTORY/cache keys_zone=outer:1m;
            server {{ listen 127.0.0.1:{self.outer_ports["nginx"]}; keepalive_requests 1000000; location / {{
              proxy_pass http://127.0.0.1:$edge; proxy_http_version 1.1; proxy_set_header Connection "";
              proxy_set_header Host $host; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
              proxy_cache outer; proxy_cache_key $request_uri; proxy_cache_revalidate on;
              proxy_cache_use_stale error timeout updating http_502 http_503; proxy_cache_background_update on;
            }} }}
            """

    def _outer_varnish(self):
        """Another, by Varnish's built-in rules."""
        backends = "".join(
            f'backend {edge}_edge {{ .host = "127.0.0.1"; .port = "{port}"; }}\n'
            for edge, port in self.edge_ports.items())
        choice = "".join(
            f'if (req.http.X-Test-Edge == "{edge}") {{ set req.backend_hint = {edge}_edge; }}\n' for edge in EDGES)
        # A cache with grace and keep, which revalidates; the built-in rules decide what is kept.
        return (f"vcl 4.1;\n{backends}sub vcl_recv {{\n{choice}unset req.http.Cookie; unset req.http.Authorization; }}\n"
                "sub vcl_backend_response { set beresp.grace = 10s; set beresp.keep = 10s; }\n"
                "sub vcl_deliver { unset resp.http.Via; }\n")

    def port(self, edge, outer):
        return self.edge_ports[edge] if outer == "no" else self.outer_ports[outer]

    def _start(self, policy):
        self.service = behind(
            self.kind, self.workshop.database, self.service_port, policy=self._policy_line(policy),
            environment={"REGION_BUCKET_CACHE_SHARED_MAX_AGE_SECONDS": str(LIFETIME_SECONDS)})

    def _policy_line(self, policy):
        return "policy: { regional: [" + ", ".join(f'"{code}"' for code in POLICIES[policy]) + "] },"

    def _change(self, policy, carry_out):
        with self.lock:
            self.in_force = {self.policy, policy}
        carry_out()
        # Every loop has taken it on by then.
        time.sleep(0.1)
        with self.lock:
            if policy != self.policy:
                self.ended[self.policy] = time.monotonic()
                self.ended.pop(policy, None)
            self.policy, self.in_force = policy, {policy}

    def reload(self, policy):
        """Another policy, by SIGHUP."""
        def carry_out():
            count = len(self.service.events("configuration-loaded"))
            text = self.service.config_path.read_text()
            self.service.write_config(text.replace(self._policy_line(self.policy), self._policy_line(policy)))
            self.service.process.send_signal(signal.SIGHUP)
            self.service.wait_for_event("configuration-loaded", count + 1)
        self._change(policy, carry_out)

    def restart(self, policy, away_seconds):
        """Another policy, by a restart; in between there is no service."""
        def carry_out():
            self.service.stop()
            time.sleep(away_seconds)
            self._start(policy)
        self._change(policy, carry_out)

    def policies(self):
        """Those that may answer at this moment."""
        with self.lock:
            return set(self.in_force)

    def may_be_kept(self, policy, now):
        """Whether an answer by this policy may still be in the shipped cache."""
        with self.lock:
            if policy in self.in_force or self.renews:
                return True
            return policy in self.ended and now < self.ended[policy] + LIFETIME_SECONDS + LATE_SECONDS

    def close(self):
        self.stack.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def addresses():
    """What a client of each country says of itself, and, in front of it, what it may forge."""
    return {country: [address, f"11.0.1.1, {address}", f"garbage, {address}", f"11.0.0.1,11.0.2.1 , {address}"]
            for country, address in ADDRESSES.items()}
