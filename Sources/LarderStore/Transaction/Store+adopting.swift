internal import LarderGit
internal import LarderModel
public import LarderText

extension Store {
  /// Commits the meaning of plain commits, then the edits since; nil if there is neither.
  func adopt(_ loaded: inout Loaded) throws(StoreError) -> Writing.Adoption? {
    var commits: [ObjectID] = []
    let before = loaded.meaning.household
    let plain = loaded.meaning.plainCommits
    let plainNotes = plain > 0 ? loaded.meaning.notes : []
    if plain > 0, let commit = try adoptCommits(&loaded) { commits.append(commit) }
    guard let edits = loaded.edits else {
      return plain == 0
        ? nil
        : Writing.Adoption(
          notes: plainNotes, changed: Array(loaded.meaning.touched), plainCommits: plain,
          commits: commits, before: before)
    }
    try refuseManyRemovals(edits, of: loaded)
    let message = try message(subject(for: edits, at: loaded.edited), command: "adopt")
    let made = try commit(
      edits.changed, also: loaded.edited, edits.household, message, &loaded)
    if let made { commits.append(made) }
    return Writing.Adoption(
      notes: plainNotes + edits.notes, changed: edits.changed, plainCommits: plain,
      commits: commits, before: before)
  }

  private func subject(for edits: HouseholdAdoption.Outcome, at paths: [FilePath]) -> String {
    let path = edits.changed.first.flatMap { edits.household.path(of: $0) } ?? paths.first
    return edits.changed.count > 1
      ? "adopt edits of \(edits.changed.count) files" : "adopt the edit of \(path ?? "a file")"
  }

  /// Commits the meaning of plain commits before something that is no edit, such as `.gitattributes`.
  ///
  /// In a household that this program must not write, that commit is a plain one, too.
  func adoptCommitsIfAllowed(_ loaded: inout Loaded) throws(StoreError) {
    guard loaded.meaning.plainCommits > 0 else { return }
    do throws(StoreError) {
      try checkWritable(loaded)
    } catch {
      return
    }
    _ = try adoptCommits(&loaded)
  }

  /// Commits the meaning of plain commits, with the same commit id on every device: author,
  /// committer and times are those of its parent.
  private func adoptCommits(_ loaded: inout Loaded) throws(StoreError) -> ObjectID? {
    guard let head = loaded.head.commit else { return nil }
    let meaning = loaded.meaning
    let files = try planAdopting(meaning, loaded)
    loaded.meaning.plainCommits = 0
    guard files.contains(where: { $0.isNews }) else {
      try noteAdopted(head, meaning, loaded)
      return nil
    }
    let author = try git { repository throws(GitError) in try repository.commit(head).author }
    let message = Trailers.message(
      "adopt what was committed with git", [("Larder-Command", "adopt")])
    // Files edited since then keep their edits, which are adopted next.
    return try commit(
      files, parents: [head], message, by: author, leaving: Set(loaded.edited), isCommon: true,
      &loaded)
  }

  /// Marks commits as adopted if their files already say what they mean.
  private func noteAdopted(
    _ head: ObjectID, _ meaning: CommitReader.Meaning, _ loaded: Loaded
  ) throws(StoreError) {
    let (commit, standing) = try git { repository throws(GitError) in
      let commit = try repository.commit(head)
      return (commit, try loaded.reader?.files(of: commit))
    }
    guard let standing, meaning.household.keys(differingFrom: standing).isEmpty,
      meaning.household.untaken.mapValues(\.isRefused) == standing.untaken.mapValues(\.isRefused)
    else { return }
    let known = try git { repository throws(GitError) in
      try repository.reference(Store.adoptedReference)
    }
    // With a journal, so that the lock of a killed process is recognized as larder's.
    try run(
      Transaction(
        move: Transaction.Move(reference: Store.adoptedReference, from: known, to: head), files: []),
      reason: "adopt", by: commit.author)
  }

  /// Returns the files to write so that HEAD's tree says what its commits mean.
  ///
  /// A merge may have dropped files that neither side changed, so the whole households are
  /// compared.
  private func planAdopting(_ meaning: CommitReader.Meaning, _ loaded: Loaded) throws(StoreError)
    -> [PlannedFile]
  {
    guard let reader = loaded.reader, let tree = loaded.tree else { return [] }
    let standing = try git { _ throws(GitError) in try reader.files(in: tree) }
    let household = meaning.household
    let differing = meaning.touched.union(household.keys(differingFrom: standing))
    let known = Set(household.paths)
    return plan(
      Array(differing), household, from: household, loaded,
      also: standing.paths.filter { !known.contains($0) })
  }

  func refuseManyRemovals(_ edits: HouseholdAdoption.Outcome, of loaded: Loaded)
    throws(StoreError)
  {
    let gone = edits.notes.filter { if case .removed = $0 { true } else { false } }.count
    let all = loaded.meaning.household.entities.count
    guard gone > 10, gone * 4 > all, !context.acceptsManyRemovals else { return }
    throw .manyRemovals(gone: gone, of: all)
  }
}

extension Store {
  /// Returns the paths of files that are taken and not in canonical form, sorted.
  public func unformatted() throws(StoreError) -> [FilePath] {
    let loaded = try load()
    return loaded.household.entities.compactMap { entity in
      guard let path = loaded.household.path(of: entity.key),
        loaded.household.untaken[path] == nil,
        let file = loaded.workTree[path], file.blob != Repository.blobID(of: entity.fileBytes)
      else { return nil }
      return path
    }
    .sorted()
  }

  /// Adopts edits and writes every file that is taken in canonical form.
  public func reformat() throws -> Writing {
    try whileLocked { () throws(StoreError) in
      var loaded = try load()
      try checkWritable(loaded)
      let adoption = try adopt(&loaded)
      let household = loaded.household
      let keys = Array(household.keys)
      let left = loaded.left
      let files = plan(keys, household, from: household, loaded).filter { file in
        file.isNews
          || !left.contains(file.path) && loaded.workTree[file.path]?.blob != file.blob
      }
      let message = try message("write the files in canonical form", command: "fmt")
      let head = loaded.head.commit
      let commit = try commit(
        files, parents: [head].compactMap(\.self), message, by: try signature(), &loaded)
      return Writing(
        household: household, changed: files.compactMap { household.key(at: $0.path) },
        commit: commit, adoption: adoption, base: (household, head))
    }
  }
}
