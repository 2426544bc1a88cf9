import HTTPWire

/// The one header that says who the client is, and how it is written.
package struct ClientAddressField: Sendable {
  /// How the field's value is written.
  package enum Kind: String, CaseIterable, Sendable {
    /// One line, one address, perhaps with a port.
    case single
    /// One line, an address and behind the last colon a port: `CloudFront-Viewer-Address`.
    case addressAndPort
    /// Addresses with commas between them, each proxy's peer appended: `X-Forwarded-For`.
    case list
    /// RFC 7239's `Forwarded`.
    case forwarded

    /// Whether every proxy appends to it, so that it is walked from the right.
    package var isList: Bool { self == .list || self == .forwarded }
  }

  /// The header's name.
  package var name: FieldName
  /// How its value is written.
  package var kind: Kind
  /// Which entry from the right is the client by the CDN's own documents; nil where entries are skipped.
  package var hops: Int?
  /// What happens to a header of that name that a client sends itself.
  package var clientCopy: ClientCopy
  /// How far this is known.
  package var provenance: Provenance

  /// A field from what is known of it.
  package init(
    _ name: FieldName, kind: Kind, hops: Int? = nil, clientCopy: ClientCopy,
    provenance: Provenance = .documented
  ) {
    self.name = name
    self.kind = kind
    self.hops = hops
    self.clientCopy = clientCopy
    self.provenance = provenance
  }

  /// The kind that a header of this name has everywhere; `single` for any other.
  package static func usualKind(of name: FieldName) -> Kind {
    if name == FieldName("X-Forwarded-For") { return .list }
    if name == FieldName("Forwarded") { return .forwarded }
    if name == FieldName("CloudFront-Viewer-Address") { return .addressAndPort }
    return .single
  }
}
