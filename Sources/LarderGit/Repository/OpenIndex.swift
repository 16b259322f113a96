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
    if hasNoChecksum { return isChecksumLeftOut ? nil : lostChecksum }
    do throws(GitError) {
      _ = try OpenIndex(indexPath)
      return nil
    } catch {
      return error.detail.contains("mandatory extension") ? nil : error
    }
  }

  /// Throws if the index ends with zeros that git did not write there.
  ///
  /// A power cut leaves them. git from version 2.40 on and libgit2 from 1.7 on take any index with zeros
  /// in the place of its checksum for whole, and would show the files that it lost as deleted.
  func refuseLostChecksum() throws(GitError) {
    if hasNoChecksum, !isChecksumLeftOut { throw lostChecksum }
  }

  private var hasNoChecksum: Bool {
    PlainIndex.sum(of: indexPath)?.allSatisfy { $0 == 0 } ?? false
  }

  /// Whether git is set to write no checksum, which it can from version 2.40 on.
  private var isChecksumLeftOut: Bool {
    isSet("index.skipHash") ?? isSet("feature.manyFiles") ?? false
  }

  private var lostChecksum: GitError {
    GitError(
      .other(0), action: "read the index", detail: "zeros are in the place of its checksum",
      path: indexPath)
  }

  private func isSet(_ key: String) -> Bool? {
    var flag: Int32 = 0
    guard let value = try? configuration(key), git_config_parse_bool(&flag, value) == 0 else {
      return nil
    }
    return flag == 1
  }
}
