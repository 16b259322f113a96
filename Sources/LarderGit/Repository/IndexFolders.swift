/// The extension of an index in which git keeps the ids of the trees of its folders, so that it need
/// not make those again that have not changed.
enum IndexFolders {
  private static let mark = Array("TREE".utf8)
  private static let headLength = 8

  /// Whether the bytes after the entries of an index are this extension alone.
  static func isAlone(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.starts(with: mark) && bytes.count >= headLength
      && bytes[(bytes.startIndex + mark.count)...].starts(
        with: bigEndian(UInt32(bytes.count - headLength)))
  }

  /// Returns the extension without the ids of the folders above some paths, whose files change.
  ///
  /// Empty if it was, and if it is damaged; git then makes all trees anew.
  static func forgetting(foldersAbove paths: [[UInt8]], in bytes: ArraySlice<UInt8>) -> [UInt8] {
    var changed: Set<[UInt8]> = [[]]
    for path in paths {
      for end in path.indices where path[end] == UInt8(ascii: "/") {
        changed.insert(Array(path[..<end]))
      }
    }
    let content = content(of: bytes.dropFirst(headLength), without: changed) ?? []
    return content.isEmpty ? [] : mark + bigEndian(UInt32(content.count)) + content
  }

  /// Returns the folders without the ids of some; nil if something is missing.
  ///
  /// A folder is its name, a zero, the number of its files, a space, the number of its folders, a new
  /// line, and its id; then its folders follow. Without an id, the number of its files is -1.
  private static func content(
    of bytes: ArraySlice<UInt8>, without changed: Set<[UInt8]>
  ) -> [UInt8]? {
    var content: [UInt8] = []
    var rest = bytes
    // The folders above, with a slash at the end, and how many of their folders are to come.
    var above: [(path: [UInt8], left: Int)] = [([], 1)]
    while let parent = above.popLast() {
      guard parent.left > 0 else { continue }
      above.append((parent.path, parent.left - 1))
      guard let nameEnd = rest.firstIndex(of: 0),
        let lineEnd = rest[nameEnd...].firstIndex(of: UInt8(ascii: "\n"))
      else { return nil }
      let name = rest[..<nameEnd]
      let numbers = rest[(nameEnd + 1)..<lineEnd].split(separator: UInt8(ascii: " "))
        .compactMap { Int(String(decoding: $0, as: UTF8.self)) }
      guard numbers.count == 2 else { return nil }
      let end = lineEnd + 1 + (numbers[0] < 0 ? 0 : 20)
      guard end <= rest.endIndex else { return nil }
      let path = parent.path + name
      content += changed.contains(path) ? name + Array("\0-1 \(numbers[1])\n".utf8) : rest[..<end]
      rest = rest[end...]
      above.append((path.isEmpty ? [] : path + [UInt8(ascii: "/")], numbers[1]))
    }
    return rest.isEmpty ? content : nil
  }
}
