// Times the lookup by itself. Usage: lookup-bench DATABASE <ADDRESSES, with one address a line.
// Prints nanoseconds a lookup: address in, its location under a policy out, as the service asks for it.
import ClientSignal
import GeoLookup
import Glibc
import RegionModel

func fail(_ text: String) -> Never {
  print("lookup-bench: \(text)")
  exit(1)
}

func address(_ text: String) -> IPAddress {
  var v4 = in_addr()
  var v6 = in6_addr()
  if inet_pton(AF_INET, text, &v4) == 1 { return IPAddress(ipv4: UInt32(bigEndian: v4.s_addr)) }
  guard inet_pton(AF_INET6, text, &v6) == 1 else { fail("\(text) is no address") }
  return withUnsafeBytes(of: v6) { bytes in
    IPAddress(
      ipv6High: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
  }
}

func nanoseconds() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

guard CommandLine.arguments.count == 2 else { fail("a database is needed") }
var addresses: [IPAddress] = []
while let line = readLine() { addresses.append(address(line)) }

func path(_ text: String) -> FieldPath {
  guard let path = FieldPath(text) else { fail("\(text) is no path") }
  return path
}

let signal = GeoSignal(
  database: try MaxMindDatabase(path: CommandLine.arguments[1]),
  fields: DatabaseFields(
    country: path("country.iso_code"), fallbackCountry: nil, subdivision: path("subdivisions.0.iso_code"),
    city: path("city.names.en")))
let policy = try BucketPolicy(regional: try RegionRule.parse("KR"), unclassified: [])
let cache = RecordCache()

// The median of many passes over all addresses.
let passCount = 25
var times: [Double] = []
var found = 0
for _ in 0..<passCount {
  let startedAt = nanoseconds()
  for address in addresses {
    if case .absent = signal.read(address, policy: policy, cache: cache) { continue }
    found += 1
  }
  times.append(Double(nanoseconds() - startedAt) / Double(addresses.count))
}
guard found > 0 else { fail("no address was found") }
print(times.sorted()[passCount / 2])
