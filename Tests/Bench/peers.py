"""The servers that the bench compares, each with the same database and the same buckets, on a free loopback port."""

import ipaddress
import json
import os
import pathlib
import signal
import socket
import subprocess
import time

FIELDS = {
    "Cache-Control": "private, no-store",
    "Vary": "CloudFront-Viewer-Country",
    "Access-Control-Allow-Origin": "*",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "cross-origin",
}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ask(port, request, seconds=5):
    """The whole answer to a request that asks for the connection to be closed."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as connection:
        connection.sendall(request)
        data = b""
        while chunk := connection.recv(65536):
            data += chunk
    return data


CLOSING = b"GET /v1/region HTTP/1.1\r\nHost: bench\r\nConnection: close\r\nCloudFront-Viewer-Country: KR\r\n\r\n"


def beside_its_maker(cores):
    """The beginning of a command that runs on these cores, and no longer than whoever starts it."""
    return ["taskset", "-c", cores, "setpriv", "--pdeathsig", "TERM"]


class Peer:
    """A running server. `cores` is a list for taskset(1). It is told to stop when whoever started it ends, however."""

    def __init__(self, name, command, port, cores, log):
        self.name, self.port, self.log = name, port, pathlib.Path(log)
        self.started_at = time.monotonic()
        with open(self.log, "ab") as sink:
            self.process = subprocess.Popen(
                [*beside_its_maker(cores), *command], stdin=subprocess.DEVNULL, stdout=sink, stderr=sink)
        self.first_answer_seconds = None

    def wait(self):
        """Until its first answer, or an error."""
        while time.monotonic() < self.started_at + 60:
            try:
                if ask(self.port, CLOSING).startswith(b"HTTP/1.1 "):
                    self.first_answer_seconds = time.monotonic() - self.started_at
                    return
            except OSError:
                time.sleep(0.0002)
            if self.process.poll() is not None:
                break
        self.stop()
        raise RuntimeError(f"{self.name} does not answer: {self.log.read_text(errors='replace')[-2000:]}")

    @property
    def pids(self):
        """Its process and its children, between commas."""
        pid = self.process.pid
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return ",".join([str(pid), *children])

    def memory_bytes(self):
        """Resident memory of all its processes, and what of it no file has, which is their own; pages that processes
        share count in parts. A private copy of a file is shared memory to the kernel."""
        resident = own = 0
        for pid in self.pids.split(","):
            for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
                name, _, rest = line.partition(":")
                if name == "Pss":
                    resident += int(rest.split()[0]) * 1024
                elif name in ("Pss_Anon", "Pss_Shmem"):
                    own += int(rest.split()[0]) * 1024
        return {"resident": resident, "own": own}

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(3)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


class Peers:
    """Makes servers in a folder, and stops all of them."""

    def __init__(self, folder, binary, database, floor, core="0"):
        self.folder, self.core = pathlib.Path(folder), core
        self.binary, self.database, self.floor_binary = binary, pathlib.Path(database), floor
        self.running = []
        self.haproxy_map = self.folder / "buckets.map"

    def _start(self, name, command, port, cores, sink=None):
        sink = sink or self.folder / f"{name}-{port}.log"
        peer = Peer(name, [str(word) for word in command], port, cores or self.core, sink)
        self.running.append(peer)
        peer.wait()
        return peer

    def stop_all(self):
        while self.running:
            self.running.pop().stop()

    def stop(self, peer):
        self.running.remove(peer)
        peer.stop()

    def ours(self, cores=None, *, loops=1, name="ours", sink=None, **changes):
        port = free_port()
        config = {
            "listeners": [{"tcp": f"127.0.0.1:{port}"}], "loops": loops, "trustedPeers": ["loopback"],
            "clientAddress": {"header": "X-Forwarded-For"}, "sources": ["cdn", "database"],
            "cdn": {"preset": "cloudfront"}, "database": {"path": str(self.database)},
            "policy": {"regional": ["KR"]}, **changes}
        config = {key: value for key, value in config.items() if value is not None}
        path = self.folder / f"{name}-{port}.json5"
        path.write_text(json.dumps(config))
        return self._start(name, [self.binary, "serve", "--config", path], port, cores, sink)

    def floor(self, answer, cores=None, processes=1):
        port = free_port()
        path = self.folder / f"floor-{port}.answer"
        path.write_bytes(answer)
        return self._start("floor", [self.floor_binary, port, path, processes], port, cores)

    def nginx(self, connections_max=16_384):
        port = free_port()
        fields = "".join(f'            add_header {name} "{value}";\n' for name, value in FIELDS.items())
        path = self.folder / f"nginx-{port}.conf"
        path.write_text(NGINX.format(port=port, folder=self.folder, database=self.database, fields=fields,
                                     module=geoip2_module(), connections=connections_max))
        return self._start("nginx", ["/usr/sbin/nginx", "-p", self.folder, "-c", path], port, None)

    def haproxy(self):
        port = free_port()
        # It takes half a minute to write.
        if not self.haproxy_map.exists() or self.haproxy_map.stat().st_mtime < self.database.stat().st_mtime:
            write_buckets(self.database, self.haproxy_map)
        fields = " ".join(f'hdr {name} "{value}"' for name, value in FIELDS.items())
        path = self.folder / f"haproxy-{port}.cfg"
        path.write_text(HAPROXY.format(port=port, map=self.haproxy_map, fields=fields))
        return self._start("haproxy", ["/usr/sbin/haproxy", "-f", path], port, None)


def geoip2_module():
    for place in ("/usr/lib/nginx/modules", "/usr/lib64/nginx/modules"):
        path = pathlib.Path(place, "ngx_http_geoip2_module.so")
        if path.exists():
            return path
    raise RuntimeError("ngx_http_geoip2_module.so is not installed")


def write_buckets(database, path):
    """The database as HAProxy's map file: neighbouring networks of one bucket are one."""
    import maxminddb

    ranges = []
    with maxminddb.open_database(str(database)) as reader:
        for network, record in reader:
            code = (record.get("country") or {}).get("iso_code")
            bucket = "regionalMarket" if code == "KR" else "otherMarket" if code else None
            first, last = int(network.network_address), int(network.broadcast_address)
            key = (network.version, bucket)
            if ranges and ranges[-1][2] == key and ranges[-1][1] + 1 == first:
                ranges[-1][1] = last
            else:
                ranges.append([first, last, key])
    with open(path, "w", encoding="ascii") as sink:
        for first, last, (version, bucket) in ranges:
            address = ipaddress.IPv4Address if version == 4 else ipaddress.IPv6Address
            if bucket:
                for network in ipaddress.summarize_address_range(address(first), address(last)):
                    sink.write(f"{network} {bucket}\n")


# One worker, as the others have one loop; no access log, nothing that the answer does not need.
NGINX = """\
load_module {module};
daemon off;
worker_processes 1;
worker_rlimit_nofile 20000;
pid {folder}/nginx-{port}.pid;
error_log {folder}/nginx-{port}-errors.log crit;
events {{ worker_connections {connections}; multi_accept on; }}
http {{
    access_log off;
    server_tokens off;
    keepalive_requests 1000000000;
    keepalive_timeout 75s;
    tcp_nodelay on;
    client_body_temp_path {folder}/nginx-body;
    proxy_temp_path {folder}/nginx-proxy;
    fastcgi_temp_path {folder}/nginx-fastcgi;
    uwsgi_temp_path {folder}/nginx-uwsgi;
    scgi_temp_path {folder}/nginx-scgi;
    set_real_ip_from 127.0.0.1;
    real_ip_header X-Forwarded-For;
    real_ip_recursive on;
    geoip2 {database} {{ $found country iso_code; }}
    map $http_cloudfront_viewer_country $country {{ default $http_cloudfront_viewer_country; "" $found; }}
    map $country $bucket {{ default otherMarket; "" unknown; KR regionalMarket; }}
    server {{
        listen 127.0.0.1:{port} backlog=4096;
        location = /v1/region {{
            default_type application/json;
            add_header X-Region-Bucket $bucket;
            add_header ETag '"1-$bucket"';
{fields}            if ($http_if_none_match = '"1-$bucket"') {{ return 304; }}
            return 200 '{{"bucket":"$bucket"}}';
        }}
    }}
}}
"""

HAPROXY = """\
global
    nbthread 1
    maxconn 9900
defaults
    mode http
    timeout client 75s
    timeout http-request 10s
    timeout connect 1s
    timeout server 1s
frontend region
    bind 127.0.0.1:{port} backlog 4096
    http-request set-var(txn.bucket) str(otherMarket)
    http-request set-var(txn.bucket) str(regionalMarket) if {{ req.hdr(CloudFront-Viewer-Country) KR }}
    http-request set-var(txn.bucket) req.hdr_ip(X-Forwarded-For,-1),map_ip({map},unknown) \
if !{{ req.hdr(CloudFront-Viewer-Country) -m found }}
    http-request set-var-fmt(txn.tag) '"1-%[var(txn.bucket)]"'
    http-request return status 304 hdr ETag %[var(txn.tag)] {fields} \
if {{ req.hdr(If-None-Match),strcmp(txn.tag) eq 0 }}
    http-request return status 200 content-type application/json lf-string '{{"bucket":"%[var(txn.bucket)]"}}' \
hdr X-Region-Bucket %[var(txn.bucket)] hdr ETag %[var(txn.tag)] {fields}
"""
