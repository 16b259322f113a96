internal import Clibgit2

/// An index in the memory of libgit2.
struct OpenIndex: ~Copyable {
  private let handle: Handle<OpaquePointer>

  var pointer: OpaquePointer { handle.pointer }

  init(_ path: String) throws(GitError) {
    handle = try Handle("read the index", path: path, free: { git_index_free($0) }) {
      git_index_open($0, path)
    }
  }
}

extension Repository {
  /// Returns the reason why the index can't be read.
  ///
  /// Nil if it can, or if only the git program reads its format.
  public func indexDamage() -> GitError? {
    guard FileStatus(of: indexPath) != nil, plainIndex() == nil else { return nil }
    do throws(GitError) {
      _ = try OpenIndex(indexPath)
      return nil
    } catch {
      let isForGit = error.detail.contains("mandatory extension") || PlainIndex.hasNoSum(indexPath)
      return isForGit ? nil : error
    }
  }
}
