internal import LarderGit

/// What Larder wrote, as its commits say it themselves.
///
/// Git keeps the trailers of a commit that is amended, rebased or picked, whatever was changed in
/// between; the ids of its tree and its parents it can't keep.
enum CommitContent {
  private static let trailer = "Larder-Tree"

  /// The last line of a message of Larder's.
  static func line(tree: ObjectID, parents: [ObjectID]) -> String {
    "\(trailer): \(value(tree, parents))\n"
  }

  private static func value(_ tree: ObjectID, _ parents: [ObjectID]) -> String {
    ([tree] + parents).map(\.hex).joined(separator: " ")
  }

  /// Whether a commit of Larder's is as Larder wrote it.
  ///
  /// Those of earlier programs don't say what they were. Git changes the committer of what it amends,
  /// unless it is the same one within a second.
  static func isOriginal(_ commit: Commit) -> Bool {
    let trailers = Trailers(commit.message)
    guard trailers["Larder-Command"] != nil else { return false }
    guard let written = trailers[trailer] else { return commit.author == commit.committer }
    return written == value(commit.tree, commit.parents)
  }
}
