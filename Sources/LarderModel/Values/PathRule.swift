public import LarderText

/// The reason why a path is not allowed in a household.
public enum PathFault: Error, Hashable, Sendable {
  /// Two adjacent slashes, or a slash at either end.
  case emptyName
  /// A part that is `.` or `..`.
  case dots
  /// A part with a slash or a backslash.
  case separator
  /// A part that git, a file system that ignores case, NTFS or HFS+ treats as `.git`.
  case gitFolder
  /// A control character inside the household's own folders.
  case controlCharacter
  /// A part over ``PathRule/longestName``.
  case longName(bytes: Int)
  /// A path over ``PathRule/longestPath``.
  case longPath(bytes: Int)
  /// More than ``PathRule/deepest`` nested folders.
  case tooDeep
  /// A folder inside the household's own folders with a file's name, such as `milk.json`.
  case folderNamedAsFile
}

/// The rule for paths in a household: one rule for reading, writing and data from others.
public enum PathRule {
  /// The longest part of a path in bytes, as on most file systems.
  public static let longestName = 255
  /// The longest path from the household's root, in bytes.
  public static let longestPath = 1000
  /// The largest number of folders above a file.
  public static let deepest = 64

  /// Returns the fault of a path from the household's root, or nil.
  public static func fault(in path: FilePath) -> PathFault? {
    var path = path.text
    return path.withUTF8 { bytes in
      guard bytes.count <= longestPath else { return .longPath(bytes: bytes.count) }
      let slash = UInt8(ascii: "/")
      var depth = 0
      var start = 0
      var isOurs = false
      while true {
        let end = bytes[start...].firstIndex(of: slash) ?? bytes.count
        let name = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start..<end])
        let isFolder = end < bytes.count
        if let fault = fault(inName: name, isFolder: isFolder, isOurs: isOurs) { return fault }
        guard isFolder else { return nil }
        if depth == 0 { isOurs = isOwnFolder(name) }
        depth += 1
        guard depth <= deepest else { return .tooDeep }
        start = end + 1
      }
    }
  }

  /// Returns the fault of one part of a path, or nil.
  ///
  /// `isOurs` is true inside the household's own folders.
  public static func fault(
    inName name: UnsafeRawBufferPointer, isFolder: Bool, isOurs: Bool
  ) -> PathFault? {
    guard let first = name.first else { return .emptyName }
    guard name.count <= longestName else { return .longName(bytes: name.count) }
    var hasSeparator = false
    var hasControl = false
    var mayHide = false
    for byte in name {
      if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") { hasSeparator = true }
      if byte < 0x20 || byte == 0x7f { hasControl = true }
      if byte == 0xc2 || byte == 0xe2 || byte == 0xef { mayHide = true }
    }
    if hasSeparator { return .separator }
    if first == UInt8(ascii: "."), name.count < 3, name.allSatisfy({ $0 == first }) {
      return .dots
    }
    if isGitFolder(name, mayHide: mayHide) { return .gitFolder }
    guard isOurs else { return nil }
    if hasControl || mayHide && hasLatinControl(name) { return .controlCharacter }
    return isFolder && name.suffix(5).elementsEqual(".json".utf8, by: isSameLetter)
      ? .folderNamedAsFile : nil
  }

  /// Whether a name at the household's root is one of its own folders.
  public static func isOwnFolder(_ name: UnsafeRawBufferPointer) -> Bool {
    ownFolders.contains { name.elementsEqual($0) }
  }

  private static let ownFolders = Kind.allCases.compactMap { $0.folder.map { Array($0.utf8) } }

  /// Whether a name contains U+0080 to U+009F in UTF-8.
  private static func hasLatinControl(_ name: UnsafeRawBufferPointer) -> Bool {
    zip(name, name.dropFirst()).contains { $0 == 0xc2 && (0x80...0x9f).contains($1) }
  }

  private static func isSameLetter(_ byte: UInt8, _ other: UInt8) -> Bool {
    lowered(byte) == lowered(other)
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}

extension PathRule {
  /// Whether some file system opens `.git` by a name.
  ///
  /// NTFS drops dots and spaces at a name's end, has streams after a colon, and abbreviates `.git`
  /// as `git~1`. HFS+ drops some invisible characters.
  private static func isGitFolder(_ name: UnsafeRawBufferPointer, mayHide: Bool) -> Bool {
    if mayHide { return isGit(visible(name)[...]) }
    guard name.first == UInt8(ascii: ".") || lowered(name[0]) == UInt8(ascii: "g") else {
      return false
    }
    return isGit(Array(name)[...])
  }

  private static func isGit(_ name: ArraySlice<UInt8>) -> Bool {
    [".git", "git~1"].contains { word in
      guard name.prefix(word.utf8.count).elementsEqual(word.utf8, by: isSameLetter) else {
        return false
      }
      let rest = name.dropFirst(word.utf8.count).drop {
        $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: " ")
      }
      return rest.isEmpty || rest.first == UInt8(ascii: ":")
    }
  }

  /// Returns a name without the characters that HFS+ drops.
  private static func visible(_ name: UnsafeRawBufferPointer) -> [UInt8] {
    let text = String(decoding: name, as: UTF8.self)
    let scalars = text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x200c...0x200f, 0x202a...0x202e, 0x206a...0x206f, 0xfeff: false
      default: true
      }
    }
    return scalars.reduce(into: []) { $0 += Array(String($1).utf8) }
  }
}
