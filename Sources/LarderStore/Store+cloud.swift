internal import Foundation
internal import LarderGit
internal import LarderJSON
package import LarderModel

/// What this clone knows of its project; what must stay secret is in the user's credentials file.
extension Store {
  /// The address of the project that the household is in; nil where it is in none.
  package var cloudURL: String? {
    get throws(StoreError) { try setting("larder.cloudUrl") }
  }

  /// The format that the project has the household in, as far as this clone has heard; nil where it is in
  /// none.
  package func cloudFormat() throws(StoreError) -> String? {
    guard let url = try cloudURL else { return nil }
    let (household, replica) = try cloudReplica(project: url)
    guard let own = household.own else { return nil }
    return replica.known(own.key, in: household)?.format
  }

  /// Notes the address of the project, or that there is none.
  package func setCloudURL(_ url: String?) throws(StoreError) {
    try git { repository throws(GitError) in
      try repository.setConfiguration("larder.cloudUrl", url)
    }
  }

  /// Whether nothing is to be sent to a project or asked from it.
  public var isLocalOnly: Bool {
    get throws(StoreError) { try setting("larder.localOnly") == "true" }
  }

  /// Notes whether nothing is to be sent to a project or asked from it.
  public func setLocalOnly(_ wanted: Bool) throws(StoreError) {
    try git { repository throws(GitError) in
      try repository.setConfiguration("larder.localOnly", wanted ? "true" : nil)
    }
  }

  /// Whether commands exchange with the project by themselves, behind what they do.
  public var syncsByItself: Bool {
    get throws(StoreError) { try setting("larder.autoSync") == "true" }
  }

  /// Notes whether commands exchange with the project by themselves.
  public func setSyncsByItself(_ wanted: Bool) throws(StoreError) {
    try git { repository throws(GitError) in
      try repository.setConfiguration("larder.autoSync", wanted ? "true" : nil)
    }
  }

  /// The account of the project that this clone uses; nil where it remembers none.
  package var cloudAccount: String? {
    get throws(StoreError) { try setting("larder.cloudAccount") }
  }

  /// Notes the account of the project that this clone uses.
  package func setCloudAccount(_ account: String?) throws(StoreError) {
    try git { repository throws(GitError) in
      try repository.setConfiguration("larder.cloudAccount", account)
    }
  }

  /// Notes who writes here: the user who is signed in.
  package func setUserID(_ id: String) throws(StoreError) {
    try git { repository throws(GitError) in
      try repository.setConfiguration("larder.userId", id)
    }
  }
}

extension Store {
  /// Lets somebody be the owner of all that an id owns which was this clone's before anybody signed in,
  /// as plain edits in one commit.
  package func takeOver(from before: String, to user: String) throws -> Writing {
    try write("cloud login") { edit, writer in
      for entity in edit.before.entities where entity.userID == before {
        edit.write([("userId", .string(user))], to: entity.key, now: writer.now)
      }
      return "sign what was made before signing in"
    }
  }
}

/// How patient a clone is with its project.
extension Store {
  /// How often a request is repeated that failed for something passing.
  public var cloudRetries: Int {
    get throws(StoreError) { try setting("larder.cloudRetries").flatMap { Int($0) } ?? 4 }
  }

  /// How long to wait before the first repetition, at most, in milliseconds; each next one may take
  /// twice as long.
  public var cloudRetryDelay: Int {
    get throws(StoreError) { try setting("larder.cloudRetryDelay").flatMap { Int($0) } ?? 500 }
  }

  /// Notes how often a request is repeated.
  public func setCloudRetries(_ count: Int) throws(StoreError) {
    try git { repository throws(GitError) in
      try repository.setConfiguration("larder.cloudRetries", String(count))
    }
  }

  /// Notes how long to wait before the first repetition, in milliseconds.
  public func setCloudRetryDelay(_ milliseconds: Int) throws(StoreError) {
    try git { repository throws(GitError) in
      try repository.setConfiguration("larder.cloudRetryDelay", String(milliseconds))
    }
  }

  /// Whether somebody exchanges with a remote or a cloud just now.
  package var isSyncing: Bool {
    get throws(StoreError) {
      guard let folder = deviceFolder else { return false }
      do throws(StoreError) {
        try HouseholdLock(folder: folder, name: "sync-lock", patience: 0).release()
        return false
      } catch {
        guard case .locked = error else { throw error }
        return true
      }
    }
  }
}

extension Store {
  /// Makes a household that is elsewhere already in a new or empty folder: its own file, to begin
  /// with.
  ///
  /// `program` is the command by which git calls larder.
  package static func create(
    at directory: String, of household: Entity, program: String, context: StoreContext
  ) throws -> Store {
    try SystemFile.makeFolder(directory)
    let root = realPath(directory)
    guard try FileManager.default.contentsOfDirectory(atPath: root).isEmpty else {
      throw StoreError.exists(path: root)
    }
    let store = Store(root: root, repository: try repository(at: root), context: context)
    try store.setUpDevice(program: program)
    try store.whileLocked { () throws(any Error) in
      var loaded = try store.load()
      var after = loaded.household
      after.put(household, at: Kind.householdPath)
      let files =
        store.plan([household.key], after, from: loaded.household, loaded)
        + [try store.plannedAttributes(&loaded)].compactMap(\.self)
      _ = try store.commit(
        files, parents: [],
        try store.message("join the household \(household.title)", command: "join"),
        by: try store.signature(), &loaded)
    }
    return store
  }
}
