internal import LarderGit
internal import LarderJSON
package import LarderModel
package import LarderText

extension Store {
  /// Joins the things of a copy into this household, after adopting hand edits, in one commit.
  ///
  /// A household that holds nothing becomes the copy's. Otherwise this one keeps its own file
  /// unless the copy is of the same household.
  package func take(
    _ copy: [(entity: Entity, path: FilePath)], subject: String, _ command: String,
    adopted: (Writing.Adoption, Household) -> Void
  ) throws -> Writing {
    if context.isRehearsal {
      try recoverBeforeReading()
      if let loose = try looseHead() { throw StoreError.looseHead(loose) }
      let loaded = try load()
      try checkWritable(loaded)
      let joined = try joined(copy, loaded)
      return Writing(
        household: joined, changed: changed(joined, loaded), commit: nil, adoption: nil,
        base: (loaded.household, loaded.head.commit))
    }
    return try whileLocked { () throws(StoreError) in
      var loaded = try load()
      try checkWritable(loaded)
      let adoption = try adopt(&loaded)
      if let adoption { adopted(adoption, loaded.household) }
      let base = (loaded.household, loaded.head.commit)
      let joined = try joined(copy, loaded)
      let changed = changed(joined, loaded)
      let left = loaded.household.keys.filter { joined[$0] == nil }
      let message = try message(subject, command: command)
      let commit = try commit(changed + left, joined, message, &loaded)
      return Writing(
        household: joined, changed: changed, commit: commit, adoption: adoption, base: base)
    }
  }

  private func changed(_ joined: Household, _ loaded: Loaded) -> [EntityKey] {
    joined.keys(differingFrom: loaded.household)
  }

  private func joined(
    _ copy: [(entity: Entity, path: FilePath)], _ loaded: Loaded
  ) throws(StoreError) -> Household {
    var before = loaded.household
    let own = copy.first { $0.entity.kind == .household }?.entity
    if let format = own?.format, !Schema.knows(format: format) { throw .newerFormat(format) }
    // In a project, the household's id is known to others.
    let isAlone = try cloudURL == nil
    let holdsNothing = before.count == 1 && before.untaken.isEmpty
    if isAlone, holdsNothing, own != nil {
      before.forget(path: Kind.householdPath)
      for (entity, path) in copy { before.put(entity, at: path) }
      return before
    }
    // Files broken or refused only in the work tree stay there.
    for path in loaded.left { before.untaken[path] = nil }
    var theirs = before
    for (entity, path) in copy {
      guard let entity = entity.belonging(to: before.own, insteadOf: own) else { continue }
      theirs.put(entity, at: theirs.place(for: entity, wanting: reachable(path)))
    }
    return before.joined(with: theirs, base: nil)
  }
}

extension Entity {
  /// Returns a thing of another household as one of this one; nil for the other household itself.
  ///
  /// The result is the same each time, so importing a copy twice changes nothing.
  fileprivate func belonging(to own: Entity?, insteadOf other: Entity?) -> Entity? {
    guard let own, let other, own.id != other.id else { return self }
    guard kind != .household else { return nil }
    guard householdID == other.id else { return self }
    var entity = self
    entity.write(.householdID, .string(own.id), at: entity.updatedAt.next)
    return entity
  }
}
