import ClientTestSupport
import Foundation
import RegionClient
import RegionModel
import Testing

@Suite struct AnswerVectorTests {
  struct File: Codable {
    let limitBytes: Int
    let rows: [Row]
  }

  struct Row: Codable {
    let name: String
    let status: Int
    let contentType: String?
    let body: [Part]
    let bucket: RegionBucket
  }

  /// A stretch of a body, perhaps many times over.
  struct Part: Codable {
    let text: String?
    let base64: String?
    let times: Int?

    func bytes() throws -> [UInt8] {
      let encoded = text.map { Data($0.utf8) } ?? base64.flatMap { Data(base64Encoded: $0) }
      let once = Array(try #require(encoded))
      if once.count == 1 { return Array(repeating: once[0], count: times ?? 1) }
      var all: [UInt8] = []
      for _ in 0..<(times ?? 1) { all += once }
      return all
    }
  }

  @Test func everyRow() throws {
    let vectors = try VectorFile("answers", as: File.self)
    let file = vectors.content
    #expect(file.rows.count >= 80)
    #expect(file.limitBytes == RegionLimits().bodyBytesMax)
    for row in file.rows {
      var body: [UInt8] = []
      for part in row.body { body += try part.bytes() }
      let response = RegionResponse(status: row.status, contentType: row.contentType, body: body)
      let bucket = bucket(of: response, file.limitBytes)
      #expect((bucket ?? .unknown) == row.bucket, "\(row.name)")
      // The service's own `unknown` is an answer; all others were refused.
      #expect((bucket == .unknown) == (row.name == "unknown"), "\(row.name)")
    }
    vectors.ran(rows: file.rows.count)
  }

  private func bucket(of response: RegionResponse, _ limit: Int) -> RegionBucket? {
    do { return try RegionAnswer.bucket(of: response, bodyBytesMax: limit) } catch { return nil }
  }

  @Test func everyRefusalSaysWhy() {
    let good = Array(#"{"bucket":"otherMarket"}"#.utf8)
    let cases: [(RegionResponse, RegionRefusal)] = [
      (RegionResponse(status: 500, contentType: "text/html", body: []), .status),
      (RegionResponse(status: 200, contentType: nil, body: good), .contentType),
      (RegionResponse(status: 200, contentType: "text/html", body: good), .contentType),
      (RegionResponse(status: 200, contentType: "application/json", body: []), .body),
      (
        RegionResponse(status: 200, contentType: "application/json", body: good + good),
        .transport(.tooLarge)
      ),
    ]
    for (response, refusal) in cases {
      #expect(throws: refusal) { try RegionAnswer.bucket(of: response, bodyBytesMax: good.count) }
    }
  }

  @Test func everyCutOfAnAnswerIsRefused() throws {
    let whole = Array(#" { "bucket" : "regionalMarket" }"#.utf8)
    for count in 0..<whole.count {
      let response = RegionResponse(
        status: 200, contentType: "application/json", body: Array(whole[..<count]))
      #expect(throws: RegionRefusal.body) { try RegionAnswer.bucket(of: response, bodyBytesMax: 1024) }
    }
  }

  @Test func everyChangeOfOneByteIsRefused() throws {
    let whole = Array(#"{"bucket":"unknown"}"#.utf8)
    for index in whole.indices {
      for byte in UInt8.min...UInt8.max where byte != whole[index] {
        var body = whole
        body[index] = byte
        let response = RegionResponse(status: 200, contentType: "application/json", body: body)
        #expect(throws: RegionRefusal.body) { try RegionAnswer.bucket(of: response, bodyBytesMax: 1024) }
      }
    }
  }
}
