internal import Clibgit2
internal import LarderText
internal import Libc

/// An index that git wrote without a checksum, as it is told to by `index.skipHash` and `feature.manyFiles`.
extension Repository {
  /// Whether the index is whole but for its checksum, and git's settings don't say that it is to be left out.
  ///
  /// Zeros are in the place of the checksum. Another git, another user's settings, or a single command may
  /// have been told so.
  public var isIndexUnchecked: Bool {
    do throws(GitError) {
      guard try hasNoChecksum(), try !isChecksumLeftOut() else { return false }
      let draft = indexPath + ".larder-check-\(getpid())"
      defer { unlink(draft) }
      try writeChecked(to: draft)
      let index = try openIndex(draft)
      let count = git_index_entrycount(index.pointer)
      return count > 0
        && (0..<count).allSatisfy { position in
          guard let entry = git_index_get_byindex(index.pointer, position)?.pointee else {
            return false
          }
          // Zeros that a power cut left in the place of entries are no entries.
          return FileMode(entry.mode) != nil && entry.path.map { $0.pointee != 0 } ?? false
            && ObjectID(entry.id).hex.contains { $0 != "0" }
        }
    } catch {
      return false
    }
  }

  /// Writes an unchecked index again with its checksum, and changes nothing else in it.
  public func writeChecksum() throws(GitError) {
    let lock = try IndexLock(indexPath, action: "refresh the index")
    // The draft is a link to the index.
    unlink(lock.draftPath)
    try writeChecked(to: lock.draftPath)
    try lock.release()
  }

  private func writeChecked(to path: String) throws(GitError) {
    let action = "refresh the index"
    guard let file = fopen(indexPath, "r") else {
      throw GitError.system(action: action, path: indexPath)
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: FileStatus(of: indexPath)?.size ?? 0)
    guard fread(&bytes, 1, bytes.count, file) == bytes.count, bytes.count > 20 else {
      throw GitError.system(action: action, path: indexPath)
    }
    let body = bytes.dropLast(20)
    let whole = body + SHA1.digest(of: body)
    guard let copy = fopen(path, "w") else { throw GitError.system(action: action, path: path) }
    let isWritten = fwrite(Array(whole), 1, whole.count, copy) == whole.count
    guard fclose(copy) == 0, isWritten else { throw GitError.system(action: action, path: path) }
  }
}
