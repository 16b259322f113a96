internal import Clibgit2
internal import Libc

/// A single file of git's configuration.
public enum SettingsFile {
  /// Returns the number of the first unreadable line, from 1.
  ///
  /// Nil if there is none, or no such file.
  public static func damagedLine(of path: String) throws(GitError) -> Int? {
    Library.start()
    guard FileStatus(of: path) != nil else { return nil }
    if let line = try firstLineWithNull(in: path) { return line }
    var configuration: OpaquePointer?
    let status = git_config_open_ondisk(&configuration, path)
    defer { git_config_free(configuration) }
    guard status < 0 else { return nil }
    let error = GitError.last(status, action: "read git's configuration", path: path)
    // libgit2 says "... (in PATH:LINE, column N)".
    guard let place = error.detail.ranges(of: path + ":").last else { throw error }
    let digits = error.detail[place.upperBound...].prefix { $0.isNumber }
    guard let line = Int(digits) else { throw error }
    return line
  }

  /// Returns the first line with a null byte.
  ///
  /// Git would read a file of zeros as empty, and ignore all that is written after them.
  private static func firstLineWithNull(in path: String) throws(GitError) -> Int? {
    guard let stream = fopen(path, "r") else {
      throw GitError.system(action: "read git's configuration", path: path)
    }
    defer { fclose(stream) }
    var line = 1
    while case let byte = getc(stream), byte >= 0 {
      if byte == 0 { return line }
      if byte == 10 { line += 1 }
    }
    return nil
  }
}
