"""Real nginx, Varnish and HAProxy with the files of Config/, on free ports, and a client for them.

A file of Config/ says by `# site: NAME` (or `// site: NAME`) at a line's end that the line depends on the site; a test
lays its own line there. Nothing else of a shipped file is changed.
"""

import os
import pathlib
import re
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time

from support import BINARY, ROOT, Service, free_port, parse

sys.path.insert(0, str(ROOT / "Tests/servers"))
import certificates  # noqa: E402

CONFIG = ROOT / "Config"
MARK = re.compile(r"^(?P<indent>\s*)\S.*?(?P<mark>\s*(?:#|//) site: (?P<name>[a-z0-9 ]+))$")

# What clients are, by an address that the fixture database knows.
ADDRESSES = {"KR": "11.0.0.1", "US": "11.0.1.1", "JP": "11.0.2.1", None: "12.0.0.1"}


def site_names(name):
    """The names of the lines of a shipped file that depend on the site, in order."""
    found = (MARK.match(line) for line in (CONFIG / name).read_text().splitlines())
    return [match["name"] for match in found if match]


def adapted(name, site):
    """A shipped file's text with `site` (name → line) laid over its marked lines: all of them, and no others."""
    names = site_names(name)
    assert len(set(names)) == len(names), f"{name}: a mark stands twice: {names}"
    assert set(site) == set(names), f"{name}: {set(names) ^ set(site)}"
    lines = []
    for line in (CONFIG / name).read_text().splitlines():
        match = MARK.match(line)
        lines.append(match["indent"] + site[match["name"]] + match["mark"] if match else line)
    return "\n".join(lines) + "\n"


def country_database(path, networks):
    """A country database of `network → code`, by the product's own builder."""
    table = pathlib.Path(path).with_suffix(".csv")
    table.write_text("network,country\n" + "".join(f"{network},{code}\n" for network, code in networks.items()))
    subprocess.run([str(BINARY), "database", "build", "--quiet", "--output", str(path), str(table)],
                   check=True, capture_output=True)
    return path


def check(*arguments, environment=None):
    """What `region-bucket check` says, without this process's own variables."""
    return subprocess.run(
        [str(BINARY), "check", *arguments], capture_output=True, text=True, check=False,
        env={"PATH": os.environ["PATH"], **(environment or {})})


def fingerprint(regional):
    """The fingerprint of a policy, as `check` prints it."""
    report = check("--sources", "edge", "--policy-regional", ",".join(regional))
    assert report.returncode == 0, report.stderr
    return re.search(r"^policy fingerprint: (\S+)$", report.stdout, re.MULTILINE)[1]


def behind(front, database, port=0, environment=None, **changes):
    """The service with the ready configuration for a front, on a port of its own."""
    name = f"behind-{front}.json5"
    site = {
        "listen": f'listeners: ["127.0.0.1:{port}"],', "peers": 'trustedPeers: ["loopback"],',
        "database": f'database: {{ path: "{database}" }},', "policy": 'policy: { regional: ["KR"] },'}
    if front == "haproxy":
        proxy_port = free_port()
        site |= {
            "listen": f'"127.0.0.1:{port}",', "proxy listen": f'"127.0.0.1:{proxy_port} proxyProtocol",',
            "proxy peers": 'proxyProtocolPeers: ["loopback"],'}
    service = Service(config=adapted(name, site | changes), environment=environment)
    if front == "haproxy":
        service.proxy_port = proxy_port
    return service


class Workshop:
    """A directory with a certificate and a country database, for a test class."""

    def __init__(self, networks=None):
        self.directory = tempfile.TemporaryDirectory(prefix="region-bucket-fronts-")
        self.path = pathlib.Path(self.directory.name)
        # Fronts give up root, and still have to get here.
        self.path.chmod(0o755)
        networks = networks or {f"{address}/32": code for code, address in ADDRESSES.items() if code}
        self.database = country_database(self.path / "region.mmdb", networks)

    def make_certificate(self):
        self.authority = certificates.make_authority(self.path / "authority", "Fronts")
        self.certificate, self.key = certificates.make_leaf(self.authority.parent, "localhost")
        self.both = self.path / "both.pem"
        self.both.write_text(pathlib.Path(self.certificate).read_text() + pathlib.Path(self.key).read_text())

    def close(self):
        self.directory.cleanup()


class Front:
    """A server of somebody else's, running in its own directory."""

    def __init__(self, text, file_name):
        self.directory = tempfile.TemporaryDirectory(prefix="region-bucket-front-")
        self.path = pathlib.Path(self.directory.name)
        self.path.chmod(0o755)
        self.file = self.path / file_name
        self.file.write_text(text)
        self.output = self.path / "output.log"
        self.process = None

    def start(self, command, port, seconds=30):
        self.port = port
        with self.output.open("ab") as output:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=self.path)
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                break
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return self
            except OSError:
                time.sleep(0.02)
        said = self.output.read_text(errors="replace")
        self.stop()
        raise AssertionError(f"{command[0]} does not listen on {port}: {said}")

    def logs(self):
        """All that it has written of its own accord, as bytes."""
        return b"".join(file.read_bytes() for file in self.path.glob("*.log"))

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.directory.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Nginx(Front):
    """nginx with the shipped file; `change` maps its text to a faulty one."""

    def __init__(self, workshop, service_port, *, regional=("KR",), tls=False, change=None, **site):
        super().__init__("", "nginx.conf")
        self.cache = self.path / "cache"
        port = free_port()
        secure = "ssl http2" if tls else ""
        everything = {
            "module": "load_module /usr/lib/nginx/modules/ngx_http_geoip2_module.so;",
            "user": "user www-data;" if os.geteuid() == 0 else "",
            "pid": f"pid {self.path}/nginx.pid;",
            "error log": f"error_log {self.path}/error.log emerg;",
            "access log": f"access_log {self.path}/access.log region;",
            "balancers": "set_real_ip_from 127.0.0.1;",
            "database": f"geoip2 {workshop.database} {{",
            "regional": " ".join(f"{code} regionalMarket;" for code in regional),
            "fingerprint": f"default {fingerprint(regional)};",
            "edges": "default 0;",
            "cache": f"proxy_cache_path {self.cache} keys_zone=region:1m max_size=1m inactive=1h use_temp_path=off;",
            "service": f"server 127.0.0.1:{service_port};",
            "listen": f"listen 127.0.0.1:{port} {secure};",
            "listen on ipv6": f"listen [::1]:{port} {secure};",
            "certificate": f"ssl_certificate {workshop.certificate};" if tls else "",
            "certificate key": f"ssl_certificate_key {workshop.key};" if tls else "",
        }
        text = adapted("nginx.conf", everything | site)
        self.file.write_text(change(text) if change else text)
        self.start(["nginx", "-e", f"{self.path}/start.log", "-c", str(self.file), "-g", "daemon off;"], port)

    def stored(self):
        """How many answers it keeps."""
        return sum(len(files) for _, _, files in os.walk(self.cache))


class PlainNginx(Front):
    """nginx as somebody else might have set it up, from `http` directives; DIRECTORY in them is its own."""

    def __init__(self, directives, port):
        super().__init__("", "nginx.conf")
        user = "user www-data;" if os.geteuid() == 0 else ""
        text = (f"{user} pid DIRECTORY/nginx.pid; worker_processes 1; error_log stderr error;\n"
                "load_module /usr/lib/nginx/modules/ngx_http_geoip2_module.so;\n"
                f"events {{ worker_connections 2048; }}\nhttp {{ access_log off;\n{directives}\n}}\n")
        self.file.write_text(text.replace("DIRECTORY", str(self.path)))
        self.start(["nginx", "-e", f"{self.path}/start.log", "-c", str(self.file), "-g", "daemon off;"], port)


class Varnish(Front):
    """Varnish with the shipped file and the options that its head asks for, or with another text."""

    def __init__(self, service_port, *, change=None, text=None, masks=True, **site):
        shipped = (CONFIG / "varnish.vcl").read_text()
        everything = {
            "service": f'.host = "127.0.0.1"; .port = "{service_port}";', "edges": '"127.0.0.1"; "::1";'}
        text = text or adapted("varnish.vcl", everything | site)
        super().__init__(change(text) if change else text, "region.vcl")
        port = free_port()
        self.workdir = self.path / "varnish"
        masks = [part for mask in re.findall(r"-p (vsl_mask=\S+)", shipped) for part in ("-p", mask)] if masks else []
        self.start(
            ["varnishd", "-F", "-n", str(self.workdir), "-a", f"127.0.0.1:{port}", "-f", str(self.file),
             "-s", "malloc,16m", "-T", "none", *masks], port, seconds=60)

    def counter(self, name):
        report = subprocess.run(
            ["varnishstat", "-n", str(self.workdir), "-1", "-f", name], check=True, capture_output=True, text=True)
        return int(report.stdout.split()[1])

    def stored(self):
        return self.counter("MAIN.n_object")

    def logs(self):
        """What it has written, and its log in memory, which is a file too."""
        memory = [file.read_bytes() for file in self.workdir.rglob("*") if file.is_file() and "vsm" in str(file)]
        return super().logs() + b"".join(memory)


class HAProxy(Front):
    """HAProxy with the shipped file."""

    def __init__(self, workshop, service_port, *, proxy_service_port=1, proxy_version=2, tls=False, balanced=False,
                 change=None, **site):
        port, self.proxy_port = free_port(), free_port()
        secure = f" ssl crt {workshop.both} alpn h2,http/1.1" if tls else ""
        if balanced:
            secure += " accept-proxy"
        everything = {
            "log": "log stdout format raw local0 info",
            "listen": f"bind 127.0.0.1:{port},[::1]:{port} v6only{secure}",
            "service": f"server service 127.0.0.1:{service_port}",
            "proxy listen": f"bind 127.0.0.1:{self.proxy_port}" + (f" ssl crt {workshop.both}" if tls else "")
                            + (" accept-proxy" if balanced else ""),
            "proxy service": f"server service 127.0.0.1:{proxy_service_port} "
                             + {1: "send-proxy", 2: "send-proxy-v2"}[proxy_version],
        }
        text = adapted("haproxy.cfg", everything | site)
        super().__init__(change(text) if change else text, "haproxy.cfg")
        self.start(["haproxy", "-db", "-f", str(self.file)], port)


class Connection:
    """One request, one answer, and again, over one connection for as long as the other side keeps it."""

    def __init__(self, port, *, host="127.0.0.1", authority=None, source=None):
        self.host, self.port, self.source = host, port, source
        self.context = ssl.create_default_context(cafile=str(authority)) if authority else None
        self.socket = None

    def _open(self):
        self.socket = socket.create_connection(
            (self.host, self.port), timeout=20, source_address=self.source and (self.source, 0))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self.context:
            self.socket = self.context.wrap_socket(self.socket, server_hostname="localhost")

    def ask(self, data, method="GET"):
        """The answer; None when the other side closes without one."""
        if not self.socket:
            self._open()
        try:
            self.socket.sendall(data)
            received = self._read_answer(method)
        except ConnectionError:
            received = b""
        if not received:
            self.close()
            return None
        answer = parse(received, method)
        assert not answer.rest, f"more than was asked for: {received!r}"
        if (answer.get("Connection") or "").lower() == "close":
            self.close()
        return answer

    def _read_answer(self, method):
        received = b""
        while b"\r\n\r\n" not in received:
            chunk = self.socket.recv(65536)
            if not chunk:
                assert not received, f"cut off: {received!r}"
                return b""
            received += chunk
        head, _, body = received.partition(b"\r\n\r\n")
        match = re.search(rb"\r\ncontent-length: (\d+)", head, re.IGNORECASE)
        bodiless = method == "HEAD" or head[9:12] in (b"204", b"304")
        length = 0 if bodiless or not match else int(match[1])
        while len(body) < length:
            chunk = self.socket.recv(65536)
            assert chunk, f"cut off: {received!r}"
            body += chunk
        return head + b"\r\n\r\n" + body

    def close(self):
        if self.socket:
            self.socket.close()
            self.socket = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
