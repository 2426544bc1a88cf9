import TestFixtures
import Testing

@testable import DatabaseBuild

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Input files, what is taken from them, and what is said of them, line by line.
@Suite struct InputVectorTests {
  struct Vector: Sendable, CustomTestStringConvertible {
    var name: String
    var format: InputFormat?
    var text: String
    /// `first-last place`, IPv4 before IPv6.
    var taken: [String]
    /// `line problem`, and the line that holds where there is one.
    var problems: [String] = []
    /// `code lines`.
    var leftOut: [String] = []
    var testDescription: String { name }
  }

  static let ranges = [
    Vector(
      name: "Tor's IPv4 lines", text: "# a comment\n16777216,16777471,AU\n16777472,16778239,CN\n",
      taken: ["1.0.0.0-1.0.0.255 AU", "1.0.1.0-1.0.3.255 CN"]),
    Vector(
      name: "Tor's IPv6 lines", text: "2001:200::,2001:200:134:ffff:ffff:ffff:ffff:ffff,JP\n",
      taken: ["2001:200:0:0:0:0:0:0-2001:200:134:ffff:ffff:ffff:ffff:ffff JP"]),
    Vector(
      name: "dotted ranges, both families, lower case",
      text: "1.0.0.0,1.0.0.255,au\n2001:db8::,2001:db8::1,kr",
      taken: ["1.0.0.0-1.0.0.255 AU", "2001:db8:0:0:0:0:0:0-2001:db8:0:0:0:0:0:1 KR"]),
    Vector(
      name: "CR LF, a byte order mark, blank lines, blanks around fields, further columns",
      text: "\u{FEFF}#\r\n\r\n  1.0.0.0 , 1.0.0.0 , KR , more\r\n \t \r\n1.0.0.1,\t1.0.0.2,KR\r\n",
      taken: ["1.0.0.0-1.0.0.2 KR"]),
    Vector(
      name: "neighbours join, the whole space, one address",
      text: "0,2147483647,KR\n2147483648,4294967294,KR\n4294967295,4294967295,US\n",
      taken: ["0.0.0.0-255.255.255.254 KR", "255.255.255.255-255.255.255.255 US"]),
    Vector(
      name: "codes that are no country",
      text: "1,1,??\n2,2,EU\n3,3,KR\n4,4,EU\n5,5,A1\n6,6,Unknown\n7,7,-\n8,8,UK\n9,9,\n10,10,XK\n",
      taken: ["0.0.0.3-0.0.0.3 KR", "0.0.0.10-0.0.0.10 XK"],
      leftOut: ["EU 2", " 1", "- 1", "?? 1", "A1 1", "UK 1", "Unknown 1"]),
    Vector(
      name: "the first line holds where ranges overlap",
      text: "10,20,KR\n15,30,US\n5,12,JP\n0,100,DE\n",
      taken: [
        "0.0.0.0-0.0.0.4 DE", "0.0.0.5-0.0.0.9 JP", "0.0.0.10-0.0.0.20 KR", "0.0.0.21-0.0.0.30 US",
        "0.0.0.31-0.0.0.100 DE",
      ],
      problems: ["2 overlap 1", "3 outOfOrder", "3 overlap 1", "4 outOfOrder", "4 overlap 3"]),
    Vector(
      name: "a range left out keeps later lines out", text: "10,20,??\n0,30,KR\n",
      taken: ["0.0.0.0-0.0.0.9 KR", "0.0.0.21-0.0.0.30 KR"],
      problems: ["2 outOfOrder", "2 overlap 1"], leftOut: ["?? 1"]),
    Vector(
      name: "an overlap under two others", text: "50,60,KR\n10,90,US\n0,100,JP\n",
      taken: [
        "0.0.0.0-0.0.0.9 JP", "0.0.0.10-0.0.0.49 US", "0.0.0.50-0.0.0.60 KR", "0.0.0.61-0.0.0.90 US",
        "0.0.0.91-0.0.0.100 JP",
      ],
      problems: ["2 outOfOrder", "2 overlap 1", "3 outOfOrder", "3 overlap 2"]),
    Vector(
      name: "unsorted lines and gaps", text: "30,39,KR\n10,19,US\n20,29,JP\n50,59,DE\n",
      taken: [
        "0.0.0.10-0.0.0.19 US", "0.0.0.20-0.0.0.29 JP", "0.0.0.30-0.0.0.39 KR", "0.0.0.50-0.0.0.59 DE",
      ],
      problems: ["2 outOfOrder", "4 gap"]),
    Vector(
      name: "wrong lines", format: .torGeoIP,
      text: """
        1,2
        1
        x,2,KR
        1,4294967296,KR
        2,1,KR
        1,::1,KR
        1.2.3,1.2.3.4,KR
        01.2.3.4,1.2.3.4,KR
        fe80::1%eth0,fe80::2,KR
        1,2,South Korea
        -1,2,KR
        18446744073709551616,18446744073709551616,KR
        1,2,대한민국
        7,7,KR
        """,
      taken: ["0.0.0.7-0.0.0.7 KR"],
      problems: [
        "1 missingFields", "2 missingFields", "3 badRange", "4 badRange", "5 reversedRange", "6 badRange",
        "7 badRange", "8 badRange", "9 badRange", "10 badCountry", "11 badRange", "12 badRange",
        "13 badCountry",
      ]),
    Vector(
      name: "IPv4 in IPv6 form, and IPv6 that stands for IPv4",
      text: """
        1,1,KR
        ::ffff:1.2.3.0,::ffff:1.2.3.255,US
        ::,::ffff,US
        ::ffff:255.255.255.255,::1:0:0:0,US
        2002::,2002:ffff::,US
        2003::,2003::1,DE
        """,
      taken: [
        "0.0.0.1-0.0.0.1 KR", "1.2.3.0-1.2.3.255 US", "0:0:0:0:0:0:0:0-0:0:0:0:0:0:0:ffff US",
        "0:0:0:0:0:ffff:ffff:ffff-0:0:0:0:1:0:0:0 US", "2002:0:0:0:0:0:0:0-2002:ffff:0:0:0:0:0:0 US",
        "2003:0:0:0:0:0:0:0-2003:0:0:0:0:0:0:1 DE",
      ],
      problems: [
        "2 gap", "3 ipv4Space", "4 ipv4Space", "4 gap", "5 ipv4Space", "5 gap", "6 gap",
      ]),
  ]

  static let lists = [
    Vector(
      name: "CSV without column names", text: "1.0.0.0/24,KR\n2001:db8::/32,US\n192.0.2.1,JP\n",
      taken: [
        "1.0.0.0-1.0.0.255 KR", "192.0.2.1-192.0.2.1 JP",
        "2001:db8:0:0:0:0:0:0-2001:db8:ffff:ffff:ffff:ffff:ffff:ffff US",
      ]),
    Vector(
      name: "CSV with column names in another order",
      text: "City,x,Country_Code,network\nSeoul,1,kr,1.0.0.0/24\n",
      taken: ["1.0.0.0-1.0.0.255 KR city Seoul"]),
    Vector(
      name: "CSV with subdivisions and cities, quoted",
      text:
        "network,country,subdivision,city\n1.0.0.0/24,US,CA,\"Los \"\"LA\"\" Angeles, CA\"\n1.0.1.0/24,US,us-ny\n",
      taken: ["1.0.0.0-1.0.0.255 US-CA city Los \"LA\" Angeles, CA", "1.0.1.0-1.0.1.255 US-NY"]),
    Vector(
      name: "CSV ranges",
      text: "1.0.0.1 - 1.0.0.6,KR\n2001:db8::1-2001:db8::2,US\n::ffff:2.0.0.0-::ffff:2.0.0.9,JP\n",
      taken: ["1.0.0.1-1.0.0.6 KR", "2.0.0.0-2.0.0.9 JP", "2001:db8:0:0:0:0:0:1-2001:db8:0:0:0:0:0:2 US"]),
    Vector(
      name: "the longest prefix holds, in any order",
      text: "1.0.0.0/25,US\n1.0.0.0/24,KR\n1.0.0.64/26,??\n1.0.0.65,JP\n",
      taken: ["1.0.0.0-1.0.0.63 US", "1.0.0.65-1.0.0.65 JP", "1.0.0.128-1.0.0.255 KR"], leftOut: ["?? 1"]),
    Vector(
      name: "a range counts as the networks it is made of",
      text: "1.0.0.0-1.0.0.2,KR\n1.0.0.2,US\n1.0.0.0/30,JP\n",
      taken: ["1.0.0.0-1.0.0.2 KR", "1.0.0.3-1.0.0.3 JP"], problems: ["2 duplicate 1"]),
    Vector(
      name: "of equal networks the first line holds, and each other one is told of once",
      text: "1.0.0.0/24,KR\n1.0.0.0/24,US\n1.0.0.0/24,KR\n1.0.1.1-1.0.1.254,US\n1.0.1.1-1.0.1.254,US\n",
      taken: ["1.0.0.0-1.0.0.255 KR", "1.0.1.1-1.0.1.254 US"],
      problems: ["2 duplicate 1", "3 duplicate 1", "5 duplicate 4"]),
    Vector(
      name: "wrong lines of CSV", format: .csv,
      text: """
        network,country,subdivision,city
        1.0.0.0/33,KR
        1.0.0.0/-1,KR
        1.0.0.0/,KR
        2001:db8::/129,KR
        1.0.0.1/24,KR
        1.0.0/24,KR
        1.0.0.0/24
        host.example,KR
        1.0.0.5-1.0.0.1,KR
        1.0.0.5-::1,KR
        1.0.0.0/24,United States
        1.0.0.0/24,US,CALI
        1.0.0.0/24,US,KR-11
        1.0.0.0/24,US,C%
        1.0.0.0/24,US,CA,bell\u{7}
        1.0.0.0/24,"US
        1.0.0.0/24,"US"x
        1.0.0.0/24,U"S
        network,country
        9.0.0.0/8,KR
        """,
      taken: ["9.0.0.0-9.255.255.255 KR"],
      problems: [
        "2 badPrefixLength", "3 badRange", "4 badPrefixLength", "5 badPrefixLength", "6 bitsBeyondPrefix",
        "7 badNetwork", "8 missingFields", "9 badNetwork", "10 reversedRange", "11 badRange", "12 badCountry",
        "13 badSubdivision", "14 foreignSubdivision", "15 badSubdivision", "16 badCity", "17 badQuoting",
        "18 badQuoting", "19 badQuoting", "20 badNetwork",
      ]),
    Vector(
      name: "column names without a network", text: "country,city\nKR,Seoul\n1.0.0.0/24,KR\n",
      taken: ["1.0.0.0-1.0.0.255 KR"], problems: ["1 badHeader", "2 badNetwork"]),
    Vector(
      name: "a geofeed", format: nil,
      text: """
        # prefix,country,region,city,postal

        192.0.2.0/25,US,US-AL,,
        192.0.2.5,US,US-AL,Alabaster,
        192.0.2.128/25,PL,PL-MZ,,02-784 # Warsaw
        2001:db8::/32,PL,,,
        2001:db8:cafe::/48,pl,pl-mz,Łódź,02-784
        2001:db8:dead::/48,,,,
        """,
      taken: [
        "192.0.2.0-192.0.2.4 US-AL", "192.0.2.5-192.0.2.5 US-AL city Alabaster",
        "192.0.2.6-192.0.2.127 US-AL", "192.0.2.128-192.0.2.255 PL-MZ",
        "2001:db8:0:0:0:0:0:0-2001:db8:cafd:ffff:ffff:ffff:ffff:ffff PL",
        "2001:db8:cafe:0:0:0:0:0-2001:db8:cafe:ffff:ffff:ffff:ffff:ffff PL-MZ city Łódź",
        "2001:db8:caff:0:0:0:0:0-2001:db8:deac:ffff:ffff:ffff:ffff:ffff PL",
        "2001:db8:deae:0:0:0:0:0-2001:db8:ffff:ffff:ffff:ffff:ffff:ffff PL",
      ], leftOut: [" 1"]),
    Vector(
      name: "wrong lines of a geofeed", format: .geofeed,
      text: """
        192.0.2.0-192.0.2.9,US,,,
        192.0.2.0/24,US,CA,,
        192.0.2.0/24,US,US-CALI,,
        192.0.2.0/24,US,PL-MZ,,
        prefix,country,region,city,postal
        ,US,,,
        192.0.2.0/24,US,US-CA,\u{85}
        192.0.2.0/24,KR
        """,
      taken: ["192.0.2.0-192.0.2.255 KR"],
      problems: [
        "1 badNetwork", "2 badSubdivision", "3 badSubdivision", "4 foreignSubdivision", "5 badNetwork",
        "6 badNetwork", "7 badCity",
      ]),
    Vector(
      name: "lines before the first that makes sense", text: "hello\nworld,\n1.0.0.0/24,KR\n",
      taken: ["1.0.0.0-1.0.0.255 KR"], problems: ["1 unrecognised", "2 unrecognised"]),
  ]

  @Test(arguments: ranges + lists)
  func takes(_ vector: Vector) throws {
    let (taken, report) = try Self.read(Array(vector.text.utf8), vector.format)
    #expect(taken == vector.taken)
    #expect(Self.problems(report) == vector.problems.sorted { Self.number($0) < Self.number($1) })
    #expect(report.leftOutCodes.map { "\($0.code) \($0.lines)" } == vector.leftOut)
  }

  static let recognised: [(String, InputFormat?)] = [
    ("1,2,KR", .torGeoIP), ("1.0.0.0,1.0.0.1,KR", .torGeoIP), ("::,::1,KR", .torGeoIP),
    ("1,2,KR,more", .torGeoIP),
    ("1.0.0.0/8,KR", .csv), ("1.0.0.0/8,KR,11", .csv), ("1.0.0.0-1.0.0.1,KR", .csv), ("1.0.0.0,KR", .csv),
    ("network,country", .csv), ("prefix,country,region,city,postal", .csv), ("city,country", .csv),
    ("1.0.0.0/8,KR,KR-11", .geofeed), ("1.0.0.0/8,KR,,,", .geofeed), ("1.0.0.0/8,KR # Seoul", .geofeed),
    ("::/8,,,,", .geofeed), ("1.0.0.0/8", nil), ("hello", nil), ("hello,KR", nil), ("1,2", nil), (",", nil),
    ("\"1.0.0.0/8", nil), ("{\"country\":1}", nil),
  ]

  @Test(arguments: recognised)
  func recognises(_ line: String, _ format: InputFormat?) {
    var line = line
    #expect(line.withUTF8 { InputFormat.recognise(UnsafeRawBufferPointer($0)) } == format)
  }

  @Test func tellsBytesThatAreNoText() throws {
    let city = Array("1.0.0.0/24,KR,11,S".utf8) + [0xFF] + Array("oul\n".utf8)
    let country = Array("1.0.1.0/24,".utf8) + [0xC3, 0x28, 0x0A]
    let overlong = Array("1.0.2.0/24,KR,11,".utf8) + [0xC0, 0xAF, 0x0A]
    let (taken, report) = try Self.read(city + country + overlong + Array("1.0.3.0/24,KR".utf8), .csv)
    #expect(taken == ["1.0.3.0-1.0.3.255 KR"])
    #expect(Self.problems(report) == ["1 notUTF8", "2 notUTF8", "3 notUTF8"])
  }

  @Test func passesOverLinesThatAreTooLong() throws {
    let fitting = "1.0.0.0/24,KR,11," + String(repeating: " ", count: 4096 - 17) + "\r\n"
    let tooLong = "1.0.1.0/24,KR,11," + String(repeating: " ", count: 4097 - 17) + "\n"
    let huge = "1.0.2.0/24,KR," + String(repeating: "x", count: 1 << 20) + "\n"
    let (taken, report) = try Self.read(Array((fitting + tooLong + huge + "1.0.3.0/24,US").utf8), nil)
    #expect(taken == ["1.0.0.0-1.0.0.255 KR-11", "1.0.3.0-1.0.3.255 US"])
    #expect(Self.problems(report) == ["2 lineTooLong", "3 lineTooLong"])
    #expect(report.files[0].lines == 4)
  }

  @Test func givesUpOnFilesOfAnotherKind() {
    for text in [
      String(repeating: "line\n", count: 1000), "just\na\nfew", String(repeating: "\u{0}", count: 9000),
    ] {
      #expect(throws: BuildError.self) { try Self.read(Array(text.utf8), nil) }
    }
  }

  /// A device that never ends, and a file with a line of just the size and one byte more.
  @Test func givesUpOnLinesWithoutAnEnd() throws {
    for format in [nil, InputFormat.csv] {
      var collector = ClaimCollector(
        ipVersion: .v6, report: InputReport(paths: ["/dev/zero"], diagnosticsMax: 1))
      #expect(throws: BuildError.endlessLine(path: "/dev/zero", line: 1)) {
        try InputReader.read(
          try Descriptor(path: "/dev/zero", flags: O_RDONLY), .init(path: "/dev/zero", format: format),
          number: 0,
          into: &collector
        ) { _ in }
      }
    }
    let start = Array("1.0.0.0/24,KR\n".utf8)
    let longest = [UInt8](repeating: UInt8(ascii: "x"), count: InputReader.unfinishedBytesMax)
    let (taken, _) = try Self.read(start + longest, nil)
    #expect(taken == ["1.0.0.0-1.0.0.255 KR"])
    do {
      _ = try Self.read(start + longest + [UInt8(ascii: "x")], nil)
      Issue.record("a line that is too long for any text was read")
    } catch {
      #expect("\(error)".hasSuffix("/input: not text: line 2 has no end within 16 MiB"))
    }
  }

  /// What a file gives when it is the only input.
  private static func read(_ bytes: [UInt8], _ format: InputFormat?) throws -> ([String], InputReport) {
    let directory = TemporaryDirectory()
    let path = directory.write(bytes, to: "input")
    var collector = ClaimCollector(
      ipVersion: .v6, report: InputReport(paths: [path], diagnosticsMax: 100))
    try InputReader.read(
      try Descriptor(path: path, flags: O_RDONLY), .init(path: path, format: format), number: 0,
      into: &collector
    ) { _ in }
    var taken: [String] = []
    for family in IPFamily.allCases {
      taken += collector.settle(family).map {
        "\(addressText(family, $0.first))-\(addressText(family, $0.last)) "
          + place(collector.records[Int($0.record)])
      }
    }
    return (taken, collector.report)
  }

  private static func place(_ record: MMDBValue) -> String {
    func text(_ value: MMDBValue?) -> String? {
      guard case .string(let text) = value else { return nil }
      return text
    }
    var place = text(record["country"]?["iso_code"]) ?? "?"
    if case .array(let subdivisions) = record["subdivisions"] {
      place += "-" + (text(subdivisions.first?["iso_code"]) ?? "?")
    }
    if let city = text(record["city"]?["names"]?["en"]) { place += " city \(city)" }
    return place
  }

  private static func problems(_ report: InputReport) -> [String] {
    report.findings.values.flatMap(\.first).map {
      "\($0.place.line) \($0.problem)" + ($0.holder.map { " \($0.line)" } ?? "")
    }.sorted { number($0) < number($1) }
  }

  /// Line number first, then the name.
  private static func number(_ problem: String) -> (Int, String) {
    (Int(problem.prefix { $0 != " " })!, problem)
  }
}
