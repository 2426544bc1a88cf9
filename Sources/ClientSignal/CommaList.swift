/// Values with commas between them, in an order that the operator chose.
enum CommaList {
  /// The element with an index that counts from 0; absent when there are fewer.
  static func element(_ index: Int, of list: UnsafeRawBufferPointer) -> FieldText {
    var start = 0
    for _ in 0..<index {
      guard let comma = list[start...].firstIndex(of: UInt8(ascii: ",")) else { return .absent }
      start = comma + 1
    }
    let end = list[start...].firstIndex(of: UInt8(ascii: ",")) ?? list.count
    return .text(UnsafeRawBufferPointer(rebasing: list[start..<end]))
  }
}
