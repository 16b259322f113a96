internal import Clibgit2

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A git repository on this machine.
///
/// Everything it gives out is a copied value. It is not safe to use from several threads: each thread
/// opens its own, which is cheap. What other processes write is seen by the next call.
public final class Repository {
  private let handle: Handle<OpaquePointer>

  /// The folder of the checked-out files, absolute and without a final slash; nil when bare.
  public let workTree: String?
  /// The `.git` folder, absolute and without a final slash; in a linked work tree its own part.
  public let gitDirectory: String
  /// The `.git` folder that all work trees share; the same as `gitDirectory` except in a linked one.
  public let commonDirectory: String
  /// The index file that is read and refreshed: the repository's own unless set otherwise, as a
  /// hook must do with the path in `GIT_INDEX_FILE`.
  public var indexPath: String
  /// The path of the git program that talks to remotes, found in `PATH` when first needed; with nil,
  /// libgit2 reaches those on this machine, and no others.
  public lazy var gitProgram: String? = GitProgram.find()

  var pointer: OpaquePointer { handle.pointer }

  init(owning handle: consuming Handle<OpaquePointer>) {
    let repository = handle.pointer
    self.handle = handle
    workTree = git_repository_workdir(repository).map { withoutFinalSlash(String(cString: $0)) }
    gitDirectory = withoutFinalSlash(String(cString: git_repository_path(repository)))
    commonDirectory = withoutFinalSlash(String(cString: git_repository_commondir(repository)))
    indexPath = gitDirectory + "/index"
    LooseObjectGuard.stand(before: repository, objects: commonDirectory + "/objects")
  }

  /// Whether the repository has no work tree.
  public var isBare: Bool { git_repository_is_bare(pointer) == 1 }

  /// Whether the history was cut off when cloning, so that walking it fails with `shallow`.
  public var isShallow: Bool {
    (FileStatus(of: commonDirectory + "/shallow")?.size ?? 0) > 0
  }

  /// Whether git was asked to leave out objects when cloning, which it fetches when it needs them and
  /// libgit2 does not.
  public var isPartial: Bool {
    ["extensions.partialclone", "remote.origin.promisor"].contains { key in
      do throws(GitError) {
        return try configuration(key) != nil
      } catch {
        return false
      }
    }
  }

  /// What the user has begun with git and not finished; nil when nothing is pending.
  public func operationInProgress() -> Operation? {
    Operation(state: git_repository_state(pointer))
  }

  /// The file whose presence means that somebody is writing the index.
  public var indexLockPath: String { indexPath + ".lock" }

  /// Whether somebody is writing the index, or died while doing so.
  public var isIndexLocked: Bool { FileStatus(of: indexLockPath) != nil }

  /// What is checked out.
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
    let short = name.hasPrefix("refs/heads/") ? String(name.dropFirst("refs/heads/".count)) : name
    guard let commit = try self.reference(name) else { return .unborn(branch: short) }
    return .branch(name: short, commit)
  }
}

/// The path without a final `/`, except for the root itself.
func withoutFinalSlash(_ path: String) -> String {
  path.utf8.count > 1 && path.utf8.last == UInt8(ascii: "/") ? String(path.dropLast()) : path
}
