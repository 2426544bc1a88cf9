extension SettingCollector {
  /// Adds what a configuration file says.
  mutating func addFile(_ name: String, readFile: ConfigLoader.ReadFile) {
    let place = ConfigOrigin.file(name: name, line: nil)
    let bytes: [UInt8]
    do { bytes = try readFile(name) } catch {
      return self.error(place, "", "the file cannot be read: \(error.text)")
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      return error(place, "", "the file is not UTF-8")
    }
    let outline: JSON5Outline
    do { outline = try JSON5Outline(scanning: bytes) } catch {
      return self.error(
        .file(name: name, line: error.line), "", "not JSON5: \(error.problem) (column \(error.column))")
    }
    lines = outline.lines
    for duplicate in outline.duplicates {
      self.error(
        .file(name: name, line: duplicate.line), duplicate.path,
        "the key is there already, on line \(duplicate.firstLine)")
    }
    guard let tree = try? JSONValue.decode(json5: bytes) else {
      return error(place, "", "not JSON5: the decoder refuses it")
    }
    guard case .object(let members) = tree else {
      return error(place, "", "expected an object, found \(tree.brief)", hint: "the whole stands in { }")
    }
    addObject(members, path: "", file: name)
  }

  private mutating func addObject(_ members: [String: JSONValue], path: String, file: String) {
    let paths = members.map { (path: path.isEmpty ? $0.key : "\(path).\($0.key)", value: $0.value) }
    for (memberPath, value) in paths.sorted(by: { $0.path < $1.path }) {
      let place = ConfigOrigin.file(name: file, line: lines[memberPath])
      if let key = ConfigKey(rawValue: memberPath) {
        set(key, to: value, from: place)
      } else if !ConfigSchema.sections.contains(memberPath) {
        reportUnknown(memberPath, in: path, at: place)
      } else if case .object(let inner) = value {
        addObject(inner, path: memberPath, file: file)
      } else if value != .null {
        error(place, memberPath, "expected an object", hint: OriginSecretAdvice.hint(forPath: memberPath))
      }
    }
  }

  private mutating func reportUnknown(_ path: String, in section: String, at place: ConfigOrigin) {
    let known = ConfigKey.allCases.map(\.path) + ConfigSchema.sections.sorted()
    let last = path.dropFirst(section.isEmpty ? 0 : section.utf8.count + 1)
    // First among the neighbours, by the last word; then anywhere: the key may stand in the wrong section.
    let neighbours = known.filter { $0.hasPrefix(section.isEmpty ? "" : section + ".") }
      .map { String($0.dropFirst(section.isEmpty ? 0 : section.utf8.count + 1)) }.filter { !$0.contains(".") }
    let nearest =
      NearestName.of(String(last), among: neighbours).map { section.isEmpty ? $0 : "\(section).\($0)" }
      ?? NearestName.of(path, among: known)
      ?? only(known.filter { $0.split(separator: ".").last! == last })
    if let nearest {
      error(place, path, "there is no such key", hint: "did you mean `\(nearest)`?")
    } else if let advice = OriginSecretAdvice.hint(forPath: path) {
      // The key's name may be the secret.
      error(place, section, "it has a key that there is not", hint: advice)
    } else {
      error(place, path, "there is no such key")
    }
  }

  private func only(_ paths: [String]) -> String? { paths.count == 1 ? paths[0] : nil }
}

/// What to tell whoever writes the secret itself into the configuration.
enum OriginSecretAdvice {
  static let hint =
    "the secret itself never stands in a configuration: name the environment variable that holds it in "
    + "`originSecret.fromEnvironment`, or the file in `originSecret.fromFiles`"

  /// The advice, when a path of the file is about the origin secret.
  static func hint(forPath path: String) -> String? { path.hasPrefix("originSecret") ? hint : nil }
}
