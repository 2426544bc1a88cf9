// swift-tools-version: 6.2
import PackageDescription

// Compiles, on Linux, the transport that only Apple platforms use, over the URLSession of Linux's Foundation and a stub
// of what that lacks; the probe asks one address through it. That Foundation cannot hold the transport's limits, so
// this shows that the code is well-formed and takes answers as it should, not that the limits hold.
//
// A package of its own, since everything that is compiled next to a module named Darwin takes itself to be on a Mac: it
// can have no tests. The libraries are symbolic links to the real sources.

let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

let package = Package(
  name: "url-session-stub",
  targets: [
    .target(name: "Darwin", swiftSettings: strict),
    .target(name: "RegionModel", swiftSettings: strict),
    .target(
      name: "RegionClient", dependencies: ["RegionModel", "Darwin"], exclude: ["LibcurlTransport.swift"],
      // On Linux URLSession is in a module of its own, which the stub hands on.
      swiftSettings: strict + [.unsafeFlags(["-Xfrontend", "-import-module", "-Xfrontend", "Darwin"])]),
    .executableTarget(name: "url-session-probe", dependencies: ["RegionClient"], swiftSettings: strict),
  ]
)
