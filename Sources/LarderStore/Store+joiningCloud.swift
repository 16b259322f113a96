internal import LarderGit
internal import LarderJSON
package import LarderModel

extension Store {
  /// Joins what the cloud holds of some entities into this household, after adopting hand edits, as
  /// one commit; a path is where somebody else keeps the file, for what is new here.
  ///
  /// `known` says what the cloud was known to hold before: a value that both sides wrote since then, and
  /// that did not stand, is in `lost`. `adopted` hears of hand edits as soon as they are adopted.
  package func join(
    cloud entities: [(entity: Entity, path: String?)], known: (EntityKey) -> Entity?,
    adopted: (Writing.Adoption, Household) -> Void = { _, _ in }
  ) throws -> (
    before: Household, after: Household, changed: [EntityKey], lost: [LostWrite]
  ) {
    try whileLocked { () throws(StoreError) in
      var loaded = try load()
      try takeFormat(from: entities.lazy.map(\.entity), &loaded)
      try checkFormat(loaded)
      if let adoption = try adopt(&loaded) { adopted(adoption, loaded.household) }
      // What is broken in the work tree alone stays there.
      var before = loaded.household
      for path in loaded.left { before.unreadable[path] = nil }
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
  /// A path whose folders are no links here; nil for another.
  private func reachable(_ path: String) -> String? {
    do throws(StoreError) {
      _ = try files.state(of: path)
      return path
    } catch {
      return nil
    }
  }

  /// A household whose number was too high can be written again once the cloud has it back: its own
  /// file goes before all else.
  private func takeFormat(from entities: some Sequence<Entity>, _ loaded: inout Loaded)
    throws(StoreError)
  {
    guard let own = loaded.household.own, own.format != "1",
      let theirs = entities.first(where: { $0.key == own.key })
    else { return }
    let joined = own.joined(with: theirs)
    guard joined.format == "1" else { return }
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
  /// Names who made it, as every file of Larder's does: the household, where a client of the cloud
  /// named nobody.
  ///
  /// Every device names the same one, and sends it.
  fileprivate func madeBySomebody(in household: String?) -> Entity {
    guard kind != .household, userID == nil, let household else { return self }
    var made = self
    made.write("userId", .string(household), at: register("userId")?.stamp.next ?? createdAt)
    return made
  }
}

extension String {
  /// Whether a path that somebody else chose names an ordinary file below the root, on every system.
  ///
  /// With a tilde NTFS abbreviates names, `.git` among them, and git takes no such name.
  fileprivate var isPlainPath: Bool {
    PathRule.fault(in: self) == nil
      && split(separator: "/").allSatisfy { name in
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
  /// Where an entity from elsewhere goes: where it lies here, else where it lies there, if that is a
  /// path of its kind that is free.
  func place(for entity: Entity, wanting path: String?) -> String {
    if let known = self.path(of: entity.key) { return known }
    if entity.kind == .household { return Kind.householdPath }
    if let path, Kind(path: path) == entity.kind, path.isPlainPath, key(at: path) == nil,
      unreadable[path] == nil
    {
      return path
    }
    return defaultPath(for: entity)
  }
}
