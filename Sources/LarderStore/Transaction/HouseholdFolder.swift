internal import LarderGit
internal import LarderModel
package import LarderText

/// The only access to the files of the work tree.
///
/// Every path is relative to the household's root and checked by ``PathRule``. Folders are opened
/// one by one, so no symbolic link can lead out of the household. No other code creates, replaces,
/// renames or removes a file of the work tree.
package final class HouseholdFolder {
  package let root: String
  /// The folder of the last path, while many files are changed.
  private var last: SharedFolder?
  private var keepsLast = false

  package init(root: String) {
    self.root = root
  }

  /// Returns the state of a file, or nil if there is none.
  package func state(of path: FilePath) throws(StoreError) -> FileState? {
    try inFolder(of: path) { folder, name in folder.state(of: name) } ?? nil
  }

  /// Whether its owner may run a file as a program; false if there is none.
  func isExecutable(_ path: FilePath) throws(StoreError) -> Bool {
    try inFolder(of: path) { folder, name in folder.isExecutable(name) } ?? false
  }

  /// Reads an ordinary file; throws `system` with ENOENT if there is none.
  package func read(_ path: FilePath, atMost limit: Int = .max) throws(StoreError) -> [UInt8] {
    let bytes = try inFolder(of: path) { folder, name throws(StoreError) in
      try folder.read(name, atMost: limit)
    }
    guard let bytes else { throw SystemFile.missing("read", absolute(path)) }
    return bytes
  }

  /// Returns the bytes of a file or the target of a link; nil for anything else, and if there is
  /// nothing.
  func content(at path: FilePath) throws(StoreError) -> [UInt8]? {
    try inFolder(of: path) { folder, name throws(StoreError) -> [UInt8]? in
      switch folder.state(of: name)?.kind {
      case .file: try folder.read(name, atMost: .max)
      case .link: try folder.target(ofLink: name)
      default: nil
      }
    } ?? nil
  }

  /// Opens the folder of a path and runs `body` in it; nil if the folder does not exist.
  private func inFolder<Value>(
    of path: FilePath, making: Bool = false,
    _ body: (borrowing OpenFolder, String) throws(StoreError) -> Value
  ) throws(StoreError) -> Value? {
    // Folder by folder, the system has no limit for the length of a path.
    if let fault = PathRule.fault(in: path), !fault.isOfLength { throw .badPath(path, fault) }
    let (place, name) = (path.folder, path.name)
    if let last, last.place == place { return try body(last.folder, name) }
    var folder = try OpenFolder(root: root)
    for name in place.names {
      if making {
        folder = try folder.makeFolder(name)
      } else if let inner = try folder.folder(name) {
        folder = inner
      } else {
        return nil
      }
    }
    let shared = SharedFolder(folder, at: place)
    if keepsLast { last = shared }
    return try body(shared.folder, name)
  }

  /// Runs `body`, and keeps the folder of each path open for the next path in it.
  ///
  /// This is much quicker for the many files of one folder.
  func keepingFolderOpen<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value
  {
    keepsLast = true
    defer { (keepsLast, last) = (false, nil) }
    return try body()
  }

  package func absolute(_ path: FilePath) -> String { "\(root)/\(path)" }
}

// MARK: - Changing

extension HouseholdFolder {
  /// Writes a new file, and creates the folders above it.
  func write(_ bytes: [UInt8], to path: FilePath, as mode: FileMode = .file) throws(StoreError) {
    _ = try inFolder(of: path, making: true) { folder, name throws(StoreError) in
      try folder.write(bytes, to: name, as: mode)
    }
  }

  /// Creates a folder, and the folders above it.
  func makeFolder(_ path: FilePath) throws(StoreError) {
    _ = try inFolder(of: path, making: true) { folder, name throws(StoreError) in
      _ = try folder.makeFolder(name)
    }
  }

  /// Renames a file to another name in its folder, replacing that file.
  func rename(_ path: FilePath, to other: FilePath) throws(StoreError) {
    try existing(path) { folder, name throws(StoreError) in
      try folder.rename(name, to: other.name)
    }
  }

  /// Exchanges two files of a folder atomically; returns false if the second does not exist.
  func exchange(_ path: FilePath, _ other: FilePath) throws(StoreError) -> Bool {
    try existing(path) { folder, name throws(StoreError) in
      try folder.exchange(name, other.name)
    }
  }

  /// Renames a file to an unused name in its folder; returns false if the name is in use by now.
  func place(_ path: FilePath, at other: FilePath) throws(StoreError) -> Bool {
    try existing(path) { folder, name throws(StoreError) in
      try folder.place(name, at: other.name)
    }
  }

  private func existing<Value>(
    _ path: FilePath, _ body: (borrowing OpenFolder, String) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    guard let value = try inFolder(of: path, body) else {
      throw SystemFile.missing("replace", absolute(path))
    }
    return value
  }

  /// Removes a file; a missing file is not an error.
  func remove(_ path: FilePath) throws(StoreError) {
    _ = try inFolder(of: path) { folder, name throws(StoreError) in try folder.remove(name) }
  }

  /// Moves a file or folder to an absolute path outside the work tree.
  func moveAway(_ path: FilePath, to target: String) throws(StoreError) {
    try existing(path) { folder, name throws(StoreError) in
      try folder.moveAway(name, to: target)
    }
  }

  /// Removes the folders above a path that became empty, except the root.
  func removeEmptyFolders(above path: FilePath) throws(StoreError) {
    last = nil
    for folder in path.folders.reversed() {
      let isGone = try inFolder(of: folder) { $0.removeEmptyFolder($1) }
      guard isGone ?? true else { return }
    }
  }
}

/// An open folder, and its path.
private final class SharedFolder {
  let folder: OpenFolder
  let place: FilePath

  init(_ folder: consuming OpenFolder, at place: FilePath) {
    self.folder = folder
    self.place = place
  }
}

extension PathFault {
  fileprivate var isOfLength: Bool { if case .longPath = self { true } else { false } }
}
