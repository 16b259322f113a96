internal import Clibgit2
internal import LarderText
internal import Libc

/// A git repository on this machine.
///
/// All results are copied values. It is not safe to use from several threads: each thread opens its
/// own instance, which is cheap. The next call sees what other processes wrote.
public final class Repository {
  private let handle: Handle<OpaquePointer>

  /// The folder of the checked-out files, absolute and without a final slash; nil if bare.
  public let workTree: String?
  /// The `.git` folder, absolute and without a final slash; in a linked work tree, its own part.
  public let gitDirectory: String
  /// The `.git` folder that all work trees share.
  ///
  /// It differs from `gitDirectory` only in a linked one.
  public let commonDirectory: String
  /// The index file that is read and refreshed.
  ///
  /// A hook must set it to `GIT_INDEX_FILE`; otherwise it is the repository's own.
  public var indexPath: String
  /// The path of the git program, which talks to remotes and writes the index.
  ///
  /// It is looked up in `PATH` at the first use. With nil, no remote can be reached.
  public lazy var gitProgram: String? = GitProgram.find()

  /// Where new objects go, while they are written together.
  var quarantine: Quarantine?

  /// Whether references are waited for before they get their names.
  var waitsForReferences = false

  /// Whether libgit2 may have taken the boundary of a shallow clone for the beginning of the history.
  private var wasShallow = false

  var pointer: OpaquePointer { handle.pointer }

  init(owning handle: consuming Handle<OpaquePointer>) {
    let repository = handle.pointer
    self.handle = handle
    workTree = git_repository_workdir(repository).map { withoutFinalSlash(String(cString: $0)) }
    gitDirectory = withoutFinalSlash(String(cString: git_repository_path(repository)))
    commonDirectory = withoutFinalSlash(String(cString: git_repository_commondir(repository)))
    indexPath = gitDirectory + "/index"
    LooseObjects.stand(before: repository, objects: commonDirectory + "/objects")
    Repository.passOverCommitGraph(of: repository)
    wasShallow = isShallow
  }

  /// Whether the repository has no work tree.
  public var isBare: Bool { git_repository_is_bare(pointer) == 1 }

  /// Whether the clone is shallow, so that walking its history fails with `shallow`.
  public var isShallow: Bool {
    (FileStatus(of: commonDirectory + "/shallow")?.size ?? 0) > 0
  }

  /// Whether libgit2 can be asked about the history.
  ///
  /// It can't in a shallow clone: before version 1.7 it fails at the boundary; from then on it takes
  /// the boundary for the beginning of the history, until the repository is opened again.
  var isHistoryKnown: Bool { !wasShallow && !isShallow }

  /// Whether it is a partial clone: git fetches missing objects when it needs them, libgit2 does
  /// not.
  public var isPartial: Bool {
    ["extensions.partialclone", "remote.origin.promisor"].contains { key in
      do throws(GitError) {
        return try configuration(key) != nil
      } catch {
        return false
      }
    }
  }

  /// Returns the unfinished git operation, or nil if there is none.
  public func operationInProgress() -> Operation? {
    Operation(state: git_repository_state(pointer))
  }

  /// The lock file of the index.
  ///
  /// If it exists, a process is writing the index or died while doing so.
  public var indexLockPath: String { indexPath + ".lock" }

  /// Whether a process is writing the index, or died while doing so.
  public var isIndexLocked: Bool { FileStatus(of: indexLockPath) != nil }

  /// Returns the value of HEAD.
  public func head() throws(GitError) -> Head {
    let action = "read HEAD"
    let reference = try Handle(action, path: "HEAD", free: { git_reference_free($0) }) {
      git_reference_lookup($0, pointer, "HEAD")
    }
    guard let target = git_reference_symbolic_target(reference.pointer) else {
      guard let commit = git_reference_target(reference.pointer) else {
        throw GitError(.invalid, action: action, detail: "HEAD names no commit", path: "HEAD")
      }
      return .detached(ObjectID(commit))
    }
    let name = String(cString: target)
    let short = name.afterBytes(of: "refs/heads/") ?? name
    guard let commit = try self.reference(name) else { return .unborn(branch: short) }
    return .branch(name: short, commit)
  }
}

/// Returns the path without a final `/`, except for the root itself.
func withoutFinalSlash(_ path: String) -> String {
  path.utf8.count > 1 && path.utf8.last == UInt8(ascii: "/") ? String(path.dropLast()) : path
}

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
