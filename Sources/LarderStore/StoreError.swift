public import LarderGit
public import LarderModel

/// Why the store could not do what it was asked; nothing was changed, but for `filesBehind`.
public enum StoreError: Error, Sendable {
  /// No household at or above a folder.
  case notAHousehold(directory: String)
  /// A household that is not the root of a git work tree of its own: it can be read only.
  case notARepository(root: String)
  /// There is a household already.
  case exists(path: String)
  case git(GitError)
  /// A file that the change needs can't be read.
  case unreadable(path: String, FileMistakes)
  /// The household's format is newer than this program.
  case newerFormat(String)
  case noUserID
  case operationInProgress(Operation)
  case indexLocked(path: String)
  case locked(milliseconds: Int64)
  /// Another process watches the household already.
  case watched
  /// Git commits some files past the index, and others of the household would have to go with them.
  case partialCommit(paths: [String])
  /// A file would make way that has changes no commit has.
  case uncommitted(path: String)
  /// No later time can be written than the one that stands in a thing already, so that the change
  /// would not stand; with the commit that brought that time, where it is known.
  case endOfTime(title: String, at: Instant, by: Commit?)
  /// A killed process left a change half written, which has to be finished first.
  case unfinished
  /// The `.git` folder at a path is damaged, so that git can't open it, or HEAD names no branch.
  case damagedFolder(path: String, GitFolder.Damage)
  /// The branch that is checked out has lost its commit.
  case lostBranch(String)
  /// The index can't be read.
  case indexDamaged(path: String)
  /// The commit is made, but not all files could be brought to it, for that reason; the next command
  /// does.
  indirect case filesBehind(ObjectID, StoreError)
  /// So many files are gone that it may be an accident.
  case manyRemovals(gone: Int, of: Int)
  /// A path that no household may have; nothing is written there.
  case badPath(String, PathFault)
  /// A link, or a file, lies where a folder of the household belongs; the path is absolute.
  case noFolder(path: String, isLink: Bool)
  /// A call of the operating system failed, with its error number.
  case system(action: String, path: String, code: Int32)
  case badTimeZone(String)
  case badCurrency(String)
}

extension StoreError {
  /// Whether a plain git was quicker to move the branch, or is just moving it; nothing was changed.
  var isForestalled: Bool {
    guard case .git(let error) = self else { return false }
    return error.code == .conflict || error.code == .locked
  }
}
