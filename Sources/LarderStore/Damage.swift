public import LarderGit

/// Damage of a household, beyond what single commands report.
public enum Damage: Hashable, Sendable {
  /// A reference leads to nothing readable.
  case reference(String)
  /// The index is unreadable or missing.
  case index
  /// An object of the history is unreadable or missing.
  case object(DamagedObject)
  /// A commit replaced one of the household's own folders by a link, a file or a submodule, and git
  /// checked it out.
  case hiddenFolder(String)
  /// A file is unreadable, and its last good version is known.
  case file(String)
  /// Git left one of the household's files in conflict, and its sides can be joined.
  case conflict(String)
  /// Git left another file in conflict.
  case plainConflict(String)
  /// The checked-out commit has content that other devices would not follow.
  case wouldBeRefused(RefusedCommit)
  /// A remote's branch has a commit that is not followed.
  case refused(RefusedCommit, reference: String)
}
