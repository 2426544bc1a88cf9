/// What may be wrong with a line of an input, or worth knowing about it.
///
/// The raw value is the sentence that is printed, without a full stop.
package enum InputProblem: String, Error, CaseIterable, Sendable {
  case lineTooLong = "too long"
  case notUTF8 = "not UTF-8"
  case badQuoting = "quotes that are not closed, or inside a field"
  case unrecognised = "not a line of any known format"
  case missingFields = "too few fields"
  case badHeader = "the column names lack a network or a country"
  case badNetwork = "not an address or network"
  case badPrefixLength = "not a prefix length of that family"
  case bitsBeyondPrefix = "the network has bits set beyond its prefix length"
  case badRange = "not a range of addresses of one family"
  case reversedRange = "the range ends before it starts"
  case badCountry = "not a country code"
  case badSubdivision = "not a subdivision code (ISO 3166-2)"
  case foreignSubdivision = "the subdivision is of another country"
  case badCity = "not a city's name: it holds controls, or is too long"
  case overlap = "overlaps an earlier line, which holds"
  case duplicate = "repeats a network of an earlier line, which holds"
  case outOfOrder = "starts before the line above it"
  case ipv6Skipped = "left out: IPv6 in an IPv4 database"
  case ipv4Space =
    "left out where it lies in an IPv6 network that stands for IPv4 (::/96, ::ffff:0:0/96, 2002::/16)"
  case gap = "addresses before it are in no line"

  /// How grave it is.
  package enum Severity: Int, Comparable, Sendable {
    /// Worth knowing; nothing is lost.
    case note
    /// The line or a part of it is not taken over, as documented.
    case warning
    /// The line is wrong; a strict build refuses it.
    case error

    /// By gravity.
    package static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }
  }

  /// How grave it is.
  package var severity: Severity {
    switch self {
    case .gap, .outOfOrder: .note
    case .ipv6Skipped, .ipv4Space: .warning
    default: .error
    }
  }
}

/// A line of an input.
package struct InputPlace: Equatable, Comparable, Sendable {
  /// The number of the file among the inputs, from 0.
  package let file: Int
  /// The line's number, from 1.
  package let line: Int

  /// By file, then by line.
  package static func < (left: InputPlace, right: InputPlace) -> Bool {
    (left.file, left.line) < (right.file, right.line)
  }
}

/// A problem and where it is.
package struct InputDiagnostic: Equatable, Sendable {
  /// Where.
  package let place: InputPlace
  /// What.
  package let problem: InputProblem
  /// The line that holds instead; set for `overlap` and `duplicate`.
  package let holder: InputPlace?
}
