import Foundation

/// What may happen to the cache of a household's files between two commands.
enum CacheFault: CaseIterable {
  /// Nothing: every command reads what the last one wrote.
  case none
  case deleted
  /// The end of it is gone, and what is left is older than the household.
  case cut
  case damaged
  /// The last part of it is damaged.
  case damagedEnd
  /// It is one of a program with another version of it.
  case otherVersion
  /// It can be neither read nor written.
  case blocked

  func happen(in folder: String) throws {
    let file = URL(filePath: folder + "/cache")
    guard FileManager.default.fileExists(atPath: folder) else { return }
    switch self {
    case .none: break
    case .deleted: try? FileManager.default.removeItem(at: file)
    case .cut: try change(file) { $0.removeLast(9) }
    case .damaged: try change(file) { $0[$0.count * 2 / 3] ^= 0x10 }
    case .damagedEnd: try change(file) { $0[$0.count - 20] ^= 0x10 }
    case .otherVersion: try change(file) { $0[13] ^= 0x01 }
    case .blocked:
      try? FileManager.default.removeItem(at: file)
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    }
  }

  private func change(_ file: URL, _ body: (inout Data) -> Void) throws {
    guard var bytes = try? Data(contentsOf: file), bytes.count > 32 else { return }
    body(&bytes)
    try bytes.write(to: file)
  }
}
