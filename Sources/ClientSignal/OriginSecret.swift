import HTTPWire

/// A header and values that only the CDN in front knows: who sends one of them is the CDN.
///
/// Has no textual description: interpolating one is refused by the compiler, reflection shows nothing. Usable
/// from any thread.
package struct OriginSecret: Sendable {
  /// What becomes of a request without it.
  package enum OnMissing: String, CaseIterable, Sendable {
    /// It is refused: 403.
    case refuse
    /// It is answered, and none of its headers is believed.
    case distrust
  }

  /// The longest value, in bytes.
  static let valueBytesMax = 512
  /// The most values at once: the old and the new one during a rotation, and room to spare.
  static let valuesMax = 4

  /// The header that carries it.
  package let name: FieldName
  /// What becomes of a request without it.
  package let onMissing: OnMissing
  private let values: [[UInt8]]

  /// A secret with values that are all accepted.
  ///
  /// - Throws: `OriginSecretError` when a value could never arrive in a header, or an empty header would carry it.
  package init(name: FieldName, values: [[UInt8]], onMissing: OnMissing) throws(OriginSecretError) {
    guard (1...Self.valuesMax).contains(values.count) else { throw .valueCount(max: Self.valuesMax) }
    for value in values {
      guard !value.isEmpty else { throw .emptyValue }
      guard value.count <= Self.valueBytesMax else { throw .tooLong(bytesMax: Self.valueBytesMax) }
      guard value.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .notVisibleASCII }
    }
    self.name = name
    self.values = values
    self.onMissing = onMissing
  }

  /// Which of the values a request carries. While the secret is changed, the old one is the first.
  package enum Match: Equatable, Sendable {
    case none, first, other
  }

  /// Which of the values stands in the request's one line of the header; none where there are two lines.
  package func match(in head: RequestHead) -> Match {
    guard case .value(let candidate) = head.single(name) else { return .none }
    // Every value is compared to its end, so the time says nothing of how much of one was right.
    var matches = 0
    for index in values.indices {
      let isThisOne = Self.isEqual(candidate, to: values[index])
      matches |= (isThisOne ? 1 : 0) << index
    }
    return matches == 0 ? .none : matches & 1 == 1 ? .first : .other
  }

  /// Takes a time that depends on the secret's length alone: one step for each of its bytes, and no branch on
  /// what a byte is or on the candidate's length. A shorter candidate is read over and over.
  @inline(never)
  private static func isEqual(_ candidate: UnsafeRawBufferPointer, to secret: [UInt8]) -> Bool {
    guard !candidate.isEmpty else { return false }
    var difference = candidate.count ^ secret.count
    var position = 0
    for byte in secret {
      difference |= Int(candidate[position] ^ byte)
      position = (position + 1) % candidate.count
    }
    return difference == 0
  }
}

extension OriginSecret: CustomReflectable {
  /// Empty: `dump` and the default `description` have nothing to show.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension DefaultStringInterpolation {
  /// A secret has no textual form: appends nothing, and calling it is a warning, which is an error in this
  /// package. An unavailable function would not do: the compiler would take the one for any value instead.
  @available(*, deprecated, message: "a secret must not become text")
  package mutating func appendInterpolation(_ secret: OriginSecret) {}
}

/// Why values make no secret. Never says which, nor anything of them.
package enum OriginSecretError: Error, Equatable, CustomStringConvertible {
  /// None, or more than `max`.
  case valueCount(max: Int)
  /// A value is empty, so that an empty header would carry it.
  case emptyValue
  /// A value is longer than `bytesMax`.
  case tooLong(bytesMax: Int)
  /// A value has white space, a control character or a byte above 0x7E: it could not arrive in a header as is.
  case notVisibleASCII

  /// A sentence for the operator.
  package var description: String {
    switch self {
    case .valueCount(let max): "there must be 1 to \(max) secrets"
    case .emptyValue: "a secret is empty"
    case .tooLong(let bytesMax): "a secret is longer than \(bytesMax) bytes"
    case .notVisibleASCII: "a secret holds white space or something else than visible ASCII"
    }
  }
}
