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
      return error.detail.contains("mandatory extension") || isOfNewerGit ? nil : error
    }
  }

  /// Whether the index has no checksum because git from version 2.40 on is set to leave it out.
  private var isOfNewerGit: Bool {
    guard let sum = PlainIndex.sum(of: indexPath), sum.allSatisfy({ $0 == 0 }) else { return false }
    return isSet("index.skipHash") ?? isSet("feature.manyFiles") ?? false
  }

  private func isSet(_ key: String) -> Bool? {
    var flag: Int32 = 0
    guard let value = try? configuration(key), git_config_parse_bool(&flag, value) == 0 else {
      return nil
    }
    return flag == 1
  }
}
