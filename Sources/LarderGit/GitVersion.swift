internal import Clibgit2

/// The versions of what talks to repositories.
public enum GitVersion {
  /// The version of libgit2, as in `1.5.1`.
  public static var library: String {
    var major: Int32 = 0
    var minor: Int32 = 0
    var revision: Int32 = 0
    git_libgit2_version(&major, &minor, &revision)
    return "\(major).\(minor).\(revision)"
  }

  /// The version of the git program in `PATH`, as in `2.39.5`; nil where there is none that runs.
  public static func program() -> String? {
    guard let path = GitProgram.find() else { return nil }
    do throws(GitError) {
      let outcome = try GitProgram(path: path).run(["--version"], action: "ask git for its version")
      // It says "git version 2.39.5", and some builds add a remark.
      let words = outcome.output.split(whereSeparator: \.isWhitespace)
      return outcome.status == 0 && words.count >= 3 ? String(words[2]) : nil
    } catch {
      return nil
    }
  }
}
