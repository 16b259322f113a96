internal import Dispatch
public import LarderGit
public import LarderModel
internal import LarderText
internal import Libc

/// A household on this device: its files, its git repository, and the device's own data.
///
/// Reading understands hand edits and writes nothing. Writing takes the lock, finishes what a
/// killed process left, adopts edits made with an editor or plain git, and then makes one commit,
/// or fails and changes nothing. Not safe to use from several threads.
public final class Store {
  /// The folder of `household.json`, absolute.
  public let root: String
  /// The access to the files of the work tree.
  package let files: HouseholdFolder
  /// The repository with the household at its root; nil for a household that can only be read.
  public let repository: Repository?
  package let context: StoreContext
  /// Whether a commit was made, or came from elsewhere, since the household was opened.
  public internal(set) var hasCommitted = false
  /// Whether the journal is being done again, so that what it says is not unfinished to its own steps.
  var isReinstating = false
  /// The ignored files that gave way to plain files that came, and where they are kept.
  var setAside: [(path: FilePath, second: FilePath)] = []
  /// The household's time zone, by the last load; nil before.
  var timeZone: String?
  /// Whether a source of git's attributes has a word for a filter, by the last look.
  var mayBeFiltered = false
  /// The result of the last read, so the next read looks only at changes.
  var cache: FileCache?
  /// The versions of files that were read or written last, for the next who needs them.
  let versions = KnownVersions()
  /// The requests that the history is known to have served.
  var requests = ServedRequests()

  /// The reference up to which this device has adopted commits.
  static let adoptedReference = "refs/larder/adopted"

  package init(root: String, repository: Repository?, context: StoreContext) {
    self.root = root
    files = HouseholdFolder(root: root)
    self.repository = repository
    self.context = context
  }

  /// Opens the household that contains a folder.
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

  /// Throws if there is a damaged repository that git can't open.
  private static func refuseDamage(near directory: String) throws(StoreError) {
    guard let folder = GitFolder(near: directory), let damage = try folder.damage().first else {
      return
    }
    throw .damagedFolder(path: folder.path, damage)
  }

  private static func nearestHousehold(from directory: String, notAbove limit: String?) -> String? {
    var folder = realPath(directory)
    while true {
      if FileState(of: "\(folder)/\(Kind.householdPath)") != nil { return folder }
      guard folder != limit, let slash = folder.lastIndex(of: "/"), folder != "/" else {
        return nil
      }
      folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
    }
  }

  private static func hasHousehold(_ repository: Repository) throws(StoreError) -> Bool {
    do {
      guard let head = try repository.head().commit else { return false }
      // If a commit removed the file, adoption restores it.
      if try repository.configuration("larder.userId") != nil { return true }
      let tree = try repository.commit(head).tree
      return try repository.entry(at: Kind.householdPath, in: tree) != nil
    } catch {
      throw .git(error)
    }
  }

  /// The folder for data of this device only.
  package var deviceFolder: String? { repository.map { $0.gitDirectory + "/larder" } }

  /// Returns a file of this device's data, or nil if there is none.
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
  /// The device's name in ledgers and commits.
  public var device: String {
    get throws(StoreError) {
      for name in [context.device, try setting("larder.device")] {
        // A trailer and a ledger entry have room for one line.
        if let clean = name.map(Signature.cleaned), !clean.isEmpty { return clean }
      }
      return "unknown"
    }
  }

  /// The user id with which this device writes.
  ///
  /// Nil before the setup, and if the setting is not a valid id.
  public var userID: String? {
    get throws(StoreError) {
      try setting("larder.userId").flatMap { Identifier.isUUID($0) ? $0 : nil }
    }
  }

  /// The commit up to which this device has adopted commits.
  ///
  /// Nil if unreadable, which only costs time.
  var adopted: ObjectID? {
    guard let repository else { return nil }
    do {
      return try repository.reference(Store.adoptedReference)
    } catch {
      return nil
    }
  }

  /// Returns a setting in the clone's git configuration; nil if there is none.
  package func setting(_ key: String) throws(StoreError) -> String? {
    try git { repository throws(GitError) in try repository.configuration(key) }
  }

  /// Changes a setting in the clone's git configuration, or removes it.
  package func set(_ key: String, _ value: String?) throws(StoreError) {
    try git { repository throws(GitError) in try repository.setConfiguration(key, value) }
  }

  /// Runs `body` on the repository and converts its errors.
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

/// A store's environment: the clock, new ids and the device's name.
public struct StoreContext: Sendable {
  public var now: @Sendable () -> Instant
  public var newID: @Sendable (Instant) -> String
  /// The device's name, if it is not the one in the repository's settings.
  public var device: String?
  /// Whether the user confirmed that many files were removed on purpose.
  public var acceptsManyRemovals = false
  /// Whether commands are only rehearsed: they tell what they would change, and change nothing.
  public var isRehearsal = false
  /// The time to wait for another writing process, in milliseconds.
  public var patience: Int64 = 60_000
  /// Called again and again while another process is waited for.
  public var waits: @Sendable () -> Void = {}

  public init(
    now: @escaping @Sendable () -> Instant,
    newID: @escaping @Sendable (Instant) -> String = { Identifier.random(at: $0) },
    device: String? = nil
  ) {
    self.now = now
    self.newID = newID
    self.device = device
  }
}

/// A place for work that waits for files and locks, which the shared threads of actors must not do.
package typealias StoreExecutor = SerialExecutor & TaskExecutor

/// A serial queue for an actor's methods.
package final class StoreQueue: StoreExecutor {
  private let queue = DispatchQueue(label: "larder.store")

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async {
      job.runSynchronously(
        isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
    }
  }

  package func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}

/// Returns the machine's clock in nanoseconds since 1970, for comparison with file times.
func wallClock() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// Returns the time of the start of the system, in nanoseconds since 1970.
func systemStart() -> Int64 {
  var time = timespec()
  #if canImport(Darwin)
    clock_gettime(CLOCK_MONOTONIC, &time)
  #else
    clock_gettime(CLOCK_BOOTTIME, &time)
  #endif
  return wallClock() - Int64(time.tv_sec) * 1_000_000_000 - Int64(time.tv_nsec)
}

func pause(milliseconds: Int64) {
  usleep(UInt32(milliseconds * 1000))
}

/// Returns a path without symbolic links, or the unchanged path if the system can't resolve it.
func realPath(_ path: String) -> String {
  guard let resolved = realpath(path, nil) else { return path }
  defer { free(resolved) }
  return String(cString: resolved)
}
