import LarderKit
import LarderModel
internal import LarderText

extension MessageWords {
  /// Returns the words for a name that does not match exactly one entity.
  func commandError(for error: NamingError) -> CommandError {
    switch error {
    case .ambiguous(let words, let kind, let candidates): ambiguous(words, kind, candidates)
    case .notFound(let missing): notFound(missing)
    case .otherHousehold(let words, let kind, let path):
      CommandError(
        .notFound, "the \(kind.noun) '\(words)' belongs to another household: \(path)",
        hints: [
          "'larder check' shows the place; without its householdId the file is this household's"
        ])
    case .untaken(let mistakes, let path):
      CommandError(
        .invalidData,
        mistakes.isRefused ? "the edit of \(path) is refused" : "\(path) is broken",
        problems: problems(mistakes, path: path.text, severity: .error),
        hints: ["mend the file; everything else works meanwhile"]
      ).tellingOfUntakenFile
    case .noLot(let words, let item, let lots): noLot(words, item, lots)
    }
  }

  private func notFound(_ missing: Missing) -> CommandError {
    var error = missing.commandError
    if let likely = missing.likely {
      error.problems = problems(likely.mistakes, path: likely.path.text, severity: .error)
    }
    return missing.untaken.isEmpty ? error : error.tellingOfUntakenFile
  }

  private func noLot(_ words: String, _ item: Entity, _ lots: [LotMarks]) -> CommandError {
    CommandError(
      .notFound, "\(item.title) has no batch '\(words)'",
      hints: [
        lots.isEmpty
          ? item.quantity.value > .zero
            ? "it has no batches, only loose stock" : "nothing is left of it"
          : "its batches: " + lots.map(\.words).joined(separator: "; ")
      ])
  }

  private func ambiguous(
    _ words: String, _ kind: Kind, _ candidates: [Candidate]
  ) -> CommandError {
    let shown = candidates.prefix(12).map { candidate in
      Problem(
        candidate.name + (candidate.detail.map { ", \($0)" } ?? ""), path: candidate.path)
    }
    let rest = candidates.count - shown.count
    let more = rest > 0 ? [Problem("and \(rest) more")] : []
    return CommandError(
      .ambiguous, "'\(words)' could be \(candidates.count) \(kind.pluralNoun)",
      problems: shown + more,
      hints: [advice(kind, candidates.first)])
  }

  private func advice(_ kind: Kind, _ first: Candidate?) -> String {
    let example = first?.ownName.map { ", as in '\($0)'" } ?? first.map { ", '\($0.path)'" } ?? ""
    let file = first?.ownName == nil ? "name its file" : "name it by its file"
    let advice = first?.ownName == nil ? ", or \(file)\(example)" : "\(example), or \(file)"
    return kind.advice.map { $0 + advice } ?? "write more of the name, or the file's path"
  }
}

extension Missing {
  fileprivate var commandError: CommandError {
    var hints = suggestions
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
    var error = CommandError(.notFound, message, hints: hints)
    if kind == .stockItem, barcode == nil, deleted == nil { error.unknownNames = [words] }
    return error
  }

  private var message: String {
    guard let barcode else { return "no \(kind.noun) is called '\(words)'" }
    guard barcode.isSound else {
      return "no \(kind.noun) is called '\(words)', and as a barcode it is mistyped: "
        + barcode.mistake
    }
    return "no \(kind.noun) has the barcode \(words)" + (product.map { ", which is \($0)'s" } ?? "")
  }

  private var suggestions: [String] {
    guard let last = near.last else { return [] }
    let others = near.dropLast().map { "'\($0)'" }.joined(separator: ", ")
    return [others.isEmpty ? "did you mean '\(last)'?" : "did you mean \(others) or '\(last)'?"]
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
