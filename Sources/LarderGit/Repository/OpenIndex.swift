internal import Clibgit2

/// An index in memory, with the path of the file that it was read from and is written to.
final class OpenIndex {
  let path: String
  private let handle: Handle<OpaquePointer>

  var pointer: OpaquePointer { handle.pointer }

  init(_ path: String) throws(GitError) {
    self.path = path
    handle = try Handle("read the index", path: path, free: { git_index_free($0) }) {
      git_index_open($0, path)
    }
  }

  /// Reads the file again if it changed, by the checksum at its end.
  func update() throws(GitError) {
    try check(git_index_read(pointer, 0), "read the index", path: path)
  }
}

extension Repository {
  /// Returns the index of a file, which is read only if it is not the one that was read last.
  func openIndex(at path: String) throws(GitError) -> OpenIndex {
    if let known = readIndex, known.path == path {
      readIndex = nil
      try known.update()
      readIndex = known
      return known
    }
    let index = try OpenIndex(path)
    readIndex = index
    return index
  }

  /// Returns the reason why the index can't be read.
  ///
  /// Nil if it can, or if only the git program reads its format.
  ///
  /// With `forWriting`, what was read is kept for ``refreshIndex(_:)``, so that a large index is read
  /// once. Only the holder of the household's lock may ask for it.
  public func indexDamage(forWriting: Bool = false) -> GitError? {
    guard FileStatus(of: indexPath) != nil else { return nil }
    do throws(GitError) {
      _ = try forWriting ? openIndexForWriting() : OpenIndex(indexPath)
      return nil
    } catch {
      return error.detail.contains("mandatory extension") ? nil : error
    }
  }

  /// Opens the index by the name under which it is written later.
  private func openIndexForWriting() throws(GitError) -> OpenIndex {
    try IndexLock.withDraftName(of: indexPath) { draft throws(GitError) in
      // Without another name, as in a read-only repository, nothing is kept.
      guard let draft else { return try OpenIndex(indexPath) }
      return try openIndex(at: draft)
    }
  }
}
