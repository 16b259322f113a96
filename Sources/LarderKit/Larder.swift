internal import LarderGit
internal import LarderModel
internal import LarderStore

/// A household on this device, with everything that people do with it.
///
/// Each call sees the files as they are, edits by hand included, and other programs may use the same
/// folder meanwhile. A call that changes something makes one commit, or fails and leaves everything as
/// it was. Calls block their thread until they are done; those that talk to a remote or a project may
/// take minutes. Not safe to use from several threads: open the household once for each.
///
/// Every call can throw `StoreError` and `GitError`. What else it throws is said with it.
public final class Larder {
  let store: Store
  public let context: LarderContext

  init(_ store: Store, _ context: LarderContext) {
    self.store = store
    self.context = context
  }

  /// Opens the household that a folder lies in.
  ///
  /// Throws `StoreError.notAHousehold` if it lies in none.
  public static func open(
    from folder: String, _ context: LarderContext = LarderContext()
  ) throws(StoreError) -> Larder {
    Larder(try Store.open(from: folder, context: context.storeContext), context)
  }

  /// The folder of `household.json`, absolute.
  public var root: String { store.root }

  /// Whether the household can be read only: its folder is not the root of a git repository.
  public var isReadOnly: Bool { store.repository == nil }

  /// Whether the history was cut off when cloning, so that older commits are not here.
  public var isShallow: Bool { store.repository?.isShallow ?? false }

  /// Whether git was asked to leave out objects when cloning, so that some may not be here.
  public var isPartial: Bool { store.repository?.isPartial ?? false }

  /// Whether a commit was made, or came from elsewhere, since the household was opened.
  public var hasCommitted: Bool { store.hasCommitted }

  /// The git repository.
  func repository() throws(StoreError) -> Repository {
    guard let repository = store.repository else { throw .notARepository(root: root) }
    return repository
  }

  /// Tells that something was adopted.
  func tell(_ adoption: Writing.Adoption?, _ household: Household) {
    if let adoption { context.report(.adopted(adoption, household, root: root)) }
  }
}
