import Testing

@Suite struct TargetRulesTests {
  /// The wire is pure: no Foundation, no C library, no other target but the spans of bytes, which know nothing but
  /// numbers and memory. What it cannot call it cannot leak to.
  @Test func noSourceImportsAnything() throws {
    let spans = try Folder("Sources/CByteSpan/include").text(of: "CByteSpan.h").split(separator: "\n")
    #expect(
      spans.filter { $0.contains("#include") }
        == ["#include <stddef.h>", "#include <stdint.h>", "#include <string.h>"])
    let folder = Folder("Sources/HTTPWire")
    let names = try folder.sourceNames()
    #expect(names.contains("RequestParser.swift"), "the folder is the right one")
    for name in names {
      let imports = try folder.text(of: name).split(separator: "\n").filter {
        $0.split(separator: " ").contains("import") && !$0.contains("//") && $0 != "import CByteSpan"
      }
      #expect(imports.isEmpty, "\(name): \(imports)")
    }
  }

  /// The tests that Tests/HTTPRequirements.md names are there.
  @Test func everyRequirementHasItsTests() throws {
    let folder = Folder("Tests/HTTPWireTests")
    let sources = try folder.sourceNames().map { try folder.text(of: $0) }
    let rows = try Folder("Tests").text(of: "HTTPRequirements.md").split(separator: "\n").filter {
      $0.hasPrefix("| RFC")
    }
    #expect(!rows.isEmpty)
    for row in rows {
      let tests = row.split(separator: "|").last?.split(separator: "`").filter { $0.contains(".") } ?? []
      #expect(!tests.isEmpty, "\(row)")
      for test in tests {
        let names = test.split(separator: ".")
        let isThere = sources.contains {
          $0.contains("@Suite struct \(names[0]) ") && $0.contains("func \(names[1])(")
        }
        #expect(isThere, "\(test)")
      }
    }
  }
}
