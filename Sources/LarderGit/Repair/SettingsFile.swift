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

extension SettingsFile {
  /// Returns the value of a key such as `larder.household` in a file; nil if it has none, or if
  /// there is no such file.
  public static func value(of key: String, in path: String) throws(GitError) -> String? {
    Library.start()
    guard FileStatus(of: path) != nil else { return nil }
    let action = "read the settings"
    var configuration: OpaquePointer?
    defer { git_config_free(configuration) }
    try check(git_config_open_ondisk(&configuration, path), action, path: path)
    return try value(of: key, in: configuration, action)
  }

  /// Returns the value of a key in git's settings of the user and of the system; nil if it has
  /// none.
  public static func value(ofUser key: String) throws(GitError) -> String? {
    Library.start()
    let action = "read git's configuration"
    var configuration: OpaquePointer?
    defer { git_config_free(configuration) }
    try check(git_config_open_default(&configuration), action)
    return try value(of: key, in: configuration, action)
  }

  private static func value(
    of key: String, in configuration: OpaquePointer?, _ action: String
  ) throws(GitError) -> String? {
    var text = git_buf()
    defer { git_buf_dispose(&text) }
    let status = git_config_get_string_buf(&text, configuration, key)
    if status == GIT_ENOTFOUND.rawValue { return nil }
    try check(status, action, path: key)
    return text.ptr.map { String(cString: $0) }
  }

  /// Writes the value of a key into a file, which is made if there is none; nil removes the key.
  ///
  /// The file's folder must exist.
  public static func set(_ value: String?, of key: String, in path: String) throws(GitError) {
    Library.start()
    let action = "write the settings"
    var configuration: OpaquePointer?
    defer { git_config_free(configuration) }
    try check(git_config_open_ondisk(&configuration, path), action, path: path)
    guard let value else {
      let status = git_config_delete_entry(configuration, key)
      return status == GIT_ENOTFOUND.rawValue ? () : try check(status, action, path: path)
    }
    try check(git_config_set_string(configuration, key, value), action, path: path)
  }
}
