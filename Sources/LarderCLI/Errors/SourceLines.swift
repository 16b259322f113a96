import LarderKit
internal import LarderText

/// The lines of a file, for showing the one with a mistake; empty if the file is no longer
/// readable.
struct SourceLines {
  /// The file's bytes; empty if it can't be read.
  let bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a file of the household; empty without the household's folder.
  init(root: String?, path: String) {
    guard let root else {
      bytes = []
      return
    }
    do {
      bytes = try Larder.bytes(of: FilePath(path), in: root)
    } catch {
      // The mistake is still reported, but without its line.
      bytes = []
    }
  }

  /// Returns a line by its number from 1, without its ending and with damaged bytes replaced.
  subscript(number: Int) -> String? {
    guard number > 0, !bytes.isEmpty else { return nil }
    let lines = bytes.split(separator: 10, maxSplits: number, omittingEmptySubsequences: false)
    guard number <= lines.count else { return nil }
    var line = lines[number - 1]
    if line.last == 13 { line = line.dropLast() }
    return String(decoding: line, as: UTF8.self)
  }
}
