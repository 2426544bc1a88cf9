#if canImport(Glibc)
  import Glibc
#endif

/// Where a value stands in a record, such as `country.iso_code` or `subdivisions.0.iso_code`.
///
/// Keeps the C strings that a lookup passes on, so that no lookup makes one. Immutable; usable from any thread.
package final class FieldPath: @unchecked Sendable {
  /// The path as it was written.
  package let text: String
  /// The parts as a NULL-terminated list, as MMDB_aget_value takes it.
  let parts: UnsafePointer<UnsafePointer<CChar>?>

  private let storage: UnsafeMutableBufferPointer<UnsafePointer<CChar>?>

  /// A path of keys and indices between dots; nil when it or a part is empty, or a part holds NUL.
  package init?(_ text: String) {
    let names = text.split(separator: ".", omittingEmptySubsequences: false)
    guard names.allSatisfy({ !$0.isEmpty && !$0.utf8.contains(0) }) else { return nil }
    self.text = text
    storage = .allocate(capacity: names.count + 1)
    storage.initialize(repeating: nil)
    for (index, name) in names.enumerated() { storage[index] = UnsafePointer(strdup(String(name))) }
    parts = UnsafePointer(storage.baseAddress!)
  }

  deinit {
    for part in storage { free(UnsafeMutablePointer(mutating: part)) }
    storage.deallocate()
  }
}
