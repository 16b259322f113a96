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
