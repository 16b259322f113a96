package import LarderGit
package import LarderModel
package import LarderText

/// The result of joining another history into this one.
package struct Joining: Sendable {
  package enum Course: Sendable {
    /// The other history has nothing new.
    case upToDate
    /// This device had nothing new: a fast-forward.
    case forward
    case merged(ObjectID)
  }

  package var course: Course
  /// The household afterwards; nil if it has not changed.
  package var household: Household?
  /// Other files that both sides changed, with the path of the second version.
  package var conflicts: [(path: FilePath, second: FilePath)] = []
}

/// The reason why two histories can't be joined.
package enum JoiningError: Error, Sendable {
  case unrelatedHistories
  /// The other commit has content that no household may have; nothing of it was written.
  case refused(RefusedCommit)
  case newerFormat(String)
}

extension Store {
  /// Joins a commit of another device into this branch and the work tree, after adopting hand
  /// edits.
  ///
  /// The caller must hold the lock. `adopted` is called right after hand edits are adopted: they
  /// stay adopted, even if the join fails.
  package func join(
    _ theirs: ObjectID, from remote: String, joiningHistories: Bool,
    adopted: (Writing.Adoption, Household) -> Void = { _, _ in }
  ) throws -> Joining {
    var loaded = try loadForWriting()
    try checkWritable(loaded)
    if let adoption = try adopt(&loaded) { adopted(adoption, loaded.household) }
    return try join(
      theirs, from: remote, joiningHistories: joiningHistories, onto: &loaded, adopted: adopted)
  }

  func join(
    _ theirs: ObjectID, from remote: String, joiningHistories: Bool, onto loaded: inout Loaded,
    adopted: (Writing.Adoption, Household) -> Void
  ) throws -> Joining {
    guard let ours = loaded.head.commit, let reader = loaded.reader, let tree = loaded.tree else {
      throw StoreError.notAHousehold(directory: root)
    }
    let bases = try git { repository throws(GitError) in try repository.mergeBases(ours, theirs) }
    if bases.contains(theirs) { return Joining(course: .upToDate) }
    if let refused = try refusal(of: theirs) { throw JoiningError.refused(refused) }
    let theirTree = try git { repository throws(GitError) in try repository.commit(theirs).tree }
    try refuseFilters(in: theirs, theirTree, since: tree)
    // Files broken or refused only in the work tree stay there; the commits are joined without them.
    var before = loaded.household
    for path in loaded.left { before.untaken[path] = nil }
    let other = try git { _ throws(GitError) in try reader.meaning(of: theirs).household }
    if let format = other.own?.format, !Schema.knows(format: format) {
      throw JoiningError.newerFormat(format)
    }
    if bases.contains(ours) {
      try forward(to: theirs, theirTree, from: tree, &loaded)
      var after = try load()
      if let adoption = try adopt(&after) { adopted(adoption, after.household) }
      return Joining(
        course: .forward, household: after.household, conflicts: takeSetAside())
    }
    // Two clones that joined by a project have a history each, and the household is the same.
    let isOne = before.own.map { $0.id == other.own?.id } ?? false
    guard !bases.isEmpty || isOne || joiningHistories else {
      throw JoiningError.unrelatedHistories
    }
    let baseTree = try git { repository throws(GitError) in
      try bases.min().map { id throws(GitError) in try repository.commit(id).tree }
    }
    let base = try git { _ throws(GitError) in
      try baseTree.map { tree throws(GitError) in try reader.files(in: tree) }
    }
    var joined = before.joined(with: other, base: base)
    let sides = (
      ours: JoinedSide(tree: tree, household: before),
      theirs: JoinedSide(tree: theirTree, household: other)
    )
    let plain = try mergePlainFiles(base: baseTree, sides.ours, sides.theirs, &joined)
    let files = try plannedJoin(joined, before, theirTree, plain.files, loaded)
    let refused = try refusedFiles(of: joined, files, loaded)
    let hasSameFiles = theirTree == tree && !files.contains { $0.isNews }
    let commit =
      hasSameFiles
      ? try commitSame([ours, theirs].sorted(), files, refused, &loaded)
      : try commit(
        files, parents: [ours, theirs],
        try message("sync with \(remote)", command: "sync"), by: try signature(),
        refused: refused, &loaded)
    guard let commit else { return Joining(course: .upToDate) }
    return Joining(
      course: .merged(commit), household: joined, conflicts: plain.conflicts + takeSetAside())
  }

  /// Joins two histories with the same files, in a commit that is the same on every device.
  ///
  /// Otherwise devices with several remotes would go on joining each other's joins.
  private func commitSame(
    _ parents: [ObjectID], _ files: [PlannedFile], _ refused: Set<FilePath>,
    _ loaded: inout Loaded
  ) throws(StoreError) -> ObjectID? {
    let authors = try git { repository throws(GitError) in
      try parents.map { id throws(GitError) in try repository.commit(id).author }
    }
    guard var author = authors.first else { return nil }
    for other in authors where other.seconds > author.seconds { author = other }
    let message = Trailers.message("join the same files", [("Larder-Command", "sync")])
    return try commit(
      files, parents: parents, message, by: author, isCommon: true, refused: refused, &loaded)
  }

  /// Returns the paths of the joined files that can be read, but whose edits one side refused.
  private func refusedFiles(
    of joined: Household, _ files: [PlannedFile], _ loaded: Loaded
  ) throws(StoreError) -> Set<FilePath> {
    var refused: Set<FilePath> = []
    for path in joined.untaken.keys {
      let bytes =
        if let planned = files.last(where: { $0.path == path }) {
          planned.bytes
        } else {
          try loaded.committed[path].map { entry throws(StoreError) in
            try git { repository throws(GitError) in try repository.readBlob(entry.id) }
          }
        }
      guard let bytes else { continue }
      if case .success = HouseholdReader.decoded(path, bytes[...]) { refused.insert(path) }
    }
    return refused
  }

  /// Returns the files to write for a join, in canonical form, so that both devices write the same
  /// tree.
  ///
  /// They are the household's files that differ between the trees or whose entities the join
  /// changed, and the other files as merged.
  private func plannedJoin(
    _ joined: Household, _ before: Household, _ theirTree: ObjectID, _ plain: [PlannedFile],
    _ loaded: Loaded
  ) throws(StoreError) -> [PlannedFile] {
    let ourTree = loaded.tree
    let differing = try git { repository throws(GitError) in
      try repository.ownChanges(from: ourTree, to: theirTree).map(\.path)
    }
    let taken = Set(plain.map(\.path))
    let files = plan(
      joined.keys(differingFrom: before), joined, from: before, loaded, also: differing)
    return files.filter { !taken.contains($0.path) } + plain
  }

  /// Writes the files of a commit into an empty work tree, as after cloning.
  package func checkOut(_ commit: ObjectID) throws {
    if let refused = try git({ repository throws(GitError) in
      try CommitJudge(repository).refusal(of: try repository.commit(commit), since: nil)
    }) {
      throw JoiningError.refused(refused)
    }
    let tree = try git { repository throws(GitError) in try repository.commit(commit).tree }
    try refuseFilters(in: commit, tree, since: nil)
    let head = try git { repository throws(GitError) in try repository.head() }
    let entries = try git { repository throws(GitError) in
      try repository.entries(of: tree)
    }
    guard let folder = deviceFolder else { return }
    try SystemFile.makeFolder(folder)
    let files = entries.map {
      Transaction.File(path: $0.path, old: nil, new: $0.id, mode: $0.mode)
    }
    try run(
      Transaction(
        move: Transaction.Move(reference: head.reference, from: head.commit, to: commit),
        files: files),
      reason: "larder: join", by: try signature())
  }

  /// Fast-forwards to a descendant of HEAD.
  ///
  /// Files edited in the meantime stay, as edits on top of it.
  private func forward(
    to commit: ObjectID, _ tree: ObjectID, from old: ObjectID, _ loaded: inout Loaded
  ) throws(StoreError) {
    let changes = try git { repository throws(GitError) in
      try repository.changes(from: old, to: tree)
    }
    let author = try signature()
    let transaction = Transaction(
      move: Transaction.Move(
        reference: loaded.head.reference, from: loaded.head.commit, to: commit),
      files: changes.map {
        Transaction.File(
          path: $0.path, old: $0.old?.id, new: $0.new?.id, mode: $0.new?.mode ?? .file)
      })
    try run(transaction, reason: "larder: sync (fast-forward)", by: author)
    loaded.head = loaded.head.moved(to: commit)
  }
}
