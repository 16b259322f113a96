internal import Foundation
internal import LarderGit
internal import LarderJSON
package import LarderModel

/// This clone's settings for its project; secrets are in the user's credentials file instead.
extension Store {
  /// The address of the household's project; nil without a project.
  package var cloudURL: String? {
    get throws(StoreError) { try setting("larder.cloudUrl") }
  }

  /// Returns the household's format in the project, as far as this clone knows.
  ///
  /// Nil without a project.
  package func cloudFormat() throws(StoreError) -> String? {
    guard let url = try cloudURL else { return nil }
    let (household, replica) = try cloudReplica(project: url)
    guard let own = household.own else { return nil }
    return replica.known(own.key, in: household)?.format
  }

  /// Sets or removes the address of the project.
  package func setCloudURL(_ url: String?) throws(StoreError) {
    try set("larder.cloudUrl", url)
  }

  /// The project account that this clone uses; nil if none is stored.
  package var cloudAccount: String? {
    get throws(StoreError) { try setting("larder.cloudAccount") }
  }

  /// Sets the project account that this clone uses.
  package func setCloudAccount(_ account: String?) throws(StoreError) {
    try set("larder.cloudAccount", account)
  }

  /// Sets the id of the user who writes here: the signed-in user.
  package func setUserID(_ id: String) throws(StoreError) {
    try set("larder.userId", id)
  }
}

extension Store {
  /// Transfers all entities of this clone's own id, from before anybody signed in, to a user.
  ///
  /// They are plain edits in one commit.
  package func takeOver(from before: String, to user: String) throws -> Writing {
    try commit(as: "cloud login") { (edit, writer) throws(Never) in
      for entity in edit.before.entities where entity.userID == before {
        edit.write([(.userID, .string(user))], to: entity.key, now: writer.now)
      }
      return ("sign what was made before signing in", ())
    }.get().writing
  }
}

extension Store {
  /// Whether a process is syncing with a remote or a cloud now.
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
  /// Creates a household that already exists elsewhere, in a new or empty folder, with
  /// `household.json` only.
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
      try store.refuseFilters(loaded)
      store.timeZone = household.timeZone
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
