internal import LarderGit

/// The commands behind the commits, and which of them are undone.
///
/// An undo names the command that it took back in the trailer `Larder-Undoes`, a redo the command
/// that it brought back in `Larder-Redoes`. Of several of one command the newest decides. A command
/// whose commit was rebased or amended is still its device's.
struct CommandHistory {
  let repository: Repository
  let device: String

  /// Visits this device's commands that stand, newest first, until a visit returns true: each as the
  /// commit to reverse, which is the redo where it was redone, and the command that it was at first.
  func visitDone(
    from head: ObjectID, _ visit: (_ last: Commit, _ command: ObjectID) throws(GitError) -> Bool
  ) throws(GitError) {
    try visitStates(from: head) { (commit, role, newest) throws(GitError) in
      guard role == .command, isOwn(commit), !commit.isSync else { return false }
      if case .undo = newest?.role { return false }
      return try visit(newest?.commit ?? commit, commit.id)
    }
  }

  /// This device's newest undo that no redo has followed, and the command that it took back.
  func lastUndo(from head: ObjectID) throws(GitError) -> (undo: Commit, command: ObjectID)? {
    var found: (undo: Commit, command: ObjectID)?
    try visitStates(from: head) { (commit, role, newest) throws(GitError) in
      guard case .undo(let command) = role, case .undo = newest?.role, isOwn(commit) else {
        return false
      }
      found = (commit, command)
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
      if role.command != nil, newest[subject] == nil { newest[subject] = (role, commit) }
      return try !visit(commit, role, newest[subject])
    }
  }

  private func isOwn(_ commit: Commit) -> Bool {
    Trailers(commit.message)["Larder-Device"] == device
  }
}

extension Commit {
  /// Whether it brought what others did, as a sync with a cloud does.
  var isSync: Bool { Trailers(message)["Larder-Command"] == "sync" }
}

/// Whether a commit is a command, took one back, or brought one back.
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

  /// The command that was taken or brought back.
  var command: ObjectID? {
    switch self {
    case .command: nil
    case .undo(let command), .redo(let command): command
    }
  }
}
