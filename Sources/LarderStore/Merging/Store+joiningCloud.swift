internal import LarderGit
internal import LarderJSON
package import LarderModel
package import LarderText

extension Store {
  /// Joins the cloud's versions of entities into this household, after adopting hand edits, in one
  /// commit.
  ///
  /// A path is that of the file on another device, for new entities.
  ///
  /// `known` returns the version that the cloud was known to have before. A value that both sides
  /// wrote since then and that did not win is in `lost`. `adopted` is called right after hand edits
  /// are adopted.
  package func join(
    cloud entities: [(entity: Entity, path: FilePath?)], known: (EntityKey) -> Entity?,
    adopted: (Writing.Adoption, Household) -> Void = { _, _ in }
  ) throws -> (
    before: Household, after: Household, changed: [EntityKey], lost: [LostWrite]
  ) {
    try whileLocked { () throws(StoreError) in
      var loaded = try load()
      try takeFormat(from: entities.lazy.map(\.entity), &loaded)
      try checkWritable(loaded)
      if let adoption = try adopt(&loaded) { adopted(adoption, loaded.household) }
      // Files broken or refused only in the work tree stay there.
      var before = loaded.household
      for path in loaded.left { before.untaken[path] = nil }
      var theirs = before
      for (entity, path) in entities {
        let made = entity.madeBySomebody(in: before.own?.id)
        theirs.put(made, at: theirs.place(for: made, wanting: path.flatMap { reachable($0) }))
      }
      let joined = before.joined(with: theirs, base: nil)
      let changed = joined.keys(differingFrom: before)
      let merges = entities.compactMap { entity, _ -> CloudMerge? in
        let key = entity.key
        guard let ours = before[key], let theirs = theirs[key], let joined = joined[key],
          let path = before.path(of: key)
        else { return nil }
        return CloudMerge(
          known: known(key), ours: ours, theirs: theirs, joined: joined, path: path)
      }
      let lost = try note(merges)
      let files = plan(changed, joined, from: before, loaded)
      _ = try commit(
        files, parents: [loaded.head.commit].compactMap(\.self),
        try message("sync with the cloud", command: "sync"), by: try signature(), &loaded)
      return (before, joined, changed, lost)
    }
  }
}

extension Store {
  /// Returns the path if none of its folders is a link here, otherwise nil.
  func reachable(_ path: FilePath) -> FilePath? {
    do throws(StoreError) {
      _ = try files.state(of: path)
      return path
    } catch {
      return nil
    }
  }

  /// Takes the format back to 1 if the cloud has it so, and if this household's format was too high
  /// to write.
  ///
  /// Its own file is joined before everything else.
  private func takeFormat(from entities: some Sequence<Entity>, _ loaded: inout Loaded)
    throws(StoreError)
  {
    guard let own = loaded.household.own, !Schema.knows(format: own.format),
      let theirs = entities.first(where: { $0.key == own.key })
    else { return }
    let joined = own.joined(with: theirs)
    guard Schema.knows(format: joined.format) else { return }
    var after = loaded.household
    after.put(joined, at: Kind.householdPath)
    let files = plan([own.key], after, from: loaded.household, loaded)
    _ = try commit(
      files, parents: [loaded.head.commit].compactMap(\.self),
      try message("take the format back", command: "sync"), by: try signature(), &loaded)
    loaded = try load()
  }
}

extension Entity {
  /// Returns the entity with a creator, as every file of Larder has one.
  ///
  /// If a client of the cloud gave none, it is the household.
  ///
  /// Every device chooses the same one, and sends it.
  fileprivate func madeBySomebody(in household: String?) -> Entity {
    guard kind != .household, userID == nil, let household else { return self }
    var made = self
    made.write(.userID, .string(household), at: register(.userID)?.stamp.next ?? createdAt)
    return made
  }
}

extension FilePath {
  /// Whether a path from another device names an ordinary file below the root, on every system.
  ///
  /// NTFS abbreviates names, including `.git`, with a tilde, and git refuses such names.
  fileprivate var isPlainPath: Bool {
    PathRule.fault(in: self) == nil
      && names.allSatisfy { name in
        name.first != "." && name.last != "." && name.last != " "
          && name.unicodeScalars.allSatisfy { scalar in
            !scalar.properties.generalCategory.isInvisible
              && !"\\:*?\"<>|~".unicodeScalars.contains(scalar)
          }
      }
  }
}

extension Unicode.GeneralCategory {
  fileprivate var isInvisible: Bool {
    switch self {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: true
    default: false
    }
  }
}

extension Household {
  /// Returns the path for an entity from elsewhere: its path here, otherwise its path there if that
  /// is free and fits its kind.
  func place(for entity: Entity, wanting path: FilePath?) -> FilePath {
    if let known = self.path(of: entity.key) { return known }
    if entity.kind == .household { return Kind.householdPath }
    if let path, Kind(path: path) == entity.kind, path.isPlainPath, key(at: path) == nil,
      untaken[path] == nil
    {
      return path
    }
    return defaultPath(for: entity)
  }
}

/// The versions of an entity before a join with the cloud.
struct CloudMerge {
  /// The version that the cloud was known to have; nil if it was not known to have any.
  let known: Entity?
  let ours: Entity
  let theirs: Entity
  let joined: Entity
  /// The path of the entity's file.
  let path: FilePath

  /// Whether a value of either side lost.
  var hasLosses: Bool {
    !ours.losses(to: theirs, since: known, in: joined).isEmpty
      || !theirs.losses(to: ours, since: known, in: joined).isEmpty
  }
}

extension Store {
  /// The reference to the joins with the cloud in which values lost, newest first.
  ///
  /// A join with the cloud is a commit with one parent, because the cloud has no commits. So each
  /// join in which a value lost is recorded here as a git merge would be: a commit of the known
  /// version, one commit of each side, and their merge, with only the affected files. The next
  /// record follows it.
  static let cloudMergesReference = "refs/larder/cloud-merges"

  /// Records the merges in which values lost, and returns these values.
  ///
  /// The caller must hold the household's lock.
  func note(_ merges: [CloudMerge]) throws(StoreError) -> [LostWrite] {
    let lossy = merges.filter(\.hasLosses)
    guard !lossy.isEmpty else { return [] }
    let device = try signature()
    var cloud = device
    (cloud.name, cloud.email) = ("the cloud", "cloud@larder.invalid")
    let subject = "what lost in a sync with the cloud"
    let message = try message(subject, command: "sync")
    let theirMessage = Trailers.message(subject, [("Larder-Command", "sync")])
    let (last, merge) = try git { repository throws(GitError) in
      let last = try repository.reference(Store.cloudMergesReference)
      func commit(
        _ version: (CloudMerge) -> Entity?, after parents: [ObjectID], by author: Signature,
        _ message: String
      ) throws(GitError) -> ObjectID {
        var files: [FilePath: (ObjectID, FileMode)?] = [:]
        for merge in lossy {
          guard let entity = version(merge) else { continue }
          files[merge.path] = (try repository.writeBlob(entity.fileBytes), .file)
        }
        let tree = try repository.writeTree(from: nil, changing: files)
        return try repository.writeCommit(
          tree: tree, parents: parents, author: author, committer: author,
          message: message + CommitContent.lines(tree: tree, parents: parents, refused: []))
      }
      let known = try commit(\.known, after: [last].compactMap(\.self), by: device, message)
      let ours = try commit(\.ours, after: [known], by: device, message)
      let theirs = try commit(\.theirs, after: [known], by: cloud, theirMessage)
      return (last, try commit(\.joined, after: [ours, theirs], by: device, message))
    }
    try run(
      Transaction(
        move: Transaction.Move(
          reference: Store.cloudMergesReference, from: last, to: merge), files: []),
      reason: "larder: cloud", by: device)
    let search = try mergeLosses()
    return try git { repository throws(GitError) in
      try search.losses(in: try repository.commit(merge))
    }
  }
}
