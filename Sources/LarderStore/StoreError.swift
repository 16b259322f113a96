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
  /// The commit is made, but not all files could be brought to it, for that reason; the next command
  /// does.
  indirect case filesBehind(ObjectID, StoreError)
  /// So many files are gone that it may be an accident.
  case manyRemovals(gone: Int, of: Int)
  /// A call of the operating system failed, with its error number.
  case system(action: String, path: String, code: Int32)
  case badTimeZone(String)
  case badCurrency(String)
}
