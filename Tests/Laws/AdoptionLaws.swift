import LarderModel
import LarderStore
import LarderText

/// What holds for adopting any file, new or over any other, and for git's merge of any two.
struct AdoptionLaws {
  let versions: Versions
  private static let id = "00000000-0000-7000-8000-000000000001"
  private static let noon = Instant(milliseconds: 1_795_262_400_000)

  init(_ versions: Versions) {
    self.versions = versions
  }

  func check() throws(BrokenLaw) {
    guard let first = try versions.file(0) else { return }
    let known = try adopted(first, over: nil, known: nil)
    guard let known, let second = try versions.file(1) else { return }
    if let edited = try adopted(second, over: first, known: known) {
      for entry in known.ledger.entries where edited.ledger[entry.id] != entry {
        throw BrokenLaw("\(entry.id) is lost or altered", known.fileBytes, edited.fileBytes)
      }
    }
    try checkMerging()
  }

  /// What a file means over the one before, which stays so; nil where the edit breaks a rule.
  private func adopted(_ file: EntityFile, over before: EntityFile?, known: Entity?)
    throws(BrokenLaw) -> Entity?
  {
    guard let outcome = outcome(file, over: before, known: known, at: Self.noon) else { return nil }
    let entity = outcome.entity
    guard let again = self.outcome(file, over: before, known: known, at: Self.noon),
      again.entity == entity
    else { throw BrokenLaw("adopting is no function", entity.fileBytes) }
    try entity.checkReadingBack()
    let written = try EntityFile(written: entity)
    try expect(entity, from: written, over: written, "its own file changes it")
    try expect(entity, from: file, over: file, "adopted again it changes")
    return entity
  }

  /// Nothing is new in a file that lies over itself, whenever one looks.
  private func expect(
    _ entity: Entity, from file: EntityFile, over before: EntityFile, _ broken: String
  ) throws(BrokenLaw) {
    let later = Self.noon.adding(milliseconds: 86_400_000)
    guard let outcome = outcome(file, over: before, known: entity, at: later) else {
      throw BrokenLaw("\(broken): refused", entity.fileBytes)
    }
    guard outcome.entity == entity else {
      throw BrokenLaw(broken, entity.fileBytes, outcome.entity.fileBytes)
    }
    guard outcome.stale.isEmpty else {
      throw BrokenLaw("\(broken): stale \(outcome.stale)", entity.fileBytes)
    }
  }

  private func outcome(
    _ file: EntityFile, over before: EntityFile?, known: Entity?, at time: Instant
  ) -> FileAdoption.Outcome? {
    let befores = [before].compactMap(\.self)
    do {
      return try FileAdoption(
        after: file, befores: befores, known: known, id: known?.id ?? file.id ?? Self.id, at: time,
        userID: Self.id, householdID: Self.id, history: { befores.map { OlderFile($0) } }
      ).outcome()
    } catch {
      return nil
    }
  }

  // MARK: - Git's merge

  /// Which side is ours makes no difference, and what came of it is joined with itself as it is.
  private func checkMerging() throws(BrokenLaw) {
    let (base, ours) = (versions.texts[0], versions.texts[1])
    let theirs = versions.texts.count > 2 ? versions.texts[2] : base
    guard let merged = merge(base, ours, theirs) else { return }
    guard merge(base, theirs, ours) == merged else {
      throw BrokenLaw("it matters whose side is ours", merged)
    }
    guard merge(merged, merged, merged) == merged else {
      throw BrokenLaw("merged with itself it changes", merged)
    }
    guard merge(nil, merged, merged) == merged else {
      throw BrokenLaw("added on both sides it changes", merged)
    }
  }

  private func merge(_ base: [UInt8]?, _ ours: [UInt8], _ theirs: [UInt8]) -> [UInt8]? {
    let path = versions.kind.folder.map { FilePath("\($0)/a.json") } ?? Kind.householdPath
    return MergeFile.merge(base: base, ours: ours, theirs: theirs, path: path)
  }
}
