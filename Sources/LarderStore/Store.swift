public import LarderGit
internal import LarderModel

/// A household on this device: its files, its git repository, and what this device knows of itself.
///
/// Reading sees hand edits as they are meant and writes nothing. Writing takes the lock, finishes
/// what a killed process left, adopts what people did with an editor or plain git, and then makes
/// one commit, or fails and leaves everything as it was. Not safe to use from several threads.
public final class Store {
  /// The folder of `household.json`, absolute.
  public let root: String
  /// The repository whose root the household is; nil for a household that can only be read.
  public let repository: Repository?
  package let context: StoreContext
  /// Whether a commit was made, or came from elsewhere, since the household was opened.
  public internal(set) var hasCommitted = false
  /// What was read the last time, so that reading again looks only at what has changed.
  var cache: FileCache?
  /// The ids that files without one had when they were last read, by path and content, so that they
  /// are adopted under the same.
  var newIDs: [String: String] = [:]

  /// The name of the reference that marks how far this device has adopted commits.
  static let adoptedReference = "refs/larder/adopted"

  package init(root: String, repository: Repository?, context: StoreContext) {
    self.root = root
    self.repository = repository
    self.context = context
  }

  /// Opens the household that a folder lies in.
  public static func open(from directory: String, context: StoreContext) throws(StoreError)
    -> Store
  {
    let repository: Repository?
    do {
      repository = try Repository.discover(from: directory)
    } catch {
      if error.code != .ownership { try refuseDamage(near: directory) }
      throw .git(error)
    }
    if repository == nil { try refuseDamage(near: directory) }
    let tree = repository?.workTree
    guard let root = nearestHousehold(from: directory, notAbove: tree) else {
      guard let repository, let tree, try hasHousehold(repository) else {
        throw .notAHousehold(directory: directory)
      }
      return Store(root: tree, repository: repository, context: context)
    }
    return Store(root: root, repository: root == tree ? repository : nil, context: context)
  }

  /// A folder that git can't open need not be no repository at all.
  private static func refuseDamage(near directory: String) throws(StoreError) {
    guard let folder = GitFolder(near: directory), let damage = try folder.damage().first else {
      return
    }
    throw .damagedFolder(path: folder.path, damage)
  }

  private static func nearestHousehold(from directory: String, notAbove limit: String?) -> String? {
    var folder = realPath(directory)
    while true {
      if FileState(of: folder + "/" + Kind.householdPath) != nil { return folder }
      guard folder != limit, let slash = folder.lastIndex(of: "/"), folder != "/" else {
        return nil
      }
      folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
    }
  }

  private static func hasHousehold(_ repository: Repository) throws(StoreError) -> Bool {
    do {
      guard let head = try repository.head().commit else { return false }
      // Somebody may have removed the file by a commit, which brings it back when it is adopted.
      if try repository.configuration("larder.userId") != nil { return true }
      let tree = try repository.commit(head).tree
      return try repository.entry(at: Kind.householdPath, in: tree) != nil
    } catch {
      throw .git(error)
    }
  }

  /// The way to the files of the work tree.
  package var files: HouseholdFolder { HouseholdFolder(root: root) }

  /// The folder for what belongs to this device alone.
  package var deviceFolder: String? { repository.map { $0.gitDirectory + "/larder" } }

  /// A file of this device's own; nil where there is none.
  package func deviceFile(_ name: String) throws(StoreError) -> [UInt8]? {
    guard let path = deviceFolder.map({ $0 + "/" + name }), FileState(of: path) != nil else {
      return nil
    }
    return try SystemFile.read(path)
  }

  package func writeDeviceFile(_ name: String, _ bytes: [UInt8]) throws(StoreError) {
    guard let folder = deviceFolder else { throw .notARepository(root: root) }
    try SystemFile.makeFolder(folder)
    try SystemFile.replace(folder + "/" + name, with: bytes)
  }
}

extension Store {
  /// What this device is called in ledgers and commits.
  public var device: String {
    get throws(StoreError) {
      for name in [context.device, try setting("larder.device")] {
        // A trailer and a ledger's line have room for one line.
        if let clean = name.map(Signature.cleaned), !clean.isEmpty { return clean }
      }
      return "unknown"
    }
  }

  /// Who this device writes as; nil before it is set up, and where somebody has put what is no id.
  public var userID: String? {
    get throws(StoreError) {
      try setting("larder.userId").flatMap { Identifier.isUUID($0) ? $0 : nil }
    }
  }

  /// How far this device has adopted commits; nil, which costs only time, where that can't be read.
  var adopted: ObjectID? {
    guard let repository else { return nil }
    do {
      return try repository.reference(Store.adoptedReference)
    } catch {
      return nil
    }
  }

  /// Whether batches are archived here once they are used up.
  public var archivesConsumed: Bool {
    get throws(StoreError) { try setting("larder.archiveConsumed") == "true" }
  }

  /// Notes whether batches are to be archived here once they are used up.
  public func setArchivesConsumed(_ wanted: Bool) throws(StoreError) {
    try git { repository throws(GitError) in
      try repository.setConfiguration("larder.archiveConsumed", wanted ? "true" : nil)
    }
  }

  func setting(_ key: String) throws(StoreError) -> String? {
    try git { repository throws(GitError) in try repository.configuration(key) }
  }

  /// Runs something on the repository, with its errors as the store's.
  package func git<Value>(_ body: (Repository) throws(GitError) -> Value) throws(StoreError)
    -> Value
  {
    guard let repository else { throw .notARepository(root: root) }
    do {
      return try body(repository)
    } catch {
      throw .git(error)
    }
  }
}
