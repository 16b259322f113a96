internal import LarderGit

/// The record in a commit of what Larder wrote.
///
/// Git keeps the trailers of a commit that is amended, rebased or picked, even if its content
/// changed. But then the ids of its tree and parents differ.
enum CommitContent {
  private static let trailer = "Larder-Tree"

  /// Returns the last line of a message.
  static func line(tree: ObjectID, parents: [ObjectID]) -> String {
    "\(trailer): \(value(tree, parents))\n"
  }

  private static func value(_ tree: ObjectID, _ parents: [ObjectID]) -> String {
    ([tree] + parents).map(\.hex).joined(separator: " ")
  }

  /// Whether a commit of Larder is unchanged.
  ///
  /// Earlier programs did not record the content. When git amends a commit, it changes the
  /// committer, except within the same second.
  static func isOriginal(_ commit: Commit) -> Bool {
    let trailers = Trailers(commit.message)
    guard trailers["Larder-Command"] != nil else { return false }
    guard let written = trailers[trailer] else { return commit.author == commit.committer }
    return written == value(commit.tree, commit.parents)
  }
}
