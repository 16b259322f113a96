internal import LarderJSON
internal import LarderModel
public import LarderText

/// The merge of one file for git's merge driver, `larder merge-driver`.
public enum MergeFile {
  /// Joins two versions of one file, with the ancestor that git passes.
  ///
  /// There is no history here, so each side is adopted against the ancestor, 1 ms after the latest
  /// time in either. Nil, a conflict, if the ids differ, if a side is untaken, or if there is no
  /// ancestor and a side lacks its creation time.
  public static func merge(base: [UInt8]?, ours: [UInt8], theirs: [UInt8], path: FilePath)
    -> [UInt8]?
  {
    guard let mine = file(ours, path), let other = file(theirs, path), let id = mine.id,
      other.id == id
    else { return nil }
    let ancestor = base.flatMap { file($0, path) }.flatMap { $0.id == id ? $0 : nil }
    let later = [mine, other].compactMap(\.latest).max() ?? Instant(milliseconds: 0)
    guard let left = entity(mine, against: ancestor, at: later.next),
      let right = entity(other, against: ancestor, at: later.next)
    else { return nil }
    let joined = left.joined(with: right)
    guard joined.showsLoose else { return joined.fileBytes }
    guard let total = waitingTotal(ancestor, mine, other) else { return nil }
    return joined.fileBytes(waiting: total)
  }

  /// Returns the count of all there is that stays in the file, as nobody knows the batches here.
  ///
  /// It is that of the side that wrote it; nil if both wrote one, and not the same. Who adopts a file
  /// takes it out, so that a new one beats that.
  private static func waitingTotal(
    _ base: EntityFile?, _ ours: EntityFile, _ theirs: EntityFile
  ) -> Number?? {
    let was = base?.totalBesideLoose(since: nil)
    let (mine, other) = (ours.totalBesideLoose(since: base), theirs.totalBesideLoose(since: base))
    let new = Set([mine, other].filter { $0 != was }.compactMap(\.self))
    if let only = new.first { return new.count == 1 ? .some(only) : nil }
    return .some(mine == other ? mine : nil)
  }

  private static func file(_ bytes: [UInt8], _ path: FilePath) -> EntityFile? {
    guard case .readable(let file)? = HouseholdReader.written(path, bytes[...]) else { return nil }
    return file
  }

  private static func entity(_ file: EntityFile, against base: EntityFile?, at time: Instant)
    -> Entity?
  {
    guard let base, let known = Entity(base), let id = file.id else { return Entity(file) }
    var adoption = FileAdoption(
      after: file, befores: [base], known: known, id: id, at: time,
      userID: base[.userID]?.string ?? id, householdID: base[.householdID]?.string ?? id,
      history: { [OlderFile(base)] })
    adoption.isAlone = !file.showsLoose && !base.showsLoose
    do {
      var entity = try adoption.outcome().entity
      if let pageFrom = file.pageFrom { entity.openPage(at: pageFrom) }
      return entity.joined(
        with: Entity(file.kind, id: id, createdAt: file.createdAt ?? entity.createdAt))
    } catch {
      return nil
    }
  }
}

extension EntityFile {
  /// What a file of an item says there is in all, where another number beside it, or in the ancestor,
  /// says what lies loose.
  ///
  /// Nil if it says nothing, or is an older version than the ancestor.
  fileprivate func totalBesideLoose(since base: EntityFile?) -> Number? {
    if let mine = updatedAt, let theirs = base?.updatedAt, mine < theirs { return nil }
    if showsLoose { return total }
    return base?.showsLoose ?? false && total != ledgerTotal ? total : nil
  }
}
