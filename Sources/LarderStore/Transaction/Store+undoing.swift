public import LarderGit
public import LarderModel

extension Store {
  /// Takes back the changes of a commit, as a new commit.
  ///
  /// The default is the last command of this clone that is not undone, including hand edits that it
  /// adopted.
  ///
  /// If the given commit is an undo, it is redone. Throws ``UndoError`` and changes nothing if a
  /// later write would be lost.
  ///
  /// `origin` is the request of another device for it.
  public func undo(
    _ revision: String? = nil, from origin: Origin? = nil,
    adopted: (Writing.Adoption, Household) -> Void = { _, _ in }
  ) throws -> Undoing {
    // HEAD means the commit before edits are adopted.
    let named = try revision.map { try commit(named: $0) }
    return try reverse(from: origin, adopted: adopted) { edit, writer, loaded in
      if let named { return try target(named) }
      return try lastCommand(edit, writer, loaded)
    }
  }

  /// Redoes an undo, as a new commit.
  ///
  /// The default is this clone's last undo, if it has done nothing else since. Throws
  /// ``UndoError`` and changes nothing if a later write would be lost.
  public func redo(
    _ revision: String? = nil, adopted: (Writing.Adoption, Household) -> Void = { _, _ in }
  ) throws -> Undoing {
    let named = try revision.map { try commit(named: $0) }
    return try reverse(adopted: adopted) { _, _, loaded in
      if let named {
        guard case .undo = CommandRole(named) else { throw UndoError.isNoUndo(named) }
        return try target(named)
      }
      let history = try commandHistory()
      guard let head = loaded.head.commit,
        let last = try git({ _ throws(GitError) in try history.lastUndo(from: head) })
      else { throw UndoError.nothing(.redo) }
      if let newer = last.newer { throw UndoError.doneSince(last.undo, newer: newer) }
      return Target(last: last.undo, command: last.command, isRedo: true)
    }
  }

  /// The change to reverse.
  private struct Target {
    /// The commit whose change is taken back: the command, its undo or its redo.
    let last: Commit
    /// The id of the original command.
    let command: ObjectID
    let isRedo: Bool
    /// See ``Undoing/newerPlain``.
    var newerPlain: Commit?
  }

  private func reverse(
    from origin: Origin? = nil, adopted: (Writing.Adoption, Household) -> Void,
    _ find: (Edit, Writer, Loaded) throws -> Target
  ) throws -> Undoing {
    var target: Target?
    var command: Commit?
    var before = Household()
    let writing = try commit(from: origin?.now, adopted: adopted) { edit, writer, loaded in
      let found = try find(edit, writer, loaded)
      let named = try git { repository throws(GitError) in
        // After a rebase, a trailer may name a commit that no longer exists.
        try repository.resolve(found.command.hex).map { id throws(GitError) in
          try repository.commit(id)
        } ?? found.last
      }
      (target, command, before) = (found, named, edit.before)
      let changes = try changes(of: found.last, loaded)
      let lost = try laterChanges(edit.laterWrites(than: changes), since: found.last, loaded)
      let direction: UndoError.Direction = found.isRedo ? .redo : .undo
      guard lost.isEmpty else {
        throw UndoError.changedSince(direction, named, lost, in: edit.after)
      }
      edit.takeBack(changes, by: writer)
      guard !edit.changed.isEmpty else { throw UndoError.nothingLeft(direction, named) }
      let trailer = found.isRedo ? CommandRole.redoTrailer : CommandRole.undoTrailer
      let verb = found.isRedo ? "redo" : "undo"
      let words = CommitWords(
        "\(verb): \(named.subject)", command: verb,
        [(trailer, found.command.hex), (ServedRequests.trailer, origin?.request)])
      return (words, ())
    }.get().writing
    guard let target, let command else { throw UndoError.nothing(.undo) }
    return Undoing(
      command: command, isRedo: target.isRedo, newerPlain: target.newerPlain, before: before,
      writing: writing)
  }

  private func commandHistory() throws(StoreError) -> CommandHistory {
    let own = try ownCommits()
    return try git { repository throws(GitError) in
      CommandHistory(repository: repository, own: own)
    }
  }

  /// Returns this clone's newest command with something left to undo.
  ///
  /// Commands that changed nothing of the household, or were fully reverted since, are skipped.
  private func lastCommand(_ edit: Edit, _ writer: Writer, _ loaded: Loaded) throws -> Target {
    var target: Target?
    if let reader = loaded.reader, let head = loaded.head.commit {
      let history = try commandHistory()
      let plain = try git { _ throws(GitError) in
        try history.visitDone(from: head) { (last, command) throws(GitError) in
          var trial = edit
          let changes = try reader.changes(of: last)
          trial.takeBack(changes, by: writer)
          guard !trial.changed.isEmpty else { return false }
          target = Target(last: last, command: command, isRedo: false)
          return true
        }
      }
      let author = target?.last.author.email
      target?.newerPlain = plain.first { $0.author.email == author }
    }
    guard let target else { throw UndoError.nothing(.undo) }
    return target
  }

  private func commit(named revision: String) throws -> Commit {
    let found = try git { repository throws(GitError) in
      try repository.resolve(revision).map { id throws(GitError) in try repository.commit(id) }
    }
    guard let found else { throw UndoError.unknownRevision(revision) }
    return found
  }

  private func target(_ commit: Commit) throws(UndoError) -> Target {
    guard commit.parents.count < 2, !commit.isSync else { throw UndoError.isMerge(commit) }
    guard !commit.parents.isEmpty else { throw UndoError.startsHousehold(commit) }
    switch CommandRole(commit) {
    case .command: return Target(last: commit, command: commit.id, isRedo: false)
    case .undo(let command): return Target(last: commit, command: command, isRedo: true)
    case .redo(let command): return Target(last: commit, command: command, isRedo: false)
    }
  }

  private func changes(of commit: Commit, _ loaded: Loaded) throws(StoreError)
    -> [EntityDifference]
  {
    try git { _ throws(GitError) in try loaded.reader?.changes(of: commit) ?? [] }
  }

  /// Returns the writes since a commit, with their commits, except those with the same values that
  /// are undos and redos, or commands of this clone: these said them again.
  private func laterChanges(_ writes: [LaterWrite], since commit: Commit, _ loaded: Loaded)
    throws(StoreError) -> [LaterChange]
  {
    guard !writes.isEmpty, let head = loaded.head.commit else { return [] }
    let commits = try git { repository throws(GitError) in
      try WriteSearch(repository: repository)
        .commits(that: writes, from: head, hiding: [commit.id])
    }
    let own = try ownCommits()
    return zip(writes, commits).map { LaterChange(write: $0, commit: $1) }.filter { change in
      guard change.write.isSameValue, let writer = change.commit else { return true }
      return CommandRole(writer).command == nil && !own.contains(writer)
    }
  }
}

extension CommitReader {
  /// Returns the changes of a commit with at most one parent, by the meaning of its files.
  func changes(of commit: Commit) throws(GitError) -> [EntityDifference] {
    guard let id = commit.parents.first else {
      return try meaning(of: commit.id).household.differences(from: Household())
    }
    if try isLiteral(commit), try isLiteral(try repository.commit(id)) {
      return try CommitDifferences(repository).differences(of: commit)
    }
    let before = try meaning(of: id).household
    return try meaning(of: commit.id).household.differences(from: before)
  }
}

/// The result of an undo or a redo.
public struct Undoing: Sendable {
  /// The commit whose change was undone or redone.
  public let command: Commit
  /// Whether it was redone.
  public let isRedo: Bool
  /// The author's newest commit of plain git that is newer than a command found without a revision.
  public let newerPlain: Commit?
  /// The household before, with edits adopted.
  public let before: Household
  public let writing: Writing
}

/// The reason why nothing was undone or redone; nothing was changed.
public enum UndoError: Error, Sendable {
  /// The direction: an undo, or the redo of an undo.
  public enum Direction: Sendable {
    case undo, redo
  }

  /// Nothing that was done in this clone can be undone or redone.
  case nothing(Direction)
  case unknownRevision(String)
  /// The commit to redo is not an undo.
  case isNoUndo(Commit)
  /// This device has done something after its last undo.
  case doneSince(Commit, newer: Commit)
  /// A merge only joins changes of other commits, and a sync with a cloud those of other devices.
  case isMerge(Commit)
  /// The first commit of the household.
  case startsHousehold(Commit)
  /// A command of which nothing is left, or that changed nothing of the household.
  case nothingLeft(Direction, Commit)
  /// An undo or redo would lose later writes.
  case changedSince(Direction, Commit, [LaterChange], in: Household)
}

/// A write after a command that prevents its undo, and the write's commit.
public struct LaterChange: Sendable {
  public let write: LaterWrite
  /// Nil if no commit is known to have made the write.
  public let commit: Commit?
}
