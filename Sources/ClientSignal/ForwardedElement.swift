import HTTPWire
import RegionModel

/// One element of `Forwarded` (RFC 7239 §4): pairs with semicolons between them, white space allowed around
/// the semicolons.
enum ForwardedElement {
  /// Whom the element's `for` names. `noSignal` when it has none or declines to say; `invalid` when the
  /// element breaks the grammar, has `for` twice, or names something that is no address.
  static func client(in element: UnsafeRawBufferPointer) -> ClientAddress {
    var node: UnsafeRawBufferPointer?
    var index = 0
    while true {
      skipWhiteSpace(element, &index)
      if index < element.count, element[index] != UInt8(ascii: ";") {
        let name = token(element, &index)
        guard !name.isEmpty, index < element.count, element[index] == UInt8(ascii: "=") else {
          return .none(.invalid)
        }
        index += 1
        guard let value = value(element, &index) else { return .none(.invalid) }
        if FieldSyntax.matches(name, "for") {
          guard node == nil else { return .none(.invalid) }
          node = value
        }
        skipWhiteSpace(element, &index)
      }
      guard index < element.count else { break }
      guard element[index] == UInt8(ascii: ";") else { return .none(.invalid) }
      index += 1
    }
    return node.map { client(node: $0) } ?? .none(.noSignal)
  }

  /// Whether a proxy declines to say: `unknown` (§6.2), or an identifier of its own (§6.3).
  static func isUndisclosed(_ name: UnsafeRawBufferPointer) -> Bool {
    name.first == UInt8(ascii: "_") || FieldSyntax.matches(name, "unknown")
  }

  /// A node (§6): IPv4, IPv6 in brackets, or undisclosed, each with an optional port.
  ///
  /// The text still has its escapes: an address needs none, so one that has some is refused.
  private static func client(node: UnsafeRawBufferPointer) -> ClientAddress {
    let isBracketed = node.first == UInt8(ascii: "[")
    let end = node.firstIndex(of: UInt8(ascii: isBracketed ? "]" : ":")) ?? node.count
    guard !isBracketed || end < node.count else { return .none(.invalid) }
    let name = UnsafeRawBufferPointer(rebasing: node[(isBracketed ? 1 : 0)..<end])
    let rest = node[(isBracketed ? end + 1 : end)...]
    guard rest.isEmpty || rest.first == UInt8(ascii: ":") && isNodePort(rest.dropFirst()) else {
      return .none(.invalid)
    }
    if isBracketed {
      guard name.count <= IPAddress.textBytesMax, let bits = AddressLiteral.ipv6(name) else {
        return .none(.invalid)
      }
      return .address(IPAddress(.ipv6(bits)))
    }
    if let bits = AddressLiteral.ipv4(name) { return .address(IPAddress(ipv4: bits)) }
    return .none(isUndisclosed(name) ? .noSignal : .invalid)
  }

  /// A number, or an identifier that hides one (§6.1).
  private static func isNodePort(_ port: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard port.first == UInt8(ascii: "_") else { return IPAddress.isPort(port) }
    return port.count > 1 && port.allSatisfy { FieldSyntax.isTokenCharacter($0) }
  }

  private static func token(_ text: UnsafeRawBufferPointer, _ index: inout Int) -> UnsafeRawBufferPointer {
    let start = index
    while index < text.count, FieldSyntax.isTokenCharacter(text[index]) { index += 1 }
    return UnsafeRawBufferPointer(rebasing: text[start..<index])
  }

  /// A token, or what is inside a quoted string; nil when neither stands there.
  private static func value(_ text: UnsafeRawBufferPointer, _ index: inout Int) -> UnsafeRawBufferPointer? {
    guard index < text.count, text[index] == UInt8(ascii: "\"") else {
      let value = token(text, &index)
      return value.isEmpty ? nil : value
    }
    let start = index + 1
    index = start
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "\""):
        index += 1
        return UnsafeRawBufferPointer(rebasing: text[start..<(index - 1)])
      case UInt8(ascii: "\\"): index += 2
      default: index += 1
      }
    }
    return nil
  }

  private static func skipWhiteSpace(_ text: UnsafeRawBufferPointer, _ index: inout Int) {
    while index < text.count, FieldSyntax.isWhitespace(text[index]) { index += 1 }
  }
}
