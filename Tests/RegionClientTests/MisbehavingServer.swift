import ClientTestSupport
import Foundation

/// `Tests/servers/misbehaving_server.py`, running until this process ends: it reads from a pipe that closes then.
final class MisbehavingServer: Sendable {
  struct Ready: Decodable {
    let https, other, wrongName, expired, untrusted, plain, silent, control, closed: Int
    let ca: String
    let faults: [String]

    func port(_ name: String) throws -> Int {
      switch name {
      case "https": https
      case "wrongName": wrongName
      case "expired": expired
      case "untrusted": untrusted
      case "plain": plain
      case "silent": silent
      case "closed": closed
      default: throw Trouble.noSuchPort(name)
      }
    }
  }

  /// What happened under a key.
  struct Tally: Decodable {
    let requests: Int
    let bytesSent: Int
    let heads: [String]
    let accepted: [String: Int]
  }

  enum Trouble: Error {
    case didNotStart
    case noSuchPort(String)
    case controlFailed(Int32)
  }

  let ready: Ready
  private let process = Process()
  private let input = Pipe()

  init() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-B", tests.appending(path: "servers/misbehaving_server.py").path()]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      let piece = output.fileHandleForReading.availableData
      guard !piece.isEmpty else { throw Trouble.didNotStart }
      line += piece
    }
    ready = try JSONDecoder().decode(Ready.self, from: line)
  }

  /// Asks the control port, by a process of its own so that no client under test is involved.
  func tally(_ key: String) throws -> Tally {
    let curl = Process()
    let output = Pipe()
    curl.executableURL = URL(filePath: "/usr/bin/env")
    curl.arguments = ["curl", "--silent", "--max-time", "10", "http://127.0.0.1:\(ready.control)/\(key)"]
    curl.standardOutput = output
    try curl.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    curl.waitUntilExit()
    guard curl.terminationStatus == 0 else { throw Trouble.controlFailed(curl.terminationStatus) }
    return try JSONDecoder().decode(Tally.self, from: data)
  }
}
