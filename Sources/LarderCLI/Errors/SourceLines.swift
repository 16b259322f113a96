import LarderKit

/// The lines of a file, to show the one at fault; none where the file can't be read any more.
struct SourceLines {
  /// The file's bytes; empty where it can't be read.
  let bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a file of the household; without its folder, there is nothing to read.
  init(root: String?, path: String) {
    guard let root else {
      bytes = []
      return
    }
    do {
      bytes = try Larder.bytes(of: path, in: root)
    } catch {
      // The mistake itself is told all the same, without its line.
      bytes = []
    }
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
}
