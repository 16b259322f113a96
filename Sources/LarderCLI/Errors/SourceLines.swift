import LarderJSON

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The lines of a file, to show the one at fault; none where the file can't be read any more.
struct SourceLines {
  /// The file's bytes; empty where it can't be read.
  let bytes: [UInt8]

  /// Reads a file of the household; without its folder, there is nothing to read.
  init(root: String?, path: String) {
    bytes = root.flatMap { SourceLines.contents(of: "\($0)/\(path)") } ?? []
  }

  /// A line by its number from 1, without its ending, damaged bytes replaced.
  subscript(number: Int) -> String? {
    guard number > 0, !bytes.isEmpty else { return nil }
    let lines = bytes.split(separator: 10, maxSplits: number, omittingEmptySubsequences: false)
    guard number <= lines.count else { return nil }
    var line = lines[number - 1]
    if line.last == 13 { line = line.dropLast() }
    return String(decoding: line, as: UTF8.self)
  }

  /// A whole file of at most 16 MiB and some, without following a final link.
  private static func contents(of path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= 17 << 20 {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return bytes
  }
}
