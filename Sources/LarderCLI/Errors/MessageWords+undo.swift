import LarderKit
import LarderModel
internal import LarderText

extension MessageWords {
  /// Returns the words for a refused undo or redo.
  func commandError(for error: UndoError) -> CommandError {
    switch error {
    case .nothing(.undo):
      CommandError(
        .failed, "there is nothing to take back: no command that was run here is left",
        hints: ["'larder log' shows what others did; 'larder undo REV' takes one of them back"])
    case .nothing(.redo):
      CommandError(
        .failed, "there is nothing to bring back: no undo that was run here is left",
        hints: [
          "'larder undo' takes back the last command; 'larder log' shows what was brought back"
        ])
    case .unknownRevision(let name): unknownCommit(name, orLast: "undo")
    case .isNoUndo(let commit):
      CommandError(
        .failed, "can't bring back '\(commit.subject)': it is no undo",
        hints: ["'larder undo \(commit.id.short)' takes it back"])
    case .doneSince(let undo, let newer):
      CommandError(
        .failed, "can't bring back '\(undo.subject)': '\(newer.subject)' was done since",
        hints: ["'larder redo \(undo.id.short)' brings it back nevertheless"])
    case .isMerge(let commit):
      CommandError(
        .failed, "can't take back '\(commit.subject)': it only joined what both sides did",
        hints: ["'larder log' shows what it joined; each command can be taken back"])
    case .startsHousehold(let commit):
      CommandError(
        .failed, "can't take back '\(commit.subject)': the household began with it")
    case .nothingLeft(let direction, let commit):
      CommandError(
        .failed, "there is nothing to \(verb(direction)) of '\(commit.subject)'",
        hints: ["it changed nothing of the household, or everything is already so"])
    case .changedSince(let direction, let commit, let changes, let household):
      changedSince("can't \(verb(direction)) '\(commit.subject)'", changes, household)
    }
  }

  private func verb(_ direction: UndoError.Direction) -> String {
    switch direction {
    case .undo: "take back"
    case .redo: "bring back"
    }
  }

  /// Returns the words for a revision that names no commit.
  ///
  /// A number may be meant for a command that does something with the last ones.
  func unknownCommit(_ name: String, orLast command: String? = nil) -> CommandError {
    let isCount = Int(name).map { (1...99).contains($0) } ?? false
    let last = command.flatMap {
      isCount ? "'larder \($0) -n \(name)' is about the last \(name)" : nil
    }
    return CommandError(
      .notFound, "no revision is called '\(name)'",
      hints: [last].compactMap(\.self) + [
        "'larder log --oneline' lists them; git's names work too, such as HEAD~3 or main@{yesterday}"
      ])
  }

  private func changedSince(
    _ what: String, _ changes: [LaterChange], _ household: Household
  ) -> CommandError {
    let words = DifferenceWords(before: household, after: household).words
    var writings: [[LaterChange]] = []
    for change in changes {
      let index = writings.firstIndex { $0[0].isOneWrite(with: change) }
      if let index { writings[index].append(change) } else { writings.append([change]) }
    }
    let problems = writings.map { writing in
      Problem(
        sentence(writing, household, words), path: household.path(of: writing[0].write.key)?.text)
    }
    var later: [String] = []
    for id in changes.compactMap(\.commit?.id.short) where !later.contains(id) { later.append(id) }
    return CommandError(
      .failed, "\(what): later commands changed the same values",
      problems: problems.sorted { ($0.path ?? "") < ($1.path ?? "") },
      hints: later.isEmpty
        ? []
        : [
          "take back what came later first: "
            + later.prefix(3).map { "'larder undo \($0)'" }.joined(separator: ", "),
          "'larder log' lists the other commands; 'larder undo REV' takes back any of them",
        ])
  }

  /// Returns the later changes of one commit.
  ///
  /// An example is `Oatly: name is Oatly since Sat 2026-11-21 18:03, phone (edit Oat milk)`.
  private func sentence(
    _ writing: [LaterChange], _ household: Household, _ words: EntityWords
  ) -> String {
    guard let change = writing.first, let entity = household[change.write.key] else { return "" }
    let what = writing.map { change in
      switch change.write.content {
      case .fields(let names):
        names.map {
          "\(EntityWords.label($0)) is \(words.text(of: entity[$0], field: $0, in: entity))"
        }
        .joined(separator: ", ")
      case .entry(let entry): words.what(entry, in: entity.ledger)
      }
    }
    let time = words.time.text(of: change.write.at)
    let by = change.commit.map { ", \($0.who) (\($0.subject))" } ?? ""
    let title = words.names.title(of: entity)
    return "\(title): \(what.joined(separator: ", ")) since \(time)\(by)"
  }
}

extension LaterChange {
  /// Whether the same commit wrote both into one file at one time.
  fileprivate func isOneWrite(with other: LaterChange) -> Bool {
    write.key == other.write.key && write.at == other.write.at && commit == other.commit
  }
}
