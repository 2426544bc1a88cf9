import TestFixtures
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The two readers of PyPI's package `maxminddb`: one in Python, one made with libmaxminddb.
enum PythonReaders {
  /// A Python that has the package.
  private static let python = getenv("RB_TEST_PYTHON").map { String(cString: $0) }

  /// Whether the tests may ask them.
  static var areHere: ConditionTrait {
    .enabled(if: python != nil, "RB_TEST_PYTHON names no Python with the package maxminddb")
  }

  /// Runs `compare_readers.py` with databases and what is expected of each.
  static func compare(_ arguments: [String]) -> Subprocess {
    let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    return Subprocess([python ?? "python3", "/\(tests)/scripts/compare_readers.py"] + arguments)
  }
}
