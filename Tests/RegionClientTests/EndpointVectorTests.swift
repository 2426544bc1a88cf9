import ClientTestSupport
import RegionClient
import Testing

@Suite struct EndpointVectorTests {
  struct Row: Codable {
    let name: String
    let url: String
    let allowedHosts: [String]
    let allowsPlainLoopback: Bool
    let accepted: Bool
  }

  @Test func everyRow() throws {
    let file = try VectorFile("endpoints", as: VectorRows<Row>.self)
    let rows = file.content.rows
    #expect(rows.contains { $0.accepted } && rows.contains { !$0.accepted })
    for row in rows {
      let endpoint = try? RegionEndpoint(
        row.url, allowedHosts: row.allowedHosts, allowsPlainLoopback: row.allowsPlainLoopback)
      #expect((endpoint != nil) == row.accepted, "\(row.name)")
      if let endpoint { #expect(endpoint.url == row.url, "\(row.name)") }
    }
    file.ran(rows: rows.count)
  }

  @Test(arguments: [
    ("http://region.example.com/", RegionEndpointError.notSecure),
    ("http://127.0.0.1/", .hostNotAllowed),
    ("https://other.example.com/", .hostNotAllowed),
    ("https://region.example.com", .malformed),
    ("https://region.example.com/" + String(repeating: "a", count: 2048), .tooLong),
  ])
  func errorSaysWhatIsWrong(url: String, error: RegionEndpointError) {
    #expect(throws: error) { try RegionEndpoint(url, allowedHosts: ["region.example.com"]) }
  }
}
