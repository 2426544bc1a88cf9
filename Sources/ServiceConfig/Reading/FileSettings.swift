extension SettingCollector {
  /// Adds what a configuration file says; false when the file says nothing that could be understood.
  mutating func addFile(_ name: String, readFile: ConfigLoader.ReadFile) -> Bool {
    do {
      let bytes = try readFile(name)
      guard let members = tree(of: bytes, file: name) else { return false }
      addObject(members, path: "", file: name)
      return true
    } catch {
      self.error(.file(name: name, line: nil), "", "the file cannot be read: \(error.text)")
      return false
    }
  }

  private mutating func tree(of bytes: [UInt8], file name: String) -> [String: JSONValue]? {
    let place = ConfigOrigin.file(name: name, line: nil)
    guard String(validating: bytes, as: UTF8.self) != nil else {
      error(place, "", "the file is not UTF-8")
      return nil
    }
    do {
      let outline = try JSON5Outline(scanning: bytes)
      lines = outline.lines
      for duplicate in outline.duplicates {
        markBroken(duplicate.path)
        self.error(
          .file(name: name, line: duplicate.line), duplicate.path,
          "the key is there already, on line \(duplicate.firstLine)")
      }
    } catch {
      self.error(
        .file(name: name, line: error.line), "", "not JSON5: \(error.problem) (column \(error.column))")
      return nil
    }
    switch try? JSONValue.decode(json5: bytes) {
    case .object(let members)?: return members
    case let other?:
      error(place, "", "expected an object, found \(other.brief)", hint: "the whole stands in { }")
    case nil: error(place, "", "not JSON5: the decoder refuses it")
    }
    return nil
  }

  private mutating func addObject(_ members: [String: JSONValue], path: String, file: String) {
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      let memberPath = path.isEmpty ? name : "\(path).\(name)"
      let place = ConfigOrigin.file(name: file, line: lines[memberPath])
      if name.contains("."), OriginSecretAdvice.hint(forPath: path) == nil {
        // Two spellings of a path could stand in one file, and nobody would see which one holds.
        markBroken(memberPath)
        error(place, memberPath, "a path is not a key", hint: "write an object for each word before the last")
      } else if let key = ConfigKey(rawValue: memberPath) {
        set(key, to: value, from: place)
      } else if !ConfigSchema.sections.contains(memberPath) {
        reportUnknown(memberPath, in: path, at: place)
      } else if case .object(let inner) = value {
        addObject(inner, path: memberPath, file: file)
      } else if value != .null {
        markBroken(memberPath)
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
      markBroken(nearest)
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
