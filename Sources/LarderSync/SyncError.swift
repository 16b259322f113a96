internal import LarderGit
public import LarderStore

/// An error of a sync; local changes that were already made are kept.
public enum SyncError: Error, Sendable {
  /// The household's repository has no remote yet.
  case noRemote
  case unknownRemote(name: String, known: [String])
  /// There are several remotes, and the branch follows none of them.
  case whichRemote([String])
  /// There is no commit yet.
  case noCommit
  /// The remote's history shares no commit with ours.
  case unrelatedHistories(remote: String)
  /// The remote's household has a format that is newer than this program.
  case newerFormat(String)
  /// A commit of the remote breaks a rule for household files, so it is not merged.
  case refused(RefusedCommit, remote: String)
  /// A commit of the cloned repository breaks a rule for household files.
  case refusedClone(RefusedCommit, url: String)
  /// The current commit breaks a rule, so other devices would refuse it; it is not pushed.
  case wouldBeRefused(RefusedCommit)
  /// Others pushed first in every attempt.
  case busy(attempts: Int)
  /// The cloned repository has no household.
  case noHousehold(url: String)
  /// Another process is cloning into the folder.
  case joining(String)
  /// The folder for the clone exists and is not empty.
  case folderInUse(String)
}
