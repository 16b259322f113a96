public import LarderJSON

/// The reason why the credentials could not be read or stored; nothing was written.
public enum CredentialsError: Error, Sendable {
  /// Neither `XDG_CONFIG_HOME` nor `HOME` is set.
  case noHome
  /// The file is not JSON as Larder reads it, from this position on.
  ///
  /// The text there may be a token, so it is not included.
  case unreadable(path: String, TextPosition)
  /// The file is JSON, but not credentials: this key has no value of its type.
  case malformed(path: String, TextPosition, key: String)
  /// Others can read the file or change the folder.
  ///
  /// The lowest nine bits of `mode` are the permissions.
  case exposed(path: String, mode: UInt32)
  /// The file or folder belongs to another user.
  case foreign(path: String)
  /// The file is a symbolic link, or not an ordinary file.
  case notAFile(path: String)
  /// Another process held the lock for this time.
  case locked(path: String, milliseconds: Int64)
  /// A system call failed, with its error number.
  case system(action: String, path: String, code: Int32)
}
