/// The version of the product, as `version`, the metrics and the image have it.
package enum BuildVersion {
  /// Semantic versioning of the service's contract and its configuration.
  package static let text = "1.0.0"
}
