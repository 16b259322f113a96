internal import Clibgit2
public import LarderText

/// Git's view of single files of the work tree.
extension Repository {
  /// Whether git looks at the executable bit of files here.
  public var followsModes: Bool {
    get throws(GitError) {
      var flag: Int32 = 1
      guard let value = try configuration("core.fileMode") else { return true }
      return git_config_parse_bool(&flag, value) < 0 || flag == 1
    }
  }

  /// Whether git ignores a file that it does not have.
  public func isIgnored(_ path: FilePath) throws(GitError) -> Bool {
    var flag: Int32 = 0
    try check(
      git_ignore_path_is_ignored(&flag, pointer, path.text), "look up what git ignores",
      path: path.text)
    return flag == 1
  }

  /// Returns the blob that git would store for a file, after the filters of its attributes.
  ///
  /// Nil without a git program, and if a filter fails.
  public func cleanBlobID(of path: FilePath) throws(GitError) -> ObjectID? {
    guard gitProgram != nil, path.utf8.first != UInt8(ascii: "\"") else { return nil }
    let outcome = try runGit(["hash-object", "--", path.text], action: "read a file as git does")
    let hex = outcome.output.utf8.prefix { $0 > 0x20 }
    return outcome.status == 0 ? ObjectID(hex: String(decoding: Array(hex), as: UTF8.self)) : nil
  }
}
