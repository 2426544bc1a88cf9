import RegionModel
import TestFixtures

@testable import ClientSignal
@testable import HTTPWire

/// `Forwarded`, `X-Forwarded-For` and single addresses: a line feed in the input ends a field line.
///
/// What stands to the left never changes what the right end says, and an address is one to the C library too.
enum ClientFuzzing {
  private static let forwarded: FieldName = FieldName("Forwarded")
  private static let list: FieldName = FieldName("X-Forwarded-For")

  static func check(_ bytes: [UInt8]) {
    let values = bytes.parts(separatedBy: "\n").prefix(8).map(\.trimmed)
    checkAddress(values[0])
    for hops in 1...3 { checkList(values, hops) }
    let skipped = CIDRSet(CIDRBlock.privateUse + CIDRBlock.loopback)
    for kind in [ClientAddressField.Kind.list, .forwarded] {
      let name = kind == .forwarded ? forwarded : list
      for walk in [ClientAddressRule.Walk.hops(1), .hops(2), .skip(skipped)] {
        let rule = ClientAddressRule(name: name, kind: kind, walk: walk)
        let client = withHead(name, values) { rule.client(in: $0) }
        guard case .address(let address) = client else { continue }
        expect(address.isGlobal && !skipped.contains(address), "a client's address is a public one")
        // Junk, an open quotation mark among it, as another entry on the left and as a line in front.
        for junk in ["x", "\"", "for=\"", "1.1.1.1", "for=9.9.9.9;host=\"a\\"] {
          let entry = [Array(junk.utf8) + [0x2C] + values[0]] + values.dropFirst()
          expect(withHead(name, entry) { rule.client(in: $0) } == client, "the left changes nothing")
          let line = [Array(junk.utf8)] + values
          expect(withHead(name, line) { rule.client(in: $0) } == client, "a line in front changes nothing")
        }
      }
    }
    for kind in [ClientAddressField.Kind.single, .addressAndPort] {
      let rule = ClientAddressRule(name: list, kind: kind, walk: .hops(1))
      let client = withHead(list, values) { rule.client(in: $0) }
      if values.count > 1 { expect(client == .none(.repeatedHeader), "a single header is single") }
    }
  }

  /// Bare addresses are those of inet_pton(3), no more and no less.
  private static func checkAddress(_ value: [UInt8]) {
    let ours = exactly(value) { IPAddress($0, form: .bare) }
    let text = String(validating: value, as: UTF8.self)
    let theirs = text.flatMap { SystemAddress.parse($0) }
    expect(ours == theirs || value.count > IPAddress.textBytesMax, "the C library reads the same address")
    let optional = exactly(value) { IPAddress($0, form: .optionalPort) }
    if let ours { expect(optional == ours || value.contains(0x3A), "no port is needed") }
    if let blocks = text.flatMap({ try? CIDRBlock.parse($0) }), let ours {
      expect(CIDRSet(blocks).contains(ours), "an address is in its own block")
    }
  }

  /// The entry so far from the right, found by cutting all lines at their commas.
  private static func checkList(_ values: [[UInt8]], _ hops: Int) {
    let entries = values.flatMap { $0.parts(separatedBy: ",") }.map(\.trimmed).filter { !$0.isEmpty }
    let rule = ClientAddressRule(name: list, kind: .list, walk: .hops(hops))
    let client = withHead(list, values) { rule.client(in: $0) }
    guard entries.count >= hops else { return expect(client == .none(.noSignal), "too few entries are none") }
    let entry = entries[entries.count - hops]
    let address = exactly(entry) { IPAddress($0, form: .optionalPort) }
    switch client {
    case .address(let found): expect(found == address, "it is the entry that it should be")
    case .none(.addressNotGlobal): expect(address.map { !$0.isGlobal } == true, "it is no public address")
    case .none: expect(address == nil, "an address is taken")
    }
  }
}
