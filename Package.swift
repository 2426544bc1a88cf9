// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target: Swift 6 mode, and a warning is an error.
let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
  name: "region-bucket",
  // What the libraries for apps need; the service runs on Linux.
  platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .executable(name: "region-bucket", targets: ["region-bucket"]),
    // Static, or `swift build --product` would build the service, and ask for its libraries, instead.
    .library(name: "RegionClient", type: .static, targets: ["RegionClient", "RegionModel"]),
    .library(name: "AdPlan", type: .static, targets: ["AdPlan", "RegionModel"]),
    .library(name: "ConsentOrder", type: .static, targets: ["ConsentOrder"]),
  ],
  targets: [
    // C: what Swift cannot call by itself, and nothing else.
    .target(name: "CLinux"),
    .target(name: "CByteSpan"),
    .target(name: "CMaxMindDB", linkerSettings: [.linkedLibrary(":libmaxminddb.a")]),

    // Pure values: no sockets, no files, no clock.
    library("RegionModel"),
    library("HTTPWire", ["CByteSpan"]),
    library("ClientSignal", ["RegionModel", "HTTPWire"]),

    // The service.
    library("ServiceConfig", ["RegionModel", "HTTPWire", "ClientSignal"]),
    library("DatabaseBuild", ["RegionModel"]),
    library("EdgeExport", ["RegionModel"]),
    library("GeoLookup", ["RegionModel", "ClientSignal", "CMaxMindDB"]),
    library(
      "RegionService", ["RegionModel", "HTTPWire", "ClientSignal", "GeoLookup", "ServiceConfig"]),
    library("RegionServer", ["HTTPWire", "ClientSignal", "RegionService", "CLinux"]),
    .executableTarget(
      name: "region-bucket",
      dependencies: [
        "RegionModel", "HTTPWire", "ClientSignal", "DatabaseBuild", "EdgeExport", "GeoLookup",
        "ServiceConfig",
        "RegionService", "RegionServer", "CLinux",
      ],
      swiftSettings: strict),

    // For apps. Apple platforms have URLSession, Linux has libcurl.
    .target(name: "CLibcurl", linkerSettings: [.linkedLibrary("curl", .when(platforms: [.linux]))]),
    library(
      "RegionClient", ["RegionModel", .target(name: "CLibcurl", condition: .when(platforms: [.linux]))]),
    library("AdPlan", ["RegionModel"]),
    library("ConsentOrder"),
    .executableTarget(
      name: "plan-table", dependencies: ["AdPlan", "RegionModel"], path: "Examples/plan-table",
      swiftSettings: strict),
    .executableTarget(
      name: "resolve-region", dependencies: ["RegionClient", "AdPlan", "RegionModel"],
      path: "Examples/resolve-region", swiftSettings: strict),

    .executableTarget(
      name: "lookup-bench", dependencies: ["GeoLookup", "ClientSignal", "RegionModel"],
      path: "Tests/Bench/lookup",
      swiftSettings: strict),
    .target(
      name: "ClientTestSupport", dependencies: ["RegionModel", "AdPlan", "ConsentOrder"],
      path: "Tests/ClientTestSupport",
      swiftSettings: strict),
    tests("RegionClientTests", ["RegionClient", "RegionModel", "ClientTestSupport"]),
    tests("ConsentOrderTests", ["ConsentOrder", "ClientTestSupport"]),
    tests("AdPlanTests", ["AdPlan", "RegionModel", "ClientTestSupport"]),

    tests("RegionModelTests", ["RegionModel"]),
    tests("HTTPWireTests", ["HTTPWire", "TestFixtures"]),
    tests(
      "RegionServerTests",
      [
        "RegionServer", "RegionService", "ServiceConfig", "ClientSignal", "GeoLookup", "HTTPWire",
        "RegionModel", "TestFixtures",
      ]),
    tests("ServiceConfigTests", ["ServiceConfig", "RegionModel", "HTTPWire", "ClientSignal"]),
    tests("ClientSignalTests", ["ClientSignal", "RegionModel", "HTTPWire", "TestFixtures"]),
    tests(
      "GeoLookupTests", ["GeoLookup", "ClientSignal", "RegionModel", "DatabaseBuild", "TestFixtures"]),
    tests("EdgeExportTests", ["EdgeExport", "RegionModel"]),
    tests("DatabaseBuildTests", ["DatabaseBuild", "RegionModel", "TestFixtures"]),
    .target(
      name: "TestFixtures", dependencies: ["DatabaseBuild"], path: "Tests/TestFixtures", swiftSettings: strict
    ),
  ]
)
