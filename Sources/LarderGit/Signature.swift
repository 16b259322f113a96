internal import Clibgit2

/// Who made a commit, and when.
public struct Signature: Sendable, Hashable {
  /// The person's name; what git can't keep of it is left out when it is written.
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
    let (name, email) = (Signature.cleaned(name), Signature.cleaned(email))
    return try Handle("write the signature", free: { git_signature_free($0) }) {
      git_signature_new(
        $0, name.isEmpty ? "unknown" : name, email.isEmpty ? "unknown" : email, seconds,
        Int32(clamping: offsetMinutes))
    }
  }

  /// A name or an address as git can keep it: what would end the line or the field, and every other
  /// control character, becomes a space, and spaces and punctuation around it go.
  ///
  /// Git and libgit2 write a line break as it is, into a commit that nobody can read then.
  public static func cleaned(_ text: String) -> String {
    let words = text.unicodeScalars.split { scalar in
      scalar.properties.generalCategory == .control || scalar.properties.isWhitespace
        || scalar == "<" || scalar == ">"
    }
    var clean = words.map { String($0) }.joined(separator: " ")[...]
    let edges: Set<Character> = [".", ",", ":", ";", "\"", "'", "\\", " "]
    while let first = clean.first, edges.contains(first) { clean.removeFirst() }
    while let last = clean.last, edges.contains(last) { clean.removeLast() }
    return String(clean)
  }

  /// The seconds that all of git keeps: its commit graph has 34 bits for them.
  public static let latestSecond: Int64 = 1 << 34 - 1
}
