import LarderGit
import LarderModel
import LarderStore

extension MessageWords {
  /// Returns the words for a name that does not match exactly one entity.
  func errorWords(for error: NamingError) -> ErrorWords {
    switch error {
    case .ambiguous(let words, let kind, let candidates): ambiguous(words, kind, candidates)
    case .notFound(let missing): notFound(missing)
    case .otherHousehold(let words, let kind, let path):
      ErrorWords(
        .notFound, "the \(kind.noun) '\(words)' belongs to another household: \(path)",
        "'larder check' shows the place; without its householdId the file is this household's")
    case .untaken(let mistakes, let path):
      ErrorWords(
        .invalidData, mistakes.isRefused ? "the edit of \(path) is refused" : "\(path) is broken",
        "mend the file; everything else works meanwhile",
        problems: problems(mistakes, path: path.text, severity: .error)
      ).tellingOfUntakenFile
    case .noLot(let words, let item, let lots): noLot(words, item, lots)
    }
  }

  private func notFound(_ missing: Missing) -> ErrorWords {
    var error = missing.errorWords
    if let likely = missing.likely {
      error.problems = problems(likely.mistakes, path: likely.path.text, severity: .error)
    }
    return missing.untaken.isEmpty ? error : error.tellingOfUntakenFile
  }

  private func noLot(_ words: String, _ item: Entity, _ lots: [LotMarks]) -> ErrorWords {
    ErrorWords(
      .notFound, "\(item.title) has no batch '\(words)'",
      lots.isEmpty
        ? item.quantity.value > .zero
          ? "it has no batches, only loose stock" : "nothing is left of it"
        : "its batches: " + lots.map(\.words).joined(separator: "; "))
  }

  private func ambiguous(_ words: String, _ kind: Kind, _ candidates: [Candidate]) -> ErrorWords {
    let shown = candidates.prefix(12).map { candidate in
      Problem(
        candidate.name + (candidate.detail.map { ", \($0)" } ?? ""), path: candidate.path)
    }
    let rest = candidates.count - shown.count
    let more = rest > 0 ? [Problem("and \(rest) more")] : []
    return ErrorWords(
      .ambiguous, "'\(words)' could be \(candidates.count) \(kind.pluralNoun)",
      advice(kind, candidates.first), problems: shown + more)
  }

  private func advice(_ kind: Kind, _ first: Candidate?) -> String {
    let example = first?.ownName.map { ", as in '\($0)'" } ?? first.map { ", '\($0.path)'" } ?? ""
    let file = first?.ownName == nil ? "name its file" : "name it by its file"
    let advice = first?.ownName == nil ? ", or \(file)\(example)" : "\(example), or \(file)"
    return kind.advice.map { $0 + advice } ?? "write more of the name, or the file's path"
  }

  /// Returns the words for a refused undo or redo.
  func errorWords(for error: UndoError) -> ErrorWords {
    switch error {
    case .nothing(.undo):
      ErrorWords(
        .failed, "there is nothing to take back: no command that was run here is left",
        "'larder log' shows what others did; 'larder undo REV' takes one of them back")
    case .nothing(.redo):
      ErrorWords(
        .failed, "there is nothing to bring back: no undo that was run here is left",
        "'larder undo' takes back the last command; 'larder log' shows what was brought back")
    case .unknownRevision(let name): unknownCommit(name, orLast: "undo")
    case .isNoUndo(let commit):
      ErrorWords(
        .failed, "can't bring back '\(commit.subject)': it is no undo",
        "'larder undo \(commit.id.short)' takes it back")
    case .doneSince(let undo, let newer):
      ErrorWords(
        .failed, "can't bring back '\(undo.subject)': '\(newer.subject)' was done since",
        "'larder redo \(undo.id.short)' brings it back nevertheless")
    case .isMerge(let commit):
      ErrorWords(
        .failed, "can't take back '\(commit.subject)': it only joined what both sides did",
        "'larder log' shows what it joined; each command can be taken back")
    case .startsHousehold(let commit):
      ErrorWords(.failed, "can't take back '\(commit.subject)': the household began with it")
    case .nothingLeft(let direction, let commit):
      ErrorWords(
        .failed, "there is nothing to \(verb(direction)) of '\(commit.subject)'",
        "it changed nothing of the household, or everything is already so")
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
  package func unknownCommit(_ name: String, orLast command: String? = nil) -> ErrorWords {
    let isCount = Int(name).map { (1...99).contains($0) } ?? false
    let last = command.flatMap {
      isCount ? "'larder \($0) -n \(name)' is about the last \(name)" : nil
    }
    return ErrorWords(
      .notFound, "no revision is called '\(name)'",
      hints: [last].compactMap(\.self) + [
        "'larder log --oneline' lists them; git's names work too, such as HEAD~3 or main@{yesterday}"
      ])
  }

  private func changedSince(
    _ what: String, _ changes: [LaterChange], _ household: Household
  ) -> ErrorWords {
    let words = EntityWords(of: household)
    var writings: [[LaterChange]] = []
    for change in changes {
      let index = writings.firstIndex { $0[0].isOneWrite(with: change) }
      if let index { writings[index].append(change) } else { writings.append([change]) }
    }
    let problems = writings.map { writing in
      Problem(
        sentence(writing, household, words), path: household.path(of: writing[0].write.key)?.text)
    }
    let later = changes.compactMap(\.commit?.id.short).unique
    return ErrorWords(
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

extension Missing {
  fileprivate var errorWords: ErrorWords {
    var hints = [wholes.isEmpty ? didYouMean(near) : wholeNames].compactMap(\.self)
    if let deleted, let noun = kind.commandNoun {
      hints.append(
        "\(deleted) is \(kind.deletedWord); 'larder \(noun) restore \(shellWord(deleted))' brings it "
          + "back")
    } else if let barcode {
      hints += barcode.isSound ? ways : [Barcode.advice]
    }
    if let likely {
      hints.append("it may be in \(likely.path): mend the file, or name another one")
    } else if !untaken.isEmpty {
      let files = untaken.prefix(3).map(\.text).joined(separator: ", ")
      hints.append("it may be in a file that is broken or refused (\(files)); see 'larder check'")
    }
    if hints.isEmpty, let noun = kind.commandNoun {
      let adding =
        kind == .storageLocation ? ", 'larder location new \(shellWord(words))' adds it" : ""
      hints.append("'larder \(noun)' lists what there is\(adding)")
    }
    var error = ErrorWords(.notFound, message, hints: hints)
    if kind == .stockItem, barcode == nil, deleted == nil { error.unknownNames = [words] }
    return error
  }

  /// The way to what the words are only a part of.
  private var wholeNames: String {
    if let command { return "did you mean '\(command)'?" }
    let names = wholes.map { shellWord($0.name) }.unique
    let more = names.count > 3 ? ["\(names.count - 3) more"] : []
    let list = (names.prefix(3) + more).joined(separator: ", ")
    return names.count == 1
      ? "if \(list) is meant, write the whole name"
      : "write the whole name if one of these is meant: \(list)"
  }

  private var message: String {
    guard let barcode else { return "no \(kind.noun) is called '\(words)'" }
    guard barcode.isSound else {
      return "no \(kind.noun) is called '\(words)', and as a barcode it is mistyped: "
        + barcode.mistake
    }
    return "no \(kind.noun) has the barcode \(words)" + (product.map { ", which is \($0)'s" } ?? "")
  }

  /// The commands that make a valid barcode name something.
  private var ways: [String] {
    let claim = "'larder stock edit ITEM --product \(shellWord(words))' lets it count as an item"
    guard product == nil else { return [claim] }
    let new =
      "'larder product new \(shellWord(words)) --title T --item ITEM' adds the product to an item"
    return kind == .product ? [new] : [new, claim]
  }
}

extension LaterChange {
  /// Whether the same commit wrote both into one file at one time.
  fileprivate func isOneWrite(with other: LaterChange) -> Bool {
    write.key == other.write.key && write.at == other.write.at && commit == other.commit
  }
}
