public import LarderJSON

/// The reason why the list of paired phones could not be read or stored; nothing was written.
public enum PhonesError: Error, Sendable, Hashable {
  /// Neither `XDG_STATE_HOME` nor `HOME` is set.
  case noHome
  /// The file is not JSON from this position on.
  case unreadable(path: String, TextPosition)
  /// The file is JSON, but this member is not as the program writes it.
  case malformed(path: String, member: String)
  /// Others can read or change the file or its folder, whose permissions these are.
  case exposed(path: String, mode: UInt32)
  /// The file or its folder belongs to another user.
  case foreign(path: String)
  /// It is a link, or not an ordinary file.
  case notAFile(path: String)
  /// A system call failed, with its error number.
  case system(action: String, path: String, code: Int32)
}

/// The reason why a phone was not paired.
public enum PairingError: Error, Sendable, Hashable {
  /// The code is unknown, used, too old, or was tried too often.
  case unknownCode
  /// A phone of this name, or of one that looks like it, is paired already.
  case takenName(by: String)
  /// The text can't be a phone's name.
  case badName
}
