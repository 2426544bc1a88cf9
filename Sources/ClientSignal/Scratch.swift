/// Room on the stack for a text that must be decoded before it can be judged.
enum Scratch {
  /// The most that is lent, in bytes: above this the compiler's run-time would take it from the heap.
  static let bytesMax = 1024

  /// Lends uninitialised room and overwrites it afterwards: what was decoded there came from a request.
  static func lend<Result>(
    bytes count: Int, _ body: (UnsafeMutableRawBufferPointer) -> Result
  ) -> Result {
    precondition(count <= bytesMax)
    return withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { room in
      defer { wipe(room) }
      return body(room)
    }
  }

  private static func wipe(_ room: UnsafeMutableRawBufferPointer) {
    room.initializeMemory(as: UInt8.self, repeating: 0)
    readByNobody(UnsafeRawPointer(room.baseAddress))
  }

  /// Does nothing with the bytes, which the compiler may not find out: without a reader it would see that the
  /// zeros are never looked at, and leave them out.
  @inline(never)
  @_optimize(none)
  private static func readByNobody(_ bytes: UnsafeRawPointer?) {}
}
