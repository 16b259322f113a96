internal import LarderModel
internal import LarderStore

/// The times at which the cloud was last known to have this device's version of each entity, and
/// the entities being sent.
///
/// A pull confirms all entities that are equal. So only entities that differ, and those sent since,
/// need their own time. It is stored in `.git/larder/synced.json`.
struct SyncTimes: Sendable {
  private static let file = "synced.json"

  private let project: String
  /// The time of the last complete pull.
  private(set) var pulledAt: Instant?
  /// The entities' own times; nil for entities that the cloud never had.
  private var own: [EntityKey: Instant?] = [:]
  /// The entities that a running exchange is sending.
  var sending: Set<EntityKey> = []

  /// Returns the time of an entity; `isKnown` says whether the cloud has some version of it.
  func time(of key: EntityKey, isKnown: Bool) -> Instant? {
    if let own = own[key] { return own }
    return isKnown ? pulledAt : nil
  }

  /// Records a complete pull, with the entities that still differ.
  mutating func pulled(
    at now: Instant, but differing: some Sequence<EntityKey>, knows: (EntityKey) -> Bool
  ) {
    let before = self
    own = [:]
    for key in differing { own[key] = .some(before.time(of: key, isKnown: knows(key))) }
    pulledAt = now
  }

  /// Records that the cloud has this device's version of some entities.
  mutating func pushed(_ keys: some Sequence<EntityKey>, at now: Instant) {
    for key in keys { own[key] = now }
    sending = []
  }
}

extension SyncTimes {
  /// Reads what was stored for a project.
  ///
  /// Empty for another project, or if it is unreadable; the next exchange creates it again.
  init(of store: Store, project: String) throws(StoreError) {
    self.project = project
    guard let bytes = try store.deviceFile(Self.file), let json = try? JSON(parsing: bytes),
      json["project"]?.string == project
    else { return }
    pulledAt = json["pulledAt"]?.string.flatMap(Instant.init)
    for entry in json["others"]?.array ?? [] {
      guard let key = EntityKey(entry) else { continue }
      own[key] = .some(entry["at"]?.string.flatMap(Instant.init))
    }
    sending = Set((json["sending"]?.array ?? []).compactMap(EntityKey.init))
  }

  func save(in store: Store) throws(StoreError) {
    let others = own.sorted { EntityKey.precedes($0.key, $1.key) }.map { key, time in
      JSON.object(
        key.members + [JSONMember("at", time.map { .string($0.description) } ?? .null)])
    }
    let json = JSON.object([
      JSONMember("project", .string(project)),
      JSONMember("pulledAt", pulledAt.map { .string($0.description) } ?? .null),
      JSONMember("others", .array(others)),
      JSONMember(
        "sending",
        .array(sending.sorted(by: EntityKey.precedes).map { JSON.object($0.members) })),
    ])
    try store.writeDeviceFile(Self.file, json.writeFile())
  }
}

extension EntityKey {
  fileprivate init?(_ json: JSON) {
    guard let kind = json["entityType"]?.string.flatMap(Kind.init(rawValue:)),
      let id = json["entityId"]?.string
    else { return nil }
    self.init(kind, id)
  }

  fileprivate var members: [JSONMember] {
    [
      JSONMember("entityType", .string(kind.rawValue)), JSONMember("entityId", .string(id)),
    ]
  }
}

/// The newest versions of a household's tables in a project, as its row shows on request.
struct Newest: Sendable {
  /// The id of the database's history; it changes with each restore from a backup.
  let origin: String
  /// The newest version of each table, by its name.
  let versions: [String: Int64]

  init?(_ json: JSON) {
    guard let origin = json["origin"]?.string, let versions = json["versions"]?.versions else {
      return nil
    }
    self.origin = origin
    self.versions = versions
  }

  /// Whether the database lost data that this device has seen, by the newest seen version of each
  /// table and the known history.
  func isBehind(_ seen: [String: Int64], _ known: String?) -> Bool {
    if let known, known != origin { return true }
    return seen.contains { table, version in versions[table].map { $0 < version } ?? false }
  }
}

extension JSON {
  /// The object of the versions of tables.
  package init(versions: [String: Int64]) {
    self = .object(
      versions.sorted { $0.key < $1.key }.map { JSONMember($0.key, .number(String($0.value))) })
  }

  /// The versions of tables, by their names; nil if this is no object.
  var versions: [String: Int64]? {
    members.map { members in
      Dictionary(
        members.compactMap { member in
          member.value.number.flatMap(Int64.init).map { (member.key, $0) }
        }
      ) { $1 }
    }
  }
}

/// The database was restored from a backup, so the known state may be wrong.
struct Restored: Error {}

extension RestClient {
  /// Returns the format and newest versions of a household in the project.
  ///
  /// Nil if the user does not see it.
  func standing(of household: String) async throws(CloudError) -> (format: String, newest: Newest?)?
  {
    for table in CloudTable.all where table.kind == .household {
      let rows = try await select(
        table.name, [.columns(["id", "format", "newest"]), .equal("id", household)])
      return rows.first.map {
        ($0["format"]?.number ?? Schema.format, $0["newest"].flatMap(Newest.init))
      }
    }
    return nil
  }
}
