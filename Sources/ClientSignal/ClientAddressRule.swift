import HTTPWire
import RegionModel

/// Which ONE header says who the client is, and which of its entries is believed.
///
/// No other header is looked at: trying many in turn is how servers get spoofed. Immutable; usable from any
/// thread; allocates nothing.
package final class ClientAddressRule: Sendable {
  /// Which entry of a list is the client.
  package enum Walk: Sendable {
    /// The first from the right that is outside the set; the left-most when all are inside.
    case skip(CIDRSet)
    /// The one with this number from the right, from 1 to `hopsMax`.
    case hops(Int)
  }

  /// The most that `Walk.hops` may be.
  package static let hopsMax = 64
  /// The most entries inside the skipped set that one line may have. More are no chain of proxies.
  static let skippedEntriesMax = 128

  /// The header.
  package let name: FieldName
  private let kind: ClientAddressField.Kind
  private let walk: Walk

  /// A rule; `walk` matters for lists only. `hops` outside 1 to `hopsMax` is a programmer's error.
  package init(name: FieldName, kind: ClientAddressField.Kind, walk: Walk) {
    if case .hops(let hops) = walk { precondition((1...Self.hopsMax).contains(hops)) }
    self.name = name
    self.kind = kind
    self.walk = walk
  }

  /// The client of a request whose peer is trusted.
  ///
  /// None with `noSignal`: no such header, nothing in it, fewer entries than hops, or a proxy that declines to
  /// say (`unknown`, `_hidden`). With `invalid`: anything else that is no address where the client should be;
  /// what stands to the left of it is never looked at. With `repeatedHeader`: two lines of a single header.
  package func client(in head: RequestHead) -> ClientAddress {
    guard kind.isList else {
      switch head.single(name) {
      case .absent: return .none(.noSignal)
      case .repeated: return .none(.repeatedHeader)
      case .value(let value): return value.isEmpty ? .none(.noSignal) : gated(entry(value))
      }
    }
    return switch walk {
    case .skip(let set): gated(firstOutside(set, in: head))
    case .hops(let hops): gated(entry(fromRight: hops, in: head))
    }
  }

  private func gated(_ client: ClientAddress) -> ClientAddress {
    if case .address(let address) = client { ClientAddress(address) } else { client }
  }

  /// One entry, in the form of the header's kind.
  private func entry(_ text: UnsafeRawBufferPointer) -> ClientAddress {
    if kind == .forwarded { return ForwardedElement.client(in: text) }
    let form: AddressForm = kind == .addressAndPort ? .portBehindLastColon : .optionalPort
    if let address = IPAddress(text, form: form) { return .address(address) }
    return .none(ForwardedElement.isUndisclosed(text) ? .noSignal : .invalid)
  }

  /// Lines come in their order and each is walked from its right end: what a later line settles stands.
  private func firstOutside(_ skipped: CIDRSet, in head: RequestHead) -> ClientAddress {
    var outside: ClientAddress?
    var leftMost: ClientAddress?
    head.forEachValue(of: name) { line in
      var elements = ListElementsFromRight(line, isQuoting: kind == .forwarded)
      var leftMostOfLine: ClientAddress?
      for _ in 0..<Self.skippedEntriesMax {
        guard let element = elements.next() else {
          leftMost = leftMost ?? leftMostOfLine
          return
        }
        let entry = entry(element)
        guard case .address(let address) = entry, skipped.contains(address) else {
          outside = entry
          return
        }
        leftMostOfLine = entry
      }
      outside = ClientAddress.none(.invalid)
    }
    return outside ?? leftMost ?? .none(.noSignal)
  }

  private func entry(fromRight hops: Int, in head: RequestHead) -> ClientAddress {
    var entryCount = 0
    head.forEachValue(of: name) { entryCount += count(in: $0) }
    var found: ClientAddress?
    var laterCount = entryCount
    head.forEachValue(of: name) { line in
      let lineCount = count(in: line)
      laterCount -= lineCount
      let hopsInLine = hops - laterCount
      guard hopsInLine >= 1, hopsInLine <= lineCount else { return }
      var elements = ListElementsFromRight(line, isQuoting: kind == .forwarded)
      for _ in 1..<hopsInLine { _ = elements.next() }
      found = elements.next().map { entry($0) }
    }
    return found ?? .none(.noSignal)
  }

  private func count(in line: UnsafeRawBufferPointer) -> Int {
    var elements = ListElementsFromRight(line, isQuoting: kind == .forwarded)
    var count = 0
    while elements.next() != nil { count += 1 }
    return count
  }
}
