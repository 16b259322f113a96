internal import Clibgit2

/// A commit, copied out of the repository.
public struct Commit: Sendable, Hashable {
  /// The commit's own name.
  public var id: ObjectID
  /// The tree of all files at that moment.
  public var tree: ObjectID
  /// The commits it follows: none for the first, two or more for a merge.
  public var parents: [ObjectID]
  /// Who made the change.
  public var author: Signature
  /// Who wrote the commit.
  public var committer: Signature
  /// The whole message, read as UTF-8 with damaged bytes replaced.
  public var message: String

  /// The message's first line.
  public var subject: String {
    message.split(separator: "\n", maxSplits: 1).first.map(String.init) ?? ""
  }

  init(_ pointer: OpaquePointer, id: ObjectID) {
    self.id = id
    tree = git_commit_tree_id(pointer).map { ObjectID($0) } ?? id
    parents = (0..<git_commit_parentcount(pointer)).compactMap { index in
      git_commit_parent_id(pointer, index).map { ObjectID($0) }
    }
    let nobody = Signature(name: "", email: "", seconds: 0, offsetMinutes: 0)
    author = git_commit_author(pointer).map { Signature($0) } ?? nobody
    committer = git_commit_committer(pointer).map { Signature($0) } ?? nobody
    message = git_commit_message(pointer).map { String(cString: $0) } ?? ""
  }
}
