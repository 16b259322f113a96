internal import LarderGit

/// The temporary name of a file during writing.
enum TemporaryFile {
  /// The pattern of all such names, for git's list of ignored files.
  static let pattern = ".*.larder-new"

  static func path(for path: String) -> String {
    let (folder, name) = path.folderAndName
    // A name of the maximum length has no room for more.
    let isLong = name.utf8.count > FileNames.longest
    let stem = isLong ? Repository.blobID(of: Array(name.utf8)).hex : name
    return "\(folder).\(stem).larder-new"
  }

  static func isOne(_ name: String) -> Bool { name.hasSuffix(".larder-new") }
}

/// The name for the second version of a file that two sides changed.
enum ConflictFile {
  /// The text between the file's name and the first digits of the version's blob id.
  static let mark = ".conflict-"

  static func path(for path: String, _ id: ObjectID, digits: Int = 7) -> String {
    let (folder, name) = path.folderAndName
    var stem = Substring(name)
    while stem.utf8.count > FileNames.longest { stem.removeLast() }
    return "\(folder)\(stem)\(mark)\(id.hex.prefix(digits))"
  }

  /// Returns the original file of such a name; nil for every other name.
  static func original(of path: String) -> String? {
    guard let range = path.ranges(of: mark).last else { return nil }
    let digits = path[range.upperBound...].utf8
    let isHex = digits.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    let original = String(path[..<range.lowerBound])
    guard digits.count == 7 || digits.count == 40, isHex, original.folderAndName.name != "" else {
      return nil
    }
    return original
  }
}

private enum FileNames {
  /// The maximum bytes of a name that leave room for an addition; file systems allow 255.
  static let longest = 200
}

// A slash is one byte, and a search for it as a character takes a hundred times as long.
extension String {
  /// The names in a path, from the root.
  var pathNames: [String] {
    utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
  }

  /// The paths of all folders above a path.
  var folders: [String] {
    utf8.indices.filter { utf8[$0] == UInt8(ascii: "/") }.map { String(self[..<$0]) }
  }

  /// The folder with its final slash, empty for none, and the file name.
  var folderAndName: (folder: Substring, name: String) {
    guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", self) }
    return (self[...slash], String(self[index(after: slash)...]))
  }
}
