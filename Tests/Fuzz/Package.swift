// swift-tools-version: 6.2
import PackageDescription

// The fuzz targets: one program, run by ./Scripts/fuzz, which also has the compiler's flags for it.
//
// A package of its own, so that nothing of the product is built with a fuzzer's instrumentation but here. The modules
// are symbolic links to the real sources; their targets are named as in the product's package.

let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
  name: "region-bucket-fuzz",
  targets: [
    .target(name: "CFuzzer"),
    .target(name: "CLinux"),
    .target(name: "CByteSpan"),
    .target(name: "CMaxMindDB", linkerSettings: [.linkedLibrary(":libmaxminddb.a")]),
    library("RegionModel"),
    library("HTTPWire", ["CByteSpan"]),
    library("ClientSignal", ["RegionModel", "HTTPWire"]),
    library("ServiceConfig", ["RegionModel", "HTTPWire", "ClientSignal"]),
    library("DatabaseBuild", ["RegionModel"]),
    library("GeoLookup", ["RegionModel", "ClientSignal", "CMaxMindDB"]),
    library(
      "RegionService", ["RegionModel", "HTTPWire", "ClientSignal", "GeoLookup", "ServiceConfig"]),
    library("RegionServer", ["HTTPWire", "ClientSignal", "RegionService", "CLinux"]),
    library("TestFixtures", ["DatabaseBuild"]),
    .executableTarget(
      name: "region-bucket-fuzz",
      dependencies: [
        "CFuzzer", "RegionModel", "HTTPWire", "ClientSignal", "ServiceConfig", "DatabaseBuild",
        "GeoLookup", "RegionService", "RegionServer", "TestFixtures",
      ],
      swiftSettings: strict),
  ]
)
