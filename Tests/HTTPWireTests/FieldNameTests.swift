import Testing

@testable import HTTPWire

@Suite struct FieldNameTests {
  @Test func namesAreComparedWithoutCase() {
    #expect(FieldName("X-Forwarded-For") == FieldName("x-forwarded-for"))
  }
}
