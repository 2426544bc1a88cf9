import ServiceConfig

/// The arguments that several commands share: the configuration's file and its keys as flags.
struct ConfigArguments {
  /// `--config`.
  private(set) var file: String?
  /// Flags that name keys, for the loader.
  private(set) var flags: [String] = []
  /// What is wrong with the command line, if anything.
  private(set) var problem: String?

  /// Something among the flags names no key: the loader says so, and the command line is wrong.
  private(set) var hasUnknown = false

  private var found: Set<String> = []
  private var values: [(name: String, value: String)] = []

  /// - Parameters:
  ///   - flags: the command's own flags without a value.
  ///   - options: the command's own options, each followed by a value.
  init(_ arguments: [String], flags: Set<String> = [], options: Set<String> = []) {
    let split = ConfigFlags.split(arguments)
    self.flags = split.settings
    var rest = split.rest[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
      if flags.contains(argument) {
        found.insert(argument)
      } else if options.contains(parts[0]) || parts[0] == "--config" {
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
          problem = problem ?? "\(parts[0]) needs a value"
          return
        }
        if parts[0] == "--config" { file = value } else { values.append((parts[0], value)) }
      } else {
        // The loader knows the nearest key, and repeats no value that might be a secret.
        self.flags.append(argument)
        hasUnknown = true
      }
    }
  }

  /// How a command ends whose configuration could not be loaded.
  var refusal: ExitStatus { hasUnknown ? .usage : .badConfiguration }

  /// Whether a flag of the command's own was there.
  func has(_ flag: String) -> Bool { found.contains(flag) }

  /// Every value of an option of the command's own, in order.
  func all(_ option: String) -> [String] { values.filter { $0.name == option }.map(\.value) }
}
