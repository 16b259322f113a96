public import LarderGit

/// Something of a household that can't be read any more, beyond what single commands report.
public enum Damage: Hashable, Sendable {
  /// A reference leads to nothing that can be read.
  case reference(String)
  /// The index can't be read, or is gone.
  case index
  /// An object of the history can't be read, or is gone.
  case object(DamagedObject)
  /// A commit put a link, a file or another repository into the place of one of the household's own
  /// folders, and git wrote it.
  case hiddenFolder(String)
  /// A file can't be read whose last good version is known.
  case file(String)
  /// git left a file of ours for people to merge, the sides of which can be joined.
  case conflict(String)
  /// git left another file for people to merge.
  case plainConflict(String)
  /// The commit that is checked out has what others would not follow.
  case wouldBeRefused(RefusedCommit)
  /// A remote's branch has a commit that is not followed.
  case refused(RefusedCommit, reference: String)
}
