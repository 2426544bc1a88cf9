import ClientSignal
import HTTPWire

/// Reads `clientAddress`: the one field that says who the client is.
struct ClientAddressReading {
  var reader: ConfigReader
  var preset: CDNPreset
  var trustedPeers: CIDRSet

  private static let details: [ConfigKey] = [.clientAddressForm, .clientAddressSkip, .clientAddressHops]

  /// The field and the rule of how to read it; neither when there is no field, or when an error was reported.
  func read() -> (field: ClientAddressField?, rule: ClientAddressRule?) {
    // Read in any case: bad blocks are reported whether or not they matter.
    let skipped =
      reader.value(.clientAddressSkip) == .null
      ? nil : CIDRSet(AddressBlocks(reading: reader, .clientAddressSkip).blocks)
    guard let field = field() else {
      for key in Self.details where reader.value(key) != .null {
        reader.contradiction([key, .clientAddressHeader], "no field is named that it could be about")
      }
      return (nil, nil)
    }
    let hops = reader.optionalInteger(.clientAddressHops)
    if skipped != nil, hops != nil {
      reader.contradiction(
        [.clientAddressHops, .clientAddressSkip], "`hops` counts entries and `skip` passes over them: set one"
      )
    }
    if !field.kind.isList {
      for key: ConfigKey in [.clientAddressSkip, .clientAddressHops] where reader.value(key) != .null {
        reader.contradiction(
          [key, .clientAddressHeader, .clientAddressForm],
          "`\(field.name.text)` holds one address: there is nothing to skip or to count",
          hint: "if it is a list, set `clientAddress.form`")
      }
    }
    let walk: ClientAddressRule.Walk =
      if let hops {
        .hops(hops)
      } else if let skipped {
        .skip(skipped)
      } else if let hops = field.hops {
        .hops(hops)
      } else {
        .skip(trustedPeers)
      }
    return (field, ClientAddressRule(name: field.name, kind: field.kind, walk: walk))
  }

  private func field() -> ClientAddressField? {
    var field = preset.clientAddress
    if reader.value(.clientAddressHeader) != .null {
      guard let name = reader.fieldName(.clientAddressHeader) else { return nil }
      if field?.name != name {
        let kind = ClientAddressField.usualKind(of: name)
        field = ClientAddressField(name, kind: kind, clientCopy: kind.isList ? .appended : .kept)
      }
    }
    if let kind: ClientAddressField.Kind = reader.optionalChoice(.clientAddressForm) { field?.kind = kind }
    return field
  }

  /// Warns when the database is asked about clients that nobody names.
  func checkMissing(_ rule: ClientAddressRule?) {
    guard rule == nil, reader.texts(.trustedPeers)?.isEmpty == false else { return }
    reader.doubt(
      [.clientAddressHeader, .cdnPreset, .sources],
      "the database is asked, and no field says who the client of a trusted peer is",
      hint: "set `clientAddress.header`, or trust nobody by `trustedPeers: []`")
  }

  /// Warns of settings that nothing asks for.
  func warnOfIdleKeys() {
    for key in [.clientAddressHeader] + Self.details where reader.value(key) != .null {
      reader.doubt([key, .sources], "it is never read: `sources` has no `database`")
    }
  }
}
