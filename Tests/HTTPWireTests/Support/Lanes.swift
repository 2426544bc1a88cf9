/// Every byte in every place of a few equal ones of four kinds, which a reader of many bytes at a time may confuse.
func everyByteInEveryLane(of count: Int, _ check: ([UInt8]) -> Void) {
  for byte in UInt8.min...UInt8.max {
    for lane in 0..<count {
      for filler: UInt8 in [0x61, 0x2D, 0x00, 0xFF] {
        var bytes = [UInt8](repeating: filler, count: count)
        bytes[lane] = byte
        check(bytes)
      }
    }
  }
}
