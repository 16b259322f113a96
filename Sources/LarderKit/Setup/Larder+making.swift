internal import LarderModel
internal import LarderStore
internal import LarderSync

extension Larder {
  /// Creates a household in a folder with a git repository, and sets this device up for it.
  ///
  /// An existing repository is used, and existing files in the household's folders are adopted.
  /// `timeZone` is a name of the time zone database, `currency` an ISO 4217 code.
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

  /// The root of another household in whose folder this one lies; nil if there is none.
  public var householdAround: String? {
    var parts = root.split(separator: "/").dropLast()
    while !parts.isEmpty {
      let path = "/" + parts.joined(separator: "/")
      if Self.hasHousehold(in: path) { return path }
      parts = parts.dropLast()
    }
    return nil
  }

  /// Creates a git repository in a folder with a household's files, and sets this device up for it.
  ///
  /// A copy of the sample has its days moved by as many whole days as bring its newest instant into
  /// the last 24 hours.
  public static func track(
    _ folder: String, isSample: Bool = false, _ context: LarderContext = LarderContext()
  ) throws -> Larder {
    let store = try Store.track(
      folder, isSample: isSample, program: context.program(), context: context.storeContext)
    return Larder(store, context)
  }

  /// Clones a household from a git repository and sets this device up for it.
  ///
  /// The folder must be new or empty. If cloning fails, nothing is left in it. Throws `SyncError`.
  public static func join(
    _ url: String, into folder: String, _ context: LarderContext = LarderContext()
  ) throws -> Larder {
    let store = try Store.join(
      url, into: folder, program: context.program(), context: context.storeContext,
      waiting: { context.report(.sync(.waiting(remote: "the remote"))) })
    return Larder(store, context)
  }
}
