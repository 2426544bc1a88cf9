/// What came of reading a configuration.
package struct ConfigLoad: Sendable {
  /// The configuration; nil exactly when the diagnostics have an error.
  package var config: ServiceConfig?
  /// Everything that is wrong or doubtful, all of it at once, in reading order.
  package var diagnostics: [ConfigDiagnostic]
}

/// Makes a configuration of file, environment and flags.
package enum ConfigLoader {
  /// How a file's content is had: `ConfigFileReader.read`, or a test's own.
  package typealias ReadFile = (String) throws(ConfigFileError) -> [UInt8]

  /// Reads and checks a configuration. Flags go before the environment, that before the file, that before the
  /// defaults. Blocks while files are read; usable from any thread.
  ///
  /// - Parameters:
  ///   - file: The file's path; nil is the one that the environment names in `REGION_BUCKET_CONFIG`, or none.
  ///   - arguments: The command line's flags for keys, as `ConfigFlags.split` finds them; anything else among
  ///     them is an error.
  ///   - environment: The process's environment.
  ///   - readsSecrets: Whether the origin secret is wanted. If not, neither its variables nor its files need be there,
  ///     and the configuration is not one to serve by.
  package static func load(
    file: String?, arguments: [String], environment: [String: String],
    readsSecrets: Bool = true, readFile: @escaping ReadFile = ConfigFileReader.read
  ) -> ConfigLoad {
    let named = environment[ConfigName.fileVariable] ?? ""
    let file = file ?? (named.isEmpty ? nil : named)
    var collector = SettingCollector()
    let isFileRead = file.map { collector.addFile($0, readFile: readFile) } ?? true
    collector.addEnvironment(environment)
    collector.addFlags(arguments)
    // Without the file nearly everything would be missing, and each lack would be one more message.
    guard isFileRead else {
      return ConfigLoad(config: nil, diagnostics: collector.diagnostics.inReadingOrder())
    }
    collector.reportUnknownVariables(environment)
    let slash = file?.lastIndex(of: "/")
    let directory = slash.map { String(file![...$0]) }
    let reader = ConfigReader(
      settings: collector.effectiveSettings(), brokenKeys: collector.brokenKeys,
      diagnostics: collector.diagnostics, environment: environment, readsSecrets: readsSecrets,
      isFileNamed: file != nil, fileDirectory: directory ?? "", lines: collector.lines, readFile: readFile)
    let config = ServiceConfig(reading: reader)
    let diagnostics = reader.diagnostics.inReadingOrder()
    return ConfigLoad(config: diagnostics.hasErrors ? nil : config, diagnostics: diagnostics)
  }
}
