/// A line of git's configuration, with a key `section.variable` or `section.subsection.variable`.
struct ConfigurationEntry {
  /// The full key; section and variable are in lower case.
  let key: String
  let value: String

  var section: Substring { key.prefix { $0 != "." } }

  var variable: String { key.lastIndex(of: ".").map { String(key[$0...].dropFirst()) } ?? "" }

  var subsection: String? {
    let rest = key.dropFirst(section.count + 1)
    return rest.lastIndex(of: ".").map { String(rest[..<$0]) }
  }

  func isOf(_ section: String, _ subsection: String) -> Bool {
    self.section == section && self.subsection == subsection
  }
}
