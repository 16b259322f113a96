internal import LarderJSON
internal import LarderModel
internal import LarderStore

/// When the cloud was last known to have each thing as it is here, and what is being sent just now.
///
/// A pull confirms all that is alike then; so only what is otherwise, and what was sent since, needs a
/// time of its own. It lies in `.git/larder/synced.json`.
struct SyncTimes: Sendable {
  private static let file = "synced.json"

  private let project: String
  /// When all that is new in the cloud was last brought.
  private(set) var pulledAt: Instant?
  /// Nil for what the cloud never had.
  private var own: [EntityKey: Instant?] = [:]
  /// What an exchange that is under way sends.
  var sending: Set<EntityKey> = []

  /// The time of something; `isKnown` says that the cloud has it in some form.
  func time(of key: EntityKey, isKnown: Bool) -> Instant? {
    if let own = own[key] { return own }
    return isKnown ? pulledAt : nil
  }

  /// All that is new in the cloud was brought; it has some things otherwise than this household.
  mutating func pulled(
    at now: Instant, but differing: some Sequence<EntityKey>, knows: (EntityKey) -> Bool
  ) {
    let before = self
    own = [:]
    for key in differing { own[key] = .some(before.time(of: key, isKnown: knows(key))) }
    pulledAt = now
  }

  /// The cloud has some things as they are here.
  mutating func pushed(_ keys: some Sequence<EntityKey>, at now: Instant) {
    for key in keys { own[key] = now }
    sending = []
  }
}

extension SyncTimes {
  /// What was noted with a project; nothing where it was with another one, or can't be read: the next
  /// exchange makes it anew.
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
