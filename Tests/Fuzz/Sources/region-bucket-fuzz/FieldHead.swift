@testable import HTTPWire

/// Lends a head that has one name on several lines, the last of whose values ends where the memory ends.
func withHead<Result>(
  _ name: FieldName, _ values: [[UInt8]], _ body: (RequestHead) throws -> Result
) rethrows -> Result {
  var bytes: [UInt8] = []
  let lines = values.map { value in
    let start = bytes.count
    bytes += Array(name.text.utf8) + Array(": ".utf8) + value
    return (name: start..<(start + name.text.utf8.count), value: (bytes.count - value.count)..<bytes.count)
  }
  let head = RequestHead(fieldCountMax: max(1, values.count))
  return try exactly(bytes) { buffer in
    head.reset(to: buffer)
    for line in lines { head.append(name: line.name, value: line.value) }
    return try body(head)
  }
}
