// swift-tools-version: 6.2
import PackageDescription

// Compiles and tests, on Linux, the sources of ConsentOrder that only Apple platforms use, against stubs that hold just
// what is called of Apple's modules. A package of its own, since a stub in the main one would make `canImport` true for
// everybody. ConsentOrder is a symbolic link to the real sources.

let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

let package = Package(
  name: "apple-stubs",
  targets: [
    .target(name: "AppTrackingTransparency", swiftSettings: strict),
    .target(name: "UIKit", swiftSettings: strict),
    .target(
      name: "ConsentOrder", dependencies: ["AppTrackingTransparency", "UIKit"], swiftSettings: strict),
    .testTarget(
      name: "AppleTests", dependencies: ["ConsentOrder", "AppTrackingTransparency", "UIKit"],
      // Testing comes with an overlay for the real UIKit.
      swiftSettings: strict + [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]),
  ]
)
