import ClientSignal
import RegionModel

/// Where a database's records hold what a location needs.
package struct DatabaseFields: Sendable {
  /// Such as `country.iso_code`.
  package var country: FieldPath
  /// Asked for only when the record has no country, and only if the operator chose to.
  package var fallbackCountry: FieldPath?
  package var subdivision: FieldPath
  package var city: FieldPath

  package init(
    country: FieldPath, fallbackCountry: FieldPath?, subdivision: FieldPath, city: FieldPath
  ) {
    self.country = country
    self.fallbackCountry = fallbackCountry
    self.subdivision = subdivision
    self.city = city
  }
}

/// What a record's offset was last decoded to. Belongs to one loop and one database, and goes with them.
///
/// Addresses are not in it: thousands of networks share a record, and nothing leads back.
package final class RecordCache {
  private struct Entry {
    var record: UInt32
    var outcome: SignalOutcome
  }

  /// A country database has about as many records.
  private static let entryCount = 512
  private let entries: UnsafeMutableBufferPointer<Entry>

  package init() {
    entries = .allocate(capacity: Self.entryCount)
    entries.initialize(repeating: Entry(record: .max, outcome: .absent(.notInDatabase)))
  }

  deinit { entries.deallocate() }

  /// The outcome remembered for a record, or the one that `decode` finds.
  func outcome(of record: UInt32, decode: () -> SignalOutcome) -> SignalOutcome {
    let place = Int((record &* 0x9E37_79B1) >> 23)
    if entries[place].record == record { return entries[place].outcome }
    let outcome = decode()
    entries[place] = Entry(record: record, outcome: outcome)
    return outcome
  }
}

/// A database as a source of locations: address in, location out. Immutable; usable from any thread.
package final class GeoSignal: Sendable {
  package let database: MaxMindDatabase
  private let fields: DatabaseFields

  package init(database: MaxMindDatabase, fields: DatabaseFields) {
    self.database = database
    self.fields = fields
  }

  /// What the database makes of a client's address, which is global.
  package func read(_ address: IPAddress, policy: BucketPolicy, cache: RecordCache) -> SignalOutcome {
    guard case .record(let record) = database.lookup(address) else { return .absent(.notInDatabase) }
    return cache.outcome(of: record) { decode(record, policy) }
  }

  private func decode(_ record: UInt32, _ policy: BucketPolicy) -> SignalOutcome {
    var country = database.text(at: record, fields.country)
    if country == nil, let fallback = fields.fallbackCountry { country = database.text(at: record, fallback) }
    return LocationGate.database.outcome(
      policy: policy, country: FieldText(country),
      subdivision: { FieldText(database.text(at: record, fields.subdivision)) },
      city: { FieldText(database.text(at: record, fields.city)) })
  }
}

extension FieldText {
  /// A record's string, or its absence.
  fileprivate init(_ text: UnsafeRawBufferPointer?) { self = text.map { .text($0) } ?? .absent }
}
