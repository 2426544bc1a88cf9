import RegionModel

/// Where the client is said to be on the Internet.
package enum ClientAddress: Equatable, Sendable {
  /// An address that a client on the public Internet may have.
  case address(IPAddress)
  /// None to go by.
  case none(UnknownReason)

  /// The address if it is a public one; otherwise `addressNotGlobal`. Of an untrusted peer this is all there is.
  package init(_ address: IPAddress) {
    self = address.isGlobal ? .address(address) : .none(.addressNotGlobal)
  }

  /// What it means for a source that needs an address and has none: a header that was there and broke its
  /// allow-list is invalid, anything else is absent. Nil when there is an address.
  package var missing: SignalOutcome? {
    switch self {
    case .address: nil
    case .none(let reason):
      reason == .invalid || reason == .repeatedHeader ? .invalid(reason) : .absent(reason)
    }
  }
}
