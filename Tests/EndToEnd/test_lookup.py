"""Lookups through the service equal mmdblookup's answers mapped through the policy, on any database."""

import ipaddress
import pathlib
import random
import re
import socket
import subprocess
import tempfile
import unittest

from support import BASE, BINARY, DATABASE, Service, merged, parse, request

POLICY = ["KR", "JP", "EU"]
EU = set("AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK "
         "AX GF GP MF MQ RE YT".split())
COUNT = 20_000


def random_addresses(count, seed):
    """Half IPv4, half IPv6, global ones; IPv6 from blocks that are in use, so that most are found."""
    generator = random.Random(seed)
    blocks = [ipaddress.ip_network(text) for text in (
        "2001:200::/23", "2001:400::/23", "2001:600::/23", "2001:e00::/23", "2400::/12", "2600::/12", "2800::/12",
        "2a00::/12", "2c00::/12")]
    addresses = []
    while len(addresses) < count:
        if len(addresses) % 2:
            address = ipaddress.ip_address(generator.getrandbits(32))
        else:
            block = generator.choice(blocks)
            # The low half is often zero in real ranges; keep the high bits varied.
            address = block[generator.getrandbits(128 - block.prefixlen) & ~((1 << 64) - 1) | generator.getrandbits(8)]
        if address.is_global and not address.is_multicast:
            addresses.append(address)
    return addresses


def boundaries(count, seed):
    """Addresses at the edges of the default database's own ranges."""
    generator = random.Random(seed)
    lines = [line for line in pathlib.Path("/usr/share/tor/geoip").read_text().split("\n") if line[:1].isdigit()]
    found = []
    for line in generator.sample(lines, count):
        start, end, _ = line.split(",")
        found += [ipaddress.ip_address(int(number)) for number in (start, end)]
    return [address for address in found if address.is_global and not address.is_multicast]


def mmdblookup(database, addresses):
    """The country of each address, as libmaxminddb's own tool finds it; None where it finds none."""
    countries = []
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("".join(f"{address}\n" for address in addresses))
        file.flush()
        script = f'while read -r a; do mmdblookup --file "{database}" --ip "$a" country iso_code 2>/dev/null; ' \
                 f'echo =; done < "{file.name}"'
        output = subprocess.run(["bash", "-c", script], check=True, capture_output=True, text=True).stdout
    for text in output.split("=\n")[:-1]:
        match = re.search(r'"(.*)" <utf8_string>', text)
        countries.append(match.group(1) if match else None)
    assert len(countries) == len(addresses)
    return countries


def bucket(country, assigned):
    if country is None or country not in assigned:
        return "unknown"
    return "regionalMarket" if country in EU or country in ("KR", "JP") else "otherMarket"


def ask_all(service, addresses):
    """The bucket of each address, many requests a connection."""
    buckets = []
    with socket.create_connection(("127.0.0.1", service.port), timeout=30) as connection:
        reader = connection.makefile("rb")
        for start in range(0, len(addresses), 100):
            part = addresses[start:start + 100]
            connection.sendall(b"".join(request(f"X-Forwarded-For: {address}", method="HEAD") for address in part))
            for _ in part:
                found = None
                while (line := reader.readline()) != b"\r\n":
                    if line.startswith(b"X-Region-Bucket: "):
                        found = line[17:-2].decode()
                buckets.append(found)
        reader.close()
    return buckets


class Lookup(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        source = (pathlib.Path(__file__).parents[2] / "Sources/RegionModel/CountryCode.swift").read_text()
        cls.assigned = set(re.search(r'static let list =\s+"""(.*?)"""', source, re.S).group(1)
                           .replace("\\", "").split())
        assert len(cls.assigned) == 250

    def compare(self, database, addresses, config=None):
        expected = [bucket(country, self.assigned) for country in mmdblookup(database, addresses)]
        changes = merged({"sources": ["database"], "policy": {"regional": POLICY}, "database": {"path": str(database)}},
                         config or {})
        with Service(changes) as service:
            got = ask_all(service, addresses)
        different = [(str(a), e, g) for a, e, g in zip(addresses, expected, got) if e != g]
        self.assertEqual(different[:10], [])
        # The comparison says something only if all three buckets are met.
        return {name: expected.count(name) for name in ("regionalMarket", "otherMarket", "unknown")}

    def test_20000_addresses_on_the_default_database(self):
        addresses = random_addresses(COUNT - 2000, 1) + boundaries(1000, 2)
        addresses += random_addresses(COUNT - len(addresses), 3)
        self.assertEqual(len(addresses), COUNT)
        counts = self.compare(DATABASE, addresses)
        self.assertTrue(all(count > 100 for count in counts.values()), counts)

    def test_each_record_size_and_ip_version(self):
        """Databases of the project's own writer, from CSV, in every shape."""
        generator = random.Random(4)
        countries = sorted(self.assigned)
        with tempfile.TemporaryDirectory() as directory:
            lines = []
            for _ in range(2000):
                if generator.random() < 0.5:
                    network = ipaddress.ip_network((generator.getrandbits(32) >> 12 << 12, generator.randint(12, 20)),
                                                   strict=False)
                else:
                    network = ipaddress.ip_network(((0x2A << 120) | generator.getrandbits(120) >> 80 << 80,
                                                    generator.randint(16, 48)), strict=False)
                lines.append(f"{network},{generator.choice(countries)}")
            csv = pathlib.Path(directory, "networks.csv")
            csv.write_text("network,country\n" + "\n".join(lines) + "\n")
            networks = [ipaddress.ip_network(line.split(",")[0]) for line in lines]
            addresses = [address for network in generator.sample(networks, 400)
                         for address in (network[0], network[-1], network[-1] + 1)
                         if address.is_global and not address.is_multicast]
            for size in (24, 28, 32):
                database = pathlib.Path(directory, f"{size}.mmdb")
                subprocess.run([BINARY, "database", "build", "--quiet", "--record-size", str(size), "--output",
                                database, csv], check=True, capture_output=True)
                self.compare(database, addresses)


if __name__ == "__main__":
    unittest.main()
