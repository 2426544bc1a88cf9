/// If-Match and If-None-Match, evaluated against the strong tag of a representation that exists (RFC 9110
/// §13.1).
///
///     If-Match = "*" / #entity-tag
///     entity-tag = [ %s"W/" ] DQUOTE *etagc DQUOTE
///
/// All lines with the name are one list. A field outside the grammar, or one that mixes `*` with tags, says
/// nothing that can be relied on, and RFC 9110 does not say what to do with it. So a malformed
/// If-None-Match is as if it were absent: the client gets a whole answer. A malformed If-Match is not
/// fulfilled: whoever made a condition does not get an answer without it.
package struct EntityTagList: Sendable {
  // Of a value, not of the type: what belongs to a type is asked each time whether it has been made yet.
  private let ifMatchName: FieldName = FieldName("If-Match")
  private let ifNoneMatchName: FieldName = FieldName("If-None-Match")

  /// The two fields.
  package init() {}

  /// What the two fields let become of a GET or HEAD.
  package enum Precondition: Sendable {
    /// The representation is sent.
    case met
    /// `412`.
    case failed
    /// `304`.
    case notModified
  }

  /// Evaluates both, in the order of RFC 9110 §13.2.2, for a representation that has the tag. The tag is well formed
  /// and comes with its quotes.
  package func evaluate(_ head: RequestHead, _ tag: UnsafeRawBufferPointer) -> Precondition {
    if head.mayHave(ifMatchName), !ifMatch(head, tag) { return .failed }
    guard head.mayHave(ifNoneMatchName) else { return .met }
    // The usual one first: what was answered comes back.
    let isNamed = head.hasOneLine(ifNoneMatchName, tag) || ifNoneMatch(head, tag)
    return isNamed ? .notModified : .met
  }

  /// Whether If-Match lets the request go on; `412` otherwise (RFC 9110 §13.1.1). Strong comparison: a weak
  /// tag matches nothing. True without the field.
  private func ifMatch(_ head: RequestHead, _ tag: UnsafeRawBufferPointer) -> Bool {
    switch evaluate(head, ifMatchName, tag, comparesWeakly: false) {
    case .absent, .any, .matched: true
    case .unmatched, .malformed: false
    }
  }

  /// Whether If-None-Match names the representation: `304` to GET and HEAD (RFC 9110 §13.1.2). Weak
  /// comparison: `W/` makes no difference. False without the field.
  private func ifNoneMatch(_ head: RequestHead, _ tag: UnsafeRawBufferPointer) -> Bool {
    switch evaluate(head, ifNoneMatchName, tag, comparesWeakly: true) {
    case .any, .matched: true
    case .absent, .unmatched, .malformed: false
    }
  }

  private enum Outcome { case absent, any, matched, unmatched, malformed }

  private func evaluate(
    _ head: RequestHead, _ name: FieldName, _ tag: UnsafeRawBufferPointer, comparesWeakly: Bool
  ) -> Outcome {
    var lineCount = 0
    var hasAsterisk = false
    var outcome = Outcome.unmatched
    head.forEachValue(of: name) { value in
      lineCount += 1
      if value.count == 1, value[0] == 0x2A {
        hasAsterisk = true
        return
      }
      switch scan(value, tag, comparesWeakly: comparesWeakly) {
      case nil: outcome = .malformed
      case true? where outcome == .unmatched: outcome = .matched
      default: break
      }
    }
    if lineCount == 0 { return .absent }
    if hasAsterisk { return lineCount == 1 ? .any : .malformed }
    return outcome
  }

  /// Whether one of the line's tags matches; nil if the line is not a list of tags. Empty members are
  /// passed over (RFC 9110 §5.6.1.2); a comma in quotes is a part of the tag.
  private func scan(
    _ value: UnsafeRawBufferPointer, _ tag: UnsafeRawBufferPointer, comparesWeakly: Bool
  ) -> Bool? {
    var isMatched = false
    var mayBeginTag = true
    var index = 0
    while index < value.count {
      switch value[index] {
      case 0x20, 0x09: index += 1
      case 0x2C:
        mayBeginTag = true
        index += 1
      default:
        let isWeak = value[index] == 0x57
        let start = isWeak ? index + 2 : index
        guard mayBeginTag, start < value.count, value[start] == 0x22, !isWeak || value[index + 1] == 0x2F
        else { return nil }
        var end = start + 1
        while end < value.count, isTagCharacter(value[end]) { end += 1 }
        guard end < value.count, value[end] == 0x22 else { return nil }
        index = end + 1
        mayBeginTag = false
        if comparesWeakly || !isWeak {
          isMatched = isMatched || UnsafeRawBufferPointer(rebasing: value[start..<index]).isEqual(to: tag)
        }
      }
    }
    return isMatched
  }

  /// `etagc` (RFC 9110 §8.8.3).
  private func isTagCharacter(_ byte: UInt8) -> Bool {
    byte >= 0x21 && byte != 0x22 && byte != 0x7F
  }
}
