internal import LarderGit

/// A tree with lookups of files by path.
///
/// A single lookup reads the whole folder, which takes milliseconds with thousands of files. So
/// after a few lookups, the tree is listed once instead.
final class TreeListing {
  private let repository: Repository
  private let tree: ObjectID
  private var entries: [String: TreeEntry]?
  private var lookups = 0

  private static let few = 4

  init(_ repository: Repository, _ tree: ObjectID) {
    self.repository = repository
    self.tree = tree
  }

  func entry(at path: String) throws(GitError) -> TreeEntry? {
    if let entries { return entries[path] }
    lookups += 1
    guard lookups > TreeListing.few else { return try repository.entry(at: path, in: tree) }
    var listed: [String: TreeEntry] = [:]
    for entry in try repository.entries(of: tree) { listed[entry.path] = entry }
    entries = listed
    return listed[path]
  }
}
