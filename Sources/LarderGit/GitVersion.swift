internal import Clibgit2

/// The versions of libgit2 and of the git program.
public enum GitVersion {
  /// The version of libgit2, such as `1.5.1`.
  public static var library: String {
    var major: Int32 = 0
    var minor: Int32 = 0
    var revision: Int32 = 0
    git_libgit2_version(&major, &minor, &revision)
    return "\(major).\(minor).\(revision)"
  }

  /// Returns the version of the git program in `PATH`, such as `2.39.5`, or nil if none runs.
  public static func program() -> String? {
    guard let path = GitProgram.find() else { return nil }
    do throws(GitError) {
      let outcome = try GitProgram(path: path).run(["--version"], action: "ask git for its version")
      // The output is "git version 2.39.5"; some builds add a remark.
      let words = outcome.output.split(whereSeparator: \.isWhitespace)
      return outcome.status == 0 && words.count >= 3 ? String(words[2]) : nil
    } catch {
      return nil
    }
  }
}
