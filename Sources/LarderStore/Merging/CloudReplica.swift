internal import LarderGit
package import LarderModel
package import LarderText

/// The known state of the cloud: a commit whose tree has the cloud's version of each entity, at the
/// path of the entity in this household.
///
/// The pending changes are the difference of two trees, so no crash can lose them. The commit's
/// message has the cursors up to which the cloud was read, so both change together.
package struct CloudReplica: Sendable {
  /// The project's address and the household's id; the state of another cloud means nothing here.
  private let name: String
  /// The commit of the reference, or nil.
  private var reference: ObjectID?
  /// Nil before anything is known of this cloud.
  private var tree: ObjectID?
  /// Whether anything was ever read from or written to this cloud.
  package var isKnown: Bool { tree != nil }
  /// The version up to which each table was read, by the table's name.
  package private(set) var cursors: [String: Int64]
  /// The newest version seen in each table, by the table's name.
  package private(set) var seen: [String: Int64] = [:]
  /// The id of the database's history; nil if the cloud never sent one.
  package private(set) var origin: String?
  /// The entities that differ in the cloud, with the cloud's version and path.
  private var differing: [EntityKey: (entity: Entity, path: FilePath)] = [:]
  /// The keys in ``differing`` whose path differs from this household's, until the next commit.
  private var misplaced: Set<EntityKey> = []

  /// The entities of this household that the cloud lacks or has in another version, ordered by kind
  /// and id.
  package private(set) var differences: [EntityKey] = []

  /// The files that are broken or refused here, in the work tree or as committed.
  ///
  /// The cloud lacks their content.
  package let untaken: [FilePath]

  /// The known versions in the cloud that this household lacks, and that the cloud will not send
  /// again.
  ///
  /// They came while the file was broken or refused, or had a newer format, or the branch was moved back
  /// since then. The path is that of the file to write.
  package private(set) var missed: [(entity: Entity, path: FilePath?)] = []

  /// Returns the known version of an entity in the cloud, or nil if there is none.
  package func known(_ key: EntityKey, in household: Household) -> Entity? {
    if let known = differing[key] { return known.entity }
    guard tree != nil, !missing.contains(key) else { return nil }
    return household[key]
  }

  /// The entities that the cloud is not known to have.
  private var missing: Set<EntityKey> = []

  init(_ name: String, _ loaded: Loaded, _ repository: Repository) throws(GitError) {
    self.name = name
    cursors = [:]
    untaken = Set(loaded.household.untaken.keys)
      .union(loaded.meaning.household.untaken.keys).sorted()
    reference = try repository.reference(Store.cloudReference)
    if let reference {
      let commit = try repository.commit(reference)
      let trailers = Trailers(commit.message)
      if trailers["Larder-Cloud"] == name {
        tree = commit.tree
        cursors = CloudReplica.cursors(trailers["Larder-Cursors"] ?? "")
        seen = CloudReplica.cursors(trailers["Larder-Seen"] ?? "").merging(cursors) { max($0, $1) }
        origin = trailers["Larder-Origin"]
      }
    }
    try compare(loaded, repository)
  }

  /// Compares the cloud with the committed household; uncommitted edits are not pending yet.
  private mutating func compare(_ loaded: Loaded, _ repository: Repository) throws(GitError) {
    let household = loaded.meaning.household
    var keys: Set<EntityKey> = []
    for change in try repository.ownChanges(from: tree, to: loaded.tree) {
      if let key = household.key(at: change.path) { keys.insert(key) }
      guard let old = change.old,
        case .success(let entity) = HouseholdReader.decoded(
          change.path, try repository.readBlob(old.id)[...])
      else { continue }
      keys.insert(entity.key)
      differing[entity.key] = (entity, change.path)
      if household.path(of: entity.key) != change.path { misplaced.insert(entity.key) }
    }
    // A plain commit means more than its files say, and its files may be equal to the cloud's.
    for key in loaded.meaning.touched where differing[key] == nil {
      keys.insert(key)
      guard let tree, let path = household.path(of: key),
        let entry = try repository.entry(at: path, in: tree),
        case .success(let entity) = HouseholdReader.decoded(
          path, try repository.readBlob(entry.id)[...]), entity.key == key
      else { continue }
      differing[key] = (entity, path)
    }
    missing = keys.filter { differing[$0] == nil }
    differences = keys.filter { key in
      guard let ours = household[key] else { return false }
      return differing[key].map { $0.entity.joined(with: ours) != $0.entity } ?? true
    }.sorted(by: EntityKey.precedes)
    missed = differing.sorted { EntityKey.precedes($0.key, $1.key) }.map(\.value)
      .filter { known in
        let path = household.path(of: known.entity.key) ?? known.path
        guard household.untaken[path] == nil else { return false }
        return household[known.entity.key].map { $0.joined(with: known.entity) != $0 } ?? true
      }
      .map { ($0.entity, $0.path == CloudReplica.spare($0.entity.key) ? nil : $0.path) }
  }

  private static func words(_ versions: [String: Int64]) -> String {
    versions.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }

  private static func cursors(_ text: String) -> [String: Int64] {
    var cursors: [String: Int64] = [:]
    for word in text.split(separator: " ") {
      let parts = word.split(separator: "=")
      if parts.count == 2, let version = Int64(parts[1]) { cursors[String(parts[0])] = version }
    }
    return cursors
  }
}

extension CloudReplica {
  /// Records the cloud's current versions and cursors in one commit.
  ///
  /// Makes no commit if nothing is new.
  package mutating func note(
    _ entities: [Entity], cursors news: [String: Int64] = [:], seen more: [String: Int64] = [:],
    origin told: String? = nil, in household: Household, _ store: Store
  ) throws(StoreError) {
    var changes: [FilePath: (ObjectID, FileMode)?] = [:]
    var held: [EntityKey: Entity] = [:]
    for key in misplaced { held[key] = differing[key]?.entity }
    for entity in entities { held[entity.key] = entity }
    for key in held.keys {
      if let old = differing[key] { changes.updateValue(nil, forKey: old.path) }
    }
    let placed = held.map { key, entity in
      (entity, household.path(of: key) ?? differing[key]?.path ?? CloudReplica.spare(key))
    }
    let blobs = try store.git { repository throws(GitError) in
      try repository.writeBlobs(placed.map(\.0.fileBytes))
    }
    for ((_, path), blob) in zip(placed, blobs) { changes[path] = (blob, .file) }
    let before = (tree, cursors, origin, seen)
    cursors.merge(news) { $1 }
    seen = seen.merging(news) { max($0, $1) }.merging(more) { max($0, $1) }
    origin = told ?? origin
    let base = tree
    let made = try store.git { repository throws(GitError) in
      try repository.writeTree(from: base, changing: changes)
    }
    if made == before.0, cursors == before.1, origin == before.2, seen == before.3 { return }
    tree = made
    try commit(made, store)
    for (entity, path) in placed {
      missing.remove(entity.key)
      differing[entity.key] = household[entity.key] == entity ? nil : (entity, path)
    }
    misplaced = []
  }

  /// Returns the path for an entity whose file is broken or refused here.
  private static func spare(_ key: EntityKey) -> FilePath {
    let digits = key.id.utf8.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count < 2 ? "0" + digits : digits
    }
    return "\(key.kind.folder ?? "household")/\(digits.joined()).json"
  }

  private mutating func commit(_ tree: ObjectID, _ store: Store) throws(StoreError) {
    let message = Trailers.message(
      "what the cloud holds",
      [
        ("Larder-Command", "cloud"), ("Larder-Cloud", name),
        ("Larder-Cursors", CloudReplica.words(cursors)),
        ("Larder-Seen", CloudReplica.words(seen)),
      ] + (origin.map { [("Larder-Origin", $0)] } ?? []))
    let author = try store.signature()
    let commit = try store.git { repository throws(GitError) in
      try repository.writeCommit(
        tree: tree, parents: [], author: author, committer: author, message: message)
    }
    try store.moveOwn(
      Transaction.Move(reference: Store.cloudReference, from: reference, to: commit),
      reason: "larder: cloud", by: author)
    reference = commit
  }
}

extension Store {
  /// Returns this household as committed, and the known state of a project's household.
  package func cloudReplica(project: String) throws(StoreError) -> (
    household: Household, replica: CloudReplica
  ) {
    let loaded = try load()
    let household = loaded.meaning.household
    guard let own = household.own else { throw .notAHousehold(directory: root) }
    let replica = try git { repository throws(GitError) in
      try CloudReplica("\(project) \(own.id)", loaded, repository)
    }
    return (household, replica)
  }

  /// Deletes the known state of any cloud.
  package func forgetCloud() throws(StoreError) {
    let lock = try locked()
    defer { lock.release() }
    try git { repository throws(GitError) in
      guard try repository.reference(Store.cloudReference) != nil else { return }
      try removeLeftLock(of: Store.cloudReference, repository)
      try repository.deleteReference(Store.cloudReference)
    }
  }
}
