internal import Clibgit2

/// The author or committer of a commit, with the time.
public struct Signature: Sendable, Hashable {
  /// The person's name; characters that git can't store are removed when it is written.
  public var name: String
  /// The person's e-mail address, or any text in its place.
  public var email: String
  /// Seconds since 1970 in UTC.
  public var seconds: Int64
  /// The offset of local time from UTC, in minutes.
  public var offsetMinutes: Int

  /// Creates a signature; it is checked when it is written.
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
    let (name, email) = (Signature.cleaned(name), Signature.cleaned(email))
    return try Handle("write the signature", free: { git_signature_free($0) }) {
      git_signature_new(
        $0, name.isEmpty ? "unknown" : name, email.isEmpty ? "unknown" : email, seconds,
        Int32(clamping: offsetMinutes))
    }
  }

  /// Returns a name or an address as git can store it.
  ///
  /// Line breaks, `<`, `>` and all control characters become a space; spaces and punctuation around
  /// the text are removed. Git and libgit2 would write a line break unchanged, and nobody could
  /// read that commit.
  public static func cleaned(_ text: String) -> String {
    let words = text.unicodeScalars.split { scalar in
      scalar.properties.generalCategory == .control || scalar.properties.isWhitespace
        || scalar == "<" || scalar == ">"
    }
    var clean = words.map { String($0) }.joined(separator: " ").unicodeScalars[...]
    let edges: Set<Unicode.Scalar> = [".", ",", ":", ";", "\"", "'", "\\", " "]
    while let first = clean.first, edges.contains(first) { clean.removeFirst() }
    while let last = clean.last, edges.contains(last) { clean.removeLast() }
    return String(clean)
  }

  /// The latest time that all of git can store, in seconds: its commit graph has 34 bits for it.
  public static let latestSecond: Int64 = 1 << 34 - 1
}
