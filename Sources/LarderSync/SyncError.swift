internal import LarderGit
public import LarderStore

/// Why a sync could not be done; what was done locally stays done.
public enum SyncError: Error, Sendable {
  /// The household's repository has no remote yet.
  case noRemote
  case unknownRemote(name: String, known: [String])
  /// More than one remote, and the branch follows none of them.
  case whichRemote([String])
  /// A commit is checked out, not a branch.
  case detachedHead
  /// Nothing is committed yet.
  case noCommit
  /// The remote's history shares no commit with ours.
  case unrelatedHistories(remote: String)
  /// The remote's household is of a format newer than this program.
  case newerFormat(String)
  /// A commit there has what no household may have, and is not followed.
  case refused(RefusedCommit, remote: String)
  /// What was to be cloned has.
  case refusedClone(RefusedCommit, url: String)
  /// The commit checked out here has what the others would not follow, and is not sent.
  case wouldBeRefused(RefusedCommit)
  /// Others pushed in between, each time.
  case busy(attempts: Int)
  /// What was cloned holds no household.
  case noHousehold(url: String)
  /// Another process is cloning into the folder.
  case joining(String)
  /// The folder to clone into is there and not empty.
  case folderInUse(String)
}
