public import LarderGit
public import LarderModel
public import LarderText

/// The reason why the store failed; nothing was changed, except for `filesBehind`.
public enum StoreError: Error, Sendable {
  /// There is no household at or above a folder.
  case notAHousehold(directory: String)
  /// The household is not at the root of a git work tree, so it can only be read.
  case notARepository(root: String)
  /// A household exists already.
  case exists(path: String)
  case git(GitError)
  /// A file that the change needs is broken, or its edit is refused.
  case untaken(path: FilePath, FileMistakes)
  /// The change has values that the format does not allow: the file that it would write could not
  /// be read again.
  case badValues(path: FilePath, FileMistakes)
  /// The household's format is newer than this program.
  case newerFormat(String)
  /// Git filters files of the household.
  case filtered(AttributeFault)
  case noUserID
  case operationInProgress(Operation)
  /// No branch is checked out, so a commit would belong to none.
  case looseHead(LooseHead)
  case indexLocked(path: String)
  case locked(milliseconds: Int64)
  /// Another process already watches the household.
  case watched
  /// A file to be replaced has changes that no commit has.
  case uncommitted(path: FilePath)
  /// Files that are no entities would be overwritten, and no commit has them as they are.
  case inTheWay([FileInTheWay])
  /// The entity already has the latest time that can be written, so the change could not win.
  ///
  /// With the commit that brought that time, if known.
  case endOfTime(title: String, at: Instant, by: Commit?)
  /// The `.git` folder at a path is damaged, so that git can't open it, or HEAD names no branch.
  case damagedFolder(path: String, GitFolder.Damage)
  /// The checked-out branch has lost its commit.
  case lostBranch(String)
  /// The index is unreadable.
  case indexDamaged(path: String)
  /// The index has no checksum, though git's settings don't say that it is to be left out.
  case indexUnchecked(path: String)
  /// The commit is made, but not all files could be updated, for the given reason.
  ///
  /// The next command updates them.
  indirect case filesBehind(ObjectID, StoreError)
  /// So many files are missing that it may be an accident.
  case manyRemovals(gone: Int, of: Int)
  /// A path that is not allowed in a household; nothing is written there.
  case badPath(FilePath, PathFault)
  /// A link or a file is in the place of a folder; the path is absolute.
  case noFolder(path: String, isLink: Bool)
  /// A system call failed, with its error number.
  case system(action: String, path: String, code: Int32)
  case badTimeZone(String)
  case badCurrency(String)
}

extension StoreError {
  /// Whether plain git moved the branch first, or is moving it now; nothing was changed.
  var isForestalled: Bool {
    guard case .git(let error) = self else { return false }
    return error.code == .conflict || error.code == .locked
  }
}
