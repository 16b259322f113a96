import Foundation

/// What may happen to the snapshot of a household's files between two commands.
enum SnapshotFault: CaseIterable {
  /// Nothing: every command reads what the last one wrote.
  case none
  case deleted
  /// The later part is gone, and the first part is older than the household.
  case halfDeleted
  case damaged
  /// It is one of a program with another version of it.
  case otherVersion
  /// It can be neither read nor written.
  case blocked

  static let files = ["snapshot", "snapshot-later"]

  func happen(in folder: String) throws {
    for name in Self.files {
      let file = URL(filePath: folder + "/" + name)
      guard FileManager.default.fileExists(atPath: folder) else { return }
      switch self {
      case .none: break
      case .deleted: try? FileManager.default.removeItem(at: file)
      case .halfDeleted where name == "snapshot": break
      case .halfDeleted: try? FileManager.default.removeItem(at: file)
      case .damaged: try change(file) { $0[$0.count * 2 / 3] ^= 0x10 }
      case .otherVersion: try change(file) { $0[16] ^= 0x01 }
      case .blocked:
        try? FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
      }
    }
  }

  private func change(_ file: URL, _ body: (inout Data) -> Void) throws {
    guard var bytes = try? Data(contentsOf: file), bytes.count > 32 else { return }
    body(&bytes)
    try bytes.write(to: file)
  }
}
