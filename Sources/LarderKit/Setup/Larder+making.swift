internal import LarderModel
internal import LarderStore
internal import LarderSync

extension Larder {
  /// Makes a household in a folder, with a git repository, and sets this device up for it.
  ///
  /// A repository that is there is used, and files in the household's folders are adopted. `timeZone` is
  /// a name of the time zone database, `currency` a code of ISO 4217.
  public static func create(
    at folder: String, name: String, timeZone: String, currency: String? = nil,
    _ context: LarderContext = LarderContext()
  ) throws -> Larder {
    let store = try Store.create(
      at: folder, name: name, timeZone: timeZone, currency: currency, program: context.program(),
      context: context.storeContext)
    return Larder(store, context)
  }

  /// Whether a folder has a `household.json`.
  public static func hasHousehold(in folder: String) -> Bool { Store.hasHousehold(in: folder) }

  /// Makes a git repository of a folder that has a household's files, and sets this device up for it.
  public static func track(
    _ folder: String, _ context: LarderContext = LarderContext()
  ) throws -> Larder {
    let store = try Store.track(folder, program: context.program(), context: context.storeContext)
    return Larder(store, context)
  }

  /// Clones a household from a git repository and sets this device up for it.
  ///
  /// The folder must be new or empty. Nothing is left of it if cloning fails. Throws `SyncError`.
  public static func join(
    _ url: String, into folder: String, _ context: LarderContext = LarderContext()
  ) throws -> Larder {
    let store = try Store.join(
      url, into: folder, program: context.program(), context: context.storeContext,
      waiting: { context.report(.sync(.waiting(remote: "the remote"))) })
    return Larder(store, context)
  }
}
