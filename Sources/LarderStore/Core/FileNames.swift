internal import LarderGit
internal import LarderText

/// The temporary name of a file during writing.
enum TemporaryFile {
  /// The pattern of all such names, for git's list of ignored files.
  static let pattern = ".*.larder-new"

  /// Returns the name for a file; with a version, another one for each.
  static func path(for path: FilePath, of version: ObjectID? = nil) -> FilePath {
    // A name of the maximum length has no room for more.
    let isLong = path.name.utf8.count > FileNames.longest
    let stem = isLong ? Repository.blobID(of: Array(path.name.utf8)).hex : path.name
    let mark = version.map { ".\($0.hex.prefix(7))" } ?? ""
    return path.folder.appending(".\(stem)\(mark).larder-new")
  }

  static func isOne(_ name: String) -> Bool { name.hasSuffix(".larder-new") }
}

/// The name for the second version of a file that two sides changed.
enum ConflictFile {
  /// The text between the file's name and the first digits of the version's blob id.
  static let mark = ".conflict-"

  static func path(for path: FilePath, _ id: ObjectID, digits: Int = 7) -> FilePath {
    var stem = path.name
    while stem.utf8.count > FileNames.longest { stem.removeLast() }
    return path.folder.appending("\(stem)\(mark)\(id.hex.prefix(digits))")
  }

  /// Returns the original file of such a name; nil for every other name.
  static func original(of path: FilePath) -> FilePath? {
    let text = path.text
    guard let range = text.ranges(of: mark).last else { return nil }
    let digits = text[range.upperBound...].utf8
    let isHex = digits.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    let original = FilePath(String(text[..<range.lowerBound]))
    guard digits.count == 7 || digits.count == 40, isHex, !original.name.isEmpty else { return nil }
    return original
  }
}

private enum FileNames {
  /// The maximum bytes of a name that leave room for an addition; file systems allow 255.
  static let longest = 200
}
