internal import Clibgit2

/// Who made a commit, and when.
public struct Signature: Sendable, Hashable {
  /// The person's name; not empty, and without `<`, `>` and line breaks.
  public var name: String
  /// The person's e-mail address, or anything else that stands for one.
  public var email: String
  /// Seconds since 1970 in UTC.
  public var seconds: Int64
  /// How far the local clock was ahead of UTC, in minutes.
  public var offsetMinutes: Int

  /// Puts a signature together; it is checked when it is written.
  public init(name: String, email: String, seconds: Int64, offsetMinutes: Int) {
    self.name = name
    self.email = email
    self.seconds = seconds
    self.offsetMinutes = offsetMinutes
  }

  init(_ signature: UnsafePointer<git_signature>) {
    let content = signature.pointee
    name = content.name.map { String(cString: $0) } ?? ""
    email = content.email.map { String(cString: $0) } ?? ""
    seconds = content.when.time
    offsetMinutes = Int(content.when.offset)
  }

  func handle() throws(GitError) -> Handle<UnsafeMutablePointer<git_signature>> {
    try Handle("write the signature", free: { git_signature_free($0) }) {
      git_signature_new($0, name, email, seconds, Int32(clamping: offsetMinutes))
    }
  }
}
