internal import LarderGit

/// The commands behind the commits, and which of them are undone.
///
/// An undo names its command in the trailer `Larder-Undoes`, a redo in `Larder-Redoes`. If a
/// command has several, the newest decides; those that others made say nothing. A command whose
/// commit was rebased or amended still belongs to its clone.
struct CommandHistory {
  let repository: Repository
  let own: OwnCommits

  /// Visits this clone's commands that are not undone, newest first, until a visit returns true.
  ///
  /// `last` is the commit to reverse: the redo, if the command was redone. `command` is the id of
  /// the original command. Returns the commits of plain git, by anybody, that are newer than the
  /// last one visited and not undone.
  @discardableResult
  func visitDone(
    from head: ObjectID, _ visit: (_ last: Commit, _ command: ObjectID) throws(GitError) -> Bool
  ) throws(GitError) -> [Commit] {
    var plain: [Commit] = []
    try visitStates(from: head) { (commit, role, newest) throws(GitError) in
      guard role == .command, !commit.isSync else { return false }
      if case .undo = newest?.role { return false }
      if commit.isPlain { plain.append(commit) }
      guard own.contains(commit) else { return false }
      return try visit(newest?.commit ?? commit, commit.id)
    }
    return plain
  }

  /// Returns this clone's newest undo without a later redo, the undone command, and this clone's
  /// newest command after the undo.
  func lastUndo(
    from head: ObjectID
  ) throws(GitError) -> (undo: Commit, command: ObjectID, newer: Commit?)? {
    var found: (undo: Commit, command: ObjectID, newer: Commit?)?
    var newer: Commit?
    try visitStates(from: head) { (commit, role, newest) throws(GitError) in
      if role == .command, newer == nil, own.contains(commit), !commit.isSync { newer = commit }
      guard case .undo(let command) = role, case .undo = newest?.role, own.contains(commit) else {
        return false
      }
      found = (commit, command, newer)
      return true
    }
    return found
  }

  private func visitStates(
    from head: ObjectID,
    _ visit: (Commit, CommandRole, (role: CommandRole, commit: Commit)?) throws(GitError) -> Bool
  ) throws(GitError) {
    var newest: [ObjectID: (role: CommandRole, commit: Commit)] = [:]
    try repository.history(from: head) { (commit) throws(GitError) in
      guard commit.parents.count == 1 else { return true }
      let role = CommandRole(commit)
      let subject = role.command ?? commit.id
      if role.command != nil, newest[subject] == nil, own.contains(commit) {
        newest[subject] = (role, commit)
      }
      return try !visit(commit, role, newest[subject])
    }
  }
}

extension Commit {
  /// Whether the commit brought changes of other devices, as a sync with a cloud does.
  var isSync: Bool { Trailers(message)["Larder-Command"] == "sync" }

  /// Whether it was made without Larder.
  var isPlain: Bool { Trailers(message)["Larder-Command"] == nil }
}

/// The role of a commit: a command, an undo or a redo.
enum CommandRole: Hashable {
  case command
  case undo(ObjectID)
  case redo(ObjectID)

  static let undoTrailer = "Larder-Undoes"
  static let redoTrailer = "Larder-Redoes"

  init(_ commit: Commit) {
    let trailers = Trailers(commit.message)
    if let command = trailers[Self.undoTrailer].flatMap({ ObjectID(hex: $0) }) {
      self = .undo(command)
    } else if let command = trailers[Self.redoTrailer].flatMap({ ObjectID(hex: $0) }) {
      self = .redo(command)
    } else {
      self = .command
    }
  }

  /// The command that was undone or redone.
  var command: ObjectID? {
    switch self {
    case .command: nil
    case .undo(let command), .redo(let command): command
    }
  }
}
