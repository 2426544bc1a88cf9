import HTTPWire

/// Where a source writes one part of a place, and how.
package struct LocationField: Sendable {
  /// How the part lies in the field's value.
  package enum Form: Sendable {
    /// The whole value.
    case whole
    /// The value of a key in Akamai's list; the key in lower case.
    case edgescape(key: StaticString)
    /// The element with this index, from 0, of values with commas between them.
    case commaElement(Int)
    /// A member of Netlify's base64 JSON.
    case netlifyGeo(NetlifyGeo.Member)
  }

  /// The header's name.
  package var name: FieldName
  /// How the part lies in its value.
  package var form: Form
  /// What happens to a header of that name that a client sends itself.
  package var clientCopy: ClientCopy
  /// How far this is known.
  package var provenance: Provenance

  /// A part from what is known of it. A name of the operator's own is written by the operator's own rule: a
  /// client's copy is kept where the rule is missing.
  package init(
    _ name: FieldName, form: Form = .whole, clientCopy: ClientCopy = .kept,
    provenance: Provenance = .documented
  ) {
    self.name = name
    self.form = form
    self.clientCopy = clientCopy
    self.provenance = provenance
  }
}

/// What a CDN does to a client's own copy of a header that it writes.
package enum ClientCopy: Sendable {
  /// Documented: never passed on.
  case removed
  /// Written over while the feature is on; what happens while it is off is not documented.
  case replaced
  /// A list: the CDN appends to what the client sent, and only the right end is the CDN's.
  case appended
  /// Passed on, unless the operator's own rule writes the header.
  case kept
}

/// How a statement about a CDN is known.
package enum Provenance: String, Sendable {
  /// The provider's documentation says so.
  case documented
  /// Seen in public code only.
  case publicCode = "seen in public code"
  /// Neither.
  case notChecked = "not checked"
}
