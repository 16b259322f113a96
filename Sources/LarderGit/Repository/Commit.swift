internal import Clibgit2

/// A commit, copied from the repository.
public struct Commit: Sendable, Hashable {
  /// The commit's id.
  public var id: ObjectID
  /// The tree of the commit.
  public var tree: ObjectID
  /// The parent commits: none for a first commit, two or more for a merge.
  public var parents: [ObjectID]
  /// The author of the change.
  public var author: Signature
  /// The creator of the commit.
  public var committer: Signature
  /// The whole message, read as UTF-8; damaged bytes are replaced.
  public var message: String
  /// Whether author and committer can be read and have times from 1970 to the year 9999.
  ///
  /// If not, both are empty, with the time 1970-01-01.
  public var isSound: Bool

  /// The message's first line.
  public var subject: String {
    message.split(separator: "\n", maxSplits: 1).first.map(String.init) ?? ""
  }

  init(_ pointer: OpaquePointer, id: ObjectID) {
    self.id = id
    tree = git_commit_tree_id(pointer).map { ObjectID($0) } ?? id
    let known = (0..<git_commit_parentcount(pointer)).compactMap { index in
      git_commit_parent_id(pointer, index).map { ObjectID($0) }
    }
    // From version 1.7 on, libgit2 leaves out the parents that a shallow clone lacks.
    parents = known.isEmpty ? Self.parents(inHeaderOf: pointer) : known
    let author = git_commit_author(pointer).map { Signature($0) }
    let committer = git_commit_committer(pointer).map { Signature($0) }
    isSound = (author?.isPossible ?? false) && (committer?.isPossible ?? false)
    self.author = isSound ? author ?? .nobody : .nobody
    self.committer = isSound ? committer ?? .nobody : .nobody
    message = git_commit_message(pointer).map { String(cString: $0) } ?? ""
  }

  /// Reads a commit that git would not have written, as far as possible; nil if it names no tree.
  init?(lenient bytes: [UInt8], id: ObjectID) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let header = lines.prefix { !$0.isEmpty }
    guard let tree = Self.ids(after: "tree ", in: header).first else { return nil }
    self.id = id
    self.tree = tree
    parents = Self.ids(after: "parent ", in: header)
    author = .nobody
    committer = .nobody
    isSound = false
    let body = lines.dropFirst(header.count + 1).joined(separator: [UInt8(ascii: "\n")])
    message = String(decoding: Array(body), as: UTF8.self)
  }

  private static func parents(inHeaderOf commit: OpaquePointer) -> [ObjectID] {
    guard let header = git_commit_raw_header(commit) else { return [] }
    let lines = Array(String(cString: header).utf8).split(separator: UInt8(ascii: "\n"))
    return ids(after: "parent ", in: lines)
  }

  private static func ids(after word: String, in lines: some Sequence<ArraySlice<UInt8>>)
    -> [ObjectID]
  {
    lines.filter { $0.starts(with: word.utf8) }.compactMap {
      ObjectID(hex: String(decoding: $0.dropFirst(word.utf8.count), as: UTF8.self))
    }
  }
}

extension Signature {
  fileprivate static let nobody = Signature(name: "", email: "", seconds: 0, offsetMinutes: 0)

  /// Whether the format can write the time.
  fileprivate var isPossible: Bool { (0...253_402_300_799).contains(seconds) }
}

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

/// Commits that git signs as the user has set it up: with OpenPGP, SSH or X.509.
extension Repository {
  /// Whether the user wants signed commits: git's setting `commit.gpgSign`.
  public var signsCommits: Bool {
    get throws(GitError) {
      guard let text = try configuration("commit.gpgsign") else { return false }
      var value: Int32 = 0
      try check(
        git_config_parse_bool(&value, text), "read git's configuration", path: "commit.gpgSign")
      return value != 0
    }
  }

  /// Stores a commit like ``writeCommit(tree:parents:author:committer:message:)``, signed by git.
  ///
  /// The program that signs may ask for a passphrase. Throws `unsigned` if it does not sign, and
  /// `noProgram` if there is no git.
  public func writeSignedCommit(
    tree: ObjectID, parents: [ObjectID], author: Signature, committer: Signature, message: String
  ) throws(GitError) -> ObjectID {
    let action = "sign the commit"
    // Git has to find the tree.
    try quarantine?.release(waiting: false)
    // Git stores the message in this encoding.
    let settings = ["-c", "i18n.commitEncoding=UTF-8"]
    let outcome = try runGit(
      settings + ["commit-tree", "-S", tree.hex] + parents.flatMap { ["-p", $0.hex] } + [
        "-m", message,
      ],
      settings: author.variables(for: "AUTHOR") + committer.variables(for: "COMMITTER"),
      action: action)
    let word = outcome.output.prefix { !$0.isWhitespace }
    guard outcome.status == 0, let id = ObjectID(hex: String(word)) else {
      let lines = outcome.complaint.split(separator: "\n").map(String.init)
      // What the program itself says is clearer than that it failed.
      let reason = lines.first { !$0.contains("failed to sign") && !$0.hasPrefix("[GNUPG:]") }
      throw GitError(
        .unsigned, action: action, detail: reason ?? lines.first ?? "git gave no reason")
    }
    return id
  }
}

extension Signature {
  /// Returns the variables by which git takes the author or the committer of a commit.
  fileprivate func variables(for role: String) -> [String] {
    let (name, email) = (Signature.cleaned(name), Signature.cleaned(email))
    let minutes = abs(offsetMinutes)
    let digits = String(10_000 + minutes / 60 * 100 + minutes % 60).dropFirst()
    return [
      "GIT_\(role)_NAME=\(name.isEmpty ? "unknown" : name)",
      "GIT_\(role)_EMAIL=\(email.isEmpty ? "unknown" : email)",
      "GIT_\(role)_DATE=@\(seconds) \(offsetMinutes < 0 ? "-" : "+")\(digits)",
    ]
  }
}
