import HTTPWire

/// The answer that carries a page of metrics.
enum MetricsPage {
  /// More than any page can have: its size is given by the closed set of families and labels.
  static let bytesMax = 1 << 15

  static func write(
    _ page: String, _ mode: ConnectionMode, includesBody: Bool, seconds: Int64, to output: OutputBuffer
  ) {
    let body = Array(page.utf8)
    var head = ResponseHeadBuilder(status: 200)
    head.field("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
    head.field("Content-Length", String(body.count))
    head.field("Cache-Control", CachePolicy.withheld)
    head.field("X-Content-Type-Options", "nosniff")
    let rendered = head.render(connection: mode, body: body)
    var bytes = rendered.head
    bytes.withUnsafeMutableBytes {
      HTTPDate.write(
        unixSeconds: seconds, to: UnsafeMutableRawBufferPointer(rebasing: $0[rendered.dateOffset...]))
    }
    bytes.withUnsafeBytes { output.append($0) }
    if includesBody { body.withUnsafeBytes { output.append($0) } }
  }
}
