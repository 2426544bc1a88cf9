/// What came of reading a part of a body.
package enum BodyProgress: Equatable, Sendable {
  /// The body goes on; all the bytes that were given belong to it.
  case needMore(consumed: Int)
  /// The body ends after so many of the bytes; what follows is the next request.
  case complete(consumed: Int)
  /// Refused: answer, and close. Where the next request would begin is not known.
  case rejected(Rejection)
}

/// Reads a request's body as its framing has it (RFC 9112 §6, §7.1), checks it, and keeps none of it.
///
/// A few numbers without storage: bytes may come in any pieces. It belongs to one connection.
package struct BodyDropper: Sendable {
  private enum Body {
    /// So many bytes are left.
    case length(Int)
    case chunked(ChunkedScanner)
    case rejected(Rejection)
  }

  private var body: Body

  /// A reader for the body behind a head. A length is taken as it is: the head's parser has held it to the
  /// limit.
  package init(_ framing: BodyFraming, limits: WireLimits) {
    body =
      switch framing {
      case .none: .length(0)
      case .length(let length): .length(length)
      case .chunked: .chunked(ChunkedScanner(limits: limits))
      }
  }

  /// Reads the bytes that come next, the body's and maybe more behind it. Without a body it is complete at
  /// once, also with no bytes at all.
  package mutating func drop(_ bytes: UnsafeRawBufferPointer) -> BodyProgress {
    switch body {
    case .length(let length):
      let consumed = min(length, bytes.count)
      body = .length(length - consumed)
      return consumed == length ? .complete(consumed: consumed) : .needMore(consumed: consumed)
    case .chunked(var scanner):
      do throws(Rejection) {
        guard let consumed = try scanner.scan(bytes) else {
          body = .chunked(scanner)
          return .needMore(consumed: bytes.count)
        }
        body = .length(0)
        return .complete(consumed: consumed)
      } catch {
        body = .rejected(error)
        return .rejected(error)
      }
    case .rejected(let rejection): return .rejected(rejection)
    }
  }
}
