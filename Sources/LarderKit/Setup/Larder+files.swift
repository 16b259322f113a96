internal import Foundation
internal import LarderGit
public import LarderModel
internal import LarderStore

extension Larder {
  /// Creates a household in a folder with a git repository, and sets this device up for it.
  ///
  /// An existing repository is used, and existing files in the household's folders are adopted.
  /// `timeZone` is a name of the time zone database, `currency` an ISO 4217 code.
  public static func create(
    at folder: String, name: String, timeZone: String, currency: String? = nil,
    _ context: LarderContext = LarderContext()
  ) async throws -> Larder {
    try await made(context) { store in
      try Store.create(
        at: folder, name: name, timeZone: timeZone, currency: currency, program: context.program(),
        context: store)
    }
  }

  /// Creates a household for a preview or a test, which is gone with the larder.
  ///
  /// It begins with the things of `household`. Its files and its history are in a temporary folder, so
  /// that every call works; where the system has one, in a file system in memory.
  public static func inMemory(
    _ household: Household = Household(), _ context: LarderContext = LarderContext()
  ) async throws -> Larder {
    let folder = try TemporaryFolder()
    let defaults = HouseholdDefaults(folder: folder.path)
    let larder = try await create(
      at: folder.path, name: "Home", timeZone: defaults.timeZone, currency: defaults.currency,
      context)
    await larder.keep(folder)
    if !household.entities.isEmpty { _ = try await larder.take(HouseholdCopy(of: household)) }
    return larder
  }

  /// Whether a folder has a `household.json`.
  public static func hasHousehold(in folder: String) -> Bool { Store.hasHousehold(in: folder) }

  /// The root of another household in whose folder this one lies; nil if there is none.
  public nonisolated var householdAround: String? {
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
  ) async throws -> Larder {
    try await made(context) { store in
      try Store.track(folder, isSample: isSample, program: context.program(), context: store)
    }
  }

  /// Clones a household from a git repository and sets this device up for it.
  ///
  /// The folder must be new or empty. If cloning fails, nothing is left in it. Throws `SyncError`.
  public static func join(
    _ url: String, into folder: String, _ context: LarderContext = LarderContext()
  ) async throws -> Larder {
    try await made(context) { store in
      try Store.join(
        url, into: folder, program: context.program(), context: store,
        waiting: { context.report(.sync(.waiting(remote: "the remote"))) })
    }
  }
}

/// The household's files themselves: their canonical form, and larder's tasks for git.
extension Larder {
  /// Returns the paths of files that are taken and not in canonical form, sorted.
  public func unformattedFiles() throws(StoreError) -> [FilePath] { try store.unformatted() }

  /// Adopts what people edited, then writes every file that is taken in canonical form.
  public func format() throws -> Writing {
    told(try store.reformat())
  }

  /// The filters through which git passes files of the household, so that larder can't write them.
  public func filters() throws(StoreError) -> [AttributeFault] { try store.filters() }

  /// Creates a draft of a text for an editor; it is below `.git/larder`, never in the work tree.
  public func draft(of text: String, named name: String) throws(StoreError) -> Draft {
    try store.draft(of: Array(text.utf8), named: name)
  }

  /// Saves an edited file of the household, and adopts it.
  ///
  /// `base` is the file before the edit. If the household's file has changed since, both versions
  /// are joined. Throws `StoreError.untaken` if the result is broken; the file then stays as
  /// it was.
  public func save(
    _ bytes: [UInt8], over base: [UInt8], at path: FilePath
  ) throws(StoreError) -> Writing {
    told(try store.save(bytes, over: base, at: path))
  }

  /// Joins two versions of a file; nil if a side is broken or refused, if the two are different
  /// entities, or if both say what there is in all, and not the same.
  ///
  /// `base` is the common ancestor's file, nil if there is none.
  public static func mergeFile(
    base: [UInt8]?, ours: [UInt8], theirs: [UInt8], path: FilePath
  ) -> [UInt8]? {
    MergeFile.merge(base: base, ours: ours, theirs: theirs, path: path)
  }

  /// Returns the bytes of a household file of up to 16 MiB.
  ///
  /// Throws if it can't be read, or if a link leads out of the household.
  public static func bytes(of path: FilePath, in root: String) throws(StoreError) -> [UInt8] {
    try HouseholdFolder(root: root).read(path, atMost: 16 * 1024 * 1024)
  }

  /// Returns a text without the passwords and tokens in its URLs.
  public static func withoutSecrets(_ text: String) -> String { text.withoutSecrets }

  /// Whether the repository has enough loose objects to pack them.
  public var isPackingDue: Bool {
    get throws(StoreError) { try store.isUntidy() }
  }

  /// Packs the history, which may take seconds; returns false if another process is packing.
  public func pack() throws(StoreError) -> Bool { try store.tidy() }
}

/// A folder that is removed with the last reference to it.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    let memory = "/dev/shm"
    let files = FileManager.default
    let place = files.isWritableFile(atPath: memory) ? memory : files.temporaryDirectory.path()
    path = place + "/larder-" + Identifier.random(at: .current)
    try files.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      // The system removes what is left in its temporary folders.
    }
  }
}
