/// How large a request may be. What is over a limit is refused as soon as that is certain.
package struct WireLimits: Equatable, Sendable {
  /// Bytes of a request line without its CRLF; RFC 9112 §3 asks for 8000 at least.
  package let requestLineBytesMax: Int
  /// Bytes of a header or trailer section, with every CRLF and the empty line at its end.
  package let headerSectionBytesMax: Int
  /// Field lines of a header or trailer section.
  package let fieldCountMax: Int
  /// Bytes of a request's content, after the transfer coding.
  package let bodyBytesMax: Int

  /// Limits; none may be negative, positions in a head must fit 32 bits, and a length must leave room for one
  /// more digit.
  package init(
    requestLineBytesMax: Int = 8192, headerSectionBytesMax: Int = 32768, fieldCountMax: Int = 100,
    bodyBytesMax: Int = 65536
  ) {
    precondition(min(requestLineBytesMax, headerSectionBytesMax, fieldCountMax, bodyBytesMax) >= 0)
    precondition(max(requestLineBytesMax, headerSectionBytesMax, fieldCountMax) <= Int(UInt32.max) / 4)
    precondition(bodyBytesMax <= Int.max / 32)
    self.requestLineBytesMax = requestLineBytesMax
    self.headerSectionBytesMax = headerSectionBytesMax
    self.fieldCountMax = fieldCountMax
    self.bodyBytesMax = bodyBytesMax
  }
}
