import CByteSpan

/// How many bytes from an index on are of a common kind; the first other byte, if there is one, is judged by the
/// grammar's own `ByteClass`.
enum ByteSpan {
  /// Letters and `-`, as the names of fields mostly are.
  @inline(__always)
  static func name(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
    cbytespan_name(bytes.baseAddress! + range.lowerBound, range.upperBound &- range.lowerBound)
  }

  /// Neither below 0x20 nor 0x7F, as the values of fields mostly are.
  @inline(__always)
  static func printable(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
    cbytespan_printable(bytes.baseAddress! + range.lowerBound, range.upperBound &- range.lowerBound)
  }

  /// Letters, digits, `-` and `.`, as the names of hosts mostly are.
  @inline(__always)
  static func host(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
    cbytespan_host(bytes.baseAddress! + range.lowerBound, range.upperBound &- range.lowerBound)
  }

  /// The same and `/`, as paths mostly are.
  @inline(__always)
  static func path(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
    cbytespan_path(bytes.baseAddress! + range.lowerBound, range.upperBound &- range.lowerBound)
  }
}
