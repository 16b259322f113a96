internal import Foundation
internal import LarderGit
internal import LarderModel
public import LarderStore

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
