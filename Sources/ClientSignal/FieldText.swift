import RegionModel

/// What stood in one place of a header or a record, not yet judged.
package enum FieldText {
  /// Nothing stood there.
  case absent
  /// These bytes; maybe empty. Valid as long as what lent them.
  case text(UnsafeRawBufferPointer)
  /// Something that is not to be believed, whatever it says.
  case invalid(UnknownReason)
}
