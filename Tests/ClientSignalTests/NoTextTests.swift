import Glibc
import Testing

/// What a compiler says of code that would make an address or a secret into text.
///
/// Compiles the types' own files, since a test that holds such code would not compile itself.
@Suite struct NoTextTests {
  /// The repository's root.
  static let root = String(#filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined())
  static var isCompilerInstalled: Bool { run("command -v swiftc").status == 0 }

  /// A shell command's exit status, and what it wrote to either output.
  static func run(_ command: String) -> (status: Int32, output: String) {
    guard let pipe = popen("{ \(command) ; } 2>&1", "r") else { return (-1, "") }
    var output: [UInt8] = []
    while case let byte = fgetc(pipe), byte != EOF { output.append(UInt8(byte)) }
    return (pclose(pipe), String(decoding: output, as: UTF8.self))
  }

  @Test(.enabled(if: isCompilerInstalled)) func interpolationIsRefusedByTheCompiler() throws {
    let folder = String(try #require(Self.run("mktemp -d").output.split(separator: "\n").first))
    defer { _ = Self.run("rm -r '\(folder)'") }
    let sources = "'\(Self.root)/Sources"
    let compiler =
      "swiftc -swift-version 6 -warnings-as-errors -package-name test -I \(sources)/CByteSpan/include'"
    let module = Self.run(
      "\(compiler) -emit-module -module-name HTTPWire -o '\(folder)/HTTPWire.swiftmodule' \(sources)/HTTPWire/'*.swift"
    )
    #expect(module.status == 0, "\(module.output)")
    func check(_ source: String) throws -> (status: Int32, output: String) {
      let file = try #require(fopen("\(folder)/Snippet.swift", "w"))
      fputs(source, file)
      fclose(file)
      return Self.run(
        "\(compiler) -I '\(folder)' -typecheck \(sources)/ClientSignal/IPAddress.swift' "
          + "\(sources)/ClientSignal/OriginSecret.swift' '\(folder)/Snippet.swift'")
    }
    let refused = try check(
      """
      func text(_ address: IPAddress) -> String { "\\(address)" }
      func text(_ secret: OriginSecret) -> String { "\\(secret)" }
      """)
    #expect(refused.status != 0)
    for message in ["an address must not become text", "a secret must not become text"] {
      #expect(refused.output.contains(message), "\(refused.output)")
    }
    // The control: the same files compile without such code.
    let accepted = try check("func isSame(_ address: IPAddress) -> Bool { address == address }")
    #expect(accepted.status == 0, "\(accepted.output)")
  }
}
