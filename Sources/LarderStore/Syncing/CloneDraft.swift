internal import Foundation
internal import LarderGit
internal import LarderModel

/// The temporary folder, next to a new one, in which a clone is made before it gets its name.
///
/// This process, or a git that it started, holds the folder's lock while it works there. A killed
/// process leaves a folder without a lock, and the next clone removes its content.
final class CloneDraft {
  let path: String
  private let target: String
  private let descriptor: Int32

  /// The longest name of a new folder, in bytes; with the draft's additions it stays below the 255
  /// bytes that file systems allow.
  private static let longestName = 240

  /// Waits up to `patience` milliseconds for another process that works in the folder.
  init(for directory: String, patience: Int64) throws {
    let place = URL(filePath: directory).standardizedFileURL
    target = place.path(percentEncoded: false)
    guard place.lastPathComponent.utf8.count <= CloneDraft.longestName else {
      throw StoreError.system(action: "make", path: target, code: ENAMETOOLONG)
    }
    path =
      place.deletingLastPathComponent()
      .appending(path: ".\(place.lastPathComponent).larder-new").path(percentEncoded: false)
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true)
    // The programs that this process starts inherit the descriptor, so they keep the lock too.
    descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw SyncError.folderInUse(path) }
    // If larder was killed, its git ends by itself soon.
    let began = ContinuousClock.now
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard ContinuousClock.now - began < Duration.milliseconds(patience) else {
        throw SyncError.joining(target)
      }
      usleep(50_000)
    }
    // The other process may have renamed the folder meanwhile.
    guard FileManager.default.fileExists(atPath: path) else {
      throw SyncError.folderInUse(target)
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      try FileManager.default.removeItem(atPath: path + "/" + name)
    }
  }

  /// Renames the draft to its final name; fails if something was created there meanwhile.
  func place() throws {
    guard rename(path, target) == 0 else { throw SyncError.folderInUse(target) }
  }

  deinit {
    close(descriptor)
  }
}

extension Store {
  /// Clones a household and sets this device up for it.
  ///
  /// `program` is the shell command that git uses to call larder. A clone without a household is
  /// removed again. A new folder appears only when everything is done, so a killed process leaves
  /// nothing in its place. `waiting` is called once if the remote sends nothing for five seconds.
  /// Throws ``SyncError``, `StoreError` or `GitError`.
  public static func join(
    _ url: String, into directory: String, program: String, context: StoreContext,
    waiting: (() -> Void)? = nil
  ) throws -> Store {
    let files = FileManager.default
    let existed = files.fileExists(atPath: directory)
    if existed, try !files.contentsOfDirectory(atPath: directory).isEmpty {
      throw SyncError.folderInUse(directory)
    }
    if existed {
      do {
        return try clone(
          url, into: directory, program: program, context: context, waiting: waiting)
      } catch {
        removeClone(at: directory, butFolder: true)
        throw error
      }
    }
    let draft = try CloneDraft(for: directory, patience: context.patience)
    do {
      _ = try clone(
        url, into: draft.path, program: program, context: context, waiting: waiting)
      try draft.place()
      return try Store.open(from: directory, context: context)
    } catch {
      removeClone(at: draft.path, butFolder: false)
      throw error
    }
  }

  private static func clone(
    _ url: String, into directory: String, program: String, context: StoreContext,
    waiting: (() -> Void)?
  ) throws -> Store {
    let repository = try Repository.clone(url, to: directory, waiting: waiting)
    do {
      try checkOutBranch(repository, context)
    } catch JoiningError.refused(let commit) {
      throw SyncError.refusedClone(commit, url: url)
    }
    guard let tree = repository.workTree, try repository.head().commit != nil,
      FileManager.default.fileExists(atPath: "\(tree)/\(Kind.householdPath)")
    else { throw SyncError.noHousehold(url: url) }
    let store = try Store.open(from: tree, context: context)
    try store.setUpDevice(program: program)
    return store
  }

  /// Checks the cloned branch and writes its files.
  ///
  /// The `HEAD` of a bare repository may name a branch that nobody pushed; then `main` is used.
  private static func checkOutBranch(_ repository: Repository, _ context: StoreContext) throws {
    guard let tree = repository.workTree else { return }
    let store = Store(root: tree, repository: repository, context: context)
    if let commit = try repository.head().commit { return try store.checkOut(commit) }
    guard let commit = try repository.reference("refs/remotes/origin/main") else { return }
    try repository.setHead(toBranch: "main")
    try repository.setUpstream(ofBranch: "main", remote: "origin", branch: "main")
    try store.checkOut(commit)
  }

  /// Removes an incomplete clone; ignores failures, because the caller throws the first error.
  private static func removeClone(at directory: String, butFolder: Bool) {
    let files = FileManager.default
    guard butFolder else {
      try? files.removeItem(atPath: directory)
      return
    }
    for name in (try? files.contentsOfDirectory(atPath: directory)) ?? [] {
      try? files.removeItem(atPath: directory + "/" + name)
    }
  }
}
