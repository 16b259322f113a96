import LarderGit
import LarderJSON
import LarderModel
import LarderText

/// The content of all commits, stored independently of the devices.
final class Record {
  /// The content of one commit of Larder.
  struct Version {
    var entities: [RecordedEntity.Key: RecordedEntity] = [:]
    var paths: [FilePath: RecordedEntity.Key] = [:]
    /// Whether every file is readable, so the meaning is exactly the content.
    var isWhole = true
  }

  /// Everything that was ever written.
  private(set) var all: [RecordedEntity.Key: RecordedEntity] = [:]
  /// The texts of fields that were ever adopted, as `folder/field/text`.
  private(set) var texts: Set<String> = []
  /// The content of each commit; nil for a plain one, whose meaning is more than its content.
  private(set) var versions: [ObjectID: Version?] = [:]
  private var files: [ObjectID: RecordedEntity?] = [:]
  /// The number of merges.
  private(set) var merges = 0

  /// Reads the unread commits up to one, parents first, and checks each.
  ///
  /// `judge` gets every commit of Larder that has one parent, with its content and the parent's.
  func read(
    _ head: ObjectID, in repository: Repository,
    judge: (Commit, Version, Version) throws -> Void = { _, _, _ in }
  ) throws {
    for commit in try unread(head, in: repository) {
      let parents = commit.parents.map { versions[$0] ?? nil }
      guard commit.isLarders else {
        versions[commit.id] = .some(try isOfOthers(commit, in: repository) ? parents[0] : nil)
        continue
      }
      let version = try read(commit, parents.compactMap(\.self), in: repository)
      versions[commit.id] = version
      try check(commit, version, parents)
      if commit.parents.count > 1 { merges += 1 }
      if parents.count == 1, let parent = parents[0] { try judge(commit, version, parent) }
    }
  }

  /// Reads a plain commit that a device has adopted without changes; its meaning is its content.
  func take(_ head: ObjectID, in repository: Repository) throws {
    let commit = try repository.commit(head)
    let parents = commit.parents.map { versions[$0] ?? nil }
    let version = try read(commit, parents.compactMap(\.self), in: repository)
    versions[head] = version
    try check(commit, version, parents)
  }

  /// Whether a commit changes no file of the household, so it means the same as its parent.
  private func isOfOthers(_ commit: Commit, in repository: Repository) throws -> Bool {
    guard commit.parents.count == 1 else { return false }
    let parent = try repository.commit(commit.parents[0]).tree
    return try repository.changes(from: parent, to: commit.tree)
      .allSatisfy { Kind(path: $0.path) == nil }
  }

  private func unread(_ head: ObjectID, in repository: Repository) throws -> [Commit] {
    var ordered: [Commit] = []
    var waiting: [(commit: Commit, next: Int)] = []
    var found: Set<ObjectID> = []
    if versions[head] == nil { waiting.append((try repository.commit(head), 0)) }
    while let (commit, next) = waiting.last {
      guard next < commit.parents.count else {
        ordered.append(commit)
        waiting.removeLast()
        continue
      }
      waiting[waiting.count - 1].next += 1
      let parent = commit.parents[next]
      guard versions[parent] == nil, found.insert(parent).inserted else { continue }
      waiting.append((try repository.commit(parent), 0))
    }
    return ordered
  }

  private func read(_ commit: Commit, _ parents: [Version], in repository: Repository) throws
    -> Version
  {
    var version = Version()
    var broken: [FilePath] = []
    for entry in try repository.entries(of: commit.tree) where Kind(path: entry.path) != nil {
      guard let entity = try file(entry, in: repository) else {
        broken.append(entry.path)
        continue
      }
      try expect(
        version.entities[entity.key].map { $0 == entity } ?? true,
        "\(entity.key) has two files in \(commit.id)")
      version.entities[entity.key] = entity
      version.paths[entry.path] = entity.key
    }
    version.isWhole = broken.isEmpty
    let readable = Set(version.entities.keys)
    // The content of a broken file is that of the parent, unless the entity is now at another path.
    for parent in parents {
      for path in broken {
        guard let key = parent.paths[path], let known = parent.entities[key] else { continue }
        version.paths[path] = key
        if !readable.contains(key) { version.entities[key] = known }
      }
    }
    return version
  }

  private func file(_ entry: TreeEntry, in repository: Repository) throws -> RecordedEntity? {
    if let known = files[entry.id] { return known }
    let folder = entry.path.names[0]
    let json = try? JSON(parsing: try repository.readBlob(entry.id))
    let entity = json.flatMap { RecordedEntity($0, folder: folder) }
    files[entry.id] = .some(entity)
    if let json, let entity { note(json, entity) }
    return entity
  }

  private func note(_ json: JSON, _ entity: RecordedEntity) {
    for member in json.members ?? [] {
      guard let text = member.value.string else { continue }
      texts.insert("\(entity.key.folder)/\(member.key)/\(text)")
    }
  }
}

extension Record {
  /// Checks that no commit loses anything of its parents, and that a merge invents nothing.
  private func check(_ commit: Commit, _ version: Version, _ parents: [Version?]) throws {
    for (key, entity) in version.entities {
      if all[key]?.add(entity) == nil { all[key] = entity }
    }
    for parent in parents.compactMap(\.self) {
      for (key, known) in parent.entities {
        guard let entity = version.entities[key] else {
          throw Failure("\(commit.id) (\(commit.subject)) has no \(key)")
        }
        var sum = entity
        sum.add(known)
        try expect(
          sum == entity, "\(commit.id) (\(commit.subject)) loses of \(key):\n\(known)\n\(entity)")
      }
    }
    let known = parents.compactMap(\.self)
    guard parents.count > 1, known.count == parents.count, known.allSatisfy(\.isWhole) else {
      return
    }
    for (key, entity) in version.entities where !entity.isOwnShoppingEntry {
      let sides = known.compactMap { $0.entities[key] }
      guard var sum = sides.first else {
        throw Failure("\(commit.id) makes up \(key)")
      }
      for side in sides.dropFirst() { sum.add(side) }
      try expect(sum == entity, "\(commit.id) makes up of \(key):\n\(sum)\n\(entity)")
    }
  }
}

extension RecordedEntity {
  /// Whether it may be a shopping entry that was created because an item ran out.
  var isOwnShoppingEntry: Bool { key.folder == "shopping" && key.id.dropFirst(14).first == "5" }
}

extension Commit {
  /// Whether the commit's meaning is exactly its content; see docs/adoption.md, section 14.
  var isLarders: Bool {
    guard message.contains("\n\n"), message.contains("\nLarder-Command: ") else { return false }
    guard let line = message.split(separator: "\n").first(where: { $0.hasPrefix("Larder-Tree: ") })
    else { return author == committer }
    return line.split(separator: " ").dropFirst().elementsEqual(
      ([tree] + parents).map { $0.hex[...] })
  }

  var subject: Substring { message.prefix { $0 != "\n" } }
}
