internal import Clibgit2

/// An unfinished git operation in a work tree.
public enum Operation: String, Sendable, Hashable {
  /// `git merge` stopped on a conflict.
  case merge
  /// `git rebase` is under way.
  case rebase
  /// `git cherry-pick` stopped on a conflict.
  case cherryPick
  /// `git revert` stopped on a conflict.
  case revert
  /// `git bisect` is under way.
  case bisect
  /// `git am` is under way.
  case applyMailbox

  init?(state: Int32) {
    switch git_repository_state_t(rawValue: UInt32(bitPattern: state)) {
    case GIT_REPOSITORY_STATE_MERGE: self = .merge
    case GIT_REPOSITORY_STATE_REVERT, GIT_REPOSITORY_STATE_REVERT_SEQUENCE: self = .revert
    case GIT_REPOSITORY_STATE_CHERRYPICK, GIT_REPOSITORY_STATE_CHERRYPICK_SEQUENCE:
      self = .cherryPick
    case GIT_REPOSITORY_STATE_BISECT: self = .bisect
    case GIT_REPOSITORY_STATE_REBASE, GIT_REPOSITORY_STATE_REBASE_INTERACTIVE,
      GIT_REPOSITORY_STATE_REBASE_MERGE:
      self = .rebase
    case GIT_REPOSITORY_STATE_APPLY_MAILBOX, GIT_REPOSITORY_STATE_APPLY_MAILBOX_OR_REBASE:
      self = .applyMailbox
    default: return nil
    }
  }
}
