public import LarderJSON

/// Why the credentials could not be read or kept; nothing was written.
public enum CredentialsError: Error, Sendable {
  /// Neither `XDG_CONFIG_HOME` nor `HOME` says where they are.
  case noHome
  /// The file is no JSON as Larder reads it, from here on; what stands there may be a token.
  case unreadable(path: String, TextPosition)
  /// The file is JSON, but not credentials: this key has no value of its type.
  case malformed(path: String, TextPosition, key: String)
  /// Others may read the file, or change the folder; the lowest nine bits are its rights.
  case exposed(path: String, mode: UInt32)
  /// The file or folder belongs to another user.
  case foreign(path: String)
  /// The file is a symbolic link, or no file.
  case notAFile(path: String)
  /// Another process kept the credentials for so long.
  case locked(path: String, milliseconds: Int64)
  /// A call of the operating system failed, with its error number.
  case system(action: String, path: String, code: Int32)
}
